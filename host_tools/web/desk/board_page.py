"""What an address of the board asks for: a page, or a screen of the hall with its slides."""

from collections.abc import Mapping
from dataclasses import dataclass

from host_tools.tournament.player_names import PLAYER_PAGE
from host_tools.web.desk.live_tables import LIVE, table_topic

PAGES = ("now", "tables", "groups", "tree", "ranking", "teams", "map", "find")
"""Each is an address by its name, but `now`, which is at the root."""
TABLE_PAGE = "/table/"
SLIDES = ("calls", "live", "tables", "next", "latest", "groups", "ranking", "tree", "map")
"""What a screen of the hall may show, for `?screen=`. A call interrupts all of them."""
KIOSK = ("tables", "next", "latest", "groups", "ranking", "tree")
WALL, OVERLAY = "wall", "overlay"
"""Screens of one thing alone: all tables, and a picture over a stream."""
_OF_LIVE = {"now", "tables", "live", WALL}


@dataclass(frozen=True)
class AskedPage:
    """Two that ask for the same are equal; how a screen turns its pages, its script reads from the
    address. `name`: of its template; `which`: the group, player or table that it is about, or the
    words that are looked for; `quiet`: no call interrupts.
    """

    name: str
    lang: str
    which: str = ""
    slides: tuple[str, ...] = ()
    quiet: bool = False
    light: bool = False

    @property
    def look(self) -> str:
        """The class of its root: each kind of screen has letters of its own size."""
        if not self.slides:
            return ""
        return self.slides[0] if self.slides[0] in (WALL, OVERLAY) else "kiosk"

    @property
    def topic(self) -> str:
        """What boxes must have said of for it to change; "" if they change nothing on it."""
        if self.name == "table" or (self.look == OVERLAY and self.which):
            return table_topic(self.which)
        # an overlay without a table goes where something happens, and any table may be that
        shows_all = self.look == OVERLAY or _OF_LIVE & {self.name, *self.slides} - {"screen"}
        return LIVE if shows_all else ""


def page_of(path: str, query: Mapping[str, str], lang: str) -> AskedPage | None:
    """The page at an address of the board; None if there is no such page."""
    if path.startswith(PLAYER_PAGE):
        return AskedPage("player", lang, path.removeprefix(PLAYER_PAGE))
    if path.startswith(TABLE_PAGE):
        return AskedPage("table", lang, path.removeprefix(TABLE_PAGE))
    if slides := _slides(path, query):
        which = query.get("table", "") if slides == (OVERLAY,) else ""
        quiet, light = bool(query.get("quiet")), query.get("theme") == "light"
        return AskedPage("screen", lang, which, slides, quiet, light)
    name = path.strip("/") or "now"
    asked = {"groups": "of", "find": "q"}.get(name, "")
    return AskedPage(name, lang, query.get(asked, "")) if name in PAGES else None


def _slides(path: str, query: Mapping[str, str]) -> tuple[str, ...]:
    if path in (f"/{WALL}", f"/{OVERLAY}"):
        return (path[1:],)
    if path != "/":
        return ()
    if "screen" in query:
        return tuple(query["screen"].split(","))
    return KIOSK if query.get("kiosk") else ()
