"""Figures of power cuts outside of a match: during the upload, settings changes and an update.

Each is recorded once on a littlefs, then the chip is taken as it was before, inside and after
every program and erase, and a box boots from it.
"""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path

from bench.figure import Figure
from firmware.app.settings import Settings
from host_tools.box.link import BoxLink
from host_tools.box.sync import BoxSync
from host_tools.store import Store, open_store
from tests.support.memory_box import MemoryBox, play
from tests.support.power import LittleFlash, empty_image, images
from tests.support.slot_box import (
    NEW,
    SlotDisk,
    UpdatingBox,
    slots_of,
    trusted_box,
    update,
    whole_firmware,
)

_BLOCKS = 64
_CHANGES = 12

CutOutcome = tuple[int, int]  # cuts tried, cuts that cost something


def measure() -> list[Figure]:
    """Cuts and losses of an upload, of settings and of an update."""
    rows: tuple[tuple[str, str, Callable[[], CutOutcome]], ...] = (
        ("an upload", "matches lost, doubled or not uploaded", cut_upload),
        ("settings changes", "settings that were neither old nor new", cut_settings),
        ("an update", "boots without a whole firmware", cut_update),
    )
    figures = []
    for name, loss, run in rows:
        cuts, lost = run()
        figures.append(Figure(f"power cuts tried in {name}", cuts, ""))
        figures.append(Figure(f"  {loss}", lost, "", "0", lost == 0))
    return figures


def cut_upload() -> CutOutcome:
    """After each cut a second sync must leave the match stored once and confirmed."""
    start = empty_image(_BLOCKS)
    flash = LittleFlash(bytearray(start))
    box = MemoryBox(flash)
    number = play(box.journal)
    digest = box.journal.digest(number)
    begun = bytearray(flash.chip.buffer)
    flash.chip.operations.clear()
    cuts = lost = 0
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(str(Path(folder) / "cuts.db"))
        try:
            sync(box, store)  # the desk has it from now on; its confirmation may have been cut
            for _, image in images(begun, flash.chip.operations):
                after = MemoryBox(LittleFlash(image))
                sync(after, store)
                cuts += 1
                states = [entry.state for entry in after.journal.entries()]
                lost += states != ["ok"] or after.journal.digest(number) != digest
            lost += len(store.matches()) != 1
        finally:
            store.close()
    return cuts, lost


def sync(box: MemoryBox, store: Store) -> None:
    """One whole sync."""
    job = BoxSync(BoxLink(box.port(), first_id=1), store, lambda name: {}, lambda *_: None)
    job.greet()
    list(job.matches())


def cut_settings() -> CutOutcome:
    """A laptop changes a setting again and again; after a cut it is the last or the one before."""
    start = empty_image(_BLOCKS)
    flash = LittleFlash(bytearray(start))
    link = BoxLink(MemoryBox(flash).port(), first_id=1)
    done_at = []
    for table in range(1, _CHANGES + 1):
        link.request("settings", set={"table": table})
        done_at.append(len(flash.chip.operations))
    cuts = lost = 0
    for done, image in images(start, flash.chip.operations):
        confirmed = sum(at <= done for at in done_at)
        cuts += 1
        lost += Settings(LittleFlash(image)).get("table") not in (confirmed, confirmed + 1)
    return cuts, lost


def cut_update() -> CutOutcome:
    """From the first byte of the new slot until it is trusted."""
    disk = trusted_box()
    start = bytearray(disk.chip.buffer)
    update(UpdatingBox(disk))
    slots_of(disk).choose()
    slots_of(disk).confirm(NEW)
    cuts = lost = 0
    for _, image in images(start, disk.chip.operations):
        after = SlotDisk(image)
        cuts += 1
        lost += not is_whole(after, slots_of(after).choose()[0])
    return cuts, lost


def is_whole(disk: SlotDisk, slot: str) -> bool:
    """True if the slot holds what its record says."""
    try:
        return bool(slot) and bool(whole_firmware(disk, slot))
    except AssertionError:
        return False


if __name__ == "__main__":
    print(json.dumps([[figure.what, figure.value] for figure in measure()], indent=1))
