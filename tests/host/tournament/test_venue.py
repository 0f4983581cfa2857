"""Several tournaments in one hall: a table or a player of the one is not called by the other."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from time import monotonic, sleep

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

from host_tools.cli import schiri
from host_tools.core.errors import UserError
from host_tools.tournament import events as ev
from host_tools.tournament import view
from host_tools.tournament.actions import entrants, matches
from host_tools.tournament.model import Entrant
from host_tools.tournament.service import TournamentService, command
from host_tools.tournament.state import TournamentState
from host_tools.tournament.verifying import verify
from host_tools.web.desk.app import make_app
from tests.host.desk_web import Clock, Web, users


def opened(
    tmp_path: Path, name: str, *players: str, venue: str = "hall", db: str = ""
) -> TournamentService:
    setup = ev.Created(name=name, mode="round_robin", tables=3, venue=venue)
    service = TournamentService.create(db or f"sqlite:///{tmp_path}/day.db", "Anna", setup)
    people = [Entrant(id=f"p{n}", name=player) for n, player in enumerate(players)]
    service.do("Anna", "", command(entrants.add_players, people))
    service.do("Anna", "", command(entrants.draw, 4, 1, True))
    return service


@pytest.fixture
def events(tmp_path: Path) -> Iterator[list[TournamentService]]:
    """Two events; Ben plays in both."""
    made = [
        opened(tmp_path, "Open", "Anna", "Ben", "Cara", "Dora"),
        opened(tmp_path, "Youth", "Ben", "Emil", "Fred", "Gina"),
    ]
    yield made
    for service in made:
        service.close()


def of(service: TournamentService, *names: str) -> str:
    """The match of these players."""
    state = service.state
    return next(
        match.id
        for match in state.matches.values()
        if {state.players[who].name for who in (match.a, match.b)} == set(names)
    )


def test_a_table_of_another_tournament_is_not_called(events: list[TournamentService]) -> None:
    first, second = events
    first.do("Anna", "", command(matches.call, of(first, "Cara", "Dora"), 2))
    mine = of(second, "Fred", "Gina")
    with pytest.raises(UserError, match="table 2 is busy with match Open A-"):
        second.do("Anna", "", command(matches.call, mine, 2))
    second.do("Anna", "", command(matches.call, mine, 1))
    first.do("Anna", "", command(matches.enter, of(first, "Cara", "Dora"), (20, 12)))
    second.do("Anna", "", command(matches.call, of(second, "Ben", "Emil"), 2))
    assert verify(first).events
    assert verify(second).events


def test_a_player_who_plays_elsewhere_is_not_called(events: list[TournamentService]) -> None:
    """Also not with everybody else; after the match they may."""
    first, second = events
    theirs = of(first, "Anna", "Ben")
    first.do("Anna", "", command(matches.call, theirs, 3))
    with pytest.raises(UserError, match=f"one of the players is busy with match Open {theirs}"):
        second.do("Anna", "", command(matches.call, of(second, "Ben", "Emil"), 1))

    def called() -> set[str]:
        state = second.state
        bodies = matches.call_free(state, view.waiting(state))
        return {body.match for body in bodies if isinstance(body, ev.Called)}

    assert of(second, "Ben", "Emil") not in called()
    first.do("Anna", "", command(matches.enter, theirs, (20, 12)))
    assert called()


@pytest.mark.parametrize(
    ("calls", "refused"),
    [
        ((("Cara", "Dora", 2), ("Fred", "Gina", 2)), "table 2 is busy with match {} A-"),
        ((("Anna", "Ben", 1), ("Ben", "Emil", 3)), "one of the players is busy with match {} A-"),
    ],
    ids=("a table", "a player"),
)
def test_of_two_desks_that_call_at_once_exactly_one_wins(
    database: str,
    tmp_path: Path,
    calls: tuple[tuple[str, str, int], tuple[str, str, int]],
    refused: str,
) -> None:
    """Both judge before either writes; also when they meet there again and again."""
    desks = [
        opened(tmp_path, "Open", "Anna", "Ben", "Cara", "Dora", db=database),
        opened(tmp_path, "Youth", "Ben", "Emil", "Fred", "Gina", db=database),
    ]
    both_judged = Barrier(2, timeout=30)

    def call(service: TournamentService, a: str, b: str, table: int) -> str:
        match, met = of(service, a, b), False

        def judged(state: TournamentState) -> list[ev.AnyBody]:
            nonlocal met
            bodies = matches.call(state, match, table)
            if not met:
                met = True
                both_judged.wait()
            return bodies

        try:
            service.do("Anna", "", judged)
        except UserError as error:
            return str(error)
        return ""

    with ThreadPoolExecutor(2) as threads:
        said = list(threads.map(call, desks, *zip(*calls, strict=True)))
    assert said.count("") == 1, said
    winner = ("Open", "Youth")[said.index("")]
    assert refused.format(winner) in "".join(said)
    called = [m.id for desk in desks for m in desk.state.matches.values() if m.status == "called"]
    assert len(called) == 1
    for desk in desks:
        assert verify(desk).events == desk.last_seq()
        desk.close()


def test_the_desk_shows_what_plays_elsewhere(
    events: list[TournamentService], tmp_path: Path
) -> None:
    first, second = events
    match = of(first, "Cara", "Dora")
    first.do("Anna", "", command(matches.call, match, 2))
    accounts = users(tmp_path)
    app = make_app(second, accounts)
    with TestClient(app) as running:
        web = Web(app, running, accounts, Clock())
        desk, board = web.visitor("desk"), web.visitor(None)
        assert f"2: Open {match}" in desk.get("/desk/calls").text
        page = board.get("/find?q=dora").text
        assert f"Open {match}" in page
        assert "Dora" in page
        assert f"Open {match}" not in board.get("/find?q=gina", follow_redirects=True).text
        first.do("Anna", "", command(matches.enter, match, (20, 12)))
        until = monotonic() + 10
        while "Open" in desk.get("/desk/calls").text:  # the desk looks by itself
            assert monotonic() < until
            sleep(0.05)


def test_another_venue_has_tables_of_its_own(tmp_path: Path) -> None:
    first = opened(tmp_path, "Open", "Anna", "Ben")
    second = opened(tmp_path, "Away", "Ben", "Emil", venue="")
    first.do("Anna", "", command(matches.call, "A-1", 1))
    second.do("Anna", "", command(matches.call, "A-1", 1))
    assert second.state.elsewhere == []
    done = CliRunner().invoke(
        schiri,
        ["tournament", "plan", "--venue", "hall", "-t", "away", "--db", f"{tmp_path}/day.db"],
    )
    assert done.exit_code == 0, done.output
    assert [busy.name for busy in second.state.elsewhere] == ["Open A-1"]
    first.close()
    second.close()
