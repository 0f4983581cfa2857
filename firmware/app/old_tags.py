"""Tags that were replaced, as the newest deck cards say: a file of nine bytes a tag, the number of
its deck (two, high first) and its UID. Only loaded on a box that has such a file, or gets one.
"""

from micropython import const

from card_tags.deck_card import deck_number
from card_tags.kinds import CARD, DECK

from . import sounds

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from card_tags.kinds import Tag

    from .seams import BoxApp

_RECORD = const(9)
_UID_BYTES = const(7)


class OldTags:
    """Kept in memory too: every tap asks."""

    def __init__(self, app: "BoxApp", path: str) -> None:
        self._app = app
        self._path = path
        self._records = b""
        try:
            with open(self._path, "rb") as file:
                self._records = file.read()
        except OSError:
            return  # there is none yet

    def refuses(self, tag: "Tag") -> bool:
        """Whether the tag that lies there was replaced; says so. A deck card tells which were;
        where the box has a key, only a sealed one.
        """
        app = self._app
        content: "Any" = tag.content
        if tag.kind == CARD:
            number, name = content.deck, content.code
        elif tag.kind == DECK:
            number, name = deck_number(content.deck_id), content.deck_id
        else:
            return False
        if self.has(number, bytes(app.hardware.reader.uid)):
            words = app.say("tag_replaced", name)
            app.message("SEAL", app.say("reader"), (words,), sounds.REFUSED)
            return True
        if tag.kind == DECK and (not app.unsealed or app.settings.key() is None):
            self.note(number, content.revoked)
        return False

    def has(self, number: int, uid: bytes) -> bool:
        """Whether this tag of the deck was replaced."""
        wanted = number.to_bytes(2, "big") + uid
        for at in range(0, len(self._records), _RECORD):
            if self._records[at : at + _RECORD] == wanted:
                return True
        return False

    def note(self, number: int, uids: bytes) -> None:
        """What a deck card says, in the place of what one of its deck said before. On a full flash
        it counts until the box is switched off.
        """
        deck, old = number.to_bytes(2, "big"), self._records
        new = b""
        for at in range(0, len(old), _RECORD):
            if old[at : at + 2] != deck:
                new += old[at : at + _RECORD]
        for at in range(0, len(uids), _UID_BYTES):
            new += deck + uids[at : at + _UID_BYTES]
        if new == old:
            return
        self._records = new
        try:
            with open(self._path, "wb") as file:
                file.write(new)
        except OSError:
            return  # that the flash is full is said when a match is opened
