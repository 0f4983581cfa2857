"""Which firmware boots: two slots, and a new one is on trial until it has proved itself.

A copy of this file lies beside `main.py` on the flash root and starts the firmware (`best_turns`),
so it imports nothing of ours. The slots are folders below the storage folder, written by
`updating.py`. An update never touches the slot that runs, nor the one that is trusted.

    trusted ──trial()──► on trial, 2 boots ──confirm() after some healthy seconds──► trusted
                              └── cannot be imported, or both boots end in a reset ──► the old one

Without slots (a frozen firmware, `firmware/` on the root) the loader imports what there is.
"""

import binascii
import os
import sys
from collections import namedtuple

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, NamedTuple, Protocol

    class StateFiles(Protocol):
        """What two files in turn need of a file system; `flash.Flash` has it."""

        def names(self) -> "list[str]": ...
        def open(self, name: str, mode: str) -> Any: ...
        def sync(self, file: Any) -> None: ...

    class Disk(StateFiles, Protocol):
        """The storage folder with the slots in it; paths are relative. Raises OSError."""

        def listing(self, folder: str) -> "list[str]": ...
        def size(self, path: str) -> int: ...
        def remove(self, path: str) -> None: ...
        def mkdir(self, path: str) -> None: ...
        def rmdir(self, path: str) -> None: ...

    class State(NamedTuple):
        """Trusted slot, slot on trial, boots it has left, slot that failed last; "" for none."""

        good: str
        trial: str
        boots: int
        failed: str

else:
    State = namedtuple("State", ("good", "trial", "boots", "failed"))

SLOTS = ("fw-a", "fw-b")
LIST = (
    "files.txt"  # in a slot: "sha256 size path" of its files, one a line; there last, gone first
)
TRIAL_BOOTS = const(2)  # the second in case somebody pulls the plug during the first
_WATCHDOG_MS = const(8000)  # the RP2040 allows 8388; a damaged .mpy may hang the interpreter
_NONE = "-"
_PACKAGES = ("firmware", "card_tags")
_FOLDER = const(0x4000)  # in st_mode

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
        """Write over the older file and sync. Raises OSError; then the last text stays."""
        body = b"%d %s" % (self._generation + 1, text.encode())
        file = self._flash.open(self._names[(self._generation + 1) % 2], "wb")
        try:
            file.write(b"%08x %s" % (binascii.crc32(body), body))
            self._flash.sync(file)
        finally:
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


class Slots:
    """The state of the two slots, kept in `slot.0` and `slot.1`."""

    def __init__(self, disk: "Disk") -> None:
        self._disk = disk
        self._text = TwoFiles(disk, "slot")
        self.state = _parse(self._text.load())

    def begin_trial(self, slot: str) -> None:
        """The next boots try `slot`, whose files are whole and checked."""
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
        found = [slot for slot in SLOTS if LIST in self._disk.listing(slot)]
        trusted = [state.good] if state.good else [slot for slot in found if slot != state.failed]
        order = [slot for slot in found if slot in trusted]
        if state.trial and state.boots > 0:
            self._store(State(state.good, state.trial, state.boots - 1, ""))
            order = [state.trial] + [slot for slot in order if slot != state.trial]
        elif state.trial:
            self.give_up()
        order.append("")
        return order + [slot for slot in found if slot not in order]

    def free_slot(self, running: str) -> str:
        """The slot that an update may write: neither running nor trusted."""
        for slot in SLOTS:
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
        if "/" + slot + "/" in path:
            return slot
    return ""


# -- the loader; the build leaves it out of the slots ---------------------------------------------


class StorageDisk:
    """`Disk` on the box: the storage folder `root`."""

    def __init__(self, root: str) -> None:
        self._root = root + "/"

    def names(self) -> "list[str]":
        """Names in the storage folder."""
        return self.listing("")

    def listing(self, folder: str) -> "list[str]":
        """Names in a folder; none if it is missing."""
        try:
            return list(os.listdir((self._root + folder).rstrip("/")))
        except OSError:
            return []  # a new flash: nothing was ever stored

    def open(self, name: str, mode: str) -> "Any":
        """A binary file."""
        return open(self._root + name, mode)

    def sync(self, file: "Any") -> None:
        """littlefs's own; a laptop's disk does not matter here."""
        file.flush()

    def size(self, path: str) -> int:
        """Bytes of a file; -1 for a folder."""
        stat = os.stat(self._root + path)
        return -1 if stat[0] & _FOLDER else int(stat[6])

    def remove(self, path: str) -> None:
        os.remove(self._root + path)

    def mkdir(self, path: str) -> None:
        os.mkdir(self._root + path)

    def rmdir(self, path: str) -> None:
        os.rmdir(self._root + path)


def best_turns(storage: str, machine: "Any") -> "Iterator[None]":
    """The turns of the best firmware that can be imported; called by `main.py` on the flash root.

    `machine` is the module. ImportError if there is no firmware.
    """
    sys.modules.pop("slots", None)  # the firmware has this file too: free our copy
    slots = Slots(StorageDisk(storage))
    trial = slots.state.trial
    for slot in slots.choose():
        if slot and slot == trial:
            machine.WDT(timeout=_WATCHDOG_MS)
        module = _load_slot(storage, slot)
        if module is not None:
            return module.turns()  # type: ignore[no-any-return]
        if slot and slot == trial:
            slots.give_up()
    raise ImportError("no firmware can be loaded from " + storage)


def _load_slot(storage: str, slot: str) -> "Any":
    """`firmware.main` from a slot ("": from where there is one), or None if it cannot be imported.

    Why a slot cannot is kept in `crash.txt`: the screen may stay dark.
    """
    if slot:
        sys.path.insert(0, storage + "/" + slot)
    for name in [name for name in sys.modules if name.split(".")[0] in _PACKAGES]:
        del sys.modules[name]  # what a failed slot has left behind
    try:
        return __import__("firmware.main", None, None, ("turns",))
    except FAULTS as fault:
        if slot:
            sys.path.remove(storage + "/" + slot)
            _keep_reason(storage, "%s: %s: %s" % (slot, type(fault).__name__, fault))
        return None


def _keep_reason(storage: str, text: str) -> None:
    try:
        with open(storage + "/crash.txt", "w") as file:
            file.write(text)
    except OSError:
        pass  # the flash may be what is broken
