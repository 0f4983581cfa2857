"""Bytes that box and laptop agree on: journal records and link frames. Pure; both sides import it.

Journal record, one line (docs/reliability.md):    crc32 seq chain payload \\n
Link frame, one line (docs/link.md):               {json} crc32 \\n
A payload is one or more transcript lines joined by TAB, which JSON never holds raw: a command and
its answer are one record, so that no power cut can part them.
"""

import binascii
import hashlib
import json
from collections import namedtuple

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any, NamedTuple

    class Record(NamedTuple):
        """A whole record: its number, its link of the hash chain (32 bytes), its text."""

        seq: int
        chain: bytes
        payload: str

else:
    Record = namedtuple("Record", ("seq", "chain", "payload"))

JOURNAL_FORMAT = "schiri-journal/1"
LINK_VERSION = 1
MAX_REQUEST = 1024  # bytes of a request with its newline; a box buffers no more
MAX_REPLY = 4096  # bytes of records in one reply, unless a single record is longer
MAX_RECORD = 16384  # bytes; a header with a whole deck and board fits four times
MAX_LINE = MAX_RECORD + 256  # and the fields in front of it
MAX_SEQ_DIGITS = const(9)
PART_BYTES = 1024  # of a line that is no record: a box holds and sends no more of it at once

CHAIN_START = hashlib.sha256(JOURNAL_FORMAT.encode()).digest()


# -- journal records ----------------------------------------------------------------------


def chain_after(chain: bytes, seq: int, payload: bytes) -> bytes:
    """The link of the SHA-256 chain for record `seq`, given the link of the record before it."""
    link: bytes = hashlib.sha256(chain + b"%d " % seq + payload).digest()
    return link


def write_record(chain: bytes, seq: int, payload: str) -> "tuple[bytes, bytes]":
    """The line of record `seq` and its link. ValueError if it cannot be one line."""
    if "\n" in payload or len(payload) > MAX_RECORD:
        raise ValueError("not one line of at most %d characters" % MAX_RECORD)
    raw = payload.encode()
    link = chain_after(chain, seq, raw)
    body = b"%d %s %s" % (seq, binascii.hexlify(link), raw)
    return b"%08x %s\n" % (binascii.crc32(body), body), link


def read_record(line: bytes) -> "Record | None":
    """The record in `line` (without newline); None if a bit is wrong, or if it is none although
    its checksum fits. Ignores the chain.
    """
    body = line[9:]
    # The checksum is compared as text: int() would let "A" pass for "a", which is one flipped bit.
    if line[:9] != b"%08x " % binascii.crc32(body):
        return None
    fields = body.split(b" ", 2)
    # a number of thousands of digits is refused by CPython's int, which the box's is not
    if len(fields) != 3 or len(fields[1]) != 64 or len(fields[0]) > MAX_SEQ_DIGITS:
        return None
    try:
        return Record(int(fields[0]), binascii.unhexlify(fields[1]), fields[2].decode())
    except ValueError:  # no number, no hex, or no UTF-8
        return None


def is_part(line: bytes) -> bool:
    """True for a piece of a damaged line whose rest follows: no newline stands behind it.

    Its last piece is always shorter, if need be empty.
    """
    return len(line) == PART_BYTES and read_record(line) is None


def write_bare_seal(count: int, head: bytes) -> str:
    """The payload of the last record, number `count`; the one before has the link `head`. Of a
    box that has no key.
    """
    return '{"seal": {"count": %d, "head": "%s"}}' % (count, binascii.hexlify(head).decode())


def write_seal(count: int, head: bytes, name: bytes, signature: bytes) -> str:
    """The same, signed with the box's own key, whose eight bytes are `name`."""
    words = [binascii.hexlify(word).decode() for word in (head, name, signature)]
    text = '{"seal": {"count": %d, "head": "%s", "id": "%s", "sig": "%s"}}'
    return text % (count, words[0], words[1], words[2])


def key_id(key: bytes) -> str:
    """Eight hex digits that name a league key without telling it."""
    return binascii.hexlify(hashlib.sha256(b"schiri-key-id" + key).digest()[:4]).decode()


# -- link frames --------------------------------------------------------------------------


class BadFrame(Exception):
    """A line that is no frame; the argument is the reason: crc, json, shape, base64, too_long."""


def write_frame(message: "dict[str, Any]") -> bytes:
    """One message as a line. JSON escapes control characters: Ctrl-C is never inside a frame."""
    body = json.dumps(message).encode()
    return b"%s %08x\n" % (body, binascii.crc32(body))


def read_frame(line: bytes) -> "dict[str, Any]":
    """The message in `line`, with or without its line end. Raises BadFrame for anything else."""
    line = line.rstrip(b"\r\n")
    body = line[:-9]
    if line[-9:] != b" %08x" % binascii.crc32(body):
        raise BadFrame("crc")
    try:
        message = json.loads(body.decode())
    except ValueError:
        raise BadFrame("json") from None
    if not isinstance(message, dict):
        raise BadFrame("shape")
    return message


def pack_line(line: bytes) -> str:
    """A journal line as a text for a frame: quotes and tildes trade places, no escapes needed.

    A line that is no record (damage) travels as "!" and base64.
    """
    if read_record(line) is None:
        return "!" + binascii.b2a_base64(line).decode().rstrip("\n")
    return trade_quotes(line.decode())


def unpack_line(text: str) -> bytes:
    """The bytes that `pack_line` was given. Raises BadFrame if the text is none of its."""
    if not text.startswith("!"):
        return trade_quotes(text).encode()
    try:
        return binascii.a2b_base64(text[1:])
    except ValueError:
        raise BadFrame("base64") from None


def trade_quotes(text: str) -> str:
    """Swap `"` and `~`; twice is the same text again. NUL is free: JSON never holds it raw."""
    return text.replace('"', "\0").replace("~", '"').replace("\0", "~")
