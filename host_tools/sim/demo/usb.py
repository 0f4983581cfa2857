"""The laptop's end of the twin's USB line: while the laptop waits, the box runs."""

from hardware.twin.session import TwinSession
from host_tools.box.link import WAIT_S

_LOOK_MS = 5  # virtual time: a longer step would make every answer wait for its end


class TwinPort:
    """A serial port (`host_tools.box.link.Port`) into a running `TwinSession`."""

    def __init__(self, box: TwinSession) -> None:
        self._box = box

    def read(self, size: int = 1) -> bytes:
        """What came within a quarter of a virtual second."""
        got = b""
        for _ in range(int(1000 * WAIT_S) // _LOOK_MS):
            got += self._box.usb_read(size - len(got))
            if len(got) == size or got.endswith(b"\n"):
                break
            self._box.run_for(_LOOK_MS)
        return got

    def write(self, data: bytes) -> None:
        self._box.usb_write(data)

    def close(self) -> None:
        """The line stays plugged in; the session ends it."""
