"""The parts behind board and desk: words, reasons, the tree's geometry, accounts, the command."""

import asyncio
import json
import stat
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from pathlib import Path
from typing import Any, Literal

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import VerifyMismatchError
from argon2.profiles import RFC_9106_LOW_MEMORY
from click.testing import CliRunner
from desk_web import log_in, users
from jinja2 import Template
from starlette.testclient import TestClient

from host_tools.cli import schiri
from host_tools.core.errors import Exit, UserError
from host_tools.core.texts import chosen, round_namer
from host_tools.print.tree_layout import last_rounds, parts, whole
from host_tools.tournament import events as ev
from host_tools.tournament import view
from host_tools.tournament.actions import corrections, entrants, matches
from host_tools.tournament.ko import draw
from host_tools.tournament.model import Entrant, Group
from host_tools.tournament.service import TournamentService, command
from host_tools.tournament.state import TournamentState, fold
from host_tools.web.desk import accounts
from host_tools.web.desk.accounts import Accounts
from host_tools.web.desk.app import make_app
from host_tools.web.desk.board_page import AskedPage
from host_tools.web.desk.follower import Follower
from host_tools.web.desk.live_tables import LiveTables
from host_tools.web.desk.pages import MENU
from host_tools.web.desk.tree_drawing import shortened
from host_tools.web.serving import LOOPBACK, listen
from tests.processes import LIMIT_S, wait
from tests.support.hall_day import open_day, play_groups


@pytest.mark.parametrize(
    ("wish", "accepted", "lang"),
    [
        ("en", "de", "en"),
        ("fr", "en-GB,de;q=0.5", "en"),
        (None, "fr-CH, de-CH;q=0.8", "de"),
        (None, "", "de"),
    ],
)
def test_the_language_is_what_was_asked_for_or_what_the_browser_prefers(
    wish: str | None, accepted: str, lang: str
) -> None:
    assert chosen(wish, accepted) == lang


def test_rounds_have_names_and_unknown_ones_keep_theirs() -> None:
    assert round_namer("de")("1/8") == "Achtelfinale"
    assert round_namer("en")("1/64") == "1/64"


def test_numbers_have_signs_of_equal_width() -> None:
    assert [view.signed(number) for number in (14, 0, -8)] == ["+14", "0", "−8"]


def group_of_three() -> TournamentState:
    """a beats b 20:12, b beats c 18:14, c beats a 18:14: two points each, +4, −4 and 0."""
    bodies: list[ev.AnyBody] = [ev.Created(name="Cup", ko_size=2)]
    bodies += [ev.PlayerAdded(player=Entrant(id=i, name=i.upper())) for i in "abc"]
    bodies.append(ev.GroupsDrawn(groups=[Group("A", ["a", "b", "c"])], random_seed=0))
    played = (("a", "b", (20, 12)), ("b", "c", (18, 14)), ("c", "a", (18, 14)))
    for number, (a, b, cards) in enumerate(played, 1):
        match = f"A-{number}"
        bodies.append(ev.MatchPlanned(match=match, group="A", a=a, b=b, slot=number, table=1))
        bodies.append(ev.Checked(match=match, cards=cards))
    return fold(ev.LogEntry(seq=n, at="", actor="", body=body) for n, body in enumerate(bodies, 1))


def test_each_row_says_what_puts_it_ahead_of_the_next() -> None:
    rows = view.group_lines(group_of_three(), "A", "en")
    assert [(row.name, row.row.difference) for row in rows] == [("A", 4), ("C", 0), ("B", -4)]
    assert rows[0].why == "ahead by card difference, +4 to +0"
    assert rows[2].why == ""
    assert not any(row.level for row in rows)


def test_the_cut_is_marked_in_the_ranking() -> None:
    assert [row.qualified for row in view.ranking(group_of_three(), "en")] == [True, True, False]


def test_the_cut_leaves_out_whoever_has_left_and_is_open_among_the_level() -> None:
    # by hand: a 1st, c 2nd, b 3rd. Without a the best two are c and b.
    gone = group_of_three().after([ev.Withdrawn(player="a")])
    marks = [(row.name, row.qualified, row.undecided) for row in view.ranking(gone, "en")]
    assert marks == [("A", False, False), ("C", True, False), ("B", True, False)]
    # a circle: all three 20:12. Two go on, three are level: nobody knows yet.
    circle = [ev.Corrected(match=f"A-{n}", old=(18, 14), cards=(20, 12)) for n in (1, 2, 3)]
    level = group_of_three().after(circle)
    marks = [(row.name, row.qualified, row.undecided) for row in view.ranking(level, "en")]
    assert marks == [("A", False, True), ("B", False, True), ("C", False, True)]
    drawn = level.after([ev.KoDrawn(seeds=["c", "a"])])
    assert [(row.name, row.qualified) for row in view.ranking(drawn, "en")] == [
        ("A", True),
        ("B", False),
        ("C", True),
    ]


def test_a_forfeit_carries_a_star() -> None:
    state = group_of_three()
    match = state.matches["A-1"]
    corrected = ev.Corrected(match="A-1", old=(20, 12), cards=(12, 0), kind="forfeit")
    state = state.after([corrected])
    assert view.match_line(state, state.matches["A-1"]).score == "12:0*"
    assert view.match_line(state, match).score == "20:12"


def test_a_tree_of_eight_stands_as_on_paper() -> None:
    bracket = draw([f"p{n}" for n in range(8)], {})
    tree = whole(bracket)
    heights = [[box.y for box in tree.boxes if box.column == column] for column in range(3)]
    # a match lies in the middle between the two it comes from
    assert heights == [[0.5, 1.5, 2.5, 3.5], [1.0, 3.0], [2.0]]
    assert len(tree.wires) == 6
    assert tree.third is bracket.third


def test_a_big_tree_in_pieces_shows_every_match_up_to_the_join_once() -> None:
    bracket = draw([f"p{n}" for n in range(32)], {})
    pieces = parts(bracket, 8)
    assert [len(piece.boxes) for piece in pieces] == [7, 7, 7, 7]
    shown = [id(box.match) for piece in pieces for box in piece.boxes]
    end = [id(box.match) for box in last_rounds(bracket, 4).boxes]
    assert len(set(shown + end)) == len(shown + end) == 31


def test_a_long_name_is_cut_with_an_ellipsis() -> None:
    assert shortened("Ayşe", 4) == "Ayşe"
    assert shortened("Ayşegül Müller", 9) == "Ayşegül…"


class NoBoxes:
    def newest(self) -> int:
        return 0


def test_a_database_that_fails_for_a_while_does_not_end_the_board() -> None:
    class Failing:
        asked = 0
        tells_news = False

        def last_seq(self) -> int:
            self.asked += 1
            if self.asked == 1:
                raise UserError("db_full", Exit.SYSTEM, where="cup.db")
            return 1

        def news(self, since: int) -> tuple[TournamentState, list[ev.LogEntry]]:
            created = ev.Created(name="Cup")
            made = [ev.LogEntry(seq=1, at="2026-11-20T09:00:00+00:00", actor="a", body=created)]
            return fold(made), made

    async def followed() -> Follower:
        follower = Follower(Failing(), LiveTables(NoBoxes()))
        told = asyncio.Event()
        follower.listeners.append(told.set)
        task = asyncio.create_task(follower.follow())
        await asyncio.wait_for(told.wait(), LIMIT_S)
        task.cancel()
        return follower

    # in a thread of its own: the browser tests keep a loop running in this one
    with ThreadPoolExecutor(1) as pool:
        follower = pool.submit(lambda: asyncio.run(followed())).result()
    assert follower.state.setup.name == "Cup"


PATHS = ("/", "/groups", "/?kiosk=1", "/player/p001", "/find?q=a", "/player/p001.ics")
PATHS += tuple(f"/desk/{page}" for page in MENU if page != "home")


def test_no_page_is_rendered_in_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page of 2 000 players takes a second: it must not hold up everybody else."""
    db = str(tmp_path / "day.db")
    open_day(db, players=8, ko_size=4).close()
    service = TournamentService.open(db)
    rendered: set[int] = set()
    render = Template.render

    def noted(template: Template, *args: Any, **values: Any) -> str:
        rendered.add(threading.get_ident())
        return render(template, *args, **values)

    async def this_thread() -> int:
        return threading.get_ident()

    app = make_app(service, users(tmp_path))
    with TestClient(app, follow_redirects=False) as running:
        assert running.portal
        loop = running.portal.call(this_thread)
        assert log_in(running, "jury").status_code == 303
        monkeypatch.setattr(Template, "render", noted)
        for path in PATHS:
            assert running.get(path).status_code == 200, path
        page = app.state.live.listen(AskedPage("now", "de"))
        running.portal.call(anext, page)
        service.do("Anna", "", command(matches.call, "A-1"))
        running.portal.call(app.state.follower.catch_up)
        running.portal.call(page.aclose)
    service.close()
    assert len(rendered) >= 1
    assert loop not in rendered


# -- accounts and the command ---------------------------------------------------------------------


def run(*arguments: str, words: str = "") -> str:
    done = CliRunner().invoke(schiri, ["desk", *arguments], input=words)
    return done.output if done.exit_code == 0 else str(done.exception)


def test_users_are_added_listed_and_removed(tmp_path: Path) -> None:
    users = str(tmp_path / "users.json")
    twice = "long enough\nlong enough\n"
    assert "anna may log in as jury" in run(
        "--users", users, "user", "set", "anna", "--role", "jury", words=twice
    )
    assert run("--users", users, "user", "list") == "jury    anna\n"
    told = run("--users", users, "user", "list", "--json")
    assert json.loads(told) == [{"name": "anna", "role": "jury", "only": []}]
    assert "'bob' is new: say --role" in run("--users", users, "user", "set", "bob", words=twice)
    assert "no user 'bob'" in run("--users", users, "user", "remove", "bob")
    run("--users", users, "user", "remove", "anna")
    assert run("--users", users, "user", "list") == ""


def test_a_user_is_changed_by_the_command_that_makes_one(tmp_path: Path) -> None:
    path = tmp_path / "users.json"
    accounts = Accounts(path)
    accounts.add("anna", "jury", "long enough", ("cup",))

    def told(*words: str, typed: str = "") -> str:
        return run("--users", str(path), "user", "set", "anna", *words, words=typed)

    # the role alone: nobody is asked for a password, and the old one stays
    assert told("--role", "desk") == "anna may log in as desk from now on\n"
    assert accounts.users()[0].only == ()
    assert accounts.check("anna", "long enough")
    assert "--only does nothing without --role" in told("--only", "cup")
    # the password alone
    assert "anna has another password\n" in told(typed="even longer\neven longer\n")
    assert accounts.users()[0].role == "desk"
    assert accounts.check("anna", "even longer")
    assert accounts.check("anna", "long enough") is None
    # both
    said = told("--role", "viewer", "--only", "cup", "--password", "once again")
    assert said == "anna may log in as viewer from now on\n"
    assert accounts.check("anna", "once again")
    assert (accounts.users()[0].role, accounts.users()[0].only) == ("viewer", ("cup",))


def test_passwords_are_hashed_and_the_file_is_the_owners(tmp_path: Path) -> None:
    accounts = Accounts(tmp_path / "users.json")
    accounts.add("anna", "jury", "long enough")
    text = accounts.path.read_text(encoding="utf8")
    assert "long enough" not in text
    assert json.loads(text)["users"][0]["hash"].startswith("$argon2id$")
    assert stat.S_IMODE(accounts.path.stat().st_mode) == 0o600
    assert len(accounts.secret) == 64


def test_a_hash_costs_what_rfc_9106_asks_for(real_hasher: PasswordHasher) -> None:
    assert extract_parameters(real_hasher.hash("long enough")) == RFC_9106_LOW_MEMORY


def test_a_name_that_is_unknown_costs_what_a_wrong_password_costs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = Accounts(tmp_path / "users.json")
    book.add("anna", "jury", "long enough")
    cost = extract_parameters(book.users()[0].hash)
    compared: list[object] = []

    class Watched(PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:
            compared.append(extract_parameters(str(hash)))
            try:
                return super().verify(hash, password)
            except VerifyMismatchError:  # it was computed, not refused for its form
                compared.append("computed")
                raise

    monkeypatch.setattr(accounts, "_hasher", Watched.from_parameters(cost))
    assert book.check("anna", "not that one") is None
    assert book.check("nobody", "not that one") is None
    assert compared == [cost, "computed"] * 2


def test_short_passwords_and_damaged_files_are_refused(tmp_path: Path) -> None:
    accounts = Accounts(tmp_path / "users.json")
    with pytest.raises(UserError, match="8 characters"):
        accounts.add("anna", "jury", "short")
    accounts.path.write_text("{}", encoding="utf8")
    with pytest.raises(UserError, match="no list of desk users"):
        accounts.users()


def test_a_port_that_is_taken_is_said_to_be_so() -> None:
    first = listen(LOOPBACK, 0)
    port = first.getsockname()[1]
    with pytest.raises(UserError, match=f"port {port}: .*choose another --port"):
        listen(LOOPBACK, port)
    first.close()


# -- one state for service and pages --------------------------------------------------------------


def test_a_desk_folds_every_event_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Service and pages share one state: at the start, after a write, after another's."""
    db = str(tmp_path / "day.db")
    open_day(db, players=8, ko_size=4).close()
    folded: Counter[int] = Counter()
    applied = TournamentState.apply

    def counted(state: TournamentState, event: ev.LogEntry) -> None:
        folded[event.seq] += 1
        applied(state, event)

    monkeypatch.setattr(TournamentState, "apply", counted)
    service = TournamentService.open(db)
    opened = service.last_seq()
    app = make_app(service, Accounts(tmp_path / "users.json"))
    with TestClient(app) as running:
        assert running.get("/").status_code == 200
        service.do("Anna", "", command(entrants.check_in, "p001", True))
        assert running.get("/").status_code == 200
        wait(lambda: app.state.follower.state.seq > opened)
        assert app.state.follower.state is service.state
    assert service.last_seq() == opened + 1
    assert folded == dict.fromkeys(range(1, opened + 2), 1)
    service.close()


def test_a_state_that_was_handed_out_never_changes(tmp_path: Path) -> None:
    service = open_day(str(tmp_path / "day.db"), players=8, ko_size=4)
    before = service.state
    digest, ranks = before.digest(), [row.rank for row in before.overall_rows()]
    copied = deepcopy(before)
    play_groups(service)
    service.do("Anna", "", command(corrections.void, "A-1"))
    assert service.state is not before
    assert (before.digest(), [row.rank for row in before.overall_rows()]) == (digest, ranks)
    assert before.matches == copied.matches
    service.close()
