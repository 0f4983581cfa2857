"""When garbage is collected while a match is open, and what the reserve is for."""

from pathlib import Path

import pytest

from firmware.app import memory
from firmware.app.memory import Garbage, keep_reserve, with_reserve

from .fakes import Box, FakeClock
from .pictures import stock

PLENTY, LITTLE = 100_000, 10_000


class Heap:
    """What is free, the threshold, and the collections that were asked for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.free = PLENTY
        self.threshold = 65_536
        self.collected = 0
        monkeypatch.setattr(memory, "free_bytes", lambda: self.free)
        monkeypatch.setattr(memory, "collect_every", self.collect_every)

    def collect_every(self, amount: int) -> int:
        before, self.threshold = self.threshold, amount
        return before

    def collect(self) -> None:
        self.collected += 1
        self.free = PLENTY


def test_nothing_is_collected_while_somebody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    heap, clock = Heap(monkeypatch), FakeClock()
    garbage = Garbage(clock, heap.collect)
    garbage.step(acted=False, playing=True, quiet=True)
    assert heap.threshold == -1
    heap.free = LITTLE
    for _ in range(900):
        clock.now_ms += 1
        garbage.step(acted=False, playing=True, quiet=True)
    assert heap.collected == 0, "it looks once a second"
    clock.now_ms += 5_000
    garbage.step(acted=False, playing=True, quiet=False)
    assert heap.collected == 0, "a card waits for its answer"
    garbage.step(acted=True, playing=True, quiet=False)
    assert heap.collected == 1, "behind the answer"


def test_with_room_nothing_is_collected_without_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    heap, clock = Heap(monkeypatch), FakeClock()
    garbage = Garbage(clock, heap.collect)
    for second in range(20):
        clock.now_ms += 1_000
        heap.free = LITTLE if second == 10 else heap.free
        garbage.step(acted=False, playing=True, quiet=True)
    assert heap.collected == 1


def test_the_threshold_comes_back_behind_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    heap, clock = Heap(monkeypatch), FakeClock()
    garbage = Garbage(clock, heap.collect)
    thresholds = []
    for playing in (False, True, True, False, True, False):
        garbage.step(acted=False, playing=playing, quiet=True)
        thresholds.append(heap.threshold)
    assert thresholds == [65_536, -1, -1, 65_536, -1, 65_536]


def test_the_reserve_is_kept_while_a_match_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    heap, clock = Heap(monkeypatch), FakeClock()
    garbage = Garbage(clock, heap.collect)
    kept = []
    for playing in (False, True, True, False):
        garbage.step(acted=False, playing=playing, quiet=True)
        kept.append(len(memory._reserve))
    assert kept == [0, 1, 1, 0]
    garbage.step(acted=False, playing=True, quiet=True)
    memory._reserve.clear()  # given back in need
    garbage.step(acted=True, playing=True, quiet=True)
    assert len(memory._reserve) == 1
    garbage.step(acted=False, playing=False, quiet=True)


def test_the_reserve_is_given_back_once_and_taken_again() -> None:
    asked: list[int] = []

    def make(size: int) -> int:
        asked.append(size)
        if asked.count(size) == 1:
            raise MemoryError
        return size

    keep_reserve()
    assert with_reserve(make, 7) == 7
    assert asked == [7, 7]
    with pytest.raises(MemoryError):
        with_reserve(make, 8)  # it is gone
    keep_reserve()
    assert with_reserve(make, 9) == 9
    assert asked == [7, 7, 8, 9, 9]


def test_a_picture_that_finds_no_memory_is_drawn_with_the_reserve(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stock(tmp_path)
    box = Box(tmp_path, "en")
    draw, tries = box.app.draw, []

    def scarce(canvas: object) -> None:
        tries.append(canvas)
        if len(tries) == 1:
            raise MemoryError
        draw(box.canvas)

    monkeypatch.setattr(box.app, "draw", scarce)
    keep_reserve()
    box.app.redraw()
    box.step()
    assert len(tries) == 2
    assert box.words()
