"""Ratings across events: how strong players are by all matches they played, for who wants it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from host_tools.core.errors import UserError
from host_tools.tournament.model import Player, Result
from host_tools.tournament.state import State
from host_tools.tournament.view import plain, stage_of, stages


@dataclass
class Rating:
    """A player of one or several events. `skill`: openskill's, with `mu` and `sigma`."""

    name: str
    club: str
    skill: Any
    events: int = 0
    matches: int = 0

    @property
    def rating(self) -> float:
        """What the player is worth at least, almost surely: mu - 3 sigma; 0 before any match."""
        return float(self.skill.ordinal())


def ratings(events: Iterable[State]) -> list[Rating]:
    """Everybody of `events`, which come in the order they were played; the strongest first.
    People are known by name and club, because ids begin anew in every event. A result that nobody
    played for says nothing. Raises UserError if openskill is not installed.
    """
    try:
        from openskill.models import PlackettLuce
    except ImportError as error:
        raise UserError("no_openskill", 1) from error
    model = PlackettLuce()
    found: dict[tuple[str, str], Rating] = {}
    for state in events:
        if state.forgotten:
            continue
        here: dict[str, Rating] = {}
        for player in state.players.values():
            new = Rating(player.name or player.id, player.club, model.rating())
            here[player.id] = found.setdefault(_key(player), new)
            here[player.id].events += 1
        for result in _played(state):
            _rate(model, here[result.a], here[result.b], result)
    return sorted(found.values(), key=lambda each: (-each.rating, each.name))


def _key(player: Player) -> tuple[str, str]:
    return plain(player.name), plain(player.club)


def _played(state: State) -> list[Result]:
    """Results of matches that were played, slot by slot and round by round."""
    order = {stage: number for number, stage in enumerate(stages(state))}
    counted = [m for m in state.matches.values() if m.result and m.result.kind != "forfeit"]
    counted.sort(key=lambda match: order[stage_of(match)])
    return [m.result for m in counted if m.result and m.result.kind != "excluded"]


def _rate(model: Any, a: Rating, b: Rating, result: Result) -> None:
    ahead = result.ahead()
    ranks = [1, 1] if ahead is None else [1, 2] if ahead == result.a else [2, 1]
    [[a.skill], [b.skill]] = model.rate([[a.skill], [b.skill]], ranks=ranks)
    a.matches, b.matches = a.matches + 1, b.matches + 1
