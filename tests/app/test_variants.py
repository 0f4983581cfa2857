"""The deck decides the variant (TR-5): what a card of it starts, and with how many presses; and no
way through the start menu ends at a sentence about a file.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from card_tags import codec
from card_tags.deck_card import deck_number
from card_tags.kinds import BADGE, DECK, GUEST, OPTIONS, TABLE, Badge, Guest, TableTag
from firmware import games
from firmware.games.cafe.board import NATIONS
from firmware.games.cafe.guests import GUESTS, guest_code
from firmware.rules.game import FIELD
from host_tools.cards.decks import deck_ids, load_deck_file
from host_tools.cards.links import with_options
from host_tools.cards.tag_items import deck_items
from host_tools.games.options import deck_options
from host_tools.sim.table.box_setup import set_up

from .fakes import Box, words_in

LANGUAGES = ("de", "en")
# TR-5: as their files in card_tags/decks say, and the seeds
STARTS: dict[str, dict[str, Any]] = {
    "gastro": {"preset": "gastro", "options": {"tie_scope": "all"}},
    "kneipe": {"preset": "kneipe", "options": {"tie_scope": "all"}},
    "berge": {"preset": "swiss", "stage": "group"},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A box as an organiser sets it up, with the project's decks and boards."""
    set_up(tmp_path, "de", "")
    return tmp_path


def own_deck(folder: Path, deck: Any) -> None:
    text = deck if isinstance(deck, str) else json.dumps(deck)
    (folder / "decks" / "own.json").write_text(text, "utf8")


def lay_deck_card(box: Box, deck: str, **rules: str) -> None:
    """As `schiri provision deck` writes it."""
    file = load_deck_file(deck)
    assert file.deck is not None
    card = next(item for item in deck_items(file.deck, True).items if item.kind == DECK)
    behind = deck_options(file, rules)
    first = codec.encode(codec.unsealed(DECK, card.content))
    box.lay(with_options(first, codec.encode(codec.unsealed(OPTIONS, behind))))


def lay_card(box: Box, deck: str, code: str) -> None:
    cards = (load_deck_file(deck).deck or {})["cards"]
    values = next(card for card in cards if card["code"] == code).get("values", [])
    box.lay_card(deck_number(deck), code, values)


def recorded(box: Box) -> dict[str, Any]:
    """The header of the match that runs, as the journal has it, but for what names the match."""
    assert box.app.session is not None, box.words()
    record = next(iter(box.journal.lines(box.journal.number))).record
    assert record is not None
    found: dict[str, Any] = json.loads(record.payload.split("\t")[0])
    return {name: found[name] for name in found if name not in ("born", "box", "match")}


def match_of(box: Box) -> Any:
    assert box.app.session is not None, box.words()
    return box.app.session.match


def header_of(deck: str) -> dict[str, Any]:
    return {"schiri": 1, "game": "trumpf", "seats": 2, "deck": deck, **STARTS[deck]}


@pytest.mark.parametrize("deck", STARTS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_any_card_of_a_deck_starts_its_variant(folder: Path, deck: str, language: str) -> None:
    box = Box(folder, language)
    menu: Any = box.app.page()
    for card in (load_deck_file(deck).deck or {})["cards"]:
        box.set_choice(game="cafe", preset="app")
        lay_card(box, deck, card["code"])
        assert menu.header() == header_of(deck), card["code"]
    box.press("OK+")
    assert recorded(box) == header_of(deck)


@pytest.mark.parametrize("known", [True, False], ids=["a deck of the box", "a new deck"])
@pytest.mark.parametrize("deck", STARTS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_its_deck_card_does_so_without_a_house_rule(
    folder: Path, deck: str, language: str, known: bool
) -> None:
    if not known:
        (folder / "decks" / f"{deck}.json").unlink()
    box = Box(folder, language)
    box.set_choice(game="hattrick")
    lay_deck_card(box, deck)
    box.press("OK+")
    found = recorded(box)
    if not known:
        assert found["deck"]["id"] == deck
        found["deck"] = deck
    assert found == header_of(deck)


def test_house_rules_of_a_deck_file_come_with_any_card(folder: Path) -> None:
    deck = load_deck_file("gastro").for_box("de") or {}
    rules = {"tie_scope": "tied", "turn": "30", "clock": "20"}
    own_deck(folder, {**deck, "id": "own", "house_rules": rules})
    box = Box(folder, "en")
    box.lay_card(deck_number("own"), "A1", deck["cards"][0]["values"])
    box.press("OK+")
    assert recorded(box) == {
        "schiri": 1,
        "game": "trumpf",
        "preset": "gastro",
        "seats": 2,
        "deck": "own",
        "options": {"tie_scope": "tied"},
        "turn_ms": 30_000,
        "clock_ms": 1_200_000,
    }


def test_a_house_rule_of_a_deck_file_that_this_box_does_not_know_is_said(folder: Path) -> None:
    deck = load_deck_file("gastro").for_box("de") or {}
    own_deck(folder, {**deck, "id": "own", "house_rules": {"fog": "on"}})
    box = Box(folder, "en")
    box.lay_card(deck_number("own"), "A1", deck["cards"][0]["values"])
    assert "Unknown house rule: fog=on." in box.words().replace(" | ", " ")
    box.press("OK", "OK+")
    assert recorded(box)["preset"] == "gastro"


def test_the_deck_row_decides_too_and_what_is_chosen_after_it_stays(folder: Path) -> None:
    box = Box(folder, "en")
    assert "Swiss" in box.words()  # the first deck is berge
    box.choose("Deck")
    assert box.app.choice["deck"] == "gastro"
    assert box.app.choice["preset"] == "gastro"
    box.choose("Variant")
    box.press("OK+")
    assert recorded(box)["preset"] == "kneipe"


class Presses:
    """Counts what a hand does at a box."""

    def __init__(self, box: Box) -> None:
        self.box = box
        self.count = 0

    def __call__(self, *names: str) -> None:
        self.count += len(names)
        self.box.press(*names)


def first_verdict(box: Box, press: Presses, codes: tuple[str, ...]) -> None:
    """Seat 1 begins and calls the first category; then everybody lays one card."""
    press("OK")
    lay_card(box, "gastro", codes[0])
    press("OK")
    for code in codes[1:]:
        lay_card(box, "gastro", code)
    assert "Eröffnet" in box.words()
    assert "+3" in box.words() or "3 Karten" in box.words()


def test_gastro_for_three_takes_four_presses_to_the_first_verdict(folder: Path) -> None:
    box = Box(folder)
    press = Presses(box)
    lay_card(box, "gastro", "C3")
    press("OK")  # the seats are lit: three
    press("OK+")
    first_verdict(box, press, ("A1", "A2", "A3"))
    assert press.count == 4
    assert recorded(box)["seats"] == 3


def test_badges_are_seats(folder: Path) -> None:
    box = Box(folder)
    press = Presses(box)
    lay_card(box, "gastro", "C3")
    for name in ("Ada", "Ben", "Cleo"):
        box.lay_tag(BADGE, Badge("p-" + name, name, "cup"))
    press("OK+")
    first_verdict(box, press, ("A1", "A2", "A3"))
    assert press.count == 3
    found = recorded(box)
    assert found["names"] == ["Ada", "Ben", "Cleo"]
    assert found["players"] == ["p-Ada", "p-Ben", "p-Cleo"]


def test_a_badge_that_is_there_already_begins_again(folder: Path) -> None:
    box = Box(folder)
    lay_card(box, "gastro", "C3")
    for name in ("Ada", "Ben", "Ada", "Cleo"):
        box.lay_tag(BADGE, Badge("p-" + name, name, "cup"))
    box.press("OK+")
    assert recorded(box)["names"] == ["Ada", "Cleo"]


# -- decks that a game cannot use --


def test_quartett_is_not_offered_a_deck_without_fours(folder: Path) -> None:
    box = Box(folder, "en")
    box.press("OK")
    assert box.app.choice["game"] == "quartett"
    seen = set()
    for _ in range(4):
        seen.add(box.app.choice["deck"])
        box.choose("Deck")
    assert seen == {"gastro", "kneipe"}  # two cards of berge begin with I
    lay_card(box, "berge", "A1")
    assert "This deck does not fit Quartett." in box.words().replace(" | ", " ")
    box.press("OK")
    assert box.app.choice["game"] == "quartett"
    assert box.app.choice["deck"] in seen


def test_a_game_chosen_by_hand_stays_with_a_card_of_a_deck_that_fits_it(folder: Path) -> None:
    box = Box(folder, "en")
    box.press("OK")
    lay_card(box, "kneipe", "B1")
    assert [box.app.choice[name] for name in ("game", "deck")] == ["quartett", "kneipe"]
    box.press("OK+")
    assert recorded(box)["game"] == "quartett"


def test_a_box_whose_decks_do_not_fit_asks_for_one(folder: Path) -> None:
    for name in ("gastro", "kneipe"):
        (folder / "decks" / f"{name}.json").unlink()
    box = Box(folder, "en")
    box.press("OK")
    assert box.app.choice["deck"] is None
    box.press("OK+")
    assert box.app.session is None
    assert "Lay down a deck card" in box.words().replace(" | ", " ")


def test_there_are_no_more_seats_than_cards(folder: Path) -> None:
    deck = load_deck_file("gastro").for_box("de") or {}
    own_deck(folder, {**deck, "id": "own", "cards": deck["cards"][:3]})
    box = Box(folder, "en")
    box.lay_card(deck_number("own"), "A1", deck["cards"][0]["values"])
    seats = []
    for _ in range(3):
        seats.append(box.app.choice["seats"])
        box.choose("Seats")
    assert seats == [2, 3, 2]


# -- every way through the menu --


def starts() -> Iterator[tuple[str, str | None, str | None, str, object]]:
    """Game, preset, deck, a row of the menu and one of its choices: each at least once."""
    for name in games.names():
        game = games.row(name)
        for preset in game.presets:
            rows = [row for row in game.rows if not row.presets or preset.name in row.presets]
            for deck in deck_ids() if game.deck else [None]:
                for row in rows:
                    for choice in row.choices:
                        yield name, preset.name, deck, row.name, choice


def go(box: Box, row: str, wanted: str) -> bool:
    """Press OK on a row of the menu until it shows this; False if it never does."""
    menu: Any = box.app.page()
    if row not in menu.rows():
        return False
    while menu.rows()[menu._row] != row:
        box.press("DOWN")
    for _ in range(12):
        if str(box.app.choice[row]) == wanted:
            return True
        box.press("OK")
    return False


def format_words(text: str) -> bool:
    """A sentence of a file format names a field."""
    return re.search(r"\b(deck|board|options)\.\w|header|cards\[", text) is not None


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_way_through_the_menu_opens_a_match(folder: Path, language: str) -> None:
    set_up(folder, language, "")
    count = 0
    for name, preset, deck, row, choice in starts():
        for left in folder.glob("m0*"):
            left.unlink()
        box = Box(folder, language)
        assert go(box, "game", name)
        if deck is not None and not go(box, "deck", deck):
            assert (name, deck) == ("quartett", "berge")
            continue
        if preset is not None:
            assert go(box, "preset", preset)
        if next(one for one in games.row(name).rows if one.name == row).way == FIELD:
            assert go(box, row, str(choice))
        else:
            box.app.choice[row] = choice
        box.press("OK+")
        if preset == "app":
            box.press("OK", "OK")
        assert box.app.session is not None, (name, preset, deck, row, choice, box.words())
        assert not format_words(box.words())
        count += 1
    assert count > 200


def deck_with(**changes: Any) -> dict[str, Any]:
    deck = load_deck_file("gastro").for_box("de") or {}
    return {**deck, "id": "own", **changes}


def without_best() -> dict[str, Any]:
    deck = deck_with()
    lines = [{k: v for k, v in line.items() if k != "best"} for line in deck["categories"]]
    return {**deck, "categories": lines}


def with_short_values() -> dict[str, Any]:
    deck = deck_with()
    return {**deck, "cards": [{**card, "values": [1]} for card in deck["cards"]]}


BAD_DECKS: dict[str, Any] = {
    "no json": '{"id": "own", "cards": [',
    "a list": [],
    "no cards": deck_with(cards=[]),
    "one card": deck_with(cards=deck_with()["cards"][:1]),
    "cards are numbers": deck_with(cards=[1, 2, 3, 4]),
    "no direction": without_best(),
    "short values": with_short_values(),
    "no categories": deck_with(categories=None),
    "preset is a list": deck_with(preset=[1]),
    "rules are a list": deck_with(house_rules=[1]),
}


@pytest.mark.parametrize("name", BAD_DECKS)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("by_tap", [True, False], ids=["tapped", "chosen"])
def test_a_bad_deck_of_an_owner_gets_a_plain_sentence_in_every_game(
    folder: Path, name: str, language: str, by_tap: bool
) -> None:
    for path in (folder / "decks").iterdir():
        path.unlink()
    own_deck(folder, BAD_DECKS[name])
    plain = {
        text.split("{")[0].strip().rstrip(".")
        for key in ("deck_unfit", "bad_file", "lay_deck")
        for text in [words_in(language).get(key)]
    }
    for game in ("trumpf", "quartett"):
        for preset in games.row(game).presets:
            for left in folder.glob("m0*"):
                left.unlink()
            box = Box(folder, language)
            go(box, "game", game)
            if by_tap:
                box.lay_card(deck_number("own"), "A1", [1])
                if type(box.app.page()).__name__ == "Message":
                    box.press("OK")
            if preset.name is not None:
                go(box, "preset", preset.name)
            box.press("OK+")
            shown = box.words().replace(" | ", " ")
            assert not format_words(shown), shown
            if box.app.session is None:
                assert any(sentence in shown for sentence in plain), shown


def test_a_bad_board_of_an_owner_gets_a_plain_sentence(folder: Path) -> None:
    for name, preset in (("cafe", "board"), ("cafe_app", "app")):
        path = folder / "boards" / f"{name}.json"
        good = json.loads(path.read_text("utf8"))
        few = {**good, "tables": {"T01": good["tables"]["T01"]}}
        for bad in ("{", "[]", json.dumps(few), json.dumps({**good, "tables": {"T01": 5}})):
            path.write_text(bad, "utf8")
            box = Box(folder, "en")
            box.set_choice(game="cafe", preset=preset)
            box.press("OK+")
            shown = box.words().replace(" | ", " ")
            assert "No start" in shown
            assert "This board is not right" in shown or "is broken" in shown
            assert not format_words(shown)


# -- the app café's table cards --

DRAWN = ["US", "US", "AF", "TR", "IT", "IT", "GB", "CN", "DE", "ES", "RU", "CU"]


def cafe_app(folder: Path, language: str = "en") -> Box:
    box = Box(folder, language)
    box.set_choice(game="cafe", preset="app", seats=2)
    box.press("OK+")
    assert box.app.session is None
    return box


def laid_out(box: Box) -> list[str]:
    """The nations of the tables in order, from the record."""
    tables = recorded(box)["board"]["tables"]
    assert len(tables) == 12
    return [tables[f"T{number:02}"]["nation"] for number in range(1, 13)]


def test_the_table_cards_are_tapped_in_the_order_of_the_tables(folder: Path) -> None:
    box = cafe_app(folder)
    for nation in DRAWN:
        box.lay_tag(TABLE, TableTag("", nation))
    assert "T01 | AF" not in box.words()
    box.press("OK", "OK")  # start, seat 1 begins
    assert laid_out(box) == DRAWN
    box.lay_tag(GUEST, Guest("GBf1"))
    assert "✓ T07 GB" in box.words()
    box.power_on()
    box.press("OK")
    box.lay_tag(GUEST, Guest("GBf1"))
    assert "✓ T07 GB" in box.words()


def test_lots_are_drawn_for_those_that_nobody_tapped_and_none_is_assumed(folder: Path) -> None:
    seen = set()
    for _ in range(20):
        for left in folder.glob("m0*"):
            left.unlink()
        box = cafe_app(folder)
        box.lay_tag(TABLE, TableTag("", "TR"))
        box.press("OK", "OK")
        nations = laid_out(box)
        assert nations[0] == "TR"
        assert all(nations.count(nation) <= 2 for nation in NATIONS)
        seen.add(tuple(nations))
    assert len(seen) == 20  # two alike in 20: one in 10^9


def test_a_third_card_of_a_nation_and_a_table_of_the_board_are_refused(folder: Path) -> None:
    box = cafe_app(folder)
    for _ in range(3):
        box.lay_tag(TABLE, TableTag("", "TR"))
    assert "Both cards of this nation lie already." in box.words().replace(" | ", " ")
    box.press("OK")
    assert "Table cards 2/12" in box.words()
    for tag in (TableTag("T01", "AF"), TableTag("", "XX")):
        box.lay_tag(TABLE, tag)
        assert "Table cards 2/12" not in box.words()
        box.press("OK")
    assert "Table cards 2/12" in box.words()
    box.choose("Last one back")
    assert "Table cards 1/12" in box.words()
    box.press("JURY")
    assert "Game" in box.words()


# -- chairs on which a turn can end (CB-5) --


@pytest.mark.parametrize("between", ["either", "both"])
@pytest.mark.parametrize("tile", ["FRf1", "JKm1"])
def test_a_turn_can_be_finished_from_every_chair_with_a_mark(
    folder: Path, between: str, tile: str
) -> None:
    """The second seat opens a table: somebody can follow to it and score."""
    box = Box(folder, "en")
    box.set_choice(game="cafe", preset="board", seats=2, between=between)
    box.press("OK+", "OK")
    box.press("OK")
    box.choose("Guest to the bar")
    box.lay_tag(GUEST, Guest("AFf1"))
    box.press("OK")
    match = match_of(box)
    t = match.t_ms
    good = match.good_chairs(tile)
    assert good
    for chair in good:
        assert match.apply({"t": t, "do": "place", "tile": tile, "chair": chair}).refusal is None
        assert any(match.legal_chairs(guest_code(second)) for second in range(GUESTS)), chair
        match.apply({"t": t, "do": "undo"})
    for chair in set(match.legal_chairs(tile)) - set(good):
        match.apply({"t": t, "do": "place", "tile": tile, "chair": chair})
        assert not any(match.legal_chairs(guest_code(second)) for second in range(GUESTS)), chair
        match.apply({"t": t, "do": "undo"})


def test_a_guest_that_fits_nowhere_is_told_so(folder: Path) -> None:
    box = Box(folder, "en")
    box.set_choice(game="cafe", preset="board", seats=2)
    box.press("OK+", "OK")
    for tile in ("FRf1", "FRm1"):
        box.lay_tag(GUEST, Guest(tile))
        box.press("OK", "OK", "OK")
    match = match_of(box)
    # the tables of the second guest's nation are full, so nobody of it fits
    for chair in range(len(match.board.chairs)):
        if any(match.room.nation_at(table) == 0 for table in match.board.tables_at(chair)):
            match.room.sit(96, chair)
    n = match.n
    box.lay_tag(GUEST, Guest("AFf1"))
    assert "AFf1 fits nowhere now." in box.words().replace(" | ", " ")
    assert match.n == n
    box.press("OK")
    box.lay_tag(GUEST, Guest("FRf1"))  # it sits already
    assert "This card has been played already." in box.words().replace(" | ", " ")


def test_the_list_of_tables_is_made_once_a_guest(folder: Path) -> None:
    box = Box(folder, "en")
    box.set_choice(game="cafe", preset="board", seats=2)
    box.press("OK+", "OK")
    match = match_of(box)
    asked = []
    tables = match.tables
    match.tables = lambda: asked.append(1) or tables()
    box.lay_tag(GUEST, Guest("FRf1"))
    box.press("DOWN", "DOWN", "UP", "OK")
    assert len(asked) == 1


# -- who begins, jokers, a power cut --


def test_with_a1_put_aside_the_lowest_card_names_who_begins(folder: Path) -> None:
    """32 cards for three: two are put aside, so A1, A2 or A3 may be the lowest in play (TR-2)."""
    for lowest, asks in (("A1", True), ("A2", True), ("A3", True), ("A4", False)):
        for left in folder.glob("m0*"):
            left.unlink()
        box = Box(folder, "en")
        lay_card(box, "gastro", "C3")
        box.press("OK", "OK+")
        lay_card(box, "gastro", lowest)
        assert (f"Who holds {lowest}?" in box.words()) == asks
    box.press("OK")
    lay_card(box, "gastro", "A2")
    box.press("DOWN", "OK")
    assert match_of(box).awaits().seat == 1


def test_a_joker_in_quartett_is_refused_with_its_reason_at_once(folder: Path) -> None:
    box = Box(folder, "en")
    box.press("OK")
    lay_card(box, "kneipe", "B1")
    box.press("OK+")
    for begun in (False, True):
        lay_card(box, "kneipe", "J1")
        assert "Jokers are not in play." in box.words().replace(" | ", " ")
        box.press("OK")
        assert "J1" not in box.words()
        if not begun:
            box.press("OK")


@pytest.mark.parametrize("turn", ["off", 30])
def test_after_a_power_cut_a_match_without_a_clock_hears_of_none(
    folder: Path, turn: object
) -> None:
    box = Box(folder, "en")
    box.set_choice(game="trumpf", preset="gastro", deck="gastro", seats=2, turn=turn)
    box.press("OK+", "OK")
    lay_card(box, "gastro", "A1")
    box.power_on()
    shown = box.words().replace(" | ", " ")
    assert "Power was lost. Play on, nothing is missing." in shown
    assert "clock" not in shown
    assert "JURY" not in shown


def test_after_a_power_cut_the_clock_of_a_match_stands(folder: Path) -> None:
    box = Box(folder, "en")
    lay_card(box, "berge", "A1")
    box.press("OK+", "OK")
    box.power_on()
    assert "clock" not in box.words()  # it has not begun to run
    box.press("OK")
    lay_card(box, "berge", "A1")
    box.power_on()
    assert "the clock is stopped. JURY: go on." in box.words().replace(" | ", " ")


# -- arrows (TR-5, SW-2) --


@pytest.mark.parametrize("new", [False, True], ids=["a deck of the box", "a new deck"])
@pytest.mark.parametrize("preset", ["swiss", "gastro", "kneipe"])
@pytest.mark.parametrize("deck", STARTS)
def test_the_arrows_show_the_direction_in_force(
    folder: Path, deck: str, preset: str, new: bool
) -> None:
    if new:
        (folder / "decks" / f"{deck}.json").unlink()
    box = Box(folder, "de")
    lay_deck_card(box, deck)
    box.app.choice["preset"] = preset
    box.press("OK+", "OK")
    lay_card(box, deck, "B1")
    lines = (load_deck_file(deck).deck or {})["categories"]
    page: Any = box.app.page()
    low = [line["best"] == "low" and preset != "swiss" for line in lines]
    assert [item[-1] for item in page.choices()] == ["▼" if one else "▲" for one in low]
    title = lines[0]["title"]
    box.press("OK")
    assert (("▼" if low[0] else "▲") + title)[:8] in box.words()
