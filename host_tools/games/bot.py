"""Players of three strengths, for every game: what each may look at, how the strong ones search.

A bot sees what its seat sees: the rules' own match, in which stands what everybody has heard, the
events, and the cards of its hand. What it cannot see it imagines: deals that agree with all it
knows, drawn by chance. The strong ones try every option in the same imagined deals, by playing on
in a copy of the match (docs/decisions/bots.md).
"""

import copy
import random
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from host_tools.games.player import Act, Player

EASY, MEDIUM, STRONG = STRENGTHS = ("easy", "medium", "strong")
RANDOM = "random"
"""Anything that it may do: none to play against, what the others are measured by."""
_FIRST_LOOK = 4
"""This part of the deals is tried with every option, the rest with the better half of them."""
_FEWEST_LEFT = 3
"""So many options at least are tried with all deals."""
_LAPSE = 0.5
"""How often the easy one plays without thinking."""
Dealt = TypeVar("Dealt")


class Option(NamedTuple):
    """Something that a seat may do, and what it is worth on average, in points of the game."""

    act: Act
    value: float


class Bot(Player):
    """Stands before the game's own player in the order of classes. `samples` bounds the deals that
    a strong one imagines for one decision.
    """

    samples = 40

    def begin(self) -> None:
        super().begin()
        self.strength = MEDIUM
        # drawn once: a decision must not depend on how many came before
        self._salt = self.chance.random()

    @abstractmethod
    def options(self, hand: list[str]) -> list[Act]:
        """What this seat may do now; none or one: there is nothing to decide."""

    @abstractmethod
    def search(self, hand: list[str], options: list[Act], samples: int) -> list[Option]:
        """What each of them is worth; in any order."""

    def act(self, hand: list[str]) -> Act:
        if self.strength == STRONG:
            judged = self.judge(hand)
            if judged:
                return judged[0].act
        elif self.strength in (EASY, RANDOM):
            lapse = self.dice()
            lapses = self.strength == RANDOM or lapse.random() < _LAPSE
            options = self.options(hand) if lapses else []
            if options:
                return lapse.choice(options)
        return self.by_rule_of_thumb(hand)

    def by_rule_of_thumb(self, hand: list[str]) -> Act:
        """What the medium one does: as the game's own player if it is not said otherwise."""
        return super().act(hand)  # type: ignore[safe-super]

    def judge(self, hand: list[str], samples: int = 0) -> list[Option]:
        """All options, the best first; none where there is nothing to decide."""
        options = self.options(hand)
        if len(options) < 2:
            return []
        found = self.search(hand, options, samples or self.samples)
        return sorted(found, key=lambda option: -option.value)

    def stir(self, salt: int) -> None:
        """Have other chances than the seed gave, in the same match once more."""
        self._salt += salt

    def dice(self) -> random.Random:
        """Chance for the decision in this position: the same, however often it is asked."""
        # no clock is asked, so that a decision is the same on every machine
        return random.Random(f"{self._salt}/{self.seat}/{self.match.n}")

    def fork(self) -> Any:
        """The match once more, to be played on."""
        return copy.deepcopy(self.match)


def try_all(
    options: Sequence[Act],
    samples: int,
    imagine: Callable[[], Dealt],
    try_out: Callable[[Act, Dealt], float],
) -> list[Option]:
    """The mean of `try_out` for every option over the same imagined deals; the worse half of the
    options is left after a first look.
    """
    sums = {place: 0.0 for place in range(len(options))}
    counts = dict.fromkeys(sums, 0)
    trying = list(sums)
    for number in range(samples):
        if number == max(1, samples // _FIRST_LOOK):
            trying.sort(key=lambda place: -sums[place])
            del trying[max(_FEWEST_LEFT, len(trying) // 2) :]
        # all options share one deal, so that luck does not tell them apart
        deal = imagine()
        for place in trying:
            sums[place] += try_out(options[place], deal)
            counts[place] += 1
    return [Option(act, sums[place] / counts[place]) for place, act in enumerate(options)]
