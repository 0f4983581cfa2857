"""What the box has to say: a picture, a few lines, perhaps a rule. Stays until OK or the next tap.

The next tap closes the message and means what it would have meant without it.
"""

from micropython import const

from . import sounds
from .canvas import ICON, LINE, TOP
from .page import JURY, LONG, OK, Page
from .view import View

_LEFT = const(26)  # text begins right of the picture
_LARGE = const(20)  # from one line of large letters to the next

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Sequence

    from card_tags.kinds import Tag

    from .seams import BoxApp
    from .view import ViewPart, WrappedText


class Message(Page):
    """What a `NewsItem` says, its texts ready; the view is made once."""

    def __init__(
        self,
        app: "BoxApp",
        icon: str,
        heading: str,
        lines: "Sequence[WrappedText]",
        rule: str = "",
        large: "Sequence[tuple[Sequence[str], str]]" = (),
    ) -> None:
        self.app = app
        parts: "list[ViewPart]" = []
        y = TOP
        if rule:
            parts.append(("text", 0, TOP + ICON + 6, rule))
        if not large:
            parts.append(("icon", 0, TOP + 2, icon))
        elif not large[0][0]:
            parts.append(("icon", 0, TOP, icon))
        for before, text in large:
            for place in range(len(before)):
                parts.append(("text", 0, y + place * LINE, before[place]))
            parts.append(("large", _LEFT, y, text))
            y += _LARGE
        if large:
            y = max(y, TOP + ICON)
        parts.append(("lines", 0 if large else _LEFT, y, lines))
        self._view = View(heading, parts, True)

    def view(self) -> "View":
        return self._view

    def on_button(self, button: int) -> None:
        if button in (OK, OK + LONG):
            self.app.close(self)
        elif button in (JURY, JURY + LONG):
            self.app.pass_button(self, button)
        else:
            self.app.sound(sounds.FOREIGN)

    def on_blank(self) -> bool:
        self.app.close(self)
        return self.app.page().on_blank()

    def on_tag(self, tag: "Tag") -> None:
        self.app.close(self)
        self.app.page().on_tag(tag)
