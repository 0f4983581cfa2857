"""Runs on the box: the firmware; when `now.txt` appears, all memory but the bytes that `left.txt`
names is taken away, until the firmware has failed.
"""

import gc
import os

from firmware import app, main  # all that is always loaded of firmware/app lies in `app`

_STORAGE = "/box"
with open(_STORAGE + "/left.txt") as _file:
    _LEFT = int(_file.read())
_taken = []
_step = app.App.step  # type: ignore[attr-defined]


class _Collector:
    """What `main` collects with: in play only when the firmware has failed, wherever that was."""

    def collect(self) -> None:
        if _taken:
            _taken.clear()
            gc.collect()
            os.remove(_STORAGE + "/now.txt")
        gc.collect()


def _scarce(box, now_ms):  # type: ignore[no-untyped-def]
    if not _taken and _is_wanted():
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
            _taken.append(bytearray(size))
        except MemoryError:
            size //= 2


app.App.step = _scarce  # type: ignore[attr-defined]
main.gc = _Collector()  # type: ignore[assignment]
turns = main.turns
