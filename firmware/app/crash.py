"""The screen of last resort: one picture, one sentence, the name of the fault. And how often in a
row: a box that crashes for the fifth time without a minute in between does not restart any
more (docs/decisions/0172). A match that takes it down is asked about after the third.
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


def explain(path: str) -> None:
    """Put the names of the sources into the traceback that the file has; a build has short ones.

    Its list has a line for each file, and behind it the functions of that (docs/decisions/0197).
    Raises OSError where there is no list: there the names are whole.
    """
    with open(__file__[: __file__.rindex("/app/")] + "/names.txt") as names:
        with open(path) as kept:
            lines = kept.read().split("\n")
        place = ""
        found = False
        for entry in names:
            short, _, name = entry.rstrip().partition(" ")
            if short[0] == '"':
                place = '"' + name + '"'
                found = any([short in line for line in lines])
                lines = [line.replace(short, place) for line in lines] if found else lines
            elif found:
                lines = [_named(line, place, short, name) for line in lines]
    with open(path, "w") as kept:
        kept.write("\n".join(lines))


def _named(line: str, place: str, short: str, name: str) -> str:
    if place in line and line.endswith(" in " + short):
        return line[: -len(short)] + name
    return line


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
