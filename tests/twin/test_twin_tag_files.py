"""Tag dumps, and the commands `schiri twin tag` and `schiri twin reader`."""

import pytest

from hardware.twin.tag_files import TagFileError, dump_tag, parse_tag
from hardware.twin.tags import NtagTwin
from tests.twin.dialogue import UID


@pytest.mark.parametrize(
    "tag",
    [NtagTwin.ntag213(UID), NtagTwin.ntag215(UID), NtagTwin.ntag216(UID), NtagTwin.fudan(UID)],
)
def test_a_dump_brings_the_tag_back(tag: NtagTwin) -> None:
    tag.load_user(b"some bytes")
    tag.counter, tag.failed_passwords = 12, 1
    tag.signature = bytes(range(32, 64))
    copy = parse_tag(dump_tag(tag))
    assert copy.memory.bytes == tag.memory.bytes
    assert (copy.counter, copy.failed_passwords) == (12, 1)
    assert (copy.signature, copy.lacks) == (tag.signature, tag.lacks)
    assert copy.model is tag.model


def test_a_dump_is_readable() -> None:
    lines = dump_tag(NtagTwin.ntag213(UID)).splitlines()
    assert lines[0] == "type ntag213"
    assert "00: 04 A1 B2 9F" in lines
    assert "03: E1 10 12 00" in lines
    assert len([line for line in lines if ":" in line]) == 45


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("type ntag213", "type mifare"), "needs a line 'type …'"),
        (("00: 04 A1 B2 9F", "00: 04 A1 B2"), "is not a page"),
        (("00: 04 A1 B2 9F", "xx: 04 A1 B2 9F"), "is not a page"),
        (("00: 04 A1 B2 9F\n", ""), "has the pages 00 to 2C"),
        (("2C: ", "2D: "), "has the pages 00 to 2C"),
        (("counter 0", "counter many"), "not numbers"),
        (("signature 00", "signature "), "31 bytes instead of 32"),
    ],
)
def test_faults_in_a_dump_are_named(change: tuple[str, str], sentence: str) -> None:
    text = dump_tag(NtagTwin.ntag213(UID))
    assert change[0] in text
    with pytest.raises(TagFileError, match=sentence):
        parse_tag(text.replace(*change))


def test_comments_and_empty_lines() -> None:
    text = "# a tag\n\n" + dump_tag(NtagTwin.ntag213(UID)).replace("0\n", "0  # nothing\n", 1)
    assert parse_tag(text).uid == UID
