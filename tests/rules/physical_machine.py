"""What the state machines of Hattrick, Quartett and café share: real cards beside the referee.

A game gives a `table` (the physical model) with `follow(event)`, and rules: what people do.
Here: a refusal changes nothing, an undo brings back every cell and every card.
"""

import copy
import random
from typing import Any, Protocol

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from firmware.games import open_match
from firmware.rules.answers import Answer

PICKS = st.integers(0, 2**16)


class Table(Protocol):
    """Cards, hands and piles as they lie on the wood."""

    def commanded(self, do: str, fields: dict[str, Any], n: int) -> None:
        """Command number `n` was accepted; its events follow."""

    def follow(self, event: tuple[Any, ...]) -> None:
        """Do what the referee says, and check that it can be done."""


class PhysicalMachine(RuleBasedStateMachine):
    """`open` starts a match; `say` gives a command; `refused` gives one that must be refused."""

    match: Any
    table: Any

    def open(self, header: dict[str, Any], table: Table) -> None:
        """Sit down: the referee and the table begin together."""
        self.match = open_match(header)
        self.table = table
        self.past: list[tuple[int, list[int], Any]] = []

    def say(self, do: str, **fields: Any) -> Answer:
        """A legal command: it is accepted, and the table follows its events."""
        before = (list(self.match.cells.now), copy.deepcopy(self.table))
        answer: Answer = self.match.apply({"t": 0, "do": do, **fields})
        assert answer.refusal is None, (do, fields, answer)
        self.past.append((answer.n, *before))
        self.table.commanded(do, fields, answer.n)
        for event in answer.events:
            self.table.follow(event)
        return answer

    def refused(self, reasons: set[str], do: str, **fields: Any) -> None:
        """An illegal command: refused for one of these reasons, and nothing has changed."""
        before = self.position()
        answer = self.match.apply({"t": 0, "do": do, **fields})
        assert answer.refusal is not None, (do, fields)
        assert answer.refusal.reason in reasons, (do, fields, answer.refusal)
        assert answer.refusal.rule or answer.refusal.reason in ("not_now", "nothing_to_undo")
        assert answer.events == []
        assert answer.awaits == before[1]
        assert self.position() == before

    def position(self) -> tuple[Any, ...]:
        """Everything that a refusal must leave alone."""
        match = self.match
        return (list(match.cells.now), match.awaits(), match.result(), match.over())

    def act(self, chance: random.Random) -> None:
        """One awaited act of people who keep to the rules."""
        raise AssertionError("every game has its own")

    @precondition(lambda self: not self.match.over())
    @rule(seed=PICKS, acts=st.sampled_from([1, 4, 20, 80, 200]))
    def play_on(self, seed: int, acts: int) -> None:
        """A stretch of the game, up to its end."""
        chance = random.Random(seed)
        for _ in range(acts):
            if self.match.over():
                return
            self.act(chance)
            self.check()

    def check(self) -> None:
        """What must hold after every act."""

    @precondition(lambda self: self.past)
    @rule(times=st.integers(1, 4))
    def take_back(self, times: int) -> None:
        for _ in range(min(times, len(self.past))):
            self.take_back_one()

    def take_back_one(self) -> None:
        """Every cell and every card is where it was."""
        number, cells, table = self.past.pop()
        answer = self.match.apply({"t": 0, "do": "undo"})
        assert answer.events == [("undone", number)]
        assert list(self.match.cells.now) == cells
        self.table = table
        self.check()

    @rule()
    def time_passes(self) -> None:
        """A `tick` means nothing in a game without a clock."""
        before = self.position()
        answer = self.match.apply({"t": 0, "do": "tick"})
        assert answer.events == []
        assert self.position() == before

    @precondition(lambda self: self.match.over())
    @rule()
    def nothing_after_the_end(self) -> None:
        self.refused({"over"}, "begin", seat=0)
