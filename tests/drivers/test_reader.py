"""The reader on the twin's chip: every fault by name, clones, and resting cards."""

import random

import pytest

from firmware.drivers import reader as events
from firmware.drivers.pn532 import chip, errors
from hardware.twin.faults import ALL_KINDS, FaultKind, FaultPlan
from hardware.twin.pn532.chip import NO_HAND_OFF
from hardware.twin.tags import NtagTwin
from tests.support import adafruit
from tests.support.reader_bench import ReaderBench, ReaderEvent
from tests.support.reader_taps import FLOOR_MS, detect, tap_with_faults

UID = bytes.fromhex("04A1B2C3D4E5F6")
OTHER_UID = bytes.fromhex("04112233445566")
RECORD = bytes(range(0x30, 0x60))
PATIENCE_MS = 10_000


def tag_of(uid: bytes = UID, make=NtagTwin.ntag213) -> NtagTwin:
    tag = make(uid)
    tag.load_user(RECORD)
    return tag


def started(**settings) -> ReaderBench:
    bench = ReaderBench(**settings)
    assert bench.reader.start()
    bench.run(100)
    return bench


class NoisyLine(FaultPlan):
    """A line that spoils every so many of the chip's bytes, at 921600 baud; ten times fewer at
    460800, and none below, as edges that are too slow do.
    """

    def __init__(self, bench: ReaderBench, chance: float) -> None:
        super().__init__()
        self._twin = bench.twin
        self._chances = {921600: chance, 460800: chance / 10}
        self._random = random.Random(7)

    def disturb(self, frame: bytes, first_number: int) -> bytes:
        chance = self._chances.get(self._twin.baud, 0)
        return bytes(b ^ 0x10 if self._random.random() < chance else b for b in frame)


def codes(found: list[ReaderEvent]) -> list[int]:
    return [event.code for event in found]


def test_a_card_comes_is_read_and_goes() -> None:
    bench = started()
    tag = tag_of()
    bench.field.place(tag)
    came = bench.run(1000)
    bench.field.remove(tag)
    went = bench.run(1000)
    assert (codes(came), codes(went)) == ([events.CARD], [events.GONE])
    assert (came[0].uid, came[0].data) == (UID, RECORD)


def test_the_line_runs_at_921600_after_start() -> None:
    bench = started()
    assert bench.chip.speed == bench.twin.baud == 921600


@pytest.mark.parametrize("baud", [115200, 921600])
@pytest.mark.parametrize("reset_wired", [True, False])
def test_the_chip_is_found_after_a_crash_of_the_box(baud: int, reset_wired: bool) -> None:
    bench = ReaderBench(reset_wired=reset_wired)
    bench.twin.baud = baud
    assert bench.reader.start()
    assert bench.chip.speed == bench.twin.baud == 921600


@pytest.mark.parametrize(("chance", "speeds"), [(0.0002, (921600,)), (0.01, (460800, 230400))])
def test_a_line_that_spoils_answers_is_made_slower(chance: float, speeds: tuple[int, ...]) -> None:
    bench = started()
    bench.twin.faults = NoisyLine(bench, chance)
    bench.run(60_000)
    assert bench.chip.speed == bench.twin.baud
    assert bench.chip.speed in speeds
    before = bench.chip.health.recoveries
    bench.field.place(tag_of())
    assert events.CARD in codes(bench.run(1_000))
    bench.run(30_000)
    assert bench.chip.health.recoveries - before <= 1


@pytest.mark.parametrize(
    ("window", "minutes"), [(32, 8), pytest.param(256, 60, marks=pytest.mark.long)]
)
def test_a_line_that_is_well_again_is_made_faster_again(
    window: int, minutes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an hour at most; an eighth of it where an eighth of the answers is judged at once."""
    monkeypatch.setattr(chip, "_WINDOW", window)
    bench = started()
    bench.twin.faults = NoisyLine(bench, 0.03)
    bench.run(20_000)
    assert bench.chip.speed < 921600
    assert bench.chip.health.slower >= 1
    bench.twin.faults = FaultPlan()
    for _ in range(minutes):
        bench.run(60_000, pause_us=2_000)
        if bench.chip.speed == 921600:
            break
    bench.run(60_000)
    assert bench.chip.speed == bench.twin.baud == 921600
    assert bench.chip.health.faster >= 1


def test_a_line_that_cannot_run_fast_stays_slow() -> None:
    bench = ReaderBench()
    slow_only = bench.uart.init
    bench.uart.init = lambda baudrate: slow_only(baudrate=baudrate if baudrate < 900_000 else 50)
    assert not bench.reader.start() or bench.chip.speed == 115200
    bench.field.place(tag_of())
    assert events.CARD in codes(bench.run(PATIENCE_MS))
    assert bench.chip.speed == 115200


@pytest.mark.parametrize("start_ms", [0, (1 << 30) - 1500])
def test_a_resting_card_counts_once(start_ms: int) -> None:
    bench = started(start_ms=start_ms)  # the ticks wrap while it rests
    bench.field.place(tag_of())
    assert codes(bench.run(20_000)) == [events.CARD]


def test_a_resting_card_counts_once_though_the_field_stays_on() -> None:
    bench = started()
    bench.field.place(tag_of())
    bench.field.switch = lambda on: None  # the tag keeps its state: every second list finds it
    bench.field.on = True
    bench.field._changed()
    assert codes(bench.run(10_000)) == [events.CARD]


def test_the_same_card_counts_again_after_it_was_away() -> None:
    bench = started()
    tag = tag_of()
    for _ in range(3):
        bench.field.place(tag)
        bench.run(400)
        bench.field.remove(tag)
        bench.run(500)
    assert codes(bench.events) == [events.CARD, events.GONE] * 3


def test_a_quick_swap_counts_both_cards_once() -> None:
    bench = started()
    first, second = tag_of(), tag_of(OTHER_UID)
    bench.field.place(first)
    bench.run(300)
    bench.field.remove(first)
    bench.field.place(second)
    bench.run(1000)
    assert codes(bench.events) == [events.CARD, events.GONE, events.CARD]
    assert [event.uid for event in bench.events] == [UID, UID, OTHER_UID]


def test_two_cards_at_once_are_told_as_two() -> None:
    bench = started()
    first, second = tag_of(), tag_of(OTHER_UID)
    bench.field.place(first)
    bench.field.place(second)
    assert codes(bench.run(1000)) == [events.TWO_CARDS]
    bench.field.remove(first)
    after = bench.run(1000)
    assert codes(after) == [events.GONE, events.CARD]
    assert after[-1].uid == OTHER_UID


def test_a_second_card_beside_a_counted_one_does_not_count_it_again() -> None:
    bench = started()
    first, second = tag_of(), tag_of(OTHER_UID)
    bench.field.place(first)
    bench.run(500)
    bench.field.place(second)
    bench.run(500)
    bench.field.remove(second)
    bench.run(2000)
    assert codes(bench.events) == [events.CARD, events.TWO_CARDS]


def test_a_clone_without_fast_read_is_read() -> None:
    bench = started()
    bench.field.place(tag_of(bytes.fromhex("1D112233445566"), NtagTwin.fudan))
    came = bench.run(500)
    assert (codes(came), came[0].data) == ([events.CARD], RECORD)
    assert bench.reader.health.rf_retries == 0  # its maker is known


def test_a_tag_of_a_known_maker_without_fast_read_is_read_and_remembered() -> None:
    bench = started()
    tag = tag_of(UID, NtagTwin.fudan)
    for _ in range(2):
        bench.field.place(tag)
        bench.run(500)
        bench.field.remove(tag)
        bench.run(500)
    assert codes(bench.events) == [events.CARD, events.GONE] * 2
    assert bench.reader.health.rf_retries == 1


def test_a_clone_of_the_chip_that_reads_no_long_uids_shows_no_wrong_card() -> None:
    bench = started(reads_long_uids=False)
    bench.field.place(tag_of())
    assert events.CARD not in codes(bench.run(1000))


@pytest.mark.parametrize("command", range(1, 16))
@pytest.mark.parametrize("kind", ALL_KINDS)
def test_every_fault_at_every_command_ends_with_the_card_read(
    kind: FaultKind, command: int
) -> None:
    """Commands 1 to about 10 are the start, those behind it polls and the reading."""
    bench = ReaderBench(faults=FaultPlan.at_command(command, kind))
    bench.reader.start()
    tag = tag_of()
    bench.field.place(tag)
    came = bench.run(2500)
    cards = [event for event in came if event.code == events.CARD]
    assert [(card.uid, card.data) for card in cards] == [(UID, RECORD)]
    assert events.GONE not in codes(came)
    assert len(bench.twin.faults.met) == 1


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_a_fault_while_a_card_rests_is_no_goodbye(kind: FaultKind) -> None:
    for number in range(20, 40):
        bench = ReaderBench(faults=FaultPlan.at_command(number, kind))
        bench.reader.start()
        bench.field.place(tag_of())
        told = codes(bench.run(4000))
        assert told.count(events.CARD) == 1
        assert events.GONE not in told


def test_a_dead_reader_is_told_once_and_comes_back_by_itself() -> None:
    bench = started()
    bench.field.place(tag_of())
    bench.run(300)
    hear, bench.twin.hear = bench.twin.hear, lambda wake_bit, at_us: None
    dead = bench.run(10_000)
    assert codes(dead) == [events.BROKEN]
    assert isinstance(bench.reader.recovery.last_error, errors.NoAck)
    bench.twin.hear = hear
    assert codes(bench.run(5000)) == [events.RESTARTED]
    assert bench.reader.health.restarts == 1


def test_a_box_without_reader_says_so() -> None:
    bench = ReaderBench()
    bench.twin.hear = lambda wake_bit, at_us: None
    assert not bench.reader.start()
    assert codes(bench.run(3000)) == [events.BROKEN]


def test_longer_records_are_read_and_written() -> None:
    bench = started()
    tag = tag_of(UID, NtagTwin.ntag215)
    bench.field.place(tag)
    bench.run(500)
    data = bytes((3 * place) & 0xFF for place in range(200))
    bench.reader.write_user(20, data)
    assert bench.reader.read_user(20, 50) == data
    assert tag.user[64:264] == data
    bench.reader.write_record(RECORD[::-1], length_at=1)
    assert tag.user[:48] == RECORD[::-1]
    assert codes(bench.run(1000)) == []  # and it is still the same card, resting


@pytest.mark.parametrize("write", range(1, 8))
@pytest.mark.parametrize("bytes_done", range(5))
def test_a_record_whose_tag_is_pulled_away_is_old_unfinished_or_new(
    write: int, bytes_done: int
) -> None:
    old = b"\x03\x14" + bytes(range(100, 120)) + b"\xfe\x00"
    new = b"\x03\x14" + bytes(range(200, 220)) + b"\xfe\x00"
    bench = started()
    tag = NtagTwin.ntag213(UID)
    tag.load_user(old)
    bench.field.place(tag)
    bench.run(200)
    tag.tear_write(write, bytes_done)  # seven writes: length 0, five pages, the length
    with pytest.raises(errors.CardLeft):
        bench.reader.write_record(new, length_at=1)
    found = tag.user[:24]
    assert found in (old, new) or found[1] == 0


def test_reading_from_a_card_that_left_is_card_left() -> None:
    bench = started()
    tag = tag_of()
    bench.field.place(tag)
    bench.run(300)
    bench.field.remove(tag)
    with pytest.raises(errors.CardLeft):
        bench.reader.read_user(4, 12)
    bench.field.place(tag_of(OTHER_UID))
    with pytest.raises(errors.CardLeft):
        bench.reader.read_user(4, 12)


def test_detection_stays_near_its_floor() -> None:
    found = detect()
    assert found.ms <= 1.25 * FLOOR_MS
    assert found.commands == 2


def test_detection_is_eight_times_faster_than_adafruits() -> None:
    tag = tag_of()
    theirs = adafruit.detect(tag, NO_HAND_OFF)
    assert theirs.ms >= 8 * detect().ms
    assert theirs.commands == 13  # one list, twelve READs


def test_taps_with_faults_count_every_card_once() -> None:
    seen = tap_with_faults(60, 0.05, seed=3)
    assert seen.faults > 20
    assert (seen.wrong_cards, seen.double_counts, seen.not_recovered) == (0, 0, 0)


@pytest.mark.long
def test_ten_thousand_taps_with_faults() -> None:
    seen = tap_with_faults(10_000, 0.05)
    assert (seen.wrong_cards, seen.double_counts, seen.not_recovered) == (0, 0, 0)


def duty(bench: ReaderBench, ms: int) -> float:
    """The part of the time that the field is on, looked at every millisecond."""
    on = 0
    for _ in range(ms):
        bench.run(1)
        on += bench.field.on
    return on / ms


def test_the_field_is_off_most_of_the_time_when_no_card_is_awaited() -> None:
    bench = started()
    assert 0.95 < duty(bench, 3000) < 1  # off for 8 ms a second, and for the start
    tag = tag_of()
    bench.field.place(tag)
    bench.run(1000)
    assert duty(bench, 1000) < 0.3  # a resting card
    bench.field.remove(tag)
    bench.run(61_000)
    assert duty(bench, 1000) < 0.4  # nobody plays


def test_a_card_waits_for_no_list() -> None:
    """A REQA every 5 ms, 12.4 ms for finding and reading it, 4 ms of the loop; only at the turn of
    a list, and while the field is dark for a moment, it takes longer.
    """
    bench = started()
    chance = random.Random(5)
    took_ms = []
    for number in range(60):
        bench.run(chance.randrange(300, 700), pause_us=4000)
        tag = tag_of(bytes((4, 1, 2, 3, 4, 5, number)))
        bench.field.place(tag)
        began_us = bench.clock.now_us
        told = bench.run(60, pause_us=4000)
        assert [event.code for event in told] == [events.CARD]
        took_ms.append((told[0].us - began_us) / 1000)
        bench.run(300, pause_us=4000)
        bench.field.remove(tag)
        bench.run(600, pause_us=4000)
    took_ms.sort()
    assert took_ms[len(took_ms) * 9 // 10] < 5 + 12.4 + 2 * 4 + 5
    assert took_ms[-1] < 50


def test_who_wants_the_reader_does_not_wait_for_a_patient_list() -> None:
    bench = started()
    bench.run(20)
    assert bench.chip.patient
    began_us = bench.clock.now_us
    assert bench.reader.selftest(False) == (True, None)
    assert bench.clock.now_us - began_us < 20_000  # of 80 ms
    assert bench.chip.health.aborts == 0, "ended on purpose: no fault"
    assert bench.chip.health.recoveries == 0
    bench.field.place(tag_of())
    assert codes(bench.run(200)) == [events.CARD]


def test_a_chip_that_dies_in_a_patient_list_is_noticed() -> None:
    bench = started()
    bench.run(20)
    assert bench.chip.patient
    bench.twin.set_reset(0)
    bench.run(400)
    assert bench.reader.recovery.active
    bench.twin.set_reset(1)
    bench.run(3_000)
    bench.field.place(tag_of())
    assert events.CARD in codes(bench.run(500))
    assert bench.chip.patient is False


def test_the_number_of_tries_follows_what_is_awaited() -> None:
    bench = started()
    settings = bench.twin.commands.initiator.settings
    bench.run(100)
    assert settings.activation_retries == 15
    tag = tag_of()
    bench.field.place(tag)
    bench.run(300)
    assert settings.activation_retries == 2, "a card lies there"
    bench.field.remove(tag)
    bench.run(600)
    assert settings.activation_retries == 15
    bench.run(61_000, pause_us=4000)
    assert settings.activation_retries == 2, "nobody plays"
