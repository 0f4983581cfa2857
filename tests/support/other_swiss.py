"""A second engine beside the one that pairs: what `caissify-pairings` makes of the same round."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from caissify_pairings import generate_pairings

from host_tools.tournament import events as ev
from host_tools.tournament import swiss
from host_tools.tournament.model import PlayerId
from host_tools.tournament.state import TournamentState

_COLOURS = {"w": "white", "b": "black", "-": "none"}


class Seen(NamedTuple):
    """A player as the report of a round says it."""

    points: float
    opponents: list[int]
    colours: list[str]
    byes: int
    wins: int


def read(trf: str) -> tuple[dict[int, Seen], set[int]]:
    """The players of a report by number, and who is away."""
    players: dict[int, Seen] = {}
    away: set[int] = set()
    for line in trf.splitlines():
        if line.startswith("XXZ"):
            away = set(map(int, line.split()[1:]))
        if not line.startswith("001"):
            continue
        cells = [line[at : at + 8] for at in range(91, len(line), 10)]
        met = [(int(cell[:4]), cell[5], cell[7]) for cell in cells]
        played = [result in "1=0" for _, _, result in met]
        players[int(line[4:8])] = Seen(
            float(line[80:84]),
            [other if was else 0 for (other, _, _), was in zip(met, played, strict=True)],
            [_COLOURS[c] if was else "none" for (_, c, _), was in zip(met, played, strict=True)],
            sum(result == "U" for _, _, result in met),
            sum(result == "+" for _, _, result in met),
        )
    return players, away


def floats(reports: Sequence[str], players: dict[int, Seen], number: int) -> list[str]:
    """`down`, `up` or `none` a round: who had more points than the opponent, or did not play."""
    found = []
    for report, other in zip(reports, players[number].opponents, strict=True):
        before, _ = read(report)
        mine = before[number].points if number in before else 0.0
        if not other:
            found.append("down")
            continue
        theirs = before[other].points
        found.append("down" if mine > theirs else "up" if mine < theirs else "none")
    return found


def second(
    state: TournamentState, paired: ev.RoundPaired
) -> tuple[set[frozenset[PlayerId]], PlayerId]:
    """The pairs and the bye that it gives for the round that `state` has just paired."""
    reports = [earlier.trf for earlier in state.rounds if earlier.round < paired.round]
    players, away = read(paired.trf)
    entries: list[dict[str, Any]] = [
        {
            "id": number,
            "name": "",
            "rating": 0,
            "starting_number": number,
            "pairing_number": number,
            "score": seen.points,
            "color_hist": seen.colours,
            "float_history": floats(reports, players, number),
            "bye_count": seen.byes,
            "forfeit_win_count": seen.wins,
        }
        for number, seen in players.items()
        if number not in away
    ]
    met = {
        (number, other) for number, seen in players.items() for other in seen.opponents if other
    }
    for line in paired.trf.splitlines():
        if line.startswith("XXP"):
            met.add((int(line.split()[1]), int(line.split()[2])))
    made = generate_pairings("dutch", entries, met, paired.round, state.setup.rounds)
    ids = swiss.players_of(state)
    pairs = {
        frozenset((ids[one["white_id"] - 1], ids[one["black_id"] - 1]))
        for one in made
        if one["black_id"] is not None
    }
    return pairs, next((ids[one["white_id"] - 1] for one in made if one["black_id"] is None), "")


def gaps(state: TournamentState, pairs: set[frozenset[PlayerId]], trf: str) -> list[float]:
    """How far apart in points the pairs are, the widest first: the floats of a round."""
    players, _ = read(trf)
    number = {player: place for place, player in enumerate(swiss.players_of(state), 1)}
    found = []
    for pair in pairs:
        a, b = (players[number[player]].points for player in pair)
        found.append(abs(a - b))
    return sorted(found, reverse=True)
