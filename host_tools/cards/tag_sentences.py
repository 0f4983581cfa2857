"""Why a tag is not accepted, for people (the reasons of card_tags/errors.py)."""

from card_tags import errors

_SENTENCES = {
    errors.EMPTY: "the tag is empty; write it with `schiri provision`.",
    errors.FOREIGN: "the tag holds something that is not from Schiri.",
    errors.TORN: "the tag was pulled away while it was written; write it again.",
    errors.SHORT: "the tag ends before its record does; write it again.",
    errors.WRONG_VERSION: "the tag was written by a newer Schiri; update this one.",
    errors.MALFORMED: "the record breaks the format of card_tags/FORMAT.md; write it again.",
    errors.UNSEALED: "the tag is not sealed: anybody can have written it.",
    errors.UNKNOWN_KEY: "the tag is sealed with a key that is not here: `schiri keys import`.",
    errors.BAD_SEAL: "the seal is wrong: forged, changed, or copied from another tag.",
}


def sentence(reason: str) -> str:
    """One sentence for a reason of `TagError`."""
    return _SENTENCES[reason]
