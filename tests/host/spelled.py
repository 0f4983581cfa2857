"""Everything that a form may say instead of a value that takes a bigger role, and what came of it.

What is judged is what is acted on, so no spelling may do what the exact value would not. What
takes the jury is written here once more, by hand, about events and not about fields.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from unittest.mock import patch

from host_tools.core.errors import UserError
from host_tools.tournament import events as ev
from host_tools.tournament import fields as entry
from host_tools.tournament.operations import OPERATIONS, Who
from host_tools.tournament.rights import Forbidden, Role
from host_tools.tournament.service import TournamentService, utc_now
from host_tools.web.desk.forms import Posted, asked_for

VALUES = ("1", "forfeit", "excluded", "absent", "jury", "locked")
"""Every value that takes a bigger role somewhere."""
HARMLESS = {"kind": "played", "force": "", "redraw": "", "with_matches": ""}
"""Fields in which a value takes a bigger role, and one that does not."""
Pairs = list[tuple[str, str]]

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


def doubled(name: str, value: str) -> dict[str, Pairs]:
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


def addresses(name: str) -> list[str]:
    """What looks like the address of an operation, and is or is not."""
    path, first = f"/desk/do/{name}", f"%{ord(name[0]):02x}{name[1:]}"
    behind = ("/", "%20", "%00", "%e2%80%8b", ";x", "?role=jury", "#", "/.", ".json")
    spelled = [path + more for more in behind]
    around = ("//", "/./", "/x/../", "/%2e/", "/%20")
    spelled += [f"/desk/do{more}{name}" for more in around]
    return [*spelled, f"/desk/do/{name.upper()}", f"/desk/do/{first}", f"/DESK/do/{name}"]


class Judging(TournamentService):
    """Judges every command and writes nothing, so that each meets the same tournament."""

    judged: list[ev.AnyBody]

    def do(self, actor: str, why: str, wanted: Any) -> list[ev.LogEntry]:
        """Judged as ever, not written."""
        self.judged = list(wanted(self._state))
        return []

    def taken(self) -> list[ev.AnyBody]:
        """The events that would have come since it was asked last."""
        found: list[ev.AnyBody] = self.__dict__.pop("judged", [])
        return found


def jurys(body: ev.AnyBody, service: TournamentService, name: str) -> bool:
    """Whether only the jury may cause this event by the operation of this name."""
    if name in ("no_show", "both_absent") and isinstance(body, ev.Reported | ev.Checked):
        return service.state.matches[body.match].status != "called"
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


def may(role: Role, body: ev.AnyBody, service: TournamentService, name: str) -> bool:
    """Whether the role may cause the event so; a viewer only observes."""
    if role == "viewer":
        return isinstance(body, ev.Observed)
    return role == "jury" or not jurys(body, service, name)


def attempts(name: str, form: Pairs) -> Iterator[tuple[str, Pairs]]:
    """The form as it is, and with every value in every field, spelled: what was done, the form."""
    yield "as it is", form
    for field in OPERATIONS[name].form.fields:
        rest = [(key, text) for key, text in form if key != field]
        for value in VALUES:
            yield f"{field}={value}", [*rest, (field, value)]
            for label, spell in SPELLINGS.items():
                yield f"{field}={value}, {label}", [*rest, (field, spell(value))]
            for label, pairs in doubled(field, value).items():
                yield f"{field}={value}, {label}", [*rest, *pairs]


def hand_in(service: Judging, role: Role, name: str, pairs: Pairs) -> None:
    """The form where the app's requests end, once it knows who asks: ten times as fast."""
    who = Who(role, role, utc_now())
    with suppress(UserError, Forbidden):
        _, command = asked_for(OPERATIONS[name], Posted(list(pairs)), who)
        service.do(who.name, who.why, command)


# -- deliberate faults ----------------------------------------------------------------------------


@contextmanager
def judge_raw() -> Iterator[None]:
    """The fault of the first desk: the raw text is judged, and what is left of it acted on."""
    exact = entry._chosen

    def lenient(typed: str, known: Any, label: str) -> Any:
        stripped = typed.strip()
        value = exact(stripped, known, label)
        return value if stripped == typed else _Unjudged(value)

    with patch.object(entry, "_chosen", lenient):
        yield


class _Unjudged(str):
    """Acts as the value, and is not found where roles are looked up."""

    def __hash__(self) -> int:
        return 0


@contextmanager
def judge_no_state() -> Iterator[None]:
    """What is known only from the tournament is not asked."""
    known = {name: row.known for name, row in OPERATIONS.items()}
    for row in OPERATIONS.values():
        object.__setattr__(row, "known", None)
    try:
        yield
    finally:
        for name, row in OPERATIONS.items():
            object.__setattr__(row, "known", known[name])
