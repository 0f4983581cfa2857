"""The public feed, version 1: what everybody may know, as JSON lines (docs/feed.md).

A line is whole: it says how a player, a match or a table of the ranking stands now, and takes the
place of the line of the same kind and id before it. So whoever missed some needs only the newest.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from host_tools.core.json_types import with_plain_descriptions
from host_tools.tournament.match_state import MatchState, Status
from host_tools.tournament.model import Kind, PlayerId
from host_tools.tournament.standings import StandingsRow
from host_tools.tournament.state import TournamentState

VERSION = 1
ALL_GROUPS = "all"
"""The id of the ranking across groups."""


class FeedLine(Struct, frozen=True, kw_only=True, tag_field="kind"):
    """`seq`: the log's number at which it became so."""

    seq: int = 0
    id: str = ""


class FeedTournament(FeedLine, frozen=True, kw_only=True, tag="tournament"):
    """The event itself. `champion`: once the final is decided."""

    name: str
    tables: int
    done: int
    total: int
    champion: PlayerId | None
    said: list[str]


class FeedPlayer(FeedLine, frozen=True, kw_only=True, tag="player"):
    """Somebody who plays, as pages name them."""

    name: str
    club: str
    group: str


class FeedMatch(FeedLine, frozen=True, kw_only=True, tag="match"):
    """A match. Exactly one of `group` and `round` is set; `cards`: those of `a` and `b`. At a
    table of several `more` sit behind them; `places` decide, seat by seat (0: did not come).
    """

    a: PlayerId
    b: PlayerId
    group: str | None
    round: str | None
    table: int
    status: Status
    called_at: str
    started_at: str
    cards: tuple[int, ...] | None
    result: Kind | None
    winner: PlayerId | None
    more: list[PlayerId] = []
    places: list[int] = []


class FeedRow(Struct, frozen=True):
    """A line of a ranking."""

    rank: int
    player: PlayerId
    points: int
    difference: int
    cards: int
    played: int


class FeedRanking(FeedLine, frozen=True, kw_only=True, tag="ranking"):
    """The table of a group, or of `all`, the best first."""

    rows: list[FeedRow]


class FeedGone(FeedLine, frozen=True, kw_only=True, tag="gone"):
    """What was there before: the line `what` with this id is no more."""

    what: str


class FeedEnd(FeedLine, frozen=True, kw_only=True, tag="end"):
    """All lines up to `seq` have come: ask for those after it."""

    feed: int = VERSION


class FeedSeat(Struct, frozen=True):
    """Who sits at a table, with the score of the match."""

    name: str
    score: int
    turn: bool


class FeedTable(FeedLine, frozen=True, kw_only=True, tag="table"):
    """A table on the air as it is now; it has no `seq`, and always comes."""

    table: int
    seats: list[FeedSeat]
    tricks: int
    over: bool
    running: bool
    silent: bool
    left_s: int | None


AnyLine = FeedTournament | FeedPlayer | FeedMatch | FeedRanking | FeedTable | FeedGone | FeedEnd


def feed_schema() -> dict[str, Any]:
    """The JSON Schema of a line."""
    plain: dict[str, Any] = with_plain_descriptions(msgspec.json.schema(AnyLine))
    return plain


def written(lines: Iterable[FeedLine]) -> bytes:
    """One JSON object a line."""
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


_ORDER = ("tournament", "player", "match", "ranking", "gone")


class Feed:
    """What the feed said last of everything."""

    def __init__(self, tournament: str) -> None:
        self._id = tournament
        self._lines: dict[tuple[str, str], FeedLine] = {}
        self.seq = 0

    def take(self, state: TournamentState) -> None:
        """Go on to `state`, which is public: with the names that everybody may see."""
        if state.seq == self.seq:
            return
        now = {(_kind(line), line.id): line for line in _lines_of(state, self._id)}
        for key, line in now.items():
            old = self._lines.get(key)
            # a line that says nothing new keeps its number, so nobody is sent it again
            if old is None or replace(old, seq=0) != line:
                self._lines[key] = replace(line, seq=state.seq)
        for key in self._lines.keys() - now.keys():
            if not isinstance(self._lines[key], FeedGone):
                # kept, not deleted: who asks from an older number must hear of it
                self._lines[key] = FeedGone(seq=state.seq, id=key[1], what=key[0])
        self.seq = state.seq

    def since(self, seq: int) -> list[FeedLine]:
        """What has changed behind `seq` (0: everything), and the end."""
        known = [line for line in self._lines.values() if line.seq > seq]
        if seq == 0:
            # whoever begins at 0 never had what is gone
            known = [line for line in known if not isinstance(line, FeedGone)]
        known.sort(key=lambda line: _ORDER.index(_kind(line)))  # players before their matches
        return [*known, FeedEnd(seq=self.seq, id=self._id)]


def _kind(line: FeedLine) -> str:
    return str(line.__struct_config__.tag)


def _lines_of(state: TournamentState, tournament: str) -> list[FeedLine]:
    matches = list(state.matches.values())
    found: list[FeedLine] = [
        FeedTournament(
            id=tournament,
            name=state.setup.name,
            tables=state.setup.tables,
            done=sum(match.counts for match in matches),
            total=len(matches),
            champion=state.bracket.champion or None if state.bracket else None,
            said=list(state.announcements.values()),
        )
    ]
    # reversed, so that the stage that is on wins over the groups before it
    groups = {player: group.id for group in reversed(state.all_groups) for player in group.players}
    found += [
        FeedPlayer(
            id=player.id,
            name=state.label(player.id),
            club=player.club,
            group=groups.get(player.id, ""),
        )
        for player in state.players.values()
    ]
    found += map(_match, matches)
    if state.groups:
        found.append(_ranking(ALL_GROUPS, state.overall_rows()))
    return [
        *found,
        *(_ranking(group.id, state.group_rows(group.id)) for group in state.all_groups),
    ]


def _match(match: MatchState) -> FeedMatch:
    result = match.result
    return FeedMatch(
        id=match.id,
        a=match.a,
        b=match.b,
        group=match.group,
        round=match.round,
        table=match.table,
        status=match.status,
        called_at=match.called_at,
        started_at=match.started_at or "",
        cards=result.cards_from(match.a) if result else None,
        result=result.kind if result else None,
        winner=result.ahead() if result else None,
        more=match.more,
        places=result.places if result else [],
    )


def _ranking(group: str, rows: Iterable[StandingsRow]) -> FeedRanking:
    shown = [
        FeedRow(row.rank, row.player, row.points, row.difference, row.cards, row.played)
        for row in rows
    ]
    return FeedRanking(id=group, rows=shown)


def table_line(line: Mapping[str, Any]) -> FeedTable:
    """A table of the live hall, from the values that pages show."""
    return FeedTable(
        id=str(line["place"]),
        table=line["table"],
        seats=[FeedSeat(seat["name"], seat["score"], seat["turn"]) for seat in line["seats"]],
        tricks=line["tricks"],
        over=line["over"],
        running=line["running"],
        silent=line["silent"],
        left_s=line["left"],
    )
