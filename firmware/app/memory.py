"""Modules that are needed for a while and then only cost memory: words, menus, games.

Code from .mpy files lies on the heap, 10 to 35 kB a game: all games together do not fit.
"""

import gc
import sys

from micropython import const

_OURS = ("firmware.", "card_tags.")
PACKED_BYTES = const(8192)
# A laptop has the memory, and other threads that import the same module at the same time.
_SCARCE = sys.implementation.name == "micropython"


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


def forget(name: str) -> None:
    """Let the module `name` (dotted) leave the box's memory; importing it again loads it again."""
    if not _SCARCE:
        return
    sys.modules.pop(name, None)
    package, _, last = name.rpartition(".")
    if hasattr(sys.modules.get(package), last):
        delattr(sys.modules[package], last)


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
