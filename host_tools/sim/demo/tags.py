"""Act one: a deck is written onto virtual tags, by the code that writes real ones."""

from collections.abc import Callable
from pathlib import Path

from hardware.twin.tags import NtagTwin
from host_tools.cards.keys import LeagueKey
from host_tools.cards.tag_items import Item, Set
from host_tools.provision.batch import Batch, Options
from host_tools.provision.driver_port import DriverPort
from host_tools.provision.ledger import Entry, Ledger
from host_tools.sim.reader_bench import ReaderBench

Tags = dict[str, NtagTwin]
_NXP = 0x04  # first byte of an NXP UID
_LARGE = ("deck", "slip")


class Clerk:
    """Lays a blank tag for every prompt and takes it away when it is written."""

    def __init__(
        self, bench: ReaderBench, tags: Tags, report: Callable[[int, int, str], None]
    ) -> None:
        self._bench = bench
        self._tags = tags
        self._report = report
        self._lying: NtagTwin | None = None

    def prompt(self, number: int, count: int, item: Item) -> None:
        tag = blank(item.code, len(self._tags) + 1)
        self._tags[item.code] = tag
        self._lying = tag
        self._bench.field.place(tag)
        self._report(number, count, f"{item.code} {item.name}".strip())

    def written(self, item: Item, entry: Entry) -> None:
        self._take_away()

    def failed(self, item: Item, reason: str) -> None:
        self._take_away()

    def same_tag(self, entry: Entry) -> None:
        self._take_away()

    def ask_overwrite(self, item: Item, holds: str) -> bool:
        return False

    def two_tags(self) -> None:
        self._bench.field.clear()

    def _take_away(self) -> None:
        if self._lying is not None:
            self._bench.field.remove(self._lying)
        self._lying = None


def blank(code: str, number: int) -> NtagTwin:
    """A tag as it comes from the shop: an NTAG213, for long records an NTAG215."""
    uid = bytes((_NXP, 0x5C, 0x41, 0x52, 0x49, number >> 8, number & 0xFF))
    return NtagTwin.ntag215(uid) if code in _LARGE else NtagTwin.ntag213(uid)


def write_tags(
    items: Set, key: LeagueKey | None, ledger: Path, report: Callable[[int, int, str], None]
) -> Tags:
    """Provision every item of the set; returns item code -> tag."""
    bench = ReaderBench("hsu")
    tags: Tags = {}
    clerk = Clerk(bench, tags, report)
    Batch(DriverPort(bench.chip), items, Ledger(ledger), clerk, Options(key=key)).run()
    return tags
