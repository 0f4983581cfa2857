"""An evening of games on one box, then the desk fetches everything, in the chip's heap."""

from pathlib import Path

import pytest

from hardware.twin.chip_engine import ChipEngine
from hardware.twin.session import TwinSession
from host_tools.box.link import BoxLink
from host_tools.box.sync import BoxSync, Synced
from host_tools.sim.demo.usb import TwinPort
from host_tools.store import open_store
from host_tools.store.store import SET_ASIDE
from tests.support import box_programs

from . import matches
from .conftest import PROGRAMS, Boxes, WithProgram
from .test_calibration import largest_kb

SESSION = box_programs.PROGRAMS / "session.py"
EVENING = 4  # Trumpf, Hattrick, Café, Trumpf: one after the other without a restart
EVENING_MS = 4 * 600_000
BOOT_MS = 4_000
LARGEST_KB = 90  # 105.5 were measured (docs/reliability.md)
PROGRAMS_BYTES = 5_300  # what the two programs take, which no chip has: measured at the menu


def fetched(box: TwinSession, folder: Path, enrol: bool = True) -> list[Synced]:
    """What a desk that has enrolled the box, or not, gets from it over its USB line."""
    store = open_store(str(folder / "desk.db"))
    link = BoxLink(TwinPort(box), first_id=1)
    job = BoxSync(link, store, lambda number, done, size: None)
    try:
        if enrol:
            public = bytes.fromhex(link.request("key_public")["public"])
            store.enrolled.enrol(str(link.hello()["box"]), public, "Ada")
        job.greet()
        return list(job.matches())
    finally:
        store.close()


def test_a_sync_after_an_evening_of_four_games(
    with_program: WithProgram, storage: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ChipEngine, "heap", ChipEngine.heap + PROGRAMS_BYTES)
    rom = with_program(SESSION, PROGRAMS / "evening.py")
    entry = "firmware.evening:turns"
    with TwinSession("chip", storage, sources=rom, entry=entry) as box:
        box.boot()
        assert box.run_until((storage / f"m00000{EVENING}.ok").exists, EVENING_MS)
        # the games leave it no turn to make a key in; all else is looked at before that is said
        outcomes = fetched(box, tmp_path, enrol=False)
        assert [(one.number, one.reason) for one in outcomes] == [
            (number, "the box had no key to sign with") for number in range(1, EVENING + 1)
        ]
        largest = largest_kb(box)
        print(f"\nlargest free block after four games and their sync: {largest:.1f} kB")
        assert largest > LARGEST_KB
        assert box.resets == []


def test_long_matches_and_one_that_was_set_aside_are_fetched(
    chip: Boxes, storage: Path, tmp_path: Path
) -> None:
    for game in ("swiss", "cafe"):
        matches.lay_down(storage, game, 0, whole=True)
    matches.lay_down(storage, "hattrick", 100)
    journal = matches.journal_in(storage)
    journal.set_aside(3)
    path = storage / "m000003.aside"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:40], b"x" * 5_000 + b"\n", *lines[40:]]))
    with chip() as box:
        box.boot()
        box.run_for(BOOT_MS)
        outcomes = fetched(box, tmp_path, enrol=False)
        assert box.resets == []
    assert [one.state for one in outcomes] == ["unverified", "unverified", "contested"]
    assert outcomes[0].reason == "the box had no key to sign with"
    assert outcomes[2].reason.startswith(SET_ASIDE)
    assert (storage / "m000003.ok").exists()
