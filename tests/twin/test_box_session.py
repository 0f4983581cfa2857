"""A session on both engines: the same firmware, the same box, the same answers."""

from pathlib import Path

import pytest

from hardware.twin.errors import PowerCut, TwinError
from hardware.twin.panel import PanelButton
from hardware.twin.picture import Picture
from hardware.twin.session import TwinSession
from tests.twin.small_firmware import ECHO, ENGINES, SAY, running, said

BUTTON_TIMES = (
    SAY
    + """
from machine import Pin

def turns():
    pin = Pin(12, Pin.IN, Pin.PULL_UP)
    level = 1
    while True:
        if pin() != level:
            level = pin()
            say(level, time.ticks_ms())
        yield
        time.sleep_ms(1)
"""
)

FILES = (
    SAY
    + """
import os

def turns():
    say(sorted(os.listdir("/box")))
    file = open("/box/journal", "ab")
    file.write(b"synced;")
    file.flush()
    file.write(b"lost;")
    with open("/box/text", "w") as text:
        text.write("Grüße\\nzwei\\n")
    with open("/box/text") as text:
        say(text.read().split("\\n"))
    with open("/box/text", "rb") as raw:
        raw.seek(-5, 2)
        say(raw.tell(), raw.readline())
    os.rename("/box/text", "/box/renamed")
    os.mkdir("/box/folder")
    say(os.stat("/box/renamed")[6], os.stat("/box/folder")[0])
    for attempt in (lambda: open("/box/none"), lambda: os.remove("/box/none")):
        try:
            attempt()
        except OSError as error:
            say(error.args[0])
    numbers = os.statvfs("/box")
    say(numbers[0], numbers[2] - numbers[3])
    for _ in idle():
        yield
"""
)


@pytest.mark.parametrize("engine", ENGINES)
def test_bytes_go_through_the_usb_line_both_ways(engine: str, tmp_path: Path) -> None:
    with running(engine, tmp_path, ECHO) as box:
        box.usb_write(bytes(range(4, 256)))
        box.run_for(100)
        assert box.usb_read() == bytes(range(4, 256))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_press_is_seen_at_its_very_millisecond(engine: str, tmp_path: Path) -> None:
    with running(engine, tmp_path, BUTTON_TIMES) as box:
        box.run_for(100)
        levels = box.box.buttons.levels
        box.box.clock.at(200_000, lambda: levels.__setitem__(PanelButton.OK, 0))
        box.box.clock.at(250_000, lambda: levels.__setitem__(PanelButton.OK, 1))
        # one look a millisecond, each a few µs later than the last
        (down, up) = [line.split() for line in said(box, 300)]
        assert down[0] == "0"
        assert 200 <= int(down[1]) <= 201
        assert up[0] == "1"
        assert 250 <= int(up[1]) <= 251


@pytest.mark.parametrize("engine", ENGINES)
def test_a_bouncing_press_ends_pressed(engine: str, tmp_path: Path) -> None:
    with running(engine, tmp_path, BUTTON_TIMES) as box:
        box.run_for(50)
        box.press("ok", 30)
        lines = said(box, 100)
        assert lines[0].startswith("0 ")
        assert lines[-1].startswith("1 ")


@pytest.mark.parametrize("engine", ENGINES)
def test_files_behave_as_on_littlefs(engine: str, tmp_path: Path) -> None:
    with running(engine, tmp_path, FILES) as box:
        assert said(box) == [
            "[]",
            "['Grüße', 'zwei', '']",
            "8 b'zwei\\n'",  # G r ü ß e and the line end are 8 bytes, then 5
            "13 16384",
            "2",
            "2",
            # the root's pair, one block for each file in use, a pair for the folder
            "4096 6",
        ]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_power_cut_loses_what_was_not_synced_and_nothing_else(
    engine: str, tmp_path: Path
) -> None:
    with running(engine, tmp_path, FILES) as box:
        box.run_for(50)
        box.cut_power()
        assert box.screen().dark
        assert (tmp_path / "flash/journal").read_bytes() == b"synced;"
        (tmp_path / "flash/folder").rmdir()
        box.usb_read()
        box.boot()
        assert said(box)[0] == "['journal', 'renamed']"


@pytest.mark.parametrize("engine", ENGINES)
def test_power_can_be_cut_at_every_durable_operation(engine: str, tmp_path: Path) -> None:
    with running(engine, tmp_path, FILES) as box:

        def cut_at_the_rename(operation: str) -> None:
            if operation.startswith("rename"):
                raise PowerCut

        box.box.flash.before_durable = cut_at_the_rename
        box.run_for(50)
        assert not box.on
        assert (tmp_path / "flash/text").exists()
        assert not (tmp_path / "flash/renamed").exists()


@pytest.mark.parametrize("engine", ENGINES)
def test_a_missing_display_is_an_oserror_for_the_firmware(engine: str, tmp_path: Path) -> None:
    main = (
        SAY
        + """
from machine import I2C, Pin

def turns():
    bus = I2C(1, scl=Pin(3), sda=Pin(2), freq=400_000)
    say(bus.scan())
    try:
        bus.writeto(0x3D, b"\\x00\\xaf")
    except OSError as error:
        say(error.args[0])
    for _ in idle():
        yield
"""
    )
    with running(engine, tmp_path, main) as box:
        assert said(box) == ["[60]", "5"]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_display_that_holds_the_bus_costs_the_timeout(engine: str, tmp_path: Path) -> None:
    main = (
        SAY
        + """
from machine import I2C, Pin

def turns():
    bus = I2C(1, scl=Pin(3), sda=Pin(2), freq=400_000, timeout=20_000)
    before = time.ticks_ms()
    try:
        bus.writeto(0x3C, b"\\x00\\xaf")
    except OSError as error:
        say(error.args[0], time.ticks_diff(time.ticks_ms(), before))
    for _ in idle():
        yield
"""
    )
    with running(engine, tmp_path, main) as box:
        box.box.display.stuck = True
        assert said(box) == ["110 20"]


WRONG_WIRING = [
    ("Pin(9, Pin.OUT)", "GP9"),
    ("Pin(10, Pin.IN)", "PULL_UP"),
    ("Pin(7, Pin.IN)", "GP7"),
    ("UART(1, 115200, tx=Pin(4), rx=Pin(5))", "UART0"),
    ("UART(0, 115200, tx=Pin(12), rx=Pin(13))", "GP12"),
    ("I2C(0, scl=Pin(9), sda=Pin(8))", "I2C1"),
    ("I2C(1, scl=Pin(3), sda=Pin(2), freq=1_000_001)", "1 MHz"),
    ("PWM(Pin(14))", "GP15"),
    ("Pin(10)()", "never opened"),
]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("call", "named"), WRONG_WIRING)
def test_wrong_wiring_ends_the_session(engine: str, call: str, named: str, tmp_path: Path) -> None:
    main = f"from machine import I2C, PWM, UART, Pin\n\ndef turns():\n    {call}\n    yield\n"
    with running(engine, tmp_path, main) as box, pytest.raises(TwinError, match=named):
        box.run_for(10)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_crash_is_told_with_its_traceback(engine: str, tmp_path: Path) -> None:
    main = "def turns():\n    yield\n    {}['nothing']\n"
    with running(engine, tmp_path, main) as box, pytest.raises(TwinError, match="KeyError"):
        box.run_for(10)


@pytest.mark.parametrize("engine", ENGINES)
def test_the_watchdog_resets_a_box_that_sleeps_too_long(engine: str, tmp_path: Path) -> None:
    main = (
        SAY
        + """
import machine

def turns():
    say("boot", machine.reset_cause(), time.ticks_ms())
    machine.WDT(timeout=500)
    time.sleep_ms(800)
    yield
"""
    )
    with running(engine, tmp_path, main, survive_resets=True) as box:
        assert said(box, 700) == ["boot 1 0", "boot 3 0"]
        assert box.resets == ["watchdog"]
        assert box.boots == 2


@pytest.mark.parametrize("engine", ENGINES)
def test_a_reset_that_nobody_expects_is_an_error(engine: str, tmp_path: Path) -> None:
    main = "import machine\n\ndef turns():\n    yield\n    machine.reset()\n"
    with running(engine, tmp_path, main) as box, pytest.raises(TwinError, match=r"machine\.reset"):
        box.run_for(10)


@pytest.mark.parametrize("engine", ENGINES)
def test_ticks_wrap_at_two_to_the_thirty(engine: str, tmp_path: Path) -> None:
    main = (
        SAY
        + """
def turns():
    before = time.ticks_ms()
    time.sleep_ms(20)
    after = time.ticks_ms()
    say(before, after, time.ticks_diff(after, before), time.ticks_add(before, 20) == after)
    for _ in idle():
        yield
"""
    )
    near_wrap = (1 << 30) - 10
    with running(engine, tmp_path, main, start_ms=near_wrap) as box:
        assert said(box) == [f"{near_wrap} 10 20 True"]


@pytest.mark.parametrize("engine", ENGINES)
def test_ctrl_c_ends_at_the_repl_and_a_boot_helps(engine: str, tmp_path: Path) -> None:
    with running(engine, tmp_path, ECHO) as box:
        box.run_for(20)
        box.usb_write(b"\x03")
        box.run_for(20)
        assert not box.running
        assert box.on
        box.reboot()
        box.usb_write(b"x")
        box.run_for(20)
        assert box.usb_read() == b"x"


@pytest.mark.parametrize("engine", ENGINES)
def test_unique_id_random_bytes_and_speed(engine: str, tmp_path: Path) -> None:
    main = (
        SAY
        + """
import binascii, machine, os

def turns():
    say(str(binascii.hexlify(machine.unique_id()), "utf-8"), len(os.urandom(6)), machine.freq())
    for _ in idle():
        yield
"""
    )
    with running(engine, tmp_path, main, seed=258) as box:
        assert said(box) == ["e6614c311b000102 6 125000000"]


@pytest.mark.vm
def test_both_engines_live_in_the_same_time(tmp_path: Path) -> None:
    stories = []
    for engine in ("cpython", "micropython"):
        with running(engine, tmp_path / engine, BUTTON_TIMES) as box:
            box.run_for(10)
            for _ in range(5):
                box.press("ok", 37)
                box.run_for(97)
            stories.append(box.usb_read())
    assert stories[0] == stories[1]
    assert stories[0].count(b"\n") >= 10


def test_an_unknown_engine_is_named(tmp_path: Path) -> None:
    with pytest.raises(TwinError, match="pypy"):
        TwinSession("pypy", tmp_path)


def test_after_a_cut_the_same_picture_is_told_again(tmp_path: Path) -> None:
    told: list[Picture] = []
    with TwinSession("cpython", tmp_path) as box:
        box.on_screen(told.append)
        box.boot()
        box.run_for(1_000)
        before = told[-1]
        told.clear()
        box.reboot()
        box.run_for(1_000)
    assert told[-1] == before
