"""Power cuts at operations of the flash during an upload.

Cuts of settings and of an update: tests/app/test_journal_power.py, tests/app/test_slots.py.
"""

from pathlib import Path

from host_tools.box.link import BoxLink
from host_tools.box.sync import BoxSync
from host_tools.store import open_store
from host_tools.store.store import Store
from tests.sampling import Sample
from tests.support.memory_box import MemoryBox, play
from tests.support.power import LittleFlash, empty_image, images

BLOCKS = 64


def sync(box: MemoryBox, store: Store) -> None:
    """One whole sync."""
    job = BoxSync(BoxLink(box.port(), first_id=1), store, lambda *_: None)
    job.greet()
    list(job.matches())


def test_a_cut_in_an_upload_costs_no_match(tmp_path: Path, sampled: Sample) -> None:
    """After it a second sync leaves the match once on the laptop and confirmed on the box."""
    flash = LittleFlash(bytearray(empty_image(BLOCKS)))
    box = MemoryBox(flash)
    number = play(box.journal)
    digest = box.journal.digest(number)
    played = bytearray(flash.chip.buffer)
    flash.chip.operations.clear()
    store = open_store(str(tmp_path / "laptop.db"))
    try:
        sync(box, store)
        (uploaded,) = store.matches()
        assert len(flash.chip.operations) >= 1  # the confirmation is written
        for _, image in sampled(images(played, flash.chip.operations)):
            after = MemoryBox(LittleFlash(image))
            sync(after, store)
            assert [entry.state for entry in after.journal.entries()] == ["ok"]
            assert after.journal.digest(number) == digest
            assert [(m.header, m.result, m.state) for m in store.matches()] == [
                (uploaded.header, uploaded.result, uploaded.state)
            ]
    finally:
        store.close()
