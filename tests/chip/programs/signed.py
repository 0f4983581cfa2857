"""Runs on the box: the firmware; `signed.txt` gets, for each turn that signs, what was free before
it and how much it took.
"""

import gc

from firmware import main
from firmware.app import signing

_go_on = signing.Signing._go_on


def _watched(self, app):  # type: ignore[no-untyped-def]
    before = gc.mem_free()  # type: ignore[attr-defined, unused-ignore]
    _go_on(self, app)
    after = gc.mem_free()  # type: ignore[attr-defined, unused-ignore]
    with open("/box/signed.txt", "a") as file:
        file.write(f"{before} {before - after}\n")


signing.Signing._go_on = _watched  # type: ignore[method-assign]
turns = main.turns
