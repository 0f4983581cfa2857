"""The box as people meet it: scripts of taps and presses in both languages, and their pictures."""

from pathlib import Path

import pytest

from .picture import unpacked
from .pictures import LANGUAGES, SCREENS, SCRIPTS, played


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_sees_what_it_says_and_the_kept_pictures(
    path: Path, language: str, tmp_path: Path
) -> None:
    for name, picture in played(path, tmp_path, language).items():
        kept = SCREENS / language / f"{name}.png"
        assert kept.exists(), f"no picture {kept.name}: run python -m tests.app.pictures"
        assert unpacked(picture) == unpacked(kept.read_bytes()), f"{name} looks different now"


def test_every_kept_picture_comes_from_a_script() -> None:
    shots = {
        line.split()[1]
        for path in SCRIPTS
        for line in path.read_text("utf8").splitlines()
        if line.startswith("shot ")
    }
    for language in LANGUAGES:
        assert {path.stem for path in (SCREENS / language).glob("*.png")} == shots


def test_no_name_is_used_by_two_scripts() -> None:
    names = [
        line.split()[1]
        for path in SCRIPTS
        for line in path.read_text("utf8").splitlines()
        if line.startswith("shot ")
    ]
    assert len(names) == len(set(names))
