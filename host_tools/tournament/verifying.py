"""`schiri tournament verify`: rebuild everything from the log and compare."""

from dataclasses import dataclass
from pathlib import Path

from host_tools.core.errors import Exit, UserError
from host_tools.store.tournament_log import CHAIN_START, LogLine, link
from host_tools.tournament.log_file import read_log
from host_tools.tournament.service import (
    DIGEST_MARK,
    TournamentService,
    apply_logged,
    decode_line,
    marked_digest,
)
from host_tools.tournament.state import TournamentState


@dataclass(frozen=True)
class Verified:
    """`events` in the log, `digests` of states in between that were compared, `incomparable` ones
    of an older schiri, which say nothing, `head` of the hash chain (write it down: who has it
    knows later that nothing before it was changed), and the matches whose journals are not in
    this store.
    """

    events: int
    digests: int
    incomparable: int
    head: str
    without_journal: list[str]


def verify(service: TournamentService) -> Verified:
    """Raises UserError (exit code 1) with the first thing that does not hold."""
    state = TournamentState()
    chain = CHAIN_START
    compared = incomparable = 0
    for line in service.lines():
        chain = _follows(state, chain, line)
        if line.state_before:
            same = _stands_as(state, line)
            compared += same
            incomparable += not same
        apply_logged(state, decode_line(line))
    if state.digest() != service.state.digest():
        raise UserError("log_differs", Exit.CHECK)
    missing = _without_journal(service, state)
    return Verified(state.seq, compared, incomparable, chain, missing)


def verify_file(path: Path, head: str = "") -> Verified:
    """The same of an exported log: its chain, and that its events can have happened one after the
    other. `head`: as somebody wrote it down. Raises UserError naming the line.
    """
    log = read_log(path)
    if head and log.head != head.lower():
        raise UserError("other_head", Exit.CHECK, path=path, head=log.head or "–")
    state = TournamentState()
    for event in log.events:
        apply_logged(state, event)
    return Verified(state.seq, 0, 0, log.head, [])


def _stands_as(state: TournamentState, line: LogLine) -> bool:
    """True if the writer of `line` saw this state; False if it was an older schiri, whose digest
    tells nothing unless it agrees. Raises UserError for another state.
    """
    if not line.state_before.startswith(DIGEST_MARK):
        return state.digest() == line.state_before
    if marked_digest(state) != line.state_before:
        raise UserError("state_differs", Exit.CHECK, event=line.seq)
    return True


def _follows(state: TournamentState, chain: str, line: LogLine) -> str:
    """The link of `line`, if it stands where it should."""
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
