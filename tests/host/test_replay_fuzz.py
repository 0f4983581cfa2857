"""Damaged transcripts: answers or one clear sentence, never another exception."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host_tools.core.errors import UserError
from host_tools.replay.comparing import first_difference
from host_tools.replay.engines import recompute
from host_tools.replay.reading import read_transcript
from host_tools.replay.wording import tell

FOLDER = Path(__file__).parents[1] / "transcripts"
FILES = sorted(FOLDER.rglob("*.ndjson"))

ODD = st.one_of(
    st.sampled_from(
        [None, True, False, -1, 0, 1, 2**70, 1.5, "", "A1", "J1", "v", "JKf1", [], {}]
    ),
    st.text(max_size=3),
    st.recursive(st.integers(-2, 3), lambda inner: st.lists(inner, max_size=3), max_leaves=4),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to everything inside a JSON value."""
    items: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    found = [(*path, key) for key, _ in items]
    for key, item in items:
        found += places(item, (*path, key))
    return found


def replay_all(data: bytes) -> None:
    """Everything that `schiri replay` does with a file; only a UserError may stop it."""
    told = ""
    try:
        transcript = read_transcript(data, "fuzz")
        lines = recompute(transcript)
        tell(transcript, lines, "de")
        first_difference(transcript, lines)
    except UserError as error:
        told = str(error)
    assert "\n" not in told


@pytest.mark.parametrize("part", range(4))
@settings(max_examples=120)
@given(data=st.data())
def test_one_wrong_value(part: int, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(FILES[part::4]))
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    number = data.draw(st.one_of(st.just(0), st.integers(0, len(lines) - 1)))
    place = data.draw(st.sampled_from(places(lines[number])))
    inner = lines[number]
    for key in place[:-1]:
        inner = inner[key]
    if data.draw(st.booleans()):
        inner[place[-1]] = data.draw(ODD)
    elif isinstance(inner, dict):
        del inner[place[-1]]
    else:
        inner.pop(place[-1])
    replay_all("".join(json.dumps(line) + "\n" for line in lines).encode())


@settings(max_examples=150)
@given(path=st.sampled_from(FILES), data=st.data())
def test_bytes_cut_or_changed(path: Path, data: st.DataObject) -> None:
    content = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    if data.draw(st.booleans()):
        del content[place:]
    else:
        content[place] = data.draw(st.integers(0, 255))
    replay_all(bytes(content))
