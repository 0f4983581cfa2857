"""Runs on the box: the firmware with the journal's old way to read a line, which asked the heap
for the longest line there may be, for every line; here one that no chip in a café has room for.

A buffer has the same bytes here as on a chip, in a heap 1.81 times as wide
(docs/decisions/memory.md): to weigh as much it is made wider by that.
"""

from firmware import main
from firmware.app import journal, opening, session

_LIMIT = 125_000 * 181 // 100  # a chip has 111 kB in one piece (bench/emulated_pico.py)


def _next_line(file, offset):  # type: ignore[no-untyped-def]
    return file.readline(_LIMIT)


def _as_it_is(amount):  # type: ignore[no-untyped-def]
    return amount


journal._next_line = _next_line
opening.collect_every = session.collect_every = _as_it_is
turns = main.turns
