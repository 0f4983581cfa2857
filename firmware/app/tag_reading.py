"""From what the reader reports to the page on top: decode the tag, check its seal."""

import os

from micropython import const

from card_tags import codec, seal
from card_tags.errors import EMPTY, SHORT, TORN, UNKNOWN_KEY, UNSEALED, TagError
from card_tags.kinds import DECK, SLIP
from card_tags.kinds import JURY as JURY_CARD

from .memory import forget

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from card_tags.kinds import Tag

    from .old_tags import OldTags
    from .seams import BoxApp

# Event codes of drivers.reader.Reader.step
_CARD = const(1)
_GONE = const(2)
_UNREADABLE = const(4)
OLD_TAGS = "old_tags"  # the file that names tags that were replaced
_FIRST_PAGE = const(4)  # user memory of an NTAG begins at page 4 (NTAG213 data sheet, 8.5)


class TagReading:
    """Sets `app.unsealed` with each tag of ours."""

    def __init__(self, app: "BoxApp") -> None:
        self._app = app
        self._old: "OldTags | None" = None
        self._any_old = True
        try:
            os.stat(app.storage + "/" + OLD_TAGS)
        except OSError:
            self._any_old = False

    def on_reader(self, event: int) -> None:
        """`event` is what `Reader.step` reported, not 0."""
        if event == _GONE:
            return
        if event == _CARD:
            self._on_card()
        else:
            self._say(event)
        self._app.redraw()

    def _on_card(self) -> None:
        app = self._app
        try:
            tag = self._read()
        except TagError as error:
            if error.reason in (EMPTY, TORN) and app.pages[-1].on_blank():
                return
            self._say(error.reason)
            return
        except app.hardware.reader_fault:
            self.on_reader(_UNREADABLE)
            return
        if self._is_replaced(tag):
            return
        if tag.kind == JURY_CARD:
            app.open_arbiter()
        else:
            app.pages[-1].on_tag(tag)

    def _is_replaced(self, tag: "Tag") -> bool:
        """Says so if the card has a newer tag; loads nothing where none was replaced."""
        if self._old is None:
            content: "Any" = tag.content
            if not self._any_old and not (tag.kind == DECK and content.revoked):
                return False
            from .old_tags import OldTags

            self._old = OldTags(self._app, self._app.storage + "/" + OLD_TAGS)
        return self._old.refuses(tag)

    def _say(self, what: object) -> None:
        from .reader_news import NEWS

        forget("firmware.app.reader_news")
        icon, key, sound = NEWS[what]
        say = self._app.say
        self._app.message(icon, say("reader"), (say(key),), sound)

    def _read(self) -> "Tag":
        """Decode the tag and check its seal."""
        reader = self._app.hardware.reader
        keys = self._keys()
        try:
            tag = codec.decode(reader.data)
        except TagError as error:
            if error.reason != SHORT:
                raise
            tag = codec.decode(reader.read_user(_FIRST_PAGE, (error.needed + 3) // 4))
        try:
            seal.verify(tag, reader.uid, keys)
            self._app.unsealed = False
        except TagError as error:
            self._forgive(error, tag, keys)
        return tag

    def check_seal(self, tag: "Tag") -> None:
        """The same of a further record of the card that lies there."""
        keys = self._keys()
        try:
            seal.verify(tag, self._app.hardware.reader.uid, keys)
            self._app.unsealed = False
        except TagError as error:
            self._forgive(error, tag, keys)

    def _keys(self) -> "dict[int, bytes]":
        key = self._app.settings.key()
        return {} if key is None else {seal.tag_key_id(key): key}

    def _forgive(self, error: TagError, tag: "Tag", keys: "dict[int, bytes]") -> None:
        """A wrong seal is always refused; a missing or unknown one if the settings say so."""
        app = self._app
        if tag.kind == SLIP:
            app.unsealed = True  # a slip of some box: it may be written over
            return
        if error.reason not in (UNSEALED, UNKNOWN_KEY) or app.settings.get("sealed_only"):
            raise error
        if tag.kind == JURY_CARD and keys:
            raise error  # anybody could write one
        app.unsealed = True
