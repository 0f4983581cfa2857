"""Modules that are needed for a while and then only cost memory: words, menus, games.

Their code runs from the flash; what they hold (functions, classes, tables) lies on the heap.
"""

import gc
import sys

from micropython import const

_OURS = ("firmware.", "card_tags.")
PACKED_BYTES = const(8192)
_NEVER = const(-1)  # not before nothing is left
_RESERVE_BYTES = const(2048)
_TIDY_MS = const(1000)
_ROOM_BYTES = const(24576)  # free for the next tap: the pictures of an answer take up to 20 kB
# A laptop has the memory, and other threads that import the same module at the same time.
_SCARCE = sys.implementation.name == "micropython"
_reserve: "list[bytearray]" = []

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    _Made = TypeVar("_Made")


def collect_every(amount: int) -> int:
    """Collect garbage after so many bytes taken, not only when none are left (-1); returns what
    was set before. With PACKED_BYTES, while a game is loaded, objects that stay lie side by side
    instead of between what will be garbage, where no long piece is left afterwards.
    """
    if not _SCARCE:
        return amount
    before: int = gc.threshold()  # type: ignore[attr-defined, unused-ignore]
    gc.threshold(amount)  # type: ignore[attr-defined, unused-ignore]
    return before


def free_bytes() -> int:
    """What is free, garbage not counted."""
    free: int = gc.mem_free() if _SCARCE else 1 << 20  # type: ignore[attr-defined, unused-ignore]
    return free


def keep_reserve() -> None:
    """Take memory in one piece that `with_reserve` gives back, if there is any."""
    if not _reserve:
        try:
            _reserve.append(bytearray(_RESERVE_BYTES))
        except MemoryError:
            pass  # what is free is needed


def with_reserve(make: "Callable[..., _Made]", *args: object) -> "_Made":
    """`make(*args)`, and once more if the memory does not suffice, with the reserve and without
    garbage. It must leave nothing half done. MemoryError.
    """
    try:
        return make(*args)
    except MemoryError:
        if not _reserve:
            raise
        _reserve.clear()
        gc.collect()
        return make(*args)


def forget(name: str) -> None:
    """Let the module `name` (dotted) leave the box's memory; importing it again loads it again."""
    if not _SCARCE:
        return
    sys.modules.pop(name, None)
    package, _, last = name.rpartition(".")
    if hasattr(sys.modules.get(package), last):
        delattr(sys.modules[package], last)


class Garbage:
    """While a match is open it is collected only when nobody waits for an answer: behind one, and
    when clock and air have left so little that the next answer might not find room.
    """

    def __init__(self, clock: "Any", collect: "Callable[[], None]") -> None:
        self._clock = clock
        self._collect = collect
        self._playing = False
        self._other = _NEVER  # the threshold in a match, and in a match the one outside of it
        self._looked_ms = clock.ticks_ms()

    def step(self, acted: bool, playing: bool, quiet: bool) -> None:
        """Once a turn of the loop. `acted`: somebody got an answer; `quiet`: no card is there that
        waits for one.
        """
        if playing != self._playing:
            self._playing = playing
            self._other = collect_every(self._other)
            self._tidy_reserve()
        if acted or (playing and quiet and self._must_collect()):
            self._collect()
            self._tidy_reserve()

    def _tidy_reserve(self) -> None:
        if self._playing:
            keep_reserve()
        else:
            _reserve.clear()  # a menu has room enough

    def _must_collect(self) -> bool:
        """Asked once a second: counting what is free takes five milliseconds."""
        now_ms = self._clock.ticks_ms()
        if self._clock.ticks_diff(now_ms, self._looked_ms) < _TIDY_MS:
            return False
        self._looked_ms = now_ms
        return free_bytes() < _ROOM_BYTES


class LoadedModules:
    """The modules of ours that are loaded when this is made: they stay."""

    def __init__(self) -> None:
        self._names = {name for name in sys.modules if name.startswith(_OURS)}

    def forget_others(self) -> None:
        """Let everything else of ours leave. Call it when no match is open."""
        others = [
            name for name in sys.modules if name.startswith(_OURS) and name not in self._names
        ]
        for name in others:
            forget(name)
        if others:
            gc.collect()
