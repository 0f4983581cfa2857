"""The box as people meet it: scripts of taps and presses in both languages, and their screens."""

from pathlib import Path

import pytest

from .picture import digest
from .pictures import LANGUAGES, SCREENS, SCRIPTS, digests, played, shown


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_sees_what_it_says_and_the_screens_of_before(
    path: Path, language: str, tmp_path: Path
) -> None:
    before = digests()
    now = {f"{language}/{name}": png for name, png in played(path, tmp_path, language).items()}
    changed = [name for name, png in now.items() if before.get(name) != digest(png)]
    assert changed == [], "make screens PAGES=no draws them into build/screens: look at them"


def test_every_screen_of_before_comes_from_a_script() -> None:
    assert set(digests()) == {f"{language}/{name}" for language in LANGUAGES for name in shots()}


def test_the_pictures_kept_are_those_that_a_page_shows() -> None:
    kept = {f"{path.parent.name}/{path.stem}": path for path in SCREENS.rglob("*.png")}
    assert set(kept) == shown()
    now = digests()
    assert {name: digest(path.read_bytes()) for name, path in kept.items()} == {
        name: now[name] for name in kept
    }


def test_no_name_is_used_by_two_scripts() -> None:
    assert len(shots()) == len(set(shots()))


def shots() -> list[str]:
    """What every `shot` of every script calls its picture."""
    return [
        line.split()[1]
        for path in SCRIPTS
        for line in path.read_text("utf8").splitlines()
        if line.startswith("shot ")
    ]
