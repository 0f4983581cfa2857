"""Act one: a deck is written onto virtual tags, by the code that writes real ones."""

from collections.abc import Callable
from pathlib import Path

from firmware.drivers.pn532.chip import Pn532
from firmware.drivers.pn532.hsu import Hsu
from hardware.twin.clock import VirtualClock
from hardware.twin.field import RfField
from hardware.twin.pn532.chip import Pn532Chip
from hardware.twin.pn532.hsu import HsuPort
from hardware.twin.tags import NtagTwin
from host_tools.cards.keys import LeagueKey
from host_tools.cards.tag_items import Item, Set
from host_tools.provision.batch import Batch, WriteOptions
from host_tools.provision.driver_port import DriverPort
from host_tools.provision.ledger import LedgerEntry, TagLedger

TwinTags = dict[str, NtagTwin]
_NXP = 0x04  # first byte of an NXP UID
_LARGE = ("deck", "slip")  # may need more than the 144 bytes of an NTAG213
TICKS = 1 << 30  # period of MicroPython's ticks
CALL_US = 5  # a look at the clock, on a Pico
Bytes = bytes | bytearray | memoryview


class Clerk:
    """Lays a blank tag for every prompt and takes it away when it is written."""

    def __init__(
        self, field: RfField, tags: TwinTags, report: Callable[[int, int, str], None]
    ) -> None:
        self._field = field
        self._tags = tags
        self._report = report
        self._lying: NtagTwin | None = None

    def prompt(self, number: int, count: int, item: Item) -> None:
        tag = blank(item.code, len(self._tags) + 1)
        self._tags[item.code] = tag
        self._lying = tag
        self._field.place(tag)
        self._report(number, count, f"{item.code} {item.name}".strip())

    def written(self, *_: object) -> None:
        if self._lying is not None:
            self._field.remove(self._lying)
        self._lying = None

    # whatever came of it, the tag is taken away
    failed = same_tag = written

    # every tag of the demo is a fresh one
    def ask_overwrite(self, item: Item, holds: str) -> bool:
        return False

    def replaced(self, item: Item, old: LedgerEntry) -> None:
        """Nothing to do."""

    def two_tags(self) -> None:
        self._field.clear()


def blank(code: str, number: int) -> NtagTwin:
    """A tag as it comes from the shop: an NTAG213, for long records an NTAG215."""
    uid = bytes((_NXP, 0x5C, 0x41, 0x52, 0x49, number >> 8, number & 0xFF))
    return NtagTwin.ntag215(uid) if code in _LARGE else NtagTwin.ntag213(uid)


def write_tags(
    items: Set, key: LeagueKey | None, ledger: Path, report: Callable[[int, int, str], None]
) -> TwinTags:
    """Provision every item of the set; returns item code -> tag."""
    clock = VirtualClock()
    field = RfField(clock)
    time = TwinClock(clock)
    chip = Pn532(Hsu(TwinUart(HsuPort(Pn532Chip(clock, field))), time), time)
    tags: TwinTags = {}
    clerk = Clerk(field, tags, report)
    Batch(DriverPort(chip), items, TagLedger(ledger), clerk, WriteOptions(key=key)).run()
    return tags


class TwinClock:
    """MicroPython's `time` on virtual time; `start_ms` puts the ticks near their wrap."""

    def __init__(self, clock: VirtualClock, start_ms: int = 0) -> None:
        self._clock = clock
        self._start_us = 1000 * start_ms

    def ticks_ms(self) -> int:
        """Milliseconds, wrapping at 2^30."""
        return self._now_us() // 1000 % TICKS

    def ticks_us(self) -> int:
        """Microseconds, wrapping at 2^30."""
        return self._now_us() % TICKS

    def ticks_diff(self, end: int, start: int, /) -> int:
        """Signed difference of two ticks."""
        return (end - start + TICKS // 2) % TICKS - TICKS // 2

    def ticks_add(self, ticks: int, delta: int, /) -> int:
        """A tick later or earlier."""
        return (ticks + delta) % TICKS

    def sleep_ms(self, ms: int, /) -> None:
        """Let virtual time pass."""
        self._clock.advance(1000 * ms)

    def sleep_us(self, us: int, /) -> None:
        """Let virtual time pass."""
        self._clock.advance(us)

    def _now_us(self) -> int:
        # a look takes time, or a loop that only looks at the clock would never end
        self._clock.advance(CALL_US)
        return self._clock.now_us + self._start_us


class TwinUart:
    """`machine.UART` with timeout 0."""

    def __init__(self, port: HsuPort) -> None:
        self._port = port
        self.bytes_on_wire = 0

    def init(self, *, baudrate: int) -> None:
        """Change the rate."""
        self._port.baud = baudrate

    def any(self) -> int:
        """Bytes that wait."""
        return self._port.any()

    def readinto(self, buffer: bytearray | memoryview, count: int, /) -> int | None:
        """Fetch up to `count` bytes."""
        data = self._port.read(count)
        buffer[: len(data)] = data
        self.bytes_on_wire += len(data)
        # None and not 0 where nothing came, as `machine.UART`
        return len(data) or None

    def write(self, data: Bytes, /) -> int:
        """Queue bytes."""
        self.bytes_on_wire += len(data)
        return self._port.write(bytes(data))

    def flush(self) -> None:
        """Wait until all has left."""
        clock = self._port.chip.clock
        clock.advance(max(0, self._port.idle_at_us - clock.now_us))
