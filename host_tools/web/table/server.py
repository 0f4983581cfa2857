"""The server of the virtual table: pages, server-sent events, and one route for what pages want.

Who may do what is decided by the key in the link: the host's key opens everything, the key of a
seat only that seat's hand and taps, and once a match is over its analysis and a rematch. No
request names a file; the Origin of every request that changes something must be this server.
"""

import asyncio
import json
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from secrets import compare_digest
from typing import Any

from jinja2 import Environment, FileSystemLoader
from sse_starlette import EventSourceResponse
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from host_tools.cards import art
from host_tools.cards.decks import deck_ids, load_deck, own_decks
from host_tools.cards.decks.check import DeckFile
from host_tools.core.errors import Sentence, UserError
from host_tools.core.json_types import Json
from host_tools.core.names import tidy, unsafe
from host_tools.core.texts import chosen
from host_tools.games import GAMES, page_texts, scripts
from host_tools.games.bot import MEDIUM
from host_tools.games.options import title_of
from host_tools.sim.table import messages
from host_tools.sim.table.asking import HOST, BadMessage, NotAllowed, NotThere
from host_tools.sim.table.family import Family
from host_tools.sim.table.kept import ServerMemory, server_file
from host_tools.sim.table.phones import LONGEST_CLAIM, new_code, read_claim
from host_tools.sim.table.play_table import PlayTable
from host_tools.web.connections import StreamLimit
from host_tools.web.files import FONTS, FOR_EVER, KeptFiles, all_files, picture_kind, unchanged
from host_tools.web.keyed import (
    HEADERS,
    OwnHosts,
    body_of,
    check_origin,
    is_key,
    key_of,
    number_of,
    qr_code,
    refusal,
)
from host_tools.web.serving import gone
from host_tools.web.table.access import Access, new_key
from host_tools.web.table.after_pages import AfterPages, seat_of
from host_tools.web.table.guesses import Guesses
from host_tools.web.table.page_data import code_data, how_data, how_games, join_data, page_data

HERE = Path(__file__).parent
MOST_TABLES = 8
MOST_ANSWERS, LONGEST_NUMBER = 1000, 40
LARGEST_UPLOAD = 4 * 1024 * 1024
# long JSON that says much twice; level 3: pixels shrink to a tenth, in a millisecond
_PACKED = [Middleware(GZipMiddleware, compresslevel=3)]
_LONGEST_NAME = 80
_LONGEST_RULES = 400
"""Preset and house rules in the address of a page."""
_SCRIPTS = (
    "games.js",
    "net.js",
    "line.js",
    "drawing.js",
    "guide.js",
    *(f"games/{name}" for name in scripts()),
)
"""What a browser would find only after it has read other scripts."""


class Once:
    """What a page sends again, because no answer came, is done once: the answers to numbered
    messages, the last `MOST_ANSWERS` of them. For the server's event loop."""

    def __init__(self) -> None:
        self._answers: OrderedDict[str, asyncio.Future[Response]] = OrderedDict()

    async def answer(self, number: str, act: Callable[[], Awaitable[Response]]) -> Response:
        """Do `act` at the first message of this number; each gets the same answer, or exception.
        Without a number it is always done.
        """
        if not number or len(number) > LONGEST_NUMBER:
            return await act()
        if number not in self._answers:
            self._answers[number] = asyncio.ensure_future(act())
            if len(self._answers) > MOST_ANSWERS:
                self._answers.popitem(last=False)
        # cancelling one request must not cancel what its repetition waits for
        return await asyncio.shield(self._answers[number])


class PlayServer(Access):
    """All tables of one `schiri play`. `app` is the ASGI application; `usual` is the strength of
    the bots if nobody says otherwise, `seed` deals the first match of every table. `decks` are own
    ones, besides those that the user keeps; they are offered first. `folder` keeps the evening.
    """

    def __init__(
        self,
        engine: str,
        lang: str,
        folder: Path | None = None,
        speed: int = 1,
        usual: str = MEDIUM,
        seed: int | None = None,
        decks: Sequence[DeckFile] = (),
        family: Family | None = None,
    ) -> None:
        super().__init__(lang)
        self._family = family or Family()
        self._usual = usual
        self._engine = engine
        self._folder = folder
        self._kept = server_file(folder)
        self._speed = speed
        self._seed = seed
        self.decks = list(decks)
        self.pictures: dict[str, Mapping[str, Path | bytes]] = {}
        """Of own decks, by their ids: code -> what its maker has put on the card."""
        self._count = 0
        self.port = 0
        """Of the links, once it is known."""
        self._guesses = Guesses()
        self.pages = Environment(
            loader=FileSystemLoader(HERE / "templates"), autoescape=True, auto_reload=False
        )
        self.pages.globals["how_games"] = how_games
        self._after = AfterPages(self, self.page)
        self._once = Once()
        self.app = Starlette(
            routes=self._routes(),
            middleware=[
                Middleware(OwnHosts, lang=lang),
                Middleware(StreamLimit, is_stream=lambda path: path.endswith("/events")),
            ],
            exception_handlers={UserError: self._sorry, ClientDisconnect: gone},
        )
        self.app.state.farewell = self.hang_up

    def open_table(self) -> PlayTable:
        """A new table with a box that boots. Raises UserError when there are too many."""
        if len(self.tables) >= MOST_TABLES:
            raise BadMessage("play_many_tables", most=MOST_TABLES)
        # not len(): once a table is closed its number would come twice
        self._count += 1
        table = self._opened(self._count)
        table.log.usual = self._usual
        while table.phones.code in [other.phones.code for other in self.tables.values()]:
            table.phones.code = new_code()
        self._begin(table)
        return table

    def reopen(self) -> bool:
        """All tables of an evening that is kept, as they stood; False if none is. Raises
        UserError.
        """
        memory = self._kept.read()
        if memory is None:
            return False
        self.key, self.port, self._count = memory.key, memory.port, memory.count
        for number in memory.tables:
            self._begin(self._opened(number))
        return True

    def keep(self) -> None:
        """Which tables there are, and the links to them."""
        self._kept.keep(ServerMemory(self.key, self.port, sorted(self.tables), self._count))

    def begin_afresh(self) -> PlayTable:
        """A new evening: one new table, and no link of before opens anything."""
        tables, self.tables = list(self.tables.values()), {}
        self.replays.clear()
        self.key = new_key()
        for table in tables:
            table.discard()
        return self.open_table()

    def _begin(self, table: PlayTable) -> None:
        self.tables[table.number] = table
        self.keep()
        table.start()

    def _opened(self, number: int) -> PlayTable:
        folder = None if self._folder is None else self._folder / f"table{number}"
        return PlayTable(
            number,
            self._engine,
            self.lang,
            folder,
            self._speed,
            self._seed,
            self._own_decks(),
            self._family,
        )

    def _own_decks(self) -> dict[str, Json]:
        """By their ids, those that were asked for first."""
        asked = {str(file.deck["id"]): file for file in self.decks if file.deck}
        files = asked | {name: file for name, file in own_decks().items() if name not in asked}
        self.pictures |= {name: file.pictures for name, file in files.items()}
        found = {name: file.for_box(self.lang) for name, file in files.items()}
        return {name: deck for name, deck in found.items() if deck}

    def hang_up(self) -> None:
        """End the streams of all tables, and what waits for an analysis."""
        self._after.hang_up()
        for table in list(self.tables.values()):
            table.hang_up()

    def close(self) -> None:
        """End all boxes."""
        for table in self.tables.values():
            table.close()

    def _routes(self) -> list[Route]:
        return [
            Route("/", self._lobby_page),
            Route("/code", self._code, methods=["POST"]),
            Route("/tables", self._new_table, methods=["POST"]),
            Route("/fresh", self._fresh, methods=["POST"]),
            Route("/t/{table:int}", self._table_page),
            Route("/t/{table:int}/close", self._close_table, methods=["POST"]),
            Route("/t/{table:int}/events", self._events),
            Route("/t/{table:int}/do", self._do, methods=["POST"]),
            Route("/t/{table:int}/hand/{seat:int}", self._hand),
            Route("/t/{table:int}/join", self._join_page),
            Route("/t/{table:int}/join", self._join, methods=["POST"]),
            Route("/t/{table:int}/join.svg", self._join_code),
            Route("/t/{table:int}/transcript", self._transcript),
            Route("/replays", self._upload, methods=["POST"]),
            Route("/r/{replay:int}", self._replay_page),
            Route("/r/{replay:int}/steps", self._replay_steps, middleware=_PACKED),
            Route("/r/{replay:int}/views/{first:int}", self._replay_views, middleware=_PACKED),
            *self._after.routes(),
            Route("/how/{game}", self._how_page),
            Route("/font/{name:path}", FONTS.answer),
            Route("/art/{name}.svg", self._art),
            Route("/art/{deck}/{name}.svg", self._art),
            # before the last route, which has no such files: the first that fits answers
            Route("/static/games.js", _games_script),
            Route("/static/games/{name:path}", KeptFiles(scripts()).answer),
            Route("/static/{name:path}", KeptFiles(all_files(HERE / "static")).answer),
        ]

    async def _sorry(self, request: Request, error: Exception) -> Response:
        return refusal(error, self.lang)

    # -- pages

    def page(self, name: str, data: dict[str, Any], lang: str = "") -> Response:
        page = self.pages.get_template(name)
        said = lang or self.lang
        words = {"lang": said, "words": page_texts(said), "data": data, "scripts": _SCRIPTS}
        html = page.render({**data, **words})
        return HTMLResponse(html, headers=HEADERS)

    def _lobby_page(self, request: Request) -> Response:
        """The tables, for the host; whoever has no key is asked for the code of one."""
        if not key_of(request):
            return self.page("code.html", code_data(self.lang))
        self.check_host(request)
        tables = [
            {"number": number, "title": title_of(self.tables[number].log.header)}
            for number in sorted(self.tables)
        ]
        data = {"key": self.key, "texts": page_texts(self.lang), "tables": tables}
        return self.page("lobby.html", data)

    def _table_page(self, request: Request) -> Response:
        table, who = self.at_table(request)
        seat = who if who != HOST else seat_of(request)
        data = page_data(table, key_of(request), seat, who == HOST, self.decks)
        data |= {"base": self.base(request), "only_here": self.only_here(request)}
        return self.page("table.html", data, table.lang)

    def _replay_page(self, request: Request) -> Response:
        replay = self._after.replay(request)
        data = {
            "key": key_of(request),
            "host": self.is_host(request),
            "texts": page_texts(replay.lang),
            "number": request.path_params["replay"],
            "name": replay.name,
            "at": number_of(request, "at"),
        }
        return self.page("replay.html", data, replay.lang)

    def _how_page(self, request: Request) -> Response:
        """For everybody."""
        lang = chosen(request.query_params.get("lang", self.lang))
        rules = request.query_params.get("rules", "")[:_LONGEST_RULES].split()
        return self.page("how.html", how_data(request.path_params["game"], lang, rules), lang)

    def _art(self, request: Request) -> Response:
        """The picture of a card, a guest, a back; of an own deck only by the address of it that a
        page was told.
        """
        name, asked = request.path_params["name"], request.query_params.get("v", "")
        decks = self._decks_called(request.path_params.get("deck"))
        found = [picture for deck in decks if (picture := art.picture_of(deck, name))]
        fitting = next((one for one in found if asked in ("", one.tag)), None)
        if fitting is None:
            raise NotThere("play_no_art")
        own = self._own_picture(request.path_params.get("deck"), name)
        if own is not None:
            # `v` in the address is of our drawing: the maker's file may change without it
            return _answer(request, own, picture_kind(own), art.tag_of(own), lasts=False)
        return _answer(request, fitting.svg, "svg+xml", fitting.tag, lasts=bool(asked))

    def _own_picture(self, deck: str | None, code: str) -> bytes | None:
        """What stands on the card of an own deck, if it has more than what we draw."""
        found = (
            None if deck is None or deck in deck_ids() else self.pictures.get(deck, {}).get(code)
        )
        if not isinstance(found, Path):
            return found
        return found.read_bytes() if found.is_file() else None

    def _decks_called(self, name: str | None) -> list[Json | None]:
        """The decks of that id: the project's, those of the tables, of the replays."""
        if name is None:
            return [None]
        if name in deck_ids():
            return [load_deck(name)]
        at_tables = [table.log.own_decks.get(name) for table in self.tables.values()]
        replayed = [replay.header.get("deck") for replay in self.replays.values()]
        # decks with one id may differ: the tag in the address tells which picture is meant
        return [deck for deck in (*at_tables, *replayed) if deck and deck["id"] == name]

    # -- phones that join

    async def _code(self, request: Request) -> Response:
        """Answers a table's code with the way to its free seats."""
        check_origin(request)
        self._guesses.check(request)
        code = (await body_of(request, LONGEST_CLAIM)).decode(errors="replace").strip().upper()
        for table in list(self.tables.values()):
            if compare_digest(code.encode(), table.phones.code.encode()):
                return JSONResponse({"join": _join_path(table)}, headers=HEADERS)
        self._guesses.note(request)
        raise NotThere("play_no_code")

    def _joined(self, request: Request) -> PlayTable:
        """The table, with the key of its code or the host's. Raises BadMessage."""
        table = self.table_of(request)
        if not (is_key(request, table.phones.key) or self.is_host(request)):
            raise NotAllowed("play_link")
        return table

    def _join_page(self, request: Request) -> Response:
        """Asks for name, colour and seat."""
        table = self._joined(request)
        return self.page("join.html", join_data(table, key_of(request)), table.lang)

    async def _join(self, request: Request) -> Response:
        """Answers with the key of the seat."""
        table = self._joined(request)
        claim = read_claim(await body_of(request, LONGEST_CLAIM))
        key = await run_in_threadpool(table.join, claim)
        return JSONResponse({"key": key, "seat": claim.seat + 1}, headers=HEADERS)

    def _join_code(self, request: Request) -> Response:
        """The table's QR code, for its own page."""
        table = self.hosts_table(request)
        link = f"{self.base(request)}{_join_path(table)}"
        return Response(qr_code(link), media_type="image/svg+xml", headers=HEADERS)

    # -- tables

    async def _new_table(self, request: Request) -> Response:
        self.check_host(request)
        table = await run_in_threadpool(self.open_table)
        return JSONResponse({"table": table.number})

    async def _close_table(self, request: Request) -> Response:
        table = self.hosts_table(request)
        del self.tables[table.number]
        self.keep()
        await run_in_threadpool(table.discard)
        return JSONResponse({})

    async def _fresh(self, request: Request) -> Response:
        """Answers with the new key."""
        self.check_host(request)
        table = await run_in_threadpool(self.begin_afresh)
        return JSONResponse({"table": table.number, "key": self.key}, headers=HEADERS)

    async def _events(self, request: Request) -> Response:
        table, who = self.at_table(request)
        return EventSourceResponse(_stream(table, who), headers=HEADERS, ping=20)

    async def _do(self, request: Request) -> Response:
        table, who = self.at_table(request)
        message = messages.read_message(await body_of(request, messages.LONGEST_MESSAGE))

        async def act() -> Response:
            await run_in_threadpool(table.do, message, who)
            return JSONResponse({})

        number = request.query_params.get("once", "")
        # each page counts for itself: without `who` a seat could get another one's answer
        return await self._once.answer(number and f"{table.number}/{who}/{number}", act)

    def _hand(self, request: Request) -> Response:
        table, who = self.at_table(request)
        seat = request.path_params["seat"]
        if who not in (HOST, seat):
            raise NotAllowed("play_hand")
        return JSONResponse(table.hand(seat), headers=HEADERS)

    def _transcript(self, request: Request) -> Response:
        table = self.hosts_table(request)
        name = f"schiri-table{table.number}.ndjson"
        headers = {**HEADERS, "Content-Disposition": f'attachment; filename="{name}"'}
        return PlainTextResponse(
            table.transcript(), media_type="application/x-ndjson", headers=headers
        )

    # -- transcripts

    async def _upload(self, request: Request) -> Response:
        self.check_host(request)
        data = await body_of(request, LARGEST_UPLOAD)
        number = await run_in_threadpool(self.add_replay, data, _file_name(request))
        return JSONResponse({"replay": number})

    def _replay_steps(self, request: Request) -> Response:
        return JSONResponse(self._after.replay(request).as_json(), headers=HEADERS)

    def _replay_views(self, request: Request) -> Response:
        """A chunk of pictures: of the box, and of the table."""
        replay = self._after.replay(request)
        first = request.path_params["first"]
        # place 0 stands before the first command: there is one more than steps
        if first > len(replay.steps):
            raise NotThere("play_short_replay")
        return JSONResponse(replay.walk.views(first), headers=HEADERS)


def _join_path(table: PlayTable) -> str:
    return f"t/{table.number}/join?key={table.phones.key}"


def _games_script(request: Request) -> Response:
    """The script that imports the script of every game."""
    names = list(GAMES)
    lines = [f'import {name} from "./games/{name}/page.js";' for name in names]
    script = "\n".join([*lines, f"export const GAMES = {{ {', '.join(names)} }};", ""])
    return Response(script, media_type="text/javascript", headers=HEADERS)


def _answer(
    request: Request, content: str | bytes, kind: str, tag: str, *, lasts: bool
) -> Response:
    """A picture, or 304 for a browser that has it; `lasts`: its address changes with it."""
    headers = {
        **(FOR_EVER if lasts else {"Cache-Control": "no-cache"}),
        "ETag": f'"{tag}"',
        # an SVG opened on its own is a page, and its texts come from anyone's deck file
        "Content-Security-Policy": "default-src 'none'",
        "X-Content-Type-Options": "nosniff",
    }
    fresh = Response(content, media_type=f"image/{kind}", headers=headers)
    return unchanged(request, headers) or fresh


async def _stream(table: PlayTable, who: int) -> AsyncIterator[dict[str, str]]:
    listener = table.listen(who)
    try:
        async for kind, content in listener.events():
            yield {"event": kind, "data": json.dumps(content, ensure_ascii=False)}
    finally:
        table.forget(listener)


def _file_name(request: Request) -> str:
    """What the file is called where it comes from: only shown."""
    name = request.query_params.get("name", "")[:_LONGEST_NAME]
    return name if tidy(name) and not unsafe(name) else Sentence("play_transcript")
