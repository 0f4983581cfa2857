"""`schiri tournament verify`: rebuild everything from the log and compare; an exported file with
nothing but public keys.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from host_tools.cards.public_keys import KeyList
from host_tools.cards.public_keys import verify as verify_signature
from host_tools.core.errors import Exit, UserError
from host_tools.store.journal.verdict import VERIFIED, judge, rules_differ
from host_tools.store.log_line import CHAIN_START, LogLine, link
from host_tools.tournament import events as ev
from host_tools.tournament.box_reports import check_same, counted, fold_reports, go_on, names_it
from host_tools.tournament.log_file import LogFile, read_links, read_log
from host_tools.tournament.service import TournamentService, decode_line
from host_tools.tournament.state import TournamentState

SeenBefore = Callable[[str, str], int | None]
"""From a desk's key and the last link of an export to when this computer first found it good."""


def never_seen(_signer: str, _end: str) -> None:
    """Nothing is remembered."""


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
        go_on(state, decode_line(line))
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
        go_on(state, event)
    return Verified(state.seq, 0, log.head, [])


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
    """`signer`: the desk's key that signed the file; `end`: the link that it signed; matches that
    count, by what they rest on: the signature of a box, or the word of the desk alone; those whose
    journal is not in the file; and those whose journal holds, but not by this program's rules.
    """

    tournament: str
    league: str
    signer: str
    events: int
    head: str
    end: str
    by_box: list[str]
    by_desk: list[str]
    without_journal: list[str]
    other_rules: list[str]


def verify_export(
    path: Path, data: bytes, keys: KeyList, seen: SeenBefore = never_seen
) -> ProvedExport:
    """What the file `path` with this content proves. Raises UserError (exit code 1) with the first
    thing that does not hold. What a revoked desk has signed holds if `seen` before it was revoked.
    """
    log = read_links(path, data)
    _check_signature(log, keys, path, seen)
    state, reports = fold_reports(log.events, log.journals)
    by_box, other_rules = set[str](), list[str]()
    for one in reports:
        received = _unix(one.event)
        signed = judge(one.journal, keys.of, received, rules=False).state == VERIFIED
        if not signed or not names_it(one, log.last.tournament):
            continue  # the match then rests on the desk's word alone
        check_same(one)
        if rules_differ(one.journal):
            other_rules.append(one.said.match)
        elif one.place.counts:
            by_box.add(one.said.match)
    matches = [match.id for match in counted(state)]
    if log.last.counted != len(matches) or log.last.reports != [one.place for one in reports]:
        raise UserError("export_counts", Exit.CHECK, path=path)
    return ProvedExport(
        tournament=state.setup.name,
        league=keys.league,
        signer=log.signer,
        events=state.seq,
        head=log.head,
        end=log.end,
        by_box=[match for match in matches if match in by_box],
        by_desk=[match for match in matches if match not in by_box],
        without_journal=_lacking(log),
        other_rules=other_rules,
    )


def _lacking(log: LogFile) -> list[str]:
    said = (event.body for event in log.events)
    reports = (one for one in said if isinstance(one, ev.Reported) and one.source == "box")
    return [one.match for one in reports if one.journal not in log.journals]


def _check_signature(log: LogFile, keys: KeyList, path: Path, seen: SeenBefore) -> None:
    """Raises UserError for a file that no desk of the list has signed, while its key held."""
    if not log.signer:
        raise UserError("export_unsigned", Exit.CHECK, path=path)
    desk = next((key for key in keys.of("") if key.id == log.signer), None)
    if desk is None:
        raise UserError("export_signer", Exit.CHECK, path=path, name=log.signer)
    if not verify_signature(desk.public, "export", bytes.fromhex(log.end), log.signature):
        raise UserError("export_forged", Exit.CHECK, path=path)
    # no time in the file counts: who has the key can write any
    if desk.revoked is not None and (seen(desk.id, log.end) or desk.revoked) >= desk.revoked:
        raise UserError("export_revoked", Exit.CHECK, path=path, name=log.signer)


def _unix(event: ev.LogEntry) -> int:
    try:
        return int(datetime.fromisoformat(event.at).timestamp())
    except (ValueError, OverflowError) as error:
        raise UserError("event_unfitting", Exit.CHECK, event=event.seq) from error
