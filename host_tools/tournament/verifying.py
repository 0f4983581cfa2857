"""`schiri tournament verify`: rebuild everything from the log and compare."""

from dataclasses import dataclass

from host_tools.refusals.refusal import Refusal
from host_tools.store.tournament_log import CHAIN_START, Line, link
from host_tools.tournament.service import TournamentService, apply_logged, decode_line
from host_tools.tournament.state import State

FAILED = 1


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
    state = State()
    chain = CHAIN_START
    compared = 0
    for line in service.lines():
        chain = _follows(state, chain, line)
        if line.state_before:
            compared += 1
            if state.digest() != line.state_before:
                raise Refusal("state_differs", FAILED, event=line.seq)
        apply_logged(state, decode_line(line))
    if state.digest() != service.state.digest():
        raise Refusal("log_differs", FAILED)
    return Verified(state.seq, compared, chain, _without_journal(service, state))


def _follows(state: State, chain: str, line: Line) -> str:
    """The link of `line`, if it stands where it should."""
    if line.seq != state.seq + 1:
        raise Refusal("event_missing", FAILED, event=state.seq + 1)
    expected = link(chain, line.text)
    if line.chain != expected:
        raise Refusal("event_changed", FAILED, event=line.seq)
    return expected


def _without_journal(service: TournamentService, state: State) -> list[str]:
    here = {digest for _, digest, _ in service.store.digests()}
    return [
        match.id
        for match in state.matches.values()
        for report in match.reports
        if report.source == "box" and report.journal not in here
    ]
