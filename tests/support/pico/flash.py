"""The flash of an emulated Pico: its busy times, power cuts in the middle of its work, and its
file system as folders of this machine.

rp2040py's flash is done at once. A real one keeps the chip waiting, interrupts off, so that a tap
takes more than twice as long.
"""

import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from littlefs import LittleFS, LittleFSError, UserContext
from rp2040py.clock.simulation_clock import SimulationClock
from rp2040py.peripherals import ssi

from firmware.app.slots import SECTOR as BLOCK
from host_tools.box.firmware.image import GEOMETRY, PAGE

ERASED = 0xFF
# W25Q16JV data sheet, 9.6, typical: sector erase (4 kB), block erase (64 kB), page program
ERASE_NS = 45_000_000
ERASE_64K_NS = 150_000_000
PROGRAM_NS = 400_000
_READ_UNIQUE_ID = 0x4B
_DUMMY_BYTES = 4  # behind the command, before the id
_FOLDER = 2  # LFS_TYPE_DIR
_BUSY_NS = {
    ssi.CMD_SECTOR_ERASE: ERASE_NS,
    ssi.CMD_BLOCK_ERASE: ERASE_64K_NS,
    ssi.CMD_PAGE_PROGRAM: PROGRAM_NS,
}


@dataclass
class FlashWork:
    """What the flash has done since power-on, and when it shall lose its power: in the operation
    with the number `cut_at`, after `part` of it (0 before, 1 behind it); `on_cut` is called then.
    `on_work` is called in every operation, with where it began and what lay there before.
    """

    erases: int = 0
    programs: int = 0
    cut_at: int = -1
    part: float = 0.5
    on_cut: Callable[[], None] = lambda: None
    on_work: Callable[[int, bytes], None] = lambda start, old: None

    @property
    def operations(self) -> int:
        return self.erases + self.programs


class BusyFlash(ssi.RPSSI):
    """The flash behind the chip's SSI, with its times, its number, and a plug to be pulled."""

    work: FlashWork
    unique_id: bytes

    def _shift_byte(self, byte_out: int) -> int:
        answer = super()._shift_byte(byte_out)
        place = len(self._tx_buffer) - 1 - _DUMMY_BYTES - 1
        if self._tx_buffer[0] == _READ_UNIQUE_ID and 0 <= place < len(self.unique_id):
            return self.unique_id[place]
        return answer

    def _apply_command(self) -> None:
        command = self._tx_buffer[0] if self._tx_buffer else 0
        busy_ns = _BUSY_NS.get(command, 0)
        if not busy_ns or not self._write_enabled:
            super()._apply_command()
            return
        start, old = self._page()
        super()._apply_command()
        self.work.on_work(start, old)
        if self.work.operations == self.work.cut_at:
            undo(self.rp2040.flash, start, old, self.work.part)
            self.work.on_cut()
        if command == ssi.CMD_PAGE_PROGRAM:
            self.work.programs += 1
        else:
            self.work.erases += 1
        clock: Any = self.rp2040.clock
        SimulationClock.tick(clock, busy_ns)  # whatever the chip's speed

    def _page(self) -> tuple[int, bytes]:
        """What the command may change, and where it begins."""
        size = {ssi.CMD_PAGE_PROGRAM: PAGE, ssi.CMD_SECTOR_ERASE: BLOCK}.get(
            self._tx_buffer[0], ssi.FLASH_BLOCK_SIZE
        )
        start = self._address_from_buffer() & ~(size - 1)
        return start, bytes(self.rp2040.flash[start : start + size])


def undo(flash: bytearray, start: int, old: bytes, part: float) -> None:
    """Of an operation at `start`, `part` was done when the power went: the rest is as of old."""
    done = int(len(old) * part)
    flash[start + done : start + len(old)] = old[done:]


def mend(rp2040: Any, unique_id: bytes) -> FlashWork:
    """Give the flash of an emulated chip its times and its number."""
    flash = rp2040.ssi
    flash.__class__ = BusyFlash
    flash.unique_id = unique_id
    flash.work = work = FlashWork()
    return work


# -- the file system on it


def new_image(size: int, files: dict[str, bytes]) -> bytearray:
    """A freshly formatted file system of so many bytes with these files, by their paths."""
    image = bytearray([ERASED]) * size
    _file_system(image).format()
    put_files(image, files)
    return image


def put_files(image: bytearray, files: dict[str, bytes]) -> None:
    """Write files, by their paths, to a flash that is formatted."""
    fs = _file_system(image)
    fs.mount()
    for path, data in files.items():
        fs.makedirs(str(Path(path).parent), exist_ok=True)
        with fs.open(path, "wb") as file:
            file.write(data)


def _file_system(image: bytearray) -> LittleFS:
    context = UserContext(buffer=image)
    return LittleFS(context=context, mount=False, block_count=len(image) // BLOCK, **GEOMETRY)


def files_in(image: bytes | bytearray, folder: str) -> dict[str, bytes]:
    """The files that lie directly in a folder of the flash, by their names; none without it."""
    context = UserContext(buffer=bytearray(image))
    fs = LittleFS(context=context, block_count=len(image) // BLOCK, **GEOMETRY)
    try:
        names = fs.listdir(folder)
    except (FileNotFoundError, LittleFSError):
        return {}
    paths = {name: f"{folder}/{name}" for name in names}
    files = {name: path for name, path in paths.items() if fs.stat(path).type != _FOLDER}
    return {name: _read(fs, path) for name, path in files.items()}


def _read(fs: LittleFS, path: str) -> bytes:
    with fs.open(path, "rb", buffering=io.DEFAULT_BUFFER_SIZE) as file:
        return bytes(file.read())
