"""`sys.stdin` and `sys.stdout` of the box: the USB serial line. Built-in `select.poll` works on
them in the VM.
"""

import io
import sys

from micropython import const

from hardware.twin.vm import ops
from hardware.twin.vm.machine import fetched

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from hardware.twin.vm.machine import Bridge

_IOCTL_POLL = const(3)  # MP_STREAM_POLL, py/stream.h
_POLL_READ = const(1)
_POLL_WRITE = const(4)
_EINVAL = const(22)


class UsbStream(io.IOBase):
    """Both ends at once, binary and text alike, as on a Pico where `buffer` is the same line."""

    def __init__(self, bridge: "Bridge") -> None:
        self.bridge = bridge
        self.buffer = self

    def ioctl(self, request: int, argument: int) -> int:
        """What `select.poll` asks (MicroPython's stream protocol). 0 to any other question would
        be file 0 to the UNIX port (MP_STREAM_GET_FILENO): always readable, always writable.
        """
        if request != _IOCTL_POLL:
            return -_EINVAL
        ready = 0
        if argument & _POLL_READ and self.bridge.usb_any():
            ready |= _POLL_READ
        if argument & _POLL_WRITE and self.bridge.call(ops.USB_WRITABLE):
            ready |= _POLL_WRITE
        return ready

    def readinto(self, buf: "Any") -> int:
        return self.bridge.fill(ops.USB_READ, 0, 0, buf)

    def read(self, size: int = 1) -> bytes:
        return fetched(self.bridge, ops.USB_READ, size)

    def write(self, data: "Any") -> int:
        """How many bytes were taken; text is never told that the host did not read it."""
        if isinstance(data, str):
            self.bridge.send(ops.USB_WRITE, 0, 0, 0, data.encode())
            return len(data)
        return self.bridge.send(ops.USB_WRITE, 0, 0, 0, data)

    def flush(self) -> None:
        """Nothing waits on this side."""


class BoxSys:
    """The module `sys` with the USB line as its streams; everything else is the interpreter's
    own.
    """

    def __init__(self, bridge: "Bridge") -> None:
        self.stdin = UsbStream(bridge)
        self.stdout = UsbStream(bridge)

    def __getattr__(self, name: str) -> "Any":
        return getattr(sys, name)
