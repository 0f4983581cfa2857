"""Which card wins how often: thousands of simulated matches, and what they say.

The rules TR-1 to TR-11 without jokers and without house rules; every seat calls where its card
beats most others, as the robots of the virtual table do. A test plays the same deals by the box's
rules.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypedDict

from host_tools.core.json_types import Json

MATCHES = 10_000
SEATS = 3
MOST_ROUNDS = 400
"""A match of two can go on for very long; what was played until then counts."""
CHOOSE_FROM = 3
"""TR-9."""
DEAD_SHARE = 0.01
"""A category that fewer of the calls name is dead."""
_NEVER = -1.0


class CardBalance(TypedDict):
    code: str
    name: str
    wins: float


class CategoryBalance(TypedDict):
    key: str
    title: str
    called: float
    tied: float
    dead: bool


class DeckBalance(TypedDict):
    matches: int
    seats: int
    cards: list[CardBalance]
    categories: list[CategoryBalance]


@dataclass(frozen=True)
class BalanceRound:
    """`cards`: seat -> card that it presented; `winner` is None in a tie."""

    caller: int
    category: int
    cards: dict[int, int]
    winner: int | None


class Values:
    """A deck as numbers: `strength[card][category]` is the share of the others that it beats, -1
    where the value is missing. Cards count from 0 in the order of the deck, jokers left out.
    `directions`: which end wins in each category, "high" or "low".
    """

    def __init__(self, deck: Json, directions: Sequence[str]) -> None:
        self.cards: list[Json] = [card for card in deck["cards"] if not card.get("joker")]
        self.categories: list[Json] = deck["categories"]
        self.strength = [[_NEVER] * len(self.categories) for _ in self.cards]
        for place, best in enumerate(directions):
            self._rank(place, -1 if best == "low" else 1)
        self.call = [row.index(max(row)) for row in self.strength]
        self.best = [max(row) for row in self.strength]

    def _rank(self, place: int, sign: int) -> None:
        column = [card["values"][place] for card in self.cards]
        known = sorted(sign * value for value in column if value is not None)
        for card, value in enumerate(column):
            if value is not None:
                beaten = sum(other < sign * value for other in known)
                self.strength[card][place] = beaten / len(known)


@dataclass
class _Table:
    """A match under way: `piles` with the top card first, `pot` as (seat, card)."""

    values: Values
    piles: list[list[int]]
    caller: int
    pot: list[tuple[int, int]] = field(default_factory=list)
    playing: list[int] = field(default_factory=list)

    def rounds(self) -> Iterator[BalanceRound]:
        for _ in range(MOST_ROUNDS):
            if not self.pot:
                if self._over():
                    return
                self.playing = [seat for seat, pile in enumerate(self.piles) if pile]
            else:
                self.playing = [seat for seat in self.playing if self.piles[seat]]
                if len(self.playing) < 2:
                    self._end_pot()
                    continue
            yield self._round()

    def _over(self) -> bool:
        """TR-10."""
        empty = sum(not pile for pile in self.piles)
        return empty > 0 if len(self.piles) > 2 else empty == len(self.piles) - 1

    def _end_pot(self) -> None:
        """TR-8: who alone has cards left gets it; else each takes back their own."""
        for seat, card in self.pot:
            self.piles[self.playing[0] if self.playing else seat].append(card)
        if self.playing:
            self.caller = self.playing[0]
        self.pot = []

    def _round(self) -> BalanceRound:
        seats = len(self.piles)
        while self.caller not in self.playing:  # TR-6: the next one clockwise in the pot
            self.caller = (self.caller + 1) % seats
        strength, caller = self.values.strength, self.caller
        card = self._take(caller, self.values.best)
        category = self.values.call[card]
        cards = {caller: card}
        column = [row[category] for row in strength]
        others = [(caller + step) % seats for step in range(1, seats)]
        others.sort(key=lambda seat: len(self.piles[seat]) <= CHOOSE_FROM)  # TR-9: they come last
        for seat in others:
            if seat in self.playing:
                cards[seat] = self._take(seat, column)
        top = max(column[laid] for laid in cards.values())
        winners = [seat for seat, laid in cards.items() if column[laid] == top]
        winner = winners[0] if len(winners) == 1 and top > _NEVER else None
        self._settle(winner, cards)
        return BalanceRound(caller, category, cards, winner)

    def _take(self, seat: int, worth: Sequence[float]) -> int:
        """The top card; of three or fewer the one that is worth most (TR-9)."""
        pile = self.piles[seat]
        if len(pile) > CHOOSE_FROM:
            return pile.pop(0)
        chosen = max(pile, key=worth.__getitem__)
        pile.remove(chosen)
        return chosen

    def _settle(self, winner: int | None, cards: dict[int, int]) -> None:
        """TR-6; TR-4: the winner's own card, the others clockwise, then the pot as it grew."""
        if winner is None:
            self.pot += cards.items()
            return
        seats = len(self.piles)
        clockwise = sorted(cards, key=lambda seat: (seat - winner) % seats)
        self.piles[winner] += [cards[seat] for seat in clockwise]
        self.piles[winner] += [card for _, card in self.pot]
        self.pot = []
        self.caller = winner


def play(values: Values, piles: list[list[int]], starter: int) -> Iterator[BalanceRound]:
    """The rounds of a match with these piles (the top card first); they are used up."""
    return _Table(values, piles, starter).rounds()


@dataclass
class Balance:
    """What the matches so far say. By card: `laid` and `won` rounds. By category: `called`,
    and `tied` of those.
    """

    values: Values
    seats: int = SEATS
    matches: int = 0

    def __post_init__(self) -> None:
        self.laid = [0] * len(self.values.cards)
        self.won = [0] * len(self.values.cards)
        self.called = [0] * len(self.values.categories)
        self.tied = [0] * len(self.values.categories)
        # a fixed seed: the same deck gets the same figures at every look
        self._chance = random.Random(1)

    def run(self, matches: int) -> None:
        """Play so many more."""
        cards = list(range(len(self.values.cards)))
        # TR-1: what is left over is put aside
        size = len(cards) // self.seats
        for _ in range(matches if size else 0):
            self._chance.shuffle(cards)
            piles = [cards[seat * size : (seat + 1) * size] for seat in range(self.seats)]
            starter = min(range(self.seats), key=lambda seat: min(piles[seat]))  # TR-2
            for done in play(self.values, piles, starter):
                self._count(done)
            self.matches += 1

    def _count(self, done: BalanceRound) -> None:
        self.called[done.category] += 1
        self.tied[done.category] += done.winner is None
        for card in done.cards.values():
            self.laid[card] += 1
        if done.winner is not None:
            self.won[done.cards[done.winner]] += 1

    def report(self) -> DeckBalance:
        """Shares from 0 to 1. A category is dead if hardly anybody ever calls it."""
        # before the first match nothing was called
        calls = max(1, sum(self.called))
        categories: list[CategoryBalance] = [
            {
                "key": category["key"],
                "title": category["title"],
                "called": count / calls,
                "tied": tied / max(1, count),
                "dead": count / calls < DEAD_SHARE,
            }
            for category, count, tied in zip(
                self.values.categories, self.called, self.tied, strict=True
            )
        ]
        cards: list[CardBalance] = [
            {"code": card["code"], "name": card["name"], "wins": won / max(1, laid)}
            for card, won, laid in zip(self.values.cards, self.won, self.laid, strict=True)
        ]
        return {
            "matches": self.matches,
            "seats": self.seats,
            "cards": cards,
            "categories": categories,
        }
