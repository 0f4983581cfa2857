"""The public keys that the desks of a database have enrolled: lines are added and revoked, never
removed, so that what a key signed before can be checked for ever.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from sqlalchemy import Engine, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from host_tools.cards.public_keys import (
    EnrolledKey,
    KeyList,
    SigningKey,
    check_alike,
    check_person,
    checked_box,
    key_id,
    load_desk_key,
    practice_key,
    publish,
)
from host_tools.core import places
from host_tools.core.errors import UserError
from host_tools.store.models import EnrolledRow

LEAGUE = "Schiri"
"""Of a list whose desk was given no name of its league."""


class EnrolledKeys:
    """`errors()` turns database faults into UserError; `now`: unix time in seconds."""

    def __init__(
        self,
        engine: Engine,
        errors: Callable[[], AbstractContextManager[None]],
        now: Callable[[], float] = time.time,
    ) -> None:
        self._engine, self._errors, self._now = engine, errors, now

    def of(self, box: str) -> Sequence[EnrolledKey]:
        """A `PublicKeysOf`: the keys of a box, the oldest first; of all desks for ""."""
        with self._errors(), Session(self._engine) as session:
            query = select(EnrolledRow).where(EnrolledRow.box_id == box)
            return [_key(row) for row in session.scalars(query.order_by(*_IN_ORDER))]

    def all(self, league: str = LEAGUE) -> KeyList:
        """Every line."""
        with self._errors(), Session(self._engine) as session:
            rows = session.scalars(select(EnrolledRow).order_by(EnrolledRow.box_id, *_IN_ORDER))
            return KeyList(league, tuple(map(_key, rows)))

    def enrol(self, box: str, public: bytes, by: str) -> bool:
        """Enrol a key, newer than all of the box before; False: this very line is there. Raises
        UserError for a key of another box (a copied flash), a revoked one, and an id that
        people may take for another box's.
        """
        if box:
            checked_box(box)
        check_person(by)
        known = self.all()
        there = known.find(key_id(public))
        if there is not None:
            _check_again(there, box)
            return False
        check_alike({key.box for key in known.keys if key.box} | {box})
        # a clock that was set back must not put the new key before the old one
        since = max([int(self._now()), *(key.since + 1 for key in known.of(box))])
        row = EnrolledRow(
            id=key_id(public), box_id=box, public=public.hex(), since=since, by=by, revoked_by=""
        )
        with self._errors():
            try:
                with Session(self._engine) as session, session.begin():
                    session.add(row)
            except IntegrityError:  # another desk was faster
                return self.enrol(box, public, by)
        return True

    def revoke(self, name: str, by: str) -> EnrolledKey:
        """What the key of that id signs from now on counts no more. Raises UserError."""
        check_person(by)
        with self._errors(), Session(self._engine) as session, session.begin():
            # people copy it as it is shown, in groups of four digits
            row = session.get(EnrolledRow, name.replace(" ", "").lower())
            if row is None:
                raise UserError("public_key_unknown", text=name)
            if row.revoked is not None:
                raise UserError("public_key_revoked", name=row.id)
            # a clock that was set back must not revoke a key before it was enrolled
            row.revoked, row.revoked_by = max(int(self._now()), row.since), by
            return _key(row)

    def desk(self, league: str = "") -> SigningKey:
        """This laptop's key, made at the first need, and enrolled here. Raises UserError for a
        revoked one.
        """
        key = load_desk_key(make=league or LEAGUE)
        assert key is not None  # it would have been made
        self.enrol("", key.public, key.name)
        return key

    def signer(self) -> SigningKey:
        """What signs lists, papers and exports: the desk's key, in the database of practice that
        of practice. Raises UserError.
        """
        if self._engine.url.database != str(places.practice_database()):
            return self.desk()
        key = practice_key()
        self.enrol("", key.public, key.name)
        return key

    def published(self) -> bytes:
        """The list as everybody may read it, signed by this laptop."""
        desk = self.signer()
        return publish(self.all(desk.name), desk)

    def public_list(self) -> bytes | None:
        """The same for a page that anybody opens; None while nothing is enrolled."""
        return self.published() if self.all().keys else None


_IN_ORDER = (EnrolledRow.since, EnrolledRow.id)


def _key(row: EnrolledRow) -> EnrolledKey:
    return EnrolledKey(row.box_id, bytes.fromhex(row.public), row.since, row.by, row.revoked)


def _check_again(there: EnrolledKey, box: str) -> None:
    if there.box != box:
        raise UserError("public_key_elsewhere", name=there.id, box=there.box or "desk")
    if there.revoked is not None:
        raise UserError("public_key_revoked", name=there.id)
