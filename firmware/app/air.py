"""The box in a live hall: what was shown goes to the hall by MQTT, right after (docs/hall.md).

MQTT only carries. What counts is the journal, which the hall asks for whatever it did not hear; so
nothing is kept here for sending, and a push that finds no room is not made. Asks of the hall are
requests of the link, with a code made by the league's key.
"""

import binascii
import json

from micropython import const

from card_tags.hmac import hmac_sha256, same

from .journal import RUNNING, file_name
from .link import Link, RequestError
from .link_frames import key_id
from .memory import free_bytes

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .seams import BoxApp

_ALLOWED = (
    "hello status matches records confirm time health screen assign notice"  # never: settings, key
).split(" ")
_PIECE = const(512)  # bytes of records in one push: a longer line is asked for
_ASKED = const(256)  # in one answer, and the rest of a line: what is free lies in small pieces
_MAC = const(32)  # hex digits
_BEAT_MS = const(10000)
_BETWEEN_MS = const(1000)
_LOOK_MS = const(250)  # how often it is asked whether something has changed
_UNHEARD_MS = const(10000)  # a push that the broker does not confirm
_FIRST_PAUSE_MS = const(1000)
_LONGEST_PAUSE_MS = const(6000)  # the board is right 10 s after whatever failed
_REFUSED_PAUSE_MS = const(30000)  # a broker that says no says it again
_TIMEOUTS = const(2)  # so many in a row, and the radio joins anew
_RECORDS = const(1)  # what the PUBLISH under way is
_OTHER = const(2)


class Air:
    """`mqtt` is drivers.mqtt.Mqtt, `greet` its `connect_packet`, `radio` drivers.radio.Radio;
    `dial(host, port)` as in boards/radio.py; `draw_bytes(n)` is `os.urandom`. `settings` are those
    of hall_settings, `firmware` its version. `supply_mv`, which the owner may set, tells the
    supply in mV, or None.

    `asked` is the frame of the next ask, whose code was right; `counts` are those of `health`.
    """

    def __init__(
        self,
        app: "BoxApp",
        radio: "Any",
        mqtt: "Any",
        greet: "Callable[..., bytes]",
        dial: "Callable[[str, int], Any]",
        draw_bytes: "Callable[[int], bytes]",
        settings: "dict[str, Any]",
        firmware: str,
    ) -> None:
        self._app = app
        self._clock = app.clock
        self._journal = app.journal
        self._radio = radio
        self._dial = dial
        self._greet = greet
        self._settings = settings
        self._firmware = firmware
        league: "Any" = app.settings.key()
        self._key = air_key(app)
        box = app.journal.box
        self.boot = binascii.hexlify(draw_bytes(4)).decode()
        self._root = b"schiri/1/%s/%s/" % (key_id(league).encode(), box.encode())
        self._ask = self._root + b"ask"
        self.mqtt = mqtt
        mqtt.take = self._on_message
        self.asked = b""
        self._beat = 0
        self.connects = 0
        self.refused = 0  # asks whose code was wrong
        self._failed = 0  # tries in a row
        self._pause_ms = 0
        now_ms = app.clock.ticks_ms()
        self._since_ms = now_ms  # of the last try, or of the push under way
        self._said_ms = self._looked_ms = now_ms
        self._due = False
        self._hello = False
        self._under_way = 0
        self._piece: "bytes | memoryview" = b""
        self._match = app.journal.number
        self._lines = app.journal.lines_kept
        self._offset = self._written()
        self._next = (0, 0)  # lines and offset behind the push under way
        self._seen: "tuple[Any, ...]" = (0, 0, False, False, False, 0, "")
        self._reported = 0  # the settings' `changes` that `here` has
        self._heap = 0
        self._battery_mv: "int | None" = None
        self.supply_mv: "Callable[[], int | None]" = _unknown
        rest = app.journal, app.settings, firmware, app.clock
        self._link = AirLink(self, app.hardware.link, *rest)

    # -- the loop -------------------------------------------------------------------------

    def step(self, now_ms: int) -> None:
        """What is due, at most one message; nothing waits and, while nothing happens, nothing is
        taken from the heap.
        """
        mqtt = self.mqtt
        if not self._radio.step(now_ms):
            if not mqtt.is_closed():
                self._lost(now_ms)
            return
        if mqtt.is_closed():
            if self._clock.ticks_diff(now_ms, self._since_ms) >= self._pause_ms:
                self._connect(now_ms)
            return
        was_up = mqtt.is_up()
        mqtt.step(now_ms)
        if mqtt.is_closed():
            self._lost(now_ms)
        elif mqtt.is_up():
            if not was_up:
                self._came_up()
            self._link.step(now_ms)
            self._push_on(now_ms)

    def _connect(self, now_ms: int) -> None:
        self._since_ms = now_ms
        box = self._journal.box.encode()
        topic = self._root + b"here"
        will = topic, self._signed(topic, b'{"here": false, "boot": "%s"}' % self.boot.encode())
        password = str(self._settings.get("mqtt_password") or "").encode()
        if not password:  # it was not paired by cable: what the league key makes of its id
            league = league_air_key(self._app)
            password = binascii.hexlify(hmac_sha256(league, b"mqtt " + box)[:16])
        greeting = self._greet(b"schiri-" + box, will, box, password)
        try:
            sock, ready = self._dial(str(self._settings["broker"]), int(self._settings["port"]))
        except OSError:
            self.mqtt.close("lost")
            self._lost(now_ms)
            return
        self.mqtt.open(sock, ready, greeting, now_ms)

    def close(self) -> None:
        """Off the air, for good."""
        self.mqtt.close()

    def _came_up(self) -> None:
        self.connects += 1
        self._failed = 0
        self.mqtt.subscribe((self._ask,))
        self._hello = self._due = True

    def _lost(self, now_ms: int) -> None:
        """The next try waits, longer each time, and not as long as the other boxes wait."""
        mqtt = self.mqtt
        if not mqtt.is_closed():
            mqtt.close("lost")
        self._under_way = 0
        self._piece = b""
        self._failed += 1
        self._since_ms = now_ms
        pause_ms = min(_FIRST_PAUSE_MS << min(self._failed - 1, 5), _LONGEST_PAUSE_MS)
        if mqtt.why.startswith("refused"):
            pause_ms = _REFUSED_PAUSE_MS
        chance = binascii.crc32(b"%s%d" % (self._root, self._failed)) & 0xFF
        self._pause_ms = pause_ms // 2 + pause_ms * chance // 512
        if mqtt.why == "timeout" and self._failed % _TIMEOUTS == 0:
            self._radio.renew()

    def why(self) -> str:
        """Why the box is not in the hall; "" while it is."""
        if self.mqtt.is_up():
            return ""
        return self._radio.why or self.mqtt.why or "connecting"

    def counts(self) -> "list[object]":
        """For `health`: why not, connections, asks refused, messages too long, signal in dBm."""
        return [
            self.why(),
            self.connects,
            self.refused,
            self.mqtt.skipped,
            self._radio.signal_dbm(),
        ]

    # -- what goes out by itself ----------------------------------------------------------

    def _push_on(self, now_ms: int) -> None:
        """One more piece of what is under way, or what is to be said next."""
        mqtt = self.mqtt
        if self._piece:
            self._piece = memoryview(self._piece)[mqtt.put(self._piece) :]
            if not self._piece and self._under_way == _OTHER:
                self._under_way = 0
            return
        if self._under_way == _RECORDS:
            if not mqtt.awaited:
                self._lines, self._offset = self._next
                self._under_way = 0
            elif self._clock.ticks_diff(now_ms, self._since_ms) >= _UNHEARD_MS:
                mqtt.close("timeout")
            return
        if self._hello:
            self._hello = not self._say(b"here", self._here(), 1)
        elif self._link.answer:
            if self._answer(self._link.answer):
                self._link.answer = b""
        elif not self._push_records(now_ms):
            self._push_state(now_ms)

    def _say(self, topic: bytes, message: "dict[str, Any]", qos: int) -> bool:
        """Begin a retained message; False: not now."""
        topic = self._root + topic
        data = self._signed(topic, json.dumps(message).encode())
        if not self.mqtt.begin(topic, len(data), qos, True):
            return False
        self._under_way = _OTHER
        self._piece = data
        return True

    def _push_state(self, now_ms: int) -> None:
        diff = self._clock.ticks_diff
        since_ms = diff(now_ms, self._said_ms)
        if since_ms < _BETWEEN_MS:
            return
        if diff(now_ms, self._looked_ms) >= _LOOK_MS:
            self._looked_ms = now_ms
            if self._changed():
                self._due = True
        if since_ms >= _BEAT_MS or not self._heap:  # nothing happens; nothing is collected for it
            self._heap = free_bytes()
            self._battery_mv = self.supply_mv()
        if (self._due or since_ms >= _BEAT_MS) and self._say(b"state", self._state(), 0):
            self._due = False
            self._said_ms = now_ms
            self._beat += 1

    def _changed(self) -> bool:
        """True if what people see of the match is not what was said last."""
        app = self._app
        if self._reported != app.settings.changes:
            self._hello = True  # another table
        session = app.session
        journal = self._journal
        jury = self._jury()
        runs = session is not None and session.runs()
        desk = app.laptop.desk
        given = "" if desk is None else desk.state()
        seen = self._seen
        if (
            seen[0] == journal.number
            and seen[1] == journal.lines_kept
            and seen[2] == jury
            and seen[3] == runs
            and seen[4] == (session is None)
            and seen[5] == self.refused
            and seen[6] == given
        ):
            return False
        self._seen = (
            journal.number,
            journal.lines_kept,
            jury,
            runs,
            session is None,
            self.refused,
            given,
        )
        return True

    def _jury(self) -> bool:
        """True while the jury's menu is open over a match."""
        for page in self._app.pages:
            if getattr(page, "calls_jury", False):
                return True
        return False

    def _here(self) -> "dict[str, Any]":
        settings = self._app.settings
        self._reported = settings.changes
        return {
            "here": True,
            "boot": self.boot,
            "beat": self._beat,
            "box": self._journal.box,
            "name": settings.get("name"),
            "table": settings.get("table"),
            "firmware": self._firmware,
            "schiri": 1,
        }

    def _state(self) -> "dict[str, Any]":
        app = self._app
        journal = self._journal
        link = app.hardware.link
        recovery = app.hardware.reader.recovery
        state: "dict[str, Any]" = {
            "boot": self.boot,
            "beat": self._beat,
            "unix": link.unix,
            "ticks_ms": self._clock.ticks_ms(),
            "match": 0,
            "lines": 0,
            "jury": self._jury(),
            "rssi": self._radio.signal_dbm(),
            "reader": "ok",
            "recoveries": app.hardware.reader.health.recoveries,
            "refused": self.refused,
            "heap": self._heap,
        }
        if recovery.active:
            state["reader"] = "broken" if recovery.broken else "restarting"
        if self._battery_mv is not None:
            state["battery_mv"] = self._battery_mv
        if journal.number:
            state["match"] = journal.number
            state["lines"] = journal.lines_kept
            state["head"] = binascii.hexlify(journal.chain).decode()
        session = app.session
        if session is not None:
            state["game"] = session.header["game"]
            state["title"] = app.page().view().title
            state["running"] = session.runs()
            if session.left_ms() >= 0:
                state["clock"] = (session.left_ms() + 999) // 1000
            state["awaits"] = app.table.awaits.what if app.table is not None else ""
        desk = app.laptop.desk
        if desk is not None and desk.given is not None:
            state["assignment"] = [desk.given["id"], desk.state()]
        notice = app.laptop.notice
        if notice is not None:
            state["notice"] = [notice[0], notice[3]]
        return state

    def _push_records(self, now_ms: int) -> bool:
        """What the journal has more than was pushed; True if it has been begun, or must wait."""
        journal = self._journal
        if self._match != journal.number:
            self._next_match()
        if self._match == journal.number and self._offset >= self._written():
            return False
        if not self._match:
            return False
        data = self._read(self._match, self._offset, _PIECE)
        end = data.rfind(b"\n") + 1
        if not end:
            return self._pass_over(data)
        topic = self._root + b"records/%d/%d" % (self._match, self._lines)
        awaited = self.mqtt.begin(topic, end, 1, False)
        if awaited:
            self.mqtt.awaited = awaited
            self._piece = data[:end]
            self._next = self._lines + self._piece.count(b"\n"), self._offset + end
            self._under_way = _RECORDS
            self._since_ms = now_ms
        return True

    def _written(self) -> int:
        """How many bytes of the match are in its file, and not only ahead of it."""
        return self._journal.size - len(self._journal._pending)

    def _read(self, number: int, offset: int, limit: int) -> bytes:
        """Up to `limit` bytes of a match from `offset` on; b"" at its end, and without it."""
        journal = self._journal
        try:
            try:
                file = journal.flash.open(file_name(number, RUNNING), "rb")
            except OSError:
                file = journal.flash.open(journal._find(number), "rb")
        except OSError:
            return b""
        try:
            file.seek(offset)
            return bytes(file.read(limit))
        finally:
            file.close()

    def _next_match(self) -> None:
        """The match before is over. Its rest, if it has one, is asked for by the hall."""
        if self._match and self._read(self._match, self._offset, 1):
            return
        self._match = self._journal.number
        self._lines = self._offset = 0

    def _pass_over(self, data: bytes) -> bool:
        """A line that is longer than a push may be, or the end of a file that is over."""
        offset = self._offset
        while data:
            end = data.find(b"\n")
            if end >= 0:
                self._lines += 1
                self._offset = offset + end + 1
                return True
            offset += len(data)
            data = self._read(self._match, offset, _PIECE)
        if self._match != self._journal.number:
            self._offset = offset
        return False

    # -- asks and answers -----------------------------------------------------------------

    def _on_message(self, topic: bytes, payload: bytes) -> None:
        frame = payload[_MAC + 1 :]
        if topic != self._ask or not same(self._mac(topic, frame) + b" ", payload[: _MAC + 1]):
            self.refused += 1
        else:
            self.asked = frame  # one that waits is asked again

    def _mac(self, topic: bytes, frame: bytes) -> bytes:
        mac = hmac_sha256(self._key, topic + b"\n" + frame)[: _MAC // 2]
        return binascii.hexlify(mac)  # type: ignore[no-any-return, unused-ignore]

    def _signed(self, topic: bytes, data: bytes) -> bytes:
        """A JSON object with the code of all of it as its last field."""
        return b'%s, "mac": "%s"}' % (data[:-1], self._mac(topic, data))

    def _answer(self, frame: bytes) -> bool:
        """Begin to send an answer; False: not now."""
        topic = self._root + b"answer"
        if not self.mqtt.begin(topic, _MAC + 1 + len(frame), 1, False):
            return False
        self._under_way = _OTHER
        self._piece = self._mac(topic, frame) + b" " + frame
        return True


def air_key(app: "BoxApp") -> bytes:
    """What signs on the air: known to this box and its desk alone, or, for a box that no desk has
    enrolled, to all of the league.
    """
    if app.signing is not None and app.signing.desk:
        return hmac_sha256(app.signing.shared, b"schiri air 2")
    return league_air_key(app)


def league_air_key(app: "BoxApp") -> bytes:
    """The key that every box of the league can make."""
    league: "Any" = app.settings.key()
    return hmac_sha256(league, b"schiri air 1")


def _unknown() -> None:
    """What a board that cannot be asked for its supply says."""


class AirLink(Link):
    """The link over the air: the requests of the USB link, as far as they are allowed, and only
    those of this boot with a number `n` that grows. `answer` is the frame that waits to be sent.
    """

    def __init__(self, air: "Air", usb: "Link", *rest: "Any") -> None:
        Link.__init__(self, None, *rest)
        self.signing = usb.signing
        self.handlers = usb.handlers
        self.answer = b""
        self._pieces: "list[bytes]" = []
        self._air = air
        self._most = air.mqtt.most - _MAC - 1
        self._last_n = 0

    def step(self, now_ms: int) -> None:
        """Take one ask, or make one more piece of the answer."""
        if self._sending is not None:
            piece = next(self._sending, None)
            if piece is not None:
                self._pieces.append(piece)
                return
            self._sending = None
            answer = b"".join(self._pieces)[:-1]  # its newline stays at home
            self._pieces = []
            if len(answer) > self._most:
                self._refuse(None, "too_long", "this line needs the cable")
            else:
                self.answer = answer
        elif self._air.asked and not self.answer and self._held is None:
            asked, self._air.asked = self._air.asked, b""
            self._answer(asked)

    def _dispatch(self, request: "dict[str, Any]", number: object) -> None:
        n = request.get("n")
        if request.get("boot") != self._air.boot or type(n) is not int or n <= self._last_n:
            raise RequestError("old_request", "this was asked before")
        self._last_n = n
        if request["do"] not in _ALLOWED:
            raise RequestError("not_by_air", "%s needs the cable" % request["do"])
        if request["do"] == "records":
            request["bytes"] = min(request.get("bytes", _ASKED), _ASKED)
        Link._dispatch(self, request, number)

    def _refuse(self, number: object, reason: str, text: str) -> None:
        refusal = {"id": number, "error": reason, "text": text}
        if reason == "old_request":
            refusal["n"] = self._last_n
            refusal["boot"] = self._air.boot
        self._send(refusal)
