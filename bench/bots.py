"""`make bench`: how strong the bots are, and how long the strong ones think."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from bench.figure import Figure
from host_tools.games.bot import EASY, MEDIUM, RANDOM, STRONG, Bot, Option
from tests.support.duel import HATTRICK, MATCHES, Share, against_all, duel

GOAL = 0.6
GOAL_ALONE = 0.45
GOAL_MS = 300.0


def measure() -> list[Figure]:
    """The part of seeded matches that every strength wins against the one below, and times."""
    figures = []
    with _timed() as times_ms:
        for what, (header, count) in MATCHES.items():
            seats = f"{what}, {header['seats']} seats"
            quick = duel(header, MEDIUM, EASY, range(10 * count))
            figures.append(_row(f"{seats}: medium beats easy", quick, GOAL))
            strong = duel(header, STRONG, MEDIUM, range(count))
            figures.append(_row(f"{seats}: strong beats medium", strong, GOAL))
        alone = against_all(HATTRICK, STRONG, RANDOM, range(12))
    figures.append(_row("Hattrick: strong against three that play at random", alone, GOAL_ALONE))
    return [*figures, *_times(times_ms)]


def _row(what: str, share: Share, goal: float) -> Figure:
    margin = f" (± {100 * share.margin:.0f} in {share.matches} matches)"
    met = share.part >= goal
    return Figure(what + margin, 100 * share.part, "%", f"≥ {100 * goal:.0f}", met)


def _times(times_ms: list[float]) -> list[Figure]:
    median = sorted(times_ms)[len(times_ms) // 2]
    longest = max(times_ms)
    return [
        Figure("strong: CPU time of a move, median", median, "ms"),
        Figure("strong: CPU time of a move, longest", longest, "ms", "≤ 300", longest <= GOAL_MS),
    ]


@contextmanager
def _timed() -> Iterator[list[float]]:
    """CPU time of every decision of a strong bot, in milliseconds."""
    times_ms: list[float] = []
    judge = Bot.judge

    def timed(bot: Bot, hand: list[str], samples: int = 0) -> list[Option]:
        started = time.process_time()
        found = judge(bot, hand, samples)
        times_ms.append(1000 * (time.process_time() - started))
        return found

    setattr(Bot, "judge", timed)  # noqa: B010 - to mypy a method is no variable
    try:
        yield times_ms
    finally:
        setattr(Bot, "judge", judge)  # noqa: B010
