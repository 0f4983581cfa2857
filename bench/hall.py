"""The live hall: from a verdict on a box to the viewers of the board, with 16 to 1 024 tables.

Mosquitto, PostgreSQL, `schiri hall` and `schiri desk` are processes of their own, as in a large
hall; the boxes (recorded matches, `air_box`) are one more, the 500 viewers are here. A box plays
a card every three seconds. Two pages of the board are in a real Chromium.

`python -m bench.hall 16 64` measures these alone.
"""

import asyncio
import gzip
import json
import multiprocessing
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, AsyncExitStack, suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from pathlib import Path

from bench import pixels
from bench.board import BoardViewer
from bench.figure import Figure
from host_tools.cards.keys import KeyRing, LeagueKey, save_keys
from host_tools.core.supervisor import end_tasks
from host_tools.hall import protocol
from host_tools.hall.mosquitto import write_setup
from host_tools.store import open_store
from host_tools.web.connections import allow_many_files
from host_tools.web.serving import LOOPBACK
from tests.processes import free_port
from tests.support import programs
from tests.support.air_box import RecordedBox, recorded_hand
from tests.support.hall_day import open_day

KEY = bytes(range(32))
TABLES = (16, 64, 256, 1024)
VIEWERS = 500
PROBES = 8
"""So many tables are timed, each by a viewer of its own page."""
CARDS = 12
PAUSE_S = 3.0
MEDIAN_S, SLOWEST_S = 0.5, 2.0
WITH_GOAL = 256
_STEP = b"<li><time>"


SCREENS = ("tables", "overlay?table=1")
"""Pages whose pixels are timed."""


def measure(counts: Sequence[int] = TABLES) -> list[Figure]:
    """One hall after the other; needs Mosquitto, and Chromium for the pixels."""
    if programs.mosquitto() is None:
        return [Figure("Mosquitto is not installed: nothing was measured", 0, "")]
    allow_many_files()
    figures: list[Figure] = []
    for tables in counts:
        figures += _figures(tables, _run(tables))
    return figures


@dataclass
class Run:
    """What came out with so many tables."""

    times_s: list[float] = field(default_factory=list)
    pixels_s: dict[str, list[float]] = field(default_factory=dict)
    """Page -> until each card stood on its screen."""
    received_s: list[float] = field(default_factory=list)
    """Until the hall had it."""
    cpu: dict[str, float] = field(default_factory=dict)
    memory: dict[str, float] = field(default_factory=dict)
    pushed: dict[tuple[str, int], float] = field(default_factory=dict)
    """(box, line) -> when it was pushed (monotonic)."""
    lost: int = 0
    sent: int = 0


def _figures(tables: int, run: Run) -> list[Figure]:
    figures = _times("verdict → in a viewer's stream", run.times_s, tables)
    for page, times in run.pixels_s.items():
        figures += _times(f"verdict → pixels of /{page}", times, tables)
    figures += [
        Figure("  until the hall had it, median", statistics.median(run.received_s or [0]), "s"),
        Figure("  lines sent", run.sent, ""),
        Figure("  of them not arrived", run.lost, "", "0", run.lost == 0),
    ]
    for program, share in run.cpu.items():
        figures.append(Figure(f"  {program}: share of a processor", share * 100, "%"))
        figures.append(Figure(f"  {program}: memory", run.memory[program], "MB"))
    return [replace(figure, case=f"{tables} tables") for figure in figures]


def _times(what: str, times: Sequence[float], tables: int) -> list[Figure]:
    known = times or [float("nan")]
    rows = (
        (f"{what}, median", statistics.median(known), MEDIAN_S),
        (f"{what}, slowest", max(known), SLOWEST_S),
    )
    goal = f" up to {WITH_GOAL} tables" if tables <= WITH_GOAL else ""
    return [
        Figure(name, value, "s", goal and f"≤ {most} s{goal}", value <= most if goal else None)
        for name, value, most in rows
    ] + [Figure(f"{what}, timed", len(times), "")]


def _run(tables: int) -> Run:
    with tempfile.TemporaryDirectory() as name, programs.postgres() as db:
        folder = Path(name)
        save_keys(KeyRing([LeagueKey("bench", KEY)]), folder / "keys.json")
        boxes = [f"b{number:04}" for number in range(tables)]
        broker_port, desk_port = free_port(), free_port()
        open_day(db, 16, min(tables, 16)).close()
        write_setup(folder, {protocol.league_id(KEY): KEY}, boxes, LOOPBACK, port=broker_port)
        broker = f"mqtt://{LOOPBACK}:{broker_port}"
        desk = ["desk", "--db", db, "--port", str(desk_port), "--no-boxes"]
        desk += ["--users", str(folder / "users.json")]
        mosquitto = [programs.mosquitto() or "mosquitto", "-c", str(folder / "mosquitto.conf")]
        hall = ["hall", "--db", db, "--broker", broker, "--desk-port", "0"]
        with (
            _running(mosquitto, folder) as broker_process,
            _running(programs.schiri(hall), folder) as hall_process,
            _running(programs.schiri(desk), folder) as desk_process,
        ):
            programs.wait_for(desk_port)
            pids = {
                "broker": broker_process.pid,
                "hall": hall_process.pid,
                "desk": desk_process.pid,
                "database": programs.postmaster(db),
            }
            return _play(tables, broker_port, desk_port, pids, db)


def _running(words: list[str], folder: Path) -> "AbstractContextManager[subprocess.Popen[bytes]]":
    return programs.program(words, folder / "log", SCHIRI_KEYS=str(folder / "keys.json"))


def _play(tables: int, broker_port: int, desk_port: int, pids: dict[str, int], db: str) -> Run:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    boxes = context.Process(target=_boxes, args=(tables, broker_port, theirs), daemon=True)
    boxes.start()
    try:
        run = asyncio.run(_watch(tables, desk_port, pids, ours, boxes.pid or 0))
        run.lost = _missing(db, tables, run)
        return run
    finally:
        boxes.terminate()
        boxes.join()


def _missing(db: str, tables: int, run: Run) -> int:
    """Lines that never came into the store: header, `begin` and cards of every table."""
    store = open_store(db)
    deadline = time.monotonic() + 10  # what the issue allows after the last repair
    wanted = tables * (CARDS + 1)
    while (have := len(store.live.lines())) < wanted and time.monotonic() < deadline:
        time.sleep(0.2)
    ahead = time.time() - time.monotonic()
    for line in store.live.lines():
        sent = run.pushed.get((line.box, line.line))
        if sent is not None:
            run.received_s.append(line.at.timestamp() - ahead - sent)
    store.close()
    return wanted - have


# -- the boxes, in a process of their own ---------------------------------------------------------


def _boxes(tables: int, port: int, pipe: Connection) -> None:
    allow_many_files()
    asyncio.run(_play_all(tables, port, pipe))


async def _play_all(tables: int, port: int, pipe: Connection) -> None:
    # a box counts tables up to 999
    boxes = [
        RecordedBox(f"b{n:04}", KEY, port, table=n + 1 if n < 999 else 0) for n in range(tables)
    ]
    runs = []
    for box in boxes:
        runs.append(asyncio.create_task(box.run()))
        await asyncio.sleep(0.01)
    while not all(box.client for box in boxes):
        await asyncio.sleep(0.1)
    pipe.send("ready")
    await asyncio.to_thread(pipe.recv)
    begun = time.monotonic()

    async def play(number: int, box: RecordedBox) -> None:
        await asyncio.sleep(number / tables * PAUSE_S)
        await box.play(recorded_hand(), PAUSE_S, CARDS)

    await asyncio.gather(*(play(number, box) for number, box in enumerate(boxes)))
    pipe.send((time.monotonic() - begun, [box.sent for box in boxes]))
    await asyncio.to_thread(pipe.recv)


# -- the viewers ----------------------------------------------------------------------------------


async def _watch(
    tables: int, desk_port: int, pids: dict[str, int], pipe: Connection, boxes: int
) -> Run:
    assert await asyncio.to_thread(pipe.recv) == "ready"
    await asyncio.sleep(3)  # every box has said hello
    probes = [_Probe(n + 1) for n in range(min(PROBES, tables))]
    tasks = [asyncio.create_task(probe.listen(desk_port)) for probe in probes]
    for number in range(VIEWERS - len(probes) - len(SCREENS)):
        path = "/tables?lang=de" if number % 2 else "/?lang=de"
        tasks.append(asyncio.create_task(_read(desk_port, path)))
        await asyncio.sleep(0.004)
    run = Run(sent=tables * (CARDS + 1))
    pids = {**pids, "the boxes, simulated": boxes, "the viewers": os.getpid()}
    async with AsyncExitStack() as stack:
        screens: list[pixels.BoardPage] = []
        if pixels.program() is not None:
            pages = [f"http://{LOOPBACK}:{desk_port}/{page}" for page in SCREENS]
            screens, pids["the browser"] = await stack.enter_async_context(pixels.screens(pages))
        await asyncio.sleep(2)
        sent = await _play_through(run, pids, pipe)
        ahead = time.time() - time.monotonic()
        for name, screen in zip(SCREENS, screens, strict=False):
            run.pixels_s[name] = _painted(await screen.steps(), sent, ahead)
    await end_tasks(*tasks)
    pipe.send("end")
    for number, probe in enumerate(probes):
        run.pushed |= {(f"b{number:04}", line): at for (_, line), at in sent[number].items()}
        for card, at in _cards(sent[number]):
            seen = probe.first_with(card)
            run.times_s += [] if seen is None else [seen - at]
    return run


async def _play_through(
    run: Run, pids: dict[str, int], pipe: Connection
) -> list[dict[tuple[int, int], float]]:
    """When each box sent its lines; what the programs cost meanwhile."""
    before = {name: programs.cpu_s(pid) for name, pid in pids.items()}
    started = time.monotonic()
    pipe.send("play")
    _, sent = await asyncio.to_thread(pipe.recv)
    await asyncio.sleep(3)
    passed = time.monotonic() - started
    for name, pid in pids.items():
        run.cpu[name] = (programs.cpu_s(pid) - before[name]) / passed
        run.memory[name] = programs.memory_mb(pid)
    return list(sent)


def _cards(sent: dict[tuple[int, int], float]) -> list[tuple[str, float]]:
    """The cards that a box laid, each once in its match, and when (monotonic)."""
    steps = recorded_hand().steps
    return [
        (json.loads(steps[line - 1][0])["card"], at)
        for (_, line), at in sent.items()
        if line >= 2  # behind the header and `begin`
    ]


def _painted(
    steps: dict[int, list[tuple[str, float]]],
    sent: list[dict[tuple[int, int], float]],
    ahead: float,
) -> list[float]:
    """From each card to the screen, where the step names it. `ahead`: unix time of monotonic 0."""
    found = []
    for table, read in steps.items():
        for card, at in _cards(sent[table - 1]):
            names = re.compile(rf"\b{card}\b")
            seen = next((time for text, time in read if names.search(text)), None)
            found += [] if seen is None else [seen - ahead - at]
    return found


class _Probe:
    """A viewer of one table's page: when each new step was seen."""

    def __init__(self, table: int) -> None:
        self._path = f"/table/{table}?lang=de"
        self.seen: list[tuple[float, bytes]] = []

    def first_with(self, card: str) -> float | None:
        """When a step with this card was seen; None if it never was."""
        step = re.compile(rb"<li><time>[^<]*</time>[^<]*\b" + card.encode() + rb"\b")
        return next((at for at, text in self.seen if step.search(text)), None)

    async def listen(self, port: int) -> None:
        viewer = await BoardViewer.connect(port, self._path)
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                await viewer.renewed()
                text = gzip.decompress(viewer.page) if viewer.page else b""
                if _STEP in text:
                    self.seen.append((time.monotonic(), text))
        await viewer.close()


async def _read(port: int, path: str) -> None:
    """A viewer who only takes what comes."""
    viewer = await BoardViewer.connect(port, path)
    with suppress(asyncio.IncompleteReadError, ConnectionError):
        while True:
            await viewer.renewed()


if __name__ == "__main__":
    for figure in measure([int(word) for word in sys.argv[1:]] or TABLES):
        print(f"{figure.what}: {figure.value:.3g} {figure.unit} {figure.goal}")
