"""How strong the bots are: against the simple players of `tests/support/rivals.py`, and against
one another.

`python -m bench.bots --matches 300` prints the table of docs/decisions/bots.md; a bar that is
missed is marked. A part of it: `--games Quartett "Café, board" --duels strong:medium`.
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass

from host_tools.games.bot import EASY, MEDIUM, STRONG
from tests.support.duel import MATCHES, SIMPLE, Share, barred, duel

BARS = {(MEDIUM, SIMPLE): 0.5, (STRONG, SIMPLE): 0.65, (STRONG, MEDIUM): 0.6}
"""The least share of matches that the first one wins."""
LOWER_BOUND = 0.55
"""Of the 95 % interval, strong against medium."""
MOST_BARRED = 8.0
"""Guests at the bar in a match of two medium bots on the board."""
BOARD = "Café, board"


@dataclass(frozen=True)
class BotDuel:
    """A line of the table. `cpu_s`: processor time of a match."""

    what: str
    better: str
    worse: str
    share: Share
    cpu_s: float

    @property
    def misses(self) -> bool:
        low = self.share.part - self.share.margin
        sure = low > LOWER_BOUND or (self.better, self.worse) != (STRONG, MEDIUM)
        return self.share.part < BARS[self.better, self.worse] or not sure

    def __str__(self) -> str:
        mark = " **!**" if self.misses else ""
        percent = f"{100 * self.share.part:.1f} ± {100 * self.share.margin:.1f} %{mark}"
        cells = (self.what, f"{self.better} : {self.worse}", self.share.matches, percent)
        return f"| {' | '.join(map(str, cells))} | {self.cpu_s:.2f} s |"


def measure(what: str, better: str, worse: str, seeds: Sequence[int]) -> BotDuel:
    """A row of the table."""
    began = time.process_time()
    share = duel(what, better, worse, seeds)
    return BotDuel(what, better, worse, share, (time.process_time() - began) / share.matches)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run from the command line."""
    duels = [":".join(pair) for pair in BARS]
    parser = argparse.ArgumentParser(prog="python -m bench.bots", description=__doc__)
    parser.add_argument("--matches", type=int, default=300, help="of each duel")
    parser.add_argument("--games", nargs="+", default=list(MATCHES), choices=MATCHES)
    parser.add_argument("--duels", nargs="+", default=duels, choices=duels)
    chosen = parser.parse_args(arguments)
    seeds = range(1, chosen.matches // 2 + 1)
    print("| game | duel | matches | won | a match |\n|---|---|---|---|---|")
    for what in chosen.games:
        for pair in chosen.duels:
            better, _, worse = pair.partition(":")
            print(measure(what, better, worse, seeds), flush=True)
    if BOARD in chosen.games:
        for strength in (MEDIUM, EASY):
            guests, ends = barred(BOARD, strength, seeds)
            mark = " **!**" if strength == MEDIUM and guests > MOST_BARRED else ""
            reasons = ", ".join(f"{reason} {count}" for reason, count in ends.most_common())
            print(f"{BOARD}, {strength}: {guests:.1f} guests at the bar a match{mark}; {reasons}")


if __name__ == "__main__":
    main()
