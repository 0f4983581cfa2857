"""The USB serial line between the box and a laptop (CDC-ACM, full speed), as bytes in virtual
time.
"""

from collections import deque
from collections.abc import Callable

from hardware.twin.clock import VirtualClock

BYTES_PER_MS = 1000  # a Pico carries about 1 MB/s at full speed in large writes
CTRL_C = 3
_BOX_BUFFER = 256  # MicroPython's ring buffer on the RP2 (MICROPY_HW_STDIN_BUFFER_LEN)


class UsbLine:
    """Two queues. `plugged` is the cable: unplugged, what the box writes is lost and nothing
    arrives.
    """

    def __init__(self, clock: VirtualClock) -> None:
        self._clock = clock
        self._to_box: deque[int] = deque()
        self._from_box = bytearray()
        self.plugged = True
        self.interrupted = False  # Ctrl-C came in and nobody has raised KeyboardInterrupt yet
        self.on_output: Callable[[bytes], None] | None = None

    # -- the laptop's end

    def write(self, data: bytes) -> None:
        """The laptop sends. The line holds back what the box has no room for, as USB does."""
        if not self.plugged:
            return
        for byte in data:
            if byte == CTRL_C:
                self._to_box.clear()
                self.interrupted = True
            else:
                self._to_box.append(byte)

    def read(self, size: int = -1) -> bytes:
        """What the box has written since the last read (at most `size` bytes)."""
        count = len(self._from_box) if size < 0 else size
        data = bytes(self._from_box[:count])
        del self._from_box[:count]
        return data

    def unplug(self) -> None:
        """Pull the cable: everything under way is lost."""
        self.plugged = False
        self._to_box.clear()
        self._from_box.clear()

    def plug(self) -> None:
        """Put the cable back."""
        self.plugged = True

    def clear(self) -> None:
        """The box has lost its power or was reset: its end of the line is new."""
        self._to_box.clear()
        self.interrupted = False

    # -- the box's end

    def waiting(self) -> int:
        """Bytes the box can read now."""
        return min(len(self._to_box), _BOX_BUFFER)

    def take(self, size: int) -> bytes:
        """The box reads up to `size` bytes."""
        count = min(size, self.waiting())
        return bytes(self._to_box.popleft() for _ in range(count))

    def put(self, data: bytes) -> None:
        """The box writes; this takes the time USB needs."""
        self._clock.advance(len(data) * 1000 // BYTES_PER_MS)
        if not self.plugged:
            return
        if self.on_output is not None:
            self.on_output(data)
        else:
            self._from_box.extend(data)
