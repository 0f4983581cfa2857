"""The server of the virtual table is killed at every message, and everything is there again."""

import random
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from host_tools.games import GAMES
from tests.processes import wait
from tests.support.evening import SEED, EveningAtHome, evening

MATCHES: dict[str, dict[str, Any]] = {
    "trumpf": {"game": "trumpf", "preset": "swiss", "deck": "berge"},
    "gastro": {"game": "trumpf", "preset": "gastro", "deck": "gastro"},
    "quartett": {"game": "quartett"},
    "cafe": {"game": "cafe"},
    "app": {"game": "cafe", "preset": "app"},
    "hattrick": {"game": "hattrick"},
}
SEATS = {"hattrick": 3, "quartett": 3}
NAMES = ["Anna", "Ole", "Bot"]
SAMPLE = 3
"""Kills of a match in a short run."""
LATEST_S = 0.3
"""After an answer: hands are then in the middle of it."""


def begin(home: EveningAtHome, what: str) -> None:
    """A match with a phone at seat 2 and a bot at the last one, killed while it is opened."""
    home.start("--seed", str(SEED))
    home.do(do="speed", speed=1000)
    home.join(1, "Mia")
    seats = SEATS.get(what, 2)
    auto = [seats - 1] if seats > 2 else []
    best = GAMES[MATCHES[what]["game"]].strengths[-1]
    strengths = ["", best, "easy"][:seats]
    start: dict[str, Any] = {
        "seats": seats,
        "auto": auto,
        "names": NAMES[:seats],
        "strengths": strengths,
    }
    assert home.do(do="start", **MATCHES[what], **start) == ""
    home.killed()
    wait(lambda: home.log().count > 0 and home.page.state["match"] is not None)
    told = home.page.state["match"]["seats"]
    assert [seat["name"] for seat in told] == ["Anna", "Mia", "Bot"][:seats]
    assert [seat["strength"] for seat in told] == ["medium", best, "easy"][:seats]
    assert bots(home) == auto


def one_move(home: EveningAtHome, seat: int, chance: random.Random) -> None:
    """Killed behind every message of a move, then without."""
    before = home.log().count
    steps = home.move(seat)
    for end in range(1, len(steps) + 1):
        for step in steps[:end]:
            home.press(step)
        time.sleep(chance.random() * LATEST_S * chance.randrange(2))
        home.killed()
        if progressed(home, before):
            return
        steps = home.move(seat)
        if end >= len(steps):
            break
    for step in home.move(seat):
        assert home.press(step) == ""
    wait(lambda: progressed(home, before))


def progressed(home: EveningAtHome, before: int) -> bool:
    """Was anything decided? A pause and what follows it is nothing of the players."""
    new = home.log().steps[before:]
    return any(command["do"] not in ("tick", "pause", "resume") for command, _ in new)


def play(home: EveningAtHome, most: int) -> None:
    """People play on until the end, or so many kills."""
    chance = random.Random(SEED)
    while home.kills < most and not home.log().closed:
        log = home.log()
        assert log.world is not None
        awaits = log.awaits
        if log.world.match.over():
            home.do(do="button", button="ok", down=True)
            home.do(do="button", button="ok", down=False)
            home.killed()
            home.do(do="button", button="ok", down=True)
            home.do(do="button", button="ok", down=False)
        elif awaits["seat"] is not None and awaits["seat"] not in bots(home):
            one_move(home, awaits["seat"], chance)
        else:
            time.sleep(0.05)


def bots(home: EveningAtHome) -> list[int]:
    seats = home.page.state["match"]["seats"]
    return [number for number, seat in enumerate(seats) if seat["auto"]]


@pytest.mark.parametrize("what", MATCHES)
def test_a_killed_server_comes_back_with_everything(what: str, tmp_path: Path) -> None:
    with evening(tmp_path) as home:
        begin(home, what)
        play(home, SAMPLE)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("what", MATCHES)
def test_a_server_killed_at_every_message_of_a_match(what: str, tmp_path: Path) -> None:
    with evening(tmp_path) as home:
        begin(home, what)
        play(home, 10_000)
        log = home.log()
        assert log.closed
        assert not log.abandoned
        told = (tmp_path / "schiri" / "family.jsonl").read_text("utf8").splitlines()
        assert len(told) == 1
        print(f"{what}: {home.kills} kills, {log.count} decisions, back in {home.slowest_s:.1f} s")


LONG_EVENING = ("hattrick", "gastro", "quartett", "app", "trumpf")
"""What is played in turn, by five where the game takes five."""
MATCHES_PLAYED, WARM = 50, 10
PHONES = 5


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_fifty_matches_take_no_more_memory_or_connections(tmp_path: Path) -> None:
    """Bots in a rush at five phones that are loaded anew after each match, which is more than four
    hours of the box's time.
    """
    with evening(tmp_path) as home:
        home.start("--seed", str(SEED))
        home.do(do="speed", speed=1000)
        for seat in range(PHONES):
            home.join(seat, f"Phone {seat + 1}")
        bytes_used, lines, played_ms = [], [], 0
        for number in range(1, MATCHES_PLAYED + 1):
            what = LONG_EVENING[number % len(LONG_EVENING)]
            seats = {"trumpf": 2, "app": 4, "quartett": 5}.get(what, 3)
            phones = [home.listen(key) for key in home.seats.values()]
            start: dict[str, Any] = {
                "seats": seats,
                "names": [f"P{seat}" for seat in range(seats)],
            }
            assert home.do(do="start", **MATCHES[what], **start) == ""
            wait(partial(home.is_match, number))
            for seat in range(seats):
                home.do(do="auto", seat=seat, on=True, strength="easy")
            wait(lambda: home.page.state["match"]["closed"])
            played_ms += home.page.state["match"]["end"]["ms"]
            bytes_used.append(home.memory())
            lines.append(home.connections())
            for phone in phones:
                phone.hang_up()
        grown = bytes_used[-1] / bytes_used[WARM - 1] - 1
        print(
            f"{played_ms / 3_600_000:.1f} h, memory {grown:+.1%}, lines {min(lines)}–{max(lines)}"
        )
        print([round(one / 1e6, 1) for one in bytes_used])
        assert grown < 0.05
        assert max(lines[WARM:]) <= max(lines[:WARM])
