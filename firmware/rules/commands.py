"""The shape of commands that several games share (TRANSCRIPT.md, *Commands*)."""

from micropython import const

from .errors import Malformed
from .fields import need, need_int, need_list, need_str

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from .options import Command


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


def need_strings(command: "Command", field: str) -> "list[str]":
    """A list of strings that must be there."""
    values = need_list(command, field)
    for value in values:
        if type(value) is not str:
            raise Malformed(field, "holds something that is not a string")
    return values  # type: ignore[return-value]
