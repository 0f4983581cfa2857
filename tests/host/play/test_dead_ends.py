"""Whoever plays at the virtual table without a jury always gets on: no turn is a dead end."""

import random
from typing import Any

import pytest

from host_tools.games.cafe.table_view import CafeTableView
from host_tools.games.table_view import TableView
from host_tools.sim.table import messages
from host_tools.sim.table.asking import NotAllowed
from host_tools.sim.table.play_table import PlayTable
from tests.host.play_table import ask, table_of
from tests.processes import wait
from tests.sampling import examples
from tests.support.dead_ends import walk
from tests.support.duel import MATCHES

WALKS = examples(210)
MOVES = 36


@pytest.mark.thorough
def test_random_matches_have_no_dead_end() -> None:
    games = list(MATCHES)
    walks = [walk(games[seed % len(games)], seed) for seed in range(WALKS)]
    assert sum(one.lit_in_vain for one in walks) == 0
    assert sum(one.states for one in walks) > 100 * WALKS


# -- at a table with its box, from a seat's own device


class Phones:
    """Two people who seat guests at random, also where nobody of the hand can follow."""

    def __init__(self, table: PlayTable) -> None:
        self.table = table
        self.chance = random.Random(26)
        self.lit = False  # the next guest sits where the page lights a chair
        self.taken_back = 0

    def do(self, message: messages.Tap | messages.Choose | messages.TakeBack, seat: int) -> None:
        """Until the hands are off the box."""
        message.at = self.table.log.at
        self.table.do(message, seat)
        wait(lambda: not self.table.runner.busy)

    def choose(self, *labels: str) -> messages.Choose:
        return messages.Choose(labels=list(labels))

    def move(self) -> None:
        """What the awaited seat does next; the box must take it."""
        table, say = self.table, self.table.say
        before = table.log.count
        awaits, middle = ask(table, lambda world: (world.match.awaits(), world.middle()))
        if awaits.what == "table_card":
            self.do(messages.Tap(code=f"{middle['next_card']}1"), awaits.seat)
        elif found := ask(table, lambda world: self.seating(world, awaits.seat)):
            self.lit = False
            self.do(messages.Tap(code=found[0]), awaits.seat)
            self.do(self.choose(*found[1:]), awaits.seat)
        elif middle["may_end"]:
            self.do(self.choose(say("cafe_done")), awaits.seat)
        elif middle["may_take_back"]:
            self.do(messages.TakeBack(), awaits.seat)
            self.taken_back += 1
            self.lit = True
        else:
            tile = ask(table, lambda world: world.hands[awaits.seat][0])
            self.do(self.choose(say("cafe_bar")), awaits.seat)
            self.do(messages.Tap(code=tile), awaits.seat)
        assert table.log.count > before, (awaits, table.screen.last)

    def seating(self, world: TableView, seat: int) -> Any:
        """A guest, a table and a chair that the box takes."""
        match: Any = world.match
        assert isinstance(world, CafeTableView)
        found = [
            (tile, world.fixed()["plan"]["links"][chair][0], chair)
            for tile in world.hands[seat]
            for chair in (world.allowed(seat, tile) if self.lit else match.legal_chairs(tile))
        ]
        return self.chance.choice(found) if found else None


@pytest.mark.parametrize("preset", ["board", "app"])
def test_a_phone_gets_out_of_a_turn_that_nobody_can_finish(preset: str) -> None:
    with table_of("cafe", 2, preset) as table:
        phones = Phones(table)
        while table.log.count < MOVES:
            phones.move()
        undone = [pair for pair in table.log.steps if pair[0]["do"] == "undo"]
        assert len(undone) == phones.taken_back > 0
        assert {command["why"] for command, _ in undone} == {"player"}
        with pytest.raises(NotAllowed):
            table.do(messages.TakeBack(), 1 - table.log.awaits["seat"])
