"""The words of a human-readable replay."""

import string
from pathlib import Path

import pytest

from firmware.rules.answers import FIELDS
from host_tools.replay.engines import recompute
from host_tools.replay.reading import read_transcript
from host_tools.replay.telling import decimal, default_language, duration, tell
from host_tools.replay.words import EVENTS, PHRASES, REFUSALS

FOLDER = Path(__file__).parents[1] / "transcripts/trumpf"


def test_decimals_are_printed_as_on_the_card() -> None:
    assert decimal(1925, 2, "de") == "19,25"
    assert decimal(-5, 2, "en") == "-0.05"
    assert decimal(0, 1, "de") == "0,0"
    assert decimal(42, 0, "de") == "42"


def test_durations() -> None:
    assert [duration(ms) for ms in (0, 59_999, 600_000)] == ["0:00", "0:59", "10:00"]


def test_the_language_comes_from_the_locale() -> None:
    assert default_language({}) == "en"
    assert default_language({"LANG": "de_CH.UTF-8"}) == "de"
    assert default_language({"LC_ALL": "C", "LANG": "de_DE.UTF-8"}) == "en"


@pytest.mark.parametrize("lang", ["de", "en"])
def test_every_event_has_words_and_they_use_its_fields(lang: str) -> None:
    assert set(EVENTS[lang]) == set(FIELDS)
    for name, text in EVENTS[lang].items():
        used = {field for _, field, _, _ in string.Formatter().parse(text) if field}
        assert used <= set(FIELDS[name]), name


@pytest.mark.parametrize("table", [PHRASES, REFUSALS])
def test_both_languages_have_the_same_texts(table: dict[str, dict[str, str]]) -> None:
    assert set(table["de"]) == set(table["en"])


def test_a_trick_names_titles_units_and_decimals() -> None:
    data = (FOLDER / "tr14-decimals.ndjson").read_bytes()
    data = data.replace(b'"key":"p"', '"key":"p","title":"Länge","unit":"m"'.encode())
    transcript = read_transcript(data, "test")
    lines = tell(transcript, recompute(transcript), "de")
    assert lines[2].endswith("Platz 1 sagt Länge an.")
    assert "mit Länge: Platz 1 19,25 m, Platz 2 19,26 m. Karten: A2 A1." in lines[3]
    assert lines[-1] == "Ergebnis: Karten 0:2, Topf 0."


def told(name: str, lang: str) -> str:
    transcript = read_transcript((FOLDER.parent / name).read_bytes(), name)
    return "\n".join(tell(transcript, recompute(transcript), lang))


def test_a_hattrick_round_names_who_takes_what() -> None:
    """HA-4: the highest card of each colour takes its trick."""
    text = told("hattrick/ha-4-a-single-card-is-a-trick.ndjson", "en")
    assert "takes" in text
    assert "suit" not in text


@pytest.mark.parametrize(("lang", "words"), [("en", "none is left"), ("de", "keine mehr da")])
def test_a_missing_table_card_and_the_end_have_words(lang: str, words: str) -> None:
    text = told("cafe_app/ca-4-no-table-card-left.ndjson", lang)
    assert words in text
    assert "no_table_card" not in text
    assert "None" not in text
