"""PN532 frames as bytes (NXP UM0701-02 section 6.2.1): a builder, and a parser.

    normal    00 00 FF LEN LCS  TFI PD0..PDn  DCS 00      LEN counts TFI..PDn, LEN + LCS = 0
    extended  00 00 FF FF FF LENM LENL LCS  TFI PD0..PDn  DCS 00       for 256 bytes and more
    ACK       00 00 FF 00 FF 00          NACK  00 00 FF FF 00 00
    error     00 00 FF 01 FF 7F 81 00    the chip did not understand the command

Zeros before and after a frame are padding, so the parser hunts for 00 FF. It knows nothing about
time or buses, never raises and never allocates.
"""

from micropython import const

ACK = b"\x00\x00\xff\x00\xff\x00"
NACK = b"\x00\x00\xff\xff\x00\x00"

TO_CHIP = const(0xD4)  # TFI of a frame from the host
FROM_CHIP = const(0xD5)

# what take() has found with the last byte it took
NOTHING = const(0)
FRAME = const(1)  # a whole frame from the chip: `payload`, `size`
GOT_ACK = const(2)
GOT_NACK = const(3)
GOT_ERROR = const(4)  # the chip's error frame
BAD = const(5)  # a checksum or length that is wrong, or a frame that is not from the chip

_LONGEST = const(265)  # TFI..PDn of an extended frame (UM0701-02 6.2.1.2)
_ERROR_TFI = const(0x7F)
_WORTH_A_COPY = const(8)  # bytes; fewer come while nobody plays, and then nothing is allocated

# what the parser waits for: in a frame, each with a step of its own, in the order of _STEPS
_LEN = const(0)
_LCS = const(1)
_EXT_HIGH = const(2)
_EXT_LOW = const(3)
_EXT_LCS = const(4)
_DCS = const(5)
_POSTAMBLE = const(6)
_BODY = const(7)
# and between frames
_HUNT = const(8)
_ZERO = const(9)  # had a 00, wants FF


def build(payload: bytes) -> bytes:
    """Return the frame that carries `payload` (command code and its data, 1 to 264 bytes)."""
    body = bytes((TO_CHIP,)) + payload
    size = len(body)
    if size < 256:
        head = bytes((0, 0, 0xFF, size, -size & 0xFF))
    else:
        high, low = size >> 8, size & 0xFF
        head = bytes((0, 0, 0xFF, 0xFF, 0xFF, high, low, -(high + low) & 0xFF))
    return head + body + bytes((-sum(body) & 0xFF, 0))


def command_of(frame: bytes) -> int:
    """Return the command code inside a frame made by `build`."""
    return frame[9] if frame[3] == 0xFF and frame[4] == 0xFF else frame[6]


class Parser:
    """Finds frames in a stream of bytes. One buffer, made once; it belongs to the parser.

    `payload` is a memoryview of the whole buffer (TFI first); `size` says how much of it counts.
    Both stay as they are until the next frame begins, also while an ACK passes by.
    """

    def __init__(self) -> None:
        self._buffer = bytearray(_LONGEST)
        self.payload = memoryview(self._buffer)
        self.size = 0
        self._expected = 0
        self._sum = 0
        self._state = _HUNT
        self.at = 0  # behind the last byte that `take` took

    def reset(self) -> None:
        """Forget a frame that has begun, and the last one."""
        self._state = _HUNT
        self.size = 0

    def has_begun(self) -> bool:
        """True in the middle of a frame."""
        return self._state < _HUNT

    def take(self, data: bytearray, at: int, end: int) -> int:
        """Take bytes of `data` from `at` to `end`, or until they complete something, and return
        that: NOTHING, FRAME, GOT_ACK, … or BAD; `self.at` says how far it was. A long body is
        taken as a whole.
        """
        found = NOTHING
        while at < end and found == NOTHING:
            state = self._state
            if state == _BODY:
                at = self._take_body(data, at, end)
                continue
            byte = data[at]
            at += 1
            if state < _BODY:
                found = _STEPS[state](self, byte)
            elif not byte:  # the hunt, without a call for each byte
                self._state = _ZERO
            else:
                self._state = _LEN if state == _ZERO and byte == 0xFF else _HUNT
        self.at = at
        return found

    def _take_body(self, data: bytearray, at: int, end: int) -> int:
        end = min(end, at + self._expected - self.size)
        size = self.size
        if end - at < _WORTH_A_COPY:
            for place in range(at, end):
                self._buffer[size] = data[place]
                self._sum += data[place]
                size += 1
        else:
            piece = data[at:end]
            size += len(piece)
            self._buffer[self.size : size] = piece
            self._sum += sum(piece)
        self.size = size
        if size == self._expected:
            self._state = _DCS
        return end

    def _length(self, byte: int) -> int:
        self._expected = byte
        self._state = _LCS
        return NOTHING

    def _length_sum(self, byte: int) -> int:
        length = self._expected
        if length == 0 and byte == 0xFF:
            self._state = _HUNT
            return GOT_ACK
        if length == 0xFF and byte == 0:
            # the NACK's second zero may already be the first one of the next frame
            self._state = _ZERO
            return GOT_NACK
        if length == 0xFF and byte == 0xFF:
            self._state = _EXT_HIGH
            return NOTHING
        return self._begin_body((length + byte) & 0xFF == 0, byte)

    def _extended_high(self, byte: int) -> int:
        self._expected = byte << 8
        self._state = _EXT_LOW
        return NOTHING

    def _extended_low(self, byte: int) -> int:
        self._expected |= byte
        self._state = _EXT_LCS
        return NOTHING

    def _extended_sum(self, byte: int) -> int:
        length = self._expected
        return self._begin_body(((length >> 8) + length + byte) & 0xFF == 0, byte)

    def _begin_body(self, sum_is_right: bool, byte: int) -> int:
        if not sum_is_right or not 0 < self._expected <= _LONGEST:
            self._state = _HUNT if byte else _ZERO
            return BAD
        self.size = 0
        self._sum = 0
        self._state = _BODY
        return NOTHING

    def _data_sum(self, byte: int) -> int:
        if (self._sum + byte) & 0xFF:
            self._state = _HUNT if byte else _ZERO
            return BAD
        self._state = _POSTAMBLE
        return NOTHING

    def _postamble(self, byte: int) -> int:
        """Where a zero of the body was lost, the sum is still right, but this zero is missing."""
        self._state = _HUNT if byte else _ZERO
        if byte:
            return BAD
        tfi = self._buffer[0]
        if tfi == FROM_CHIP and self.size > 1:
            return FRAME
        return GOT_ERROR if tfi == _ERROR_TFI and self.size == 1 else BAD


_STEPS = (
    Parser._length,
    Parser._length_sum,
    Parser._extended_high,
    Parser._extended_low,
    Parser._extended_sum,
    Parser._data_sum,
    Parser._postamble,
)
