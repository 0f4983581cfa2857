"""`schiri desk` with a box at a cable: the twin's box on a pty, from the call to what its page
says, and the same from the command line.
"""

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

from card_tags.p256 import finished
from firmware.app.flash import Flash
from firmware.app.own_key import OwnKey
from firmware.app.settings import Settings
from host_tools.box.link import open_link
from host_tools.cards.keys import KeyRing, LeagueKey, save_keys
from host_tools.cards.public_keys import load_desk_key
from host_tools.cli import schiri
from host_tools.sim.table.box_setup import set_up
from host_tools.sim.table.tags import LEAGUE_KEY
from host_tools.tournament import events as ev
from host_tools.tournament.actions import entrants, matches
from host_tools.tournament.boxes import BoxTables
from host_tools.tournament.model import Entrant
from host_tools.tournament.service import TournamentService, command
from host_tools.web.desk.app import make_app
from tests.host.desk_web import Clock, Web, token, users
from tests.processes import started, wait

Box = tuple[str, IO[str]]
"""Its port, and the console at which people lay tags and press."""


@pytest.fixture
def box(tmp_path: Path, db: str) -> Iterator[Box]:
    """Enrolled by the desk of `db`."""
    flash = tmp_path / "flash"
    set_up(flash, "en", "Red")
    Settings(Flash(str(flash))).set({"table": 1, "language": "en", "name": "Red"})
    own, desk = OwnKey(Flash(str(flash))), load_desk_key(make="Cup")
    assert desk is not None
    finished(own.making(random.Random(1).randbytes))
    own.enrol(desk.public)
    line = [str(Path(sys.executable).parent / "schiri"), "twin", "box", "--engine", "cpython"]
    line += ["--flash", str(flash)]
    with started(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdin
        yield process.stdout.readline().strip(), process.stdin


@pytest.fixture
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A tournament of two whose match is called to table 1; the league's key is here."""
    keys = tmp_path / "keys.json"
    save_keys(KeyRing([LeagueKey("cup", LEAGUE_KEY)]), keys)
    monkeypatch.setenv("SCHIRI_KEYS", str(keys))
    made = str(tmp_path / "schiri.db")
    setup = ev.Created(name="Cup", ko_size=2, tables=1, decks=["berge"])
    service = TournamentService.create(made, "desk", setup)
    pair = [Entrant(id="p1", name="Anna"), Entrant(id="p2", name="Ben")]
    service.do("desk", "", command(entrants.add_players, pair))
    service.do("desk", "", command(entrants.draw, 2, 1, True))
    service.do("desk", "", command(matches.call, "A-1"))
    service.close()
    return made


def press_ok(console: IO[str]) -> None:
    console.write("press ok\n")
    console.flush()


def test_the_page_of_the_tables_follows_a_box_and_takes_its_match_away(
    tmp_path: Path, box: Box, db: str
) -> None:
    port, console = box
    service = TournamentService.open(db)
    tables = BoxTables(service, lambda: [port], look_s=0.02)
    accounts, clock = users(tmp_path), Clock()
    with TestClient(make_app(service, accounts, tables=tables)) as running:
        desk = Web(running.app, running, accounts, clock).visitor("desk")  # type: ignore[arg-type]

        def page() -> str:
            return desk.get("/desk/tables?lang=en").text

        wait(lambda: "is shown" in page())
        assert "Red" in page()

        def both_come() -> None:
            for count in (1, 2):
                press_ok(console)
                wait(lambda wanted=count: len(tables.rows()[0].given.here) == wanted)

        both_come()
        wait(lambda: "both are here" in page())
        form = {"csrf": token(desk, "/desk/tables"), "match": "A-1"}
        assert desk.post("/desk/do/give", data=form).status_code == 303
        wait(lambda: "both are here" not in page())
        desk.post("/desk/do/give", data={**form, "box": tables.rows()[0].box})
        wait(lambda: "is shown" in page())
        both_come()
        press_ok(console)
        wait(lambda: "is played" in page())
        assert service.state.matches["A-1"].started_at
        assert "10:00 left" in page()
    service.close()


def test_the_command_line_gives_a_match_and_tells_of_it(box: Box, db: str) -> None:
    port, console = box

    def run(*words: str) -> str:
        outcome = CliRunner().invoke(schiri, [*words, "--port", port], catch_exceptions=False)
        return outcome.output

    assert "is given to box" in run("tournament", "give", "A-1", "--db", db)
    press_ok(console)
    wait(lambda: "here: " in run("tournament", "boxes", "--db", db, "--lang", "en"))
    assert run("box", "assign") == "given: cup/A-1, shown\nhere: p2\n"
    assert run("box", "assign", "--withdraw") == "given: nothing, none\n"
    link = open_link(port)
    assert link.request("assign")["assigned"] is None
    link.close()
