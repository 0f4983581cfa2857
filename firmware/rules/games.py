"""Which game a header opens, and what every header must hold (TRANSCRIPT.md, *Files*)."""

from .errors import Malformed
from .fields import need_int, need_list, one_of

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from .match import Match

VERSION = 1
GAMES = ("trumpf", "quartett", "cafe", "hattrick")

# game -> the options it knows; an option of another game is malformed
OPTIONS = {
    "trumpf": ("tie_scope",),
    "quartett": (),
    "cafe": ("mono_bonus", "bag_end", "bar_values"),
    "hattrick": ("hands", "target"),
}
# Header fields that only Trumpf has; for the two times null counts as absent.
TRUMPF_FIELDS = ("stage", "clock_ms", "extension_ms")


def open_match(header: "dict[str, object]") -> "Match":
    """Open a match. `deck` and `board` are objects already; raises Malformed with the field's name.

    The class of a game is imported when it is needed: the box never holds two games in memory.
    """
    game = check_header(header)
    if game == "trumpf":
        from .trumpf import Trumpf

        return Trumpf(header)
    if game == "quartett":
        from .quartett import Quartett

        return Quartett(header)
    if game == "cafe":
        from .cafe import Cafe

        return Cafe(header)
    from .hattrick import Hattrick

    return Hattrick(header)


def check_header(header: "dict[str, object]") -> str:
    """Check what all games share and return the game. Each game checks its own fields."""
    if type(header) is not dict:
        raise Malformed("header", "is not an object")
    if need_int(header, "schiri") != VERSION:
        raise Malformed("schiri", "is not version 1")
    game = one_of(header, "game", GAMES)
    seats = need_int(header, "seats")
    if seats < 1:
        raise Malformed("seats", "is not positive")
    _check_names(header, seats)
    _check_options(header, OPTIONS[game])
    for field in TRUMPF_FIELDS:
        given = field in header and (field == "stage" or header[field] is not None)
        if given and game != "trumpf":
            raise Malformed(field, "belongs to trumpf, not to " + game)
    return game


def _check_names(header: "dict[str, object]", seats: int) -> None:
    if "names" not in header:
        return
    names = need_list(header, "names")
    if len(names) != seats:
        raise Malformed("names", "needs one name per seat")
    for place in range(seats):
        if type(names[place]) is not str:
            raise Malformed("names[%d]" % place, "is not a string")


def _check_options(header: "dict[str, object]", known: "tuple[str, ...]") -> None:
    options = header.get("options", {})
    if type(options) is not dict:
        raise Malformed("options", "is not an object")
    for name in sorted(options):  # sorted: the first fault is the same on both interpreters
        if name not in known:
            raise Malformed("options." + name, "is no option of this game")
