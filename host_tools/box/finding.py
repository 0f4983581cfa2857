"""Which serial ports may be boxes: MicroPython on an RP2 tells a USB id of its own."""

from contextlib import closing
from dataclasses import dataclass

from serial.tools import list_ports  # type: ignore[import-untyped]  # pyserial ships no types

from host_tools.box.link import open_link
from host_tools.core.errors import Exit, UserError

# ports/rp2 of MicroPython: MICROPY_HW_USB_VID and MICROPY_HW_USB_PID
MICROPYTHON_USB = (0x2E8A, 0x0005)


@dataclass(frozen=True)
class Found:
    """A port with a Pico on it; `box` None and `trouble` tell if no Schiri answers there."""

    port: str
    box: str | None
    name: str
    trouble: str


def candidate_ports() -> list[str]:
    """Ports whose USB id is MicroPython's on a Pico, sorted."""
    return sorted(
        port.device for port in list_ports.comports() if (port.vid, port.pid) == MICROPYTHON_USB
    )


def adapter_ports() -> list[str]:
    """Other ports on USB, sorted: a PN532 may be at such a serial adapter."""
    ports = [port for port in list_ports.comports() if port.vid is not None]
    return sorted(p.device for p in ports if (p.vid, p.pid) != MICROPYTHON_USB)


def port_of_box(port: str | None = None) -> str:
    """`port`, or without one that of the only box there is. Raises UserError (exit 2: which of
    several; 3: none).
    """
    if port:
        return port
    found = candidate_ports()
    if not found:
        raise UserError("box_nowhere", Exit.SYSTEM)
    if len(found) > 1:
        raise UserError(
            "box_which",
            ids=[f"{one.port} {one.name or one.box or '-'}" for one in map(greet, found)],
        )
    return found[0]


def greet(port: str) -> Found:
    """Say hello at a port; never raises for a port that is no box."""
    try:
        # given back at once: the command that asked which box it is opens the port again
        with closing(open_link(port)) as link:
            hello = link.hello()
    except UserError as error:
        return Found(port, None, "", str(error))
    return Found(port, str(hello["box"]), str(hello.get("name", "")), "")
