"""The frame of a tag's content (FORMAT.md): TLV and our NDEF external-type record."""

from micropython import const

from card_tags.errors import EMPTY, FOREIGN, SHORT, TORN, TagError

# NTAG213 leaves the factory with this lock control TLV: it tells phones where the lock bytes are
# (data sheet 8.5.6), so it stays.
LOCK_CONTROL = b"\x01\x03\xa0\x0c\x34"

_TLV_MESSAGE = const(0x03)
TLV_END = const(0xFE)
_LONG_LENGTH = const(0xFF)
_LONGEST_MESSAGE = const(871)  # NTAG216: 872 bytes of NDEF memory, less what the TLV itself needs
_SHORT_RECORD = const(0xD4)  # MB ME SR, TNF 4 = external type (NFC Forum NDEF 1.0, 3.2)
_LONG_RECORD = const(0xC4)  # the same without SR: four bytes of payload length
_OURS_MASK = const(0xAF)  # of a record's flags, all but ME and SR must be as in _LONG_RECORD's …
_OURS = const(0x84)  # … MB and TNF 4
_BEGIN = const(0x80)  # MB
_LAST = const(0x40)  # ME
_SHORT = const(0x10)  # SR
_LINK_FIRST = const(0x91)  # MB SR, TNF 1: a link in front of our record
_TYPE = b"sch:"
_TYPE_BYTES = const(5)


def framed(kind: str, payload: bytes, lock_control: bool) -> bytes:
    """The bytes from page 4 on, terminator included. Raises ValueError if no tag can hold them."""
    head = bytearray(LOCK_CONTROL if lock_control else b"")
    record = _record_head(kind, len(payload))
    length = len(record) + len(payload)
    if length > _LONGEST_MESSAGE:
        raise ValueError("record of " + str(length) + " bytes does not fit on a tag")
    head.append(_TLV_MESSAGE)
    if length >= _LONG_LENGTH:
        head.append(_LONG_LENGTH)
        head.append(length >> 8)
    head.append(length & 0xFF)
    head.extend(record)
    head.extend(payload)
    head.append(TLV_END)
    return bytes(head)


def _record_head(kind: str, payload_length: int) -> bytes:
    """Flags, type length, payload length, type (NDEF 1.0, 3.2)."""
    if payload_length > 255:
        head = bytes((_LONG_RECORD, _TYPE_BYTES)) + payload_length.to_bytes(4, "big")
    else:
        head = bytes((_SHORT_RECORD, _TYPE_BYTES, payload_length))
    return head + _TYPE + kind.encode()


def length_at(data: "bytes | memoryview") -> "tuple[int, int]":
    """Offset and size (1 or 3 bytes) of the message length, which writers clear first."""
    at = _after_lock_control(data) + 1
    return at, 3 if data[at] == _LONG_LENGTH else 1


def _after_lock_control(data: "bytes | memoryview") -> int:
    """5 behind the factory's lock control TLV, 0 without it."""
    for at, value in enumerate(LOCK_CONTROL):
        if at >= len(data) or data[at] != value:
            return 0
    return len(LOCK_CONTROL)


def find_message(data: "bytes | memoryview") -> "tuple[int, int]":
    """Start and length of the NDEF message. Raises EMPTY, FOREIGN, TORN."""
    at = _after_lock_control(data)
    if _all_zero(data, at):
        raise TagError(EMPTY)
    if at + 4 > len(data):
        raise TagError(TORN)
    if data[at] == TLV_END:
        raise TagError(EMPTY)
    if data[at] != _TLV_MESSAGE:
        raise TagError(FOREIGN)
    length = data[at + 1]
    if length == _LONG_LENGTH:
        return at + 4, data[at + 2] << 8 | data[at + 3]
    if length == 0:
        # Writing starts by clearing the length: what follows tells unfinished from empty.
        raise TagError(EMPTY if data[at + 2] == TLV_END or _all_zero(data, at + 2) else TORN)
    return at + 2, length


def _all_zero(data: "bytes | memoryview", at: int) -> bool:
    for place in range(at, len(data)):
        if data[place]:
            return False
    return True


def read_head(data: "bytes | memoryview", at: int, length: int) -> "tuple[str, int, int]":
    """Kind letter, start and length of the payload of our record. It fills the message, or a link
    stands before or behind it.
    """
    end = at + length
    flags = data[at] if at < len(data) else 0
    if flags == _LINK_FIRST:
        at = _behind_link(data, at, end)
        flags = data[at] | _BEGIN if data[at] & _LAST else 0
    head = 3 if flags & _SHORT else 6
    if flags & _OURS_MASK != _OURS:
        raise TagError(FOREIGN)
    payload = at + head + _TYPE_BYTES
    if payload > len(data):
        raise TagError(SHORT if payload <= end else TORN, end + 1)
    if data[at + 1] != _TYPE_BYTES or bytes(data[payload - _TYPE_BYTES : payload - 1]) != _TYPE:
        raise TagError(FOREIGN)
    payload_length = data[at + 2]
    if not flags & _SHORT:
        payload_length = int.from_bytes(bytes(data[at + 2 : at + 6]), "big")
    ours = payload + payload_length
    if ours > end or (ours != end) == (flags & _LAST != 0):
        raise TagError(TORN)
    return chr(data[payload - 1]), payload, payload_length


def _behind_link(data: "bytes | memoryview", at: int, end: int) -> int:
    """Where the record behind a short one with a type of one letter begins."""
    if at + 3 > len(data):
        raise TagError(SHORT, end + 1)
    if data[at + 1] != 1:
        raise TagError(FOREIGN)
    at += 4 + data[at + 2]
    if at >= end:
        raise TagError(TORN)
    if at >= len(data):
        raise TagError(SHORT, end + 1)
    return at
