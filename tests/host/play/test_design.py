"""The tokens of design.css: what is written can be read on every ground that it stands on, by day
and by night (WCAG 1.4.3).
"""

import io
import re
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from host_tools.web.files import FONTS
from host_tools.web.table.server import HERE

STATIC = HERE / "static"
WEB = HERE.parent
LEAST = 4.5
TOKEN = re.compile(r"--([\w-]+): ([^;]+);(?: /\* on ([\w, -]+) \*/)?")
COLOUR = re.compile(r"#(?:[0-9a-f]{6}|[0-9a-f]{3})\b(?! *\{)")
THEMES = ("day", "night")


def tokens() -> dict[str, tuple[list[str], list[str]]]:
    """Name -> its two colours, and the grounds of a colour of text; only what is a colour."""
    text = (STATIC / "design.css").read_text("utf8").split("@supports not")[0]
    found = {}
    for name, value, grounds in TOKEN.findall(text):
        colours = COLOUR.findall(value)
        if colours:
            found[name] = ([colours[0], colours[-1]], [g.strip() for g in grounds.split(",") if g])
    return found


def light(colour: str) -> float:
    """Relative luminance, as WCAG defines it."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * one for one in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]
    return sum(part * share for part, share in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


def contrast(one: str, other: str) -> float:
    dark, bright = sorted((light(one), light(other)))
    return (bright + 0.05) / (dark + 0.05)


def test_every_colour_of_text_is_readable_on_its_grounds() -> None:
    known = tokens()
    pairs = [
        (name, ground, theme, contrast(colours[place], known[ground][0][place]))
        for name, (colours, grounds) in known.items()
        for ground in grounds
        for place, theme in enumerate(THEMES)
    ]
    assert len(pairs) > 60
    assert [pair for pair in pairs if pair[-1] < LEAST] == []


SHEETS = [path for path in sorted(WEB.glob("*/static/*.css")) if path.name != "design.css"]


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.name)
def test_pages_take_their_colours_from_the_tokens(path: Path) -> None:
    text = path.read_text("utf8")
    assert re.findall(r"(?<![-\w])color: *#[0-9a-f]+", text) == []
    if path.parent.parent.name != "table":  # there wood, wool and the box are drawn, too
        assert COLOUR.findall(text) == []
    used = set(re.findall(r"var\(--([\w-]+)", text))
    everywhere = "".join(path.read_text("utf8") for path in [*SHEETS, STATIC / "design.css"])
    scripts = "".join(path.read_text("utf8") for path in WEB.glob("*/static/*.js"))
    given = set(re.findall(r"--([\w-]+):", everywhere)) | set(re.findall(r"--([\w-]+)", scripts))
    # those of fan.js are written as `--${name}`
    assert used - given - {"row", "wide", "high", "step", "rise"} == set()


def test_a_browser_that_knows_one_theme_has_the_one_by_day() -> None:
    """Without the function `light-dark` a colour would be none: white letters on nothing."""
    text, old = (STATIC / "design.css").read_text("utf8").split("@supports not")
    fallback = dict(re.findall(r"--([\w-]+): (#\w+);", old))
    assert fallback == {
        name: day
        for name, day in re.findall(r"--([\w-]+): light-dark\((#\w+),", text)
        if name in fallback
    }
    used = {
        name
        for path in SHEETS
        if path.parent.parent.name == "desk"
        for name in re.findall(r"var\(--([\w-]+)", path.read_text("utf8"))
    }
    two = set(re.findall(r"--([\w-]+): light-dark", text))
    assert used & two <= set(fallback)


def test_the_narrow_face_has_letters_for_all_names() -> None:
    face = TTFont(io.BytesIO(FONTS._files["Narrow.ttf"]))
    assert {ord(letter) for letter in "äöüßÄÖÜéèçñÂşŞğıİłőøå–−×°„“"} <= set(face.getBestCmap())
