"""A line of a tournament's log, and the hash chain over all of them."""

import hashlib
from dataclasses import dataclass

CHAIN_START = ""


@dataclass(frozen=True)
class LogLine:
    """One line of the log. `state_before`: digest of the tournament as the writer saw it, or ""
    (see TournamentService)."""

    seq: int
    text: str
    chain: str
    state_before: str = ""


def link(chain: str, text: str) -> str:
    """The link of a line behind `chain`: SHA-256 as 64 hex digits."""
    # over the bytes as written: a later version may write the same event otherwise
    return hashlib.sha256(f"{chain}\n{text}".encode()).hexdigest()
