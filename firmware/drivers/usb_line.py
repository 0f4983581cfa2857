"""The USB serial line as whole lines: never waits for the laptop, never speaks unasked.

Ctrl-C stays with MicroPython, so `mpremote` can always reach the REPL.

MicroPython's write waits up to 500 ms for room, again and again (shared/tinyusb/mp_usbd_cdc.c),
and POLLOUT only says that one byte fits. So answers leave in whole packets of 64 bytes, the last
one filled up with newlines: TinyUSB's queue of 256 bytes is emptied in packets of 64, and where
one byte fits a packet fits.
"""

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Protocol

    class ByteReader(Protocol):
        """`sys.stdin.buffer`."""

        def read(self, __size: int) -> "bytes | None": ...

    class ByteWriter(Protocol):
        """`sys.stdout.buffer`."""

        def write(self, __data: "bytes | memoryview") -> "int | None": ...

    class Poller(Protocol):
        """`select.poll()` with one stream for one event."""

        def poll(self, __timeout_ms: int) -> "list[tuple[object, int]]": ...


_LIMIT = const(1024)  # the longest line of the link; longer ones are dropped whole
_PER_STEP = const(256)  # bytes read in one call, so that a flood cannot stop the box
_PACKET = const(64)  # of full-speed USB; TinyUSB's queue holds four
_STRANGE = const(384)  # more than queue and endpoint hold together
_NEWLINE = const(10)
_RETURN = const(13)


class UsbLine:
    """Collects bytes into lines. `dropped` counts the lines that were longer than the buffer."""

    def __init__(
        self, reader: "ByteReader", writer: "ByteWriter", readable: "Poller", writable: "Poller"
    ) -> None:
        """`readable` waits for POLLIN of `sys.stdin`, `writable` for POLLOUT of `sys.stdout`."""
        self._reader = reader
        self._writer = writer
        # MicroPython's `ipoll` reuses one tuple; `poll` makes a list of 32 bytes every time
        self._poll_in = getattr(readable, "ipoll", readable.poll)
        self._poll_out = getattr(writable, "ipoll", writable.poll)
        self._packet = memoryview(bytearray(_PACKET))
        self._held = 0  # bytes of the packet that wait
        # What MicroPython's prompt has left in the queue may be no whole packet: so long bytes go
        # one by one, until the queue was full or must have been emptied.
        self._strange = _STRANGE
        self._line = bytearray(_LIMIT)
        self._used = 0
        self._too_long = False
        self.dropped = 0

    def read_line(self) -> "bytes | None":
        """Return the next whole line without its end, or None: it never waits."""
        for _ in range(_PER_STEP):
            if not _any(self._poll_in):
                return None
            byte = self._reader.read(1)
            if not byte:
                return None
            line = self._take(byte[0])
            if line is not None:
                return line
        return None

    def write(self, data: "bytes | memoryview") -> int:
        """Take what fits of `data` and return how many bytes that was; never wait."""
        taken = 0
        while taken < len(data):
            if self._held == _PACKET and not self._send_packet():
                break
            count = min(_PACKET - self._held, len(data) - taken)
            self._packet[self._held : self._held + count] = data[taken : taken + count]
            self._held += count
            taken += count
        return taken

    def finish(self) -> bool:
        """Send what is held, filled up with newlines; False: there is no room for it yet."""
        if self._held:
            while self._held < _PACKET:
                self._packet[self._held] = _NEWLINE
                self._held += 1
            self._send_packet()
        return self._held == 0

    def drop(self) -> None:
        """Forget what is held. A newline in front of the next answer ends what has gone out."""
        self._packet[0] = _NEWLINE
        self._held = 1

    def _send_packet(self) -> bool:
        """Hand the packet to the USB stack as far as that need not wait; True if it has gone."""
        sent = 0
        while sent < self._held:
            if not _any(self._poll_out):
                self._strange = 0  # the queue is full: from here on whole packets leave it
                break
            end = sent + 1 if self._strange else self._held
            self._strange = max(self._strange - 1, 0)
            written = self._writer.write(self._packet[sent:end])
            if not written:
                break
            sent += written
        rest = self._held - sent
        self._packet[:rest] = bytes(self._packet[sent : self._held])
        self._held = rest
        return rest == 0

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


def _any(poll: "Callable[[int], Iterable[object]]") -> bool:
    for _ in poll(0):
        return True
    return False
