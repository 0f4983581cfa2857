"""Practice is apart from what counts, and there as a whole or not at all; what is there can go."""

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from host_tools.cards.public_keys import load_desk_key, read_list
from host_tools.cli import schiri
from host_tools.core import places
from host_tools.core.errors import Sentence, UserError
from host_tools.sim.demo.show import Show
from host_tools.sim.tournament import day as days
from host_tools.sim.tournament.day import simulate_day
from host_tools.store import open_store
from host_tools.tournament import events as ev
from host_tools.tournament.actions import entrants
from host_tools.tournament.service import TournamentService, tournament_ids
from tests.host.test_help import ALL, words_of_the_example

SIMULATE = ("tournament", "simulate", "--players", "8", "--lang", "en")
DEMO = ("demo", "--game", "hattrick", "--engine", "cpython", "--pictures", "none", "--lang", "en")


def say(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(schiri, words, input=typed)


def below(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def what_is_in(db: str) -> tuple[list[str], int, int]:
    """Tournaments, matches, boxes."""
    with closing(open_store(db)) as store:
        return tournament_ids(store), len(store.matches()), len(store.boxes())


# -- apart ----------------------------------------------------------------------------------------


def test_practice_leaves_the_own_database_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `schiri demo` does: test_demo.py."""
    monkeypatch.setenv("SCHIRI_DATABASE_URL", str(tmp_path / "mine.db"))
    monkeypatch.chdir(tmp_path)
    done = say(*SIMULATE)
    assert done.exit_code == 0, done.output
    assert [path.name for path in tmp_path.iterdir()] == []
    assert not places.database().exists()
    assert below(places.data()) == ["practice", "practice/desk-key.json", "practice/schiri.db"]
    assert places.practice_key().stat().st_mode & 0o077 == 0
    told = say("results", "--db", "practice", "--json")
    assert (told.exit_code, '"verified"' in told.output) == (0, True)


def test_a_simulated_day_is_proved_by_public_keys_alone_and_signed_by_no_real_desk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every box has signed its matches with a key of its own."""
    say("keys", "desk", "--league", "Cup")
    real = load_desk_key()
    assert real is not None
    say(*SIMULATE)
    practice = ("--db", "practice")
    proof, keys = str(tmp_path / "day.proof"), str(tmp_path / "keys.json")
    say("tournament", "export", *practice, "--format", "proof", "-o", proof)
    say("keys", "publish", *practice, "-o", keys)
    listed = read_list(Path(keys).read_bytes())
    assert (listed.league, listed.find(real.id)) == ("Schiri, practice", None)
    told = say("results", *practice, "--json").stdout
    assert len({key.id for key in listed.keys}) == len(listed.keys) > 1
    places.practice().rename(tmp_path / "gone")  # who checks has the two files and nothing else
    places.keys().parent.rename(tmp_path / "gone too")
    checked = say("tournament", "verify", "--export", proof, "--keys", keys, "--json")
    assert checked.exit_code == 0, checked.output
    found = json.loads(checked.stdout)
    assert (found["signer"], found["without_journal"]) == (listed.signer, [])
    played = {row["box"] for row in json.loads(told)}
    assert played == {key.box for key in listed.keys if key.box}
    # one table has lost its box, two results were corrected by the jury
    assert len(json.loads(told)) - 2 <= len(found["by_box"]) <= len(json.loads(told))


def test_a_simulated_day_says_how_to_look_at_it() -> None:
    assert "To see it: `schiri desk --db practice`\n" in say(*SIMULATE).stderr
    assert "--db practice --tournament probelauf-8-2`" in say(*SIMULATE, "--seed", "2").stderr
    told = say("tournament", "players", "--db", "practice", "--tournament", "probelauf-8-1")
    assert (told.exit_code, told.output.count("p00")) == (0, 8)


# -- all or nothing -------------------------------------------------------------------------------


class Stops:
    """Ctrl-C, or a fault, at the n-th sentence."""

    def __init__(self, after: int, how: BaseException) -> None:
        self.left, self.how = after, how

    def __call__(self, _said: str) -> None:
        self.left -= 1
        if not self.left:
            raise self.how


@pytest.mark.parametrize(
    ("after", "how"), [(2, KeyboardInterrupt()), (4, UserError("first_fault", detail="x"))]
)
def test_a_day_that_is_stopped_leaves_nothing_and_goes_again(
    database: str, after: int, how: BaseException
) -> None:
    TournamentService.create(database, "desk", ev.Created(name="Real Cup")).close()
    with pytest.raises(type(how)):
        simulate_day(database, 8, 1, tell=Stops(after, how))
    assert what_is_in(database) == (["real-cup"], 0, 0)
    service, _ = simulate_day(database, 8, 1)
    with closing(service):
        assert tournament_ids(service.store) == ["real-cup", "probelauf-8-1"]


def test_a_day_whose_storing_fails_leaves_nothing(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = days.copy_matches

    def fails(session, matches) -> None:
        copy(session, matches)
        session.flush()
        raise KeyboardInterrupt

    monkeypatch.setattr(days, "copy_matches", fails)
    with pytest.raises(KeyboardInterrupt):
        simulate_day(database, 8, 1)
    assert what_is_in(database) == ([], 0, 0)


def test_what_was_made_for_it_goes_again(tmp_path: Path) -> None:
    db = tmp_path / "new" / "folder" / "day.db"
    with pytest.raises(KeyboardInterrupt):
        simulate_day(str(db), 8, 1, tell=Stops(2, KeyboardInterrupt()))
    assert below(tmp_path) == []


def test_a_demo_that_is_stopped_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def stops(*_: object) -> None:
        seen.extend(below(tmp_path))
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(Show, "_play", stops)
    assert say(*DEMO).exit_code != 0
    assert any(name.endswith("tags.jsonl") for name in seen)
    assert below(tmp_path) == []
    assert not places.data().exists()


def test_a_day_that_is_there_already_is_refused_before_it_is_played(tmp_path: Path) -> None:
    db = str(tmp_path / "day.db")
    simulate_day(db, 8, 1)[0].close()
    with pytest.raises(UserError, match="schiri tournament delete probelauf-8-1"):
        simulate_day(db, 8, 1, tell=Stops(1, AssertionError("it was played")))
    assert what_is_in(db)[0] == ["probelauf-8-1"]


# -- a bad --db -----------------------------------------------------------------------------------


def no_database(folder: Path) -> str:
    path = folder / "text.db"
    path.write_text("no database " * 100)
    return str(path)


def read_only(folder: Path) -> str:
    """As nobody, not even root, can write it."""
    path = folder / "newer.db"
    with closing(sqlite3.connect(path)) as file:
        file.execute("CREATE TABLE alembic_version (version_num VARCHAR(32))")
        file.execute("INSERT INTO alembic_version VALUES ('9999')")
        file.commit()
    return str(path)


BAD: dict[str, Callable[[Path], str]] = {
    "another kind": lambda _: "mysql://user@host/cup",
    "no URL": lambda _: "://",
    "a folder": str,
    "no database": no_database,
    "of a newer version": read_only,
    "no server": lambda _: "postgresql://nobody@127.0.0.1:1/none?connect_timeout=1",
}
FILE_FIRST = {"schiri box restore", "schiri tournament restore", "schiri verify"}
"""These read the file that they bring before."""
WITH_DB = {
    path: context
    for path, context in ALL.items()
    if any("--db" in option.opts for option in context.command.get_params(context))
    if path not in FILE_FIRST
}


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_database_fails_before_anything_is_done(
    bad: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every command that takes one, with the example of its help: nothing is played, asked for,
    printed or written.
    """
    monkeypatch.setenv("SCHIRI_KEYS", str(tmp_path / "keys.json"))
    say("keys", "new", "league")
    db = BAD[bad](tmp_path)
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setattr("host_tools.box.finding.port_of_box", lambda port: port or "/dev/null")
    wrong = {}
    for path, context in WITH_DB.items():
        group = isinstance(context.command, click.Group)
        words = [] if group else words_of_the_example(context)
        words += ["--enrolled"] if path == "schiri box list" else []  # only these are stored
        for name in [word for word in words if word.endswith((".ndjson", ".csv", ".json"))]:
            Path(name).write_text("{}")
        before = below(tmp_path)
        start = re.sub(r" ARGS.*", "", path).split()[1:]
        done = say(*start, *_without("--boxes", _without("--db", words)), "--db", db)
        error = done.exception
        named = isinstance(error, UserError) and error.sentence.key.startswith("db_")
        if not named or done.stdout or below(tmp_path) != before:
            wrong[path] = (error, done.output[-300:])
    assert wrong == {}


def _without(option: str, words: list[str]) -> list[str]:
    """`hall setup` takes its boxes from a list or from the database."""
    if option not in words:
        return words
    place = words.index(option)
    return [*words[:place], *words[place + 2 :]]


# -- deleting -------------------------------------------------------------------------------------


def begun(db: str, name: str = "Zürich Cup") -> TournamentService:
    """A tournament with two players drawn, and nothing called."""
    service = TournamentService.create(db, "desk", ev.Created(name=name, ko_size=2))
    for player in ("Anna", "Beat", "Chiara", "Dora"):
        service.do("desk", "", _adds(player))
    service.do("desk", "", lambda state: entrants.check_in_many(state, state.players))
    service.do("desk", "", lambda state: entrants.draw(state, 4, 1, False))
    return service


def _adds(name: str) -> Callable[..., list[ev.AnyBody]]:
    def add(state) -> list[ev.AnyBody]:
        return entrants.add_players(
            state, [entrants.Entrant(id=entrants.free_id(state), name=name)]
        )

    return add


DELETE = ("tournament", "delete", "zurich-cup", "--lang", "en", "--db")


def test_a_tournament_goes_when_its_name_is_typed(database: str) -> None:
    begun(database).close()
    simulate_day(database, 8, 1)[0].close()
    other = what_is_in(database)
    refused = say(*DELETE, database, typed="Zurich\n")
    assert "Zürich Cup (zurich-cup) goes for good: 4 players" in refused.stderr
    assert str(refused.exception) == "that is not the name: Zürich Cup; nothing was deleted"
    assert what_is_in(database) == other
    done = say(*DELETE, database, typed="Zürich Cup\n")
    assert done.exit_code == 0, done.output
    assert what_is_in(database) == (["probelauf-8-1"], *other[1:])
    gone = say("tournament", "delete", "probelauf-8-1", "--yes", "--json", "--db", database)
    assert (gone.exit_code, '"players": 8' in gone.stdout) == (0, True)
    assert what_is_in(database)[:2] == ([], 0)
    simulate_day(database, 8, 1)[0].close()


def test_the_journals_of_another_tournament_stay(database: str) -> None:
    """The same day under two ids: its journals go with the second one."""
    for name in ("one", "two"):
        simulate_day(database, 8, 1, tournament=name)[0].close()
    matches = what_is_in(database)[1]
    assert matches > 5
    for name, left in (("one", matches), ("two", 0)):
        assert say("tournament", "delete", name, "--yes", "--db", database).exit_code == 0
        assert what_is_in(database)[1] == left


def test_one_that_is_being_played_takes_force(database: str) -> None:
    with closing(begun(database)) as desk:
        match = next(iter(desk.state.matches))
        say("tournament", "call", match, "--db", database)
        refused = say(*DELETE, database, "--yes")
        assert isinstance(refused.exception, UserError)
        assert refused.exception.sentence == Sentence("delete_running", name="Zürich Cup")
        assert say(*DELETE, database, "--yes", "--force").exit_code == 0
        with pytest.raises(UserError, match="there is no tournament 'zurich-cup'"):
            desk.do("desk", "", _adds("Emil"))


def test_a_desk_takes_in_another_tournament_of_the_same_id(database: str) -> None:
    with closing(begun(database)) as desk:
        assert "Anna" in {player.name for player in desk.state.players.values()}
        assert say(*DELETE, database, "--yes").exit_code == 0
        with closing(
            TournamentService.create(database, "x", ev.Created(name="Zürich Cup"))
        ) as new:
            for number in range(desk.known.seq):
                new.do("desk", "", _adds(f"Player {number}"))
            assert desk.state.digest() == new.state.digest()


def test_there_is_no_such_tournament(tmp_path: Path) -> None:
    db = str(tmp_path / "x.db")
    open_store(db).close()
    assert "there is no tournament" in str(say(*DELETE, db, "--yes").exception)
    assert isinstance(ALL["schiri tournament delete"].command, click.Command)
