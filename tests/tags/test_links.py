"""A link on a tag: phones find it, the box reads its own record as before."""

import ndef
import pytest

from card_tags import codec, kinds, seal
from card_tags.errors import TagError
from card_tags.options import bytes_needed, second_record
from host_tools.cards.decks import deck_ids, load_deck
from host_tools.cards.decks.contents import card_contents
from host_tools.cards.links import (
    link_in,
    message_of,
    options_in,
    uri_record,
    with_link,
    with_options,
)
from tests.tags.tag_examples import EXAMPLES, HOUSE_RULES, unsealed

URI = "https://www.example.org/tisch/7"
UID = bytes.fromhex("04A1B2C3D4E5F6")


def test_the_record_is_that_of_the_specification() -> None:
    """MB or ME, SR, TNF 1; type U; code 4 stands for https:// (URI RTD 1.0)."""
    assert uri_record("https://a.b", first=True) == bytes.fromhex("91 01 04 55 04") + b"a.b"
    assert uri_record("tel:1", first=False) == bytes.fromhex("51 01 06 55 00") + b"tel:1"
    with pytest.raises(ValueError, match="https"):
        uri_record("https://" + "x" * 200, first=True)


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize(("kind", "content"), EXAMPLES)
def test_every_kind_with_a_link_is_read_by_us_and_by_others(
    kind: str, content: object, first: bool
) -> None:
    for lock_control in (False, True):
        alone = codec.encode(unsealed(kind, content), lock_control)
        data = with_link(alone, URI, first)
        assert codec.decode(data) == codec.decode(alone)
        ours, link = list(ndef.message_decoder(message_of(data)))[:: -1 if first else 1]
        assert (ours.type, link.uri) == (f"urn:nfc:ext:sch:{kind}", URI)
        assert link_in(data) == URI
        assert link_in(alone) == ""


@pytest.mark.parametrize("link", ["", URI])
@pytest.mark.parametrize(
    ("kind", "content"), [one for one in EXAMPLES if one[0] in (kinds.DECK, kinds.TABLE)]
)
def test_house_rules_stand_behind_a_card_that_is_read_as_without(
    kind: str, content: object, link: str
) -> None:
    rules = codec.encode(codec.unsealed(kinds.OPTIONS, HOUSE_RULES))
    for lock_control in (False, True):
        alone = codec.encode(codec.unsealed(kind, content), lock_control)
        data = with_options(alone, rules)
        data = with_link(data, link) if link else data
        assert codec.decode(data) == codec.decode(alone)
        ours, other, *rest = ndef.message_decoder(message_of(data))
        assert (ours.type, other.type) == (f"urn:nfc:ext:sch:{kind}", "urn:nfc:ext:sch:o")
        assert [one.uri for one in rest] == ([link] if link else [])
        found = options_in(data + bytes(9))
        assert found is not None
        assert found.content == HOUSE_RULES
        assert options_in(alone) is None
        assert options_in(with_link(alone, URI)) is None
        assert bytes_needed(alone[: codec.CARD_BYTES]) == 0
        assert bytes_needed(data[: codec.CARD_BYTES]) == len(data) - 1  # all but the terminator


def test_house_rules_cut_anywhere_or_changed_are_never_others() -> None:
    alone = codec.encode(codec.unsealed(kinds.TABLE, kinds.TableTag("T07", "FR")))
    data = with_options(alone, codec.encode(codec.unsealed(kinds.OPTIONS, HOUSE_RULES)))
    for broken in [data[:end] for end in range(len(data) - 1)] + [
        data[:at] + bytes((data[at] ^ 1 << bit,)) + data[at + 1 :]
        for at in range(len(data))
        for bit in range(8)
    ]:
        try:
            found = options_in(broken)
        except TagError:
            continue
        assert found is None or found.content == HOUSE_RULES


@pytest.mark.parametrize("deck_id", deck_ids())
def test_a_link_behind_costs_a_card_no_second_read(deck_id: str) -> None:
    for content in card_contents(load_deck(deck_id)):
        data = codec.encode(seal.sealed(kinds.CARD, content, UID, 1, bytes(32)))
        read = codec.decode(with_link(data, URI)[: codec.CARD_BYTES])
        seal.verify(read, UID, {1: bytes(32)})
        assert read.content == content
        with pytest.raises(TagError, match="short"):  # in front it does
            codec.decode(with_link(data, URI, first=True)[: codec.CARD_BYTES])


@pytest.mark.parametrize("first", [False, True])
def test_whatever_the_bytes_nothing_but_a_tag_error_comes(first: bool) -> None:
    """Cut anywhere, or one byte changed: never another content."""
    card = kinds.Card(0x88, "B3", False, (2970, None, None, 466, 78, 1))
    data = with_link(codec.encode(codec.unsealed(kinds.CARD, card)), URI, first)
    for end in range(len(data)):
        needed = 0
        try:
            assert codec.decode(data[:end]).content == card
        except TagError as error:
            needed = error.needed
        assert needed == 0 or end < needed <= len(data)
    for at in range(len(data)):
        for bit in (1, 0x10, 0x40, 0x80):
            changed = bytearray(data)
            changed[at] ^= bit
            try:
                assert codec.decode(bytes(changed)).content == card
            except TagError:
                continue


def test_a_cut_behind_a_link_asks_for_the_whole_message() -> None:
    """5 bytes of lock control, 2 of the TLV, the link's 24 and ours of 21, then the terminator."""
    table = codec.encode(codec.unsealed(kinds.TABLE, kinds.TableTag("T07", "FR")))
    data = with_link(table, URI, first=True)
    assert len(data) == 5 + 2 + 24 + 21 + 1
    for cut in range(9, 52):
        with pytest.raises(TagError, match="short") as caught:
            codec.decode(data[:cut])
        assert caught.value.needed == 53
    assert codec.decode(data[:52]).content == kinds.TableTag("T07", "FR")


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("03 08 91 01 04 55 04 61 2E 62 FE", "torn"),  # a link, and nothing behind it
        ("03 0A 91 02 04 55 55 04 61 2E 62 54 05 FE", "foreign"),  # a type of two letters
        ("03 0A 91 01 04 55 04 61 2E 62 14 05 FE", "foreign"),  # ours is not the last
        ("03 0A 51 01 04 55 04 61 2E 62 54 05 FE", "foreign"),  # no first record
    ],
)
def test_what_is_no_link_in_front_of_our_record(message: str, reason: str) -> None:
    with pytest.raises(TagError, match=reason):
        codec.decode(bytes.fromhex(message))


def test_a_second_record_that_is_not_of_our_length_of_type_is_none() -> None:
    rules = codec.encode(codec.unsealed(kinds.OPTIONS, HOUSE_RULES), lock_control=False)
    alone = codec.encode(codec.unsealed(kinds.TABLE, kinds.TableTag("T07", "FR")), False)
    data = bytearray(with_options(alone, rules))
    assert second_record(data) == rules
    at = 2 + 21  # behind the TLV and our record
    assert data[at : at + 2] == b"\x54\x05"
    for place, value in ((at, 0x44), (at + 1, 4)):  # a long one; a shorter type
        changed = bytearray(data)
        changed[place] = value
        assert second_record(changed) == b""
    assert second_record(data[: len(data) - 2]) == b""  # its end is not there
    assert second_record(alone) == b""
