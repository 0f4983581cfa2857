"""A slip beside the journal of the same match: do both tell the same?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from host_tools.replay.journal import verdict
from host_tools.store import Store
from host_tools.store.models import StoredMatch
from host_tools.tournament.incoming import SLIP_NAME

AGREES = "agrees"
CONTRADICTS = "contradicts"
CONTESTED = "contested"
NOT_YET = "not_yet"

SENTENCES = {
    AGREES: "the stored journal tells the same",
    CONTRADICTS: "the stored journal tells otherwise: the jury must decide",
    CONTESTED: "the stored journal of this match is contested: the jury must decide",
    NOT_YET: "the journal of this match has not come yet",
}

Seat = tuple[str, int, int | None, int | None]
"""Name, cards or score, points, place."""


@dataclass(frozen=True)
class Claim:
    """What a slip says about one match: `head`, hex, is the link that the journal's seal names."""

    box: str
    match: str
    head: str
    seats: tuple[Seat, ...]


def claim_of(fields: dict[str, Any]) -> Claim:
    """From the fields of a booked slip (`slip_fields`)."""
    seats = tuple((s["name"], s["count"], s["points"], s["place"]) for s in fields["seats"])
    return Claim(fields["box"], fields["match"], fields["head"], seats)


def journals_of(claim: Claim, store: Store) -> list[StoredMatch]:
    """The stored journals of the slip's match; more than one if boxes or people tell otherwise."""
    return [match for match in store.matches(claim.box) if _name_of(match) == claim.match]


def compare(claim: Claim, journals: Sequence[StoredMatch]) -> str:
    """AGREES, CONTRADICTS, CONTESTED, or NOT_YET without a journal (`journals_of`).

    A contested journal proves nothing, neither for the slip nor against it.
    """
    if not journals:
        return NOT_YET
    sound = [match for match in journals if match.state != verdict.CONTESTED]
    if not sound:
        return CONTESTED
    return AGREES if any(_agrees(claim, match) for match in sound) else CONTRADICTS


def _name_of(match: StoredMatch) -> str:
    """As the box writes it on a slip (firmware/app/slip.py)."""
    return f"{match.number}-{match.born}"


def _agrees(claim: Claim, match: StoredMatch) -> bool:
    seats = tuple((s.name[:SLIP_NAME], s.count, s.points, s.place) for s in match.seats)
    return match.sealed_head == claim.head and seats == claim.seats
