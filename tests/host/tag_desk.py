"""A desk for provisioning tests: the twin's reader, and a hand that lays tags on it."""

from hardware.twin.tags import NtagTwin
from host_tools.cards.tag_items import Item
from host_tools.provision.driver_port import DriverPort
from host_tools.provision.ledger import LedgerEntry
from tests.support.reader_bench import ReaderBench


class Stopped(Exception):
    """The person went home in the middle of a batch."""


class Hand:
    """`News` of a batch, played by somebody with a pile of tags.

    Lays the next tag at every prompt and takes it away when told. `said` is what was told.
    """

    def __init__(self, bench: ReaderBench, tags: list[NtagTwin], overwrite: bool = True) -> None:
        self.said: list[tuple[str, str]] = []
        self.overwrite = overwrite
        self._bench = bench
        self._tags = iter(tags)

    def prompt(self, number: int, count: int, item: Item) -> None:
        self.said.append(("prompt", f"[{number}/{count}] {item.code} {item.name}"))
        tag = next(self._tags, None)
        if tag is None:
            raise Stopped
        self._bench.field.place(tag)

    def same_tag(self, entry: LedgerEntry) -> None:
        self._take_away("same_tag", entry.code)

    def ask_overwrite(self, item: Item, holds: str) -> bool:
        self.said.append(("ask", holds))
        if not self.overwrite:
            self._bench.field.clear()
        return self.overwrite

    def written(self, item: Item, entry: LedgerEntry) -> None:
        self._take_away("written", item.code)

    def replaced(self, item: Item, old: LedgerEntry) -> None:
        self.said.append(("replaced", f"{item.code} {old.uid}"))

    def failed(self, item: Item, reason: str) -> None:
        self._take_away("failed", reason)

    def two_tags(self) -> None:
        self.said.append(("two_tags", ""))
        self._bench.field.remove(self._bench.field.tags[-1])

    def told(self, what: str) -> list[str]:
        """All that was told of one sort."""
        return [text for sort, text in self.said if sort == what]

    def _take_away(self, what: str, text: str) -> None:
        self.said.append((what, text))
        self._bench.field.clear()


def uid(number: int) -> bytes:
    """A UID of NXP's range."""
    return b"\x04" + number.to_bytes(6, "big")


def fresh_213(count: int, first: int = 1) -> list[NtagTwin]:
    """Factory-fresh NTAG213."""
    return [NtagTwin.ntag213(uid(number)) for number in range(first, first + count)]


def open_desk() -> tuple[ReaderBench, DriverPort]:
    """A reader on the twin, driven by the box's own driver."""
    bench = ReaderBench()
    return bench, DriverPort(bench.chip)
