"""The routes of the desk: pages to read, one function to write, the login."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import quote, urlencode

import anyio.to_thread
from jinja2 import Environment
from starlette.datastructures import ImmutableMultiDict
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from starlette.routing import BaseRoute, Route

from host_tools.core.errors import UserError, in_words
from host_tools.core.supervisor import Supervisor
from host_tools.core.texts import LANGS, TEXTS, chosen
from host_tools.print import DOCUMENTS, OF_THE_JURY, make
from host_tools.tournament.boxes import BoxTables
from host_tools.tournament.events import LogEntry
from host_tools.tournament.export import ENDINGS, FORMATS, WITH_OBSERVATIONS
from host_tools.tournament.fields import find_match
from host_tools.tournament.forgetting import forget
from host_tools.tournament.operations import OPERATIONS, OperationRow, Who
from host_tools.tournament.rights import READS_OBSERVATIONS, Forbidden, Role
from host_tools.tournament.service import TournamentService, utc_now
from host_tools.tournament.view import search
from host_tools.tournament.wording import event_text, refusal_text, sentence_text
from host_tools.web.desk.accounts import User
from host_tools.web.desk.board import LIVE, base_of, stream
from host_tools.web.desk.follower import Follower
from host_tools.web.desk.forms import FORGET, Posted, asked_for, read_form
from host_tools.web.desk.live import DESK, Live
from host_tools.web.desk.login import (
    HOME,
    Authenticator,
    NeedsLogin,
    NotHere,
    check_token,
    local,
    token,
)
from host_tools.web.desk.pages import FORGETS, GRID, MENU, SEARCH, PageRequest, values_of
from host_tools.web.desk.rendering import words
from host_tools.web.one_at_a_time import make_file, render
from host_tools.web.serving import gone

READ: Role = "viewer"
IN_PLACE = "x-live"
PRIVATE = {"Cache-Control": "no-store"}
NOT_FOUND, WRONG_METHOD, TOO_BIG = 404, 405, 413
JSON = "application/json"
"""What a script asks for that enters results: a sentence and not a page."""
OF_ONE = ("match", "player", "after")
"""Pages about one of them, which their address names."""
ASKS = {
    "odd_result": "sure",
    "winner_needed": "winner",
    "check_in_sure": "sure",
    "protest_open": "anyway",
    "anyway_why": "anyway",
    "word_why": "why",
}
"""Refusals that are questions: the field of the form that answers them."""


@dataclass
class DeskSite:
    """Pages behind the login. Reading takes the role viewer, writing what `OPERATIONS` says."""

    _service: TournamentService
    _follower: Follower
    _auth: Authenticator
    _environment: Environment
    _live: Live
    _tables: BoxTables | None = None
    _tasks: Supervisor = field(default_factory=Supervisor)

    def __post_init__(self) -> None:
        self._environment.filters["local_time"] = local_time

    def routes(self) -> list[BaseRoute]:
        names = [*(page for page in MENU if page != "home"), SEARCH]
        pages = [Route(f"{HOME}/{page}", self.page) for page in names]
        return [
            Route(HOME, self.page),
            Route(f"{HOME}/login", self.login_page),
            Route(f"{HOME}/login", self.log_in, methods=["POST"]),
            Route(f"{HOME}/logout", self.log_out, methods=["POST"]),
            Route(f"{HOME}/enter", self.find),
            Route(f"{HOME}{LIVE}", self.live),
            *(Route(f"{HOME}/{name}/{{{name}}}", self.page) for name in OF_ONE),
            Route(f"{HOME}/print/{{document}}.pdf", self.print),
            Route(f"{HOME}/export/{{kind}}", self.export),
            Route(f"{HOME}/do/{{action}}", self.do, methods=["POST"]),
            Route(f"{HOME}/forget", self.forget, methods=["POST"]),
            *pages,
        ]

    def exception_handlers(self) -> Mapping[Any, Callable[..., Any]]:
        """How the exceptions of sign-in and rights become pages."""
        return {
            NeedsLogin: self._to_login,
            Forbidden: self._forbidden,
            NOT_FOUND: self._nothing_here,
            HTTPException: self._http,
            UserError: in_words_only,
            ClientDisconnect: gone,
        }

    # -- reading ----------------------------------------------------------------------------------

    async def page(self, request: Request) -> Response:
        """One of the pages of the menu, or a match."""
        user = await self._reader(request)
        named = [name for name in OF_ONE if name in request.path_params]
        name = named[0] if named else request.url.path.removeprefix(HOME).strip("/") or "home"
        return await self._show(request, user, name, request.query_params)

    async def _reader(self, request: Request) -> User:
        """Who reads; what other desks wrote until now is on their page."""
        user = self._auth.require(request, READ)
        await self._follower.catch_up()
        return user

    async def _show(
        self,
        request: Request,
        user: User,
        page: str,
        fields: ImmutableMultiDict[str, str],
        error: str = "",
        which: str = "",
        asked: Mapping[str, Any] | None = None,
    ) -> Response:
        lang = language(request)
        wanted = which or request.path_params.get(page, "")
        # a page that brings itself up to date has been read before
        live = IN_PLACE in request.headers
        extra = {
            "csrf": token(request),
            "error": error,
            "asked": asked,
            "flash": "" if live else request.session.pop("flash", ""),
            "here": _place(page, wanted),
            # what answers a POST has no address to load again: `here` stands in for it
            "posted": request.method == "POST",
        }
        desk = (self._service, self._auth.book, self._tables, [*self._tasks.tasks.values()])
        shown = PageRequest(self._follower, user, lang, fields, wanted, extra, *desk)
        try:
            values = await anyio.to_thread.run_sync(values_of, page, shown)  # may ask the database
            text = await render(self._render, f"desk_{page}.html", values)
        except UserError as missing:
            return self._message(lang, self._sentence(missing, lang), NOT_FOUND)
        return HTMLResponse(text, 409 if error else 200, headers=PRIVATE)

    async def live(self, request: Request) -> Response:
        """Server-sent events: when something was written is for the desk alone."""
        self._auth.require(request, READ)
        return stream(self._live, DESK)

    async def find(self, request: Request) -> Response:
        """The match of a typed number or a scanned slip; else what else is called so."""
        user = await self._reader(request)
        asked = request.query_params.get("match", "")
        try:
            match = find_match(self._follower.state, asked)
        except UserError as error:
            if await render(search, self._follower.state, asked):
                return RedirectResponse(f"{HOME}/{SEARCH}?{urlencode({'q': asked})}", 303)
            sentence = self._sentence(error, language(request))
            fields = ImmutableMultiDict({"match": asked})
            return await self._show(request, user, "home", fields, sentence)
        return RedirectResponse(_place("match", match.id), 303)

    async def print(self, request: Request) -> Response:
        await self._reader(request)
        document = request.path_params["document"]
        lang = language(request)
        if document not in DOCUMENTS:
            return self._nothing_here(request)
        if document in OF_THE_JURY:
            self._auth.require(request, READS_OBSERVATIONS)
        base = base_of(request)
        players = request.query_params.getlist("player")
        matches = request.query_params.getlist("match")
        state = self._follower.state
        try:
            desk = await anyio.to_thread.run_sync(self._service.store.enrolled.desk)
            data = await make_file(make, document, state, lang, base, players, matches, desk)
        except UserError as error:
            return self._message(lang, self._sentence(error, lang), 409)
        headers = {**PRIVATE, "Content-Disposition": f'inline; filename="{document}.pdf"'}
        return Response(data, media_type="application/pdf", headers=headers)

    async def export(self, request: Request) -> Response:
        """The tournament as a file; the log holds what only the jury reads."""
        await self._reader(request)
        kind = request.path_params["kind"]
        if kind not in FORMATS:
            return self._nothing_here(request)
        if kind in WITH_OBSERVATIONS:
            self._auth.require(request, READS_OBSERVATIONS)
        data = await make_file(FORMATS[kind], self._service, language(request))
        name = f"{self._service.id}-{kind}.{ENDINGS.get(kind, 'csv')}"
        headers = {**PRIVATE, "Content-Disposition": f'attachment; filename="{name}"'}
        return Response(data, media_type="application/octet-stream", headers=headers)

    # -- writing ----------------------------------------------------------------------------------

    async def do(self, request: Request) -> Response:
        """The only place where something is added to the tournament."""
        row = OPERATIONS.get(request.path_params["action"])
        if row is None:
            return self._nothing_here(request)
        user = self._auth.require(request, row.role)
        return await self._write(request, row, await self._form(request), user)

    async def _write(
        self, request: Request, row: OperationRow, form: Posted, user: User
    ) -> Response:
        lang, typed = language(request), form.typed
        refusal: UserError | None = None
        made: Sequence[LogEntry] = ()
        who = Who(user.name, user.role, utc_now())
        try:
            around, command = asked_for(row, form, who)
            made = await anyio.to_thread.run_sync(self._service.do, who.name, who.why, command)
        except UserError as error:
            refusal = error
        await self._follower.catch_up()  # also what made others faster
        if JSON in request.headers.get("accept", ""):
            return self._answer(refusal, made, lang)
        if refusal is not None:
            sentence, page = self._sentence(refusal, lang), row.page
            # another desk may have merged or removed the entry meanwhile
            if page == "player" and typed.get(page) not in self._follower.state.players:
                page = "players"
            which = typed.get(page, "") if page in OF_ONE else ""
            asked = _asked(row, refusal, form)
            return await self._show(request, user, page, typed, sentence, which, asked)
        request.session["flash"] = self._saved(row.name, made, who, lang)
        return RedirectResponse(_after(row, typed, around), 303)

    async def forget(self, request: Request) -> Response:
        """All names go for good, or those of one player, once the name was typed."""
        user = self._auth.require(request, FORGETS)
        form, lang = await self._form(request), language(request)
        who = form.typed.get("player", "")
        page = f"player/{who}" if who else "honours"
        try:
            typed, state = FORGET.read(form.of(around=False)), self._service.known
            name = state.players[who].name if who in state.players else state.setup.name
            # both through the same door
            if typed != FORGET.read([("event", name), ("player", who)]):
                raise UserError("delete_other_name", name=name)
            left = await anyio.to_thread.run_sync(forget, self._service, who)
        except UserError as error:
            sentence = self._sentence(error, lang)
            shown = "player" if who in self._follower.state.players else "honours"
            return await self._show(request, user, shown, form.typed, sentence, who)
        await self._follower.catch_up()
        request.session["flash"] = " ".join(left.lines(lang))
        return RedirectResponse(f"{HOME}/{page}", 303)

    def _saved(self, action: str, made: Sequence[LogEntry], who: Who, lang: str) -> str:
        """Whoever stands at the entrance wants to see the name and not that something is saved."""
        answer = TEXTS[lang]["saved" if made else "nothing_changed"]
        if action == "arrive" and made:
            answer = event_text(self._follower.state, made[0], lang)
        return " ".join(
            [answer, *(sentence_text(s, self._follower.state, lang) for s in who.notes)]
        )

    def _answer(self, refusal: UserError | None, made: Sequence[LogEntry], lang: str) -> Response:
        """For a script: the match that was written, or why not, and what would answer it."""
        if refusal is None:
            matches = [getattr(event.body, "match", "") for event in made]
            return JSONResponse({"match": matches[0] if matches else ""}, headers=PRIVATE)
        answer = {
            "refused": self._sentence(refusal, lang),
            "ask": ASKS.get(refusal.sentence.key, ""),
        }
        return JSONResponse(answer, 409, headers=PRIVATE)

    # -- the login --------------------------------------------------------------------------------

    async def login_page(self, request: Request) -> Response:
        return self._login(request)

    async def log_in(self, request: Request) -> Response:
        lang = language(request)
        refused = await self._auth.let_in(request, await self._form(request))
        if refused is None:
            return RedirectResponse(local(request.query_params.get("next", HOME)), 303)
        text = TEXTS[lang][refused.key].format(seconds=refused.wait_s)
        return self._login(request, text, refused.status, refused.wait_s)

    async def log_out(self, request: Request) -> Response:
        # for the token: no other site logs anybody out
        await self._form(request)
        self._auth.log_out(request)
        return RedirectResponse("/", 303)

    async def _form(self, request: Request) -> Posted:
        """A form of ours. Raises HTTPException (413) for a big one, Forbidden for a forged one."""
        try:
            form = await read_form(request)
        except UserError as error:
            raise HTTPException(TOO_BIG, self._sentence(error, language(request))) from error
        check_token(request, form.csrf)
        return form

    def _login(
        self, request: Request, error: str = "", status: int = 200, wait_s: int = 0
    ) -> Response:
        lang = language(request)
        values = {
            **words(lang),
            "name": self._follower.state.setup.name,
            "look": "desk",
            "csrf": token(request),
            "error": error,
            "nobody": not self._auth.accounts.users(),
            "next": request.query_params.get("next", HOME),
        }
        headers = {**PRIVATE, "Retry-After": str(wait_s)} if wait_s else PRIVATE
        return HTMLResponse(self._render("desk_login.html", values), status, headers=headers)

    def _to_login(self, request: Request, _error: Exception) -> Response:
        here = request.url.path
        language(request)  # the one that was asked for is the login's too
        if request.method == "GET" and request.url.query:
            here += f"?{request.url.query}"
        # a POST cannot be resumed after the login
        target = local(here if request.method == "GET" else HOME)
        return RedirectResponse(f"{HOME}/login?{urlencode({'next': target})}", 303)

    def _forbidden(self, request: Request, error: Forbidden) -> Response:
        lang = language(request)
        texts = TEXTS[lang]
        sentence = texts["expired"]
        if isinstance(error, NotHere):
            sentence = texts["not_here"]
        elif error.role:
            sentence = texts["forbidden"].format(role=texts[f"role_{error.role}"])
        return self._message(lang, sentence, 403)

    def _nothing_here(self, request: Request, _error: Exception | None = None) -> Response:
        lang = language(request)
        return self._message(lang, TEXTS[lang]["none_here"], NOT_FOUND)

    def _http(self, request: Request, error: HTTPException) -> Response:
        """What Starlette refuses by itself comes in English, or not in words at all."""
        lang = language(request)
        own = {WRONG_METHOD: TEXTS[lang]["wrong_method"], TOO_BIG: error.detail}
        answer = self._message(
            lang, own.get(error.status_code, TEXTS[lang]["not_understood"]), error.status_code
        )
        answer.headers.update(error.headers or {})
        return answer

    # -- helpers ----------------------------------------------------------------------------------

    def _sentence(self, error: UserError, lang: str) -> str:
        return refusal_text(error, self._follower.state, lang)

    def _message(self, lang: str, sentence: str, status: int) -> Response:
        values = {**words(lang), "name": self._follower.state.setup.name, "look": "desk"}
        text = self._render("desk_message.html", {**values, "error": sentence})
        return HTMLResponse(text, status, headers=PRIVATE)

    def _render(self, template: str, values: dict[str, Any]) -> str:
        return self._environment.get_template(template).render(**values)


def language(request: Request) -> str:
    """`?lang=` of a desk page is remembered in the session; the board sets no cookie."""
    asked = request.query_params.get("lang")
    if asked not in LANGS:
        asked = request.session.get("lang")
    elif request.url.path.startswith(HOME):
        request.session["lang"] = asked
    return chosen(asked, request.headers.get("accept-language", ""))


def local_time(at: str) -> str:
    """`2026-11-22 14:05:03` on the clock of the hall's laptop, for a UTC time of the log."""
    return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M:%S")


def in_words_only(request: Request, error: UserError) -> Response:
    """A database that fails, a file that cannot be written: the sentence, not a trace."""
    return PlainTextResponse(f"{in_words(error.sentence, language(request))}\n", 503)


def _place(page: str, which: str) -> str:
    """The address of a page, also if it is shown as the answer to a form."""
    return "/".join(filter(None, (HOME, page if page != "home" else "", quote(which, safe=""))))


def _asked(row: OperationRow, refusal: UserError, form: Posted) -> Mapping[str, Any] | None:
    """A refusal that is a question, to be answered on whatever page says it."""
    answer = ASKS.get(refusal.sentence.key, "")
    # a form of results has the fields for these itself
    if refusal.sentence.key in ("odd_result", "winner_needed", "word_why") or not answer:
        return None
    # the form that asks has its own; a field that comes twice is refused
    left = ("csrf", "why", answer)
    fields = [(name, value) for name, value in form.pairs if name not in left]
    return {"do": row.name, "fields": fields, "answer": answer, "why": answer == "anyway"}


def _after(row: OperationRow, typed: Mapping[str, str], around: Any) -> str:
    """Where a command leads: back to the page of its form, with its search."""
    if GRID in (row.page, around.page):
        return _with(GRID, "stage", around.stage)
    page = row.then or (around.page if around.page in MENU else row.page)
    if page == "home":
        return HOME
    if page != row.page:
        return f"{HOME}/{page}"
    if row.page in ("match", "player"):
        return _place(row.page, typed[row.page])
    return _with(page, "q", around.q)


def _with(page: str, field: str, value: str) -> str:
    """The address of a page with what it shows, if that was chosen."""
    return f"{HOME}/{page}" + (f"?{urlencode({field: value})}" if value else "")
