"""How each game is played, in a few pictures, before its rules by number: for everybody."""

from functools import cache
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from firmware.games import open_match
from host_tools.core.json_types import Json
from host_tools.core.texts import LANGS, ORIGINAL, TEXTS, Texts, chosen, read
from host_tools.games import GAMES, page_texts, table_view
from host_tools.games.box_words import box_words
from host_tools.replay.engines import resolve
from host_tools.sim.table import messages

if TYPE_CHECKING:
    from host_tools.web.table.server import PlayServer

_RULES = Texts("rule")


def how_games(lang: str) -> list[tuple[str, str]]:
    """The games that have such a page, and what they are called."""
    texts = page_texts(lang)
    return [
        (game, box_words(lang, game).get(f"game_{game}"))
        for game in GAMES
        if f"how_{game}" in texts
    ]


def how_page(server: "PlayServer", request: Request) -> Response:
    """`/how/<game>?lang=`. Raises BadMessage."""
    game = request.path_params["game"]
    lang = chosen(request.query_params.get("lang", server.lang))
    title = dict(how_games(lang)).get(game)
    if title is None:
        raise messages.NotThere("play_no_how", name=game[:20])
    texts = page_texts(lang)
    own = read(GAMES[game].folder / f"{ORIGINAL}.po")["rule"]
    data = {
        "key": "",
        "game": game,
        "name": title,
        "texts": texts,
        "sample": _sample(game, lang),
        "rules": {rule: _RULES[lang][rule] for rule in own},
        "others": [(code, TEXTS[code]["language"]) for code in LANGS if code != lang],
    }
    return server.page("how.html", data, lang)


@cache
def _sample(game: str, lang: str) -> Json:
    """A table of this game before the first move: what its pictures are drawn from."""
    demo = next(iter(GAMES[game].demos.values()))
    asked = {"preset": demo.preset, "deck": demo.deck}
    header: Json = {"schiri": 1, "game": game, "seats": demo.seats}
    header = resolve({**header, **{name: value for name, value in asked.items() if value}})
    world = table_view(header, open_match(header), box_words(lang, game).get, 1)
    cards = header["deck"]["cards"] if "deck" in header else ()
    codes = [*(card["code"] for card in cards), *(code for hand in world.hands for code in hand)]
    faces = {code: world.face(code) for code in codes}
    return {"faces": faces, "middle": world.middle(), "fixed": world.fixed()}
