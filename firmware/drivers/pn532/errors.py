"""What can go wrong between the box and a card, and what the caller should do about it."""

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Iterator

# advice
RETRY = const(0)  # the same again may work
CARD_LEFT = const(1)  # the card is out of the field, or no longer listening: list again
BROKEN = const(2)  # the reader or its wires: begin the recovery

_SLOTS = const(16)
_SLOT_BYTES = const(32)


class FrameRing:
    """The last 16 frames, in memory that is taken once: recording costs nothing on the heap.

    Of a long frame the first 32 bytes are kept; `size` in the listing is the true length.
    """

    def __init__(self) -> None:
        self._bytes = bytearray(_SLOTS * _SLOT_BYTES)
        self._sizes = [0] * _SLOTS  # below zero: sent
        self._count = 0

    def record(self, sent: bool, data: "bytes | memoryview", size: int) -> None:
        """Note one frame of `size` bytes; `sent` is True for host to chip."""
        slot = self._count % _SLOTS
        kept = self._bytes
        start = slot * _SLOT_BYTES
        if size > _SLOT_BYTES:
            kept[start : start + _SLOT_BYTES] = data[:_SLOT_BYTES]
        else:  # nothing is allocated for what is said while nobody plays
            for place in range(size):
                kept[start + place] = data[place]
        self._sizes[slot] = -size if sent else size
        self._count += 1

    def listing(self) -> "list[tuple[bool, int, bytes]]":
        """Return `(sent, size, first bytes)` of each frame kept, oldest first."""
        return [self._entry(number % _SLOTS) for number in self._numbers()]

    def _numbers(self) -> "Iterator[int]":
        return iter(range(max(0, self._count - _SLOTS), self._count))

    def _entry(self, slot: int) -> "tuple[bool, int, bytes]":
        size = abs(self._sizes[slot])
        start = slot * _SLOT_BYTES
        return (
            self._sizes[slot] < 0,
            size,
            bytes(self._bytes[start : start + min(size, _SLOT_BYTES)]),
        )


class ReaderError(Exception):
    """Any trouble with the reader. `advice` says what to do, `frames` what was said before it."""

    advice = BROKEN

    def __init__(self, text: str, status: int = 0) -> None:
        super().__init__(text)
        self.status = status
        self.frames: "list[tuple[bool, int, bytes]]" = []


class NoAck(ReaderError):
    """The chip did not acknowledge a command within 15 ms, nor its repetitions."""


class NoAnswer(ReaderError):
    """The chip acknowledged, and then said nothing before the deadline."""


class DamagedFrame(ReaderError):
    """The answer was damaged on the wire, and again after it was asked for once more."""


class NotUnderstood(ReaderError):
    """The chip sent its error frame: it does not know the command, or took it wrongly."""


class WrongChip(ReaderError):
    """Something answers, but it is no PN532."""


class ChipFault(ReaderError):
    """The chip reports overheating, over-current or an overflow of its own."""


class ExchangeFailed(ReaderError):
    """The exchange with the card was disturbed, or the card said no (a NAK)."""

    advice = RETRY


class CardLeft(ReaderError):
    """The card does not answer any more, or it is not the card that was there."""

    advice = CARD_LEFT


class VerifyMismatch(ReaderError):
    """What was written is not what is read back."""

    advice = RETRY


# status of InDataExchange and InCommunicateThru, low six bits (UM0701-02 section 7.1)
_STATUS_ERRORS: "dict[int, type[ReaderError]]" = {
    0x01: CardLeft,  # time-out: the card is gone, or it went silent after a NAK
    0x0A: CardLeft,  # the field is off
    0x0D: ChipFault,  # overheating
    0x0E: ChipFault,  # internal buffer overflow
    0x25: CardLeft,  # device state: no target is selected
    0x27: CardLeft,  # not acceptable in this state
    0x29: CardLeft,  # released
    0x2A: CardLeft,  # the card was exchanged
    0x2B: CardLeft,  # the card disappeared
    0x2D: ChipFault,  # over-current
}


def status_error(status: int) -> ReaderError:
    """Return the error for a chip status that is not zero."""
    kind = _STATUS_ERRORS.get(status & 0x3F, ExchangeFailed)
    return kind("chip status %02x" % status, status)
