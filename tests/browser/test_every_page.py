"""Every page that a server of ours has, found in its routes: nothing wrong with it by axe
at any size, by day and by night. A route that is in no table here fails.
The pages behind the desk's login have tests/browser/test_desk_pages.py, which reads its menu.
"""

import re
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from playwright.sync_api import Page, expect
from starlette.routing import BaseRoute, Route

from host_tools.web.decks.server import DeckEditor
from host_tools.web.desk.login import HOME
from tests.host.play.test_after import RECORD
from tests.sampling import Sample
from tests.support.served import served

from .desk_hall import DeskHall
from .looking import faults
from .play_desk import PlayDesk
from .test_hall_pages import beat, lay

# the address of a route that is a page; None: what comes from there is no page
PLAY = {
    "/": "/",
    "/t/{table:int}": "/t/1",
    "/t/{table:int}/events": None,
    "/t/{table:int}/hand/{seat:int}": None,
    "/t/{table:int}/join": "/t/1/join",
    "/t/{table:int}/join.svg": None,
    "/t/{table:int}/transcript": None,
    "/r/{replay:int}": "/r/1?at=4",
    "/r/{replay:int}/steps": None,
    "/r/{replay:int}/views/{first:int}": None,
    "/r/{replay:int}/after": "/r/1/after",
    "/r/{replay:int}/summary": None,  # a part of the page before
    "/r/{replay:int}/decisions": None,  # a part of the page of the table
    "/r/{replay:int}/file": None,
    "/r/{replay:int}/share.svg": None,
    "/how/{game}": "/how/trumpf",
    "/art/{deck}/{name}.svg": None,
    "/art/{name}.svg": None,
    "/font/{name:path}": None,
    "/static/games.js": None,
    "/static/games/{name:path}": None,
    "/static/{name:path}": None,
}
DECKS = {
    "/": "/",
    "/pictures/{name}": None,
    "/font/{name:path}": None,
    "/static/{name:path}": None,
}
BOARD = {
    "/": "/",
    "/tables": "/tables",
    "/groups": "/groups",
    "/ranking": "/ranking",
    "/teams": "/teams",
    "/tree": "/tree",
    "/map": "/map",
    "/wall": "/wall",
    "/signup": "/signup",
    "/find": "/find?q=a",
    "/table/{table}": "/table/3",
    "/overlay": "/overlay?table=3",
    "/player/{player:path}.ics": None,
    "/player/{player:path}": "/player/{}",
    "/verify": "/verify",
    "/keys.json": None,
    "/live": None,
    "/feed/1": None,
    "/feed/1/stream": None,
    "/feed/1/schema.json": None,
    "/healthz": None,
    "/metrics": None,
    "/font/{name:path}": None,
    "/static/{name:path}": None,
}

READY = {
    "/t/1?": ("#oled", "data-rows", re.compile("[1-9a-f]")),
    "/r/1?at=4": ("#views", "data-place", "4"),
    "/after": ("#summary", "aria-busy", "false"),
}
"""When a page that fetches its parts has them."""


def pages(routes: Iterable[BaseRoute], known: dict[str, str | None]) -> list[str]:
    """The addresses of all pages; every route must be known, and nothing else."""
    paths = {
        route.path: None
        for route in routes
        if isinstance(route, Route) and "GET" in (route.methods or {"GET"})
    }
    assert sorted(paths) == sorted(known), "a route is new or gone: name it in this file"
    return [address for path in paths if (address := known[path])]


def faults_at(page: Page, url: str, sample: Sample, turn: int) -> list[str]:
    page.goto(url)
    for part, (place, attribute, value) in READY.items():
        if part in url:
            expect(page.locator(place)).to_have_attribute(attribute, value)
    return [f"{url} {one}" for one in faults(page, sample, turn)]


def test_axe_finds_nothing_on_any_page(
    chromium: Page, play: PlayDesk, hall: DeskHall, tmp_path: Path, sampled: Sample
) -> None:
    play.server.add_replay(RECORD, "match.ndjson", "en")
    urls = [play.url(address) for address in pages(play.server.app.routes, PLAY)]
    player = next(iter(hall.service.state.players))
    public = [r for r in hall.app.routes if not getattr(r, "path", "").startswith(HOME)]
    urls += [hall.base + one.format(player) for one in pages(public, BOARD)]
    beat(hall)
    lay(hall, 0, 3)
    editor = DeckEditor(tmp_path / "autos", None, "en")
    with served(editor.app) as base:
        urls += [f"{base}{one}?key={editor.key}" for one in pages(editor.app.routes, DECKS)]
        found = [faults_at(chromium, url, sampled, turn) for turn, url in enumerate(urls)]
        assert list(chain(*found)) == []
