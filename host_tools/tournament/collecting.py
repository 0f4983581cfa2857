"""Results from the store's box matches and from booked slips into a tournament."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from host_tools.core.errors import UserError
from host_tools.core.json_types import Json
from host_tools.core.names import LONGEST_NAME, shown, slug
from host_tools.store.journal import verdict
from host_tools.store.journal.reading import counts_of
from host_tools.tournament import events as ev
from host_tools.tournament import rule_options
from host_tools.tournament.actions import boxes, matches
from host_tools.tournament.incoming import SLIP_NAME, as_report, find_match
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
        self._elsewhere: frozenset[str] = frozenset()
        """The other tournaments of the database, whose desks see to theirs."""

    def collect(self, slips: Sequence[Path] = ()) -> list[Collected]:
        """What became of everything new; what waits is named again only if the reason changes."""
        others = self._service.learn_others()
        if self._elsewhere - others:  # one was deleted: what was its task is nobody's now
            self._last_id = 0
        self._elsewhere = others
        # what waited is tried again first: the match it belongs to may be there by now
        found = {waiting.result.journal: waiting.result for waiting in self._waiting.values()}
        left = self._service.state.to_place()
        found |= {seen.journal: seen for seen in left}
        last_id, from_boxes = self._from_boxes()
        found |= {seen.journal: seen for seen in from_boxes}
        for path in slips:
            book = [self._with_origin(seen) for seen in read_book(path, of_slip) if seen]
            found |= {seen.journal: seen for seen in book}
        before = self._waiting
        new = [seen for seen in found.values() if not self._known(seen)]
        outcomes = [self._take(seen) for seen in (*new, *self._proved())]
        self._waiting = {
            outcome.result.journal: outcome
            for outcome in outcomes
            if outcome.match is None and not self._is_elsewhere(outcome.result)
        }
        self._last_id = last_id  # not before: if the database fails, all is looked at again
        return [outcome for outcome in outcomes if outcome != before.get(outcome.result.journal)]

    def _known(self, seen: ev.Unplaced) -> bool:
        state = self._service.state
        return seen.journal in state.journals or seen.journal in state.dismissed

    def _from_boxes(self) -> tuple[int, list[ev.Unplaced]]:
        """What the store has that was not looked at yet, and up to which match that goes."""
        store, last_id, found = self._service.store, self._last_id, []
        news = store.digests(last_id)
        begins = self._service.beginning() if news else None
        for match_id, digest, _ in news:
            last_id = match_id
            if digest in self._service.state.journals:
                continue
            match = store.match(match_id)
            seen = of_box(match) if match is not None else None
            if seen is None or begins is None:
                continue
            # last year's final may have had the same players; no clock says what was before
            if match_id > begins.after_match or self._is_ours(seen, begins.restored):
                found.append(seen)
        return last_id, found

    def _is_ours(self, seen: ev.Unplaced, restored: bool) -> bool:
        """Whether something stored before the tournament was made here belongs to it: its box
        names it, or it came from another laptop and the players have a match.
        """
        state = self._service.state
        if seen.tournament or any(seen.events):
            return any(map(state.is_event, filter(None, (seen.tournament, *seen.events))))
        return restored and isinstance(find_match(state, seen), MatchState)

    def _with_origin(self, seen: ev.Unplaced) -> ev.Unplaced:
        """A slip knows names alone; the journal of its match, if that is here, knows the rest."""
        number, _, born = seen.label.removeprefix(f"{seen.box} ").partition("-")
        if not number.isdecimal():
            return seen
        header = self._service.store.header_of(seen.box, int(number), born)
        known = _who(header, len(seen.counts))
        if header is None or [name[:SLIP_NAME] for name in known["names"]] != seen.names:
            return seen
        return replace(seen, **{name: known[name] for name in ("players", "events", "tournament")})

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
            match = state.matches[known] if known else find_match(state, seen)
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
        """A task, unless another tournament of this database has it to do."""
        if self._is_elsewhere(seen):
            return
        seen = self._without_strangers(seen)
        with suppress(UserError):  # the database fails: the next look finds it again
            self._service.do(self._actor, "", lambda state: boxes.leave_to_desk(state, seen))

    def _is_elsewhere(self, seen: ev.Unplaced) -> bool:
        if seen.tournament:
            return seen.tournament in self._elsewhere
        # all badges must say so: at a mixed table nobody else would ask
        events = {slug(event) for event in seen.events if event}
        return len(events) == 1 and all(seen.events) and events <= self._elsewhere

    def _without_strangers(self, seen: ev.Unplaced) -> ev.Unplaced:
        """Names of another event do not come into this log, only ids and whose they are."""
        state = self._service.state
        events = [seen.tournament] * len(seen.names) if seen.tournament else seen.events
        names = [
            name if not event or state.is_event(event) else ""
            for name, event in zip_longest(seen.names, events[: len(seen.names)], fillvalue="")
        ]
        return replace(seen, names=names)


_MOST_SEATS = 99
_TABLES = 10_000
_LARGEST = 1 << 31


def of_box(match: "StoredMatch") -> ev.Unplaced | None:
    """A stored match as an incoming result, without counts if those cannot be read; None if it was
    not finished or played alone.
    """
    result: Json = match.result or {}
    over = bool(result.get("over")) if match.result is not None else _needs_eyes(match)
    counts = _whole(counts_of(result))
    contested = match.state == verdict.CONTESTED
    # what the rules have confirmed can be read: without counts nobody played against anybody
    alone = len(counts) == 1 or (match.result is not None and not counts and not contested)
    if not over or alone:
        return None
    header: Json = match.header
    who = _who(header, len(counts))
    return ev.Unplaced(
        source="box",
        label=f"{match.box_id} {match.number}-{match.born}",
        box=match.box_id,
        journal=match.digest,
        trust=_TRUST.get(match.state, "unverified"),
        counts=counts,
        ranking=_ranking_of(result.get("ranking"), len(counts)),
        reason=_text(result.get("reason")),
        match=_text(header.get("tournament_match")),
        stage=_text(header.get("stage")) or "group",
        table=_number(header.get("table")),
        duration_s=match.duration_s,
        received=match.received.isoformat(timespec="seconds") if match.received else "",
        # the header of a contested record may be anything
        rules={} if contested else rule_options.played_by(header),
        **who,
    )


def _needs_eyes(match: "StoredMatch") -> bool:
    """Whether a journal without a result may be of a match that was played to its end, or that its
    box could not go on with.
    """
    damaged = match.state == verdict.CONTESTED
    return damaged or match.reason.startswith(verdict.SET_ASIDE)


def _who(header: Json | None, seats: int) -> dict[str, Any]:
    """Who sat there, as a header says that may hold anything."""
    said = header or {}
    lists = {name: _texts(said.get(name), seats) for name in ("names", "players", "events")}
    return {**lists, "tournament": _text(said.get("tournament"))}


def _texts(value: object, seats: int) -> list[str]:
    texts = value[: seats or _MOST_SEATS] if isinstance(value, list) else []
    return [_text(text) for text in texts]


def _text(value: object) -> str:
    return shown(value, LONGEST_NAME) if isinstance(value, str) else ""


def _whole(value: object) -> tuple[int, ...]:
    """All of them, or none."""
    if not isinstance(value, list) or len(value) > _MOST_SEATS:
        return ()
    # True is 1
    whole = all(type(one) is int and abs(one) < _LARGEST for one in value)
    return tuple(value) if whole else ()


def _ranking_of(value: object, seats: int) -> list[list[int]]:
    """Every seat once, else nothing."""
    if not isinstance(value, list) or not all(isinstance(place, list) for place in value):
        return []
    flat = [seat for place in value for seat in place]
    whole = all(type(seat) is int for seat in flat) and sorted(flat) == list(range(seats))
    return value if whole else []


def _number(value: object) -> int:
    number = int(value) if isinstance(value, int | str) and str(value)[:9].isdecimal() else 0
    return number if 0 <= number < _TABLES else 0


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
