"""The radio of a Pico W and what is behind it: an access point, the network, sockets.

The bytes go through real sockets of this machine, so a real broker may answer; virtual time does
not run ahead of the wall while one is open. What a call costs is never less than on a chip:

* `active(True)` 836 ms, `connect` 3.7, `disconnect` 0.2, `status("rssi")` 0.1: unmodified
  MicroPython 1.28 on an emulated Pico W (rp2040py 0.3.6); here a little more.
* joining and DHCP 2.5 s: a guess on the slow side (the emulated access point takes 15 ms).
* a name asked of DNS: 5 s; the port waits for the answer (extmod/modlwip.c, lwip_getaddrinfo).
* the send buffer has 6400 bytes, and lwIP 8000 for all that is under way. A write that finds room
  in the one and none in the other waits up to 10 s (lwip_tcp_send; ports/rp2/lwip_inc/lwipopts.h).
"""

import errno
import select
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from hardware.twin.clock import VirtualClock

DOWN, JOINING, UP, FAILED, NO_NETWORK, BAD_PASSWORD = 0, 1, 3, -1, -2, -3  # WLAN.status()
_START_US = 850_000
_CONNECT_US = 4_000
_CALL_US = 500  # another question to the radio that it must answer
_JOIN_US = 2_500_000
_DNS_US = 5_000_000
_TRIP_US = 3_000
_BUFFER = 6400
_MEMORY = 8000
_HEAD = 100  # bytes of lwIP around a segment of 800: pbuf, headers, memory block
_SEGMENT = 800
_BLOCKED_US = 10_000_000
_PACE_US = 5_000
_POLL_IN, _POLL_OUT, _POLL_ERR, _POLL_HUP = 1, 4, 8, 16


@dataclass
class AccessPoint:
    """What a hall has, and what goes wrong with it. `up` False: it is gone. `silent`: it is there
    and carries nothing. `stalled`: nothing leaves the box. `slow_us` is added to every packet.
    `broker` is where every connection really goes.
    """

    name: str
    password: str
    broker: tuple[str, int]
    up: bool = True
    silent: bool = False
    stalled: bool = False
    slow_us: int = 0
    refused: list[str] = field(default_factory=list)  # why boxes could not join


class TcpConnection:
    """One TCP socket of the box."""

    def __init__(self, air: "TwinRadio") -> None:
        self._air = air
        self._sock: socket.socket | None = None
        self._open_us = 0
        self._queue = bytearray()  # what has not left the box
        self._writes = 0
        self.error = 0

    def connect(self, address: tuple[str, int]) -> None:
        """Begin; never waits."""
        self._open_us = self._air.clock.now_us + _TRIP_US + self._air.point.slow_us
        if not self._air.carries():
            return  # a SYN that nobody answers
        self._sock = socket.socket()
        self._sock.setblocking(False)
        self._sock.connect_ex(address)

    def ready(self) -> int:
        """What `poll` says."""
        sock = self._sock
        if self.error:
            return _POLL_ERR | _POLL_HUP
        if sock is None or not self._air.carries() or self._air.clock.now_us < self._open_us:
            return 0
        self._flush()
        poll = select.poll()
        poll.register(sock, select.POLLIN | select.POLLOUT)
        events = sum(event for _, event in poll.poll(0))
        if self._room() <= 0:
            # the real socket has room for more than lwIP's buffer
            events &= ~_POLL_OUT
        return events & (_POLL_IN | _POLL_OUT | _POLL_ERR | _POLL_HUP)

    def read(self, size: int) -> bytes:
        """OSError EAGAIN while nothing has come; b"" at the end."""
        self._check()
        self._flush()
        if self._sock is None or not self._air.carries():
            raise OSError(errno.EAGAIN, "nothing has come")
        return self._sock.recv(size)

    def write(self, data: bytes) -> int:
        """What lwIP takes of it, and how long that takes."""
        self._check()
        self._flush()
        room = self._room()
        if room <= 0:
            raise OSError(errno.EAGAIN, "the send buffer is full")
        taken = data[:room]
        segments = self._writes + len(self._queue) // _SEGMENT + len(taken) // _SEGMENT + 1
        if len(self._queue) + len(taken) + segments * _HEAD > _MEMORY:
            self._air.clock.advance(_BLOCKED_US)
        self._queue += taken
        self._writes += 1
        self._flush()
        return len(taken)

    def close(self) -> None:
        if self._sock is not None:
            self._sock.close()
            self._sock = None
        self._air.connections.discard(self)

    def cut(self) -> None:
        """The other end resets the connection."""
        self.error = errno.ECONNRESET

    def _room(self) -> int:
        return _BUFFER - len(self._queue)

    def _check(self) -> None:
        if self.error:
            raise OSError(self.error, "the connection is gone")

    def _flush(self) -> None:
        air = self._air
        if air.point.stalled or not air.carries() or air.clock.now_us < self._open_us:
            return
        if self._sock is None or not self._queue:
            return
        try:
            sent = self._sock.send(self._queue)
        except BlockingIOError:
            return
        del self._queue[:sent]
        if not self._queue:
            self._writes = 0


class TwinRadio:
    """`point` is the access point in reach."""

    def __init__(self, clock: VirtualClock, point: AccessPoint) -> None:
        self.clock = clock
        self.point = point
        self.active = False
        self.rssi = -58
        self.connections: set[TcpConnection] = set()
        self.sockets: dict[int, TcpConnection] = {}
        self._numbers = 0
        self._status = DOWN
        self._joined_us = 0
        self._paced = False
        self._wall_s = 0.0
        self._virtual_us = 0
        self.sleep: Callable[[float], None] = time.sleep

    def power_off(self) -> None:
        """The box loses its power, or starts anew."""
        for connection in list(self.connections):
            connection.close()
        self.sockets.clear()
        self._status = DOWN
        self.active = False

    def activate(self) -> None:
        if not self.active:
            self.clock.advance(_START_US)
        self.active = True

    def join(self, name: str, password: str) -> None:
        self.clock.advance(_CONNECT_US)
        point = self.point
        self._joined_us = self.clock.now_us + _JOIN_US
        if not self.active or not point.up or name != point.name:
            self._status = NO_NETWORK
        elif password != point.password:
            self._status = BAD_PASSWORD
        else:
            self._status = UP
            return
        point.refused.append({NO_NETWORK: "no_network", BAD_PASSWORD: "password"}[self._status])

    def leave(self) -> None:
        self.clock.advance(_CALL_US)
        self._status = DOWN

    def status(self) -> int:
        """As `WLAN.status()`. An access point that is gone is noticed; a silent one is not."""
        if self._status == UP and not self.point.up:
            self._status = DOWN
        if self._status != DOWN and self.clock.now_us < self._joined_us:
            return JOINING
        return self._status

    def carries(self) -> bool:
        """True if a packet comes through."""
        return self.status() == UP and not self.point.silent

    def resolve(self, host: str) -> None:
        """A numeric address costs nothing; for a name the box waits."""
        try:
            socket.inet_aton(host)
        except OSError:
            self.clock.advance(_DNS_US)
            raise OSError(errno.ENOENT, "no answer") from None

    def open(self) -> int:
        """The number of a new socket."""
        self._numbers += 1
        connection = TcpConnection(self)
        self.connections.add(connection)
        self.sockets[self._numbers] = connection
        return self._numbers

    def connect(self, number: int) -> None:
        self.sockets[number].connect(self.point.broker)
        if not self._paced:
            self._paced = True
            self._rebase()
            self._pace()
        # a socket that does not wait: lwIP's tcp_connect has only sent its SYN
        raise OSError(errno.EINPROGRESS, "under way")

    def close(self, number: int) -> None:
        self.sockets.pop(number).close()

    def _rebase(self) -> None:
        self._wall_s, self._virtual_us = time.monotonic(), self.clock.now_us

    def _pace(self) -> None:
        """Virtual time waits for the wall, as the broker lives in it."""
        if not self.connections:
            self._paced = False
            return
        virtual_s = (self.clock.now_us - self._virtual_us) / 1e6
        ahead_s = virtual_s - (time.monotonic() - self._wall_s)
        if ahead_s > 0:
            self.sleep(ahead_s)
        else:
            self._rebase()
        self.clock.after(_PACE_US, self._pace)
