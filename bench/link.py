"""Figures of the link: how much of the line a sync fills, and what bad lines take."""

import hashlib
import json
import tempfile
from pathlib import Path

from bench.figure import Figure
from bench.journal import HEADER, step
from firmware.app.flash import Flash
from host_tools.box.link import BoxLink, LinkLost
from host_tools.box.sync import BoxSync, list_matches
from host_tools.sim.memory_files import MemoryFiles
from host_tools.store import open_store
from host_tools.store.store import Store
from tests.support.bad_line import BadLine, LineFaultRates
from tests.support.memory_box import MemoryBox, MemoryPort, play

# bytes a second, and the pause between a question and its answer
LINES = {
    "UART at 115200 baud": (11_520, 0.002),
    "USB serial at 200 kB/s": (200_000, 0.002),
}
MATCHES = 10
COMMANDS = 120
GOAL = 80.0


class CountingPort(MemoryPort):
    """Counts bytes and turns of the line."""

    def __init__(self, box: MemoryBox) -> None:
        super().__init__(box)
        self.bytes = 0
        self.turns = 0

    def write(self, data: bytes) -> object:
        self.bytes += len(data)
        self.turns += 1
        return super().write(data)

    def read(self, size: int = 1) -> bytes:
        data = super().read(size)
        self.bytes += len(data)
        return data


def measure(syncs: int = 10_000) -> list[Figure]:
    """Throughput of a sync of ten matches, and losses of many syncs over bad lines."""
    journal_bytes, wire_bytes, turns = count_sync()
    figures = []
    for name, (rate, pause_s) in LINES.items():
        filled = 100 * journal_bytes / (wire_bytes + turns * pause_s * rate)
        goal = f"≥ {GOAL:.0f} %"
        title = f"sync: journal bytes of the line, {name}"
        figures.append(Figure(title, filled, "%", goal, filled >= GOAL))
    lost, doubled, faults = sync_badly(syncs)
    return [
        *figures,
        Figure("sync: over a bad line", syncs, "syncs"),
        Figure("  faults put on the line", faults, ""),
        Figure("  matches lost or changed", lost, "", "0", lost == 0),
        Figure("  matches stored twice", doubled, "", "0", doubled == 0),
    ]


def count_sync() -> tuple[int, int, int]:
    """Fetch and confirm ten matches: (bytes of journals, bytes on the line, turns of the line)."""
    with tempfile.TemporaryDirectory() as folder:
        box = MemoryBox(Flash(folder))
        for _ in range(MATCHES):
            box.journal.open_match(HEADER)
            for n in range(COMMANDS):
                box.journal.append(*step(n))
            box.journal.close(json.dumps({"result": {"over": True}}))
        port = CountingPort(box)
        return _fetch_all(BoxLink(port)), port.bytes, port.turns


def _fetch_all(link: BoxLink) -> int:
    link.hello()
    total = 0
    for entry in list(list_matches(link)):
        raw, line, end = b"", 0, False
        while not end:
            reply = link.records(entry.number, line)
            raw += b"".join(text + b"\n" for text in reply["lines"])
            line, end = reply["next"], reply["end"]
        link.request("confirm", match=entry.number, digest=hashlib.sha256(raw).hexdigest())
        total += len(raw)
    return total


def sync_badly(syncs: int) -> tuple[int, int, int]:
    """So many syncs, each of one new match over its own bad line: (lost, doubled, faults)."""
    with tempfile.TemporaryDirectory() as folder:
        files = MemoryFiles()
        box = MemoryBox(files)
        store = open_store(str(Path(folder) / "schiri.db"))
        faults = 0
        lost = 0
        for number in range(1, syncs + 1):
            box.journal.make_room(1 << 60)  # the confirmed ones are done with
            play(box.journal)
            kept = files.contents[f"m{number:06d}.end"]
            faults += _until_done(box, store, number)
            match = store.match(number)
            lost += match is None or match.journal != kept
        stored = len(store.matches())
        store.close()
    return lost, max(0, stored - syncs), faults


def _until_done(box: MemoryBox, store: Store, seed: int) -> int:
    """Begin again until a sync comes to its end; returns the faults on the way."""
    faults = 0
    for attempt in range(1000):
        line = BadLine(box.port(), LineFaultRates(), 1000 * seed + attempt)
        try:
            job = BoxSync(BoxLink(line), store, lambda *_: None)
            job.greet()
            list(job.matches())
            return faults + line.faults
        except LinkLost:
            faults += line.faults
            box.wire.to_laptop.clear()
    return faults
