"""Signing up by the public page: who has a place, what keeps spam out, where a contact is read."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from desk_web import Web, token
from httpx import Response

from host_tools.tournament import events as ev
from host_tools.tournament.actions import entrants, matches, signups
from host_tools.tournament.actions.knockout import draw_ko
from host_tools.tournament.export import FORMATS, WITH_OBSERVATIONS
from host_tools.tournament.service import TournamentService, command
from host_tools.web.desk.limiter import PER_ADDRESS, WINDOW_S

MAIL = "anna@example.org"


@pytest.fixture
def service(tmp_path: Path) -> Iterator[TournamentService]:
    made = TournamentService.create(
        str(tmp_path / "day.db"), "Anna", ev.Created(name="Cup", tables=2, ko_size=2)
    )
    yield made
    made.close()


def opened(service: TournamentService, limit: int = 0, asks: bool = False) -> None:
    service.do("jury", "", command(signups.set_signups, True, limit, asks))


def send(web: Web, name: str, /, **more: str) -> Response:
    client = web.visitor()
    web.running.portal.call(web.app.state.follower.catch_up)  # type: ignore[union-attr]
    return client.post("/signup?lang=en", data={"name": name, "club": "", "website": "", **more})


def done(answer: Response) -> str:
    assert answer.status_code == 303, answer.text
    return answer.headers["location"].rpartition("done=")[2]


def test_the_first_ones_have_a_place_and_the_others_wait(
    web: Web, service: TournamentService
) -> None:
    assert send(web, "Anna Egli").status_code == 409  # closed
    opened(service, limit=2)
    assert [done(send(web, name)) for name in ("Anna Egli", "Ben Roth", "Cem Ay")] == [
        "1",
        "1",
        "2",
    ]
    assert send(web, "anna  EGLI").status_code == 409  # twice
    assert "waiting list" in web.visitor().get("/signup?lang=en").text
    assert service.state.players == {}
    desk = web.visitor("desk")
    page = desk.get("/desk/signups?lang=en").text
    assert page.count('class="state called">waiting list') == 1
    assert "3 sign-ups wait to be confirmed" in page
    form = {"csrf": token(desk, "/desk")}
    assert desk.post("/desk/do/accept_signups", data=form).status_code == 303
    assert [player.name for player in service.state.players.values()] == ["Anna Egli", "Ben Roth"]
    assert desk.post("/desk/do/accept_signups", data=form).status_code == 409  # no place is left
    left = next(iter(service.state.signups))
    assert desk.post("/desk/do/accept_signup", data={**form, "signup": left}).status_code == 303
    assert [player.name for player in service.state.players.values()][2] == "Cem Ay"
    assert desk.post("/desk/do/decline_signup", data={**form, "signup": left}).status_code == 409


def test_what_keeps_spam_out(web: Web, service: TournamentService) -> None:
    opened(service)
    before = service.last_seq()
    # the field that people do not see: a program is told that all went well
    assert done(send(web, "Robot", website="http://spam.example")) == "1"
    assert send(web, "x" * 81).status_code == 409
    assert send(web, "Zalgo" + "\u0301" * 7).status_code == 409
    assert send(web, "Anna", club="y" * 5000).status_code == 400
    assert send(web, "Anna", role="jury").status_code == 409
    other = web.visitor().post(
        "/signup", data={"name": "Anna"}, headers={"origin": "http://evil.example"}
    )
    assert other.status_code == 400
    assert service.last_seq() == before
    own = web.visitor().post(
        "/signup", data={"name": "Own"}, headers={"origin": "http://testserver"}
    )
    assert done(own) == "1"
    answers = [send(web, f"Player {n}").status_code for n in range(PER_ADDRESS + 5)]
    assert answers == [303] * (PER_ADDRESS - 1) + [429] * 6
    assert len(service.state.signups) == PER_ADDRESS
    web.clock.seconds += WINDOW_S
    assert done(send(web, "Late Lu")) == "1"


def test_a_contact_is_for_the_desk_alone_and_goes_after_the_event(
    web: Web, service: TournamentService
) -> None:
    opened(service)
    assert done(send(web, "Nobody Asked", contact=MAIL)) == "1"
    assert MAIL not in "".join(line.text for line in service.lines())
    opened(service, asks=True)
    assert send(web, "Anna Egli").status_code == 409
    assert done(send(web, "Anna Egli", contact=MAIL)) == "1"
    desk, viewer = web.visitor("desk"), web.visitor("viewer")
    assert MAIL in desk.get("/desk/signups").text
    assert MAIL not in viewer.get("/desk/signups").text
    service.do("desk", "", signups.accept_signups)
    assert MAIL in desk.get("/desk/signups").text  # still to be reached
    for page in ("/desk/signups", "/desk/players", "/desk/player/p002", "/desk/log", "/desk"):
        assert MAIL not in viewer.get(page).text, page
    for page in ("/", "/find?q=Anna", "/player/p002", "/signup"):
        assert MAIL not in viewer.get(page).text, page
    for kind, make in FORMATS.items():
        if kind not in WITH_OBSERVATIONS:
            assert MAIL.encode() not in make(service, "en"), kind
    service.do("desk", "", command(entrants.draw, 2, 1, True))
    for _ in range(2):
        for match in [m.id for m in service.state.matches.values() if m.status == "open"]:
            service.do("desk", "", command(matches.enter, match, (20, 12)))
        if service.state.bracket is None:
            service.do("desk", "", draw_ko)
    assert service.state.final_places()
    _forget_on_the_page(web, service)
    text = "".join(line.text for line in service.lines())
    assert MAIL not in text
    assert "Egli" not in text
    assert service.state.contacts == {}
    for page in ("/groups", "/ranking", "/signup"):
        assert "Egli" not in web.visitor().get(page).text, page


def _forget_on_the_page(web: Web, service: TournamentService) -> None:
    """The jury alone, and only who types the name of the tournament."""
    name, desk, jury = service.state.setup.name, web.visitor("desk"), web.visitor("jury")
    assert "/desk/forget" not in desk.get("/desk/honours").text
    fields = {"event": name, "csrf": token(desk, "/desk/honours")}
    assert desk.post("/desk/forget", data=fields).status_code == 403
    fields = {"event": name, "csrf": "forged"}
    assert jury.post("/desk/forget", data=fields).status_code == 403
    page = jury.get("/desk/honours?lang=en").text
    assert 'action="/desk/forget"' in page
    csrf = token(jury, "/desk/honours")
    for wrong in ({}, {"event": ""}, {"event": name[:-1]}, {"event": name, "why": "x", "do": "y"}):
        answer = jury.post("/desk/forget", data={**wrong, "csrf": csrf})
        assert answer.status_code == 409, wrong
        assert not service.state.forgotten
    done = jury.post("/desk/forget", data={"event": f" {name} ", "csrf": csrf})
    assert done.headers["location"] == "/desk/honours"
    assert service.state.forgotten
    page = jury.get("/desk/honours").text
    assert "forgotten; results stay, by id" in page
    assert "/desk/forget" not in page
    again = jury.post("/desk/forget", data={"event": name, "csrf": csrf})
    assert again.status_code == 409
    assert "deleted already" in again.text
