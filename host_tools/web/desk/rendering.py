"""HTML of pages and parts. A part is rendered once per language and change, for all readers."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from host_tools.core.texts import LANGS, ORIGINAL, ROUNDS, TEXTS, round_namer
from host_tools.print import tree_layout
from host_tools.print.tree_svg import cards_of, tree_svg
from host_tools.tournament import view
from host_tools.tournament.ko import KoMatch
from host_tools.tournament.match_state import BusyElsewhere
from host_tools.tournament.model import Entrant, PlayerId, has_tree
from host_tools.tournament.standings import TeamRow
from host_tools.tournament.state import MatchState, TournamentState
from host_tools.tournament.swiss import rounds_of
from host_tools.tournament.view import MatchLine
from host_tools.tournament.wording import group_name, name_of, said_text
from host_tools.web.desk.follower import (
    AGE,
    ALL,
    HEAD,
    LATEST,
    NOW,
    RANKING,
    SAID,
    TREE,
    Follower,
    LogChange,
    group_part,
)
from host_tools.web.desk.hall import HallMap, calendar_of, map_svg
from host_tools.web.desk.live import DESK, Delta, delta
from host_tools.web.desk.live_tables import JURY, LIVE, WALL, line_of, page_of, table_topic
from host_tools.web.desk.login import ALONE, DeskPlace
from host_tools.web.desk.wall import wall_of
from host_tools.web.files import DESIGN
from host_tools.web.one_at_a_time import render

TOP_SHOWN = 8
RANKING_MARGIN = 16
"""So many players below the cut stand on the board too."""
TREE_PLAYERS = 4
"""So many names fit on one screen of the hall in letters that can be read from eight metres."""
SCREEN = "screen:"
"""Begins the name of a page of the hall; its slides follow, separated by commas."""
SLIDES = ("calls", "live", "tables", "next", "latest", "groups", "ranking", "tree", "map")
"""What a screen of the hall may show, for `?screen=`. A call interrupts all of them."""
PLAYER = "player:"
"""Begins the name of a player's own page."""
TABLE, OVERLAY = "table:", "overlay:"
"""Begin the names of a table's own page, and of its overlay for a stream; its number follows."""
OWN = ("player", "live-table", "overlay")
KIOSK = SCREEN + "tables,next,latest,groups,ranking,tree"
LAST = "last"
MATCHES_SHOWN = 1000
"""Groups with so many matches stand on one page."""
FoundPlayer = tuple[
    Entrant, view.MatchLine | None, str, str, tuple[view.MatchLine, view.OwnPlace | None] | None
]
_TEMPLATES = Path(__file__).parent / "templates"


def environment(place: DeskPlace = ALONE) -> Environment:
    """Everything is escaped; a name that a template does not get is an error."""
    made = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["signed"] = view.signed
    made.filters["said"] = said_text
    made.globals |= {"at": place.at, "around": place.around}
    return made


@dataclass(frozen=True)
class PagePart:
    """A piece of a page that changes as one. `topic`: what must be touched for it to change;
    `template` of templates/parts; `which`: the group, the piece of the tree, the top.
    """

    topic: str
    template: str
    which: str = ""

    @property
    def name(self) -> str:
        """Its id in the HTML and in live messages is `part-` and this."""
        own = self.template in OWN  # whose it is, the address of the page says
        return f"{self.template}-{self.which}" if self.which and not own else self.template


class BoardRenderer:
    """Pages and parts of the public board."""

    def __init__(
        self, follower: Follower, hall_map: HallMap | None = None, place: DeskPlace = ALONE
    ) -> None:
        self._desk = follower
        self._map = hall_map
        self.environment = environment(place)
        # one for all: a page must not claim the number of a change that it does not show
        self._lock = threading.Lock()
        self._state = follower.public.state
        self.seq = follower.seq
        """The number of the change that pages show."""
        self._latest: list[MatchLine] = []
        self._rendered: dict[tuple[PagePart, str], str] = {}
        self._before: dict[tuple[PagePart, str], str] = {}
        follower.listeners.append(self._take)

    async def _take(self, change: LogChange) -> None:
        """Pages are made of this state from now on; what is no longer right is forgotten."""
        public = self._desk.public
        state, matches = public.state, public.latest_matches()
        await render(self._forget, change, state, matches)

    def _forget(
        self, change: LogChange, state: TournamentState, matches: list[MatchState]
    ) -> None:
        seq, touched = change
        with self._lock:
            self.seq = seq
            self._state, self._latest = state, view.lines(state, matches)
            gone = [key for key in self._rendered if {key[0].topic, ALL} & touched]
            before = {key: self._rendered.pop(key) for key in gone}
            # what open pages show until now: the same difference for every viewer
            self._before = {} if ALL in touched else before  # all pages are loaded anew

    def changed(self, touched: frozenset[str], page: str, lang: str) -> Mapping[str, Delta] | None:
        """How the parts of `page` changed last; None if the page must be loaded anew."""
        if ALL in touched:
            return None
        with self._lock:
            parts = [part for part in self._parts_of(page) if part.topic in touched]
            news = {part: self._html(part, lang) for part in parts}
            before = {part: self._before.get((part, lang)) for part in parts}
        return {
            part.name: {"now": [html]} if (old := before[part]) is None else delta(old, html)
            for part, html in news.items()
            # a topic touches more parts than it changes
            if html != before[part]
        }

    def _parts_of(self, page: str) -> list[PagePart]:
        return [_AGE, *self._own_parts(page)]

    def _own_parts(self, page: str) -> list[PagePart]:
        state = self._state
        slides = slides_of(page)
        if page.startswith(PLAYER):
            return [*PARTS["find"], PagePart(NOW, "player", page.removeprefix(PLAYER))]
        if page.startswith(TABLE):
            place = page.removeprefix(TABLE)
            return [*PARTS["find"], PagePart(table_topic(place), "live-table", place)]
        if page.startswith(OVERLAY):
            place = page.removeprefix(OVERLAY)
            # without a table it goes where something happens, and any table may be that
            return [PagePart(table_topic(place) if place else LIVE, "overlay", place)]
        found = list(SCREEN_PARTS if slides else PARTS[page])
        found += [part for slide in slides for part in _SLIDE_PARTS.get(slide, ())]
        if "groups" in (page, *slides):
            # up to four groups share a screen of the hall, so theirs stand there without matches
            whole = "standing" if slides else "group"
            found += [
                PagePart(group_part(group.id), whole, group.id) for group in state.all_groups
            ]
        if "tree" in slides:
            found += [PagePart(TREE, "tree", piece) for piece in tree_pieces(state)]
        return found

    def _html(self, part: PagePart, lang: str) -> str:
        key = (part, lang)
        if key not in self._rendered:
            template = self.environment.get_template(f"parts/{part.template}.html")
            name = self._state.setup.name
            values = self._values(part, lang)
            self._rendered[key] = template.render(**words(lang), name=name, **values)
        return self._rendered[key]

    def _values(self, part: PagePart, lang: str) -> dict[str, Any]:
        if part.template == "map":
            state = self._state
            plain = self._map or HallMap.plain(state.setup.tables)
            return {"map": map_svg(plain, view.at_the_tables(state), TEXTS[lang])}
        if part.template == "latest":
            return {"latest": self._latest}
        if part.topic == AGE:
            return {"since": since(self._desk)}
        if part.topic == WALL:
            return wall_of(self._state, self._desk.live.tables())
        if part.topic in (LIVE, JURY) or part.template in ("live-table", "overlay"):
            return self._live_values(part, lang)
        return _VALUES[part.template](self._state, part.which, lang)

    def _live_values(self, part: PagePart, lang: str) -> dict[str, Any]:
        """What boxes on the air have said, as far as the public may know it."""
        live, state = self._desk.live, self._state
        if part.template in ("live-table", "overlay"):
            return page_of(state, live.of_place(part.which), lang)
        lines = [line_of(state, table, lang) for table in live.tables()]
        calling = [table.table for table in live.tables() if table.jury]
        return {"lines": lines, "calling": calling}

    def has(self, page: str) -> bool:
        """True if there is such a page."""
        for prefix in (TABLE, OVERLAY):
            if page.startswith(prefix):
                place = page.removeprefix(prefix)
                # even before its box is heard; few digits, because rendered parts are kept
                number = place.isdecimal() and len(place) < 5 and not place.startswith("0")
                return number or self._desk.live.knows(place) or page == OVERLAY
        if page.startswith(PLAYER):
            return page.removeprefix(PLAYER) in self._state.players
        slides = slides_of(page)
        return set(slides) <= set(SLIDES) if slides else page in PARTS

    def merged_into(self, player: str) -> str:
        """Whom the id of an entry that is gone means; "" if nobody."""
        return self._state.aliases.get(player, "")

    def search(self, text: str) -> list[FoundPlayer]:
        """Players by name or club, each with the match that is next, against whom, and when; what
        they played last.
        """
        state = self._state
        found: list[FoundPlayer] = []
        for player in view.search(state, text).players:
            coming = _player(state, player.id, ORIGINAL)  # only what no language changes is used
            line, other = next(iter(coming["coming"]), (None, ""))
            about = coming["about"].get(line.id, "") if line else ""
            found.append((player, line, other, about, next(iter(coming["played"]), None)))
        return found

    def elsewhere(self, text: str) -> list[BusyElsewhere]:
        """Matches at the tables for other tournaments of the venue in which somebody is called
        so.
        """
        asked = text.strip().casefold()
        return [
            busy
            for busy in self._state.elsewhere
            if asked and any(asked in name.casefold() for name in busy.names)
        ]

    def calendar(self, player: PlayerId, lang: str, base: str) -> str:
        """The player's matches to come as a calendar; `base`: address of the board."""
        return calendar_of(self._state, player, TEXTS[lang], base)

    def snapshot(self, page: str, lang: str) -> tuple[int, str, dict[str, str]]:
        """The same number, the page's shape (what has another must be loaded anew), its parts."""
        with self._lock:
            parts = {part.name: self._html(part, lang) for part in self._parts_of(page)}
            return self.seq, self._shape(page), parts

    def _shape(self, page: str) -> str:
        """What a page shows besides its parts, as a word."""
        state, parts = self._state, [part.name for part in self._parts_of(page)]
        # everything the frame shows must be in here, or open pages keep the old one
        frame = (parts, state.setup.name, state.setup.tables, self._shown())
        # not hash(): open pages outlive the process, and it differs in the next one
        return sha256(repr(frame).encode()).hexdigest()[:16]

    def _shown(self) -> dict[str, bool]:
        """Pages that are not in every menu, and whether they have something to show."""
        state = self._state
        return {
            "tables": bool(self._desk.live.tables()),
            "tree": has_tree(state.setup.mode),
            "teams": any(player.club for player in state.players.values()),
        }

    def plain(self, page: str, lang: str) -> str:
        """A page that shows nothing of the tournament but its name."""
        template = self.environment.get_template(f"page_{page}.html")
        return template.render(**words(lang), name=self._state.setup.name, look="", board=True)

    def page(self, page: str, lang: str, **values: Any) -> str:
        """The page as HTML. `values`: what only this template gets."""
        with self._lock:
            return self._page(page, lang, values)

    def _page(self, page: str, lang: str, values: dict[str, Any]) -> str:
        state = self._state
        slides = slides_of(page)
        pages = group_pages(state)
        asked = values.get("of", "")
        groups = next((piece for piece in pages if asked in piece), pages[0])
        parts = {part.name: part for part in self._parts_of(page)}

        def part(name: str) -> Markup:
            inner = Markup(self._html(parts[name], lang))
            return Markup('<div class="part" id="part-{}">{}</div>').format(name, inner)

        template = "screen" if slides else page.partition(":")[0]
        return self.environment.get_template(f"page_{template}.html").render(
            **words(lang),
            page=page,
            seq=self.seq,
            shape=self._shape(page),
            shown=self._shown(),
            names={
                group.id: group_name(state, group.id, lang)
                if state.in_swiss and group in state.groups
                else group.id
                for group in state.all_groups
            },
            rounds=state.in_swiss and not state.qualifying,
            name=state.setup.name,
            look="kiosk" if slides else "wall" if page == "wall" else "",
            slides=slides,
            part=part,
            groups=[group.id for group in state.all_groups] if slides else groups,
            group_pages=pages,
            trees=tree_pieces(state),
            tables=state.setup.tables,
            signup=state.signing_up.open,
            **values,
        )


_AGE = PagePart(AGE, "age")
"""Every page has it."""
_HEAD, _SAID, _MAP = PagePart(HEAD, "head"), PagePart(SAID, "said"), PagePart(NOW, "map")
_TABLES, _NEXT = PagePart(NOW, "now-tables"), PagePart(NOW, "now-next")
_LATEST, _LIVE = PagePart(LATEST, "latest"), PagePart(LIVE, "live")
_RANKING, _TOP = PagePart(RANKING, "ranking"), PagePart(RANKING, "ranking", "top")
PAGES: dict[str, tuple[PagePart, ...]] = {
    "now": (_HEAD, _SAID, _LIVE, _TABLES, _NEXT, _LATEST, _TOP),
    "tables": (_HEAD, _SAID, _LIVE),
    "groups": (_HEAD, _SAID),
    "tree": (_HEAD, _SAID, PagePart(TREE, "tree")),
    "ranking": (_HEAD, _SAID, _RANKING),
    "teams": (_HEAD, _SAID, PagePart(RANKING, "teams")),
    "map": (_HEAD, _SAID, _MAP),
    "wall": (_HEAD, _SAID, PagePart(WALL, "wall")),
    "find": (_HEAD, _SAID),
}
# not in PAGES, each of which is a public address
PARTS = {**PAGES, DESK: (_HEAD, PagePart(JURY, "jury-calls"))}
SCREEN_PARTS = (_HEAD, _SAID, PagePart(NOW, "calls"))
_SLIDE_PARTS = {
    "live": (_LIVE,),
    "tables": (_TABLES,),
    "next": (_NEXT,),
    "latest": (_LATEST,),
    "ranking": (_RANKING,),
    "map": (_MAP,),
}


def since(follower: Follower) -> str:
    """What time it was when the tournament was as pages show it; "" while they are up to date."""
    at = follower.stale_since
    return at.astimezone().strftime("%H:%M") if at else ""


def slides_of(page: str) -> tuple[str, ...]:
    """The slides of a screen of the hall in turn; none of another page."""
    return tuple(page.removeprefix(SCREEN).split(",")) if page.startswith(SCREEN) else ()


def words(lang: str) -> dict[str, Any]:
    return {
        "t": TEXTS[lang],
        "lang": lang,
        "other_langs": [(code, TEXTS[code]["language"]) for code in LANGS if code != lang],
        "round_name": round_namer(lang),
    }


def _group(state: TournamentState, group: str, lang: str) -> dict[str, Any]:
    """Of a Swiss the matches of the last round that is paired."""
    title, rows = group_name(state, group, lang), view.group_lines(state, group, lang)
    found = {"title": title, "rows": rows}
    if not state.rounds or group != state.groups[0].id:
        return {**found, "round": 0, "bye": "", "matches": view.group_matches(state, group)}
    paired = state.rounds[-1]
    return {
        **found,
        "round": paired.round,
        "last_round": state.setup.rounds,
        "bye": name_of(state, paired.bye) if paired.bye else "",
        "matches": view.lines(state, rounds_of(state)[-1]),
    }


def _ranking(state: TournamentState, which: str, lang: str) -> dict[str, Any]:
    """The whole of it, or its top under a heading of its own."""
    top = which == "top"
    most = TOP_SHOWN if top else state.setup.ko_size + RANKING_MARGIN
    return {
        "final": view.final_lines(state)[: TOP_SHOWN if top else None],
        "rows": view.ranking(state, lang, most),
        "heading": top,
        "tree": has_tree(state.setup.mode),
        "one_cut": not state.swiss_waits,
    }


def team_lines(state: TournamentState) -> list[tuple[TeamRow, list[str]]]:
    """The clubs as teams, with the names of who counts."""
    return [(row, [name_of(state, player) for player in row.counted]) for row in state.team_rows()]


def _player(state: TournamentState, player: str, lang: str) -> dict[str, Any]:
    """Where somebody plays, how they stand, what they have played."""
    own = view.of_player(state, player)
    coming = [match for match in own if not match.counts]
    others = [view.others(state, match, player) for match in coming]
    group, times = state.group_of(player), view.times(state)
    rows = view.group_lines(state, group, lang) if group else []
    sure, points = view.outlook(state, player)
    return {
        "player": state.players.get(player),
        "coming": list(zip(view.lines(state, coming), others, strict=True)),
        "played": [
            (view.match_line(state, match), view.own_place(state, match, player))
            # of_player() has those to come first
            for match in own[len(coming) :]
        ],
        "about": {m.id: times[m.slot] for m in coming if m.status == "open" and m.slot in times},
        "group": "" if state.in_swiss and group == state.groups[0].id else group,
        "row": next((row for row in rows if row.row.player == player), None),
        "outlook": TEXTS[lang][f"outlook_{sure}"].format(points=points) if sure else "",
    }


# template -> what it gets: (state, Part.which, language)
_VALUES: dict[str, Callable[[TournamentState, str, str], dict[str, Any]]] = {
    "head": lambda state, _which, _lang: {"progress": view.progress(state)},
    "now-tables": lambda state, _which, _lang: {"tables": view.at_the_tables(state)},
    "calls": lambda state, _which, _lang: {"calls": view.at_the_tables(state)},
    "said": lambda state, _which, _lang: {
        "announcements": list(state.announcements.values()),
        "times_up": view.times_up(state),
    },
    "now-next": lambda state, _which, _lang: {
        "next": view.next_up(state),
        "times": view.times(state),
    },
    "player": lambda state, player, lang: _player(state, player, lang),
    "ranking": _ranking,
    "teams": lambda state, _which, _lang: {"teams": team_lines(state)},
    "group": _group,
    "standing": lambda state, group, lang: {**_group(state, group, lang), "matches": []},
    "tree": lambda state, piece, lang: _tree_values(state, piece, lang),
}


def group_pages(state: TournamentState) -> list[list[str]]:
    """The groups in pages of about `MATCHES_SHOWN` matches, one empty page if there are none."""
    pages: list[list[str]] = [[]]
    room = MATCHES_SHOWN
    for group in state.all_groups:
        # TO-1: everybody against everybody
        size = len(group.players) * (len(group.players) - 1) // 2
        if size > room and pages[-1]:
            pages.append([])
            room = MATCHES_SHOWN
        pages[-1].append(group.id)
        room -= size
    return pages


# -- the page that checks signatures, for any web space ------------------------------------------

_STATIC = Path(__file__).parent / "static"
_COPIED = {name: _STATIC / name for name in ("verify.js", "look.css", "board.css", "icon.svg")}
_TYPEFACE = b"url(/font/"
"""In lines that name files of a desk."""


def verify_files(published: bytes, league: str, lang: str) -> dict[str, bytes]:
    """Name -> content of a folder with the league's list of keys, as it is published; `lang`: what
    its first page speaks.
    """
    template = environment().get_template("page_verify.html")
    pages = {
        f"{code}.html": template.render(**words(code), name=league, look="", board=False)
        # a web space may have the folder anywhere, and its files beside the page
        .replace('="/static/', '="')
        .encode()
        for code in LANGS
    }
    copied = {name: path.read_bytes() for name, path in {**_COPIED, **DESIGN}.items()}
    copied = {name: _without_typeface(data) for name, data in copied.items()}
    return {**pages, "index.html": pages[f"{lang}.html"], **copied, "keys.json": published}


def _without_typeface(data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    # a web space has no /font/; browsers go on to the next family of the list
    return b"".join(line for line in lines if _TYPEFACE not in line)


# -- the tree -------------------------------------------------------------------------------------


def tree_pieces(state: TournamentState) -> list[str]:
    """The pieces in which the tree goes over the screen of the follower."""
    if state.bracket is None:
        return []
    if state.bracket.size <= TREE_PLAYERS:
        return [LAST]
    count = state.bracket.size // TREE_PLAYERS
    return [*(str(number) for number in range(count)), LAST]


def _tree_values(state: TournamentState, piece: str, lang: str) -> dict[str, Any]:
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
        "champion": view.champion(state) if piece in ("", LAST) else "",
        "decided": piece not in ("", LAST) and all(box.match.winner for box in tree.boxes),
        "rounds": _rounds(state, lang) if piece == "" else [],
    }


def _rounds(state: TournamentState, lang: str) -> list[dict[str, Any]]:
    """The tree as lists, for narrow screens; the latest round first."""
    assert state.bracket is not None
    stages = [*state.bracket.rounds]
    if state.bracket.third:
        # before the final: the list is turned round, and the final leads it
        stages.insert(-1, [state.bracket.third])
    names = ROUNDS[lang]
    return [
        {
            "name": names.get(stage[0].round, stage[0].round),
            "lines": [_tree_line(state, match) for match in stage if not match.bye],
        }
        for stage in reversed(stages)
    ]


def _tree_line(state: TournamentState, match: KoMatch) -> dict[str, str]:
    a, b = match.a, match.b
    winner = "a" if match.winner == a.player else "b"
    played = match.result is not None
    return {
        "a": name_of(state, a.player),
        "b": name_of(state, b.player),
        "winner": winner if match.winner else "",
        "score": f"{cards_of(match, a)}:{cards_of(match, b)}" if played else "",
    }
