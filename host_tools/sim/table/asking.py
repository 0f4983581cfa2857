"""Who asks something of a virtual table, and the errors that tell a page why it is not done."""

from host_tools.core.errors import UserError
from host_tools.core.names import LONGEST_AT_TABLE, shown, tidy
from host_tools.core.text_check import text_fault

HOST = -1
"""Who asks, if it is no seat."""
MOST_SEATS = 8  # no game takes more


class BadMessage(UserError):
    """What the page asks makes no sense. `status` is HTTP's."""

    status = 400


class NotAllowed(BadMessage):
    """Somebody else may do that, or later."""

    status = 403


class NotThere(BadMessage):
    """There is no such thing (any more)."""

    status = 404


class TooLong(BadMessage):
    """More bytes than anybody needs."""

    status = 413


def read_name(typed: str) -> str:
    """What somebody is called at a table, in its one spelling. Raises BadMessage."""
    name = tidy(typed)
    if not name:
        raise BadMessage("play_nameless")
    fault = text_fault(name, LONGEST_AT_TABLE)
    if fault is not None:
        raise BadMessage("text_fault", text=shown(name, LONGEST_AT_TABLE), detail=fault)
    return name
