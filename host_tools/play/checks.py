"""What makes no sense at a table: a page is told before the box hears of it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from host_tools.play import arbiter, messages
from host_tools.play.cheats import CHEATS
from host_tools.play.messages import BadMessage

if TYPE_CHECKING:
    from host_tools.play.table import PlayTable

MOST_SEATS = 8


def check(table: "PlayTable", message: messages.AnyMessage) -> None:
    """Raises BadMessage with a sentence for the page."""
    wanted = _CHECKS.get(type(message))
    if wanted is not None:
        wanted(table, message)


def _check_code(table: "PlayTable", message: Any) -> None:
    _check_thing(table, message.code)


def _check_thing(table: "PlayTable", code: str) -> None:
    if code and code not in table.tray:
        raise BadMessage(f"there is no {code[:12]} on this table")


def _check_seat(table: "PlayTable", message: Any) -> None:
    if not 0 <= message.seat < MOST_SEATS:
        raise BadMessage(f"there is no seat {message.seat}")


def _check_cheat(table: "PlayTable", message: messages.Cheat) -> None:
    _check_seat(table, message)
    if message.name not in CHEATS:
        raise BadMessage("there is no such trick")
    _check_thing(table, message.card)


def _check_arbiter(table: "PlayTable", message: messages.Arbiter) -> None:
    _check_seat(table, message)
    arbiter.check(message)
    if (message.card in table.tray) != (message.action == "hand"):
        raise BadMessage("only a card of this table is entered by hand")


def _check_start(table: "PlayTable", message: messages.Start) -> None:
    if not table.log.closed:
        raise BadMessage("a match is being played: finish it, or abandon it (JURY)")
    if len(message.names) not in (0, message.seats) or any(
        not name.strip() or len(name.encode()) > 40 for name in message.names
    ):
        raise BadMessage("one name per seat, of at most 40 letters")


def _check_usb(table: "PlayTable", message: messages.Usb) -> None:
    try:
        bytes.fromhex(message.hex)
    except ValueError as error:
        raise BadMessage("the bytes for the cable are not in hex") from error


def _check_labels(table: "PlayTable", message: messages.Choose) -> None:
    if not 1 <= len(message.labels) <= 4 or any(
        not 1 <= len(label) <= 60 for label in message.labels
    ):
        raise BadMessage("one to four items of at most 60 letters")


_CHECKS: dict[type, Callable[["PlayTable", Any], None]] = {
    messages.Tap: _check_code,
    messages.Lay: _check_code,
    messages.Lift: _check_code,
    messages.Auto: _check_seat,
    messages.Arbiter: _check_arbiter,
    messages.Cheat: _check_cheat,
    messages.Start: _check_start,
    messages.Choose: _check_labels,
    messages.Usb: _check_usb,
}
