"""User memory of a Type 2 tag ⇄ `Tag` (FORMAT.md): what `framing` frames, read and written.

`decode` raises nothing but TagError, whatever the bytes. It does not judge the seal:
`card_tags.seal.verify` does.
"""

from binascii import crc32

from micropython import const

from card_tags import framing, kinds
from card_tags.bodies import read_body
from card_tags.errors import SHORT, TORN, WRONG_VERSION, TagError
from card_tags.wire import WireReader

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

FORMAT_VERSION = const(1)
UNSEALED_KEY = const(0)
CARD_BYTES = const(48)  # what one FAST_READ of pages 4 to 15 fetches

_CRC_BYTES = const(4)
SEAL_BYTES = const(8)
_SIGNATURE_BYTES = const(64)


def check_bytes(kind: str, key_id: int) -> int:
    """How many bytes of signature, seal or CRC end the payload."""
    if kind == kinds.SLIP:
        return _SIGNATURE_BYTES
    return _CRC_BYTES if key_id == UNSEALED_KEY else SEAL_BYTES


def covered_bytes(kind: str, content: "Any", key_id: int) -> bytes:
    """The payload up to its signature, seal or CRC: version, key id, body. `key_id`: of a slip,
    the first byte of the id of the box's key. Raises ValueError.
    """
    from card_tags.writer import Writer

    out = Writer()
    out.byte(FORMAT_VERSION)
    out.byte(key_id)
    if kind == kinds.SLIP:  # without the writers of the other kinds, which no box needs
        from card_tags.slip import write_slip

        write_slip(out, content)
    else:
        from card_tags.writing import write_body

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
    return framing.framed(tag.kind, tag.covered + tag.check, lock_control)


def decode(data: "bytes | memoryview") -> "kinds.Tag":
    """Read a tag from its user memory, page 4 on. Raises TagError and nothing else.

    A link behind our record need not be among the bytes.
    """
    start, length = framing.find_message(data)
    kind, payload, payload_length = framing.read_head(data, start, length)
    ours = payload + payload_length
    if ours > len(data):
        raise TagError(SHORT, ours + 1)
    end = start + length
    if end < len(data) and data[end] != framing.TLV_END:
        raise TagError(TORN)
    return _read_payload(data, kind, payload, payload_length)


def content_of(kind: str, covered: bytes) -> "kinds.Content":
    """The content of a payload without its seal, CRC or signature. Raises TagError."""
    if len(covered) < 2 or covered[0] != FORMAT_VERSION:
        raise TagError(WRONG_VERSION)
    return read_body(WireReader(covered, 2), kind)


def _read_payload(data: "bytes | memoryview", kind: str, start: int, length: int) -> "kinds.Tag":
    if length < 2 or kind not in kinds.KINDS:
        raise TagError(WRONG_VERSION)
    if data[start] != FORMAT_VERSION:
        raise TagError(WRONG_VERSION)
    key_id = data[start + 1]  # of a slip: the first byte of the id of the box's key
    check_start = start + length - check_bytes(kind, key_id)
    if check_start < start + 2:
        raise TagError(TORN)
    covered = bytes(data[start:check_start])
    check = bytes(data[check_start : start + length])
    if len(check) == _CRC_BYTES and check != _crc(kind, covered):
        raise TagError(TORN)
    return kinds.Tag(kind, content_of(kind, covered), key_id, check, covered)


def _crc(kind: str, covered: bytes) -> bytes:
    """CRC-32 over kind letter and covered payload, high byte first."""
    checksum: int = crc32(kind.encode() + covered)
    return (checksum & 0xFFFFFFFF).to_bytes(4, "big")
