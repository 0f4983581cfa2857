"""Every role tries every action with every field that takes a bigger role: who may succeeds,
who may not is refused and changes nothing. The expectation is written here once more, by hand.
"""

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from desk_web import Clock, Web, token, users
from starlette.testclient import TestClient

from host_tools.tournament import events as ev
from host_tools.tournament.actions import boxes, entrants, knockout, matches, rounds, signups
from host_tools.tournament.actions import jury as jury_commands
from host_tools.tournament.model import Entrant
from host_tools.tournament.operations import OPERATIONS, role_for, seen
from host_tools.tournament.rights import ROLES
from host_tools.tournament.service import TournamentService, utc_now
from host_tools.web.desk.accounts import Accounts
from host_tools.web.desk.app import make_app
from tests.host.tournament.hall import from_box
from tests.support.hall_day import open_day, play_groups

Prepare = Callable[[TournamentService], object]
TWELVE = {"kind": "excluded", "cards_a": "12", "cards_b": "0"}
FORFEIT = {**TWELVE, "kind": "forfeit"}
NOBODY = {"kind": "absent", "cards_a": "0", "cards_b": "0"}


@dataclass
class Case:
    """An action, what happened before it, and its form. `of_match`: the form is a match's own."""

    action: str
    role: str
    before: list[Prepare] = field(default_factory=list)
    form: dict[str, Any] = field(default_factory=dict)
    of_match: bool = False
    value: tuple[str, object] = ("", "")


def id_of(case: Case) -> str:
    return "-".join([case.action, *map(str, case.value)])


def did(command: Callable[..., object], *arguments: object) -> Prepare:
    return lambda service: service.do("Anna", "", lambda state: command(state, *arguments))  # type: ignore[arg-type,return-value]


def level_groups(service: TournamentService) -> None:
    for match in list(service.state.matches):
        service.do("Anna", "", partial(matches.enter, match_id=match, cards=(16, 16)))


def reported(kind: str) -> Prepare:
    cards = (12, 0) if kind == "excluded" else (20, 12)
    return did(matches.report, ev.Reported(match="A-1", cards=cards, kind=kind, source="box"))  # type: ignore[arg-type]


def by_hand(source: str) -> Prepare:
    said = ev.Reported(match="A-1", cards=(20, 12), kind="played", source=source)  # type: ignore[arg-type]
    return did(matches.report, said)


def typed_by_all(service: TournamentService) -> None:
    """Each role has entered a result just now."""
    service.clock = utc_now
    for role, match in zip(ROLES, service.state.matches, strict=False):
        service.do(role, "", partial(matches.enter, match_id=match, cards=(20, 12)))


TYPO = {"report": "1", "why": "a typing error"}
JOURNAL = "ab" * 32
LEFT = did(boxes.leave_to_desk, from_box("b1 7-ab", JOURNAL))
NEW = did(entrants.add_players, [Entrant(id="new", name="Emil Egli")])
FILED = did(jury_commands.protest, "p001", "he looked", "", "a heap of money")
WARNED = did(jury_commands.penalize, "p001", "dawdled")
BY_BOX = did(
    matches.report, ev.Reported(match="A-1", cards=(20, 12), source="box", trust="verified")
)
ENTERED = did(matches.enter, "A-1", (20, 12))
OTHER = {"cards_a": "19", "cards_b": "13", "why": "counted again"}
SIGNED_UP = did(signups.sign_up, "Emil Egli")
APART = did(entrants.check_in_many, ["p001", "p002"], True)
TOGETHER = did(entrants.check_in_many, ["p001", "p002"])
STRUCK = {"player": "p001", "with_matches": "1", "why": "twice"}
STRUCK_TWO = {"player": "p001", "double": "p005"}
WHY = {"player": "p001", "why": "said so"}
PAIRED = did(rounds.pair_round)


def to_swiss(service: TournamentService) -> None:
    """The same players, drawn for a Swiss."""
    did(entrants.change, ev.Changed(mode="swiss"))(service)
    did(entrants.draw, 4, 1, True)(service)


def to_tables(service: TournamentService) -> None:
    """The same players at tables of four, seated."""
    did(entrants.change, ev.Changed(mode="tables"))(service)
    did(entrants.draw, 4, 1, True)(service)
    PAIRED(service)


PLACES = did(matches.enter_places, "R1-1", [1, 2, 3, 4])
IN_ORDER = {"match": "R1-1", "seen": "open-0-0-", "at": ["1", "2", "3", "4"]}
SWAPPED = {"match": "R1-1", "seen": "checked-1-0-0.0", "at": ["2", "1", "3", "4"], "why": "twice"}
AFTER_LOCK = {**SWAPPED, "seen": "locked-1-0-0.0"}


CASES = [
    Case("check_in", "desk", form={"player": "p001", "absent": "1"}),
    Case("arrive", "desk", [NEW], {"text": "new"}),
    Case("check_in_many", "desk", form={"players": ["p001", "p002"], "absent": "1"}),
    Case("check_in_all", "desk", [NEW], {"sure": "1"}),
    Case("undo_check_in", "desk", [APART, TOGETHER]),
    Case("add_player", "desk", form={"name": "Emil Egli"}),
    Case("late", "desk", [NEW], {"name": "new"}),
    Case("import", "desk", form={"file": "name;club\nEmil Egli;Zürich\n"}),
    Case("edit_player", "desk", form={"player": "p001", "name": "Anna Egli"}),
    Case("remove_player", "desk", [NEW], {"player": "new", "why": "twice"}),
    Case("remove_player", "jury", form=STRUCK, value=("with_matches", True)),
    Case("merge", "jury", form={**STRUCK_TWO, "why": "one person"}, value=("drawn", True)),
    Case("merge", "desk", [NEW], {"player": "p001", "double": "new", "why": "one person"}),
    Case("enter_again", "desk", [NEW, did(entrants.remove_player, "new")], {"removed": "new"}),
    Case("withdraw", "jury", form=WHY),
    Case("exclude", "jury", form=WHY),
    Case("reinstate", "jury", [did(entrants.withdraw, "p001")], WHY),
    Case("set_signups", "jury", form={"open": "1", "limit": "40"}),
    Case("sign_up", "desk", form={"name": "Emil Egli"}),
    Case("accept_signup", "desk", [SIGNED_UP], {"signup": "@seq"}),
    Case("accept_signups", "desk", [SIGNED_UP]),
    Case("decline_signup", "desk", [SIGNED_UP], {"signup": "@seq"}),
    Case("public_names", "jury", form={"names": "short"}),
    Case("mode", "jury", form={"compare": "per-match"}),
    Case("plan", "jury", form={"tables": "3"}),
    Case("draw", "jury", form={"size": "3"}),
    Case("pair_round", "desk", [to_swiss]),
    Case("unpair_round", "jury", [to_swiss, PAIRED]),
    Case("pause", "desk", [to_swiss], {"player": "p001"}),
    Case("call", "desk", form={"match": "A-1"}),
    Case("call_slot", "desk", form={"slot": "1"}),
    Case("call_free", "desk"),
    Case("call_round", "desk", [play_groups, did(knockout.draw_ko)], {"round": "1/2"}),
    Case("announce", "desk", form={"text": "Lunch at one"}),
    Case("end_announcement", "desk", [did(matches.announce, "Lunch")], {"announcement": "@seq"}),
    Case("signal_start", "desk", [did(matches.call, "A-1")]),
    Case("begins", "desk", form={"begins": "10:00"}),
    Case("start", "desk", [did(matches.call, "A-1")], {"match": "A-1"}),
    Case("give", "desk", [did(matches.call, "A-1")], {"match": "A-1", "box": "b1"}),
    Case("deck_back", "desk", [did(matches.call, "A-1")], {"match": "A-1"}),
    Case("all_decks_back", "desk", [did(matches.call, "A-1"), ENTERED]),
    Case("assign", "desk", [LEFT], {"journal": JOURNAL, "match": "A-1", "first_seat": "a"}),
    Case("dismiss", "desk", [LEFT], {"journal": JOURNAL, "why": "a trial"}),
    Case("enter", "desk", of_match=True),
    Case("enter", "jury", form=FORFEIT, of_match=True, value=("kind", "forfeit")),
    Case("enter", "jury", form=TWELVE, of_match=True, value=("kind", "excluded")),
    Case("enter", "jury", form=NOBODY, of_match=True, value=("kind", "absent")),
    Case("report", "desk", of_match=True),
    Case("report", "jury", form=NOBODY, of_match=True, value=("kind", "absent")),
    Case("report", "jury", form=FORFEIT, of_match=True, value=("kind", "forfeit")),
    Case("report", "jury", form=TWELVE, of_match=True, value=("kind", "excluded")),
    Case("take_back", "desk", [by_hand("paper")], TYPO, of_match=True),
    Case("take_back", "jury", [by_hand("jury")], TYPO, True, ("source", "jury")),
    Case("undo", "desk", [typed_by_all], {"match": ""}),
    Case("check", "desk", [reported("played")], of_match=True),
    Case("check", "jury", [reported("excluded")], of_match=True, value=("kind", "excluded")),
    Case("choose", "desk", [reported("played")], {"report": "1"}, of_match=True),
    Case("choose", "jury", [reported("excluded")], {"report": "1"}, True, ("kind", "excluded")),
    Case("lock", "desk", [ENTERED], of_match=True),
    Case("no_show", "desk", [did(matches.call, "A-1")], {"missing": "a"}, of_match=True),
    Case("no_show", "jury", [], {"missing": "a", "force": "1"}, True, ("force", True)),
    Case("both_absent", "desk", [did(matches.call, "A-1")], of_match=True),
    Case("both_absent", "jury", [], {"force": "1"}, True, ("force", True)),
    Case("correct", "desk", [ENTERED], OTHER, of_match=True),
    Case("correct", "jury", [ENTERED], {**OTHER, "force": "1"}, True, ("force", True)),
    Case("correct", "jury", [ENTERED], {**OTHER, "redraw": "1"}, True, ("redraw", True)),
    Case("correct", "jury", [ENTERED], {**OTHER, **TWELVE}, True, ("kind", "excluded")),
    Case("correct", "jury", [ENTERED], {**OTHER, **FORFEIT}, True, ("kind", "forfeit")),
    Case("correct", "jury", [ENTERED], {**OTHER, **NOBODY}, True, ("kind", "absent")),
    Case(
        "correct",
        "jury",
        [did(matches.enter, "A-1", (12, 0), "excluded")],
        OTHER,
        True,
        ("was", "excluded"),
    ),
    Case(
        "correct", "jury", [ENTERED, did(matches.lock, "A-1")], OTHER, True, ("status", "locked")
    ),
    Case("enter_places", "desk", [to_tables], IN_ORDER),
    Case("correct_places", "desk", [to_tables, PLACES], SWAPPED),
    Case(
        "correct_places",
        "jury",
        [to_tables, PLACES, did(matches.lock, "R1-1")],
        AFTER_LOCK,
        value=("status", "locked"),
    ),
    Case("void", "jury", [ENTERED], {"why": "played again"}, of_match=True),
    Case("postpone", "jury", [], {"why": "doctor"}, of_match=True),
    Case("protest", "desk", form={"who": "p001", "text": "he looked", "deposit": "a heap"}),
    Case("decide", "jury", [FILED], {"protest": "@seq", "text": "no", "decision": "rejected"}),
    Case("observe", "viewer", form={"text": "somebody whispers", "who": "p001"}),
    Case("penalize", "jury", form={"who": "p001", "penalty": "warning", "text": "dawdled"}),
    Case("lift", "jury", [WARNED], {"note": "@seq", "why": "not that one"}),
    Case("lot", "jury", [level_groups], {"lot": "1"}),
    Case("draw_lots", "jury", [level_groups]),
    Case("check_all", "desk", [BY_BOX]),
    Case("check_as", "jury", [reported("played")], OTHER, of_match=True),
    Case("lock_all", "desk", [ENTERED]),
    Case("draw_ko", "jury", [play_groups]),
]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("roles")
    open_day(str(folder / "day.db"), players=8, ko_size=4, clock=a_while_ago).close()
    users(folder)
    return folder


class Session(NamedTuple):
    """Somebody's session: its cookies, and the token that every form of it carries."""

    cookies: httpx.Cookies
    csrf: str


Sessions = dict[str | None, Session]


@pytest.fixture(scope="module")
def sessions(prepared: Path) -> Sessions:
    """A session of each role, and a stranger's: they count at every desk with these users."""
    service = TournamentService.open(str(prepared / "day.db"))
    accounts = Accounts(prepared / "desk-users.json")
    app = make_app(service, accounts)
    found: Sessions = {}
    with TestClient(app) as running:
        web = Web(app, running, accounts, Clock())
        for role in (None, *ROLES):
            client = web.visitor(role)
            csrf = token(client, "/desk" if role else "/desk/login")
            found[role] = Session(client.cookies, csrf)
    service.close()
    return found


@contextmanager
def desk(prepared: Path, service: TournamentService) -> Iterator[Callable[[Session], TestClient]]:
    """The desk of a day while it runs; gives the browser of a session."""
    app = make_app(service, Accounts(prepared / "desk-users.json"))

    def browser(session: Session) -> TestClient:
        client = TestClient(app, follow_redirects=False, cookies=session.cookies)
        client.portal = running.portal  # one event loop for all, as in the real server
        return client

    with TestClient(app) as running:
        yield browser
    service.close()


def a_while_ago() -> datetime:
    """What was called is late by now (SW-7)."""
    return utc_now() - timedelta(minutes=10)


def opened(prepared: Path, folder: Path) -> TournamentService:
    """A copy of the day."""
    shutil.copy(prepared / "day.db", folder / "day.db")
    return TournamentService.open(str(folder / "day.db"), clock=a_while_ago)


def tie_form(service: TournamentService) -> dict[str, Any]:
    tie = knockout.ties(service.state)[0]
    return {"players": tie, "places": [str(place) for place, _ in enumerate(tie, 1)]}


def ready(case: Case, prepared: Path, folder: Path) -> tuple[TournamentService, dict[str, Any]]:
    """The day after what happened before, and the form, as the page of somebody who may see it
    would send it.
    """
    if case.action == "import":
        undrawn = ev.Created(name="Cup")
        service = TournamentService.create(str(folder / "day.db"), "Anna", undrawn)
    else:
        service = opened(prepared, folder)
    for prepare in case.before:
        prepare(service)
    last = str(service.last_seq())
    form = tie_form(service) if case.action == "lot" else dict(case.form)
    if case.of_match:
        form = {**of_match(case.action, service), **form}
    return service, {name: last if text == "@seq" else text for name, text in form.items()}


def files_of(form: dict[str, Any]) -> dict[str, Any] | None:
    """What the form sends as a file, taken out of it."""
    return {"file": ("list.csv", form.pop("file").encode())} if "file" in form else None


@pytest.mark.parametrize("role", [None, *ROLES])
@pytest.mark.parametrize("case", CASES, ids=id_of)
def test_each_role_does_what_it_may_and_nothing_else(
    prepared: Path, sessions: Sessions, tmp_path: Path, case: Case, role: str | None
) -> None:
    service, form = ready(case, prepared, tmp_path)
    before = service.last_seq()
    form["csrf"] = sessions[role].csrf
    with desk(prepared, service) as browser:
        client = browser(sessions[role])
        answer = client.post(f"/desk/do/{case.action}", data=form, files=files_of(form))
        after = service.last_seq()
        leads = answer.headers.get("location", "")
        assert not leads or client.get(leads).status_code == 200
    allowed = role is not None and ROLES.index(role) >= ROLES.index(case.role)
    if allowed:
        assert answer.status_code == 303, answer.text
        assert "login" not in answer.headers["location"]
        assert after > before
    else:
        assert answer.status_code == (403 if role else 303)
        assert "login" in answer.headers.get("location", "login")
        assert after == before


def test_no_action_and_no_value_of_the_table_is_left_out() -> None:
    written = {(case.action, *case.value): case.role for case in CASES}
    table: dict[tuple[object, ...], str] = {
        (action, "", ""): right.role for action, right in OPERATIONS.items()
    }
    for action, right in OPERATIONS.items():
        for name, values in right.values.items():
            table |= {(action, name, value): role_for(action, name, value) for value in values}
    assert written == table


# -- by status ------------------------------------------------------------------------------------

LATER = {"cards_a": "19", "cards_b": "13"}
FORMS = {
    "call": {},
    "start": {},
    "deck_back": {},
    "enter": {},
    "report": LATER,
    "take_back": TYPO,
    "check": {},
    "choose": {"report": "1"},
    "lock": {},
    "no_show": {"missing": "a"},
    "both_absent": {},
    "correct": OTHER,
    "void": {"why": "played again"},
    "postpone": {"why": "at the doctor's"},
}
STEPS: dict[str, list[Prepare]] = {
    "open": [],
    "called": [did(matches.call, "A-1")],
    "reported": [by_hand("paper")],
    "checked": [ENTERED],
    "locked": [ENTERED, did(matches.lock, "A-1")],
}
# who may do what to a match in which status: the smallest role
POSSIBLE = {
    "open": {"call": "desk", "enter": "desk", "report": "desk", "postpone": "jury"},
    "called": {
        "call": "desk",
        "start": "desk",
        "deck_back": "desk",
        "enter": "desk",
        "report": "desk",
        "no_show": "desk",
        "both_absent": "desk",
        "postpone": "jury",
    },
    "reported": {
        "enter": "desk",
        "report": "desk",
        "take_back": "desk",
        "check": "desk",
        "choose": "desk",
        "void": "jury",
    },
    "checked": {
        "report": "desk",
        "take_back": "desk",
        "lock": "desk",
        "correct": "desk",
        "void": "jury",
    },
    "locked": {"correct": "jury", "void": "jury"},
}
# what the page offers: a report after the check comes from a box or slip, and whoever is missing
# is so before the call too, by the jury's word
OFFERED = {
    **{status: dict(actions) for status, actions in POSSIBLE.items()},
    "open": {**POSSIBLE["open"], "no_show": "desk", "both_absent": "desk"},
    "checked": {key: role for key, role in POSSIBLE["checked"].items() if key != "report"},
}
FORM_ON_PAGE = re.compile(r'<form method="post" action="/desk/do/(\w+)"(.*?)</form>', re.DOTALL)


def of_match(action: str, service: TournamentService) -> dict[str, str]:
    """What the form of an action on a match has."""
    known = seen(service.state.matches["A-1"])
    form = {"match": "A-1", "seen": known, "cards_a": "20", "cards_b": "12"}
    return {name: text for name, text in form.items() if name in OPERATIONS[action].form.fields}


def in_status(prepared: Path, folder: Path, status: str) -> TournamentService:
    """The day with A-1 in `status`."""
    service = opened(prepared, folder)
    for step in STEPS[status]:
        step(service)
    assert service.state.matches["A-1"].status == status
    return service


def sent(
    client: TestClient, session: Session, service: TournamentService, action: str, **more: str
) -> int:
    """The status code of the answer to the form of an action."""
    form = {**of_match(action, service), **FORMS[action], **more, "csrf": session.csrf}
    return client.post(f"/desk/do/{action}", data=form).status_code


@pytest.mark.parametrize("status", STEPS)
def test_what_the_status_of_a_match_forbids_is_refused_to_everybody(
    prepared: Path, sessions: Sessions, tmp_path: Path, status: str
) -> None:
    service = in_status(prepared, tmp_path, status)
    before = service.last_seq()
    with desk(prepared, service) as browser:
        for role in ROLES:
            client = browser(sessions[role])
            for action in FORMS:
                needed = POSSIBLE[status].get(action, "")
                if needed and ROLES.index(role) >= ROLES.index(needed):  # type: ignore[arg-type]
                    continue
                may = ROLES.index(role) >= ROLES.index(needed or OPERATIONS[action].role)  # type: ignore[arg-type]
                if action == "correct" and status == "locked":
                    may = False
                answer = sent(client, sessions[role], service, action)
                assert answer == (409 if may else 403), (role, action)
                assert service.last_seq() == before, (role, action)


@pytest.mark.parametrize(
    ("status", "action"), [(status, key) for status, keys in POSSIBLE.items() for key in keys]
)
def test_what_the_status_of_a_match_allows_is_done(
    prepared: Path, sessions: Sessions, tmp_path: Path, status: str, action: str
) -> None:
    service = in_status(prepared, tmp_path, status)
    session = sessions[POSSIBLE[status][action]]
    before = service.last_seq()
    with desk(prepared, service) as browser:
        client = browser(session)
        if OPERATIONS[action].reason:
            assert sent(client, session, service, action, why="") == 409
            assert service.last_seq() == before
        assert sent(client, session, service, action) == 303
        assert service.last_seq() > before


@pytest.mark.parametrize("status", STEPS)
def test_the_page_of_a_match_offers_what_its_status_and_the_role_allow(
    prepared: Path, sessions: Sessions, tmp_path: Path, status: str
) -> None:
    preview = "/desk/match/A-1?preview=1&kind=played&cards_a=19&cards_b=13"
    with desk(prepared, in_status(prepared, tmp_path, status)) as browser:
        for role in ROLES:
            page = browser(sessions[role]).get(preview).text
            forms = dict(FORM_ON_PAGE.findall(page))
            others = set(re.findall(r'formaction="/desk/do/(\w+)"', page))
            expected = {
                action
                for action, needed in OFFERED[status].items()
                if ROLES.index(role) >= ROLES.index(needed)  # type: ignore[arg-type]
            }
            if role != "viewer":
                expected.add("call_free")  # what is next, on every page
            assert {*forms, *others} == expected, role
            asked = {action for action, form in forms.items() if 'name="why" required' in form}
            assert asked == {action for action in forms if OPERATIONS[action].reason}


def test_only_the_jury_is_offered_what_only_the_jury_may_enter(
    prepared: Path, sessions: Sessions, tmp_path: Path
) -> None:
    with desk(prepared, opened(prepared, tmp_path)) as browser:
        offered = {
            role: re.findall(
                r'<option value="(\w+)"', browser(sessions[role]).get("/desk/match/A-1").text
            )
            for role in ("desk", "jury")
        }
    assert offered["desk"] == ["played", "drawn"]
    assert offered["jury"] == ["played", "forfeit", "excluded", "drawn", "absent"]
