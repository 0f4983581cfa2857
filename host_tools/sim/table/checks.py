"""What makes no sense at a table: a page is told before the box hears of it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from host_tools.games import GAMES
from host_tools.sim.table import arbiter, messages
from host_tools.sim.table.messages import BadMessage
from host_tools.sim.table.tricks import TRICKS

if TYPE_CHECKING:
    from host_tools.sim.table.table import PlayTable

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
        raise BadMessage("play_no_thing", code=code[:12])


def _check_seat(table: "PlayTable", message: Any) -> None:
    if not 0 <= message.seat < MOST_SEATS:
        raise BadMessage("play_no_seat", seat=message.seat)


def _check_trick(table: "PlayTable", message: messages.Trick) -> None:
    _check_seat(table, message)
    if message.name not in TRICKS:
        raise BadMessage("play_no_trick")
    _check_thing(table, message.card)


def _check_arbiter(table: "PlayTable", message: messages.Arbiter) -> None:
    _check_seat(table, message)
    arbiter.check(message)
    if (message.card in table.tray) != (message.action == "hand"):
        raise BadMessage("play_by_hand")


def _check_start(table: "PlayTable", message: messages.Start) -> None:
    if message.game not in GAMES:
        raise BadMessage("play_malformed", reason=f"no such game: {message.game[:20]!r}")
    if not table.log.closed:
        raise BadMessage("play_running")
    if len(message.names) not in (0, message.seats) or any(
        not name.strip() or len(name.encode()) > 40 for name in message.names
    ):
        raise BadMessage("play_names")


def _check_rematch(table: "PlayTable", message: messages.Rematch) -> None:
    if table.log.world is None:
        raise BadMessage("play_nothing_to_repeat")
    if not table.log.closed:
        raise BadMessage("play_running")


def _check_usb(table: "PlayTable", message: messages.Usb) -> None:
    try:
        bytes.fromhex(message.hex)
    except ValueError as error:
        raise BadMessage("play_no_hex") from error


def _check_labels(table: "PlayTable", message: messages.Choose) -> None:
    if not 1 <= len(message.labels) <= 4 or any(
        not 1 <= len(label) <= 60 for label in message.labels
    ):
        raise BadMessage("play_labels")


_CHECKS: dict[type, Callable[["PlayTable", Any], None]] = {
    messages.Tap: _check_code,
    messages.Lay: _check_code,
    messages.Lift: _check_code,
    messages.Auto: _check_seat,
    messages.Arbiter: _check_arbiter,
    messages.Trick: _check_trick,
    messages.Start: _check_start,
    messages.Quartet: _check_seat,
    messages.Rematch: _check_rematch,
    messages.Choose: _check_labels,
    messages.Usb: _check_usb,
}
