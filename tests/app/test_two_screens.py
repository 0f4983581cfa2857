"""Screens on the twin with the whole firmware: two, one of two, and those that lose their mind."""

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from card_tags.kinds import BADGE, Badge
from firmware.app.canvas import LINE, TOP
from hardware.twin.box import TwinBox, right_harness
from hardware.twin.harness import NORTH, Harness, Modules, ScreenModule
from hardware.twin.inproc import InprocEngine
from hardware.twin.oled import WIDTH, Oled, Picture
from hardware.twin.session import TwinSession
from host_tools.box.link import BoxLink
from host_tools.sim.demo.usb import TwinPort

from .pictures import stock
from .test_on_the_twin import ENGINES, LIMIT_MS, SETTLED_MS, Table

MEND_MS = 2_000
BIG_AT = TOP + 2 * LINE + 1  # below the prompt and the names
BIG_ROWS = 14
WORDS_APART = 4  # blank columns; fewer are between letters


@contextmanager
def at_the_menu(engine: str, folder: Path, harness: Harness) -> Iterator[TwinSession]:
    stock(folder)
    with TwinSession(engine, folder, harness=harness) as box:
        box.boot()
        assert box.run_until(lambda: not (box.screen().dark and box.screen(1).dark), LIMIT_MS)
        box.run_for(SETTLED_MS)
        yield box


SH1106 = ScreenModule("sh1106")


def modules(south: ScreenModule | None = SH1106, north: ScreenModule | None = SH1106) -> Harness:
    return Harness(modules=Modules(south=south, north=north))


def below_bar(picture: Picture) -> tuple[int, ...]:
    return picture.rows[TOP:]


def big_words(picture: Picture) -> list[tuple[int, ...]]:
    """The big numbers, the clock and an arrow from left to right, each as its columns of dots."""
    band = picture.rows[BIG_AT : BIG_AT + BIG_ROWS]
    columns = [
        sum((row >> (WIDTH - 1 - x) & 1) << y for y, row in enumerate(band)) for x in range(WIDTH)
    ]
    words: list[list[int]] = []
    blank = WORDS_APART
    for column in columns:
        if column and blank >= WORDS_APART:
            words.append([])
        blank = 0 if column else blank + 1
        if column:
            words[-1].append(column)
    return [tuple(word) for word in words]


@pytest.mark.parametrize("engine", ENGINES)
def test_each_side_has_its_own_numbers_on_the_left(engine: str, tmp_path: Path) -> None:
    with at_the_menu(engine, tmp_path, modules()) as box:
        assert box.screen() == box.screen(1)  # the menu is everybody's
        table = Table(box)
        for name in ("Ada", "Kurt"):
            table.lay(BADGE, Badge("p-" + name, name, "cup"))
        table.press("ok", 900)
        table.press("ok")
        table.card("A1")
        table.press("down")
        table.press("ok")
        table.card("A1")
        table.card("B2")
        table.press("ok")
        while box.screen() == box.screen(1):
            table.press("ok")  # the messages are everybody's, too
        north, south = box.screen(1), box.screen()
        shown, other = big_words(south), big_words(north)
        assert len(shown) == 4  # two numbers, the clock, an arrow at the seat on turn
        turned = [(one, two) for one, two in zip(shown[::-1], other, strict=True) if one != two]
        assert [one for one, two in turned] == [two[::-1] for one, two in turned]
        assert len(turned) == 1  # the arrow
        assert shown != other


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("there", ["south", "north"])
def test_either_screen_may_be_missing(engine: str, there: str, tmp_path: Path) -> None:
    both = {"south": ScreenModule("sh1106"), "north": ScreenModule("sh1106")}
    only = {name: screen if name == there else None for name, screen in both.items()}
    with at_the_menu(engine, tmp_path, modules(**only)) as box:
        shown = box.screen(int(there == "north"))
        assert not shown.dark
        assert BoxLink(TwinPort(box), first_id=1).request("selftest")["display"] is True
        Table(box).press("down")
        assert box.screen(int(there == "north")) != shown


def test_code_for_two_is_only_loaded_where_there_are_two(tmp_path: Path) -> None:
    loaded = []
    for north in (None, ScreenModule()):
        with at_the_menu("cpython", tmp_path, modules(north=north)) as box:
            assert isinstance(box.engine, InprocEngine)
            assert box.engine.loader is not None
            loaded.append("firmware.drivers.two_screens" in box.engine.loader.modules)
    assert loaded == [False, True]


LOSSES: dict[str, Callable[[Oled], None]] = {
    "a dip of the supply": Oled.power_up,
    "a discharge into the registers": Oled.lose_settings,
    "snow": Oled.snow,
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("side", [0, 1])
def test_a_screen_that_lost_its_mind_is_mended(
    engine: str, loss: str, side: int, tmp_path: Path
) -> None:
    with at_the_menu(engine, tmp_path, modules()) as box:
        before = box.screen(side)
        LOSSES[loss]((box.box.oled, box.box.north)[side])
        assert box.screen(side) != before
        assert box.run_until(lambda: box.screen(side) == before, MEND_MS)
        assert box.screen(1 - side) == before


@pytest.mark.parametrize("engine", ENGINES)
def test_a_screen_that_holds_the_bus_is_clocked_free(engine: str, tmp_path: Path) -> None:
    with at_the_menu(engine, tmp_path, modules()) as box:
        before = box.screen()
        box.box.display.stuck, box.box.display.clocks_left = True, 7
        box.box.oled.snow()
        assert box.run_until(lambda: box.screen() == before, MEND_MS)
        assert not box.box.display.stuck


@pytest.mark.parametrize("kind", [ScreenModule("ssd1306", 0x3D), ScreenModule("sh1106", 0x3D)])
def test_address_and_controller_are_found_at_the_start(kind: ScreenModule, tmp_path: Path) -> None:
    with at_the_menu("cpython", tmp_path, modules(ScreenModule(), None)) as box:
        right = box.screen()
    with at_the_menu("cpython", tmp_path, modules(kind, kind)) as box:
        assert [box.screen(), box.screen(1)] == [right, right]


def test_a_module_that_lies_about_its_kind_is_told_by_a_setting(tmp_path: Path) -> None:
    lying = modules(ScreenModule("sh1106", status=0x03), None)
    with at_the_menu("cpython", tmp_path, modules(ScreenModule(), None)) as box:
        right = box.screen()
    with at_the_menu("cpython", tmp_path, lying) as box:
        assert box.screen() != right
        BoxLink(TwinPort(box), first_id=1).request("settings", set={"screen": 2})
        box.reboot()
        box.run_for(LIMIT_MS)
        assert box.screen() == right


def test_the_self_test_asks_the_screens_now(tmp_path: Path) -> None:
    with at_the_menu("cpython", tmp_path, modules()) as box:
        link = BoxLink(TwinPort(box), first_id=1)
        assert link.request("selftest")["display"] is True
        box.box.north.present = False
        assert link.request("selftest")["display"] is False


@pytest.mark.parametrize("wanted", [False, True])
def test_the_load_pulses_where_the_owner_has_said_so(wanted: bool, tmp_path: Path) -> None:
    pulses: list[tuple[int, int]] = []
    with at_the_menu("cpython", tmp_path, right_harness()) as box:
        BoxLink(TwinPort(box), first_id=1).request("settings", set={"keep_alive": wanted})
        box.reboot()
        box.run_for(LIMIT_MS)
        watch_load(box.box, pulses, lambda: box.now_ms)
        box.run_for(7_000)
    lengths = [off - on for (on, up), (off, _) in itertools.pairwise(pulses) if up]
    assert len(lengths) in ((4, 5) if wanted else (0,))
    assert all(19 <= length <= 30 for length in lengths)


def watch_load(box: TwinBox, pulses: list[tuple[int, int]], now: Callable[[], int]) -> None:
    gpio = box.wiring.keep_alive
    set_pin = box.pins.set

    def seen(number: int, level: int) -> None:
        if number == gpio:
            pulses.append((now(), level))
        set_pin(number, level)

    box.pins.set = seen  # type: ignore[method-assign]


def test_a_screen_without_pull_ups_is_dark(tmp_path: Path) -> None:
    harness = modules(north=ScreenModule(pull_ups=False))
    with at_the_menu("cpython", tmp_path, harness) as box:
        assert box.screen(1).dark
        assert harness.driven(box.box.wiring.north_sda) is None
        assert NORTH in harness.answering(4, 5)
