"""The same screens from the real drivers: a round of Trumpf on the twin, on both interpreters.

What stands below the top bar (the clock runs there) must be what the app draws by itself, dot by
dot.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from card_tags import codec
from card_tags.deck_card import deck_number
from card_tags.kinds import BADGE, CARD, DECK, Badge, Card
from firmware.app.canvas import TOP
from hardware.twin.session import TwinSession
from hardware.twin.tags import NtagTwin
from host_tools.cards.tag_items import deck_items
from host_tools.games.options import card_options
from host_tools.provision.batch import WriteOptions, record_of
from host_tools.provision.chips import CHIPS
from host_tools.store.journal.reading import read_journal

from .picture import HEIGHT, WIDTH, ZOOM, unpacked
from .pictures import drawn, stock
from .sample_decks import DECKS, card_values

ENGINES = ["cpython", pytest.param("micropython", marks=pytest.mark.vm)]
PAGE = 4
LIMIT_MS = 3000
SETTLED_MS = 600  # a message is drawn, the card taken away


def tag(kind: str, content: object, number: int) -> NtagTwin:
    twin = NtagTwin.ntag213(uid=bytes((0x04, 1, 2, 3, 4, 5, number)))
    data = codec.encode(codec.unsealed(kind, content))
    data += bytes(-len(data) % PAGE)
    for at in range(0, len(data), PAGE):
        twin.memory.set_page(4 + at // PAGE, data[at : at + PAGE])
    return twin


class Table:
    """Hands at a twin: each action waits until the screen is still."""

    def __init__(self, box: TwinSession) -> None:
        self.box = box
        self.laid = 0

    def press(self, button: str, ms: int = 120) -> None:
        self.box.press(button, ms)
        self.box.run_for(ms + SETTLED_MS)

    def lay(self, kind: str, content: object) -> None:
        self.laid += 1
        self.lay_down(tag(kind, content, self.laid))

    def lay_down(self, twin: NtagTwin) -> None:
        before = self.box.screen()
        self.box.field.place(twin)
        assert self.box.run_until(lambda: self.box.screen() != before, LIMIT_MS)
        self.box.field.remove(twin)
        self.box.run_for(SETTLED_MS)

    def card(self, code: str) -> None:
        values = tuple(card_values("gipfel", code))
        self.lay(CARD, Card(deck_number("gipfel"), code, False, values))

    def shows(self, name: str) -> bool:
        """True if the screen below the top bar is what the app draws by itself, in German."""
        rows = rows_of(drawn(name, "de"))
        return [self.box.screen().rows[y] for y in range(TOP, HEIGHT)] == rows[TOP:]


def rows_of(png: bytes) -> list[int]:
    """The rows of a picture as the twin's screen has them: bit 127 - x is column x."""
    raw = unpacked(png)
    size = WIDTH * ZOOM // 8 + 1
    found = []
    for y in range(HEIGHT):
        row = int.from_bytes(raw[y * ZOOM * size + 1 : (y * ZOOM + 1) * size], "big")
        dots = f"{row:0{WIDTH * ZOOM}b}"[::ZOOM]
        found.append(int(dots, 2))
    return found


@pytest.mark.parametrize("engine", ENGINES)
def test_house_rules_on_a_provisioned_card_reach_the_match(engine: str, tmp_path: Path) -> None:
    stock(tmp_path)
    twin = NtagTwin.ntag215(uid=bytes((0x04, 9, 2, 3, 4, 5, 6)))
    deck = next(item for item in deck_items(DECKS["gipfel"], True).items if item.kind == DECK)
    rules = card_options("trumpf", "kneipe", {"tie_scope": "tied"})
    data = record_of(replace(deck, options=rules), twin.uid, CHIPS[1], WriteOptions())
    data += bytes(-len(data) % PAGE)
    for at in range(0, len(data), PAGE):
        twin.memory.set_page(4 + at // PAGE, data[at : at + PAGE])
    with TwinSession(engine, tmp_path) as box:
        box.boot()
        assert box.run_until(lambda: not box.screen().dark, LIMIT_MS)
        box.run_for(SETTLED_MS)
        table = Table(box)
        table.lay_down(twin)
        table.press("ok", 900)
        kept = read_journal((tmp_path / "m000001.run").read_bytes()).header
    assert (kept["preset"], kept["deck"], kept["options"]) == (
        "kneipe",
        "gipfel",
        {"tie_scope": "tied"},
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_a_round_of_trumpf_looks_as_in_the_guide(engine: str, tmp_path: Path) -> None:
    stock(tmp_path)
    with TwinSession(engine, tmp_path) as box:
        box.boot()
        assert box.run_until(lambda: not box.screen().dark, LIMIT_MS)
        box.run_for(SETTLED_MS)
        table = Table(box)
        assert table.shows("start_menu")
        for name in ("Ada", "Kurt"):
            table.lay(BADGE, Badge("p-" + name, name, "cup"))
        table.press("ok", 900)
        table.press("ok")
        table.card("A1")
        assert table.shows("trumpf_call")
        table.press("down")
        table.press("ok")
        table.card("A1")
        assert table.shows("refused")
        table.card("B2")
        assert table.shows("trumpf_won")
        box.reboot()
        box.run_for(LIMIT_MS)
        assert table.shows("resumed")
