"""The parts of the virtual table that need no browser: cards, the plan of the café."""

import asyncio
import itertools
import json
import math
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import ndef
import pytest

from firmware.games import open_match
from firmware.rules.answers import write_answer
from host_tools import games
from host_tools.cards.decks import load_deck
from host_tools.games import table_view
from host_tools.games.box_words import box_words
from host_tools.games.cafe.boards import load_board
from host_tools.games.cafe.room_plan import plan_of
from host_tools.games.table_view import TableView
from host_tools.games.trumpf.table_view import TrumpfTableView
from host_tools.sim.table.feed import Listener
from host_tools.sim.table.tags import TagTray, jury_card
from host_tools.web.table import server

CHAIRS_APART = 36  # two circles of radius 17 and a gap
CHAIR_TO_TABLE = 45


@pytest.mark.parametrize(("board", "preset"), [("cafe", "board"), ("cafe_app", "app")])
def test_no_two_chairs_stand_on_each_other(board: str, preset: str) -> None:
    plan = plan_of(load_board(board), preset)
    for one, other in itertools.combinations(plan["chairs"].values(), 2):
        assert math.dist(one, other) > CHAIRS_APART
    for chair, table in itertools.product(plan["chairs"].values(), plan["tables"].values()):
        assert math.dist(chair, table) > CHAIR_TO_TABLE
    tables = load_board(board)["tables"]
    assert plan["links"] == {
        chair: [name for name in tables if chair in tables[name]["chairs"]]
        for chair in plan["chairs"]
    }


def swiss(seed: int = 1) -> TrumpfTableView:
    header: dict[str, Any] = {"schiri": 1, "game": "trumpf", "preset": "swiss", "seats": 2}
    header["deck"] = load_deck("berge")
    world = table_view(header, open_match(header), box_words("en").get, seed)
    assert isinstance(world, TrumpfTableView)
    return world


def test_a_penalty_moves_ten_cards_from_the_back() -> None:
    world = swiss()
    before = [list(hand) for hand in world.hands]
    world.play({"t": 0, "do": "begin", "seat": 0})
    world.play({"t": 10, "do": "penalty", "seat": 0})
    assert world.hands[0] == before[0][:7]  # 17 - 10
    assert world.hands[1] == before[1] + before[0][7:]


def test_a_kept_card_is_one_that_the_box_refuses() -> None:
    world = swiss()
    world.play({"t": 0, "do": "begin", "seat": 0})
    t = 0
    while not any(world.won_from(seat) for seat in (0, 1)):
        t += 10
        seat = world.match.awaits().seat
        if world.match.awaits().what == "tap":
            world.play({"t": t, "do": "tap", "card": world.hands[seat][0]})
        else:
            world.play({"t": t, "do": "call", "category": 0})
    loser = 0 if world.won_from(1) else 1
    card = world.lost_cards(loser)[0]
    world.keep_lost(loser, card)
    assert world.hands[loser][0] == card
    answer = world.match.apply({"t": t + 10, "do": "tap", "card": card, "seat": loser})
    reason = json.loads(write_answer(answer)).get("refused", {}).get("reason")
    assert reason in ("not_yours", "wrong_seat")


def dealt(game: str, seats: int, **more: Any) -> TableView:
    header = {"schiri": 1, "game": game, "seats": seats, **more}
    world = table_view(header, open_match(header), box_words("en").get, 3)
    world.play({"t": 0, "do": "begin", "seat": 0})
    return world


@pytest.mark.parametrize("preset", ["gastro", "kneipe", "swiss"])
def test_the_holder_of_the_lowest_code_in_play_begins(preset: str) -> None:
    """TR-2: of A1, or of the lowest card if A1 was put aside; a joker is none."""
    begin: list[set[int]] = [set(), set()]
    header = {"schiri": 1, "game": "trumpf", "preset": preset, "seats": 2}
    header |= {"deck": load_deck("kneipe")}
    for seed in range(20):
        world = table_view(header, open_match(header), box_words("en").get, seed)
        world.hands = [["J1", "C1"], ["D4", "A1"]]
        begin[0].add(world.starter())
        world.hands = [["B1", "A3"], ["A4", "J2"]]
        begin[1].add(world.starter())
    assert begin == ([{0, 1}, {0, 1}] if preset == "swiss" else [{1}, {0}])


def test_who_begins_when_a1_was_put_aside() -> None:
    """32 cards for three: two are put aside, one of them A1 in some of these deals."""
    header = {"schiri": 1, "game": "trumpf", "preset": "gastro", "seats": 3}
    header |= {"deck": load_deck("gastro")}
    without = 0
    for seed in range(60):
        world = table_view(header, open_match(header), box_words("en").get, seed)
        in_play = sorted(code for hand in world.hands for code in hand)
        without += in_play[0] != "A1"
        world.play({"t": 0, **world.act().fields, "do": "begin"})
        assert in_play[0] in world.hands[world.match.awaits().seat]
    assert without > 0


def test_a_card_from_another_hand_is_traded_for_one_of_ours() -> None:
    world = dealt("hattrick", 3)
    seat = world.match.awaits().seat
    theirs = world.hands[(seat + 1) % 3][0]
    assert "events" in world.play({"t": 1, "do": "tap", "card": theirs})  # no tag says whose it is
    assert [len(world.hands[s]) for s in range(3)] == [19 if s == seat else 20 for s in range(3)]
    assert theirs not in world.hands[(seat + 1) % 3]


def test_a_card_that_was_put_aside_comes_for_another_one() -> None:
    world = dealt("trumpf", 3, preset="gastro", deck=load_deck("gastro"))
    everywhere = [code for hand in world.hands for code in hand]
    codes = [card["code"] for card in world.header["deck"]["cards"]]
    aside = next(code for code in codes if code not in everywhere)  # TR-1: 32 = 3 x 10 + 2
    assert "events" in world.play({"t": 1, "do": "tap", "card": aside})
    assert [len(hand) for hand in world.hands] == [9, 10, 10]


def test_a_guest_entered_by_hand_may_still_be_in_the_bag() -> None:
    world = dealt("cafe", 2, preset="board", board=load_board("cafe"))
    held = [tile for hand in world.hands for tile in hand]
    tile = next(code for code in ("DEf1", "DEf2", "DEf3", "DEf4") if code not in held)
    chair = world.match.legal_chairs(tile)[0]
    assert "events" in world.play({"t": 1, "do": "place", "tile": tile, "chair": chair})
    assert [len(hand) for hand in world.hands] == world.match.hand_sizes()


def test_a_quartet_of_cards_from_two_hands_is_traded_together() -> None:
    world = dealt("quartett", 3, deck=load_deck("gastro"))
    cards = ["H1", "H2", "H3", "H4"]  # unseen: the box must believe it (QU-5)
    sizes = [len(hand) for hand in world.hands]
    assert "events" in world.play({"t": 1, "do": "lay", "seat": 1, "cards": cards})
    assert [len(hand) for hand in world.hands] == [sizes[0], sizes[1] - 4, sizes[2]]
    assert not {*cards} & {code for hand in world.hands for code in hand}


def test_what_a_phone_has_written_on_a_tag_is_read_as_a_phone_reads_it() -> None:
    user = TagTray().foreign().memory.user_bytes()
    assert user[0] == 0x03  # NDEF message (Type 2 Tag, TLV blocks)
    (note,) = ndef.message_decoder(user[2 : 2 + user[1]])
    assert note.text == "Shopping list"


def test_a_copy_holds_the_same_bytes_on_another_chip() -> None:
    tray = TagTray()
    tray.fill([jury_card()])
    first, copy = tray["jury"], tray.copied("jury")
    assert first.memory.user_bytes() == copy.memory.user_bytes()
    assert first.memory.uid != copy.memory.uid
    assert tray.code_of(first) == "jury"
    assert tray.code_of(copy) == "?"


@pytest.mark.parametrize("game", ["hattrick", "quartett"])
def test_all_cards_are_dealt_once(game: str) -> None:
    header: dict[str, Any] = {"schiri": 1, "game": game, "seats": 3}
    if game == "quartett":
        header["deck"] = load_deck("kneipe")
    world = table_view(header, open_match(header), box_words("de").get, 5)
    dealt = sorted(code for hand in world.hands for code in hand)
    wanted = [f"{suit}{value}" for suit in "RGB" for value in range(1, 21)]
    if game == "quartett":  # QU-1: jokers are sorted out
        wanted = [c["code"] for c in header["deck"]["cards"] if not c.get("joker")]
    assert dealt == sorted(wanted)


def test_a_slow_page_gets_the_newest_picture() -> None:
    async def talk() -> tuple[str, Any]:
        listener = Listener(0)
        listener.put("oled", {"rows": "old"})
        listener.put("oled", {"rows": "new"})
        await asyncio.sleep(0)
        return await anext(listener.events())

    # in a thread of its own: a browser test before may have left its loop in this one
    with ThreadPoolExecutor() as pool:
        told = pool.submit(lambda: asyncio.run(talk())).result()
    assert told == ("oled", {"rows": "new"})


TABLE = Path(server.__file__).parent
TEMPLATES = sorted((TABLE / "templates").glob("*.html"))
SCRIPTS = sorted([*(TABLE / "static").glob("*.js"), *Path(games.__file__).parent.glob("*/*.js")])
# what is the same in both languages: the name of the project, what is printed at a button
SAME_WORDS = {"Schiri", "JURY"}
KEYBOARD = {"Enter", "Escape"}  # names of keys, as the browser tells them


def visible_words(html: str) -> list[str]:
    """What stands in a template between tags or in an attribute that is read out."""
    ours = r"{%.*?%}|{{.*?}}|{#.*?#}|<!--.*?-->|<(script|style)\b.*?</\1>"
    plain = re.sub(ours, "", html, flags=re.S)
    read = re.findall(r'(?:aria-label|alt|title|placeholder)="([^"]*)"', plain)
    return re.findall(r"[^\W\d_]{3,}", " ".join([*read, re.sub(r"<[^>]*>", " ", plain)]))


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_every_word_of_a_template_is_of_the_text_table(path: Path) -> None:
    assert set(visible_words(path.read_text(encoding="utf8"))) <= SAME_WORDS


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_no_sentence_stands_in_a_script(path: Path) -> None:
    """A capital, words, blanks: no selector and no key of the text table looks like that."""
    code = re.sub(r"^\s*(//|\*|/\*).*$", "", path.read_text(encoding="utf8"), flags=re.M)
    strings = re.findall(r"\"([^\"\n]*)\"|'([^'\n]*)'|`([^`]*)`", code)
    words = [re.sub(r"\$\{[^}]*\}", "", "".join(one)) for one in strings]
    found = [text for text in words if re.match(r"\W*[A-ZÄÖÜ][a-zäöüß]+( |\W*$)", text)]
    assert set(found) <= KEYBOARD
