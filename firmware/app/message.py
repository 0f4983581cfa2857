"""What the box has to say: a picture, a few lines, perhaps a rule. Stays until OK or the next tap.

The next tap closes the message and means what it would have meant without it.
"""

from micropython import const

from .canvas import ICON, LINE, TOP, WIDTH
from .page import JURY, LONG, OK, Page

_LEFT = const(26)  # text begins right of the picture
_LARGE = const(20)  # from one line of large letters to the next

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Sequence

    from card_tags.kinds import Tag

    from .app import App
    from .canvas import Canvas


class Message(Page):
    """`icon` a name of `fonts/icons.py`; `lines` are wrapped; `rule` is a rule id or "". `large`:
    above the lines a verdict in large letters, each with small words that stand before it; where
    the first has none stands the picture.
    """

    def __init__(
        self,
        app: "App",
        icon: str,
        heading: str,
        lines: "Sequence[str]",
        rule: str = "",
        large: "Sequence[tuple[Sequence[str], str]]" = (),
    ) -> None:
        Page.__init__(self, app)
        self.icon = icon
        self.heading = heading
        self.lines = lines
        self.rule = rule
        self.large = large

    def title(self) -> str:
        return self.heading

    def draw(self, canvas: "Canvas") -> None:
        y = TOP
        left = _LEFT
        if not (self.large and self.large[0][0]):
            canvas.icon(0, TOP + (0 if self.large else 2), self.icon)
        if self.rule:
            canvas.text(0, TOP + ICON + 6, self.rule, _LEFT)
        for before, text in self.large:
            left = 0
            for place in range(len(before)):
                canvas.text(0, y + place * LINE, before[place], _LEFT)
            canvas.large_fitted(_LEFT, y, text)
            y += _LARGE
        if self.large:
            y = max(y, TOP + ICON)
        for line in self.lines:
            for part in canvas.wrap(line, WIDTH - left):
                if y + LINE <= canvas.bottom:
                    canvas.text(left, y, part)
                y += LINE

    def on_button(self, button: int) -> None:
        if button in (OK, OK + LONG):
            self.app.close(self)
        elif button in (JURY, JURY + LONG):
            self.app.pass_button(self, button)

    def on_blank(self) -> bool:
        self.app.close(self)
        return self.app.page().on_blank()

    def on_tag(self, tag: "Tag") -> None:
        self.app.close(self)
        self.app.page().on_tag(tag)
