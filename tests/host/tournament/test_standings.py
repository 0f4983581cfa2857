"""TO-2: hand-worked tables, and a second, naive way to rank that must agree."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host_tools.tournament.model import FORMAT, Entrant, Group, Result, Tournament
from host_tools.tournament.standings import (
    StandingsRow,
    group_table,
    joined,
    open_ties,
    overall_table,
    team_table,
)
from host_tools.tournament.wording import explain


def event(
    groups: dict[str, str],
    results: list[tuple[str, str, str, int, int]],
    lots: list[list[str]] | None = None,
) -> Tournament:
    """`groups`: id -> one letter a player; `results`: (group, a, b, cards of a, cards of b)."""
    return Tournament(
        format=FORMAT,
        players=[Entrant(id=player) for members in groups.values() for player in members],
        groups=[Group(group, list(members)) for group, members in groups.items()],
        results=[Result(group=g, a=a, b=b, cards=(n, m)) for g, a, b, n, m in results],
        lots=lots or [],
    )


def order(rows: list) -> str:
    return "".join(row.player for row in rows)


def reasons(rows: list) -> list[str | None]:
    return [row.decided_by for row in rows]


def test_points_then_difference_then_cards() -> None:
    # a: 2 wins. b: 1 win +8-10=-2. c: 1 win, -2 too but more cards? worked out below. d: 0
    rows = group_table(
        event(
            {"A": "abcd"},
            [
                ("A", "a", "b", 21, 11),  # a +10
                ("A", "a", "c", 20, 14),  # a +6
                ("A", "b", "d", 20, 12),  # b +8, so b: -10 + 8 = -2 with 31 cards
                ("A", "c", "d", 19, 15),  # c: -6 + 4 = -2 with 33 cards
            ],
        ),
        "A",
    )
    assert order(rows) == "acbd"
    assert [(row.points, row.difference, row.cards) for row in rows] == [
        (4, 16, 41),
        (2, -2, 33),
        (2, -2, 31),
        (0, -12, 27),
    ]
    assert reasons(rows) == ["points", "points", "cards", "points"]
    assert explain(rows[1], rows[2]) == "ahead by cards taken, 33 to 31"


def test_two_level_players_are_parted_by_their_own_match() -> None:
    rows = group_table(
        event(
            {"A": "abcd"},
            [
                ("A", "a", "b", 20, 12),
                ("A", "a", "c", 10, 22),
                ("A", "b", "d", 20, 12),
                ("A", "c", "d", 30, 2),
                ("A", "a", "d", 16, 16),
                ("A", "b", "c", 14, 14),
            ],
        ),
        "A",
    )
    # a: 2+0+1 = 3, +8 -12 = -4, 46 cards; b: 0+2+1 = 3, -8 +8 = 0; c: 2+2+1 = 5; d: 1
    assert order(rows) == "cbad"
    assert reasons(rows) == ["points", "points", "difference", "points"]


def test_direct_match_decides_when_all_numbers_are_level() -> None:
    rows = group_table(
        event(
            {"A": "abcd"},
            [
                ("A", "b", "a", 20, 12),  # b beats a
                ("A", "a", "c", 20, 12),
                ("A", "c", "b", 20, 12),
                ("A", "a", "d", 22, 10),
                ("A", "b", "d", 22, 10),
                ("A", "c", "d", 2, 30),
            ],
        ),
        "A",
    )
    # a and b: 4 points, +10, 54 cards each; b beat a. c: 2 points -28, d: 2 points +4
    assert order(rows) == "badc"
    assert reasons(rows)[:2] == ["direct", "direct"]
    assert explain(rows[0], rows[1]) == "ahead by direct match"


CIRCLE = [("A", "a", "b", 20, 12), ("A", "b", "c", 20, 12), ("A", "c", "a", 20, 12)]


def test_a_circle_of_three_waits_for_the_lot() -> None:
    rows = group_table(event({"A": "abc"}, CIRCLE), "A")
    assert [row.rank for row in rows] == [1, 1, 1]
    assert reasons(rows) == [None, None, None]
    assert open_ties(rows) == [["a", "b", "c"]]


def test_the_recorded_lot_orders_the_circle() -> None:
    rows = group_table(event({"A": "abc"}, CIRCLE, [["b", "c", "a"]]), "A")
    assert order(rows) == "bca"
    assert [row.rank for row in rows] == [1, 2, 3]
    assert reasons(rows) == ["lot", "lot", "lot"]


def test_three_level_players_with_one_who_beat_both() -> None:
    # All level in the numbers through d and e's matches is hard to reach; a mini-table needs only
    # equals:
    rows = group_table(
        event(
            {"A": "abc"},
            [("A", "a", "b", 16, 16), ("A", "b", "c", 16, 16), ("A", "a", "c", 16, 16)],
        ),
        "A",
    )
    assert [row.rank for row in rows] == [1, 1, 1]


def test_a_lot_across_groups_never_turns_a_direct_match_round() -> None:
    groups = {"A": "abx", "B": "cyz"}
    results = [
        ("A", "a", "b", 20, 12),
        ("A", "b", "x", 24, 8),
        ("A", "x", "a", 24, 8),
        ("B", "c", "y", 20, 12),
        ("B", "c", "z", 8, 24),
    ]
    # a: 2, +8-16=-8, 28. b: 2, -8+16=+8, 36. c: 2, +8-16=-8, 28. x: 2, -16+16=0, 32. a and c
    # level, unmet
    rows = overall_table(event(groups, results, [["c", "a"]]))
    assert order(rows)[:1] == "z"  # 2 points, +16
    level = [row for row in rows if (row.points, row.difference, row.cards) == (2, -8, 28)]
    assert order(level) == "ca"
    assert level[1].decided_by == "lot"


def test_unequal_groups_compared_per_match() -> None:
    groups = {"A": "abc", "B": "de"}
    results = [
        ("A", "a", "b", 17, 15),
        ("A", "a", "c", 16, 16),
        ("A", "b", "c", 17, 15),
        ("B", "d", "e", 20, 12),
    ]
    assert order(overall_table(event(groups, results)))[:2] == "ad"  # 3 points to 2
    assert order(overall_table(event(groups, results), "per-match"))[:2] == "da"  # 2 to 3/2


def test_a_match_declared_drawn_is_a_draw_whatever_the_cards() -> None:
    tournament = Tournament(
        format=FORMAT,
        players=[Entrant(id="a"), Entrant(id="b")],
        groups=[Group("A", ["a", "b"])],
        results=[Result(group="A", a="a", b="b", cards=(20, 12), kind="drawn")],
    )
    assert [row.points for row in group_table(tournament, "A")] == [1, 1]


# -- the second way: compare every pair of players, criterion by criterion, and sort by counting --


def naive_order(players: str, results: list[tuple[str, str, str, int, int]]) -> list[set[str]]:
    def numbers(player: str) -> tuple[int, int, int]:
        points = difference = cards = 0
        for _, a, b, n, m in results:
            if player in (a, b):
                mine, theirs = (n, m) if player == a else (m, n)
                points += 2 if mine > theirs else 1 if mine == theirs else 0
                difference += mine - theirs
                cards += mine
        return points, difference, cards

    def mini(player: str, among: set[str]) -> int:
        inside = [r for r in results if {r[1], r[2]} <= among and player in (r[1], r[2])]
        return sum(1 if n == m else 2 * ((n > m) == (player == a)) for _, a, _, n, m in inside)

    def refine(tied: set[str]) -> list[set[str]]:
        met = {frozenset((r[1], r[2])) for r in results}
        complete = all(frozenset(pair) in met for pair in itertools.combinations(tied, 2))
        scores = {player: mini(player, tied) for player in tied} if complete else {}
        if len(set(scores.values())) < 2:
            return [tied]
        steps = sorted(set(scores.values()), reverse=True)
        return [s for step in steps for s in refine({p for p in tied if scores[p] == step})]

    keys = sorted({numbers(player) for player in players}, reverse=True)
    return [s for key in keys for s in refine({p for p in players if numbers(p) == key})]


@st.composite
def full_groups(draw: st.DrawFn) -> tuple[str, list[tuple[str, str, str, int, int]]]:
    players = "abcdef"[: draw(st.integers(2, 6))]
    results = []
    for a, b in itertools.combinations(players, 2):
        if draw(st.integers(0, 9)):  # a few matches are not played yet
            cards = draw(st.sampled_from([(3, 1), (1, 3), (2, 2), (4, 0), (0, 4)]))
            results.append(("A", a, b, *cards))
    return players, results


@given(full_groups())
def test_agrees_with_the_naive_order(case: tuple[str, list]) -> None:
    players, results = case
    rows = group_table(event({"A": players}, results), "A")
    ours: dict[int, set[str]] = {}
    for row in rows:
        ours.setdefault(row.rank, set()).add(row.player)
    assert [ours[rank] for rank in sorted(ours)] == naive_order(players, results)


@given(full_groups(), st.permutations("abcdef"))
def test_a_lot_over_all_leaves_no_open_tie_and_keeps_the_rest(case: tuple, lot: list[str]) -> None:
    players, results = case
    drawn = [[player for player in lot if player in players]]
    rows = group_table(event({"A": players}, results, drawn), "A")
    assert not open_ties(rows)
    place = {row.player: row.rank for row in rows}
    earlier = 0
    for members in naive_order(players, results):
        assert {place[player] for player in members} == set(
            range(earlier + 1, earlier + len(members) + 1)
        )
        earlier += len(members)


# -- the lot: obeyed in every order, and only where direct matches say nothing --------------------


def circle(group: str, players: str) -> list[tuple[str, str, str, int, int]]:
    """Everybody beats the next ones and loses to those before, all by the same cards: level in
    everything. Of four, those opposite draw.
    """
    results = []
    for place, player in enumerate(players):
        for step in range(1, len(players) // 2 + 1):
            other = players[(place + step) % len(players)]
            if 2 * step < len(players):
                results.append((group, player, other, 20, 12))
            elif player < other:
                results.append((group, player, other, 16, 16))
    return results


@pytest.mark.parametrize("size", [3, 4, 5])
def test_a_circle_obeys_the_lot_in_every_order(size: int) -> None:
    players = "abcde"[:size]
    results = circle("A", players)
    assert len(results) == size * (size - 1) // 2
    assert open_ties(group_table(event({"A": players}, results), "A")) == [list(players)]
    for lot in itertools.permutations(players):
        drawn = event({"A": players}, results, [list(lot)])
        for rows in (group_table(drawn, "A"), overall_table(drawn)):
            assert order(rows) == "".join(lot)
            assert reasons(rows) == ["lot"] * size


def test_the_lot_lets_wait_whoever_lost_the_direct_match_in_their_group() -> None:
    # a and b of one group are level, a won against b; c of another group is level with both.
    level = [("A", "a", "b", 20, 12), ("A", "x", "a", 20, 12), ("A", "b", "x", 20, 12)]
    level += [("A", "a", "y", 20, 12), ("A", "b", "y", 20, 12), ("A", "x", "y", 12, 20)]
    # a: 2+0+2 = 4, +8, 52. b: 0+2+2 = 4, +8, 52. x: 2, y: 2 and -8. c like a and b:
    other = [("B", "c", "d", 20, 12), ("B", "c", "e", 20, 12), ("B", "c", "f", 12, 20)]
    other += [("B", "d", "e", 20, 12), ("B", "e", "f", 20, 12), ("B", "f", "d", 16, 16)]
    groups = {"A": "abxy", "B": "cdef"}
    places = {  # drawn -> a stays ahead of b, whatever is drawn; c stands where the lot puts it
        "abc": "abc",
        "acb": "acb",
        "bac": "abc",
        "bca": "cab",
        "cab": "cab",
        "cba": "cab",
    }
    for lot, expected in places.items():
        rows = overall_table(event(groups, level + other, [list(lot)]))
        assert "".join(row.player for row in rows if row.player in "abc") == expected, lot
    # the last one, c a b: a stands behind c by the lot, b behind a by their own match
    assert {row.player: row.decided_by for row in rows}["b"] == "direct"
    assert {row.player: row.decided_by for row in rows}["a"] == "lot"


def naive_with_lot(
    groups: dict[str, str], results: list[tuple[str, str, str, int, int]], lot: str
) -> str:
    """TO-2 by trying every order of a tied set: of those that no group's own mini-table forbids,
    the first one by the lot.
    """

    def numbers(player: str) -> tuple[int, int, int]:
        points = difference = cards = 0
        for _, a, b, n, m in results:
            if player in (a, b):
                mine, theirs = (n, m) if player == a else (m, n)
                points += 2 if mine > theirs else 1 if mine == theirs else 0
                difference += mine - theirs
                cards += mine
        return points, difference, cards

    def allowed(ranked: tuple[str, ...]) -> bool:
        """True if no member stands behind somebody with fewer points among themselves."""
        if len(ranked) < 2:
            return True
        inside = [r for r in results if {r[1], r[2]} <= set(ranked)]
        won = {
            player: sum(
                1 if n == m else 2 * ((n > m) == (player == a))
                for _, a, b, n, m in inside
                if player in (a, b)
            )
            for player in ranked
        }
        if any(won[one] < won[two] for one, two in itertools.pairwise(ranked)):
            return False
        if len(set(won.values())) == 1:
            return True
        return all(
            allowed(tuple(p for p in ranked if won[p] == points)) for points in set(won.values())
        )

    players = "".join(groups.values())
    found = ""
    for key in sorted({numbers(player) for player in players}, reverse=True):
        tied = [player for player in players if numbers(player) == key]
        orders = (
            tried
            for tried in itertools.permutations(tied)
            if all(allowed(tuple(p for p in tried if p in members)) for members in groups.values())
        )
        found += "".join(min(orders, key=lambda tried: [lot.index(p) for p in tried]))
    return found


@st.composite
def level_events(draw: st.DrawFn) -> tuple[dict[str, str], list[tuple[str, str, str, int, int]]]:
    """Two or three groups in which much is level: circles, draws, the same cards everywhere."""
    groups, left = {}, "abcdefghi"
    results: list[tuple[str, str, str, int, int]] = []
    for name in "ABC"[: draw(st.integers(1, 3))]:
        size = draw(st.integers(2, 5))
        groups[name], left = left[:size], left[size:]
        if len(groups[name]) > 2 and draw(st.booleans()):
            results += circle(name, groups[name])
            continue
        for a, b in itertools.combinations(groups[name], 2):
            cards = draw(st.sampled_from([(20, 12), (12, 20), (16, 16)]))
            results.append((name, a, b, *cards))
    return groups, results


@given(level_events(), st.permutations("abcdefghi"))
def test_a_lot_over_everything_agrees_with_trying_every_order(
    case: tuple[dict[str, str], list], lot: list[str]
) -> None:
    groups, results = case
    players = "".join(groups.values())
    drawn = [player for player in lot if player in players]
    rows = overall_table(event(groups, results, [drawn]))
    assert order(rows) == naive_with_lot(groups, results, "".join(drawn))
    assert not open_ties(rows)


@pytest.mark.parametrize("size", range(2, 9))
def test_berger_everybody_meets_everybody_once_and_rests_fairly(size: int) -> None:
    from host_tools.tournament.schedule import rounds

    plan = rounds(list(range(size)))
    pairs = [frozenset(pair) for stage in plan for pair in stage]
    assert sorted(map(sorted, pairs)) == sorted(
        list(pair) for pair in itertools.combinations(range(size), 2)
    )
    assert len(plan) == (size - 1 if size % 2 == 0 else size)
    for stage in plan:
        busy = [player for pair in stage for player in pair]
        assert len(busy) == len(set(busy))


def test_who_did_not_come_into_a_swiss_stands_behind_everybody_who_did() -> None:
    """c was better in the groups than b, who had the weaker group."""

    def rows(*players: str) -> list[StandingsRow]:
        return [StandingsRow(n, player, 0, 0, 0, 0, None) for n, player in enumerate(players, 1)]

    found = joined([rows("a", "b"), rows("a", "c", "b")])
    assert [(row.rank, row.player) for row in found] == [(1, "a"), (2, "b"), (4, "c")]


def test_clubs_are_teams_by_the_points_of_their_best() -> None:
    """a b are of Bern, c d of Chur, e of no club: a beats all, c beats b and d; a 6, c 4, b 2,
    d 0, +24 +8 -8 -24; with the best one only, Bern has 6 and Chur 4.
    """
    results = [("a", "b"), ("a", "c"), ("a", "d"), ("c", "b"), ("c", "d"), ("b", "d")]
    clubs = {"a": "Bern", "b": "Bern", "c": "Chur", "d": "Chur", "e": ""}
    file = Tournament(
        format=FORMAT,
        players=[Entrant(id=who, club=club) for who, club in clubs.items()],
        groups=[Group("A", list("abcde"))],
        results=[Result(a=a, b=b, cards=(20, 12), group="A") for a, b in results],
    )

    def rows(best: int) -> list[tuple[int, str, int, int, str]]:
        found = team_table(file, best)
        return [(r.rank, r.team, r.points, r.difference, "".join(r.counted)) for r in found]

    assert rows(0) == [(1, "Bern", 8, 16, "ab"), (2, "Chur", 4, -16, "cd")]
    assert rows(1) == [(1, "Bern", 6, 24, "a"), (2, "Chur", 4, 8, "c")]
