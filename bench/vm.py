"""Figures of the firmware in the real MicroPython VM on the twin: size, heap, boot, and the cost
of the bridge.

Heap and size do not depend on this computer; the round trip and the speed do.
"""

import statistics
import tempfile
import time
from pathlib import Path

from bench.figure import Figure
from hardware.twin.session import TwinSession
from hardware.twin.tags import NtagTwin
from hardware.twin.vm_engine import VmEngine
from host_tools.box.firmware.build import BOX_FOLDER, ROM, build
from host_tools.box.firmware.sources import OUR_PACKAGES
from tests.support.box_programs import place

HEAP_GOAL = 60_000
BOOT_GOAL_MS = 1500
TAP_GOAL_MS = 50
_BOOT_LIMIT_MS = 10_000
_SETTLE_MS = 3_000
_SPEED_MS = 20_000
_EXCHANGES = 5_000

_TAPS = 24
_DRAWING_MS = 60  # a whole picture takes 25 ms at 400 kHz; the clock's next second comes later

_BUSY = """
from machine import Pin

def turns():
    pin = Pin(7, Pin.OUT, value=1)
    while True:
        pin(1)
        yield
"""


def measure() -> list[Figure]:
    """Build the firmware, boot it in the VM and return all rows."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        built = build(folder / "build")
        rows = [Figure("firmware in a slot", len(built.rom), "bytes")]
        with TwinSession(
            "micropython", folder / "flash", sources=folder / "build" / BOX_FOLDER
        ) as box:
            rows += _boot(box)
            rows.append(_idle_speed(box))
            rows += _tap_to_answer(box)
        rows.append(_idle_bytes(folder))
        rows.append(_heap_in_rom(folder, built.folder / ROM))
        rows.append(_round_trip(folder))
    return rows


def _goal(what: str, value: float, unit: str, limit: float) -> Figure:
    return Figure(what, value, unit, f"≤ {limit:,.0f} {unit}", value <= limit)


def _boot(box: TwinSession) -> list[Figure]:
    """Power on to the first picture, and the heap once it idles."""
    began = time.perf_counter()
    box.boot()
    box.run_until(lambda: not box.screen().dark, _BOOT_LIMIT_MS)
    wall_ms = 1000 * (time.perf_counter() - began)
    boot_ms = box.now_ms
    box.run_for(_SETTLE_MS)
    heap = box.heap()
    return [
        _goal("boot to first picture, modelled bus time", boot_ms, "ms", BOOT_GOAL_MS),
        Figure("boot of the VM to first picture, this computer", wall_ms, "ms"),
        _goal("heap after boot, code loaded from .mpy", heap.firmware, "bytes", HEAP_GOAL),
        Figure("heap of the twin's own shim (not counted above)", heap.shim, "bytes"),
    ]


def _heap_in_rom(folder: Path, image: Path) -> Figure:
    """The heap when the code lies in flash, as in a firmware with Schiri frozen in
    (build/manifest.py).
    """
    with TwinSession("micropython", folder / "flash-rom", sources=image) as box:
        box.boot()
        box.run_for(_SETTLE_MS)
        return _goal(
            "heap after boot, code in a ROM image (frozen: less)",
            box.heap().firmware,
            "bytes",
            HEAP_GOAL,
        )


def _idle_bytes(folder: Path) -> Figure:
    """Idle turns of the whole app under a locked heap: one byte, and the program would end."""
    flash = folder / "flash-idle"
    entry = place("idle", folder / "idle")
    with TwinSession("micropython", flash, sources=folder / "idle", entry=entry) as box:
        box.boot()
        report = flash / "idle.txt"
        if not box.run_until(lambda: report.exists() and report.stat().st_size > 0, 60_000):
            raise RuntimeError("an idle turn took memory, or the program did not end")
    return _goal("heap allocated by an idle turn, heap locked", 0, "bytes", 0)


def _idle_speed(box: TwinSession) -> Figure:
    began = time.perf_counter()
    box.run_for(_SPEED_MS)
    speed = _SPEED_MS / 1000 / (time.perf_counter() - began)
    return Figure("idle box in the VM, times real time", speed, "×")


def _tap_to_answer(box: TwinSession) -> list[Figure]:
    """A tag that is not ours, laid down at different moments of the poll: until its message is
    drawn.

    The way of every tap: found, read, judged, drawn, without the rules and the journal's flash.
    """
    waits_ms = [_one_tap(box, number) for number in range(_TAPS)]
    what = "tap to its message drawn, modelled"
    return [
        _goal(f"{what}, the median of {_TAPS}", statistics.median(waits_ms), "ms", TAP_GOAL_MS),
        Figure(f"{what}, the slowest (laid down between two looks)", max(waits_ms), "ms"),
    ]


def _one_tap(box: TwinSession, number: int) -> float:
    display = box.box.display
    box.press("ok")  # closes the last message
    box.run_for(2_000 + 7 * number)
    tag = NtagTwin.ntag213(uid=bytes((0x04, *range(5), number)))
    before_us, laid_us = display.last_write_us, box.box.clock.now_us
    box.field.place(tag)
    box.run_until(lambda: display.last_write_us > before_us, 2_000)
    box.run_for(_DRAWING_MS)
    box.field.remove(tag)
    return (display.last_write_us - laid_us) / 1000


def _round_trip(folder: Path) -> Figure:
    """One call of `machine` that must cross the pipes and come back."""
    sources = folder / "busy"
    for package in OUR_PACKAGES:
        (sources / package).mkdir(parents=True)
        (sources / package / "__init__.py").write_text("", encoding="utf8")
    (sources / "firmware" / "main.py").write_text(_BUSY, encoding="utf8")
    with TwinSession("micropython", folder / "flash2", sources=sources) as box:
        box.boot()
        box.run_for(10)
        engine = box.engine
        if not isinstance(engine, VmEngine):
            raise TypeError("the VM engine is measured here")
        first, began = engine.exchanges, time.perf_counter()
        box.run_until(lambda: engine.exchanges - first >= _EXCHANGES, 60_000)
        wall_us = 1_000_000 * (time.perf_counter() - began)
        return Figure("one call through the bridge", wall_us / (engine.exchanges - first), "µs")
