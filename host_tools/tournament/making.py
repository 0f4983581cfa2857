"""A new tournament from what its organiser typed: every field judged by itself, so that what is
wrong is said at its field.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from host_tools.core.errors import UserError
from host_tools.core.spreadsheet import decode
from host_tools.tournament import events as ev
from host_tools.tournament import rule_options, tables
from host_tools.tournament.actions import entrants
from host_tools.tournament.fields import Form, FormPairs
from host_tools.tournament.model import MODES, SEATS, Entrant, HallRoom
from host_tools.tournament.players_csv import parse_pasted
from host_tools.tournament.schedule import SLOT_MINUTES, begin_of
from host_tools.tournament.state import TournamentState

KO_SIZES = (2, 4, 8, 16, 32, 64, 128, 256)
NEW = Form.of(
    "new",
    {
        "event": "",
        "mode": MODES[0],
        "rounds": 0,
        "legs": 1,
        "seats": SEATS,
        "points": "",
        "advance": 2,
        "game": "",
        "ko_size": 16,
        "tables": None,
        "halls": "",
        "venue": "",
        "decks": (),
        "slot_minutes": SLOT_MINUTES,
        "begins": "",
        "listed": "",
        "file": b"",
        "make": False,
    },
)
_PLAIN = ("rounds", "legs", "seats", "advance", "game", "ko_size", "slot_minutes", "venue")
MOST_HALLS = 50
_HALL = re.compile(r"(.*?\S)[\s:;,=]+(\d{1,3})")
_Read = TypeVar("_Read")


@dataclass
class NewTournament:
    """`typed`: the list of players as text, also of a file; `faults`: field -> what is wrong."""

    setup: ev.Created
    players: list[Entrant]
    typed: str
    faults: dict[str, UserError]
    make: bool = False

    def events(self, actor: str, now: datetime) -> list[ev.LogEntry]:
        """The log of the new tournament. Raises UserError."""
        state = TournamentState()
        bodies = [self.setup, *entrants.add_players(state, self.players)]
        at = now.astimezone(UTC).isoformat(timespec="seconds")
        return [
            ev.LogEntry(seq=seq, at=at, actor=actor, body=body)
            for seq, body in enumerate(bodies, 1)
        ]


def read_new(given: FormPairs, now: datetime) -> NewTournament:
    """What was typed. Raises UserError only for a field that no page of ours has."""
    values, faults = NEW.read_each(given)

    def taken(name: str, read: Callable[[Any], _Read], default: _Read) -> _Read:
        try:
            # what could not be read has been told; its default keeps the others from failing with
            # it
            return default if name in faults else read(values[name])
        except UserError as fault:
            faults[name] = fault
            return default

    def as_typed(key: str) -> Any:
        return taken(key, lambda value: _checked(value, **{key: value}), NEW.defaults[key])

    no_halls: list[HallRoom] = []
    usual: dict[str, str | int] = {}
    nobody: list[Entrant] = []
    halls = taken("halls", halls_of, no_halls)
    tables = sum(hall.tables for hall in halls)
    # rooms say how many tables there are; without rooms somebody has to
    if values.get("tables") is None and not halls and "halls" not in faults:
        faults.setdefault("tables", UserError("form_missing", label="tables"))
    elif halls and values.get("tables") not in (None, tables):
        faults["halls"] = UserError("halls_tables", count=tables, tables=values["tables"])
    typed = values.get("listed", "")
    file = values.get("file", b"")
    if file:
        typed = taken("file", lambda raw: decode(raw, "CSV"), "")
    # a file takes the place of what stood in the field
    values["listed"] = typed
    plain = {key: as_typed(key) for key in _PLAIN}
    setup = ev.Created(
        **plain,
        name=taken("event", lambda name: _checked(name, name=name), ""),
        mode=values.get("mode", MODES[0]),
        points=taken("points", lambda text: _points(text, plain["seats"]), []),
        tables=taken("tables", lambda n: _checked(n or tables or 1, tables=n or tables or 1), 1),
        decks=taken("decks", _decks, []),
        begins=taken("begins", lambda text: begin_of(text, now) if text else "", ""),
        halls=halls,
        options=taken("game", lambda game: rule_options.in_force(game, {}), usual),
    )
    players = taken("listed", lambda text: parse_pasted(text, "CSV") if text else nobody, nobody)
    return NewTournament(setup, players, typed, faults, bool(values.get("make")))


def _points(text: str, seats: int) -> list[int]:
    points = tables.points_of(text, seats)
    return _checked(points, seats=seats, points=points)


def _checked(value: _Read, **setup: Any) -> _Read:
    entrants.check_setup(ev.Created(**{"name": "-", **setup}))
    return value


def _decks(names: tuple[str, ...]) -> list[str]:
    chosen = [name for name in names if name]
    entrants.check_decks(chosen)
    return chosen


def halls_of(text: str) -> list[HallRoom]:
    """`Main hall: 12` a line: the name of a room and how many tables stand there. Raises
    UserError.
    """
    found = []
    for line in filter(None, (one.strip() for one in text.splitlines()[:MOST_HALLS])):
        # the number stands last: rooms have numbers in their names too
        hall = _HALL.fullmatch(line)
        if hall is None or not int(hall[2]):
            raise UserError("no_hall", text=line[:80])
        entrants.check_setup(ev.Created(name=hall[1]))
        found.append(HallRoom(name=hall[1], tables=int(hall[2])))
    return found
