"""HTML of the board's pages. A page is rendered once per language and change, for all readers."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from host_tools.core.texts import LANGS, ORIGINAL, REFUSALS, ROUNDS, TEXTS, WORDS, round_namer
from host_tools.print import tree_layout
from host_tools.print.tree_layout import cards_of
from host_tools.store.journal.verdict import CONTESTED, UNVERIFIED
from host_tools.tournament import view
from host_tools.tournament.ko import KoMatch
from host_tools.tournament.match_state import BusyElsewhere
from host_tools.tournament.model import PLAYER_FIELDS, Entrant, PlayerId, has_tree
from host_tools.tournament.standings import TeamRow
from host_tools.tournament.state import TournamentState
from host_tools.tournament.swiss import rounds_of
from host_tools.tournament.wording import group_name, name_of, said_text
from host_tools.web.desk.board_page import OVERLAY, SLIDES, WALL, AskedPage
from host_tools.web.desk.content import TaggedContent
from host_tools.web.desk.floor_plan import HallMap, calendar_of, map_svg
from host_tools.web.desk.follower import Follower
from host_tools.web.desk.live_tables import line_of, page_of
from host_tools.web.desk.login import ALONE, DeskPlace
from host_tools.web.desk.tree_drawing import tree_svg
from host_tools.web.desk.wall import wall_of
from host_tools.web.files import DESIGN

TOP_SHOWN = 8
RANKING_MARGIN = 16
"""So many players below the cut stand on the board too."""
TREE_PLAYERS = 4
"""So many names fit on one screen of the hall in letters that can be read from eight metres."""
LAST = "last"
MATCHES_SHOWN = 1000
"""Groups with so many matches stand on one page."""
KEPT = 256
"""So many pages are known as they are now."""
FoundPlayer = tuple[
    Entrant, view.MatchLine | None, str, str, tuple[view.MatchLine, view.OwnPlace | None] | None
]
OWN = ("player", "live-table", "overlay")
"""Parts of pages that are about one: its address says which."""
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
    made.globals |= {"at": place.at, "around": place.around, "player_form": PLAYER_FIELDS}
    return made


class BoardRenderer:
    """Pages of the public board. Not used by two threads at the same moment."""

    def __init__(
        self, follower: Follower, hall_map: HallMap | None = None, place: DeskPlace = ALONE
    ) -> None:
        self._desk = follower
        self._map = hall_map
        self._place = place
        self.environment = environment(place)
        self._pages: dict[AskedPage, tuple[object, TaggedContent]] = {}

    @property
    def _state(self) -> TournamentState:
        return self._desk.public.state

    def page(self, asked: AskedPage) -> TaggedContent:
        """The page as it is now."""
        # before the state is read: what comes meanwhile makes it another version
        version = self._version(asked)
        found = self.ready(asked)
        if found is None:
            if len(self._pages) >= KEPT:
                self._pages.clear()  # pages of players and tables that nobody looks at any more
            found = TaggedContent(self._html(asked).encode())
            self._pages[asked] = version, found
        return found

    def ready(self, asked: AskedPage) -> TaggedContent | None:
        """The page if it needs no rendering."""
        version, found = self._pages.get(asked, (None, None))
        return found if version == self._version(asked) else None

    def tag(self, asked: AskedPage) -> str:
        """Another word when the page looks different."""
        return self.page(asked).tag if self.has(asked) else "gone"

    def _version(self, asked: AskedPage) -> object:
        desk = self._desk
        return (
            desk.version,
            desk.live.any(),
            desk.live.versions.get(asked.topic, 0),
            self._place.around(),
        )

    def has(self, asked: AskedPage) -> bool:
        """True if there is such a page."""
        if asked.name == "table" or (asked.look == OVERLAY and asked.which):
            place = asked.which
            # even before its box is heard; few digits, because rendered pages are kept
            number = place.isdecimal() and len(place) < 5 and not place.startswith("0")
            return number or self._desk.live.knows(place)
        if asked.name == "player":
            return asked.which in self._state.players
        return asked.look in (WALL, OVERLAY) or set(asked.slides) <= set(SLIDES)

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

    def _shown(self) -> dict[str, bool]:
        """Pages that are not in every menu, and whether they have something to show."""
        state = self._state
        return {
            "tables": self._desk.live.any(),
            "tree": has_tree(state.setup.mode),
            "teams": any(player.club for player in state.players.values()),
        }

    def plain(self, page: str, lang: str) -> str:
        """A page that shows nothing of the tournament but its name."""
        template = self.environment.get_template(f"page_{page}.html")
        name = self._state.setup.name
        said = verdict_words(lang) if page == "verify" else {}
        return template.render(**words(lang), **said, name=name, look="", board=True)

    # -- how it is made ---------------------------------------------------------------------------

    def _html(self, asked: AskedPage) -> str:
        state, lang = self._state, asked.lang
        pages = group_pages(state)

        def part(template: str, which: str = "", live: bool = False) -> Markup:
            name = f"{template}-{which}" if which and template not in OWN else template
            html = self._part(state, template, which, lang)
            start = Markup('<div class="part" id="part-{}"{}>').format(
                name, Markup(" data-live") if live else ""
            )
            return start + Markup(html) + Markup("</div>")

        return self.environment.get_template(f"page_{asked.name}.html").render(
            **words(lang),
            asked=asked,
            page=asked.name,
            slides=asked.slides,
            look=asked.look,
            shown=self._shown(),
            names={
                group.id: group_name(state, group.id, lang)
                if state.in_swiss and group in state.groups
                else group.id
                for group in state.all_groups
            },
            rounds=state.in_swiss and not state.qualifying,
            name=state.setup.name,
            part=part,
            groups=self._groups_of(asked, pages),
            group_pages=pages,
            trees=tree_pieces(state),
            tables=state.setup.tables,
            signup=state.signing_up.open,
            **(self._found(asked.which) if asked.name == "find" else {}),
        )

    def _groups_of(self, asked: AskedPage, pages: list[list[str]]) -> list[str]:
        """All on a screen; on the page a piece of them."""
        if asked.slides:
            return [group for piece in pages for group in piece]
        return next((piece for piece in pages if asked.which in piece), pages[0])

    def _found(self, text: str) -> dict[str, Any]:
        return {"found": self.search(text), "elsewhere": self.elsewhere(text)}

    def _part(self, state: TournamentState, template: str, which: str, lang: str) -> str:
        values = self._values(state, template, which, lang)
        return self.environment.get_template(f"parts/{template}.html").render(
            **words(lang), name=state.setup.name, **values
        )

    def _values(
        self, state: TournamentState, template: str, which: str, lang: str
    ) -> dict[str, Any]:
        """What a part shows. Of tables on the air only what the public may know."""
        live = self._desk.live
        if template == "map":
            plain = self._map or HallMap.plain(state.setup.tables)
            return {"map": map_svg(plain, view.at_the_tables(state), TEXTS[lang])}
        if template == "latest":
            return {"latest": view.lines(state, self._desk.public.latest_matches())}
        if template == "age":
            return {"since": since(self._desk)}
        if template == "wall":
            return wall_of(state, live.tables())
        if template == "live":
            return {"lines": [line_of(state, table, lang) for table in live.tables()]}
        if template in ("live-table", "overlay"):
            return page_of(state, live.of_place(which), lang)
        return _VALUES[template](state, which, lang)


def since(follower: Follower) -> str:
    """What time it was when the tournament was as pages show it; "" while they are up to date."""
    at = follower.stale_since
    return at.astimezone().strftime("%H:%M") if at else ""


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


# template -> what it gets: (state, which, language)
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


_VERDICTS = ("claim_", "export_", "journal_proves", "key_list_", "verdict_", "box_id_")
_SINGLE = (
    "link_none",
    "paper_proves",
    "slip_proves",
    "log_changed",
    "public_key_bad",
    "file_large",
)


def verdict_words(lang: str) -> dict[str, Any]:
    """The sentences of `schiri verify` for the page that checks, as they are filled in there."""
    said = REFUSALS[lang]
    found = {key: said[key] for key in said if key.startswith(_VERDICTS) or key in _SINGLE}
    # English sentences use the program's own words (errors.py)
    states = (CONTESTED, UNVERIFIED)
    told = {one: one if lang == ORIGINAL else WORDS[lang].get(one, one) for one in states}
    return {"sentences": {**found, **told}}


def verify_files(published: bytes, league: str, lang: str) -> dict[str, bytes]:
    """Name -> content of a folder with the league's list of keys, as it is published; `lang`: what
    its first page speaks.
    """
    template = environment().get_template("page_verify.html")
    pages = {
        f"{code}.html": template.render(
            **words(code), **verdict_words(code), name=league, look="", board=False
        )
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
