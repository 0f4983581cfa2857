"""The radio of a Pico W and a Pico 2 W (CYW43439); other boards have no module `network`.

`network` and the sockets are loaded when a box has hall settings, and not before.
"""

import select

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_UNDER_WAY = const(115)  # EINPROGRESS
_TCP = const(6)
_NO_DELAY = const(1)  # else lwIP sends at its next tick, up to 250 ms later


def wlan() -> "Any":
    """The station, or None on a board without a radio."""
    try:
        import network  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return None
    return network.WLAN(network.STA_IF)


def dial(host: str, port: int) -> "tuple[Any, Callable[[], bool]]":
    """Begin a TCP connection: the socket, and a function that says when it is open (OSError: it
    never will be). `host` is numeric: a name would wait for DNS, seconds.
    """
    import socket  # type: ignore[import-not-found, unused-ignore]

    sock: "Any" = socket.socket()
    sock.setblocking(False)
    try:
        sock.connect(socket.getaddrinfo(host, port)[0][-1])
    except OSError as error:
        if error.errno != _UNDER_WAY:
            sock.close()
            raise
    poll = select.poll()
    poll.register(sock, select.POLLOUT | select.POLLIN)
    return sock, lambda: _is_open(sock, poll)


def _is_open(sock: "Any", poll: "Any") -> bool:
    for entry in poll.poll(0):
        if entry[1] & ~(select.POLLOUT | select.POLLIN):
            raise OSError(_UNDER_WAY)  # refused, or nobody there
        if entry[1] & select.POLLOUT:
            try:
                sock.setsockopt(_TCP, _NO_DELAY, 1)
            except OSError:
                pass  # slower then
            return True
    return False
