"""Is this slip what a box of ours wrote on this very tag, and is it new?"""

from collections.abc import Mapping

from card_tags import codec, errors, kinds, seal
from host_tools.core.errors import Exit, UserError
from host_tools.tournament.slips.book import SlipBook

NOT_A_SLIP = "not_a_slip"
REPLAYED = "replayed"
CONTRADICTS = "contradicts"
IMPOSSIBLE = "impossible"
JOURNAL_DIFFERS = "journal_differs"


class SlipRefused(UserError):
    """A slip that must not be booked. `reason`: of card_tags/errors.py or of this module."""

    exit_code = Exit.CHECK

    def __init__(self, reason: str) -> None:
        super().__init__(f"slip_{reason}")
        self.reason = reason


def check_slip(data: bytes, uid: bytes, keys: Mapping[int, bytes], book: SlipBook) -> kinds.Slip:
    """The slip in this user memory, if it may be booked. Raises SlipRefused with the reason.

    `data`: user memory from page 4 of the tag `uid`; `keys`: number -> league key.
    """
    try:
        tag = codec.decode(data)
        if tag.kind != kinds.SLIP:
            raise SlipRefused(NOT_A_SLIP)
        seal.verify(tag, uid, dict(keys))
    except errors.TagError as error:
        raise SlipRefused(error.reason) from error
    slip = tag.content
    if not isinstance(slip, kinds.Slip) or not _is_possible(slip):
        raise SlipRefused(IMPOSSIBLE)
    booked = book.head_of(slip.box_id, slip.match_id)
    if booked is not None:
        raise SlipRefused(REPLAYED if booked == slip.head else CONTRADICTS)
    return slip


def _is_possible(slip: kinds.Slip) -> bool:
    """Places are those of a ranking: 1, then as many further on as share the place."""
    places = sorted(seat.place for seat in slip.seats)
    return all(place == 1 + places.index(place) for place in places)
