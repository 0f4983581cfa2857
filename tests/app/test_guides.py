"""The player's guides: both languages show the same pictures, and every picture exists."""

import re

from .pictures import ROOT

GUIDES = {"de": ROOT / "docs" / "spielen.md", "en": ROOT / "docs" / "playing.md"}


def shown(language: str) -> list[str]:
    text = GUIDES[language].read_text("utf8")
    return re.findall(rf"\(screens/{language}/(\w+)\.png\)", text)


def test_both_guides_show_the_same_pictures() -> None:
    assert shown("de") == shown("en")
    assert len(shown("de")) > 20


def test_every_picture_shown_exists() -> None:
    for language in GUIDES:
        for name in shown(language):
            assert (ROOT / "docs" / "screens" / language / f"{name}.png").exists(), name


def test_both_guides_have_the_same_sections() -> None:
    counts = [path.read_text("utf8").count("\n## ") for path in GUIDES.values()]
    assert counts[0] == counts[1]
