"""Runs on the box: the firmware; `room.txt` gets, for each step that answered somebody, what was
free before and after it. More after it than before: garbage was collected while somebody waited.
"""

import gc

from firmware import main
from firmware.app import app

_step = app.App.step


def _watched(box, now_ms):  # type: ignore[no-untyped-def]
    before = gc.mem_free()  # type: ignore[attr-defined, unused-ignore]
    acted = _step(box, now_ms)
    if acted:
        after = gc.mem_free()  # type: ignore[attr-defined, unused-ignore]
        with open("/box/room.txt", "a") as file:
            file.write(f"{before} {after}\n")
    return acted


app.App.step = _watched  # type: ignore[method-assign]
turns = main.turns
