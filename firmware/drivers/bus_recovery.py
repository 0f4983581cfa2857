"""Freeing an I2C bus that a device holds because it still waits for clocks."""

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from firmware.drivers.seams import Clock, PinLike

_CLOCKS = const(9)  # the rest of a byte and its ACK (I2C specification UM10204, section 3.1.16)
_HALF_US = const(5)  # 100 kHz


def free_bus(scl: "PinLike", sda: "PinLike", clock: "Clock") -> bool:
    """Clock until SDA is let go, then send a STOP; True if the bus is free.

    Both pins must be open-drain outputs, high. Make the bus object anew afterwards.
    """
    for _ in range(_CLOCKS):
        if sda():
            break
        scl(0)
        clock.sleep_us(_HALF_US)
        scl(1)
        clock.sleep_us(_HALF_US)
    sda(0)
    clock.sleep_us(_HALF_US)
    sda(1)
    clock.sleep_us(_HALF_US)
    return bool(scl() and sda())
