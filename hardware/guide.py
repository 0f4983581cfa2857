"""Writes BUILD.md and BUILD.de.md from one source, guide.md, and fills their tables.

In the source a block follows `<!-- en -->`, `<!-- de -->` or `<!-- both -->`; so no language can
have a step that the other lacks. A table stands between `<!-- table NAME -->` and `<!-- end -->`
and comes from the files that the checks read.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hardware import bom, power
from hardware.case.dimensions import Sections, derive
from hardware.case.outlines import antenna, distance, parts
from hardware.case.sizes import Ledger
from hardware.case.stacks import stacks
from hardware.revision import REV1, REVISIONS
from hardware.wiring import Harness

GUIDES = {"en": REV1.folder / "BUILD.md", "de": REV1.folder / "BUILD.de.md"}
NAMES = {"en": "BUILD.md", "de": "BUILD.de.md"}
_NOTE = "<!-- Written by `make hardware` from guide.md: change that file. -->"
_BLOCK = re.compile(r"^<!-- (en|de|both) -->\n", re.MULTILINE)
_TABLE = re.compile(r"(<!-- table (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


@dataclass(frozen=True)
class Facts:
    """Everything the tables are made from."""

    rows: list[bom.Row]
    harness: Harness
    dimensions: Sections
    ledger: Ledger
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


def _euros(low: float, high: float, language: str) -> str:
    both = " – ".join(f"{value:.2f}".replace(".00", "") for value in (low, high))
    return both.replace(".", ",") if language == "de" else both


# --- tables ------------------------------------------------------------------------------------

_PARTS_HEAD = {
    "en": ["", "part", "exactly", "order code", "avoid", "EUR each"],
    "de": ["", "Teil", "genau", "Bestellnummer", "zu meiden", "EUR je Stück"],
}
_UNITS = {"piece": "×", "gram": " g"}


def _parts(group: str) -> "Callable[[str, Facts], str]":
    def table(language: str, facts: Facts) -> str:
        german = language == "de"
        rows = [
            [
                f"{row.quantity}{_UNITS[row.unit]}",
                row.part_de if german else row.part,
                row.variant_de if german else row.variant,
                row.order_code or "–",
                (row.avoid_de if german else row.avoid) or "–",
                _euros(row.low_eur, row.high_eur, language),
            ]
            for row in facts.rows
            if row.group == group
        ]
        return _lines(_PARTS_HEAD[language], rows)

    return table


_GROUPS = {
    "en": {"box": "the box", "bench": "for the bench test", "practice": "to practise soldering",
           "battery": "battery (optional)", "deck": "tags for one deck", "all": "all of it"},
    "de": {"box": "die Box", "bench": "für die Probe auf dem Tisch",
           "practice": "zum Üben am Lötkolben", "battery": "Akku (freigestellt)",
           "deck": "Tags für ein Deck", "all": "alles zusammen"},
}  # fmt: skip


def _totals(language: str, facts: Facts) -> str:
    """What both revisions cost, whichever guide one reads."""
    found = [bom.totals(bom.load_bom(revision.bom)) for revision in REVISIONS]
    for groups in found:
        groups["all"] = (
            sum(low for low, _ in groups.values()),
            sum(high for _, high in groups.values()),
        )
    spans = [{group: f"{low:.0f} – {high:.0f}" for group, (low, high) in g.items()} for g in found]
    rows = [
        [name, *(g.get(group, "–") for g in spans)] for group, name in _GROUPS[language].items()
    ]
    return _lines(["EUR", "Revision 1", "Revision 2"], rows)


_COLOURS = {
    "en": {"YE": "yellow", "OG": "orange", "GY": "grey", "VT": "violet", "RD": "red",
           "BK": "black", "BU": "blue", "GN": "green", "WH": "white",
           "BN": "brown"},
    "de": {"YE": "gelb", "OG": "orange", "GY": "grau", "VT": "violett", "RD": "rot",
           "BK": "schwarz", "BU": "blau", "GN": "grün", "WH": "weiß",
           "BN": "braun"},
}  # fmt: skip
_ENDS = {
    "en": {"PICO": "Pico pin", "READER": "reader", "STRIP": "strip pin", "CHARGER": "charger",
           "SCREEN_SOUTH": "south screen", "SCREEN_NORTH": "north screen", "SWITCH": "switch",
           "J1": "board J1", "J2": "board J2", "J3": "board J3"},
    "de": {"PICO": "Pico Pin", "READER": "Leser", "STRIP": "Streifen Stift", "CHARGER": "Lader",
           "SCREEN_SOUTH": "Anzeige Süd", "SCREEN_NORTH": "Anzeige Nord", "SWITCH": "Schalter",
           "J1": "Platine J1", "J2": "Platine J2", "J3": "Platine J3"},
}  # fmt: skip
_NUMBERED = ("PICO", "STRIP")


def _wires(cable: str) -> "Callable[[str, Facts], str]":
    """One line for each wire of a cable, in the order of wiring.yml."""

    def table(language: str, facts: Facts) -> str:
        names, colours, harness = _ENDS[language], _COLOURS[language], facts.harness
        rows = []
        for wire, colour, of in zip(harness.wires, harness.colours, harness.cables, strict=True):
            ends = [
                f"{names[end.connector]} {end.pin} ({end.label})"
                if end.connector in _NUMBERED
                else f"{names[end.connector]} {end.label}"
                for end in wire
            ]
            if of == cable:
                rows.append(["☐", *ends, colours[colour]])
        head = ["", "from", "to", "colour"] if language == "en" else ["", "von", "nach", "Farbe"]
        return _lines(head, rows)

    return table


_DUTY_NAMES = {
    "en": {"always": "field always on", "waiting": "waiting for a card", "resting": "card lies"},
    "de": {"always": "Feld immer an", "waiting": "wartet auf Karte", "resting": "Karte liegt"},
}


def _runtime(language: str, facts: Facts) -> str:
    budget, german = facts.budget, language == "de"
    duties = budget.duties
    names = _DUTY_NAMES[language]
    head = ["", *(f"{names[key]} ({duty:.0%})" for key, duty in duties.items())]
    rows = []
    for radio in (False, True):
        net = ", WLAN" if german else ", on Wi-Fi"
        after = net if radio else ""
        three, five = ("3,3 V", "5 V, USB") if german else ("3.3 V", "5 V, USB")
        drawn = [f"{budget.draw_ma(duty, radio=radio):.0f}" for duty in duties.values()]
        fed = [f"{budget.usb_ma(duty, radio):.0f}" for duty in duties.values()]
        rows += [[f"mA ({three}){after}", *drawn], [f"mA ({five}){after}", *fed]]
        for source, values in budget.sources.items():
            hours = [
                f"{budget.hours(source, duty, radio=radio):.0f} h" for duty in duties.values()
            ]
            rows.append([values["name_de" if german else "name_en"] + after, *hours])
    return _lines(head, rows)


def _loads(language: str, facts: Facts) -> str:
    head = {"en": ["load", "typical mA", "worst mA", "where the figure is from"],
            "de": ["Last", "üblich mA", "höchstens mA", "Quelle"]}[language]  # fmt: skip
    rows = [
        [name.replace("_", ", "), f"{load['typical']:g}", f"{load['worst']:g}", load["source"]]
        for name, load in facts.budget.loads.items()
    ]
    return _lines(head, rows)


_FIGURES = {
    "en": ("closed box", "print bed needed", "card above the antenna", "card above the table",
           "antenna to Pico", "antenna to the next screen", "height of a line of text"),
    "de": ("geschlossene Box", "nötiges Druckbett", "Karte über der Antenne",
           "Karte über dem Tisch", "Antenne bis Pico", "Antenne bis zur nächsten Anzeige",
           "Höhe einer Textzeile"),
}  # fmt: skip
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
    values: tuple[str, ...] = (
        " × ".join(f"{value:.0f}" for value in box),
        f"{found['outer_x']:.0f} × {found['outer_y']:.0f}",
        f"{found['card_z'] - coil.high[2]:.1f}",
        f"{found['card_z'] - table_z:.1f}",
        f"{near['pico']:.1f}",
        f"{near['screen']:.1f}",
        f"{d['screen']['lit_y'] / 64 * _LINE_PIXELS:.1f}",
    )
    if language == "de":
        values = tuple(value.replace(".", ",") for value in values)
    rows = [[name, value] for name, value in zip(_FIGURES[language], values, strict=True)]
    return _lines(["", "mm"], rows)


_BASES_DE = {
    "data sheet": "Datenblatt", "standard": "Norm", "drawing": "Zeichnung", "shop": "Händler",
    "range": "Spanne", "measured": "gemessen", "memory": "Gedächtnis",
}  # fmt: skip


def _number(value: float, language: str, digits: int = 2) -> str:
    written = f"{value:.{digits}f}"
    return written.replace(".", ",") if language == "de" else written


def _fits(language: str, facts: Facts) -> str:
    """Worst cases of every fit."""
    german = language == "de"
    rows = [
        [
            stack.name_de if german else stack.name,
            *(_number(value, language) for value in (stack.least, stack.nominal, stack.most)),
            _number(stack.margin, language),
        ]
        for stack in stacks(facts.dimensions, facts.ledger)
    ]
    head = {"en": ["fit, in mm", "least", "drawn", "most", "margin to the limit"],
            "de": ["Passung, in mm", "mindestens", "gezeichnet", "höchstens", "Reserve"],
            }  # fmt: skip
    return _lines(head[language], rows)


def _measure(language: str, facts: Facts) -> str:
    """The sheet "measure your modules": which number goes where."""
    german = language == "de"
    rows = [
        [
            f"`{section}.{name}`",
            f"{size.mm:g}".replace(".", "," if german else "."),
            f"{size.low:g} – {size.high:g}".replace(".", "," if german else "."),
            _BASES_DE[size.basis] if german else size.basis,
            "",
        ]
        for section in ("pico", "reader", "screen", "strip", "switch", "buzzer", "plug")
        for name, size in facts.ledger.get(section, {}).items()
    ]
    head = {"en": ["size", "drawn for", "fits from – to", "basis", "yours"],
            "de": ["Maß", "gezeichnet", "passt von – bis", "Quelle", "deins"],
            }  # fmt: skip
    return _lines(head[language], rows)


def _kept_alive(language: str, facts: Facts) -> str:
    """Run time of a power bank, with the keep-alive load and without."""
    budget, german = facts.budget, language == "de"
    names, duties = _DUTY_NAMES[language], budget.duties
    said = (
        f"{budget.keep_alive_ma():.1f}".replace(".", "," if german else "."),
        f"{budget.pulse_ma():.0f}",
    )
    with_load = f"mit {said[0]} mA im Mittel, Stöße von {said[1]} mA"
    if not german:
        with_load = f"with {said[0]} mA on average, pulses of {said[1]} mA"
    rows = [
        [label, *(f"{budget.hours('bank', duty, kept):.0f} h" for duty in duties.values())]
        for label, kept in (("ohne Last" if german else "without load", False), (with_load, True))
    ]
    return _lines(["", *names.values()], rows)


TABLES: "dict[str, Callable[[str, Facts], str]]" = {
    "parts_box": _parts("box"),
    "parts_battery": _parts("battery"),
    "parts_bench": _parts("bench"),
    "parts_practice": _parts("practice"),
    "parts_deck": _parts("deck"),
    "totals": _totals,
    **{f"wires_W{number}": _wires(f"W{number}") for number in range(1, 10)},
    "runtime": _runtime,
    "loads": _loads,
    "figures": _figures,
    "fits": _fits,
    "measure": _measure,
    "kept_alive": _kept_alive,
}
