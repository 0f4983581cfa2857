"""All tournaments of a database in one process: a list of them with their state, and the desk of
each below `/t/ID`, built when somebody first asks for it. The only one of a database, and the
first one that is made here, has its desk at the root, with the addresses of a desk that is alone.
"""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, MutableMapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from typing import Any

import anyio.to_thread
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from host_tools.core.errors import UserError, in_words
from host_tools.core.supervisor import Supervisor
from host_tools.store import open_store
from host_tools.store.store import Store
from host_tools.tournament.events import LogEntry
from host_tools.tournament.phases import next_steps, phase_now
from host_tools.tournament.service import TournamentService, tournament_ids
from host_tools.tournament.view import progress
from host_tools.web.desk.board import FILES, language
from host_tools.web.desk.guide import GuidePages
from host_tools.web.desk.login import Authenticator, DeskPlace
from host_tools.web.desk.rendering import environment, words
from host_tools.web.desk.site import PRIVATE
from host_tools.web.health import HealthCollector
from host_tools.web.one_at_a_time import render

LIST, GUIDE = "/t", "/guide"
"""Where the list is, and before the addresses of the page that makes one more."""
LOOK_S = 2.0
"""So often it is looked which tournaments there are."""
DeskOf = Callable[[TournamentService, DeskPlace], Starlette]
_Part = tuple[ASGIApp, str, str]
"""What answers, what is taken from the address for it, and what its own addresses begin with."""


class Venue:
    """`app` is served. `key`, `trusts_local`: see GuidePages."""

    def __init__(
        self,
        db: str | None,
        desk_of: DeskOf,
        auth: Authenticator,
        middleware: list[Middleware],
        tasks: Supervisor,
        key: str,
        trusts_local: bool,
    ) -> None:
        self._db = db
        self._desk_of = desk_of
        self._limiter = auth.limiter
        self._tasks = tasks
        self._store: Store | None = None
        self._listed: dict[str, TournamentService] = {}
        self._desks: dict[str, Starlette] = {}
        self._root = ""
        # look() runs in threads, and once before there is a loop; desks are built on the loop
        self._looks, self._one = threading.Lock(), asyncio.Lock()
        self._stack = AsyncExitStack()
        self._first = GuidePages(auth, partial(self._make, True), key, trusts_local)
        more = partial(self._make, False)
        self._more = GuidePages(auth, more, key, trusts_local, GUIDE, self._usual_venue)
        health = HealthCollector(tasks, self._troubles, lambda: ())
        routes = [
            Route(LIST, self._list),
            *health.routes(),
            *FILES,
            Route("/{path:path}", _to_list),
        ]
        self._parts: list[ASGIApp] = [
            self._first.app(middleware),
            self._more.app(middleware),
            Starlette(routes=routes, middleware=middleware[:1]),  # SafeHeaders only: no session
        ]
        self._environment = environment()
        self.app = Starlette(routes=[Mount("", app=self._through)], lifespan=self._living)
        self.app.state.farewell = self._farewell

    # -- which there are --------------------------------------------------------------------------

    def look(self, waits: bool = True) -> bool:
        """See which tournaments there are now; False: none yet. While another one looks, what is
        known counts, unless this one `waits`. Raises UserError.
        """
        if self._looks.acquire(blocking=waits):
            try:
                if self._store is None:
                    self._store = open_store(self._db, reads=True)
                new = partial(TournamentService, self._store, alone=True)
                ids = tournament_ids(self._store)
                self._listed = {one: self._listed.get(one) or new(one) for one in ids}
                for service in self._listed.values():
                    service.refresh()
            finally:
                self._looks.release()
        return bool(self._listed)

    def begin(self) -> None:
        """Before it is served: the only tournament has its desk at the root. Raises UserError."""
        if len(self._listed) == 1:
            (self._root,) = self._listed
            self._build(TournamentService.open(self._db, self._root))

    @property
    def tables(self) -> int:
        """So many stand in the largest of them."""
        return max((one.known.setup.tables for one in self._listed.values()), default=0)

    @property
    def alone(self) -> bool:
        """True if one tournament has the root."""
        return bool(self._root)

    def _at(self, tournament: str) -> str:
        return "" if tournament == self._root else f"{LIST}/{tournament}"

    def _around(self, tournament: str) -> list[tuple[str, str]]:
        """The tournaments of its venue, as the head of its pages has them; none if there is but
        one tournament.
        """
        listed = {one: service.known.setup for one, service in self._listed.items()}
        if len(listed) < 2 or tournament not in listed:
            return []
        venue = listed[tournament].venue
        return [
            (self._at(one), setup.name)
            for one, setup in listed.items()
            if one == tournament or (venue and setup.venue == venue)
        ]

    def _usual_venue(self) -> str:
        """That of the newest tournament."""
        return [*self._listed.values()][-1].known.setup.venue

    # -- their desks ------------------------------------------------------------------------------

    def _build(self, service: TournamentService) -> Starlette:
        around = partial(self._around, service.id)
        place = DeskPlace(self._at(service.id), True, around, self._limiter)
        desk = self._desks[service.id] = self._desk_of(service, place)
        # pushed before the desk's lifespan, so called after it, whose tasks still read
        self._stack.callback(service.close)
        return desk

    async def _run(self, desk: Starlette) -> None:
        await self._stack.enter_async_context(desk.router.lifespan_context(desk))

    async def _desk(self, tournament: str) -> Starlette | None:
        """None if there is no such tournament."""
        if tournament in self._desks:
            return self._desks[tournament]
        async with self._one:  # or two first requests would build the same desk twice
            if tournament not in self._listed:
                await anyio.to_thread.run_sync(self.look)
            if tournament in self._listed and tournament not in self._desks:
                opened = TournamentService.open
                service = await anyio.to_thread.run_sync(opened, self._db, tournament)
                await self._run(self._build(service))
            return self._desks.get(tournament)

    async def _make(self, first: bool, log: list[LogEntry]) -> str:
        async with self._one:
            if first and self._listed:
                return ""  # somebody was faster
            make = TournamentService.make
            service = await anyio.to_thread.run_sync(make, self._db, log)
            if first:
                self._root = service.id
            await self._run(self._build(service))
            await anyio.to_thread.run_sync(self.look)
            return self._at(service.id)

    # -- serving ----------------------------------------------------------------------------------

    async def _through(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            app, prefix, at = await self._part(scope["path"])
        except UserError as error:  # the database
            said = f"{in_words(error.sentence, language(Request(scope)))}\n"
            app, prefix, at = PlainTextResponse(said, 503), "", ""
        path = scope["path"].removeprefix(prefix) or "/"

        async def send_with_at(message: Message) -> None:
            await send(_led(message, at))

        # base_of() puts root_path into addresses for others, as in QR codes
        await app({**scope, "path": path, "root_path": at}, receive, send_with_at)

    async def _part(self, path: str) -> _Part:
        first, more, lobby = self._parts
        if not self._listed:
            return first, "", ""
        if path.startswith(f"{GUIDE}/"):
            return more, GUIDE, GUIDE
        if path.startswith(f"{LIST}/"):
            name = path.split("/")[2]
            desk = await self._desk(name)
            return (desk, f"{LIST}/{name}", self._at(name)) if desk else (lobby, "", "")
        root = await self._desk(self._root) if self._root and path != LIST else None
        return root or lobby, "", ""

    async def _look_again(self) -> None:
        """A database that hangs holds one thread, not one for everybody who asks meanwhile, and
        what is known is shown then. Raises UserError.
        """
        look = partial(self.look, waits=False)
        with anyio.move_on_after(LOOK_S):
            await anyio.to_thread.run_sync(look, abandon_on_cancel=True)

    async def _list(self, request: Request) -> Response:
        with suppress(UserError):  # the database: what is known is shown
            await self._look_again()
        lang = language(request)
        text = await render(
            lambda: self._environment.get_template("events.html").render(
                **words(lang), name="Schiri", look="desk", guide=GUIDE, events=self._rows()
            )
        )
        return HTMLResponse(text, headers=PRIVATE)

    def _rows(self) -> list[dict[str, Any]]:
        """The newest first."""
        return [
            {
                "at": self._at(one),
                "setup": service.known.setup,
                "phase": phase_now(next_steps(service.known)),
                "progress": progress(service.known),
            }
            for one, service in reversed(self._listed.items())
        ]

    def _troubles(self) -> list[str]:
        stale = [one for one, desk in self._desks.items() if desk.state.follower.stale_since]
        return [f"stale: {one}" for one in stale]

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            if self._listed:
                with suppress(UserError):  # the database: asked again
                    await self._look_again()

    @asynccontextmanager
    async def _living(self, _app: Starlette) -> AsyncIterator[None]:
        async with self._stack:
            for desk in self._desks.values():
                await self._run(desk)  # begin() has built it, before there was a loop
            self._tasks.keep("tournaments", self._watch)
            yield
            await self._tasks.close()
        if self._store is not None:
            self._store.close()

    def _farewell(self) -> None:
        for desk in self._desks.values():
            desk.state.farewell()


async def _to_list(_request: Request) -> Response:
    return RedirectResponse(LIST, 303)


def _led(message: MutableMapping[str, Any], at: str) -> MutableMapping[str, Any]:
    """An address of a desk that an answer leads to, with what stands before it."""
    if not at or message["type"] != "http.response.start":
        return message
    whole = f"{LIST}/".encode()
    headers = [
        (name, at.encode() + value)
        # the guide leads to a new desk by its whole address
        if name == b"location" and value.startswith(b"/") and not value.startswith(whole)
        else (name, value)
        for name, value in message["headers"]
    ]
    return {**message, "headers": headers}
