"""Which action is possible in which status of a match, and for whom: one table.

The commands look a match's status up in it before they make an event, the desk's server asks it
for the role, its pages ask it which buttons to show (docs/decisions/0096, 0126). The command line
is the organiser's own: it asks for the status, but for no role and no reason.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from host_tools.core.errors import UserError
from host_tools.tournament.match_state import COUNTS, MatchState, Status

Role = Literal["viewer", "desk", "jury"]
ROLES: tuple[Role, ...] = get_args(Role)
"""Each may do what the ones before may."""
STATUSES: tuple[Status, ...] = get_args(Status)

_NOT_PLAYED: tuple[Status, ...] = ("open", "called")
_NOT_CHECKED: tuple[Status, ...] = (*_NOT_PLAYED, "reported")
_NOT_LOCKED: tuple[Status, ...] = (*_NOT_CHECKED, "checked")


@dataclass(frozen=True)
class Right:
    """`role` may do it; for some values of some fields it takes a bigger role: field → value →
    role. `status`, `was` and `source` are no fields but what is known already: the status of the
    match, the kind of its result, who made the report.

    `statuses`: those of its match in which it is possible, `refusal` the key of what is said in
    the others; all for an action that is not about one match. `shown`: those in which its page
    offers it, if fewer. `reason`: the desk's form must give one.
    """

    role: Role
    values: Mapping[str, Mapping[str, Role]] = field(default_factory=dict)
    statuses: tuple[Status, ...] = STATUSES
    refusal: str = ""
    shown: tuple[Status, ...] | None = None
    reason: bool = False


_FORCE: Mapping[str, Mapping[str, Role]] = {"force": {"1": "jury"}}
# SW-9: only the jury excludes. SW-7: a forfeit takes the call and two minutes (`no_show`), unless
# the jury says otherwise; so nobody else writes one down as a result.
_KIND: Mapping[str, Mapping[str, Role]] = {"kind": {"forfeit": "jury", "excluded": "jury"}}
# a forfeit that was reported may be checked like any result
_REPORTED: Mapping[str, Mapping[str, Role]] = {"kind": {"excluded": "jury"}}
_CORRECTED: Mapping[str, Mapping[str, Role]] = {
    **_KIND,
    **_FORCE,
    "redraw": {"1": "jury"},
    "was": {"excluded": "jury"},
    "status": {"locked": "jury"},
}

RIGHTS: dict[str, Right] = {
    "check_in": Right("desk"),
    "arrive": Right("desk"),
    "check_in_many": Right("desk"),
    "check_in_all": Right("desk"),
    "add_player": Right("desk"),
    "import": Right("desk"),
    "edit_player": Right("desk"),
    "remove_player": Right("desk", reason=True),
    "merge": Right("desk", reason=True),
    "enter_again": Right("desk"),
    "withdraw": Right("jury", reason=True),
    "exclude": Right("jury", reason=True),
    "reinstate": Right("jury", reason=True),
    "public_names": Right("jury"),
    "compare": Right("jury"),
    # about every match there is
    "draw": Right("jury", statuses=("open",), refusal="groups_begun"),
    "call": Right("desk", statuses=_NOT_PLAYED, refusal="not_callable"),
    # calls the matches of a slot that are
    "call_slot": Right("desk", statuses=("open",)),
    "begins": Right("desk"),
    "announce": Right("desk"),
    "end_announcement": Right("desk"),
    "signal_start": Right("desk"),
    "start": Right("desk", statuses=("called",), refusal="not_to_start"),
    "give": Right("desk", statuses=("called",), refusal="not_to_give"),
    # reports it: `report` says in which status
    "assign": Right("desk"),
    "dismiss": Right("desk", reason=True),
    "enter": Right("desk", _KIND, _NOT_CHECKED, "counted_already"),
    "report": Right("desk", _KIND, _NOT_LOCKED, "locked", shown=_NOT_CHECKED),
    "take_back": Right("desk", {"source": {"jury": "jury"}}, _NOT_LOCKED, "locked", reason=True),
    # one's own, within a minute
    "undo": Right("desk", statuses=("reported", "checked"), refusal="nothing_to_undo"),
    "check": Right("desk", _REPORTED, _NOT_CHECKED, "counted_already"),
    # checks those that are sure
    "check_all": Right("desk", statuses=("reported",)),
    "choose": Right("desk", _REPORTED, _NOT_CHECKED, "counted_already"),
    "lock": Right("desk", statuses=("checked",), refusal="not_lockable"),
    # one with a report was played; the jury may still say otherwise, at the command line
    "no_show": Right("desk", _FORCE, _NOT_CHECKED, "counted_already", shown=_NOT_PLAYED),
    "correct": Right("desk", _CORRECTED, COUNTS, "nothing_to_correct", reason=True),
    "void": Right("jury", {}, ("reported", *COUNTS), "nothing_to_void", reason=True),
    "postpone": Right("jury", statuses=_NOT_PLAYED, refusal="not_postponable", reason=True),
    "protest": Right("desk"),
    "decide": Right("jury"),
    # an undercover referee may have any account
    "observe": Right("viewer"),
    "penalize": Right("jury"),
    "lift": Right("jury", reason=True),
    "lot": Right("jury"),
    "draw_lots": Right("jury"),
    # locks the matches that can be
    "lock_all": Right("desk", statuses=("checked",)),
    # about every match of the tree
    "draw_ko": Right("jury", statuses=("open",), refusal="tree_begun"),
}


READS_OBSERVATIONS: Role = "jury"
"""Who reads what undercover referees report."""


def role_for(action: str, name: str = "", value: str = "") -> Role:
    """The smallest role that may do `action`, with `value` in the field `name`."""
    right = RIGHTS[action]
    return right.values.get(name, {}).get(value, right.role)


def roles_for(action: str, fields: Mapping[str, str]) -> Iterator[Role]:
    """The roles that a filled-in form takes, all of them."""
    yield RIGHTS[action].role
    for name in RIGHTS[action].values:
        yield role_for(action, name, fields.get(name, ""))


def is_possible(action: str, match: MatchState) -> bool:
    """True if the status of `match` allows `action`."""
    return match.status in RIGHTS[action].statuses


def is_shown(action: str, status: str) -> bool:
    """True if the page of a match in `status` offers `action`."""
    right = RIGHTS[action]
    return status in (right.statuses if right.shown is None else right.shown)


def check_status(action: str, match: MatchState) -> None:
    """Raises UserError if the status of `match` does not allow `action`."""
    if not is_possible(action, match):
        key = RIGHTS[action].refusal
        raise UserError(key, match=match.id, status=match.status)


def first_against(action: str, matches: Iterable[MatchState]) -> MatchState | None:
    """The first of `matches` whose status does not allow `action`; None if all do."""
    return next((match for match in matches if not is_possible(action, match)), None)


def check_all(action: str, matches: Iterable[MatchState]) -> None:
    """Raises UserError if the status of one of `matches` does not allow `action`."""
    match = first_against(action, matches)
    if match is not None:
        check_status(action, match)
