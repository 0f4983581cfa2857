"""The commands as byte-exact dialogues, and every way in which an answer can fail to come."""

import pytest
from dialogue import ACK, CMD, ERROR, NACK, RSP, Clock, Dialogue

from firmware.drivers.ntag import Ntag
from firmware.drivers.pn532 import commands, errors
from firmware.drivers.pn532.chip import Pn532
from firmware.drivers.pn532.errors import FrameRing, ReaderError
from firmware.drivers.pn532.targets import Targets

LIST = CMD("4A0200")
ONE_CARD = RSP("4B 01 01 0044 00 07 04A1B2C3D4E5F6")


def chip_of(*script: tuple[bytes, bytes]) -> tuple[Pn532, Dialogue]:
    dialogue = Dialogue(*script)
    return Pn532(dialogue, Clock()), dialogue


START = [
    (CMD("14011401"), ACK + RSP("15")),
    (CMD("02"), ACK + RSP("0332010607")),
    (CMD("1200"), ACK + RSP("13")),
    (CMD("3202000808"), ACK + RSP("33")),
    (CMD("320401"), ACK + RSP("33")),
    (CMD("3205FF0102"), ACK + RSP("33")),
    (CMD("320100"), ACK + RSP("33")),
    (CMD("320101"), ACK + RSP("33")),
]


def test_start_says_these_bytes() -> None:
    chip, dialogue = chip_of(*START)
    chip.start()
    dialogue.check_finished()
    assert chip.version.hex() == "32010607"


def test_a_clone_that_refuses_the_long_sam_configuration_gets_the_short_one() -> None:
    chip, dialogue = chip_of(
        (CMD("14011401"), ACK + ERROR), (CMD("1401"), ACK + RSP("15")), *START[1:]
    )
    chip.start()
    dialogue.check_finished()


def test_a_clone_without_set_parameters_still_starts() -> None:
    chip, dialogue = chip_of(*START[:2], (CMD("1200"), ACK + ERROR), *START[3:])
    chip.start()
    dialogue.check_finished()


def test_something_else_that_speaks_frames_is_no_reader() -> None:
    chip, _ = chip_of(START[0], (CMD("02"), ACK + RSP("0307010607")))  # a PN533 says 33, this 07
    with pytest.raises(errors.WrongChip):
        chip.start()


def test_a_command_without_ack_is_sent_three_times() -> None:
    chip, dialogue = chip_of((LIST, b""), (LIST, b""), (LIST, ACK + RSP("4B00")))
    chip.call(commands.LIST_CARDS)
    dialogue.check_finished()
    assert (chip.health.resends, chip.data[0], chip.size) == (2, 0, 1)


def test_after_three_times_it_is_no_ack_and_the_error_carries_the_frames() -> None:
    chip, dialogue = chip_of(*[(LIST, b"")] * 3)
    with pytest.raises(errors.NoAck) as caught:
        chip.call(commands.LIST_CARDS)
    dialogue.check_finished()
    assert caught.value.advice == errors.BROKEN
    assert caught.value.frames == [(True, len(LIST), LIST)] * 3


def test_an_answer_before_its_ack_is_kept() -> None:
    chip, dialogue = chip_of((LIST, RSP("4B00") + ACK))
    chip.call(commands.LIST_CARDS)
    dialogue.check_finished()
    assert chip.health.resends == 0


def test_an_answer_whose_ack_was_lost_is_taken() -> None:
    chip, dialogue = chip_of((LIST, RSP("4B00")))
    chip.call(commands.LIST_CARDS)
    dialogue.check_finished()


def test_a_damaged_answer_is_asked_for_again() -> None:
    damaged = RSP("4B00")[:-2] + b"\x00\x00"
    chip, dialogue = chip_of((LIST, ACK + damaged), (NACK, RSP("4B00")))
    chip.call(commands.LIST_CARDS)
    dialogue.check_finished()
    assert (chip.health.replays, chip.health.bad_frames) == (1, 1)


def test_an_answer_damaged_three_times_is_a_bad_frame() -> None:
    damaged = RSP("4B00")[:-2] + b"\x00\x00"
    chip, dialogue = chip_of((LIST, ACK + damaged), (NACK, damaged), (NACK, damaged))
    with pytest.raises(errors.DamagedFrame):
        chip.call(commands.LIST_CARDS)
    dialogue.check_finished()


def test_a_cut_answer_is_asked_for_again() -> None:
    chip, dialogue = chip_of((LIST, ACK + ONE_CARD[:12]), (NACK, ONE_CARD))
    chip.call(commands.LIST_CARDS)
    dialogue.check_finished()
    assert chip.size == 13


def test_silence_after_the_ack_is_aborted_and_never_asked_for_again() -> None:
    # a NACK would fetch the answer to an older command, and with it a card that has left
    chip, dialogue = chip_of((LIST, ACK), (ACK, b""))
    with pytest.raises(errors.NoAnswer):
        chip.call(commands.LIST_CARDS)
    dialogue.check_finished()


def test_the_answer_to_an_older_command_is_no_answer() -> None:
    chip, dialogue = chip_of((LIST, ACK + RSP("33") + RSP("4B00")))
    chip.call(commands.LIST_CARDS)
    dialogue.check_finished()
    assert chip.health.stale_frames == 1


@pytest.mark.parametrize(
    ("status", "kind", "advice"),
    [
        ("01", errors.CardLeft, errors.CARD_LEFT),
        ("2B", errors.CardLeft, errors.CARD_LEFT),
        ("02", errors.ExchangeFailed, errors.RETRY),
        ("14", errors.ExchangeFailed, errors.RETRY),
        ("0D", errors.ChipFault, errors.BROKEN),
    ],
)
def test_a_status_says_what_to_do(status: str, kind: type[ReaderError], advice: int) -> None:
    chip, _ = chip_of((CMD("423A040F"), ACK + RSP("43" + status)))
    with pytest.raises(kind) as caught:
        Ntag(chip).read_card(bytearray(48), fast=True)
    assert (caught.value.advice, caught.value.status) == (advice, int(status, 16))


def test_a_card_is_read_with_one_fast_read() -> None:
    data = bytes(range(48))
    chip, dialogue = chip_of((CMD("423A040F"), ACK + RSP("4300" + data.hex())))
    into = bytearray(48)
    Ntag(chip).read_card(into, fast=True)
    dialogue.check_finished()
    assert into == data


def test_a_card_without_fast_read_is_read_with_three_reads() -> None:
    data = bytes(range(48))
    chip, dialogue = chip_of(
        *[
            (CMD(f"400130{4 + 4 * part:02X}"), ACK + RSP("4100" + data[16 * part :][:16].hex()))
            for part in range(3)
        ]
    )
    into = bytearray(48)
    Ntag(chip).read_card(into, fast=False)
    dialogue.check_finished()
    assert into == data


def test_a_short_answer_of_a_card_is_not_taken() -> None:
    chip, _ = chip_of((CMD("423A040F"), ACK + RSP("4300" + "00" * 47)))
    with pytest.raises(errors.ExchangeFailed):
        Ntag(chip).read_card(bytearray(48), fast=True)


def test_a_record_is_written_with_its_length_last() -> None:
    data = bytes.fromhex("0304AABBCCDDFE00")  # TLV 03, length 4 at place 1

    def write(page: int, text: str) -> tuple[bytes, bytes]:
        return (CMD(f"4001A2{page:02X}{text}"), ACK + RSP("4100"))

    chip, dialogue = chip_of(
        write(4, "0300AABB"),
        write(5, "CCDDFE00"),
        write(4, "0304AABB"),
        (CMD("423A0405"), ACK + RSP("4300" + data.hex())),
    )
    Ntag(chip).write_record(data, length_at=1)
    dialogue.check_finished()


def test_a_page_that_reads_back_differently_is_told() -> None:
    chip, _ = chip_of(
        (CMD("4001A20401020304"), ACK + RSP("4100")),
        (CMD("423A0404"), ACK + RSP("430001020300")),
    )
    with pytest.raises(errors.VerifyMismatch):
        Ntag(chip).write(4, bytes.fromhex("01020304"))


@pytest.mark.parametrize(
    ("answer", "count", "uid"),
    [
        ("00", 0, ""),
        ("01 01 0044 00 07 04A1B2C3D4E5F6", 1, "04a1b2c3d4e5f6"),
        ("02 01 0044 00 07 04A1B2C3D4E5F6 02 0004 08 04 11223344", 2, ""),
    ],
)
def test_targets_counts_cards_and_reads_the_uid_of_a_single_one(
    answer: str, count: int, uid: str
) -> None:
    data = bytes.fromhex(answer)
    targets = Targets(memoryview(data + bytes(64)))
    assert targets.take(len(data))
    assert targets.count == count
    assert targets.uid.hex() == uid
    assert not targets.is_known
    assert targets.take(len(data), bytes.fromhex("04A1B2C3D4E5F6"))
    assert targets.is_known == (count == 1)
    assert targets.take(len(data), bytes.fromhex("04A1B2C3D4E5F7"))
    assert not targets.is_known


@pytest.mark.parametrize("answer", ["", "03", "01", "01 01 0044 00 07 04A1", "01 01 0044 00 0B"])
def test_targets_refuses_nonsense(answer: str) -> None:
    data = bytes.fromhex(answer)
    targets = Targets(memoryview(data + bytes(64)))
    assert not targets.take(len(data))
    assert targets.count == 0


def test_the_ring_keeps_the_last_sixteen_frames() -> None:
    ring = FrameRing()
    for number in range(20):
        ring.record(number % 2 == 0, bytes((number,)) * 40, 40)
    listing = ring.listing()
    assert len(listing) == 16
    assert listing[0] == (True, 40, bytes((4,)) * 32)
    assert listing[-1] == (False, 40, bytes((19,)) * 32)
