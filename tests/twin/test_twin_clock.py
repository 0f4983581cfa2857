"""Virtual time: calls come in order, see their own time, and may ask for further calls."""

import pytest

from hardware.twin.clock import VirtualClock, WallClock


def test_calls_come_in_order_of_time_then_of_asking() -> None:
    clock = VirtualClock()
    seen: list[tuple[str, int]] = []
    for name, due_us in (("late", 30), ("first", 10), ("second", 10)):
        clock.at(due_us, lambda name=name: seen.append((name, clock.now_us)))
    clock.advance(20)
    assert seen == [("first", 10), ("second", 10)]
    clock.advance(20)
    assert seen[2:] == [("late", 30)]
    assert clock.now_us == 40


def test_a_call_may_ask_for_another_in_the_same_advance() -> None:
    clock = VirtualClock()
    seen: list[int] = []
    clock.after(10, lambda: clock.after(5, lambda: seen.append(clock.now_us)))
    clock.advance(100)
    assert seen == [15]


def test_cancelled_calls_are_not_made() -> None:
    clock = VirtualClock()
    timer = clock.at(10, lambda: pytest.fail("cancelled"))
    timer.cancel()
    assert clock.next_due_us() is None
    clock.advance(100)


def test_what_is_past_is_due_at_once() -> None:
    clock = VirtualClock(now_us=1_000)
    seen: list[int] = []
    clock.at(10, lambda: seen.append(clock.now_us))
    clock.advance(0)
    assert seen == [1_000]


def test_wall_clock_only_goes_forward() -> None:
    clock = WallClock()
    clock.follow()
    before_us = clock.now_us
    clock.follow()
    assert clock.now_us >= before_us
