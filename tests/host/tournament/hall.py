"""A small tournament in memory for the tests of the desk: no database, a clock of its own."""

from collections.abc import Callable, Sequence
from typing import Any

from host_tools.tournament import events as ev
from host_tools.tournament.actions import entrants, matches
from host_tools.tournament.model import Entrant
from host_tools.tournament.state import TournamentState


def from_box(label: str, journal: str, **more: Any) -> ev.Unplaced:
    """A verified 20:12 of the box b1 that names nobody, but for what is said."""
    silent: dict[str, Any] = {"reason": "", "names": [], "players": [], "tournament": ""}
    silent |= {"match": "", "stage": "group", "table": 0, "duration_s": None, "received": ""}
    seen: dict[str, Any] = {"source": "box", "box": "b1", "trust": "verified", "counts": (20, 12)}
    seen["ranking"] = [[0], [1]]
    return ev.Unplaced(label=label, journal=journal, **(silent | seen | more))


class MemoryHall:
    """Folds what commands make, as the service does."""

    def __init__(self, **setup: Any) -> None:
        self.log: list[ev.LogEntry] = []
        self.state = TournamentState()
        self.minute = 0
        self._add([ev.Created(**{"name": "Test", "ko_size": 4, "tables": 4, **setup})])

    def do(self, function: Callable[..., Sequence[ev.AnyBody]], *args: Any, **opts: Any) -> None:
        """Do a command, and what follows from it."""
        self._add(function(self.state, *args, **opts))
        while more := entrants.walkovers(self.state):
            self._add(more)

    def _add(self, bodies: Sequence[ev.AnyBody]) -> None:
        for body in bodies:
            at = f"2026-03-07T10:{self.minute:02}:00+00:00"
            event = ev.LogEntry(seq=self.state.seq + 1, at=at, actor="desk", body=body)
            self.state.apply(event)
            self.log.append(event)

    def seat(self, *names: str, size: int = 4) -> None:
        """Enter, check in and draw."""
        self.do(entrants.add_players, [Entrant(id=name, name=name.upper()) for name in names])
        self.do(entrants.draw, size, 1, True)

    def play_groups(self, cards: Callable[[str, str], tuple[int, int]]) -> None:
        """Every open group match; `cards(a, b)` says how it ends."""
        for match in list(self.state.matches.values()):
            if match.group is not None and not match.counts:
                self.do(matches.enter, match.id, cards(match.a, match.b))

    def match_of(self, a: str, b: str) -> str:
        """The id of the match between two players, the knock-out's if there is one."""
        return [m.id for m in self.state.matches.values() if {m.a, m.b} == {a, b}][-1]

    def enter(self, a: str, b: str, left: int, right: int) -> str:
        """The result of a against b, whatever the order in the plan."""
        match = self.state.matches[self.match_of(a, b)]
        self.do(matches.enter, match.id, (left, right) if match.a == a else (right, left))
        return match.id


def alphabetical(a: str, b: str) -> tuple[int, int]:
    """The earlier name wins, the more clearly the farther they are apart."""
    gap = ord(b[0]) - ord(a[0])
    return (16 + gap, 16 - gap)


def clear(a: str, b: str) -> tuple[int, int]:
    """The earlier name wins 20:12."""
    return (20, 12) if a < b else (12, 20)
