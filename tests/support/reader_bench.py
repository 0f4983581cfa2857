"""The reader driver on the twin's chip, without a box around it: one bench for figures and tests.

The `machine` objects here are as thin as they can be; time is the twin's.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from firmware.drivers import presence
from firmware.drivers.pn532.chip import Pn532
from firmware.drivers.pn532.hsu import Hsu
from firmware.drivers.pn532.i2c import I2c
from firmware.drivers.pn532.spi import Spi
from firmware.drivers.reader import Reader
from hardware.twin.clock import VirtualClock
from hardware.twin.faults import FaultPlan
from hardware.twin.field import RfField
from hardware.twin.pn532.chip import HandOff, Pn532Chip
from hardware.twin.pn532.hsu import HsuPort
from hardware.twin.pn532.i2c import CALM, I2cHabits, I2cPort
from hardware.twin.pn532.spi import SpiPort
from host_tools.sim.demo.tags import Bytes, TwinClock, TwinUart

if TYPE_CHECKING:
    from firmware.drivers.seams import Transport

STEP_US = 300  # the main loop's pause between two steps


class TwinI2c:
    """`machine.I2C` with the chip at its address."""

    def __init__(self, port: I2cPort) -> None:
        self._port = port

    def writeto(self, address: int, data: Bytes, /) -> int:
        """One write transaction."""
        self._port.writeto(bytes(data))
        return len(data)

    def readfrom_into(self, address: int, into: bytearray | memoryview, /) -> None:
        """One read transaction."""
        into[:] = self._port.readfrom(len(into))


class TwinSpi:
    """`machine.SPI`."""

    def __init__(self, port: SpiPort) -> None:
        self._port = port

    def write(self, data: Bytes, /) -> None:
        """Shift bytes out."""
        self._port.exchange(bytes(data))

    def readinto(self, into: bytearray | memoryview, write: int = 0, /) -> None:
        """Shift bytes in."""
        into[:] = self._port.exchange(bytes((write,)) * len(into))


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


class InPin:
    """A `machine.Pin` that is read; driving it changes nothing."""

    def __init__(self, level: Callable[[], int]) -> None:
        self._level = level

    @overload
    def __call__(self) -> int: ...
    @overload
    def __call__(self, value: Any, /) -> None: ...
    def __call__(self, *values: Any) -> Any:
        """The level."""
        return None if values else self._level()


@dataclass(frozen=True)
class Detection:
    """Detect + 48 bytes on one transport."""

    transport: str
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
    """A chip, a field, a transport and the driver, with everything that happened in `events`."""

    def __init__(
        self,
        transport: str = "hsu",
        *,
        faults: FaultPlan | None = None,
        hand_off: HandOff | None = None,
        habits: I2cHabits = CALM,
        irq: bool = False,
        reset_wired: bool = True,
        reads_long_uids: bool = True,
        start_ms: int = 0,
    ) -> None:
        """`transport`: hsu, i2c (400 kHz) or spi (5 MHz)."""
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
        self._habits = habits
        self._irq = InPin(lambda: self.twin.irq) if irq else None
        self._wire: TwinUart | I2cPort | SpiPort
        makers: dict[str, Callable[[], Transport]] = {
            "hsu": self._hsu,
            "i2c": self._i2c,
            "spi": self._spi,
        }
        self.transport = makers[transport]()
        reset = OutPin(self.twin.set_reset) if reset_wired else None
        self.chip = Pn532(self.transport, self.time, reset)
        self.reader = Reader(self.chip, self.time)
        self.events: list[ReaderEvent] = []

    def bytes_on_wire(self) -> int:
        """Bytes moved over the bus so far, both ways."""
        return self._wire.bytes_on_wire

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

    def _hsu(self) -> Hsu:
        uart = TwinUart(HsuPort(self.twin))
        self._wire = uart
        return Hsu(uart, self.time)

    def _i2c(self) -> I2c:
        port = I2cPort(self.twin, habits=self._habits)
        self._wire = port
        return I2c(TwinI2c(port), self.time, self._irq)

    def _spi(self) -> Spi:
        port = SpiPort(self.twin, 5_000_000)
        self._wire = port
        return Spi(TwinSpi(port), OutPin(port.select), self.time, self._irq)
