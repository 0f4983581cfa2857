"""What a cache in front of the desk may keep: pages, the latest snapshot, snapshots by name."""

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from bench import viewers
from host_tools.tournament.service import TournamentService
from host_tools.web.desk.accounts import Accounts
from host_tools.web.desk.app import make_app
from tests.processes import wait
from tests.support.hall_day import open_day, open_matches, play

LATEST = "/snapshot?page=now&lang=en"


@pytest.fixture
def day(tmp_path: Path) -> Iterator[TournamentService]:
    service = open_day(str(tmp_path / "day.db"), 8, tables=2, ko_size=4)
    yield service
    service.close()


@pytest.fixture
def board(day: TournamentService, tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(make_app(day, Accounts(tmp_path / "users.json"))) as client:
        yield client


def parts(board: TestClient, latest: str = LATEST) -> dict[str, str]:
    """Those of the latest snapshot."""
    name = board.get(latest).json()["snapshot"]
    found: dict[str, str] = board.get(f"/snapshot/{name}.json").json()["parts"]
    return found


@pytest.mark.parametrize("path", ["/", "/groups", LATEST, "/static/live.js"])
def test_who_has_it_gets_no_body(board: TestClient, path: str) -> None:
    first = board.get(path)
    assert "s-maxage" in first.headers["cache-control"]
    assert "set-cookie" not in first.headers
    again = board.get(path, headers={"If-None-Match": f'"other", {first.headers["etag"]}'[9:]})
    assert (again.status_code, again.content) == (304, b"")
    assert board.get(path, headers={"If-None-Match": '"other"'}).content == first.content


def test_a_result_gives_another_snapshot_and_the_old_one_stays(
    board: TestClient, day: TournamentService
) -> None:
    before = board.get(LATEST).json()["snapshot"]
    old = board.get(f"/snapshot/{before}.json")
    assert old.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert 'value="0"' in old.json()["parts"]["head"]
    play(day, open_matches(day.state)[0], random.Random(1))
    wait(lambda: board.get(LATEST).json()["snapshot"] != before)
    assert 'value="1"' in parts(board)["head"]
    assert board.get(f"/snapshot/{before}.json").content == old.content
    # the board's page and its snapshot say the same
    assert all(part in board.get("/?lang=en").text for part in parts(board).values())


def test_another_shape_tells_that_the_page_must_be_loaded_anew(
    board: TestClient, day: TournamentService
) -> None:
    def shape() -> str:
        name = board.get(LATEST).json()["snapshot"]
        return str(board.get(f"/snapshot/{name}.json").json()["shape"])

    before = shape()
    assert f'data-shape="{before}"' in board.get("/?lang=en").text
    play(day, open_matches(day.state)[0], random.Random(1))
    wait(lambda: 'value="1"' in parts(board)["head"])
    assert shape() == before
    assert json.dumps(shape()) in board.get("/?lang=en").text.replace("data-shape=", "")


def test_nothing_of_the_desk_is_in_it(board: TestClient) -> None:
    for page in ("desk", "nobody", "player:", "table:0"):
        assert board.get(f"/snapshot?page={page}").status_code == 404
    assert board.get("/snapshot/0123.json").status_code == 404


def test_many_viewers_are_few_questions_to_the_desk(needs: Callable[[str], str]) -> None:
    """Two hundred ask a hundred times a second; two answers a second are enough for them."""
    needs("nginx")
    found = viewers.run(200, results=3, processes=1, pause_s=1.0, last_s=4.0)
    assert (found.let_in, found.refused, found.behind) == (200, 0, 0)
    assert len(found.seen_s) == 200 * 3
    assert found.answers > 200 * 2
    # half a second's answer, and each snapshot once
    assert found.desk_requests <= 2 * found.seconds + 2 + 3
