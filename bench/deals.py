"""`make bench`: are the virtual table's deals real? For each game, how many are alike."""

from collections import Counter
from itertools import pairwise
from math import comb

from bench.bots import MATCHES
from bench.figure import Figure
from firmware.games import open_match
from host_tools.games import table_view
from host_tools.games.box_words import box_words
from host_tools.games.table import TableView
from host_tools.replay.engines import resolve
from host_tools.sim.table.deals import SEEDS, Deals

DEALS = 10_000
SURE = 5.0
"""Standard deviations: a fair table misses this once in a million rows."""


def measure(deals: int = DEALS) -> list[Figure]:
    """Pairs that are alike, and whether a card of one deal tells of the next."""
    return [figure for what in MATCHES for figure in _of_game(what, deals)]


def _of_game(what: str, count: int) -> list[Figure]:
    header = resolve({"schiri": 1, **MATCHES[what][0]})
    numbers = Deals()
    tables = [_dealt(header, numbers.of(match)) for match in range(1, count + 1)]
    alike = sum(comb(times, 2) for times in Counter(map(str, tables)).values())
    cards = sorted({card for hands, *_ in tables for hand in hands for card in hand})
    share = len(tables[0][0][0]) / len(cards)
    held = [cards[0] in hands[0] for hands, *_ in tables]
    again = sum(one == other for one, other in pairwise(held))
    chance = share**2 + (1 - share) ** 2
    beside = share**3 + (1 - share) ** 3 - chance**2  # two pairs share a deal
    margin = SURE * (count * (chance * (1 - chance) + 2 * beside)) ** 0.5
    by_chance = f"{comb(count, 2) / SEEDS:.6f} by chance"
    return [
        Figure(f"{what}: pairs alike among {count} deals", alike, "", by_chance, not alike),
        Figure(
            f"{what}: seat 1 holds {cards[0]}, or not, as in the deal before",
            100 * again / count,
            "%",
            f"{100 * chance:.2f} ± {100 * margin / count:.2f} by chance",
            abs(again - count * chance) <= margin,
        ),
    ]


def _dealt(header: dict[str, object], seed: int) -> tuple[list[list[str]], int, list[str]]:
    """Hands, who begins, and what is still to be drawn."""
    table: TableView = table_view(header, open_match(header), box_words("en").get, seed)
    return table.hands, table.starter(), list(getattr(table, "_bag", ()))
