"""Bytes on tags: worked by hand, against ndeflib, and against everything that can go wrong."""

import hashlib
import hmac
import itertools
import zlib
from collections.abc import Iterator
from typing import Any

import ndef
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tag_examples import (
    EXAMPLES,
    KEY,
    KEY_ID,
    OTHER_UID,
    REASONS,
    UID,
    sealed,
    signed,
    unsealed,
)

from card_tags import codec, framing, kinds, seal
from card_tags.errors import (
    BAD_SEAL,
    EMPTY,
    FOREIGN,
    MALFORMED,
    SHORT,
    TORN,
    UNKNOWN_KEY,
    UNSEALED,
    WRONG_VERSION,
    TagError,
)
from card_tags.hmac import hmac_sha256
from card_tags.wire import WireReader
from card_tags.writer import Writer

FACTORY_213 = bytes.fromhex("0103A00C340300FE") + bytes(40)
FACTORY_215 = bytes.fromhex("0300FE00") + bytes(44)


def reason_of(data: bytes) -> str:
    with pytest.raises(TagError) as caught:
        codec.decode(data)
    return caught.value.reason


def outcome(data: bytes) -> str:
    """The reason, or "" for a tag."""
    try:
        codec.decode(data)
    except TagError as error:
        return error.reason
    return ""


def padded(record: bytes) -> bytes:
    return record + bytes(max(48, len(record) + 8) - len(record))


def sealed_bytes(kind: str, content: object) -> bytes:
    return codec.encode(sealed(kind, content))


def accept(data: bytes, uid: bytes = UID) -> kinds.Tag:
    tag = codec.decode(data)
    seal.verify(tag, uid, {KEY_ID: KEY})
    return tag


# -- bytes by hand -------------------------------------------------------------------------


def test_an_unsealed_hattrick_card_byte_by_byte() -> None:
    payload = b"\x01" + b"\x00" + b"\x02R7"  # version, no key, text of two bytes
    payload += zlib.crc32(b"h" + payload).to_bytes(4, "big")
    record = b"\xd4\x05\x09" + b"sch:h" + payload  # MB ME SR external, type 5, payload 9 bytes
    expected = b"\x01\x03\xa0\x0c\x34" + b"\x03\x11" + record + b"\xfe"
    assert codec.encode(codec.unsealed(kinds.NUMBERED, kinds.NumberedCard("R7"))) == expected


def test_a_sealed_card_byte_by_byte() -> None:
    card = kinds.Card(0xBEEF, "A1", False, (2015, None, 3))
    body = b"\xbe\xef" + b"\x43" + b"A1"  # deck; code of 2 letters (01 << 6), 3 values; code
    body += b"\xe0\x0f" + b"\x00" + b"\x04"  # 2015 + 1 = 0x0F * 128 + 0x60; missing; 3 + 1
    covered = b"\x01\x11" + body
    message = b"schiri tag 1" + b"\x07" + UID + b"c" + covered
    check = hmac.new(KEY, message, hashlib.sha256).digest()[:8]
    expected = b"\x03" + bytes([8 + len(covered) + 8]) + b"\xd4\x05" + bytes([len(covered) + 8])
    expected += b"sch:c" + covered + check + b"\xfe"
    tag = seal.sealed(kinds.CARD, card, UID, KEY_ID, KEY)
    assert codec.encode(tag, lock_control=False) == expected


def test_negative_values_are_folded() -> None:
    card = kinds.Card(0, "A", False, (-1, 1))
    covered = codec.covered_bytes(kinds.CARD, card, 0)
    assert covered[4:] == b"\x22" + b"A" + b"\x02" + b"\x03"  # folded bit, 1+fold(-1), 1+fold(1)


# RFC 4231, test cases 1, 2 and 6 (a key longer than a block)
@pytest.mark.parametrize(
    ("key", "message", "digest"),
    [
        (
            b"\x0b" * 20,
            b"Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
        ),
        (
            b"Jefe",
            b"what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
        ),
        (
            b"\xaa" * 131,
            b"Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
        ),
    ],
)
def test_hmac_against_rfc_4231(key: bytes, message: bytes, digest: str) -> None:
    assert hmac_sha256(key, message).hex() == digest


_OTHERS = itertools.count(1)


class Interrupted(bytes):
    """A padded key; whenever it is read, another thread has its turn with another key first."""

    def __iter__(self) -> Iterator[int]:
        hmac_sha256(b"another %d" % next(_OTHERS), b"")
        return super().__iter__()


class Key(bytes):
    def __add__(self, padding: Any) -> bytes:
        return Interrupted(bytes(self) + padding)


def test_another_key_in_the_midst_of_one_spoils_neither() -> None:
    """As in the threads of a hall, where every seal was wrong from then on."""
    message, key = b"what do ya want for nothing?", b"Jefe"
    right = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"  # RFC 4231
    assert hmac_sha256(Key(key), message).hex() == right
    assert hmac_sha256(key, message).hex() == right


# -- every kind ----------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "content"), EXAMPLES)
@pytest.mark.parametrize("lock_control", [True, False])
def test_every_kind_comes_back(kind: str, content: object, lock_control: bool) -> None:
    for tag in (unsealed(kind, content), sealed(kind, content)):
        data = codec.encode(tag, lock_control)
        for view in (data, bytearray(padded(data)), memoryview(padded(data))):
            assert codec.decode(bytes(view) if isinstance(view, bytearray) else view) == tag


@pytest.mark.parametrize(("kind", "content"), EXAMPLES)
def test_ndeflib_reads_the_same_record(kind: str, content: object) -> None:
    tag = sealed(kind, content)
    data = codec.encode(tag, lock_control=False)
    start = 4 if data[1] == 0xFF else 2
    (record,) = ndef.message_decoder(data[start:-1])
    assert record.type == f"urn:nfc:ext:sch:{kind}"
    assert record.data == tag.covered + tag.check
    assert b"".join(ndef.message_encoder([record])) == data[start:-1]


def test_a_record_of_more_than_255_bytes_uses_the_long_forms() -> None:
    seats = tuple(kinds.SlipSeat("x" * 50, 1, 1, 1) for _ in range(6))
    tag = signed(kinds.Slip("1-00000000", "", "quartett", "0", "time", 1, bytes(16), seats))
    data = codec.encode(tag, lock_control=False)
    assert (data[1], data[4]) == (0xFF, 0xC4)
    assert codec.decode(data) == tag
    (record,) = ndef.message_decoder(data[4:-1])
    assert record.data == tag.covered + tag.check


def test_the_first_48_bytes_of_a_long_record_say_how_much_to_read() -> None:
    kind, content = EXAMPLES[-1]
    data = sealed_bytes(kind, content)
    with pytest.raises(TagError) as caught:
        codec.decode(memoryview(data)[:48])
    assert (caught.value.reason, caught.value.needed) == (SHORT, len(data))


# -- what is on the tag instead ------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", EMPTY),
        (bytes(48), EMPTY),
        (FACTORY_213, EMPTY),
        (FACTORY_215, EMPTY),
        (b"\xfe" + bytes(47), EMPTY),
        (b"\xff" * 48, FOREIGN),
        (b"\x03", TORN),
        (b"\x03\x00\x00\x00\xd4\x05" + bytes(42), TORN),
        (b"\x03\x09\xd1\x01\x05T\x02dehi\xfe" + bytes(36), FOREIGN),  # an NDEF text
        (b"\x03\x0b\xd4\x05\x03xyz:c\x01\x00\x00\xfe" + bytes(34), FOREIGN),
    ],
)
def test_what_is_no_record_of_ours_has_a_reason(data: bytes, reason: str) -> None:
    assert reason_of(data) == reason


def test_another_version_or_kind_is_wrong_version() -> None:
    data = bytearray(codec.encode(codec.unsealed(kinds.GUEST, kinds.Guest("FRf1"))))
    data[15] = 2
    assert reason_of(bytes(data)) == WRONG_VERSION
    data[15] = 1
    data[14] = ord("z")
    assert reason_of(bytes(data)) == WRONG_VERSION


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("c", b"\x00\x01\x41A1"),  # one value announced, none there
        ("c", b"\x00\x01\x40A1\x05"),  # a byte too many
        ("c", b"\x00\x01\x41A1\x80\x00"),  # a longer spelling of a value
        ("c", b"\x00\x01\x61A1\x03"),  # folded without need
        ("c", b"\x00\x01\x51A1\x03"),  # a joker with a value
        ("c", b"\x00\x01\x40A "),  # a code with a space
        ("g", b"\x02\xc0\x80"),  # overlong UTF-8
        ("g", b"\x03\xed\xa0\x80"),  # a surrogate
        ("g", b"\x01\x07"),  # a control character
        ("g", b"\x3d" + b"x" * 61),  # a text of 61 bytes
        ("d", b"\x01a\x01b\x00\x04\x20\x00\x00"),  # no category
        ("s", b"\x01" + bytes(4) + b"\x01g\x00\x03\x01" + bytes(16) + b"\x00"),  # no seat
        ("s", b"\x01" + bytes(4) + b"\x01g\x00\x63\x01" + bytes(16) + b"\x01"),  # no such reason
    ],
)
def test_a_whole_record_that_breaks_the_format_is_malformed(kind: str, body: bytes) -> None:
    payload = b"\x01\x00" + body
    crc = zlib.crc32(kind.encode() + payload).to_bytes(4, "big")
    payload += bytes(64) if kind == kinds.SLIP else crc
    record = b"\xd4\x05" + bytes([len(payload)]) + b"sch:" + kind.encode() + payload
    data = b"\x03" + bytes([len(record)]) + record + b"\xfe"
    assert reason_of(data) == MALFORMED


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        (kinds.CARD, kinds.Card(0, "A1", False, (2**30,))),
        (kinds.CARD, kinds.Card(0, "A1", False, (1,) * 16)),
        (kinds.CARD, kinds.Card(0, "Ä1", False, ())),
        (kinds.CARD, kinds.Card(0, "", False, ())),
        (kinds.CARD, kinds.Card(0, "J1", True, (1,))),
        (kinds.GUEST, kinds.Guest("x" * 61)),
        (kinds.GUEST, kinds.Guest("a\nb")),
        (kinds.DECK, kinds.DeckCard("d", "t", 0, 4, 300, 0, (), b"")),
    ],
)
def test_what_the_format_cannot_hold_is_not_written(kind: str, content: object) -> None:
    with pytest.raises(ValueError, match=r"expected|at most|out of range|1 to 15"):
        codec.unsealed(kind, content)


# -- seals ---------------------------------------------------------------------------------


def test_seals_say_what_is_wrong() -> None:
    card = EXAMPLES[0][1]
    tag = seal.sealed(kinds.CARD, card, UID, KEY_ID, KEY)
    seal.verify(tag, UID, {KEY_ID: KEY})
    cases = [
        (tag, OTHER_UID, {KEY_ID: KEY}, BAD_SEAL),  # copied to another tag
        (tag, UID, {KEY_ID: bytes(32)}, BAD_SEAL),  # made with another key
        (tag, UID, {}, UNKNOWN_KEY),
        (codec.unsealed(kinds.CARD, card), UID, {KEY_ID: KEY}, UNSEALED),
    ]
    for found, uid, keys, reason in cases:
        with pytest.raises(TagError) as caught:
            seal.verify(found, uid, keys)
        assert caught.value.reason == reason


def test_a_seal_of_one_kind_is_none_of_another() -> None:
    guest = seal.sealed(kinds.GUEST, kinds.Guest("R1"), UID, KEY_ID, KEY)
    forged = kinds.Tag(
        kinds.NUMBERED, kinds.NumberedCard("R1"), KEY_ID, guest.check, guest.covered
    )
    with pytest.raises(TagError):
        seal.verify(codec.decode(codec.encode(forged)), UID, {KEY_ID: KEY})


SEALED = [example for example in EXAMPLES if example[0] != kinds.SLIP]
"""Of a slip the desk sees each changed byte (tests/host/test_slip_desk.py)."""


@pytest.mark.parametrize(("kind", "content"), SEALED)
def test_every_flipped_byte_of_a_sealed_tag_is_refused(kind: str, content: object) -> None:
    data = sealed_bytes(kind, content)
    for place in range(len(data)):
        for flip in (0x01, 0x80, 0xFF):
            changed = bytearray(padded(data))
            changed[place] ^= flip
            with pytest.raises(TagError):
                accept(bytes(changed))


@pytest.mark.parametrize(("kind", "content"), SEALED)
def test_every_flipped_byte_of_an_unsealed_tag_is_refused(kind: str, content: object) -> None:
    data = codec.encode(codec.unsealed(kind, content))
    for place in range(len(data)):
        changed = bytearray(padded(data))
        changed[place] ^= 0x10
        reason_of(bytes(changed))


@pytest.mark.parametrize(("kind", "content"), EXAMPLES)
@pytest.mark.parametrize("before", [FACTORY_213, FACTORY_215, bytes(48), b"\xff" * 48])
def test_a_record_cut_off_at_any_byte_is_never_read(
    kind: str, content: object, before: bytes
) -> None:
    data = sealed_bytes(kind, content)
    for cut in range(len(data) - 1):
        torn = (data[:cut] + before[cut:]).ljust(len(data) + 8, b"\x00")
        reason_of(torn)


# -- fuzz ----------------------------------------------------------------------------------


@given(st.binary(max_size=200))
def test_any_bytes_are_a_tag_or_a_tag_error(data: bytes) -> None:
    assert outcome(data) in (*REASONS, "")


@given(st.sampled_from("cdbjgths"), st.binary(max_size=80), st.booleans())
def test_any_body_is_a_tag_or_a_tag_error_and_has_one_spelling(
    kind: str, body: bytes, lock_control: bool
) -> None:
    payload = b"\x01\x00" + body
    crc = zlib.crc32(kind.encode() + payload).to_bytes(4, "big")
    payload += bytes(64) if kind == kinds.SLIP else crc
    record = b"\xd4\x05" + bytes([len(payload)]) + b"sch:" + kind.encode() + payload
    start = framing.LOCK_CONTROL if lock_control else b""
    data = start + b"\x03" + bytes([len(record)]) + record + b"\xfe"
    reason = outcome(data)
    assert reason in (MALFORMED, "")
    if reason:
        return
    tag = codec.decode(data)
    covered = codec.covered_bytes(tag.kind, tag.content, 0)
    assert codec.encode(tag._replace(covered=covered), lock_control) == data


values = st.none() | st.integers(-(2**30), 2**30 - 1)
codes = st.text("ABCDEFGHJabc123456789", min_size=1, max_size=4)


@given(st.integers(0, 0xFFFF), codes, st.lists(values, max_size=15))
def test_any_card_comes_back(deck: int, code: str, card_values: list[int | None]) -> None:
    card = kinds.Card(deck, code, False, tuple(card_values))
    assert accept(padded(sealed_bytes(kinds.CARD, card))).content == card


@given(st.integers(0, 2**32 - 1), st.integers(-(2**31), 2**31 - 1))
def test_numbers_come_back(number: int, signed: int) -> None:
    out = Writer()
    out.number(number)
    out.signed(signed)
    data = WireReader(bytes(out.data))
    assert (data.number(), data.signed()) == (number, signed)
    data.finish()
