"""Groups, plan, player lists: TO-1."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host_tools.core.errors import UserError
from host_tools.tournament.actions.entrants import SEEDS
from host_tools.tournament.draw import draw_groups, group_names
from host_tools.tournament.fields import MOST
from host_tools.tournament.ko import KoMatch, Side
from host_tools.tournament.model import Entrant, Group
from host_tools.tournament.players_csv import parse_players, read_players
from host_tools.tournament.schedule import estimate, plan


def seeded(count: int) -> list[Entrant]:
    return [Entrant(id=f"p{n}", seed=n) for n in range(1, count + 1)]


def test_snake_of_eight_in_two_groups() -> None:
    groups = draw_groups(seeded(8), 4, random_seed=1)
    assert [group.players for group in groups] == [
        ["p1", "p4", "p5", "p8"],
        ["p2", "p3", "p6", "p7"],
    ]


def test_sizes_differ_by_one_at_most() -> None:
    groups = draw_groups(seeded(10), 4, random_seed=1)
    assert sorted(len(group.players) for group in groups) == [3, 3, 4]


def test_club_mates_are_parted_when_that_is_possible() -> None:
    players = [Entrant(id=f"p{n}", seed=n, club="x" if n in (1, 4) else "") for n in range(1, 9)]
    first = draw_groups(players, 4, random_seed=1)[0].players
    assert not {"p1", "p4"} <= set(first)
    assert first == ["p1", "p3", "p5", "p8"]  # 3 and 4 stood in the same row and changed places


def test_the_stored_seed_gives_the_same_draw_and_another_one_another() -> None:
    players = [Entrant(id=f"p{n:02}") for n in range(24)]
    assert draw_groups(players, 4, 7) == draw_groups(list(reversed(players)), 4, 7)
    assert draw_groups(players, 4, 7) != draw_groups(players, 4, 8)


def test_group_names_go_on_after_z() -> None:
    assert group_names(28)[-3:] == ["Z", "AA", "AB"]


@given(st.integers(2, 40), st.integers(2, 7), st.integers(0, 99), st.integers(1, 5))
def test_everybody_is_drawn_once(count, size, chance, clubs) -> None:
    players = [Entrant(id=f"p{n:02}", club=str(n % clubs)) for n in range(count)]
    groups = draw_groups(players, size, chance)
    drawn = [player for group in groups for player in group.players]
    assert sorted(drawn) == sorted(player.id for player in players)
    sizes = [len(group.players) for group in groups]
    assert max(sizes) <= size
    assert max(sizes) - min(sizes) <= 1


@given(st.lists(st.integers(2, 6), min_size=1, max_size=6), st.integers(1, 8))
def test_the_plan_holds_every_match_once_and_nobody_twice_in_a_slot(sizes, tables) -> None:
    names = "ABCDEF"[: len(sizes)]
    groups = [Group(n, [f"{n}{i}" for i in range(s)]) for n, s in zip(names, sizes, strict=True)]
    planned = plan(groups, tables, ["x", "y"])
    assert len(planned) == sum(size * (size - 1) // 2 for size in sizes)
    assert len({match.match for match in planned}) == len(planned)
    slots: dict[int, list[str]] = {}
    for match in planned:
        slots.setdefault(match.slot, []).extend((match.a, match.b))
        assert 1 <= match.table <= tables
    for players in slots.values():
        assert len(players) == len(set(players))
    tables_used = [(match.slot, match.table) for match in planned]
    assert len(set(tables_used)) == len(tables_used)


def test_estimate_of_a_hundred_and_twenty_eight() -> None:
    # 32 groups of four: 192 matches on 16 tables fill 12 slots of 13 minutes = 156.
    # Knock-out of 64: rounds of 32, 16, 8, 4, 2 matches need 2+1+1+1+1 = 6 times 16 minutes = 96,
    # then third place 16 and the final 26: 138.
    groups = draw_groups([Entrant(id=f"p{n:03}") for n in range(128)], 4, 1)
    result = estimate(plan(groups, 16, []), 64, 16)
    assert result.group_slots == 12
    assert (result.group_minutes, result.ko_minutes) == (156, 138)


def test_ids_of_knock_out_matches() -> None:
    places = (("1/16", 3), ("final", 1), ("third", 1))
    assert [KoMatch(*at, Side(), Side()).id for at in places] == ["K16-3", "KF", "K3"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_player_lists_as_spreadsheets_save_them(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "players.csv"
    path.write_bytes("Name;Verein;Setzplatz\nJürg Müller;Zürich;1\nRené;;\n".encode(encoding))
    players = read_players(path)
    assert [(p.name, p.club, p.seed) for p in players] == [
        ("Jürg Müller", "Zürich", 1),
        ("René", "", None),
    ]


def test_every_fault_with_its_line() -> None:
    text = "name,club,seed\nAnna,x,1\n,x,\nanna,X,1\nBert,,zero\n"
    with pytest.raises(UserError) as caught:
        parse_players(text.encode(), "list.csv")
    assert str(caught.value).splitlines() == [
        "list.csv, line 3, name: is missing",
        "list.csv, line 4, name: 'anna' of the same club stands in line 2 already",
        "list.csv, line 4, seed: 1 is given in line 2 already",
        "list.csv, line 5, seed: 'zero' is no number from 1",
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("", "is empty"), ("first;last\nA;B\n", "no column 'name'")],
)
def test_a_list_without_names_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        parse_players(text.encode(), "list.csv")


def test_a_workbook_is_no_text_file(tmp_path: Path) -> None:
    path = tmp_path / "players.xlsx"
    path.write_bytes(b"PK\3\4\0\0")
    with pytest.raises(UserError, match="is no text file; save it as CSV"):
        read_players(path)


def test_two_thousand_players_are_drawn_without_counting_every_group_anew() -> None:
    """27 s before. Counted, not timed: club names are compared a few times a swap, not for every
    member of a group.
    """
    compared = 0

    class Club(str):
        __slots__ = ()

        def __eq__(self, other: object) -> bool:
            nonlocal compared
            compared += 1
            return str.__eq__(self, other)  # type: ignore[arg-type]

        __hash__ = str.__hash__

    players = [Entrant(id=f"p{n:04}", name=f"N{n}", club=Club(f"c{n % 40}")) for n in range(2000)]
    groups = draw_groups(players, 41, 1)
    assert len(groups) == 49
    pairs = 48 * 49 * 49 // 2  # rows after the first, and pairs of groups in each
    assert compared < 20 * pairs


def test_every_seed_that_may_be_drawn_can_be_typed_again() -> None:
    """`tournament draw --seed`: half of them had a digit more than the field takes."""
    assert SEEDS - 1 <= MOST
