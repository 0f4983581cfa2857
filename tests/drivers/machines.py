"""MicroPython's machine objects over the twin's ports: as thin as it goes, for driver tests."""

from hardware.twin.clock import VirtualClock
from hardware.twin.pn532.chip import Pn532Chip
from hardware.twin.pn532.ports import HsuPort, I2cPort, SpiPort

TICKS = 1 << 30


class TwinClock:
    """MicroPython's `time` on virtual time. Every look at it costs `call_us`."""

    def __init__(self, clock: VirtualClock, start_ms: int = 0, call_us: int = 5) -> None:
        self.virtual = clock
        self._start_us = 1000 * start_ms
        self._call_us = call_us

    def ticks_ms(self) -> int:
        return self._now_us() // 1000 % TICKS

    def ticks_us(self) -> int:
        return self._now_us() % TICKS

    def ticks_diff(self, end: int, start: int) -> int:
        return (end - start + TICKS // 2) % TICKS - TICKS // 2

    def ticks_add(self, ticks: int, delta: int) -> int:
        return (ticks + delta) % TICKS

    def sleep_ms(self, ms: int) -> None:
        self.virtual.advance(1000 * ms)

    def sleep_us(self, us: int) -> None:
        self.virtual.advance(us)

    def _now_us(self) -> int:
        self.virtual.advance(self._call_us)
        return self.virtual.now_us + self._start_us


class TwinUart:
    """`machine.UART` with timeout 0."""

    def __init__(self, port: HsuPort) -> None:
        self._port = port
        self.bauds: list[int] = []

    def init(self, *, baudrate: int) -> None:
        self.bauds.append(baudrate)
        self._port.baud = baudrate

    def any(self) -> int:
        return self._port.any()

    def readinto(self, buffer: bytearray | memoryview, count: int) -> int | None:
        data = self._port.read(count)
        buffer[: len(data)] = data
        return len(data) or None

    def write(self, data: bytes | bytearray | memoryview) -> int:
        return self._port.write(bytes(data))

    def flush(self) -> None:
        clock = self._port.chip.clock
        clock.advance(max(0, self._port.idle_at_us - clock.now_us))


class TwinI2c:
    """`machine.I2C` with one PN532 on it."""

    def __init__(self, port: I2cPort) -> None:
        self._port = port

    def writeto(self, address: int, data: bytes | bytearray | memoryview) -> int:
        assert address == 0x24
        self._port.writeto(bytes(data))
        return len(data)

    def readfrom_into(self, address: int, into: bytearray | memoryview) -> None:
        assert address == 0x24
        into[:] = self._port.readfrom(len(into))


class TwinSpi:
    """`machine.SPI`."""

    def __init__(self, port: SpiPort) -> None:
        self._port = port

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self._port.exchange(bytes(data))

    def readinto(self, into: bytearray | memoryview, write: int = 0) -> None:
        into[:] = self._port.exchange(bytes((write,)) * len(into))


class OutPin:
    """A `machine.Pin` that drives something."""

    def __init__(self, drive) -> None:
        self._drive = drive
        self.level = 1

    def __call__(self, value: int | None = None) -> int:
        if value is not None:
            self.level = value
            self._drive(value)
        return self.level
