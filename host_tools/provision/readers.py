"""Which reader a `--port` means: a box, or a PN532 on a serial adapter."""

from collections.abc import Callable

from host_tools.box.finding import adapter_ports, port_of_box
from host_tools.box.link import open_link
from host_tools.core.errors import UserError
from host_tools.provision.box_port import BoxPort
from host_tools.provision.port import TagPort
from host_tools.provision.serial_port import open_serial_port


def _open_box(device: str) -> TagPort:
    link = open_link(device)
    link.hello()
    return BoxPort(link)


READERS: dict[str, Callable[[str], TagPort]] = {"box": _open_box, "pn532": open_serial_port}


def open_reader(kind: str, device: str | None) -> TagPort:
    """Open the reader `kind` ("box" or "pn532") on a serial device, or on the only one there
    is. Raises UserError.
    """
    return READERS[kind](device or ONLY_ONE[kind]())


def _only_adapter() -> str:
    ports = adapter_ports()
    if len(ports) != 1:
        raise UserError("reader_which", ids=ports or ["-"])
    return ports[0]


ONLY_ONE: dict[str, Callable[[], str]] = {"box": port_of_box, "pn532": _only_adapter}
