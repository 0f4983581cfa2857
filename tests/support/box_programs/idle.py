"""Runs on the box: idle turns of the whole app with the heap locked, told in `idle.txt`.

The file holds the number of turns, and 1 if the lock was seen to work. A turn that allocates ends
the program with a MemoryError.
"""

import micropython
from micropython import const

from firmware import main
from firmware.boards import pico as board

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Iterator

_WARM_UP = const(1500)  # the first picture, and every path of the poll once
_TURNS = const(1000)
_IDLE_MS = const(4)


def turns() -> "Iterator[None]":
    app = main.build()
    ticks_ms = main.clock.ticks_ms
    for _ in range(_WARM_UP):
        app.step(ticks_ms())
        yield
        main.clock.sleep_ms(_IDLE_MS)
    lock_works = _lock_works()
    for _ in range(_TURNS):
        micropython.heap_lock()
        app.step(ticks_ms())
        micropython.heap_unlock()
        yield
        main.clock.sleep_ms(_IDLE_MS)
    with open(board.STORAGE + "/idle.txt", "w") as file:
        file.write(f"{_TURNS} {lock_works:d}")
    while True:
        app.step(ticks_ms())
        yield
        main.clock.sleep_ms(_IDLE_MS)


def _lock_works() -> bool:
    """True if an allocation under the lock fails."""
    micropython.heap_lock()
    try:
        bytearray(64)
    except MemoryError:
        return True
    finally:
        micropython.heap_unlock()
    return False
