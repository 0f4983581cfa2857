"""Figures of the tournament desk: 512 players, 8 000 results, and what one more result costs."""

import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench.figure import Figure
from host_tools.tournament import events as ev
from host_tools.tournament.actions import entrants as entrant_commands
from host_tools.tournament.actions import matches
from host_tools.tournament.model import Entrant
from host_tools.tournament.service import TournamentService, command
from host_tools.tournament.state import TournamentState, fold
from host_tools.tournament.verifying import verify

PLAYERS = 512
GROUP_SIZE = 32  # 16 groups of 32 make 7 936 matches; the 64 of the knock-out 8 000
CARDS = 32
RUNS = 5
STANDINGS_GOAL_MS = 100.0
RESULT_GOAL_MS = 50.0


def measure() -> list[Figure]:
    """Milliseconds, the best of some runs; the database is SQLite on this machine's disk."""
    with tempfile.TemporaryDirectory() as folder:
        service = big_tournament(str(Path(folder) / "schiri.db"))
        try:
            return _figures(service)
        finally:
            service.close()


def big_tournament(db: str) -> TournamentService:
    """Every group match has a result but the last few, which the measuring enters."""
    setup = ev.Created(name="Bench", tables=40, ko_size=64)
    service = TournamentService.create(db, "bench", setup)
    entrants = [Entrant(id=f"p{n:03}", name=f"Player {n}") for n in range(PLAYERS)]
    service.do("bench", "", command(entrant_commands.add_players, entrants))
    service.do("bench", "", command(entrant_commands.draw, GROUP_SIZE, 1, True))
    chance = random.Random(1)
    open_ones = list(service.state.matches)[:-RUNS]
    service.do("bench", "", lambda _: [_result(match, chance) for match in open_ones])
    return service


def _result(match: ev.MatchId, chance: random.Random) -> ev.Checked:
    left = chance.randrange(CARDS + 1)
    return ev.Checked(match=match, cards=(left, CARDS - left))


def _figures(service: TournamentService) -> list[Figure]:
    state = service.state
    results = len(state.group_results())
    tables = best_ms(lambda: _all_tables(state))
    one = min(_one_result_ms(service) for _ in range(RUNS))
    events = service.events()
    return [
        Figure("results counted", results, ""),
        Figure(
            "standings of 512 players, all tables anew",
            tables,
            "ms",
            f"≤ {STANDINGS_GOAL_MS:.0f} ms",
            tables <= STANDINGS_GOAL_MS,
        ),
        Figure(
            "one new result: judged, written, tables ready",
            one,
            "ms",
            f"≤ {RESULT_GOAL_MS:.0f} ms",
            one <= RESULT_GOAL_MS,
        ),
        Figure("the whole log folded again", best_ms(lambda: fold(events)), "ms"),
        Figure(
            "verify: chain, states in between, the end", best_ms(lambda: verify(service)), "ms"
        ),
    ]


def _all_tables(state: TournamentState) -> None:
    """What a board shows, computed from nothing."""
    state.forget_tables()
    state.overall_rows()
    for group in state.groups:
        state.group_rows(group.id)


def _one_result_ms(service: TournamentService) -> float:
    """From the desk's command to the changed tables, the database's sync included."""
    match = next(m for m in service.state.matches.values() if not m.counts)
    start = time.perf_counter()
    service.do("bench", "", command(matches.enter, match.id, (20, 12)))
    service.state.overall_rows()
    service.state.group_rows(match.group or "")
    return (time.perf_counter() - start) * 1000


def best_ms(work: Callable[[], object]) -> float:
    """The shortest of some runs."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        work()
        times.append((time.perf_counter() - start) * 1000)
    return min(times)
