"""TO-3 and TO-4: seeding, byes, group mates apart, winners onward."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from host_tools.cli import main
from host_tools.tournament.ko import canonical_round, draw, final_ranking, play, slots
from host_tools.tournament.model import Result
from host_tools.tournament.standings import StandingsRow


def first_round(bracket) -> list[tuple[str | None, str | None]]:
    return [(match.a.player, match.b.player) for match in bracket.rounds[0]]


def test_leaves_of_eight_as_every_tennis_draw_has_them() -> None:
    assert slots(8) == [1, 8, 4, 5, 2, 7, 3, 6]


def test_one_meets_sixty_four() -> None:
    bracket = draw([f"p{n}" for n in range(1, 65)], {})
    pairs = first_round(bracket)
    assert len(pairs) == 32
    assert ("p1", "p64") in pairs
    assert all(int(a[1:]) + int(b[1:]) == 65 for a, b in pairs if a and b)
    assert [stage[0].round for stage in bracket.rounds] == [
        "1/32",
        "1/16",
        "1/8",
        "1/4",
        "1/2",
        "final",
    ]


def test_six_players_two_byes_for_the_best() -> None:
    bracket = draw(list("abcdef"), {})
    assert bracket.byes == ["a", "b"]
    assert first_round(bracket) == [("a", None), ("d", "e"), ("b", None), ("c", "f")]
    assert bracket.rounds[1][0].a.player == "a"
    assert bracket.rounds[1][1].a.player == "b"


def test_group_mates_are_parted_inside_their_tier() -> None:
    # by the book 1 meets 4 and 2 meets 3; both pairs shared a group, so 3 and 4 change places
    bracket = draw(list("abcd"), {"a": "A", "d": "A", "b": "B", "c": "B"})
    assert first_round(bracket) == [("a", "c"), ("b", "d")]


def test_winners_go_on_and_losers_meet_for_third_place() -> None:
    bracket = draw(list("abcd"), {})
    strays = play(
        bracket,
        [
            # before the semi-finals: any order
            Result(round="final", a="a", b="c", cards=(10, 22)),
            Result(round="semi-final", a="a", b="d", cards=(32, 0)),
            Result(round="1/2", a="b", b="c", cards=(16, 16), winner="c"),
            Result(round="third", a="d", b="b", cards=(20, 12)),
        ],
    )
    assert strays == []
    assert bracket.champion == "c"
    assert bracket.third is not None
    assert bracket.third.winner == "d"


def row(rank: int, player: str) -> StandingsRow:
    return StandingsRow(rank, player, 0, 0, 0, 3, None)


def test_the_final_ranking_of_eight_with_three_behind() -> None:
    """Seeds a … h meet 1 v 8, 4 v 5, 2 v 7, 3 v 6; x, y and z did not qualify, y and z level."""
    bracket = draw(list("abcdefgh"), {})
    order = [row(rank, player) for rank, player in enumerate("abcdefgh", 1)]
    order += [row(9, "x"), row(10, "y"), row(10, "z")]
    won = (
        *(("1/4", "h", "a"), ("1/4", "d", "e"), ("1/4", "b", "g"), ("1/4", "c", "f")),
        *(("1/2", "d", "h"), ("1/2", "c", "b")),
    )
    results = [Result(round=name, a=a, b=b, cards=(20, 12)) for name, a, b in won]
    assert play(bracket, results) == []
    assert final_ranking(bracket, order, set()) == []
    final = Result(round="final", a="c", b="d", cards=(20, 12))
    assert play(bracket, [*results, final]) == []
    # the match for third place is still to come: b and h share it
    ranked = final_ranking(bracket, order, set())
    assert [(line.place, line.player) for line in ranked][:4] == [
        (1, "c"),
        (2, "d"),
        (3, "h"),
        (3, "b"),
    ]
    assert play(bracket, [*results, Result(round="third", a="b", b="h", cards=(20, 12))]) == []
    ranked = final_ranking(bracket, order, {"a"})
    # the beaten of the quarter-finals by seed: a 1, e 5, f 6, g 7; a is excluded, the rest move up
    assert [(line.place, line.player, line.reached) for line in ranked] == [
        (1, "c", "final"),
        (2, "d", "final"),
        (3, "b", "third"),
        (4, "h", "third"),
        (5, "e", "1/4"),
        (6, "f", "1/4"),
        (7, "g", "1/4"),
        (8, "x", "group"),
        (9, "y", "group"),
        (9, "z", "group"),
        (None, "a", "excluded"),
    ]


def test_the_final_ranking_of_three_and_of_two() -> None:
    """Three seeds: a has a bye, b beats c; c is third without a match."""
    bracket = draw(list("abc"), {})
    results = [Result(round="1/2", a="b", b="c", cards=(20, 12))]
    results.append(Result(round="final", a="b", b="a", cards=(20, 12)))
    assert play(bracket, results) == []
    order = [row(rank, player) for rank, player in enumerate("abc", 1)]
    ranked = final_ranking(bracket, order, set())
    assert [(line.place, line.player) for line in ranked] == [(1, "b"), (2, "a"), (3, "c")]
    bracket = draw(list("ab"), {})
    assert play(bracket, [Result(round="final", a="b", b="a", cards=(20, 12))]) == []
    ranked = final_ranking(bracket, order, set())
    assert [(line.place, line.player) for line in ranked] == [(1, "b"), (2, "a"), (3, "c")]


def test_a_result_that_fits_no_match_is_returned() -> None:
    bracket = draw(list("abcd"), {})
    stray = Result(round="final", a="a", b="b", cards=(10, 22))
    assert play(bracket, [stray]) == [stray]


@given(st.integers(2, 40), st.integers(1, 12), st.randoms(use_true_random=False))
def test_any_draw_holds_everyone_once_and_byes_go_to_the_best(entrants, groups, chance) -> None:
    players = [f"p{n}" for n in range(entrants)]
    group_of = {player: str(chance.randrange(groups)) for player in players}
    bracket = draw(players, group_of)
    leaves = [p for pair in first_round(bracket) for p in pair if p is not None]
    assert sorted(leaves) == sorted(players)
    assert bracket.byes == players[: bracket.size - entrants]
    assert bracket.rounds[0][0].a.player == "p0"


@given(st.integers(2, 33), st.randoms(use_true_random=False))
def test_playing_it_out_crowns_one_champion(entrants, chance) -> None:
    bracket = draw([f"p{n}" for n in range(entrants)], {})
    played = 0
    while True:
        ready = [m for m in bracket.matches() if m.a.player and m.b.player and not m.winner]
        if not ready:
            break
        match = chance.choice(ready)
        cards = chance.choice([(20, 12), (0, 32)])
        result = Result(round=match.round, a=match.a.player, b=match.b.player, cards=cards)
        assert play(bracket, [result]) == []
        played += 1
    assert bracket.champion is not None
    third = 1 if bracket.third and bracket.third.winner else 0
    assert played == entrants - 1 + third


def test_names_of_rounds() -> None:
    assert canonical_round("Semi-Final") == "1/2"
    assert canonical_round("1/32") == "1/32"


def small_event(**changes: object) -> dict:
    event: dict = {
        "format": "schiri-tournament/1",
        "players": [{"id": p} for p in "abcd"],
        "groups": [{"id": "A", "players": ["a", "b"]}, {"id": "B", "players": ["c", "d"]}],
        "results": [
            {"group": "A", "a": "a", "b": "b", "cards": [20, 12]},
            {"group": "B", "a": "c", "b": "d", "cards": [12, 0], "kind": "forfeit"},
        ],
        "ko_size": 4,
        "lots": [],
    }
    event.update(changes)
    return event


def run(arguments: list[str], capsys) -> tuple[int, str, str]:
    try:
        main(arguments)
        code = 0
    except SystemExit as ended:
        code = int(ended.code or 0)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_ko_json(tmp_path: Path, capsys) -> None:
    path = tmp_path / "event.json"
    path.write_text(json.dumps(small_event()))
    code, out, _ = run(["tournament", "ko", "--json", str(path)], capsys)
    assert code == 0
    tree = json.loads(out)
    # c: +12, a: +8, b: -8, d: -12; by the book c–d and a–b, but both are group mates: swapped
    assert [seed["player"] for seed in tree["seeds"]] == ["c", "a", "b", "d"]
    semis = tree["rounds"][0]["matches"]
    assert [(m["a"], m["b"]) for m in semis] == [("c", "b"), ("a", "d")]


def test_an_excluded_player_does_not_reach_the_knock_out(tmp_path: Path, capsys) -> None:
    event = small_event(ko_size=2)
    event["results"][0].update(kind="excluded", cards=[0, 12])
    path = tmp_path / "event.json"
    path.write_text(json.dumps(event))
    _, out, _ = run(["tournament", "ko", "--json", str(path)], capsys)
    assert [seed["player"] for seed in json.loads(out)["seeds"]] == ["b", "c"]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"format": "other/1"}, "this program reads"),
        ({"ko_size": 48}, "not a power of two"),
        ({"players": [{"id": "a"}, {"id": "a"}]}, "listed twice"),
        ({"lots": [["a", "z"]]}, "'z' is not in the player list"),
        ({"results": [{"group": "A", "a": "a", "b": "c", "cards": [1, 2]}]}, "does not play in A"),
        ({"results": [{"a": "a", "b": "b", "cards": [1, 2]}]}, "either a group or a round"),
        (
            {"results": [{"group": "A", "a": "a", "b": "b", "cards": [1]}]},
            "results[1]: a result has",
        ),
    ],
)
def test_bad_files_get_one_sentence(change, sentence, tmp_path: Path, capsys) -> None:
    path = tmp_path / "event.json"
    path.write_text(json.dumps(small_event(**change)))
    code, out, err = run(["tournament", "standings", "--json", str(path)], capsys)
    assert code == 2
    assert out == ""
    assert sentence in err
    assert len(err.strip().splitlines()) == 1


def test_the_same_pair_twice_is_refused(tmp_path: Path, capsys) -> None:
    event = small_event()
    event["results"].append({"group": "A", "a": "b", "b": "a", "cards": [20, 12]})
    path = tmp_path / "event.json"
    path.write_text(json.dumps(event))
    code, _, err = run(["tournament", "standings", str(path)], capsys)
    assert code == 2
    assert "has a result already" in err


def test_people_see_tables() -> None:
    from host_tools.cli import schiri

    result = CliRunner().invoke(
        schiri, ["tournament", "standings", "-"], input=json.dumps(small_event()).encode()
    )
    assert result.exit_code == 0, result.output
    assert "Group A" in result.output


def test_the_final_ranking_of_sixteen_has_the_later_round_first_and_each_by_seed() -> None:
    """Of each match the better seed wins but one of each round: 16 beats 1, then 8 beats 16."""
    names = [f"p{seed:02}" for seed in range(1, 17)]
    bracket = draw(names, {})
    pairs = {
        "1/8": ("16 1", "8 9", "5 12", "4 13", "2 15", "7 10", "6 11", "3 14"),
        "1/4": ("8 16", "4 5", "2 7", "3 6"),
        "1/2": ("4 8", "2 3"),
        "final": ("2 4",),
        "third": ("3 8",),
    }
    results = [
        Result(round=stage, a=f"p{int(won):02}", b=f"p{int(lost):02}", cards=(20, 12))
        for stage, matches in pairs.items()
        for won, lost in (match.split() for match in matches)
    ]
    assert play(bracket, results) == []
    order = [row(rank, player) for rank, player in enumerate(names, 1)]
    ranked = final_ranking(bracket, order, set())
    assert [line.place for line in ranked] == list(range(1, 17))
    seeds = [int(line.player[1:]) for line in ranked]
    assert seeds == [2, 4, 3, 8, 5, 6, 7, 16, 1, 9, 10, 11, 12, 13, 14, 15]
