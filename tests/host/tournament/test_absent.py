"""Two who did not play: neither wins, and neither has points (SW-7b)."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from host_tools.core.errors import UserError
from host_tools.tournament import view
from host_tools.tournament.actions import corrections, entrants, knockout, matches
from host_tools.tournament.service import TournamentService
from host_tools.tournament.verifying import verify
from tests.support.hall_day import StepClock, open_day

Do = Callable[..., object]


@pytest.fixture
def clock() -> StepClock:
    return StepClock()


@pytest.fixture
def service(tmp_path: Path, clock: StepClock) -> TournamentService:
    """Two groups of four."""
    return open_day(str(tmp_path / "day.db"), players=8, ko_size=4, clock=clock)


def do(service: TournamentService, command: Callable[..., object], *arguments: object) -> None:
    service.do("Anna", "", lambda state: command(state, *arguments))  # type: ignore[arg-type,return-value]


def points(service: TournamentService, group: str) -> dict[str, tuple[int, int, int]]:
    """Player -> points, cards, matches."""
    rows = service.state.group_rows(group)
    return {row.player: (row.points, row.cards, row.played) for row in rows}


def test_neither_of_two_who_did_not_come_has_a_point(
    service: TournamentService, clock: StepClock
) -> None:
    do(service, matches.call, "A-1")
    match = service.state.matches["A-1"]
    with pytest.raises(UserError, match="seconds are left"):
        do(service, matches.both_absent, "A-1", clock.now)
    do(service, matches.both_absent, "A-1", clock.now + timedelta(seconds=121))
    after = service.state.matches["A-1"]
    assert view.score(after.result) == "0:0*"
    assert after.status == "checked"
    table = points(service, "A")
    assert (table[match.a], table[match.b]) == ((0, 0, 1), (0, 0, 1))
    assert verify(service).events == service.last_seq()
    do(service, corrections.void, "A-1")  # the jury has it replayed
    assert points(service, "A")[match.a] == (0, 0, 0)


def test_who_sits_at_the_table_is_not_absent(service: TournamentService, clock: StepClock) -> None:
    do(service, matches.call, "A-1")
    match = service.state.matches["A-1"]
    from host_tools.tournament.actions.boxes import at_table

    do(service, at_table, "A-1", [match.a])
    with pytest.raises(UserError, match="table"):
        do(service, matches.both_absent, "A-1", clock.now + timedelta(seconds=200))


@pytest.mark.parametrize("leave", [entrants.withdraw, entrants.exclude])
def test_of_two_who_have_left_neither_keeps_a_win(service: TournamentService, leave: Do) -> None:
    match = service.state.matches["A-1"]
    do(service, entrants.withdraw, match.a)
    assert service.state.matches["A-1"].result.ahead() == match.b  # type: ignore[union-attr]
    do(service, leave, match.b)
    result = service.state.matches["A-1"].result
    assert result is not None
    assert (result.kind, result.cards, result.ahead()) == ("absent", (0, 0), None)
    table = points(service, "A")
    assert (table[match.a][0], table[match.b][0]) == (0, 0)
    # the other two have beaten both, 12:0 each
    others = [player for player in table if player not in (match.a, match.b)]
    assert [table[player] for player in others] == [(4, 24, 2)] * 2
    assert verify(service).events == service.last_seq()


def test_a_win_over_somebody_late_stays_when_the_winner_leaves(
    service: TournamentService, clock: StepClock
) -> None:
    """Whoever was there has won; both leave only later."""
    do(service, matches.call, "A-1")
    match = service.state.matches["A-1"]
    do(service, matches.no_show, "A-1", match.a, clock.now + timedelta(seconds=121))
    do(service, entrants.withdraw, match.a)
    do(service, entrants.withdraw, match.b)
    assert service.state.matches["A-1"].result.ahead() == match.b  # type: ignore[union-attr]


def test_where_nobody_comes_in_the_knock_out_the_other_side_has_a_bye(
    service: TournamentService, clock: StepClock
) -> None:
    for number, match in enumerate(service.state.matches):
        do(service, matches.enter, match, (20 + number % 5, 12 - number % 5))
    if knockout.ties(service.state):
        do(service, knockout.draw_lots)
    do(service, knockout.draw_ko)
    late = clock.now + timedelta(seconds=121)
    do(service, matches.call, "K2-1")
    do(service, matches.both_absent, "K2-1", late)
    other = service.state.matches["K2-2"]
    assert {"KF", "K3"} & set(service.state.matches) == set()
    do(service, matches.enter, "K2-2", (20, 12))
    # the winner of the other semi-final has no opponent, nor has its loser
    assert {"KF", "K3"} & set(service.state.matches) == set()
    assert service.state.bracket is not None
    assert service.state.bracket.champion == other.a
    places = [(place.place, place.player) for place in service.state.final_places()]
    assert places[0] == (1, other.a)
    assert sorted(player for _, player in places) == sorted(service.state.players)
    assert verify(service).events == service.last_seq()
    do(service, corrections.void, "K2-1")  # replayed: the final is to be played
    do(service, matches.enter, "K2-1", (12, 20))
    assert {"KF", "K3"} <= set(service.state.matches)


def test_a_final_has_a_winner(service: TournamentService, clock: StepClock) -> None:
    for number, match in enumerate(service.state.matches):
        do(service, matches.enter, match, (20 + number % 5, 12 - number % 5))
    if knockout.ties(service.state):
        do(service, knockout.draw_lots)
    do(service, knockout.draw_ko)
    for match in ("K2-1", "K2-2"):
        do(service, matches.enter, match, (20, 12))
    do(service, matches.call, "KF")
    with pytest.raises(UserError, match="the final has a winner"):
        do(service, matches.both_absent, "KF", clock.now + timedelta(seconds=200))


def test_the_two_minutes_are_counted_from_the_very_moment_of_the_call(
    service: TournamentService, clock: StepClock
) -> None:
    """SW-7: lost when more than 120.000 s are over; the call was not at a full second."""
    called = clock.now = clock.now + timedelta(milliseconds=900)
    do(service, matches.call, "A-1")
    missing = service.state.matches["A-1"].a
    for late_ms in (119_001, 119_999, 120_000):
        now = called + timedelta(milliseconds=late_ms)
        with pytest.raises(UserError, match="1 second is left"):
            do(service, matches.no_show, "A-1", missing, now)
    do(service, matches.no_show, "A-1", missing, called + timedelta(milliseconds=120_001))
    assert service.state.matches["A-1"].result is not None
