"""Every role tries every action with every field that takes a bigger role: who may succeeds,
who may not is refused and changes nothing. The expectation is written here once more, by hand.
"""

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from desk_web import Clock, Web, token, users
from starlette.testclient import TestClient

from bench.hall_day import open_day, play_groups
from host_tools.tournament import desk
from host_tools.tournament import events as ev
from host_tools.tournament.model import Player
from host_tools.tournament.service import TournamentService, utc_now
from host_tools.tournament.witnesses import Witness
from host_tools.web.desk.accounts import ROLES, Accounts
from host_tools.web.desk.actions import ACTIONS
from host_tools.web.desk.app import make_app
from host_tools.web.desk.forms import seen
from host_tools.web.desk.roles import RIGHTS, role_for

TEMPLATES = Path(__file__).parents[2] / "host_tools" / "desk" / "templates"
Prepare = Callable[[TournamentService], object]
TWELVE = {"kind": "excluded", "cards_a": "12", "cards_b": "0"}
FORFEIT = {**TWELVE, "kind": "forfeit"}


@dataclass
class Case:
    """An action, what happened before it, and its form. `of_match`: the form is a match's own."""

    action: str
    role: str
    before: list[Prepare] = field(default_factory=list)
    form: dict[str, str] = field(default_factory=dict)
    of_match: bool = False
    value: tuple[str, str] = ("", "")


def did(wish: Callable[..., object], *arguments: object) -> Prepare:
    return lambda service: service.do("Anna", "", lambda state: wish(state, *arguments))  # type: ignore[arg-type,return-value]


def level_groups(service: TournamentService) -> None:
    for match in list(service.state.matches):
        service.do("Anna", "", partial(desk.enter, match_id=match, cards=(16, 16)))


def reported(kind: str) -> Prepare:
    cards = (12, 0) if kind == "excluded" else (20, 12)
    return did(desk.report, ev.Reported(match="A-1", cards=cards, kind=kind, source="box"))  # type: ignore[arg-type]


def by_hand(source: str) -> Prepare:
    said = ev.Reported(match="A-1", cards=(20, 12), kind="played", source=source)  # type: ignore[arg-type]
    return did(desk.report, said)


TYPO = {"report": "0", "why": "a typing error"}
STRANGE = Witness("box", "b1 7-ab", "b1", "ab" * 32, "verified", (20, 12), [[0], [1]])
NEW = did(desk.add_players, [Player(id="new", name="Emil Egli")])
ENTERED = did(desk.enter, "A-1", (20, 12))
OTHER = {"cards_a": "19", "cards_b": "13", "why": "counted again"}
WHY = {"player": "p001", "why": "said so"}
CASES = [
    Case("check_in", "desk", form={"player": "p001"}),
    Case("add_player", "desk", form={"name": "Emil Egli"}),
    Case("import", "desk", form={"file": "name;club\nEmil Egli;Zürich\n"}),
    Case("edit_player", "desk", form={"player": "p001", "name": "Anna Egli"}),
    Case("remove_player", "desk", [NEW], {"player": "new", "why": "twice"}),
    Case("enter_again", "desk", [NEW, did(desk.remove_player, "new")], {"player": "new"}),
    Case("withdraw", "jury", form=WHY),
    Case("exclude", "jury", form=WHY),
    Case("reinstate", "jury", [did(desk.withdraw, "p001")], WHY),
    Case("draw", "jury", form={"size": "3"}),
    Case("call", "desk", form={"match": "A-1"}),
    Case("call_slot", "desk", form={"slot": "1"}),
    Case("start", "desk", [did(desk.call, "A-1")], {"match": "A-1"}),
    Case(
        "assign",
        "desk",
        [did(desk.leave_to_desk, STRANGE)],
        {"journal": "ab" * 32, "match": "A-1", "first": "a"},
    ),
    Case(
        "dismiss",
        "desk",
        [did(desk.leave_to_desk, STRANGE)],
        {"journal": "ab" * 32, "why": "a trial"},
    ),
    Case("enter", "desk", of_match=True),
    Case(
        "enter",
        "jury",
        form=FORFEIT,
        of_match=True,
        value=("kind", "forfeit"),
    ),
    Case("enter", "jury", form=TWELVE, of_match=True, value=("kind", "excluded")),
    Case("report", "desk", of_match=True),
    Case(
        "report",
        "jury",
        form=FORFEIT,
        of_match=True,
        value=("kind", "forfeit"),
    ),
    Case("report", "jury", form=TWELVE, of_match=True, value=("kind", "excluded")),
    Case("take_back", "desk", [by_hand("paper")], TYPO, of_match=True),
    Case("take_back", "jury", [by_hand("jury")], TYPO, True, ("source", "jury")),
    Case("check", "desk", [reported("played")], of_match=True),
    Case("check", "jury", [reported("excluded")], of_match=True, value=("kind", "excluded")),
    Case("choose", "desk", [reported("played")], {"report": "0"}, of_match=True),
    Case("choose", "jury", [reported("excluded")], {"report": "0"}, True, ("kind", "excluded")),
    Case("lock", "desk", [ENTERED], of_match=True),
    Case("no_show", "desk", [did(desk.call, "A-1")], {"absent": "a"}, of_match=True),
    Case("no_show", "jury", [], {"absent": "a", "force": "1"}, True, ("force", "1")),
    Case("correct", "desk", [ENTERED], OTHER, of_match=True),
    Case("correct", "jury", [ENTERED], {**OTHER, "force": "1"}, True, ("force", "1")),
    Case("correct", "jury", [ENTERED], {**OTHER, "redraw": "1"}, True, ("redraw", "1")),
    Case("correct", "jury", [ENTERED], {**OTHER, **TWELVE}, True, ("kind", "excluded")),
    Case(
        "correct",
        "jury",
        [ENTERED],
        {**OTHER, **FORFEIT},
        True,
        ("kind", "forfeit"),
    ),
    Case(
        "correct",
        "jury",
        [did(desk.enter, "A-1", (12, 0), "excluded")],
        OTHER,
        True,
        ("was", "excluded"),
    ),
    Case("correct", "jury", [ENTERED, did(desk.lock, "A-1")], OTHER, True, ("status", "locked")),
    Case("void", "jury", [ENTERED], {"why": "played again"}, of_match=True),
    Case("lot", "jury", [level_groups], {"lot": "1"}),
    Case("draw_lots", "jury", [level_groups]),
    Case("lock_all", "desk", [ENTERED]),
    Case("draw_ko", "jury", [play_groups]),
]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("roles")
    open_day(str(folder / "day.db"), players=8, ko_size=4, clock=a_while_ago).close()
    users(folder)
    return folder


def a_while_ago() -> datetime:
    """What was called is late by now (SW-7)."""
    return utc_now() - timedelta(minutes=10)


def tie_form(service: TournamentService) -> dict[str, str]:
    tie = service.read(desk.ties)[0]
    return {f"place-{player}": str(place) for place, player in enumerate(tie, 1)}


@pytest.mark.parametrize("role", [None, *ROLES])
@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join([case.action, *case.value]))
def test_each_role_does_what_it_may_and_nothing_else(
    prepared: Path, tmp_path: Path, case: Case, role: str | None
) -> None:
    shutil.copy(prepared / "day.db", tmp_path / "day.db")
    service = TournamentService.open(str(tmp_path / "day.db"), clock=a_while_ago)
    if case.action == "import":
        undrawn = ev.Created(name="Cup")
        service.close()
        service = TournamentService.create(str(tmp_path / "new.db"), "Anna", undrawn)
    for prepare in case.before:
        prepare(service)
    before = service.last_seq()
    accounts = Accounts(prepared / "desk-users.json")
    app = make_app(service, accounts)
    with TestClient(app) as running:
        web = Web(app, running, accounts, Clock())
        client = web.visitor(role)
        form = dict(case.form)
        if case.of_match:  # as if sent from the page of somebody who may see it
            known = seen(service.state.matches["A-1"])
            form = {"match": "A-1", "seen": known, "cards_a": "20", "cards_b": "12", **form}
        form = tie_form(service) if case.action == "lot" else form
        form["csrf"] = token(client, "/desk" if role else "/desk/login")
        sent = {"file": ("list.csv", form.pop("file").encode())} if "file" in form else None
        answer = client.post(f"/desk/do/{case.action}", data=form, files=sent)
    allowed = role is not None and ROLES.index(role) >= ROLES.index(case.role)
    if allowed:
        assert answer.status_code == 303, answer.text
        assert "login" not in answer.headers["location"]
        assert service.last_seq() > before
    else:
        assert answer.status_code == (403 if role else 303)
        assert "login" in answer.headers.get("location", "login")
        assert service.last_seq() == before
    service.close()


def test_no_action_and_no_value_of_the_table_is_left_out() -> None:
    written = {(case.action, *case.value): case.role for case in CASES}
    table = {(action, "", ""): right.role for action, right in RIGHTS.items()}
    for action, right in RIGHTS.items():
        for name, values in right.values.items():
            table |= {(action, name, value): role_for(action, name, value) for value in values}
    assert written == table
    assert list(RIGHTS) == list(ACTIONS)


def test_pages_ask_the_table_and_not_the_role() -> None:
    for page in TEMPLATES.rglob("*.html"):
        assert "user.may" not in page.read_text(encoding="utf8"), page.name


def test_only_the_jury_is_offered_what_only_the_jury_may_enter(
    prepared: Path, tmp_path: Path
) -> None:
    shutil.copy(prepared / "day.db", tmp_path / "day.db")
    service = TournamentService.open(str(tmp_path / "day.db"))
    accounts = Accounts(prepared / "desk-users.json")
    app = make_app(service, accounts)
    with TestClient(app) as running:
        web = Web(app, running, accounts, Clock())
        offered = {
            role: re.findall(
                r'<option value="(\w+)"', web.visitor(role).get("/desk/match/A-1").text
            )
            for role in ("desk", "jury")
        }
    service.close()
    assert offered["desk"] == ["played", "drawn"]
    assert offered["jury"] == ["played", "forfeit", "excluded", "drawn"]
