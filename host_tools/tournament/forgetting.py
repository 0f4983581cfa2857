"""After the event: names and everything that people wrote leave the log, and results stay, by id;
or a whole tournament goes.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec.structs import replace

from host_tools.core.errors import UserError
from host_tools.core.texts import WORDS
from host_tools.store.log_line import CHAIN_START
from host_tools.tournament import events as ev
from host_tools.tournament.model import Entrant
from host_tools.tournament.service import TournamentService, linked, tournament_ids

if TYPE_CHECKING:
    from host_tools.store.store import Store

GONE = "–"


@dataclass(frozen=True)
class Left:
    """How many players were forgotten, and which boxes still have their names: id and name."""

    players: int
    boxes: list[tuple[str, str]]

    def lines(self, lang: str) -> list[str]:
        """What was done, and where names still are."""
        words = WORDS[lang]
        lines = [words["forgotten"].format(count=self.players), words["left_files"]]
        if self.boxes:
            names = ", ".join(f"{name} ({box})" if name else box for box, name in self.boxes)
            lines.append(words["left_boxes"].format(names=names))
        return lines


def forget(service: TournamentService) -> Left:
    """Rewrite the log of a finished event without names, reasons and written texts, and delete the
    journals that its boxes reported: in their headers stand names. Desks that run load it anew.
    Raises UserError before the final is decided, or the second time.
    """
    state = service.state
    if state.forgotten:
        raise UserError("forgotten_already")
    if not state.final_places():
        raise UserError("no_final")
    events = list(without_names(service.events()))
    last = events[-1]
    body = ev.Forgotten(players=len(state.players))
    events.append(ev.LogEntry(seq=last.seq + 1, at=last.at, actor=last.actor, body=body))
    played = {report.box for match in state.matches.values() for report in match.reports}
    boxes = [(box.id, box.name) for box in service.store.boxes() if box.id in played]
    # journals first: if the second step fails, `forgotten` is not in the log and all can be done
    # again
    service.store.drop_journals(list(state.journals))
    # without digests: they were made over names that are gone now
    service.rewrite(linked(CHAIN_START, events))
    return Left(len(state.players), boxes)


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
    from host_tools.store.store import delete_matches
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
    if isinstance(body, ev.ProtestDecided | ev.Observed | ev.Penalized | ev.Announced):
        return replace(body, text=GONE)
    return body
