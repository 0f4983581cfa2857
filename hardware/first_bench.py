"""The page to print before a first bench: what to measure, what is right, lines to fill in.

What is measured stands in host_tools/box/bringup/first_bench.toml, which `schiri box report` also
reads: each line has the name under which the report takes it.
"""

import tomllib
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from hardware.revision import ROOT

SOURCE = ROOT / "host_tools" / "box" / "bringup" / "first_bench.toml"
_UNITS = {"ohm": "Ω", "volt": "V", "milliampere": "mA"}
_TEXTS = {
    "en": {
        "title": "First bench",
        "intro": "Nobody has measured a box yet: whatever you find helps, also what is not right. "
        "Tick, fill in, then pack it all into one file with "
        "<code>schiri box report --measured short.3V3-GND=…</code> (or answer its questions).",
        "who": ("name", "date", "revision", "Pico", "reader", "screens"),
        "head": ("", "measure", "red probe", "black probe", "right is", "read"),
        "off": "Nothing plugged in",
        "usb": "Over USB, the start menu shown",
        "else": "Else: ",
        "photos": "Photos: ",
        "least": "at least {} {}",
        "most": "at most {} {}",
        "between": "{} to {} {}",
    },
    "de": {
        "title": "Erste Messung",
        "intro": "Noch niemand hat eine Box gemessen: Was du findest, hilft, auch was nicht "
        "stimmt. Abhaken, eintragen, dann alles in eine Datei packen mit "
        "<code>schiri box report --measured short.3V3-GND=…</code> (oder auf Fragen antworten).",
        "who": ("Name", "Datum", "Revision", "Pico", "Leser", "Anzeigen"),
        "head": ("", "Messung", "rote Spitze", "schwarze Spitze", "richtig ist", "gelesen"),
        "off": "Nichts angesteckt",
        "usb": "Über USB, das Startmenü zu sehen",
        "else": "Sonst: ",
        "photos": "Fotos: ",
        "least": "mindestens {} {}",
        "most": "höchstens {} {}",
        "between": "{} bis {} {}",
    },
}
_STYLE = """
@page { size: A4; margin: 9mm }
body { font: 7.4pt/1.22 "DejaVu Sans", sans-serif; color: #15202c; margin: 0 }
h1 { font-size: 14pt; margin: 0 0 1mm } p { margin: 0 0 1.5mm }
table { border-collapse: collapse; width: 100% }
td, th { border: 0.2mm solid #8a96a2; padding: 0.7mm 1.1mm; text-align: left; vertical-align: top }
.part td { background: #e8ecf0; font-weight: bold } .box { font-size: 13pt; line-height: 1 }
.who span, .line { white-space: nowrap } .who i { display: inline-block; width: 22mm }
i { display: inline-block; width: 15mm; border-bottom: 0.2mm solid #15202c; height: 4.2mm }
small, code { color: #566473; font-size: 6.6pt }
"""


def page(language: str, source: Path = SOURCE) -> str:
    """One page of HTML for A4."""
    said, raw = _TEXTS[language], tomllib.loads(source.read_text(encoding="utf8"))
    rows, part = [], ""
    for number, one in enumerate(raw["measurement"], start=1):
        if one["power"] != part:
            part = one["power"]
            rows.append(f'<tr class="part"><td colspan="6">{said[part]}</td></tr>')
        rows.append(_row(number, one, language))
    who = "".join(f"<span>{word} <i></i> </span>" for word in said["who"])
    heads = "".join(f"<th>{head}</th>" for head in said["head"])
    photos = ", ".join(f"☐ {escape(one['what'][language])}" for one in raw.get("photo", []))
    photos = f"<p>{said['photos']}{photos}</p>" if photos else ""
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        f"<title>Schiri: {said['title']}</title><style>{_STYLE}</style></head><body>"
        f'<h1>Schiri: {said["title"]}</h1><p>{said["intro"]}</p><p class="who">{who}</p>'
        f"<table><tr>{heads}</tr>{''.join(rows)}</table>{photos}</body></html>\n"
    )


def _row(number: int, one: Mapping[str, Any], language: str) -> str:
    cells = [
        f"{number}. <b>{escape(one['title'][language])}</b><br>"
        f"<small>{_TEXTS[language]['else']}{_code(one['otherwise'][language])}</small>",
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
    said, unit = _TEXTS[language], _UNITS[one["unit"]]
    bounds = [_number(one[key], language) for key in ("low", "high") if key in one]
    key = "between" if len(bounds) == 2 else "least" if "low" in one else "most"
    return str(said[key]).format(*bounds, unit)


def _number(value: float, language: str) -> str:
    written = f"{value:g}"
    return written.replace(".", ",") if language == "de" else written


def _code(text: str) -> str:
    """Words between back-quotes are commands."""
    pieces = escape(text).split("`")
    return "".join(f"<code>{p}</code>" if n % 2 else p for n, p in enumerate(pieces))
