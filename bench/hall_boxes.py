"""Boxes of a live hall, each the real app in a MicroPython of its own with a robot at its table.

    python -m bench.hall_boxes --count 16 --broker 127.0.0.1:1883 --seconds 60

prints what they took; `Boxes` is for benches that cut their power meanwhile. Only the sockets are
the machine's: reader, buttons and display are stand-ins (box_programs/hall_box.py).
"""

import argparse
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from firmware.app.flash import Flash
from firmware.app.settings import Settings
from host_tools.box.firmware.build import BOX_FOLDER, build
from host_tools.sim.table.box_setup import set_up
from tests.support.box_programs import PROGRAMS

_PROGRAM = PROGRAMS / "hall_box.py"
_HEAP = 1_500_000  # bytes: what a verdict costs of it is proved elsewhere (tests/chip)
_MICROPYTHON = (sys.executable, "-m", "micropython_unix", "-X", f"heapsize={_HEAP}")
_MB = 1 << 20
_START = 'if __name__ == "__main__":'


class Boxes:
    """`count` boxes below `folder`; nothing runs before `start`."""

    def __init__(
        self,
        folder: Path,
        count: int,
        broker: tuple[str, int],
        *,
        think_ms: int = 1000,
        assigned: bool = False,
        jury: bool = False,
        patch: str = "",
    ) -> None:
        """`jury`: they call it now and then. `patch`: a fault that the boxes have, as Python that
        is put into their copy of the program.
        """
        self.folder = folder
        self.ids = [f"e6614c311b{number + 1:06x}" for number in range(count)]
        self._broker = broker
        self._think_ms = think_ms
        self._assigned = assigned
        self._jury = jury
        self._running: dict[int, subprocess.Popen[bytes]] = {}
        self._used_s = 0.0
        """Seconds of processor time of those whose plug was pulled."""
        self._tree = folder / "tree"
        if importlib.util.find_spec("micropython_unix") is None:
            raise SystemExit("MicroPython's UNIX port is missing: run `make setup`.")
        build(folder / "build")
        shutil.copytree(folder / "build" / BOX_FOLDER, self._tree)
        program = _PROGRAM.read_text(encoding="utf8")
        (self._tree / _PROGRAM.name).write_text(_patched(program, patch), encoding="utf8")
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

    def start(self, number: int, *, assigned: bool | None = None) -> None:
        """Power on; `assigned`: not as all the others."""
        host, port = self._broker
        waits = self._assigned if assigned is None else assigned
        mode = [*(["assigned"] if waits else []), *(["jury"] if self._jury else [])]
        words = [str(self.storage(number)), self.ids[number], host, str(port)]
        with (self.folder / f"box{number:04}.log").open("ab") as said:
            self._running[number] = subprocess.Popen(
                [*_MICROPYTHON, "hall_box.py", *words, str(self._think_ms), *mode],
                cwd=self._tree,
                env={**os.environ, "MICROPYPATH": f"{self._tree}:.frozen"},
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
            )

    def cut(self, number: int) -> None:
        """The plug is pulled."""
        self._used_s += self._cost([self._running[number]])[0]
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
        """What a box has said."""
        return (self.folder / f"box{number:04}.log").read_text(encoding="utf8")

    def cost(self) -> tuple[float, float]:
        """Seconds of processor time since they started, and MB that only they hold, of all."""
        seconds, size = self._cost(self._running.values())
        return seconds + self._used_s, size

    def _cost(self, running: "Iterable[subprocess.Popen[bytes]]") -> tuple[float, float]:
        seconds, size = 0.0, 0
        for process in running:
            try:
                words = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
                rollup = Path(f"/proc/{process.pid}/smaps_rollup").read_text()
            except OSError:
                continue
            seconds += (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
            private = [line for line in rollup.splitlines() if line.startswith("Private")]
            size += sum(1024 * int(line.split()[1]) for line in private)
        return seconds, size / _MB


def _patched(program: str, patch: str) -> str:
    return program.replace(_START, f"{patch}\n{_START}") if patch else program


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=16)
    parser.add_argument("--broker", default="127.0.0.1:1883")
    parser.add_argument("--think-ms", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--assigned", action="store_true", help="wait for the desk's matches")
    parser.add_argument("--folder", type=Path)
    asked = parser.parse_args()
    host, _, port = asked.broker.rpartition(":")
    folder = asked.folder or Path(tempfile.mkdtemp(prefix="schiri-hall-"))
    boxes = Boxes(
        folder, asked.count, (host, int(port)), think_ms=asked.think_ms, assigned=asked.assigned
    )
    try:
        for number in range(asked.count):
            boxes.start(number)
        begun = time.monotonic()
        before, _size = boxes.cost()
        time.sleep(asked.seconds)
        used, size = boxes.cost()
        passed = time.monotonic() - begun
        lines = [boxes.log(number).count("\n") for number in range(asked.count)]
        report = {
            "boxes": asked.count,
            "ended": boxes.ended(),
            "records_a_second": round(sum(lines) / passed, 1),
            "fewest_records": min(lines),
            "processors": round((used - before) / passed, 2),
            "mb_each": round(size / asked.count, 1),
        }
    finally:
        boxes.stop()
        if asked.folder is None:
            shutil.rmtree(folder, ignore_errors=True)
    print(json.dumps(report))


if __name__ == "__main__":
    main()
