"""MicroPython's `network` and `socket` on the twin's radio, as far as the firmware uses them."""

import io

from micropython import const

from hardware.twin.vm import ops

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from hardware.twin.vm.machine import Bridge

_EAGAIN = const(11)
_IOCTL_POLL = const(3)
_EINVAL = const(22)
_STATUS_FROM = const(100)  # a result below zero would be an error


class Network:
    """The module `network` of a board with a radio."""

    STA_IF = 0

    def __init__(self, bridge: "Bridge") -> None:
        self._bridge = bridge

    def WLAN(self, interface: int) -> "Wlan":
        return Wlan(self._bridge)


class Wlan:
    """`network.WLAN(network.STA_IF)`."""

    PM_NONE = 16

    def __init__(self, bridge: "Bridge") -> None:
        self._bridge = bridge

    def active(self, on: bool) -> None:
        self._bridge.call(ops.NET_ACTIVE)

    def config(self, **settings: int) -> None:
        """`pm` is all the firmware sets."""
        assert settings == {"pm": self.PM_NONE}

    def connect(self, name: str, password: "str | None") -> None:
        self._bridge.send(ops.NET_JOIN, 0, 0, 0, (name + "\0" + (password or "")).encode())

    def disconnect(self) -> None:
        self._bridge.call(ops.NET_LEAVE)

    def status(self, what: str = "") -> int:
        if what == "rssi":
            return -self._bridge.call(ops.NET_RSSI)
        return self._bridge.call(ops.NET_STATUS) - _STATUS_FROM


class Sockets:
    """The module `socket`."""

    def __init__(self, bridge: "Bridge") -> None:
        self._bridge = bridge

    def getaddrinfo(self, host: str, port: int) -> "list[Any]":
        self._bridge.send(ops.NET_RESOLVE, 0, 0, 0, host.encode())
        return [(2, 1, 0, "", (host, port))]

    def socket(self) -> "Socket":
        return Socket(self._bridge)


class Socket(io.IOBase):
    """A TCP socket without waiting."""

    def __init__(self, bridge: "Bridge") -> None:
        self._bridge = bridge
        self._number = bridge.call(ops.SOCK_OPEN)

    def setblocking(self, on: bool) -> None:
        assert not on  # the twin has no other

    def setsockopt(self, level: int, name: int, value: int) -> None:
        """Accepted: the twin sends at once."""

    def connect(self, address: "Any") -> None:
        self._bridge.call(ops.SOCK_CONNECT, self._number)

    def ioctl(self, request: int, argument: int) -> int:
        if request != _IOCTL_POLL:
            return -_EINVAL
        ready = self._bridge.call(ops.SOCK_READY, self._number)
        return ready & (argument | 0x18)  # errors are told unasked

    def readinto(self, buf: "Any") -> "int | None":  # type: ignore[override, unused-ignore]
        try:
            return self._bridge.fill(ops.SOCK_READ, self._number, 0, buf)
        except OSError as error:
            if error.errno != _EAGAIN:
                raise
            return None

    def write(self, data: "Any") -> "int | None":  # type: ignore[override, unused-ignore]
        try:
            return self._bridge.send(ops.SOCK_WRITE, self._number, 0, 0, data)
        except OSError as error:
            if error.errno != _EAGAIN:
                raise
            return None

    def close(self) -> None:
        if self._number:
            self._bridge.call(ops.SOCK_CLOSE, self._number)
        self._number = 0
