"""Which firmware boots: two slots, and a new one is on trial until it has proved itself.

The image freezes a copy of this file beside its loader (firmware/port), so it imports nothing of
ours. The slots are two halves of a piece of flash that the processor reads as memory: each holds
a file system of modules which run where they lie. `updating.py` writes them, and never the slot
that runs, nor the one that is trusted.

    trusted ──trial()──► on trial, 2 boots ──confirm() after some healthy seconds──► trusted
                              └── cannot be imported, or both boots end in a reset ──► the old one

Without slots (`firmware/` on the path) the loader imports what there is.
"""

import binascii
import os
import struct
from collections import namedtuple

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any, NamedTuple, Protocol

    class StateFiles(Protocol):
        """The storage folder, as two files need it; `flash.Flash` has it. Raises OSError."""

        def names(self) -> "list[str]": ...
        def open(self, name: str, mode: str) -> Any: ...
        def sync(self, file: Any) -> None: ...
        def remove(self, name: str) -> None: ...

    class State(NamedTuple):
        """Trusted slot, slot on trial, boots it has left, slot that failed last; "" for none."""

        good: str
        trial: str
        boots: int
        failed: str

else:
    State = namedtuple("State", ("good", "trial", "boots", "failed"))

SLOTS = ("fw-a", "fw-b")
SECTOR = const(4096)  # bytes that the flash erases at once
# The last sector of a slot: magic, bytes of the firmware at its begin, their SHA-256, and the
# CRC-32 of all that. Written last, erased first: a slot without it is not whole.
RECORD = "<4sI32sI"
MAGIC = b"SRI1"
TRIAL_BOOTS = const(2)  # the second in case somebody pulls the plug during the first
_NONE = "-"

# What an import or a step can die of: everything but what is meant, and what ends a generator or
# the program (Ctrl-C, SystemExit). tests/app/test_faults.py holds it against MicroPython's list.
FAULTS = (
    ImportError,
    SyntaxError,
    ValueError,
    TypeError,
    AttributeError,
    NameError,
    LookupError,
    ArithmeticError,
    RuntimeError,
    AssertionError,
    StopIteration,
    EOFError,
    MemoryError,
    OSError,
)


class TwoFiles:
    """A short text that survives a power cut while it changes: two files, written in turn.

    Line in a file: crc32 generation text. The good file with the higher generation counts.
    """

    def __init__(self, flash: "StateFiles", name: str) -> None:
        self._flash = flash
        self._names = (name + ".0", name + ".1")
        self._generation = 0

    def is_there(self) -> bool:
        """True once something was stored, readable or not."""
        names = self._flash.names()
        return self._names[0] in names or self._names[1] in names

    def load(self) -> "str | None":
        """The text stored last, or None if there is none that can be read."""
        best = None
        for name in self._names:
            generation, text = self._read(name)
            if generation > self._generation or (text is not None and best is None):
                self._generation = generation
                best = text
        return best

    def store(self, text: str) -> None:
        """Write over the older file and sync. Raises OSError; then the last text stays, and what a
        full flash did not take is no file.
        """
        body = b"%d %s" % (self._generation + 1, text.encode())
        name = self._names[(self._generation + 1) % 2]
        file = self._flash.open(name, "wb")
        try:
            file.write(b"%08x %s" % (binascii.crc32(body), body))
            self._flash.sync(file)
        except OSError:
            try:
                file.close()  # tries to write once more
            finally:
                self._flash.remove(name)
            raise
        file.close()
        self._generation += 1

    def _read(self, name: str) -> "tuple[int, str | None]":
        if name not in self._flash.names():
            return 0, None
        file = self._flash.open(name, "rb")
        try:
            data = file.read()
        finally:
            file.close()
        body = data[9:]
        if data[:9] != b"%08x " % binascii.crc32(body):
            return 0, None
        generation, text = body.split(b" ", 1)
        return int(generation), text.decode()


class CodeFlash:
    """The flash that holds both slots. `device` is MicroPython's block device of it (`ioctl`,
    `writeblocks`), `memory` the same as the processor reads it.
    """

    def __init__(self, device: "Any", memory: "memoryview") -> None:
        self.device = device
        self.memory = memory
        self.slot_bytes = len(memory) // len(SLOTS)

    def start(self, slot: str) -> int:
        """Where a slot begins, in bytes."""
        return SLOTS.index(slot) * self.slot_bytes

    def holds(self, slot: str) -> "tuple[int, bytes] | None":
        """Size and SHA-256 of the firmware in a slot; None if it is not whole."""
        at = self.start(slot) + self.slot_bytes - SECTOR
        record = bytes(self.memory[at : at + struct.calcsize(RECORD)])
        magic, size, digest, check = struct.unpack(RECORD, record)
        if magic != MAGIC or check != binascii.crc32(record[:-4]):
            return None
        return int(size), digest


def record_of(size: int, digest: bytes) -> bytes:
    """What makes a slot whole: of a firmware of so many bytes with this SHA-256."""
    record = struct.pack(RECORD, MAGIC, size, digest, 0)[:-4]
    return record + struct.pack("<I", binascii.crc32(record))


def code_flash() -> "CodeFlash | None":
    """The board's, or None where MicroPython is not ours."""
    try:
        import vfs

        device = vfs.rom_ioctl(2, 0)  # the first piece of ROM (docs.micropython.org, vfs)
    except (ImportError, AttributeError):
        return None
    return CodeFlash(device, memoryview(device)) if hasattr(device, "writeblocks") else None


class Slots:
    """The state of the two slots, kept in `slot.0` and `slot.1`. `flash` is None where there are
    none.
    """

    def __init__(self, disk: "StateFiles", flash: "CodeFlash | None") -> None:
        self._text = TwoFiles(disk, "slot")
        self.flash = flash
        self.state = _parse(self._text.load())

    def begin_trial(self, slot: str) -> None:
        """The next boots try `slot`, which is whole and checked."""
        self._store(State(self.state.good, slot, TRIAL_BOOTS, ""))

    def confirm(self, running: str) -> None:
        """The firmware in `running` has worked for some seconds: it is trusted from now on."""
        if running and (self.state.trial == running or not self.state.good):
            self._store(State(running, "", 0, ""))

    def give_up(self) -> None:
        """The slot on trial does not come up: back to the trusted one."""
        self._store(State(self.state.good, "", 0, self.state.trial))

    def choose(self) -> "list[str]":
        """Slots to try in this boot, best first; "" is none. Uses up one boot of a trial."""
        state = self.state
        flash = self.flash
        found = [slot for slot in SLOTS if flash is not None and flash.holds(slot) is not None]
        trusted = [state.good] if state.good else [slot for slot in found if slot != state.failed]
        order = [slot for slot in found if slot in trusted]
        if state.trial in found and state.boots > 0:
            self._store(State(state.good, state.trial, state.boots - 1, ""))
            order = [state.trial] + [slot for slot in order if slot != state.trial]
        elif state.trial:
            self.give_up()
        order.append("")
        return order + [slot for slot in found if slot not in order]

    def free_slot(self, running: str) -> str:
        """The slot that an update may write: neither running nor trusted."""
        for slot in SLOTS if self.flash is not None else ():
            if slot not in (running, self.state.good):
                return slot
        return ""  # the running one is not the trusted one: its trial must end first

    def _store(self, state: "State") -> None:
        good, trial = state.good or _NONE, state.trial or _NONE
        self._text.store("%s %s %d %s" % (good, trial, state.boots, state.failed or _NONE))
        self.state = state


def _parse(text: "str | None") -> "State":
    """A text that makes no sense (another firmware's) counts as none."""
    words = (text or "").split(" ")
    if len(words) != 4 or not words[2].isdigit():
        return State("", "", 0, "")
    good, trial, failed = [
        word if word in SLOTS else "" for word in (words[0], words[1], words[3])
    ]
    return State(good, trial, int(words[2]), failed)


def running_slot(path: str) -> str:
    """The slot in the path of a module's file, or "" outside of them."""
    for slot in SLOTS:
        if path.startswith("/" + slot + "/"):
            return slot
    return ""


class StorageDisk:
    """`StateFiles` on the box: the storage folder `root`."""

    def __init__(self, root: str) -> None:
        self._root = root + "/"

    def names(self) -> "list[str]":
        """Names in the storage folder; none if it is missing."""
        try:
            return list(os.listdir(self._root[:-1]))
        except OSError:
            return []  # a new flash: nothing was ever stored

    def open(self, name: str, mode: str) -> "Any":
        """A binary file."""
        return open(self._root + name, mode)

    def sync(self, file: "Any") -> None:
        """littlefs's own; a laptop's disk does not matter here."""
        file.flush()

    def remove(self, name: str) -> None:
        os.remove(self._root + name)
