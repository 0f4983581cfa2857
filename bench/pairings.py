"""Rounds of a Swiss beside a second engine: `python -m bench.pairings [TOURNAMENTS]`.

Random tournaments of 4 to 16 players; every round is checked by the rules of every pairing, and
compared with `caissify-pairings`. Then one of 130 players, for the time that a round takes.
"""

import random
import sys
import time
from collections import Counter

from host_tools.core.errors import UserError
from host_tools.tournament import events as ev
from host_tools.tournament import swiss
from host_tools.tournament.commands import entrants, matches, rounds
from host_tools.tournament.model import Entrant
from host_tools.tournament.state import TournamentState
from tests.support.other_swiss import gaps, second

TOURNAMENTS = 200
MOST, LARGE = 16, 130
ROUNDS = 5


def do(state: TournamentState, bodies: list[ev.AnyBody]) -> None:
    at = "2026-03-07T10:00:00+00:00"
    for body in bodies:
        state.apply(ev.LogEntry(seq=state.seq + 1, at=at, actor="bench", body=body))


def drawn(players: int, number: int) -> TournamentState:
    state = TournamentState()
    do(state, [ev.Created(name="Bench", mode="swiss", rounds=number, tables=players)])
    do(
        state,
        entrants.add_players(state, [Entrant(id=f"p{n}", name=f"{n}") for n in range(players)]),
    )
    do(state, entrants.draw(state, random_seed=players, everybody=True))
    return state


def play(state: TournamentState, rnd: random.Random) -> None:
    for match in list(state.matches.values()):
        if not match.counts:
            cards = rnd.randint(0, 32)
            do(state, matches.enter(state, match.id, (cards, 32 - cards)))


def compared(state: TournamentState) -> str:
    """How the last round stands beside the other engine's."""
    paired = state.rounds[-1]
    theirs, bye = second(state, paired)
    ours = {frozenset(pair) for pair in paired.pairs}
    if (theirs, bye) == (ours, paired.bye):
        return "same"
    wider = gaps(state, ours, paired.trf) > gaps(state, theirs, paired.trf)
    kind = "other bye" if bye != paired.bye else "same bye, other pairs" if bye else "other pairs"
    return f"{kind}, {'our floats wider' if wider else 'our floats not wider'}"


def small(seed: int, found: Counter[str]) -> None:
    rnd = random.Random(seed)
    players = rnd.randint(4, MOST)
    state = drawn(players, min(ROUNDS, players - 1))
    for _ in range(state.setup.rounds):
        before = state.copy()
        try:
            do(state, rounds.pair_round(state))
        except UserError:
            found["no pairing left"] += 1
            return
        paired = state.rounds[-1]
        assert swiss.first_fault(before, paired) == ""
        found[f"{'odd' if paired.bye else 'even'}: {compared(state)}"] += 1
        play(state, rnd)


def main() -> None:
    found: Counter[str] = Counter()
    count = int(sys.argv[1]) if len(sys.argv) > 1 else TOURNAMENTS
    for seed in range(count):
        small(seed, found)
    print(f"{count} tournaments of 4 to {MOST} players")
    for what, rows in sorted(found.items()):
        print(f"{rows:6} rounds  {what}")
    state, longest = drawn(LARGE, ROUNDS), 0.0
    for _ in range(ROUNDS):
        begun = time.process_time()
        made = rounds.pair_round(state)
        longest = max(longest, time.process_time() - begun)
        do(state, made)
        play(state, random.Random(1))
    print(f"{LARGE} players: a round takes {longest:.2f} s of a core at most")


if __name__ == "__main__":
    main()
