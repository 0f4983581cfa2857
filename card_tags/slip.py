"""Result slips: what a box signs with its own key (FORMAT.md, *Slips*).

Short, so that two players fit onto an NTAG213 beside 64 bytes of signature: the key tells the box,
numbers stand for the known reasons, half of the link for the journal.
"""

import binascii

from micropython import const

from card_tags import kinds
from card_tags.errors import MALFORMED, TagError
from card_tags.wire import WireReader

HEAD_BYTES = const(16)
_MOST_SEATS = const(15)
_BORN_BYTES = const(4)
_PLACE = const(0x0F)
_POINTS = const(0x10)
TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from card_tags.writer import Writer

# Numbers of reasons; 0: a text follows. New ones only at the end.
# fmt: off
_REASONS = (
    "", "all_cards", "seat_out", "time", "jury", "forfeit", "excluded", "all_tied", "hands",
    "target", "last_seat", "chairs_full", "bar_full", "hand_empty", "bag", "no_table_card",
)
# fmt: on


def write_slip(out: "Writer", slip: "kinds.Slip") -> None:
    """Append the content. Raises ValueError for what the format cannot hold."""
    number, _, born = slip.match_id.partition("-")
    if len(born) != 2 * _BORN_BYTES or not 1 <= len(slip.seats) <= _MOST_SEATS:
        raise ValueError("a match of a box and 1 to 15 seats expected: " + slip.match_id)
    out.number(int(number))
    out.data.extend(binascii.unhexlify(born))
    out.text(slip.game)
    out.number(int(slip.table or 0))
    _write_reason(out, slip.reason)
    out.number(slip.duration_s)
    out.data.extend(slip.head[:HEAD_BYTES])
    out.byte(len(slip.seats))
    for seat in slip.seats:
        out.text(seat.name)
        out.signed(seat.total)
        out.byte(seat.place | (0 if seat.points is None else _POINTS))
        if seat.points is not None:
            out.signed(seat.points)


def _write_reason(out: "Writer", reason: str) -> None:
    number = _REASONS.index(reason) if reason in _REASONS else 0
    out.byte(number)
    if not number:
        out.text(reason)


def read_slip(data: WireReader) -> "kinds.Slip":
    """The counterpart, from behind version and key; `box_id` is "": the key tells it. Raises
    TagError(MALFORMED).
    """
    number = data.number()
    born = binascii.hexlify(data.raw(_BORN_BYTES)).decode()
    game = data.text()
    table = data.number()
    reason = _read_reason(data)
    duration_s = data.number()
    head = data.raw(HEAD_BYTES)
    count = data.byte()
    if not 1 <= count <= _MOST_SEATS:
        raise TagError(MALFORMED)
    seats = tuple([_read_seat(data) for _ in range(count)])
    match = "%d-%s" % (number, born)
    return kinds.Slip(match, "", game, str(table), reason, duration_s, head, seats)


def _read_reason(data: WireReader) -> str:
    number = data.byte()
    if number >= len(_REASONS):
        raise TagError(MALFORMED)
    if number:
        return _REASONS[number]
    reason = data.text()
    if reason in _REASONS[1:]:
        raise TagError(MALFORMED)  # it has a number: one content has one spelling
    return reason


def _read_seat(data: WireReader) -> "kinds.SlipSeat":
    name = data.text()
    total = data.signed()
    place = data.byte()
    if place & ~(_PLACE | _POINTS):
        raise TagError(MALFORMED)
    points = data.signed() if place & _POINTS else None
    return kinds.SlipSeat(name, total, points, place & _PLACE)


def signed_payload(uid: bytes, covered: bytes) -> bytes:
    """What the signature of a slip is made over, for the purpose `slip`."""
    return bytes((len(uid),)) + uid + kinds.SLIP.encode() + covered
