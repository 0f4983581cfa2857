"""A link on a tag, so that a phone opens a page: a second record of the NDEF message.

Behind our record the box reads a card as quickly as without it. iPhones look for the first link of
a message; Android opens by its first record only, so a link for Android stands in front.
"""

from collections.abc import Iterator

from card_tags import codec, framing
from card_tags.kinds import OPTIONS, Tag
from card_tags.options import second_record

# message begin, message end, short record, type name format 1 (NFC Forum NDEF 1.0, 3.2)
_MB, _ME, _SR, _WELL_KNOWN = 0x80, 0x40, 0x10, 0x01
_URI = b"U"
# NFC Forum URI RTD 1.0, table 3; the longer ones first
_PREFIXES = ((2, "https://www."), (1, "http://www."), (4, "https://"), (3, "http://"))
_MESSAGE = 0x03
_LONGEST = 0xFFFF  # a TLV with three bytes of length
_END = b"\xfe"
# it has to fit a short record, whose length is one byte
LONGEST = 200
"""Letters of an address."""


def uri_record(uri: str, first: bool) -> bytes:
    """The record of an address, before ours or behind it. Raises ValueError if it is too long."""
    code, prefix = next(((c, p) for c, p in _PREFIXES if uri.startswith(p)), (0, ""))
    payload = bytes((code,)) + uri[len(prefix) :].encode()
    if len(payload) > LONGEST:
        raise ValueError(uri)
    flags = _SR | _WELL_KNOWN | (_MB if first else _ME)
    return bytes((flags, len(_URI), len(payload))) + _URI + payload


def with_link(record: bytes, uri: str, first: bool = False) -> bytes:
    """What `codec.encode` made, with a link. Raises ValueError if that is too long."""
    return _joined(record, uri_record(uri, first), first)


def with_options(record: bytes, options: bytes) -> bytes:
    """What `codec.encode` made, with house rules behind it: a message of their own by
    `codec.encode`. Raises ValueError if that is too long.
    """
    behind = bytearray(message_of(options))
    behind[0] &= ~_MB
    return _joined(record, bytes(behind), first=False)


def _joined(record: bytes, other: bytes, first: bool) -> bytes:
    at, _ = framing.length_at(record)
    ours = bytearray(message_of(record))
    # house rules may stand behind our record already
    *_, (last, _, _) = _records(ours)
    ours[0 if first else last] &= ~(_MB if first else _ME)
    message = other + bytes(ours) if first else bytes(ours) + other
    if len(message) > _LONGEST:
        raise ValueError(len(message))
    length = (
        len(message).to_bytes(1) if len(message) < 0xFF else b"\xff" + len(message).to_bytes(2)
    )
    # the lock control TLV of an NTAG213 stays in front
    return record[: at - 1] + bytes((_MESSAGE,)) + length + message + _END


def message_of(record: bytes) -> bytes:
    """The NDEF message alone: what phones and apps write."""
    at, size = framing.length_at(record)
    length = record[at] if size == 1 else int.from_bytes(record[at + 1 : at + 3], "big")
    return record[at + size : at + size + length]


def options_in(record: bytes) -> Tag | None:
    """The house rules behind the first record of a tag. Raises TagError."""
    behind = second_record(record)
    tag = codec.decode(behind) if behind else None
    return tag if tag is not None and tag.kind == OPTIONS else None


def link_in(record: bytes) -> str:
    """The address on a tag; "" without one."""
    prefixes = dict(_PREFIXES)
    message = message_of(record)
    for at, name, payload in _records(message):
        if message[at] & 7 == _WELL_KNOWN and name == _URI and payload:
            return prefixes.get(payload[0], "") + payload[1:].decode("utf8", "replace")
    return ""


def _records(message: bytes | bytearray) -> Iterator[tuple[int, bytes, bytes]]:
    """Where each record begins, its type and its payload."""
    at = 0
    # a tag may hold anything: a record that is cut off is the last one
    while at + 3 < len(message):
        flags, kind, short = message[at], message[at + 1], message[at + 2]
        head = 3 if flags & _SR else 6
        size = short if flags & _SR else int.from_bytes(message[at + 2 : at + 6], "big")
        start = at + head + kind
        yield at, bytes(message[at + head : start]), bytes(message[start : start + size])
        at = start + size
