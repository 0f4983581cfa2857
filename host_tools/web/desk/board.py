"""The public board: read-only pages and their live stream. No login, nothing writable."""

import socket
from collections.abc import Callable, Mapping
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

import anyio.to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import BaseRoute, Route

from host_tools.core.texts import TEXTS, chosen
from host_tools.tournament.player_names import PLAYER_PAGE
from host_tools.web.desk.live import DESK, Live
from host_tools.web.desk.rendering import (
    KIOSK,
    OVERLAY,
    PAGES,
    PLAYER,
    SCREEN,
    SLIDES,
    TABLE,
    BoardRenderer,
)
from host_tools.web.desk.snapshots import EVERYWHERE, PageSnapshots, answer, packs
from host_tools.web.files import DESIGN, FONTS, FOR_EVER, KeptFiles, all_files
from host_tools.web.one_at_a_time import render

LIVE, SNAPSHOT = "/live", "/snapshot"
JSON = "application/json"
TURN_S = 12
TURN_RANGE = range(3, 301)
TURN_DIGITS = 3  # int() raises beyond 4300 digits: the page would answer 500
# no str: "" and "12" would be in it, and isdecimal() takes digits of other scripts
_DIGITS = tuple("123456789")
STATIC = KeptFiles(
    all_files(Path(str(files("host_tools.web.desk"))) / "static") | DESIGN,
    # browsers revalidate every time; a shared cache may be a minute behind an update
    {"Cache-Control": "public, max-age=0, s-maxage=60"},
)
FILES = [
    Route("/font/{name:path}", FONTS.answer),
    Route("/static/{name:path}", STATIC.answer),
]
"""What the pages of board and desk load."""


def language(request: Request) -> str:
    """`?lang=`, else what the browser prefers."""
    return chosen(request.query_params.get("lang"), request.headers.get("accept-language", ""))


_ASK = {"Cache-Control": "no-cache"}
_GZIP = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}


def player_url(player: str, query: Mapping[str, str], ending: str = "") -> str:
    """Where somebody's own page is (`ending` .ics: their calendar), in the language that was asked
    for.
    """
    lang = query.get("lang")
    return f"{PLAYER_PAGE}{quote(player, safe='')}{ending}" + (
        f"?lang={quote(lang)}" if lang else ""
    )


def _screen(query: Mapping[str, str]) -> dict[str, Any]:
    """How a screen of the hall behaves: `turn` (seconds a page), `part=1/3` (its tables are the
    first third), `quiet` (no call interrupts).
    """
    asked = query.get("turn") or query.get("seconds", "")
    turn = int(asked) if asked.isdecimal() and len(asked) <= TURN_DIGITS else 0
    number, _, count = query.get("part", "").partition("/")
    # single digits, so they can be compared as text
    known = number in _DIGITS and count in _DIGITS and number <= count
    quiet = "1" if query.get("quiet") else ""
    turn = turn if turn in TURN_RANGE else TURN_S
    return {"turn": turn, "share": f"{number}/{count}" if known else "", "quiet": quiet}


class BoardPages:
    """The routes of the board."""

    def __init__(self, board: BoardRenderer, live: Live, keys: Callable[[], bytes | None]) -> None:
        """`keys`: the list of public keys as it is published; None while there is none."""
        self._board = board
        self._live = live
        self._keys = keys
        self._pages = PageSnapshots(board)

    def routes(self) -> list[BaseRoute]:
        """All of them answer GET (and HEAD) only."""
        named = [Route(f"/{page}", self.named) for page in PAGES if page not in ("now", "find")]
        return [
            Route("/", self.front),
            *named,
            Route("/find", self.find),
            Route("/table/{table}", self.table),
            Route("/overlay", self.overlay),
            # before the page, whose path would take the suffix as part of the id
            Route(f"{PLAYER_PAGE}{{player:path}}.ics", self.calendar),
            Route(f"{PLAYER_PAGE}{{player:path}}", self.player),
            Route("/verify", self.verify),
            Route("/keys.json", self.keys),
            Route(LIVE, self.live),
            Route(SNAPSHOT, self.snapshot),
            Route(f"{SNAPSHOT}/{{name}}.json", self.kept),
            *FILES,
        ]

    async def front(self, request: Request) -> Response:
        """What happens now; with `?screen=` or `?kiosk=1` what a screen of the hall shows."""
        asked = request.query_params.get("screen")
        if asked is None:
            return await self._answer(
                request, KIOSK if request.query_params.get("kiosk") else "now"
            )
        page = SCREEN + asked
        if self._board.has(page):
            return await self._answer(request, page)
        sentence = TEXTS[language(request)]["no_screen"]
        return PlainTextResponse(sentence.format(names=", ".join(SLIDES)) + "\n", 404)

    async def named(self, request: Request) -> Response:
        page, group = request.url.path.strip("/"), request.query_params.get("of", "")
        return await self._answer(request, page, of=group)

    async def find(self, request: Request) -> Response:
        """Where somebody plays: their page if there is one such player, else who it may be."""
        asked = request.query_params.get("q", "")
        found = await render(self._board.search, asked)
        elsewhere = await render(self._board.elsewhere, asked)
        if len(found) == 1 and not elsewhere:
            return RedirectResponse(player_url(found[0][0].id, request.query_params), 303)
        return await self._answer(request, "find", asked=asked, found=found, elsewhere=elsewhere)

    async def table(self, request: Request) -> Response:
        """One table with every trick as it falls."""
        return await self._own(request, TABLE + request.path_params["table"])

    async def overlay(self, request: Request) -> Response:
        """One table, or where something happens, for a picture over a stream."""
        return await self._own(request, OVERLAY + request.query_params.get("table", ""))

    async def verify(self, request: Request) -> Response:
        """Checks signatures in the browser; what it checks stands behind # and comes not here."""
        text = await render(self._board.plain, "verify", language(request))
        return HTMLResponse(text, headers=_ASK)

    async def keys(self, request: Request) -> Response:
        """The list of public keys, for this page and for every other."""
        data = await anyio.to_thread.run_sync(self._keys)
        if data is None:
            raise HTTPException(404)
        return Response(data, media_type=JSON, headers=_ASK | EVERYWHERE)

    async def _own(self, request: Request, page: str) -> Response:
        if not self._board.has(page):
            raise HTTPException(404)
        light = request.query_params.get("theme") == "light"
        return await self._answer(request, page, theme="light" if light else "")

    async def player(self, request: Request) -> Response:
        """Somebody's own page, for the QR code on a badge."""
        player = request.path_params["player"]
        return self._moved(request) or await self._answer(request, PLAYER + player, who=player)

    async def calendar(self, request: Request) -> Response:
        """The matches to come, for the calendar of a phone."""
        if moved := self._moved(request, ".ics"):
            return moved
        player, base = request.path_params["player"], own_base(request)
        text = await render(self._board.calendar, player, language(request), base)
        return Response(text, media_type="text/calendar", headers=_ASK)

    def _moved(self, request: Request, ending: str = "") -> Response | None:
        """The badge of an entry that was merged leads to the one that is left."""
        player = request.path_params["player"]
        into = self._board.merged_into(player)
        if into:
            # not kept by a cache: a merge can be undone
            return RedirectResponse(player_url(into, request.query_params, ending), 301, _ASK)
        if not self._board.has(PLAYER + player):
            raise HTTPException(404)
        return None

    async def _answer(self, request: Request, page: str, **values: Any) -> Response:
        values |= _screen(request.query_params)
        make = partial(self._board.page, page, language(request), **values)
        return await render(lambda: answer(request, make().encode(), "text/html"))

    async def snapshot(self, request: Request) -> Response:
        """Which snapshot of a page is the latest one."""
        page, lang = request.query_params.get("page", "now"), language(request)
        if page == DESK or not self._board.has(page):
            raise HTTPException(404)

        def make() -> Response:
            name = self._pages.latest(page, lang)
            # a name is hexadecimal digits: nothing to escape
            return answer(request, f'{{"snapshot": "{name}"}}\n'.encode(), JSON)

        return await render(make)

    async def kept(self, request: Request) -> Response:
        """A snapshot by its name: it never changes."""
        data = self._pages.get(request.path_params["name"])
        if data is None:
            raise HTTPException(404)
        return await render(answer, request, data, JSON, FOR_EVER | EVERYWHERE)

    async def live(self, request: Request) -> Response:
        """Server-sent events for one page of the board."""
        page = request.query_params.get("page", "now")
        # the desk's own stream is behind the login
        if page == DESK or not self._board.has(page):
            return HTMLResponse("", 404)
        return stream(self._live, page, request)


def stream(live: Live, page: str, request: Request) -> Response:
    """What one viewer of `page` hears."""
    packed = packs(request)
    # nginx would otherwise buffer the stream
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    headers |= _GZIP if packed else {}
    events = live.listen(page, language(request), packed)
    return StreamingResponse(events, media_type="text/event-stream", headers=headers)


def own_base(request: Request) -> str:
    """The board's address, as whoever asks has it; "" for a host that this machine does not know
    as its own: a request may name any.
    """
    host = request.url.hostname or ""
    server = request.scope.get("server") or ("", 0)
    ours = {server[0], socket.gethostname(), f"{socket.gethostname()}.local", "localhost"}
    known = host.lower() in {name.lower() for name in ours}
    return base_of(request) if known else ""


def base_of(request: Request) -> str:
    """What stands before the desk's addresses."""
    return f"{request.url.scheme}://{request.url.netloc}{request.scope.get('root_path', '')}"
