"""Results from the store's box matches and from booked slips into a tournament."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from host_tools.core.errors import UserError
from host_tools.store.journal import verdict
from host_tools.store.journal.reading import counts_of
from host_tools.tournament import events as ev
from host_tools.tournament import rule_options
from host_tools.tournament.actions import boxes, matches
from host_tools.tournament.incoming import as_report, find_match
from host_tools.tournament.service import TournamentService
from host_tools.tournament.slips import read_book
from host_tools.tournament.state import MatchState, TournamentState

if TYPE_CHECKING:
    from host_tools.store.models import StoredMatch

_TRUST: dict[str, ev.Trust] = {"verified": "verified", "contested": "contested"}


@dataclass(frozen=True)
class Collected:
    """What became of one result: the match it was reported for, or why it was not (a sentence for
    `in_words`).
    """

    result: ev.Unplaced
    match: ev.MatchId | None
    why: str = ""


class Collector:
    """Brings new box matches and slips into one tournament; ask it again every now and then.

    What fits no match yet is a task for the desk (`TournamentState.to_place`) and tried again.
    `check`: a verified result that no other report contradicts counts at once.
    """

    def __init__(self, service: TournamentService, actor: str, check: bool = False) -> None:
        self._service = service
        self._actor = actor
        self._check = check
        self._last_id = 0
        self._waiting: dict[str, Collected] = {}
        self._begun = datetime.fromisoformat(service.events()[0].at)

    def collect(self, slips: Sequence[Path] = ()) -> list[Collected]:
        """What became of everything new; what waits is named again only if the reason changes."""
        # what waited is tried again first: the match it belongs to may be there by now
        found = {waiting.result.journal: waiting.result for waiting in self._waiting.values()}
        left = self._service.state.to_place()
        found |= {seen.journal: seen for seen in left}
        last_id, from_boxes = self._from_boxes()
        found |= {seen.journal: seen for seen in from_boxes}
        for path in slips:
            found |= {seen.journal: seen for seen in read_book(path, of_slip) if seen}
        before = self._waiting
        new = [seen for seen in found.values() if not self._known(seen)]
        outcomes = [self._take(seen) for seen in (*new, *self._proved())]
        self._waiting = {o.result.journal: o for o in outcomes if o.match is None}
        self._last_id = last_id  # not before: if the database fails, all is looked at again
        return [outcome for outcome in outcomes if outcome != before.get(outcome.result.journal)]

    def _known(self, seen: ev.Unplaced) -> bool:
        state = self._service.state
        return seen.journal in state.journals or seen.journal in state.dismissed

    def _from_boxes(self) -> tuple[int, list[ev.Unplaced]]:
        """What the store has that was not looked at yet, and up to which match that goes."""
        store, last_id, found = self._service.store, self._last_id, []
        for match_id, digest, received in store.digests(last_id):
            last_id = match_id
            # last year's final may have had the same players
            if received < self._begun or digest in self._service.state.journals:
                continue
            match = store.match(match_id)
            seen = of_box(match) if match is not None else None
            if seen is not None:
                found.append(seen)
        return last_id, found

    def _proved(self) -> list[ev.Unplaced]:
        """What was reported while its box was not enrolled, and is verified now."""
        waiting = [
            said.journal
            for match in self._service.state.matches.values()
            if match.status == "reported"
            for said in match.reports
            if said.source == "box" and said.trust == "unverified"
        ]
        return list(filter(None, map(of_box, self._service.store.proved(waiting))))

    def _take(self, seen: ev.Unplaced) -> Collected:
        """Report one result. A refusal is an outcome, not an error: the others go on."""
        where: list[str] = []

        def judged(state: TournamentState) -> list[ev.AnyBody]:
            known = state.journals.get(seen.journal)
            match = state.matches[known] if known else find_match(state, seen, self._service.id)
            if not isinstance(match, MatchState):
                raise UserError(match)
            # a list, since the command may be judged several times and only the last counts
            where[:] = [match.id]
            said = as_report(match, seen, state)
            bodies = matches.report(state, said)
            sure = said.trust == "verified" and not said.other_rules
            if bodies and self._check and sure and not match.counts:
                later = state.after(bodies)
                # a slip or a hand has said something else: somebody has to look
                if not later.matches[match.id].disagree:
                    bodies = [*bodies, *matches.check(later, match.id)]
            return bodies

        try:
            self._service.do(self._actor, f"{seen.source} {seen.label}", judged)
        except UserError as error:
            self._leave_to_desk(seen)
            return Collected(seen, None, error.sentence)
        return Collected(seen, where[0])

    def _leave_to_desk(self, seen: ev.Unplaced) -> None:
        """Another tournament's results are not our task."""
        if seen.tournament in ("", self._service.id):
            with suppress(UserError):  # the database fails: the next look finds it again
                self._service.do(self._actor, "", lambda state: boxes.leave_to_desk(state, seen))


def of_box(match: "StoredMatch") -> ev.Unplaced | None:
    """A stored match as an incoming result; None if it was not finished or played alone."""
    header: dict[str, Any] = match.header
    result: dict[str, Any] = match.result or {}
    counts = counts_of(result)
    # a journal is the box's word and may hold anything
    if not isinstance(counts, list) or len(counts) < 2 or not result.get("over"):
        return None
    return ev.Unplaced(
        source="box",
        label=f"{match.box_id} {match.number}-{match.born}",
        box=match.box_id,
        journal=match.digest,
        trust=_TRUST.get(match.state, "unverified"),
        counts=tuple(map(int, counts)),
        ranking=result.get("ranking") or [],
        reason=str(result.get("reason", "")),
        names=[str(name) for name in header.get("names") or []],
        players=[str(player or "") for player in header.get("players") or []],
        tournament=str(header.get("tournament", "")),
        match=str(header.get("tournament_match", "")),
        stage=str(header.get("stage", "group")),
        table=_number(header.get("table")),
        duration_s=match.duration_s,
        received=match.received.isoformat(timespec="seconds") if match.received else "",
        # the header of a contested record may be anything
        rules={} if match.state == verdict.CONTESTED else rule_options.played_by(header),
    )


def _number(value: object) -> int:
    return int(value) if isinstance(value, int | str) and str(value).isdecimal() else 0


def of_slip(entry: dict[str, Any]) -> ev.Unplaced | None:
    """A booked slip (`slips.slip_fields`) as an incoming result; None if somebody played
    alone. Its signature was checked before it was booked.
    """
    seats = entry["seats"]
    if len(seats) < 2:
        return None
    return ev.Unplaced(
        source="slip",
        label=f"{entry['box']} {entry['match']}",
        box=entry["box"],
        journal=entry["head"],
        trust="verified",
        counts=tuple(int(seat["count"]) for seat in seats),
        ranking=_ranking(seat["place"] for seat in seats),
        reason=entry["reason"],
        names=[seat["name"] for seat in seats],
        players=[],
        tournament="",
        match="",
        stage="",
        table=_number(entry["table"]),
        duration_s=int(entry["duration_s"]),
        received="",
        rules={rule_options.GAME: entry["game"]},
    )


def _ranking(places: Iterable[int]) -> list[list[int]]:
    by_place: dict[int, list[int]] = {}
    for seat, place in enumerate(places):
        by_place.setdefault(place, []).append(seat)
    return [by_place[place] for place in sorted(by_place)]
