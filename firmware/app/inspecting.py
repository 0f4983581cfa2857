"""Lets the laptop look into the box: requests `screen`, `health`, `log`, `selftest`."""

import binascii
import gc

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from .app import App

_WIDTH = const(128)
_HEIGHT = const(64)
_CRASH = "crash.txt"  # firmware/main.py writes it
_LOG_BYTES = const(2000)
_LARGEST_ASKED = const(262144)  # a Pico has less; the VM of the tests has no end
_BLOCK_STEP = const(256)
_PROBE = "selftest.tmp"
_PATTERN = b"Schiri " * 40  # more than one page of the flash


def add_requests(app: "App") -> None:
    """Put the four requests into the table of the app's link, if the box has one."""
    if app.hardware.link is not None:
        handlers = app.hardware.link.handlers
        handlers["screen"] = lambda request: _screen(app)
        handlers["health"] = lambda request: _health(app)
        handlers["log"] = lambda request: _log(app)
        handlers["selftest"] = lambda request: _selftest(app)


def _screen(app: "App") -> "dict[str, Any]":
    """The picture in MONO_VLSB. Pixel by pixel: only asked for by people, never in a hurry."""
    pixel = app.hardware.display.frame.pixel
    picture = bytearray(_WIDTH * _HEIGHT // 8)
    for y in range(_HEIGHT):
        for x in range(_WIDTH):
            if pixel(x, y):
                picture[y // 8 * _WIDTH + x] |= 1 << y % 8
    text = binascii.b2a_base64(bytes(picture)).decode().rstrip("\n")
    return {"width": _WIDTH, "height": _HEIGHT, "picture": text}


def _health(app: "App") -> "dict[str, Any]":
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


def _log(app: "App") -> "dict[str, Any]":
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


def _selftest(app: "App") -> "dict[str, Any]":
    """Each part tries itself: true, false and people must look, or None: not tested.

    The reader's reset would keep a card of a match waiting: it is tried while nobody plays.
    """
    reader, reset = app.hardware.reader.selftest(app.session is None)
    return {
        "flash": _flash_holds(app),
        "display": bool(app.hardware.display.show()),
        "reader": reader,
        "reset": reset,
        "journal": not app.journal.damaged,
    }


def _flash_holds(app: "App") -> bool:
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
