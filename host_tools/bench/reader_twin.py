"""Adafruit's driver on the same twin, for comparison: detect + 48 bytes on the three transports.

Their code runs unmodified; only the module `time` it looks at and the bus objects it is given are
the twin's. Conditions as for our own driver (`driver.detect`): field on, tag at rest, the chip's
own time left out, the same bus rates (their SPI default, 100 kHz, would be slower still).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Protocol

# Adafruit's packages ship no types that mypy may use
import adafruit_bus_device.i2c_device  # type: ignore[import-untyped]
import adafruit_bus_device.spi_device  # type: ignore[import-untyped]
import adafruit_pn532.adafruit_pn532  # type: ignore[import-untyped]
import adafruit_pn532.i2c  # type: ignore[import-untyped]
import adafruit_pn532.spi  # type: ignore[import-untyped]
import adafruit_pn532.uart  # type: ignore[import-untyped]

from hardware.twin.clock import VirtualClock
from hardware.twin.field import RfField
from hardware.twin.pn532.chip import NO_HAND_OFF, HandOff, Pn532Chip
from hardware.twin.pn532.ports import HsuPort, I2cPort, SpiPort
from hardware.twin.tags import NtagTwin
from host_tools.bench.driver import NAMES, Detection, Figure, detect

TIMES_FASTER = 8
ADAFRUIT_NAMES = {**NAMES, "hsu": "HSU 115200"}  # their driver cannot raise the rate
_SPI_HERTZ = 5_000_000
_SERIAL_TIMEOUT_S = 0.1  # as in their examples; without one their driver hangs
_UID = bytes.fromhex("04A1B2C3D4E5F6")
_FIRST_PAGE, _PAGES = 4, 12
_TIMED_MODULES: tuple[ModuleType, ...] = (
    adafruit_pn532.adafruit_pn532,
    adafruit_pn532.uart,
    adafruit_pn532.i2c,
    adafruit_pn532.spi,
    adafruit_bus_device.i2c_device,
    adafruit_bus_device.spi_device,
)


class Pn532Driver(Protocol):
    """What is used of their driver."""

    def read_passive_target(self, *, timeout: float) -> bytes | None:
        """The UID of a card."""

    def ntag2xx_read_block(self, block: int) -> bytes | None:
        """The 4 bytes of a page (of the 16 that the tag sends)."""


class VirtualTime:
    """What their code uses of the module `time`."""

    def __init__(self, clock: VirtualClock) -> None:
        self._clock = clock

    def monotonic(self) -> float:
        """Seconds."""
        return self._clock.now_us / 1_000_000

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self._clock.advance(round(seconds * 1_000_000))


class SerialOnTwin:
    """What their code uses of pyserial's `Serial`."""

    def __init__(self, port: HsuPort) -> None:
        self._port = port

    @property
    def in_waiting(self) -> int:
        """Bytes to read."""
        return self._port.any()

    def reset_input_buffer(self) -> None:
        """Throw away what is there."""
        self._port.read(self._port.any())

    def write(self, data: bytes) -> int:
        """Send; like pyserial it returns before the bytes have left."""
        return self._port.write(data)

    def read(self, count: int) -> bytes:
        """Wait for `count` bytes, at most for the time-out."""
        clock = self._port.chip.clock
        end_us = clock.now_us + round(_SERIAL_TIMEOUT_S * 1_000_000)
        heard = self._port.read(count)
        while len(heard) < count and clock.now_us < end_us:
            due = self._port.next_arrival_us() or clock.next_due_us()
            clock.advance_to(min(end_us, due or end_us))
            heard += self._port.read(count - len(heard))
        return heard


class BusOnTwin:
    """What their bus objects have in common: a lock that nobody else wants."""

    def try_lock(self) -> bool:
        """Always free."""
        return True

    def unlock(self) -> None:
        """Nothing to do."""


class I2cOnTwin(BusOnTwin):
    """What their code uses of `busio.I2C`."""

    def __init__(self, port: I2cPort) -> None:
        self._port = port

    def writeto(
        self, address: int, data: bytes, *, start: int = 0, end: int | None = None
    ) -> None:
        """One write transaction."""
        self._port.writeto(data[start:end])

    def readfrom_into(
        self, address: int, into: bytearray, *, start: int = 0, end: int | None = None
    ) -> None:
        """One read transaction."""
        count = len(into[start:end])
        into[start:end] = self._port.readfrom(count)


class SpiOnTwin(BusOnTwin):
    """What their code uses of `busio.SPI`."""

    def __init__(self, port: SpiPort) -> None:
        self._port = port

    def configure(self, **settings: int) -> None:
        """Rate and mode stay as they are."""

    def write(self, data: bytes) -> None:
        """Shift out."""
        self._port.exchange(data)

    def write_readinto(self, data: bytes, into: bytearray) -> None:
        """Shift out and in."""
        into[:] = self._port.exchange(bytes(data))


class SelectPin:
    """What their code uses of `digitalio.DigitalInOut`."""

    def __init__(self, port: SpiPort) -> None:
        self._port = port
        self._level = True

    def switch_to_output(self, value: bool = False) -> None:
        """Drive the pin."""
        self.value = value

    @property
    def value(self) -> bool:
        """The level."""
        return self._level

    @value.setter
    def value(self, level: bool) -> None:
        self._level = level
        self._port.select(int(level))


Wires = tuple[Pn532Driver, Callable[[], int]]  # their driver, and the bytes on the wire so far


def _on_hsu(chip: Pn532Chip) -> Wires:
    port = HsuPort(chip)
    driver = adafruit_pn532.uart.PN532_UART(SerialOnTwin(port))
    return driver, lambda: port.bytes_in + chip.bytes_out


def _on_i2c(chip: Pn532Chip) -> Wires:
    port = I2cPort(chip)
    driver = adafruit_pn532.i2c.PN532_I2C(I2cOnTwin(port))
    return driver, lambda: port.bytes_on_wire


def _on_spi(chip: Pn532Chip) -> Wires:
    port = SpiPort(chip, hertz=_SPI_HERTZ)
    driver = adafruit_pn532.spi.PN532_SPI(SpiOnTwin(port), SelectPin(port))
    return driver, lambda: port.bytes_on_wire


_WIRINGS: dict[str, Callable[[Pn532Chip], Wires]] = {
    "hsu": _on_hsu,
    "i2c": _on_i2c,
    "spi": _on_spi,
}


@contextmanager
def virtual_time(clock: VirtualClock) -> Iterator[None]:
    """Within this block their modules live on the twin's clock."""
    before = [(module, vars(module)["time"]) for module in _TIMED_MODULES]
    try:
        for module in _TIMED_MODULES:
            vars(module)["time"] = VirtualTime(clock)
        yield
    finally:
        for module, real_time in before:
            vars(module)["time"] = real_time


def detect_with_adafruit(transport: str, hand_off: HandOff = NO_HAND_OFF) -> Detection:
    """Find a card and read its pages 4 to 15 with Adafruit's driver."""
    clock = VirtualClock()
    field = RfField(clock)
    chip = Pn532Chip(clock, field, hand_off=hand_off)
    tag = NtagTwin.ntag213(_UID)
    with virtual_time(clock):
        driver, bytes_on_wire = _WIRINGS[transport](chip)
        field.switch(True)
        field.place(tag)
        clock.advance(20_000)
        began_us, wire, commands = clock.now_us, bytes_on_wire(), chip.command_count
        uid = driver.read_passive_target(timeout=1)
        pages = [driver.ntag2xx_read_block(_FIRST_PAGE + page) for page in range(_PAGES)]
    if uid is None or bytes(uid) != _UID or b"".join(filter(None, pages)) != tag.user[:48]:
        raise RuntimeError(f"Adafruit's driver misread the twin on {transport}")
    return Detection(
        transport,
        (clock.now_us - began_us) / 1000,
        bytes_on_wire() - wire,
        chip.command_count - commands,
    )


def measure() -> list[Figure]:
    """Adafruit's driver on each transport, and how much faster ours is in the same run."""
    figures = []
    for transport, name in ADAFRUIT_NAMES.items():
        theirs, ours = detect_with_adafruit(transport), detect(transport)
        faster = theirs.ms / ours.ms
        goal = f"≥ {TIMES_FASTER} ×"
        figures += [
            Figure(f"the same with Adafruit's driver, {name}", theirs.ms, "ms"),
            Figure(f"  commands, {name}", theirs.commands, ""),
            Figure(f"  bytes on the wire, {name}", theirs.bytes_on_wire, "B"),
            Figure("  ours is faster by", faster, "×", goal, faster >= TIMES_FASTER),
        ]
    return figures
