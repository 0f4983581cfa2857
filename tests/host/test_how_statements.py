"""Every statement of the pages on how a game is played, and of the guided first match, is shown by
a transcript or a test, for every variant and house rule under which people read it.
"""

import json
import re
import tomllib
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner
from pypdf import PdfReader

from firmware.games import names, open_match, row
from host_tools.cli import schiri
from host_tools.core.texts import LANGS
from host_tools.games import page_texts
from host_tools.games.box_words import box_words
from host_tools.games.options import in_force, in_force_by, options_of
from host_tools.replay.comparing import first_difference
from host_tools.replay.engines import recompute, resolve
from host_tools.replay.reading import Transcript, read_transcript
from host_tools.web.table.page_data import how_data

ROOT = Path(__file__).parents[2]
TRANSCRIPTS = ROOT / "tests/transcripts"

SHOWN_BY = tomllib.loads((Path(__file__).parent / "how_statements.toml").read_text("utf-8"))
TESTS = SHOWN_BY.pop("tests")


# -- which statements there are, and when they are read -------------------------------------------


def lines_of(game: str, lang: str) -> list[tuple[frozenset[frozenset[str]], str, str]]:
    """Marks, key and text of every line; each mark is the words of which one must be in force."""
    found = []
    for key, text in page_texts(lang).items():
        if key == f"how_{game}" or key.startswith(f"guide_{game}_"):
            for line in text.split("\n"):
                marks, bracket, said = line.rpartition("] ")
                words = marks.removeprefix("[").split() if bracket else []
                found.append((frozenset(frozenset(w.split(",")) for w in words), key, said))
    return found


def statements(text: str) -> list[str]:
    """The sentences of a line."""
    return re.split(r"(?<=[.!])(?<!K\.-o\.)(?<!K\.) (?=[^a-z0-9])", text)


def rules_of(game: str) -> list[list[str]]:
    """What can be in force: every preset, with every choice of every option that a text names."""
    named = {word for marks, _, _ in lines_of(game, "en") for mark in marks for word in mark}
    found = []
    for preset in row(game).presets:
        several = [
            [f"{option.name}={choice}" for choice in option.row.choices]
            for option in options_of(game, preset.name)
            if any(word.startswith(f"{option.name}=") for word in named)
        ]
        words = [preset.name] if preset.name else []
        found += [[*words, *chosen] for chosen in product(*several)]
    return found


def shown_for(game: str, rules: list[str], lang: str) -> dict[str, list[str]]:
    """Key -> its statements."""
    found: dict[str, list[str]] = {}
    for marks, key, line in lines_of(game, lang):
        if all(mark & {*rules} for mark in marks):
            found.setdefault(key, []).extend(statements(line))
    return found


@cache
def read(name: str) -> Transcript:
    return read_transcript((TRANSCRIPTS / f"{name}.ndjson").read_bytes(), name)


@cache
def holds(name: str, preset: str | None) -> bool:
    """Is what happens in a transcript the same with this preset?"""
    transcript = read(name)
    header = transcript.header.content
    if header.get("preset") == preset:
        return True
    if header["game"] != "trumpf" or (preset == "swiss" and header["seats"] != 2):
        return False  # other boards, other numbers of seats
    swapped = read_transcript((TRANSCRIPTS / f"{name}.ndjson").read_bytes(), name)
    swapped.header.content["preset"] = preset
    swapped.header.content.pop("options", None)
    if header.get("options") and preset != "swiss":
        swapped.header.content["options"] = header["options"]
    return first_difference(swapped, recompute(swapped)) is None


def is_shown(by: str, rules: list[str], marks: frozenset[frozenset[str]]) -> bool:
    """Does a transcript, or a test, show what is said with these marks, for these rules?"""
    if by in TESTS:
        return True
    name = by.split()[1]
    preset = next((word for word in rules if "=" not in word), None)
    meant = {word for mark in marks for word in mark if "=" in word}
    mine = {*in_force(read(name).header.content)}
    names_of = {word.split("=")[0] for word in meant}
    fitting = {word for word in rules if word.split("=")[0] in names_of and "=" in word}
    return holds(name, preset) and fitting <= mine


# -- the tests ------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", names())
def test_every_statement_is_shown_for_every_variant(game: str) -> None:
    table, bare = SHOWN_BY[game], []
    for rules in rules_of(game):
        for marks, key, line in lines_of(game, "en"):
            if all(mark & {*rules} for mark in marks):
                bare += [
                    f"{' '.join(rules)}: {key}: {said}"
                    for said in statements(line)
                    if not any(is_shown(by, rules, marks) for by in table.get(said, ()))
                ]
    assert sorted(set(bare)) == []
    said_somewhere = {said for _, _, line in lines_of(game, "en") for said in statements(line)}
    assert set(table) == said_somewhere


def test_what_shows_a_statement_is_there() -> None:
    for table in SHOWN_BY.values():
        for by in {by for several in table.values() for by in several}:
            if by in TESTS:
                path, _, test = TESTS[by].partition("::")
                assert not test or f"def {test}(" in (ROOT / path).read_text("utf-8"), by
                assert (ROOT / path).is_file(), by
            else:
                rule, name = by.split()
                assert rule in read(name).header.content["rules"], by


@pytest.mark.parametrize("game", names())
def test_german_says_as_many_statements_under_the_same_rules(game: str) -> None:
    for rules in rules_of(game):
        english, german = (shown_for(game, rules, lang) for lang in ("en", "de"))
        assert {key: len(said) for key, said in english.items()} == {
            key: len(said) for key, said in german.items()
        }, rules
    marks = {lang: [(m, key) for m, key, _ in lines_of(game, lang)] for lang in LANGS}
    assert marks["en"] == marks["de"]


def test_a_page_is_for_the_usual_rules_unless_it_is_asked_for_others() -> None:
    usual = how_data("cafe", "en")["in_force"]
    assert usual[0] == "board"
    assert {"drawing=leaflet", "mono_bonus=any_size"} <= {*usual}
    asked = how_data("cafe", "de", ["app", "between=both", "drawing=shrink", "nonsense"])
    assert asked["in_force"][0] == "app"
    assert "between=both" in asked["in_force"]
    assert not [word for word in asked["in_force"] if word.startswith(("drawing", "nonsense"))]
    header = {"game": "cafe", "preset": "app", "seats": 2, "options": {"mono": "same"}}
    assert {"app", "mono=same"} <= {*in_force(header)}
    assert in_force_by("hattrick", ["hands=3"])[0] == "hands=3"
    assert "hands=3" in in_force({"game": "hattrick", "seats": 4, "options": {"hands": 12}})


# -- what no transcript shows ---------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_the_swiss_box_says_how_it_is_found_out_who_begins(lang: str) -> None:
    scissors = {"de": "Schere", "en": "scissors"}[lang]
    assert scissors in box_words(lang, "trumpf").get("swiss_begins")


def test_what_the_bar_brings_and_costs() -> None:
    """Worked out from CB-9 and CA: the first five, the dearest, and nothing free."""
    dearest = {"board": -30, "app": -14}
    for preset, board in (("board", "cafe"), ("app", "cafe_app")):
        header = {"schiri": 1, "game": "cafe", "preset": preset, "seats": 2, "board": board}
        values = list(open_match(resolve(header)).rules.bar_values)  # type: ignore[attr-defined]
        assert values[:5] == [1, 2, 3, 4, 5]
        assert (max(values[5:]), min(values[5:])) == (-2, dearest[preset])


def test_between_how_many_tables_a_chair_stands() -> None:
    most = {"board": 2, "app": 3}
    for preset, board in (("board", "cafe"), ("app", "cafe_app")):
        header = {"schiri": 1, "game": "cafe", "preset": preset, "seats": 2, "board": board}
        tables = resolve(header)["board"]["tables"].values()
        chairs = [chair for table in tables for chair in table["chairs"]]
        assert {chairs.count(chair) for chair in chairs} == set(range(1, most[preset] + 1))


def test_a_card_names_the_others_of_its_letter() -> None:
    faces = how_data("quartett", "en")["sample"]["faces"]
    assert {code: json.dumps(face) for code, face in faces.items()}
    for code in ("A1", "B2"):
        told = json.dumps(faces[code], ensure_ascii=False)
        others = [f"{code[0]}{n}" for n in range(1, 5) if f"{code[0]}{n}" != code]
        assert all(other in told for other in others), told


@pytest.mark.parametrize("lang", LANGS)
def test_a_joker_says_what_it_doubles(lang: str, tmp_path: Path) -> None:
    path = tmp_path / "kneipe.pdf"
    done = CliRunner().invoke(schiri, ["cards", "deck", "kneipe", "-o", str(path), "--lang", lang])
    assert done.exit_code == 0, done.output
    text = " ".join(page.extract_text() for page in PdfReader(path).pages).replace("\n", " ")
    doubles = {"de": "verdoppelt Fassungsvermögen", "en": "doubles Capacity"}[lang]
    assert text.count(doubles) == 2  # J1 and J2
