"""Lets the laptop look into the box: requests `screen`, `health`, `log`, `selftest`, `sound`."""

import binascii
import gc

from micropython import const

from . import sounds
from .canvas import Canvas
from .message import Message

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from .canvas import Font
    from .seams import BoxApp
    from .view import ViewPart
_WIDTH = const(128)
_HEIGHT = const(64)
_CRASH = "crash.txt"  # firmware/main.py writes it
_LOG_BYTES = const(2000)
_LARGEST_ASKED = const(262144)  # a Pico has less; the VM of the tests has no end
_BLOCK_STEP = const(256)
_PROBE = "selftest.tmp"
_REFUSALS = (sounds.REFUSED, sounds.FOREIGN, sounds.UNREADABLE, sounds.TWO_CARDS)
_PATTERN = b"Schiri " * 40  # more than one page of the flash


def add_requests(app: "BoxApp") -> None:
    """Put the requests into the table of the app's link, if the box has one."""
    if app.hardware.link is not None:
        handlers = app.hardware.link.handlers
        handlers["screen"] = lambda request: (
            screen_text(app) if request.get("text") else _screen(app)
        )
        handlers["health"] = lambda request: _health(app)
        handlers["log"] = lambda request: _log(app)
        handlers["selftest"] = lambda request: _selftest(app)
        handlers["sound"] = lambda request: _sound(app, request["number"])


def _screen(app: "BoxApp") -> "dict[str, Any]":
    """The picture in MONO_VLSB. Pixel by pixel: only asked for by people, never in a hurry."""
    pixel = app.hardware.display.frame.pixel
    picture = bytearray(_WIDTH * _HEIGHT // 8)
    for y in range(_HEIGHT):
        for x in range(_WIDTH):
            if pixel(x, y):
                picture[y // 8 * _WIDTH + x] |= 1 << y % 8
    text = binascii.b2a_base64(bytes(picture)).decode().rstrip("\n")
    return {"width": _WIDTH, "height": _HEIGHT, "picture": text}


class _Text(Canvas):
    """Draws as ever, and keeps what is written."""

    def __init__(self, canvas: "Canvas") -> None:
        self.frame = canvas.frame
        self.small = canvas.small
        self.digits = canvas.digits
        self.letters = canvas.letters
        self.bottom = canvas.bottom
        self._dark = canvas._dark
        self.clear()

    def clear(self) -> None:
        Canvas.clear(self)
        self.written: "list[tuple[int, int, str]]" = []  # y, x, text
        self.large_at: "list[int]" = []  # y
        self.items: "list[str]" = []
        self.chosen: "int | None" = None

    def draw(self, parts: "Sequence[ViewPart]") -> None:
        for part in parts:
            count = len(self.written)
            Canvas.draw(self, (part,))
            if part[0] == "large":
                self.large_at.append(part[2])
            elif part[0] == "rows" and part[3] >= 0:
                del self.written[count:]
                self.items = list(part[2])
                self.chosen = part[3]

    def _write(self, font: "Font", x: int, y: int, text: str, limit: int, ink: int) -> int:
        self.written.append((y, x, text))
        return Canvas._write(self, font, x, y, text, limit, ink)


def screen_text(app: "BoxApp") -> "dict[str, Any]":
    """What stands on the screen, in words: docs/link.md, `screen` with `text`."""
    text = _Text(app.canvas)
    app.draw(text)
    rows = [""]
    large: "list[int]" = []
    last = 0
    for y, _, words in sorted(text.written):
        if y != last and words:
            if y in text.large_at:
                large.append(len(text.items) + len(rows) - 1)
            rows.append(words)
            last = y
        elif words:
            rows[-1] = (rows[-1] + "\t" if rows[-1] else "") + words
    reply: "dict[str, Any]" = {
        "title": rows[0],
        "rows": text.items + rows[1:],
        "chosen": text.chosen,
        "large": large,
    }
    if app.table is not None:
        from .arbiter import actions

        reply["actions"] = actions(app.table)
        reply["codes"] = app.table.codes()
        reply["half"] = app.table.half()
        reply["n"] = app.table.session.match.n
    reply["message"] = isinstance(app.pages[-1], Message)
    reply["asks"] = ""
    for page in app.pages:  # the topmost that is no message
        if not isinstance(page, Message):
            reply["asks"] = page.asks
    reply["said"] = _said(app)
    return reply


def _said(app: "BoxApp") -> "dict[str, Any] | None":
    """What was told last and is in no record; `n` counts those that were told since the boot."""
    item = app.said
    if item is None:
        return None
    lines = [app.worded(line) for line in item.lines]
    return {
        "n": app.times_said,
        "text": " ".join([line for line in lines if isinstance(line, str)]),
        "rule": item.rule,
        "refused": item.sound in _REFUSALS,
    }


def _health(app: "BoxApp") -> "dict[str, Any]":
    """Counters of the reader, and the heap (absent on an interpreter that cannot tell)."""
    reply: "dict[str, Any]" = {"reader": app.hardware.reader.health.counts()}
    free = getattr(gc, "mem_free", None)
    if free is not None:
        gc.collect()
        reply["heap_free"] = free()
        reply["heap_largest"] = _largest_block(min(free(), _LARGEST_ASKED))
    reply["unread"] = app.hardware.link.unread
    reply["in_match"] = app.session is not None
    return reply


def _largest_block(limit: int) -> int:
    """Bytes of the largest free block, to 256 bytes: halved and halved again until one fits."""
    low, high = 0, limit
    while high - low > _BLOCK_STEP:
        middle = (low + high) // 2
        try:
            bytearray(middle)
            low = middle
        except MemoryError:
            high = middle
    return low


def _log(app: "BoxApp") -> "dict[str, Any]":
    """What the last crash left behind; empty if there was none."""
    flash = app.journal.flash
    if _CRASH not in flash.names():
        return {"log": ""}
    file = flash.open(_CRASH, "rb")
    try:
        raw = file.read(_LOG_BYTES)
    finally:
        file.close()
    # The traceback is ASCII but for names; anything else must not stop the desk from reading it.
    return {"log": "".join([chr(byte) if 10 <= byte < 127 else "?" for byte in raw])}


def _sound(app: "BoxApp", number: int) -> "dict[str, Any]":
    """Play a sound, as loud as the settings say."""
    if not 0 <= number < sounds.TONES.count(b"\0"):
        raise ValueError("number")
    app.sound(number)
    return {"volume": app.settings.get("volume")}


def _selftest(app: "BoxApp") -> "dict[str, Any]":
    """Each part tries itself: true, false and people must look, or None: not tested.

    The reader's reset would keep a card of a match waiting: it is tried while nobody plays.
    """
    reader, reset = app.hardware.reader.selftest(app.session is None)
    return {
        "flash": _flash_holds(app),
        "display": bool(app.hardware.display.check()),
        "reader": reader,
        "reset": reset,
        "journal": not app.journal.damaged,
    }


def _flash_holds(app: "BoxApp") -> bool:
    flash = app.journal.flash
    try:
        file = flash.open(_PROBE, "wb")
        file.write(_PATTERN)
        flash.sync(file)
        file.close()
        file = flash.open(_PROBE, "rb")
        held = file.read() == _PATTERN
        file.close()
        flash.remove(_PROBE)
    except OSError:
        return False
    return bool(held)
