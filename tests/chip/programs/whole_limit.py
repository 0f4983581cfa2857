"""Runs on the box: the firmware with the journal's old way to read a line, which asked the heap
for the longest line there may be, for every line. On a chip that ended in a MemoryError.

A buffer has the same bytes here as on a chip, in a heap 1.41 times as wide (docs/decisions/0080):
to weigh as much it is made wider by that. The firmware of then loaded games without collecting
garbage in between (`memory.collect_every`), so no long piece of the heap was left.
"""

from firmware import main
from firmware.app import journal, opening, session

_LIMIT = 16640 * 141 // 100


def _next_line(file, offset):  # type: ignore[no-untyped-def]
    return file.readline(_LIMIT)


def _as_it_is(amount):  # type: ignore[no-untyped-def]
    return amount


journal._next_line = _next_line
opening.collect_every = session.collect_every = _as_it_is
turns = main.turns
