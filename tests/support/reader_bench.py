"""The reader driver on the twin's chip, without a box around it: one bench for figures and tests.

The `machine` objects here are as thin as they can be; time is the twin's.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, overload

from firmware.drivers import presence
from firmware.drivers.pn532.chip import Pn532
from firmware.drivers.pn532.hsu import Hsu
from firmware.drivers.reader import Reader
from hardware.twin.clock import VirtualClock
from hardware.twin.faults import FaultPlan
from hardware.twin.field import RfField
from hardware.twin.pn532.chip import HandOff, Pn532Chip
from hardware.twin.pn532.hsu import HsuPort
from host_tools.sim.demo.tags import TwinClock, TwinUart

STEP_US = 300  # the main loop's pause between two steps


class OutPin:
    """A `machine.Pin` that drives something."""

    def __init__(self, drive: Callable[[int], None]) -> None:
        self._drive = drive
        self._level = 1

    @overload
    def __call__(self) -> int: ...
    @overload
    def __call__(self, value: Any, /) -> None: ...
    def __call__(self, *values: Any) -> Any:
        """Read the level, or drive 0 or 1."""
        for value in values:
            self._level = int(value)
            self._drive(self._level)
        return None if values else self._level


@dataclass(frozen=True)
class Detection:
    """Detect + 48 bytes."""

    ms: float
    bytes_on_wire: int
    commands: int


@dataclass(frozen=True)
class ReaderEvent:
    """An event of the reader, with the time and the card."""

    us: int
    code: int
    uid: bytes
    data: bytes


class ReaderBench:
    """A chip, a field, a line and the driver, with everything that happened in `events`."""

    def __init__(
        self,
        *,
        faults: FaultPlan | None = None,
        hand_off: HandOff | None = None,
        reset_wired: bool = True,
        reads_long_uids: bool = True,
        start_ms: int = 0,
    ) -> None:
        self.clock = VirtualClock()
        self.field = RfField(self.clock)
        self.twin = Pn532Chip(
            self.clock,
            self.field,
            hand_off=hand_off,
            faults=faults,
            reads_long_uids=reads_long_uids,
        )
        self.time = TwinClock(self.clock, start_ms)
        self.uart = TwinUart(HsuPort(self.twin))
        reset = OutPin(self.twin.set_reset) if reset_wired else None
        self.chip = Pn532(Hsu(self.uart, self.time), self.time, reset)
        self.reader = Reader(self.chip, self.time)
        self.events: list[ReaderEvent] = []

    def run(self, ms: int, pause_us: int = STEP_US) -> list[ReaderEvent]:
        """Let the box's main loop turn for `ms`; return the events of that time."""
        first = len(self.events)
        end_us = self.clock.now_us + 1000 * ms
        while self.clock.now_us < end_us:
            self.step()
            self.clock.advance(pause_us)
        return self.events[first:]

    def step(self) -> int:
        """One turn of the main loop; returns the event."""
        code = self.reader.step(self.time.ticks_ms())
        if code != presence.NOTHING:
            reader = self.reader
            self.events.append(
                ReaderEvent(self.clock.now_us, code, reader.uid, bytes(reader.data))
            )
        return code
