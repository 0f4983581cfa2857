"""Power cuts: at every byte of a journal, and at every program and erase of a real littlefs."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.app.flash import Flash
from firmware.app.journal import Journal
from firmware.app.settings import Settings
from host_tools.store.journal.reading import read_journal
from tests.sampling import Sample
from tests.support.power import LittleFlash, empty_image, images

HEADER = '{"schiri": 1, "game": "hattrick", "seats": 3}'
BLOCKS = 64  # 256 kB: room for the reserve and some matches
COMMANDS = 40


def journal_on(flash: Flash | LittleFlash) -> Journal:
    return Journal(flash, "b1", bytes)


def command(n: int) -> tuple[str, str]:
    return json.dumps({"t": n}), json.dumps({"n": n, "events": ["x" * (n % 97)]})


def append(journal: Journal, n: int) -> None:
    journal.append(*command(n))


def append_ahead(journal: Journal, n: int) -> None:
    """Shown when this returns; `settle` comes later."""
    journal.append_ahead(*command(n))


WAYS = (append, append_ahead)


def resumed(journal: Journal, number: int) -> list[tuple[str, str]]:
    return list(journal.resume(number))[1:]


def test_a_cut_after_every_byte_of_a_journal(tmp_path: Path, sampled: Sample) -> None:
    """Whole records stay on a disk that keeps any prefix of what was written; the rest is cut."""
    journal = journal_on(Flash(str(tmp_path)))
    journal.open_match(HEADER)
    path = tmp_path / "m000001.run"
    acknowledged = [path.stat().st_size]
    for n in range(6):
        journal.append(*command(n))
        acknowledged.append(path.stat().st_size)
    whole = path.read_bytes()
    for cut in sampled(range(acknowledged[0], len(whole) + 1)):
        path.write_bytes(whole[:cut])
        shown = sum(size <= cut for size in acknowledged) - 1
        check_after_cut(journal_on(Flash(str(tmp_path))), shown)


@pytest.mark.parametrize("on_the_way", ["ahead", "home"])
def test_a_cut_after_every_byte_of_a_record_that_goes_ahead(
    tmp_path: Path, sampled: Sample, on_the_way: str
) -> None:
    """The same disk, which may keep a part of a record over a part of the one before it."""
    journal = journal_on(Flash(str(tmp_path)))
    journal.open_match(HEADER)
    match, ahead = tmp_path / "m000001.run", tmp_path / "ahead" / "record"
    states = []  # of the two files, before and after
    for n in range(6):
        states.append([match.read_bytes(), ahead.read_bytes() if n else b"", b"", b""])
        journal.append_ahead(*command(n))
        states[n][3] = ahead.read_bytes()
        assert match.read_bytes() == states[n][0], "it is not there yet"
        assert journal.settle()
        states[n][2] = match.read_bytes()
    for n in sampled([4, 5, 3, 2, 1, 0]):
        before, old, after, new = states[n]
        if on_the_way == "ahead":
            for cut in sampled(range(len(new) + 1)):
                match.write_bytes(before)
                ahead.write_bytes(new[:cut] + old[cut:])
                whole = new[:cut] + old[cut:] == new
                check_after_cut(journal_on(Flash(str(tmp_path))), n + whole)
        else:
            for cut in sampled(range(len(before), len(after) + 1)):
                match.write_bytes(after[:cut])
                ahead.write_bytes(new)
                check_after_cut(journal_on(Flash(str(tmp_path))), n + 1)


def check_after_cut(journal: Journal, shown: int) -> None:
    """Everything shown is there, at most one record more, and the match can be played on."""
    assert journal.unfinished() == 1
    steps = resumed(journal, 1)
    assert steps == [command(n) for n in range(len(steps))]
    assert shown <= len(steps) <= shown + 1
    assert journal.damaged == []
    journal.append(*command(len(steps)))
    assert resumed(journal, 1) == [command(n) for n in range(len(steps) + 1)]
    raw = b"".join(line.raw + b"\n" * line.whole for line in journal.lines(1))
    assert {fault.kind for fault in read_journal(raw).faults} <= {"torn"}


class Recorder:
    """Plays on a littlefs and notes after how many chip operations each promise was given."""

    def __init__(self) -> None:
        self.start = empty_image(BLOCKS)
        self.flash = LittleFlash(bytearray(self.start))
        self.promises: list[tuple[int, str]] = []

    def promise(self, what: str) -> None:
        self.promises.append((len(self.flash.chip.operations), what))

    def kept_at(self, done: int) -> list[str]:
        return [what for at, what in self.promises if at <= done]

    def each_cut(self, sampled: Sample, check: Callable[[LittleFlash, list[str]], None]) -> int:
        """Check the flash after the cuts; how many cuts there are."""
        operations = self.flash.chip.operations
        cuts = 0
        for done, image in sampled(images(self.start, operations)):
            check(LittleFlash(image), self.kept_at(done))
            cuts += 1
        assert cuts == sampled.count(2 * len(operations) + 1)
        return 2 * len(operations) + 1


@pytest.fixture(scope="module", params=WAYS, ids=lambda way: way.__name__)
def played(request: pytest.FixtureRequest) -> Recorder:
    """A whole match on a littlefs: opened, played, sealed, confirmed, a second one begun."""
    recorder = Recorder()
    journal = journal_on(recorder.flash)
    journal.open_match(HEADER)
    recorder.promise("open")
    for n in range(COMMANDS):
        request.param(journal, n)
        recorder.promise("append")
        journal.settle()
    journal.close('{"result": {}}')
    recorder.promise("closed")
    journal.confirm(1, journal.digest(1))
    recorder.promise("confirmed")
    journal.open_match(HEADER)
    recorder.promise("second")
    return recorder


def test_a_cut_at_every_operation_of_a_match(played: Recorder, sampled: Sample) -> None:
    def check(flash: LittleFlash, kept: list[str]) -> None:
        journal = journal_on(flash)
        number = journal.unfinished()
        if "second" in kept:
            assert number == 2
        if "confirmed" in kept:
            assert journal.entries()[0].state == "ok"
        elif "closed" in kept:
            assert number is None
            assert journal.entries()[0].state in ("end", "ok")
        elif number == 1:
            check_after_cut(journal, kept.count("append"))
        else:
            assert "open" not in kept or journal.entries()[0].state == "end"

    assert played.each_cut(sampled, check) > 2 * COMMANDS


def test_a_second_cut_while_the_box_mends_the_first(played: Recorder, sampled: Sample) -> None:
    """Recovery itself writes; it is cut at every operation as well."""
    operations = played.flash.chip.operations
    middle = len(operations) // 2
    cut = list(images(played.start, operations[:middle]))[-1][1]
    shown = played.kept_at(middle).count("append")
    flash = LittleFlash(bytearray(cut))
    journal = journal_on(flash)
    steps = resumed(journal, 1)
    way = append_ahead if len(steps) % 2 else append
    way(journal, len(steps))
    for _, image in sampled(images(cut, flash.chip.operations)):
        check_after_cut_again(LittleFlash(image), shown)


def check_after_cut_again(flash: LittleFlash, shown: int) -> None:
    journal = journal_on(flash)
    assert journal.unfinished() == 1
    assert len(resumed(journal, 1)) >= shown
    assert journal.damaged == []


@pytest.mark.parametrize("longest", [60, 200, 330, 400])
def test_no_answer_waits_for_an_erase(longest: int) -> None:
    """Records of any length that goes ahead, on littlefs: what is erased is so while people look,
    also right after a match was opened or resumed and its first answer shown.
    """
    flash = LittleFlash(empty_image(BLOCKS))
    journal = journal_on(flash)
    number = journal.open_match(HEADER)
    assert journal.settle()
    erased = 0
    for n in range(150):
        if n == 100:  # a power cut; the clock is paused by the box itself
            journal = journal_on(LittleFlash(flash.chip.buffer))
            flash = journal.flash  # type: ignore[assignment]
            assert len(resumed(journal, number)) == n
            journal.append_ahead(*command(n))
            assert journal.settle()
        done = len(flash.chip.operations)
        journal.append_ahead(json.dumps({"t": n}), json.dumps({"x": "y" * (n * 37 % longest)}))
        assert all(one.data for one in flash.chip.operations[done:]), f"record {n}"
        shown = len(flash.chip.operations)
        assert journal.settle()
        erased += sum(not one.data for one in flash.chip.operations[shown:])
    assert erased <= 2 * 150, "an append erases one sector, every fifth record another"
    assert len(resumed(journal_on(LittleFlash(flash.chip.buffer)), number)) == 151


def test_settings_are_old_or_new_at_every_cut(sampled: Sample) -> None:
    recorder = Recorder()
    settings = Settings(recorder.flash)
    for table in range(1, 8):
        settings.set({"table": table, "name": "Zürich " + "x" * table})
        recorder.promise(str(table))

    def check(flash: LittleFlash, kept: list[str]) -> None:
        table = Settings(flash).get("table")
        assert table in (len(kept), len(kept) + 1)

    assert recorder.each_cut(sampled, check) > 14


def test_the_key_is_old_or_new_at_every_cut(sampled: Sample) -> None:
    recorder = Recorder()
    settings = Settings(recorder.flash)
    for n in range(1, 5):
        settings.set_key(bytes([n]) * 32)
        recorder.promise(str(n))

    def check(flash: LittleFlash, kept: list[str]) -> None:
        key = Settings(flash).key()
        old = bytes([len(kept)]) * 32 if kept else None
        assert key in (old, bytes([len(kept) + 1]) * 32)

    recorder.each_cut(sampled, check)
