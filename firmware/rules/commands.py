"""What commands look like (TRANSCRIPT.md, *Commands*): the shapes that several games share, as
checks for the box and as types for the checker, and the rows of a game's table.
"""

from micropython import const

from .errors import Malformed
from .fields import need, need_int, need_list, need_str

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NotRequired, TypedDict

    Command = dict[str, object]  # as it comes in, before its shape is checked

    # (check of the shape, whose seat it names, rule of the refusal if it is another seat,
    #  what must hold besides the phase or None, for every phase but the last: where it may lead)
    Row = tuple[Callable[[Command], None], int, str, Callable[[Any], bool] | None, tuple[int, ...]]

    class SeatCommand(TypedDict):
        """What `seat_named` has checked."""

        seat: int

    class SeatOrNullCommand(TypedDict):
        """What `seat_or_null` has checked."""

        seat: int | None

    class TapCommand(TypedDict):
        """What `card_tapped` has checked."""

        card: str
        seat: NotRequired[int]

    class NoFields(TypedDict):
        """A command that carries only its time."""


# Whose seat a command names, for the rows of a game's table
NO_SEAT = 0
ANY_SEAT = 1  # of the match; null names nobody
AWAITED_SEAT = 2  # the one whose turn it is; it need not be named
OTHER_SEAT = 3  # any but the one whose turn it is


def seat_named(command: "Command") -> None:
    """`begin` and whatever else names a seat."""
    need_int(command, "seat")


def seat_or_null(command: "Command") -> None:
    """`decide`."""
    if need(command, "seat") is not None:
        need_int(command, "seat")


def card_tapped(command: "Command") -> None:
    """`tap`: a card, and a seat unless it is the awaited one."""
    need_str(command, "card")
    if "seat" in command:
        need_int(command, "seat")


def no_fields(command: "Command") -> None:
    """A command that carries only its time."""


def need_strings(command: "Command", field: str) -> None:
    """A list of strings that must be there."""
    for value in need_list(command, field):
        if type(value) is not str:
            raise Malformed(field, "holds something that is not a string")
