"""A box to play with: firmware, electronics and time in one object, for tests, the demo
and the page.

    with TwinSession(engine="micropython", flash_dir=folder) as box:
        box.boot()
        box.run_until(lambda: not box.screen().dark, limit_ms=5_000)
        box.field.place(tag)
        box.press("ok")
        box.run_for(500)
        print(to_terminal(box.screen()))

All times are milliseconds of virtual time. The firmware stands still between two calls of `run_…`.
"""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Protocol

from firmware.boards.pico import STORAGE
from hardware.twin import engine as ends
from hardware.twin.box import PWRON_RESET, WDT_RESET, TwinBox, right_harness
from hardware.twin.chip_engine import ChipEngine, ChipWEngine
from hardware.twin.engine import Engine
from hardware.twin.errors import TwinError
from hardware.twin.field import RfField
from hardware.twin.harness import Harness
from hardware.twin.inproc import InprocEngine
from hardware.twin.node import ROOT
from hardware.twin.oled import Picture
from hardware.twin.panel import HeardTone, PanelButton
from hardware.twin.radio import AccessPoint, TwinRadio
from hardware.twin.service import Service
from hardware.twin.vm_engine import VmEngine, VmHeap

ENTRY = "firmware.main:turns"
PRESS_MS = 120
# a predicate is looked at after every call of the firmware, and at least so often
_GLANCE_US = 10_000
_HEAP_LIMIT_MS = 1_000


class EngineMaker(Protocol):
    """`InprocEngine`, `VmEngine` or one of the `ChipEngine`s."""

    def __call__(self, service: Service, storage: str, entry: str, sources: Path) -> Engine: ...


ENGINES: dict[str, EngineMaker] = {
    "cpython": InprocEngine,
    "micropython": VmEngine,
    "chip": ChipEngine,
    "chip-w": ChipWEngine,
}


class TwinSession:
    """One box and, between `boot` and `cut_power`, a running firmware.

    `engine` is "cpython", "micropython" (the real VM under Node), "chip" or "chip-w" (MicroPython
    with a heap as small as a Pico's or a Pico W's), or a maker of one's own. `flash_dir` keeps the
    box's storage folder across sessions. `sources` holds `firmware` and `card_tags`: the
    repository, or a folder of .mpy files (VM only). `start_ms` is what `ticks_ms` says at boot.
    `oled_model` is "ssd1306" or "sh1106", and so is `north_model` where there is a second screen;
    `harness` replaces both and may be wired wrongly. `seed` makes the box's id, and its random
    bytes where `chance` does not: what people use gets `random.SystemRandom()`, so that no wiped
    box repeats the birth mark of a match. With `point` the board has a radio, and that access
    point in reach.
    """

    def __init__(
        self,
        engine: str | EngineMaker,
        flash_dir: Path,
        *,
        entry: str = ENTRY,
        storage: str = STORAGE,
        sources: Path = ROOT,
        oled_model: str = "ssd1306",
        north_model: str | None = None,
        harness: Harness | None = None,
        start_ms: int = 0,
        seed: int = 0,
        chance: Random | None = None,
        cpu_us: int | None = None,
        survive_resets: bool = False,
        point: AccessPoint | None = None,
    ) -> None:
        if isinstance(engine, str) and engine not in ENGINES:
            raise TwinError(f"There is no engine {engine!r}: {', '.join(ENGINES)}.")
        right = harness or right_harness(oled_model, north_model)
        self.box = TwinBox(flash_dir, harness=right, seed=seed)
        if point is not None:
            self.box.radio = TwinRadio(self.box.clock, point)
        if chance is not None:
            self.box.random = chance
        if cpu_us is not None:
            self.box.cpu_us = cpu_us
        self.boots = 0
        self.resets: list[str] = []
        self._survive_resets = survive_resets
        self._make = ENGINES[engine] if isinstance(engine, str) else engine
        self._entry = entry
        self._storage = storage
        self._sources = sources
        self._start_ms = start_ms
        self._service = Service(self.box)
        self._service.after_call = self._look
        self._engine: Engine | None = None
        self._wanted: Callable[[], bool] | None = None
        self._reached = False
        self._our_error: Exception | None = None
        self._glancing = self.box.clock.after(0, lambda: None)

    # -- power

    def boot(self) -> None:
        """Power on. The firmware starts with the next `run_…`."""
        if self._engine is not None:
            raise TwinError("The box is already on.")
        self.box.reset_cause = PWRON_RESET
        self._start()

    def cut_power(self) -> None:
        """Pull the plug now: RAM, screen and everything unsynced are lost, the flash stays."""
        self.box.power_off()
        if self._engine is not None:
            self._engine.kill()
        self._engine = None

    def reboot(self) -> None:
        """Cut the power and boot again on the same flash."""
        self.cut_power()
        self.boot()

    def close(self) -> None:
        """End everything. Also at the end of a `with` block."""
        self.cut_power()

    def __enter__(self) -> "TwinSession":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- time

    @property
    def now_ms(self) -> int:
        """Virtual time since the session was made."""
        return self.box.clock.now_us // 1000

    @property
    def on(self) -> bool:
        """True while the box has power."""
        return self._engine is not None

    @property
    def running(self) -> bool:
        """True while the firmware runs; False at the REPL (after Ctrl-C) and without power."""
        return self._engine is not None and self._engine.outcome is None

    def run_until(self, predicate: Callable[[], bool], limit_ms: int) -> bool:
        """Run until `predicate()` holds; False if it does not within `limit_ms`.

        Raises TwinError if the firmware crashes or misuses the electronics. A reset of the chip
        boots it again.
        """
        self._wanted = predicate
        self._glancing = self.box.clock.after(_GLANCE_US, self._glance)
        try:
            self.run_for(limit_ms)
        finally:
            self._wanted = None
            self._glancing.cancel()
        # the limit may fall between two looks
        return self._reached or predicate()

    def run_for(self, ms: int) -> None:
        """Run for so many milliseconds of virtual time."""
        self._reached = False
        expired: list[bool] = []
        deadline = self.box.clock.after(1000 * ms, lambda: self._expire(expired))
        while not self._reached and not expired and self.running:
            self._step()
        deadline.cancel()
        if self._our_error is not None:
            error, self._our_error = self._our_error, None
            raise error

    # -- what a person does and sees

    @property
    def field(self) -> RfField:
        """The space above the reader: `place(tag)`, `remove(tag)`."""
        return self.box.field

    def press(self, button: str, ms: int = PRESS_MS) -> None:
        """Press "up", "down", "ok" or "jury" now and let go `ms` later; 700 and more is a long
        press.
        """
        self.box.buttons.press(PanelButton[button.upper()], ms)

    def screen(self, side: int = 0) -> Picture:
        """What the OLED of the south shows now; with `side` 1, that of the north."""
        return (self.box.north if side else self.box.oled).picture()

    def on_screen(self, callback: Callable[[Picture], None]) -> None:
        """Call `callback` with every new picture, once it is drawn to its end."""
        self.box.screen_listeners.append(lambda picture: self._guarded(lambda: callback(picture)))

    def at(self, ms: int, action: Callable[[], None]) -> None:
        """Do something at `now_ms` = `ms`, in the middle of whatever the firmware does then."""
        self.box.clock.at(1000 * ms, lambda: self._guarded(action))

    @property
    def sounds(self) -> list[HeardTone]:
        """Every tone so far."""
        return self.box.buzzer.sounds

    def usb_write(self, data: bytes) -> None:
        """The laptop sends bytes; 0x03 is Ctrl-C."""
        self.box.usb.write(data)

    def usb_read(self, size: int = -1) -> bytes:
        """What the box has sent since the last read."""
        return self.box.usb.read(size)

    def heap(self) -> VmHeap:
        """Collect garbage in the VM and measure its heap. TwinError on CPython, which has no such
        figure.
        """
        if not isinstance(self._engine, VmEngine):
            raise TwinError("Only the MicroPython engine has a heap to measure.")
        heaps: list[VmHeap] = []
        self._engine.ask_heap(heaps.append)
        if not self.run_until(lambda: bool(heaps), _HEAP_LIMIT_MS):
            raise TwinError("The VM did not report its heap.")
        return heaps[0]

    @property
    def engine(self) -> Engine:
        """The running boot, for measurements. TwinError without power."""
        if self._engine is None:
            raise TwinError("The box is off.")
        return self._engine

    def hang_on(self, call: int) -> None:
        """The next call with this number (`vm/ops.py`) never returns: the watchdog's business."""
        self._service.hangs_on = call

    # -- inside

    def _start(self) -> None:
        self.box.mark_boot(self._start_ms)
        self.boots += 1
        self._engine = self._make(self._service, self._storage, self._entry, self._sources)

    def _step(self) -> None:
        """One turn of the firmware, and what becomes of the box if that was its last."""
        boot = self.engine
        boot.resume()
        if boot.outcome == ends.RESET:
            self._restart(boot.report)
        elif boot.outcome == ends.INTERRUPTED:
            self.box.stop_watchdog()  # the firmware hands its feeding to a timer of the REPL
        elif boot.outcome == ends.CUT:
            self.cut_power()
        elif boot.outcome == ends.FAULT:
            raise boot.error or TwinError("The twin failed without saying why.")
        elif boot.outcome == ends.CRASHED:
            raise TwinError(f"The firmware crashed.\n{boot.report}")
        elif boot.outcome == ends.RETURNED:
            raise TwinError("The firmware's main function returned; it must run for ever.")

    def _restart(self, reason: str) -> None:
        self.resets.append(reason)
        self.box.restart(WDT_RESET)
        if not self._survive_resets:
            raise TwinError(f"The box has reset itself ({reason}).{self._last_crash()}")
        self._start()

    def _last_crash(self) -> str:
        """What the firmware has kept of a fault."""
        note = self.box.flash.folder / "crash.txt"
        return "\n" + note.read_text(encoding="utf8") if note.exists() else ""

    def _look(self) -> None:
        """On the firmware's side: stop as soon as the predicate holds."""
        if self._wanted is not None and not self._reached:
            self._guarded(self._ask)

    def _ask(self) -> None:
        if self._wanted is not None and self._wanted():
            self._reached = True
            self.engine.pause()

    def _guarded(self, action: Callable[[], None]) -> None:
        """On the firmware's side: do something of ours; its errors go to our caller, not to the
        firmware.
        """
        with ExitStack() as stack:
            stack.push(self._keep_error)
            action()
        if self._our_error is not None and not self._reached:
            self._reached = True
            self.engine.pause()

    def _keep_error(self, _kind: object, error: BaseException | None, _trace: object) -> bool:
        """Keep an `Exception` for `run_until` to raise; a power cut and Ctrl-C go on through."""
        if not isinstance(error, Exception):
            return False
        self._our_error = error
        return True

    def _glance(self) -> None:
        """Look again and again while a predicate is wanted."""
        self._glancing = self.box.clock.after(_GLANCE_US, self._glance)
        self._look()

    def _expire(self, expired: list[bool]) -> None:
        expired.append(True)
        self.engine.pause()
