"""Revision 2, the carrier board: every pin of a Pico, Pico W, Pico 2 or Pico 2 W in its sockets.

The pins are those of revision 1 (pico.py), so that one firmware serves both; the north screen's
bus is in north_screen.py. What the board has beyond revision 1:

    GP14        keep-alive: 20 ms high, and 213 mA flow from USB for that long (47 ohms twice). The
                gate is coupled through 1 uF and 100 kohm, so a pin that stays high switches the
                load off by itself within 0.2 s
"""

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    import machine

NAME = "carrier-2"

READER_UART = const(0)
READER_TX = const(0)  # to the reader's SS, which is HSU_RX
READER_RX = const(1)  # from its MOSI, which is HSU_TX
READER_IRQ = const(6)
READER_RESET = const(7)

DISPLAY_I2C = const(1)
DISPLAY_SDA = const(2)
DISPLAY_SCL = const(3)

BUTTON_PINS = (10, 11, 12, 13)  # up, down, OK, jury
BUZZER_PIN = const(15)
KEEP_ALIVE_PIN = const(14)


def keep_alive() -> "machine.Pin":
    """The load's switch, off."""
    from machine import Pin

    return Pin(KEEP_ALIVE_PIN, Pin.OUT, value=0)
