"""Which screens are there: asked once at the start, then this leaves the memory."""

from micropython import const

from firmware.drivers.display import ADDRESS, OTHER_ADDRESS, Display

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from firmware.drivers.display import OpenBus
    from firmware.drivers.seams import Clock, I2cLike
    from firmware.drivers.two_screens import TwoScreens


def find_screens(
    south: "OpenBus", north: "OpenBus", clock: "Clock", controller: int, may_be_fast: bool
) -> "Display | TwoScreens":
    """The displays that answer, at least that of the south: it may come later."""
    display = Display(south, clock, controller, None, may_be_fast)
    if not _is_there(north[0](False)):
        return display
    second = Display(north, clock, controller, display, may_be_fast)
    if not display.check():
        second.sides = (1,)
        return second
    from firmware.drivers.two_screens import TwoScreens

    return TwoScreens(display, second)


def _is_there(bus: "I2cLike") -> bool:
    for address in (ADDRESS, OTHER_ADDRESS):
        try:
            bus.writeto(address, b"\x00")
            return True
        except OSError:
            pass  # nobody at this address
    return False
