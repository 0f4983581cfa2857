"""Is this slip what a box of ours wrote on this very tag, and is it new?"""

from collections.abc import Mapping, Sequence
from typing import Any

from card_tags import codec, errors, kinds, seal
from card_tags.slip import HEAD_BYTES, signed_payload
from host_tools.cards.public_keys import EnrolledKey, verify
from host_tools.core.errors import Exit, UserError
from host_tools.tournament.slips.book import SlipBook

NOT_A_SLIP = "not_a_slip"
REPLAYED = "replayed"
CONTRADICTS = "contradicts"
IMPOSSIBLE = "impossible"
JOURNAL_DIFFERS = "journal_differs"
UNKNOWN_BOX = "unknown_box"
REVOKED = "revoked"
OLD_KIND = "old_kind"


class SlipRefused(UserError):
    """A slip that must not be booked. `reason`: of card_tags/errors.py or of this module."""

    exit_code = Exit.CHECK

    def __init__(self, reason: str) -> None:
        super().__init__(f"slip_{reason}")
        self.reason = reason


def check_slip(
    data: bytes,
    uid: bytes,
    keys: Mapping[int, bytes],
    book: SlipBook,
    enrolled: Sequence[EnrolledKey] = (),
) -> kinds.Slip:
    """The slip in this user memory, if it may be booked. Raises SlipRefused with the reason.

    `data`: user memory from page 4 of the tag `uid`; `keys`: number -> league key; `enrolled`: the
    boxes' own keys.
    """
    try:
        tag = codec.decode(data)
        if tag.kind != kinds.SLIP:
            raise SlipRefused(NOT_A_SLIP)
        slip = _signed(tag, uid, enrolled) if codec.is_signed(tag.covered) else tag.content
        if slip is tag.content:
            seal.verify(tag, uid, dict(keys))
    except errors.TagError as error:
        raise SlipRefused(error.reason) from error
    if not isinstance(slip, kinds.Slip) or not _is_possible(slip):
        raise SlipRefused(IMPOSSIBLE)
    if slip is tag.content and any(key.box == slip.box_id for key in enrolled):
        raise SlipRefused(OLD_KIND)
    booked = book.head_of(slip.box_id, slip.match_id)
    if booked is not None:
        raise SlipRefused(REPLAYED if same_head(booked, slip.head) else CONTRADICTS)
    return slip


def signer_of(tag: kinds.Tag, uid: bytes, enrolled: Sequence[EnrolledKey]) -> EnrolledKey:
    """The key that has signed a slip. Raises SlipRefused."""
    named = [key for key in enrolled if key.box and bytes.fromhex(key.id)[0] == tag.key_id]
    payload = signed_payload(uid, tag.covered)
    signer = next((key for key in named if verify(key.public, "slip", payload, tag.check)), None)
    if signer is None:
        raise SlipRefused(errors.BAD_SEAL if named else UNKNOWN_BOX)
    return signer


def _signed(tag: kinds.Tag, uid: bytes, enrolled: Sequence[EnrolledKey]) -> kinds.Slip:
    """A slip with the box whose key has signed it. Raises SlipRefused."""
    signer = signer_of(tag, uid, enrolled)
    if signer.revoked is not None:
        raise SlipRefused(REVOKED)
    slip: Any = tag.content
    return slip._replace(box_id=signer.box)  # type: ignore[no-any-return]


def same_head(left: bytes, right: bytes) -> bool:
    """True for one link of a journal, of which a signed slip has the first half."""
    shorter = min(len(left), len(right))
    return shorter >= HEAD_BYTES and left[:shorter] == right[:shorter]


def _is_possible(slip: kinds.Slip) -> bool:
    """Places are those of a ranking: 1, then as many further on as share the place."""
    places = sorted(seat.place for seat in slip.seats)
    return all(place == 1 + places.index(place) for place in places)
