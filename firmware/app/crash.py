"""The screen of last resort: one picture, one sentence, the name of the fault."""

from micropython import const

from .canvas import LINE, TOP, Canvas

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

_LEFT = const(26)
# Both languages at once: the settings may be what cannot be read.
LINES = ("Fehler – Neustart", "Fault – restarting", "")


def show(display: "Any", fault: "BaseException") -> None:
    """Draw the fault; the match goes on after the restart."""
    canvas = Canvas(display.frame)
    canvas.clear()
    canvas.icon(0, TOP, "WRENCH")
    y = TOP
    for line in LINES + (type(fault).__name__, str(fault)):
        canvas.text(_LEFT, y, line)
        y += LINE
    for side in display.sides:
        display.show(side)
