"""`/feed/1`: whole lines, resumed behind a number; nothing private; the example of the page."""

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from hardware.twin.node import ROOT
from host_tools.tournament import events as ev
from host_tools.tournament.actions import entrants, jury, matches
from host_tools.tournament.feed import Feed, FeedGone
from host_tools.tournament.service import TournamentService
from host_tools.web.desk.accounts import Accounts
from host_tools.web.desk.app import make_app
from host_tools.web.serving import LOOPBACK
from tests.processes import free_port, started, wait
from tests.support.hall_day import open_day, open_matches, play
from tests.support.served import served

Line = dict[str, Any]


@pytest.fixture
def day(tmp_path: Path) -> Iterator[TournamentService]:
    service = open_day(str(tmp_path / "day.db"), 8, tables=2, ko_size=4)
    yield service
    service.close()


@pytest.fixture
def board(day: TournamentService, tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(make_app(day, Accounts(tmp_path / "users.json"))) as client:
        yield client


def lines(board: TestClient, since: int = 0) -> list[Line]:
    answer = board.get(f"/feed/1?since={since}")
    assert answer.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.text.splitlines()]


def test_a_result_sends_its_match_and_the_rankings_it_moves(
    board: TestClient, day: TournamentService
) -> None:
    whole = lines(board)
    kinds = [line["kind"] for line in whole]
    # two groups of four: six matches each; their tables and that of all; then the end
    assert [kinds.count(kind) for kind in ("player", "match", "ranking", "end")] == [8, 12, 3, 1]
    assert whole[-1] == {"kind": "end", "seq": day.state.seq, "id": day.id, "feed": 1}
    assert lines(board, day.state.seq) == [whole[-1]]

    first, before = open_matches(day.state)[0], day.state.seq
    day.do("Beat", "", lambda state: matches.enter(state, first.id, (20, 12)))
    wait(lambda: lines(board)[-1]["seq"] == day.state.seq)
    new = {(line["kind"], line["id"]): line for line in lines(board, before)}
    # what the players of this match had been said of already is not said again
    assert set(new) == {
        ("tournament", day.id),
        ("match", first.id),
        ("ranking", "all"),
        ("ranking", first.group),
        ("end", day.id),
    }
    match = new["match", first.id]
    assert (match["cards"], match["winner"], match["status"]) == ([20, 12], first.a, "checked")
    best = new["ranking", "all"]["rows"][0]
    assert (best["player"], best["points"], best["difference"]) == (first.a, 2, 8)


def test_who_has_all_of_it_is_told_so_without_a_body(board: TestClient) -> None:
    first = board.get("/feed/1")
    assert first.headers["access-control-allow-origin"] == "*"
    again = board.get("/feed/1", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_a_match_that_a_new_draw_took_away_is_gone(day: TournamentService) -> None:
    feed = Feed(day.id)
    feed.take(day.state)
    before = day.state.seq
    day.do("jury", "", lambda state: entrants.draw(state, 8, random_seed=1))
    feed.take(day.state)
    gone = {line.id for line in feed.since(before) if isinstance(line, FeedGone)}
    assert gone == {"B", *(f"B-{number}" for number in range(1, 7))}
    assert not [line for line in feed.since(0) if isinstance(line, FeedGone)]


@pytest.mark.parametrize("asked", ["-1", "x", "1e3", "9" * 19, "²"])
def test_a_number_that_is_none_is_refused_in_a_sentence(board: TestClient, asked: str) -> None:
    answer = board.get("/feed/1", params={"since": asked})
    assert answer.status_code == 400
    assert "is no number" in answer.text


def test_nothing_private_is_in_it(board: TestClient, day: TournamentService) -> None:
    first = open_matches(day.state)[0]
    day.do("Secretary-X", "reason-X", lambda state: matches.enter(state, first.id, (20, 12)))
    day.do("Jury-X", "why-X", lambda state: jury.observe(state, "observed-X", first.a, first.id))
    full = day.state.players[first.a].name
    day.do("desk", "", lambda _: [ev.PublicNames(short=True)])
    wait(lambda: lines(board)[-1]["seq"] == day.state.seq)
    text = board.get("/feed/1").text
    assert "-X" not in text
    assert full not in text


def test_the_example_of_the_page_follows_a_desk_that_was_away(
    day: TournamentService, tmp_path: Path
) -> None:
    """The desk ends and begins again at the same address; no result is missing or told twice."""
    script = ROOT / "examples" / "feed" / "follow.py"
    assert len(script.read_text(encoding="utf8").split('"""', 2)[2].splitlines()) <= 36
    users, port = Accounts(tmp_path / "users.json"), free_port()
    chance, said = random.Random(1), tmp_path / "said.txt"
    played = [match.id for match in open_matches(day.state)[:3]]

    def told() -> list[str]:
        return [line.partition(" ")[0] for line in said.read_text().splitlines()]

    def enter(match: str) -> None:
        play(day, day.state.matches[match], chance)

    with said.open("wb") as out:
        command = [sys.executable, str(script), f"http://{LOOPBACK}:{port}"]
        with started(command, stdout=out, stderr=subprocess.DEVNULL):
            with served(make_app(day, users), port):
                enter(played[0])
                wait(lambda: told() == played[:1])
            enter(played[1])
            with served(make_app(day, users), port):
                wait(lambda: told() == played[:2])
                enter(played[2])
                wait(lambda: told() == played)
