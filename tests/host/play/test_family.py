"""The match history: counted, kept, and forgotten."""

import json
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from host_tools.cli import schiri
from host_tools.core import places
from host_tools.sim.table.family import Evening, Family

MATCHES: list[tuple[list[str], list[str]]] = [
    (["Mia", "Ole"], ["Mia"]),
    (["Mia", "Ole"], ["Mia"]),
    (["Mia"], []),  # a bot has won
    (["Mia", "Ole"], ["Mia", "Ole"]),
]
# counted by hand from the four matches
MIA = {"name": "Mia", "matches": 4, "won": 3, "row": 1, "longest": 2, "calls": "", "best": {}}
OLE = {"name": "Ole", "matches": 3, "won": 1, "row": 1, "longest": 1, "calls": "", "best": {}}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "new" / "family.jsonl"


def test_wins_and_wins_in_a_row(file: Path) -> None:
    family = Family(file)
    for people, won in MATCHES:
        family.keep(people, won, "trumpf")
    family.keep([], [], "trumpf")  # bots alone
    with file.open("a", encoding="utf-8") as torn:
        torn.write('{"players": ["Mi')
    for kept in (family, Family(file)):
        assert kept.of() == [MIA, OLE]
        assert kept.of(["Ole", "Ida"]) == [OLE]
    assert len(file.read_text("utf-8").splitlines()) == 4 + 1
    family.forget()
    assert (family.of(), file.exists(), Family(file).of()) == ([], False, [])


def test_favourite_category_and_best_results(file: Path) -> None:
    """From the third match on; lines of an earlier version have neither."""
    family = Family(file)
    family.keep(["Mia"], [], "hattrick", {"Mia": -9, "Bot": 40}, {"Bot": {"Snow": 9}})
    family.keep(["Mia"], [], "hattrick", {"Mia": -12}, {"Mia": {"Snow": 2, "Height": 3}})
    assert family.of() == []
    with file.open("a", encoding="utf-8") as old:
        old.write('{"game": "trumpf", "players": ["Mia"], "won": ["Mia"]}\n')
        old.write('{"game": "trumpf", "players": ["Mia"], "won": [], "scores": {"Mia": "x"}}\n')
    family = Family(file)
    family.keep(["Mia"], [], "trumpf", {"Mia": 11}, {"Mia": {"Snow": 2}})
    # Snow 2 + 2, Height 3; the line with a score that is no number is somebody's own
    (mia,) = family.of()
    assert (mia["matches"], mia["calls"]) == (4, "Snow")
    assert mia["best"] == {"hattrick": -9, "trumpf": 11}
    assert "Bot" not in file.read_text("utf-8")


def test_a_match_is_kept_once_and_practice_never(file: Path) -> None:
    def match(number: int, closed: bool, abandoned: bool = False) -> Any:
        world = SimpleNamespace(
            seats=2, name=["Mia", "Bot"].__getitem__,
            match=SimpleNamespace(result=lambda: [("over", True), ("ranking", [[0], [1]])]),
            scores=lambda: [12, 7],
        )  # fmt: skip
        return SimpleNamespace(
            world=world, number=number, closed=closed, abandoned=abandoned,
            header={"game": "hattrick"}, seed=5, called=lambda: {"Mia": {"Snow": 1}},
        )  # fmt: skip

    evening = Evening(Family(file))
    follow = partial(evening.follow, players=["Mia"])
    follow(match(7, closed=True))  # had ended before this table was opened
    assert not file.exists()
    for _ in range(2):
        follow(match(8, closed=False))
    for _ in range(2):
        follow(match(8, closed=True))
    assert [json.loads(line) for line in file.read_text("utf-8").splitlines()] == [
        {
            "game": "hattrick",
            "deal": "8/5",
            "players": ["Mia"],
            "won": ["Mia"],
            "scores": {"Mia": 12},
            "called": {"Mia": {"Snow": 1}},
        }
    ]
    # the server ended before it had noted that this was told
    Evening(Family(file), coming=8).follow(match(8, closed=True), ["Mia"])
    follow(match(9, closed=False))
    follow(match(9, closed=True, abandoned=True))
    follow(match(10, closed=False))
    evening.practised = True
    follow(match(10, closed=True))
    assert len(file.read_text("utf-8").splitlines()) == 1


def test_the_command_says_where_and_forgets() -> None:
    Family(places.family()).keep(["Mia"], ["Mia"], "trumpf")
    rows = json.loads(CliRunner().invoke(schiri, ["doctor", "--json"]).stdout)["places"]
    mine = next(row for row in rows if row["place"] == "family")
    assert (mine["path"], mine["holds"]) == (str(places.family()), {"entries": 1})
    told = CliRunner().invoke(schiri, ["play", "--forget", "--lang", "en"])
    assert told.stdout == (
        "What everybody has won here is deleted, and every evening that was kept.\n"
    )
    assert not places.family().exists()
    assert CliRunner().invoke(schiri, ["play", "--forget"]).exit_code == 0  # nothing is there
