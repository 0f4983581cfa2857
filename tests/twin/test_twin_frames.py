"""Frames byte by byte: normal, extended, ACK, NACK; junk and wrong sums are skipped."""

import pytest

from hardware.twin.pn532.frames import Frame, FrameKind, FrameParser, build

GET_VERSION = bytes.fromhex("0000FF02FED4022A00")


def test_normal_frame() -> None:
    assert build(0xD4, b"\x02") == GET_VERSION


def test_extended_frame_from_256_bytes_on() -> None:
    normal, extended = build(0xD5, bytes(254)), build(0xD5, bytes(255))
    assert normal[:6] == bytes.fromhex("0000FFFF01D5")
    # 256 = 01 00, and 01 + 00 + FF = 0 mod 256
    assert extended[:9] == bytes.fromhex("0000FFFFFF0100FFD5")
    assert extended[-2:] == bytes.fromhex("2B00")  # D5 + 2B = 0 mod 256


def test_frame_of_266_bytes_does_not_exist() -> None:
    with pytest.raises(ValueError, match="at most 265 bytes"):
        build(0xD5, bytes(265))


@pytest.mark.parametrize("step", [1, 2, 7, 1000])
def test_parser_takes_any_pieces(step: int) -> None:
    stream = (
        b"\x55\x55\x00\x00"
        + GET_VERSION
        + bytes.fromhex("0000FF00FF00")
        + bytes.fromhex("0000FFFF0000")
        + build(0xD4, bytes(range(255)))
    )
    parser = FrameParser()
    found = [f for i in range(0, len(stream), step) for f in parser.feed(stream[i : i + step])]
    assert found == [
        Frame(FrameKind.DATA, b"\xd4\x02"),
        Frame(FrameKind.ACK),
        Frame(FrameKind.NACK),
        Frame(FrameKind.DATA, b"\xd4" + bytes(range(255))),
    ]


@pytest.mark.parametrize(
    "broken",
    [
        "0000FF02FFD4022A00",  # LEN + LCS = 01
        "0000FF02FED4022B00",  # wrong data checksum
        "0000FFFFFF0100FED4",  # extended, wrong length checksum
        "0000FFFFFF0200FED4",  # 512 bytes
        "0000FF000000",  # length 0
        "FFFFFFFF",
    ],
)
def test_parser_skips_what_is_broken_and_finds_the_next(broken: str) -> None:
    parser = FrameParser()
    assert parser.feed(bytes.fromhex(broken)) == []
    assert parser.feed(GET_VERSION) == [Frame(FrameKind.DATA, b"\xd4\x02")]
