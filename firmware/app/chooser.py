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

TURN = "turn"
"""What a list of a turn's actions asks (`Chooser.asks`): a tap is one of them."""


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
        """A list that only leads on gives way to what would be tapped without it; else first
        something is to be chosen.
        """
        if self.asks == TURN:
            self.app.close(self)
            self.app.page().on_tag(tag)
        else:
            self.app.wrong_kind()
