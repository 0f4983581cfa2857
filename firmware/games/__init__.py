"""The games that are built in: which one a header opens, what every header must hold, and the page
of each (TRANSCRIPT.md, *Files*). Rules and pages are imported when they are needed: the box never
holds two games in memory.
"""

from micropython import const

from firmware.rules.errors import Malformed
from firmware.rules.fields import need_int, need_list, one_of

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from firmware.app.table import Table
    from firmware.rules.match import Match

VERSION = 1
GAMES = ("trumpf", "quartett", "cafe", "hattrick")


def open_match(header: "dict[str, object]") -> "Match":
    """Open a match; `deck`, `board` are objects already. Raises Malformed with the field."""
    game = check_header(header)
    if game == "trumpf":
        from firmware.games.trumpf.commands import Trumpf

        return Trumpf(header)
    if game == "quartett":
        from firmware.games.quartett.rules import Quartett

        return Quartett(header)
    if game == "cafe":
        from firmware.games.cafe.commands import Cafe

        return Cafe(header)
    from firmware.games.hattrick.rules import Hattrick

    return Hattrick(header)


def page_of(game: str) -> "type[Table]":
    """The class of the page on which a game is played: `page(app, session)`."""
    if game == "trumpf":
        from firmware.games.trumpf.page import TrumpfTable

        return TrumpfTable
    if game == "quartett":
        from firmware.games.quartett.page import QuartettTable

        return QuartettTable
    if game == "cafe":
        from firmware.games.cafe.page import CafeTable

        return CafeTable
    from firmware.games.hattrick.page import HattrickTable

    return HattrickTable


def check_header(header: "dict[str, object]") -> str:
    """Check what all games share and return the game. Each game checks its own fields."""
    if type(header) is not dict:
        raise Malformed("header", "is not an object")
    if need_int(header, "schiri") != VERSION:
        raise Malformed("schiri", "is not version 1")
    game = one_of(header, "game", GAMES)
    seats = need_int(header, "seats")
    if "names" in header:
        names = need_list(header, "names")
        if len(names) != seats:
            raise Malformed("names", "needs one name per seat")
        for name in names:
            if type(name) is not str:
                raise Malformed("names", "holds something that is not a string")
    return game
