"""Matches of every length come back after a power cut, on a heap as small as the chip's."""

import json
from pathlib import Path

import pytest

from hardware.twin.session import TwinSession

from . import matches
from .conftest import Boxes

FIRST_MS = 1_000  # from power: something is to be seen
RESUME_MS = 1_000  # time is not the chip's here: an emulated Pico gets more
SETTLED_MS = 500
BAR_ROW = 54  # through the bar of a match that is being resumed
LEAST_STEPS = 8  # of the bar, in a match of a hundred commands and more
LENGTHS = {
    "swiss": (5, 300),
    "gastro": (1, 41),
    "cafe": (66, 300),
    "hattrick": (200,),
}
"""What `make test` resumes; the last one is as long as `matches` plays the game."""
EVERY = [
    pytest.param(game, length, marks=() if length in lengths else pytest.mark.long)
    for game, lengths in LENGTHS.items()
    for length in range(1, lengths[-1] + 1)
]
SMALL = [
    ("swiss", 300),
    ("cafe", 300),
    *(
        pytest.param(*one, marks=pytest.mark.long)
        for one in (("swiss", 60), ("cafe", 66), ("gastro", 41))
    ),
]


def comes_back(box: TwinSession, limit_ms: int) -> list[int]:
    """Within a second of power the box says that it resumes a match; that it has, within
    `limit_ms`, is heard. Returns how long the bar was, picture by picture.
    """
    heard, since_ms = len(box.sounds), box.now_ms
    assert box.run_until(lambda: not box.screen().dark, FIRST_MS)
    assert len(box.sounds) == heard, "nothing was seen before the match was there"
    bars: list[int] = []

    def is_back() -> bool:
        bars.append(box.screen().rows[BAR_ROW].bit_count())
        return len(box.sounds) > heard

    assert box.run_until(is_back, limit_ms - (box.now_ms - since_ms)), "the match does not come"
    grown = bars[: bars.index(max(bars))]
    assert grown == sorted(grown)
    return grown


def resumes(
    boxes: Boxes,
    storage: Path,
    engine: str,
    limit_ms: int = RESUME_MS,
    least_steps: int = LEAST_STEPS,
) -> None:
    """The match is on the screen again, and what is done next is written behind it.

    A box with a fault shows it for 5 s, writes nothing meanwhile, and resets then.
    """
    commands = (storage / "m000001.run").read_bytes().count(b"\n")
    with boxes(engine) as box:
        box.boot()
        bars = comes_back(box, limit_ms)
        assert commands < 100 or len(set(bars)) >= least_steps
        box.run_for(SETTLED_MS)
        box.press("ok")  # closes the news of the restart
        box.run_for(SETTLED_MS)
        before = (storage / "m000001.run").stat().st_size
        box.press("jury")
        box.run_for(SETTLED_MS)
        for _ in range(2):  # the first action, say "undo", and its first reason
            box.press("ok")
            box.run_for(SETTLED_MS)
        assert (storage / "m000001.run").stat().st_size > before
        assert box.resets == []


@pytest.mark.parametrize(("game", "length"), EVERY)
def test_a_match_of_any_length_resumes(chip: Boxes, storage: Path, game: str, length: int) -> None:
    """Exhausted in `make test-long`: each length from the first command to the last of a match of
    each game.
    """
    assert len(matches.commands_of(game, storage)) == LENGTHS[game][-1] + 1, "and the result"
    matches.lay_down(storage, game, length)
    resumes(chip, storage, "chip")


def test_a_long_line_that_is_no_record_does_not_fill_the_heap(chip: Boxes, storage: Path) -> None:
    matches.lay_down(storage, "cafe", 66)
    path = storage / "m000001.run"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:40], b"x" * 16_384 + b"\n", *lines[40:]]))
    resumes(chip, storage, "chip")


@pytest.mark.parametrize(("game", "length"), SMALL)
def test_a_match_resumes_on_a_pico_w(chip: Boxes, storage: Path, game: str, length: int) -> None:
    matches.lay_down(storage, game, length)
    resumes(chip, storage, "chip-w")


@pytest.mark.parametrize("game", ["swiss", "cafe", "hattrick"])
def test_a_second_resume_goes_on_from_a_checkpoint(chip: Boxes, storage: Path, game: str) -> None:
    """The first one writes it. Damaged answers before it would be seen, so it is whole."""
    length = LENGTHS[game][-1] - 40
    matches.lay_down(storage, game, length)
    checkpoint = storage / "checkpoint"
    with chip("chip") as box:
        box.boot()
        comes_back(box, RESUME_MS)
        assert box.run_until(checkpoint.exists, 3_000)
        box.run_for(1_500)  # the boot has proved sound
    kept = json.loads(checkpoint.read_bytes().partition(b"\n")[0])
    assert kept[3][0] >= length, "the number of the last command"
    with chip("chip") as box:
        box.boot()
        bars = comes_back(box, RESUME_MS)
        assert len(set(bars)) <= 2, "more was replayed than what is new"
        box.run_for(1_500)
    resumes(chip, storage, "chip", least_steps=0)  # and an undo
