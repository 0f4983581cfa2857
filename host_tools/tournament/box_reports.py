"""What boxes have signed of a tournament's log, report by report: the match that a journal names
is compared with the one that the desk reported it for.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeGuard

import msgspec

from host_tools.core.errors import Exit, UserError
from host_tools.core.json_types import Json
from host_tools.store.journal.reading import JournalFile, counts_of, place_of_seat, read_journal
from host_tools.tournament import events as ev
from host_tools.tournament import swiss, tables
from host_tools.tournament.incoming import counted_by_seat, found_seats
from host_tools.tournament.log_file import ReportPlace
from host_tools.tournament.match_state import MatchState, differs
from host_tools.tournament.model import Kind, PlayerId
from host_tools.tournament.service import apply_logged
from host_tools.tournament.state import TournamentState

_NAMED = ("tournament", "tournament_match", "stage", "table")
"""Fields of a journal's header that name its match; None, "" or 0 where it does not."""
Says = tuple[tuple[int, ...], Kind, PlayerId | None, tuple[int, ...]]
"""Cards in the match's order of players, kind, winner, places."""


@dataclass(frozen=True)
class BoxReport:
    """A report of a box whose journal is at hand, and where it stands."""

    event: ev.LogEntry
    said: ev.Reported
    place: ReportPlace
    journal: JournalFile


def go_on(state: TournamentState, event: ev.LogEntry) -> None:
    """Fold the next event. Raises UserError for a round that `state` does not give so."""
    if isinstance(event.body, ev.RoundPaired):
        paired_by = tables if event.body.tables else swiss
        paired_by.check(state, event.body, event.seq)
    apply_logged(state, event)


def fold_reports(
    events: Iterable[ev.LogEntry], journals: Mapping[str, bytes]
) -> tuple[TournamentState, list[BoxReport]]:
    """The state behind all events, and the reports of boxes that the desk did not contest, the
    last of each journal. Raises UserError for events that cannot have happened.
    """
    state, found = TournamentState(), dict[str, BoxReport]()
    for event in events:
        said = event.body
        if _of_box(said) and said.journal in journals and said.match in state.matches:
            journal = read_journal(journals[said.journal])
            # before the event is folded: the state that the desk had
            place = _place(state, state.matches[said.match], said.journal, journal.header or {})
            found[said.journal] = BoxReport(event, said, place, journal)
        go_on(state, event)
    return state, [_weighed(one, state) for one in found.values()]


def _weighed(report: BoxReport, state: TournamentState) -> BoxReport:
    """The report, with whether its match counts with this result in the end."""
    counts = _counts(state, report.said)
    return replace(report, place=msgspec.structs.replace(report.place, counts=counts))


def _of_box(said: ev.AnyBody) -> TypeGuard[ev.Reported]:
    return isinstance(said, ev.Reported) and said.source == "box" and said.trust != "contested"


def _place(state: TournamentState, match: MatchState, digest: str, header: Json) -> ReportPlace:
    names, ids = _texts(header.get("names")), _texts(header.get("players"))
    seen = msgspec.structs.replace(
        _NOBODY, names=names, players=ids, counts=(0,) * max(len(names), len(ids))
    )
    seats = list(found_seats(state, seen) or ())
    return ReportPlace(digest, match.stage, match.table, list(match.players), seats)


_NOBODY = ev.Unplaced("box", "", "", "", "unverified", (), [], "", [], [], "", "", "", 0, None, "")


def _texts(value: object) -> list[str]:
    """What a box wrote there may be anything."""
    texts: list[object] = value if isinstance(value, list) else []
    return [one if isinstance(one, str) else "" for one in texts]


def _counts(state: TournamentState, said: ev.Reported) -> bool:
    """Its match counts with this result, and nobody has voided it since."""
    match = state.matches.get(said.match)
    if match is None or match.result is None or not match.counts:
        return False
    stands = any(one.journal == said.journal for one in match.reports)
    return stands and not differs(said, match.result)


def counted(state: TournamentState) -> list[MatchState]:
    """The matches whose result counts."""
    return [match for match in state.matches.values() if match.counts and match.result]


# -- the journal against the log (verify.js does the same) ----------------------------------------


def names_it(one: BoxReport, tournament: str) -> bool:
    """The journal is of this box, and what its header says of tournament, match, stage, table and
    players is true of the match.
    """
    header, place = one.journal.header or {}, one.place
    here = (tournament, one.said.match, place.stage, place.table)
    for name, wanted in zip(_NAMED, here, strict=True):
        if (told := header.get(name)) and str(told) != str(wanted):
            return False
    missing = {*place.players} - {*place.seats} if place.seats else set()
    at_it = {*place.seats} <= {*place.players} and len(missing) <= (len(place.players) > 2)
    return header.get("box") == one.said.box and at_it


def check_same(one: BoxReport) -> None:
    """Raises UserError where the box has signed another result than the log says."""
    told, said = _told(one), one.said
    wanted = (said.cards, said.kind, said.winner, tuple(said.places))
    if wanted not in told:
        raise UserError("export_differs", Exit.CHECK, match=said.match)


def _told(one: BoxReport) -> list[Says]:
    """The result of the journal; both ways round if it does not name its two players."""
    result = one.journal.result or {}
    counts, ranking = counts_of(result), result.get("ranking")
    places = ranking if _is_ranking(ranking) else []
    if not _is_counts(counts) or not result.get("over"):
        return []
    seen = msgspec.structs.replace(
        _NOBODY, counts=tuple(counts), ranking=places, reason=str(result.get("reason", ""))
    )
    players, seats = one.place.players, one.place.seats
    if len(players) > 2:
        return [_of_several(seen, players, seats or players)]
    orders = [seats] if seats else [players, players[::-1]]
    return [_of_two(seen, players, order) for order in orders] if len(counts) == 2 else []


def _of_two(seen: ev.Unplaced, players: list[PlayerId], seats: list[PlayerId]) -> Says:
    cards, kind, winning = counted_by_seat(seen)
    at = tuple(cards[seats.index(player)] for player in players)
    return at, kind, None if winning is None else seats[winning], ()


def _of_several(seen: ev.Unplaced, players: list[PlayerId], seats: list[PlayerId]) -> Says:
    counts, places = dict(enumerate(seen.counts)), place_of_seat(seen.ranking)
    at = [seats.index(player) if player in seats else -1 for player in players]
    cards = tuple(counts.get(seat, 0) for seat in at)
    return cards, "played", None, tuple(places.get(seat, 0) for seat in at)


def _is_counts(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 1 and all(type(one) is int for one in value)


def _is_ranking(value: Any) -> bool:
    if not isinstance(value, list) or not all(isinstance(one, list) for one in value):
        return False
    return all(type(seat) is int and 0 <= seat < 99 for place in value for seat in place)
