"""What holds names of people who were forgotten leaves the database, and does not come back when a
box is read once more: its matches stay on it (`forgotten` of a tournament says which).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, select
from sqlalchemy.orm import Session

from firmware.app.link_frames import read_record
from host_tools.core.names import folded
from host_tools.store.models import Fetch, LiveRecord, StoredMatch, StoredTournament
from host_tools.store.said import Unfit, read_parts

AT_ONCE = 500
"""Databases limit how many values a question may have."""


@dataclass(frozen=True)
class ForgottenPeople:
    """Who is forgotten in `tournament`: `players` by id (None: everybody), called `names`, which
    are folded. `journals`: digests of what was reported for them.
    """

    tournament: str
    players: frozenset[str] | None
    names: frozenset[str]
    journals: frozenset[str]

    def played(self, header: Mapping[str, Any]) -> bool:
        """True for a match of theirs. One of no tournament is theirs by name."""
        named = not self.names.isdisjoint(folded(str(name)) for name in header.get("names") or ())
        if (header.get("tournament") or "") != self.tournament:
            return named and not header.get("tournament")
        seated = {str(player) for player in header.get("players") or ()}
        return self.players is None or named or not self.players.isdisjoint(seated)


def erase(session: Session, who: ForgottenPeople) -> None:
    """Delete the matches of theirs: stored, fetched in part, and heard on the air."""
    columns = (
        StoredMatch.digest,
        StoredMatch.header,
        StoredMatch.box_id,
        StoredMatch.number,
        StoredMatch.born,
    )
    gone = [
        row
        for row in session.execute(select(*columns))
        if row.digest in who.journals or who.played(row.header)
    ]
    delete_matches(session, [row.digest for row in gone])
    keys = {(row.box_id, row.number, row.born) for row in gone} | _erase_heard(session, who)
    for box, number, _ in keys:
        session.execute(delete(Fetch).where(Fetch.box_id == box, Fetch.number == number))
    _remember(session, who, keys)


def delete_matches(session: Session, digests: Sequence[str]) -> None:
    """The matches of these journals, with their seats and states."""
    for start in range(0, len(digests), AT_ONCE):
        some = digests[start : start + AT_ONCE]
        for match in session.scalars(select(StoredMatch).where(StoredMatch.digest.in_(some))):
            session.delete(match)


def _erase_heard(session: Session, who: ForgottenPeople) -> set[tuple[str, int, str]]:
    """Delete what the hall heard of their matches, and return which they were."""
    first = session.scalars(select(LiveRecord).where(LiveRecord.line == 0)).all()
    keys = {(one.box_id, one.number, one.born) for one in first if who.played(_header(one))}
    for box, number, born in keys:
        of_match = (LiveRecord.number == number) & (LiveRecord.born == born)
        session.execute(delete(LiveRecord).where(LiveRecord.box_id == box, of_match))
    return keys


def _header(row: LiveRecord) -> Mapping[str, Any]:
    record = read_record(row.raw)
    try:
        return {} if record is None else read_parts(record.payload)[0]
    except Unfit:
        return {}


def _remember(session: Session, who: ForgottenPeople, keys: set[tuple[str, int, str]]) -> None:
    row = session.get_one(StoredTournament, who.tournament)
    before = row.forgotten or {}
    matches = {tuple(key) for key in before.get("matches", ())} | keys
    row.forgotten = {
        "all": who.players is None or before.get("all", False),
        "players": sorted({*before.get("players", ()), *(who.players or ())}),
        "matches": [list(key) for key in sorted(matches)],
    }


def is_forgotten(
    connection: Connection, key: tuple[str, int, str], header: Mapping[str, Any]
) -> bool:
    """True for a match whose players were forgotten: box, number and `born`, and its header."""
    rows = select(StoredTournament.id, StoredTournament.forgotten)
    found = connection.execute(rows.where(StoredTournament.forgotten.is_not(None)))
    return any(_is_among(forgotten, tournament, key, header) for tournament, forgotten in found)


def _is_among(
    forgotten: Mapping[str, Any],
    tournament: str,
    key: tuple[str, int, str],
    header: Mapping[str, Any],
) -> bool:
    if list(key) in forgotten["matches"]:
        return True
    if header.get("tournament") != tournament:
        return False
    return forgotten["all"] or not set(forgotten["players"]).isdisjoint(
        header.get("players") or ()
    )
