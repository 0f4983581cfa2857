"""Modules that are needed once and then only cost memory: texts of the other language, menus."""

import sys


def forget(name: str) -> None:
    """Let the module `name` (dotted) leave the memory; importing it again loads it again."""
    sys.modules.pop(name, None)
    package, _, last = name.rpartition(".")
    if hasattr(sys.modules.get(package), last):
        delattr(sys.modules[package], last)
