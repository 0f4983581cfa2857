"""HTML of pages and parts. A part is rendered once per language and change, for all readers."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from host_tools.core.texts.board import ROUNDS
from host_tools.core.texts.pages import LANGS, TEXTS, round_namer
from host_tools.print import tree_layout
from host_tools.print.tree_svg import cards_of, tree_svg
from host_tools.tournament import view
from host_tools.tournament.ko import Match
from host_tools.tournament.state import State
from host_tools.tournament.wording import name_of
from host_tools.web.desk.follower import (
    ALL,
    HEAD,
    LATEST,
    NOW,
    RANKING,
    TREE,
    Change,
    Follower,
    group_part,
)

TOP_SHOWN = 8
RANKING_MARGIN = 16
"""So many players below the cut stand on the board too."""
TREE_PLAYERS = 8
"""So many names fit on one screen of the hall in letters that can be read from ten metres."""
LAST = "last"
_TEMPLATES = Path(__file__).parent / "templates"


def environment() -> Environment:
    """Everything is escaped; a name that a template does not get is an error."""
    made = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["signed"] = view.signed
    return made


class Board:
    """Pages and parts of the public board."""

    def __init__(self, follower: Follower) -> None:
        self._follower = follower
        self.environment = environment()
        self._rendered: dict[tuple[str, str], str] = {}
        follower.listeners.append(self._forget)

    def _forget(self, change: Change) -> None:
        _, touched = change
        if ALL in touched:
            self._rendered.clear()
        for key in [key for key in self._rendered if topic(key[0]) in touched]:
            del self._rendered[key]

    def changed(self, touched: frozenset[str], page: str, lang: str) -> Mapping[str, str] | None:
        """The parts of `page` that were touched; None if the page must be loaded anew."""
        if ALL in touched:
            return None
        names = (name for name in self.parts_of(page) if topic(name) in touched)
        return {name: self.part(name, lang) for name in names}

    def parts_of(self, page: str) -> Iterable[str]:
        """The names of the parts on a page."""
        names = list(PARTS[page])
        if page in ("groups", "kiosk"):
            names += [group_part(group.id) for group in self._follower.state.groups]
        if page == "kiosk":
            names += [f"tree-{piece}" for piece in tree_pieces(self._follower.state)]
        return names

    def part(self, name: str, lang: str) -> str:
        """The HTML inside one part."""
        key = (name, lang)
        if key not in self._rendered:
            self._rendered[key] = self._render(name, lang)
        return self._rendered[key]

    def _render(self, name: str, lang: str) -> str:
        state = self._follower.state
        template = self.environment.get_template(f"parts/{_template(name)}.html")
        return template.render(**words(lang), name=state.setup.name, **self._values(name, lang))

    def _values(self, name: str, lang: str) -> dict[str, Any]:
        state = self._follower.state
        kind, _, which = name.partition("-")
        if kind == "group":
            return {
                "group": which,
                "rows": view.group_lines(state, which, lang),
                "matches": view.group_matches(state, which),
            }
        if kind == TREE:
            return _tree_values(state, which, lang)
        if name == LATEST:
            return {"latest": view.lines(state, self._follower.latest_matches())}
        return _SIMPLE[name](state, lang)

    def page(self, page: str, lang: str, seconds: int) -> str:
        """A whole page of the board."""
        state = self._follower.state

        def part(name: str) -> Markup:
            inner = Markup(self.part(name, lang))
            return Markup('<div class="part" id="part-{}">{}</div>').format(name, inner)

        return self.environment.get_template(f"page_{page}.html").render(
            **words(lang),
            page=page,
            seq=state.seq,
            name=state.setup.name,
            look="kiosk" if page == "kiosk" else "",
            seconds=seconds,
            part=part,
            groups=[group.id for group in state.groups],
            trees=tree_pieces(state),
        )


PAGES: dict[str, tuple[str, ...]] = {
    "now": (HEAD, "now-tables", "now-next", LATEST, "ranking-top"),
    "groups": (HEAD,),
    "tree": (HEAD, TREE),
    "ranking": (HEAD, RANKING),
    "kiosk": (HEAD, "now-tables", "now-next", LATEST, RANKING),
}
DESK = "desk"
PARTS = {**PAGES, DESK: (HEAD,)}
"""The desk's pages only hear that something changed."""


def topic(part: str) -> str:
    """What must be touched for `part` to change: `ranking-top` is about the ranking."""
    return part if part.startswith("group-") else part.partition("-")[0]


def words(lang: str) -> dict[str, Any]:
    """What every template gets."""
    other = LANGS[1 - LANGS.index(lang)]
    return {
        "t": TEXTS[lang],
        "lang": lang,
        "other_lang": other,
        "round_name": round_namer(lang),
    }


def _template(part: str) -> str:
    whole = part in ("now-tables", "now-next")
    return part if whole else part.partition("-")[0]


_SIMPLE: dict[str, Callable[[State, str], dict[str, Any]]] = {
    HEAD: lambda state, _lang: {"progress": view.progress(state)},
    f"{NOW}-tables": lambda state, _lang: {"tables": view.at_the_tables(state)},
    f"{NOW}-next": lambda state, _lang: {"next": view.next_up(state)},
    RANKING: lambda state, lang: {
        "final": view.final_lines(state),
        "rows": view.ranking(state, lang, state.setup.ko_size + RANKING_MARGIN),
        "heading": False,
    },
    f"{RANKING}-top": lambda state, lang: {
        "final": view.final_lines(state)[:TOP_SHOWN],
        "rows": view.ranking(state, lang, TOP_SHOWN),
        "heading": True,
    },
}


# -- the tree -------------------------------------------------------------------------------------


def tree_pieces(state: State) -> list[str]:
    """The pieces in which the tree goes over the screen of the follower."""
    if state.bracket is None:
        return []
    if state.bracket.size <= TREE_PLAYERS:
        return [LAST]
    count = state.bracket.size // TREE_PLAYERS
    return [*(str(number) for number in range(count)), LAST]


def _tree_values(state: State, piece: str, lang: str) -> dict[str, Any]:
    bracket = state.bracket
    if bracket is None:
        return {"tree": None}
    if piece == "":
        tree = tree_layout.whole(bracket)
    elif piece == LAST:
        tree = tree_layout.last_rounds(bracket, TREE_PLAYERS)
    else:
        tree = tree_layout.parts(bracket, TREE_PLAYERS)[int(piece)]
    return {
        "tree": tree_svg(tree, state, round_namer(lang), TEXTS[lang]["tree"]),
        "champion": _champion(state) if piece in ("", LAST) else "",
        "decided": piece not in ("", LAST) and all(box.match.winner for box in tree.boxes),
        "rounds": _rounds(state, lang) if piece == "" else [],
    }


def _champion(state: State) -> str:
    champion = state.bracket.champion if state.bracket else None
    return name_of(state, champion) if champion else ""


def _rounds(state: State, lang: str) -> list[dict[str, Any]]:
    """The tree as lists, for narrow screens; the latest round first."""
    assert state.bracket is not None
    stages = [*state.bracket.rounds]
    if state.bracket.third:
        stages.insert(-1, [state.bracket.third])
    names = ROUNDS[lang]
    return [
        {
            "name": names.get(stage[0].round, stage[0].round),
            "lines": [_tree_line(state, match) for match in stage if not match.bye],
        }
        for stage in reversed(stages)
    ]


def _tree_line(state: State, match: Match) -> dict[str, str]:
    a, b = match.a, match.b
    winner = "a" if match.winner == a.player else "b"
    played = match.result is not None
    return {
        "a": name_of(state, a.player),
        "b": name_of(state, b.player),
        "winner": winner if match.winner else "",
        "score": f"{cards_of(match, a)}:{cards_of(match, b)}" if played else "",
    }
