"""What the box has to say: a picture, a few lines, perhaps a rule. Stays until OK or the next tap.

The next tap closes the message and means what it would have meant without it.
"""

from micropython import const

from .canvas import HEIGHT, ICON, LINE, TOP, WIDTH
from .page import JURY, LONG, OK, Page

_LEFT = const(26)  # text begins right of the picture

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Sequence

    from card_tags.kinds import Tag

    from .app import App
    from .canvas import Canvas


class Message(Page):
    """`icon` a name of `fonts/icons.py`; `lines` are wrapped; `rule` is a rule id or ""."""

    def __init__(
        self, app: "App", icon: str, heading: str, lines: "Sequence[str]", rule: str = ""
    ) -> None:
        Page.__init__(self, app)
        self.icon = icon
        self.heading = heading
        self.lines = lines
        self.rule = rule

    def title(self) -> str:
        return self.heading

    def draw(self, canvas: "Canvas") -> None:
        canvas.icon(0, TOP + 2, self.icon)
        if self.rule:
            canvas.text(0, TOP + ICON + 6, self.rule, _LEFT)
        y = TOP
        for line in self.lines:
            for part in canvas.wrap(line, WIDTH - _LEFT):
                if y + LINE <= HEIGHT:
                    canvas.text(_LEFT, y, part)
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
