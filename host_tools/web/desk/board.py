"""The public board: read-only pages and their live stream. No login, nothing writable."""

import socket
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, urlsplit

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
from host_tools.web.desk.board_page import (
    OVERLAY,
    PAGES,
    SLIDES,
    TABLE_PAGE,
    WALL,
    AskedPage,
    page_of,
)
from host_tools.web.desk.content import EVERYWHERE, answer
from host_tools.web.desk.live import Live, Watchable
from host_tools.web.desk.rendering import BoardRenderer
from host_tools.web.files import DESIGN, FONTS, MORPH, PRESS, KeptFiles, all_files
from host_tools.web.one_at_a_time import render

LIVE = "/live"
JSON = "application/json"
STATIC = KeptFiles(
    all_files(Path(str(files("host_tools.web.desk"))) / "static") | DESIGN | MORPH | PRESS,
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


def player_url(player: str, query: Mapping[str, str], ending: str = "") -> str:
    """Where somebody's own page is (`ending` .ics: their calendar), in the language that was asked
    for.
    """
    lang = query.get("lang")
    return f"{PLAYER_PAGE}{quote(player, safe='')}{ending}" + (
        f"?lang={quote(lang)}" if lang else ""
    )


class BoardPages:
    """The routes of the board."""

    def __init__(self, board: BoardRenderer, live: Live, keys: Callable[[], bytes | None]) -> None:
        """`keys`: the list of public keys as it is published; None while there is none."""
        self._board = board
        self._live = live
        self._keys = keys

    def routes(self) -> list[BaseRoute]:
        """All of them answer GET (and HEAD) only."""
        named = [f"/{page}" for page in (*PAGES, WALL, OVERLAY) if page not in ("now", "find")]
        return [
            *(Route(path, self.page) for path in ("/", *named, f"{TABLE_PAGE}{{table}}")),
            Route("/find", self.find),
            # before the page, whose path would take the suffix as part of the id
            Route(f"{PLAYER_PAGE}{{player:path}}.ics", self.calendar),
            Route(f"{PLAYER_PAGE}{{player:path}}", self.player),
            Route("/verify", self.verify),
            Route("/keys.json", self.keys),
            Route(LIVE, self.live),
            *FILES,
        ]

    async def page(self, request: Request) -> Response:
        """A page of the board, or a screen of the hall with what `?screen=` says."""
        asked = page_of(request.scope["path"], request.query_params, language(request))
        if asked is not None and self._board.has(asked):
            found = self._board.ready(asked)
            if found is None:
                found = await render(self._board.page, asked)
            return answer(request, found)
        if asked is None or asked.look != "kiosk":
            raise HTTPException(404)
        sentence = TEXTS[asked.lang]["no_screen"]
        return PlainTextResponse(sentence.format(names=", ".join(SLIDES)) + "\n", 404)

    async def find(self, request: Request) -> Response:
        """Where somebody plays: their page if there is one such player, else who it may be."""
        asked = request.query_params.get("q", "")
        found = await render(self._board.search, asked)
        elsewhere = await render(self._board.elsewhere, asked)
        if len(found) == 1 and not elsewhere:
            return RedirectResponse(player_url(found[0][0].id, request.query_params), 303)
        return await self.page(request)

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

    async def player(self, request: Request) -> Response:
        """Somebody's own page, for the QR code on a badge."""
        return self._moved(request) or await self.page(request)

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
        if not self._board.has(AskedPage("player", "", player)):
            raise HTTPException(404)
        return None

    async def live(self, request: Request) -> Response:
        """Server-sent events for a page of the board, which is named by its address."""
        address = urlsplit(request.query_params.get("page", "/"))
        query = dict(parse_qsl(address.query, keep_blank_values=True))
        lang = chosen(query.get("lang"), request.headers.get("accept-language", ""))
        asked = page_of(unquote(address.path), query, lang)
        if asked is None or not self._board.has(asked):
            raise HTTPException(404)
        return stream(self._live, asked)


def stream(live: Live, page: Watchable) -> Response:
    """What one viewer of `page` hears."""
    # nginx would otherwise buffer the stream
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(live.listen(page), media_type="text/event-stream", headers=headers)


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
