"""A slip beside the journal of the same match: do both tell the same?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from host_tools.journal.reading import read_journal
from host_tools.store import Store
from host_tools.store.models import StoredMatch

AGREES = "agrees"
CONTRADICTS = "contradicts"
NOT_YET = "not_yet"

SENTENCES = {
    AGREES: "the stored journal tells the same",
    CONTRADICTS: "the stored journal tells otherwise: the jury must decide",
    NOT_YET: "the journal of this match has not come yet",
}


@dataclass(frozen=True)
class Claim:
    """What a slip says about one match: `head`, hex, is the link that the journal's seal names."""

    box: str
    match: str
    head: str
    totals: tuple[int, ...]


def claim_of(fields: dict[str, Any]) -> Claim:
    """From the fields of a booked slip (`slip_fields`)."""
    totals = tuple(int(seat["count"]) for seat in fields["seats"])
    return Claim(fields["box"], fields["match"], fields["head"], totals)


def compare(claim: Claim, store: Store) -> str:
    """AGREES, CONTRADICTS, or NOT_YET while no journal of this match is stored.

    If several journals of one match are stored, the slip agrees with the match when it agrees with
    one of them; which of them is right the desk sees as contested already.
    """
    stored = [match for match in store.matches(claim.box) if _name_of(match) == claim.match]
    if not stored:
        return NOT_YET
    return AGREES if any(_agrees(claim, match) for match in stored) else CONTRADICTS


def _name_of(match: StoredMatch) -> str:
    """As the box writes it on a slip (firmware/app/slip.py)."""
    return f"{match.number}-{match.born}"


def _agrees(claim: Claim, match: StoredMatch) -> bool:
    result: dict[str, Any] = match.result or {}
    totals: Sequence[int] = result.get("counts", result.get("scores", ()))
    journal = read_journal(match.journal)
    sealed = journal.seal is not None and journal.head_before == claim.head
    return sealed and tuple(totals) == claim.totals
