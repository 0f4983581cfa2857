"""Every finished match in the store counts or is a task, whatever clocks say and whatever fails.

Two tournaments with equal ids lie in one database, and badges of a third event are about.
"""

import json
import random
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from host_tools.core.errors import Exit, UserError
from host_tools.core.json_types import Json
from host_tools.sim.tournament.simulated_boxes import SimulatedBox, key_of
from host_tools.store import open_store
from host_tools.store.models import StoredMatch
from host_tools.store.store import Store
from host_tools.tournament import events as ev
from host_tools.tournament.actions import entrants
from host_tools.tournament.collecting import Collector
from host_tools.tournament.forgetting import delete_tournament, what_goes
from host_tools.tournament.model import Entrant
from host_tools.tournament.service import TournamentService, command, tournament_ids
from host_tools.tournament.state import MatchState, TournamentState
from tests.sampling import one_in

PEOPLE = {
    "cup": ("Anna", "Berta", "Carla"),
    "youth": ("Xaver", "Yvonne", "Zoe"),
    "other": ("Quentin", "Rosa", "Stefan"),
}
"""Everywhere their ids are p1, p2 and p3."""
TEN_YEARS_S = 10 * 365 * 24 * 3600
STEPS = 12


class LabelledBox(SimulatedBox):
    """Its header says in addition what a box writes of an assignment or of badges."""

    more: Json

    def _header(self, state: TournamentState, match: MatchState) -> Json:
        header = {**super()._header(state, match), **self.more}
        return {name: value for name, value in header.items() if value is not None}


@dataclass
class Hall:
    """A database with its desks. `truth`: journal -> the tournament that may count it, and the
    pair that played; "" if nobody may, and a desk has to ask.
    """

    path: Path
    chance: random.Random
    services: dict[str, TournamentService] = field(default_factory=dict)
    collectors: dict[str, Collector] = field(default_factory=dict)
    truth: dict[str, tuple[str, frozenset[str]]] = field(default_factory=dict)
    boxes: int = 0

    @cached_property
    def store(self) -> Store:
        """That of whoever brings what boxes have: desks fail without it."""
        return open_store(str(self.path))

    def clock(self) -> datetime:
        """As far off as a laptop's can be, and each time otherwise."""
        return datetime.now(UTC) + timedelta(
            seconds=self.chance.randint(-TEN_YEARS_S, TEN_YEARS_S)
        )

    def make(self, event: str, names: tuple[str, ...] = ()) -> None:
        made = ev.Created(name=event.title(), ko_size=2, tables=2, decks=["berge"])
        service = TournamentService.create(str(self.path), "desk", made, event, self.clock)
        people = [
            Entrant(id=f"p{n}", name=name) for n, name in enumerate(names or PEOPLE[event], 1)
        ]
        service.do("desk", "", command(entrants.add_players, people))
        service.do("desk", "", command(entrants.draw, 3, 1, True))
        self.services[event] = service
        self.begin(event)

    def close(self) -> None:
        for service in self.services.values():
            service.close()
        self.store.close()

    def begin(self, event: str) -> None:
        """A desk that has just been opened."""
        self.collectors[event] = Collector(self.services[event], "box", check=True)

    # -- what is played --------------------------------------------------------------------------

    def play(self) -> None:
        """A match of somebody at a new box comes into the store, in one of several ways."""
        event = self.chance.choice([*PEOPLE])
        how = self.chance.choice(["assigned", "badges", "old badges", "names", "nobody"])
        state = self.services["cup" if event == "other" else event].state
        match = self.chance.choice([*state.matches.values()])
        pair = [match.a, match.b]
        names = [PEOPLE[event][int(player[1]) - 1] for player in pair]
        self.boxes += 1
        box = LabelledBox(self.boxes, self.chance)
        badges = {"assigned": event, "badges": event, "old badges": ""}
        more: Json = {"names": names if how != "nobody" else None}
        if how in badges:
            more["players"] = pair
        if how == "assigned":
            more |= {"tournament": event, "tournament_match": match.id, "assignment": 7}
        if how == "badges":
            more["events"] = [event.title()] * 2
        box.more = more
        box.play(state, match)
        key = key_of(box.id)
        if self.chance.random() < 0.7:
            self.store.enrolled._now = lambda: self.clock().timestamp()
            self.store.enrolled.enrol(box.id, key.public, "desk")
        raw = self._spoilt(box)
        digest = self._digest_of(self.store.add(raw).id)
        countable = event != "other" and how != "nobody"
        self.truth[digest] = (event if countable else "", frozenset(pair))
        received = update(StoredMatch).where(StoredMatch.digest == digest)
        with self.store.engine.begin() as connection:
            connection.execute(received.values(received=self.clock()))
        if self.chance.random() < 0.3:
            self.store.enrolled.enrol(box.id, key.public, "desk")
            self.store.judge_again(box.id)

    def _digest_of(self, number: int) -> str:
        stored = self.store.match(number)
        assert stored is not None
        return stored.digest

    def _spoilt(self, box: LabelledBox) -> bytes:
        """Its journal; now and then with a line that the flash has lost."""
        (entry,) = box._journal.entries()
        lines = [line.raw for line in box._journal.lines(entry.number)]
        if self.chance.random() < 0.2:
            at = self.chance.randrange(1, len(lines))
            lines[at] = lines[at][:-3] + b"###"
        return b"".join(line + b"\n" for line in lines)

    # -- what goes wrong -------------------------------------------------------------------------

    def fail(self, patch: pytest.MonkeyPatch) -> None:
        """One fault."""
        self.chance.choice([self._restart, self._lose, self._third, self._stumble])(patch)

    def _restart(self, _patch: pytest.MonkeyPatch) -> None:
        self.begin(self.chance.choice([*self.services]))

    def _lose(self, _patch: pytest.MonkeyPatch) -> None:
        """The newest journal goes: its box said that these were not its bytes."""
        digest = self.store.digests()[-1:]
        if digest and not any(
            digest[0][1] in one.state.journals for one in self.services.values()
        ):
            self.store.drop_journals([digest[0][1]])
            del self.truth[digest[0][1]]

    def _third(self, _patch: pytest.MonkeyPatch) -> None:
        """A tournament of before is deleted, with its journals."""
        if "other" in tournament_ids(self.store):
            delete_tournament(self.store, "other", what_goes(self.store, "other"))
            return
        made = ev.Created(name="Other", ko_size=2, tables=2, decks=["berge"])
        TournamentService.create(str(self.path), "desk", made, "other", self.clock).close()

    def _stumble(self, patch: pytest.MonkeyPatch) -> None:
        """The database fails once while a desk looks."""
        service = self.services[self.chance.choice([*self.services])]
        name = self.chance.choice(["match", "digests"])
        work, left = getattr(service.store, name), [self.chance.randrange(3)]

        def once(*arguments: Any) -> Any:
            left[0] -= 1
            if left[0] == -1:
                raise UserError("db_full", Exit.SYSTEM, where="the disk")
            return work(*arguments)

        patch.setattr(service.store, name, once)

    def collect(self) -> None:
        for collector in self.collectors.values():
            with suppress(UserError):
                collector.collect()


@pytest.fixture
def hall(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Hall]:
    made = Hall(tmp_path / "schiri.db", random.Random(request.param))
    for event in ("cup", "youth"):
        made.make(event)
    yield made
    made.close()


@pytest.mark.parametrize("hall", one_in(25, range(100)), indirect=True)
def test_nothing_stored_is_skipped_in_silence(hall: Hall, monkeypatch) -> None:
    for _ in range(STEPS):
        hall.chance.choice([hall.play, hall.play, hall.collect, lambda: hall.fail(monkeypatch)])()
    for _ in range(3):  # a fault may still lie in wait
        hall.collect()
    states = {event: service.state for event, service in hall.services.items()}
    skipped, foreign = [], []
    third_is_here = "other" in tournament_ids(hall.store)
    for digest, (event, pair) in hall.truth.items():
        counted = [name for name, state in states.items() if digest in state.journals]
        asked = [name for name, state in states.items() if digest in state.unplaced]
        if not counted and not asked and not (third_is_here and _names(hall, digest, "other")):
            skipped.append(digest)
        for name in counted:
            match = states[name].matches[states[name].journals[digest]]
            if name != event or {match.a, match.b} != pair:
                foreign.append((name, digest))
    assert skipped == []
    assert foreign == []
    for event, service in hall.services.items():
        log = " ".join(line.text for line in service.lines())
        strangers = {name for other, names in PEOPLE.items() if other != event for name in names}
        known = {name for name in strangers if name in log}
        assert known <= {name for name in strangers if _unclaimed(hall, name)}


def _header(hall: Hall, digest: str) -> Json:
    (match,) = (match for match in hall.store.matches() if match.digest == digest)
    return match.header


def _names(hall: Hall, digest: str, event: str) -> bool:
    """The header says that it is of this tournament."""
    header = _header(hall, digest)
    return header.get("tournament") == event or header.get("events") == [event.title()] * 2


def _unclaimed(hall: Hall, name: str) -> bool:
    """Somebody with this name sat at a box that named no event: every desk has to ask."""
    headers = [match.header for match in hall.store.matches()]
    return any(
        name in (header.get("names") or [])
        and "tournament" not in header
        and "events" not in header
        for header in headers
    )


@pytest.mark.parametrize(
    ("header", "result"),
    [
        ({}, {"over": True, "counts": [20, 12], "ranking": "abc"}),
        ({}, {"over": True, "counts": ["x", "y"]}),
        ({}, {"over": True, "counts": [[1], [2]]}),
        ({}, {"over": True, "counts": [1.5, 2]}),
        ({}, {"over": True, "counts": [20, 12], "ranking": [[0], [9]]}),
        ({}, {"over": True, "counts": [16, 16], "ranking": [[9], [0]]}),
        ({}, {"over": True}),
        ({"names": 3}, {"over": True, "counts": [20, 12]}),
        ({"players": 7, "events": {}}, {"over": True, "counts": [20, 12]}),
        ({"names": ["\x1b[2J", "Nobody"]}, {"over": True, "counts": [20, 12], "ranking": "abc"}),
        ({"table": "9" * 30, "stage": []}, {"over": True, "counts": [20, 12]}),
    ],
)
def test_a_journal_that_holds_anything_stops_no_desk(
    tmp_path: Path, header: Json, result: Json
) -> None:
    """Its checksums and its chain hold: a box may have been opened. The desk goes on, and opens
    once more.
    """
    hall = Hall(tmp_path / "schiri.db", random.Random(1))
    hall.make("cup")
    service = hall.services["cup"]
    with closing(hall):
        match = service.state.matches["A-1"]
        odd = LabelledBox(1, hall.chance)
        odd.more = {"players": None, **header}
        odd._journal.open_match(json.dumps(odd._header(service.state, match)))
        odd._journal.close(json.dumps({"result": result}))
        odd._seal()
        odd.upload(service.store)
        hall.collect()
        seen = service.store.matches()[0].digest
        assert (seen in service.state.journals) != (seen in service.state.unplaced)
        assert not service.state.matches["A-1"].counts
    with closing(TournamentService.open(str(tmp_path / "schiri.db"))) as again:
        assert again.state.seq == service.known.seq


def test_what_comes_after_a_deleted_match_is_not_taken_for_seen(tmp_path: Path) -> None:
    """SQLite gives the number of the last row, once deleted, to the next one."""
    hall = Hall(tmp_path / "schiri.db", random.Random(1))
    hall.make("cup")
    with closing(hall):
        state = hall.services["cup"].state
        for number, match in enumerate(("A-1", "A-2"), 1):
            box = SimulatedBox(number, hall.chance)
            box.play(state, state.matches[match])
            (stored,) = box.upload(hall.store)
            assert stored.id == number
            if match == "A-1":
                hall.collect()
                hall.store.take_back(stored)
        hall.collect()
        assert hall.services["cup"].state.matches["A-2"].counts


def test_a_match_of_before_is_not_taken_for_this_one(tmp_path: Path) -> None:
    """Last week the same two played; a clock that was wrong then or is now changes nothing."""
    hall = Hall(tmp_path / "schiri.db", random.Random(1))
    hall.make("cup")
    first = hall.services["cup"]
    box = SimulatedBox(1, hall.chance)
    box.play(first.state, first.state.matches["A-1"])
    box.upload(first.store)
    hall.make("youth", PEOPLE["cup"])
    second = hall.services["youth"]
    hall.collect()
    assert second.state.journals == {}
    assert second.state.to_place() == []
    hall.close()


def test_a_slip_goes_where_the_journal_of_its_match_belongs(tmp_path: Path) -> None:
    """A slip has names alone; here the same people play in both tournaments."""
    hall = Hall(tmp_path / "schiri.db", random.Random(1))
    hall.make("cup")
    hall.make("youth", PEOPLE["cup"])
    cup, youth = hall.services["cup"], hall.services["youth"]
    match = cup.state.matches["A-1"]
    box = LabelledBox(1, hall.chance)
    box.more = {"tournament": "cup", "tournament_match": "A-1", "players": [match.a, match.b]}
    result = box.play(cup.state, match)
    (stored,) = box.upload(cup.store)
    row = cup.store.match(stored.id)
    names = [cup.state.players[player].name for player in match.players]
    slip = {
        "match": f"{row.number}-{row.born}",
        "box": row.box_id,
        "game": "trumpf",
        "table": "1",
        "reason": "time",
        "duration_s": 600,
        "head": "ab" * 32,
        "seats": [
            {"name": name, "count": count, "points": 2, "place": place}
            for name, count, place in zip(names, result["counts"], (1, 2), strict=True)
        ],
    }
    book = tmp_path / "slips.jsonl"
    book.write_text(json.dumps(slip) + "\n", encoding="utf8")
    for collector in hall.collectors.values():
        collector.collect([book])
    assert [one.source for one in cup.state.matches["A-1"].reports] == ["box", "slip"]
    assert not any(one.reports for one in youth.state.matches.values())
    assert youth.state.to_place() == []
    hall.close()
