"""The box's memory and the pace of its rules, in the real MicroPython VM.

Heap figures do not depend on this computer; the milliseconds do. A session of 200 matches (4 hours
of the box's time) takes a minute or two. How the heap is counted: docs/decisions/memory.md.
"""

import json
import statistics
import tempfile
from dataclasses import replace
from pathlib import Path

from bench.figure import Figure
from bench.replay import sample_match
from hardware.twin.session import TwinSession
from hardware.twin.vm_engine import VmHeap
from host_tools.box.firmware.build import BOX_FOLDER, ROM, build, rom_of
from host_tools.replay.engine.session import VmSession, rules_files
from host_tools.sim.table.box_setup import set_up
from tests.support.box_programs import MATCH_MS, PROGRAMS, heaps_after, place

MATCHES = 200
GAMES = ("Trumpf", "Hattrick", "Café")  # in the order of box_programs/session.py
HEAP_GOALS = {"Trumpf": 60_000, "Hattrick": 60_000, "Café": 80_000}
ANSWER_GOAL_MS = 5
UNDO_GOAL_MS = 300
_SPEED = PROGRAMS / "speed.py"
_INTO_MATCH_MS = 20_000  # the first cards lie
_MENU_MS = 4_000
_BLOCK_BYTES = 16


def measure() -> list[Figure]:
    """All rows."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tree = folder / "tree"
        build(folder / "build")
        entry = place("session", tree, folder / "build" / BOX_FOLDER)
        image = folder / ROM
        image.write_bytes(rom_of(tree))
        rows = [
            *_in_matches(folder / "flash-rom", image, entry, "code in a ROM image", goals=True),
            *_in_matches(folder / "flash-mpy", tree, entry, "code on the heap", goals=False),
            *_session(folder / "day-rom", image, entry, "code in a ROM image"),
            *_session(folder / "day-mpy", tree, entry, "code on the heap"),
        ]
    return rows + pace()


def _in_matches(
    flash: Path, sources: Path, entry: str, where: str, *, goals: bool
) -> list[Figure]:
    """The heap in a match of each game."""
    rows = []
    with _box(flash, sources, entry) as box:
        for number, game in enumerate(GAMES, 1):
            box.run_until(lambda number=number: _opened(flash, number), MATCH_MS)  # type: ignore[misc]
            box.run_for(_MENU_MS if game == "Café" else _INTO_MATCH_MS)
            used, goal = box.heap().firmware, HEAP_GOALS[game]
            what = f"heap in a {game} match"
            if goals:
                goal_text = f"≤ {goal:,} bytes"
                rows.append(Figure(what, used, "bytes", goal_text, used <= goal, where))
            else:
                rows.append(Figure(what, used, "bytes", case=where))
    return rows


def _session(flash: Path, sources: Path, entry: str, where: str) -> list[Figure]:
    """Match after match, the heap looked at after each.

    What grows shows in the least: the least of the second half against that of the first one, from
    the second round of games on, when everything is loaded that stays. The most is the least and
    what a false pointer held (docs/decisions/memory.md).
    """
    with _box(flash, sources, entry) as box:
        heaps = list(heaps_after(box, flash, MATCHES))
        hours = box.now_ms / 3_600_000
    used = [heap.firmware for heap in heaps[len(GAMES) :]]
    half = len(used) // 2
    growth = min(used[half:]) - min(used[:half])
    figures = [
        Figure(f"growth over {MATCHES} matches", growth, "bytes", "0 bytes", growth <= 0),
        Figure("  hours of the box's time", hours, "h"),
        Figure("  heap between matches, the least", min(used), "bytes"),
        Figure("  heap between matches, the most", max(used), "bytes"),
        Figure("  largest block in use", _blocks(heaps[-1], "max blk sz:"), "bytes"),
        Figure("  largest free block, of 1 MB", _blocks(heaps[-1], "max free sz:"), "bytes"),
    ]
    return [replace(figure, case=where) for figure in figures]


def _blocks(heap: VmHeap, what: str) -> int:
    """A figure that `micropython.mem_info` printed in blocks, in bytes."""
    return _BLOCK_BYTES * int(heap.info.split(what)[1].split(",")[0].split()[0])


def _box(flash: Path, sources: Path, entry: str) -> TwinSession:
    flash.mkdir()
    set_up(flash, "de", "Bench")
    box = TwinSession("micropython", flash, sources=sources, entry=entry)
    box.boot()
    return box


def _opened(flash: Path, number: int) -> bool:
    return (flash / f"m{number:06}.run").exists()


def pace() -> list[Figure]:
    """Answers and undo in the VM, without display and flash."""
    header, commands = sample_match()
    lines = [json.dumps(line) for line in (header, *commands)]
    with VmSession(_SPEED, rules_files()) as vm:
        took_us, undo_us = json.loads("".join(vm.talk(lines)))
    answer_ms, undo_ms = statistics.median(took_us) / 1000, undo_us / 1000
    return [
        Figure(
            f"one command answered in the VM, the median of {len(took_us)} times 50",
            *(answer_ms, "ms", f"≤ {ANSWER_GOAL_MS} ms", answer_ms <= ANSWER_GOAL_MS),
        ),
        Figure(
            "undo of 300 commands in the VM",
            *(undo_ms, "ms", f"≤ {UNDO_GOAL_MS} ms", undo_ms <= UNDO_GOAL_MS),
        ),
    ]
