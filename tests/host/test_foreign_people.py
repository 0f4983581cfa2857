"""Two tournaments with equal ids in one database, and badges of a third event at their tables: on
what one of them shows stands nobody of the others.
"""

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from firmware.app.link_frames import CHAIN_START, write_record
from host_tools.core.json_types import Json
from host_tools.store.heard import HeardBox
from host_tools.store.live import LiveLine, WriteBatch
from host_tools.store.said import Here, SaidState
from host_tools.tournament import events as ev
from host_tools.tournament.actions import entrants
from host_tools.tournament.model import Entrant
from host_tools.tournament.service import TournamentService, command
from host_tools.web.desk.app import make_app
from tests.host.desk_web import log_in, users
from tests.host.tournament.test_counted import LabelledBox
from tests.processes import wait
from tests.support.air_box import recorded_hand

CUP = ("Anna-Cup", "Berta-Cup", "Carla-Cup")
YOUTH = ("Xaver-Youth", "Yvonne-Youth", "Zoe-Youth")
THIRD = ("Quentin-Third", "Rosa-Third", "Stefan-Third")
IDS = ["p1", "p2", "p3"]
PAGES = (
    *("/", "/tables", "/table/1", "/table/2", "/table/3", "/table/4", "/overlay", "/wall"),
    *("/feed/1", "/groups", "/ranking", "/tree", "/find?q=a", "/?screen=live,tables,calls"),
    *("/desk", "/desk/boxes", "/desk/tables", "/desk/grid", "/desk/match/A-1", "/desk/players"),
    *("/desk/log", "/desk/hall"),
)


@pytest.fixture
def youth(tmp_path: Path) -> Iterator[TournamentService]:
    """Made second; both have p1, p2 and p3, and matches A-1 to A-3."""
    for name, people in (("Cup", CUP), ("Youth", YOUTH)):
        made = ev.Created(name=name, ko_size=2, tables=4, decks=["berge"])
        service = TournamentService.create(str(tmp_path / "schiri.db"), "desk", made)
        players = [Entrant(id=one, name=called) for one, called in zip(IDS, people, strict=True)]
        service.do("desk", "", command(entrants.add_players, players))
        service.do("desk", "", command(entrants.draw, 3, 1, True))
        if name == "Cup":
            service.close()
    yield service
    service.close()


def on_the_air(service: TournamentService, table: int, more: Json) -> None:
    """A box whose match is under way: its header has `more`."""
    box, match = f"b{table:03}", recorded_hand()
    header = {**json.loads(match.header), "table": table, **more}
    chain, lines = CHAIN_START, []
    for number, text in enumerate([json.dumps(header), *map("\t".join, match.steps[:3])]):
        raw, chain = write_record(chain, number, text)
        lines.append(LiveLine(box, 1, "a", number, datetime.now(UTC), raw[:-1]))
    said = SaidState(match=1, lines=len(lines), head=chain.hex(), clock=90, running=True)
    here = Here(here=True, box=box, table=table)
    heard = HeardBox(box, datetime.now(UTC), here, said)
    service.store.live.write(WriteBatch({box: heard}, lines))


HEADERS: list[Json] = [
    {"names": [*CUP], "players": IDS, "tournament": "cup", "tournament_match": "A-1"},
    {"names": [*THIRD], "players": IDS, "events": ["Third"] * 3},
    {"names": [*CUP], "players": IDS, "events": ["Cup", "cup", "Cup"]},
    {"names": [*YOUTH], "players": IDS, "events": ["Youth"] * 3},
]
"""By table, from 1; the last one is ours."""


def test_nobody_of_another_event_is_on_any_page(
    youth: TournamentService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for table, header in enumerate(HEADERS, 1):
        on_the_air(youth, table, header)
    for number, header in enumerate(HEADERS[:3], 1):
        box = LabelledBox(number, random.Random(number))
        box.more = {
            key: value[:2] if isinstance(value, list) else value for key, value in header.items()
        }
        box.play(youth.state, youth.state.matches["A-1"])
        box.upload(youth.store)
    with TestClient(make_app(youth, users(tmp_path))) as running:
        log_in(running, "desk")
        wait(lambda: bool(youth.state.to_place()))
        wait(lambda: "Yvonne-Youth" in running.get("/tables").text)
        found = {page: running.get(page, params={"lang": "en"}) for page in PAGES}
    assert {
        page: answer.status_code for page, answer in found.items() if answer.status_code != 200
    } == {}
    strangers = {
        (page, name)
        for page, answer in found.items()
        for name in (*CUP, *THIRD)
        if name in answer.text
    }
    assert strangers == set()
    assert "Yvonne-Youth" in found["/tables"].text
    lines = [json.loads(line) for line in found["/feed/1"].text.splitlines()]
    seats = {line["table"]: len(line["seats"]) for line in lines if line["kind"] == "table"}
    assert seats == {1: 0, 2: 0, 3: 0, 4: 3}
    # asked about, with whose badge it is, and the cup's own are the cup's task
    tasks = youth.state.to_place()
    assert [(task.players, task.events) for task in tasks] == [(["p1", "p2"], ["Third", "Third"])]
    assert "p1 (Third) – p2 (Third)" in found["/desk/boxes"].text
    assert "the badge p1 is of the event" in found["/desk/boxes"].text
    assert not any(match.reports for match in youth.state.matches.values())
    assert not any(name in line.text for line in youth.lines() for name in (*CUP, *THIRD))
