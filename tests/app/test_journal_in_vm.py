"""Journal, settings and link write the same bytes on CPython and in the MicroPython VM."""

from pathlib import Path

import pytest

from firmware.app.link_frames import read_frame
from hardware.twin.node import ROOT
from host_tools.replay.engine.session import VmSession
from tests.app import journal_in_vm_main as program

WANTED = ("card_tags/*.py", "firmware/__init__.py", "firmware/app/__init__.py")
MODULES = ("journal", "link", "link_frames", "settings", "slots", "flash", "write_ahead")


def files() -> list[tuple[str, Path]]:
    paths = [path for pattern in WANTED for path in ROOT.glob(pattern)]
    paths += [ROOT / f"firmware/app/{name}.py" for name in MODULES]
    return [("/" + str(path.relative_to(ROOT)), path) for path in paths]


def test_what_the_program_says_is_what_a_cut_leaves() -> None:
    steps, seen, damaged = program.answer("x").split(" ", 3)[:3]
    # the header and five commands come back; all 200 flipped bits are seen; nothing is damaged
    assert (steps, seen, damaged) == ("6", "200", "[]")


@pytest.mark.vm
def test_both_interpreters_write_the_same_bytes() -> None:
    seeds = ["", "Ü", "a" * 300, "quote ~ tilde"]
    expected = [taken_apart(program.answer(seed)) for seed in seeds]
    with VmSession(Path(program.__file__), files()) as session:
        assert [taken_apart(line) for line in session.talk(seeds)] == expected


def taken_apart(line: str) -> tuple[str, list[dict[str, object]]]:
    """Only in the JSON of replies may bytes differ: CPython escapes "ü", the box does not."""
    told, replies = line.rsplit(" ", 1)
    return told, [read_frame(frame) for frame in bytes.fromhex(replies).splitlines()]
