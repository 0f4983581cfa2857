"""Takes back a match from a backup: request `restore` (docs/link.md), piece by piece.

Nothing is replaced: a match of that number must not be on the flash, unless it is the very same.
The pieces go into a file of their own, which gets its name once its hash is right.
"""

import binascii

from micropython import const

from .journal import ASIDE, DUE, FINISHED, RUNNING, file_name
from .link import RequestError

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from .journal import Journal

_DRAFT = "restore.tmp"
_STATES = (RUNNING, DUE, FINISHED, ASIDE)


def restore(journal: "Journal", request: "dict[str, Any]") -> "dict[str, Any]":
    """`match`, `state` (not ok), `size`, `sha256` of all; `offset`, `data` of a piece.

    Answers `have`, the bytes that are there, and `done`. May be repeated.
    """
    number, size = request["match"], request["size"]
    if request["state"] not in _STATES or not 0 < number <= 999999:
        raise RequestError("bad_request", "no such match can be on a box")
    if number in [entry.number for entry in journal.entries()]:
        if journal.digest(number) != request["sha256"]:
            raise RequestError("match_is_there", "the box has another match %d" % number)
        return {"have": size, "done": True}
    have = _write(journal, request["offset"], binascii.a2b_base64(request["data"].encode()))
    if have < size:
        return {"have": have, "done": False}
    if journal.digest_of(_DRAFT) != request["sha256"]:
        journal.flash.remove(_DRAFT)
        raise RequestError("bad_match", "match %d did not arrive as it was sent" % number)
    journal.flash.rename(_DRAFT, file_name(number, request["state"]))
    return {"have": have, "done": True}


def _write(journal: "Journal", offset: int, data: bytes) -> int:
    """Put a piece behind what is there; the same piece may come twice. Returns the size now."""
    flash = journal.flash
    have = flash.size(_DRAFT) if _DRAFT in flash.names() else 0
    if offset and have == offset + len(data):
        return have
    if offset not in (0, have):
        raise RequestError("bad_match", "the box has %d bytes; begin the match anew" % have)
    file = flash.open(_DRAFT, "ab" if offset else "wb")
    try:
        file.write(data)
        flash.sync(file)
    finally:
        file.close()
    return offset + len(data)
