"""The wall: every table of the event on screens of 1920 × 1080, those where something is at stake
large (docs/decisions/hall-screens.md).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from host_tools.tournament import view
from host_tools.tournament.actions.entrants import MOST_TABLES
from host_tools.tournament.ko import FINAL, THIRD
from host_tools.tournament.state import TournamentState
from host_tools.tournament.view import MatchLine
from host_tools.web.desk.live_tables import LiveTable, seat_names, shown_match

A_PAGE = 64
"""So many tables stand on a screen."""
LARGE = 4
"""So many of them are large, above the others."""
CLOSE_S, CLOSE_BY = 120, 2
"""A close finish: so little time is left, and so few points or cards are between the first two."""
# (most tables, columns): tiles that fill 1920 x 1080
_COLUMNS = ((4, 2), (9, 3), (16, 4), (36, 6), (A_PAGE, 8))

Stake = Literal["jury", "final", "semi", "close"]
STAKES: tuple[Stake, ...] = ("jury", "final", "close", "semi")
"""What makes a table large; the first ones before the others."""


@dataclass(frozen=True)
class WallTable:
    """`line`: the match that the desk called there; `names` and `scores` by seat, as far as they
    are known; `left`: seconds on the clock of its box, which `runs`, as it was `at`.
    """

    number: int
    line: MatchLine | None
    names: Sequence[str]
    scores: Sequence[int]
    stake: Stake | None
    silent: bool = False
    left: int | None = None
    runs: bool = False
    at: str = ""

    @property
    def state(self) -> str:
        """How its tile looks."""
        if self.stake == "jury":
            return "jury"
        if self.line is not None:
            return "playing" if self.line.started_at or self.scores else "coming"
        return "playing" if self.scores else "free"


@dataclass(frozen=True)
class WallRoom:
    """Tables of one room on one page; `rows` of them, for their share of its height."""

    name: str
    tables: Sequence[WallTable]
    columns: int

    @property
    def rows(self) -> int:
        return -(-len(self.tables) // self.columns)


def wall_of(state: TournamentState, live: Iterable[LiveTable]) -> dict[str, Any]:
    """Everything of the wall: pages of rooms, and the large tables that stand on each of them."""
    # if two boxes claim one table, the one that owns its page
    boxes = {table.table: table for table in live if table.place == str(table.table)}
    lines = {line.table: line for line in view.at_the_tables(state)}
    # tables may be added during the day; a box may claim any number
    last = max([state.setup.tables, *(n for n in boxes if n <= MOST_TABLES)])
    tables = [_table(state, n, lines.get(n), boxes) for n in range(1, last + 1)]
    at_stake = [table for table in tables if table.stake]
    at_stake.sort(key=lambda table: STAKES.index(table.stake or "semi"))
    return {"pages": pages_of(state, tables), "large": at_stake[:LARGE]}


def pages_of(state: TournamentState, tables: Sequence[WallTable]) -> list[list[WallRoom]]:
    """Whole rooms on a page as long as they fit; one that is larger has pages of its own."""
    pages: list[list[tuple[str, Sequence[WallTable]]]] = []
    left = 0
    for name, own in _rooms(state, tables):
        for start in range(0, len(own), A_PAGE):
            piece = own[start : start + A_PAGE]
            if len(piece) > left:
                pages.append([])
                left = A_PAGE
            pages[-1].append((name, piece))
            left -= len(piece)
    return [_laid_out(page) for page in pages]


def _laid_out(page: Sequence[tuple[str, Sequence[WallTable]]]) -> list[WallRoom]:
    """All rooms of a page have tiles of the same width."""
    count = sum(len(tables) for _, tables in page)
    columns = next(columns for most, columns in _COLUMNS if count <= most)
    return [WallRoom(name, tables, columns) for name, tables in page]


def _rooms(
    state: TournamentState, tables: Sequence[WallTable]
) -> list[tuple[str, Sequence[WallTable]]]:
    """Tables past the last room belong to it: they were added later."""
    rooms, first = [], 0
    for hall in state.setup.halls:
        rooms.append((hall.name, tables[first : first + hall.tables]))
        first += hall.tables
    if not rooms:
        return [("", tables)]
    name, own = rooms[-1]
    return [room for room in [*rooms[:-1], (name, [*own, *tables[first:]])] if room[1]]


def _table(
    state: TournamentState, number: int, line: MatchLine | None, boxes: Mapping[int, LiveTable]
) -> WallTable:
    box = boxes.get(number)
    names = list(line.names) if line else []
    if box is None:
        return WallTable(number, line, names, [], _stake(line, None, []))
    match = shown_match(state, box)
    known = match.table() if match is not None else {}
    on = bool(known) and not known["over"]
    scores: list[int] = known["score"] if on else []
    if match is not None and on:
        names = seat_names(state, match) or names
    return WallTable(
        number,
        line,
        names,
        scores,
        _stake(line, box, scores),
        box.silent,
        box.left_s if on else None,
        box.running and not box.silent,
        box.heard.isoformat(timespec="milliseconds"),
    )


def _stake(line: MatchLine | None, box: LiveTable | None, scores: Sequence[int]) -> Stake | None:
    if box is not None and box.jury:
        return "jury"
    if line is not None and line.round in (FINAL, THIRD):
        return "final"
    if box is not None and box.left_s is not None and box.left_s <= CLOSE_S and len(scores) > 1:
        best, second = sorted(scores, reverse=True)[:2]
        if best - second <= CLOSE_BY:
            return "close"
    return "semi" if line is not None and line.round == "1/2" else None
