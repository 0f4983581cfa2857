"""Every game from the start menu to the final ranking, played with taps and presses only.

The players are simple: they do the first thing the rules allow. What is checked is that the box
asks for one thing at a time, takes it, and ends with a sealed journal that replays to the result.
"""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from card_tags.deck_card import deck_number
from card_tags.kinds import GUEST, NUMBERED, TABLE, Guest, NumberedCard, TableTag
from firmware.app.opening import resolved
from firmware.games import open_match
from firmware.games.cafe.board import NATIONS
from firmware.games.cafe.guests import GUESTS, guest_code
from firmware.rules.answers import write_answer, write_result

from .fakes import Box
from .pictures import stock
from .sample_decks import card_values

MOST_TAPS = 3000


@pytest.fixture
def box(tmp_path: Path) -> Box:
    stock(tmp_path)
    return Box(tmp_path, "en")


def start(box: Box, **choice: Any) -> Any:
    """Start a match with these choices of the menu; seat 1 begins. Returns the rules' match."""
    box.set_choice(**choice)
    box.press("OK+")
    if choice.get("preset") == "app":
        for nation in NATIONS:
            box.lay_tag(TABLE, TableTag("", nation))
        box.press("OK")
    box.press("OK")
    assert box.app.session is not None
    return box.app.session.match


def close_messages(box: Box) -> None:
    while type(box.app.page()).__name__ == "Message":
        box.press("OK")


def finish(box: Box) -> None:
    """Accept the result; the journal must replay to the same answers and the same result."""
    close_messages(box)
    assert "OK: result is final" in box.words()
    box.press("OK")
    assert "Start" in box.words() or "Game" in box.words()
    check_journal(box)


def check_journal(box: Box) -> None:
    entry = box.journal.entries()[-1]
    assert entry.state == "end"
    records = [line.record for line in box.journal.lines(entry.number)]
    payloads = [record.payload for record in records if record is not None]
    match = open_match(resolved(str(box.folder), json.loads(payloads[0])))
    for payload in payloads[1:-2]:
        command, answer = payload.split("\t")
        assert write_answer(match.apply(json.loads(command))) == answer
    assert write_result(match.result()) == payloads[-2]
    assert payloads[-1].startswith('{"seal"')


def test_a_swiss_match_to_the_last_card(box: Box) -> None:
    match = start(box, game="trumpf", preset="swiss", seats=2, deck="gipfel")
    number = deck_number("gipfel")
    # by height, seat 1 has the better card in every round
    for first, second in (("A1", "A4"), ("A2", "B1"), ("A3", "B2"), ("B3", "B4")):
        box.lay_card(number, first, card_values("gipfel", first))
        box.press("OK")
        box.lay_card(number, second, card_values("gipfel", second))
    assert match.counts() == [8, 0]
    close_messages(box)
    assert "All cards!" in box.words()
    assert "8 cards" in box.words()
    finish(box)


def test_a_hattrick_game(box: Box) -> None:
    match = start(box, game="hattrick", preset=None, seats=3)
    deal = random.Random(3)
    while not match.over():
        cards = [suit + str(value) for suit in "RGB" for value in range(1, 21)]
        deal.shuffle(cards)
        for code in cards:
            box.lay_tag(NUMBERED, NumberedCard(code))
    assert match.hands_played() == 6
    finish(box)


def test_a_target_for_hattrick_is_chosen_in_the_menu(box: Box) -> None:
    box.set_choice(game="hattrick", preset=None, seats=3)
    box.press("DOWN", "DOWN", "OK")  # game, seats, house rules
    box.press("DOWN", "OK", "DOWN", "DOWN", "OK")  # hands, target: none, 25, 50
    assert "50" in box.words()
    box.press("JURY", "OK+", "OK")
    assert box.app.session is not None
    assert box.app.session.header["options"] == {"hands": 6, "target": 50}
    records = [line.record for line in box.journal.lines(1)]
    assert records[0] is not None
    assert json.loads(records[0].payload)["options"] == {"hands": 6, "target": 50}


@pytest.mark.parametrize(
    ("presses", "shown", "options"),
    [
        (0, "8", {"hands": 8}),  # HA-8: 2 x 4 seats; a menu writes it all the same
        (1, "12", {"hands": 12}),
        (2, "16", {"hands": 16}),
        (3, "4", {"hands": 4}),
        (4, "8", {"hands": 8}),
    ],
)
def test_the_number_of_hands_is_chosen_in_the_menu(
    box: Box, presses: int, shown: str, options: dict[str, int]
) -> None:
    box.set_choice(game="hattrick", preset=None, seats=4)
    box.press("DOWN", "DOWN", "OK", "OK", *["DOWN"] * presses, "OK")
    assert box.lit() == f"Number of hands\t{shown}"
    box.press("JURY", "OK+", "OK")
    assert box.app.session is not None
    assert box.app.session.header.get("options") == options
    assert box.app.session.match.hands == int(shown)


def lay_a_hand(box: Box) -> None:
    for code in [suit + str(value) for suit in "RGB" for value in range(1, 21)]:
        box.lay_tag(NUMBERED, NumberedCard(code))


def test_the_number_of_hands_follows_the_seats_and_is_remembered(box: Box) -> None:
    box.set_choice(game="hattrick", preset=None, seats=3)
    box.press("DOWN", "DOWN", "OK", "OK", "UP", "OK")
    assert box.lit() == "Number of hands\t3"
    box.press("JURY", "UP", "OK", "DOWN", "OK")
    assert box.lit() == "Number of hands\t4"
    box.press("JURY", "OK+", "OK")
    for _ in range(4):
        lay_a_hand(box)
    finish(box)
    box.press("DOWN", "DOWN", "OK")
    assert box.lit() == "Number of hands\t4"


def test_a_power_cut_keeps_hands_and_target(box: Box) -> None:
    start(box, game="hattrick", preset=None, seats=4, hands=3, target=100)
    lay_a_hand(box)
    box.power_on()
    assert box.app.session is not None
    assert box.app.session.header["options"] == {"hands": 12, "target": 100}
    close_messages(box)
    assert "Hand 2 of 12" in box.words()
    assert box.app.session.match.target == 100


def test_a_tag_that_changes_the_menu_leaves_the_same_row_lit(box: Box) -> None:
    box.press("UP")
    assert "Start" in box.lit()  # the last row; the café has other rows before it
    box.lay_tag(GUEST, Guest("FRf1"))
    assert "Start" in box.lit()
    box.press("OK", "OK")
    assert box.app.session is not None
    assert box.app.session.header["game"] == "cafe"


def test_a_quartett_game(box: Box) -> None:
    match = start(box, game="quartett", preset=None, seats=3, deck="gipfel")
    hands = [{"A1", "A2", "B1"}, {"A3", "A4", "B2"}, {"B3", "B4"}]
    number = deck_number("gipfel")
    for code in ("A3", "A4"):  # seat 1 asks seat 2 and gets both
        box.choose("Seat 2")
        box.choose("A")
        box.choose(code)
        box.lay_card(number, code)
        close_messages(box)
        hands[0].add(code)
    for code in ("A1", "A2", "A3", "A4"):
        box.lay_card(number, code)
    assert match.quartets() == [1, 0, 0]
    close_messages(box)
    for seat, code in (("Seat 2", "B2"), ("Seat 3", "B3"), ("Seat 3", "B4")):
        box.choose(seat)
        box.choose("B")
        box.choose(code)
        box.lay_card(number, code)
        close_messages(box)
        if match.awaits().what == "lay":
            break
    assert match.awaits().what == "lay"  # seat 2 has no card left
    box.choose("No more quartets")
    assert match.quartets() == [1, 0, 0]
    finish(box)


@pytest.mark.parametrize(("preset", "seats"), [("board", 2), ("board", 4), ("app", 3)])
def test_a_cafe_game(box: Box, preset: str, seats: int) -> None:
    match = start(box, game="cafe", preset=preset, seats=seats)
    bag = [guest_code(guest) for guest in range(GUESTS)]
    random.Random(5).shuffle(bag)
    hands = [[bag.pop() for _ in range(5)] for _ in range(seats)]
    for _ in range(MOST_TAPS):
        close_messages(box)
        if match.over():
            break
        {"place": turn, "leftover": leftover, "table_card": table_card}[match.awaits().what](
            box, match, hands
        )
        for seat in range(seats):
            while len(hands[seat]) < match.hand_sizes()[seat]:
                hands[seat].append(bag.pop())
    assert match.over()
    finish(box)


def turn(box: Box, match: Any, hands: list[list[str]]) -> None:
    """Seat the first guest that may sit somewhere, else the first one goes to the bar."""
    hand = hands[match.awaits().seat]
    alone = bool(match.awaits().more)
    for tile in hand:
        chairs = match.legal_chairs(tile)
        if chairs and (alone or scores(match, tile, chairs[0])):
            place(box, match, tile, chairs[0])
            hand.remove(tile)
            return
    if match.cells.now[3]:  # a guest was seated in this turn already
        box.press("OK")
        box.choose("End the turn")
        return
    to_bar(box, match, hand)


def scores(match: Any, tile: str, chair: str) -> bool:
    from firmware.games.cafe.guests import guest_number

    number = match.board.chairs.index(chair)
    return sum(match.room.scores(guest_number(tile), number)) > 0


def place(box: Box, match: Any, tile: str, chair: str) -> None:
    box.lay_tag(GUEST, Guest(tile))
    table = next(name for name, _, _ in match.tables() if chair in match.free_chairs(name))
    box.choose("✓ " + table)
    box.choose("✓ " + chair)


def to_bar(box: Box, match: Any, hand: list[str]) -> None:
    """The first guest that the bar takes; who cannot pay is out."""
    seat = match.awaits().seat
    for tile in sorted(hand, key=lambda tile: tile.startswith("JK")):
        box.press("OK")
        box.choose("Guest to the bar")
        box.lay_tag(GUEST, Guest(tile))
        if "Not enough points" in box.words():
            box.press("DOWN", "OK")
        if match.awaits().seat != seat or match.awaits().what != "place":
            hand.remove(tile)
            return
        close_messages(box)


def leftover(box: Box, match: Any, hands: list[list[str]]) -> None:
    for tile in hands[match.awaits().seat]:
        box.lay_tag(GUEST, Guest(tile))


def table_card(box: Box, match: Any, hands: list[list[str]]) -> None:
    """The first nation of which a card is left."""
    for number in range(13):
        before = match.awaits()
        page: Any = box.app.page()
        page.chosen = number
        box.press("OK")
        close_messages(box)
        if match.awaits() != before:
            return


def test_what_the_laptop_sets_is_seen_on_the_open_menu(box: Box) -> None:
    assert "Language" in box.words()
    box.settings.set({"language": "de", "name": "Final"})
    box.step()
    assert "Sprache" in box.words()
    assert box.words().startswith("Final")
