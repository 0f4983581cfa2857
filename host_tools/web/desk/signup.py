"""The public page on which people sign up: the only thing that strangers may write.

It goes the way of every operation, in the name of `ACTOR`. Against spam: so many an address in
five minutes, a field that only programs fill in, short texts, and the organiser confirms.
"""

from dataclasses import dataclass
from typing import Any

import anyio.to_thread
from jinja2 import Environment
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from host_tools.core.errors import UserError
from host_tools.core.texts import TEXTS
from host_tools.tournament.actions.signups import places_left
from host_tools.tournament.fields import Form
from host_tools.tournament.operations import OPERATIONS, Who
from host_tools.tournament.service import TournamentService, utc_now
from host_tools.tournament.wording import refusal_text
from host_tools.web.desk.board import language
from host_tools.web.desk.follower import Follower
from host_tools.web.desk.forms import read_form
from host_tools.web.desk.limiter import Limiter
from host_tools.web.desk.login import address_of
from host_tools.web.desk.rendering import words
from host_tools.web.one_at_a_time import render
from host_tools.web.serving import from_own_page

ACTOR = "signup"
LARGEST = 4000
"""Bytes of the form."""
_TRAP = "website"
_ROW = OPERATIONS["sign_up"]
_FORM = Form.of("signup", {**_ROW.form.defaults, _TRAP: ""})
_STORE = {"Cache-Control": "no-store"}


@dataclass
class SignupPages:
    """`limiter`: how often one address may sign somebody up."""

    service: TournamentService
    follower: Follower
    environment: Environment
    limiter: Limiter

    def routes(self) -> list[Route]:
        return [Route("/signup", self.page), Route("/signup", self.sign_up, methods=["POST"])]

    async def page(self, request: Request) -> Response:
        return await self._show(request)

    async def sign_up(self, request: Request) -> Response:
        """Take a sign-up. Who is told off may try again with what they typed."""
        length = request.headers.get("content-length", "")
        if not length.isdecimal() or int(length) > LARGEST or not from_own_page(request):
            return await self._show(request, TEXTS[language(request)]["not_understood"], 400)
        form = await read_form(request)
        try:
            if not self.follower.state.signing_up.open:
                raise UserError("signups_closed")
            given = _FORM.read(form.pairs)
            if self.follower.state.signing_up.asks and not given.contact:
                raise UserError("form_missing", label="contact")
        except UserError as error:
            return await self._show(request, self._said(error, request), 409, form.typed)
        # before it is stored: this sign-up may take the last place itself
        waits = places_left(self.follower.state) == 0
        done = RedirectResponse(
            f"/signup?lang={language(request)}&done={2 if waits else 1}", 303, _STORE
        )
        if given.website:
            return done  # a program: it is not told that nobody reads it
        wait_s = self.limiter.wait_s(address_of(request), given.name)
        if wait_s:
            said = TEXTS[language(request)]["signup_limited"].format(seconds=wait_s)
            return await self._show(request, said, 429, form.typed)
        # counted like a failed login
        self.limiter.failed(address_of(request), given.name)
        try:
            fields = {name: getattr(given, name) for name in _ROW.form.fields}
            # role None passes every check of rights, so only `sign_up` may be reachable here
            who = Who(ACTOR, None, utc_now())
            wanted = _ROW.wanted(_ROW.form.struct(**fields), who)
            await anyio.to_thread.run_sync(self.service.do, ACTOR, "", wanted)
        except UserError as error:
            return await self._show(request, self._said(error, request), 409, form.typed)
        await self.follower.catch_up()
        return done

    def _said(self, error: UserError, request: Request) -> str:
        return refusal_text(error, self.follower.public.state, language(request))

    async def _show(
        self, request: Request, error: str = "", status: int = 200, typed: Any = None
    ) -> Response:
        state, lang = self.follower.state, language(request)
        values = {
            **words(lang),
            "name": state.setup.name,
            "look": "",
            "error": error,
            "done": request.query_params.get("done", "") if not error else "",
            "signing_up": state.signing_up,
            "left": places_left(state),
            "typed": {"name": "", "club": "", "contact": "", **(typed or {})},
        }
        template = self.environment.get_template("page_signup.html")
        text = await render(lambda: template.render(**values))
        return HTMLResponse(text, status, headers=_STORE)
