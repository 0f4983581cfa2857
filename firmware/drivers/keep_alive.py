"""Pulses of a load that keep a power bank from switching off. Few boards have the load."""

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from firmware.drivers.seams import Clock, PinLike


_LENGTHS_MS = (1380, 20)  # off, on: hardware/power.toml, what was published to keep a bank on


class KeepAlive:
    """`pin` high draws the load, for 20 ms every 1.4 s; a busy loop lengthens both."""

    def __init__(self, pin: "PinLike", clock: "Clock") -> None:
        self._pin = pin
        self._clock = clock
        self._level = 0
        self._since_ms = clock.ticks_ms()

    def step(self, now_ms: int) -> None:
        """Switch when it is time. Call it every few milliseconds."""
        if self._clock.ticks_diff(now_ms, self._since_ms) >= _LENGTHS_MS[self._level]:
            self._level = 1 - self._level
            self._pin(self._level)
            self._since_ms = now_ms
