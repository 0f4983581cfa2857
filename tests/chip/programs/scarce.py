"""Runs on the box: the firmware; when `now.txt` appears, all memory but the bytes that `left.txt`
names is taken away, until the firmware has failed.
"""

import gc
import os

from firmware import main
from firmware.app import app

_STORAGE = "/box"
with open(_STORAGE + "/left.txt") as _file:
    _LEFT = int(_file.read())
_taken = [None]  # a chain: a list that grows needs a large piece
_step = app.App.step
_real_watchdog = main.machine.WDT


class _Watchdog:
    """Fed when a turn of the loop has gone well: what is collected then is garbage alone."""

    well = False

    def __init__(self, timeout: int) -> None:
        self._watchdog = _real_watchdog(timeout=timeout)

    def feed(self) -> None:
        _Watchdog.well = True
        self._watchdog.feed()


class _Collector:
    """What `main` collects with; when the firmware has failed, wherever that was, all is free."""

    def collect(self) -> None:
        if _taken[0] and not _Watchdog.well:
            _taken[0] = None
            gc.collect()
            os.remove(_STORAGE + "/now.txt")
        gc.collect()


def _scarce(box, now_ms):  # type: ignore[no-untyped-def]
    _Watchdog.well = False
    if not _taken[0] and _is_wanted():
        _take()
    return _step(box, now_ms)


def _is_wanted() -> bool:
    try:
        os.stat(_STORAGE + "/now.txt")
    except OSError:
        return False
    return True


def _take() -> None:
    size = 65536
    while size >= 64:
        gc.collect()
        try:
            if gc.mem_free() - size < _LEFT:
                raise MemoryError
            _taken[0] = bytearray(size), _taken[0]  # type: ignore[call-overload]
        except MemoryError:
            size //= 2


app.App.step = _scarce
main.machine.WDT = _Watchdog  # type: ignore[assignment,misc]
main.gc = _Collector()  # type: ignore[assignment]
turns = main.turns
