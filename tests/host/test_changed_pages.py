"""Who looks at the board hears that a page has changed; each page is made once for all of them."""

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from bench import viewers
from host_tools.tournament.actions import entrants, matches
from host_tools.tournament.service import TournamentService, command
from host_tools.web.desk import follower as follower_module
from host_tools.web.desk import live as live_module
from host_tools.web.desk.accounts import Accounts
from host_tools.web.desk.app import make_app
from host_tools.web.desk.board_page import AskedPage, page_of
from host_tools.web.desk.follower import Follower
from host_tools.web.desk.live import Live
from host_tools.web.desk.live_tables import LiveTables
from host_tools.web.desk.rendering import BoardRenderer
from tests.processes import LIMIT_S, wait
from tests.support.hall_day import open_day, open_matches, play

NOW, TREE = AskedPage("now", "en"), AskedPage("tree", "en")


@pytest.fixture
def day(tmp_path: Path) -> Iterator[TournamentService]:
    service = open_day(str(tmp_path / "day.db"), 8, tables=2, ko_size=4)
    yield service
    service.close()


@pytest.fixture
def board(day: TournamentService, tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(make_app(day, Accounts(tmp_path / "users.json"))) as client:
        yield client


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pause between two changes has a test of its own."""
    monkeypatch.setattr(live_module, "GAP_S", 0.0)
    monkeypatch.setattr(live_module, "A_VIEWER_S", 0.0)


def in_a_loop(work: Coroutine[Any, Any, None]) -> None:
    """In a thread of its own: the browser tests keep a loop running in this one."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: asyncio.run(work)).result()


async def heard(stream: AsyncIterator[bytes]) -> dict[str, str]:
    """The next message; the first one also says when to try again."""
    text = ""
    while not text.startswith("data:"):
        text = (await asyncio.wait_for(anext(stream), LIMIT_S)).decode()
    found: dict[str, str] = json.loads(text.removeprefix("data:"))
    return found


class Watched:
    """A desk without its web server; `rendered` counts pages that were made."""

    def __init__(self, service: TournamentService, monkeypatch: pytest.MonkeyPatch) -> None:
        self.follower = Follower(service, LiveTables(service.store.live))
        self.board = BoardRenderer(self.follower)
        self.live = Live(self.board.tag)  # type: ignore[arg-type]
        self.follower.listeners.append(self.live.publish)
        self.rendered: Counter[AskedPage] = Counter()
        made = BoardRenderer._html

        def counted(renderer: BoardRenderer, asked: AskedPage) -> str:
            self.rendered[asked] += 1
            return made(renderer, asked)

        monkeypatch.setattr(BoardRenderer, "_html", counted)


def test_only_who_sees_something_else_is_told_and_the_page_is_made_once(
    day: TournamentService, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def watch() -> None:
        desk = Watched(day, monkeypatch)
        await desk.follower.catch_up()
        streams = [desk.live.listen(NOW) for _ in range(20)]
        tree = desk.live.listen(TREE)
        before = {(await heard(stream))["version"] for stream in streams}
        assert len(before) == 1
        await heard(tree)
        desk.rendered.clear()
        day.do("Anna", "", command(matches.call, "A-1"))
        await desk.follower.catch_up()
        told = {(await heard(stream))["version"] for stream in streams}
        assert told == {desk.board.page(NOW).tag}
        assert told != before
        assert "A-1" in desk.board.page(NOW).data.decode()
        assert desk.rendered == {NOW: 1, TREE: 1}
        # the tree looks as before: the next that is heard of it is a sign of life
        monkeypatch.setattr(live_module, "PING_S", 0.0)
        assert "version" not in await heard(tree)

    in_a_loop(watch())


def test_who_does_not_listen_for_a_while_hears_of_the_newest_alone(
    day: TournamentService, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def watch() -> None:
        desk = Watched(day, monkeypatch)
        await desk.follower.catch_up()
        stream = desk.live.listen(NOW)
        await heard(stream)
        for match in open_matches(day.state)[:3]:
            play(day, match, random.Random(1))
            await desk.follower.catch_up()
        assert (await heard(stream))["version"] == desk.board.page(NOW).tag
        monkeypatch.setattr(live_module, "PING_S", 0.0)
        assert "version" not in await heard(stream)

    in_a_loop(watch())


def test_cards_that_fall_fast_are_told_with_a_pause(
    day: TournamentService, monkeypatch: pytest.MonkeyPatch
) -> None:
    gap = 0.3

    async def watch() -> None:
        desk = Watched(day, monkeypatch)
        await desk.follower.catch_up()
        stream = desk.live.listen(NOW)
        await heard(stream)
        at: list[float] = []
        for match in open_matches(day.state)[:2]:
            play(day, match, random.Random(1))
            await desk.follower.catch_up()
            assert "version" in await heard(stream)
            at.append(time.monotonic())
        assert at[1] - at[0] >= gap

    monkeypatch.setattr(live_module, "GAP_S", gap)
    in_a_loop(watch())


def test_the_pause_grows_with_the_viewers_but_a_call_is_not_late(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.undo()  # of `quickly`
    # by hand: 2 ms for each, at least a quarter of a second, and a call must be seen within five
    assert [live_module.gap_s(count) for count in (1, 500, 1000, 1950)] == [0.25, 1, 2, 3.9]
    assert live_module.gap_s(5000) + follower_module.LOOK_S < 5


def test_who_comes_while_a_change_is_told_is_not_left_with_the_page_of_before(
    day: TournamentService, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def watch() -> None:
        desk = Watched(day, monkeypatch)
        await desk.follower.catch_up()
        first = desk.live.listen(NOW)
        await heard(first)
        play(day, open_matches(day.state)[0], random.Random(1))
        telling = asyncio.ensure_future(desk.follower.catch_up())
        late = desk.live.listen(NOW)
        versions = [(await heard(late))["version"]]
        await telling
        newest = desk.board.page(NOW).tag
        if versions != [newest]:
            versions.append((await heard(late))["version"])
        assert versions[-1] == newest

    in_a_loop(watch())


@pytest.mark.parametrize("path", ["/", "/groups", "/?kiosk=1", "/wall", "/static/live.js"])
def test_who_has_it_gets_no_body(board: TestClient, path: str) -> None:
    first = board.get(path)
    assert "s-maxage" in first.headers["cache-control"]
    assert "set-cookie" not in first.headers
    again = board.get(path, headers={"If-None-Match": f'"other", {first.headers["etag"]}'[9:]})
    assert (again.status_code, again.content) == (304, b"")
    assert board.get(path, headers={"If-None-Match": '"other"'}).content == first.content


def test_a_result_gives_the_page_another_tag_in_each_language(
    board: TestClient, day: TournamentService
) -> None:
    before = {lang: board.get(f"/?lang={lang}") for lang in ("de", "en")}
    assert before["de"].headers["etag"] != before["en"].headers["etag"]
    play(day, open_matches(day.state)[0], random.Random(1))
    wait(lambda: 'value="1"' in board.get("/?lang=en").text)
    for lang, old in before.items():
        new = board.get(f"/?lang={lang}", headers={"If-None-Match": old.headers["etag"]})
        assert new.status_code == 200
        assert 'value="1"' in new.text


def test_what_no_page_shows_changes_none(board: TestClient, day: TournamentService) -> None:
    paths = ("/", "/groups", "/player/p001", "/?kiosk=1", "/wall")
    before = [board.get(path).headers["etag"] for path in paths]
    day.do("Anna", "", command(entrants.check_in, "p001", True))
    wait(lambda: board.app.state.follower.state.seq == day.last_seq())  # type: ignore[attr-defined]
    assert [board.get(path).headers["etag"] for path in paths] == before


@pytest.mark.parametrize(
    ("address", "asked"),
    [
        ("/", AskedPage("now", "en")),
        ("/groups?of=B", AskedPage("groups", "en", "B")),
        ("/table/3?of=B", AskedPage("table", "en", "3")),
        ("/wall?turn=20&part=2/4", AskedPage("screen", "en", "", ("wall",))),
        ("/overlay?table=3&theme=light", AskedPage("screen", "en", "3", ("overlay",), light=True)),
        (
            "/?screen=map,calls&quiet=1",
            AskedPage("screen", "en", "", ("map", "calls"), quiet=True),
        ),
        ("/nothing", None),
        ("/desk", None),
    ],
)
def test_an_address_asks_for_one_page(address: str, asked: AskedPage | None) -> None:
    path, _, query = address.partition("?")
    fields = dict(one.split("=") for one in query.split("&") if one)
    assert page_of(path, fields, "en") == asked


@pytest.mark.parametrize(
    "page", ["/desk", "/nobody", "/player/", "/table/0", "/?screen=x", "desk"]
)
def test_nobody_listens_to_a_page_that_there_is_not(board: TestClient, page: str) -> None:
    assert board.get("/live", params={"page": page}).status_code == 404


def test_many_viewers_are_few_questions_to_the_desk(needs: Callable[[str], str]) -> None:
    """Two hundred ask a hundred times a second; two answers a second are enough for them."""
    needs("nginx")
    found = viewers.run(200, results=3, processes=1, pause_s=1.0, last_s=4.0)
    assert (found.let_in, found.refused, found.behind) == (200, 0, 0)
    assert len(found.seen_s) == 200 * 3
    assert found.answers > 200 * 2
    # one answer for each half second
    assert found.desk_requests <= 2 * found.seconds + 2 + 3
