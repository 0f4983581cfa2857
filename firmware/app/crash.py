"""The screen of last resort: one picture, one sentence, the name of the fault."""

from micropython import const

from .canvas import LINE, TOP, Canvas

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

_LEFT = const(26)
# Both languages at once: the settings may be what cannot be read.
LINES = ("Fehler – Neustart", "Fault – restarting", "")

_LINE = const(8)  # pixels, of the letters that MicroPython brings along: ASCII, 16 in a line
# In both languages, because the settings are the firmware's
_NO_FIRMWARE = (
    "Keine Firmware",
    "laesst sich",
    "laden.",
    "",
    "No firmware can",
    "be loaded.",
    "",
    "-> make flash",
)


def show(display: "Any", fault: "BaseException") -> None:
    """Draw the fault; the match goes on after the restart."""
    canvas = Canvas(display.frame)
    canvas.clear()
    canvas.icon(0, TOP, "WRENCH")
    y = TOP
    for line in LINES + (type(fault).__name__, str(fault)):
        canvas.text(_LEFT, y, line)
        y += LINE
    display.show()


def no_firmware() -> bool:
    """The loader (`slots.py`) found no firmware that works: say so. False: no display answers."""
    from firmware.boards import pico as board
    from firmware.drivers.display import Display

    display = Display(board.display_bus(), board.DISPLAY_ADDRESS, board.DISPLAY_CONTROLLER)
    for line, text in enumerate(_NO_FIRMWARE):
        display.frame.text(text, 0, _LINE * line, 1)
    return display.show()
