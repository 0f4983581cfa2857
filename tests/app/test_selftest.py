"""The self-test tells the truth about the reader: asked now, and switched off by RSTPD_N."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from card_tags.kinds import BADGE, Badge
from hardware.twin.session import TwinSession
from host_tools.box.link import BoxLink
from host_tools.sim.demo.usb import TwinPort

from .pictures import stock
from .test_on_the_twin import ENGINES, LIMIT_MS, SETTLED_MS, Table

DEAD_MS = 20_000
LONGEST_MS = 1_500


@contextmanager
def at_the_menu(engine: str, folder: Path) -> Iterator[TwinSession]:
    stock(folder)
    with TwinSession(engine, folder) as box:
        box.boot()
        assert box.run_until(lambda: not box.screen().dark, LIMIT_MS)
        box.run_for(SETTLED_MS)
        yield box


def selftest(box: TwinSession) -> dict[str, object]:
    return BoxLink(TwinPort(box), first_id=1).request("selftest")


def test_a_laptop_has_a_sound_played_as_loud_as_the_box_is_set(tmp_path: Path) -> None:
    with at_the_menu("cpython", tmp_path) as box:
        link = BoxLink(TwinPort(box), first_id=1)
        for volume, duties in ((3, [32768] * 2), (1, [2089] * 2), (0, [])):
            link.request("settings", set={"volume": volume})
            before = len(box.sounds)
            assert link.request("sound", number=6)["volume"] == volume
            box.run_for(1_000)
            heard = box.sounds[before:]
            assert [(one.hz, one.duty_u16) for one in heard] == [(1568, duty) for duty in duties]
            for one, at_ms in zip(heard, (0, 360), strict=False):  # the box turns every few ms
                assert one.ms == pytest.approx(180, abs=10)
                assert one.at_ms - heard[0].at_ms == pytest.approx(at_ms, abs=10)


def pull_reader(box: TwinSession) -> None:
    """Its plug is out: without power it hears neither the UART nor RSTPD_N."""
    box.box.chip.set_reset(0)
    box.box.chip.set_reset = lambda level: None  # type: ignore[method-assign]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_whole_reader_answers_and_obeys_its_reset(engine: str, tmp_path: Path) -> None:
    with at_the_menu(engine, tmp_path) as box:
        started_ms = box.now_ms
        parts = selftest(box)
        assert box.now_ms - started_ms < LONGEST_MS
        assert (parts["reader"], parts["reset"]) == (True, True)
        counts = dict(BoxLink(TwinPort(box), first_id=9).request("health")["reader"])
        for name in ("recoveries", "bad_frames", "resends", "aborts"):
            assert counts[name] == 0, name
        Table(box).lay(BADGE, Badge("p1", "Ada", "cup"))  # the reader works on


@pytest.mark.parametrize("engine", ENGINES)
def test_a_reader_that_died_is_bad_twenty_seconds_later(engine: str, tmp_path: Path) -> None:
    with at_the_menu(engine, tmp_path) as box:
        assert selftest(box)["reader"] is True
        pull_reader(box)
        box.run_for(DEAD_MS)
        parts = selftest(box)
        assert (parts["reader"], parts["reset"]) == (False, None)


def test_a_reader_that_died_this_moment_is_bad(tmp_path: Path) -> None:
    with at_the_menu("cpython", tmp_path) as box:
        pull_reader(box)
        assert selftest(box)["reader"] is False


def test_a_reset_wire_that_is_not_there_is_found(tmp_path: Path) -> None:
    with at_the_menu("cpython", tmp_path) as box:
        box.box.chip.set_reset = lambda level: None  # type: ignore[method-assign]
        parts = selftest(box)
        assert (parts["reader"], parts["reset"]) == (True, False)
        Table(box).lay(BADGE, Badge("p1", "Ada", "cup"))


def test_in_a_match_the_reader_is_asked_and_not_reset(tmp_path: Path) -> None:
    with at_the_menu("cpython", tmp_path) as box:
        table = Table(box)
        table.press("ok", 900)
        table.press("ok")
        resets: list[int] = []
        obey = box.box.chip.set_reset
        box.box.chip.set_reset = (  # type: ignore[method-assign]
            lambda level: (resets.append(level), obey(level))[1]
        )
        parts = selftest(box)
        assert (parts["reader"], parts["reset"], resets) == (True, None, [])
        table.card("A1")
        assert table.shows("trumpf_call")
