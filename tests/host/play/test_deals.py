"""The cards of the virtual table: never the same, unless somebody asks for them again."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from math import comb
from pathlib import Path
from typing import Any

import pytest

from firmware.games import open_match
from host_tools.games import table_view
from host_tools.games.box_words import box_words
from host_tools.replay.engines import resolve
from host_tools.sim.table import messages
from host_tools.sim.table.match_log import SEEDS, Deals
from host_tools.sim.table.play_table import PlayTable
from host_tools.sim.table.runner import UNBOUND
from host_tools.sim.table.table_state import state_of
from tests.host.play_table import ask, play_alone
from tests.processes import wait
from tests.support.duel import MATCHES

START = messages.Start(game="trumpf", preset="gastro", deck="gastro", seats=3)


@contextmanager
def table(folder: Path | None = None, seed: int | None = None) -> Iterator[PlayTable]:
    """A table whose box has booted."""
    opened = PlayTable(1, "cpython", "en", folder, UNBOUND, seed)
    try:
        opened.start()
        yield opened
    finally:
        opened.close()


def hands_of(opened: PlayTable, match: int = 1) -> list[list[str]]:
    wait(lambda: opened.log.number == match and opened.log.count > 0)
    hands: list[list[str]] = ask(opened, lambda world: [list(hand) for hand in world.hands])
    return hands


def test_two_tables_deal_other_cards_and_the_same_number_the_same_ones() -> None:
    dealt, numbers = [], []
    for seed in (None, None, 481_209_317_754, 481_209_317_754):
        with table(seed=seed) as opened:
            opened.do(START)
            dealt.append(hands_of(opened))
            numbers.append(opened.log.seed)
    assert dealt[0] != dealt[1]
    assert dealt[2] == dealt[3]
    assert numbers[2:] == [481_209_317_754] * 2
    assert numbers[0] != numbers[1]


def test_the_number_is_told_at_the_end_and_the_same_deal_can_be_had_again() -> None:
    with table() as opened:
        opened.do(START)
        first = hands_of(opened)
        begun = ask(opened, lambda _world: state_of(opened))
        written = json.dumps(begun)
        assert str(opened.log.seed) not in written  # it tells all hands
        play_alone(opened)
        wait(lambda: opened.log.closed)
        # what was told stays as it was told: it is written out in the server's thread, while the
        # box's goes on, and a page that got the news of one moment with the turn of another would
        # press its cards as of a match that is over
        assert json.dumps(begun) == written
        told = state_of(opened)["match"]["end"]["deal"]
        assert told == opened.log.seed < SEEDS
        opened.auto.seats = set()
        opened.do(messages.Rematch(same_deal=True))
        assert hands_of(opened, 2) == first
        assert opened.log.seed == told
        play_alone(opened)
        wait(lambda: opened.log.closed)
        opened.auto.seats = set()
        opened.do(messages.Rematch())
        assert hands_of(opened, 3) != first
        assert opened.log.seed != told


def test_a_match_goes_on_with_its_cards_when_the_table_is_opened_again(tmp_path: Path) -> None:
    folder = tmp_path / "table1"
    with table(folder) as opened:
        opened.do(START)
        first = hands_of(opened)
    with table(folder) as opened:
        wait(lambda: opened.log.look() or opened.log.count > 0)
        assert hands_of(opened) == first


# -- many deals

SURE = 5.0
"""Standard deviations: a fair table misses this once in a million rows."""


def dealt(what: str, count: int) -> list[tuple[list[list[str]], int, list[str]]]:
    """So many deals of a game: hands, who begins, and what is still to be drawn."""
    header, numbers = resolve({"schiri": 1, **MATCHES[what]}), Deals()
    opened = [
        table_view(header, open_match(header), box_words("en").get, numbers.of(match))
        for match in range(1, count + 1)
    ]
    return [(one.hands, one.starter(), list(getattr(one, "_bag", ()))) for one in opened]


def alike(tables: list[Any]) -> int:
    """Pairs of deals."""
    return sum(comb(times, 2) for times in Counter(map(str, tables)).values())


def one_tells_of_the_next(tables: list[Any]) -> bool:
    """Does seat 1 hold a card as in the deal before, more or less often than by chance?"""
    cards = sorted({card for hands, *_ in tables for hand in hands for card in hand})
    share, count = len(tables[0][0][0]) / len(cards), len(tables)
    held = [cards[0] in hands[0] for hands, *_ in tables]
    again = sum(one == other for one, other in pairwise(held))
    chance = share**2 + (1 - share) ** 2
    beside = share**3 + (1 - share) ** 3 - chance**2  # two pairs share a deal
    margin = SURE * (count * (chance * (1 - chance) + 2 * beside)) ** 0.5
    return abs(again - count * chance) > margin


@pytest.mark.parametrize("count", [200, pytest.param(10_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("what", MATCHES)
def test_deals_are_as_different_as_chance_makes_them(what: str, count: int) -> None:
    tables = dealt(what, count)
    assert (alike(tables), one_tells_of_the_next(tables)) == (0, False)
