"""A list of which one item is chosen with the up and down buttons and OK; JURY goes back."""

from micropython import const

from . import sounds
from .canvas import TOP
from .page import DOWN, JURY, OK, UP, Page
from .view import View

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable

    from card_tags.kinds import Tag

    from .seams import BoxApp


def moved(chosen: int, button: int, count: int) -> int:
    """The item next to `chosen` for UP or DOWN, round the ends; else `chosen` itself."""
    if button == UP:
        return (chosen - 1) % count
    if button == DOWN:
        return (chosen + 1) % count
    return chosen


class Chooser(Page):
    """Calls `done(index)` with the chosen item after closing itself; `asks` names the list."""

    def __init__(
        self,
        app: "BoxApp",
        heading: str,
        items: "list[str]",
        done: "Callable[[int], None]",
        chosen: int = 0,
        asks: str = "list",
    ) -> None:
        Page.__init__(self, app)
        self.asks = asks
        self.heading = heading
        self.items = items
        self.chosen = chosen
        self._done = done

    def view(self) -> "View":
        return View(self.heading, (("rows", TOP, self.items, self.chosen),), True)

    def on_button(self, button: int) -> None:
        if button == OK:
            self.app.close(self)
            self._done(self.chosen)
        elif button == JURY:
            self.app.close(self)
        elif button in (UP, DOWN):
            self.chosen = moved(self.chosen, button, len(self.items))
            self.app.sound(sounds.STEP)

    def on_tag(self, tag: "Tag") -> None:
        """First something is to be chosen: the list stays."""
        self.app.wrong_kind()
