"""The web application: follower, board and desk put together."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import anyio
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from host_tools.core.errors import UserError
from host_tools.core.supervisor import Supervisor
from host_tools.tournament.boxes import BoxTables
from host_tools.tournament.collecting import Collector
from host_tools.tournament.service import TournamentService
from host_tools.web.connections import StreamLimit
from host_tools.web.desk.accounts import Accounts
from host_tools.web.desk.board import LIVE, BoardPages
from host_tools.web.desk.feed_pages import STREAM, FeedPages
from host_tools.web.desk.floor_plan import HallMap
from host_tools.web.desk.follower import Follower
from host_tools.web.desk.guide import new_key
from host_tools.web.desk.limiter import Limiter
from host_tools.web.desk.live import DESK, Live
from host_tools.web.desk.live_tables import Delay, LiveTables
from host_tools.web.desk.login import (
    ALONE,
    COOKIE,
    HOME,
    SESSION_S,
    VENUE_COOKIE,
    Authenticator,
    DeskPlace,
    LoginLog,
)
from host_tools.web.desk.rendering import BoardRenderer
from host_tools.web.desk.signup import SignupPages
from host_tools.web.desk.site import DeskSite
from host_tools.web.desk.venue import DeskOf, Venue
from host_tools.web.health import HealthCollector, Value, box_values, refused_values

COLLECT_S = 0.5
"""So often the store is looked at for new box matches."""
HEADERS = {
    b"content-security-policy": b"default-src 'none'; script-src 'self'; style-src 'self'; "
    b"img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; "
    b"base-uri 'none'; frame-ancestors 'none'",
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"same-origin",
}


class SafeHeaders:
    """Adds `HEADERS` to every answer: only our own files run, nobody frames the desk."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *HEADERS.items()]
            await send(message)

        await self._app(scope, receive, send_with_headers)


def make_app(
    service: TournamentService,
    accounts: Accounts,
    *,
    monotonic: Callable[[], float] = time.monotonic,
    now: Callable[[], float] = time.time,
    secure: bool = False,
    hall_map: HallMap | None = None,
    tables: BoxTables | None = None,
    delay: Delay | None = None,
    supervisor: Supervisor | None = None,
    place: DeskPlace = ALONE,
) -> Starlette:
    """Board and desk of one tournament. The app follows the log while it runs.

    `secure`: the cookie travels over HTTPS only. Clocks in seconds: `monotonic` for the limit on
    logins, `now` for the age of sessions. `hall_map`: where the tables stand; `tables`: the
    boxes at the cables of this machine; `delay`: how much later the public sees what is played;
    `supervisor`: of the tasks that run as long as the app; `place`: among other desks.
    """
    tasks = supervisor or Supervisor()
    follower = Follower(service, LiveTables(service.store.live, delay))
    board = BoardRenderer(follower, hall_map, place)
    live = Live(lambda page: follower.desk_version if page == DESK else board.tag(page))
    feed = FeedPages(follower, service.id)
    follower.listeners += [live.publish, feed.changed]
    book = LoginLog(login_log_path(accounts.path))
    auth = Authenticator(accounts, book, place.limiter or Limiter(monotonic), now, service.id)
    site = DeskSite(service, follower, auth, board.environment, live, tables, tasks)

    health = HealthCollector(
        tasks,
        troubles=lambda: ["stale"] if follower.stale_since else [],
        values=lambda: desk_values(follower, live),
    )

    @asynccontextmanager
    async def following(_app: Starlette) -> AsyncIterator[None]:
        await follower.catch_up()
        await follower.look_at_tables()  # the first page shows all of them
        tasks.keep(f"{place.at} follow".strip(), follower.follow)
        tasks.keep(f"{place.at} age".strip(), follower.watch_age)
        tasks.keep(f"{place.at} collect".strip(), partial(_collect, service))
        if tables is not None:
            loop = asyncio.get_running_loop()
            # cables are watched in threads; the listeners belong to the event loop
            tell = partial(loop.call_soon_threadsafe, follower.turn)
            tasks.keep(f"{place.at} cables".strip(), follower.tell_turns)
            tables.listeners.append(tell)
            tables.start(tasks)
        yield
        if tables is not None:
            tables.stop()
            tables.listeners.remove(tell)
        await tasks.close()

    app = Starlette(
        routes=[
            *health.routes(),
            *site.routes(),
            *feed.routes(),
            *BoardPages(board, live, service.store.enrolled.public_list).routes(),
            # a limiter of its own: a hall signs up from one address and must still log in
            *SignupPages(service, follower, board.environment, Limiter(monotonic)).routes(),
        ],
        # outermost first: refusals carry the headers, too, and come before the session is read
        middleware=[
            Middleware(SafeHeaders),
            Middleware(StreamLimit, is_stream=(LIVE, HOME + LIVE, STREAM).__contains__),
            session_of(accounts, secure, place.shared),
        ],
        exception_handlers=site.exception_handlers(),
        lifespan=following,
    )
    app.state.follower, app.state.live = follower, live

    def farewell() -> None:
        live.end()
        feed.end()

    app.state.farewell = farewell
    return app


def session_of(accounts: Accounts, secure: bool, shared: bool) -> Middleware:
    """The signed cookie of whoever is logged in; `shared`: at all desks of this process. Pages of
    the board read none and set none.
    """
    return Middleware(
        SessionMiddleware,
        secret_key=accounts.secret,
        session_cookie=VENUE_COOKIE if shared else COOKIE,
        max_age=SESSION_S,
        path="/" if shared else HOME,
        same_site="lax",  # not strict: a link from a scanned slip must find its session
        https_only=secure,
    )


def make_venue(
    accounts: Accounts,
    db: str | None,
    desk_of: DeskOf,
    *,
    supervisor: Supervisor | None = None,
    secure: bool = False,
    key: str = "",
    behind_proxy: bool = False,
) -> Venue:
    """All tournaments of a database, and the page on which one is made. `key`: of the link for the
    first account.
    """
    book, limiter = LoginLog(login_log_path(accounts.path)), Limiter(time.monotonic)
    auth = Authenticator(accounts, book, limiter, time.time)
    middleware = [Middleware(SafeHeaders), session_of(accounts, secure, shared=True)]
    tasks = supervisor or Supervisor()
    return Venue(db, desk_of, auth, middleware, tasks, key or new_key(), not behind_proxy)


def desk_values(follower: Follower, live: Live) -> Iterator[Value]:
    """What `/metrics` of a desk says."""
    tables = follower.live
    now = datetime.now(UTC)
    yield Value("log_seen", "The last event of the log that is shown", follower.state.seq)
    yield Value("log_stored", "The last event of the log that is stored", follower.stored_seq)
    # versions in the store are microseconds since 1970
    yield Value("air_seen_seconds", "When what is shown of the air was written", tables.seen / 1e6)
    yield Value("air_stored_seconds", "When the newest of it was written", tables.stored / 1e6)
    age_s = (now - follower.seen_at).total_seconds()
    yield Value("read_age_seconds", "So long ago everything stored was read", age_s)
    yield Value("viewers", "Browsers that listen", live.viewers)
    yield from box_values(tables.boxes(), now)
    with suppress(UserError):  # the database
        counts: Counter[str] = Counter()
        for refused in tables.refusals():
            counts[refused.reason] += refused.count
        yield from refused_values(counts)


async def _collect(service: TournamentService) -> None:
    """Report what synced boxes left in the store, until cancelled; the desk still checks it.

    A database that fails for a while is asked again.
    """
    collector = await anyio.to_thread.run_sync(Collector, service, "box")
    while True:
        with suppress(UserError):
            await anyio.to_thread.run_sync(collector.collect)
        await asyncio.sleep(COLLECT_S)


def login_log_path(users: Path) -> Path:
    """The book of logins lies beside the users: `desk-users.json` → `desk-users.logins`."""
    return users.with_suffix(".logins")
