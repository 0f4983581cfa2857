"""Ratings across events: how strong players are by all matches they played, for who wants it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from math import sqrt
from typing import Any

from host_tools.core.errors import Exit, UserError
from host_tools.core.installing import bring
from host_tools.tournament.model import PlayerId, Result
from host_tools.tournament.standings import places_of
from host_tools.tournament.state import TournamentState
from host_tools.tournament.view import plain, stage_of, stages


@dataclass
class Rating:
    """A player of one or several events. `skill`: openskill's, with `mu` and `sigma`."""

    name: str
    club: str
    skill: Any
    events: int = 0
    matches: int = 0
    at_the_end: dict[str, float] = field(default_factory=dict)
    """The rating at the end of each season in which the player has played."""

    @property
    def rating(self) -> float:
        """What the player is worth at least, almost surely: mu - 3 sigma; 0 before any match."""
        return float(self.skill.ordinal())


def season_of(at: str, begins: tuple[int, int] = (1, 1)) -> str:
    """The season of a moment of the log, by the day (month, day) on which seasons begin: `2026`,
    or `2025/26` where that is not New Year.
    """
    day = datetime.fromisoformat(at).astimezone()
    year = day.year - ((day.month, day.day) < begins)
    return str(year) if begins == (1, 1) else f"{year}/{(year + 1) % 100:02}"


def ratings(events: Iterable[TournamentState], seasons: Sequence[str] = ()) -> list[Rating]:
    """Everybody of `events`, which come in the order they were played; the strongest first.
    People are known by name and club, because ids begin anew in every event. A result that nobody
    played for says nothing. `seasons`: that of each event; a new one makes everybody less sure,
    half the way back to a beginner. Raises UserError if openskill is not installed.
    """
    try:
        # an extra: nothing else reads a rating
        from openskill.models import PlackettLuce
    except ImportError as error:
        raise UserError("no_openskill", Exit.SYSTEM, mend=bring("openskill")) from error
    model = PlackettLuce()
    found: dict[tuple[str, str], Rating] = {}
    new_ones = [False, *(one != other for one, other in pairwise(seasons))]
    for number, state in enumerate(events):
        if seasons and new_ones[number]:
            for each in found.values():
                # mu stays: a long pause makes us less sure of a player, not the player weaker
                each.skill.sigma = sqrt((each.skill.sigma**2 + model.sigma**2) / 2)
        # ids without names: nobody can be known again
        if state.forgotten:
            continue
        here: dict[str, Rating] = {}
        for player in state.players.values():
            new = Rating(player.name or player.id, player.club, model.rating())
            # as typed by other hands: accents and case differ from event to event
            key = plain(player.name), plain(player.club)
            here[player.id] = found.setdefault(key, new)
            here[player.id].events += 1
        for result in _played(state):
            _rate(model, here, result)
        if seasons:
            for each in here.values():
                each.at_the_end[seasons[number]] = each.rating
    return sorted(found.values(), key=lambda each: (-each.rating, each.name))


def _played(state: TournamentState) -> list[Result]:
    """Results of matches that were played, slot by slot and round by round."""
    order = {stage: number for number, stage in enumerate(stages(state))}
    counted = sorted(
        (match for match in state.matches.values() if match.result),
        key=lambda match: order[stage_of(match)],
    )
    return [m.result for m in counted if m.result and m.result.kind in ("played", "drawn")]


def _rate(model: Any, here: Mapping[PlayerId, Rating], result: Result) -> None:
    """Who came to a table of several, by their places; of two, whoever won."""
    seats = zip(result.players, places_of(result), strict=True)
    came = [(here[player], place) for player, place in seats if place]
    # one player a team; the ranks of who came, gaps and ties included
    rated = model.rate([[each.skill] for each, _ in came], ranks=[place for _, place in came])
    for (each, _), [skill] in zip(came, rated, strict=True):
        each.skill, each.matches = skill, each.matches + 1
