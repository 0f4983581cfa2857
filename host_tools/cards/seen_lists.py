"""The newest published list of every desk that this computer has seen: an older one may lack what
was revoked since, so none is gone back to.
"""

import msgspec

from host_tools.cards.public_keys import KeyList
from host_tools.core import places
from host_tools.core.errors import Exit, UserError
from host_tools.core.own_files import read_input, write_privately, written_below


class SeenList(msgspec.Struct, frozen=True):
    """`issued` (unix time) of a list, and its desks' keys: id -> revoked."""

    issued: int
    desks: dict[str, bool]


def check_newest(found: KeyList) -> None:
    """Remember a list that was checked. Raises UserError, exit code 1 if it is older than what one
    of its desks has signed, or if that has revoked its signer.

    A desk counts that the list names, or the one before it did, and that names the signer: else
    anybody could sign a list that puts another league's out of use.
    """
    seen = load_seen()
    desks = {key.id: key.revoked is not None for key in found.of("")}
    signer = found.signer
    family = {signer, *desks, *(seen[signer].desks if signer in seen else ())}
    known = [seen[desk] for desk in family if desk in seen and signer in seen[desk].desks]
    if any(one.issued > found.issued or one.desks[signer] for one in known):
        raise UserError("key_list_old", Exit.CHECK)
    if seen.get(signer) != (new := SeenList(found.issued, desks)):
        _save({**seen, signer: new})


def load_seen() -> dict[str, SeenList]:
    """Desk -> its newest list. Raises UserError."""
    path = places.seen_lists()
    if not path.exists():
        return {}
    try:
        return msgspec.json.decode(read_input(path), type=dict[str, SeenList])
    except msgspec.DecodeError as error:
        raise UserError("seen_lists_none", path=path) from error


def _save(seen: dict[str, SeenList]) -> None:
    path = places.seen_lists()
    with written_below(path):
        write_privately(path, msgspec.json.format(msgspec.json.encode(seen), indent=1).decode())
