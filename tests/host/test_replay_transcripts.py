"""Every hand-worked transcript agrees with the rules; both interpreters write the same bytes."""

import json
import re
from pathlib import Path

import pytest

from host_tools.replay.comparing import first_difference
from host_tools.replay.engines import recompute, replay_in_vm, resolve
from host_tools.replay.reading import Transcript, read_transcript
from host_tools.replay.wording import tell

FOLDER = Path(__file__).parents[1] / "transcripts"
FILES = sorted(FOLDER.rglob("*.ndjson"))


def read(path: Path) -> Transcript:
    return read_transcript(path.read_bytes(), str(path.relative_to(FOLDER)))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_answers_in_the_file_are_what_the_rules_say(path: Path) -> None:
    transcript = read(path)
    assert transcript.result, "a hand-worked transcript holds all its answers"
    assert first_difference(transcript, recompute(transcript)) is None


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_rule_ids_of_refusals_are_those_of_the_file(path: Path) -> None:
    transcript = read(path)
    told = [json.loads(line) for line in recompute(transcript)]
    for step, answer in zip(transcript.steps, told, strict=False):
        assert step.answer is not None
        given = step.answer.content.get("refused", {}).get("rule")
        if given is not None:
            assert answer["refused"]["rule"] == given, step.command.number


@pytest.mark.vm
def test_micropython_writes_the_same_bytes() -> None:
    transcripts = [read(path) for path in FILES]
    matches = [
        [resolve(t.header.content), *(step.command.content for step in t.steps)]
        for t in transcripts
    ]
    for transcript, lines in zip(transcripts, replay_in_vm(matches), strict=True):
        assert lines[1:] == recompute(transcript), transcript.name


@pytest.mark.parametrize("lang", ["de", "en"])
def test_every_transcript_can_be_told(lang: str) -> None:
    for path in FILES:
        transcript = read(path)
        lines = tell(transcript, recompute(transcript), lang)
        first = lines[0].startswith(("House rules: ", "Hausregeln: "))
        header = transcript.header.content
        named = {"options", "clock_ms", "turn_ms"} & header.keys()
        told = named and header.get("preset") != "swiss"  # which has a clock of its own
        # a café without options is played as it was before the leaflet's words were usual
        assert first == bool(told or header["game"] == "cafe"), path
        assert len(lines) == first + len(transcript.steps) + 1
        assert not re.search(r"[{}]", "".join(lines)), path


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("trumpf/tr07-only-the-tied", "Nur wer gleichauf lag, spielt um den Topf weiter."),
        ("hattrick/ha-8-two-hands", "Anzahl Spiele 2. Zielpunkte 36."),  # no choice of the menu
    ],
)
def test_house_rules_are_told_first(name: str, said: str) -> None:
    transcript = read(FOLDER / f"{name}.ndjson")
    assert tell(transcript, recompute(transcript), "de")[0] == f"Hausregeln: {said}"
