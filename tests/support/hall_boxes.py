"""Boxes of a live hall, each the real app in a MicroPython of its own, with two robots at its
table.

Only the sockets are the machine's: reader, buttons and display are stand-ins
(box_programs/hall_box.py).
"""

import shutil
import subprocess
import sys
from pathlib import Path

from firmware.app.flash import Flash
from firmware.app.settings import Settings
from host_tools.box.firmware.build import BOX_FOLDER, build
from host_tools.sim.table.box_setup import set_up
from tests.processes import begin
from tests.support.box_programs import PROGRAMS

_PROGRAM = PROGRAMS / "hall_box.py"
_HEAP = 1_500_000  # bytes: what a verdict costs of it is proved elsewhere (tests/chip)
_MICROPYTHON = (sys.executable, "-m", "micropython_unix", "-X", f"heapsize={_HEAP}")
_START = 'if __name__ == "__main__":'


class Boxes:
    """`count` boxes below `folder`, which call the jury now and then; nothing runs before `start`.
    `patch`: a fault that they have, as Python that is put into their copy of the program.
    """

    def __init__(
        self, folder: Path, count: int, broker: tuple[str, int], think_ms: int, patch: str = ""
    ) -> None:
        self.folder = folder
        self.ids = [f"e6614c311b{number + 1:06x}" for number in range(count)]
        self._broker = broker
        self._think_ms = think_ms
        self._running: dict[int, subprocess.Popen[bytes]] = {}
        self._tree = folder / "tree"
        build(folder / "build")
        shutil.copytree(folder / "build" / BOX_FOLDER, self._tree)
        program = _PROGRAM.read_text(encoding="utf8")
        patched = program.replace(_START, f"{patch}\n{_START}")
        (self._tree / _PROGRAM.name).write_text(patched, encoding="utf8")
        for number in range(count):
            self.set_up(number, number + 1)

    def set_up(self, number: int, table: int, box: str = "", key: bytes | None = None) -> None:
        """One more flash, or one of the first: for the box `box`, with another league's key."""
        folder = self.storage(number)
        set_up(folder, "de", f"Tisch {table}" if table else f"Gast {number}")
        settings = Settings(Flash(str(folder)))
        settings.set({"table": table})
        if key is not None:
            settings.set_key(key)
        if box:
            self.ids[number:] = [box]

    def storage(self, number: int) -> Path:
        """The flash of a box."""
        return self.folder / f"box{number:04}"

    def start(self, number: int, *, assigned: bool = True) -> None:
        """Power on; `assigned`: its people wait for the matches of the desk."""
        host, port = self._broker
        words = [str(self.storage(number)), self.ids[number], host, str(port), str(self._think_ms)]
        self._running[number] = begin(
            [*_MICROPYTHON, "hall_box.py", *words, "jury", *["assigned"] * assigned],
            self.folder / f"box{number:04}.log",
            folder=self._tree,
            MICROPYPATH=f"{self._tree}:.frozen",
        )

    def cut(self, number: int) -> None:
        """The plug is pulled."""
        process = self._running.pop(number)
        process.kill()
        process.wait()

    def stop(self) -> None:
        """All of them."""
        for number in list(self._running):
            self.cut(number)

    def ended(self) -> list[int]:
        """The boxes whose program has ended by itself: a fault, in its log."""
        return [n for n, process in self._running.items() if process.poll() is not None]

    def log(self, number: int) -> str:
        """What a box has said; nothing before it was first switched on."""
        path = self.folder / f"box{number:04}.log"
        return path.read_text(encoding="utf8") if path.exists() else ""
