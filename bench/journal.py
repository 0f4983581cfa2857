"""Figures of the journal on the file system of the Pico: cost of a record, power cuts."""

import json

from bench.figure import Figure
from firmware.app.journal import Journal
from host_tools.games.options import header_for
from tests.support.power import LittleFlash, Operation, empty_image, images

# W25Q16JV data sheet, table 9.6 (AC characteristics), typical: sector erase and page program.
ERASE_MS = 45.0
PROGRAM_MS = 0.4
PAGE_BYTES = 256
BLOCKS = 344  # MicroPython's file system on a Pico with 2 MB
CUT_BLOCKS = 64
HEADER = json.dumps(header_for("trumpf", "swiss", 2, {}))
ANSWER = {
    "events": [
        {"is": "round_won", "seat": 0, "category": "ps", "cards": ["A1", "B2"], "values": [90, 70]}
    ],
    "awaits": {"seat": 0, "for": "tap"},
}


def measure() -> list[Figure]:
    """Cost of a record early and late in a match, and losses over every cut of a match."""
    early, late = append_ms(20, 40), append_ms(1000, 1020)
    cuts, lost = cut_everywhere(60)
    return [
        Figure("one record, after 20 records", early, "ms (typical flash)"),
        Figure(
            "one record, after 1000 records",
            late,
            "ms (typical flash)",
            "≤ 1.2 × after 20",
            late <= 1.2 * early,
        ),
        Figure("power cuts tried in a match", cuts, ""),
        Figure("shown verdicts lost by them", lost, "", "0", lost == 0),
    ]


def append_ms(first: int, last: int) -> float:
    """Mean time of the flash for one append, of the records `first` to `last`."""
    flash = LittleFlash(empty_image(BLOCKS))
    journal = _journal(flash)
    journal.open_match(HEADER)
    for n in range(first):
        journal.append(*step(n))
    before = len(flash.chip.operations)
    for n in range(first, last):
        journal.append(*step(n))
    spent = sum(flash_ms(operation) for operation in flash.chip.operations[before:])
    return spent / (last - first)


def flash_ms(operation: Operation) -> float:
    """Typical time of the chip for one operation."""
    if not operation.data:
        return ERASE_MS
    return PROGRAM_MS * -(-len(operation.data) // PAGE_BYTES)


def cut_everywhere(commands: int) -> tuple[int, int]:
    """Cut the power around and inside every chip operation of a match: (cuts, verdicts lost)."""
    start = empty_image(CUT_BLOCKS)
    flash = LittleFlash(bytearray(start))
    journal = _journal(flash)
    journal.open_match(HEADER)
    shown_at = []
    for n in range(commands):
        journal.append(*step(n))
        shown_at.append(len(flash.chip.operations))
    cuts = lost = 0
    for done, image in images(start, flash.chip.operations):
        shown = sum(at <= done for at in shown_at)
        cuts += 1
        lost += max(0, shown - _resumed(image))
    return cuts, lost


def _resumed(image: bytearray) -> int:
    """Commands that come back after a boot from this image."""
    journal = _journal(LittleFlash(image))
    number = journal.unfinished()
    if number is None:
        return 0
    sound = sum(step(n) == pair for n, pair in enumerate(list(journal.resume(number))[1:]))
    return sound - len(journal.damaged)


def step(n: int) -> tuple[str, str]:
    """A command and an answer of ordinary length."""
    return json.dumps({"t": 1000 * n, "do": "tap", "card": "A1"}), json.dumps({"n": n, **ANSWER})


def _journal(flash: LittleFlash) -> Journal:
    return Journal(flash, "bench", bytes)
