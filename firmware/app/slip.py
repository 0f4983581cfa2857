"""The result slip: the signed result on a tag, carried to the desk like a slip of paper."""

from micropython import const

from card_tags import codec, framing, kinds, seal

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from .seams import BoxApp
    from .session import Session

_CC_PAGE = const(3)
_CC_MAGIC = b"\xe1\x10"  # NDEF, mapping version 1.0 (NFC Forum Type 2 Tag)
_CC_UNIT = const(8)
_PAGE_BYTES = const(4)


def slip_content(app: "BoxApp", session: "Session") -> "kinds.Slip":
    """The result of a finished and closed match."""
    result = dict(session.match.result())
    entry = app.journal.entries()[-1]
    return kinds.Slip(
        str(entry.number) + "-" + app.journal.born,
        app.journal.box,
        session.header["game"],
        str(app.settings.get("table")),
        str(result["reason"]),
        session.match.t_ms // 1000,  # as in the journal, however late the tag comes
        app.journal.head,
        _seats(session, result),
    )


def _seats(session: "Session", result: "dict[str, Any]") -> "tuple[kinds.SlipSeat, ...]":
    totals = result["counts"] if "counts" in result else result["scores"]
    points = result.get("points")
    places = _places(result["ranking"], len(totals))
    return tuple(
        [
            kinds.SlipSeat(
                session.seat_name(seat)[:20],
                totals[seat],
                None if points is None else points[seat],
                places[seat],
            )
            for seat in range(len(totals))
        ]
    )


def _places(ranking: "list[list[int]]", seats: int) -> "list[int]":
    """Place of each seat from 1; seats that share one leave the next ones free."""
    places = [0] * seats
    place = 1
    for group in ranking:
        for seat in group:
            places[seat] = place
        place += len(group)
    return places


def write_slip(app: "BoxApp", session: "Session") -> str:
    """Write the slip onto the tag that lies there. Returns the key of the text to show."""
    key = app.settings.key()
    if key is None:
        return "slip_no_key"
    reader = app.hardware.reader
    content = slip_content(app, session)
    uid = bytes(reader.uid)
    tag = seal.sealed(kinds.SLIP, content, uid, seal.tag_key_id(key), key)
    start = bytes(reader.data[: len(framing.LOCK_CONTROL)])
    record = codec.encode(tag, lock_control=start == framing.LOCK_CONTROL)
    try:
        if len(record) > _room(reader.read_user(_CC_PAGE, 1)):
            return "slip_too_small"
        padding = bytes(-len(record) % _PAGE_BYTES)
        reader.write_record(record + padding, framing.length_at(record)[0])
    except app.hardware.reader_fault:
        return "slip_failed"
    return "slip_written"


def _room(container: bytes) -> int:
    """Bytes that may be written, by the capability container; 0 if it says read-only."""
    writable = container[3] & 0x0F == 0
    return container[2] * _CC_UNIT if container[:2] == _CC_MAGIC and writable else 0
