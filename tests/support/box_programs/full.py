"""Runs on the box: the firmware as it is, until the file `fill` lies in the storage. From then on
every step of the app finds the heap locked, as if it were full.
"""

import os

import micropython
from micropython import const

from firmware import main
from firmware.app.app import App
from firmware.boards import pico as board

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Iterator

_ORDER = board.STORAGE + "/fill"
_step = App.step


def turns() -> "Iterator[None]":
    loop = main.turns()
    while not _ordered():
        next(loop)
        yield
    os.remove(_ORDER)
    setattr(App, "step", _without_memory)  # noqa: B010  a checker objects to the plain way
    yield from loop


def _ordered() -> bool:
    try:
        os.stat(_ORDER)
    except OSError:
        return False
    return True


def _without_memory(app: "App", now_ms: int) -> None:
    micropython.heap_lock()
    try:
        _step(app, now_ms)
    finally:
        micropython.heap_unlock()
