"""High speed UART: 8N1, bytes in flight take 10 bit times each, both ways at once."""

import math
from collections import deque
from dataclasses import dataclass

from hardware.twin.pn532.chip import FACTORY_BAUD, Pn532Chip

WAKE_BIT = 0x10
_BITS_PER_BYTE = 10
_BAUD_TOLERANCE = 0.03  # more than ± 3 % and an 8N1 receiver loses the stop bit
_GARBLED = b"\xf8"  # what a receiver at another rate makes of a byte: no start code among it


@dataclass
class _InFlight:
    """Bytes on their way to the host."""

    start_us: float
    byte_us: float
    data: bytes
    read: int = 0

    def arrived(self, now_us: int) -> int:
        """Bytes at the host by now, those already read included."""
        # the clock is in whole µs: a byte that ends within the current one has arrived
        count = math.floor((now_us - self.start_us + 1) / self.byte_us)
        return max(0, min(len(self.data), count))


class HsuPort:
    """The chip on a UART. Nothing here moves the clock."""

    def __init__(self, chip: Pn532Chip, checks_baud: bool = True) -> None:
        """`checks_baud=False` for ptys, where the peer's rate is not seen on the line."""
        self.chip = chip
        self.baud = FACTORY_BAUD
        self.unplugged = False  # nothing arrives on either side
        self.noise = b""  # a disturbed line: all that the host hears, after whatever it writes
        self._checks_baud = checks_baud
        self._to_host: deque[_InFlight] = deque()
        self._host_free_us = 0.0
        self._chip_free_us = 0.0
        chip.port = self

    @property
    def idle_at_us(self) -> int:
        """When the last byte written has left the host."""
        return math.ceil(self._host_free_us)

    def write(self, data: bytes) -> int:
        """Queue bytes for the chip; returns their number at once."""
        if not data:
            return 0
        byte_us = _BITS_PER_BYTE * 1_000_000 / self.baud
        start_us = max(self._host_free_us, float(self.chip.clock.now_us))
        self._host_free_us = start_us + byte_us * len(data)
        sent, rate = bytes(data), self.baud
        self.chip.clock.at(self.idle_at_us, lambda: self._arrive(sent, start_us, byte_us, rate))
        return len(data)

    def _arrive(self, data: bytes, start_us: float, byte_us: float, rate: int) -> None:
        """The chip hears the bytes whose start bit fell after its wake-up."""
        if self.unplugged or self.noise:
            self._to_host.append(_InFlight(float(self.chip.clock.now_us), byte_us, self.noise))
            return
        listens_us = self.chip.hear(WAKE_BIT, start_us)
        if listens_us is None:
            return
        if not self._rates_agree(rate):
            data = _GARBLED * len(data)
        missed = max(0, math.ceil((listens_us - start_us) / byte_us))
        self.chip.feed(data[missed:])

    def _rates_agree(self, rate: int) -> bool:
        return not self._checks_baud or abs(rate / self.chip.baud - 1) <= _BAUD_TOLERANCE

    def offer(self, frame: bytes) -> None:
        """The chip sends; it has no flow control."""
        if self.unplugged or self.noise:
            return
        byte_us = _BITS_PER_BYTE * 1_000_000 / self.chip.baud
        start_us = max(self._chip_free_us, float(self.chip.clock.now_us))
        self._chip_free_us = start_us + byte_us * len(frame)
        heard = frame if self._rates_agree(self.baud) else _GARBLED * len(frame)
        self._to_host.append(_InFlight(start_us, byte_us, heard))
        number = self.chip.offer_number
        self.chip.clock.at(math.ceil(self._chip_free_us), lambda: self.chip.taken(number))

    def any(self) -> int:
        """How many bytes wait for the host."""
        if not self._to_host:
            return 0
        now_us = self.chip.clock.now_us
        return sum(chunk.arrived(now_us) - chunk.read for chunk in self._to_host)

    def read(self, n: int) -> bytes:
        """Up to `n` of the bytes that wait."""
        now_us = self.chip.clock.now_us
        out = bytearray()
        while self._to_host and len(out) < n:
            chunk = self._to_host[0]
            end = min(chunk.arrived(now_us), chunk.read + n - len(out))
            out += chunk.data[chunk.read : end]
            chunk.read = end
            if end < len(chunk.data):
                break
            self._to_host.popleft()
        return bytes(out)

    def next_arrival_us(self) -> int | None:
        """When the next byte arrives that is not there yet; None if none is on its way."""
        now_us = self.chip.clock.now_us
        for chunk in self._to_host:
            count = chunk.arrived(now_us)
            if count < len(chunk.data):
                return math.ceil(chunk.start_us + (count + 1) * chunk.byte_us)
        return None
