"""Who has won at home: counted, kept, and forgotten."""

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
MIA = {"name": "Mia", "matches": 4, "won": 3, "row": 1, "longest": 2}
OLE = {"name": "Ole", "matches": 3, "won": 1, "row": 1, "longest": 1}


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


def test_a_match_is_kept_once_and_practice_never(file: Path) -> None:
    def match(number: int, closed: bool, abandoned: bool = False) -> Any:
        world = SimpleNamespace(
            seats=2, name=["Mia", "Bot"].__getitem__,
            match=SimpleNamespace(result=lambda: [("over", True), ("ranking", [[0], [1]])]),
        )  # fmt: skip
        return SimpleNamespace(
            world=world, number=number, closed=closed, abandoned=abandoned,
            header={"game": "hattrick"}, seed=5,
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
        {"game": "hattrick", "deal": "8/5", "players": ["Mia"], "won": ["Mia"]}
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
