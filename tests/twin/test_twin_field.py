"""Several tags, the states of ISO 14443-3, and tearing."""

import pytest

from hardware.twin.tags import NtagTwin
from tests.twin.dialogue import ACK, OTHER_UID, UID, Bench, rsp

TAG = "01 00 44 00 07 04 A1 B2 C3 D4 E5 F6"
LISTED = "4B 01 " + TAG
NONE = "4B 00"
RETRIES = "32 05 FF 01 {:02X}"


def test_every_second_poll_misses_a_resting_tag() -> None:
    """An ACTIVE tag takes REQA for an error and falls back to IDLE without an answer."""
    bench = Bench()
    bench.lay()
    bench.ask(RETRIES.format(0))
    assert [bench.ask("4A 01 00") for _ in range(4)] == [rsp(LISTED), rsp(NONE)] * 2


@pytest.mark.parametrize("max_targets", [1, 2])
def test_one_retry_finds_it_every_time(max_targets: int) -> None:
    bench = Bench()
    bench.lay()
    bench.ask(RETRIES.format(1))
    answers = [bench.ask(f"4A {max_targets:02X} 00") for _ in range(4)]
    assert answers == [rsp(LISTED)] * 4


def test_presence_check_by_read_keeps_the_tag_active() -> None:
    bench = Bench()
    bench.lay()
    bench.ask("4A 01 00")
    for _ in range(3):
        assert bench.ask("40 01 30 00")[6:15] == rsp("41 00" + "00" * 16)[6:9] + bytes.fromhex(
            "13EDD5410004"
        )


def test_released_tag_is_deaf_to_reqa_until_the_field_was_off() -> None:
    bench = Bench()
    bench.lay()
    bench.ask(RETRIES.format(2))
    bench.ask("4A 01 00")
    assert bench.ask("52 00") == rsp("53 00")
    assert bench.ask("4A 01 00") == rsp(NONE)
    bench.ask("32 01 00")
    bench.ask("32 01 01")
    assert bench.ask("4A 01 00") == rsp(LISTED)


def test_released_tag_can_be_listed_by_its_uid() -> None:
    bench = Bench()
    bench.lay()
    bench.ask(RETRIES.format(0))
    bench.ask("4A 01 00")
    bench.ask("52 00")
    assert bench.ask("4A 01 00 88" + UID.hex()) == rsp(LISTED)


def test_a_chip_whose_release_does_not_halt() -> None:
    bench = Bench(release_halts=False)
    bench.lay()
    bench.ask(RETRIES.format(1))
    bench.ask("4A 01 00")
    bench.ask("52 00")
    assert bench.ask("4A 01 00") == rsp(LISTED)


def test_two_tags_are_both_listed_and_both_readable() -> None:
    bench = Bench()
    first, second = bench.lay(), bench.lay(OTHER_UID)
    first.load_user(b"first tag")
    second.load_user(b"second!!!")
    answer = bench.ask("4A 02 00")
    # at the first differing bit the chip goes on with the 1: F7 before F6
    assert answer == rsp(
        "4B 02 01 00 44 00 07 04 A1 B2 C3 D4 E5 F7 02 00 44 00 07 04 A1 B2 C3 D4 E5 F6"
    )
    for _ in range(2):
        assert b"second!!!" in bench.ask("40 01 30 04")
        assert b"first tag" in bench.ask("40 02 30 04")


def test_max_target_1_picks_one_of_two_silently_and_then_the_other() -> None:
    bench = Bench()
    bench.ask(RETRIES.format(0))
    bench.lay()
    bench.lay(OTHER_UID)
    seen = [bench.ask("4A 01 00")[-9:-2] for _ in range(2)]
    assert seen == [OTHER_UID, UID]


def test_three_tags_give_two() -> None:
    bench = Bench()
    for last in range(3):
        bench.lay(UID[:6] + bytes([last]))
    assert bench.ask("4A 02 00")[11:14] == bytes.fromhex("D54B02")


def test_stacked_tags_are_silent_until_one_is_left() -> None:
    bench = Bench(stacked=True)
    bench.ask(RETRIES.format(1))
    bench.lay()
    upper = bench.lay(OTHER_UID)
    assert bench.ask("4A 02 00") == rsp(NONE)
    bench.field.remove(upper)
    bench.clock.advance(10_000)
    assert bench.ask("4A 02 00") == rsp(LISTED)


def test_clone_reader_knows_short_uids_only() -> None:
    bench = Bench(reads_long_uids=False)
    bench.ask(RETRIES.format(1))
    bench.lay()
    assert bench.ask("4A 01 00") == rsp(NONE)


def test_tag_needs_five_milliseconds_of_field() -> None:
    bench = Bench()
    bench.ask(RETRIES.format(0))
    bench.ask("32 01 01")
    bench.clock.advance(10_000)
    bench.field.place(NtagTwin.ntag213(UID))
    assert bench.ask("4A 01 00") == rsp(NONE)
    bench.clock.advance(5_000)
    assert bench.ask("4A 01 00") == rsp(LISTED)


def test_field_off_ends_the_exchange() -> None:
    bench = Bench()
    bench.lay()
    bench.ask("4A 01 00")
    bench.ask("32 01 00")
    assert bench.ask("40 01 30 00") == rsp("41 0A")


def test_flicker_in_mid_answer_is_a_time_out() -> None:
    bench = Bench()
    bench.lay()
    bench.ask("4A 01 00")
    bench.clock.after(3_000, lambda: bench.field.flicker(1_000))
    assert bench.ask("42 3A 04 0F") == rsp("43 01")


# tearing: a WRITE is programmed in the 4 ms before its ACK


@pytest.mark.parametrize("done", range(5))
def test_a_planned_tearing_stops_after_so_many_bytes(done: int) -> None:
    bench = Bench()
    tag = bench.lay()
    bench.ask("32 02 00 0B 08")
    bench.ask("4A 01 00")
    tag.tear_write(2, after_bytes=done)
    assert bench.ask("40 01 A2 04 AA BB CC DD") == rsp("41 00")
    assert bench.ask("40 01 A2 05 AA BB CC DD") == rsp("41 01")
    assert bench.field.tags == []
    old, new = bytes.fromhex("340300FE"), bytes.fromhex("AABBCCDD")
    assert tag.user[4:8] == new[:done] + old[done:]


@pytest.mark.parametrize(
    ("pulled_after_us", "content"),
    [
        (500, "01 03 A0 0C"),  # before the last bit of the command
        (1_500, "01 03 A0 0C"),  # programming has begun, no byte done
        (2_500, "AA 03 A0 0C"),
        (3_500, "AA BB A0 0C"),
        (4_500, "AA BB CC 0C"),
        (5_500, "AA BB CC DD"),  # done, but the ACK was not heard
    ],
)
def test_pulling_a_tag_at_any_time_of_a_write(pulled_after_us: int, content: str) -> None:
    bench = Bench(baud=921_600)
    tag = bench.lay()
    bench.ask("4A 01 00")
    # 16 bytes command and 6 bytes ACK at 921600: 0.24 ms; the WRITE itself takes 0.71 ms
    bench.clock.after(pulled_after_us, lambda: bench.field.remove(tag))
    assert bench.ask("40 01 A2 04 AA BB CC DD")[: len(ACK)] == ACK
    assert tag.user[:4] == bytes.fromhex(content)


@pytest.mark.parametrize(("page", "data"), [(2, "00 00 F8 FF"), (3, "00 00 00 0F")])
@pytest.mark.parametrize("done", range(4))
def test_locks_and_cc_are_tearing_proof(page: int, data: str, done: int) -> None:
    bench = Bench()
    tag = bench.lay()
    bench.ask("4A 01 00")
    before = tag.memory.page(page)
    tag.tear_write(1, after_bytes=done)
    bench.ask(f"40 01 A2 {page:02X} {data}")
    assert tag.memory.page(page) == before


def test_a_dead_tag_never_answers_and_hinders_nobody() -> None:
    bench = Bench()
    dead = NtagTwin.ntag213(OTHER_UID)
    dead.dead = True
    bench.field.place(dead)
    bench.ask(RETRIES.format(2))
    assert bench.ask("4A 01 00") == rsp(NONE)
    bench.lay()
    assert bench.ask("4A 02 00") == rsp(LISTED)
    dead.dead = False
    assert bench.ask("4A 02 00")[7:9] == rsp("4B 02")[7:9]
