"""The USB link of the box: one request in, one reply out; the box never speaks unasked.

The protocol is in docs/link.md. `Link.handlers` is a table `request -> function(request) -> reply
fields`; the app adds its own (screen, log, selftest, tag operations) to those of this file.
"""

import binascii
import json

from micropython import const

from card_tags.hmac import hmac_sha256

from .journal import ASIDE, FINISHED, NotConfirmed
from .link_frames import (
    LINK_VERSION,
    MAX_REPLY,
    MAX_REQUEST,
    BadFrame,
    key_id,
    pack_line,
    read_frame,
    trade_quotes,
)
from .settings import BadSetting

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from typing import Any

    from .journal import Journal
    from .settings import Settings
    from .signing import Signing

_ORDERS = {"assign": "assignment", "notice": "notice"}  # request -> its signed text
_ENTRIES_PER_REPLY = const(20)
_ENOENT = const(2)
_UNREAD_MS = const(2000)  # so long the laptop waits for an answer before it asks again


class RequestError(Exception):
    """A request that the box refuses: a stable reason and a sentence for people."""


class Link:
    """`line` is drivers.usb_line.UsbLine; `firmware` is its version; `clock` has `ticks_diff` and
    `ticks_add`.

    `when_sent`, if a handler sets it, is called once, behind the last byte of its reply. `unread`
    counts the replies that were given up because nobody took them.
    """

    def __init__(
        self, line: "Any", journal: "Journal", settings: "Settings", firmware: str, clock: "Any"
    ) -> None:
        self.unread = 0
        self.signing: "Signing | None" = None  # of a box with a key of its own
        self._held: "tuple[dict[str, Any], object] | None" = None  # its order is being checked
        self.when_sent: "Callable[[], None] | None" = None
        self._line = line
        self._journal = journal
        self._settings = settings
        self._firmware = firmware
        self._clock = clock
        self._now_ms = 0
        # unix time at `_unix_ms`, which follows the ticks second by second; None: not known yet
        self.unix: "int | None" = None
        self._unix_ms = 0
        self._sending: "Generator[bytes, None, None] | None" = None
        self._piece: "bytes | memoryview" = b""  # what is left of the piece under way
        self._moved_ms = 0  # when the laptop last took something
        # where the next request for records will most likely go on: match, line, offset
        self._place = (0, 0, 0)
        self.handlers: "dict[str, Callable[[dict[str, Any]], dict[str, Any]]]" = {
            "hello": self._hello,
            "status": self._status,
            "matches": self._matches,
            "confirm": self._confirm,
            "settings": self._change_settings,
            "key": self._set_key,
            "time": self._set_time,
        }

    def step(self, now_ms: int) -> None:
        """Answer one request, or send one more piece of a long reply. Nothing when idle."""
        self._now_ms = now_ms
        if self.unix is not None:
            self._let_time_pass()
        if self._sending is not None:
            self._send_on(self._sending)
            return
        if self._held is not None:
            return
        line = self._line.read_line()
        if line:
            self._moved_ms = now_ms
            self._answer(line)

    # -- one request ----------------------------------------------------------------------

    def _answer(self, line: bytes) -> None:
        number = None
        try:
            request = read_frame(line)
            number = request.get("id")
        except BadFrame as error:
            self._refuse(number, "bad_frame", str(error))
        else:
            self._try(self._dispatch, request, number)

    def _try(
        self,
        serve: "Callable[[dict[str, Any], object], None]",
        request: "dict[str, Any]",
        number: object,
    ) -> None:
        try:
            serve(request, number)
        except BadFrame as error:
            self._refuse(number, "bad_frame", str(error))
        except RequestError as error:
            self._refuse(number, error.args[0], error.args[1])
        except BadSetting as error:
            self._refuse(number, "bad_setting", "%s: %s" % error.args)
        except NotConfirmed as error:
            self._refuse(number, "not_confirmed", str(error))
        except OSError as error:
            reason = "no_match" if error.args[0] == _ENOENT else "flash"
            self._refuse(number, reason, "error %s" % error.args[0])
        except (KeyError, TypeError, ValueError) as error:
            self._refuse(number, "bad_request", repr(error))
        except MemoryError:  # the match needs it: a laptop may ask again
            self._refuse(number, "no_memory", "not while this match lasts")

    def _dispatch(self, request: "dict[str, Any]", number: object) -> None:
        do = request["do"]
        if do == "records":
            self._sending = self._records(request, number)
            return
        if do not in self.handlers:
            raise RequestError("unknown_request", "this firmware has no request %s" % do)
        if do in _ORDERS and self._must_check(request, number):
            return
        self._serve(request, number)

    def _must_check(self, request: "dict[str, Any]", number: object) -> bool:
        """True if an order was sent to a box with a desk: it waits until its signature is checked,
        which takes many turns.
        """
        signing, text = self.signing, request.get(_ORDERS[request["do"]])
        if text is None or signing is None or not signing.desk:
            return False
        signature = binascii.unhexlify(str(request.get("sig", "")))
        self._held = request, number
        signing.check(request["do"], trade_quotes(text).encode(), signature, self._checked)
        return True

    def _checked(self, holds: bool) -> None:
        held: "Any" = self._held
        self._held = None
        if not holds:
            self._refuse(held[1], "bad_signature", "the desk of this box has not signed it")
            return
        signing: "Any" = self.signing
        signing.proven = held[0]
        self._try(self._serve, held[0], held[1])
        signing.proven = None

    def _serve(self, request: "dict[str, Any]", number: object) -> None:
        do = request["do"]
        reply = self.handlers[do](request)
        reply["id"] = number
        self._send(reply)

    def _refuse(self, number: object, reason: str, text: str) -> None:
        self._send({"id": number, "error": reason, "text": text})

    def _send(self, reply: "dict[str, Any]") -> None:
        self._sending = _framed(_whole(json.dumps(reply)))

    def _send_on(self, sending: "Generator[bytes, None, None]") -> None:
        """One more piece, or what the line takes of it. Nobody takes anything: give up."""
        if not self._piece:
            self._piece = next(sending, b"")
        if self._piece:
            taken = self._line.write(self._piece)
            self._piece = memoryview(self._piece)[taken:]
            if taken:
                self._moved_ms = self._now_ms
        elif self._line.finish():
            self._end_reply()
            return
        if self._clock.ticks_diff(self._now_ms, self._moved_ms) >= _UNREAD_MS:
            self._give_up(sending)

    def _end_reply(self) -> None:
        self._sending = None
        action, self.when_sent = self.when_sent, None
        if action is not None:
            action()

    def _give_up(self, sending: "Generator[bytes, None, None]") -> None:
        """Drop the reply whole: the laptop asks again if it wants to know, and gets the same."""
        sending.close()
        self.unread += 1
        self._sending = self.when_sent = None
        self._piece = b""
        self._line.drop()

    # -- what the desk may ask ------------------------------------------------------------

    def _hello(self, request: "dict[str, Any]") -> "dict[str, Any]":
        key = self._settings.key()
        return {
            "schiri": LINK_VERSION,
            "box": self._journal.box,
            "name": self._settings.get("name"),
            "table": self._settings.get("table"),
            "firmware": self._firmware,
            "key": key_id(key) if key is not None else None,
            "max_request": MAX_REQUEST,
        }

    def _status(self, request: "dict[str, Any]") -> "dict[str, Any]":
        entries = self._journal.entries()
        return {
            "matches": len(entries),
            "waiting": len([entry for entry in entries if entry.state in (FINISHED, ASIDE)]),
            "free_bytes": self._journal.flash.free_bytes(),
            "ticks_ms": self._now_ms,
            "unix": self.unix,
        }

    def _matches(self, request: "dict[str, Any]") -> "dict[str, Any]":
        after = request.get("after", 0)
        found = [entry for entry in self._journal.entries() if entry.number > after]
        page = [[e.number, e.state, e.size] for e in found[:_ENTRIES_PER_REPLY]]
        return {"matches": page, "more": len(found) > len(page)}

    def _confirm(self, request: "dict[str, Any]") -> "dict[str, Any]":
        self._journal.confirm(request["match"], request["digest"])
        return {"confirmed": request["match"]}

    def _change_settings(self, request: "dict[str, Any]") -> "dict[str, Any]":
        changes = request.get("set")
        if changes:
            self._settings.set(changes)
        return {"settings": self._settings.all()}

    def _set_key(self, request: "dict[str, Any]") -> "dict[str, Any]":
        """A box without a key takes any; after that only who knows the old key may change it."""
        new = binascii.unhexlify(request["key"])
        old = self._settings.key()
        if old is not None and old != new:
            proof = binascii.hexlify(hmac_sha256(old, new)).decode()
            if request.get("proof") != proof:
                raise RequestError(
                    "wrong_key", "the box has another key; its old key must allow this"
                )
        if old != new:
            self._settings.set_key(new)
        return {"key": key_id(new)}

    def _set_time(self, request: "dict[str, Any]") -> "dict[str, Any]":
        if "unix" in request:
            self.unix = int(request["unix"])
            self._unix_ms = self._now_ms
        return {"unix": self.unix, "ticks_ms": self._now_ms}

    def _let_time_pass(self) -> None:
        """Move the time of day on by whole seconds; the ticks start anew every 12 days."""
        passed_s = self._clock.ticks_diff(self._now_ms, self._unix_ms) // 1000
        if passed_s > 0 and self.unix is not None:
            self.unix += passed_s
            self._unix_ms = self._clock.ticks_add(self._unix_ms, 1000 * passed_s)

    # -- records: the one long reply, never whole in memory -------------------------------

    def _records(
        self, request: "dict[str, Any]", number: object
    ) -> "Generator[bytes, None, None]":
        match = request["match"]
        first = request["from"]
        limit = min(request.get("bytes", MAX_REPLY), MAX_REPLY)
        place = self._place
        offset = place[2] if place[:2] == (match, first) else 0
        # Looked up here, before the first piece goes out, so that a missing match is a refusal.
        lines = self._journal.lines(match, first, offset)
        line = next(lines, None)
        return _framed(self._record_pieces(number, match, first, limit, line, lines))

    def _record_pieces(
        self, number: object, match: int, first: int, limit: int, line: "Any", lines: "Any"
    ) -> "Generator[str, None, None]":
        yield '{"id": %s, "match": %d, "from": %d, "lines": [' % (json.dumps(number), match, first)
        comma = ""
        torn = False
        index = first
        try:
            while line is not None and limit > 0:
                yield comma + json.dumps(pack_line(line.raw))
                comma = ","
                torn = not line.whole
                limit -= len(line.raw)
                index = line.at + 1
                self._place = (match, index, line.end)
                line = next(lines, None)
        finally:
            lines.close()
        text = '], "next": %d, "end": %s, "torn": %s}'
        yield text % (index, json.dumps(line is None), json.dumps(torn))


def _whole(text: str) -> "Generator[str, None, None]":
    yield text


def _framed(pieces: "Generator[str, None, None]") -> "Generator[bytes, None, None]":
    """The pieces of a JSON text as bytes, and behind them the checksum of all."""
    crc = 0
    try:
        for piece in pieces:
            data = piece.encode()
            crc = binascii.crc32(data, crc)
            yield data
        yield b" %08x\n" % crc
    finally:
        pieces.close()  # given up half way: a journal may be open behind it
