"""The flash that code runs from, as MicroPython's `vfs.rom_ioctl` hands it out on a Pico: a block
device that is memory, too.

Only on MicroPython's UNIX port, whose process has the twin's file in its memory (in_place.py).
"""

import uctypes
import vfs
from micropython import const

from hardware.twin.vm import ops

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from hardware.twin.vm.bridge import VmBridge

_SECTOR = const(4096)
_ERASE = const(6)  # MP_BLOCKDEV_IOCTL_BLOCK_ERASE
_GET_SEGMENT = const(2)  # MP_VFS_ROM_IOCTL_GET_SEGMENT


class Rom(uctypes.struct):  # type: ignore[misc]  # so that it is memory
    """ports/rp2/rp2_flash.c, for the twin's file."""

    bridge: "VmBridge"

    def ioctl(self, op: int, sector: int) -> int:
        return self.bridge.call(ops.CODE_ERASE, sector) if op == _ERASE else 0

    def writeblocks(self, sector: int, data: "Any", offset: int) -> None:
        self.bridge.send(ops.CODE_PROGRAM, sector * _SECTOR + offset, 0, 0, data)


class BoxVfs:
    """The module `vfs` with the one function that the RP2 port has besides."""

    def __init__(self, bridge: "VmBridge", address: int, size: int) -> None:
        self._rom = Rom(address, {"all": (uctypes.ARRAY, size | uctypes.UINT8)})
        self._rom.bridge = bridge

    def __getattr__(self, name: str) -> "Any":
        return getattr(vfs, name)

    def rom_ioctl(self, op: int, segment: int) -> "Any":
        return self._rom if (op, segment) == (_GET_SEGMENT, 0) else -22
