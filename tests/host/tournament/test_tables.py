"""Tables of several players: who sits where, what a place is worth, results by hand and by box."""

import random
import time
from collections import Counter
from datetime import datetime
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from host_tools.core.errors import UserError
from host_tools.print.certificates import places as certificates
from host_tools.sim.tournament.simulated_boxes import SimulatedBox
from host_tools.tournament import events as ev
from host_tools.tournament import tables
from host_tools.tournament.actions import boxes, corrections, entrants, matches, rounds
from host_tools.tournament.boxes import assignment, wanted
from host_tools.tournament.collecting import Collector
from host_tools.tournament.export import FORMATS
from host_tools.tournament.feed import Feed, written
from host_tools.tournament.importing import take_over
from host_tools.tournament.incoming import as_report, find_match
from host_tools.tournament.model import Entrant, Tournament, read
from host_tools.tournament.ratings import ratings
from host_tools.tournament.service import TournamentService, command
from host_tools.tournament.standings import overall_table, place_points
from host_tools.tournament.state import MatchState
from host_tools.tournament.verifying import verify
from tests.host.tournament.hall import MemoryHall
from tests.host.tournament.test_swiss import hall_of

MORNING = datetime.fromisoformat("2026-03-07T10:00:30+00:00")


def tables_of(names: str, seats: int = 4, rounds_: int = 5) -> MemoryHall:
    return hall_of(*names, mode="tables", seats=seats, rounds_=rounds_)


def seated(hall: MemoryHall) -> list[str]:
    return ["".join(table) for table in hall.state.rounds[-1].tables]


def play(hall: MemoryHall, rank: dict[str, int] | None = None) -> None:
    """Every open table: the first of the alphabet wins, or as `rank` says."""
    for match in list(hall.state.matches.values()):
        if not match.counts:
            order = sorted(match.players, key=lambda p: rank[p] if rank else ord(p))
            places = [order.index(player) + 1 for player in match.players]
            hall.do(matches.enter_places, match.id, places)


# -- by hand --------------------------------------------------------------------------------------


def test_the_first_round_is_a_snake_and_in_the_next_one_nobody_meets_again() -> None:
    """a … i are seeded in this order: a d | b e … would not be a snake; a f g, b e h, c d i is. No
    two of a table may meet again in round 2, which nine players can do (Kirkman's squares).
    """
    hall = tables_of("abcdefghi", seats=3)
    hall.do(rounds.pair_round)
    assert seated(hall) == ["afg", "beh", "cdi"]
    play(hall)
    hall.do(rounds.pair_round)
    met = {frozenset(pair) for table in ("afg", "beh", "cdi") for pair in combinations(table, 2)}
    for table in seated(hall):
        assert met.isdisjoint(map(frozenset, combinations(table, 2)))
    assert "a" in seated(hall)[0]  # the best has the first table


@pytest.mark.parametrize(
    ("places", "seats", "points"),
    [
        ([1, 2, 3, 4], 4, [12, 8, 4, 0]),
        ([2, 1, 3], 4, [6, 12, 0]),  # a table of three beside tables of four
        ([1, 1, 3, 4], 4, [10, 10, 4, 0]),  # (12 + 8) / 2
        ([1, 2, 2, 2], 4, [12, 4, 4, 4]),  # (8 + 4 + 0) / 3
        ([1, 1, 1, 1], 4, [6, 6, 6, 6]),
        ([2, 0, 1, 3], 4, [6, 0, 12, 0]),  # one did not come: the others are a table of three
        ([1, 0, 0, 0], 4, [12, 0, 0, 0]),
        ([1, 2, 3], 3, [4, 2, 0]),
        ([1, 2, 3, 4, 5], 5, [24, 18, 12, 6, 0]),
    ],
)
def test_points_by_place(places: list[int], seats: int, points: list[int]) -> None:
    assert place_points(places, seats) == points


@pytest.mark.parametrize(
    ("places", "points"),
    [
        ([3, 1, 2, 4], [2, 5, 3, 1]),
        ([2, 1, 3], [3, 5, 2]),  # a smaller table lacks the last places
        ([1, 1, 3, 4], [4, 4, 2, 1]),  # (5 + 3) / 2
        ([1, 2, 2, 4], [5, 2, 2, 1]),  # (3 + 2) / 2, rounded down
        ([2, 0, 1, 0], [3, 0, 5, 0]),  # who did not come has nothing
        ([1, 2], [5, 3]),
    ],
)
def test_points_by_place_as_somebody_chose_them(places: list[int], points: list[int]) -> None:
    assert place_points(places, 4, [5, 3, 2, 1]) == points


def test_chosen_points_order_the_players_and_their_clubs() -> None:
    """By 12 8 4 0 two second places (16) beat a first and a third (16, but one first): not so by
    5 3 2 1, 6 to 7; and with 9 1 0 0 only who wins counts: a 9, c 9, b 2, d 0. Clubs: X has a, d.
    """
    hall = tables_of("abcd", rounds_=2)
    for at in ({"a": 1, "b": 2, "c": 3, "d": 4}, {"c": 1, "b": 2, "a": 3, "d": 4}):
        hall.do(rounds.pair_round)
        match = list(hall.state.matches.values())[-1]
        hall.do(matches.enter_places, match.id, [at[player] for player in match.players])

    def points() -> dict[str, int]:
        return {row.player: row.points for row in hall.state.overall_rows()}

    assert points() == {"a": 16, "b": 16, "c": 16, "d": 0}
    hall.do(entrants.change, ev.Changed(points=[5, 3, 2, 1]))
    assert points() == {"a": 7, "b": 6, "c": 7, "d": 2}
    for player, club in (("a", "X"), ("d", "X"), ("b", "Y")):
        hall.do(entrants.edit_player, player, club=club)
    assert [(row.team, row.points) for row in hall.state.team_rows()] == [("X", 9), ("Y", 6)]
    hall.do(entrants.change, ev.Changed(points=[9, 1, 0, 0]))
    assert points() == {"a": 9, "b": 2, "c": 9, "d": 0}
    hall.do(entrants.change, ev.Changed(points=[]))
    assert points() == {"a": 16, "b": 16, "c": 16, "d": 0}


@pytest.mark.parametrize("wrong", [[5, 3, 2], [1, 2, 3, 4], [0, 0, 0, 0], [1000, 3, 2, 1]])
def test_points_that_do_not_fit_are_refused(wrong: list[int]) -> None:
    with pytest.raises(UserError, match="4 whole numbers"):
        entrants.check_setup(ev.Created(name="x", mode="tables", points=wrong))
    written = msgspec.json.encode(tables_of("abcd").state.as_tournament())
    with pytest.raises(UserError, match="4 whole numbers"):
        read(written.replace(b'"mode"', b'"points":%s,"mode"' % msgspec.json.encode(wrong)), "it")


def test_the_standings_of_an_evening_worked_out_by_hand() -> None:
    """Four players, three rounds at one table; the box counted points in the first. With 12 8 4 0:

    round 1: a 1st (9 points), b 2nd (5), c 3rd (5 too, behind by the game's own rule), d (1)
    round 2: b and c share the first place (10 each), a 4, d 0
    round 3: c did not come: b 12, d 6, a 0

    a 12+4+0 = 16, b 8+10+12 = 30, c 4+10 = 14, d 0+0+6 = 6. Difference of round 1, n·own - sum of
    20: a +16, b 0, c 0, d -16. Firsts: a 1, b 2, c 1.
    """
    hall = tables_of("abcd", rounds_=3)
    for places in ([1, 2, 3, 4], [3, 1, 1, 4], [3, 1, 0, 2]):
        hall.do(rounds.pair_round)
        match = list(hall.state.matches.values())[-1]
        at = dict(zip("abcd", places, strict=True))
        if not hall.state.group_results():
            cards = tuple(dict(a=9, b=5, c=5, d=1)[player] for player in match.players)
            said = ev.Reported(
                match=match.id,
                cards=cards,
                places=[at[player] for player in match.players],
                source="box",
                trust="verified",
            )
            hall.do(matches.report, said)
            hall.do(matches.check, match.id)
        else:
            hall.do(matches.enter_places, match.id, [at[player] for player in match.players])
    rows = hall.state.overall_rows()
    shown = [(r.player, r.points, r.firsts, r.difference, r.cards, r.played) for r in rows]
    assert shown == [
        ("b", 30, 2, 0, 5, 3),
        ("a", 16, 1, 16, 9, 3),
        ("c", 14, 1, 0, 5, 2),
        ("d", 6, 0, -16, 1, 3),
    ]
    assert hall.state.champion == "b"
    assert overall_table(hall.state.as_tournament()) == rows


def test_equal_points_are_parted_by_firsts() -> None:
    """a and d have won one table each, b and c shared the second place twice: (8 + 4) / 2."""
    hall = tables_of("abcd", rounds_=2)
    for at in ({"a": 1, "b": 2, "c": 2, "d": 4}, {"d": 1, "b": 2, "c": 2, "a": 4}):
        hall.do(rounds.pair_round)
        match = list(hall.state.matches.values())[-1]
        hall.do(matches.enter_places, match.id, [at[player] for player in match.players])
    rows = hall.state.overall_rows()
    assert {row.player: (row.points, row.firsts) for row in rows} == {
        "a": (12, 1), "d": (12, 1), "b": (12, 0), "c": (12, 0)
    }  # fmt: skip
    assert [row.rank for row in rows] == [1, 1, 3, 3]
    assert {"a", "d"} == {row.player for row in rows[:2]}
    # a certificate for each, though places are shared
    assert sorted(certificates(hall.state)) == [(1, "a"), (1, "d"), (3, "b"), (3, "c")]


# -- results --------------------------------------------------------------------------------------


@pytest.fixture
def hall() -> MemoryHall:
    made = tables_of("abcdefgh")
    made.do(rounds.pair_round)
    made.do(matches.call, "R1-1")
    assert made.state.matches["R1-1"].players == ("a", "d", "e", "h")
    return made


@pytest.mark.parametrize(
    ("order", "places"),
    [
        ("a, d, e, h", [1, 2, 3, 4]),
        ("h,e = a,d", [2, 4, 2, 1]),
        ("e, a / d, h", [2, 0, 1, 0]),
        ("2143", [2, 1, 4, 3]),  # in the order of the seats
        (" 1 2 2 0 ", [1, 2, 2, 0]),
    ],
)
def test_an_order_of_names_is_read(hall: MemoryHall, order: str, places: list[int]) -> None:
    assert matches.places_of(hall.state, "R1-1", order) == places


@pytest.mark.parametrize(
    ("order", "told"),
    [
        ("a, d, e", "no place for h"),
        ("a, d, e, b", "does not play"),
        ("a, d, e, x", "x"),
        ("", "no place for"),
        ("/ a, d, e, h", "4 places are needed"),
        ("214", "4 places are needed"),
        ("2 1 43", "4 places are needed"),
        ("2 1 4 ³", "³"),
    ],
)
def test_an_order_that_cannot_be_is_refused(hall: MemoryHall, order: str, told: str) -> None:
    with pytest.raises(UserError, match=told):
        matches.enter_places(hall.state, "R1-1", matches.places_of(hall.state, "R1-1", order))


@pytest.mark.parametrize(
    "places", [[1, 2, 3], [1, 2, 2, 3], [2, 3, 4, 1, 5], [1, 1, 2, 4], [0] * 4]
)
def test_places_that_cannot_be_are_refused(hall: MemoryHall, places: list[int]) -> None:
    with pytest.raises(UserError, match="4 places are needed"):
        matches.enter_places(hall.state, "R1-1", places)


def test_cards_do_not_decide_a_table_and_places_no_match_of_two(hall: MemoryHall) -> None:
    with pytest.raises(UserError, match="enter the places"):
        matches.enter(hall.state, "R1-1", (20, 12))
    with pytest.raises(UserError, match="enter the places"):
        matches.no_show(hall.state, "R1-1", "d", MORNING, force=True)
    two = hall_of("a", "b", "c")
    two.do(rounds.pair_round)
    with pytest.raises(UserError, match="enter the cards"):
        matches.enter_places(two.state, "R1-1", [1, 2])


def test_who_has_left_need_not_be_named_and_is_seated_no_more(hall: MemoryHall) -> None:
    hall.do(entrants.withdraw, "d")
    assert not hall.state.matches["R1-1"].counts  # nobody wins by it: the others play
    hall.do(matches.enter_places, "R1-1", matches.places_of(hall.state, "R1-1", "h, e, a"))
    assert hall.state.matches["R1-1"].result.places == [3, 0, 2, 1]
    play(hall)
    hall.do(rounds.pair_round)
    assert sorted("".join(seated(hall))) == list("abcefgh")
    assert sorted(map(len, seated(hall))) == [3, 4]


def test_a_correction_and_an_undo_of_places(hall: MemoryHall) -> None:
    hall.do(matches.enter_places, "R1-1", [1, 2, 3, 4])
    with pytest.raises(UserError, match="this result already"):
        hall.do(corrections.correct_places, "R1-1", [1, 2, 3, 4])
    hall.do(corrections.correct_places, "R1-1", [4, 3, 2, 1])
    rows = {row.player: row.points for row in hall.state.overall_rows()}
    assert [rows[player] for player in "adeh"] == [0, 4, 8, 12]
    hall.do(matches.enter_places, "R1-2", [1, 2, 3, 4])
    hall.do(corrections.undo, "desk", MORNING, "R1-2")
    assert hall.state.matches["R1-2"].result is None


def said_by_box(seats: str, counts: tuple[int, ...], ranking: list[list[int]]) -> ev.Unplaced:
    return ev.Unplaced(
        source="box", label="box 1-1", box="box", journal="j" + seats, trust="verified",
        counts=counts, ranking=ranking, reason="", names=list(seats), players=[""] * len(seats),
        tournament="", match="", stage="group", table=1, duration_s=600, received="",
    )  # fmt: skip


def test_a_box_names_seats_in_its_own_order(hall: MemoryHall) -> None:
    """At the box sat h, a, e, d with 3, 9, 9, 1: a and e share the first place."""
    seen = said_by_box("haed", (3, 9, 9, 1), [[1, 2], [0], [3]])
    match = find_match(hall.state, seen)
    assert isinstance(match, MatchState)
    report = as_report(match, seen, hall.state)
    assert (report.cards, report.places) == ((9, 1, 9, 3), [1, 4, 1, 3])
    hall.do(matches.report, report)
    hall.do(matches.enter_places, "R1-1", [1, 4, 1, 3])  # paper agrees: it counts, with the points
    assert hall.state.matches["R1-1"].result.cards == (9, 1, 9, 3)


def test_box_and_paper_that_differ_in_places_wait_for_somebody(hall: MemoryHall) -> None:
    seen = said_by_box("adeh", (9, 5, 3, 1), [[0], [1], [2], [3]])
    hall.do(matches.report, as_report(hall.state.matches["R1-1"], seen, hall.state))
    hall.do(matches.enter_places, "R1-1", [2, 1, 3, 4])
    assert hall.state.matches["R1-1"].doubtful
    with pytest.raises(UserError, match=r"1\. 2\. 3\. 4\."):
        matches.check(hall.state, "R1-1")


def test_a_table_with_one_missing_is_found_and_one_of_others_is_not(hall: MemoryHall) -> None:
    match = find_match(hall.state, said_by_box("ade", (5, 3, 1), [[0], [1], [2]]))
    assert isinstance(match, MatchState)
    seen = said_by_box("ade", (5, 3, 1), [[0], [1], [2]])
    assert as_report(match, seen, hall.state).places == [1, 2, 3, 0]
    for others in ("ad", "adb", "abcd"):
        seen = said_by_box(others, (1,) * len(others), [list(range(len(others)))])
        assert not isinstance(find_match(hall.state, seen), MatchState)
        hall.do(boxes.leave_to_desk, seen)
    with pytest.raises(UserError, match="other players"):
        boxes.assign(hall.state, "jabcd", "R1-1")


# -- the whole ------------------------------------------------------------------------------------


def test_the_log_proves_who_sat_where(tmp_path: Path) -> None:
    made = tables_of("abcdefghijk")
    for _ in range(3):
        made.do(rounds.pair_round)
        play(made)
    lines = list(made.log)
    db = str(tmp_path / "t.db")
    service = TournamentService.restore(db, lines)
    assert verify(service).events == len(lines)
    service.close()
    forged = [
        replace(e, body=replace(e.body, tables=[e.body.tables[0][::-1], *e.body.tables[1:]]))
        if isinstance(e.body, ev.RoundPaired)
        else e
        for e in lines
    ]
    service = TournamentService.restore(str(tmp_path / "f.db"), forged)
    with pytest.raises(UserError, match="tables 1"):
        verify(service)
    service.close()


def test_the_file_says_the_same(hall: MemoryHall) -> None:
    play(hall)
    written = msgspec.json.encode(hall.state.as_tournament())
    again = read(written, "it")
    assert isinstance(again, Tournament)
    assert overall_table(again) == hall.state.overall_rows()
    copy = MemoryHall()
    copy.do(take_over, again)
    assert msgspec.json.encode(copy.state.as_tournament()) == written
    assert copy.state.matches["R1-2"].players == hall.state.matches["R1-2"].players
    for wrong in (b'"places":[1,2,3]', b'"places":[1,2,2,3]', b'"cards":[0,0]'):
        kind = wrong.partition(b":")[0]
        start = written.index(kind)
        end = written.index(b"]", start) + 1
        with pytest.raises(UserError, match="at a table of several"):
            read(written[:start] + wrong + written[end:], "it")


def test_seats_are_three_to_eight() -> None:
    for seats in (2, 9):
        with pytest.raises(UserError, match="from 3 to 8"):
            entrants.check_setup(ev.Created(name="x", seats=seats))


def test_boxes_play_a_round_of_hattrick_and_their_journals_count(tmp_path: Path) -> None:
    """Six players, three at a table. The places are worked out anew from the journal's result."""
    chance = random.Random(5)
    setup = ev.Created(name="Cup", mode="tables", seats=3, rounds=1, tables=2, game="hattrick")
    service = TournamentService.create(f"sqlite:///{tmp_path}/t.db", "Anna", setup)
    players = [Entrant(id=name, name=name.upper()) for name in "abcdef"]
    service.do("Anna", "", command(entrants.add_players, players))
    service.do("Anna", "", command(entrants.draw, 4, 1, True))
    service.do("Anna", "", rounds.pair_round)
    service.do("Anna", "", lambda state: matches.call_slot(state, 1)[0])
    said = {}
    for match in service.state.matches.values():
        box = SimulatedBox(match.table, chance)
        said[match.id] = box.play(service.state, match)
        box.upload(service.store)
    Collector(service, "desk", check=True).collect()
    for match in service.state.matches.values():
        assert match.counts
        assert match.reports[0].trust == "verified"
        scores = said[match.id]["scores"]
        assert match.result.cards == tuple(scores)
        assert match.result.places == [1 + sum(o > own for o in scores) for own in scores]
        given = assignment(service.state, service.id, match, "en")
        assert (given.game, given.preset, given.clock_s, len(given.seats)) == (
            "hattrick", None, None, 3,
        )  # fmt: skip
    for kind, made in FORMATS.items():
        assert made(service, "de"), kind
    names = [name.upper() for name in "abcdef"]
    results = FORMATS["results"](service, "en").decode()
    assert all(name in results for name in names)
    heads, first, *_ = FORMATS["standings"](service, "en").decode("utf-8-sig").splitlines()
    assert heads == "#,player,club,points,+/-,cards,played"  # no group, and nothing reached
    best = service.state.overall_rows()[0]
    assert first.startswith(f"1,{best.player.upper()},,{best.points},")
    assert "places" not in results.splitlines()[0]
    assert results.splitlines()[0].count("place") == 3
    table = next(line for line in written_feed(service) if line.get("id") == "R1-1")
    assert (len(table["more"]), sorted(table["places"])[0]) == (1, 1)
    [first, *_] = ratings([service.state])
    assert first.name in {name_of_first(match).upper() for match in service.state.matches.values()}
    service.close()


def written_feed(service: TournamentService) -> list[dict[str, object]]:
    feed = Feed(service.id)
    feed.take(service.state)
    return [msgspec.json.decode(line) for line in written(feed.since(0)).splitlines()]


def name_of_first(match: MatchState) -> str:
    return match.players[match.result.places.index(1)]


def test_a_table_is_given_to_its_box_only_if_the_desk_knows_the_game(hall: MemoryHall) -> None:
    assert wanted(hall.state, "b1", 1) is None
    hall.do(entrants.change, ev.Changed(game="hattrick"))
    assert wanted(hall.state, "b1", 1) is hall.state.matches["R1-1"]
    with pytest.raises(UserError, match="choose one of"):
        hall.do(entrants.change, ev.Changed(game="skat"))
    with pytest.raises(UserError, match="from 3 to 4"):
        hall.do(entrants.change, ev.Changed(game="cafe-board", seats=5))


# -- whatever comes -------------------------------------------------------------------------------


def standard(places: list[int]) -> list[int]:
    """Any numbers → places as people share them."""
    return [1 + sum(other < place for other in places) for place in places]


@given(st.lists(st.integers(0, 5), min_size=2, max_size=8), st.integers(3, 8))
def test_a_table_gives_out_the_same_whatever_is_shared(drawn: list[int], seats: int) -> None:
    places = standard(drawn)
    count = len(places)
    if count > seats:
        return
    points = place_points(places, seats)
    unit = place_points([1, 2], seats)[0]
    assert Fraction(sum(points)) == Fraction(unit * count, 2)
    for (one, a), (other, b) in combinations(zip(places, points, strict=True), 2):
        assert (one < other) == (a > b)


@given(st.integers(2, 200), st.integers(3, 8))
def test_sizes_are_even_and_as_few_as_can_be(players: int, seats: int) -> None:
    sizes = tables.sizes(players, seats)
    assert sum(sizes) == players
    assert max(sizes) <= seats
    assert max(sizes) - min(sizes) <= 1
    possible = any(3 * k <= players <= seats * k for k in range(1, players))
    assert (min(sizes) >= 3) == possible


@settings(deadline=None, max_examples=25)
@given(st.integers(6, 40), st.integers(3, 6), st.integers(2, 5), st.integers(0, 1000))
def test_nobody_is_lost_and_people_meet_no_more_often_than_by_chance(
    players: int, seats: int, rounds_: int, seed: int
) -> None:
    names = [f"p{number}" for number in range(players)]
    ours: tables.Met = Counter()
    drawn: tables.Met = Counter()
    chance = random.Random(seed)
    for number in range(rounds_):
        order = names if number == 0 else chance.sample(names, players)
        made = tables.seated(order, seats, ours, seed)
        assert sorted(player for table in made for player in table) == sorted(names)
        assert sorted(map(len, made), reverse=True) == tables.sizes(players, seats)
        assert made == tables.seated(order, seats, ours, seed)
        _count(ours, made)
        mixed = iter(chance.sample(names, players))
        _count(drawn, [[next(mixed) for _ in range(n)] for n in tables.sizes(players, seats)])
    assert _again(ours) <= _again(drawn)


def _count(met: tables.Met, seating: tables.SeatedTables) -> None:
    met.update(frozenset(pair) for table in seating for pair in combinations(table, 2))


def _again(met: tables.Met) -> int:
    """As the search counts: 1 for a second meeting, 4 for a third."""
    return sum(n**2 for count in met.values() for n in range(1, count))


def test_two_hundred_people_are_seated_while_they_wait() -> None:
    names = [f"p{number}" for number in range(200)]
    met: tables.Met = Counter()
    begun = time.monotonic()
    for number in range(5):
        _count(met, tables.seated(names[number:] + names[:number], 4, met, number))
    assert time.monotonic() - begun < 20
    assert not _again(met)
