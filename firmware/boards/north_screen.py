"""The bus of the second screen, which looks to the north: the same pins on every revision.

Two modules of one kind share the address 0x3C, so each has a bus of its own.

    GP4, GP5    I2C0 SDA, SCL    OLED of the north
"""

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    import machine

NORTH_I2C = const(0)
NORTH_SDA = const(4)
NORTH_SCL = const(5)
_HZ = const(400000)
_FAST_HZ = const(1000000)
_TIMEOUT_US = const(20000)  # a stuck bus holds the box for no longer


def north_bus(fast: bool = False) -> "machine.I2C":
    """The north screen's bus; the module brings its own pull-ups. `fast`: as pico.display_bus."""
    from machine import I2C, Pin

    hertz = _FAST_HZ if fast else _HZ
    sda, scl = Pin(NORTH_SDA), Pin(NORTH_SCL)
    return I2C(NORTH_I2C, sda=sda, scl=scl, freq=hertz, timeout=_TIMEOUT_US)


def north_lines() -> "tuple[machine.Pin, machine.Pin]":
    """SCL and SDA as open-drain outputs, to free a bus that the display holds."""
    from machine import Pin

    return Pin(NORTH_SCL, Pin.OPEN_DRAIN, value=1), Pin(NORTH_SDA, Pin.OPEN_DRAIN, value=1)
