"""What a synced box left in the store appears at the desk without anybody asking for it."""

import random
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from host_tools.sim.table import analysis
from host_tools.tournament import events as ev
from host_tools.tournament.actions import entrants as entrant_commands
from host_tools.tournament.model import Entrant
from host_tools.tournament.service import TournamentService
from host_tools.web.desk.app import make_app
from tests.host.desk_web import log_in, users
from tests.host.tournament.test_incoming import SimulatedBox, command
from tests.processes import wait


def test_a_box_match_is_reported_while_the_desk_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for least in ("_DEALS", "_CAREFUL", "_AGAIN"):  # how well it is judged is no matter here
        monkeypatch.setattr(analysis, least, int(least == "_AGAIN"))
    made = ev.Created(name="Cup", ko_size=2, tables=2, decks=["berge"])
    service = TournamentService.create(str(tmp_path / "schiri.db"), "desk", made)
    entrants = [
        Entrant(id=f"p{n}", name=name) for n, name in enumerate(["Anna", "Jörg", "Şebnem"])
    ]
    service.do("desk", "", command(entrant_commands.add_players, entrants))
    service.do("desk", "", command(entrant_commands.draw, 3, 1, True))
    box = SimulatedBox(1, random.Random(1))
    with TestClient(make_app(service, users(tmp_path))) as running:
        result = box.play(service.state, service.state.matches["A-1"])
        box.upload(service.store)
        wait(lambda: bool(service.state.matches["A-1"].reports))
        assert running.get("/").status_code == 200
        log_in(running, "viewer")
        assert "/desk/after/A-1" in running.get("/desk/match/A-1").text
        page = running.get("/desk/after/A-1", params={"lang": "en"}).text
        assert "Turning points" in page
        assert ("wins!" in page) == (len(result["ranking"][0]) == 1)
        assert running.get("/desk/after/A-2").status_code == 404
    reports = service.state.matches["A-1"].reports
    assert [(list(said.cards), said.source, said.trust) for said in reports] == [
        (result["counts"], "box", "verified")
    ]
    assert service.state.matches["A-1"].status == "reported"  # the desk still checks it
    service.close()
