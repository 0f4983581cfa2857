"""A match that stands where another one was, by what `Match.numbers` and `parts` say: for every
transcript, after every command, with the rest of its commands and an undo of all there is.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.games import open_match
from firmware.rules.answers import write_answer, write_json, write_result
from host_tools.games import game_of
from tests.chip import matches
from tests.rules.small_matches import swiss_header
from tests.sampling import Sample

TRANSCRIPTS = sorted((Path(__file__).parents[1] / "transcripts").rglob("*.ndjson"))
MOST_UNDONE = 400

Line = dict[str, Any]


def told_by(match: Any) -> tuple[str, list[bytes]]:
    """All that a checkpoint has of it."""
    numbers = match.numbers()
    assert numbers is not None, "a game that is built in says what changes"
    return write_json(numbers), [bytes(part) for part in match.parts()]


def stands_at(header: Line, told: tuple[str, list[bytes]]) -> Any:
    match = open_match(game_of(header).resolved(header))
    match.load(json.loads(told[0]), [bytearray(part) for part in told[1]])
    return match


def commands_of(lines: list[Line]) -> Iterator[Line]:
    return (line for line in lines if "do" in line)


def to_the_end(match: Any, commands: list[Line]) -> list[str]:
    """The answers to the rest, the result, and the answers to undos until nothing is left."""
    said = [write_answer(match.apply(dict(command))) for command in commands]
    said.append(write_result(match.result()))
    for _ in range(MOST_UNDONE):
        answer = match.apply({"t": match.t_ms, "do": "undo"})
        said.append(write_answer(answer))
        if answer.refusal is not None:
            break
    said.append(write_result(match.result()))
    return said


def check(header: Line, commands: list[Line], sampled: Sample) -> None:
    """Stand at each point by a checkpoint, and go on to the end."""
    match = open_match(game_of(header).resolved(header))
    told = [told_by(match)]
    for command in commands:
        match.apply(dict(command))
        told.append(told_by(match))
    said = to_the_end(match, [])
    end = told_by(match)
    for at in sampled(range(len(commands) + 1)):
        other = stands_at(header, told[at])
        assert told_by(other) == told[at]
        for command, expected in zip(commands[at:], told[at + 1 :], strict=True):
            other.apply(dict(command))
            assert told_by(other) == expected
        assert to_the_end(other, []) == said
        assert told_by(other) == end


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_every_transcript_goes_on_from_every_command(path: Path, sampled: Sample) -> None:
    lines = [json.loads(line) for line in path.read_text("utf8").splitlines()]
    check(lines[0], list(commands_of(lines[1:])), sampled)


def test_values_that_came_with_taps_go_again_with_their_undo() -> None:
    header = swiss_header([None, None, 4, 5])
    commands = [
        {"t": 0, "do": "begin", "seat": 0},
        {"t": 1, "do": "tap", "card": "A1", "values": [7]},
        {"t": 2, "do": "call", "category": "v"},
        {"t": 3, "do": "tap", "card": "A2", "values": [9]},
    ]
    check(header, commands, list)


@pytest.mark.parametrize("game", ["swiss", "cafe", "hattrick"])
def test_a_long_match_goes_on_from_its_middle(game: str, tmp_path: Path) -> None:
    from host_tools.sim.table.box_setup import set_up

    set_up(tmp_path, "de", "Chip")
    header = matches.header_of(game)
    told = matches.commands_of(game, tmp_path)[:-1]
    commands = [json.loads(command) for command, _ in told]
    middle = len(commands) // 2
    whole: Line = dict(header)
    if "deck" in header:
        from host_tools.cards.decks import load_deck

        whole["deck"] = load_deck(header["deck"])
    match = open_match(game_of(whole).resolved(whole))
    for command in commands[:middle]:
        match.apply(dict(command))
    other = stands_at(whole, told_by(match))
    assert to_the_end(match, commands[middle:]) == to_the_end(other, commands[middle:])
    assert told_by(match) == told_by(other)


def test_another_match_is_refused() -> None:
    match = open_match(game_of(swiss_header([1, 2])).resolved(swiss_header([1, 2])))
    with pytest.raises(ValueError, match="not the cells"):
        stands_at(swiss_header([1, 2, 3, 4]), told_by(match))
