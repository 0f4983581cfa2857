"""Runs on the box: four matches of the program `session` in one go, then the firmware as it is."""

import gc
import os

from micropython import const

from firmware import main, session
from firmware.boards import pico as board

_IDLE_MS = const(4)
_COLLECT_EVERY = gc.threshold()  # as `main.py` has set it, before any game
_LAST = board.STORAGE + "/m000004.ok"
_build = main.build
_apps = []


def _kept():  # type: ignore[no-untyped-def]
    _apps.append(_build())
    return _apps[0]


main.build = _kept


def turns():  # type: ignore[no-untyped-def]
    games = session.turns()
    while not _over():
        next(games)
        yield
    if gc.threshold() != _COLLECT_EVERY:
        raise RuntimeError("a game that was loaded has changed when garbage is collected")
    while True:
        _apps[0].step(main.clock.ticks_ms())
        yield
        main.clock.sleep_ms(_IDLE_MS)


def _over() -> bool:
    try:
        os.stat(_LAST)
    except OSError:
        return False
    return True
