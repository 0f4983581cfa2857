"""Names leave the database: all those of an event, or those of one person; results stay, by id. Or
a whole tournament goes.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec.structs import replace

from host_tools.core.errors import UserError
from host_tools.core.names import folded
from host_tools.core.texts import WORDS
from host_tools.store.log_line import CHAIN_START
from host_tools.tournament import events as ev
from host_tools.tournament.match_state import MatchState
from host_tools.tournament.model import Entrant, PlayerId
from host_tools.tournament.service import TournamentService, linked, tournament_ids
from host_tools.tournament.state import TournamentState

if TYPE_CHECKING:
    from host_tools.store.store import Store

GONE = "–"
SHORTEST_WORD = 3
"""Letters of the shortest part of a name that written texts are searched for."""
_WORDS = re.compile(r"\w+")


@dataclass(frozen=True)
class Left:
    """How many players were forgotten, and where names still are. `boxes`: id and name;
    `elsewhere`: ids of other tournaments in the database; `on_disk`: somebody reads the database,
    so that its write-ahead log could not be emptied.
    """

    players: int
    boxes: list[tuple[str, str]]
    elsewhere: list[str]
    on_disk: bool

    def lines(self, lang: str) -> list[str]:
        """What was done, and where names still are."""
        words = WORDS[lang]
        lines = [words["forgotten"].format(count=self.players), words["left_files"]]
        if self.boxes:
            names = ", ".join(f"{name} ({box})" if name else box for box, name in self.boxes)
            lines.append(words["left_boxes"].format(names=names))
        if self.elsewhere:
            lines.append(words["left_elsewhere"].format(names=", ".join(self.elsewhere)))
        if self.on_disk:
            lines.append(words["left_on_disk"])
        return lines


def forget(service: TournamentService, player: PlayerId = "") -> Left:
    """Rewrite the log without names, reasons and written texts: everybody's, or those of `player`.
    The journals with these names and what the hall heard of them go with it; desks that run load
    the log anew. At any time of an event. Raises UserError if there is no such player or no name.
    """
    from host_tools.store.erasing import ForgottenPeople, erase  # SQLAlchemy takes long to load

    state, events = service.state, service.events()
    if player and player not in state.players:
        raise UserError("no_player", player=player)
    ids = _ids_of(state, player)
    names = frozenset(_names_of(events, ids))
    if not names and (player or state.forgotten):
        raise UserError("forgotten_already")
    count = 1 if player else len(state.players)
    kept = list(_without(events, ids, names) if player else without_names(events))
    body, last = ev.Forgotten(players=count, player=player), kept[-1]
    kept.append(ev.LogEntry(seq=last.seq + 1, at=last.at, actor=last.actor, body=body))
    boxes, elsewhere = _boxes_with(service, ids), _others_with(service, names)
    journals = _journals_of(service, ids, player)
    who = ForgottenPeople(
        service.id, ids if player else None, frozenset(map(folded, names)), frozenset(journals)
    )
    # without digests: they were made over names that are gone now
    emptied = service.rewrite(linked(CHAIN_START, kept), lambda session: erase(session, who))
    return Left(count, boxes, elsewhere, not emptied)


def _ids_of(state: TournamentState, player: PlayerId) -> frozenset[PlayerId]:
    """A player's id and those of the entries that were merged into it; "": everybody's."""
    if not player:
        return frozenset({*state.players, *state.removed, *state.aliases})
    return frozenset({player, *(old for old, into in state.aliases.items() if into == player)})


def _names_of(events: Iterable[ev.LogEntry], ids: Collection[PlayerId]) -> Iterator[str]:
    """What the log ever called them, as sign-ups too."""
    for event in events:
        body = event.body
        if isinstance(body, ev.PlayerAdded | ev.PlayerChanged) and body.player.id in ids:
            one = body.player
            yield from (said for said in (one.name, f"{one.first} {one.surname}".strip()) if said)


def _journals_of(
    service: TournamentService, ids: Collection[PlayerId], player: PlayerId
) -> list[str]:
    """Digests of the journals that were reported for their matches, or wait for a place here."""
    state = service.state
    if not player:
        waiting = (one for one in state.unplaced.values() if one.tournament in ("", service.id))
        return [*state.journals, *(one.journal for one in waiting)]
    return [
        journal
        for journal, match in state.journals.items()
        if _plays(state.matches.get(match), ids)
    ]


def _plays(match: MatchState | None, ids: Collection[PlayerId]) -> bool:
    return match is not None and not set(ids).isdisjoint(match.players)


def _boxes_with(service: TournamentService, ids: Collection[PlayerId]) -> list[tuple[str, str]]:
    """The boxes that reported a match of theirs."""
    theirs = (match for match in service.state.matches.values() if _plays(match, ids))
    played = {report.box for match in theirs for report in match.reports}
    return [(box.id, box.name) for box in service.store.boxes() if box.id in played]


def _others_with(service: TournamentService, names: Collection[str]) -> list[str]:
    """The other tournaments of the database that know one of these names."""
    others = [one for one in tournament_ids(service.store) if one != service.id]
    known = ((one, TournamentService(service.store, one).known) for one in others)
    return [one for one, state in known if any(p.name in names for p in state.players.values())]


@dataclass(frozen=True)
class Goes:
    """What a deletion takes. `journals`: digests of those that no other tournament has."""

    name: str
    players: int
    lines: int
    journals: list[str]
    running: bool


def what_goes(store: "Store", tournament: str) -> Goes:
    """What deleting `tournament` takes. Raises UserError if there is none."""
    service = TournamentService(store, tournament)
    state = service.known
    # two tournaments may have reported the same journal: it goes with the last of them
    others = [TournamentService(store, one) for one in tournament_ids(store) if one != tournament]
    kept = {journal for other in others for journal in other.known.journals}
    begun = any(match.called_at or match.reports for match in state.matches.values())
    return Goes(
        state.setup.name,
        len(state.players),
        state.seq,
        [journal for journal in state.journals if journal not in kept],
        begun and not state.final_places(),
    )


def delete_tournament(store: "Store", tournament: str, goes: Goes) -> None:
    """Delete it for good, all of it or nothing. Raises UserError if the database fails."""
    # SQLAlchemy takes long to load
    from host_tools.store.erasing import delete_matches
    from host_tools.store.tournament_log import TournamentLog

    log = TournamentLog(store.engine, store.errors)
    log.delete(tournament, lambda session: delete_matches(session, goes.journals))


def without_names(events: Iterable[ev.LogEntry]) -> Iterable[ev.LogEntry]:
    """The same events, told of ids and of `desk 1`, `desk 2` … instead of people."""
    actors: dict[str, str] = {}
    for event in events:
        # numbers keep apart who did what, which a protest may still be about
        actor = actors.setdefault(event.actor, f"desk {len(actors) + 1}")
        # our own word, not what somebody wrote
        why = event.why if event.why == ev.WALKOVER else ""
        yield replace(event, actor=actor, why=why, body=_nameless(event.body))


def _nameless(body: ev.AnyBody) -> ev.AnyBody:
    if isinstance(body, ev.PlayerAdded | ev.PlayerChanged):
        return replace(body, player=Entrant(id=body.player.id, seed=body.player.seed))
    if isinstance(body, ev.SignedUp):
        return replace(body, name=GONE, club="", contact="")
    if isinstance(body, ev.Unplaced):
        return replace(body, names=[""] * len(body.names))
    if isinstance(body, ev.ProtestFiled):
        return replace(body, text=GONE, deposit="")
    if isinstance(body, ev.WRITTEN):
        return replace(body, text=GONE)
    return body


def _without(
    events: Sequence[ev.LogEntry], ids: Collection[PlayerId], names: Collection[str]
) -> Iterator[ev.LogEntry]:
    """The same events without one person: what somebody wrote goes where it names that person, by
    a part of the name too that nobody else has.
    """
    spelled = {folded(name) for name in names}
    others = {folded(name) for name in _names_of(events, _all_ids(events) - set(ids))}
    words = _words_of(spelled) - _words_of(others)

    def told(text: str) -> str:
        said = folded(text)
        by_part = not words.isdisjoint(_WORDS.findall(said))
        return GONE if by_part or any(name in said for name in spelled) else text

    for event in events:
        body = event.body
        if _is_about(body, ids) or (
            isinstance(body, ev.SignedUp) and folded(body.name) in spelled
        ):
            body = _nameless(body)
        elif isinstance(body, ev.Unplaced):
            kept = ["" if folded(name) in spelled else name for name in body.names]
            body = replace(body, names=kept)
        elif isinstance(body, ev.WRITTEN):
            body = replace(body, text=told(body.text))
        yield replace(event, actor=told(event.actor), why=told(event.why), body=body)


def _words_of(names: Iterable[str]) -> set[str]:
    return {w for name in names for w in _WORDS.findall(name) if len(w) >= SHORTEST_WORD}


def _all_ids(events: Iterable[ev.LogEntry]) -> set[PlayerId]:
    added = (event.body for event in events)
    return {body.player.id for body in added if isinstance(body, ev.PlayerAdded)}


def _is_about(body: ev.AnyBody, ids: Collection[PlayerId]) -> bool:
    """Somebody's entry, or what the jury wrote of them."""
    if isinstance(body, ev.PlayerAdded | ev.PlayerChanged):
        return body.player.id in ids
    return isinstance(body, ev.WRITTEN) and getattr(body, "player", "") in ids
