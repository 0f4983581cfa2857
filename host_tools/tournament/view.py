"""What board and desk show, taken from the state: plain values, no HTML, no words but names."""

import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from difflib import get_close_matches
from fractions import Fraction
from itertools import pairwise, zip_longest
from statistics import median
from typing import Literal

from host_tools.tournament.actions.knockout import cut_ties
from host_tools.tournament.ko import FinalPlace
from host_tools.tournament.model import Entrant, PlayerId, Result, has_tree
from host_tools.tournament.standings import WIN_POINTS, Compare, StandingsRow, place_points
from host_tools.tournament.state import COUNTS, MatchState, TournamentState
from host_tools.tournament.swiss import advancing
from host_tools.tournament.wording import MINUS, explain, name_of, said_text

FOUND_SHOWN = 8
"""So many players, and so many matches, are shown of what a search finds."""
SIMILAR = 0.85
"""From here on two names may be one with a slip of the pen (`difflib`)."""
PACE_SLOTS = 3
"""So many slots tell how fast it goes."""
NEXT_SHOWN = 12
"""So many matches stand under "next": what the hall needs to know, not the whole plan."""


@dataclass(frozen=True)
class MatchLine:
    """One match as a line. `score` is "20:12", or "" without a result."""

    id: str
    table: int
    names: tuple[str, ...]
    deck: str
    status: str
    called_at: str
    started_at: str
    """When both began to play, "" if nobody has said so; `called_at`: when they were called."""
    minutes: int
    """After so many minutes of play it should be over."""
    score: str
    kind: str
    group: str
    round: str
    slot: int
    winner: str
    """"a", "b" or ""."""
    swiss_round: int = 0
    first: tuple[int, ...] = ()
    """Who is on the first place of a table of several, by the seats."""

    @property
    def won(self) -> tuple[int, ...]:
        """The winners by their places in `names`."""
        return self.first if self.several else tuple("ab".find(side) for side in self.winner)

    @property
    def a(self) -> str:
        return self.names[0]

    @property
    def b(self) -> str:
        return self.names[1]

    @property
    def who(self) -> str:
        """`Anna – Berta`, or all at a table of several."""
        return " – ".join(self.names)

    @property
    def several(self) -> bool:
        """It is a table of several: places decide, not cards."""
        return len(self.names) > 2

    @property
    def waits(self) -> bool:
        """True if it was not called yet: nobody goes to its table."""
        return self.status == "open"


@dataclass(frozen=True)
class SearchResult:
    """What a search finds: players with their club, and matches, those to be played first."""

    players: list[Entrant]
    matches: list[MatchLine]

    def __bool__(self) -> bool:
        return bool(self.players or self.matches)


@dataclass(frozen=True)
class TableLine:
    """One line of a table. `why`: what put it ahead of the next line; "" for points or nothing.
    `undecided`: level with others across the cut, so that nobody knows yet who qualifies.
    """

    row: StandingsRow
    name: str
    club: str
    why: str
    level: bool
    qualified: bool
    undecided: bool = False


@dataclass(frozen=True)
class PlaceLine:
    """A line of the final ranking. `place` is "–" for the excluded; `reached_as`: FinalPlace."""

    place: str
    player: str
    name: str
    club: str
    reached: str
    """"swiss": the last stage before the tree, where groups come before it."""
    points: int


def match_line(state: TournamentState, match: MatchState) -> MatchLine:
    """A match as it is shown everywhere."""
    result = match.result
    return MatchLine(
        match.id,
        match.table,
        tuple(name_of(state, player) for player in match.players),
        match.deck,
        match.status,
        match.called_at,
        match.started_at or "",
        match.longest_minutes,
        score(result),
        result.kind if result else "",
        match.group or "",
        match.round or "",
        match.slot,
        _winner(match, result),
        match.swiss_round,
        tuple(seat for seat, at in enumerate(result.places) if at == 1) if result else (),
    )


def places(state: TournamentState, match: MatchState) -> list[tuple[int, str, int]]:
    """Place, name and points of the game at a table of several, the best first, who did not come
    last.
    """
    result = match.result
    if result is None or not result.places:
        return []
    names = (name_of(state, player) for player in match.players)
    seats = zip(result.places, names, result.cards, strict=True)
    return sorted(seats, key=lambda seat: (not seat[0], seat[0]))


@dataclass(frozen=True)
class OwnPlace:
    """How somebody was placed at a table of several; `place` 0: did not come; `count`: who did."""

    place: int
    count: int
    points: int


def own_place(state: TournamentState, match: MatchState, player: PlayerId) -> OwnPlace | None:
    """None before a result counts, and of a match of two."""
    said = match.result.places if match.result else []
    if not said:
        return None
    seat, setup = match.players.index(player), state.setup
    points = place_points(said, setup.seats, setup.points)
    return OwnPlace(said[seat], sum(map(bool, said)), points[seat])


def score(result: Result | None) -> str:
    """`20:12`; a forfeit or an exclusion carries a star."""
    if result is None:
        return ""
    return f"{said_text(result)}{star(result)}"


def star(result: Result) -> str:
    """The mark of a result that was not played out."""
    return "*" if result.kind in ("forfeit", "excluded", "absent") else ""


def _winner(match: MatchState, result: Result | None) -> str:
    ahead = result.ahead() if result else None
    if ahead is None:
        return ""
    return "a" if ahead == match.a else "b" if ahead == match.b else ""


def times_up(state: TournamentState) -> list[MatchLine]:
    """Matches whose box says that their minutes are over, and that have no result yet."""
    return [line for line in at_the_tables(state) if state.matches[line.id].time_up]


def others(state: TournamentState, match: MatchState, player: PlayerId) -> str:
    """Against whom a player plays: `Berta`, at a table of several `Berta, Cleo, Dan`."""
    return ", ".join(name_of(state, other) for other in match.players if other != player)


def lines(state: TournamentState, matches: Iterable[MatchState]) -> list[MatchLine]:
    return [match_line(state, match) for match in matches]


def at_the_tables(state: TournamentState) -> list[MatchLine]:
    """Called matches without a report, by table."""
    called = [match for match in state.matches.values() if match.status == "called"]
    return lines(state, sorted(called, key=lambda match: (match.table, match.id)))


def decks_out(state: TournamentState) -> list[MatchLine]:
    """Matches whose deck went to their table and is not back at the desk, by table."""
    # a knock-out match may be gone again, its player's win corrected, while its deck is out
    known = [m for m in sorted(state.decks_out.items()) if m[1] in state.matches]
    return lines(state, (state.matches[match] for _, match in known))


def decks_missed(state: TournamentState) -> list[MatchLine]:
    """Those that are not being played any more."""
    return [line for line in decks_out(state) if line.status != "called"]


def latecomers(state: TournamentState) -> list[Entrant]:
    """Who is here and was not drawn, as long as a group can still take them."""
    if not state.groups or state.ko_seeds or state.qualifying:
        return []
    drawn = {player for group in state.groups for player in group.players}
    here = state.present - state.out - drawn
    return [player for player in state.players.values() if player.id in here]


def waiting(state: TournamentState) -> list[MatchState]:
    """Matches to be called, in the order of the plan; knock-out matches after it. Not those that
    are put off.
    """
    opened = [m for m in state.matches.values() if m.status == "open" and not m.postponed]
    return sorted(opened, key=lambda match: (match.round is not None, match.slot, match.table))


def next_up(state: TournamentState) -> list[MatchLine]:
    return lines(state, waiting(state)[:NEXT_SHOWN])


def slot_times(state: TournamentState) -> dict[int, datetime]:
    """When the slots that are still to come are expected (UTC): behind the last one that was
    called, as fast as it went so far; before that one behind the beginning; nothing if nobody has
    said when that is.
    """
    matches = [match for match in state.matches.values() if match.slot]
    called: dict[int, str] = {}
    for match in matches:
        if match.called_at:
            # compared as texts: all are UTC, and a dot sorts behind a plus (`service._stamp`)
            called[match.slot] = min(match.called_at, called.get(match.slot, match.called_at))
    last, since = max(called.items(), default=(1, state.setup.begins))
    if not since:
        return {}
    begin, minutes = datetime.fromisoformat(since), _slot_minutes(state, called)
    return {
        slot: begin + timedelta(minutes=(slot - last) * minutes)
        for slot in {match.slot for match in matches if match.status == "open"}
        # a slot that is called already has no time any more
        # before the first call slot 1, the default of `last`, is still to come
        if slot > last or last not in called
    }


def _slot_minutes(state: TournamentState, called: Mapping[int, str]) -> float:
    """What a slot has really taken: the median of the last ones, from call to call. A break is no
    pace: it is never taken for more than twice the plan, nor for less than half.
    """
    planned = state.setup.slot_minutes
    begun = [(slot, datetime.fromisoformat(at)) for slot, at in sorted(called.items())]
    taken = [
        (later - at).total_seconds() / 60 / (next_one - slot)
        for (slot, at), (next_one, later) in pairwise(begun)
    ][-PACE_SLOTS:]
    # the median: one slot with a long protest says nothing about the pace
    return min(max(median(taken), planned / 2), planned * 2) if taken else planned


def times(state: TournamentState) -> dict[int, str]:
    """The same as `14:05` on the clock of this machine, behind another day's date."""
    today = datetime.now().astimezone().date()
    local = {slot: moment.astimezone() for slot, moment in slot_times(state).items()}
    return {
        slot: moment.strftime("%H:%M" if moment.date() == today else "%d.%m. %H:%M")
        for slot, moment in local.items()
    }


Outlook = Literal["", "in", "out", "open", "enough", "champion"]


def outlook(state: TournamentState, player: PlayerId) -> tuple[Outlook, int]:
    """Whether `player` comes into the knock-out, as far as points alone decide it: sure, out of
    reach, open, or certain after so many more points (`enough`). "" before anything is drawn.
    """
    if state.champion == player:
        return "champion", 0
    if not has_tree(state.setup.mode) or state.swiss_waits:
        return "", 0
    if state.ko_seeds or player in state.out:
        # whoever has lost plays for third place at most
        lost = any(_has_lost(match, player) for match in state.ko_matches())
        return ("in" if player in state.ko_seeds and not lost else "out"), 0
    rows = {row.player: row for row in state.overall_rows() if row.player not in state.out}
    if player not in rows:
        return "out" if state.qualifying else "", 0
    left = Counter(
        who for m in state.matches.values() if m.group and not m.counts for who in m.players
    )
    if state.in_swiss:
        # rounds to come have no matches yet: a Swiss is paired round by round
        left.update(dict.fromkeys(rows, state.setup.rounds - len(state.rounds)))

    def at_the_end(who: PlayerId, gained: int) -> Fraction:
        games = rows[who].played + left[who] if state.setup.compare == "per-match" else 1
        return Fraction(int(rows[who].points) + gained, max(games, 1))

    others = [who for who in rows if who != player]
    most = sorted(at_the_end(who, WIN_POINTS * left[who]) for who in others)
    size = state.setup.ko_size
    best = at_the_end(player, WIN_POINTS * left[player])
    # strictly more: who is level may still be ahead by cards
    if sum(at_the_end(who, 0) > best for who in others) >= size:
        return "out", 0
    for gained in range(WIN_POINTS * left[player] + 1):
        # those who can reach as much or more; level counts as ahead, since a wrong "sure" is worse
        # than a late one
        if len(most) - bisect_left(most, at_the_end(player, gained)) < size:
            return ("enough" if gained else "in"), gained
    return "open", 0


def _has_lost(match: MatchState, player: PlayerId) -> bool:
    ahead = match.result.ahead() if match.result else None
    return ahead is not None and ahead != player and player in (match.a, match.b)


def champion(state: TournamentState) -> str:
    """The name of who has won the tournament, "" before."""
    player = state.champion
    return name_of(state, player) if player else ""


def of_player(state: TournamentState, player: PlayerId) -> list[MatchState]:
    """The matches of a player: those to come first, called ones before all, then the last ones."""
    own = [match for match in state.matches.values() if player in match.players]
    coming = [match for match in own if not match.counts]
    coming.sort(key=lambda match: (match.status == "open", match.round is not None, match.slot))
    return coming + [match for match in reversed(own) if match.counts]


def stages(state: TournamentState) -> list[str]:
    """What is played one after the other: slots as `1`, `2` …, then rounds of the knock-out."""
    slots = {match.slot for match in state.matches.values() if match.group is not None}
    rounds = dict.fromkeys(match.round for match in state.ko_matches() if match.round)
    return [*(str(slot) for slot in sorted(slots)), *rounds]


def stage_of(match: MatchState) -> str:
    """The slot of a group match, the round of a knock-out match, as in `stages`."""
    return str(match.slot) if match.round is None else match.round


def stage_now(state: TournamentState) -> str:
    """Where most results are awaited; else the first with something to play, else the last one;
    "" before anything is drawn.
    """
    known = stages(state)
    waiting = [match for match in state.matches.values() if not match.counts]
    # counted, so that one straggler of an earlier slot does not hold the desk there
    awaited = Counter(stage_of(match) for match in waiting if match.status != "open")
    still = {stage_of(match) for match in waiting}
    first = next((stage for stage in known if stage in still), known[-1] if known else "")
    return max(known, key=lambda stage: awaited[stage]) if awaited else first


def of_stage(state: TournamentState, stage: str) -> list[MatchState]:
    """The matches of a slot or round by table; those without one in playing order."""
    # `matches` has the tree in the order in which its players became known
    order = [*(m for m in state.matches.values() if m.group is not None), *state.ko_matches()]
    found = [match for match in order if stage_of(match) == stage]
    return sorted(found, key=lambda match: match.table or state.setup.tables + 1)


def last_at_tables(state: TournamentState) -> list[MatchState]:
    """The match that was called last to each table, whatever became of it."""
    called = (match for match in state.matches.values() if match.called_at and match.table)
    last = {match.table: match for match in sorted(called, key=lambda match: match.call)}
    return [last[table] for table in sorted(last)]


_PLAIN = str.maketrans("øłđıæœ", "oldiao")
"""Letters that do not come apart into a plain one and a mark."""


def plain(text: str) -> str:
    """As people type a name who do not have its letters: `Łukasz Öztürk` → `lukasz ozturk`."""
    # compatibility forms too: wide letters and ligatures are typed as plain ones
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in apart if not unicodedata.combining(c)).translate(_PLAIN)


def search(state: TournamentState, text: str) -> SearchResult:
    """Players by name and club or by their whole id, matches by id, table or player; a number is a
    table. Nothing for an empty text.
    """
    words = plain(text).split()
    if not words:
        return SearchResult([], [])
    named = [
        player
        for player in state.players.values()
        if all(word in plain(f"{player.name} {player.club}") for word in words)
        or player.id.casefold() == words[0]
    ]
    ids = {player.id for player in named}
    found = [
        match
        for match in state.matches.values()
        if match.id.casefold().startswith(words[0])
        or (words[-1].isdecimal() and match.table == int(words[-1]))
        or not ids.isdisjoint(match.players)
    ]
    # what somebody at the desk most likely wants first
    order = ("called", "reported", "open", "checked", "locked")
    found.sort(key=lambda match: (order.index(match.status), match.slot, match.table))
    return SearchResult(named[:FOUND_SHOWN], lines(state, found[:FOUND_SHOWN]))


def similar(state: TournamentState, player: PlayerId) -> list[PlayerId]:
    """Who may be the same person entered twice: the same words in another order, or nearly so."""
    wanted = _words(state.players[player])
    others = {p.id: _words(p) for p in state.players.values() if p.id != player}
    close = set(get_close_matches(wanted, others.values(), FOUND_SHOWN, SIMILAR))
    return [other for other, words in others.items() if words in close][:FOUND_SHOWN]


def _words(player: Entrant) -> str:
    return " ".join(sorted(plain(player.name).split()))


@dataclass(frozen=True)
class CountedLine:
    """What boxes or slips say of a match, and what the players counted; None: nothing yet."""

    line: MatchLine
    computed: tuple[int, ...]
    counted: tuple[int, ...] | None

    @property
    def differs(self) -> bool:
        return self.counted is not None and self.counted != self.computed


def counted(state: TournamentState, stage: str) -> list[CountedLine]:
    """Matches of a slot or round that a box reported, beside what the players counted; and those
    of all others where it differs.
    """
    found = []
    for match in state.matches.values():
        by_box = next((r for r in match.reports if r.source == "box"), None)
        by_hand = next((r for r in reversed(match.reports) if r.source == "paper"), None)
        # a forfeit has no cards to count; places need no counting
        if by_box is None or by_box.kind != "played" or match.more:
            continue
        said = by_hand.cards if by_hand else None
        row = CountedLine(match_line(state, match), by_box.cards, said)
        if row.differs or stage_of(match) == stage:
            found.append(row)
    return sorted(found, key=lambda row: (not row.differs, row.line.table))


def table_lines(
    state: TournamentState,
    rows: Sequence[StandingsRow],
    lang: str,
    compare: Compare = "raw",
    qualified: Collection[PlayerId] = (),
    undecided: Collection[PlayerId] = (),
) -> list[TableLine]:
    """Rows with names and reasons. Who has not played yet is level with nobody."""
    sharing = Counter(row.rank for row in rows if row.played)
    found = []
    for row, below in zip_longest(rows, rows[1:]):
        level = row.played > 0 and sharing[row.rank] > 1
        by_points = below is None or below.decided_by == "points"
        why = "" if by_points or level or below is None else explain(row, below, compare, lang)
        name, club = _who(state, row.player)
        cut = row.player in qualified, row.player in undecided
        found.append(TableLine(row, name, club, why, level, *cut))
    return found


def signed(number: int) -> str:
    """`+14`, `−8`, `0`, with a minus as wide as the plus."""
    return f"{number:+}".replace("-", MINUS) if number else "0"


def group_lines(state: TournamentState, group: str, lang: str) -> list[TableLine]:
    return table_lines(state, state.group_rows(group), lang)


def group_matches(state: TournamentState, group: str) -> list[MatchLine]:
    return lines(state, (match for match in state.matches.values() if match.group == group))


def ranking(state: TournamentState, lang: str, most: int | None = None) -> list[TableLine]:
    """The order across all groups (TO-3), with the cut marked."""
    if not state.groups:
        return []
    rows = state.overall_rows()
    sure, open_ones = _cut(state, rows)
    return table_lines(state, rows[:most], lang, state.setup.compare, sure, open_ones)


def _cut(
    state: TournamentState, rows: Sequence[StandingsRow]
) -> tuple[set[PlayerId], set[PlayerId]]:
    """Who is in, and who shares a rank across the cut. Nobody who has left is either; once the
    tree is drawn it says who is in.
    """
    if state.ko_seeds:
        return set(state.ko_seeds), set()
    if not has_tree(state.setup.mode):
        return {row.player for row in rows}, set()
    if state.swiss_waits:
        tied = {player for tie in cut_ties(state) for player in tie}
        return set(advancing(state)) - tied, tied
    barred = state.as_tournament().excluded()
    ranked = [row for row in rows if row.player not in barred]
    size = state.setup.ko_size
    split = ranked[size].rank if len(ranked) > size else None
    # the cut goes between two ranks: nothing is open
    if split is None or ranked[size - 1].rank != split:
        return {row.player for row in ranked[:size]}, set()
    sure = {row.player for row in ranked[:size] if row.rank != split}
    return sure, {row.player for row in ranked if row.rank == split}


def reached(state: TournamentState, line: FinalPlace) -> str:
    """How far somebody came; a Swiss is no group."""
    in_swiss = state.in_swiss and line.player in state.groups[0].players
    return "swiss" if line.reached == "group" and in_swiss else line.reached_as


def final_lines(state: TournamentState) -> list[PlaceLine]:
    """The final ranking once the champion is known, empty before."""
    final = state.final_places()
    # not `overall_rows`: who did not come into the Swiss has a final place, too
    points = {row.player: row.points for row in state.whole_rows()} if final else {}
    return [
        PlaceLine(
            "–" if line.place is None else str(line.place),
            line.player,
            *_who(state, line.player),
            reached(state, line),
            points[line.player],
        )
        for line in final
    ]


def _who(state: TournamentState, player: PlayerId) -> tuple[str, str]:
    """Name and club, to stand beside each other: homonyms have the club in the name already."""
    # a homonym is `Anna Egli (Bern)` already: the club is not said twice
    name, known = name_of(state, player), state.players[player]
    return name, "" if name != (known.name or player) and known.club in name else known.club


def sizes(state: TournamentState) -> list[tuple[int, int]]:
    """(players, groups of so many), the largest first, where groups differ; else nothing."""
    counted = Counter(len(group.players) for group in state.groups)
    return sorted(counted.items(), reverse=True) if len(counted) > 1 else []


@dataclass(frozen=True)
class DayProgress:
    """How far the day is: matches that count, matches known, those at the tables."""

    done: int
    total: int
    playing: int


def progress(state: TournamentState) -> DayProgress:
    """Counted over groups and the knock-out as far as it is known."""
    stages = [match.status for match in state.matches.values()]
    return DayProgress(sum(s in COUNTS for s in stages), len(stages), stages.count("called"))
