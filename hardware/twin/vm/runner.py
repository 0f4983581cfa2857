"""Runs the box's firmware in MicroPython's UNIX port: what `runner.mjs` is for the WebAssembly VM.

Arguments: numbers of the pipe out and of the pipe back, folder of the shim, µs a call costs,
storage folder, entry, and where in memory the flash for code lies, and its size. Messages as in
`runner.mjs`. The loader (firmware/port) chooses among the slots, as on a box; another
entry than its own is taken from the first one.
"""

import gc
import struct
import sys

import uctypes
from micropython import const

_PROGRAM = "firmware.main:turns"
_REQUEST = "<8i"
_REQUEST_BYTES = const(32)
_ANSWER_BYTES = const(48)  # the result, and eleven words of bridge.py's state
_STATE_BYTES = const(44)
_SPENT_AT = const(12)  # of the state, in bytes
_FED_AT = const(44)
# As `main.py` of a build sets it, times what objects are wider here (docs/decisions/memory.md)
_COLLECT_EVERY = const(98304)

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any


class Pipes:
    """`request` and `share` of `bridge.py` over two pipes."""

    def __init__(self, out: int, back: int) -> None:
        self._out: "Any" = open(out, "wb")
        self._back: "Any" = open(back, "rb")
        self._head = bytearray(_REQUEST_BYTES)
        self._answer = bytearray(_ANSWER_BYTES)
        self._words = memoryview(self._answer)[_ANSWER_BYTES - _STATE_BYTES :]
        self._state: "Any" = bytearray(_STATE_BYTES + 4)

    def share(self, address: int) -> None:
        """The bridge's state words lie at `address`."""
        self._state = memoryview(uctypes.bytearray_at(address, _STATE_BYTES + 4))

    def request(
        self, op: int, a: int, b: int, c: int, address: int, length: int, into: int
    ) -> int:
        """One exchange; returns the result."""
        state = self._state
        spent = struct.unpack_from("<i", state, _SPENT_AT)[0]
        fed = struct.unpack_from("<i", state, _FED_AT)[0]
        struct.pack_into("<i", state, _FED_AT, 0)
        struct.pack_into(_REQUEST, self._head, 0, op, a, b, c, spent, fed, into, length)
        self._out.write(self._head)
        if length and not into:
            self._out.write(uctypes.bytearray_at(address, length))
        self._read(self._answer)
        state[:_STATE_BYTES] = self._words
        size = struct.unpack_from("<i", state, _SPENT_AT)[0]
        struct.pack_into("<i", state, _SPENT_AT, 0)
        if size:
            self._read(uctypes.bytearray_at(address, size))
        return int(struct.unpack_from("<i", self._answer)[0])

    def _read(self, buffer: "Any") -> None:
        if self._back.readinto(buffer) != len(buffer):
            sys.exit(1)  # the twin is gone


def main(arguments: "list[str]") -> None:
    """Boot, and play until the firmware ends or this process is killed: the power cut."""
    out, back, shim, cpu_us, storage, entry, address, size = arguments
    sys.path.insert(0, shim)
    from hardware.twin.vm.boot import Boot

    # with slots.py and loader.py, as `main.py` of the image finds them
    sys.path[:] = [shim + "/firmware/app", shim + "/firmware/port"]
    pipes = Pipes(int(out), int(back))
    boot = Boot(pipes.request, pipes.share, int(cpu_us), storage)
    from hardware.twin.vm.code import BoxVfs

    sys.modules["vfs"] = BoxVfs(boot.bridge, int(address), int(size))  # type: ignore[assignment]
    gc.collect()
    gc.threshold(_COLLECT_EVERY)  # type: ignore[attr-defined]
    if boot.start(_loader(entry, storage)):
        while boot.turn():
            pass


def _loader(entry: str, storage: str) -> str:
    """The entry that starts what is asked for."""
    import loader  # type: ignore[import-not-found]
    import slots  # type: ignore[import-not-found]

    sys.path[:] = [".frozen"]  # an empty path makes MicroPython forget what is loaded
    if entry == _PROGRAM:
        begin = loader.best_turns
        loader.turns = lambda: begin(storage, sys.modules["machine"])
        return "loader:turns"
    sys.path.insert(0, "/" + slots.SLOTS[0])
    loader.mount(slots.SLOTS[0], slots.code_flash(), storage + loader.DEV)
    del sys.modules["slots"], sys.modules["loader"]
    return entry


main(sys.argv[1:])
