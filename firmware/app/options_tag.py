"""House rules on a deck card or table card: they preset the start menu. Only loaded when such a
card is laid there.
"""

from micropython import const

from card_tags import codec
from card_tags.errors import TagError
from card_tags.kinds import OPTIONS
from card_tags.options import second_record

from . import sounds

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from .seams import Menu

_FIRST_PAGE = const(4)  # user memory of an NTAG begins at page 4 (NTAG213 data sheet, 8.5)


def take(menu: "Menu", needed: int) -> None:
    """Read `needed` bytes of the card that lies there, and choose what stands behind its first
    record. A record that is none of ours, such as a link, means nothing here.
    """
    app = menu.app
    reader = app.hardware.reader
    try:
        record = second_record(reader.read_user(_FIRST_PAGE, (needed + 3) // 4))
        if not record:
            return
        tag = codec.decode(record)
        if tag.kind != OPTIONS:
            return
        app.tags.check_seal(tag)
    except TagError as error:
        _say(menu, "tag_" + error.reason)
        return
    except app.hardware.reader_fault:
        _say(menu, "tag_unreadable")
        return
    wanted: "Any" = tag.content
    games = app.games
    unknown = wanted.game
    if wanted.game in games.names():
        unknown = menu.preselect(games.row(wanted.game), wanted.preset or None, wanted.choices)
    if unknown:
        menu.say_unknown(unknown)


def _say(menu: "Menu", key: str) -> None:
    app = menu.app
    app.message("QUESTION", app.say("menu_options"), (app.say(key),), sounds.UNREADABLE)
