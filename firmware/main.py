"""Wiring only: board -> drivers -> app -> loop.

The image's own `main.py` (firmware/port) lets its loader choose a firmware and runs its
`turns()`, one step of the loop a turn; `build()` gives the app without the loop (tests, REPL). The
loop ends only by Ctrl-C, which reaches the REPL; a running match survives that in the journal.
"""
# ruff: noqa: E402

import binascii
import gc
import os
import select
import sys
import time as _time

import machine
from micropython import const

from firmware.boards import pico as board

board.full_speed()  # loading all that follows takes most of the time until the first picture

from card_tags.errors import TagError
from firmware import games
from firmware.app.app import App, Hardware
from firmware.app.flash import Flash
from firmware.app.journal import Journal, NotConfirmed
from firmware.app.link import Link, RequestError
from firmware.app.link_frames import BadFrame
from firmware.app.memory import Garbage, forget
from firmware.app.settings import BadSetting, Settings
from firmware.app.signing import Signing
from firmware.app.slots import FAULTS as COMMON_FAULTS
from firmware.app.slots import StorageDisk, TwoFiles, code_flash, running_slot
from firmware.app.updating import Updating
from firmware.drivers.buttons import Buttons
from firmware.drivers.buzzer import Buzzer
from firmware.drivers.display import FOUND
from firmware.drivers.pn532.chip import Pn532
from firmware.drivers.pn532.errors import ReaderError
from firmware.drivers.pn532.hsu import Hsu
from firmware.drivers.reader import Reader
from firmware.drivers.usb_line import UsbLine
from firmware.rules.errors import Malformed

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

FIRMWARE = "0.1.0"
clock: "Any" = _time  # on the box its ticks_ms, sleep_ms and so on
_IDLE_MS = const(4)  # between two steps: a press lasts longer, and the UART buffers 256 bytes
_WATCHDOG_MS = const(8000)  # the RP2040 allows 8388; the longest step, a resume, takes about 2 s
_CRASH_SHOWN_MS = const(5000)
_FEED_MS = const(1000)

# What a step can die of: the interpreter's faults, and ours that nobody nearer has named
OUR_FAULTS = (ReaderError, TagError, Malformed, RequestError, BadFrame, BadSetting, NotConfirmed)
FAULTS = COMMON_FAULTS + OUR_FAULTS


def build() -> "App":
    """The app on this board's devices, with what the flash knows of settings and matches.

    The reader is not started yet: `app.hardware.reader.start()`, after the first picture.
    """
    settings, journal, link = _for_a_laptop()
    reader = Reader(Pn532(Hsu(board.reader_uart(), clock), clock, board.reader_reset()), clock)
    hardware = Hardware(
        reader,
        _display(int(str(settings.get("screen"))) - 1, bool(settings.get("screen_fast"))),
        Buttons(board.button_pins(), clock),
        Buzzer(board.buzzer_pwm(), clock),
        link,
        ReaderError,
    )
    app = App(hardware, clock, board.STORAGE, journal, settings, games, _build_id())
    app.signing = link.signing = Signing(journal, os.urandom, clock)
    return app


def _build_id() -> str:
    """Tells builds apart that have the same version: the sum of what the slot holds."""
    slot = running_slot(__file__)
    flash = code_flash()
    held = flash.holds(slot) if slot and flash is not None else None
    if held is None:
        return FIRMWARE
    return "%s %s" % (FIRMWARE, binascii.hexlify(held[1][:8]).decode())


def _for_a_laptop() -> "tuple[Settings, Journal, Link]":
    """What a laptop may ask for on any box."""
    flash = Flash(board.STORAGE)
    settings = Settings(flash)
    box = binascii.hexlify(machine.unique_id()).decode()
    journal = Journal(flash, box, os.urandom)
    return settings, journal, Link(_usb_line(), journal, settings, FIRMWARE, clock)


def _display(controller: int = FOUND, may_be_fast: bool = False) -> "Any":
    """The screens that are there: one, or both; also one that does not answer yet."""
    from firmware.boards import north_screen as north
    from firmware.drivers.screens import find_screens

    buses = (board.display_bus, board.display_lines), (north.north_bus, north.north_lines)
    display = find_screens(*buses, clock, controller, may_be_fast)
    forget("firmware.drivers.screens")
    forget("firmware.boards.north_screen")
    return display


def _usb_line() -> "UsbLine":
    readable: "Any" = select.poll()
    readable.register(sys.stdin, select.POLLIN)
    writable: "Any" = select.poll()
    writable.register(sys.stdout, select.POLLOUT)
    return UsbLine(sys.stdin.buffer, sys.stdout.buffer, readable, writable)


def run() -> None:
    """Play until Ctrl-C."""
    for _ in turns():
        pass


def turns() -> "Iterator[None]":
    """Build the box and play, one step a turn. A fault is shown and kept; then the box resets, or
    stays as it is if it has crashed too often (app/crash.py).
    """
    watchdog = machine.WDT(timeout=_WATCHDOG_MS)
    try:
        try:
            yield from _play(watchdog)
        except FAULTS as fault:
            _crash(fault)
        yield from _wait_for_a_laptop(watchdog)
    except KeyboardInterrupt:
        _feed_alone(watchdog)
        raise


def _play(watchdog: "machine.WDT") -> "Iterator[None]":
    on_air = _on_air()  # before the app: below all that comes and goes in memory
    app = build()
    app.step(clock.ticks_ms())  # the first picture, before what can wait or be broken
    app.hardware.reader.start()
    updating = _updating(app.hardware.link, app.journal, watchdog.feed, app)
    app.hardware.link.handlers["bringup"] = lambda request: _bring_up(app, request)
    app.hardware.link.handlers["hall"] = lambda request: _serve_hall(app, request, on_air)
    if on_air is not None:
        on_air.join(app)
    keep_alive = None
    if app.settings.get("keep_alive"):
        from firmware.boards import carrier
        from firmware.drivers.keep_alive import KeepAlive

        keep_alive = KeepAlive(carrier.keep_alive(), clock)
    gc.collect()
    garbage = Garbage(clock, _tidy)
    while True:
        acted = app.step(clock.ticks_ms())
        if on_air is not None:
            on_air.step(app)
        updating.step(clock.ticks_ms())
        if keep_alive is not None:
            keep_alive.step(clock.ticks_ms())
        watchdog.feed()
        garbage.step(acted, app.session is not None, app.hardware.reader.is_quiet())
        yield
        clock.sleep_ms(_IDLE_MS)


def _wait_for_a_laptop(watchdog: "machine.WDT") -> "Iterator[None]":
    """The fault stays on the screen; a laptop may fetch the matches and bring another firmware, as
    far as that works.
    """
    steps: "list[Callable[[int], None]]" = []
    try:
        _, journal, link = _for_a_laptop()
        steps = [link.step, _updating(link, journal, watchdog.feed).step]
    except FAULTS:
        pass  # the REPL is still there
    while True:
        watchdog.feed()
        try:
            for step in steps:
                step(clock.ticks_ms())
        except FAULTS:
            steps = []
        yield
        clock.sleep_ms(_IDLE_MS)


def _tidy() -> None:
    """Collect garbage: 15 ms that no tap waits for (app/memory.py)."""
    if sys.implementation.name == "micropython":  # a laptop has other garbage, and no hurry
        gc.collect()


def _bring_up(app: "App", request: "dict[str, Any]") -> "dict[str, Any]":
    """Only a laptop asks for it, of a box that is new or ill."""
    from firmware.app.bringup import BringUp
    from firmware.boards import north_screen
    from firmware.drivers.pn532 import trial

    return BringUp(app, machine, board, north_screen, trial).serve(request)


def _on_air() -> "Any":
    """For a box that was told of a live hall (app/hall_settings.py); None for others."""
    flash = Flash(board.STORAGE)
    if not TwoFiles(flash, "hall").is_there():
        return None
    from firmware.hall import OnAir

    return OnAir(flash, clock, FIRMWARE)


def _serve_hall(app: "App", request: "dict[str, Any]", on_air: "Any") -> "dict[str, Any]":
    from firmware.hall import serve

    return serve(app, request, on_air)


def _updating(
    link: "Link", journal: "Journal", feed: "Callable[[], None]", app: "App | None" = None
) -> "Updating":
    """A new firmware may come over the link while no match is open. Without `app` this one has
    crashed: it is never trusted.
    """
    disk = StorageDisk(board.STORAGE)
    flash, slot = code_flash(), running_slot(__file__)
    updating = Updating(disk, flash, slot, machine.reset, feed, clock, app is not None)
    updating.about = board.NAME, FIRMWARE, board.RELEASE_KEY, app
    updating.serve(link, journal, lambda: app is not None and app.session is not None)
    return updating


def _feed_alone(watchdog: "Any") -> None:
    """The watchdog of the RP2 cannot be stopped: a timer feeds it for the REPL."""
    timer = getattr(machine, "Timer", None)
    if timer is not None:
        timer(period=_FEED_MS, callback=lambda _: watchdog.feed())


def _crash(fault: "BaseException") -> None:
    """Say what happened, keep it in `crash.txt`, and start anew; the journal resumes the match.

    Each as well as it can: the flash or the display may be what is broken. Returns if this was one
    crash too many, or if it cannot be counted: what is not counted could go on for ever.
    """
    gc.collect()
    again = False
    try:
        from firmware.app.crash import may_restart

        again = may_restart(StorageDisk(board.STORAGE))
    except FAULTS:
        pass
    for tell in (_keep, _show):
        try:
            tell(fault, again)
        except FAULTS:
            pass  # the reset is what helps
    if again:
        machine.reset()


def _keep(fault: "BaseException", again: bool) -> None:
    path = board.STORAGE + "/crash.txt"
    with open(path, "w") as file:
        _print_exception(fault, file)


def _show(fault: "BaseException", again: bool) -> None:
    from firmware.app.crash import show

    show(_display(), fault, again)
    if again:
        clock.sleep_ms(_CRASH_SHOWN_MS)


def _print_exception(fault: "BaseException", file: "Any") -> None:
    """The traceback: `sys.print_exception` on the box, `traceback` on CPython."""
    printer = getattr(sys, "print_exception", None)
    if printer is not None:
        printer(fault, file)
    else:
        import traceback  # type: ignore[import-not-found]  # the box has none

        traceback.print_exception(fault, file=file)
