"""MQTT 3.1.1 as a step function: no call waits for the network (OASIS mqtt-v3.1.1-os).

The socket is handed in, non-blocking. One PUBLISH goes out at a time, in pieces of any size; what
comes in is handed to `take`. Delivery is the caller's: it looks at `acked` and sends again.

A non-blocking write of MicroPython on lwIP waits up to 10 s when lwIP has no memory for what it
has taken (extmod/modlwip.c, lwip_tcp_send), longer than the watchdog. So nothing is begun that
could fill it: at most `MOST` bytes in `_WRITES` writes are on their way that the broker has not
shown to have, by the answer to a PINGREQ behind them.
"""

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from firmware.drivers.seams import Clock

CLOSED = const(0)
DIALLED = const(1)  # TCP is being opened
GREETED = const(2)  # CONNECT is out
UP = const(3)

# lwIP of the RP2: 8000 bytes for what is under way, pieces of 800 (ports/rp2/lwip_inc/lwipopts.h)
MOST = const(5000)
_WRITES = const(16)
_ROOM = const(1216)  # the longest packet taken: an ask of 1024 bytes, its MAC, its topic
_HELD = const(512)
_ANSWER_MS = const(5000)  # for TCP, CONNACK and PINGRESP
_QUIET_MS = const(5000)  # so long nothing heard: PINGREQ
KEEP_ALIVE_S = 20  # told to the broker: after half as long again it publishes the will
_READS = const(8)
_ENOMEM = const(12)
_LONGEST_HEAD = const(5)
_RECEIPT = const(4)


class Mqtt:
    """`take(topic, payload)`, set by the owner, gets every message. `why` says how the last
    connection ended: "timeout", "lost", "refused_N" (return code of CONNACK), "not_allowed" to
    listen, "protocol", "dropped" (by us).

    `awaited`: a packet id that the caller sets, 0 once its PUBACK has come. `skipped` counts
    packets that were too long to take.
    """

    most = MOST

    def __init__(self, clock: "Clock") -> None:
        self.state = CLOSED
        self.take: "Callable[[bytes, bytes], None]" = _nobody
        self.why = ""
        self.awaited = 0
        self.skipped = 0
        self.left = 0  # bytes of the PUBLISH under way that have not been put
        self._clock = clock
        self._sock: "Any" = None
        self._ready: "Callable[[], bool]" = lambda: False
        self._greeting = b""
        self._in = bytearray(_ROOM)
        self._in_view = memoryview(self._in)
        self._first = self._in_view[:1]
        self._out = bytearray(_HELD)
        self._out_view = memoryview(self._out)
        self._id = 1
        self._forget()

    def _forget(self) -> None:
        self._got = self._head = self._skip = 0
        self._want = 1
        self._held = self.left = 0
        self._unknown = 0  # bytes sent that the broker may not have
        self._writes = 0
        self._pinged = -1  # of them, those before the PINGREQ under way; -1: there is none
        self._ping_wanted = False
        self._receipts: "list[bytes]" = []
        self.awaited = 0

    def is_closed(self) -> bool:
        """True without a connection, and without a try for one."""
        return self.state == CLOSED

    def is_up(self) -> bool:
        """True once the broker has taken the greeting."""
        return self.state == UP

    # -- the connection -------------------------------------------------------------------

    def open(self, sock: "Any", ready: "Callable[[], bool]", greeting: bytes, now_ms: int) -> None:
        """Begin on a socket whose connect was begun; `ready()`: it may be written. `greeting` is
        the CONNECT packet.
        """
        self._forget()
        self._sock = sock
        self._ready = ready
        self._greeting = greeting
        self.state = DIALLED
        self._since_ms = self._heard_ms = now_ms

    def close(self, why: str = "dropped") -> None:
        """End it, at once and without a word: the broker publishes the will."""
        sock, self._sock = self._sock, None
        self.state = CLOSED
        self.why = why
        if sock is not None:
            try:
                sock.close()
            except OSError:
                pass  # it was gone already

    def step(self, now_ms: int) -> None:
        """Take what has come, send what is held, see that the broker is there."""
        if self.state == CLOSED:
            return
        try:
            if self.state == DIALLED:
                self._dial_on(now_ms)
            else:
                self._receive(now_ms)
                self._send()
            self._watch(now_ms)
        except OSError:
            self.close("lost")

    def _dial_on(self, now_ms: int) -> None:
        if self._ready():
            self.state = GREETED
            self._since_ms = now_ms
            self._hold(self._greeting)

    def _watch(self, now_ms: int) -> None:
        diff = self._clock.ticks_diff
        if self.state == CLOSED:
            return
        if self.state != UP:
            if diff(now_ms, self._since_ms) >= _ANSWER_MS:
                self.close("timeout")
        elif self._pinged >= 0:
            if diff(now_ms, self._since_ms) >= _ANSWER_MS:
                self.close("timeout")
        elif self._ping_wanted or diff(now_ms, self._heard_ms) >= _QUIET_MS:
            self._ping(now_ms)

    def _ping(self, now_ms: int) -> None:
        """Between two packets only. All that was sent before it is there when it is answered."""
        if self.left or self._held:
            if _is_long(self._clock, now_ms, self._heard_ms):
                self.close("timeout")  # nothing leaves any more
            return
        self._hold(b"\xc0\x00")
        self._send()
        self._pinged = self._unknown
        self._since_ms = now_ms
        self._ping_wanted = False

    # -- out ------------------------------------------------------------------------------

    def subscribe(self, topics: "tuple[bytes, ...]") -> None:
        """QoS 1 for all; right after the connection is up."""
        body = b"\x00\x01"
        for topic in topics:
            body += _text(topic) + b"\x01"
        self._hold(b"\x82" + _length(len(body)) + body)

    def begin(self, topic: bytes, size: int, qos: int, retain: bool) -> int:
        """Begin a PUBLISH of `size` bytes; `put` brings them. Returns its packet id (1 at QoS 0),
        or 0: not now.
        """
        if self.state != UP or self.left or self._held:
            return 0
        if self._unknown and (self._unknown + size > MOST or self._writes > _WRITES):
            self._ping_wanted = True
            return 0
        self._id = self._id + 1 if self._id < 65535 else 2  # 1 was the subscription
        head = bytes((0x30 | qos << 1 | retain,))
        name = _text(topic) + (_short(self._id) if qos else b"")
        self._hold(head + _length(len(name) + size) + name)
        self.left = size
        return self._id if qos else 1

    def put(self, data: "bytes | memoryview") -> int:
        """Take what fits of `data`; returns how many bytes that was."""
        count = min(_HELD - self._held, len(data), self.left)
        self._out[self._held : self._held + count] = data[:count]
        self._held += count
        self.left -= count
        return count

    def _hold(self, packet: bytes) -> None:
        """A packet, or the head of one. There is room: it is put where nothing, or little, is."""
        end = self._held + len(packet)
        if end > _HELD:
            raise OSError(_ENOMEM)
        self._out[self._held : end] = packet
        self._held = end

    def _send(self) -> None:
        if self._receipts and not self.left and self._held <= _HELD - _RECEIPT:
            if self._writes <= _WRITES:
                self._hold(b"\x40\x02" + self._receipts.pop(0))
            else:
                self._ping_wanted = True
        if not self._held or self.state == CLOSED:
            return
        sent = self._sock.write(self._out_view[: self._held])
        if sent:
            self._unknown += sent
            self._writes += 1
            rest = self._held - sent
            self._out[:rest] = bytes(self._out_view[sent : self._held])
            self._held = rest

    # -- in -------------------------------------------------------------------------------

    def _receive(self, now_ms: int) -> None:
        """Nothing is taken from the heap while nothing comes."""
        if len(self._receipts) > _READS:
            return  # nothing leaves: the broker shall wait with more
        for _ in range(_READS):
            count = self._sock.readinto(self._place())
            if count is None:
                return
            if not count:
                raise OSError
            self._heard_ms = now_ms
            if self._skip:
                self._skip -= count
            else:
                self._got += count
                if self._got == self._want:
                    self._on_piece()
            if self.state == CLOSED:
                return

    def _place(self) -> "memoryview":
        if self._skip:
            return self._in_view[: min(self._skip, _ROOM)]
        return self._in_view[self._got : self._want] if self._got else self._first

    def _on_piece(self) -> None:
        """One more byte of the head, or the whole packet."""
        if not self._head:
            if self._got == 1 or self._in[self._got - 1] & 0x80:
                self._want = self._got + 1
                if self._want > _LONGEST_HEAD:
                    self.close("protocol")
                return
            size = 0
            for at in range(self._got - 1, 0, -1):
                size = size << 7 | self._in[at] & 0x7F
            self._head = self._got
            self._want = self._got + size
            if self._want > _ROOM:
                self.skipped += 1
                self._skip = size
                self._next_packet()
                return
        if self._got == self._want:
            head, end = self._head, self._got
            self._next_packet()
            self._on_packet(self._in[0], head, end)

    def _next_packet(self) -> None:
        self._got = self._head = 0
        self._want = 1

    def _on_packet(self, first: int, at: int, end: int) -> None:
        kind = first >> 4
        data = self._in
        if kind == 3:
            self._on_publish(first >> 1 & 3, at, end)
        elif kind == 2 and self.state == GREETED and end - at == 2:
            if data[at + 1]:
                self.close("refused_%d" % data[at + 1])
            else:
                self.state = UP
        elif kind == 4 and end - at == 2:
            if self.awaited == data[at] << 8 | data[at + 1]:
                self.awaited = 0
        elif kind == 13:
            if self._pinged >= 0:
                self._unknown -= self._pinged
                self._writes = 0
                self._pinged = -1
        elif kind != 9 or data[end - 1] == 0x80:  # SUBACK: the broker does not let us listen
            self.close("protocol" if kind != 9 else "not_allowed")

    def _on_publish(self, qos: int, at: int, end: int) -> None:
        start = at + 2 + (self._in[at] << 8 | self._in[at + 1])
        body = start + 2 if qos else start
        if body > end or qos > 1:
            self.close("protocol")
            return
        if qos:
            self._receipts.append(bytes(self._in_view[start:body]))
        self.take(bytes(self._in_view[at + 2 : start]), bytes(self._in_view[body:end]))


def _nobody(topic: bytes, payload: bytes) -> None:
    """Who takes messages before somebody does."""


def _is_long(clock: "Clock", now_ms: int, since_ms: int) -> bool:
    """True if nothing was heard for as long as a broker may take to answer a question."""
    return clock.ticks_diff(now_ms, since_ms) >= _QUIET_MS + _ANSWER_MS


def connect_packet(
    client: bytes, will: "tuple[bytes, bytes]", user: bytes, password: bytes
) -> bytes:
    """CONNECT with a clean session; the will (topic, payload) at QoS 1, retained."""
    flags = 0x02 | 0x04 | 0x08 | 0x20
    body = _text(client) + _text(will[0]) + _text(will[1])
    flags |= 0xC0
    body += _text(user) + _text(password)
    body = b"\x00\x04MQTT\x04" + bytes((flags,)) + _short(KEEP_ALIVE_S) + body
    return b"\x10" + _length(len(body)) + body


def _short(number: int) -> bytes:
    return bytes((number >> 8, number & 0xFF))


def _text(raw: bytes) -> bytes:
    return _short(len(raw)) + raw


def _length(size: int) -> bytes:
    """The remaining length: seven bits a byte, the lowest first (2.2.3)."""
    out = b""
    while size > 0x7F:
        out += bytes((size & 0x7F | 0x80,))
        size >>= 7
    return out + bytes((size,))
