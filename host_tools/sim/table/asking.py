"""Who asks something of a virtual table, and the errors that tell a page why it is not done."""

from host_tools.core.errors import UserError

HOST = -1
"""Who asks, if it is no seat."""
MOST_SEATS = 8  # no game takes more
LONGEST_NAME = 40
"""Bytes."""


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
