"""From what the reader reports to the page on top: decode the tag, check its seal."""

import os

from micropython import const

from card_tags import codec
from card_tags.errors import EMPTY, SHORT, TORN, UNKNOWN_KEY, UNSEALED, TagError
from card_tags.kinds import DECK, SLIP
from card_tags.kinds import JURY as JURY_CARD

from . import sounds

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from card_tags.kinds import Tag

    from .app import App
    from .old_tags import OldTags

# Event codes of drivers.reader.Reader.step
_CARD = const(1)
_GONE = const(2)
_UNREADABLE = const(4)
# reader event -> (picture, text key, sound)
_READER_NEWS = {
    3: ("TWO", "tag_two", sounds.TWO_CARDS),
    4: ("QUESTION", "tag_unreadable", sounds.UNREADABLE),
    5: ("WRENCH", "reader_restarted", sounds.READER),
    6: ("WRENCH", "reader_broken", sounds.FAULT),
}
# TagError reason -> (picture, sound); the text key is "tag_" + reason
_TAG_NEWS = {
    "empty": ("EMPTY", sounds.FOREIGN),
    "foreign": ("QUESTION", sounds.FOREIGN),
    "torn": ("TORN", sounds.UNREADABLE),
    "short": ("TORN", sounds.UNREADABLE),
    "wrong_version": ("QUESTION", sounds.FOREIGN),
    "malformed": ("TORN", sounds.UNREADABLE),
    "unsealed": ("SEAL", sounds.REFUSED),
    "unknown_key": ("SEAL", sounds.REFUSED),
    "bad_seal": ("SEAL", sounds.REFUSED),
}
OLD_TAGS = "old_tags"  # the file that names tags that were replaced
_FIRST_PAGE = const(4)  # user memory of an NTAG begins at page 4 (NTAG213 data sheet, 8.5)


class TagReading:
    """Sets `app.unsealed` with each tag of ours."""

    def __init__(self, app: "App") -> None:
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
        elif event in _READER_NEWS:
            self._say(*_READER_NEWS[event])
        self._app.redraw()

    def _on_card(self) -> None:
        app = self._app
        try:
            tag = self._decode()
            self.check_seal(tag)
        except TagError as error:
            if error.reason in (EMPTY, TORN) and app.page().on_blank():
                return
            icon, sound = _TAG_NEWS[error.reason]
            self._say(icon, "tag_" + error.reason, sound)
            return
        except app.hardware.reader_fault:
            self.on_reader(_UNREADABLE)
            return
        if self._is_replaced(tag):
            return
        if tag.kind == JURY_CARD:
            app.open_arbiter()
        else:
            app.page().on_tag(tag)

    def _is_replaced(self, tag: "Tag") -> bool:
        """Says so if the card has a newer tag; loads nothing where none was replaced."""
        if self._old is None:
            content: "Any" = tag.content
            if not self._any_old and not (tag.kind == DECK and content.revoked):
                return False
            from .old_tags import OldTags

            self._old = OldTags(self._app, self._app.storage + "/" + OLD_TAGS)
        return self._old.refuses(tag)

    def _say(self, icon: str, key: str, sound: int) -> None:
        say = self._app.say
        self._app.message(icon, say("reader"), (say(key),), sound)

    def _decode(self) -> "Tag":
        reader = self._app.hardware.reader
        try:
            return codec.decode(reader.data)
        except TagError as error:
            if error.reason != SHORT:
                raise
            pages = (error.needed + 3) // 4
        return codec.decode(reader.read_user(_FIRST_PAGE, pages))

    def check_seal(self, tag: "Tag") -> None:
        """A wrong seal is always refused; a missing or unknown one if the settings say so."""
        from card_tags import seal

        app = self._app
        if tag.kind == SLIP and codec.is_signed(
            tag.covered
        ):  # a slip of some box: it may be written over
            app.unsealed = True
            return
        key = app.settings.key()
        keys = {} if key is None else {seal.tag_key_id(key): key}
        try:
            seal.verify(tag, bytes(app.hardware.reader.uid), keys)
            app.unsealed = False
        except TagError as error:
            if error.reason not in (UNSEALED, UNKNOWN_KEY) or app.settings.get("sealed_only"):
                raise
            if tag.kind == JURY_CARD and keys:
                raise  # anybody could write one
            app.unsealed = True
