"""What the desk may do and when: TO-1, TO-3, SW-5, SW-7, SW-9, CL-4."""

from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest

from host_tools.core.errors import UserError
from host_tools.tournament import events as ev
from host_tools.tournament import standings
from host_tools.tournament import state as tournament_state
from host_tools.tournament.actions import checks, corrections, entrants, knockout, matches
from host_tools.tournament.model import Entrant

from .hall import MemoryHall, alphabetical, clear


@pytest.fixture
def hall() -> MemoryHall:
    """Four players in one group, nothing played."""
    made = MemoryHall()
    made.seat("a", "b", "c", "d")
    return made


@pytest.fixture
def semis() -> MemoryHall:
    """Groups played, tree drawn: a–d and b–c."""
    made = MemoryHall()
    made.seat("a", "b", "c", "d")
    made.play_groups(alphabetical)
    made.do(knockout.draw_ko)
    return made


# -- setting up -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setup", "words"),
    [
        ({"name": " "}, "needs a name"),
        ({"ko_size": 48}, "2, 4, 8, 16"),
        ({"tables": 0}, "1 to 999 tables, not 0"),
        ({"slot_minutes": 0}, "1 to 1440 minutes, not 0"),
    ],
)
def test_a_setup_that_cannot_be_played_is_refused(setup, words) -> None:
    with pytest.raises(UserError, match=words):
        entrants.check_setup(ev.Created(**{"name": "x", **setup}))


def test_the_same_player_twice_is_refused(hall: MemoryHall) -> None:
    with pytest.raises(UserError, match="'a' is taken"):
        hall.do(entrants.add_players, [Entrant(id="a", name="Other")])
    with pytest.raises(UserError, match="entered already, as 'a'"):
        hall.do(entrants.add_players, [Entrant(id="z", name="A")])


def test_only_players_who_are_here_are_drawn() -> None:
    hall = MemoryHall()
    hall.do(entrants.add_players, [Entrant(id=name, name=name) for name in "abc"])
    for name in "ab":
        hall.do(entrants.check_in, name)
    hall.do(entrants.draw, 4)
    assert [sorted(group.players) for group in hall.state.groups] == [["a", "b"]]


def test_a_redraw_is_possible_until_a_match_is_called(hall: MemoryHall) -> None:
    hall.do(entrants.draw, 2, 7, True)
    assert len(hall.state.groups) == 2
    assert len(hall.state.matches) == 2
    hall.do(matches.call, "A-1")
    with pytest.raises(UserError, match="A-1 is called already; the groups cannot be drawn"):
        hall.do(entrants.draw, 2, 7, True)


# -- late entry and leaving -----------------------------------------------------------------------


def test_a_late_player_joins_the_smallest_group_and_meets_everybody() -> None:
    hall = MemoryHall()
    hall.seat("a", "b", "c", "d", "e", size=3)
    small = min(hall.state.groups, key=lambda group: len(group.players))
    hall.do(entrants.late_entry, Entrant(id="z", name="Z"))
    assert hall.state.group_of("z") == small.id
    met = {m.a for m in hall.state.matches.values() if m.b == "z"}
    assert met == set(small.players)
    assert "z" in [row.player for row in hall.state.group_rows(small.id)]
    planned = [(m.slot, who) for m in hall.state.matches.values() for who in (m.a, m.b)]
    assert len(set(planned)) == len(planned)


def test_a_late_match_against_somebody_who_left_is_won(hall: MemoryHall) -> None:
    hall.do(entrants.withdraw, "c")
    hall.do(entrants.late_entry, Entrant(id="z", name="Z"))
    match = hall.state.matches[hall.match_of("c", "z")]
    assert match.result is not None
    assert (match.result.ahead(), match.result.cards) == ("z", (0, 12))


def test_nobody_comes_late_into_the_knock_out(semis: MemoryHall) -> None:
    with pytest.raises(UserError, match="nobody can enter"):
        semis.do(entrants.late_entry, Entrant(id="z", name="Z"))


def test_who_withdraws_keeps_what_was_played_and_loses_the_rest(hall: MemoryHall) -> None:
    hall.enter("a", "b", 20, 12)
    hall.do(entrants.withdraw, "a")
    rows = {row.player: row for row in hall.state.group_rows("A")}
    assert (rows["a"].points, rows["a"].cards) == (2, 20)
    assert [rows[p].cards for p in "bcd"] == [12, 12, 12]
    assert rows["a"].played == 3


def test_a_reported_match_was_played_although_its_player_leaves(hall: MemoryHall) -> None:
    match = hall.match_of("a", "b")
    hall.do(matches.report, ev.Reported(match=match, cards=(20, 12), source="box", journal="1"))
    hall.do(entrants.withdraw, "a")
    assert hall.state.matches[match].result is None
    hall.do(matches.check, match)
    assert hall.state.matches[match].result is not None
    assert hall.state.matches[match].result.kind == "played"


def test_who_left_does_not_qualify_and_the_next_one_does() -> None:
    hall = MemoryHall(ko_size=2)
    hall.seat("a", "b", "c", "d")
    hall.play_groups(alphabetical)
    hall.do(entrants.withdraw, "a")
    hall.do(knockout.draw_ko)
    assert hall.state.ko_seeds == ["b", "c"]


def test_who_is_excluded_does_not_qualify_and_results_stand() -> None:
    hall = MemoryHall(ko_size=2)
    hall.seat("a", "b", "c", "d")
    hall.play_groups(alphabetical)
    hall.do(entrants.exclude, "a")
    hall.do(knockout.draw_ko)
    assert hall.state.ko_seeds == ["b", "c"]
    assert next(row.points for row in hall.state.overall_rows() if row.player == "a") == 6


def test_a_result_excluded_excludes_the_loser(hall: MemoryHall) -> None:
    match = hall.state.matches[hall.match_of("a", "b")]
    hall.do(matches.check, match.id, (12, 0), "excluded")
    assert hall.state.excluded == {match.b}
    lost = [m for m in hall.state.matches.values() if match.b in (m.a, m.b)]
    assert [m.result.kind for m in lost if m.result] == ["excluded"] * 3


def test_reinstated_players_play_on(hall: MemoryHall) -> None:
    hall.do(entrants.withdraw, "a")
    hall.do(entrants.reinstate, "a")
    match = hall.match_of("a", "b")
    hall.do(corrections.void, match)
    assert hall.state.matches[match].status == "open"
    assert hall.state.out == set()


def test_who_leaves_before_the_final_is_a_walkover_as_soon_as_it_exists(
    semis: MemoryHall,
) -> None:
    semis.enter("a", "d", 20, 12)
    semis.do(entrants.withdraw, "a")
    assert "KF" not in semis.state.matches
    semis.enter("b", "c", 20, 12)
    final = semis.state.matches["KF"]
    assert final.result is not None
    assert (final.result.ahead(), final.result.kind) == ("b", "forfeit")
    assert semis.state.bracket is not None
    assert semis.state.bracket.champion == "b"


# -- a match from call to lock --------------------------------------------------------------------


def test_a_match_goes_through_its_states(hall: MemoryHall) -> None:
    match = hall.state.matches["A-1"]
    seen = [match.status]
    for step in (
        lambda state: matches.call(state, "A-1"),
        lambda state: matches.report(state, ev.Reported(match="A-1", cards=(20, 12))),
        lambda state: matches.check(state, "A-1"),
        lambda state: matches.lock(state, "A-1"),
    ):
        hall.do(step)
        seen.append(match.status)
    assert seen == ["open", "called", "reported", "checked", "locked"]


def test_a_table_or_player_that_is_busy_is_not_called(hall: MemoryHall) -> None:
    hall.do(matches.call, "A-1", 1)
    others = [m for m in hall.state.matches.values() if m.slot == 1 and m.id != "A-1"]
    with pytest.raises(UserError, match="table 1 is busy with match A-1"):
        hall.do(matches.call, others[0].id, 1)
    shared = next(m for m in hall.state.matches.values() if m.slot == 2)
    with pytest.raises(UserError, match="one of the players is busy"):
        hall.do(matches.call, shared.id, 2)
    with pytest.raises(UserError, match="no table 9"):
        hall.do(matches.call, others[0].id, 9)


def test_the_late_timer_runs_two_minutes_from_the_call(hall: MemoryHall) -> None:
    hall.minute = 30
    hall.do(matches.call, "A-1")
    match = hall.state.matches["A-1"]
    assert matches.late_at(match) == datetime(2026, 3, 7, 10, 32, tzinfo=UTC)
    called = datetime(2026, 3, 7, 10, 30, tzinfo=UTC)
    for left, late_ms in ((61, 59_500), (2, 118_999), (1, 119_001), (1, 119_999), (1, 120_000)):
        now = called + timedelta(milliseconds=late_ms)
        assert matches.seconds_left(match, now) == left
        for absent in (partial(matches.no_show, missing=match.a), matches.both_absent):
            with pytest.raises(UserError, match=f"{left} seconds? (is|are) left"):
                hall.do(absent, "A-1", now=now)
    just_late = called + timedelta(milliseconds=120_001)  # SW-7: more than two minutes
    assert matches.seconds_left(match, just_late) == 0
    hall.do(matches.no_show, "A-1", match.a, just_late)
    assert match.result is not None
    assert (match.result.cards, match.result.kind) == ((0, 12), "forfeit")


def test_a_forfeit_may_be_replayed_with_the_jurys_consent(hall: MemoryHall) -> None:
    hall.do(matches.call, "A-1")
    late = datetime(2026, 3, 7, 11, tzinfo=UTC)
    hall.do(matches.no_show, "A-1", hall.state.matches["A-1"].a, late)
    hall.do(corrections.void, "A-1")
    hall.do(matches.enter, "A-1", (20, 12))
    result = hall.state.matches["A-1"].result
    assert result is not None
    assert result.kind == "played"


def test_box_and_paper_that_disagree_wait_for_the_desk(hall: MemoryHall) -> None:
    hall.do(matches.report, ev.Reported(match="A-1", cards=(20, 12), source="box", journal="1"))
    hall.do(matches.enter, "A-1", (21, 11))
    match = hall.state.matches["A-1"]
    assert (match.status, match.doubtful) == ("reported", True)
    with pytest.raises(UserError, match=r"disagree \(box 20:12 and paper 21:11\)"):
        hall.do(matches.check, "A-1")
    hall.do(matches.check, "A-1", (20, 12))
    assert not match.doubtful


def test_a_box_that_contradicts_a_checked_result_raises_doubt_until_the_lock(
    hall: MemoryHall,
) -> None:
    hall.do(matches.enter, "A-1", (21, 11))
    hall.do(matches.report, ev.Reported(match="A-1", cards=(20, 12), source="box", journal="1"))
    match = hall.state.matches["A-1"]
    assert match.doubtful
    assert matches.lock_all(hall.state) == []
    hall.do(matches.lock, "A-1")
    assert not match.doubtful


def test_all_that_a_box_is_witness_of_are_checked_at_once(hall: MemoryHall) -> None:
    """Not what paper alone says, what two say differently, what is not verified, or a forfeit."""
    said = {
        "A-1": [("verified", (20, 12), "played")],
        "A-2": [("unverified", (20, 12), "played")],
        "A-3": [("verified", (20, 12), "played"), ("none", (21, 11), "played")],
        "A-4": [("verified", (12, 0), "forfeit")],
        "A-5": [("verified", (20, 12), "played"), ("none", (20, 12), "played")],
        "A-6": [("verified", (20, 12), "played"), ("contested", (20, 12), "played")],
    }
    for match, reports in said.items():
        for trust, cards, kind in reports:
            source = "paper" if trust == "none" else "box"
            report = ev.Reported(match=match, cards=cards, kind=kind, source=source, trust=trust)
            hall.do(matches.report, report)
    hall.do(matches.check_all)
    counts = [match.id for match in hall.state.matches.values() if match.status == "checked"]
    assert counts == ["A-1", "A-5"]
    assert matches.check_all(hall.state) == []


def test_a_report_counts_once(hall: MemoryHall) -> None:
    said = ev.Reported(match="A-1", cards=(20, 12), source="box", journal="1")
    hall.do(matches.report, said)
    assert matches.report(hall.state, said) == []
    hall.do(matches.check, "A-1")
    hall.do(corrections.void, "A-1")
    assert matches.report(hall.state, said) == []  # it was voided, and stays so


def test_a_contested_journal_never_counts_by_itself(hall: MemoryHall) -> None:
    said = ev.Reported(match="A-1", cards=(20, 12), source="box", journal="1", trust="contested")
    hall.do(matches.report, said)
    with pytest.raises(UserError, match="contested"):
        hall.do(matches.check, "A-1")


@pytest.mark.parametrize(
    ("cards", "kind", "words"),
    [
        ((-1, 33), "played", "cannot be negative"),
        ((0, 120), "played", "0:120 makes 120 cards, 36 are played with"),
        ((20, 12), "forfeit", "counts 12:0"),
        ((13, 0), "excluded", "counts 12:0"),
    ],
)
def test_results_that_no_match_can_have(hall: MemoryHall, cards, kind, words) -> None:
    with pytest.raises(UserError, match=words):
        hall.do(matches.enter, "A-1", cards, kind)


@pytest.mark.parametrize(
    ("function", "arguments", "words"),
    [
        (matches.call, ("X-9",), "there is no match 'X-9'"),
        (matches.enter, ("X-9", (1, 2)), "there is no match 'X-9'"),
        (matches.enter, ("A-1", (1, 2)), "A-1 is locked already; correct it"),
        (matches.check, ("A-1", (1, 2)), "A-1 is locked already; correct it"),
        (matches.report, (ev.Reported(match="A-1", cards=(1, 2)),), "A-1 is locked"),
        (matches.call, ("A-1",), "A-1 is locked; it cannot be called"),
        (matches.lock, ("A-2",), "A-2 is open; only a checked"),
        (matches.check, ("A-2",), "A-2 has no report yet"),
        (corrections.void, ("A-2",), "A-2 has no result"),
        (corrections.correct, ("A-2", (1, 2)), "A-2 has no result to correct"),
        (corrections.correct, ("A-1", (20, 12)), "A-1 has this result already"),
        (entrants.withdraw, ("nobody",), "there is no player 'nobody'"),
        (entrants.reinstate, ("a",), "has not left"),
        (knockout.draw_ko, (), "5 group matches are not checked yet"),
        (knockout.lot, (["a", "b"],), "group matches are still to be played"),
    ],
)
def test_commands_that_make_no_sense_are_sentences(hall, function, arguments, words) -> None:
    hall.do(matches.enter, "A-1", (20, 12))
    hall.do(matches.lock, "A-1")
    before = hall.state.digest()
    with pytest.raises(UserError, match=words):
        hall.do(function, *arguments)
    assert hall.state.digest() == before


def test_a_level_knock_out_match_needs_the_jurys_winner(semis: MemoryHall) -> None:
    with pytest.raises(UserError, match="needs a winner"):
        semis.enter("a", "d", 16, 16)
    match = semis.match_of("a", "d")
    semis.do(matches.enter, match, (16, 16), "played", "d")
    assert semis.state.bracket is not None
    assert semis.state.bracket.rounds[0][0].winner == "d"
    with pytest.raises(UserError, match="the cards make 'b' the winner"):
        semis.do(matches.enter, semis.match_of("b", "c"), (20, 12), "played", "c")


def test_the_final_lasts_twenty_minutes_and_the_others_ten(semis: MemoryHall) -> None:
    semis.enter("a", "d", 20, 12)
    semis.enter("b", "c", 20, 12)
    minutes = {match.id: match.minutes for match in semis.state.ko_matches()}
    assert minutes == {"K2-1": 10, "K2-2": 10, "K3": 10, "KF": 20}
    assert semis.state.matches["A-1"].stage == "group"


def test_too_many_cards_are_odd_but_not_refused() -> None:
    assert checks.doubt((20, 12)) is None
    assert checks.doubt((18, 18)) is None
    assert checks.doubt((20, 20)) == "20:20 makes 40 cards; a deck has 36 at most"
    assert checks.doubt((12, 0), "forfeit") is None


# -- corrections ----------------------------------------------------------------------------------


def test_a_correction_shows_what_it_moves() -> None:
    hall = MemoryHall(ko_size=2)
    hall.seat("a", "b", "c")
    hall.enter("a", "b", 17, 15)
    hall.enter("a", "c", 17, 15)
    match = hall.enter("b", "c", 20, 12)
    # by hand: a 4; b 2, c 0. Turned round: a 4; c 2, b 0 with -10 and -2 cards.
    cards = (12, 20) if hall.state.matches[match].a == "b" else (20, 12)
    effect = corrections.impact(hall.state, corrections.correction(hall.state, match, cards))
    assert effect.ranks == [("b", 2, 3), ("c", 3, 2)]
    assert (effect.qualifiers_in, effect.qualifiers_out) == (["c"], ["b"])


def test_a_correction_of_a_winner_is_blocked_by_what_was_played_on_it(semis: MemoryHall) -> None:
    first = semis.enter("a", "d", 20, 12)
    semis.enter("b", "c", 20, 12)
    semis.enter("c", "d", 20, 12)
    semis.enter("a", "b", 20, 12)
    turned = tuple(reversed(semis.state.matches[first].result.cards))
    with pytest.raises(UserError, match="K3, KF was played on this result"):
        semis.do(corrections.correct, first, turned)
    semis.do(corrections.correct, first, turned, force=True)
    assert {(m.a, m.b, m.status) for m in semis.state.ko_matches() if m.id in ("K3", "KF")} == {
        ("a", "c", "open"),
        ("d", "b", "open"),
    }
    assert sum(isinstance(event.body, ev.Voided) for event in semis.log) == 2


def test_cards_may_be_corrected_when_the_winner_stays(semis: MemoryHall) -> None:
    first = semis.enter("a", "d", 20, 12)
    semis.enter("b", "c", 20, 12)
    semis.enter("a", "b", 20, 12)
    cards = tuple(21 if n == 20 else 11 for n in semis.state.matches[first].result.cards)
    semis.do(corrections.correct, first, cards)
    assert semis.state.matches["KF"].counts


def test_a_called_follow_up_blocks_too(semis: MemoryHall) -> None:
    first = semis.enter("a", "d", 20, 12)
    semis.enter("b", "c", 20, 12)
    semis.do(matches.call, "KF")
    turned = tuple(reversed(semis.state.matches[first].result.cards))
    with pytest.raises(UserError, match="KF was played"):
        semis.do(corrections.correct, first, turned)
    with pytest.raises(UserError, match="KF was played on it; void that first"):
        semis.do(corrections.void, first)


def test_a_group_result_is_guarded_once_the_tree_is_drawn() -> None:
    hall = MemoryHall(ko_size=2)
    hall.seat("a", "b", "c")
    hall.play_groups(alphabetical)
    hall.do(knockout.draw_ko)
    match = hall.match_of("b", "c")
    turned = tuple(reversed(hall.state.matches[match].result.cards))
    with pytest.raises(UserError, match="changes who qualified"):
        hall.do(corrections.correct, match, turned)
    with pytest.raises(UserError, match="drawn on the groups"):
        hall.do(corrections.void, match)
    hall.do(corrections.correct, match, turned, force=True)
    hall.do(knockout.draw_ko)
    assert hall.state.ko_seeds == ["a", "c"]


# -- the lot and the tree -------------------------------------------------------------------------


def test_a_lot_is_drawn_once_and_decides() -> None:
    hall = MemoryHall(ko_size=2)
    hall.seat("a", "b")
    hall.enter("a", "b", 16, 16)
    assert [set(tie) for tie in knockout.cut_ties(hall.state)] == [{"a", "b"}]
    with pytest.raises(UserError, match="draw the lot first"):
        hall.do(knockout.draw_ko)
    hall.do(knockout.lot, ["b", "a"])
    assert [row.player for row in hall.state.overall_rows()] == ["b", "a"]
    with pytest.raises(UserError, match="not an open tie"):
        hall.do(knockout.lot, ["a", "b"])
    hall.do(knockout.draw_ko)
    assert hall.state.ko_seeds == ["b", "a"]


def test_a_tie_behind_the_cut_needs_no_lot() -> None:
    hall = MemoryHall(ko_size=2)
    hall.seat("a", "b", "c", "d")
    # a 6 points, b 4; c and d drew, and lost 12:20 to both
    hall.play_groups(lambda a, b: (16, 16) if {a, b} == {"c", "d"} else clear(a, b))
    assert [set(tie) for tie in knockout.ties(hall.state)] == [{"c", "d"}]
    assert knockout.cut_ties(hall.state) == []
    hall.do(knockout.draw_ko)
    assert hall.state.ko_seeds == ["a", "b"]


def test_the_plan_is_made_anew_for_fewer_tables(hall: MemoryHall) -> None:
    hall.do(matches.call, "A-1")
    hall.do(entrants.change, ev.Changed(tables=1))
    hall.do(entrants.plan_again)
    rest = [m for m in hall.state.matches.values() if m.id != "A-1"]
    assert {match.table for match in rest} == {1}
    assert sorted(match.slot for match in rest) == [2, 3, 4, 5, 6]


def test_lots_of_group_and_overall_order_never_contradict() -> None:
    """Two groups of two, everything drawn: all four are level, and so are both pairs."""
    for _ in range(8):
        hall = MemoryHall(ko_size=4)
        hall.seat("a", "b", "c", "d", size=2)
        hall.play_groups(lambda a, b: (16, 16))
        hall.do(knockout.draw_lots)
        order = [row.player for row in hall.state.overall_rows()]
        for group in hall.state.groups:
            inside = [row.player for row in hall.state.group_rows(group.id)]
            assert inside == [player for player in order if player in inside]
        assert knockout.ties(hall.state) == []


def test_a_correction_ranks_before_and_after_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """The order across the groups is worked out once for each state: calls, not time."""
    hall = MemoryHall(ko_size=2)
    hall.seat("a", "b", "c")
    hall.play_groups(alphabetical)
    hall.do(knockout.draw_ko)
    hall.state.forget_tables()
    calls: list[int] = []
    ranked = standings.table

    def counted(sums: Any, *rest: Any) -> list[standings.StandingsRow]:
        calls.append(len(sums))
        return ranked(sums, *rest)

    for module in (standings, tournament_state):
        monkeypatch.setattr(module, "table", counted)
    match = hall.match_of("b", "c")
    turned = tuple(reversed(hall.state.matches[match].result.cards))
    corrections.correct(hall.state, match, turned, force=True)
    assert calls == [3, 3]
