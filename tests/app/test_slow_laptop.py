"""A laptop that is plugged in and does not read, reads slowly, or comes back in mid-line.

The referee's loop must never wait for it. A dropped answer is asked for again (docs/link.md).
"""

import itertools
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware.app.link_frames import read_frame, write_frame
from hardware.twin.session import EngineMaker, TwinSession
from host_tools.box.link import BoxLink
from host_tools.sim.demo.usb import TwinPort

from .pictures import stock
from .test_on_the_twin import ENGINES, LIMIT_MS, SETTLED_MS, Table

WATCHDOG_MS = 8_000
HELD_BYTES = 256 + 64  # MicroPython's queue and the endpoint: what nobody needs to have read
LONGEST_TURN_MS = 100  # a turn that has one or two packets to write: drawing takes 50


@contextmanager
def in_a_match(engine: str | EngineMaker, folder: Path) -> Iterator[Table]:
    """A Swiss match in which seat 1 is to lay its first card."""
    stock(folder)
    with TwinSession(engine, folder, survive_resets=True) as box:
        box.boot()
        assert box.run_until(lambda: not box.screen().dark, LIMIT_MS)
        box.run_for(SETTLED_MS)
        table = Table(box)
        table.press("ok", 900)
        table.press("ok")
        yield table


def ask(box: TwinSession, count: int, do: str = "health") -> None:
    for number in range(count):
        box.usb_write(b"\n" + write_frame({"id": number, "do": do}))


def longest_silence_ms(box: TwinSession, ms: int) -> int:
    """The longest time within `ms` in which the loop did not feed the watchdog."""
    fed: list[int] = [box.now_ms]
    feed = box.box.feed_watchdog

    def note() -> None:
        fed.append(box.now_ms)
        feed()

    box.box.feed_watchdog = note  # type: ignore[method-assign]
    box.run_for(ms)
    box.box.feed_watchdog = feed  # type: ignore[method-assign]
    fed.append(box.now_ms)
    return max(after - before for before, after in itertools.pairwise(fed))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_laptop_that_never_reads_costs_no_match(engine: str, tmp_path: Path) -> None:
    never_reads(engine, tmp_path, 2 * WATCHDOG_MS)


def never_reads(engine: str | EngineMaker, folder: Path, unread_ms: int) -> None:
    """For so long; then a card is judged, and a laptop that reads is answered."""
    with in_a_match(engine, folder) as table:
        box = table.box
        box.box.usb.packet_ms = None
        ask(box, 3)
        box.run_for(unread_ms)
        ask(box, 3)
        table.card("A1")
        assert table.shows("trumpf_call")
        assert box.resets == []
        box.box.usb.packet_ms = 0
        link = BoxLink(TwinPort(box), first_id=1000)
        assert link.request("health")["in_match"] is True
        assert link.request("screen")["width"] == 128


def test_the_loop_goes_on_while_nobody_reads(tmp_path: Path) -> None:
    with in_a_match("cpython", tmp_path) as table:
        table.box.box.usb.packet_ms = None
        ask(table.box, 6)
        assert longest_silence_ms(table.box, 15_000) <= LONGEST_TURN_MS


def test_text_of_an_earlier_program_in_the_queue_costs_no_wait_of_half_a_second(
    tmp_path: Path,
) -> None:
    """What MicroPython's prompt left behind is no multiple of a packet."""
    with in_a_match("cpython", tmp_path) as table:
        table.box.box.usb.packet_ms = None
        table.box.box.usb.put(b"MicroPython v1.29.0; Raspberry Pi Pico\r\n>>> ")
        ask(table.box, 6)
        assert longest_silence_ms(table.box, 15_000) <= LONGEST_TURN_MS


@pytest.mark.parametrize("engine", ENGINES)
def test_a_slow_laptop_gets_every_answer_whole(engine: str, tmp_path: Path) -> None:
    with in_a_match(engine, tmp_path) as table:
        table.card("A1")
        table.box.box.usb.packet_ms = 40  # 1.6 kB a second
        link = BoxLink(TwinPort(table.box), first_id=1)
        stored = (tmp_path / "m000001.run").read_bytes().split(b"\n")
        lines = link.records(1, 0)["lines"]
        assert len(lines) >= 3  # header, begin, tap
        assert lines == stored[: len(lines)]
        assert link.request("screen")["height"] == 64
        assert link.repeats == 0


@pytest.mark.parametrize("away_ms", [5, 40, 300, 1_900, 2_050, 4_000, 9_000])
def test_a_laptop_back_in_mid_line_finds_the_next_whole_answer(
    away_ms: int, tmp_path: Path
) -> None:
    with in_a_match("cpython", tmp_path) as table:
        box = table.box
        link = BoxLink(TwinPort(box), first_id=1000)
        link.request("screen")
        box.box.usb.packet_ms = None
        ask(box, 2, "screen")  # 1400 bytes each; nobody reads more than the first
        box.run_for(away_ms)
        box.box.usb.packet_ms = 0
        for _ in range(3):
            assert link.request("screen")["width"] == 128
        assert json.dumps(link.request("settings")["settings"])
        assert box.resets == []


def test_what_was_half_sent_is_ended_by_a_newline(tmp_path: Path) -> None:
    with in_a_match("cpython", tmp_path) as table:
        box = table.box
        box.box.usb.packet_ms = None
        ask(box, 1, "screen")
        box.run_for(5_000)  # the rest of that answer is dropped
        box.box.usb.packet_ms = 0
        half = box.usb_read()
        assert 256 <= len(half) <= HELD_BYTES
        assert b"\n" not in half
        ask(box, 1, "status")
        box.run_for(200)
        first, *rest = box.usb_read().split(b"\n")
        assert first == b""
        answers = [line for line in rest if line]
        assert [read_frame(line)["id"] for line in answers] == [0]
