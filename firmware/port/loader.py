"""The loader: the turns of the best firmware that can be imported. Frozen into the image beside a
copy of `firmware/app/slots.py`, which says what a slot is; a firmware does not bring it along.
"""

import os
import sys

from micropython import const
from slots import FAULTS, Slots, StorageDisk, code_flash  # type: ignore[import-not-found]

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from firmware.app.slots import CodeFlash

DEV = "/dev"  # below the storage folder: files here are taken before those of the slot
_WATCHDOG_MS = const(8000)  # the RP2040 allows 8388; a damaged .mpy may hang the interpreter
_PACKAGES = ("firmware", "card_tags")


def best_turns(storage: str, machine: "Any") -> "Iterator[None]":
    """The turns of the best firmware that can be imported; called by `main.py` of the image.

    `machine` is the module. ImportError if there is no firmware.
    """
    for name in ("slots", "loader"):
        sys.modules.pop(name, None)  # the firmware has the first one too: free our copies
    slots = Slots(StorageDisk(storage), code_flash())
    trial = slots.state.trial
    for slot in slots.choose():
        if slot and slot == trial:
            machine.WDT(timeout=_WATCHDOG_MS)
        module = _load_slot(storage, slot, slots.flash)
        if module is not None:
            return module.turns()  # type: ignore[no-any-return]
        if slot and slot == trial:
            slots.give_up()
    raise ImportError("no firmware can be loaded")


def _load_slot(storage: str, slot: str, flash: "Any") -> "Any":
    """`firmware.main` from a slot ("": from where there is one), or None if it cannot be imported.

    Why a slot cannot is kept in `crash.txt`: the screen may stay dark.
    """
    for name in [name for name in sys.modules if name.split(".")[0] in _PACKAGES]:
        del sys.modules[name]  # what a failed slot has left behind
    try:
        if slot:
            sys.path.insert(0, "/" + slot)
            mount(slot, flash, storage + DEV)
        return __import__("firmware.main", None, None, ("turns",))
    except FAULTS as fault:
        if slot:
            sys.path.remove("/" + slot)
            _keep_reason(storage, "%s: %s: %s" % (slot, type(fault).__name__, fault))
        return None


def mount(slot: str, flash: "CodeFlash", dev: str) -> None:
    """The modules of a slot, as files below "/" + its name. Raises OSError if it holds none."""
    import vfs

    start = flash.start(slot)
    # the stubs are those of MicroPython's own boards, which have no ROM
    files: "Any" = vfs.VfsRom(flash.memory[start : start + flash.slot_bytes])  # type: ignore[attr-defined]
    try:
        os.stat(dev)
        files = Shadowed(files, dev)
    except OSError:
        pass  # nearly always
    vfs.mount(files, "/" + slot)


class Shadowed:
    """A file system whose files give way to those of the same path in the folder `dev`: for people
    who work at the firmware, one module at a time.
    """

    def __init__(self, files: "Any", dev: str) -> None:
        self._files = files
        self._dev = dev

    def mount(self, readonly: bool, mkfs: bool) -> None:
        """Nothing to prepare."""

    def umount(self) -> None:
        """Nothing to give back."""

    def stat(self, path: str) -> "Any":
        try:
            return os.stat(self._dev + path)
        except OSError:
            return self._files.stat(path)

    def open(self, path: str, mode: str) -> "Any":
        try:
            return open(self._dev + path, mode)
        except OSError:
            return self._files.open(path, mode)


def _keep_reason(storage: str, text: str) -> None:
    try:
        with open(storage + "/crash.txt", "w") as file:
            file.write(text)
    except OSError:
        pass  # the flash may be what is broken
