"""The firmware on an emulated Pico with real MicroPython: an engine of `TwinSession`.

    board = EmulatedBoard("pico", Path("schiri-0.1.0-RPI_PICO.uf2"))
    with TwinSession(board.engine, folder, sources=built.folder / ROM) as box:
        box.boot()

The file is one of ours, with the loader; the firmware of `sources`, a ROM file system, is laid
into its first slot. The storage folder of the session is what the flash begins with; afterwards
the flash counts, and the folder follows it. rp2040py is imported late: it is a developer's
dependency.
"""

import asyncio
import dataclasses
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from hardware.twin import engine
from hardware.twin.box import PWRON_RESET
from hardware.twin.service import Service
from host_tools.box.firmware.image import BOARDS as SIZES
from host_tools.box.firmware.image import slot_of
from tests.support.pico.flash import FlashWork, files_in, mend, new_image, undo
from tests.support.pico.heap import Heap, heap_of
from tests.support.pico.parts import BoxParts
from tests.support.pico.radio import on_air
from tests.support.pico.usb import UsbHost

_WITH_RADIO = ("pico_w",)  # its bus is made by a PIO
_TICK_BATCH = 64  # instructions between two looks at the clock, unless an alarm is due before
_BATCHES_A_LOOK = 64  # at the sockets of this machine: every 20 µs of the chip or so
_WATCHDOG_TIMER = 1  # WATCHDOG.REASON: the timer ran out
_WATCHDOG_LOAD = 4  # the register that feeds it


class EmulatedBoard:
    """One board: `name` is "pico" or "pico_w", `uf2` its MicroPython. `slots` and `image` are what
    its flash holds of firmware and files, None before the first boot; `up_ms` is how long it had
    power so far, in its own time.
    """

    def __init__(self, name: str, uf2: Path) -> None:
        self.name = name
        self.uf2 = uf2
        self.sizes = SIZES[f"RPI_{name.upper()}"]
        self.slots: bytearray | None = None
        self.image: bytearray | None = None
        self.work = FlashWork()
        self.up_ms = 0.0

    def engine(self, service: Service, storage: str, entry: str, sources: Path) -> "PicoEngine":
        """Power on: what `TwinSession` calls at every boot. `main.py` starts the firmware, so
        `entry` says nothing here.
        """
        return PicoEngine(self, service, storage, sources)


class PicoEngine(engine.Engine):
    """One boot. It runs in the session's own thread: the emulator stands still in between.
    `on_fed` is called when the box feeds its watchdog: once a turn of its loop.
    """

    def __init__(
        self, board: EmulatedBoard, service: Service, storage: str, sources: Path
    ) -> None:
        super().__init__(service, storage, "")
        self.on_fed: Callable[[], None] = lambda: None
        self._board = board
        self._box = service.box
        self.parts = BoxParts(service.box)
        self._loop = None if service.box.radio is None else asyncio.new_event_loop()
        self._device = self._emulator()
        if self._loop is not None:
            self._device.simulator.bind_loop(self._loop)
        if board.slots is None:
            whole = slot_of(sources.read_bytes(), board.sizes)
            board.slots = bytearray(whole.ljust(board.sizes.slots, b"\xff"))
        if board.image is None:
            board.image = new_image(board.sizes.storage, self._files())
        self._slots()[:] = board.slots
        self._flash()[:] = board.image
        board.work = self.work = mend(self._device.mcu, service.box.unique_id)
        self.work.on_cut = self._cut
        self.laptop = UsbHost(self._device, service.box.usb)
        self._mirrored = 0
        self._batches = 0
        self._power_on()

    def _emulator(self) -> Any:
        from rp2040py.boards import BOARDS, resolve_firmware
        from rp2040py.device import MicroPythonDevice
        from rp2040py.rp2040 import RP2040

        spec = BOARDS[self._board.name]
        from tests.support.pico.clocks import chip_with_clock

        chip: Any = partial(chip_with_clock, RP2040)
        extras = (*spec.extras, lambda: self.parts)
        if self._box.radio is not None:
            extras = tuple(on_air(extra, self._box.radio.point) for extra in extras)
        spec = dataclasses.replace(spec, mcu=chip, extras=extras)
        return MicroPythonDevice(board=resolve_firmware(spec, "micropython", str(self._board.uf2)))

    def _power_on(self) -> None:
        from rp2040py.memory_map import FLASH_START_ADDRESS

        mcu = self._device.mcu
        if self._box.reset_cause != PWRON_RESET:
            mcu.watchdog._reason = _WATCHDOG_TIMER
        mcu.timer._epoch_nanos = -1000 * self._box.up_us  # ticks begin there
        mcu.watchdog.on_watchdog_trigger = self._reset
        mcu.watchdog.write_uint32 = partial(self._to_watchdog, mcu.watchdog.write_uint32)
        mcu.core.pc = FLASH_START_ADDRESS
        if self._board.name not in _WITH_RADIO:  # else nobody uses PIO, and looking costs a fifth
            mcu.pio = ()

    def _files(self) -> dict[str, bytes]:
        files = {}
        folder = self._box.flash.folder
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                name = path.relative_to(folder).as_posix()
                files[f"{self.storage}/{name}"] = path.read_bytes()
        return files

    def _flash(self) -> memoryview:
        """The file system."""
        view: memoryview = self._device.mcu.flash[self._board.sizes.storage_at :]
        return view[: self._board.sizes.storage]

    def _slots(self) -> memoryview:
        view: memoryview = self._device.mcu.flash[self._board.sizes.slots_at :]
        return view[: self._board.sizes.slots]

    # -- an engine

    def run(self) -> str:
        raise NotImplementedError  # there is no thread here

    def resume(self) -> None:
        from rp2040py.execute_batch import execute_batch

        simulator = self._device.simulator
        simulator.stopped = False
        self._board.up_ms -= self.up_ms
        self.parts.follow()
        while not simulator.stopped and self.outcome is None:
            self.laptop.exchange()
            execute_batch(simulator, _TICK_BATCH)
            if self._loop is not None:
                self._carry(self._loop)
        self._board.up_ms += self.up_ms
        self.laptop.exchange()
        if self.outcome is not None:
            self._keep_flash()
        self._mirror()

    def _carry(self, loop: asyncio.AbstractEventLoop) -> None:
        """Now and then: what has come from the network, and what leaves the box."""
        self._batches += 1
        if self._batches % _BATCHES_A_LOOK == 0:
            loop.call_soon(loop.stop)
            loop.run_forever()

    def pause(self) -> None:
        self._device.simulator.stopped = True

    def kill(self) -> None:
        if self.outcome is None:
            self._keep_flash()
        self._mirror()
        self.outcome = engine.CUT

    def _to_watchdog(self, write: Callable[[int, int], None], offset: int, value: int) -> None:
        write(offset, value)
        if offset == _WATCHDOG_LOAD:
            self.on_fed()

    def _reset(self) -> None:
        mcu = self._device.mcu
        self.outcome, self.report = engine.RESET, f"watchdog, reason {mcu.watchdog._reason}"
        self.pause()

    def _cut(self) -> None:
        self._keep_flash()
        self.outcome = engine.CUT
        self.pause()

    def _keep_flash(self) -> None:
        self._board.slots = bytearray(self._slots())
        self._board.image = bytearray(self._flash())

    def _mirror(self) -> None:
        """The folder shows what is on the flash."""
        if self._mirrored == self.work.operations:
            return
        self._mirrored = self.work.operations
        folder = self._box.flash.folder
        image = bytearray(self._flash()) if self.outcome is None else self._board.image
        assert image is not None
        files = files_in(image, self.storage)
        for path in folder.iterdir():
            if path.is_file() and path.name not in files:
                path.unlink()
        for name, data in files.items():
            path = folder / name
            if not path.exists() or path.read_bytes() != data:
                path.write_bytes(data)

    # -- what can be seen from outside

    def heap(self) -> Heap:
        """What a collection at this instant would leave."""
        return heap_of(self._device.mcu)

    def torn(self, start: int, old: bytes, part: float) -> bytearray:
        """The file system as a power cut in this moment leaves it, `part` of an operation done
        (`FlashWork.on_work`).
        """
        image = bytearray(self._flash())
        undo(image, start - self._board.sizes.storage_at, old, part)
        return image

    @property
    def up_ms(self) -> float:
        """Milliseconds since power-on."""
        return float(self._device.simulator.clock.nanos) / 1_000_000
