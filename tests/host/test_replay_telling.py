"""The words of a human-readable replay."""

import string
from pathlib import Path
from typing import Any

import pytest

from firmware.rules.match import ALL_COMMANDS
from host_tools.core.texts import default_language
from host_tools.replay.comparing import event_fields
from host_tools.replay.engines import recompute
from host_tools.replay.reading import read_transcript
from host_tools.replay.wording import COMMANDS, EVENTS, Teller, decimal, duration, tell

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
    assert set(EVENTS[lang]) == set(event_fields())
    for name, text in EVENTS[lang].items():
        used = {field for _, field, _, _ in string.Formatter().parse(text) if field}
        assert used <= set(event_fields()[name]), name


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


HEADER = {
    "names": ["Ida", "Jan"],
    "deck": {"categories": [{"key": "ps", "title": "Leistung"}, {"key": "kg"}]},
}
REFUSED = [
    ({"do": "call", "category": 7}, "Call of 7", "Ansage 7"),
    (
        {"do": "ask", "seat": 0, "card": "A1"},
        "Question to Ida for A1",
        "Frage an Ida nach A1",
    ),
    ({"do": "place", "tile": "FRf1", "chair": ""}, "Guest FRf1", "Gast FRf1"),
    ({"do": "penalty", "seat": 8}, "Penalty for Seat 9", "Strafe für Platz 9"),
    ({"do": "decide", "seat": None}, "Jury's decision", "Jury-Entscheid"),
    # a command of another game: its fields are not checked
    ({"do": "lay", "seat": "x", "cards": [1, {}]}, "Quartet", "Quartett"),
    ({"do": "call", "category": ["ps"]}, "Call", "Ansage"),
    ({"do": "ask", "seat": True, "card": 3}, "Question", "Frage"),
]


@pytest.mark.parametrize("lang", ["de", "en"])
def test_every_command_has_words(lang: str) -> None:
    named = {key: words for key, words in COMMANDS[lang].items() if "." not in key}
    assert set(named) == set(ALL_COMMANDS)
    assert not set(named.values()) & set(ALL_COMMANDS)
    for key in set(COMMANDS[lang]) - set(named):
        assert COMMANDS[lang][key].count("{}") == 1


@pytest.mark.parametrize(("command", "english", "german"), REFUSED)
def test_a_refused_command_is_told_in_words(
    command: dict[str, Any], english: str, german: str
) -> None:
    refused = {"refused": {"reason": "not_now", "rule": ""}}
    assert Teller(HEADER, "en").sentence(command, refused) == english + " refused: not now"
    assert Teller(HEADER, "de").sentence(command, refused) == german + " abgelehnt: jetzt nicht"


def test_a_command_that_changes_nothing_to_see_is_told_too() -> None:
    assert Teller(HEADER, "en").sentence({"do": "pause"}, {}) == "Stopping the clock."
    assert Teller(HEADER, "de").sentence({"do": "tap", "card": "J1"}, {}) == "Karte J1."


@pytest.mark.parametrize("lang", ["de", "en"])
def test_no_transcript_is_told_with_names_of_commands(lang: str) -> None:
    for path in sorted(FOLDER.parent.glob("*/*.ndjson")):
        transcript = read_transcript(path.read_bytes(), path.name)
        teller = Teller({}, lang)
        for step in transcript.steps:
            answer = step.answer.content if step.answer else {}
            if "refused" in answer:
                told = teller.sentence(step.command.content, {"refused": answer["refused"]})
                assert told.split()[0] not in ALL_COMMANDS, f"{path.name}: {told}"
