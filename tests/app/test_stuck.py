"""A match that takes the box down at every boot: after three tries the box asks, and keeps it."""

import errno
from pathlib import Path
from typing import IO

import pytest

from firmware.app.flash import Flash
from firmware.app.journal import Journal
from firmware.app.slots import TwoFiles
from firmware.app.write_ahead import WriteAhead

from .fakes import Box
from .pictures import stock

TRIES = 3


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A storage with a Swiss match that runs."""
    stock(tmp_path)
    box = Box(tmp_path, "en")
    box.set_choice(game="trumpf", preset="swiss", seats=2, deck="gipfel")
    box.press("OK+", "OK")
    assert box.app.session is not None
    return tmp_path


def broken(journal: Journal, number: int) -> None:
    raise NameError("name '_X' isn't defined")


def dies(folder: Path) -> None:
    with pytest.raises(NameError):
        Box(folder, "en")


def stuck_box(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Box:
    monkeypatch.setattr(Journal, "resume", broken)
    for _ in range(TRIES):
        dies(folder)
    return Box(folder, "en")


def test_after_three_failed_tries_the_box_asks(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = stuck_box(folder, monkeypatch)
    box.wait(20)
    assert "Match 1 is stuck" in box.words()
    box.press("OK")
    assert "Open it once more" in box.words()
    assert "Keep it for the desk" in box.words()
    box.press("JURY")  # nothing lies below
    assert "Keep it for the desk" in box.words()


def test_it_is_kept_whole_and_the_box_plays_on(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (folder / "m000001.run").read_bytes()
    box = stuck_box(folder, monkeypatch)
    box.press("OK", "DOWN", "OK")
    assert "stays whole" in box.words()
    assert (folder / "m000001.aside").read_bytes() == before
    assert [tuple(entry) for entry in box.journal.entries()] == [(1, "aside", len(before))]
    monkeypatch.undo()
    again = Box(folder, "en")
    again.press("OK+", "OK")
    assert [entry.state for entry in again.journal.entries()] == ["aside", "run"]
    assert (folder / "m000001.aside").read_bytes() == before


def test_on_a_full_flash_it_is_asked_about_again_and_nothing_is_lost(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last record is still ahead of its match: without it the match is not whole."""

    def full(_flash: Flash, _file: IO[bytes]) -> None:
        raise OSError(errno.ENOSPC, "no space")

    whole = (folder / "m000001.run").read_bytes()
    torn = len(whole) - 5
    (folder / "m000001.run").write_bytes(whole[:torn])
    start = whole[:torn].rindex(b"\n") + 1
    assert WriteAhead(Flash(str(folder))).put(1, start, whole[start:])
    box = stuck_box(folder, monkeypatch)
    with monkeypatch.context() as flash:
        flash.setattr(Flash, "sync", full)
        box.press("OK", "DOWN", "OK")
        assert "memory is full" in box.words()
    assert (folder / "m000001.run").exists()
    box.press("OK")
    assert "Keep it for the desk" in box.words()
    box.press("DOWN", "OK")
    assert (folder / "m000001.aside").read_bytes() == whole


def test_opened_once_more_it_is_asked_again_after_one_fault(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = stuck_box(folder, monkeypatch)
    box.press("OK")
    with pytest.raises(NameError):
        box.press("OK")
    assert "Match 1 is stuck" in Box(folder, "en").words()
    monkeypatch.undo()
    healed = Box(folder, "en")
    healed.press("OK", "OK")
    assert healed.app.session is not None


def test_a_match_that_comes_back_is_counted_anew(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        with monkeypatch.context() as patch:
            patch.setattr(Journal, "resume", broken)
            dies(folder)
            dies(folder)
        Box(folder, "en").wait(2_000)
    assert Box(folder, "en").app.session is not None


def test_a_fault_in_the_first_second_counts(folder: Path) -> None:
    for _ in range(TRIES):
        Box(folder, "en").wait(500)
    assert Box(folder, "en").app.session is None


def test_another_match_is_counted_by_itself(folder: Path) -> None:
    journal = Journal(Flash(str(folder)), "b", lambda n: bytes(n))
    journal.keep_tries(7, 3)
    assert journal.tries(1) == 0
    assert Box(folder, "en").app.session is not None


@pytest.mark.parametrize("text", ["", "x", "1", "1 x", "1 2 3", "1 -3", "9" * 500])
def test_a_count_that_makes_no_sense_is_none(folder: Path, text: str) -> None:
    TwoFiles(Flash(str(folder)), "tries").store(text)
    assert Box(folder, "en").app.session is not None


def test_a_try_that_cannot_be_counted_is_not_made(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(journal: Journal, number: int, count: int) -> None:
        raise OSError(28)

    monkeypatch.setattr(Journal, "keep_tries", full)
    box = Box(folder, "en")
    assert box.app.session is None
    box.press("OK", "OK")
    assert box.app.session is not None
    box.wait(2_000)


def test_the_desk_confirms_a_match_that_was_set_aside(folder: Path) -> None:
    journal = Journal(Flash(str(folder)), "b", lambda n: bytes(n))
    journal.set_aside(1)
    journal.confirm(1, journal.digest(1))
    journal.confirm(1, journal.digest(1))
    assert [entry.state for entry in journal.entries()] == ["ok"]
