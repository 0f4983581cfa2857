"""Dialogues with the chip, byte by byte. Facts: UM0701-02, 7; numbers as in the peers' code."""

import pytest

from tests.twin.dialogue import ACK, ERROR, NACK, UID, Bench, cmd, rsp

LISTED = "4B 01 01 00 44 00 07 04 A1 B2 C3 D4 E5 F6"


def test_first_words_literally() -> None:
    bench = Bench()
    bench.say(bytes.fromhex("00 00 FF 02 FE D4 02 2A 00"))
    assert bench.hear() == bytes.fromhex(
        "00 00 FF 00 FF 00  00 00 FF 06 FA D5 03 32 01 06 07 E8 00"
    )


@pytest.mark.parametrize(
    ("command", "reply"),
    [
        ("02", "03 32 01 06 07"),
        ("00 00 6C 69 62", "01 00 6C 69 62"),  # line test: everything comes back
        ("00 01", "01 00"),  # ROM
        ("00 02", "01 00"),  # RAM
        ("04", "05 00 00 00 00"),  # no error, field off, no target, SAM
        ("06 63 05", "07 43"),  # CIU_TxAuto
        ("06 63 02 63 03", "07 00 00"),
        ("08 63 3D 07", "09"),
        ("0C", "0D 3F 07 00"),
        ("12 14", "13"),
        ("14 01", "15"),  # clones: mode byte only
        ("14 01 14 01", "15"),
        ("32 01 00", "33"),
        ("32 02 00 0B 0A", "33"),
        ("32 04 00", "33"),
        ("32 05 FF 01 02", "33"),
        ("32 0A 59 F4 3F 11 4D 85 61 6F 26 62 87", "33"),
        ("44 00", "45 00"),
        ("52 00", "53 00"),
        ("54 01", "55 27"),  # nothing is listed
        ("40 01 30 00", "41 27"),
        ("42 30 00", "43 0A"),  # the field is off
    ],
)
def test_answers(command: str, reply: str) -> None:
    assert Bench().ask(command) == rsp(reply)


@pytest.mark.parametrize(
    "command",
    [
        "FE",  # unknown
        "02 00",
        "00",
        "00 03",
        "06 63",
        "08 63 02",
        "10 09",
        "14",
        "14 05",
        "32 01",
        "32 03 00",
        "32 05 FF 01",
        "32 02 00 0B 11",  # time-out index 17
        "4A 00 00",
        "4A 03 00",
        "4A 01 09",
        "4A 01 00 01 02 03",  # no UID has 3 bytes
        "40",
        "52",
        "60 01 00 00",
    ],
)
def test_wrong_syntax_gets_the_error_frame(command: str) -> None:
    assert Bench().ask(command) == ACK + ERROR


def test_registers_keep_what_is_written() -> None:
    bench = Bench()
    bench.ask("08 63 3C 10 63 3D 03")
    assert bench.ask("06 63 3C 63 3D") == rsp("07 10 03")


def test_extended_frames_both_ways() -> None:
    """nfcpy's line test: 262 bytes there and back."""
    body = bytes([0xD4, 0x00, 0x00]) + bytes(i & 0xFF for i in range(262))
    head = bytes.fromhex("0000FFFFFF0109F6")  # 265 = 01 09, 01 + 09 + F6 = 0 mod 256
    bench = Bench()
    bench.say(head + body + bytes([-sum(body) & 0xFF, 0]))
    echo = b"\xd5\x01" + body[2:]
    assert bench.hear() == ACK + head + echo + bytes([-sum(echo) & 0xFF, 0])


@pytest.mark.parametrize("broken", ["0000FF02FED4022B00", "0000FF02FFD4022A00"])
def test_wrong_checksums_are_met_with_silence(broken: str) -> None:
    bench = Bench()
    bench.say(bytes.fromhex(broken))
    assert bench.hear() == b""
    assert bench.ask("02") == rsp("03 32 01 06 07")


def test_nack_brings_the_last_reply_again() -> None:
    bench = Bench()
    bench.ask("02")
    for _ in range(2):
        bench.say(NACK)
        assert bench.hear() == rsp("03 32 01 06 07")[len(ACK) :]


def test_nack_before_any_reply_is_silence() -> None:
    bench = Bench(asleep=True)
    bench.say(bytes(16) + NACK)
    assert bench.hear() == b""


def test_listing_and_reading() -> None:
    bench = Bench()
    bench.lay()
    assert bench.ask("4A 01 00") == rsp(LISTED)
    assert bench.ask("40 01 30 03") == rsp("41 00 E1 10 12 00 01 03 A0 0C 34 03 00 FE 00 00 00 00")
    assert bench.ask("42 3A 03 04") == rsp("43 00 E1 10 12 00 01 03 A0 0C")
    assert bench.ask("42 60") == rsp("43 00 00 04 04 02 01 00 0F 03")
    assert bench.ask("04") == rsp("05 00 01 01 01 00 00 10 00")


def test_writing() -> None:
    bench = Bench()
    tag = bench.lay()
    bench.ask("4A 01 00")
    assert bench.ask("40 01 A2 04 DE AD BE EF") == rsp("41 00")
    assert bench.ask("40 01 A0 05" + "11 22 33 44" + "00" * 12) == rsp("41 00")
    assert tag.user[:8] == bytes.fromhex("DEADBEEF11223344")


def test_nak_is_a_status_and_ends_the_selection() -> None:
    bench = Bench()
    bench.lay()
    bench.ask("4A 01 00")
    assert bench.ask("40 01 30 FF") == rsp("41 13")  # no such page
    assert bench.ask("40 01 30 04") == rsp("41 01")  # the tag is back in IDLE
    bench.ask("4A 01 00")
    # 88 ^ 04 ^ A1 ^ B2 = 9F, C3 ^ D4 ^ E5 ^ F6 = 04
    page_0_to_3 = "04 A1 B2 9F  C3 D4 E5 F6  04 48 00 00  E1 10 12 00"
    assert bench.ask("40 01 30 00") == rsp("41 00" + page_0_to_3)


def test_mifare_authentication_cannot_succeed() -> None:
    bench = Bench()
    bench.lay()
    bench.ask("4A 01 00")
    assert bench.ask("40 01 60 04 FF FF FF FF FF FF C3 D4 E5 F6") == rsp("41 14")


def test_crc_bits_hand_the_checksum_to_the_host() -> None:
    """libnfc clears CIU_TxMode and CIU_RxMode bit 7 and sends 60 F8 32."""
    bench = Bench()
    bench.lay()
    bench.ask("4A 01 00")
    assert bench.ask("06 63 02 63 03") == rsp("07 80 80")
    bench.ask("08 63 02 00 63 03 00")
    reply = bench.ask("42 60 F8 32")
    # CRC_A of 00 04 04 02 01 00 0F 03 by the definition of ISO 14443-3 annex B is C9 52
    assert reply == rsp("43 00 00 04 04 02 01 00 0F 03" + crc_hex("0004040201000F03"))
    assert bench.ask("42 60") == rsp("43 00 01")  # without CRC: NAK, visible as a nibble


def crc_hex(text: str) -> str:
    """CRC_A the slow way: reflected polynomial 8408, start 6363, bit by bit."""
    crc = 0x6363
    for byte in bytes.fromhex(text):
        for bit in range(8):
            odd = (crc ^ (byte >> bit)) & 1
            crc = crc >> 1 ^ (0x8408 if odd else 0)
    return crc.to_bytes(2, "little").hex()


def test_no_tag_is_silence_by_default_and_the_host_ack_ends_it() -> None:
    bench = Bench()
    assert bench.ask("4A 01 00", limit_us=60_000_000) == ACK
    bench.say(ACK)
    assert bench.hear() == b""
    bench.lay()
    assert bench.hear() == b""
    assert bench.ask("4A 01 00") == rsp(LISTED)


def test_a_tag_that_comes_later_is_reported() -> None:
    bench = Bench()
    assert bench.ask("4A 01 00") == ACK
    bench.lay()
    assert bench.hear() == rsp(LISTED)[len(ACK) :]


def test_a_new_command_ends_the_one_before() -> None:
    bench = Bench()
    assert bench.ask("4A 01 00") == ACK
    assert bench.ask("02") == rsp("03 32 01 06 07")


def test_limited_retries_give_no_target_and_leave_26_in_the_fifo() -> None:
    bench = Bench()
    bench.ask("32 05 FF 01 02")
    assert bench.ask("4A 01 00") == rsp("4B 00")
    assert bench.ask("06 63 39") == rsp("07 26")
    for modulation in ("01 00 FF FF 01 00", "02 00 FF FF 01 00", "03 00", "04"):
        assert bench.ask("4A 01 " + modulation) == rsp("4B 00")


def test_uid_filter() -> None:
    bench = Bench()
    bench.ask("32 05 FF 01 00")
    bench.lay()
    assert bench.ask("4A 01 00 88 " + UID.hex()) == rsp(LISTED)
    assert bench.ask("4A 01 00 88 04 A1 B2 C3 D4 E5 00") == rsp("4B 00")


def test_pulled_tag_fails_after_the_time_out() -> None:
    bench = Bench()
    tag = bench.lay()
    bench.ask("32 02 00 0B 07")  # 100 µs × 2^6 = 6.4 ms
    bench.ask("4A 01 00")
    bench.field.remove(tag)
    before_us = bench.clock.now_us
    assert bench.ask("40 01 30 04") == rsp("41 01")
    # command 11, ACK 6, reply 10 bytes at 86.8 µs; READ 4 bytes in the air 0.37 ms
    assert bench.clock.now_us - before_us == pytest.approx(6_400 + 27 * 86.8 + 368, abs=100)


def test_auto_poll_as_nfc_poll_asks() -> None:
    bench = Bench()
    bench.lay()
    found = "01 10 0C 01 00 44 00 07 04 A1 B2 C3 D4 E5 F6"
    assert bench.ask("60 14 02 20 10 03 11 12 04 03") == rsp("61" + found)
    bench.field.clear()
    assert bench.ask("60 01 01 10 11", limit_us=400_000) == rsp("61 00")


def test_select_and_deselect() -> None:
    bench = Bench()
    bench.lay()
    bench.ask("32 05 FF 01 01")
    bench.ask("4A 01 00")
    assert bench.ask("44 01") == rsp("45 00")
    assert bench.ask("42 30 00") == rsp("43 01")  # halted: deaf
    assert bench.ask("54 01") == rsp("55 00")
    assert bench.ask("42 3A 04 04") == rsp("43 00 01 03 A0 0C")
    assert bench.ask("52 01") == rsp("53 00")
    assert bench.ask("40 01 30 00") == rsp("41 27")


def test_irq_is_low_while_a_frame_waits() -> None:
    bench = Bench()
    levels: list[int] = []
    bench.chip.on_irq.append(levels.append)
    bench.ask("02")
    assert levels == [0, 1, 0, 1]
    bench.ask("14 01 00 00")  # IRQ off
    levels.clear()
    bench.ask("02")
    assert levels == []


def test_command_while_asleep_only_wakes() -> None:
    bench = Bench(asleep=True)
    assert bench.ask("02") == b""
    assert bench.ask("02") == rsp("03 32 01 06 07")


def test_builders_agree_with_a_recorded_frame() -> None:
    assert cmd("14 01 00 01") == bytes.fromhex("0000FF05FBD4140100011600")
