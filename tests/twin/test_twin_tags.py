"""NTAG21x: memory, locks, password, counter, mirror, against NXP's data sheet rev 3.2."""

import pytest

from hardware.twin.clock import VirtualClock
from hardware.twin.field import RfField
from hardware.twin.iso14443 import TagAnswer, crc_is_right, with_crc
from hardware.twin.pn532.radio import NfcRadio
from hardware.twin.pn532.steps import Steps
from hardware.twin.tags import NtagTwin
from tests.twin.dialogue import UID

ACK, NAK_0, NAK_4 = b"\x0a", b"\x00", b"\x04"
FACTORY_PWD = "FF FF FF FF"


class Reader:
    """Talks to one tag with CRC, without any chip."""

    def __init__(self, tag: NtagTwin) -> None:
        self.clock = VirtualClock()
        self.field = RfField(self.clock)
        self.radio = NfcRadio(self.clock, self.field)
        self.tag = tag
        self.field.place(tag)
        self.power_cycle()

    def power_cycle(self) -> None:
        self.field.switch(False)
        self.clock.advance(1_000)
        self.field.switch(True)
        self.clock.advance(5_000)
        self.activate()

    def run(self, steps: Steps[list[TagAnswer]]) -> list[TagAnswer]:
        while True:
            try:
                self.clock.advance(next(steps))
            except StopIteration as end:
                answers: list[TagAnswer] = end.value
                return answers

    def activate(self) -> None:
        for step in self.radio.activate(0x52):
            self.clock.advance(step)

    def say(self, text: str) -> bytes:
        """The answer without CRC; a nibble as one byte; empty for silence."""
        answers = self.run(self.radio.send_bytes(with_crc(bytes.fromhex(text)), 10_000))
        if not answers:
            return b""
        if answers[0].bits == 4:
            return answers[0].data
        assert crc_is_right(answers[0].data)
        return answers[0].data[:-2]

    def ask(self, text: str) -> bytes:
        """`say`, and select again after a NAK, which ends ACTIVE."""
        answer = self.say(text)
        if answer in (NAK_0, b"\x01", NAK_4):
            self.activate()
        return answer

    def write(self, page: int, data: str) -> bytes:
        return self.ask(f"A2 {page:02X} {data}")


@pytest.fixture
def reader() -> Reader:
    return Reader(NtagTwin.ntag213(UID))


@pytest.mark.parametrize(
    ("make", "pages", "version", "size"),
    [
        (NtagTwin.ntag213, 45, "0F", "12"),
        (NtagTwin.ntag215, 135, "11", "3E"),
        (NtagTwin.ntag216, 231, "13", "6D"),
    ],
)
def test_family(make: type[NtagTwin], pages: int, version: str, size: str) -> None:
    reader = Reader(make(UID))
    assert reader.ask("60") == bytes.fromhex(f"00 04 04 02 01 00 {version} 03")
    head = reader.ask("30 00")
    assert head == bytes.fromhex(f"04A1B29F C3D4E5F6 04480000 E110{size}00")
    last = reader.ask(f"30 {pages - 1:02X}")
    assert last[4:] == head[:12]  # rolls over to page 0
    assert reader.ask(f"30 {pages:02X}") == NAK_0
    assert reader.ask(f"3A {pages - 2:02X} {pages - 1:02X}") == bytes(8)  # PWD and PACK
    assert reader.ask(f"3A 00 {pages:02X}") == NAK_0


@pytest.mark.parametrize(
    ("make", "lock_page"),
    [(NtagTwin.ntag213, 0x28), (NtagTwin.ntag215, 0x82), (NtagTwin.ntag216, 0xE2)],
)
def test_factory_configuration(make: type[NtagTwin], lock_page: int) -> None:
    reader = Reader(make(UID))
    assert reader.ask(f"30 {lock_page:02X}") == bytes.fromhex(
        "000000BD 040000FF 00050000 00000000"
    )


@pytest.mark.parametrize(
    "command", ["3A 05 04", "A2 00 00 00 00 00", "A2 01 00 00 00 00", "A2 2D 00 00 00 00",
                "39 00", "3A 04", "77", "1B 00 00 00"],
)  # fmt: skip
def test_naks(reader: Reader, command: str) -> None:
    assert reader.say(command) == NAK_0
    assert reader.say("30 00") == b""  # IDLE now


def test_wrong_crc_is_nak_1(reader: Reader) -> None:
    answers = reader.run(reader.radio.send_bytes(b"\x30\x00\x00\x00", 5_000))
    assert answers == [TagAnswer(b"\x01", 4)]


def test_otp_bits_only_rise(reader: Reader) -> None:
    assert reader.write(3, "00 00 00 0F") == ACK
    assert reader.tag.memory.page(3) == bytes.fromhex("E110120F")
    assert reader.write(3, "00 00 00 00") == ACK
    assert reader.tag.memory.page(3) == bytes.fromhex("E110120F")


@pytest.mark.parametrize(
    ("locks", "locked"),
    [
        ("08 00", [3]),
        ("10 00", [4]),
        ("80 00", [7]),
        ("00 01", [8]),
        ("00 80", [15]),
        ("F8 FF", list(range(3, 16))),
    ],
)
def test_static_locks_act_at_once(reader: Reader, locks: str, locked: list[int]) -> None:
    assert reader.write(2, f"FF FF {locks}") == ACK
    assert reader.tag.memory.page(2)[:2] == bytes.fromhex("0448")  # BCC1, internal
    refused = [page for page in range(3, 17) if reader.write(page, "00 00 00 00") == NAK_0]
    assert refused == locked


def test_static_locks_never_open(reader: Reader) -> None:
    reader.write(2, "00 00 10 00")
    reader.write(2, "00 00 00 00")
    assert reader.write(4, "00 00 00 00") == NAK_0


@pytest.mark.parametrize(
    ("block", "frozen"),
    [("01", [3]), ("02", [4, 5, 6, 7, 8, 9]), ("04", [10, 11, 12, 13, 14, 15])],
)
def test_block_lock_bits_freeze_lock_bits(reader: Reader, block: str, frozen: list[int]) -> None:
    reader.write(2, f"00 00 {block} 00")
    reader.write(2, "00 00 F8 FF")
    open_pages = [page for page in range(3, 16) if reader.write(page, "00 00 00 00") == ACK]
    assert open_pages == frozen


@pytest.mark.parametrize(
    ("make", "page", "locks", "locked"),
    [
        (NtagTwin.ntag213, 0x28, "01 00 00 00", [16, 17]),
        (NtagTwin.ntag213, 0x28, "00 08 00 00", [38, 39]),
        (NtagTwin.ntag215, 0x82, "80 00 00 00", [128, 129]),
        (NtagTwin.ntag216, 0xE2, "00 20 00 00", list(range(224, 226))),
    ],
)
def test_dynamic_locks(make: type[NtagTwin], page: int, locks: str, locked: list[int]) -> None:
    reader = Reader(make(UID))
    assert reader.write(page, locks) == ACK
    candidates = range(16, page)
    assert [p for p in candidates if reader.write(p, "00 00 00 00") == NAK_0] == locked


def test_all_dynamic_locks_of_the_213(reader: Reader) -> None:
    """RFU bits stay 0 and byte 3 reads BD, whatever is written."""
    reader.write(0x28, "FF FF FF FF")
    assert reader.tag.memory.page(0x28) == bytes.fromhex("FF0F3FBD")
    assert reader.write(0x10, "00 00 00 00") == NAK_0


def test_dynamic_block_lock_freezes_two_bits(reader: Reader) -> None:
    reader.write(0x28, "00 00 01 00")
    reader.write(0x28, "FF 0F 00 00")
    assert reader.tag.memory.page(0x28) == bytes.fromhex("FC0F01BD")


def test_password(reader: Reader) -> None:
    assert reader.ask("1B " + FACTORY_PWD) == b"\x00\x00"
    reader.write(0x2B, "DE AD BE EF")
    reader.write(0x2C, "CA FE 00 00")
    reader.write(0x29, "04 00 00 08")  # AUTH0: from page 8 on
    assert reader.write(8, "11 11 11 11") == ACK  # holds from the next activation only
    reader.power_cycle()
    assert reader.write(7, "22 22 22 22") == ACK
    assert reader.write(8, "22 22 22 22") == NAK_0
    assert len(reader.ask("30 08")) == 16  # reading stays free without PROT
    assert reader.say("1B 00 00 00 00") == NAK_0
    reader.activate()
    assert reader.ask("1B DE AD BE EF") == bytes.fromhex("CAFE")
    assert reader.write(8, "33 33 33 33") == ACK
    assert reader.ask("30 2B") == bytes(8) + reader.tag.memory.page(0) + reader.tag.memory.page(1)


def test_read_protection_rolls_over_before_auth0(reader: Reader) -> None:
    reader.write(0x2A, "80 05 00 00")
    reader.write(0x29, "04 00 00 06")
    reader.power_cycle()
    rolled = reader.ask("30 05")
    assert rolled[4:] == reader.ask("30 00")[:12]
    assert reader.ask("30 06") == NAK_0
    assert reader.ask("3A 04 06") == NAK_0
    assert reader.ask("1B " + FACTORY_PWD) == b"\x00\x00"
    assert len(reader.ask("3A 04 06")) == 12


def test_auth_limit_locks_for_good(reader: Reader) -> None:
    reader.write(0x2A, "02 05 00 00")  # AUTHLIM 2
    assert reader.ask("1B 00 00 00 00") == NAK_0
    assert reader.ask("1B " + FACTORY_PWD) == b"\x00\x00"  # a right one counts from 0 again
    assert reader.ask("1B 00 00 00 00") == NAK_0
    assert reader.ask("1B 00 00 00 00") == NAK_4
    reader.power_cycle()
    assert reader.ask("1B " + FACTORY_PWD) == NAK_4


def test_config_lock_acts_after_a_power_cycle_and_spares_the_password(reader: Reader) -> None:
    reader.write(0x2A, "40 05 00 00")
    assert reader.write(0x29, "04 00 00 20") == ACK
    reader.power_cycle()
    assert reader.write(0x29, "04 00 00 FF") == NAK_0
    assert reader.write(0x2A, "00 05 00 00") == NAK_0
    reader.ask("1B " + FACTORY_PWD)
    assert reader.write(0x2B, "01 02 03 04") == ACK


def test_counter_counts_the_first_reading_of_each_session(reader: Reader) -> None:
    assert reader.ask("39 02") == NAK_0  # not enabled
    reader.write(0x2A, "10 05 00 00")
    reader.power_cycle()
    assert reader.ask("39 02") == bytes.fromhex("000000")
    reader.ask("30 00")
    reader.ask("3A 00 01")
    assert reader.ask("39 02") == bytes.fromhex("010000")
    reader.power_cycle()
    reader.ask("3A 00 01")
    assert reader.ask("39 02") == bytes.fromhex("020000")


def test_counter_can_hide_behind_the_password(reader: Reader) -> None:
    reader.write(0x2A, "18 05 00 00")
    assert reader.ask("39 02") == NAK_0
    reader.ask("1B " + FACTORY_PWD)
    assert reader.ask("39 02") == bytes.fromhex("000000")


def test_mirror_of_uid_and_counter(reader: Reader) -> None:
    reader.write(0x2A, "10 05 00 00")
    reader.write(0x29, "C4 00 05 FF")  # both, from byte 0 of page 5
    reader.power_cycle()
    assert reader.ask("3A 05 0A") == b"04A1B2C3D4E5F6x000001" + bytes(3)
    assert reader.tag.user[4:28] == bytes.fromhex("340300FE") + bytes(20)  # memory is unchanged


def test_signature(reader: Reader) -> None:
    answer = reader.ask("3C 00")
    assert len(answer) == 32


def test_compatibility_write_takes_the_first_four_bytes(reader: Reader) -> None:
    assert reader.say("A0 04") == ACK
    assert reader.say("00 11 22 33" + "44" * 12) == ACK
    assert reader.tag.user[:4] == bytes.fromhex("00112233")
    assert reader.say("A0 04") == ACK
    assert reader.say("30 00") == NAK_0  # 16 bytes were due


def test_fudan_clone_lacks_three_commands() -> None:
    reader = Reader(NtagTwin.fudan(bytes.fromhex("1D0102030405 06")))
    for command in ("60", "3A 04 0F", "3C 00"):
        assert reader.ask(command) == NAK_0
    assert len(reader.ask("30 04")) == 16
    assert reader.write(4, "00 00 00 00") == ACK


def test_load_user_fills_pages_and_refuses_too_much() -> None:
    tag = NtagTwin.ntag213(UID)
    tag.load_user(b"abcde")
    assert tag.user[:8] == b"abcde\0\0\0"
    with pytest.raises(ValueError, match="145 bytes do not fit into an NTAG213"):
        tag.load_user(bytes(145))


def test_a_uid_has_seven_bytes() -> None:
    with pytest.raises(ValueError, match="7 bytes, not 4"):
        NtagTwin.ntag213(b"1234")
