"""The USB serial line between the box and a laptop (CDC-ACM, full speed), as bytes in virtual
time.

The box's end is MicroPython's `shared/tinyusb/mp_usbd_cdc.c` over TinyUSB: what is written lies in
a queue of 256 bytes, from which 64 at a time wait in the endpoint until the host fetches them. A
write that finds no room waits 500 ms for it, and once more after each part that did fit.
"""

from collections import deque
from collections.abc import Callable

from hardware.twin.clock import VirtualClock

BYTES_PER_MS = 1000  # a Pico carries about 1 MB/s at full speed in large writes
CTRL_C = 3
_BOX_BUFFER = 256  # MicroPython's ring buffer on the RP2 (MICROPY_HW_STDIN_BUFFER_LEN)
_QUEUE = 256  # CFG_TUD_CDC_TX_BUFSIZE at full speed
_PACKET = 64  # CFG_TUD_CDC_EP_BUFSIZE, one bulk packet at full speed
_PATIENCE_US = 500_000  # MICROPY_HW_USB_CDC_TX_TIMEOUT
_LOOK_US = 1000  # mp_event_wait_ms(1) between two looks for room


class UsbQueues:
    """Two queues. `plugged` is the cable: unplugged, what the box writes is lost and nothing
    arrives. `packet_ms` is how long the host takes to fetch a packet of 64 bytes: 0 a laptop that
    reads, None one whose program has the port open and does not read.
    """

    def __init__(self, clock: VirtualClock) -> None:
        self._clock = clock
        self._to_box: deque[int] = deque()
        self._from_box = bytearray()
        self._queue = bytearray()
        self._endpoint = b""
        self._fetched_us = 0  # when the host last fetched a packet, or could have
        self._packet_ms: int | None = 0
        self.plugged = True
        self.interrupted = False  # Ctrl-C came in and nobody has raised KeyboardInterrupt yet
        self.on_output: Callable[[bytes], None] | None = None
        # a program beside the laptop's: True for a line that answers it and is not the laptop's
        self.beside: Callable[[bytes], bool] | None = None
        self._unsorted = b""

    def ask_beside(self, line: bytes, answers: Callable[[bytes], bool]) -> None:
        """Ask the box something, cable or not. Every line that it writes is first shown to
        `answers`, until that takes it by setting `beside` to None.
        """
        self._to_box.extend(line)
        self.beside = answers

    # -- the laptop's end

    def write(self, data: bytes) -> None:
        """The laptop sends. The line holds back what the box has no room for, as USB does."""
        if not self.plugged:
            return
        for byte in data:
            if byte == CTRL_C:
                self._to_box.clear()
                self.beside = None  # a prompt ends no line
                self.interrupted = True
            else:
                self._to_box.append(byte)

    def read(self, size: int = -1) -> bytes:
        """What the box has written since the last read (at most `size` bytes)."""
        self._fetch()
        count = len(self._from_box) if size < 0 else size
        data = bytes(self._from_box[:count])
        del self._from_box[:count]
        return data

    @property
    def packet_ms(self) -> int | None:
        """Milliseconds from packet to packet; None: nobody fetches any."""
        return self._packet_ms

    @packet_ms.setter
    def packet_ms(self, packet_ms: int | None) -> None:
        self._fetch()
        self._packet_ms = packet_ms
        self._fetched_us = self._clock.now_us
        self._fetch()

    def unplug(self) -> None:
        """Pull the cable: everything under way is lost."""
        self.plugged = False
        self._to_box.clear()
        self._from_box.clear()
        self._forget_output()

    def plug(self) -> None:
        """Put the cable back."""
        self.plugged = True

    def clear(self) -> None:
        """The box has lost its power or was reset: its end of the line is new."""
        self._to_box.clear()
        self._forget_output()
        self.beside = None
        self.interrupted = False

    # -- the box's end

    def waiting(self) -> int:
        """Bytes the box can read now."""
        return min(len(self._to_box), _BOX_BUFFER)

    def take(self, size: int) -> bytes:
        """The box reads up to `size` bytes."""
        count = min(size, self.waiting())
        return bytes(self._to_box.popleft() for _ in range(count))

    def writable(self) -> bool:
        """What `select.poll` says of POLLOUT: there is room for a byte, or nobody to wait for."""
        return not self.plugged or self._room() > 0

    def put(self, data: bytes) -> int:
        """`sys.stdout.buffer.write`: how many bytes were taken. Waits for room as it does."""
        if self.beside is None and not self._unsorted:
            return self._put(data)
        self._put(self._without_answers(data))
        return len(data)

    def deliver(self, data: bytes) -> None:
        """The host has fetched bytes from a box whose end of the line somebody else models."""
        if self.beside is not None or self._unsorted:
            data = self._without_answers(data)
        self._hand_over(data)

    def _without_answers(self, data: bytes) -> bytes:
        """What the laptop gets of the bytes: all but the lines that answer `beside`."""
        *lines, self._unsorted = (self._unsorted + data).split(b"\n")
        kept = b"".join(
            line + b"\n" for line in lines if self.beside is None or not self.beside(line)
        )
        if self.beside is None:
            kept, self._unsorted = kept + self._unsorted, b""
        return kept

    def _put(self, data: bytes) -> int:
        taken = 0
        while taken < len(data):  # mp_stream_rw goes on until a call takes nothing
            count = self._transmit(data[taken:])
            if not count:
                break
            taken += count
        return taken

    def _transmit(self, data: bytes) -> int:
        """`mp_usbd_cdc_tx_strn`: packet by packet until one does not fit."""
        taken = 0
        while taken < len(data):
            part = data[taken : taken + _PACKET]
            if self.plugged:
                self._await_room(len(part))
                part = part[: self._room()]
            if not part:
                break
            self._clock.advance(len(part) * 1000 // BYTES_PER_MS)
            self._queue_up(part)
            taken += len(part)
        return taken

    def _await_room(self, size: int) -> None:
        end_us = self._clock.now_us + _PATIENCE_US
        while self._room() < size and self._clock.now_us < end_us:
            self._clock.advance(_LOOK_US)

    def _room(self) -> int:
        self._fetch()
        return _QUEUE - len(self._queue)

    def _queue_up(self, part: bytes) -> None:
        if self.plugged:
            if not self._endpoint and not self._queue:
                self._fetched_us = self._clock.now_us
            self._queue += part
            self._fetch()

    def _fetch(self) -> None:
        """Hand the host the packets that it has fetched by now."""
        self._fill_endpoint()
        while self._endpoint and self._packet_ms is not None:
            due_us = self._fetched_us + 1000 * self._packet_ms
            if due_us > self._clock.now_us:
                return
            self._fetched_us = due_us
            self._hand_over(self._endpoint)
            self._endpoint = b""
            self._fill_endpoint()

    def _fill_endpoint(self) -> None:
        if not self._endpoint:
            self._endpoint = bytes(self._queue[:_PACKET])
            del self._queue[:_PACKET]

    def _hand_over(self, data: bytes) -> None:
        if self.on_output is not None:
            self.on_output(data)
        else:
            self._from_box.extend(data)

    def _forget_output(self) -> None:
        self._unsorted = b""
        self._queue.clear()
        self._endpoint = b""
