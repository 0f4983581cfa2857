"""Two halls cut off from their league, and joined again: nothing may be lost, nothing doubled.

    python -m bench.two_halls --minutes 10

Each hall has its boxes, a Mosquitto whose bridge hands on to the league's, and a `schiri hall`
that stores and confirms; the league has a Mosquitto and `schiri hall --league`. All are processes
with the files that `schiri hall setup` writes; the boxes are here. During the cut the halls play
on. At the end the flash of each box is compared with the stores of its hall and of the league, and
any difference makes the exit code 1.
"""

import argparse
import asyncio
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from bench.figure import Figure, print_figures
from host_tools.cards.keys import KeyRing, LeagueKey, save_keys
from host_tools.core.errors import Exit
from host_tools.core.supervisor import end_tasks
from host_tools.hall import protocol
from host_tools.hall.mosquitto import CONF, League, write_setup
from host_tools.store import open_store
from host_tools.web.serving import LOOPBACK
from tests.processes import free_port
from tests.support import programs
from tests.support.air_box import RecordedBox, recorded_hand

KEY = bytes(range(32))
HALLS = ("north", "south")
BOXES = 3
PATIENCE_S = 60.0
"""So long the league may take after the line is back."""
LOOK_S = 0.2
FAULTS = ("no-league", "no-bridge")
"""`no-league`: the receiver of the league asks as that of a hall does, not for what a hall has
confirmed; `no-bridge`: the line stays cut.
"""


class LeagueLine:
    """The line from a hall to the league, which can be cut."""

    def __init__(self, to: int) -> None:
        self._to = to
        self._cut = False
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> int:
        """Its port."""
        self._server = await asyncio.start_server(self._come, LOOPBACK, 0)
        return int(self._server.sockets[0].getsockname()[1])

    def cut(self) -> None:
        """Nothing passes any more."""
        self._cut = True
        for task in self._tasks:
            task.cancel()

    def join(self) -> None:
        """It carries again."""
        self._cut = False

    async def close(self) -> None:
        self._server.close()
        await end_tasks(*self._tasks)

    async def _come(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        ends = [writer]
        try:
            if not self._cut:
                other, back = await asyncio.open_connection(LOOPBACK, self._to)
                ends.append(back)
                await asyncio.gather(_carry(reader, back), _carry(other, writer))
        except (OSError, asyncio.CancelledError):
            pass  # cut, or one side has hung up
        finally:
            self._tasks.discard(task)
            for end in ends:
                end.close()


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(1 << 16):
        writer.write(data)
        await writer.drain()
    raise ConnectionResetError


@dataclass
class TwoHalls:
    """What came out. `missed`: matches that the league lacked when the cut ended; `kept_back`:
    those that a hall had not confirmed by then.
    """

    played: int = 0
    missed: int = 0
    kept_back: int = 0
    lost: dict[str, int] = field(default_factory=dict)
    """Store -> matches of its boxes that it lacks, or has otherwise."""
    doubled: int = 0
    joined_s: float = float("nan")
    """From the line being back to the league having all of it."""

    def is_right(self) -> bool:
        """True if every promise was kept, and the cut was one."""
        return not (self.kept_back or self.doubled or any(self.lost.values())) and self.missed > 0


def _begin(
    stack: ExitStack,
    folder: Path,
    port: int,
    boxes: list[str],
    words: list[str],
    above: League | None,
) -> None:
    """A broker and a receiver with its store, in a folder."""
    leagues = {protocol.league_id(KEY): KEY}
    write_setup(folder, leagues, boxes, LOOPBACK, port=port, halls=HALLS, league=above)
    mosquitto = [programs.mosquitto() or "mosquitto", "-c", str(folder / CONF)]
    stack.enter_context(programs.program(mosquitto, folder / "log"))
    programs.wait_for(port)
    at = ["--broker", f"mqtt://{LOOPBACK}:{port}", "--desk-port", "0", "--health", "0"]
    hall = programs.schiri(["hall", "--db", str(folder / "hall.db"), *at, *words])
    keys = str(folder.parent / "keys.json")
    stack.enter_context(programs.program(hall, folder / "log", SCHIRI_KEYS=keys))


async def run(
    cut_s: float, boxes: int = BOXES, pause_s: float = 0.05, fault: str = ""
) -> TwoHalls:
    """Play, cut, play on, join, compare."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        save_keys(KeyRing([LeagueKey("bench", KEY)]), folder / "keys.json")
        port = free_port()
        words = [] if fault == "no-league" else ["--league"]
        _begin(stack, folder / "league", port, [], words, None)
        lines, halls = [LeagueLine(port) for _ in HALLS], dict[str, list[RecordedBox]]()
        for name, line in zip(HALLS, lines, strict=True):
            own = free_port()
            above = League(LOOPBACK, await line.open(), False, name)
            ids = [f"{name}{number}" for number in range(boxes)]
            _begin(stack, folder / name, own, ids, [], above)
            halls[name] = [RecordedBox(box, KEY, own, table=n + 1) for n, box in enumerate(ids)]
        everybody = [box for hall in halls.values() for box in hall]
        tasks = [asyncio.create_task(box.run()) for box in everybody]
        try:
            return await _play(folder, halls, lines, cut_s, pause_s, fault)
        finally:
            await end_tasks(*tasks)
            for line in lines:
                await line.close()


async def _play(
    folder: Path,
    halls: dict[str, list[RecordedBox]],
    lines: list[LeagueLine],
    cut_s: float,
    pause_s: float,
    fault: str,
) -> TwoHalls:
    found = TwoHalls()
    everybody = [box for hall in halls.values() for box in hall]
    over = asyncio.Event()

    async def play_on(box: RecordedBox) -> None:
        while not over.is_set():
            await box.play(recorded_hand(), pause_s)
            await asyncio.sleep(pause_s)

    playing = [asyncio.create_task(play_on(box)) for box in everybody]
    # all is well at first
    await until(lambda: bool(_stored(folder / "league")))
    for line in lines:
        line.cut()
    await asyncio.sleep(cut_s)
    over.set()
    await asyncio.gather(*playing)
    # the halls need nobody: their boxes are rid of every match while the line is down
    await until(lambda: not any(box.unconfirmed for box in everybody))
    found.kept_back = sum(box.unconfirmed for box in everybody)
    truth = {name: digests_of(boxes) for name, boxes in halls.items()}
    everything = sum(truth.values(), Counter[str]())
    found.played = everything.total()
    found.missed = (everything - _stored(folder / "league")).total()
    for line in lines:
        if fault != "no-bridge":
            line.join()
    begun = time.monotonic()
    if await until(lambda: not everything - _stored(folder / "league")):
        found.joined_s = time.monotonic() - begun
    await asyncio.sleep(LOOK_S)
    stored = _stored(folder / "league")
    found.lost = {name: (flash - _stored(folder / name)).total() for name, flash in truth.items()}
    found.lost["league"] = (everything - stored).total()
    found.doubled = (stored - everything).total()
    return found


async def until(holds: Callable[[], bool]) -> bool:
    """False if it did not in `PATIENCE_S`."""
    deadline = time.monotonic() + PATIENCE_S
    while not (done := await asyncio.to_thread(holds)) and time.monotonic() < deadline:
        await asyncio.sleep(LOOK_S)
    return done


def digests_of(boxes: list[RecordedBox]) -> Counter[str]:
    """The digests of all finished matches, as the boxes have them."""
    return Counter(sha256(raw).hexdigest() for box in boxes for raw in box.journals().values())


def stored_in(db: str) -> Counter[str]:
    """The same, as a store has them: every row counts, whatever it was judged."""
    store = open_store(db)
    try:
        return Counter(match.digest for match in store.matches())
    finally:
        store.close()


def _stored(folder: Path) -> Counter[str]:
    return stored_in(str(folder / "hall.db"))


def figures(found: TwoHalls) -> list[Figure]:
    """As the page of measurements has them."""
    return [
        Figure("matches played", found.played, ""),
        Figure(
            "  not at the league when the line came back",
            found.missed,
            "",
            "> 0",
            found.missed > 0,
        ),
        Figure(
            "  not confirmed by their hall meanwhile",
            found.kept_back,
            "",
            "0",
            not found.kept_back,
        ),
        *(Figure(f"lost: {name}", lost, "", "0", not lost) for name, lost in found.lost.items()),
        Figure("doubled", found.doubled, "", "0", not found.doubled),
        Figure("line back → all of it at the league", found.joined_s, "s"),
    ]


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.two_halls", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--boxes", type=int, default=BOXES, help="in each hall")
    parser.add_argument("--pause", type=float, default=1.0, help="seconds between two cards")
    parser.add_argument("--fault", choices=FAULTS, default="", help="a deliberate one")
    chosen = parser.parse_args()
    programs.end_in_order()
    before = os.getloadavg()[0]
    found = asyncio.run(run(chosen.minutes * 60, chosen.boxes, chosen.pause, chosen.fault))
    print_figures(figures(found), before)
    if not found.is_right():
        raise SystemExit(Exit.CHECK)


if __name__ == "__main__":
    main()
