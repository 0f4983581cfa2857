"""The screen of last resort: one picture, one sentence, the name of the fault. And how often in a
row: a box that crashes for the fifth time without a minute in between does not restart any
more (docs/decisions/journal.md). A match that takes it down is asked about after the third.
"""

from micropython import const

from .canvas import LINE, TOP, Canvas
from .slots import TwoFiles

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from .slots import StateFiles

_MOST = const(5)
_LEFT = const(26)
# Both languages at once: the settings may be what cannot be read.
LINES = ("Fehler – Neustart", "Fault – restarting", "")
LAST_LINES = ("Fehler – Laptop nötig", "Fault – needs a laptop", "")


def may_restart(disk: "StateFiles") -> bool:
    """Count this crash, until `Updating` forgets them. False for one too many. Raises OSError or
    ValueError if it cannot be counted.
    """
    files = TwoFiles(disk, "crashes")
    crashes = int(files.load() or "0") + 1
    files.store(str(crashes))
    return crashes < _MOST


def show(display: "Any", fault: "BaseException", again: bool = True) -> None:
    """Draw the fault; the match goes on after the restart."""
    canvas = Canvas(display.frame)
    canvas.clear()
    canvas.icon(0, TOP, "WRENCH")
    y = TOP
    for line in (LINES if again else LAST_LINES) + (type(fault).__name__, str(fault)):
        canvas.text(_LEFT, y, line)
        y += LINE
    for side in display.sides:
        display.show(side)
