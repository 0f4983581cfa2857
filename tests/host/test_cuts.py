"""Power cuts at operations of the flash during an upload, and whether the bench counts losses.

Cuts of settings and of an update: tests/app/test_journal_power.py, tests/app/test_slots.py.
"""

from pathlib import Path

import pytest

from bench import cuts
from firmware.app.settings import Settings
from host_tools.store import open_store
from tests.sampling import Sample
from tests.support.memory_box import MemoryBox, play
from tests.support.power import BLOCK, LittleFlash, empty_image, images
from tests.support.slot_box import FILES

BLOCKS = 64
FORGOTTEN_TABLE = 0


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
        cuts.sync(box, store)
        (uploaded,) = store.matches()
        assert len(flash.chip.operations) >= 1  # the confirmation is written
        for _, image in sampled(images(played, flash.chip.operations)):
            after = MemoryBox(LittleFlash(image))
            cuts.sync(after, store)
            assert [entry.state for entry in after.journal.entries()] == ["ok"]
            assert after.journal.digest(number) == digest
            assert [(m.header, m.result, m.state) for m in store.matches()] == [
                (uploaded.header, uploaded.result, uploaded.state)
            ]
    finally:
        store.close()


def test_the_bench_counts_settings_that_are_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    class Forgetful(Settings):
        def get(self, name: str) -> object:
            return FORGOTTEN_TABLE

    monkeypatch.setattr(cuts, "Settings", Forgetful)
    monkeypatch.setattr(cuts, "_CHANGES", 2)
    tried, lost = cuts.cut_settings()
    # lost wherever the first change is promised; before that, table 0 is the old one
    assert 0 < lost < tried


def test_the_bench_sees_a_slot_that_is_not_whole() -> None:
    disk = cuts.trusted_box()
    assert cuts.is_whole(disk, "fw-a")
    image = bytearray(disk.chip.buffer)
    broken = cuts.SlotDisk(image)
    image[FILES * BLOCK + 700] ^= 1
    assert not cuts.is_whole(broken, "fw-a")
    assert not cuts.is_whole(broken, "fw-b")  # nothing was ever put there


@pytest.mark.long
@pytest.mark.parametrize(
    ("run", "least"),
    [(cuts.cut_upload, 3), (cuts.cut_settings, 25), (cuts.cut_update, 100)],
)
def test_the_bench_finds_no_loss_at_any_cut(run: type, least: int) -> None:
    tried, lost = run()
    assert lost == 0
    assert tried >= least
