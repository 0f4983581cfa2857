"""Runs on the box: makes holes in the heap; `holes.txt` gets whether the next object lies among
them, before and after they were used up.
"""

import gc

from firmware.app.memory import fill_holes

_PIECES = 1000


def turns():  # type: ignore[no-untyped-def]
    pieces = [None] * _PIECES
    above = 0
    for at in range(_PIECES):
        pieces[at] = piece = bytearray(20)
        above = max(above, id(piece))
    for at in range(0, _PIECES, 2):
        pieces[at] = None
    gc.collect()
    before = id(object()) < above
    free = gc.mem_free()  # type: ignore[attr-defined, unused-ignore]
    fill_holes()
    after = id(object()) < above
    gc.collect()
    back = gc.mem_free() >= free - 512  # type: ignore[attr-defined, unused-ignore]
    with open("/box/holes.txt", "w") as file:
        file.write(f"{before} {after} {back}")
    while True:
        yield
