"""A Swiss in the browser: preview, pairing and undo by role, who sits out, table and board; tables
of several players, with their places.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from desk_web import Web, token
from starlette.testclient import TestClient

from host_tools.tournament import events as ev
from host_tools.tournament.actions import entrants, matches, rounds
from host_tools.tournament.model import Entrant
from host_tools.tournament.service import TournamentService, command


@pytest.fixture
def service(tmp_path: Path) -> Iterator[TournamentService]:
    """Five players, drawn."""
    setup = ev.Created(name="Cup", mode="swiss", rounds=2, tables=4)
    made = TournamentService.create(f"sqlite:///{tmp_path}/day.db", "Anna", setup)
    names = ("Anna", "Ben", "Cara", "Dora", "Emil")
    players = [Entrant(id=n, name=n, seed=seed) for seed, n in enumerate(names, 1)]
    made.do("Anna", "", command(entrants.add_players, players))
    made.do("Anna", "", command(entrants.draw, 4, 1, True))
    yield made
    made.close()


def visitor(web: Web, role: str | None, lang: str = "en") -> TestClient:
    client = web.visitor(role)
    client.headers["accept-language"] = lang
    client.follow_redirects = True
    return client


def test_rounds_are_previewed_paired_played_and_shown(
    web: Web, service: TournamentService
) -> None:
    desk, jury = visitor(web, "desk"), visitor(web, "jury")
    page = desk.get("/desk/rounds").text
    assert "Round 1 of 2" in page
    assert "Pair round 1" in page
    assert "Pair round 1" not in visitor(web, "viewer").get("/desk/rounds").text
    assert "<li>Anna – Cara</li>" in desk.get("/desk/rounds?preview=1").text
    assert not service.state.matches  # a preview writes nothing
    assert "Runde 1 paaren" in visitor(web, "desk", "de").get("/desk/rounds").text
    desk.post("/desk/do/pair_round", data={"csrf": token(desk, "/desk")})
    page = desk.get("/desk/rounds").text
    assert "Bye: Emil" in page
    assert "check them first" in page
    assert "unpair_round" not in page
    assert "/desk/do/unpair_round" in jury.get("/desk/rounds").text
    board = visitor(web, None).get("/groups").text
    assert "Round 1 of 2" in board
    assert "Bye: Emil" in board
    for match in list(service.state.matches):
        service.do("Anna", "", command(matches.enter, match, (20, 12)))
    form = {"csrf": token(desk, "/desk"), "player": "Ben"}
    desk.post("/desk/do/pause", data=form)
    assert service.state.paused == {"Ben"}
    assert "Play after all" in desk.get("/desk/rounds").text
    desk.post("/desk/do/pair_round", data={"csrf": token(desk, "/desk")})
    assert len(service.state.rounds) == 2
    assert "Buchholz" in desk.get("/desk/standings").text
    assert "Buchholz" in visitor(web, None).get("/ranking").text


def test_another_mode_has_no_page_of_rounds_in_the_menu(
    web: Web, service: TournamentService
) -> None:
    desk = visitor(web, "desk")
    assert 'href="/desk/rounds"' in desk.get("/desk/calls").text
    service.do("Anna", "", command(entrants.change, ev.Changed(mode="groups")))
    assert 'href="/desk/rounds"' not in desk.get("/desk/calls").text
    assert "This mode is not paired" in desk.get("/desk/rounds").text


def test_tables_of_several_are_seated_entered_by_places_corrected_and_shown(
    web: Web, service: TournamentService
) -> None:
    """Five at tables of at most three: in a snake Anna, Dora, Emil, and Ben, Cara, who play an
    ordinary match. At three seats a table gives 4 2 0, and 3 3 0 for a shared first place.
    """
    setup = ev.Changed(mode="tables", seats=3)
    service.do("Anna", "", command(entrants.change, setup))
    service.do("Anna", "", command(entrants.draw, 4, 1, True))
    desk, jury = visitor(web, "desk"), visitor(web, "jury")
    assert "<li>Anna – Dora – Emil</li>" in desk.get("/desk/rounds?preview=1").text
    csrf = token(desk, "/desk")
    desk.post("/desk/do/pair_round", data={"csrf": csrf})
    assert "Anna – Dora – Emil" in desk.get("/desk/rounds").text
    service.do("Anna", "", command(matches.call, "R1-1"))
    public = visitor(web, None)
    assert "Dora, Emil" in public.get("/player/Anna").text
    for page in ("/desk/match/R1-1", "/desk/grid"):
        text = desk.get(page).text
        assert "/desk/do/enter_places" in text
        assert text.count('name="at"') == 3
    form = {"csrf": csrf, "match": "R1-1", "seen": "called-0-0-", "at": ["1", "1", "2"]}
    answer = desk.post("/desk/do/enter_places", data=form)
    assert "3 places are needed" in answer.text
    typed = re.findall(r'name="at"[^>]* value="(\d?)"', answer.text)
    assert typed == ["1", "1", "2"]  # nobody types them again
    desk.post("/desk/do/enter_places", data={**form, "at": ["1", "1", "3"]})
    assert "1. 1. 3." in desk.get("/desk/rounds").text
    assert rows(service) == {"Anna": 3, "Dora": 3, "Emil": 0, "Ben": 0, "Cara": 0}
    match = "/desk/match/R1-1"
    assert "/desk/do/correct_places" not in jury.get(match).text  # not before it was looked at
    assert "3 places are needed" in jury.get(f"{match}?preview=1&at=1&at=1&at=2").text
    assert "this result already" in jury.get(f"{match}?preview=1&at=1&at=1&at=3").text
    page = jury.get(f"{match}?preview=1&at=0&at=2&at=1").text
    assert "/desk/do/correct_places" in page
    assert "Emil: rank 3 → 1" in page
    assert "Anna: rank 1 → 2" in page
    assert 'name="order" value="0 2 1"' in page
    form |= {"seen": "checked-1-0-0.0", "csrf": token(jury, "/desk"), "preview": "1"}
    form = {key: said for key, said in form.items() if key != "at"} | {"order": "0 2 1"}
    refused = jury.post("/desk/do/correct_places", data=form).text
    assert "Emil: rank 3 → 1" in refused  # no reason was given; what was looked at stays
    jury.post("/desk/do/correct_places", data={**form, "why": "twice"})
    assert rows(service) == {"Anna": 0, "Dora": 0, "Emil": 4, "Ben": 0, "Cara": 0}
    two = {"match": "R1-2", "seen": "open-0-0-", "cards_a": "20", "cards_b": "12"}
    desk.post("/desk/do/enter", data={"csrf": csrf, **two})
    assert rows(service)["Ben"] == 4
    # Emil was first of two: 4 at three seats, as Ben, who has 8 cards more; Anna did not come
    assert "place 1 of 2 at table 1, 4 points" in public.get("/player/Emil").text
    assert "Place 2, 4 points out of 1 match." in public.get("/player/Emil").text
    assert "Rang 2 von 2 am Tisch 1, 0 Punkte" in public.get("/find?q=dora&lang=de").text
    assert "did not come to table 1" in public.get("/find?q=anna").text
    assert "did not come to table 1" in public.get("/find?q=a").text  # Anna, Cara, Dora
    for page in ("/groups", "/ranking", "/", "/wall"):
        shown = public.get(page)
        assert shown.status_code == 200
    assert "Firsts" in public.get("/ranking").text
    now = public.get("/").text
    assert '<span class="who won">Emil</span>' in now  # whatever the seat
    assert '<span class="who won">Anna</span>' not in now
    assert 'href="/tree' not in now  # nor a knock-out at the desk
    assert "/desk/ko" not in desk.get("/desk").text
    assert "makes only 0 cards" not in jury.get("/desk/match/R1-1").text
    assert 'href="/teams' not in now
    for player, club in (("Emil", "Bern"), ("Dora", "Bern"), ("Ben", "Thun")):
        service.do("Anna", "", command(entrants.edit_player, player, club=club))
    assert "Clubs as teams" in desk.get("/desk/standings").text
    assert 'href="/teams' in public.get("/").text
    teams = " ".join(public.get("/teams").text.partition("<tbody>")[2].split())
    assert teams.index("Thun <small>Ben</small>") < teams.index("Bern <small>Emil, Dora</small>")
    jury.post("/desk/do/mode", data={"csrf": token(jury, "/desk"), "rounds": "1"})
    final = " ".join(public.get("/ranking").text.partition("final")[2].split())
    assert 'Emil <small>Bern</small></th> <td class="points">4</td>' in final
    assert "Firsts" in desk.get("/desk/standings").text


def rows(service: TournamentService) -> dict[str, int]:
    return {row.player: row.points for row in service.state.overall_rows()}


def test_groups_then_a_swiss_then_the_tree(web: Web, service: TournamentService) -> None:
    """The desk leads from the groups to the first round, and shows all stages."""
    desk, jury = visitor(web, "desk"), visitor(web, "jury")
    form = {"csrf": token(jury, "/desk"), "mode": "groups_swiss_tree", "advance": "1"}
    jury.post("/desk/do/mode", data={**form, "rounds": "1", "legs": "1", "ko_size": "2"})
    names = ("Fred", "Gina", "Hugo")
    service.do("Anna", "", command(entrants.add_players, [Entrant(id=n, name=n) for n in names]))
    service.do("Anna", "", command(entrants.draw, 4, 1, True))
    assert "12 group matches are not checked yet" in desk.get("/desk/rounds").text
    for match in list(service.state.matches.values()):
        cards = (20, 12) if match.a < match.b else (12, 20)
        service.do("Anna", "", command(matches.enter, match.id, cards))
    assert "Pair round 1" in desk.get("/desk/rounds").text
    assert "/desk/rounds" in desk.get("/desk/standings").text  # what is next leads there
    assert "<li>Anna – Ben</li>" in desk.get("/desk/rounds?preview=1").text
    desk.post("/desk/do/pair_round", data={"csrf": token(desk, "/desk")})
    service.do("Anna", "", command(matches.enter, "R1-1", (20, 12)))
    page = desk.get("/desk/standings").text
    assert [page.index(f"<h2>{title}</h2>") for title in ("Swiss", "Group A", "Group B")]
    board = visitor(web, None)
    shown = board.get("/groups").text
    assert "Round 1 of 1" in shown
    assert "Group A" in shown
    assert "Round 1" in desk.get("/desk/match/R1-1").text
    assert "Gruppe Swiss" not in visitor(web, None, "de").get("/groups").text
    assert "Anna" in board.get("/ranking").text
    jury.post("/desk/do/draw_ko", data={"csrf": token(jury, "/desk")})
    assert service.state.ko_seeds == ["Anna", "Ben"]


def test_clubs_are_teams_on_the_page_and_in_the_file(web: Web, service: TournamentService) -> None:
    """Anna and Ben of Bern beat Cara and Dora of Chur; with one each, Anna counts."""
    desk, jury = visitor(web, "desk"), visitor(web, "jury")
    for name, club in (("Anna", "Bern"), ("Ben", "Bern"), ("Cara", "Chur"), ("Dora", "Chur")):
        service.do("Anna", "", command(entrants.edit_player, name, club=club))
    assert "Clubs as teams" in desk.get("/desk/standings").text
    service.do("Anna", "", rounds.pair_round)
    for match in list(service.state.matches.values()):
        cards = (20, 12) if match.a < match.b else (12, 20)
        service.do("Anna", "", command(matches.enter, match.id, cards))
    page = " ".join(desk.get("/desk/standings").text.split())
    assert "Anna, Ben" in page
    assert desk.get("/desk/export/teams").text.splitlines()[1] == '1,Bern,4,16,"Anna, Ben"'
    form = {"csrf": token(jury, "/desk"), "team_best": "1"}
    assert jury.post("/desk/do/mode", data=form).status_code == 200
    assert "Anna, Ben" not in desk.get("/desk/standings").text
    assert desk.get("/desk/export/teams").text.splitlines()[1] == "1,Bern,2,8,Anna"
