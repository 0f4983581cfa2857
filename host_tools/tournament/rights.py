"""The roles of a desk, and which step of a match is possible in which status.

The commands look a match's status up here before they make an event; the operations of the desk
(`operations`) have the same names, so its pages know which buttons to show. The command line is
the organiser's own: it asks for the status, but for no role
(docs/decisions/roles-and-operations.md).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from host_tools.core.errors import UserError
from host_tools.tournament.match_state import COUNTS, MatchState, Status

Role = Literal["viewer", "desk", "jury"]
ROLES: tuple[Role, ...] = get_args(Role)
"""Each may do what the ones before may."""
READS_OBSERVATIONS: Role = "jury"
"""Who reads what undercover referees report."""
STATUSES: tuple[Status, ...] = get_args(Status)

_NOT_PLAYED: tuple[Status, ...] = ("open", "called")
_NOT_CHECKED: tuple[Status, ...] = (*_NOT_PLAYED, "reported")
_NOT_LOCKED: tuple[Status, ...] = (*_NOT_CHECKED, "checked")


def includes(role: Role, needed: Role) -> bool:
    """True if whoever has `role` may do what takes `needed`."""
    return ROLES.index(role) >= ROLES.index(needed)


class Forbidden(Exception):
    """The role is too small; without a role: the form is not one of ours."""

    def __init__(self, role: Role | Literal[""] = "") -> None:
        super().__init__(role)
        self.role = role


@dataclass(frozen=True)
class ActionRight:
    """`statuses`: those of a match in which it is possible; `refusal`: the key of what is said in
    the others; `shown`: those in which the page of the match offers it, if not the same.
    """

    statuses: tuple[Status, ...]
    refusal: str = ""
    shown: tuple[Status, ...] | None = None


STEPS: dict[str, ActionRight] = {
    # about every match there is
    "draw": ActionRight(("open",), "groups_begun"),
    "draw_ko": ActionRight(("open",), "tree_begun"),
    # these leave out matches in other statuses
    "call_slot": ActionRight(("open",)),
    "call_round": ActionRight(("open",)),
    "call": ActionRight(_NOT_PLAYED, "not_callable"),
    "start": ActionRight(("called",), "not_to_start"),
    "give": ActionRight(("called",), "not_to_give"),
    # what counts is corrected, with its preview, never overwritten
    "enter": ActionRight(_NOT_CHECKED, "counted_already"),
    "enter_places": ActionRight(_NOT_CHECKED, "counted_already"),
    "report": ActionRight(_NOT_LOCKED, "locked", shown=_NOT_CHECKED),
    "take_back": ActionRight(_NOT_LOCKED, "locked"),
    # an entry counts at once if nothing contradicts it, so it may be checked already
    "undo": ActionRight(("reported", "checked"), "nothing_to_undo"),
    "check": ActionRight(_NOT_CHECKED, "counted_already"),
    "choose": ActionRight(_NOT_CHECKED, "counted_already"),
    "lock": ActionRight(("checked",), "not_lockable"),
    # one with a report was played; the jury may still say otherwise, at the command line
    "no_show": ActionRight(_NOT_CHECKED, "counted_already", shown=_NOT_PLAYED),
    # a report says that somebody came
    "both_absent": ActionRight(_NOT_PLAYED, "counted_already"),
    "correct": ActionRight(COUNTS, "nothing_to_correct"),
    "correct_places": ActionRight(COUNTS, "nothing_to_correct"),
    "void": ActionRight(("reported", *COUNTS), "nothing_to_void"),
    "postpone": ActionRight(_NOT_PLAYED, "not_postponable"),
}


def is_possible(step: str, match: MatchState) -> bool:
    """True if the status of `match` allows `step`; one that is none of a match always is."""
    return step not in STEPS or match.status in STEPS[step].statuses


def is_shown(step: str, status: str) -> bool:
    """True if the page of a match in `status` offers `step`."""
    known = STEPS[step]
    return status in (known.statuses if known.shown is None else known.shown)


def check_status(step: str, match: MatchState) -> None:
    """Raises UserError if the status of `match` does not allow `step`."""
    if not is_possible(step, match):
        raise UserError(STEPS[step].refusal, match=match.id, status=match.status)


def first_against(step: str, matches: Iterable[MatchState]) -> MatchState | None:
    """The first of `matches` whose status does not allow `step`; None if all do."""
    return next((match for match in matches if not is_possible(step, match)), None)


def check_all(step: str, matches: Iterable[MatchState]) -> None:
    """Raises UserError if the status of one of `matches` does not allow `step`."""
    match = first_against(step, matches)
    if match is not None:
        check_status(step, match)
