"""A hall hands on to its league by a Mosquitto bridge. Cut off, it plays on and loses nothing."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from host_tools.cards.keys import KeyRing, LeagueKey, save_keys
from host_tools.core.supervisor import end_tasks
from host_tools.hall import protocol
from host_tools.hall.mosquitto import CONF, League, write_setup
from host_tools.store import open_store
from host_tools.web.serving import LOOPBACK
from tests.processes import LIMIT_S, free_port
from tests.support import programs
from tests.support.air_box import RecordedBox, recorded_hand

KEY = bytes(range(32))
LEAGUES = {protocol.league_id(KEY): KEY}
HALL, BOX = "north", "b1"
COMMANDS = 21
"""Of each match: one is enough to be stored, and many fit into the test."""


@contextmanager
def broker(folder: Path) -> Iterator[None]:
    words = [programs.mosquitto() or "mosquitto", "-c", str(folder / CONF)]
    with programs.program(words, folder / "log"):
        yield


@contextmanager
def receiver(folder: Path, port: int, *words: str) -> Iterator[None]:
    """`schiri hall` with a broker of its own."""
    at = ["--broker", f"mqtt://{LOOPBACK}:{port}", "--desk-port", "0", "--health", "0"]
    command = programs.schiri(["hall", "--db", str(folder / "hall.db"), *at, *words])
    keys = str(folder.parent / "keys.json")
    with programs.program(command, folder / "log", SCHIRI_KEYS=keys):
        yield


def stored(folder: Path) -> Counter[str]:
    """The digests of the matches in a store; every row counts."""
    if not (folder / "hall.db").exists():
        return Counter()
    store = open_store(str(folder / "hall.db"))
    try:
        return Counter(match.digest for match in store.matches())
    finally:
        store.close()


def on_flash(box: RecordedBox) -> Counter[str]:
    return Counter(sha256(raw).hexdigest() for raw in box.journals().values())


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(LIMIT_S):
        while not await asyncio.to_thread(holds):
            await asyncio.sleep(0.1)


def test_a_hall_that_is_cut_off_from_its_league_loses_and_doubles_nothing(
    tmp_path: Path, needs: Callable[[str], str]
) -> None:
    """Real Mosquitto with the files of `schiri hall setup`. The league's stops and comes back:
    meanwhile the hall confirms its box's matches, and the league asks for them afterwards.
    """
    needs("mosquitto")
    save_keys(KeyRing([LeagueKey("test", KEY)]), tmp_path / "keys.json")
    league, hall = tmp_path / "league", tmp_path / HALL
    to, port = free_port(), free_port()
    above = League(LOOPBACK, to, False, HALL)
    write_setup(league, LEAGUES, [], LOOPBACK, port=to, halls=[HALL])
    write_setup(hall, LEAGUES, [BOX], LOOPBACK, port=port, league=above)

    async def play(box: RecordedBox, matches: int) -> None:
        for _ in range(matches):
            await box.play(recorded_hand(COMMANDS), 0.02)
        await until(lambda: not box.unconfirmed)

    async def day() -> None:
        box = RecordedBox(BOX, KEY, port, table=1)
        on_the_air = asyncio.create_task(box.run())
        with broker(league):
            await play(box, 1)
            await until(lambda: stored(league) == on_flash(box))
        await play(box, 2)  # nobody hears it above
        assert stored(hall) == on_flash(box)
        assert stored(league).total() == 1
        with broker(league):
            await until(lambda: stored(league) == on_flash(box))
            await play(box, 1)
            await until(lambda: stored(league) == on_flash(box))
        assert stored(hall) == on_flash(box)
        assert stored(hall).total() == 4
        await end_tasks(on_the_air)

    with (
        broker(hall),
        receiver(hall, port),
        receiver(league, to, "--league"),
        ThreadPoolExecutor(1) as threads,  # in this one the browser's loop may be running
    ):
        threads.submit(asyncio.run, day()).result()
