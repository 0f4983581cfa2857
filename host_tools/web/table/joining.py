"""Where a phone joins a table: the table's one code, the page that asks for name, colour and seat,
and what it answers: the link of the seat.
"""

from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from host_tools.games import page_texts
from host_tools.sim.table import messages
from host_tools.sim.table.phones import COLOURS, LONGEST_CLAIM, LONGEST_NAME, read_claim
from host_tools.sim.table.table import PlayTable
from host_tools.web.keyed import HEADERS, body_of, check_origin, is_key, key_of, qr_code

if TYPE_CHECKING:
    from host_tools.web.table.server import PlayServer


class JoinPages:
    """The routes of one server for phones that join."""

    def __init__(self, server: "PlayServer") -> None:
        self._server = server

    def routes(self) -> list[Route]:
        """To be added to the server's."""
        return [
            Route("/t/{table:int}/join", self._page),
            Route("/t/{table:int}/join", self._join, methods=["POST"]),
            Route("/t/{table:int}/join.svg", self._code),
        ]

    def _table(self, request: Request) -> PlayTable:
        """With the key of the table's code, or the host's. Raises BadMessage."""
        table = self._server.tables.get(request.path_params["table"])
        if table is None:
            raise messages.NotThere("play_no_table")
        if not (is_key(request, table.phones.key) or is_key(request, self._server.key)):
            raise messages.NotAllowed("play_link")
        check_origin(request)
        return table

    def _page(self, request: Request) -> Response:
        table = self._table(request)
        texts = page_texts(table.lang)
        data = {"key": key_of(request), "table": table.number, "texts": texts}
        colours = [(colour, texts[f"colour_{colour}"]) for colour in COLOURS]
        taken = {claim.colour for claim in table.phones.held.values()}
        first = next((colour for colour in COLOURS if colour not in taken), COLOURS[0])
        data |= {"colours": colours, "colour": first, "seats": _seats(table), "most": LONGEST_NAME}
        return self._server.page("join.html", data, table.lang)

    async def _join(self, request: Request) -> Response:
        table = self._table(request)
        claim = read_claim(await body_of(request, LONGEST_CLAIM))
        key = await run_in_threadpool(table.join, claim)
        return JSONResponse({"key": key, "seat": claim.seat + 1}, headers=HEADERS)

    def _code(self, request: Request) -> Response:
        """The table's QR code, for its own page."""
        table = self._server.hosts_table(request)
        link = f"{self._server.base(request)}t/{table.number}/join?key={table.phones.key}"
        return Response(qr_code(link), media_type="image/svg+xml", headers=HEADERS)


def _seats(table: PlayTable) -> list[dict[str, object]]:
    """What the page offers: every seat, who has it, and whether it can be had."""
    world = None if table.log.closed else table.log.world
    free, held = table.phones.free(table), table.phones.held
    return [
        {
            "seat": seat,
            "who": held[seat].name if seat in held else world.name(seat) if world else "",
            "free": seat in free,
        }
        for seat in range(world.seats if world else messages.MOST_SEATS)
    ]
