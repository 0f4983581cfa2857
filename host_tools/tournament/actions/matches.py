"""A match from its call to its lock: open → called → reported → checked → locked."""

import math
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from host_tools.core.errors import UserError
from host_tools.core.text_check import check_texts
from host_tools.tournament import events as ev
from host_tools.tournament.actions.checks import (
    check_nothing_on,
    check_pair,
    check_result,
    lost,
    match_for,
    match_of,
    nobody,
)
from host_tools.tournament.actions.entrants import meant
from host_tools.tournament.match_state import differs
from host_tools.tournament.model import Kind, PlayerId, verdict
from host_tools.tournament.player_names import name_key
from host_tools.tournament.rights import check_status, is_possible
from host_tools.tournament.schedule import deck_of
from host_tools.tournament.state import MatchState, TournamentState
from host_tools.tournament.wording import said_text

LONGEST_ANNOUNCEMENT = 120
"""Two lines on a screen of the hall."""
LATE_SECONDS = 120
"""SW-7, CL-4: later than this after the call is a forfeit."""


def call(
    state: TournamentState, match_id: ev.MatchId, table: int | None = None
) -> list[ev.AnyBody]:
    """Call a match to its table (default: the planned one); the late timer starts (CL-4)."""
    match = match_for(state, match_id, "call")
    # a knock-out match has no table of the plan: it takes the first free one
    chosen = table or match.table or free_table(state)
    if not 1 <= chosen <= state.setup.tables:
        raise UserError("no_table", table=chosen, tables=state.setup.tables)
    _check_free(state, match, chosen)
    deck = deck_of(chosen, state.setup.decks)
    return [ev.Called(match=match_id, table=chosen, deck=deck)]


CalledMatches = tuple[list[ev.AnyBody], list[UserError]]
"""What is called, and why the others cannot be."""


def call_slot(state: TournamentState, slot: int) -> CalledMatches:
    """Call what can be called of a slot. No match has the slot 0."""
    return _call(
        state, "call_slot", [m for m in state.matches.values() if slot == m.slot and slot]
    )


def call_round(state: TournamentState, round: str) -> CalledMatches:
    """Call what can be called of a round of the knock-out. Raises UserError if there is none."""
    of_round = [match for match in state.ko_matches() if match.round == round]
    if not of_round:
        raise UserError("no_round", round=round)
    return _call(state, "call_round", of_round)


def _call(state: TournamentState, step: str, chosen: Iterable[MatchState]) -> CalledMatches:
    """A straggler of the one before must not hold up all."""
    bodies: list[ev.AnyBody] = []
    refused: list[UserError] = []
    for match in sorted(chosen, key=lambda match: match.table):
        # put off by the jury: only a call by its own name brings it back
        if match.postponed or not is_possible(step, match):
            continue
        try:
            made = call(state, match.id)
        except UserError as error:
            refused.append(error)
            continue
        bodies += made
        # the next match must see this table and these players as busy
        state = state.after(made)
    return bodies, refused


def call_free(state: TournamentState, waiting: Iterable[MatchState]) -> list[ev.AnyBody]:
    """Call, in this order, whatever finds its table and both players free: one match a table. One
    without a planned table takes the first free one.
    """
    taken, busy = _busy(state)
    tables = range(1, state.setup.tables + 1)
    bodies: list[ev.AnyBody] = []
    for match in waiting:
        table = match.table or next((free for free in tables if free not in taken), 0)
        if table not in tables or table in taken or not busy.isdisjoint(match.players):
            continue
        taken.add(table)
        busy |= {*match.players}
        deck = deck_of(table, state.setup.decks)
        bodies.append(ev.Called(match=match.id, table=table, deck=deck))
    return bodies


def deck_back(
    state: TournamentState, match_id: ev.MatchId, still_out: bool = False
) -> list[ev.AnyBody]:
    """Tick off the deck of a match: it came back to the desk with its slip. A deck is out from
    the call of a match to its table.
    """
    # refused if no deck went to its table, or another match has it by now
    match, back = match_of(state, match_id), not still_out
    out = match_id in state.decks_out.values()
    if match.deck_back if back else out:
        return []
    # called again for another match: the deck is out for that one now
    free = (match.table, match.deck) not in state.decks_out
    if not (out if back else match.deck_back and free):
        raise UserError("deck_not_out", match=match_id)
    return [ev.DeckBack(match=match_id, back=back)]


def signal_start(state: TournamentState) -> list[ev.AnyBody]:
    """Everybody who was called begins now: their boxes say so. A match that runs hears nothing."""
    # who has begun already must not be told to begin
    ready = [m.id for m in state.matches.values() if m.status == "called" and not m.started_at]
    if not ready:
        raise UserError("nothing_to_start")
    return [ev.StartSignal(matches=sorted(ready))]


def announce(state: TournamentState, text: str) -> list[ev.AnyBody]:
    """A sentence for everybody in the hall; the same one twice is one."""
    sentence = " ".join(text.split())
    check_texts(sentence, longest=LONGEST_ANNOUNCEMENT)
    if not sentence:
        raise UserError("announcement_empty")
    return [] if sentence in state.announcements.values() else [ev.Announced(text=sentence)]


def end_announcement(state: TournamentState, announcement: str = "") -> list[ev.AnyBody]:
    """Take down an announcement, by its number or text; without either all of them."""
    return [
        ev.AnnouncementEnded(announcement=number)
        for number, said in state.announcements.items()
        if announcement in ("", said, str(number))
    ]


def _check_free(state: TournamentState, match: MatchState, table: int) -> None:
    """Raises UserError if the table or a player of `match` still has another called match."""
    players = {*match.players}
    for other in state.matches.values():
        if other is match or other.status != "called":
            continue
        if other.table == table:
            raise UserError("table_busy", match=match.id, table=table, other=other.id)
        if not players.isdisjoint(other.players):
            raise UserError("player_busy", match=match.id, other=other.id)
    # across tournaments by name and club: ids begin anew in each
    keys = {name_key(state.players[player]) for player in players}
    for there in state.elsewhere:
        if there.table == table:
            raise UserError("table_busy", match=match.id, table=table, other=there.name)
        if keys & there.players:
            raise UserError("player_busy", match=match.id, other=there.name)


def _busy(state: TournamentState) -> tuple[set[int], set[PlayerId]]:
    """The tables and players that a called match has, here or for another tournament."""
    called = [match for match in state.matches.values() if match.status == "called"]
    there = {key for match in state.elsewhere for key in match.players}
    taken = {match.table for match in called} | {match.table for match in state.elsewhere}
    busy = {player for match in called for player in match.players}
    if there:
        busy |= {player.id for player in state.players.values() if name_key(player) in there}
    return taken, busy


def free_table(state: TournamentState) -> int:
    """The first table without a called match. Raises UserError if all are taken."""
    taken, _ = _busy(state)
    for table in range(1, state.setup.tables + 1):
        if table not in taken:
            return table
    raise UserError("tables_taken")


def late_at(match: MatchState) -> datetime | None:
    """When whoever is missing has lost (SW-7); None for a match that is not called, that has
    begun, or whose players are both at the table, and for a table of several.
    """
    if match.status != "called" or not match.called_at or match.started_at or match.more:
        return None
    # both have tapped their badges: nobody is late, even before they begin
    if {*match.players} <= set(match.here):
        return None
    return datetime.fromisoformat(match.called_at) + timedelta(seconds=LATE_SECONDS)


def seconds_left(match: MatchState, now: datetime) -> int | None:
    """What is left of the two minutes, seconds that have begun; 0 or less when more than the two
    minutes are over (SW-7), None where none run. A clock that jumped never makes more of them than
    there were.
    """
    limit = late_at(match)
    if limit is None:
        return None
    left_s = (limit - now).total_seconds()
    # in time is still who comes at the very end of them
    return 1 if left_s == 0 else min(LATE_SECONDS, math.ceil(left_s))


def no_show(
    state: TournamentState,
    match_id: ev.MatchId,
    missing: PlayerId,
    now: datetime,
    force: bool = False,
) -> list[ev.AnyBody]:
    """MISSING did not come within two minutes of the call: lost 12:0 (SW-7)."""
    match = match_of(state, match_id)
    if missing not in match.players:
        raise UserError("not_playing", match=match_id, player=missing)
    check_status("no_show", match)
    check_pair(match)
    if not force:
        _too_late(match, [missing], now)
    return [lost(match, missing, "forfeit")]


def both_absent(
    state: TournamentState, match_id: ev.MatchId, now: datetime, force: bool = False
) -> list[ev.AnyBody]:
    """Neither came within two minutes of the call: 0:0, nobody wins (SW-7b)."""
    match = match_for(state, match_id, "both_absent")
    check_pair(match)
    if not force:
        _too_late(match, [match.a, match.b], now)
    found = nobody(match)
    # a final needs somebody to win it
    check_result(match, found.cards, found.kind, None)
    return [found]


def _too_late(match: MatchState, absent: Iterable[PlayerId], now: datetime) -> None:
    """Raises UserError unless the two minutes are over and they are not here."""
    left = seconds_left(match, now)
    if match.started_at:
        raise UserError("has_begun", match=match.id, time=match.started_at[11:16])
    # the box knows better than whoever looks from the desk
    for player in absent:
        if player in match.here:
            raise UserError("is_at_table", match=match.id, player=player)
    if left is None:
        raise UserError("not_late", match=match.id, status=match.status)
    if left > 0:
        raise UserError("still_time", match=match.id, seconds=left)


def report(state: TournamentState, said: ev.Reported) -> list[ev.AnyBody]:
    """Somebody reports a result. The same report twice is one; a locked match takes none. That of
    a box comes once more when the box is enrolled, and is verified then.
    """
    match = match_of(state, said.match)
    if match.status == "reported" and said.trust == "verified" and _waits(match, said.journal):
        return [said]
    # before the status: a box that sends a report again is no fault, even behind the lock
    if said in match.reports or (said.journal and said.journal in state.journals):
        return []
    check_status("report", match)
    # a box or slip saw the deck itself; the plan may name another one
    deck = "" if said.source in ("box", "slip") else None
    check_result(match, said.cards, said.kind, said.winner, deck, said.places)
    return [said]


def _waits(match: MatchState, journal: str) -> bool:
    """True for a journal that was reported while its box was not enrolled."""
    return any(
        (before.journal, before.trust) == (journal, "unverified") for before in match.reports
    )


def report_of(match: MatchState, number: int | None) -> tuple[int, ev.Reported]:
    """The place of a report from 0, and what it says. `number`: from 1; None: the last one. Raises
    UserError.
    """
    place = (number or len(match.reports)) - 1
    if not 0 <= place < len(match.reports):
        raise UserError("no_such_report", match=match.id)
    return place, match.reports[place]


def take_back(
    state: TournamentState, match_id: ev.MatchId, report: int | None = None
) -> list[ev.AnyBody]:
    """Take back a report by hand that was mistyped; it stays in the log. The match is open again
    if its result rested on that report alone.
    """
    match = match_for(state, match_id, "take_back")
    place, said = report_of(match, report)
    if said.source in ("box", "slip"):
        raise UserError("report_stays", match=match_id)
    others = [one for number, one in enumerate(match.reports) if number != place]
    reopens = _bears(said, match) and not any(_bears(one, match) for one in others)
    if reopens and said.kind == "excluded":  # the player has left all matches by it
        raise UserError("undo_excluded", match=match_id)
    if reopens:
        check_nothing_on(state, match)
    gone = ev.TakenBack(
        match=match_id,
        report=place,
        cards=said.cards,
        source=said.source,
        places=said.places,
        reopens=reopens,
    )
    return [gone]


def _bears(said: ev.Reported, match: MatchState) -> bool:
    """The result that counts is what this report says."""
    return match.result is not None and not differs(said, match.result)


def start(state: TournamentState, match_id: ev.MatchId) -> list[ev.AnyBody]:
    """Both are at the table and begin: nobody is late any more (SW-7)."""
    match = match_for(state, match_id, "start")
    return [] if match.started_at else [ev.Started(match=match_id)]


def check(
    state: TournamentState,
    match_id: ev.MatchId,
    cards: tuple[int, ...] | None = None,
    kind: Kind = "played",
    winner: PlayerId | None = None,
    places: Sequence[int] = (),
) -> list[ev.AnyBody]:
    """The desk says what counts: the given result, or without one what all reports agree on."""
    match = match_for(state, match_id, "check")
    if cards is None:
        said = _agreed(match)
        cards, kind, winner, places = said.cards, said.kind, said.winner, said.places
    # a box or slip saw another deck than the plan has: its sum is not held against it
    reported = any((cards, kind) == (said.cards, said.kind) for said in match.reports)
    check_result(match, cards, kind, winner, "" if reported else None, places)
    bodies: list[ev.AnyBody] = []
    if kind == "excluded":
        # the open matches of the loser follow as walkovers (`service`)
        loser = match.a if cards[0] < cards[1] else match.b
        bodies = [] if loser in state.excluded else [ev.Excluded(player=loser)]
    checked = ev.Checked(
        match=match_id, cards=cards, kind=kind, winner=winner, places=list(places)
    )
    return [checked, *bodies]


def check_all(state: TournamentState) -> list[ev.AnyBody]:
    """Check every result that was played at a box, is verified, and that no report contradicts."""
    bodies: list[ev.AnyBody] = []
    for match in state.matches.values():
        trust = {said.trust for said in match.reports}
        sure = "verified" in trust and "contested" not in trust and not match.doubtful
        # forfeits and exclusions take somebody who looks at them
        played = all(said.kind == "played" for said in match.reports)
        if match.status == "reported" and sure and played:
            bodies += check(state, match.id)
    return bodies


def _agreed(match: MatchState) -> ev.Reported:
    """The report that counts: of a table of several one that has the points, too."""
    if not match.reports:
        raise UserError("no_report", match=match.id)
    if match.disagree:
        reports = [(said.source, said_text(said)) for said in match.reports]
        raise UserError("reports_disagree", match=match.id, reports=reports)
    if match.played_otherwise:
        raise UserError("rules_otherwise", match=match.id)
    if any(said.trust == "contested" for said in match.reports):
        raise UserError("journal_contested", match=match.id)
    # paper has places only, its points are 0: the same places with points say more
    boxes = [said for said in match.reports if said.places and any(said.cards)]
    return (boxes or match.reports)[-1]


def enter(
    state: TournamentState,
    match_id: ev.MatchId,
    cards: tuple[int, ...],
    kind: Kind = "played",
    winner: PlayerId | None = None,
    source: ev.Source = "paper",
    places: Sequence[int] = (),
) -> list[ev.AnyBody]:
    """A result by hand: reported, and checked at once if no report says something else."""
    match = match_for(state, match_id, "enter")
    said = ev.Reported(
        match=match_id, cards=cards, kind=kind, winner=winner, source=source, places=list(places)
    )
    bodies = report(state, said)
    if match.played_otherwise or {verdict(one) for one in match.reports} - {verdict(said)}:
        return bodies
    # of a box that said the same places, so that its points are kept
    known = next((report.cards for report in match.reports if places and any(report.cards)), cards)
    return [*bodies, *check(state, match_id, known, kind, winner, places)]


def places_of(state: TournamentState, match_id: ev.MatchId, order: str) -> list[int]:
    """`Anna, Ben = Cleo / Dan`, or seat by seat `1 2 2 0` or `1220` → places seat by seat. Raises
    UserError.
    """
    players = match_of(state, match_id).players
    # at most eight seats: a digit is a place
    numbers = order.split() if " " in order.strip() else list(order.strip())
    if numbers and all(number.isascii() and number.isdecimal() for number in numbers):
        return [int(number) for number in numbers]
    # behind the stroke stands who did not come
    came, _, missing = order.partition("/")
    places = {meant(state, name, players): 0 for name in _named(missing, ",")}
    place = 1
    for shared in _named(came, ","):
        names = _named(shared, "=")
        places |= dict.fromkeys((meant(state, name, players) for name in names), place)
        place += len(names)
    unknown = next((player for player in places if player not in players), None)
    if unknown is not None:
        raise UserError("not_playing", match=match_id, player=unknown)
    # who has left need not be named
    left = [player for player in players if player not in places and player not in state.out]
    if left:
        raise UserError("places_lack", match=match_id, players=left)
    return [places.get(player, 0) for player in players]


def _named(text: str, mark: str) -> list[str]:
    return [name.strip() for name in text.split(mark) if name.strip()]


def enter_places(
    state: TournamentState, match_id: ev.MatchId, places: Sequence[int]
) -> list[ev.AnyBody]:
    """The places at a table of several. They count at once, unless a box says something else."""
    count = len(match_of(state, match_id).players)
    return enter(state, match_id, (0,) * count, places=places)


def lock(state: TournamentState, match_id: ev.MatchId) -> list[ev.AnyBody]:
    """Close a checked result."""
    match_for(state, match_id, "lock")
    return [ev.Locked(match=match_id)]


def lock_all(state: TournamentState) -> list[ev.AnyBody]:
    """Lock every checked result that no late report contradicts."""
    return [
        ev.Locked(match=match.id)
        for match in state.matches.values()
        # a late report that says otherwise waits for somebody who compares
        if is_possible("lock", match) and not match.contradicted
    ]
