"""A box's file system as a UF2 file: dragged onto a Pico that has MicroPython, it is a first flash
without a program on the laptop.

It holds the firmware and nothing else, at the place where that board's MicroPython has its file
system, so whatever was in that file system is gone.

Sources: `MICROPY_HW_FLASH_STORAGE_BYTES` of MicroPython's ports/rp2/boards/*/mpconfigboard.cmake
(until 1.28 mpconfigboard.h; the same since each board is there), `MICROPY_HW_FLASH_STORAGE_BASE`
in its rp2_flash.c (the end of the flash), and the boot ROMs' own UF2 readers.
"""

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware.app.slots import LIST
from firmware.boards import pico, pico_2, pico_2_w, pico_w
from host_tools.box.firmware.build import AIR, BOX_FOLDER, Build, without_air
from host_tools.core.errors import UserError
from host_tools.core.own_files import write_whole, written_below

BLOCK = 4096
"""Bytes of a sector of the flash, and of a block of littlefs."""
PAGE = 256
"""Bytes that the flash programs at once, and that a block of a UF2 file brings."""
# ports/rp2/modules/_boot.py: progsize=256; extmod/vfs_lfs.c and vfs_lfsx.c: read size 32, a cache
# of four pages, a lookahead of 32 bytes, 100 cycles. The cache bounds what littlefs keeps inside
# a folder's blocks, so a larger one would make files that the box cannot read.
GEOMETRY: dict[str, Any] = {
    "block_size": BLOCK,
    "read_size": 32,
    "prog_size": PAGE,
    "cache_size": 4 * PAGE,
    "lookahead_size": 32,
    "block_cycles": 100,
}
FLASH_ADDRESS = 0x1000_0000  # XIP_BASE of both chips
_DISK_VERSION = 0x0002_0001  # LFS2_DISK_VERSION of MicroPython's littlefs since 1.21

# UF2 family ids: RP2040 data sheet 2.8.4.2; RP2350 data sheet 5.5.3. Without a partition table the
# RP2350 takes no family "data" (0xE48BFF58), only "absolute" and those of programs (varm_nsboot.c
# of its boot ROM); and "absolute" needs no block against erratum E10.
RP2040 = 0xE48B_FF56
RP2350_ABSOLUTE = 0xE48B_FF57

# UF2 (github.com/microsoft/uf2): magics, flags, address, payload size, number, count, family; the
# payload in a field of 476 bytes; a magic
_UF2_BLOCK = struct.Struct("<8I476sI")
_MAGICS = (0x0A32_4655, 0x9E5D_5157, 0x0AB1_6F30)
_FAMILY_PRESENT = 0x2000


@dataclass(frozen=True)
class Board:
    """A Pico, called as MicroPython calls it. The file system lies at the end of the flash."""

    name: str
    flash: int  # bytes, as the next one
    storage: int
    family: int

    @property
    def address(self) -> int:
        """Where the file system begins."""
        return FLASH_ADDRESS + self.flash - self.storage

    @property
    def blocks(self) -> int:
        return self.storage // BLOCK

    @property
    def has_radio(self) -> bool:
        return self.name.endswith("_W")


BOARDS = {
    board.name: board
    for board in (
        Board("RPI_PICO", pico.FLASH_BYTES, pico.STORAGE_BYTES, RP2040),
        Board("RPI_PICO_W", pico_w.FLASH_BYTES, pico_w.STORAGE_BYTES, RP2040),
        Board("RPI_PICO2", pico_2.FLASH_BYTES, pico_2.STORAGE_BYTES, RP2350_ABSOLUTE),
        Board("RPI_PICO2_W", pico_2_w.FLASH_BYTES, pico_2_w.STORAGE_BYTES, RP2350_ABSOLUTE),
    )
}


def board_of(name: str) -> Board:
    """The board of that name, in capitals or not. Raises UserError."""
    board = BOARDS.get(name.upper())
    if board is None:
        raise UserError("image_no_board", text=name, boards=", ".join(BOARDS))
    return board


def write_image(built: Build, board: Board, folder: Path) -> Path:
    """Write a build's UF2 file for a board into `folder`; its path. Raises UserError."""
    path = folder / f"schiri-{built.version}-{board.name}.uf2"
    content = uf2(file_system(built, board), board)
    with written_below(path):
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
    return path


def file_system(built: Build, board: Board) -> dict[int, bytes]:
    """The blocks that a littlefs with the build on it is read from, by their numbers.

    What no reader looks at is left out: it may hold anything on the chip, as littlefs erases a
    block before it uses it. Both halves of a folder's pair are looked at, also an erased one.
    """
    from littlefs import LittleFS, UserContext

    flash = UserContext(board.storage)
    # A new one each time: littlefs chooses its blocks by what it has seen since it was mounted
    settings = {**GEOMETRY, "block_count": board.blocks, "disk_version": _DISK_VERSION}
    disk = LittleFS(context=flash, mount=False, **settings)
    disk.format()
    disk.mount()
    files = files_for(built, board)
    for path, data in files.items():
        disk.makedirs(path.rpartition("/")[0] or "/", exist_ok=True)
        with disk.open(path, "wb") as written:
            written.write(data)
    disk.unmount()
    looked_at = _blocks_read(flash.buffer, settings, list(files))
    return {n: bytes(flash.buffer[n * BLOCK : (n + 1) * BLOCK]) for n in sorted(looked_at)}


def files_for(built: Build, board: Board) -> dict[str, bytes]:
    """What a new box of this kind gets, by path."""
    files = {}
    for path, file in built.on_box().items():
        data = (built.folder / BOX_FOLDER / file.path).read_bytes()
        if board.has_radio or file.path not in AIR:
            files[path] = data if board.has_radio or file.path != LIST else without_air(data)
    return files


def _blocks_read(buffer: bytearray, settings: dict[str, Any], paths: list[str]) -> set[int]:
    from littlefs import LittleFS, UserContext

    class Noting(UserContext):
        """Notes what is read."""

        def read(self, cfg: Any, block: int, off: int, size: int) -> bytearray:
            blocks.add(block)
            return super().read(cfg, block, off, size)

    blocks: set[int] = set()
    disk = LittleFS(context=Noting(buffer=buffer), mount=False, **settings)
    disk.mount()
    for path in paths:
        with disk.open(path, "rb") as file:
            file.read()
    return blocks


def uf2(blocks: dict[int, bytes], board: Board) -> bytes:
    """The UF2 file of these blocks. Whole sectors, each in sixteen blocks that follow one another:
    the RP2040 erases by the number of a block, not by its address (erratum E14).
    """
    pages = [
        (board.address + number * BLOCK + offset, data[offset : offset + PAGE])
        for number, data in sorted(blocks.items())
        for offset in range(0, BLOCK, PAGE)
    ]
    start, second, end = _MAGICS
    return b"".join(
        _UF2_BLOCK.pack(
            *(start, second, _FAMILY_PRESENT, address, PAGE, number, len(pages), board.family),
            *(page, end),
        )
        for number, (address, page) in enumerate(pages)
    )
