"""What is on the screen now: a page. One page has the attention; the ones below wait.

A page gets what happened (a tag, a button, time) and tells when asked what is to be seen; the
canvas draws it. It decides nothing about rules: it turns taps and presses into commands for the
session and shows the answers.
"""

from micropython import const

from .view import View

# Buttons as the driver names them; a long press is the same plus LONG.
UP = const(0)
DOWN = const(1)
OK = const(2)
JURY = const(3)
LONG = const(4)

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from card_tags.kinds import Tag

    from .seams import BoxApp


class Page:
    """The base of all pages. A method left as it is: then that happening means nothing here."""

    IS_MENU = False  # True: here a match is chosen, and a desk may offer one
    asks = ""  # what a list over the table asks, by its name, or "result" (docs/link.md, `screen`)

    def __init__(self, app: "BoxApp") -> None:
        self.app = app

    def view(self) -> "View":
        """What is on the screen now."""
        return View("", (), True)

    def on_button(self, button: int) -> None:
        """A button was pressed: UP, DOWN, OK, JURY, or one of them + LONG."""

    def on_tag(self, tag: "Tag") -> None:
        """A readable tag of our own was laid on the reader, once per laying down."""

    def on_blank(self) -> bool:
        """A tag that carries nothing was laid down. True: the page used it."""
        return False

    def on_time(self, now_ms: int) -> None:
        """Called in every step of the loop while this page is on top."""
