"""The base of all players: what a seat does next, from what that seat may know."""

import random
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from host_tools.core.json_types import Json

# a number, as it is compared with counts of taps and turns
NEVER = 1 << 30


@dataclass(frozen=True)
class Act:
    """What somebody does next, after thinking for `think_ms`: a command of TRANSCRIPT.md."""

    do: str
    fields: Json
    think_ms: int


WAIT = Act("wait", {}, 1_000)
TAKE_BACK = Act("undo", {"why": "jury"}, 900)
"""Nothing else is possible: the arbiter takes the last move back."""


class Player(ABC):
    """The player at `seat`. `match` is the rules' own: what the box was told, everybody heard.

    `header` holds deck and board as objects; a `faultless` player does nothing that the box would
    refuse, and does not lie.
    """

    def __init__(
        self, header: Json, match: Any, seat: int, chance: random.Random, faultless: bool = True
    ) -> None:
        self.header = header
        self.match = match
        self.seat = seat
        self.chance = chance
        self.faultless = faultless
        self.begin()

    def begin(self) -> None:
        """What a game's player keeps in mind from the start of the match; `super` first."""
        return

    @abstractmethod
    def act(self, hand: list[str]) -> Act:
        """What to do now that this seat is awaited; `hand` are the cards that it may look at."""

    def interject(self, hand: list[str]) -> Act | None:
        """What this seat does though it may be another's turn; None: nothing."""
        return None

    def hear(self, event: Json) -> None:
        """The box has said something: an event, or `refused` with the command and the reason."""
        return
