"""Results typed one after the other: many lines at once, the terminal's grid, and the undo."""

import io
import json
from functools import partial
from pathlib import Path

import pytest

from host_tools.core.errors import UserError
from host_tools.tournament import events as ev
from host_tools.tournament import view
from host_tools.tournament.actions import corrections, matches
from host_tools.tournament.service import TournamentService, command
from host_tools.tournament.state import MatchState
from host_tools.tournament.verifying import verify
from tests.support.hall_day import StepClock, open_day, play_groups, play_knock_out

from .test_tournament_commands import Run, data, day, run

__all__ = ["day", "run"]


@pytest.fixture
def clock() -> StepClock:
    return StepClock()


@pytest.fixture
def service(tmp_path: Path, clock: StepClock) -> TournamentService:
    """Eight players in two groups; slot 1 has A-1 and A-2 … at tables 1 to 4."""
    return open_day(str(tmp_path / "day.db"), players=8, ko_size=4, clock=clock)


def enter(service: TournamentService, who: str, match: str, cards: tuple[int, int]) -> None:
    service.do(who, "", command(matches.enter, match, cards))


def undo(service: TournamentService, who: str, clock: StepClock, match: str = "") -> None:
    service.do(who, "", command(corrections.undo, who, clock(), match))


def known(match: MatchState) -> tuple[object, ...]:
    said = [(report.source, report.cards) for report in match.reports]
    return match.status, match.result and match.result.cards, said, match.contradicted


# -- the undo -------------------------------------------------------------------------------------


def test_an_undo_leaves_the_tournament_as_it_was_and_the_log_tells_both(
    service: TournamentService, clock: StepClock
) -> None:
    service.do("Anna", "", command(matches.call, "A-1"))
    before = service.state
    enter(service, "Anna", "A-1", (20, 12))
    counted = ("checked", (20, 12), [("paper", (20, 12))], False)
    assert known(service.state.matches["A-1"]) == counted
    clock.advance(60)
    undo(service, "Anna", clock)
    assert service.state.digest() == before.digest()
    assert service.state.group_rows("A") == before.group_rows("A")
    tags = [event.body.__struct_config__.tag for event in service.events()[-3:]]
    assert tags == ["reported", "checked", "undone"]
    again = TournamentService(service.store, service.id)  # folded from the log
    assert again.state.digest() == before.digest()
    assert verify(again).events == len(service.events())


def test_who_entered_may_undo_for_a_minute_the_last_one_first(
    service: TournamentService, clock: StepClock
) -> None:
    enter(service, "Anna", "A-1", (20, 12))
    clock.advance(30)
    enter(service, "Anna", "B-1", (21, 11))
    enter(service, "Beat", "A-2", (22, 10))
    with pytest.raises(UserError, match="A-2: you did not enter its result"):
        undo(service, "Anna", clock, "A-2")
    undo(service, "Anna", clock)
    assert [service.state.matches[m].counts for m in ("A-1", "B-1", "A-2")] == [True, False, True]
    clock.advance(31)
    with pytest.raises(UserError, match="A-1 was entered more than 60 seconds ago"):
        undo(service, "Anna", clock)
    with pytest.raises(UserError, match="you have entered no result"):
        undo(service, "Emil", clock)
    with pytest.raises(UserError, match="B-1 is open"):
        undo(service, "Anna", clock, "B-1")


def test_what_came_after_the_entry_stands(service: TournamentService, clock: StepClock) -> None:
    box = ev.Reported(match="A-1", cards=(19, 13), source="box", box="b1", journal="j1")
    enter(service, "Anna", "A-1", (20, 12))
    service.do("box", "", command(matches.report, box))
    undo(service, "Anna", clock)  # what the box says stays, and may be checked
    assert known(service.state.matches["A-1"]) == ("reported", None, [("box", (19, 13))], False)
    enter(service, "Anna", "A-1", (20, 12))  # box and paper disagree: nothing counts
    said = partial(matches.check, match_id="A-1", cards=(19, 13))
    service.do("Beat", "", said)
    with pytest.raises(UserError, match="you did not enter its result, or it was changed since"):
        undo(service, "Anna", clock, "A-1")
    enter(service, "Anna", "B-1", (20, 12))
    service.do("Anna", "", command(matches.lock, "B-1"))
    with pytest.raises(UserError, match="B-1 is locked"):
        undo(service, "Anna", clock, "B-1")


def test_nothing_is_undone_that_was_built_on(service: TournamentService, clock: StepClock) -> None:
    play_groups(service)  # Beat enters them all within the same second
    assert view.stage_now(service.state) == "3"
    play_knock_out(service, rounds=1)
    with pytest.raises(UserError, match="the knock-out is drawn on the groups"):
        undo(service, "Beat", clock, "B-1")
    service.do("Anna", "", command(matches.call, "KF", table=1))
    with pytest.raises(UserError, match="KF was played on it"):
        undo(service, "Beat", clock, "K2-1")
    service.do("Jury", "", command(matches.enter, "K3", (12, 0), "excluded"))
    with pytest.raises(UserError, match="an exclusion cannot be undone"):
        undo(service, "Jury", clock, "K3")


def test_an_undone_knock_out_match_takes_its_winner_back(
    service: TournamentService, clock: StepClock
) -> None:
    play_groups(service)
    play_knock_out(service, rounds=0)
    before = service.state
    for match in ("K2-1", "K2-2"):
        enter(service, "Beat", match, (20, 12))
    assert {"KF", "K3"} <= set(service.state.matches)
    undo(service, "Beat", clock)
    assert not {"KF", "K3"} & set(service.state.matches)
    undo(service, "Beat", clock)  # the one before it
    assert service.state.digest() == before.digest()


# -- slots and rounds -----------------------------------------------------------------------------


def test_the_stage_is_the_one_whose_results_are_awaited(service: TournamentService) -> None:
    assert view.stages(service.state) == ["1", "2", "3"]
    assert view.stage_now(service.state) == "1"
    for match in view.of_stage(service.state, "1")[:3]:
        enter(service, "Anna", match.id, (20, 12))
    for match in view.of_stage(service.state, "2")[:2]:
        service.do("Anna", "", command(matches.call, match.id))
    assert view.stage_now(service.state) == "2"  # a straggler does not hold it up
    play_groups(service)
    play_knock_out(service, rounds=0)
    assert view.stages(service.state) == ["1", "2", "3", "1/2"]
    assert view.stage_now(service.state) == "1/2"
    assert [match.id for match in view.of_stage(service.state, "1/2")] == ["K2-1", "K2-2"]


# -- many lines -----------------------------------------------------------------------------------


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_a_file_enters_all_of_its_lines(
    day: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = "# slot 1\nA-1 20:14\n\nA-2;21;13\nA-3, 22, 12  # late\n"
    (tmp_path / "results.txt").write_text(lines, encoding="utf-16")
    code, out, err = day("enter", "--from", str(tmp_path / "results.txt"))
    assert (code, err) == (0, "")
    assert len(out.splitlines()) == 6
    # the same file once more, and one line more, by table: the rest of 34 cards is the other's
    table = next(m for m in data(day, "matches") if m["match"] == "A-4")
    typed(monkeypatch, *lines.splitlines(), f"{table['table']} 9")
    done = data(day, "enter", "--from", "-", "--stage", str(table["slot"]))
    assert [event["body"]["is"] for event in done] == ["reported", "checked"]
    assert done[0]["body"]["match"] == "A-4"
    assert done[0]["body"]["cards"] == [9, 25]


def test_a_bad_line_is_one_sentence_with_its_number_and_nothing_is_entered(
    day: Run, tmp_path: Path
) -> None:
    path = tmp_path / "results.txt"
    path.write_text(
        "A-1 20:14\nA-1 19:15\nA-9 20:14\nA-2 twenty\nA-3 30:5\n9 20 14\nA-4 20:13\n", "utf8"
    )
    before = data(day, "verify")["events"]
    code, out, err = day("enter", "--from", str(path))
    assert (code, out) == (2, "")
    assert err.removeprefix("schiri: ").splitlines() == [
        f"{path}, line 2: match A-1 is checked already; correct it instead",
        f"{path}, line 3: there is no match 'A-9'; see the list of matches",
        f"{path}, line 4: 'A-2 twenty' is no result; write table or match, and the cards or"
        " places: 5 20 12, A-3 20:12, or 5 2143",
        f"{path}, line 5: match A-3: 30:5 makes 35 cards, 34 are played with; look at the slip"
        " again",
        f"{path}, line 6: there is no match at table 9 (slot or round: 1)",
        f"{path}, line 7: match A-4: 20:13 makes 33 cards, an odd number; look again, and confirm"
        " it if it is right",
    ]
    assert data(day, "verify")["events"] == before
    assert "gone.txt: cannot be read" in day("enter", "--from", "gone.txt")[2]


# -- the grid of the terminal ---------------------------------------------------------------------


def test_results_are_typed_one_after_the_other_at_the_terminal(
    day: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = {m["table"]: m["match"] for m in data(day, "matches") if m["slot"] == 1}
    assert sorted(at) == [1, 2]
    # entered, undone, entered anew; an odd one is asked about and not, then really entered
    lines = ["1 20 14", "u", "1 14", "2 20 13", "n", "2 30 9", "2 20 13", "y", "?", "", "1 3 3"]
    typed(monkeypatch, *lines)
    code, out, err = day("enter")
    assert code == 0
    found = {m["match"]: m for m in data(day, "matches")}
    assert found[at[1]]["cards"] == [14, 20]
    assert found[at[2]]["cards"] == [20, 13]
    assert out.count("┏") == 2  # the matches of slot 1, at the start and when asked for
    assert "entry 20:14 (paper) undone" in out
    assert "33 cards, an odd number" in err
    assert "34 are played with" in err


@pytest.mark.parametrize(
    ("lines", "made"),
    [(["?", "1 20 14", "u", ""], ["reported", "checked", "undone"]), ([""], [])],
)
def test_with_json_stdout_of_the_grid_is_one_document(
    day: Run, monkeypatch: pytest.MonkeyPatch, lines: list[str], made: list[str]
) -> None:
    typed(monkeypatch, *lines)
    code, out, err = day("enter", "--json")
    assert code == 0
    assert [entry["body"]["is"] for entry in json.loads(out)] == made
    assert err.count("┏") == 1 + lines.count("?")
