"""A new firmware over the USB link: into the slot that nobody uses, checked, then on trial.

Requests (docs/link.md): `update` tells the state, `update_begin` names the firmware that comes,
signed where the box wants it (`update_check.py`), `update_data` brings its bytes, `update_finish`
checks the whole slot and restarts the box. Every one may be repeated. A cable that is pulled or a
power cut leaves the running slot as it was; with the power on, the next try goes on where the
cable was pulled. No update while a match is open.
"""

import binascii
import hashlib

from micropython import const

from .link import RequestError
from .slots import SECTOR, record_of
from .update_check import BUILD_DIGITS

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .slots import CodeFlash, Slots
    from .update_check import UpdateCheck

PAGE = const(256)  # bytes that the flash programs at once
_ERASE = const(6)  # MP_BLOCKDEV_IOCTL_BLOCK_ERASE


class SlotWriter:
    """`running` is the slot in use; `feed()` keeps the watchdog quiet while a slot is checked."""

    def __init__(
        self,
        slots: "Slots",
        running: str,
        in_match: "Callable[[], bool]",
        feed: "Callable[[], None]",
        check: "UpdateCheck",
    ) -> None:
        self._slots = slots
        self._running = running
        self._in_match = in_match
        self._feed = feed
        self._check = check
        held = slots.flash.holds(running) if slots.flash is not None and running else None
        if held is not None:
            check.build = binascii.hexlify(held[1]).decode()[:BUILD_DIGITS]
        self._coming: "tuple[str, int, str] | None" = None  # slot, bytes, SHA-256
        self._have = 0  # bytes of it
        self.handlers = {
            "update": self._tell,
            "update_begin": self._begin,
            "update_data": self._take_data,
            "update_finish": self._finish,
        }

    def step(self) -> None:
        """Once in a turn of the loop, while no match is open."""
        self._check.step()

    # -- requests -------------------------------------------------------------------------

    def _tell(self, request: "dict[str, Any]") -> "dict[str, Any]":
        state = self._slots.state
        flash = self._slots.flash
        told = {
            "running": self._running,
            "trusted": state.good,
            "trial": state.trial,
            "failed": state.failed,
            "slot": self._slots.free_slot(self._running),
            "room": 0 if flash is None else flash.slot_bytes - SECTOR,
        }
        told.update(self._check.told())
        return told

    def _begin(self, request: "dict[str, Any]") -> "dict[str, Any]":
        """`have` tells how many bytes of this very firmware are there. Before its signature is
        checked nothing is changed.
        """
        flash, slot = self._target()
        size, digest = request["size"], request["sha256"]
        if not 0 < size <= flash.slot_bytes - SECTOR:
            raise RequestError("bad_update", "no firmware of %d bytes has room" % size)
        if not self._check.allows(request):
            return {"checking": 1}
        if self._coming != (slot, size, digest):
            self._coming = (slot, size, digest)
            self._have = 0
            if flash.holds(slot) == (size, binascii.unhexlify(digest)):
                self._have = size if self._digest(flash, slot, size) == digest else 0
        if self._have < size:
            self._erase(flash, slot, flash.slot_bytes - SECTOR)
        return {"have": self._have}

    def _take_data(self, request: "dict[str, Any]") -> "dict[str, Any]":
        flash, slot = self._target()
        data = binascii.a2b_base64(request["data"].encode())
        offset = request["offset"]
        if self._coming is None or self._coming[0] != slot:
            raise RequestError("bad_update", "no update has begun")
        if self._have == offset and offset + len(data) <= self._coming[1]:
            self._program(flash, slot, offset, data)
            self._have += len(data)
        elif self._have != offset + len(data):  # else: the same piece, asked twice
            raise RequestError("bad_update", "%d bytes are there; begin anew" % self._have)
        return {"have": self._have}

    def _finish(self, request: "dict[str, Any]") -> "dict[str, Any]":
        """The slot holds what was announced: whole now, and tried from the next boot on."""
        flash, slot = self._target()
        coming = self._coming
        if coming is None or coming[0] != slot or coming[2] != request["sha256"]:
            raise RequestError("bad_update", "another firmware was sent")
        size, digest = coming[1:]
        if not self._check.is_allowed(digest):
            raise RequestError("no_signature", "a desk has enrolled this box meanwhile")
        if self._have < size or self._digest(flash, slot, size) != digest:
            self._coming = None
            raise RequestError("bad_update", "the firmware is not as it was sent")
        if flash.holds(slot) is None:
            record = record_of(size, binascii.unhexlify(digest))
            self._program(flash, slot, flash.slot_bytes - SECTOR, record)
        self._slots.begin_trial(slot)
        return {"trial": slot}

    # -- inside ---------------------------------------------------------------------------

    def _target(self) -> "tuple[CodeFlash, str]":
        """The flash and the slot in it that may be written. RequestError if none may."""
        if self._in_match():
            raise RequestError("in_match", "a match is open; finish it before the update")
        flash = self._slots.flash
        if flash is None:
            raise RequestError("no_slots", "this MicroPython is not ours")
        slot = self._slots.free_slot(self._running)
        if not slot:
            raise RequestError("on_trial", "the firmware is still on trial; wait ten seconds")
        return flash, slot

    def _erase(self, flash: "CodeFlash", slot: str, offset: int) -> None:
        flash.device.ioctl(_ERASE, (flash.start(slot) + offset) // SECTOR)

    def _program(self, flash: "CodeFlash", slot: str, offset: int, data: bytes) -> None:
        """Write `data`, whose `offset` is that of a page. A sector is erased at its begin."""
        if offset % SECTOR == 0:
            self._erase(flash, slot, offset)
        at = flash.start(slot) + offset
        whole = data + b"\xff" * (-len(data) % PAGE)
        flash.device.writeblocks(at // SECTOR, whole, at % SECTOR)
        if bytes(flash.memory[at : at + len(data)]) != data:
            self._coming = None
            raise RequestError("flash", "the flash does not keep what is written")

    def _digest(self, flash: "CodeFlash", slot: str, size: int) -> str:
        start = flash.start(slot)
        whole = hashlib.sha256()
        for at in range(start, start + size, SECTOR):
            self._feed()
            whole.update(flash.memory[at : min(at + SECTOR, start + size)])
        return binascii.hexlify(whole.digest()).decode()
