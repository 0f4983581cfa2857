"""A deck of 32 cards written, verified and sealed on the twin: modelled time, step by step."""

import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from bench.figure import Figure
from hardware.twin.tags import NtagTwin
from host_tools.cards.decks import load_deck
from host_tools.cards.keys import LeagueKey
from host_tools.cards.tag_items import Item, deck_items
from host_tools.provision.batch import Batch, WriteOptions
from host_tools.provision.driver_port import DriverPort
from host_tools.provision.ledger import LedgerEntry, TagLedger
from tests.support.reader_bench import ReaderBench

_DECK = "gastro"
_KEY = LeagueKey("bench", bytes(range(32)))
_STEPS = {
    "find": "  finding the tag",
    "version": "  which chip (GET_VERSION)",
    "signature": "  NXP's signature (READ_SIG)",
    "read": "  reading: what was there, and read back",
    "write_page": "  writing pages",
}
_Result = TypeVar("_Result")


class TimedPort(DriverPort):
    """Adds up the virtual time of every kind of call."""

    def __init__(self, bench: ReaderBench) -> None:
        self.spent_us: Counter[str] = Counter()
        self._bench = bench
        super().__init__(bench.chip)

    def find(self) -> bytes | None:
        return self._timed("find", super().find)

    def read(self, first_page: int, count: int) -> bytes:
        inherited = super().read
        return self._timed("read", lambda: inherited(first_page, count))

    def write_page(self, page: int, data: bytes) -> None:
        inherited = super().write_page
        self._timed("write_page", lambda: inherited(page, data))

    def version(self) -> bytes | None:
        return self._timed("version", super().version)

    def signature(self) -> bytes | None:
        return self._timed("signature", super().signature)

    def _timed(self, step: str, action: Callable[[], _Result]) -> _Result:
        began_us = self._bench.clock.now_us
        result = action()
        self.spent_us[step] += self._bench.clock.now_us - began_us
        return result


class QuickHand:
    """Lays a fresh tag at every prompt and takes it away once it is written: `News` of a batch."""

    def __init__(self, bench: ReaderBench, port: TimedPort) -> None:
        self.cards_us: list[int] = []
        self.steps: Counter[str] = Counter()
        self._bench = bench
        self._port = port
        self._began_us = 0

    def prompt(self, number: int, count: int, item: Item) -> None:
        self._bench.field.place(NtagTwin.ntag213(b"\x04" + number.to_bytes(6, "big")))
        self._began_us = self._bench.clock.now_us
        self._port.spent_us.clear()

    def written(self, item: Item, entry: LedgerEntry) -> None:
        self.cards_us.append(self._bench.clock.now_us - self._began_us)
        self.steps.update(self._port.spent_us)
        self._bench.field.clear()

    def same_tag(self, entry: LedgerEntry) -> None:
        raise RuntimeError(f"{entry.code}: a fresh tag cannot be known")

    def ask_overwrite(self, item: Item, holds: str) -> bool:
        raise RuntimeError(f"{item.code}: a fresh tag cannot hold {holds}")

    def failed(self, item: Item, reason: str) -> None:
        raise RuntimeError(f"{item.code}: {reason}")

    def replaced(self, item: Item, old: LedgerEntry) -> None:
        """Nothing to do."""

    def two_tags(self) -> None:
        raise RuntimeError("one tag at a time is laid down")


def measure() -> Sequence[Figure]:
    """Rows for the table: one card from laying it down to the signal, split by step."""
    bench = ReaderBench()
    port = TimedPort(bench)
    hand = QuickHand(bench, port)
    cards = deck_items(load_deck(_DECK), with_deck_card=False)
    with tempfile.TemporaryDirectory() as folder:
        ledger = TagLedger(Path(folder) / "ledger.jsonl")
        count = Batch(port, cards, ledger, hand, WriteOptions(_KEY)).run()
    figures = [
        Figure(
            f"{count} cards written and verified, the hand's time not counted",
            sum(hand.cards_us) / 1000,
            "ms",
        ),
        Figure(
            "one card, from laying it down to the signal", sum(hand.cards_us) / 1000 / count, "ms"
        ),
    ]
    for step, text in _STEPS.items():
        figures.append(Figure(text, hand.steps[step] / 1000 / count, "ms"))
    return figures
