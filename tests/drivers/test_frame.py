"""Frames, byte by byte, as in UM0701-02 and in the dialogues of libnfc and nfcpy."""

import pytest
from dialogue import ACK, CMD, ERROR, NACK, RSP
from hypothesis import given
from hypothesis import strategies as st

from firmware.drivers.pn532 import frame
from firmware.drivers.pn532.frame import Parser
from tests.support import spoiled_frames as spoiled


def findings(data: bytes, size: int = 1) -> list[tuple[int, bytes]]:
    """What a parser finds that is given so many bytes at a time."""
    parser = Parser()
    found = []
    for start in range(0, len(data), size):
        piece = bytearray(data[start : start + size])
        at = 0
        while at < len(piece):
            what = parser.take(piece, at, len(piece))
            at = parser.at
            if what:
                payload = bytes(parser.payload[: parser.size]) if what == frame.FRAME else b""
                found.append((what, payload))
    return found


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        ("02", "0000ff02fed4022a00"),  # GetFirmwareVersion, as in every PN532 driver
        ("14011401", "0000ff05fbd4140114010200"),  # SAMConfiguration
        ("4a0100", "0000ff04fcd44a0100e100"),  # InListPassiveTarget
    ],
)
def test_build_makes_the_frames_of_the_data_sheet(payload: str, expected: str) -> None:
    assert frame.build(bytes.fromhex(payload)).hex() == expected


def test_build_makes_an_extended_frame_when_the_length_needs_nine_bits() -> None:
    longest_normal = frame.build(bytes(254))
    assert longest_normal[:6].hex() == "0000ffff01d4"  # LEN FF, LCS 01
    extended = frame.build(bytes(264))
    # D4 + 264 bytes = 265 = 0109 hex; LCS = 100 - (01 + 09) = F6
    assert extended[:9].hex() == "0000ffffff0109f6d4"
    assert extended[-2:].hex() == "2c00"  # 100 - D4 = 2C


@pytest.mark.parametrize("size", [1, 2, 20, 254, 255, 264])
def test_build_and_the_tests_own_frames_agree(size: int) -> None:
    payload = bytes((7 * place + 2) & 0xFF for place in range(size))
    assert frame.build(payload) == CMD(payload.hex())
    assert frame.command_of(frame.build(payload)) == payload[0]


def test_the_short_frames_are_told_apart() -> None:
    assert findings(ACK) == [(frame.GOT_ACK, b"")]
    assert findings(NACK) == [(frame.GOT_NACK, b"")]
    assert findings(ERROR) == [(frame.GOT_ERROR, b"")]
    assert findings(RSP("0332010607")) == [(frame.FRAME, bytes.fromhex("d50332010607"))]
    assert (frame.ACK, frame.NACK) == (ACK, NACK)


def test_an_extended_frame_is_taken() -> None:
    body = "01" + "a5" * 262
    assert findings(RSP(body)) == [(frame.FRAME, b"\xd5" + bytes.fromhex(body))]


def test_frames_follow_each_other_without_gap() -> None:
    data = ACK + RSP("4b00") + NACK + ACK + RSP("4100")
    assert [what for what, _ in findings(data)] == [
        *(frame.GOT_ACK, frame.FRAME, frame.GOT_NACK),
        *(frame.GOT_ACK, frame.FRAME),
    ]


def test_a_frame_stays_readable_while_an_ack_passes() -> None:
    parser = Parser()
    whole = bytearray(RSP("4b00"))
    assert parser.take(whole, 0, len(whole)) == frame.FRAME
    assert parser.take(bytearray(ACK), 0, len(ACK)) == frame.GOT_ACK
    assert bytes(parser.payload[: parser.size]).hex() == "d54b00"


@pytest.mark.parametrize(
    "damaged",
    [
        "0000ff04fd",  # LEN + LCS is not 0
        "0000ff03fdd54b00e100",  # DCS is wrong
        "0000ff03fdd44b00e100",  # the host's TFI
        "0000ff03fdd54b00e007",  # no postamble
        "0000ff01ffd52b00",  # no response code
        "0000ff0000",  # LEN 0
        "0000ffffff010af5",  # 266 bytes: longer than any frame
        "0000ffffff000000",  # extended, length 0
    ],
)
def test_damage_is_found_and_the_next_frame_is_read(damaged: str) -> None:
    found = findings(bytes.fromhex(damaged) + RSP("4b00"))
    assert found == [(frame.BAD, b""), (frame.FRAME, bytes.fromhex("d54b00"))]


def test_a_lost_zero_that_keeps_the_sum_right_is_found() -> None:
    whole = RSP("4b0100")
    assert whole.hex() == "0000ff04fcd54b0100df00"
    lost = whole[:8] + whole[9:]  # without the data's last 00: DCS slips into its place
    assert findings(lost) == []  # the postamble was taken for DCS, and is now missing


@given(st.binary(max_size=40).filter(lambda junk: b"\xff" not in junk), st.binary(max_size=60))
def test_any_noise_without_a_start_code_is_skipped(junk: bytes, data: bytes) -> None:
    expected = b"\xd5\x4b" + data
    assert findings(junk + RSP("4b" + data.hex())) == [(frame.FRAME, expected)]


@given(st.binary(max_size=600))
def test_noise_never_raises_and_never_breaks_the_buffer(data: bytes) -> None:
    parser = Parser()
    for byte in data:
        assert frame.NOTHING <= parser.take(bytearray((byte,)), 0, 1) <= frame.BAD
        assert 0 <= parser.size <= 265


@given(
    st.lists(
        st.one_of(
            st.binary(max_size=30),
            st.binary(max_size=60).map(lambda data: RSP("4b" + data.hex())),
            st.sampled_from((ACK, NACK, ERROR, b"\0\0\xff", b"\0\0\xff\xff\xff")),
        ),
        max_size=8,
    ).map(b"".join),
    st.integers(1, 64),
)
def test_in_pieces_the_same_is_found_as_byte_by_byte(data: bytes, size: int) -> None:
    assert findings(data, size) == findings(data)


def test_spoiled_frames_are_never_taken_for_others() -> None:
    assert spoiled.wrong_frames(20_000, seed=1) == 0


def test_the_resting_card_counts_once_over_a_line_that_spoils_every_fifth_frame() -> None:
    assert spoiled.wrong_cards(2_000, share=0.2, seed=1) == (0, 1)


@pytest.mark.long
def test_a_million_spoiled_frames_are_never_taken_for_others() -> None:
    assert spoiled.wrong_frames(1_000_000, seed=2) == 0


@pytest.mark.long
def test_the_resting_card_counts_once_over_twenty_thousand_spoiled_frames() -> None:
    assert spoiled.wrong_cards(20_000, share=0.2, seed=1) == (0, 1)
