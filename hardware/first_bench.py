"""The page to print before a first bench: what to measure, what is right, lines to fill in.

What is measured stands in host_tools/box/bringup/first_bench.toml, which `schiri box report` also
reads: each line has the name under which the report takes it.
"""

import tomllib
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from hardware.guide import WORDS, number
from hardware.revision import ROOT

SOURCE = ROOT / "host_tools" / "box" / "bringup" / "first_bench.toml"
STYLE = ROOT / "hardware" / "first_bench.css"
_UNITS = {"ohm": "Ω", "volt": "V", "milliampere": "mA"}


def page(language: str, source: Path = SOURCE) -> str:
    """One page of HTML for A4."""
    said, raw = WORDS[language]["bench"], tomllib.loads(source.read_text(encoding="utf8"))
    style = STYLE.read_text(encoding="utf8")
    rows, part = [], ""
    for at, one in enumerate(raw["measurement"], start=1):
        if one["power"] != part:
            part = one["power"]
            rows.append(f'<tr class="part"><td colspan="6">{said[part]}</td></tr>')
        rows.append(_row(at, one, language))
    who = "".join(f"<span>{word} <i></i> </span>" for word in said["who"])
    heads = "".join(f"<th>{head}</th>" for head in said["head"])
    photos = ", ".join(f"☐ {escape(one['what'][language])}" for one in raw.get("photo", []))
    photos = f"<p>{said['photos']}{photos}</p>" if photos else ""
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        f"<title>Schiri: {said['title']}</title><style>{style}</style></head><body>"
        f'<h1>Schiri: {said["title"]}</h1><p>{_code(said["intro"])}</p><p class="who">{who}</p>'
        f"<table><tr>{heads}</tr>{''.join(rows)}</table>{photos}</body></html>\n"
    )


def _row(at: int, one: Mapping[str, Any], language: str) -> str:
    cells = [
        f"{at}. <b>{escape(one['title'][language])}</b><br>"
        f"<small>{WORDS[language]['bench']['else']}{_code(one['otherwise'][language])}</small>",
        escape(one["red"][language]),
        escape(one["black"][language]),
        right(one, language),
        "<br>".join(
            f'<span class="line"><code>{one["id"]}.{reading}</code> <i></i> '
            f"{_UNITS[one['unit']]}</span>"
            for reading in one["readings"]
        ),
    ]
    return '<tr><td class="box">☐</td>' + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def right(one: Mapping[str, Any], language: str) -> str:
    """The bounds in words."""
    said, unit = WORDS[language]["bench"], _UNITS[one["unit"]]
    bounds = [number(f"{one[key]:g}", language) for key in ("low", "high") if key in one]
    key = "between" if len(bounds) == 2 else "least" if "low" in one else "most"
    return str(said[key]).format(*bounds, unit)


def _code(text: str) -> str:
    """Words between back-quotes are commands."""
    pieces = escape(text).split("`")
    return "".join(f"<code>{p}</code>" if n % 2 else p for n, p in enumerate(pieces))
