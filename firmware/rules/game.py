"""What the box must know of a game before it loads its rules: a row `GAME` in the game's folder.

Made once when the folder is imported; the rules and the page follow when a match is opened.
"""

from collections import namedtuple

from micropython import const

# How a choice of the menu becomes part of the header: an option of the same name; the same, the
# number times the seats; a field; an option whose usual choice was once its last one, which a
# header without it still means (docs/decisions/0267).
OPTION = const(0)
PER_SEAT = const(1)
FIELD = const(2)
REVISED = const(3)

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import NamedTuple

    class Preset(NamedTuple):
        """A set of rules: its `name` (None: the game has no others), fewest and most seats, and
        the id of the board that it is played on (None: without one).
        """

        name: "str | None"
        fewest: int
        most: int
        board: "str | None"

    class MenuRow(NamedTuple):
        """A row of the start menu. `presets` that have it (empty: all), `choices` with what the
        rules say first, `way`: OPTION, PER_SEAT, FIELD or REVISED. A choice "off" is not written
        into the header. Texts: `menu_` + name, and for a choice that is a string name + `_` +
        choice.
        """

        name: str
        presets: "tuple[str, ...]"
        choices: "tuple[str | int, ...]"
        way: int

    class Game(NamedTuple):
        """A game. `package` is the dotted name of its folder, which holds its texts too; `kinds`
        are the kinds of tags that choose it in the menu; `deck`: it is played with one. `rules`
        and `page` name a module of the folder and the class in it: a match is `rules(header)`, its
        page `page(app, session)`.
        """

        name: str
        package: str
        presets: "tuple[Preset, ...]"
        kinds: "tuple[str, ...]"
        deck: bool
        rows: "tuple[MenuRow, ...]"
        rules: "tuple[str, str]"
        page: "tuple[str, str]"

else:
    Preset = namedtuple("Preset", ("name", "fewest", "most", "board"))
    MenuRow = namedtuple("MenuRow", ("name", "presets", "choices", "way"))
    Game = namedtuple(
        "Game", ("name", "package", "presets", "kinds", "deck", "rows", "rules", "page")
    )
