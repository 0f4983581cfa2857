"""The USB serial line as whole lines: reads without waiting, never speaks unasked.

Ctrl-C stays with MicroPython, so `mpremote` can always reach the REPL.
"""

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Protocol

    class ByteReader(Protocol):
        """`sys.stdin.buffer`."""

        def read(self, __size: int) -> "bytes | None": ...

    class ByteWriter(Protocol):
        """`sys.stdout.buffer`."""

        def write(self, __data: "bytes | memoryview") -> "int | None": ...

    class Poller(Protocol):
        """`select.poll()` on which `sys.stdin` is registered for POLLIN."""

        def poll(self, __timeout_ms: int) -> "list[tuple[object, int]]": ...


_LIMIT = const(1024)  # the longest line of the link; longer ones are dropped whole
_PER_STEP = const(256)  # bytes read in one call, so that a flood cannot stop the box
_NEWLINE = const(10)
_RETURN = const(13)


class UsbLine:
    """Collects bytes into lines. `dropped` counts the lines that were longer than the buffer."""

    def __init__(self, reader: "ByteReader", writer: "ByteWriter", poller: "Poller") -> None:
        self._reader = reader
        self._writer = writer
        # MicroPython's `ipoll` reuses one tuple; `poll` makes a list of 32 bytes every time
        self._poll = getattr(poller, "ipoll", poller.poll)
        self._line = bytearray(_LIMIT)
        self._used = 0
        self._too_long = False
        self.dropped = 0

    def read_line(self) -> "bytes | None":
        """Return the next whole line without its end, or None: it never waits."""
        for _ in range(_PER_STEP):
            if not self._ready():
                return None
            byte = self._reader.read(1)
            if not byte:
                return None
            line = self._take(byte[0])
            if line is not None:
                return line
        return None

    def write(self, data: "bytes | memoryview") -> None:
        """Write all of `data`; a short write of the USB stack is continued."""
        view = memoryview(data)
        while view:
            written = self._writer.write(view)
            view = view[written if written else 0 :]

    def _ready(self) -> bool:
        for _ in self._poll(0):
            return True
        return False

    def _take(self, byte: int) -> "bytes | None":
        if byte == _NEWLINE:
            return self._finish()
        if self._used == _LIMIT:
            self._too_long = True
        elif byte != _RETURN:
            self._line[self._used] = byte
            self._used += 1
        return None

    def _finish(self) -> "bytes | None":
        line = bytes(memoryview(self._line)[: self._used])
        too_long = self._too_long
        self._used = 0
        self._too_long = False
        if too_long:
            self.dropped += 1
            return None
        return line
