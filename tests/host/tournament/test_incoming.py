"""Results from boxes and slips find their match: TO-5."""

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from host_tools.core.errors import Exit, UserError
from host_tools.sim.tournament.simulated_boxes import SimulatedBox
from host_tools.store.models import StoredMatch
from host_tools.tournament import events as ev
from host_tools.tournament.actions import boxes, knockout, matches
from host_tools.tournament.actions import entrants as entrant_commands
from host_tools.tournament.collecting import Collector, of_box, of_slip
from host_tools.tournament.incoming import as_report, find_match
from host_tools.tournament.model import Entrant
from host_tools.tournament.service import TournamentService, command

from .hall import MemoryHall, alphabetical, from_box

SEEN = from_box("b1 4-abcd", "f00d", names=["A", "B"])


@pytest.fixture
def hall() -> MemoryHall:
    """Four players in one group; ids are small letters, names capitals."""
    made = MemoryHall()
    made.seat("a", "b", "c", "d")
    return made


@pytest.mark.parametrize(("names", "cards"), [(["A", "B"], (20, 12)), (["b", "a"], (12, 20))])
def test_names_find_the_match_whoever_sits_where(hall, names, cards) -> None:
    seen = structs.replace(SEEN, names=names)
    match = find_match(hall.state, seen)
    assert not isinstance(match, str)
    assert {match.a, match.b} == {"a", "b"}
    said = as_report(match, seen, hall.state)
    assert said.cards == (cards if match.a == "a" else cards[::-1])
    assert (said.box, said.journal, said.trust) == ("b1", "f00d", "verified")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"names": []}, "names no two players"),
        ({"names": ["A", "Nobody"]}, "names 'Nobody', who is not in the player list"),
        ({"names": ["A", "A"]}, "a and a have no match"),
        ({"match": "A-99"}, "names match 'A-99', which does not exist"),
        ({"tournament": "other"}, "belongs to the tournament 'other'"),
        ({"events": ["Test", "Aarau"]}, "the badge – is of the event 'Aarau'"),
        ({"players": ["a", "b"], "names": ["X", "B"]}, "the badge a says 'X' and names no event"),
        ({"players": ["a", "b"], "names": []}, "the badge a says '' and names no event"),
        ({"counts": ()}, "cannot be read"),
        ({"match": "A-1", "players": ["a", "b"]}, "match A-1 has other players"),
    ],
)
def test_what_fits_no_match_says_why(hall, change, words) -> None:
    hall.state.tournament = "mine"
    found = find_match(hall.state, structs.replace(SEEN, **change))
    assert isinstance(found, str)
    assert words in found


def test_two_players_of_one_name_are_told_apart_by_id_only(hall: MemoryHall) -> None:
    hall.do(entrant_commands.late_entry, Entrant(id="z", name="A", club="other"))
    assert isinstance(find_match(hall.state, SEEN), str)
    assert not isinstance(find_match(hall.state, structs.replace(SEEN, players=["a", "b"])), str)


@pytest.mark.parametrize("players", [["a", ""], ["", "b"], ["a", "b"], ["", ""]])
def test_a_seat_without_an_id_is_found_by_its_name(hall: MemoryHall, players: list[str]) -> None:
    match = find_match(hall.state, structs.replace(SEEN, players=players))
    assert not isinstance(match, str)
    assert {match.a, match.b} == {"a", "b"}


def test_an_id_that_this_tournament_does_not_know_falls_back_on_the_name(hall) -> None:
    match = find_match(hall.state, structs.replace(SEEN, players=["p77", "b"]))
    assert not isinstance(match, str)
    assert {match.a, match.b} == {"a", "b"}


def test_a_player_who_was_renamed_keeps_the_badge(hall: MemoryHall) -> None:
    """The name on the badge is nobody's any more; the id of this event still is."""
    seen = structs.replace(
        SEEN, names=["Maiden-Name", "B"], players=["a", "b"], events=["Test", "Test"]
    )
    assert not isinstance(find_match(hall.state, seen), str)


def test_a_badge_of_another_event_is_not_taken_for_the_player_with_its_id(hall) -> None:
    """Ids are short and come again every year: here `c` is somebody else, and A plays too; even
    where a badge has the same id and name as somebody here, its event is another one.
    """
    found = find_match(hall.state, structs.replace(SEEN, players=["c", "b"]))
    assert isinstance(found, str)
    assert "the badge" in found
    alike = structs.replace(SEEN, players=["a", "b"], events=["Aarau", "Aarau"])
    assert "of the event 'Aarau'" in find_match(hall.state, alike)


def test_a_name_that_two_tournaments_have_tells_no_badge_apart(hall: MemoryHall) -> None:
    alike = structs.replace(SEEN, players=["a", "b"], events=["Test", "Test"])
    assert not isinstance(find_match(hall.state, alike), str)
    hall.state.others = frozenset({"test"})
    assert isinstance(find_match(hall.state, alike), str)
    hall.state.tournament = "test"  # its id says so
    assert not isinstance(find_match(hall.state, alike), str)


def test_a_match_that_is_named_needs_one_of_its_players(hall: MemoryHall) -> None:
    """A tournament that was deleted and made once more has the same ids, and other people."""
    hall.state.tournament = "mine"
    match = hall.state.matches["A-1"]
    seen = structs.replace(
        SEEN, tournament="mine", match="A-1", players=[match.a, match.b], names=["X", "Y"]
    )
    assert "has other players" in find_match(hall.state, seen)
    renamed = structs.replace(seen, names=["X", hall.state.players[match.b].name])
    assert not isinstance(find_match(hall.state, renamed), str)


def test_a_slip_knows_twenty_characters_of_a_name() -> None:
    hall = MemoryHall()
    long = "Maximiliane Überlang-Öztürk"
    hall.do(entrant_commands.add_players, [Entrant(id="a", name=long), Entrant(id="b", name="B")])
    hall.do(entrant_commands.draw, 2, 1, True)
    found = find_match(hall.state, structs.replace(SEEN, names=[long[:20], "B"]))
    assert not isinstance(found, str)


def test_the_stage_tells_group_and_knock_out_apart(hall: MemoryHall) -> None:
    hall.play_groups(alphabetical)
    hall.do(knockout.draw_ko)
    pair = structs.replace(SEEN, names=["A", "D"])
    group, tree = (
        find_match(hall.state, pair),
        find_match(hall.state, structs.replace(pair, stage="ko")),
    )
    assert not isinstance(group, str)
    assert not isinstance(tree, str)
    assert (group.group, tree.round) == ("A", "1/2")


def test_a_slip_does_not_name_the_stage(hall: MemoryHall) -> None:
    """The same two meet twice: their slips go to the match that is played, or was told so."""
    hall.play_groups(alphabetical)
    hall.do(knockout.draw_ko)
    slip = structs.replace(SEEN, source="slip", stage="", names=["A", "D"], duration_s=500)
    tree = find_match(hall.state, slip)
    assert not isinstance(tree, str)
    assert tree.round == "1/2"
    hall.do(matches.report, as_report(tree, structs.replace(slip, source="box"), hall.state))
    hall.do(matches.check, tree.id)
    late = find_match(hall.state, slip)  # its slip after its journal
    assert not isinstance(late, str)
    assert late.id == tree.id


@pytest.mark.parametrize(
    ("counts", "ranking", "reason", "told"),
    [
        ((20, 12), [[0], [1]], "time", ((20, 12), "played", None)),
        ((16, 16), [[0, 1]], "time", ((16, 16), "played", None)),
        ((16, 16), [[1], [0]], "jury", ((16, 16), "played", "second")),
        ((14, 10), [[0, 1]], "all_tied", ((14, 10), "drawn", None)),
        ((14, 10), [[1], [0]], "jury", ((14, 10), "drawn", "second")),
        ((12, 0), [[0], [1]], "forfeit", ((12, 0), "forfeit", None)),
        ((0, 12), [[1], [0]], "excluded", ((0, 12), "excluded", None)),
    ],
)
def test_what_a_box_says(hall, counts, ranking, reason, told) -> None:
    match = hall.state.matches["A-1"]
    seen = structs.replace(
        SEEN, names=[match.a, match.b], counts=counts, ranking=ranking, reason=reason
    )
    said = as_report(match, seen, hall.state)
    winner = match.b if told[2] else None
    assert (said.cards, said.kind, said.winner) == (told[0], told[1], winner)
    assert matches.report(hall.state, said)


# -- collecting -----------------------------------------------------------------------------------


@pytest.fixture
def service(tmp_path: Path) -> Iterator[TournamentService]:
    """Three players in one group, in a database."""
    made = ev.Created(name="Cup", ko_size=2, tables=2, decks=["berge"])
    service = TournamentService.create(str(tmp_path / "schiri.db"), "desk", made)
    entrants = [
        Entrant(id=f"p{n}", name=name) for n, name in enumerate(["Anna", "Jörg", "Şebnem"])
    ]
    service.do("desk", "", command(entrant_commands.add_players, entrants))
    service.do("desk", "", command(entrant_commands.draw, 3, 1, True))
    yield service
    service.close()


def test_a_box_match_is_verified_stored_reported_and_checked(service) -> None:
    box = SimulatedBox(1, random.Random(1))
    match = service.state.matches["A-1"]
    result = box.play(service.state, match)
    assert [stored.state for stored in box.upload(service.store)] == ["verified"]
    outcomes = Collector(service, "desk", check=True).collect()
    assert [(outcome.match, outcome.why) for outcome in outcomes] == [("A-1", "")]
    match = service.state.matches[match.id]
    said = match.reports[0]
    assert (list(said.cards), said.trust, said.box) == (result["counts"], "verified", "sim01")
    assert said.duration_s is not None
    assert 0 < said.duration_s <= 11 * 60
    assert match.status == "checked"
    assert Collector(service, "desk").collect() == []


def test_a_database_that_fails_in_between_loses_no_result(service, monkeypatch) -> None:
    """Nobody but a restart would have looked again at what was read before it failed."""
    box = SimulatedBox(1, random.Random(1))
    for name in ("A-1", "A-2"):
        box.play(service.state, service.state.matches[name])
    box.upload(service.store)
    read, asked = service.store.match, []

    def fail_once(number: int) -> StoredMatch | None:
        asked.append(number)
        if len(asked) == 2:
            raise UserError("db_full", Exit.SYSTEM, where="the disk")
        return read(number)

    monkeypatch.setattr(service.store, "match", fail_once)
    collector = Collector(service, "desk")
    with pytest.raises(UserError, match="is full"):
        collector.collect()
    assert {outcome.match for outcome in collector.collect()} == {"A-1", "A-2"}


def test_box_and_slip_of_one_match_are_two_witnesses(service, tmp_path: Path) -> None:
    box = SimulatedBox(1, random.Random(2))
    match = service.state.matches["A-1"]
    result = box.play(service.state, match)
    box.upload(service.store)
    slip = slip_of(service, match, [result["counts"][0], result["counts"][1] + 1])
    book = tmp_path / "slips.jsonl"
    book.write_text(json.dumps(slip) + "\n", encoding="utf8")
    collector = Collector(service, "desk", check=True)
    collector.collect([book])
    assert collector.collect([book]) == []
    match = service.state.matches[match.id]
    assert [report.source for report in match.reports] == ["box", "slip"]
    assert match.doubtful


def slip_of(service, match, counts):
    names = [service.state.players[player].name for player in (match.a, match.b)]
    seats = [
        {"name": name, "count": count, "points": 2, "place": place}
        for name, count, place in zip(names, counts, (1, 2), strict=True)
    ]
    return {
        "match": "1-abcd",
        "box": "sim01",
        "game": "trumpf",
        "table": "1",
        "reason": "time",
        "duration_s": 600,
        "head": "00" * 32,
        "seats": seats,
    }


def test_a_slip_alone_is_a_witness(service) -> None:
    match = service.state.matches["A-1"]
    seen = of_slip(slip_of(service, match, [20, 12]))
    said = as_report(match, seen, service.state)
    assert (said.source, said.cards, said.duration_s) == ("slip", (20, 12), 600)


def test_what_fits_no_match_waits_and_is_tried_again(service) -> None:
    stranger = SimulatedBox(1, random.Random(3))
    service.do("desk", "", command(entrant_commands.add_players, [Entrant(id="x", name="Emil")]))
    state, match = service.state, service.state.matches["A-1"]
    aside = replace(match, b="x")
    stranger.play(state, aside)
    stranger.upload(service.store)
    collector = Collector(service, "desk")
    assert "have no match" in collector.collect()[0].why
    service.do("desk", "", command(entrant_commands.late_entry, state.players["x"]))
    assert collector.collect()[0].match == service_match(service, match.a, "x")
    assert collector.collect() == []


def service_match(service, a: str, b: str) -> str:
    return next(m.id for m in service.state.matches.values() if {m.a, m.b} == {a, b})


def test_a_match_that_was_not_finished_is_no_witness() -> None:
    row = {"header": {}, "state": "unverified", "reason": "the match was not finished on the box"}
    assert of_box(StoredMatch(result=None, **row)) is None
    assert of_box(StoredMatch(result={"over": False, "counts": [1, 2]}, **row)) is None


@pytest.mark.parametrize("text", ["nonsense", "{}", '{"seats": [1, 2]}'])
def test_a_slip_book_that_is_none_names_the_line(service, tmp_path: Path, text: str) -> None:
    book = tmp_path / "slips.jsonl"
    book.write_text(text + "\n", encoding="utf8")
    with pytest.raises(UserError, match="line 1: is no booked slip"):
        Collector(service, "desk").collect([book])


# -- what fits no match ---------------------------------------------------------------------------


def stranger_plays(service) -> None:
    """Somebody who has no match against Anna sits down with her at a box; it is synced."""
    service.do("desk", "", command(entrant_commands.add_players, [Entrant(id="x", name="Emil")]))
    box = SimulatedBox(1, random.Random(3))
    box.play(service.state, replace(service.state.matches["A-1"], b="x"))
    box.upload(service.store)


def test_what_fits_no_match_is_a_task_once_and_survives_a_restart(service, tmp_path: Path) -> None:
    stranger_plays(service)
    for _ in range(3):
        Collector(service, "box").collect()
    again = TournamentService.open(str(tmp_path / "schiri.db"))
    Collector(again, "other desk").collect()
    tasks = again.state.to_place()
    assert [(task.source, "Emil" in task.names, task.box) for task in tasks] == [
        ("box", True, "sim01")
    ]
    assert sum(tasks[0].counts) <= 36
    assert [event.body for event in again.events() if isinstance(event.body, ev.Unplaced)] == tasks
    again.close()


def test_a_task_is_given_to_a_match_by_somebody_who_knows(service) -> None:
    stranger_plays(service)
    collector = Collector(service, "box")
    collector.collect()
    task = service.state.to_place()[0]
    with pytest.raises(UserError, match="do not tell who sat where"):
        service.do("desk", "", command(boxes.assign, task.journal, "A-2"))
    match = service.state.matches["A-2"]
    service.do("desk", "Emil played for him", command(boxes.assign, task.journal, "A-2", match.b))
    match = service.state.matches[match.id]
    said = match.reports[0]
    assert said.cards == task.counts[::-1]  # the second player of the match sat at the first seat
    assert (said.journal, said.trust, match.status) == (task.journal, "verified", "reported")
    assert service.state.to_place() == []
    assert collector.collect() == []


def test_a_task_is_dismissed_for_good_but_not_lost(service) -> None:
    stranger_plays(service)
    Collector(service, "box").collect()
    task = service.state.to_place()[0]
    service.do("desk", "a trial", command(boxes.dismiss, task.journal[:12]))
    assert service.events()[-1].why == "a trial"
    assert Collector(service, "box").collect() == []
    assert service.state.to_place() == []
    match = service.state.matches["A-1"]
    service.do("desk", "", command(boxes.assign, task.journal, "A-1", match.a))
    match = service.state.matches[match.id]
    assert match.reports[0].journal == task.journal


def test_two_of_the_same_name_are_not_guessed(service) -> None:
    name = service.state.players["p0"].name
    service.do(
        "desk", "", command(entrant_commands.late_entry, Entrant(id="z", name=name, club="other"))
    )
    match = next(m for m in service.state.matches.values() if "p0" in (m.a, m.b))
    seen = structs.replace(SEEN, names=[service.state.players[p].name for p in (match.a, match.b)])
    found = find_match(service.state, seen)
    assert isinstance(found, str)
    assert "several are called so" in found


def test_a_slip_that_fits_no_match_is_a_task_too(service, tmp_path: Path) -> None:
    slip = slip_of(service, service.state.matches["A-1"], [20, 12])
    slip["seats"][0]["name"] = "Nobody"
    book = tmp_path / "slips.jsonl"
    book.write_text(json.dumps(slip) + "\n", encoding="utf8")
    Collector(service, "desk").collect([book])
    assert [(task.source, task.names[0]) for task in service.state.to_place()] == [
        ("slip", "Nobody")
    ]
