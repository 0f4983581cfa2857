"""Forgetting, as an organiser does it: every byte that is left is searched for names."""

import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from desk_web import Web, running_web
from starlette.routing import Route

from firmware.app.link_frames import CHAIN_START, write_record
from host_tools.cli import schiri
from host_tools.sim.tournament.day import simulate_day
from host_tools.store.heard import HeardBox
from host_tools.store.live import LiveLine, WriteBatch
from host_tools.store.said import Here, SaidState
from host_tools.tournament.actions import entrants, jury, signups
from host_tools.tournament.publishing import LIST_FILE, FolderTarget, Publisher
from host_tools.tournament.service import TournamentService, command, utc_now
from tests.support.air_box import recorded_hand

GUEST = "Xaver Ohneausweis"


@dataclass
class Day:
    """A tournament that boxes played, with its web space, its public board and its database."""

    folder: Path
    service: TournamentService
    web: Web

    @property
    def db(self) -> str:
        return str(self.folder / "day.db")

    def names(self) -> dict[str, str]:
        return {player.id: player.name for player in self.service.state.players.values()}

    def on_air(self, box: str, table: int, **header: object) -> None:
        """A box plays a hand of Hattrick at this table, and its lines come by air."""
        match = recorded_hand()
        chain: bytes = CHAIN_START
        head = {**json.loads(match.header), "table": table, **header}
        lines = []
        for number, parts in enumerate([[json.dumps(head)], *match.steps[:5]]):
            raw, chain = write_record(chain, number, "\t".join(parts))
            lines.append(LiveLine(box, 1, "a", number, utc_now(), raw[:-1]))
        said = HeardBox(box, utc_now(), Here(here=True, table=table), SaidState())
        self.service.store.live.write(WriteBatch({box: said}, lines))

    def publish(self) -> None:
        Publisher(self.service, FolderTarget(self.folder / "www"), "en").publish()

    def forget(self, *more: str) -> Result:
        line = ["tournament", "forget", "--yes", "--db", self.db, "--lang", "en", *more]
        return CliRunner().invoke(schiri, line)

    def seen(self) -> dict[str, bytes]:
        """What everybody can see, and every file that is left."""
        follower, portal = self.web.app.state.follower, self.web.running.portal
        assert portal
        portal.call(follower.catch_up)
        portal.call(follower.look_at_tables)
        self.publish()
        visitor = self.web.visitor("jury")
        pages = [route.path for route in self.web.app.routes if isinstance(route, Route)]
        pages = [path for path in pages if "{" not in path and "stream" not in path]
        pages = [path for path in pages if not path.endswith(("/live", "/metrics"))]
        pages += [f"/player/{player}" for player in self.service.state.players]
        pages += [f"/table/{number}" for number in (1, 2, 3)]
        assert {"/groups", "/tables", "/feed/1", "/overlay"} <= set(pages)
        found = {path: visitor.get(path).content for path in pages}
        # the last program that uses it removes the write-ahead log: it must be empty before that
        files = [file for file in self.folder.rglob("*") if file.is_file()]
        return found | {str(file.relative_to(self.folder)): file.read_bytes() for file in files}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of a whole day."""
    path = tmp_path_factory.mktemp("played") / "day.db"
    simulate_day(str(path), 8, seed=5, tables=2)[0].close()
    return path


@pytest.fixture
def day(tmp_path: Path, played: Path) -> Iterator[Day]:
    shutil.copy(played, tmp_path)
    service = TournamentService.open(str(tmp_path / "day.db"))
    with running_web(service, tmp_path) as web:
        yield Day(tmp_path, service, web)
    service.close()


def places_of(names: Sequence[str], seen: dict[str, bytes]) -> set[str]:
    """Where one of the names stands, as text or as JSON."""
    spelled = {name.encode() for name in names} | {json.dumps(n)[1:-1].encode() for n in names}
    return {place for place, data in seen.items() if any(name in data for name in spelled)}


def test_no_name_is_left_anywhere(day: Day) -> None:
    names, me = list(day.names().values()), next(iter(day.names()))
    day.service.do(
        "Referee Rita", f"{names[0]} said so", command(jury.observe, f"{names[1]} sings")
    )
    day.on_air("bx1", 1, names=[names[0], names[1], GUEST], tournament=day.service.id)
    day.on_air("bx2", 2, names=[names[2], "B", "C"])  # of no tournament, and no ids
    day.on_air("bx3", 3, names=["D", "E", "F"], players=[me, None, None], tournament="other")
    before = day.seen()
    everybody = [*names, GUEST, "Referee Rita"]
    assert {"/groups", "/tables", "/table/1", "/feed/1", "www/index.html"} <= places_of(
        everybody, before
    )
    assert any(place.startswith("day.db") for place in places_of(everybody, before))
    done = day.forget()
    assert done.exit_code == 0, done.output
    assert places_of(everybody, day.seen()) == set()
    # of another tournament: it is that one's to forget
    assert b'"D"' in b"".join(
        line.raw for line in day.service.store.live.lines(box="bx3", number=1)
    )


def test_one_person_is_forgotten_and_the_others_stay(day: Day) -> None:
    names = day.names()
    me, other = list(names)[:2]
    day.service.do("desk", f"{names[me]} asked", command(jury.observe, f"{names[me]} sings"))
    day.service.do("desk", "heard it", command(jury.observe, f"{names[other]} hums"))
    day.on_air("bx1", 1, names=[names[me], "B", "C"], tournament=day.service.id)
    places = [(line.place, line.player) for line in day.service.state.final_places()]
    assert day.forget("--player", names[me]).exit_code == 0
    seen = day.seen()
    assert places_of([names[me]], seen) == set()
    assert {"/groups", "www/players.html"} <= places_of([names[other]], seen)
    assert [(line.place, line.player) for line in day.service.state.final_places()] == places
    texts = "".join(line.text for line in day.service.lines())
    assert f"{names[other]} hums" in texts
    assert "heard it" in texts
    again = day.forget("--player", me)
    assert "deleted already" in str(again.exception)


@pytest.mark.parametrize("drawn", [False, True])
def test_a_cancelled_event_is_forgotten(tmp_path: Path, drawn: bool) -> None:
    db = str(tmp_path / "day.db")
    run = CliRunner()
    for line in (
        ["new", "Cup"],
        *(["add", name] for name in ("Anna Egli", "Ben Roth", "Cem Ay", "Dora Inn")),
    ):
        assert run.invoke(schiri, ["tournament", *line, "--db", db]).exit_code == 0
    service = TournamentService.open(db)
    service.do("jury", "", command(signups.set_signups, True, 0, True))
    service.do("web", "", command(signups.sign_up, "Eva Yoder", "Club Zwölf", "eva@example.org"))
    if drawn:
        service.do("desk", "", command(entrants.draw, 4, 1, True))
    service.close()
    done = run.invoke(schiri, ["tournament", "forget", "--yes", "--db", db, "--lang", "en"])
    assert done.exit_code == 0, done.output
    seen = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert places_of(["Egli", "Roth", "Ay", "Inn", "Yoder", "Zwölf", "eva@"], seen) == set()


def test_a_box_that_is_read_again_brings_no_name_back(day: Day) -> None:
    journals = [match.journal for match in day.service.store.matches()]
    names = list(day.names().values())
    assert places_of(names, {"box": b"".join(journals)})
    assert day.forget().exit_code == 0
    assert {day.service.store.add(raw).id for raw in journals} == {0}
    day.on_air("bx1", 1, names=[names[0], "B", "C"], tournament=day.service.id)
    assert places_of(names, day.seen()) == set()


def test_who_comes_after_everybody_was_forgotten_can_be_forgotten_too(tmp_path: Path) -> None:
    line = ["--db", str(tmp_path / "day.db"), "--lang", "en"]
    run = CliRunner()

    def do(*words: str) -> Result:
        return run.invoke(schiri, ["tournament", *words, *line])

    for words in (["new", "Cup"], ["add", "Anna Egli"], ["forget", "--yes"]):
        assert do(*words).exit_code == 0
    assert "deleted already" in str(do("forget", "--yes").exception)
    assert do("add", "Fritz Neuling").exit_code == 0
    assert do("forget", "--yes").exit_code == 0
    seen = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert places_of(["Neuling", "Egli"], seen) == set()


def test_a_file_that_is_no_longer_made_is_removed(day: Day) -> None:
    www = day.folder / "www"
    day.publish()
    (www / "own.html").write_text("by the club")
    listed = json.loads((www / LIST_FILE).read_bytes())
    (www / "anna-egli.html").write_text("of a version before")
    (www / LIST_FILE).write_text(
        json.dumps([*listed, "anna-egli.html", "../day.db", "/etc/hosts"])
    )
    day.publish()
    assert not (www / "anna-egli.html").exists()
    assert (www / "own.html").exists()
    assert (day.folder / "day.db").exists()
    assert json.loads((www / LIST_FILE).read_bytes()) == listed


def test_the_page_forgets_one_player_whose_name_is_typed(day: Day) -> None:
    who, name = next(iter(day.names().items()))
    visitor = day.web.visitor("jury")
    page = visitor.get(f"/desk/player/{who}").text
    csrf = page.partition('name="csrf" value="')[2].partition('"')[0]
    form = {"csrf": csrf, "player": who}
    refused = visitor.post("/desk/forget", data={**form, "event": "Somebody Else"})
    assert refused.status_code == 409
    assert name in day.service.known.players[who].name
    done = visitor.post("/desk/forget", data={**form, "event": name})
    assert done.headers["location"] == f"/desk/player/{who}"
    assert places_of([name], day.seen()) == set()
    assert 'action="/desk/forget"' not in visitor.get(f"/desk/player/{who}").text
