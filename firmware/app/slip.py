"""The result slip: the signed result on a tag, carried to the desk like a slip of paper."""

from micropython import const

from card_tags import codec, framing, kinds

from . import sounds
from .canvas import LINE, TOP
from .page import Page
from .view import View

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from .seams import BoxApp, BoxSigning
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


def write_slip(app: "BoxApp", session: "Session") -> None:
    """Open the page that signs the slip and writes it onto the tag that lies there."""
    app.open(SigningPage(app, slip_content(app, session)))


def _written(app: "BoxApp", tag: "kinds.Tag") -> str:
    reader = app.hardware.reader
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


class SigningPage(Page):
    """The tag lies there while its slip is signed; then it is written."""

    def __init__(self, app: "BoxApp", content: "kinds.Slip") -> None:
        Page.__init__(self, app)
        from card_tags.slip import signed_payload

        signing: "BoxSigning | None" = app.signing
        assert signing is not None
        self._signing = signing
        self._uid = bytes(app.hardware.reader.uid)
        self._covered = codec.covered_bytes(kinds.SLIP, content, signing.key_id()[0])
        self._signature = b""
        self._shown = -1
        signing.sign("slip", signed_payload(self._uid, self._covered), self._take)

    def _take(self, signature: bytes) -> None:
        self._signature = signature

    def view(self) -> "View":
        say = self.app.say
        self._shown = self._signing.percent()
        parts = (
            ("text", 0, TOP + LINE, say("slip_signing", self._shown)),
            ("text", 0, TOP + 3 * LINE, say("slip_stay")),
        )
        return View(say("slip_title"), parts, False)

    def on_time(self, now_ms: int) -> None:
        if self._signature:
            self.app.close(self)
            tell(self.app, self._write())
        elif self._shown != self._signing.percent():
            self.app.redraw()

    def _write(self) -> str:
        if bytes(self.app.hardware.reader.uid) != self._uid:
            return "slip_failed"  # another tag lies there now
        covered = self._covered
        tag = kinds.Tag(kinds.SLIP, None, covered[1], self._signature, covered)  # type: ignore[arg-type]
        return _written(self.app, tag)


def tell(app: "BoxApp", key: str) -> None:
    """What became of it, as the text of a key."""
    good = key == "slip_written"
    icon, sound = ("SEAL", sounds.ACCEPTED) if good else ("QUESTION", sounds.REFUSED)
    app.message(icon, app.say("slip_title"), (app.say(key),), sound)
