"""Each part of a league and its public site is killed in turn while boxes play: how long until the
next verdict is on the public board, and whether anything is lost or doubled.

    python -m bench.killed --receivers 3

Mosquitto, PostgreSQL with its replica, several `schiri hall`, the site's desk and nginx are
processes with the files of deploy/; the boxes are here, one in the share of each receiver. What is
killed is started again after two seconds, as a supervisor does; a receiver that is `hung`
(SIGSTOP) wakes after eight. At the end the flash of each box is compared with the store.
"""

import argparse
import asyncio
import os
import re
import signal
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import psycopg
from host_tools.store.receivers import owner

from bench.figure import Figure, print_figures
from bench.two_halls import digests_of, stored_in, until
from host_tools.cards.keys import KeyRing, LeagueKey, save_keys
from host_tools.core.errors import Exit
from host_tools.core.supervisor import end_tasks
from host_tools.hall import protocol
from host_tools.hall.mosquitto import CONF, write_setup
from host_tools.web.serving import LOOPBACK
from tests.processes import begin, free_port
from tests.support import programs
from tests.support.air_box import RecordedBox, cards_laid, recorded_hand
from tests.support.hall_day import open_day

KEY = bytes(range(32))
PROGRAMS = ("broker", "replica", "desk", "cache")
KINDS = ("broker", "receiver", "hung", "database", "replica", "desk", "cache")
DOWN_S, HUNG_S = 2.0, 8.0
LAID = 6
"""So many cards lie before something is killed."""
GOAL_S = 10.0
LIMIT_S = 60.0
LOOK_S = 0.1


@dataclass
class KilledRun:
    """What came out. `seen_s`: by what was killed, for each box from there to its next verdict on
    the public board.
    """

    seen_s: dict[str, list[float]] = field(default_factory=dict)
    played: int = 0
    lost: int = 0
    doubled: int = 0
    kept_back: int = 0

    def is_right(self) -> bool:
        """True if every promise was kept."""
        late = [taken for taken in self.seen_s.values() if max(taken) > GOAL_S]
        return self.played > 0 and not (self.lost or self.doubled or self.kept_back or late)


class _Site:
    """All programs; each can be killed, and is started again with the same words."""

    def __init__(self, stack: ExitStack, folder: Path, receivers: int) -> None:
        folder.chmod(0o755)
        save_keys(KeyRing([LeagueKey("bench", KEY)]), folder / "keys.json")
        self.server = stack.enter_context(programs.postgres_server())
        open_day(self.server.uri, 16, receivers).close()
        replica = stack.enter_context(programs.replica_folder())
        broker, desk, self.port = (free_port() for _ in range(3))
        places = tuple(range(receivers))
        names = [_box_of(place, places) for place in places]
        self.boxes = [RecordedBox(name, KEY, broker, table=n) for n, name in enumerate(names, 1)]
        write_setup(folder, {protocol.league_id(KEY): KEY}, names, LOOPBACK, port=broker)
        self._begin: dict[str, Callable[[], subprocess.Popen[bytes]]] = {}
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        stack.callback(self._end)
        uri = programs.replica_uri(replica)
        words = ["desk", "--db", uri, "--port", str(desk), "--no-boxes", "--behind-proxy"]
        words += ["--users", str(folder / "users.json")]
        mosquitto = [programs.mosquitto() or "mosquitto", "-c", str(folder / CONF)]
        hall = ["hall", "--db", self.server.uri, "--broker", f"mqtt://{LOOPBACK}:{broker}"]
        hall += ["--desk-port", "0", "--health", "0"]
        cache = programs.site_words(desk, self.port, folder)
        self._add("broker", partial(self._program, mosquitto, folder))
        self._add("replica", partial(programs.begin_replica, self.server, replica))
        programs.until_answers(uri)
        self._add("desk", partial(self._program, programs.schiri(words), folder))
        self._add("cache", partial(self._program, cache, folder))
        for place in places:
            self._add(f"receiver {place}", partial(self._program, programs.schiri(hall), folder))
        programs.wait_for(desk)

    def _program(self, words: Sequence[str], folder: Path) -> "subprocess.Popen[bytes]":
        return begin(words, folder / "log", SCHIRI_KEYS=str(folder / "keys.json"))

    def _add(self, name: str, begin: "Callable[[], subprocess.Popen[bytes]]") -> None:
        self._begin[name] = begin
        self._running[name] = begin()

    def _end(self) -> None:
        for process in self._running.values():
            self._signal(process, signal.SIGCONT)
            programs.end(process)

    def _signal(self, process: "subprocess.Popen[bytes]", number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)

    def receiving(self) -> list[str]:
        """Who receives, by the order of their places."""
        names = {process.pid: name for name, process in self._running.items()}
        with psycopg.connect(self.server.uri) as connection:
            rows = connection.execute(
                "SELECT name FROM receivers WHERE ready AND until > clock_timestamp()"
                " ORDER BY place"
            ).fetchall()
        return [names.get(int(name.rpartition(":")[2]), "") for (name,) in rows]

    async def fail(self, kind: str) -> None:
        """It fails, and comes back."""
        if kind == "database":
            await asyncio.to_thread(self.server.end, programs.Postgres.KILL)
            await asyncio.sleep(DOWN_S)
            await asyncio.to_thread(self.server.begin)
            return
        name = kind if kind in PROGRAMS else self.receiving()[0]
        process = self._running[name]
        if kind == "hung":
            self._signal(process, signal.SIGSTOP)
            await asyncio.sleep(HUNG_S)
            self._signal(process, signal.SIGCONT)
            return
        self._signal(process, signal.SIGKILL)  # a master's death does not end nginx's workers
        await asyncio.to_thread(process.wait)
        await asyncio.sleep(DOWN_S)
        self._running[name] = self._begin[name]()

    def shown(self, table: int) -> set[str]:
        """The cards in the steps of a table's public page; none if there is no answer."""
        address = f"http://{LOOPBACK}:{self.port}/table/{table}?lang=en"
        with suppress(OSError), urllib.request.urlopen(address, timeout=2) as page:
            return set(_CARD.findall(page.read().decode().partition('<ol class="steps"')[2]))
        return set()


_CARD = re.compile(r"\b([A-Z]\d{1,2})\b")


def _box_of(place: int, places: tuple[int, ...]) -> str:
    """A box that is in the share of this place."""
    return next(box for n in range(1000) if owner(box := f"b{n:03}", places) == place)


async def _see(site: _Site, box: RecordedBox, since: float) -> float:
    """Seconds from then until a card that was laid later is on the board."""
    deadline = since + LIMIT_S
    while time.monotonic() < deadline:
        shown = await asyncio.to_thread(site.shown, box.table)
        laid = dict(cards_laid(box))
        if shown <= set(laid) and any(laid[card] > since for card in shown):
            return time.monotonic() - since
        await asyncio.sleep(LOOK_S)
    return float("inf")


async def _one(site: _Site, kind: str, pause_s: float) -> list[float]:
    """Everybody plays a match, in which this fails."""
    for box in site.boxes:
        box.sent.clear()
    begun = time.monotonic()
    playing = [asyncio.create_task(box.play(recorded_hand(), pause_s)) for box in site.boxes]
    await until(lambda: all(len(cards_laid(box)) >= LAID for box in site.boxes))
    await asyncio.gather(*(_see(site, box, begun) for box in site.boxes))
    failed = time.monotonic()
    failing = asyncio.create_task(site.fail(kind))
    seen = await asyncio.gather(*(_see(site, box, failed) for box in site.boxes))
    await asyncio.gather(failing, *playing)
    await until(lambda: not any(box.unconfirmed for box in site.boxes))
    await until(lambda: len(site.receiving()) == len(site.boxes))
    return list(seen)


async def run(receivers: int = 2, kinds: Sequence[str] = KINDS, pause_s: float = 0.4) -> KilledRun:
    """One after the other, then the comparison."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        site = await asyncio.to_thread(_Site, stack, folder, receivers)
        tasks = [asyncio.create_task(box.run()) for box in site.boxes]
        found = KilledRun()
        try:
            await until(lambda: len(site.receiving()) == receivers)
            for kind in kinds:
                found.seen_s[kind] = await _one(site, kind, pause_s)
        finally:
            await end_tasks(*tasks)
        truth, stored = digests_of(site.boxes), stored_in(site.server.uri)
        found.played, found.lost = truth.total(), (truth - stored).total()
        found.doubled = (stored - truth).total()
        found.kept_back = sum(box.unconfirmed for box in site.boxes)
        return found


def figures(found: KilledRun) -> list[Figure]:
    """As the page of measurements has them."""
    rows = [
        Figure(
            f"{kind}: next verdict on the public board, slowest",
            slowest,
            "s",
            f"≤ {GOAL_S} s",
            slowest <= GOAL_S,
        )
        for kind, slowest in ((kind, max(seen)) for kind, seen in found.seen_s.items())
    ]
    promises = {"lost": found.lost, "doubled": found.doubled, "not confirmed": found.kept_back}
    rows += [Figure(name, count, "", "0", not count) for name, count in promises.items()]
    return [*rows, Figure("matches played", found.played, "")]


def main() -> None:
    """Run from the command line; exit code 1 if something was missed."""
    parser = argparse.ArgumentParser(prog="python -m bench.killed", description=__doc__)
    parser.add_argument("--receivers", type=int, default=2)
    parser.add_argument("--only", default=",".join(KINDS), help="what is killed, by name")
    chosen = parser.parse_args()
    programs.end_in_order()
    before = os.getloadavg()[0]
    found = asyncio.run(run(chosen.receivers, chosen.only.split(",")))
    print_figures(figures(found), before, digits=3)
    if not found.is_right():
        raise SystemExit(Exit.CHECK)


if __name__ == "__main__":
    main()
