"""Writes BUILD.md and BUILD.de.md from one source, guide.md, and fills their tables.

In the source a block follows `<!-- en -->`, `<!-- de -->` or `<!-- both -->`; so no language can
have a step that the other lacks. A table stands between `<!-- table NAME -->` and `<!-- end -->`
and comes from the files that the checks read.
"""

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import fsum
from pathlib import Path
from typing import Any

from hardware import bom, power
from hardware.case.dimensions import Sections, derive
from hardware.case.outlines import antenna, distance, parts
from hardware.case.sizes import SizeTable
from hardware.case.stacks import stacks
from hardware.revision import REVISIONS, ROOT
from hardware.wiring import WireHarness

NAMES = {"en": "BUILD.md", "de": "BUILD.de.md"}
WORDS: dict[str, dict[str, Any]] = tomllib.loads(
    (ROOT / "hardware" / "words.toml").read_text(encoding="utf8")
)
_NOTE = "<!-- Written by `make hardware` from guide.md: change that file. -->"
_BLOCK = re.compile(r"^<!-- (en|de|both) -->\n", re.MULTILINE)
_TABLE = re.compile(r"(<!-- table (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


@dataclass(frozen=True)
class Facts:
    """Everything the tables are made from."""

    rows: list[bom.BomRow]
    harness: WireHarness
    dimensions: Sections
    ledger: SizeTable
    budget: power.Budget


def split(source: str, language: str) -> str:
    """One language of a source. ValueError: a block that the other language lacks."""
    _, *pieces = _BLOCK.split(source)
    blocks = [(pieces[at], pieces[at + 1].strip("\n")) for at in range(0, len(pieces), 2)]
    order = [name for name, _ in blocks if name != "both"]
    if order != ["en", "de"] * (len(order) // 2):
        raise ValueError("guide.md: each block in English is followed by the same one in German.")
    kept = [text for name, text in blocks if name in (language, "both")]
    return "\n\n".join([kept[0], _NOTE, *kept[1:]]) + "\n"


def write(language: str, facts: Facts, folder: Path) -> str:
    """The guide of a revision in one language, from its source."""
    return fill(split((folder / "guide.md").read_text(encoding="utf8"), language), language, facts)


def fill(text: str, language: str, facts: Facts) -> str:
    """The guide with fresh tables. KeyError names a table that nobody makes."""

    def replace(found: "re.Match[str]") -> str:
        table = TABLES[found.group(2)](language, facts)
        return f"{found.group(1)}{table}\n{found.group(3)}"

    return _TABLE.sub(replace, text)


def _lines(head: list[str], rows: list[list[str]]) -> str:
    ruler = "|" + "---|" * len(head)
    return "\n".join([f"| {' | '.join(head)} |", ruler, *(f"| {' | '.join(r)} |" for r in rows)])


# --- tables ------------------------------------------------------------------------------------

_UNITS = {"piece": "×", "gram": " g"}


def _parts(group: str, language: str, facts: Facts) -> str:
    german = language == "de"
    rows = [
        [
            f"{row.quantity}{_UNITS[row.unit]}",
            row.part_de if german else row.part,
            row.variant_de if german else row.variant,
            row.order_code or "–",
            (row.avoid_de if german else row.avoid) or "–",
            number(f"{row.low_eur:.2f} – {row.high_eur:.2f}".replace(".00", ""), language),
        ]
        for row in facts.rows
        if row.group == group
    ]
    return _lines(WORDS[language]["parts"], rows)


def _totals(language: str, facts: Facts) -> str:
    """What all revisions cost, whichever guide one reads."""
    found = [bom.totals(bom.load_bom(revision.bom)) for revision in REVISIONS]
    for groups in found:
        low, high = (fsum(span[end] for span in groups.values()) for end in (0, 1))
        groups["all"] = (low, high)
    spans = [{group: f"{low:.0f} – {high:.0f}" for group, (low, high) in g.items()} for g in found]
    names = WORDS[language]["groups"].items()
    rows = [[name, *(g.get(group, "–") for g in spans)] for group, name in names]
    return _lines(["EUR", *(f"Revision {one.name[3:]}" for one in REVISIONS)], rows)


_NUMBERED = ("PICO", "STRIP")


def _wires(cable: str, language: str, facts: Facts) -> str:
    """One line for each wire of a cable, in the order of wiring.yml."""
    words, harness = WORDS[language], facts.harness
    rows = []
    for wire, colour, of in zip(harness.wires, harness.colours, harness.cables, strict=True):
        ends = [
            f"{words['ends'][end.connector]} {end.pin} ({end.label})"
            if end.connector in _NUMBERED
            else f"{words['ends'][end.connector]} {end.label}"
            for end in wire
        ]
        if of == cable:
            rows.append(["☐", *ends, words["colours"][colour]])
    return _lines(words["wires"], rows)


def _runtime(language: str, facts: Facts) -> str:
    budget, words, rows = facts.budget, WORDS[language], []
    duties = budget.duties
    head = ["", *(f"{words['duties'][key]} ({duty:.0%})" for key, duty in duties.items())]
    for radio, after in ((False, ""), (True, words["on_wifi"])):
        drawn = [f"{budget.draw_ma(duty, radio=radio):.0f}" for duty in duties.values()]
        fed = [f"{budget.usb_ma(duty, radio):.0f}" for duty in duties.values()]
        rows += [[words["drawn"] + after, *drawn], [words["fed"] + after, *fed]]
        for source, values in budget.sources.items():
            hours = [budget.hours(source, duty, radio=radio) for duty in duties.values()]
            rows.append([values[f"name_{language}"] + after, *(f"{h:.0f} h" for h in hours)])
    return _lines(head, rows)


def _loads(language: str, facts: Facts) -> str:
    rows = [
        [name.replace("_", ", "), f"{load['typical']:g}", f"{load['worst']:g}", load["source"]]
        for name, load in facts.budget.loads.items()
    ]
    return _lines(WORDS[language]["loads"], rows)


_LINE_PIXELS = 8  # of 64 rows: the small font of firmware/app/fonts


def _figures(language: str, facts: Facts) -> str:
    """What follows from the dimensions and a builder wants to know."""
    d = facts.dimensions
    found, coil = derive(d), antenna(d)
    near = {
        kind: min(distance(coil, part) for part in parts(d) if part.kind == kind)
        for kind in ("pico", "screen")
    }
    table_z = -d["case"]["floor"] - d["feet"]["height"]
    box = (found["outer_x"], found["outer_y"], found["outer_z"] + d["feet"]["height"])
    lengths = (
        found["card_z"] - coil.high[2],
        found["card_z"] - table_z,
        near["pico"],
        near["screen"],
        d["screen"]["lit_y"] / 64 * _LINE_PIXELS,
    )
    values = [
        " × ".join(f"{value:.0f}" for value in box),
        f"{found['outer_x']:.0f} × {found['outer_y']:.0f}",
        *(number(f"{value:.1f}", language) for value in lengths),
    ]
    names = WORDS[language]["figures"]
    return _lines(["", "mm"], [list(row) for row in zip(names, values, strict=True)])


def number(written: str, language: str) -> str:
    """With the decimal sign of the language."""
    return written.replace(".", ",") if language == "de" else written


def _fits(language: str, facts: Facts) -> str:
    """Worst cases of every fit."""
    rows = []
    for stack in stacks(facts.dimensions, facts.ledger):
        values = (stack.least, stack.nominal, stack.most, stack.margin)
        name = stack.name_de if language == "de" else stack.name
        rows.append([name, *(number(f"{value:.2f}", language) for value in values)])
    return _lines(WORDS[language]["fits"], rows)


def _measure(language: str, facts: Facts) -> str:
    """The sheet "measure your modules": which number goes where."""
    bases = WORDS[language].get("bases", {})
    rows = [
        [
            f"`{section}.{name}`",
            number(f"{size.mm:g}", language),
            number(f"{size.low:g} – {size.high:g}", language),
            bases.get(size.basis, size.basis),
            "",
        ]
        for section in ("pico", "reader", "screen", "strip", "switch", "buzzer", "plug")
        for name, size in facts.ledger.get(section, {}).items()
    ]
    return _lines(WORDS[language]["measure"], rows)


def _kept_alive(language: str, facts: Facts) -> str:
    """Run time of a power bank, with the keep-alive load and without."""
    budget, words = facts.budget, WORDS[language]
    mean = number(f"{budget.keep_alive_ma():.1f}", language)
    load = words["load"].format(mean, f"{budget.pulse_ma():.0f}")
    rows = [
        [label, *(f"{budget.hours('bank', duty, kept):.0f} h" for duty in budget.duties.values())]
        for label, kept in ((words["no_load"], False), (load, True))
    ]
    return _lines(["", *words["duties"].values()], rows)


TABLES: "dict[str, Callable[[str, Facts], str]]" = {
    **{f"parts_{group}": partial(_parts, group) for group in bom.GROUPS},
    "totals": _totals,
    # as many as any wiring.yml has cables; a table is made only where a guide asks for it
    **{f"wires_W{number}": partial(_wires, f"W{number}") for number in range(1, 10)},
    "runtime": _runtime,
    "loads": _loads,
    "figures": _figures,
    "fits": _fits,
    "measure": _measure,
    "kept_alive": _kept_alive,
}
