"""The page after the match, and what is shared of one: the replay at a step, by link, code, file.

A replay has a key of its own: whoever has that link may look at this one match, at nothing else.
"""

from asyncio import Lock
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from anyio import CancelScope, to_thread
from jinja2 import Environment, FileSystemLoader
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from host_tools.core.json_types import Json
from host_tools.games import page_texts
from host_tools.sim.table.asking import HOST, MOST_SEATS, BadMessage, NotThere
from host_tools.sim.table.replays import Replay
from host_tools.web.keyed import HEADERS, check_origin, is_key, key_of, number_of, qr_code
from host_tools.web.table.access import Access

_PARTS = Environment(loader=FileSystemLoader(Path(__file__).parent / "templates"), autoescape=True)


def _steps_of(request: Request) -> str:
    """The address of the replay; a step is appended."""
    return f"/r/{request.path_params['replay']}?key={quote(key_of(request))}"


def seat_of(request: Request) -> int | None:
    """`?seat=1`; seats count from 1 for people."""
    seat = number_of(request, "seat")
    return seat - 1 if 1 <= seat <= MOST_SEATS else None


def as_html(summary: Json, lang: str, replay: str = "") -> str:
    """The analysis of a match (sim/table/analysis.py) as a part of a page; `replay`: the address
    of its replay, so that every step is a link.
    """
    part = _PARTS.get_template("after_summary.html")
    return part.render(summary=summary, words=page_texts(lang), replay=replay)


def _best_and_worst(summary: Json, seat: int | None) -> tuple[Json, Json]:
    """The best and the worst decision of a seat, or of the whole match, and then who made them."""
    if seat is not None and seat < len(summary["players"]):
        return summary["players"][seat], {}
    found, names = {}, {}
    for kind, most in (("best", max), ("worst", min)):
        players = zip(summary["players"], summary["names"], strict=True)
        made = [(player[kind], name) for player, name in players if player[kind]]
        if made:
            found[kind], names[kind] = most(made, key=lambda one: one[0]["gain"])
    return found, names


class AfterPages:
    """The routes of one server; `page(template, data, language)` renders one of its pages."""

    def __init__(self, access: Access, page: Callable[[str, Json, str], Response]) -> None:
        self._access = access
        self._rendered = page
        self._keeping = Lock()
        self._waiting: set[CancelScope] = set()

    def routes(self) -> list[Route]:
        """Beside the replay's own pages."""
        return [
            Route("/t/{table:int}/after", self._of_table, methods=["POST"]),
            Route("/r/{replay:int}/after", self._page),
            Route("/r/{replay:int}/summary", self._summary_part),
            Route("/r/{replay:int}/decisions", self._decisions_part),
            Route("/r/{replay:int}/file", self._file),
            Route("/r/{replay:int}/share.svg", self._code),
        ]

    def hang_up(self) -> None:
        """The server ends: nobody waits any more for what is being worked out."""
        for scope in self._waiting:
            scope.cancel()

    async def _worked_out(self, replay: Replay) -> Json:
        """The analysis, in a thread."""
        with CancelScope() as scope:
            self._waiting.add(scope)
            try:
                # abandoned, as it takes seconds: else Ctrl-C during one would print a trace
                return await to_thread.run_sync(replay.after, abandon_on_cancel=True)
            finally:
                self._waiting.discard(scope)
        raise HTTPException(503)  # only reached when `hang_up` has cancelled the scope

    def replay(self, request: Request) -> Replay:
        """The replay of the address, for the host, who sat at the table, and whoever has its link.
        Raises BadMessage.
        """
        replay = self._access.replays.get(request.path_params["replay"])
        # first the key: nobody else learns which replays there are
        if replay is None or not (is_key(request, replay.key) or self._seat(request, replay)):
            self._access.check_host(request)
        check_origin(request)
        if replay is None:
            raise NotThere("play_no_replay")
        return replay

    def _seat(self, request: Request, replay: Replay) -> int | None:
        """The seat, from 1, at the table of this replay, whose key it is."""
        table = self._access.tables.get(replay.table or 0)
        keys = table.phones.seat_keys if table else []
        return next((seat for seat, key in enumerate(keys, 1) if is_key(request, key)), None)

    async def _of_table(self, request: Request) -> Response:
        """Keep the match of a table; returns the number of its replay. Before it is over only for
        the host, and without its cards: they give away every hand.
        """
        table, who = self._access.at_table(request)
        # before waiting for the lock: a rematch may begin meanwhile
        text, seed, world = table.transcript(), table.log.seed, table.log.world
        over = world is not None and bool(world.match.over())
        if not text or not (over or who == HOST):
            raise BadMessage("play_not_over")
        raw, name = text.encode(), f"schiri-table{table.number}.ndjson"
        async with self._keeping:  # the pages of a table ask at the same moment
            number = self._kept(table.number, raw, table.lang)
            if number is None:
                add = self._access.add_replay
                number = await run_in_threadpool(add, raw, name, table.lang)
                replay = self._access.replays[number]
                if over:
                    replay.seed, replay.table = seed, table.number
        return JSONResponse({"replay": number})

    def _kept(self, table: int, raw: bytes, lang: str) -> int | None:
        """The same match, asked for from another device: it is worked out once."""
        asked = (table, raw, lang)
        replays = self._access.replays.items()
        return next((n for n, one in replays if (one.table, one.raw, one.lang) == asked), None)

    def _page(self, request: Request) -> Response:
        replay = self.replay(request)
        seat = self._seat(request, replay)
        data = {
            "key": key_of(request),
            "texts": page_texts(replay.lang),
            "number": request.path_params["replay"],
            # the replay's own link leads to no table
            "table": replay.table if seat or self._access.is_host(request) else None,
            "seat": seat,
            "host": self._access.is_host(request),
            "count": len(replay.steps),
            "link": self._link(request, replay),
            "only_here": self._access.only_here(request),
        }
        return self._rendered("after.html", {**data, "title": replay.title}, replay.lang)

    async def _summary_part(self, request: Request) -> Response:
        """The analysis as a part of the page: it takes a few seconds the first time."""
        replay = self.replay(request)
        summary = await self._worked_out(replay)
        return HTMLResponse(as_html(summary, replay.lang, _steps_of(request)), headers=HEADERS)

    async def _decisions_part(self, request: Request) -> Response:
        """For the end at the table: the best and the worst decision, `?seat=1` of that seat."""
        replay = self.replay(request)
        summary = await self._worked_out(replay)
        decisions, names = _best_and_worst(summary, seat_of(request))
        part = _PARTS.get_template("end_decisions.html").render(
            decisions=decisions,
            turned=summary["turned"],
            names=names,
            words=page_texts(replay.lang),
            replay=_steps_of(request),
        )
        return HTMLResponse(part, headers=HEADERS)

    def _file(self, request: Request) -> Response:
        """The record as it came: `schiri replay` reads it on any computer."""
        replay = self.replay(request)
        # unquoted in a header, and chosen by whoever uploaded the file
        plain = (c if c.isascii() and (c.isalnum() or c in ".-") else "_" for c in replay.name)
        headers = {**HEADERS, "Content-Disposition": f"attachment; filename={''.join(plain)}"}
        return Response(replay.raw, media_type="application/x-ndjson", headers=headers)

    def _code(self, request: Request) -> Response:
        """The QR code of the link to a step, for a phone."""
        replay = self.replay(request)
        step = min(number_of(request, "at"), len(replay.steps))
        link = f"{self._link(request, replay)}&at={step}"
        return Response(qr_code(link), media_type="image/svg+xml", headers=HEADERS)

    def _link(self, request: Request, replay: Replay) -> str:
        """Whoever has it may look at this match; a step is appended."""
        base = self._access.base(request)
        return f"{base}r/{request.path_params['replay']}?key={replay.key}"
