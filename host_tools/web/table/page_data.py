"""What pages get once, with the page: that of a table its words, keys and games to choose from;
that of how a game is played its pictures, before its rules by number.
"""

from collections.abc import Sequence
from functools import cache

from firmware.games import names, open_match, row
from host_tools.cards.decks import deck_ids, load_deck
from host_tools.cards.decks.check import DeckFile
from host_tools.core.json_types import Json
from host_tools.core.names import LONGEST_AT_TABLE
from host_tools.core.texts import LANGS, ORIGINAL, TEXTS, Texts, read
from host_tools.games import GAMES as ROWS
from host_tools.games import page_texts, table_view
from host_tools.games.bot import STRENGTHS
from host_tools.games.box_words import box_words
from host_tools.games.options import header_for, in_force_by, offered
from host_tools.replay.engines import resolve
from host_tools.sim.table import arbiter
from host_tools.sim.table.asking import MOST_SEATS, NotThere
from host_tools.sim.table.box_setup import is_offered
from host_tools.sim.table.phones import CODE_LENGTH, COLOURS
from host_tools.sim.table.play_table import PlayTable
from host_tools.sim.table.table_state import history_of, note_of
from host_tools.sim.table.tricks import GAME_OF, TRICKS, trick_texts

_BOX_WORDS = (
    *("arbiter_resume", "menu_options", "options_usual", "options_changed"),
    *(word for game in ROWS.values() for word in game.box_words),
)
_RULES = Texts("rule")
MOST_LINES = 5
"""Players of the match history on the first page."""
_NAMES = ("Anna", "Beat", "Chiara", "Dürte", "Emre", "Fatoş", "Gianni", "Héloïse")


def page_data(
    table: PlayTable, key: str, seat: int | None, host: bool, decks: Sequence[DeckFile] = ()
) -> Json:
    """`seat` is None on the page that shows all seats in turn; `host` may do everything; `decks`
    are asked for, before those that fit a game.
    """
    first = [str(file.deck["id"]) for file in decks if file.deck]
    rules = {
        rule: name
        for name, game in ROWS.items()
        # from the game's own catalogue: `_RULES` has the rules of all games in one
        for rule in read(game.folder / f"{ORIGINAL}.po").get("rule", ())
    }
    return {
        "key": key,
        "table": table.number,
        "seat": seat,
        "host": host,
        "lang": table.lang,
        "texts": page_texts(table.lang),
        "tricks": trick_texts(table.lang),
        "rules": {rule: _RULES[table.lang][rule] for rule in rules},
        "rule_games": rules,
        "languages": {lang: page_texts(lang)["own_name"] for lang in LANGS},
        "trick_games": {name: GAME_OF.get(name, "") for name in TRICKS},
        "arbiter": arbiter.words(table.say),
        "box_words": {word: table.say(word) for word in _BOX_WORDS},
        "games": _games(table, first),
        "deck_titles": _titles(table),
        "asked_deck": next(iter(first), ""),
        "asked_preset": next((file.preset for file in decks), None),
        "names": list(_NAMES),
        # whoever has the code may take a seat, so only the host shows it
        "join": f"t/{table.number}/join?key={table.phones.key}" if host else "",
        "code": table.phones.code if host else "",
        "most_seats": MOST_SEATS,
        "most_letters": LONGEST_AT_TABLE,
        "family": history_of(table)[:MOST_LINES] if host else [],
        "strengths": [[one, page_texts(table.lang)["strength_" + one]] for one in STRENGTHS],
        "strength": table.log.usual,
        "strength_label": page_texts(table.lang)["strength"],
    }


def _games(table: PlayTable, first: Sequence[str]) -> list[Json]:
    """Every game with every preset: what the form offers."""
    games = []
    texts = page_texts(table.lang)
    for game in map(row, names()):
        for preset in game.presets:
            kind = f"{game.name}_{preset.name}" if preset.name else game.name
            games.append(
                {
                    "game": game.name,
                    "preset": preset.name or "",
                    "label": _label(game.name, preset.name, table.lang),
                    "about": texts.get(f"about_{kind}", ""),
                    "minutes": texts.get(f"minutes_{kind}", ""),
                    "players": "–".join(map(str, sorted({preset.fewest, preset.most}))),
                    "fewest": preset.fewest,
                    "most": preset.most,
                    "decks": _decks(table, game.name, preset.name, first) if game.deck else [],
                    "notes": _notes(table, preset.name) if game.deck else {},
                    "strengths": list(ROWS[game.name].strengths),
                    "options": offered(game.name, preset.name, table.lang),
                }
            )
    return games


def _decks(table: PlayTable, game: str, preset: str | None, first: Sequence[str]) -> list[str]:
    """Those that are asked for, the one that fits the preset, the own ones, the rest; no deck that
    the game cannot be played with, which the menu of the box does not have either.
    """
    best = ROWS[game].deck_for(preset) or ""
    decks = _all_decks(table)
    names = dict.fromkeys([*first, best, *table.log.own_decks, *deck_ids()])
    return [name for name in names if name in decks and is_offered(game, decks[name])]


def _all_decks(table: PlayTable) -> dict[str, Json]:
    decks = {name: load_deck(name, table.lang) for name in deck_ids()}
    return decks | dict(table.log.own_decks)


def _titles(table: PlayTable) -> dict[str, str]:
    """What a deck is called in the form."""
    return {name: str(deck["title"]) for name, deck in _all_decks(table).items()}


def _notes(table: PlayTable, preset: str | None) -> dict[str, str]:
    """By deck, where this preset says otherwise than the deck which value wins."""
    headers = {name: {"preset": preset, "deck": d} for name, d in _all_decks(table).items()}
    notes = {name: note_of(header, table.lang) for name, header in headers.items()}
    return {name: note for name, note in notes.items() if note}


def join_data(table: PlayTable, key: str) -> Json:
    """For a phone that joins: every seat, who has it, and whether it can be had."""
    texts = page_texts(table.lang)
    # after the end the next match counts, which may have other seats
    world = None if table.log.closed else table.log.world
    free, held = table.free_seats(), table.phones.held
    taken = {claim.colour for claim in held.values()}
    return {
        "key": key,
        "table": table.number,
        "texts": texts,
        "colours": [(colour, texts[f"colour_{colour}"]) for colour in COLOURS],
        "colour": next((colour for colour in COLOURS if colour not in taken), COLOURS[0]),
        "seats": [
            {
                "seat": seat,
                "who": held[seat].name if seat in held else world.name(seat) if world else "",
                "free": seat in free,
            }
            for seat in range(world.seats if world else MOST_SEATS)
        ],
        "most_letters": LONGEST_AT_TABLE,
    }


def code_data(lang: str) -> Json:
    """For whoever has come without a link."""
    return {"key": "", "texts": page_texts(lang), "length": CODE_LENGTH}


# -- how each game is played ----------------------------------------------------------------------


def how_games(lang: str) -> list[tuple[str, str, str]]:
    """The games that have such a page, a preset each, and what they are called."""
    texts = page_texts(lang)
    return [
        (game.name, preset.name or "", _label(game.name, preset.name, lang))
        for game in map(row, names())
        for preset in game.presets
        if f"how_{game.name}" in texts
    ]


def _label(game: str, preset: str | None, lang: str) -> str:
    say = box_words(lang, game).get
    label = say(f"game_{game}")
    return f"{label} – {say(f'preset_{preset}')}" if preset else label


def how_data(game: str, lang: str, rules: Sequence[str] = ()) -> Json:
    """`rules`: preset and house rules that the page is for (`in_force`), the usual ones where it
    names none. Raises NotThere for a game without such a page.
    """
    variants = [(preset, label) for name, preset, label in how_games(lang) if name == game]
    if not variants:
        raise NotThere("play_no_how", name=game[:20])  # anything may stand in the address
    ruled = in_force_by(game, rules)
    preset = next((preset for preset, _ in variants if preset in ruled), "")
    own = read(ROWS[game].folder / f"{ORIGINAL}.po")["rule"]
    return {
        "key": "",
        "game": game,
        "name": dict(variants)[preset],
        "texts": page_texts(lang),
        "in_force": ruled,
        "asked": " ".join(ruled),
        "sample": _sample(game, preset, lang),
        "rules": {rule: _RULES[lang][rule] for rule in own},
        "others": [(code, TEXTS[code]["language"]) for code in LANGS if code != lang],
    }


@cache
def _sample(game: str, preset: str, lang: str) -> Json:
    """A table of this game before the first move: what its pictures are drawn from."""
    demo = next(iter(ROWS[game].demos.values()))
    deck = {"deck": demo.deck} if demo.deck else {}
    header = resolve({**header_for(game, preset or None, demo.seats, {}), **deck})
    # any seed: with one, hands are dealt and have faces
    world = table_view(header, open_match(header), box_words(lang, game).get, 1)
    cards = header["deck"]["cards"] if "deck" in header else ()
    codes = [*(card["code"] for card in cards), *(code for hand in world.hands for code in hand)]
    faces = {code: world.face(code) for code in codes}
    return {"faces": faces, "middle": world.middle(), "fixed": world.fixed()}
