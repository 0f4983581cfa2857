"""`out` and `seeds` of a file: who left, and the tree as it was drawn."""

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from host_tools.core.errors import UserError, in_words
from host_tools.tournament import events as ev
from host_tools.tournament.ko import bracket_of, qualified
from host_tools.tournament.model import Result, read
from host_tools.tournament.standings import overall_table


def event(**more: object) -> bytes:
    """Three players in one group: a 4 points, b 2, c 0."""
    pairs = (("a", "b"), ("a", "c"), ("b", "c"))
    return json.dumps(
        {
            "format": "schiri-tournament/1",
            "players": [{"id": name} for name in "abc"],
            "groups": [{"id": "A", "players": list("abc")}],
            "results": [
                {"group": "A", "a": one, "b": other, "cards": [20, 12]} for one, other in pairs
            ],
            "ko_size": 2,
            **more,
        }
    ).encode()


def first_seeds(source: bytes) -> list[str]:
    """Who qualifies, by a file."""
    tournament = read(source, "x")
    return qualified(tournament, overall_table(tournament))


def test_who_is_out_does_not_qualify() -> None:
    assert first_seeds(event()) == ["a", "b"]
    assert first_seeds(event(out=["a"])) == ["b", "c"]


def test_the_tree_stays_as_it_was_drawn() -> None:
    bracket, _ = bracket_of(read(event(seeds=["c", "b"], out=["c"]), "x"))
    assert bracket.seeds == ["c", "b"]


def test_who_is_excluded_in_the_final_had_qualified() -> None:
    results = json.loads(event())["results"]
    results.append({"round": "final", "a": "a", "b": "b", "cards": [0, 12], "kind": "excluded"})
    bracket, strays = bracket_of(read(event(results=results), "x"))
    assert strays == []
    assert bracket.champion == "b"


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"out": ["x"]}, "out: player 'x' is not in the player list"),
        ({"seeds": ["x"]}, "seeds: player 'x' is not in the player list"),
        ({"seeds": ["a", "a"]}, "seeds: player 'a' is listed twice"),
    ],
)
def test_faults_name_their_place(more: dict[str, object], words: str) -> None:
    with pytest.raises(UserError, match=words):
        read(event(**more), "x")


def spoiled(value: object) -> Iterator[object]:
    """`value` with one place of it left out, or of another kind."""
    yield from (
        kind for kind in (None, [], {}, "x", 5, 0.5, True) if type(kind) is not type(value)
    )
    if isinstance(value, dict):
        for key, part in value.items():
            yield {name: other for name, other in value.items() if name != key}
            yield from ({**value, key: other} for other in spoiled(part))
    elif isinstance(value, list):
        for at, part in enumerate(value):
            yield from ([*value[:at], other, *value[at + 1 :]] for other in spoiled(part))


def test_json_that_is_not_as_it_should_be_is_told_in_german() -> None:
    genuine = event()
    sources = [json.dumps(one).encode() for one in spoiled(json.loads(genuine))]
    sources += [
        genuine[:place] + sign + genuine[place:] for place in range(80) for sign in (b",", b'"')
    ]
    sources += [genuine[:place] for place in range(80)] + [b"\xff" + genuine, genuine + b"]"]
    english = []
    for source in sources:
        try:
            read(source, "x")
        except UserError as error:
            if in_words(error.sentence, "de") == error.sentence:
                english.append(str(error))
    assert english == []


@pytest.mark.parametrize(
    ("source", "german"),
    [
        (event(players=[{"id": 5}]), "x: players[0].id: Erwartet ist str, da steht int"),
        (event(ko_size="2"), "x: ko_size: Erwartet ist int, da steht str"),
        (event(players=[{}]), "x: players[0]: Das Feld id fehlt"),
        (event()[:-1], "x: Das Ende fehlt"),
    ],
)
def test_the_place_is_named(source: bytes, german: str) -> None:
    with pytest.raises(UserError) as told:
        read(source, "x")
    assert in_words(told.value.sentence, "de") == german


def test_a_file_without_them_is_written_without_them() -> None:
    import msgspec

    assert b"seeds" not in msgspec.json.encode(read(event(), "x"))


# -- the same values give the same bytes ----------------------------------------------------------


def fresh(value: str) -> str:
    """An equal text that is another object, as a form or the command line brings it."""
    return "".join([*value])


def test_a_text_that_equals_its_default_is_left_out_wherever_it_came_from() -> None:
    result = Result(a="a", b="b", cards=(20, 12), kind=fresh("played"), group="A")
    assert msgspec.json.encode(result) == b'{"a":"a","b":"b","cards":[20,12],"group":"A"}'
    reported = ev.Reported(match="A-1", cards=(1, 2), kind=fresh("played"), source=fresh("paper"))
    assert msgspec.json.encode(reported) == b'{"is":"reported","match":"A-1","cards":[1,2]}'
    made = ev.Created(name="Cup", compare=fresh("raw"))
    assert msgspec.json.encode(made) == b'{"is":"created","name":"Cup"}'


def test_only_records_are_written_without_their_defaults() -> None:
    """msgspec compares defaults by identity; `Record` is the one place that knows."""
    root = Path(__file__).resolve().parents[3]
    found = [
        path.name
        for folder in ("host_tools", "card_tags", "firmware", "tools")
        for path in (root / folder).rglob("*.py")
        if "omit_defaults=True" in path.read_text(encoding="utf8")
    ]
    assert found == ["model.py"]
    assert (root / "host_tools/tournament/model.py").read_text().count("omit_defaults=True") == 1
