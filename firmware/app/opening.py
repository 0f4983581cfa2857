"""Opens a match: from the start menu's header, or from the journal after a power cut (CL-2)."""

import gc
import json

from micropython import const

from firmware.app import decks, sounds
from firmware.app.canvas import WIDTH
from firmware.app.journal import RUNNING, file_name
from firmware.app.memory import PACKED_BYTES, collect_every, forget
from firmware.app.message import Message
from firmware.app.session import Session
from firmware.rules.errors import Malformed

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from firmware.app.journal import Place
    from firmware.app.seams import BoxApp

# header field -> folder of the storage; a text in that field is the name of a file there
FOLDERS = (("deck", "decks"), ("board", "boards"))
_BAR_TOP = const(50)
_BAR_ROWS = const(8)
_BAR_STEP = const(8)  # dots by which it grows: a strip or two of one page of the screen


def resolved(storage: str, header: "dict[str, Any]") -> "dict[str, Any]":
    """The header with objects instead of ids. OSError or ValueError for a bad file."""
    full = dict(header)
    for field, folder in FOLDERS:
        if type(full.get(field)) is str:
            full[field] = decks.load(storage, folder, full[field])
    return full


def _for_the_record(storage: str, text: str) -> str:
    """The header as the journal keeps it: with an owner's own board in full.

    The file of a preset's board may hold another one (`schiri boards put`), which the desk does
    not have. OSError or ValueError for a bad file.
    """
    header = json.loads(text)
    board = decks.load(storage, "boards", header["board"])
    if board.get("id", header["board"]) != header["board"]:
        header["board"] = board
    return json.dumps(header)


def start(app: "BoxApp", header: "dict[str, Any]") -> bool:
    """Open a new match and show its table. False, with a message, if it cannot be opened; without
    one, if the players first tell how their board lies.
    """
    if _asks_first(app, header):
        return False
    text = json.dumps(header)
    session = _open(app, header)
    if session is None:
        return False
    if header["own_board"]:
        text = _for_the_record(app.storage, text)
    try:
        app.journal.open_match(text)
    except OSError:  # JournalFull, or a flash that does not write
        _cannot(app, app.say("journal_full"))
        return False
    _sit_down(app, session)
    return True


def _asks_first(app: "BoxApp", header: "dict[str, Any]") -> bool:
    """Open the page on which the players tell how their board lies; False if they need not, or
    have told it.
    """
    game = app.games.row(header["game"])
    if type(header.get("board")) is not str:
        for preset in game.presets:
            if preset.before is not None:
                forget(game.package + "." + preset.before[0])
        return False
    page = app.games.page_before(game, header.get("preset"))
    if page is None:
        return False
    app.use_words(game)
    try:
        app.open(page(app, header))
    except OSError:
        _cannot(app, app.say("no_file"))
    except (ValueError, LookupError, TypeError):  # an owner's file
        _cannot(app, app.say("board_unfit"))
    return True


def resume(app: "BoxApp", number: int) -> None:
    """Go on with a match of the journal; the menu, with a message, if it cannot be opened."""
    _say_that_it_takes_time(app)
    lines = app.journal.resume(number)
    header_text = next(lines, ("{}", ""))[0]
    try:
        session = _open(app, json.loads(header_text))
        if session is None:
            return
        kept = _checkpoint(app, number)
        if kept is not None:
            if _stands_at(session, kept):
                lines.close()  # type: ignore[attr-defined]  # a generator
                lines = app.journal.resume(number, kept[0])
            else:  # it was touched
                session = _open(app, json.loads(header_text)) or session
        session.replay(_shown(app, number, lines))
        gc.collect()  # what stays from now on, letters and words too, shall lie below the rest
    except (ValueError, LookupError, TypeError, Malformed):  # a record that nobody can follow
        _cannot(app, app.say("journal_lost"))
        return
    _sit_down(app, session)
    key = "resumed_clock" if session.paused() else "resumed"
    if app.journal.damaged or session.differs:
        key = "journal_damaged"
    app.message("CLOCK", app.say("resumed_title"), (app.say(key),), sounds.RESUMED)


def _checkpoint(app: "BoxApp", number: int) -> "tuple[Place, Any, Any, str] | None":
    from firmware.app import checkpoint

    return checkpoint.read(app.journal, number, app.build)


def _stands_at(session: "Session", kept: "tuple[Place, Any, Any, str]") -> bool:
    """Let the match stand where a checkpoint was written; False if that was another match's."""
    try:
        return session.stand_at(kept[1], kept[2], kept[3])
    except (ValueError, TypeError, LookupError):
        return False


def _say_that_it_takes_time(app: "BoxApp") -> None:
    wait = Message(app, "CLOCK", app.say("resumed_title"), (app.say("resuming"),))
    app.open(wait)
    app.draw(app.canvas)
    app.close(wait)


def _shown(
    app: "BoxApp", number: int, lines: "Iterator[tuple[str, str]]"
) -> "Iterator[tuple[str, str]]":
    """The lines, while the screen says how far they are: hundreds of commands take seconds."""
    size = app.journal.flash.size(file_name(number, RUNNING))
    shown = 0
    for pair in lines:
        wide = WIDTH * app.journal.size // size
        if wide - shown >= _BAR_STEP:
            shown = wide
            app.canvas.frame.fill_rect(0, _BAR_TOP, wide, _BAR_ROWS, 1)
            for side in app.hardware.display.sides:
                app.hardware.display.show(side)
        yield pair


def _open(app: "BoxApp", header: "dict[str, Any]") -> "Session | None":
    app.laptop.serve()
    before = collect_every(PACKED_BYTES)
    try:
        full = resolved(app.storage, header)
        name, board = header.get("board"), full.get("board")
        header["own_board"] = (
            type(name) is str and type(board) is dict and board.get("id", name) != name
        )
        match = app.games.open_match(full)
        full, board = {}, None
    except OSError:
        _cannot(app, app.say("no_file"))
    except Malformed as fault:
        _cannot(app, _sentence(app, header, fault.field))
    except ValueError:  # no JSON
        _cannot(app, app.say("bad_file"))
    else:
        app.use_words(app.games.row(header["game"]))
        deck = header.get("deck")
        if type(deck) is dict:
            header["deck"] = deck.get("id", "")  # the rules have the rest: memory
        header["own_values"] = type(deck) is dict
        if type(header.get("board")) is dict:
            header["board"] = header["board"].get("id", "")
        return Session(match, header, app.journal, app.clock)
    finally:
        collect_every(before)
    return None


def _sentence(app: "BoxApp", header: "dict[str, Any]", field: str) -> str:
    """Why rules do not take this header, for people; `field` is what they name."""
    name = header.get("game")
    if field.startswith("board"):
        return app.say("board_unfit")
    if field.startswith("deck") and name in app.games.names():
        app.use_words(app.games.row(name))
        return app.say("deck_unfit", app.say("game_" + name))
    return app.say("cannot_play")


def _cannot(app: "BoxApp", why: str) -> None:
    if not app.has_pages():
        app.show_menu()
    app.message("STOP", app.say("cannot_open"), (why,), sounds.REFUSED)


def _sit_down(app: "BoxApp", session: "Session") -> None:
    app.session = session
    page = app.games.page_of(app.games.row(session.header["game"]))
    app.sit_down(session, page(app, session))
    app.show_result(session.match.over())
