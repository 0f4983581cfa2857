"""The bots: what they see, how strong they are, and their quick Hattrick beside the rules."""

import copy
import random

import pytest

from bench.bots import BARS, measure
from firmware.games import open_match
from firmware.games.hattrick.rules import card_code
from host_tools.core.json_types import Json
from host_tools.games import GAMES as ROWS
from host_tools.games import table_view
from host_tools.games.bot import EASY, MEDIUM, RANDOM, STRENGTHS, STRONG, Bot
from host_tools.games.cafe.bot import CafeBot
from host_tools.games.cafe.player import CafePlayer
from host_tools.games.hattrick.bot import Round, play_on
from host_tools.games.quartett.bot import QuartettBot
from host_tools.games.table_view import TableView
from host_tools.games.trumpf.bot import TrumpfBot
from host_tools.replay.engines import resolve
from host_tools.sim.demo.dry_run import TAP_MS, command_of, is_settled
from tests.support.duel import MATCHES, SIMPLE, barred, duel, duel_header

SWISS = {"game": "trumpf", "preset": "swiss", "deck": "berge", "seats": 2}
GASTRO = {"game": "trumpf", "preset": "gastro", "deck": "gastro", "seats": 3}
KNEIPE = {"game": "trumpf", "preset": "kneipe", "deck": "kneipe", "seats": 4}
QUARTETT = {"game": "quartett", "deck": "gastro", "seats": 4}
HATTRICK = {"game": "hattrick", "seats": 3, "options": {"hands": 3}}
BOARD = {"game": "cafe", "preset": "board", "seats": 3}
MENU: Json = {"between": "both", "drawing": "leaflet", "mono_bonus": "any_size", "bag_end": 3}
"""As the box's menu begins a match of the board."""
APP = {"game": "cafe", "preset": "app", "seats": 2}
GAMES = [SWISS, GASTRO, KNEIPE, QUARTETT, HATTRICK, BOARD, APP]


def table_of(header: Json, seed: int, strength: str) -> TableView:
    header = resolve({"schiri": 1, **header})
    strengths = [strength] * header["seats"]
    return table_view(header, open_match(header), lambda key: key, seed, strengths=strengths)


def deal_anew(table: TableView, seat: int, chance: random.Random) -> None:
    """Everything that this seat cannot see lies elsewhere: in other hands, deeper in piles, in the
    bag.
    """
    sight = set(table.sight(seat))
    piles = [*table.hands, getattr(table, "_bag", [])]
    spots = [
        (pile, place) for pile in piles for place, card in enumerate(pile) if card not in sight
    ]
    cards = [pile[place] for pile, place in spots]
    chance.shuffle(cards)
    for (pile, place), card in zip(spots, cards, strict=True):
        pile[place] = card


def decision(table: TableView, seat: int, strength: str) -> Json:
    """What the bot of this seat does now; few deals are enough to see what it looks at."""
    bot = table.players[seat]
    assert isinstance(bot, Bot)
    bot.strength, bot.samples = strength, 6
    act = table.act({seat})
    return {"do": act.do, **act.fields}


@pytest.mark.parametrize("header", GAMES, ids=lambda h: h.get("preset") or h["game"])
def test_a_bot_decides_the_same_whatever_the_hidden_cards_are(header: Json) -> None:
    table = table_of(header, 11, MEDIUM)
    chance = random.Random(3)
    compared = 0
    for n in range(400):
        seat = table.match.awaits().seat
        if table.match.over() or compared == 12:
            break
        other = copy.deepcopy(table)
        if seat is not None and table.match.awaits().what != "table_card" and n % 3 == 0:
            deal_anew(other, seat, chance)
        if other.hands != table.hands:
            strength = STRENGTHS[compared % 3]
            same = copy.deepcopy(table)
            assert decision(other, seat, strength) == decision(same, seat, strength)
            compared += 1
        act = table.act()
        table.play(command_of(act, table.match.t_ms + TAP_MS))
    assert compared >= 6


@pytest.mark.parametrize("seed", [2, 5, 14])
def test_a_bot_of_the_cafe_finishes_what_it_begins(seed: int) -> None:
    """CB-5: whom it has seated is joined, nothing is refused or taken back. CB-11: it says that
    nothing else is possible only where that is so.
    """
    header = {**BOARD, "seats": 2, "options": {**MENU, "bar_joker": "seat"}}
    table = table_of(header, seed, EASY)
    for _ in range(200):
        seat = table.match.awaits().seat
        act = table.act()
        if act.fields.get("forced"):
            bot, hand = table.players[seat or 0], table.hands[seat or 0]
            assert isinstance(bot, CafeBot)
            assert not any((bot._seatings(hand, None), bot._opening(hand), bot._swap(hand)))
        assert act.do != "undo"
        answer = table.play(command_of(act, table.match.t_ms + TAP_MS))
        assert "refused" not in answer
        if table.match.over():
            break
    assert table.match.over()


def test_hattrick_in_the_bot_scores_as_the_rules_do() -> None:
    """From any moment of a hand: the same cards, the same scores (HA-3 to HA-7)."""
    chance = random.Random(5)
    for seats in (3, 4, 5, 6):
        header = {"schiri": 1, "game": "hattrick", "seats": seats, "options": {"hands": 1}}
        match = open_match(header)
        match.apply({"t": 0, "do": "begin", "seat": seats - 1})
        cards = list(range(60))
        chance.shuffle(cards)
        size = 60 // seats
        hands = [cards[seat * size : (seat + 1) * size] for seat in range(seats)]
        laid: list[int] = []
        for tap in range(chance.randrange(seats * 4)):
            card = chance.choice(hands[match.awaited_seat()])
            hands[match.awaited_seat()].remove(card)
            match.apply({"t": 0, "do": "tap", "card": card_code(card)})
            laid = [*laid, card] if (tap + 1) % seats else []
        leader = (match.awaited_seat() - len(laid)) % seats
        won = [match.won(seat) for seat in range(seats)]
        here = Round(leader, laid, won, match.passes())
        first = hands[match.awaited_seat()][0]
        played: list[int] = []
        found = play_on([Listed(hand, played) for hand in hands], here, first)
        for card in played:
            match.apply({"t": 0, "do": "tap", "card": card_code(card)})
        assert match.over()
        assert found == match.totals()


class Listed(list[int]):
    """A hand that writes down which card leaves it."""

    def __init__(self, cards: list[int], played: list[int]) -> None:
        super().__init__(cards)
        self._played = played

    def remove(self, card: int) -> None:
        super().remove(card)
        self._played.append(card)


@pytest.mark.parametrize("preset", ["board", "app"])
@pytest.mark.parametrize("strength", [*STRENGTHS, RANDOM])
def test_nobody_goes_to_the_bar_while_a_chair_scores(
    preset: str, strength: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CB-2, by the game's own player: no seating, and no two guests who open a table."""
    monkeypatch.setattr(CafeBot, "samples", 2)
    header = duel_header(f"Café, {preset}", 3)
    table = table_view(header, open_match(header), lambda key: key, 3, strengths=[strength] * 2)
    went = 0
    while not is_settled(table):
        act = table.act()
        if act.do == "bar":
            hand = table.hand_now()
            player = CafePlayer(header, table.match, table.match.awaits().seat, random.Random(1))
            assert not player._seatings(hand, None)
            assert player._opening(hand) is None
            went += 1
        table.play(command_of(act, table.match.t_ms + TAP_MS))
    assert went


def test_few_guests_of_the_board_go_to_the_bar() -> None:
    """Bots that seat what scores most send 11.4; easy ones do not mostly end by a full bar."""
    guests, _ = barred("Café, board", MEDIUM, range(1, 11))
    assert guests <= 10
    _, ends = barred("Café, board", EASY, range(1, 9))
    assert ends["bar_full"] <= 4


def test_quartett_remembers_what_was_denied_at_the_start() -> None:
    """However long ago: not the same question again, and the last seat that can have a card is
    asked for it at once.
    """
    table = table_of(QUARTETT, 1, MEDIUM)
    bot = table.players[0]
    assert isinstance(bot, QuartettBot)
    card = next(code for code in bot._codes if code[0] in "".join(table.hands[0]))
    mates = [code for code in bot._codes if code[0] == card[0] and code != card]
    table.match.apply({"t": 0, "do": "begin", "seat": 0})
    for seat in (1, 2):
        bot.hear({"is": "denied", "card": card, "seat": seat})
    for _ in range(20):
        bot.hear({"is": "denied", "card": "H4" if card != "H4" else "A4", "seat": 1})
    for strength in (MEDIUM, STRONG):
        bot.strength = strength
        assert bot.act(mates[:1]).fields == {"card": card, "seat": 3}


def test_quartett_asks_for_what_it_holds_most_of() -> None:
    """And a seat that has asked for that group."""
    table = table_of(QUARTETT, 1, MEDIUM)
    bot = table.players[0]
    assert isinstance(bot, QuartettBot)
    table.match.apply({"t": 0, "do": "begin", "seat": 0})
    bot.hear({"is": "asked", "seat": 2, "to": 1, "card": "B1"})
    for strength in (MEDIUM, STRONG):
        bot.strength = strength
        asked = bot.act(["A1", "B1", "B2", "C1", "D1"]).fields
        assert asked["card"] in ("B3", "B4")
        assert asked["seat"] == 2


@pytest.mark.parametrize(
    ("what", "better", "worse", "seeds", "least"),
    [
        ("Trumpf, Swiss", MEDIUM, EASY, 5, 0.6),
        ("Trumpf, Kneipe", MEDIUM, EASY, 10, 0.6),
        ("Quartett", MEDIUM, EASY, 10, 0.6),
        ("Quartett", MEDIUM, SIMPLE, 20, 0.6),
        ("Hattrick", MEDIUM, EASY, 5, 0.6),
        ("Hattrick", MEDIUM, SIMPLE, 5, 0.5),
        ("Café, app", MEDIUM, EASY, 20, 0.55),
    ],
)
def test_each_strength_beats_what_is_below(
    what: str, better: str, worse: str, seeds: int, least: float
) -> None:
    """The same matches on every machine; all of them: `test_the_bars`."""
    assert duel(what, better, worse, range(seeds)).part >= least


@pytest.mark.long
@pytest.mark.parametrize(
    ("what", "better", "worse"),
    [
        (what, better, worse)
        for what, match in MATCHES.items()
        for better, worse in BARS
        if better in ROWS[match["game"]].strengths
    ],
)
def test_the_bars(what: str, better: str, worse: str) -> None:
    """As `python -m bench.bots` prints them, of what is offered: 300 matches each."""
    row = measure(what, better, worse, range(1, 151))
    assert not row.misses, str(row)


def test_a_bot_knows_where_the_pot_lies_when_time_is_up_or_nobody_wins_it() -> None:
    """SW-5: piles stay as they are, and so does the pot; a card that was presented lies on top
    again. TR-8: a pot that nobody can win goes back under the piles.
    """
    table = table_of(SWISS, 1, EASY)
    bot = table.players[0]
    assert isinstance(bot, TrumpfBot)
    for name, cards in (("round_tied", ("A1", "A2")), ("extended", ("B1", "B2"))):
        for seat, card in enumerate(cards):
            bot.hear({"is": "played", "seat": seat, "cards": [card]})
        bot.hear({"is": name})
    assert bot._front == [[["B1"]], [["B2"]]]
    assert bot._lying == [(0, "A1"), (1, "A2")]
    bot._back[0] = [["C1"]]
    bot.hear({"is": "pot_returned"})
    assert bot._back == [[["C1"], ["A1"]], [["A2"]]]
    assert bot._lying == []
