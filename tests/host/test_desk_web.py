"""The desk without a browser: roles, forged forms, guessed passwords, what is refused."""

import os
import stat
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from html import escape

import pytest
from desk_web import PASSWORD, TOKEN, Clock, Web, log_in, result, token, users
from starlette.routing import Route
from starlette.testclient import TestClient

from host_tools.tournament.actions import matches
from host_tools.tournament.operations import OPERATIONS
from host_tools.tournament.service import TournamentService
from host_tools.web.desk import pages as desk_pages
from host_tools.web.desk.accounts import Accounts
from host_tools.web.desk.app import login_log_path, make_app
from host_tools.web.desk.limiter import PER_ADDRESS, PER_NAME, WINDOW_S, Limiter
from host_tools.web.desk.login import SESSION_S, LoginLog, local
from host_tools.web.desk.pages import MENU
from tests.support.hall_day import open_day, play_groups


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TournamentService]:
    """One small tournament for all tests of this file; each touches a match of its own."""
    opened = open_day(str(tmp_path_factory.mktemp("day") / "day.db"), players=8, ko_size=4)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def accounts(tmp_path_factory: pytest.TempPathFactory) -> Accounts:
    """A user for each role, called like it."""
    return users(tmp_path_factory.mktemp("users"))


@pytest.fixture
def web(service: TournamentService, accounts: Accounts) -> Iterator[Web]:
    """The app while it runs, with a clock that stands."""
    clock = Clock()
    app = make_app(service, accounts, monotonic=clock, now=clock)
    with TestClient(app) as running:  # runs the lifespan: the hall follows the log
        yield Web(app, running, accounts, clock)


# -- nothing on the board can be written ----------------------------------------------------------


def test_every_route_outside_the_desk_only_reads(web: Web) -> None:
    for route in web.app.routes:
        if isinstance(route, Route) and not route.path.startswith("/desk"):
            signs_up = route.path == "/signup" and "POST" in (route.methods or ())
            assert route.methods == ({"POST"} if signs_up else {"GET", "HEAD"}), route.path


@pytest.mark.parametrize("path", ["/", "/groups", "/tree", "/ranking", "/live", "/desk/players"])
def test_writing_where_one_reads_is_refused(web: Web, path: str) -> None:
    client = web.visitor()
    for send in (client.post, client.put, client.delete, client.patch):
        assert send(path).status_code == 405


def test_the_board_sets_no_cookie_and_keeps_strangers_out(web: Web) -> None:
    answer = web.visitor().get("/")
    assert "set-cookie" not in answer.headers
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy


def test_pages_ask_nothing_of_the_internet(web: Web) -> None:
    client = web.visitor("jury")
    for path in ("/", "/groups", "/?kiosk=1", "/desk", "/desk/match/A-1", "/static/look.css"):
        assert "http://" not in client.get(path).text.replace("http://www.w3.org/", ""), path
        assert "https://" not in client.get(path).text, path


# -- logging in -----------------------------------------------------------------------------------


@pytest.mark.parametrize("page", MENU)
def test_without_a_login_every_page_leads_to_it(web: Web, page: str) -> None:
    path = "/desk" if page == "home" else f"/desk/{page}"
    answer = web.visitor().get(path)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/desk/login?next=")


def test_wrong_names_and_passwords_look_alike(web: Web) -> None:
    texts = []
    for user, password in (("jury", "something else"), ("nobody", PASSWORD)):
        answer = log_in(web.visitor(), user, password)
        assert answer.status_code == 401
        texts.append(TOKEN.sub("", answer.text))
    assert texts[0] == texts[1]


def test_guessing_is_slowed_down_and_forgiven_later(web: Web) -> None:
    client = web.visitor()
    for _ in range(PER_NAME):
        assert log_in(client, "jury", "wrong password").status_code == 401
    refused = log_in(client, "jury")
    assert refused.status_code == 429
    assert 0 < int(refused.headers["retry-after"]) <= WINDOW_S + 1
    assert log_in(client, "desk").status_code == 303
    web.clock.seconds += WINDOW_S + 1
    assert log_in(web.visitor(), "jury").status_code == 303


def test_guessing_many_names_is_slowed_down_too() -> None:
    clock = Clock()
    limiter = Limiter(clock)
    for number in range(PER_ADDRESS):
        assert limiter.wait_s("10.0.0.7", f"name {number}") == 0
        limiter.failed("10.0.0.7", f"name {number}")
    assert limiter.wait_s("10.0.0.7", "jury") > 0
    assert limiter.wait_s("10.0.0.8", "jury") == 0  # nobody locks others out
    clock.seconds += WINDOW_S
    assert limiter.wait_s("10.0.0.7", "jury") == 0


def test_right_passwords_never_lock_an_address_out() -> None:
    limiter = Limiter(Clock())
    limiter.failed("10.0.0.7", "mallory")  # one wrong guess stays counted
    for number in range(3 * PER_ADDRESS):
        assert limiter.wait_s("10.0.0.7", f"name {number}") == 0
        limiter.failed("10.0.0.7", f"name {number}")
        limiter.succeeded("10.0.0.7", f"name {number}")
    for number in range(PER_ADDRESS - 1):
        assert limiter.wait_s("10.0.0.7", "jury") == 0
        limiter.failed("10.0.0.7", f"guess {number}")
    assert limiter.wait_s("10.0.0.7", "jury") > 0


def test_logins_are_kept_in_a_book_that_only_the_jury_reads(web: Web) -> None:
    log_in(web.visitor(), "mallory", "wrong password")
    assert "mallory" in web.visitor("jury").get("/desk/log").text
    assert "mallory" not in web.visitor("desk").get("/desk/log").text
    assert PASSWORD not in login_log_path(web.accounts.path).read_text(encoding="utf8")


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(web: Web) -> None:
    cookie = log_in(web.visitor(), "desk").headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert "path=/desk" in cookie


def test_a_forged_cookie_is_nobody(web: Web) -> None:
    client = web.visitor("viewer")
    signed = client.cookies["schiri_desk"]
    client.cookies.set("schiri_desk", signed[:-4] + "AAAA", path="/desk")
    other = web.visitor()
    other.cookies.set("schiri_desk", signed[:-4] + "AAAA", path="/desk")
    assert other.get("/desk").status_code == 303


def test_a_session_ends_after_a_day_and_with_the_password(web: Web) -> None:
    client = web.visitor("desk")
    assert client.get("/desk").status_code == 200
    web.clock.seconds += SESSION_S + 1
    assert client.get("/desk").status_code == 303
    web.accounts.add("guest", "viewer", PASSWORD)
    guest = web.visitor("guest")
    web.accounts.change("guest", None, "another password")
    assert guest.get("/desk").status_code == 303
    assert log_in(guest, "guest", "another password").status_code == 303
    web.accounts.remove("guest")
    assert guest.get("/desk").status_code == 303


def test_logging_out_ends_the_session(web: Web) -> None:
    client = web.visitor("desk")
    client.post("/desk/logout", data={"csrf": token(client, "/desk")})
    assert client.get("/desk").status_code == 303


def test_the_cookie_of_an_ended_session_is_worth_nothing(web: Web) -> None:
    client = web.visitor("desk")
    cookie = client.cookies["schiri_desk"]
    thief = web.visitor()
    thief.cookies.set("schiri_desk", cookie, path="/desk")
    assert thief.get("/desk").status_code == 200
    client.post("/desk/logout", data={"csrf": token(client, "/desk")})
    assert thief.get("/desk").status_code == 303
    restarted = LoginLog(login_log_path(web.accounts.path))
    ended = [entry["session"] for entry in restarted.last(1)]
    assert restarted.has_ended(ended[0])
    assert web.visitor("desk").get("/desk").status_code == 200


def test_a_flood_of_guesses_does_not_fill_the_book(web: Web) -> None:
    client = web.visitor()
    book = login_log_path(web.accounts.path)
    for _ in range(PER_NAME):
        log_in(client, "viewer", "wrong password")
    before = book.stat().st_size
    for _ in range(20):
        assert log_in(client, "viewer", "wrong password").status_code == 429
    assert book.stat().st_size - before < 200


def test_only_the_owner_reads_who_logged_in(web: Web) -> None:
    web.visitor("desk")
    mode = login_log_path(web.accounts.path).stat().st_mode
    assert stat.S_IMODE(mode) == 0o600


def test_a_login_is_noted_where_open_files_have_no_mode(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    """os.fchmod: on Windows not before Python 3.13."""
    monkeypatch.delattr(os, "fchmod")
    web.visitor("desk")
    assert "desk" in login_log_path(web.accounts.path).read_text(encoding="utf8")


@pytest.mark.parametrize("path", ["/desk/login", "/desk/logout"])
def test_a_login_that_is_too_big_is_refused_in_words(web: Web, path: str) -> None:
    client = web.visitor()
    form = {"csrf": token(client), "user": "x" * 1_100_000}
    answer = client.post(path, data=form, headers={"accept-language": "de"})
    assert answer.status_code == 413
    assert "Die Datei ist zu groß." in answer.text


@pytest.mark.parametrize("path", ["/", "/desk/players", "/static/look.css"])
def test_writing_where_one_reads_is_refused_in_german_too(web: Web, path: str) -> None:
    answer = web.visitor().post(path, headers={"accept-language": "de"})
    assert answer.status_code == 405
    assert "Hier wird nur gelesen." in answer.text
    assert "GET" in answer.headers["allow"]


def test_the_log_tells_day_and_local_time(
    web: Web, service: TournamentService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Etc/GMT-3")  # three hours ahead of UTC
    time.tzset()
    at = datetime.fromisoformat(service.events()[-1].at)
    local = f"{at + timedelta(hours=3):%Y-%m-%d %H:%M:%S}"
    assert local in web.visitor("jury").get("/desk/log").text
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    "target", ["https://elsewhere.example/", "//elsewhere.example", "/\\elsewhere", "/deskx", "/"]
)
def test_the_login_leads_nowhere_else(target: str) -> None:
    assert local(target) == "/desk"


def test_the_login_leads_back_to_the_desk_page() -> None:
    assert local("/desk/enter?match=A-1") == "/desk/enter?match=A-1"


# -- forms ----------------------------------------------------------------------------------------


def test_a_form_without_the_token_of_the_session_changes_nothing(
    web: Web, service: TournamentService
) -> None:
    client = web.visitor("jury")
    form = result(client, "A-1")
    for forged in ("", "x" * 32, token(web.visitor("desk"), "/desk")):
        assert client.post("/desk/do/enter", data={**form, "csrf": forged}).status_code == 403
    assert client.post("/desk/login", data={"user": "jury", "csrf": ""}).status_code == 403
    assert service.state.matches["A-1"].status == "open"


def test_a_visitor_without_login_does_nothing(web: Web) -> None:
    for name in OPERATIONS:
        answer = web.visitor().post(f"/desk/do/{name}", data={"match": "A-1"})
        assert answer.status_code == 303
        assert "/desk/login" in answer.headers["location"]


def test_what_jury_decides_wants_a_reason(web: Web) -> None:
    client = web.visitor("jury")
    form = {"player": "p001", "csrf": token(client, "/desk/players")}
    answer = client.post("/desk/do/withdraw", data=form, headers={"accept-language": "en"})
    assert answer.status_code == 409
    assert "Reason: please fill it in." in answer.text


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"cards_a": "many"}, "please enter a number"),
        ({"cards_a": "-3"}, "please enter a number"),
        ({"cards_a": "99999999999999999999"}, "please enter a number"),
        ({"cards_a": "٢٠"}, "please enter a number"),
        ({"cards_a": "500"}, "36 are played with"),
        (
            {"kind": "lost"},
            "Kind: please choose one of these: played, forfeit, excluded, drawn, absent.",
        ),
        ({"kind": "forfeit"}, "12:0"),
    ],
)
def test_results_that_cannot_be_are_refused_with_a_sentence(
    web: Web, service: TournamentService, fields: dict[str, str], sentence: str
) -> None:
    client = web.visitor("jury")
    form = result(client, "A-2", **fields)
    answer = client.post("/desk/do/enter", data=form, headers={"accept-language": "en"})
    assert answer.status_code == 409
    assert sentence in answer.text
    assert service.state.matches["A-2"].status == "open"


def test_unknown_matches_and_actions_are_said_to_be_so(web: Web) -> None:
    client = web.visitor("jury")
    english = {"accept-language": "en"}
    assert client.get("/desk/match/Z-9", headers=english).status_code == 404
    answer = client.get("/desk/enter?match=Z-9", headers=english)
    assert answer.status_code == 409
    assert "there is no match &#39;Z-9&#39;" in answer.text
    assert client.post("/desk/do/format_disk").status_code == 404
    assert client.get("/desk/print/money.pdf").status_code == 404


def test_a_form_that_is_too_big_is_not_read(web: Web) -> None:
    client = web.visitor("desk")
    form = {"csrf": token(client, "/desk"), "match": "A-1", "note": "x" * 1_100_000}
    assert client.post("/desk/do/enter", data=form).status_code == 413


@pytest.mark.parametrize(
    "scanned",
    ["a-3", " A-3 ", "http://192.168.1.5:8010/desk/enter?match=A-3", "schiri:?match=A-3"],
)
def test_a_match_is_found_by_number_or_scanned_slip(web: Web, scanned: str) -> None:
    answer = web.visitor("viewer").get("/desk/enter", params={"match": scanned})
    assert answer.headers["location"] == "/desk/match/A-3"


def test_faults_of_a_player_list_are_told_by_line(web: Web) -> None:
    client = web.visitor("desk")
    bad = "name;club\nŞule;Zürich\n;Basel\n".encode("cp1254")
    form = {"csrf": token(client, "/desk/players")}
    answer = client.post("/desk/do/import", data=form, files={"file": ("list.csv", bad)})
    assert answer.status_code == 409
    assert "CSV, Zeile 3, Name: fehlt" in answer.text


def test_the_actor_of_an_event_is_who_is_logged_in(web: Web, service: TournamentService) -> None:
    client = web.visitor("desk")
    form = result(client, "B-1", why="slip 17")
    assert client.post("/desk/do/enter", data=form).status_code == 303
    event = service.events(0)[-1]
    assert (event.actor, event.why) == ("desk", "slip 17")


def test_what_another_desk_wrote_is_seen_with_the_next_write(
    web: Web, service: TournamentService
) -> None:
    client = web.visitor("desk")
    form = result(client, "B-2")
    service.do("other desk", "", lambda state: matches.enter(state, "B-2", (19, 13)))
    answer = client.post("/desk/do/enter", data=form)
    assert answer.status_code == 409
    assert "19:13" in answer.text


def test_every_page_is_there_at_every_stage_and_says_what_is_next(
    web: Web, service: TournamentService
) -> None:
    client = web.visitor("jury")
    for lang in ("de", "en"):
        for page in (*MENU, "match/A-1", "player/p001", "search"):
            path = "/desk" if page == "home" else f"/desk/{page}"
            answer = client.get(f"{path}?lang={lang}")
            assert answer.status_code == 200, path
            assert answer.text.count('id="next-step"') == 1, path
    # the page of a match leads back to where results are entered; behind the draw the pages of
    # before it offer what is next now
    assert 'href="/desk/grid"' in client.get("/desk/match/A-1").text
    for page in ("signups", "players", "draw"):
        assert "/desk/do/call_free" in client.get(f"/desk/{page}").text, page
    play_groups(service)
    assert client.get("/desk/standings").status_code == 200
    assert client.get("/ranking").status_code == 200


def test_standings_have_pages_with_everybody_once(
    web: Web, service: TournamentService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk_pages, "LISTED", 3)
    client = web.visitor("viewer")
    everybody = [player.name for player in service.state.players.values()]
    texts = [client.get(f"/desk/standings?page={page}").text for page in (1, 2, 3)]
    assert len(everybody) == 8
    for name in everybody:  # in the order across groups and in the group
        assert sum(text.count(f">{escape(name)}</th>") for text in texts) == 2, name
    ranks = [text.split("<h2>")[1].count("<tr") - 1 for text in texts]
    assert ranks == [3, 3, 2]
