"""The page of house rules and a table card that brings some, in the heap of a Pico W; then the
largest match opens, a café. (It did not while the board was read twice.)
"""

from pathlib import Path

from card_tags import kinds
from card_tags.kinds import TableTag
from hardware.twin.session import TwinSession
from hardware.twin.tags import NtagTwin
from host_tools.cards.tag_items import Item
from host_tools.games.box_words import box_words
from host_tools.games.options import card_options
from host_tools.provision.batch import WriteOptions, record_of
from host_tools.provision.chips import CHIPS
from host_tools.sim.screen import ScreenReader
from host_tools.sim.table.hands import BoxHands, Waits
from host_tools.store.journal.reading import read_journal

from .conftest import Boxes

BOOTED_MS = 4_000
PAGE = 4
USUAL = {
    "between": "either",
    "drawing": "leaflet",
    "mono_bonus": "any_size",
    "bag_end": 3,
    "bar_joker": "seat",
}
CHOSEN = {**USUAL, "between": "both", "drawing": "shrink", "mono_bonus": "full_only"}


def table_card() -> NtagTwin:
    rules = card_options("cafe", "board", {"bag_end": 4})
    item = Item("T01", "", kinds.TABLE, TableTag("T01", "AF"), options=rules)
    twin = NtagTwin.ntag213(uid=bytes((0x04, 1, 2, 3, 4, 5, 6)))
    data = record_of(item, twin.uid, CHIPS[0], WriteOptions())
    data += bytes(-len(data) % PAGE)
    for at in range(0, len(data), PAGE):
        twin.memory.set_page(4 + at // PAGE, data[at : at + PAGE])
    return twin


def run(box: TwinSession, act: Waits) -> None:
    for wait_ms in act:
        box.run_for(wait_ms)


def test_house_rules_are_chosen_and_a_card_brings_others(chip: Boxes, storage: Path) -> None:
    say = box_words("de").get
    twin = table_card()
    with chip("chip-w") as box:
        box.boot()
        box.run_for(BOOTED_MS)
        screen = ScreenReader(box)
        hands = BoxHands(box, {"T01": twin}, screen, lambda: None)
        hands.hasty = True
        header = {"game": "cafe", "preset": "board", "seats": 4}
        run(box, hands.set_menu(say, {**header, "options": CHOSEN}))
        run(box, hands.see())
        assert "Hausregeln\t3 geändert" in screen.last.rows
        run(box, hands.tap(twin))
        run(box, hands.see())
        assert "Hausregeln\t1 geändert" in screen.last.rows  # its own, and no other
        run(box, hands.start_match())
        box.run_for(BOOTED_MS)
        assert box.resets == []
    kept = read_journal((storage / "m000001.run").read_bytes()).header
    assert kept is not None
    assert kept["options"] == {**USUAL, "bag_end": 4}
