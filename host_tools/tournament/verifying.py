"""`schiri tournament verify`: rebuild everything from the log and compare; an exported file with
nothing but public keys.
"""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from host_tools.cards.public_keys import KeyList
from host_tools.cards.public_keys import verify as verify_signature
from host_tools.core.errors import Exit, UserError
from host_tools.store.journal.reading import read_journal
from host_tools.store.journal.verdict import VERIFIED, judge
from host_tools.store.log_line import CHAIN_START, LogLine, link
from host_tools.tournament import events as ev
from host_tools.tournament import swiss, tables
from host_tools.tournament.collecting import of_box
from host_tools.tournament.incoming import as_report, found_seats
from host_tools.tournament.log_file import LogFile, read_log
from host_tools.tournament.service import (
    TournamentService,
    apply_logged,
    decode_line,
)
from host_tools.tournament.state import TournamentState


@dataclass(frozen=True)
class Verified:
    """`events` in the log, `digests` of states in between that were compared, `head` of the hash
    chain (write it down: who has it knows later that nothing before it was changed), and the
    matches whose journals are not in this store.
    """

    events: int
    digests: int
    head: str
    without_journal: list[str]


def verify(service: TournamentService) -> Verified:
    """Raises UserError (exit code 1) with the first thing that does not hold."""
    state = TournamentState()
    chain = CHAIN_START
    compared = 0
    for line in service.lines():
        chain = _follows(state, chain, line)
        if line.state_before:
            if state.digest() != line.state_before:
                raise UserError("state_differs", Exit.CHECK, event=line.seq)
            compared += 1
        _go_on(state, decode_line(line))
    # what this process folded in pieces must be what one fold gives
    if state.digest() != service.state.digest():
        raise UserError("log_differs", Exit.CHECK)
    missing = _without_journal(service, state)
    return Verified(state.seq, compared, chain, missing)


def verify_file(path: Path, head: str = "") -> Verified:
    """The same of an exported log: its chain, and that its events can have happened one after the
    other. `head`: as somebody wrote it down. Raises UserError naming the line.
    """
    log = read_log(path)
    if head and log.head != head.lower():
        raise UserError("other_head", Exit.CHECK, path=path, head=log.head)
    state = TournamentState()
    for event in log.events:
        _go_on(state, event)
    return Verified(state.seq, 0, log.head, [])


def _go_on(state: TournamentState, event: ev.LogEntry) -> None:
    """Fold the next event. Raises UserError for a round that `state` does not give so."""
    if isinstance(event.body, ev.RoundPaired):
        paired_by = tables if event.body.tables else swiss
        paired_by.check(state, event.body, event.seq)
    apply_logged(state, event)


def _follows(state: TournamentState, chain: str, line: LogLine) -> str:
    """The link of `line`, if it stands where it should."""
    # before the chain: a line that is missing breaks it too, and this says which
    if line.seq != state.seq + 1:
        raise UserError("event_missing", Exit.CHECK, event=state.seq + 1)
    expected = link(chain, line.text)
    if line.chain != expected:
        raise UserError("event_changed", Exit.CHECK, event=line.seq)
    return expected


def _without_journal(service: TournamentService, state: TournamentState) -> list[str]:
    here = {digest for _, digest, _ in service.store.digests()}
    return [
        match.id
        for match in state.matches.values()
        for report in match.reports
        if report.source == "box" and report.journal not in here
    ]


# -- with public keys alone -----------------------------------------------------------------------


@dataclass(frozen=True)
class ProvedExport:
    """`signer`: the desk's key that signed the file; matches that count, by what they rest on: the
    signature of a box, or the word of the desk alone; and those whose journal is not in the file.
    """

    tournament: str
    league: str
    signer: str
    events: int
    head: str
    by_box: list[str]
    by_desk: list[str]
    without_journal: list[str]


def verify_export(path: Path, keys: KeyList) -> ProvedExport:
    """Raises UserError (exit code 1) with the first thing that does not hold."""
    log = read_log(path)
    _check_signature(log, keys, path)
    state = TournamentState()
    signed: dict[str, set[tuple[object, ...]]] = {}
    missing: list[str] = []
    for event in log.events:
        said = event.body
        if isinstance(said, ev.Reported) and said.source == "box":
            raw = log.journals.get(said.journal)
            # the match then rests on the desk's word alone
            if raw is None:
                missing.append(said.match)
            # before the event is folded: the report is judged against the state that the desk had
            elif _holds(state, event, said, raw, keys):
                signed.setdefault(said.match, set()).add((said.cards, said.kind))
        _go_on(state, event)
    counted = [match for match in state.matches.values() if match.counts and match.result]
    by_box = [
        match.id
        for match in counted
        if match.result and (match.result.cards, match.result.kind) in signed.get(match.id, ())
    ]
    by_desk = [match.id for match in counted if match.id not in by_box]
    return ProvedExport(
        tournament=state.setup.name,
        league=keys.league,
        signer=log.signer,
        events=state.seq,
        head=log.head,
        by_box=by_box,
        by_desk=by_desk,
        without_journal=missing,
    )


def _check_signature(log: LogFile, keys: KeyList, path: Path) -> None:
    """Raises UserError for a file that no desk of the list has signed, while its key held."""
    if not log.signer:
        raise UserError("export_unsigned", Exit.CHECK, path=path)
    desk = next((key for key in keys.of("") if key.id == log.signer), None)
    if desk is None:
        raise UserError("export_signer", Exit.CHECK, path=path, name=log.signer)
    if not verify_signature(desk.public, "export", bytes.fromhex(log.end), log.signature):
        raise UserError("export_forged", Exit.CHECK, path=path)
    # by the time of the last event, which the chain covers; the file's own time proves nothing
    if desk.revoked is not None and _unix(log.events[-1]) >= desk.revoked:
        raise UserError("export_revoked", Exit.CHECK, path=path, name=log.signer)


def _unix(event: ev.LogEntry) -> int:
    return int(datetime.fromisoformat(event.at).timestamp())


def _holds(
    state: TournamentState, event: ev.LogEntry, said: ev.Reported, raw: bytes, keys: KeyList
) -> bool:
    """Whether its box has signed this journal. Raises UserError for one that tells otherwise than
    the log.
    """
    journal = read_journal(raw)
    verdict = judge(journal, keys.of, _unix(event))
    from host_tools.store.store import as_stored  # SQLAlchemy takes long to load

    seen = of_box(as_stored(journal, verdict, said.journal))
    match = state.matches.get(said.match)
    if seen is None or match is None:
        return False
    report = as_report(match, seen, state)
    either = (
        # if the journal does not name its players, the desk said who sat where
        {report.cards, report.cards[::-1]} if found_seats(state, seen) is None else {report.cards}
    )
    if said.box != seen.box or said.cards not in either or said.kind != report.kind:
        raise UserError("export_differs", Exit.CHECK, match=said.match)
    return verdict.state == VERIFIED
