"""Quick presses while a tap keeps the loop busy, with the time a chip takes for it: every one
counts once, on CPython, in the VM and on a heap as small as the chip's.
"""

import shutil
from pathlib import Path

import pytest

from hardware.twin.errors import TwinError
from hardware.twin.node import ROOT
from hardware.twin.session import TwinSession
from hardware.twin.vm import ops
from tests.twin.small_firmware import ENGINES, SAY, for_engine, running, write_firmware

ALL_ENGINES = [*ENGINES, pytest.param("chip", marks=pytest.mark.vm)]
SYNC_MS = 60  # reviews of the chip: journal write and sync 59.5 ms, interrupts held back
TAP_MS = 170  # 50 reading and judging, 60 writing, 60 drawing
EVERY_MS = 400
FIRST_MS = 1000

LOOP = (
    (
        SAY
        + """
from firmware.boards.pico import button_pins
from firmware.drivers.buttons import NONE, Buttons

def tap(file):
    time.sleep_ms(50)
    file.write(b"a card")
    file.flush()
    time.sleep_ms(60)

def turns():
    buttons = Buttons(button_pins(), time)
    file = open("/box/journal", "ab")
    due = FIRST
    while True:
        now = time.ticks_ms()
        if now >= due:
            due += EVERY
            tap(file)
        code = buttons.step(now)
        if code != NONE:
            say(code)
        yield
        time.sleep_ms(4)
"""
    )
    .replace("FIRST", str(FIRST_MS))
    .replace("EVERY", str(EVERY_MS))
)


def busy_box(engine: str, folder: Path) -> TwinSession:
    """A box whose taps come every 400 ms from 1000 ms on, and take 170 ms."""
    sources = write_firmware(folder / "sources", LOOP)
    for package in ("boards", "drivers"):
        shutil.copytree(ROOT / "firmware" / package, sources / "firmware" / package)
    session = TwinSession(engine, folder / "flash", sources=for_engine(engine, sources))
    session.box.busy_us[ops.FILE_FLUSH] = 1000 * SYNC_MS
    session.boot()
    return session


def told(session: TwinSession, ms: int) -> list[int]:
    session.run_for(ms)
    return [int(line) for line in session.usb_read().decode().split()]


@pytest.mark.parametrize("press_ms", [30, 60])
@pytest.mark.parametrize("engine", ALL_ENGINES)
def test_a_press_in_every_phase_of_a_tap_counts_once(
    engine: str, press_ms: int, tmp_path: Path
) -> None:
    """The twin's contacts bounce for 3 ms at both ends."""
    phases = range(-50, TAP_MS + 20)
    with busy_box(engine, tmp_path) as box:
        for number, phase in enumerate(phases):
            at_ms = FIRST_MS + EVERY_MS * number + phase
            box.at(at_ms, lambda: box.press("ok", press_ms))
        told(box, FIRST_MS - 100)
        counted = {phase: told(box, EVERY_MS) for phase in phases}
    assert counted == {phase: [2] for phase in phases}


@pytest.mark.parametrize("engine", ALL_ENGINES)
def test_two_buttons_in_one_tap_come_in_order_and_a_long_press_stays_long(
    engine: str, tmp_path: Path
) -> None:
    with busy_box(engine, tmp_path) as box:
        for at_ms, button, hold_ms in (
            (FIRST_MS + 5, "jury", 30),
            (FIRST_MS + 130, "up", 30),
            (FIRST_MS + EVERY_MS + 5, "up", 30),
            (FIRST_MS + EVERY_MS + 130, "jury", 30),
            (FIRST_MS + 2 * EVERY_MS + 80, "jury", 750),  # ends in the tap after next
        ):
            box.at(at_ms, lambda button=button, hold_ms=hold_ms: box.press(button, hold_ms))
        assert told(box, FIRST_MS + EVERY_MS - 50) == [3, 0]
        assert told(box, EVERY_MS) == [0, 3]
        assert told(box, 3 * EVERY_MS) == [3 + 4]


WRONG = """
import time
from machine import Pin

def turns():
    pin = Pin(12, Pin.IN, Pin.PULL_UP)
    {}
    while True:
        yield
        time.sleep_ms(4)
"""
REFUSED = {
    "pin.irq(print, 3, hard=True)": "unknown trigger",  # levels, which the box does not use
    "pin.irq(print, 0, hard=True)": "unknown trigger",
    "pin.irq(print, Pin.IRQ_FALLING)": "hard interrupts only",
    "Pin(6, Pin.IN).irq(print, Pin.IRQ_FALLING, hard=True)": "GP6 is no open button",
    "Pin(13).irq(print, Pin.IRQ_FALLING, hard=True)": "GP13 is no open button",
    "pin.irq(lambda pin: 1 // 0, Pin.IRQ_FALLING, hard=True)": "ZeroDivisionError",
}


@pytest.mark.parametrize("engine", ALL_ENGINES)
@pytest.mark.parametrize("wrong", REFUSED)
def test_what_the_twin_does_not_know_of_interrupts_is_a_failure(
    engine: str, wrong: str, tmp_path: Path
) -> None:
    with running(engine, tmp_path, WRONG.format(wrong)) as box:
        box.at(20, lambda: box.press("ok"))
        with pytest.raises(TwinError, match=REFUSED[wrong]):
            box.run_for(100)


@pytest.mark.parametrize("engine", [one for one in ALL_ENGINES if one.values[0] != "cpython"])
def test_a_handler_that_allocates_is_a_failure(engine: str, tmp_path: Path) -> None:
    """CPython has no heap to lock; the two MicroPythons have."""
    wrong = "pin.irq(lambda pin: bytearray(100), Pin.IRQ_FALLING, hard=True)"
    with running(engine, tmp_path, WRONG.format(wrong)) as box:
        box.at(20, lambda: box.press("ok"))
        with pytest.raises(TwinError, match="MemoryError"):
            box.run_for(100)


@pytest.mark.parametrize("engine", ALL_ENGINES)
def test_only_the_edges_asked_for_interrupt_and_none_ends_it(engine: str, tmp_path: Path) -> None:
    firmware = (
        SAY
        + """
from machine import Pin

def turns():
    pin = Pin(12, Pin.IN, Pin.PULL_UP)
    levels = [9] * 99
    count = [0]
    def edge(pin):
        levels[count[0]] = pin()
        count[0] += 1
    pin.irq(edge, Pin.IRQ_RISING, hard=True)
    while time.ticks_ms() < 100:
        yield
        time.sleep_ms(4)
    pin.irq(None)
    said = levels[:count[0]]
    while time.ticks_ms() < 200:
        yield
        time.sleep_ms(4)
    say(said, count[0])
    for _ in idle():
        yield
"""
    )
    with running(engine, tmp_path, firmware) as box:
        for at_ms in (20, 120):
            box.at(at_ms, lambda: box.press("ok", 50))
        box.run_for(300)
        # a contact of the twin makes, breaks at 0.4 ms, makes, breaks at 1.1, makes at 2.9 ms;
        # letting go is the same turned round, and rises at 0, 0.7 and 2.9 ms
        assert box.usb_read().decode() == "[1, 1, 1, 1, 1] 5\n"
