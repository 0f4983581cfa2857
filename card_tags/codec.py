"""User memory of a Type 2 tag ⇄ `Tag` (FORMAT.md): TLV, our NDEF external-type record, payload.

`decode` raises nothing but TagError, whatever the bytes. It does not judge the seal:
`card_tags.seal.verify` does.
"""

from binascii import crc32

from micropython import const

from card_tags import kinds
from card_tags.bodies import read_body
from card_tags.errors import EMPTY, FOREIGN, SHORT, TORN, WRONG_VERSION, TagError
from card_tags.wire import Reader

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

FORMAT_VERSION = const(1)
UNSEALED_KEY = const(0)
CARD_BYTES = const(48)  # what one FAST_READ of pages 4 to 15 fetches

# NTAG213 leaves the factory with this lock control TLV: it tells phones where the lock bytes are
# (data sheet 8.5.6), so it stays.
LOCK_CONTROL = b"\x01\x03\xa0\x0c\x34"

_TLV_MESSAGE = const(0x03)
_TLV_END = const(0xFE)
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
_CRC_BYTES = const(4)
_SEAL_BYTES = const(8)
_SLIP_SEAL_BYTES = const(16)


def check_bytes(kind: str, key_id: int) -> int:
    """How many bytes of seal or CRC end the payload."""
    if key_id == UNSEALED_KEY:
        return _CRC_BYTES
    return _SLIP_SEAL_BYTES if kind == kinds.SLIP else _SEAL_BYTES


def covered_bytes(kind: str, content: "Any", key_id: int) -> bytes:
    """The payload up to its seal or CRC: version, key id, body. Raises ValueError."""
    from card_tags.writing import Writer, write_body

    out = Writer()
    out.byte(FORMAT_VERSION)
    out.byte(key_id)
    write_body(out, kind, content)
    return bytes(out.data)


def unsealed(kind: str, content: "Any") -> "kinds.Tag":
    """A tag with a CRC instead of a seal. Raises ValueError for what the format cannot hold."""
    covered = covered_bytes(kind, content, UNSEALED_KEY)
    return kinds.Tag(kind, content, UNSEALED_KEY, _crc(kind, covered), covered)


def encode(tag: "kinds.Tag", lock_control: bool = True) -> bytes:
    """The bytes from page 4 on, terminator included. Raises ValueError if no tag can hold them.

    `lock_control`: True on NTAG213, False on NTAG215 and 216.
    """
    payload = tag.covered + tag.check
    head = bytearray(LOCK_CONTROL if lock_control else b"")
    record = _record_head(tag.kind, len(payload))
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
    head.append(_TLV_END)
    return bytes(head)


def length_at(data: "bytes | memoryview") -> "tuple[int, int]":
    """Offset and size (1 or 3 bytes) of the message length, which writers clear first."""
    at = _after_lock_control(data) + 1
    return at, 3 if data[at] == _LONG_LENGTH else 1


def decode(data: "bytes | memoryview") -> "kinds.Tag":
    """Read a tag from its user memory, page 4 on. Raises TagError and nothing else.

    A link behind our record need not be among the bytes.
    """
    start, length = find_message(data)
    kind, payload, payload_length = read_head(data, start, length)
    ours = payload + payload_length
    if ours > len(data):
        raise TagError(SHORT, ours + 1)
    end = start + length
    if end < len(data) and data[end] != _TLV_END:
        raise TagError(TORN)
    return _read_payload(data, kind, payload, payload_length)


def _read_payload(data: "bytes | memoryview", kind: str, start: int, length: int) -> "kinds.Tag":
    if length < 2 or data[start] != FORMAT_VERSION or kind not in kinds.KINDS:
        raise TagError(WRONG_VERSION)
    key_id = data[start + 1]
    check_start = start + length - check_bytes(kind, key_id)
    if check_start < start + 2:
        raise TagError(TORN)
    covered = bytes(data[start:check_start])
    check = bytes(data[check_start : start + length])
    if key_id == UNSEALED_KEY and check != _crc(kind, covered):
        raise TagError(TORN)
    return kinds.Tag(kind, read_body(Reader(covered, 2), kind), key_id, check, covered)


def _crc(kind: str, covered: bytes) -> bytes:
    """CRC-32 over kind letter and covered payload, high byte first."""
    checksum: int = crc32(kind.encode() + covered)
    return (checksum & 0xFFFFFFFF).to_bytes(4, "big")


def _record_head(kind: str, payload_length: int) -> bytes:
    """Flags, type length, payload length, type (NDEF 1.0, 3.2)."""
    if payload_length > 255:
        head = bytes((_LONG_RECORD, _TYPE_BYTES)) + payload_length.to_bytes(4, "big")
    else:
        head = bytes((_SHORT_RECORD, _TYPE_BYTES, payload_length))
    return head + _TYPE + kind.encode()


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
    if data[at] == _TLV_END:
        raise TagError(EMPTY)
    if data[at] != _TLV_MESSAGE:
        raise TagError(FOREIGN)
    length = data[at + 1]
    if length == _LONG_LENGTH:
        return at + 4, data[at + 2] << 8 | data[at + 3]
    if length == 0:
        # Writing starts by clearing the length: what follows tells unfinished from empty.
        raise TagError(EMPTY if _is_erased(data, at + 2) else TORN)
    return at + 2, length


def _is_erased(data: "bytes | memoryview", at: int) -> bool:
    """A terminator, or nothing at all."""
    return data[at] == _TLV_END or _all_zero(data, at)


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
