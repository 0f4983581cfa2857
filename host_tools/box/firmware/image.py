"""A first flash as one UF2 file: our MicroPython, the firmware and an empty file system. Dragged
onto a Pico that was new or had anything on it, it is a box.

    | interpreter | slot fw-a: the firmware | slot fw-b: empty | file system, formatted |

`make image` builds the interpreters (tools/image.py); where there is none, that of an image of
ours serves. Sources: `MICROPY_HW_ROMFS_BASE` of MicroPython's ports/rp2/rp2_flash.c, and the boot
ROMs' own UF2 readers.
"""

import hashlib
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware.app.slots import SECTOR, SLOTS, record_of
from firmware.boards import pico, pico_2, pico_2_w, pico_w
from host_tools.box.firmware.build import Build
from host_tools.core.errors import Exit, UserError
from host_tools.core.own_files import write_whole, written_below

ERASED = b"\xff"
PAGE = 256
"""Bytes that the flash programs at once, and that a block of a UF2 file brings."""
# ports/rp2/modules/_boot.py: progsize=256; extmod/vfs_lfs.c and vfs_lfsx.c: read size 32, a cache
# of four pages, a lookahead of 32 bytes, 100 cycles. The cache bounds what littlefs keeps inside
# a folder's blocks, so a larger one would make files that the box cannot read.
GEOMETRY: dict[str, Any] = {
    "block_size": SECTOR,
    "read_size": 32,
    "prog_size": PAGE,
    "cache_size": 4 * PAGE,
    "lookahead_size": 32,
    "block_cycles": 100,
}
INTERPRETERS = "interpreters"  # in `build`: RPI_PICO….bin
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
class PicoBoard:
    """A Pico, called as MicroPython calls it. The file system lies at the end of the flash, the
    slots before it.
    """

    name: str
    flash: int  # bytes, as the next ones
    slots: int
    storage: int
    family: int

    @property
    def slot_bytes(self) -> int:
        return self.slots // len(SLOTS)

    @property
    def room(self) -> int:
        """Of a slot: what a firmware may have."""
        return self.slot_bytes - SECTOR

    @property
    def slots_at(self) -> int:
        """Where the first slot begins, from the begin of the flash; the interpreter ends there."""
        return self.storage_at - self.slots

    @property
    def storage_at(self) -> int:
        """Where the file system begins, likewise."""
        return self.flash - self.storage


BOARDS = {
    name: PicoBoard(name, made.FLASH_BYTES, made.SLOTS_BYTES, made.STORAGE_BYTES, family)
    for name, made, family in (
        ("RPI_PICO", pico, RP2040),
        ("RPI_PICO_W", pico_w, RP2040),
        ("RPI_PICO2", pico_2, RP2350_ABSOLUTE),
        ("RPI_PICO2_W", pico_2_w, RP2350_ABSOLUTE),
    )
}


def board_of(name: str) -> PicoBoard:
    """The board of that name, in capitals or not. Raises UserError."""
    board = BOARDS.get(name.upper())
    if board is None:
        raise UserError("image_no_board", text=name, boards=", ".join(BOARDS))
    return board


def image_name(built: Build, board: PicoBoard) -> str:
    """How the file is called."""
    return f"schiri-{built.version}-{board.name}.uf2"


def write_image(built: Build, board: PicoBoard, interpreter: bytes, path: Path) -> None:
    """Write a build's UF2 file for a board. Raises UserError."""
    content = uf2(flash_of(built, board, interpreter), board)
    with written_below(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)


def flash_of(built: Build, board: PicoBoard, interpreter: bytes) -> dict[int, bytes]:
    """What a new box has in its flash: sectors by their numbers. The others may hold anything: of
    the file system only what is read of an empty one is there. Raises UserError.
    """
    if len(interpreter) > board.slots_at:
        raise UserError("image_no_room", Exit.CHECK, size=len(interpreter), board=board.name)
    first, second = (board.slots_at + n * board.slot_bytes for n in (0, 1))
    pieces = {
        0: interpreter,
        first: slot_of(built.rom, board),
        second + board.slot_bytes - SECTOR: ERASED * SECTOR,
        board.storage_at: empty_file_system(board),
    }
    return {
        (start + at) // SECTOR: data[at : at + SECTOR].ljust(SECTOR, ERASED)
        for start, data in pieces.items()
        for at in range(0, len(data), SECTOR)
    }


def slot_of(rom: bytes, board: PicoBoard) -> bytes:
    """A whole slot: the firmware, and in the last sector the record that says so
    (firmware/app/slots.py). Raises UserError if it has no room.
    """
    if len(rom) > board.room:
        raise UserError("slot_no_room", Exit.CHECK, size=len(rom), room=board.room)
    record = record_of(len(rom), hashlib.sha256(rom).digest())
    return rom.ljust(board.room, ERASED) + record.ljust(SECTOR, ERASED)


def empty_file_system(board: PicoBoard) -> bytes:
    """The two blocks of a littlefs without files."""
    from littlefs import LittleFS, UserContext

    flash = UserContext(board.storage)
    blocks = board.storage // SECTOR
    settings = {**GEOMETRY, "block_count": blocks, "disk_version": _DISK_VERSION}
    LittleFS(context=flash, mount=False, **settings).format()
    return bytes(flash.buffer[: 2 * SECTOR])


def interpreter_of(path: Path, board: PicoBoard) -> bytes:
    """The interpreter in a UF2 file of ours. Raises UserError for any other file."""
    foreign = UserError("image_not_ours", path=path, board=board.name)
    try:
        image = path.read_bytes()
    except OSError as error:
        raise foreign from error
    found = bytearray(board.slots_at)
    end = 0
    for at in range(0, len(image), _UF2_BLOCK.size):
        block = image[at : at + _UF2_BLOCK.size]
        if len(block) < _UF2_BLOCK.size:
            raise foreign
        start, second, _, address, size, _, _, family, data, last = _UF2_BLOCK.unpack(block)
        if (start, second, last) != _MAGICS or family != board.family:
            raise foreign
        place = address - FLASH_ADDRESS
        # only the interpreter: slots and file system of that image are not wanted
        if place < board.slots_at:
            found[place : place + size] = data[:size]
            end = max(end, place + size)
    if not end:
        raise foreign
    return bytes(found[:end])


def uf2(sectors: dict[int, bytes], board: PicoBoard) -> bytes:
    """The UF2 file of these sectors. Whole sectors, each in sixteen blocks that follow one
    another: the RP2040 erases by the number of a block, not by its address (erratum E14).
    """
    pages = [
        (FLASH_ADDRESS + number * SECTOR + offset, data[offset : offset + PAGE])
        for number, data in sorted(sectors.items())
        for offset in range(0, SECTOR, PAGE)
    ]
    start, second, end = _MAGICS
    return b"".join(
        _UF2_BLOCK.pack(
            *(start, second, _FAMILY_PRESENT, address, PAGE, number, len(pages), board.family),
            *(page, end),
        )
        for number, (address, page) in enumerate(pages)
    )
