"""What the box plays: each message, each seat by rhythm alone; `docs/sounds.md` has them."""

import wave
from collections.abc import Iterable
from itertools import pairwise, permutations
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware import games
from host_tools.cli import schiri
from host_tools.core.texts import LANGS
from host_tools.sim.box_sounds import Sound, box_sounds, table

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = DOCS / "sounds.md"
HEARD_MS = 60
SOUNDS = {sound.name: sound for sound in box_sounds()}


def rhythm(sound: Sound) -> list[int]:
    """Sound and silence in turns, in steps of 60 ms; a click has no length."""
    steps = []
    for tone, after in pairwise([*sound.tones, None]):
        assert tone is not None
        steps.append(round(tone.ms / HEARD_MS))
        if after is not None:
            steps.append(round((after.at - tone.at - tone.ms) / HEARD_MS))
    return steps


def test_no_two_sounds_have_the_same_rhythm_and_none_is_the_beginning_of_another() -> None:
    """Of as many tones, one tone or pause lasts twice as long at least, and 120 ms more."""
    rhythms = {name: rhythm(sound) for name, sound in SOUNDS.items()}
    assert rhythms["tie"] == [3, 3, 3]
    assert rhythms["seat2"] == [1, 1, 1, 1, 3]
    assert rhythms["step"] == [0]
    for (first, one), (second, other) in permutations(rhythms.items(), 2):
        assert other[: len(one)] != one, f"{first} begins {second}"
        if len(one) == len(other):
            pairs = [sorted(pair) for pair in zip(one, other, strict=True)]
            assert any(b >= 2 * a and b - a >= 2 for a, b in pairs), (first, second)


def test_every_seat_that_a_game_may_have_has_its_own() -> None:
    most = max(preset.most for name in games.names() for preset in games.row(name).presets)
    assert {f"seat{number + 1}" for number in range(most)} <= set(SOUNDS)


def test_all_can_be_heard_in_a_minute() -> None:
    assert sum(sound.ms + 1000 for sound in SOUNDS.values()) < 60_000


def test_they_are_saved_for_those_without_a_box(tmp_path: Path) -> None:
    """A tie: 180 ms of 1568 Hz, 180 ms of silence, the tone again (docs/sounds.md)."""
    file = tmp_path / "tie.wav"
    asked = ["box", "sounds", "--only", "tie", "--lang", "en", "-o", str(file)]
    assert CliRunner().invoke(schiri, asked).stdout == f"Saved as {file}.\n"
    with wave.open(str(file)) as wav:
        hz, samples = wav.getframerate(), wav.readframes(wav.getnframes())
    parts = [samples[hz * ms // 1000 : hz * (ms + 180) // 1000] for ms in (0, 180, 360, 540)]
    # a period has one step up: 0.18 s * 1568 Hz
    steps = [sum(a < b for a, b in pairwise(part)) for part in parts]
    assert steps == [pytest.approx(282, abs=1), 0, pytest.approx(282, abs=1), 0]


def test_the_page_shows_what_the_box_plays() -> None:
    assert "\n".join(table("en")) in PAGE.read_text("utf-8")


@pytest.mark.parametrize("lang", LANGS)
def test_the_table_of_the_command_has_every_sound_as_the_page_has_it(lang: str) -> None:
    def rows(lines: Iterable[str]) -> list[list[str]]:
        found = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
        return [row[:3] for row in found if row and row[0].startswith("`")]

    shown = list(table(lang))
    assert rows(shown) == rows(PAGE.read_text("utf-8").splitlines())
    assert len(rows(shown)) == len(SOUNDS)
    assert any("check the cable" in line for line in shown) == (lang == "en")
