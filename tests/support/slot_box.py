"""A box with a trusted firmware in its first slot, and updates for the second: one chip of flash,
whose power can be cut at every operation, with a littlefs for the state and the slots behind it.
"""

import hashlib

from firmware.app.slots import SECTOR, SLOTS, CodeFlash, Slots, record_of
from firmware.app.slots import SECTOR as BLOCK
from firmware.app.updating import Updating
from host_tools.box.link import BoxLink
from host_tools.box.updating import send_slot
from tests.support.memory_box import MemoryBox, MemoryPort
from tests.support.power import ERASED, LittleFlash, Operation, empty_image

OLD, NEW = SLOTS
FILES = 64  # blocks of the file system
SLOT = 6 * SECTOR
PAGE = 256
FIRMWARE_BYTES = 3 * SECTOR + 700
BOARD, VERSION = "pico-1", "0.5.0"


class SlotDisk(LittleFlash):
    """The chip: a file system, and `code`."""

    def __init__(self, image: bytearray) -> None:
        super().__init__(image, FILES)
        self.code = CodeFlash(self, memoryview(self.chip.buffer)[FILES * BLOCK :])

    # -- MicroPython's block device of the slots

    def ioctl(self, op: int, sector: int) -> int:
        assert op == 6
        self.chip.do(Operation(FILES + sector, 0, b""))
        return 0

    def writeblocks(self, sector: int, data: bytes, offset: int) -> None:
        """A page is an operation. Only what is erased may be programmed."""
        assert offset % PAGE == len(data) % PAGE == 0
        for at in range(offset, offset + len(data), PAGE):
            start = (FILES + sector) * BLOCK + at
            assert not self.chip.buffer[start : start + PAGE].strip(bytes([ERASED]))
            page = data[at - offset : at - offset + PAGE]
            self.chip.do(Operation(FILES + sector, at, page))


def firmware(tag: str) -> bytes:
    """A small firmware that ends in the middle of a page."""
    text = f"{tag} " * (FIRMWARE_BYTES // len(tag))
    return text.encode()[:FIRMWARE_BYTES]


def put(disk: SlotDisk, slot: str, rom: bytes) -> None:
    """Lay a firmware into a slot, as an image does."""
    start = FILES * BLOCK + disk.code.start(slot)
    end = start + SLOT - SECTOR
    record = record_of(len(rom), hashlib.sha256(rom).digest())
    disk.chip.buffer[start : start + len(rom)] = rom
    disk.chip.buffer[end : end + len(record)] = record


def whole_firmware(disk: SlotDisk, slot: str) -> str:
    """The first word of the firmware in a slot; AssertionError if it is not as its record says."""
    record = disk.code.holds(slot)
    assert record is not None
    size, digest = record
    start = disk.code.start(slot)
    rom = bytes(disk.code.memory[start : start + size])
    assert hashlib.sha256(rom).digest() == digest
    return rom.split(b" ", 1)[0].decode()


class UpdatingBox(MemoryBox):
    """A box with the update requests; `resets` counts its restarts."""

    def __init__(self, disk: SlotDisk, running: str = OLD) -> None:
        super().__init__(disk)
        self.resets = 0
        self.in_match = False
        self.updating = Updating(disk, disk.code, running, self._reset, lambda: None, self)
        self.updating.about = BOARD, VERSION, b"", None
        self.updating.serve(self.link, self.journal, lambda: self.in_match)

    def _reset(self) -> None:
        self.resets += 1

    def step(self, times: int = 1) -> None:
        for _ in range(times):
            super().step()
            self.updating.step(self.now_ms)


class PulledPort(MemoryPort):
    """The cable is pulled after some transfers."""

    def __init__(self, box: UpdatingBox, transfers: int) -> None:
        super().__init__(box)
        self._left = transfers
        self.pulled = False

    def write(self, data: bytes) -> object:
        self._use()
        return super().write(data)

    def read(self, size: int = 1) -> bytes:
        self._use()
        return super().read(size)

    def _use(self) -> None:
        self._left -= 1
        if self._left < 0:
            self.pulled = True
            raise OSError(5, "pulled")


def slots_of(disk: SlotDisk) -> Slots:
    """As the loader reads them."""
    return Slots(disk, disk.code)


def trusted_box() -> SlotDisk:
    """A disk with the firmware "old" in the first slot, trusted."""
    disk = SlotDisk(empty_image(FILES) + bytearray([ERASED]) * (len(SLOTS) * SLOT))
    put(disk, OLD, firmware("old"))
    slots_of(disk).confirm(OLD)
    disk.chip.operations.clear()
    return disk


def update(
    box: UpdatingBox,
    tag: str = "new",
    port: MemoryPort | None = None,
    signed: dict[str, str] | None = None,
) -> str:
    """A laptop brings a firmware over the link; returns its slot."""
    link = BoxLink(port or box.port(), first_id=0)
    return send_slot(link, firmware(tag), lambda size: None, lambda state: signed or {})
