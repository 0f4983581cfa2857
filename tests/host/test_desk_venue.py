"""Several tournaments in one desk: the list, the desk of each below `/t/ID`, one login for all."""

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from desk_web import PASSWORD, TOKEN, Clock, Web, users
from starlette.testclient import TestClient

from host_tools.cli import schiri
from host_tools.core.errors import UserError
from host_tools.tournament import events as ev
from host_tools.tournament.actions import entrants, matches
from host_tools.tournament.model import Entrant
from host_tools.tournament.service import TournamentService, command
from host_tools.web.desk import venue
from host_tools.web.desk.app import make_app, make_venue
from host_tools.web.desk.board_page import PAGES
from host_tools.web.desk.pages import MENU

ADDRESS = re.compile(r'(?:href|action|formaction|src)="(/[^"]*)"')
OPEN, YOUTH = ("Anna", "Ben", "Cara", "Dora"), ("Ben", "Emil", "Fred", "Gina")


def make(db: str | None, name: str, players: tuple[str, ...], venue: str = "Sports hall") -> None:
    begins = "2027-05-01T08:00:00+00:00"
    setup = ev.Created(name=name, mode="round_robin", tables=3, venue=venue, begins=begins)
    service = TournamentService.create(db, "Anna", setup)
    people = [Entrant(id=f"p{n}", name=player) for n, player in enumerate(players)]
    service.do("Anna", "", command(entrants.add_players, people))
    service.do("Anna", "", command(entrants.draw, 4, 1, True))
    service.close()


def match_of(db: str, tournament: str, *names: str) -> str:
    service = TournamentService.open(db, tournament)
    players = service.state.players
    (found,) = (
        match.id
        for match in service.state.matches.values()
        if {players[who].name for who in match.players} == set(names)
    )
    service.close()
    return found


@pytest.fixture
def db(tmp_path: Path) -> str:
    """Two tournaments of a hall, Ben plays in both; and one of another hall."""
    made = str(tmp_path / "day.db")
    make(made, "Open", OPEN)
    make(made, "Youth", YOUTH)
    make(made, "Away", ("Hugo", "Ida", "Jan", "Kim"), venue="")
    return made


def serving(db: str, folder: Path, running: bool = True) -> Iterator[Web]:
    accounts = users(folder)
    made = make_venue(
        accounts, db, lambda service, place: make_app(service, accounts, place=place)
    )
    if made.look():
        made.begin()
    with TestClient(made.app) as client:
        yield Web(made.app, client, accounts, Clock())


@pytest.fixture
def hall(db: str, tmp_path: Path) -> Iterator[Web]:
    yield from serving(db, tmp_path)


def visitor(hall: Web, role: str) -> TestClient:
    """Logged in at the desk of the Open."""
    client = hall.visitor()
    page = client.get("/t/open/desk/login?lang=en").text
    csrf = TOKEN.search(page)
    assert csrf
    form = {"user": role, "password": PASSWORD, "csrf": csrf[1]}
    done = client.post("/t/open/desk/login?next=%2Fdesk%2Fcalls", data=form)
    assert (done.status_code, done.headers["location"]) == (303, "/t/open/desk/calls")
    return client


def call(client: TestClient, tournament: str, match: str, table: int) -> tuple[int, str]:
    page = client.get(f"/t/{tournament}/desk/calls?lang=en").text
    csrf = TOKEN.search(page)
    assert csrf
    form = {"csrf": csrf[1], "match": match, "table": str(table), "page": "calls"}
    done = client.post(f"/t/{tournament}/desk/do/call", data=form)
    return done.status_code, done.headers.get("location", done.text)


def test_the_list_says_how_each_stands(hall: Web, db: str) -> None:
    theirs = TournamentService.open(db, "youth")
    theirs.do("Anna", "", command(matches.call, match_of(db, "youth", "Fred", "Gina"), 1))
    theirs.do("Anna", "", command(matches.call, match_of(db, "youth", "Ben", "Emil"), 2))
    theirs.do("Anna", "", command(matches.enter, match_of(db, "youth", "Ben", "Emil"), (20, 12)))
    theirs.close()
    client = hall.visitor()
    for elsewhere in ("/", "/desk", "/t/none/desk", "/player/p1"):
        answer = client.get(elsewhere)
        assert (answer.status_code, answer.headers["location"]) == (303, "/t")
    page = client.get("/t?lang=en").text
    # the newest first; a group of four has six matches
    assert re.findall(r"<h2>(\w+)</h2>\s*<p>([^<]*)</p>", page) == [
        ("Away", "Groups · 0 of 6 matches played"),
        ("Youth", "Sports hall · Groups · 1 of 6 matches played · 1 match at the tables"),
        ("Open", "Sports hall · Groups · 0 of 6 matches played"),
    ]
    assert 'href="/t/youth/?lang=en"' in page
    assert 'href="/t/youth/desk?lang=en"' in page
    assert "Turniere" in client.get("/t?lang=de").text


def test_a_player_in_both_is_refused_with_the_name_of_the_other(hall: Web, db: str) -> None:
    client = visitor(hall, "desk")
    there = match_of(db, "open", "Anna", "Ben")
    assert call(client, "open", there, 3) == (303, "/t/open/desk/calls")
    # logged in at one is logged in at all
    status, page = call(client, "youth", match_of(db, "youth", "Ben", "Emil"), 1)
    assert status == 409
    assert f"one of the players is busy with match Open {there}" in page
    status, page = call(client, "youth", match_of(db, "youth", "Fred", "Gina"), 3)
    assert (status, f"table 3 is busy with match Open {there}" in page) == (409, True)
    # the other hall has tables of its own
    ours = match_of(db, "away", "Hugo", "Ida")
    assert call(client, "away", ours, 3) == (303, "/t/away/desk/calls")


def test_every_address_of_a_desk_is_its_own(hall: Web, db: str) -> None:
    client = visitor(hall, "jury")
    match = match_of(db, "youth", "Ben", "Emil")
    board = ["", *(page for page in PAGES if page not in ("now", "find")), "find?q=e", "player/p1"]
    desk = [f"desk/{page}" for page in [*MENU, f"match/{match}", "player/p1"] if page != "home"]
    switches: dict[str, set[str]] = {}
    for page in [*board, "desk", *desk, "desk/login", "desk/none"]:
        answer = client.get(f"/t/youth/{page}")
        assert answer.status_code == (404 if page == "desk/none" else 200), page
        assert 'data-at="/t/youth"' in answer.text, page
        found = {one.partition("?")[0] for one in ADDRESS.findall(answer.text)}
        switches[page] = {
            one for one in found if not one.startswith(("/static/", "/font/", "/t/youth/"))
        } - {"/t"}
    # but for styles and faces only the switch leads elsewhere: to the same page of the menu
    for page, others in switches.items():
        of_menu = page.startswith("desk/") and page[5:] in MENU
        wanted = page if of_menu else "desk" if page.startswith("desk") else ""
        bare = page in ("verify", "wall", "desk/login", "desk/none")
        assert others == (set() if bare else {f"/t/open/{wanted}"}), page
    # printed codes and calendars name it too
    calendar = client.get("http://localhost:8010/t/youth/player/p0.ics").text
    assert "http://localhost:8010/t/youth/player/p0" in calendar.replace("\r\n ", "")


def test_the_board_of_each_sets_no_cookie(hall: Web) -> None:
    client = visitor(hall, "desk")
    for page in ("/t", "/t/open/", "/t/youth/tables", "/t/youth/nothing"):
        assert "set-cookie" not in client.get(page).headers, page


def test_the_only_one_has_the_root_and_the_next_one_is_made_beside_it(tmp_path: Path) -> None:
    db = str(tmp_path / "day.db")
    make(db, "Open", OPEN)
    for hall in serving(db, tmp_path):
        client = hall.visitor("jury")  # at /desk
        assert client.get("/desk/calls").status_code == 200
        assert "/t/" not in client.get("/desk/calls").text  # nothing to switch to
        assert 'href="/desk?lang=en"' in client.get("/t?lang=en").text
        assert client.get("/t/open/desk/calls").status_code == 200
        page = client.get("/guide/desk?lang=en").text
        assert 'name="venue" size="24" value="Sports hall"' in page  # that of the other one
        csrf = TOKEN.search(page)
        assert csrf
        form = {"event": "Youth", "tables": "3", "venue": "Sports hall", "make": "1"}
        form |= {"listed": "\n".join(YOUTH), "csrf": csrf[1]}
        made = client.post("/guide/desk/guide", data=form)
        assert (made.status_code, made.headers["location"]) == (303, "/t/youth/desk")
        assert client.get("/t/youth/desk/players").text.count("Emil") > 0
        for at, other in (("", "/t/youth/desk/calls"), ("/t/youth", "/desk/calls")):
            assert f'href="{other}"' in client.get(f"{at}/desk/calls").text
        again = client.post("/guide/desk/guide", data=form)
        assert (again.status_code, again.text.count('id="fault-event"')) == (409, 1)


def test_only_the_jury_makes_one_more(hall: Web) -> None:
    client = visitor(hall, "desk")
    assert client.get("/guide/desk").status_code == 403
    assert hall.visitor().get("/guide/desk").text.count('action="/guide/desk/login"') == 1


def test_a_database_that_fails_is_said_in_words(hall: Web, monkeypatch) -> None:
    def fails(*_: object) -> None:
        raise UserError("db_locked", where="day.db")

    monkeypatch.setattr(TournamentService, "open", fails)
    answer = hall.visitor().get("/t/youth/?lang=en")
    assert (answer.status_code, answer.text.count("day.db")) == (503, 1)
    assert hall.visitor().get("/healthz").json() == {"ok": True, "troubles": []}


def test_the_list_is_shown_while_the_database_hangs(hall: Web, monkeypatch) -> None:
    """More people than the desk has threads, and the boards are there as before."""
    goes_on, asked = threading.Event(), []

    def hang(*args) -> list[str]:
        asked.append(args)
        goes_on.wait()
        return ["open"]

    monkeypatch.setattr(venue, "LOOK_S", 0.05)
    monkeypatch.setattr(venue, "tournament_ids", hang)
    client = hall.visitor()
    try:
        for _ in range(60):
            assert "Youth" in client.get("/t").text
        assert client.get("/t/open/").status_code == 200
        assert len(asked) == 1
    finally:
        goes_on.set()


def test_an_account_may_be_for_one_tournament_alone(hall: Web, db: str) -> None:
    path = hall.accounts.path
    password = ["--password", PASSWORD]
    for name, role in (("lea", "desk"), ("urs", "jury")):
        added = ["--users", str(path), "user", "set", name, "--role", role, "--only", "youth"]
        done = CliRunner().invoke(schiri, ["desk", *added, *password])
        assert done.exit_code == 0, done.output
    done = CliRunner().invoke(schiri, ["desk", "--users", str(path), "user", "list"])
    assert done.output.splitlines()[-2:] == ["desk    lea  youth", "jury    urs  youth"]
    lea, urs = visitor(hall, "lea"), visitor(hall, "urs")
    assert lea.get("/t/youth/desk/calls").status_code == 200
    ours = match_of(db, "youth", "Fred", "Gina")
    assert call(lea, "youth", ours, 1) == (303, "/t/youth/desk/calls")
    csrf = TOKEN.search(lea.get("/t/youth/desk/calls").text)
    assert csrf
    form = {"csrf": csrf[1], "match": match_of(db, "open", "Cara", "Dora"), "table": "2"}
    refused = lea.post("/t/open/desk/do/call?lang=en", data=form)
    assert refused.status_code == lea.get("/t/open/desk/calls").status_code == 403
    assert "This account is for other tournaments." in refused.text
    assert lea.get("/t/open/desk/live").status_code == 403
    # nor does the jury of one make others
    assert urs.get("/guide/desk").status_code == 403
    hall.accounts.change("lea", None, PASSWORD + "!")
    assert [user.only for user in hall.accounts.users()] == [(), (), (), ("youth",), ("youth",)]


@pytest.mark.parametrize(
    ("drawn", "said"),
    [(None, "map.txt"), ("1 1\n", "table 1 is on the map twice"), ("1000\n", "no table 1000")],
)
def test_a_map_is_read_before_there_is_a_tournament(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, drawn: str | None, said: str
) -> None:
    monkeypatch.setattr("host_tools.web.serving.serve", lambda *_: pytest.fail("it began"))
    path = tmp_path / "map.txt"
    if drawn is not None:
        path.write_text(drawn)
    done = CliRunner().invoke(schiri, ["desk", "--port", "0", "--map", str(path)])
    assert isinstance(done.exception, UserError)
    assert said in str(done.exception)


def test_a_map_may_show_more_tables_than_a_tournament_that_is_made_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[object] = []
    monkeypatch.setattr("host_tools.web.serving.serve", lambda app, *_: served.append(app))
    path = tmp_path / "map.txt"
    path.write_text("1 2 3 4 5\n")
    words = ["desk", "--port", "0", "--map", str(path)]
    assert CliRunner().invoke(schiri, words).exit_code == 0
    make(None, "Open", OPEN)  # of three tables
    assert "there are 3" in str(CliRunner().invoke(schiri, words).exception)
    (app,) = served
    with TestClient(app) as client:  # type: ignore[arg-type]
        client.get("/t")  # the list: it looks
        assert client.get("/t/open/tables").status_code == 200
