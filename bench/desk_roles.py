"""Roles are not passed by spelling: every operation × role × field × spelling of every value that
takes a bigger role. `python -m bench.desk_roles [--own] [--fault NAME]`.

What is judged is what is acted on, so no spelling may do what the exact value would not. Where a
field takes a bigger role itself, each is a real request to the real app, and so is one of
`ONE_IN` of the others; these go to the door itself, where the app's requests end (`asked_for`),
since a request takes ten times as long. Only writing is left out, so that each meets the same
tournament. What takes the jury is written here once more, by hand, about events and not about
fields.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from host_tools.core.errors import UserError
from host_tools.tournament import events as ev
from host_tools.tournament import fields as door
from host_tools.tournament.commands import boxes, entrants, jury, matches
from host_tools.tournament.model import Entrant
from host_tools.tournament.operations import OPERATIONS, OperationRow, Who, seen
from host_tools.tournament.rights import Forbidden, Role
from host_tools.tournament.service import TournamentService, utc_now
from host_tools.web.desk.accounts import Accounts
from host_tools.web.desk.app import make_app
from host_tools.web.desk.forms import Posted, asked_for
from tests.support.hall_day import open_day

PASSWORD = "a-long-password"
JOURNAL = "ab" * 32
VALUES = ("1", "forfeit", "excluded", "absent", "jury", "locked")
"""Every value that takes a bigger role somewhere."""
OWN = {"with_matches", "kind", "force", "redraw"}
"""Fields in which a value takes a bigger role."""
ONE_IN = 50
HARMLESS = {"kind": "played", "force": "", "redraw": "", "with_matches": ""}
HeaderPairs = list[tuple[str, str]]

_WIDE = {ord(char): ord(char) + 0xFEE0 for char in "0123456789abcdefghijklmnopqrstuvwxyz"}
_BOLD = {ord("a") + place: 0x1D41A + place for place in range(26)} | {ord("1"): 0x1D7CF}
_LIKE = str.maketrans({"e": "\u0435", "o": "\u043e", "c": "\u0441", "1": "\u0661", "j": "\u0458"})

# how a value is spelled: name -> value -> text
SPELLINGS: dict[str, Callable[[str], str]] = {
    "a space before": lambda v: f" {v}",
    "a space behind": lambda v: f"{v} ",
    "spaces around": lambda v: f"  {v}  ",
    "a tab before": lambda v: f"\t{v}",
    "a tab behind": lambda v: f"{v}\t",
    "a line before": lambda v: f"\n{v}",
    "a line behind": lambda v: f"{v}\n",
    "a carriage return": lambda v: f"{v}\r",
    "a vertical tab": lambda v: f"\x0b{v}",
    "a form feed": lambda v: f"{v}\x0c",
    "next line U+0085": lambda v: f"\x85{v}",
    "NBSP before": lambda v: f"\xa0{v}",
    "NBSP behind": lambda v: f"{v}\xa0",
    "em space": lambda v: f"\u2003{v}",
    "ideographic space": lambda v: f"{v}\u3000",
    "line separator": lambda v: f"{v}\u2028",
    "NUL before": lambda v: f"\x00{v}",
    "NUL inside": lambda v: f"{v[:1]}\x00{v[1:]}",
    "NUL behind": lambda v: f"{v}\x00",
    "zero-width space before": lambda v: f"\u200b{v}",
    "zero-width space inside": lambda v: f"{v[:1]}\u200b{v[1:]}",
    "zero-width joiner": lambda v: f"{v[:1]}\u200d{v[1:]}",
    "zero-width non-joiner": lambda v: f"{v}\u200c",
    "byte order mark": lambda v: f"\ufeff{v}",
    "right to left": lambda v: f"\u202e{v}",
    "soft hyphen": lambda v: f"{v[:1]}\xad{v[1:]}",
    "word joiner": lambda v: f"{v}\u2060",
    "variation selector": lambda v: f"{v}\ufe0f",
    "upper case": str.upper,
    "title case": str.title,
    "swapped first letter": lambda v: v[:1].swapcase() + v[1:],
    "full width": lambda v: v.translate(_WIDE),
    "mathematical bold": lambda v: v.translate(_BOLD),
    "look-alikes": lambda v: v.translate(_LIKE),
    "an accent": lambda v: f"{v}\u0301",
    "sixty accents": lambda v: v + "\u0301" * 60,
    "percent-encoded again": lambda v: "".join(f"%{ord(char):02x}" for char in v),
    "an encoded space": lambda v: f"%20{v}",
    "an entity": lambda v: f"&#{ord(v[:1])};{v[1:]}",
    "an escape": lambda v: f"\\u{ord(v[:1]):04x}{v[1:]}",
    "quoted": lambda v: f'"{v}"',
    "a list in JSON": lambda v: f'["{v}"]',
    "one of two": lambda v: f"{v},{v}",
    "a number of another form": lambda v: f"0{v}",
    "a float": lambda v: f"{v}.0",
    "a sign": lambda v: f"+{v}",
    "true": lambda v: "true" if v == "1" else f"{v}\\",
}


def doubled(name: str, value: str) -> dict[str, HeaderPairs]:
    """Spellings that are about the field: given twice, as a list, called nearly so."""
    harmless = HARMLESS.get(name, "")
    return {
        "harmless first": [(name, harmless), (name, value)],
        "harmless last": [(name, value), (name, harmless)],
        "twice": [(name, value), (name, value)],
        "as a list": [(f"{name}[]", value)],
        "with an index": [(f"{name}[0]", value)],
        "name with a space": [(f"{name} ", value)],
        "name in capitals": [(name.upper(), value)],
        "name with a zero-width space": [(f"{name}\u200b", value)],
        "name with NUL": [(f"{name}\x00", value)],
    }


class Judging(TournamentService):
    """Judges every command and writes nothing; `judged`: the events that would have come."""

    judged: list[ev.AnyBody]

    def do(self, actor: str, why: str, wanted: Any) -> list[ev.LogEntry]:
        """Judged as ever, not written."""
        self.judged = []
        self.judged = list(wanted(self._state))
        return []


def jurys(body: ev.AnyBody, service: TournamentService) -> bool:
    """Whether only the jury may cause this event."""
    if isinstance(body, ev.Changed):
        return body != ev.Changed(begins=body.begins)
    if isinstance(body, ev.Reported | ev.Checked):
        return body.kind in ("forfeit", "excluded", "absent")
    if isinstance(body, ev.TakenBack):
        return body.source == "jury"
    if isinstance(body, ev.Corrected):
        old = service.state.matches[body.match]
        was = old.result is not None and old.result.kind == "excluded"
        return (
            body.forced
            or body.kind in ("forfeit", "excluded", "absent")
            or was
            or old.status == "locked"
        )
    return isinstance(
        body,
        ev.Withdrawn
        | ev.Excluded
        | ev.Reinstated
        | ev.PublicNames
        | ev.PlayerStruck
        | ev.GroupsDrawn
        | ev.Voided
        | ev.Postponed
        | ev.ProtestDecided
        | ev.Penalized
        | ev.PenaltyLifted
        | ev.LotDrawn
        | ev.KoDrawn,
    )


def may(role: Role, body: ev.AnyBody, service: TournamentService) -> bool:
    """Whether the role may cause the event; a viewer only observes."""
    if role == "viewer":
        return isinstance(body, ev.Observed)
    return role == "jury" or not jurys(body, service)


@dataclass
class RoleTally:
    """What was tried, `requests` of it through the app; `passed`: what got through; `reached`:
    operations that the jury's exact form got through, so that the door was really there.
    """

    tried: int = 0
    requests: int = 0
    passed: list[str] = field(default_factory=list)
    reached: set[str] = field(default_factory=set)


def _prepared(service: TournamentService) -> None:
    """Matches in every status, and something for every operation to be about."""

    def do(command: Callable[..., Any], *arguments: Any) -> None:
        service.do("Anna", "", lambda state: command(state, *arguments))

    do(
        entrants.add_players,
        [Entrant(id="new", name="Emil Egli"), Entrant(id="gone", name="Gone")],
    )
    do(entrants.remove_player, "gone")
    do(matches.call, "A-1")
    for match, kind, cards, source in (
        ("A-3", "excluded", (12, 0), "paper"),
        ("A-4", "played", (20, 12), "jury"),
        ("B-5", "played", (20, 12), "paper"),
    ):
        said = ev.Reported(match=match, cards=cards, kind=kind, source=source)  # type: ignore[arg-type]
        do(matches.report, said)
    do(matches.enter, "A-5", (20, 12))
    do(matches.enter, "A-6", (20, 12))
    do(matches.lock, "A-6")
    do(matches.enter, "B-1", (12, 0), "forfeit")
    do(matches.announce, "Lunch")
    do(jury.protest, "p001", "he looked")
    do(jury.penalize, "p001", "dawdled")


def _forms(service: TournamentService) -> dict[str, list[dict[str, str]]]:
    """For every operation forms that the jury may send as they are."""
    state = service.state
    notes = {type(note.body): str(note.seq) for note in state.notes.values()}
    cards = {"cards_a": "20", "cards_b": "12"}
    twelve = {"cards_a": "12", "cards_b": "0"}
    other = {"cards_a": "19", "cards_b": "13"}

    def of(match: str, **more: str) -> dict[str, str]:
        return {"match": match, "seen": seen(state.matches[match]), **more}

    known: dict[str, list[dict[str, str]]] = {
        "check_in": [{"player": "new"}],
        "arrive": [{"text": "new"}],
        "check_in_many": [{"players": "new"}],
        "add_player": [{"name": "Zoë Zett"}],
        "late": [{"name": "new"}],
        "edit_player": [{"player": "new", "name": "Emil"}],
        "remove_player": [{"player": "new"}, {"player": "p004"}],
        "enter_again": [{"removed": "gone"}],
        "merge": [{"player": "p001", "double": "new"}, {"player": "p003", "double": "p008"}],
        **{name: [{"player": "p002"}] for name in ("withdraw", "exclude", "reinstate")},
        "public_names": [{"names": "short"}],
        "mode": [{"compare": "per-match"}],
        "plan": [{"tables": "3"}],
        "begins": [{"begins": "10:00"}],
        "draw": [{"size": "3"}],
        "pause": [{"player": "p001"}],
        "call": [of("A-2")],
        "call_slot": [{"slot": "1"}],
        "call_round": [{"round": "1/2"}],
        "announce": [{"text": "Soup"}],
        "start": [of("A-1")],
        "give": [of("A-1", box="b1")],
        "enter": [of("A-2", **cards), of("A-2", **twelve)],
        "report": [of("A-2", **cards), of("A-2", **twelve)],
        "take_back": [of("A-4"), of("B-5")],
        "choose": [of("A-3", report="1"), of("B-5", report="1")],
        "assign": [{"journal": JOURNAL, "match": "A-2", "first_seat": "a"}],
        "dismiss": [{"journal": JOURNAL}],
        "check": [of("A-3"), of("B-5")],
        "check_as": [of("A-3", **cards)],
        "lock": [of("A-5")],
        "no_show": [of("A-2", missing="a")],
        "both_absent": [of("A-2")],
        "correct": [of(m, **c) for m in ("A-5", "A-6", "B-1") for c in (other, twelve)],
        "void": [of("A-5")],
        "postpone": [of("A-2")],
        "protest": [{"who": "p001", "text": "he looked"}],
        "decide": [{"protest": notes[ev.ProtestFiled], "text": "no", "decision": "rejected"}],
        "observe": [{"text": "somebody whispers"}],
        "penalize": [{"who": "p001", "text": "dawdled"}],
        "lift": [{"note": notes[ev.Penalized]}],
        "lot": [{"players": "p001"}],
    }
    return {name: known.get(name, [{}]) for name in OPERATIONS}


@contextmanager
def hall() -> Iterator[tuple[Judging, Callable[[Role], tuple[TestClient, str]]]]:
    """The desk of a small day, and a session of each role with the token of its forms."""
    with tempfile.TemporaryDirectory() as folder:
        db = f"{folder}/day.db"
        made = open_day(db, players=8, ko_size=4, clock=lambda: utc_now() - timedelta(minutes=10))
        _prepared(made)
        left = ev.Unplaced(
            source="box",
            label="b1 7",
            box="b1",
            journal=JOURNAL,
            trust="verified",
            counts=(20, 12),
            ranking=[[0], [1]],
            reason="",
            names=[],
            players=[],
            tournament="",
            match="",
            stage="",
            table=0,
            duration_s=None,
            received="",
        )
        made.do("box", "", lambda state: boxes.leave_to_desk(state, left))
        made.close()
        service = Judging.open(db)
        assert isinstance(service, Judging)
        accounts = Accounts(Path(folder) / "desk-users.json")
        for role in ("viewer", "desk", "jury"):
            accounts.add(role, role, PASSWORD)
        app = make_app(service, accounts)
        with TestClient(app) as running:

            def session(role: Role) -> tuple[TestClient, str]:
                client = TestClient(app, follow_redirects=False)
                client.portal = running.portal
                csrf = _token(client, "/desk/login")
                form = {"user": role, "password": PASSWORD, "csrf": csrf}
                assert client.post("/desk/login", data=form).status_code == 303
                return client, _token(client, "/desk")

            yield service, session
        service.close()


def _token(client: TestClient, page: str) -> str:
    text: str = client.get(page).text
    return text.partition('name="csrf" value="')[2].partition('"')[0]


def attack(*, whole: bool, operations: Sequence[str] = ()) -> RoleTally:
    """Everything that was tried. `whole`: every privileged value in every field; else only where
    it takes a bigger role.
    """
    tally = RoleTally()
    with hall() as (service, session):
        forms = _forms(service)
        jury_client, csrf = session("jury")
        for name in operations or OPERATIONS:
            for form in forms[name]:
                fields = OPERATIONS[name].form.fields
                forced = [(key, "1") for key in ("force", "with_matches") if key in fields]
                for more in ([], forced):
                    pairs = [*form.items(), *more, ("csrf", csrf), ("why", "said so")]
                    _send(jury_client, name, pairs)
                    tally.reached |= {name} if service.__dict__.pop("judged", None) else set()
        roles: tuple[Role, ...] = ("viewer", "desk")
        for role in roles:
            client, csrf = session(role)
            for name in operations or OPERATIONS:
                for form in forms[name]:
                    for key, label, pairs in _attempts(OPERATIONS[name], form, whole=whole):
                        tally.tried += 1
                        if key in OWN or tally.tried % ONE_IN == 0:
                            tally.requests += 1
                            _send(client, name, [*pairs, ("csrf", csrf), ("why", "said so")])
                        else:
                            _hand_in(service, role, name, [*pairs, ("why", "said so")])
                        made = service.__dict__.pop("judged", ())
                        if not all(may(role, body, service) for body in made):
                            tally.passed.append(f"{role}: {name}, {label}")
    return tally


def _attempts(
    row: OperationRow, form: dict[str, str], *, whole: bool
) -> Iterator[tuple[str, str, HeaderPairs]]:
    """The form as it is, and with every field spelled: the field, what was done, the form."""
    yield "", "as it is", list(form.items())
    for name in row.form.fields:
        for value in VALUES if whole or name in OWN else ():
            rest = [(key, text) for key, text in form.items() if key != name]
            yield name, f"{name}={value}", [*rest, (name, value)]
            for label, spell in SPELLINGS.items():
                yield name, f"{name}={value}, {label}", [*rest, (name, spell(value))]
            for label, pairs in doubled(name, value).items():
                yield name, f"{name}={value}, {label}", [*rest, *pairs]


def _hand_in(service: Judging, role: Role, name: str, pairs: HeaderPairs) -> None:
    """The form at the door, as the app hands it in once it knows who asks."""
    who = Who(role, role, utc_now())
    with suppress(UserError, Forbidden):
        _, command = asked_for(OPERATIONS[name], Posted(list(pairs)), who)
        service.do(who.name, who.why, command)


def _send(client: TestClient, name: str, pairs: HeaderPairs) -> None:
    data: dict[str, list[str]] = {}
    for key, value in pairs:
        data.setdefault(key, []).append(value)
    client.post(f"/desk/do/{name}", data=data, headers={"accept": "application/json"})


# -- deliberate faults ----------------------------------------------------------------------------


def _judge_raw() -> None:
    """The fault of the first desk: the raw text is judged, and what is left of it acted on."""
    exact = door._chosen

    def lenient(typed: str, known: Any, label: str) -> Any:
        stripped = typed.strip()
        value = exact(stripped, known, label)
        return value if stripped == typed else _Unjudged(value)

    door._chosen = lenient


class _Unjudged(str):
    """Acts as the value, and is not found where roles are looked up."""

    def __hash__(self) -> int:
        return 0


def _judge_nothing() -> None:
    """What is known only from the tournament is not asked."""
    for row in OPERATIONS.values():
        object.__setattr__(row, "known", None)


FAULTS: dict[str, Callable[[], None]] = {"raw": _judge_raw, "unknown": _judge_nothing}


def main() -> None:
    """Print the figures; exit code 1 if a spelling got through."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fault", choices=FAULTS, help="Put in on purpose: must end with 1.")
    parser.add_argument("--own", action="store_true", help="Only fields that take a bigger role.")
    parser.add_argument("operations", nargs="*", help="Default: all of them.")
    options = parser.parse_args()
    if options.fault:
        FAULTS[options.fault]()
    tally = attack(whole=not options.own, operations=options.operations)
    spellings = len(SPELLINGS) + len(doubled("kind", "excluded"))
    print(
        f"{len(OPERATIONS)} operations, {spellings} spellings: {tally.tried} forms tried, ", end=""
    )
    print(f"{tally.requests} of them requests, ", end="")
    print(f"passed {len(tally.passed)}; the jury's own form reached {len(tally.reached)}")
    for line in tally.passed[:20]:
        print(f"  {line}")
    sys.exit(1 if tally.passed else 0)


if __name__ == "__main__":
    main()
