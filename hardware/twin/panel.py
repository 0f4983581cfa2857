"""The front panel: four buttons with contacts that bounce, and the buzzer."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import partial
from math import pi, sin

from hardware.twin.clock import VirtualClock


class PanelButton(IntEnum):
    """The four buttons, in the order of the wiring."""

    UP = 0
    DOWN = 1
    OK = 2
    JURY = 3


# µs after the first contact at which a cheap 12 mm button makes and breaks again; ends in contact
_BOUNCES_US = (400, 700, 1100, 2900)


class PanelButtons:
    """Levels of the four pins: 1 open (pull-up), 0 pressed. `on_edge(number, level)` hears every
    change, bounces too.
    """

    def __init__(self, clock: VirtualClock) -> None:
        self._clock = clock
        self.levels = [1, 1, 1, 1]
        self.on_edge: Callable[[int, int], None] = lambda number, level: None

    def press(self, button: PanelButton, hold_ms: int) -> None:
        """Press now and let go `hold_ms` later; both edges bounce."""
        self.down(button)
        self._clock.after(hold_ms * 1000, lambda: self.up(button))

    def down(self, button: PanelButton) -> None:
        """Press now and stay on the button."""
        self._edge(button, 0)

    def up(self, button: PanelButton) -> None:
        """Let go now."""
        self._edge(button, 1)

    def _edge(self, button: PanelButton, level: int) -> None:
        self._set(button, level)
        now = level
        for delay_us in _BOUNCES_US:
            now = 1 - now
            self._clock.after(delay_us, partial(self._set, button, now))

    def _set(self, button: PanelButton, level: int) -> None:
        if self.levels[button] != level:
            self.levels[button] = level
            self.on_edge(button, level)


@dataclass(frozen=True)
class HeardTone:
    """One tone as it was heard: when it began, how high, how long (ms; -1 while it still sounds),
    at which duty (of 65536).
    """

    at_ms: int
    hz: int
    ms: int
    duty_u16: int

    @property
    def strength(self) -> float:
        """Of its base tone, 1 for the loudest."""
        return sin(pi * self.duty_u16 / 65536)


class Piezo:
    """A passive piezo: it sounds while the PWM has a duty above zero."""

    def __init__(self, clock: VirtualClock) -> None:
        self._clock = clock
        self._heard: list[HeardTone] = []
        self._hz = 0
        self._duty = 0
        self.wired = True

    @property
    def sounds(self) -> list[HeardTone]:
        """Everything heard so far, in order."""
        return list(self._heard)

    def freq(self, hz: int) -> None:
        """The PWM's frequency changes; a sounding tone changes with it."""
        self._end()
        self._hz = hz
        self._begin()

    def duty(self, duty_u16: int) -> None:
        """The PWM's duty changes; 0 is silence."""
        self._end()
        self._duty = duty_u16
        self._begin()

    def off(self) -> None:
        """Power is gone, or the chip was reset."""
        self.duty(0)
        self._hz = 0

    def _begin(self) -> None:
        if self._duty and self._hz and self.wired:
            self._heard.append(HeardTone(self._clock.now_us // 1000, self._hz, -1, self._duty))

    def _end(self) -> None:
        if not self._heard or self._heard[-1].ms != -1:
            return
        last = self._heard[-1]
        length_ms = self._clock.now_us // 1000 - last.at_ms
        self._heard.pop()
        if length_ms:
            self._heard.append(replace(last, ms=length_ms))
