"""The service on SQLite and PostgreSQL: several desks, one log, nothing lost and nothing twice."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

import pytest
from sqlalchemy import text

from host_tools.core.errors import UserError
from host_tools.core.names import slug
from host_tools.store import open_store
from host_tools.tournament import events as ev
from host_tools.tournament.actions import corrections, knockout
from host_tools.tournament.actions import entrants as entrant_commands
from host_tools.tournament.actions import matches as match_commands
from host_tools.tournament.model import Entrant
from host_tools.tournament.service import TournamentService, command
from host_tools.tournament.state import TournamentState, fold
from host_tools.tournament.verifying import verify
from tests.processes import LIMIT_S, started

ROOT = Path(__file__).resolve().parents[3]
NOON = datetime(2026, 3, 7, 12, 0, tzinfo=UTC)


def make(db: str, players: int = 4, **setup: object) -> TournamentService:
    """A tournament with drawn groups."""
    made = ev.Created(**{"name": "Zürich Cup", "ko_size": 4, "tables": 2, **setup})
    service = TournamentService.create(db, "desk", made, clock=lambda: NOON)
    entrants = [Entrant(id=f"p{n:02}", name=f"N{n}") for n in range(players)]
    service.do("desk", "", command(entrant_commands.add_players, entrants))
    service.do("desk", "", command(entrant_commands.draw, players, 1, True))
    return service


@pytest.fixture
def service(database: str) -> Iterator[TournamentService]:
    """Four players in one group, in either database."""
    made = make(database)
    yield made
    made.close()


def test_the_id_comes_from_the_name() -> None:
    assert slug("Zürich Cup 2026!") == "zurich-cup-2026"
    assert slug("…") == "tournament"


def test_a_second_desk_sees_what_the_first_one_did(service, database: str) -> None:
    other = TournamentService.open(database)
    before = other.last_seq()
    service.do("Anna", "paper", command(match_commands.enter, "A-1", (20, 12)))
    assert other.state.matches["A-1"].result is not None
    assert [event.seq for event in other.news(before)[1]] == [before + 1, before + 2]
    event = other.events(before)[0]
    assert (event.actor, event.why, event.at) == ("Anna", "paper", "2026-03-07T12:00:00+00:00")
    service.do("Anna", "", command(match_commands.lock, "A-1"))
    assert other.state.matches["A-1"].status == "locked"
    assert [event.seq for event in other.news(before + 2)[1]] == [before + 3]
    other.close()


def test_a_wish_is_judged_on_what_the_other_desk_just_did(service, database: str) -> None:
    other = TournamentService.open(database)
    service.do("Anna", "", command(match_commands.enter, "A-1", (20, 12)))
    with pytest.raises(UserError, match="A-1 is checked already"):
        other.do("Berta", "", command(match_commands.enter, "A-1", (20, 12)))
    other.close()


def test_a_desk_that_is_overtaken_judges_anew(service, database: str) -> None:
    """The other desk writes between the judging and the writing."""
    other = TournamentService.open(database)
    judged: list[int] = []

    def overtaken(state):
        if not judged:
            other.do("Berta", "", command(match_commands.enter, "A-2", (20, 12)))
        judged.append(state.seq)
        return match_commands.enter(state, "A-1", (20, 12))

    service.do("Anna", "", overtaken)
    assert len(judged) == 2
    assert judged[1] == judged[0] + 2
    assert service.state.digest() == other.state.digest()
    assert [event.seq for event in service.events()] == list(range(1, service.last_seq() + 1))
    other.close()


def test_two_desks_at_once_never_lose_or_double_a_result(database: str) -> None:
    """Three processes enter every match of a group of ten, each with cards of its own."""
    service = make(database, players=10)
    matches = list(service.state.matches)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": ROOT}
    program = [sys.executable, "-m", "tests.host.tournament.two_desks", database]
    with ExitStack() as running:
        desks = [
            running.enter_context(started([*program, name, cards], **pipes))
            for name, cards in (("Anna", "20"), ("Berta", "21"), ("Emil", "22"))
        ]
        for process in desks:
            assert process.stdout.readline() == "ready\n"
        for process in desks:  # now all of them are ready
            process.stdin.write("go\n")
            process.stdin.flush()
        entered = [int(process.communicate(timeout=500)[0]) for process in desks]
    assert [process.returncode for process in desks] == [0, 0, 0]
    assert sum(entered) == len(matches) == 45
    state = service.state
    assert all(match.result is not None for match in state.matches.values())
    by_actor = {"Anna": 20, "Berta": 21, "Emil": 22}
    checked = [event for event in service.events() if isinstance(event.body, ev.Checked)]
    assert len(checked) == 45
    for event in checked:
        assert event.body.cards == (by_actor[event.actor], 1)
    assert [event.seq for event in service.events()] == list(range(1, state.seq + 1))
    assert verify(service).events == state.seq
    service.close()


def test_nothing_of_a_refused_wish_is_kept(service) -> None:
    before = (service.last_seq(), service.state.digest())

    def half(state):
        bodies = match_commands.enter(state, "A-1", (20, 12))
        match_commands.enter(state, "A-9", (20, 12))
        return bodies

    with pytest.raises(UserError, match="no match 'A-9'"):
        service.do("desk", "", half)
    assert (service.last_seq(), service.state.digest()) == before


def test_what_cannot_be_folded_never_comes_into_the_log(service) -> None:
    before = (service.last_seq(), service.state.digest())
    with pytest.raises(KeyError):
        service.do("desk", "", lambda _: [ev.Locked(match="A-1"), ev.Locked(match="gone")])
    assert (service.last_seq(), service.state.digest()) == before


@pytest.mark.parametrize("body", get_args(ev.AnyBody))
def test_every_event_is_folded_by_the_method_of_its_name(body) -> None:
    assert callable(getattr(TournamentState, f"_{body.__struct_config__.tag}"))


def test_the_log_alone_gives_the_same(service) -> None:
    service.do("desk", "", command(match_commands.enter, "A-1", (20, 12)))
    service.do("jury", "again", command(corrections.correct, "A-1", (19, 13)))
    again = fold(ev.decode(ev.encode(event)) for event in service.events())
    assert again.digest() == service.state.digest()
    assert again.overall_rows() == service.state.overall_rows()


def test_verify_compares_states_in_between(service) -> None:
    for match in list(service.state.matches):
        for _ in range(10):
            service.do("desk", "", command(match_commands.enter, match, (20, 12)))
            service.do("desk", "", command(corrections.void, match))
    found = verify(service)
    assert found.events == service.last_seq()
    assert found.digests == found.events // 50
    assert found.head == service.lines()[-1].chain


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("UPDATE tournament_events SET line = replace(line, '20,12', '12,20')", "was changed"),
        ("DELETE FROM tournament_events WHERE seq = 3", "event 3 is missing"),
    ],
)
def test_a_log_changed_by_hand_is_found(service, change: str, words: str) -> None:
    service.do("desk", "", command(match_commands.enter, "A-1", (20, 12)))
    with service.store.engine.begin() as connection:
        connection.execute(text(change))
    with pytest.raises(UserError, match=words) as caught:
        verify(service)
    assert caught.value.exit_code == 1


def test_a_line_of_a_newer_version_is_a_sentence(service, database: str) -> None:
    with service.store.engine.begin() as connection:
        connection.execute(text("UPDATE tournament_events SET line = '{}' WHERE seq = 2"))
    with pytest.raises(UserError, match="event 2 of the log cannot be read"):
        TournamentService.open(database)


def test_which_tournament_must_be_said_if_there_are_several(service, database: str) -> None:
    second = TournamentService.create(database, "desk", ev.Created(name="Other"))
    assert second.id == "other"
    with pytest.raises(UserError, match="--tournament with one of zurich-cup, other"):
        TournamentService.open(database)
    assert TournamentService.open(database, "zurich-cup").state.setup.name == "Zürich Cup"
    with pytest.raises(UserError, match="no tournament 'none'"):
        TournamentService.open(database, "none")
    with pytest.raises(UserError, match="there is a tournament 'other' already"):
        TournamentService.create(database, "desk", ev.Created(name="Other"))
    with pytest.raises(UserError, match="is no id"):
        TournamentService.create(database, "desk", ev.Created(name="x"), "Not An Id")
    second.close()


def test_a_database_without_tournaments_says_what_to_do(database: str) -> None:
    open_store(database).close()
    with pytest.raises(UserError, match="schiri tournament new NAME"):
        TournamentService.open(database)


def test_a_log_is_restored_as_it_was(service, database: str) -> None:
    service.do("Anna", "paper", command(match_commands.enter, "A-1", (20, 12)))
    copy = TournamentService.restore(database, service.events(), "copy")
    assert copy.events() == service.events()
    assert copy.lines()[-1].chain == service.lines()[-1].chain
    copy.close()
    with pytest.raises(UserError, match="does not begin with the making"):
        TournamentService.restore(database, service.events()[1:], "bad")
    with pytest.raises(UserError, match="event 3 of the log fits nothing"):
        TournamentService.restore(database, [*service.events()[:1], service.events()[2]], "bad")


def test_a_locked_database_is_a_sentence_and_nothing_is_lost(tmp_path: Path) -> None:
    service = make(str(tmp_path / "schiri.db"))
    other = TournamentService.open(str(tmp_path / "schiri.db"))
    with other.store.engine.connect() as holder:
        holder.exec_driver_sql("BEGIN IMMEDIATE")
        with service.store.engine.connect() as waiting:
            waiting.exec_driver_sql("PRAGMA busy_timeout = 1")
        with pytest.raises(UserError, match="locked"):
            service.do("desk", "", command(match_commands.enter, "A-1", (20, 12)))
        holder.exec_driver_sql("ROLLBACK")
    service.do("desk", "", command(match_commands.enter, "A-1", (20, 12)))
    assert other.state.matches["A-1"].result is not None
    service.close()
    other.close()


def test_a_full_disk_is_a_sentence_and_nothing_is_half_written(tmp_path: Path) -> None:
    service = make(str(tmp_path / "schiri.db"))
    with service.store.engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    before = service.state.digest()
    entrants = [Entrant(id=f"x{n}", name="long name " * 7 + str(n)) for n in range(2000)]
    with pytest.raises(UserError, match="is full"):
        service.do("desk", "", command(entrant_commands.add_players, entrants))
    assert service.state.digest() == before
    assert verify(service).events == service.last_seq()
    service.close()


def test_who_has_left_loses_the_next_match_too_when_the_first_is_voided(service) -> None:
    """A semi-final of an excluded player is voided: it is lost at once, and so is third place."""
    for match in list(service.state.matches.values()):
        cards = (20, 12) if match.a < match.b else (12, 20)  # p00 wins all, p03 none
        service.do("Anna", "", command(match_commands.enter, match.id, cards))
    service.do("Anna", "", command(knockout.draw_ko))
    semis = {m.id: (m.a, m.b) for m in service.state.matches.values() if m.round == "1/2"}
    assert sorted(sorted(pair) for pair in semis.values()) == [["p00", "p03"], ["p01", "p02"]]
    other, mine = sorted(semis, key=lambda match_id: "p00" in semis[match_id])
    service.do("Anna", "", command(match_commands.enter, other, (20, 12)))
    service.do("Jury", "cheated", command(entrant_commands.exclude, "p00"))
    service.do("Jury", "again", command(corrections.void, mine, True))
    lost = [service.state.matches[match_id].result for match_id in (mine, "K3")]
    assert [result is not None and result.kind for result in lost] == ["excluded"] * 2


def test_postgresql_tells_the_other_desks_at_once(postgres_url: str) -> None:
    """Without asking again and again: whoever listens is woken by the write."""
    writer = make(postgres_url)
    other = TournamentService.open(postgres_url)
    try:
        assert other.tells_news
        assert not other.wait_for_news(0.01)  # listens from now on
        writer.do("Anna", "", command(match_commands.announce, "Lunch"))
        assert other.wait_for_news(LIMIT_S)
        assert list(other.state.announcements.values()) == ["Lunch"]
        assert not other.wait_for_news(0.01)
    finally:
        other.close()
        writer.close()
