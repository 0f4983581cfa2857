"""I Doubt It, the second example: matches whose ends were worked out by hand (DB-1 to DB-6)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.games import open_match
from firmware.rules import answers
from firmware.rules.errors import Malformed
from host_tools.cards.decks import load_deck
from host_tools.games import add_game, remove_game

DOUBT = Path(__file__).resolve().parents[2] / "examples" / "doubt"
CARDS: list[dict[str, object]] = [
    {"code": code, "values": []} for code in ("A1", "A2", "A3", "B1", "B2", "B3")
]


@pytest.fixture(autouse=True)
def doubt() -> Iterator[None]:
    add_game(DOUBT)
    yield
    remove_game("doubt")
    answers._EVENTS[:] = [table for table in answers._EVENTS if "turned_up seat card" not in table]


class Table:
    """Commands at a match, a second apart."""

    def __init__(self, seats: int = 2, **fields: object) -> None:
        deck = {"categories": [], "cards": CARDS}
        header = {"schiri": 1, "game": "doubt", "seats": seats, "deck": deck, **fields}
        self.match: Any = open_match(header)
        self.t_ms = 0

    def do(self, do: str, **fields: object) -> Any:
        self.t_ms += 1000
        return self.match.apply({"t": self.t_ms, "do": do, **fields})

    def refused(self, do: str, **fields: object) -> tuple[str, str]:
        refusal = self.do(do, **fields).refusal
        assert refusal is not None
        return refusal.reason, refusal.rule

    def result(self) -> dict[str, Any]:
        return dict(self.match.result())


def test_equally_many_cards_without_jokers() -> None:
    """DB-1: six cards; for four seats one each, and two lie aside. The deck of the Kneipe has 34,
    two of them jokers: for five seats six each.
    """
    kneipe = Table(5, deck=load_deck("kneipe"))
    assert kneipe.match.counts() == [6, 6, 6, 6, 6]
    kneipe.do("begin", seat=0)
    assert kneipe.refused("claim", card="J1", letter="A") == ("joker_not_allowed", "DB-1")
    assert Table().match.counts() == [3, 3]
    assert Table(4).match.counts() == [1, 1, 1, 1]
    with pytest.raises(Malformed):
        Table(7)


def test_who_doubts_a_true_card_takes_the_pile() -> None:
    """DB-4: seat 0 lays A1 as A; seat 1 covers with B1, which is a lie; seat 0 covers with A2,
    which is true. Seat 1 doubts it: three cards for seat 1, 1 + 0 against 3 - 1 + 3 = 5.
    """
    table = Table()
    table.do("begin", seat=0)
    table.do("claim", card="A1", letter="A")
    table.do("tap", card="B1")
    table.do("tap", card="A2")
    assert table.match.counts() == [1, 2]
    answer = table.do("doubt")
    assert answer.events == [("doubted", 1, 0), ("turned_up", 0, "A2"), ("picked_up", 1, 3)]
    assert (answer.awaits.seat, answer.awaits.what) == (0, "claim")
    assert table.match.counts() == [1, 5]


def test_who_lied_takes_the_pile() -> None:
    """DB-4: the second card is B1, not A: seat 1 takes it back with A1, and seat 0 begins."""
    table = Table()
    table.do("begin", seat=0)
    table.do("claim", card="A1", letter="A")
    table.do("tap", card="B1")
    answer = table.do("doubt")
    assert answer.events == [("doubted", 0, 1), ("turned_up", 1, "B1"), ("picked_up", 1, 2)]
    assert table.match.counts() == [2, 4]
    assert table.match.awaits().seat == 0


def test_a_true_last_card_ends_the_match() -> None:
    """DB-5: seat 0 lays A1, A2, A3; seat 1 has laid two and holds one: 0 and -1 points."""
    table = Table()
    table.do("begin", seat=0)
    table.do("claim", card="A1", letter="A")
    for card in ("B1", "A2", "B2"):
        table.do("tap", card=card)
    answer = table.do("tap", card="A3")
    assert answer.events == [
        ("covered", 0),
        ("turned_up", 0, "A3"),
        ("match_over", "no_cards", [[0], [1]]),
    ]
    assert table.result() == {
        "over": True,
        "reason": "no_cards",
        "ranking": [[0], [1]],
        "scores": [0, -1],
    }
    assert table.refused("doubt") == ("over", "DB-5")


def test_a_false_last_card_brings_the_pile_back() -> None:
    """DB-5: the fifth card is B3, not A: seat 0 takes all five; seat 1 begins with one card."""
    table = Table()
    table.do("begin", seat=0)
    table.do("claim", card="A1", letter="A")
    for card in ("B1", "A2", "B2"):
        table.do("tap", card=card)
    answer = table.do("tap", card="B3")
    assert answer.events[-1] == ("picked_up", 0, 5)
    assert table.match.counts() == [5, 1]
    assert (answer.awaits.seat, answer.awaits.what) == (1, "claim")


def test_the_last_pile_ends_the_match() -> None:
    """DB-6: with `piles` 1 the first doubt does: A1 is no B, so seat 0 has 3 cards, seat 1 too."""
    table = Table(options={"piles": 1})
    table.do("begin", seat=0)
    table.do("claim", card="A1", letter="B")
    answer = table.do("doubt")
    assert answer.events[-1] == ("match_over", "last_pile", [[0, 1]])
    assert table.result()["scores"] == [-3, -3]


def test_what_is_refused() -> None:
    table = Table()
    assert table.refused("claim", card="A1", letter="A") == ("not_now", "")
    table.do("begin", seat=0)
    assert table.refused("claim", card="Z1", letter="A") == ("unknown_card", "DB-1")
    assert table.refused("claim", card="A1", letter="J") == ("no_such_letter", "DB-2")
    assert table.refused("doubt") == ("not_now", "")
    table.do("claim", card="A1", letter="A")
    assert table.refused("tap", card="A1") == ("already_played", "DB-3")
    table.do("doubt")  # it was true: seat 1 takes A1
    assert table.refused("claim", card="A1", letter="A") == ("not_yours", "DB-3")


def test_the_clock_runs_from_a_claim_and_a_pause_stops_it() -> None:
    """CL-5, CL-1: `claim` and `doubt` are play like every tap. A pile that was begun in time is
    finished (CL-6): seat 0 takes back its lie, 3 cards each.
    """
    table = Table(clock_ms=60_000)
    table.do("begin", seat=0)
    table.do("pause")
    assert table.refused("claim", card="A1", letter="B") == ("clock_stopped", "CL-1")
    table.do("resume")
    table.do("claim", card="A1", letter="B")
    table.do("pause")
    assert table.refused("doubt") == ("clock_stopped", "CL-1")
    table.do("resume")
    table.t_ms += 120_000
    table.do("tick")
    assert not table.match.over()
    answer = table.do("doubt")
    assert answer.events[-1] == ("match_over", "time", [[0, 1]])
    assert table.refused("tap", card="A1") == ("over", "CL-6")
