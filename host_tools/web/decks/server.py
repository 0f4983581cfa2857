"""The page on which a deck is made: `schiri decks edit`.

The page holds the deck and sends it whole with every question; the server guesses, checks, plays,
prints and keeps it. Only the link with the key opens it, and only this machine is served.
"""

import base64
import hashlib
import io
from functools import partial
from pathlib import Path
from secrets import token_urlsafe

import msgspec
from jinja2 import Environment, FileSystemLoader
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from host_tools.cards import art
from host_tools.cards.decks import DECKS
from host_tools.cards.decks.balance import MATCHES, Balance, Values
from host_tools.cards.decks.check import PICTURES, DeckFile
from host_tools.cards.decks.draft import (
    MOST_CARDS,
    Draft,
    as_toml,
    check_draft,
    content_of,
    from_table,
    is_code,
    load_draft,
    questions,
    two_readings,
)
from host_tools.cards.decks.values import written
from host_tools.core.errors import UserError, decode_reason, in_words
from host_tools.core.json_types import Json
from host_tools.core.own_files import write_whole, written_below
from host_tools.core.spreadsheet import parse_table
from host_tools.core.supervisor import Supervisor
from host_tools.core.texts import DECK, LANGS, NUMBERS, chosen
from host_tools.games import page_texts
from host_tools.games.box_words import box_words
from host_tools.games.deck_rules import deck_hints, directions
from host_tools.games.options import check_options, deck_presets
from host_tools.print import cards as sheets
from host_tools.print import sizes
from host_tools.print.faces import DeckFaces, back, opened
from host_tools.sim.table.asking import BadMessage, NotThere
from host_tools.web.files import DESIGN, FONTS, KeptFiles, all_files, picture_kind
from host_tools.web.keyed import (
    HEADERS,
    OwnHosts,
    body_of,
    check_key,
    key_of,
    number_of,
    refusal,
)
from host_tools.web.serving import LOOPBACK, Server, gone, listen
from host_tools.web.table.server import MOST_TABLES, PlayServer

FILE = "deck.toml"
HERE = Path(__file__).parent
LARGEST_TABLE = 4 * 1024 * 1024
LARGEST_PICTURE = 30 * 1024 * 1024
"""A telephone's photo has 5 to 15 MB; it is made smaller here."""
MOST_PICTURES = 2 * MOST_CARDS
"""Each may be exchanged once: what was replaced is kept until the server ends."""
_LONGEST_SIDE = 1400
"""Dots: 62 mm at 300 dots an inch are 732."""
_QUALITY = 88
_SHARED = ("net.js", "press.js", "options.js", "drawing.js", "card.css")
_BOX_WORDS = ("menu_options", "options_usual", "options_changed")


class DeckEditor:
    """One deck, kept in `folder`. `app` is the ASGI application, `key` opens it."""

    def __init__(
        self, folder: Path, begin: Path | None, lang: str, engine: str = "cpython"
    ) -> None:
        """`begin`: a deck file to begin with, if the folder has none. `engine` runs the box on
        which the deck is tried out. Raises UserError.
        """
        self._engine = engine
        self._tables: PlayServer | None = None
        self._tables_at = ""
        self.key = token_urlsafe(12)
        self.folder = folder
        self._lang = lang
        self._pictures: dict[str, bytes] = {}
        own = folder / FILE
        self._first = Draft(id="", title="")
        source = own if own.is_file() else begin
        if source is not None:
            self._first, found = load_draft(source)
            names = {code: self._keep(path.read_bytes()) for code, path in found.items()}
            for card in self._first.cards:
                card.picture = names.get(card.code, "")
        self._pages = Environment(
            loader=FileSystemLoader(HERE / "templates"), autoescape=True, auto_reload=False
        )
        scripts = all_files(HERE / "static") | DESIGN
        shared = HERE.parent / "table" / "static"
        scripts |= {name: shared / name for name in _SHARED}
        routes = [
            Route("/", self._page),
            Route("/import", self._import, methods=["POST"]),
            Route("/check", self._check, methods=["POST"]),
            Route("/balance", self._balance, methods=["POST"]),
            Route("/pictures", self._take_picture, methods=["POST"]),
            Route("/pictures/{name}", self._picture),
            Route("/print", self._print, methods=["POST"]),
            Route("/save", self._save, methods=["POST"]),
            Route("/play", self._play, methods=["POST"]),
            Route("/font/{name:path}", FONTS.answer),
            Route("/static/{name:path}", KeptFiles(scripts).answer),
        ]
        self.app = Starlette(
            routes=routes,
            middleware=[Middleware(OwnHosts, lang=lang)],
            exception_handlers={UserError: self._sorry, ClientDisconnect: gone},
        )
        self.app.state.farewell = self._farewell

    # -- who asks, and in which language

    def _lang_of(self, request: Request) -> str:
        return chosen(request.query_params.get("lang") or self._lang)

    async def _sorry(self, request: Request, error: Exception) -> Response:
        return refusal(error, self._lang_of(request))

    async def _draft(self, request: Request) -> Draft:
        """The deck that the page sends. Raises BadMessage."""
        check_key(request, self.key)
        body = await body_of(request, LARGEST_TABLE)
        try:
            draft = msgspec.json.decode(body, type=Draft)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadMessage("play_malformed", reason=decode_reason(error)) from error
        if len(draft.cards) > MOST_CARDS:
            raise BadMessage("deck_many_cards", most=MOST_CARDS)
        return draft

    def _checked(self, draft: Draft) -> DeckFile:
        return check_options(check_draft(draft, self.folder / FILE))

    def _whole(self, draft: Draft) -> DeckFile:
        """The deck without faults. Raises BadMessage with the first one."""
        file = self._checked(draft)
        if file.deck is None:
            fault = file.faults[0]
            raise BadMessage("deck_not_yet", field=fault.field, detail=fault.text)
        return file

    # -- what the page asks for

    def _page(self, request: Request) -> Response:
        check_key(request, self.key)
        lang = self._lang_of(request)
        say = box_words(lang).get
        data = {
            "key": self.key,
            "lang": lang,
            "texts": {**DECK[lang], "joker": page_texts(lang)["joker"]},
            "draft": msgspec.to_builtins(self._first),
            "matches": MATCHES,
            "presets": deck_presets(lang),
            "box_words": {word: say(word) for word in _BOX_WORDS},
            "decimal": NUMBERS[lang]["decimal_mark"],
        }
        page = self._pages.get_template("edit.html")
        more = {"key": key_of(request), "langs": LANGS, "folder": self.folder}
        more |= {"presets": data["presets"], "box_words": data["box_words"]}
        html = page.render(lang=lang, words=DECK[lang], data=data, **more)
        return HTMLResponse(html, headers=HEADERS)

    async def _import(self, request: Request) -> Response:
        """A table as it was pasted, or a file of a spreadsheet: what deck it most likely is."""
        check_key(request, self.key)
        raw = await body_of(request, LARGEST_TABLE)
        name = request.query_params.get("name", "")[:80]
        rows = parse_table(raw, name)
        if not rows:
            raise BadMessage("deck_no_table")
        draft = from_table([row.cells for row in rows], Path(name).stem)
        return JSONResponse(msgspec.to_builtins(draft), headers=HEADERS)

    async def _check(self, request: Request) -> Response:
        draft = await self._draft(request)
        lang = self._lang_of(request)
        file = self._checked(draft)
        faults = [{"field": f.field, "text": in_words(f.text, lang)} for f in file.faults]
        notes = [in_words(hint, lang) for hint in deck_hints(file)]
        number = number_of(request, "card", digits=3)
        face = self._face(file.deck, draft, number, lang) if file.deck else None
        found = {"faults": faults, "notes": notes, "face": face}
        found["questions"] = [one._asdict() for one in questions(draft)]
        if request.query_params.get("all"):
            found["cards"] = _as_read(draft, lang)
        return JSONResponse(found, headers=HEADERS)

    def _face(self, deck: Json, draft: Draft, number: int, lang: str) -> Json:
        """What the virtual table draws of a card (drawing.js)."""
        number = min(number, len(deck["cards"]) - 1)
        card, picture = deck["cards"][number], draft.cards[number].picture
        drawn = art.card_art(deck, card).svg
        data = base64.b64encode(self._pictures.get(picture) or drawn.encode()).decode()
        kind = picture_kind(self._pictures[picture]) if picture in self._pictures else "svg+xml"
        # a joker, or a card that is still being typed, has fewer values
        best = directions(deck, draft.preset)
        values = zip(deck["categories"], best, card.get("values", ()), strict=False)
        return {
            "code": card["code"],
            "name": card["name"],
            "joker": bool(card.get("joker")),
            "rows": [
                {"title": one["title"], "best": best, "value": written(value, one, lang)}
                for one, best, value in values
            ],
            "art": f"data:image/{kind};base64,{data}",
            "colour": art.group_colour(card["code"]),
        }

    async def _balance(self, request: Request) -> Response:
        """Which card wins how often."""
        file = self._whole(await self._draft(request))
        assert file.deck is not None
        balance = Balance(Values(file.deck, directions(file.deck, file.preset)))
        await run_in_threadpool(balance.run, MATCHES)
        return JSONResponse(balance.report(), headers=HEADERS)

    async def _take_picture(self, request: Request) -> Response:
        """Keep a picture until the deck is saved; answers with its name."""
        check_key(request, self.key)
        if len(self._pictures) >= MOST_PICTURES:
            raise BadMessage("deck_many_pictures", most=MOST_PICTURES)
        data = await body_of(request, LARGEST_PICTURE)
        name = request.query_params.get("name", "")[:80]
        kept = await run_in_threadpool(_smaller, data, name)
        return JSONResponse({"picture": self._keep(kept)}, headers=HEADERS)

    def _keep(self, data: bytes) -> str:
        name = hashlib.sha256(data).hexdigest()[:16]  # identical pictures are kept once
        self._pictures[name] = data
        return name

    def _picture(self, request: Request) -> Response:
        check_key(request, self.key)
        data = self._pictures.get(request.path_params["name"])
        if data is None:
            raise NotThere("deck_no_picture")
        return Response(data, media_type=f"image/{picture_kind(data)}", headers=HEADERS)

    async def _print(self, request: Request) -> Response:
        """The cards as a PDF."""
        draft = await self._draft(request)
        file = self._whole(draft)
        asked, lang = request.query_params, self._lang_of(request)
        size = sizes.SIZES.get(asked.get("size", ""), sizes.SIZES["large"])
        paper = asked.get("paper", "")
        paper = paper if paper in sizes.PAPERS else "a4"
        data = await run_in_threadpool(_sheets, file, size, paper, lang, self._shown(draft))
        return Response(data, media_type="application/pdf", headers=HEADERS)

    def _shown(self, draft: Draft) -> dict[str, bytes]:
        """Code -> picture."""
        found = {card.code: self._pictures.get(card.picture) for card in draft.cards}
        # codes become names of files, and a draft may hold any text there
        return {code: data for code, data in found.items() if data and is_code(code)}

    async def _save(self, request: Request) -> Response:
        draft = await self._draft(request)
        for one in questions(draft):  # a file has one reading, and nobody has said which
            title = draft.categories[one.category].title
            raise BadMessage("deck_save_open", title=title, detail=two_readings(one))
        with written_below(self.folder):
            await run_in_threadpool(self._write, draft, self.folder)
        with written_below(DECKS.own_folder):
            await run_in_threadpool(self._keep_in_menu, draft)
        # told, not refused: a draft is kept with its faults and can be reopened
        faults = len(self._checked(draft).faults)
        return JSONResponse({"path": str(self.folder / FILE), "faults": faults}, headers=HEADERS)

    async def _play(self, request: Request) -> Response:
        """A virtual table at which this deck is in the menu; answers with its address."""
        draft = await self._draft(request)
        file, lang = self._whole(draft), self._lang_of(request)
        shown = self._shown(draft)
        at = await run_in_threadpool(self._table_with, file, shown, lang)
        return JSONResponse({"table": at})

    def _table_with(self, file: DeckFile, shown: dict[str, bytes], lang: str) -> str:
        if self._tables is None:
            self._tables = PlayServer(self._engine, lang)
            listening = listen(LOOPBACK, 0)
            self._tables_at = f"http://{LOOPBACK}:{listening.getsockname()[1]}"
            server = Server(self._tables.app)
            Supervisor().keep_thread("tables", partial(server.run, [listening]))
        tables = self._tables
        # every press of Play opens a table; the oldest one gives way
        while len(tables.tables) >= MOST_TABLES:
            tables.tables.pop(min(tables.tables)).close()
        tables.lang = lang
        tables.decks = [file]
        number = tables.open_table().number
        tables.pictures[str(file.deck and file.deck["id"])] = shown
        return f"{self._tables_at}/t/{number}?key={tables.key}"

    def _farewell(self) -> None:
        if self._tables is not None:
            self._tables.close()

    def _keep_in_menu(self, draft: Draft) -> None:
        """A deck without faults is from now on one of the user's own, wherever one is chosen, with
        its pictures.
        """
        kept = DECKS.own_folder
        # a deck edited in the folder of own decks is already there
        if self._checked(draft).deck is not None and self.folder.resolve().parent != kept:
            self._write(draft, kept / draft.id)
            (kept / f"{draft.id}.toml").unlink(missing_ok=True)  # as it was kept once

    def _write(self, draft: Draft, folder: Path) -> None:
        """The deck file, and the pictures of its cards; those that it shows no more go."""
        pictures = folder / PICTURES
        pictures.mkdir(parents=True, exist_ok=True)
        _, before = load_draft(folder / FILE) if (folder / FILE).is_file() else (0, {})
        shown = {
            pictures / f"{code}.{picture_kind(data).replace('jpeg', 'jpg')}": data
            for code, data in self._shown(draft).items()
        }
        # pictures first, old ones last: the deck file never names a missing picture
        for path, data in shown.items():
            write_whole(path, data)
        text = as_toml(draft).encode("utf8", "replace")
        write_whole(folder / FILE, text)
        for path in before.values():
            if path not in shown:
                path.unlink(missing_ok=True)


def _as_read(draft: Draft, lang: str) -> list[Json]:
    """Every card as a table was read, with its faults: what the page draws before it is taken."""
    content: Json = content_of(draft)
    point = NUMBERS[lang]["decimal_mark"]
    return [
        {
            "code": card["code"],
            "name": card["name"],
            "joker": bool(card.get("joker")),
            "rows": [
                {
                    "title": one["title"],
                    "best": one["best"],
                    "value": f"{value.replace('.', point)} {one['unit']}".strip(),
                }
                for one, value in zip(content["categories"], card.get("values", ()), strict=False)
            ],
            "colour": art.group_colour(card["code"]) if is_code(card["code"]) else None,
        }
        for card in content["cards"]
    ]


def _smaller(data: bytes, name: str) -> bytes:
    """A picture as JPEG, not larger than a card needs. Raises UserError if it is none."""
    picture = opened(data, name)
    picture.thumbnail((_LONGEST_SIDE, _LONGEST_SIDE))
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=_QUALITY)
    return out.getvalue()


def _sheets(
    file: DeckFile, size: sizes.CardSize, paper: str, lang: str, pictures: dict[str, bytes]
) -> bytes:
    deck = file.in_language(lang)
    assert deck is not None
    title = deck["title"]
    best = directions(deck, file.preset)
    fronts = DeckFaces(deck, size, lang, pictures, file.links, best).fronts()
    return sheets.make(sheets.Print(title, fronts, back(title, size), size), lang, paper)
