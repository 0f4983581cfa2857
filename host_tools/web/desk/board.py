"""The public board: read-only pages and their live stream. No login, nothing writable."""

from collections.abc import AsyncIterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from host_tools.core.texts import TEXTS, chosen
from host_tools.web.desk.live import Live
from host_tools.web.desk.rendering import KIOSK, PAGES, SCREEN, SLIDES, Board, is_page
from host_tools.web.files import KeptFiles, all_files

LIVE = "/live"
PING_S = 15
TURN_S = 12
TURN_RANGE = range(3, 301)
_DIGITS = tuple("123456789")
_STATIC = KeptFiles(all_files(Path(str(files("host_tools.web.desk"))) / "static"))
# the typeface, from its package: board and prints look alike, without internet
_TYPEFACE = Path(str(files("font_source_sans_pro"))) / "files"
FONTS = KeptFiles(
    {
        f"{weight}.ttf": _TYPEFACE / f"SourceSansPro-{weight}.ttf"
        for weight in ("Regular", "Semibold", "Bold")
    },
    {"Cache-Control": "public, max-age=86400"},
)


def language(request: Request) -> str:
    """`?lang=`, else what the browser prefers."""
    return chosen(request.query_params.get("lang"), request.headers.get("accept-language", ""))


def _screen(query: Mapping[str, str]) -> dict[str, Any]:
    """How a screen of the hall behaves: `turn` (seconds a page), `part=1/3` (its tables are the
    first third), `quiet` (no call interrupts).
    """
    asked = query.get("turn") or query.get("seconds", "")
    turn = int(asked) if asked.isdecimal() and int(asked[:4]) in TURN_RANGE else TURN_S
    number, _, count = query.get("part", "").partition("/")
    known = number in _DIGITS and count in _DIGITS and number <= count
    quiet = "1" if query.get("quiet") else ""
    return {"turn": turn, "share": f"{number}/{count}" if known else "", "quiet": quiet}


class BoardPages:
    """The routes of the board."""

    def __init__(self, board: Board, live: Live) -> None:
        self._board = board
        self._live = live

    def routes(self) -> list[BaseRoute]:
        """All of them answer GET (and HEAD) only."""
        named = [Route(f"/{page}", self.named) for page in PAGES if page != "now"]
        return [
            Route("/", self.front),
            *named,
            Route(LIVE, self.live),
            Route("/font/{name:path}", FONTS.answer),
            Route("/static/{name:path}", _STATIC.answer),
        ]

    async def front(self, request: Request) -> Response:
        """What happens now; with `?screen=` or `?kiosk=1` what a screen of the hall shows."""
        asked = request.query_params.get("screen")
        if asked is None:
            return self._answer(request, KIOSK if request.query_params.get("kiosk") else "now")
        page = SCREEN + asked
        if is_page(page):
            return self._answer(request, page)
        sentence = TEXTS[language(request)]["no_screen"]
        return PlainTextResponse(sentence.format(names=", ".join(SLIDES)) + "\n", 404)

    async def named(self, request: Request) -> Response:
        return self._answer(request, request.url.path.strip("/"))

    def _answer(self, request: Request, page: str) -> Response:
        text = self._board.page(page, language(request), **_screen(request.query_params))
        return HTMLResponse(text, headers={"Cache-Control": "no-cache"})

    async def live(self, request: Request) -> Response:
        """Server-sent events for one page of the board."""
        page = request.query_params.get("page", "now")
        if not is_page(page):
            return HTMLResponse("", 404)
        events = self._events(page, language(request))
        return EventSourceResponse(events, ping=PING_S)

    async def _events(self, page: str, lang: str) -> AsyncIterator[ServerSentEvent]:
        async for message in self._live.listen(page, lang):
            yield ServerSentEvent(message)
