"""The radio of a Pico W and a Pico 2 W (CYW43439); other boards have no module `network`.

`network` and the sockets are loaded when a box has hall settings, and not before.
"""

import select

import machine
from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_CLOCK_GPIO = const(29)  # to the radio, and VSYS by a divider by three (Pico W data sheet, 2.1)
_TO_PIO_1 = const(7)  # what drives it (cyw43_bus_pio_spi.c; function of GPIOs in both data sheets)
_FULL_MV = const(9900)  # 3 x 3.3 V
_LEAST_MV = const(1800)  # below that no Pico runs
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


def supply_mv() -> "int | None":
    """VSYS, behind the diode of USB or of a battery; None if that cannot be.

    Between two talks with the radio its select line is high and nobody drives the clock. None
    begins while interrupts are off, and before they are on the line is the radio's again.
    """
    was = machine.disable_irq()
    try:
        sense = machine.ADC(_CLOCK_GPIO)
        sense.read_u16()  # the first one is too low
        supply = sense.read_u16() * _FULL_MV // 65535
    finally:
        machine.Pin(_CLOCK_GPIO, machine.Pin.ALT, machine.Pin.PULL_DOWN, alt=_TO_PIO_1)
        machine.enable_irq(was)
    return supply if supply >= _LEAST_MV else None


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
