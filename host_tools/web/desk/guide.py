"""`schiri desk` without a tournament: a page on which its organiser makes one, then the desk.

The first account is made here too: by whoever sits at this machine, or has the link that the
command printed. It is the jury's; once there is one, everybody logs in as usual.
"""

import asyncio
import hmac
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import anyio.to_thread
from starlette.applications import Starlette
from starlette.datastructures import ImmutableMultiDict
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from host_tools.cards.decks import DECKS
from host_tools.core.errors import UserError, in_words
from host_tools.core.texts import TEXTS
from host_tools.tournament.events import LogEntry
from host_tools.tournament.making import KO_SIZES, NewTournament, read_new
from host_tools.tournament.model import MODES, has_tree, swiss_follows
from host_tools.tournament.rights import Forbidden, Role
from host_tools.tournament.service import utc_now
from host_tools.web.desk.board import FILES
from host_tools.web.desk.forms import LOGIN, Posted, read_form
from host_tools.web.desk.login import (
    HOME,
    Authenticator,
    DeskPlace,
    NeedsLogin,
    check_token,
    token,
)
from host_tools.web.desk.rendering import environment, words
from host_tools.web.desk.site import PRIVATE, language

MAKES: Role = "jury"
_SHOWN = ("event", "tables", "halls", "begins", "points", "venue")
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
Make = Callable[[list[LogEntry]], Awaitable[str]]
"""Makes the tournament of a log; returns what stands before the addresses of its desk."""


@dataclass
class GuidePages:
    """`key`: of the printed link; `trusts_local`: whoever asks from this machine may make the
    first account, which behind a proxy everybody seems to do; `at`: before the addresses here;
    `venue`: where another tournament is played.
    """

    _auth: Authenticator
    _make: Make
    _key: str
    _trusts_local: bool
    _at: str = ""
    _venue: Callable[[], str] = str

    def __post_init__(self) -> None:
        self._environment = environment(DeskPlace(self._at))
        self._one = asyncio.Lock()

    def app(self, middleware: list[Middleware]) -> Starlette:
        """These pages alone."""
        return Starlette(
            routes=self.routes(),
            middleware=middleware,
            exception_handlers={
                NeedsLogin: lambda request, _: self._login(request, status=403),
                Forbidden: lambda request, _: self._login(request, status=403),
                UserError: lambda request, error: self._login(request, _said(error, request), 409),
            },
        )

    def routes(self) -> list[Route]:
        return [
            Route(HOME, self.page),
            Route(f"{HOME}/login", self.log_in, methods=["POST"]),
            Route(f"{HOME}/first", self.first, methods=["POST"]),
            Route(f"{HOME}/guide", self.guide, methods=["POST"]),
            *FILES,
            Route("/{path:path}", self.elsewhere),
        ]

    async def elsewhere(self, _request: Request) -> Response:
        return RedirectResponse(HOME, 303)

    async def page(self, request: Request) -> Response:
        """The guide; before it the login, before that the first account."""
        if "key" in request.query_params:
            # into the session: addresses are bookmarked and shared
            request.session["begin"] = request.query_params["key"]
            return RedirectResponse(HOME, 303)
        try:
            self._auth.require(request, MAKES)
        except NeedsLogin:
            return self._login(request)
        except Forbidden:
            texts = TEXTS[language(request)]
            needs = texts["forbidden"].format(role=texts[f"role_{MAKES}"])
            return self._show(request, "desk_message.html", 403, error=needs)
        return self._form(request, read_new([], utc_now()), ImmutableMultiDict(), first=True)

    def _login(self, request: Request, error: str = "", status: int = 200) -> Response:
        first = not self._auth.accounts.users()
        return self._show(
            request, "desk_first.html", status, error=error, first=first, may=self._may(request)
        )

    def _may(self, request: Request) -> bool:
        """The first account is for whoever sits here or has the link. Another site in the browser
        here has neither our token nor, under a name of its own, our address.
        """
        given = str(request.session.get("begin", ""))
        # as bytes: it refuses a text that is not ASCII (docs.python.org, hmac)
        if hmac.compare_digest(given.encode(), self._key.encode()):
            return True
        # the host name, too, against DNS rebinding: a foreign name can resolve to this machine
        here = request.client is not None and request.client.host in _LOOPBACK
        return self._trusts_local and here and request.url.hostname in _LOOPBACK

    async def first(self, request: Request) -> Response:
        """Make the first account, once."""
        form = await self._posted(request)
        async with self._one:  # or two requests at once would make two first accounts
            if self._auth.accounts.users() or not self._may(request):
                return self._login(request, status=403)
            try:
                given = LOGIN.read(form.of(around=False))
                add = self._auth.accounts.add
                await anyio.to_thread.run_sync(add, given.user, MAKES, given.password)
            except UserError as error:
                return self._login(request, _said(error, request), 409)
        await self._auth.log_in(request, given.user, given.password)
        return RedirectResponse(HOME, 303)

    async def log_in(self, request: Request) -> Response:
        refused = await self._auth.let_in(request, await self._posted(request))
        if refused is None:
            return RedirectResponse(HOME, 303)
        text = TEXTS[language(request)][refused.key].format(seconds=refused.wait_s)
        return self._login(request, text, refused.status)

    async def guide(self, request: Request) -> Response:
        """Judge what was typed; show it once more, or make the tournament of it."""
        form = await self._posted(request)
        user = self._auth.require(request, MAKES)
        made = read_new(form.of(around=False), utc_now())
        if made.faults or not made.make:
            return self._form(request, made, form.typed)
        try:
            at = await self._make(made.events(user.name, utc_now()))
        except UserError as error:
            # the form shows faults at its fields alone
            made.faults["event"] = error
            return self._form(request, made, form.typed)
        return RedirectResponse(f"{at}{HOME}", 303)

    async def _posted(self, request: Request) -> Posted:
        form = await read_form(request)
        check_token(request, form.csrf)
        return form

    def _form(
        self,
        request: Request,
        made: NewTournament,
        typed: ImmutableMultiDict[str, str],
        first: bool = False,
    ) -> Response:
        values = {name: typed.get(name, "") for name in _SHOWN}
        # only on the empty form: afterwards what was typed counts
        values |= {"venue": self._venue()} if first else {}
        # an empty form has faults, but nobody has typed anything yet
        faults = {} if first else made.faults
        return self._show(
            request,
            "desk_guide.html",
            409 if faults else 200,
            values={**values, "listed": made.typed},
            made=made,
            review=not first and not faults,
            faults={name: _first(error, request) for name, error in faults.items()},
            decks=[*DECKS.ids(), *DECKS.own()],
            chosen=typed.getlist("decks"),
            modes=MODES,
            has_tree=has_tree(made.setup.mode),
            follows=swiss_follows(made.setup.mode),
            ko_sizes=KO_SIZES,
        )

    def _show(self, request: Request, template: str, status: int = 200, **values: Any) -> Response:
        common = {**words(language(request)), "name": "Schiri", "look": "desk"}
        text = self._environment.get_template(template).render(
            **{**common, "csrf": token(request), **values}
        )
        return HTMLResponse(text, status, headers=PRIVATE)


def _said(error: UserError, request: Request) -> str:
    return in_words(error.sentence, language(request))


def _first(error: UserError, request: Request) -> str:
    """One sentence; of a list with several faults the first."""
    several = error.sentence.values.get("faults")
    return in_words(several[0] if several else error.sentence, language(request))


def new_key() -> str:
    """For the printed link."""
    return secrets.token_urlsafe(16)
