"""MicroPython's `time` on virtual time. Ticks wrap at 2^30 as on the box (docs.micropython.org,
library/time).
"""

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from hardware.twin.vm.machine import Bridge

_PERIOD = const(1 << 30)
_HALF = const(1 << 29)
_BOOT_EPOCH_S = const(1_609_459_200)  # a Pico without a set clock starts in 2021


class BoxTime:
    """The functions of the module `time`, as methods, because a session on CPython has its own
    bridge.
    """

    def __init__(self, bridge: "Bridge") -> None:
        self._bridge = bridge
        self.ticks_ms = bridge.ticks_ms
        self.ticks_us = bridge.ticks_us

    def ticks_add(self, ticks: int, delta: int) -> int:
        return (ticks + delta) & (_PERIOD - 1)

    def ticks_diff(self, ticks1: int, ticks2: int) -> int:
        # No number here is larger than a small integer: a pin's interrupt may not allocate.
        apart = ticks1 - ticks2
        if apart >= _HALF:
            return apart - _HALF - _HALF
        return apart + _HALF + _HALF if apart < -_HALF else apart

    def sleep_ms(self, ms: int) -> None:
        self._bridge.spend(1000 * max(ms, 0))

    def sleep_us(self, us: int) -> None:
        self._bridge.spend(max(us, 0))

    def sleep(self, seconds: "int | float") -> None:
        self._bridge.spend(int(1_000_000 * seconds))

    def time(self) -> int:
        """Seconds since 1970; wrong after 12 days of one session, like nothing on a real table."""
        return _BOOT_EPOCH_S + self._bridge.ticks_ms() // 1000
