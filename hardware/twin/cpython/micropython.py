"""MicroPython's own module for CPython: the few names that shared code imports.

On the box and in the VM the interpreter's built-in module is used instead of this one.
"""

from typing import TypeVar

_T = TypeVar("_T")


def const(value: _T) -> _T:
    """Return `value`; on the box the compiler folds it (MicroPython docs, micropython.const)."""
    return value
