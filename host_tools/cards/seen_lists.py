"""What this computer has seen of leagues before: the newest published list of every desk, since an
older one may lack what was revoked; whose desk a league's is; and which exports were good when.
"""

import time
import unicodedata

import msgspec

from host_tools.cards.public_keys import KeyList, grouped
from host_tools.core import places
from host_tools.core.errors import Exit, UserError
from host_tools.core.own_files import read_input, write_privately, written_below

EXPORTS_KEPT = 1000
"""Exports remembered of a desk; the oldest is forgotten first."""


class SeenList(msgspec.Struct, frozen=True):
    """`issued` (unix time) of a list, its desks' keys: id -> revoked, and its league's name; of
    exports that its signer signed, last link -> when they were first found good (unix time).
    """

    issued: int
    desks: dict[str, bool]
    league: str = ""
    exports: dict[str, int] = {}


def check_newest(found: KeyList, pinned: str | None = None) -> None:
    """Remember a list that was checked. Raises UserError, exit code 1 if it is older than what one
    of its desks has signed, if that has revoked its signer, or if another desk was seen under the
    same name of a league and has not named this one. `pinned`: the id of the desk's key that a
    person has compared.

    A desk counts that the list names, or the one before it did, and that names the signer: else
    anybody could sign a list that puts another league's out of use.
    """
    signer = found.signer
    if pinned and pinned != signer:
        about = {"fingerprint": grouped(signer), "wanted": grouped(pinned)}
        raise UserError("key_list_pinned", Exit.CHECK, **about)
    seen = load_seen()
    desks = {key.id: key.revoked is not None for key in found.of("")}
    family = {signer, *desks, *(seen[signer].desks if signer in seen else ())}
    known = [seen[desk] for desk in family if desk in seen and signer in seen[desk].desks]
    if any(one.issued > found.issued or one.desks[signer] for one in known):
        raise UserError("key_list_old", Exit.CHECK)
    if not known and not pinned:
        _check_league(found, seen)
    before = seen.get(signer)
    new = SeenList(found.issued, desks, found.league, before.exports if before else {})
    if before != new:
        _save({**seen, signer: new})


def _check_league(found: KeyList, seen: dict[str, SeenList]) -> None:
    """Raises UserError for a desk that nobody has named, under the name of a known league."""
    name = called(found.league)
    other = next((desk for desk, one in seen.items() if called(one.league) == name), None)
    if other is not None:
        about = {"fingerprint": grouped(found.signer), "wanted": grouped(other)}
        raise UserError("key_list_other_desk", Exit.CHECK, league=found.league, **about)


def called(league: str) -> str:
    """A league's name as people read it: letters of other widths, capitals and blanks are one."""
    # verify.js does the same
    return " ".join(unicodedata.normalize("NFKC", league).lower().split())


def first_seen(signer: str, end: str) -> int | None:
    """When this computer first found an export good, by its desk and its last link (unix time)."""
    seen = load_seen().get(signer)
    return seen.exports.get(end) if seen else None


def remember_export(signer: str, end: str) -> None:
    """It is good today: if its desk is revoked later, this vouches for it. Raises UserError."""
    seen = load_seen()
    desk = seen.get(signer, SeenList(0, {}))
    if end not in desk.exports:
        newest = [*desk.exports.items(), (end, int(time.time()))]
        kept = dict(newest[-EXPORTS_KEPT:])
        _save({**seen, signer: msgspec.structs.replace(desk, exports=kept)})


def load_seen() -> dict[str, SeenList]:
    """Desk -> its newest list. Raises UserError."""
    path = places.seen_lists()
    if not path.exists():
        return {}
    try:
        return msgspec.json.decode(read_input(path), type=dict[str, SeenList])
    except (msgspec.DecodeError, RecursionError) as error:
        raise UserError("seen_lists_none", path=path) from error


def _save(seen: dict[str, SeenList]) -> None:
    path = places.seen_lists()
    with written_below(path):
        write_privately(path, msgspec.json.format(msgspec.json.encode(seen), indent=1).decode())
