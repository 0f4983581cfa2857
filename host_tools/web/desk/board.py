"""The public board: read-only pages and their live stream. No login, nothing writable."""

from collections.abc import AsyncIterator
from importlib.resources import files
from pathlib import Path

from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from host_tools.core.texts import chosen
from host_tools.web.desk.live import Live
from host_tools.web.desk.rendering import PAGES, PARTS, Board
from host_tools.web.files import KeptFiles, all_files

LIVE = "/live"
PING_S = 15
KIOSK_SECONDS = 12
KIOSK_RANGE = range(3, 301)
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


class BoardPages:
    """The routes of the board."""

    def __init__(self, board: Board, live: Live) -> None:
        self._board = board
        self._live = live

    def routes(self) -> list[BaseRoute]:
        """All of them answer GET (and HEAD) only."""
        named = [Route(f"/{page}", self.named) for page in PAGES if page not in ("now", "kiosk")]
        return [
            Route("/", self.front),
            *named,
            Route(LIVE, self.live),
            Route("/font/{name:path}", FONTS.answer),
            Route("/static/{name:path}", _STATIC.answer),
        ]

    async def front(self, request: Request) -> Response:
        """What happens now; with `?kiosk=1` everything in turn for a screen in the hall."""
        return self._answer(request, "kiosk" if request.query_params.get("kiosk") else "now")

    async def named(self, request: Request) -> Response:
        return self._answer(request, request.url.path.strip("/"))

    def _answer(self, request: Request, page: str) -> Response:
        asked = request.query_params.get("seconds", "")
        seconds = int(asked) if asked.isdecimal() and int(asked) in KIOSK_RANGE else KIOSK_SECONDS
        text = self._board.page(page, language(request), seconds)
        return HTMLResponse(text, headers={"Cache-Control": "no-cache"})

    async def live(self, request: Request) -> Response:
        """Server-sent events for one page of the board."""
        page = request.query_params.get("page", "now")
        if page not in PARTS:
            return HTMLResponse("", 404)
        events = self._events(page, language(request))
        return EventSourceResponse(events, ping=PING_S)

    async def _events(self, page: str, lang: str) -> AsyncIterator[ServerSentEvent]:
        async for message in self._live.listen(page, lang):
            yield ServerSentEvent(message)
