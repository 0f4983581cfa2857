"""Who may do what at the desk: one table, which the server obeys and the pages show
(docs/decisions/0096). The command line is the organiser's own and asks no role.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from host_tools.web.desk.accounts import User
from host_tools.web.desk.forms import Form

READ = "viewer"
READ_LOGINS = "jury"


@dataclass(frozen=True)
class Right:
    """`role` may do it; for some values of some fields it takes a bigger role: field → value →
    role.

    `status`, `was` and `source` are no fields but what is known already: the state of the match,
    the kind of its result, who made the report.
    """

    role: str
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


_FORCE = {"force": {"1": "jury"}}
# SW-9: only the jury excludes. SW-7: a forfeit takes the call and two minutes (`no_show`), unless
# the jury says otherwise; so nobody else writes one down as a result.
_KIND = {"kind": {"forfeit": "jury", "excluded": "jury"}}
# a forfeit that a witness has reported may be checked like any result
_REPORTED = {"kind": {"excluded": "jury"}}

RIGHTS: dict[str, Right] = {
    "check_in": Right("desk"),
    "add_player": Right("desk"),
    "import": Right("desk"),
    "edit_player": Right("desk"),
    "remove_player": Right("desk"),
    "enter_again": Right("desk"),
    "withdraw": Right("jury"),
    "exclude": Right("jury"),
    "reinstate": Right("jury"),
    "draw": Right("jury"),
    "call": Right("desk"),
    "call_slot": Right("desk"),
    "start": Right("desk"),
    "assign": Right("desk"),
    "dismiss": Right("desk"),
    "enter": Right("desk", _KIND),
    "report": Right("desk", _KIND),
    "take_back": Right("desk", {"source": {"jury": "jury"}}),
    "check": Right("desk", _REPORTED),
    "choose": Right("desk", _REPORTED),
    "lock": Right("desk"),
    "no_show": Right("desk", _FORCE),
    "correct": Right(
        "desk",
        {
            **_KIND,
            **_FORCE,
            "redraw": {"1": "jury"},
            "was": {"excluded": "jury"},
            "status": {"locked": "jury"},
        },
    ),
    "void": Right("jury"),
    "lot": Right("jury"),
    "draw_lots": Right("jury"),
    "lock_all": Right("desk"),
    "draw_ko": Right("jury"),
}


def role_for(action: str, name: str = "", value: str = "") -> str:
    """The smallest role that may do `action`, with `value` in the field `name`."""
    right = RIGHTS[action]
    return right.values.get(name, {}).get(value, right.role)


def may(user: User, action: str, name: str = "", value: str = "") -> bool:
    """True if the role of `user` is enough."""
    return user.may(role_for(action, name, value))


def needed(action: str, form: Form) -> Iterator[str]:
    """The roles that a filled-in form takes, all of them."""
    yield RIGHTS[action].role
    for name in RIGHTS[action].values:
        yield role_for(action, name, form.text(name))
