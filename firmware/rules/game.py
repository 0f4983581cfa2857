"""What the box must know of a game before it loads its rules: a row `GAME` in the game's folder.

Made once when the folder is imported; the rules and the page follow when a match is opened.
"""

from collections import namedtuple

from micropython import const

# How a choice of the menu becomes part of the header: an option of the same name; the same, the
# number times the seats; a field; an option whose usual choice was once its last one, which a
# header without it still means (docs/decisions/house-rules.md).
OPTION = const(0)
PER_SEAT = const(1)
FIELD = const(2)
REVISED = const(3)
# A field of the header in milliseconds, `clock_ms` for the row `clock`; the choices are in these.
MINUTES = const(4)
SECONDS = const(5)
_UNITS_MS = {MINUTES: 60_000, SECONDS: 1000}
OFF = "off"  # a choice that no header names
# Which decks a game is played with: none, any, or one with four cards of each group (QU-5).
NO_DECK = const(0)
ANY_DECK = const(1)
FOURS = const(2)

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, NamedTuple

    class Preset(NamedTuple):
        """A set of rules: its `name` (None: the game has no others), fewest and most seats, and
        the id of the board that it is played on (None: without one). `before`: module of the
        game's folder and class of a page `page(app, header)`, on which the players tell how their
        board lies; it puts the board into the header and starts the match. None: it always lies
        the same.
        """

        name: "str | None"
        fewest: int
        most: int
        board: "str | None"
        before: "tuple[str, str] | None"

    class MenuRow(NamedTuple):
        """A row of the start menu. `presets` that have it (empty: all), `choices` with what the
        rules say first, `way`: OPTION, PER_SEAT, FIELD, REVISED, MINUTES or SECONDS. A choice
        "off" is not written into the header. Texts: `menu_` + name, and for a choice that is a
        string name + `_` + choice.
        """

        name: str
        presets: "tuple[str, ...]"
        choices: "tuple[str | int, ...]"
        way: int

    class Game(NamedTuple):
        """A game. `package` is the dotted name of its folder, which holds its texts too; `kinds`
        are the kinds of tags that choose it in the menu; `deck`: NO_DECK, ANY_DECK or FOURS.
        `rules` and `page` name a module of the folder and the class in it: a match is
        `rules(header)`, its page `page(app, session)`.
        """

        name: str
        package: str
        presets: "tuple[Preset, ...]"
        kinds: "tuple[str, ...]"
        deck: int
        rows: "tuple[MenuRow, ...]"
        rules: "tuple[str, str]"
        page: "tuple[str, str]"

else:
    Preset = namedtuple("Preset", ("name", "fewest", "most", "board", "before"))
    MenuRow = namedtuple("MenuRow", ("name", "presets", "choices", "way"))
    Game = namedtuple(
        "Game", ("name", "package", "presets", "kinds", "deck", "rows", "rules", "page")
    )


def unit_ms(row: "MenuRow") -> int:
    """Milliseconds of the unit in which a row counts time; 0 if it counts none."""
    return _UNITS_MS.get(row.way, 0)


def times(*presets: str) -> "tuple[MenuRow, ...]":
    """The rows for a match clock and a time a turn (CL-5, CL-7)."""
    return (
        MenuRow("clock", presets, ("off", 10, 15, 20, 30, 45, 60, 90), MINUTES),
        MenuRow("turn", presets, ("off", 15, 30, 45, 60, 90, 120), SECONDS),
    )


def rows_of(game: "Game", preset: "str | None") -> "list[MenuRow]":
    """The game's own rows that this preset has."""
    return [row for row in game.rows if not row.presets or preset in row.presets]


def header_of(
    game: "Game", preset: "Preset", seats: int, choices: "Mapping[str, str | int]"
) -> "dict[str, Any]":
    """The transcript header of a match, with every option in force.

    `choices` holds by row name one of that row's choices; a row without one is played by its
    first choice, which is written too: a header without the option may mean another one
    (REVISED). Deck, names and what identifies the match are added by the caller.
    """
    header: "dict[str, Any]" = {"schiri": 1, "game": game.name, "seats": seats}
    if preset.name is not None:
        header["preset"] = preset.name
    if preset.board is not None:
        header["board"] = preset.board
    options: "dict[str, str | int]" = {}
    for row in rows_of(game, preset.name):
        choice: "Any" = choices.get(row.name, row.choices[0])
        unit = unit_ms(row)
        if choice == OFF:
            continue
        if row.way == FIELD:
            header[row.name] = choice
        elif unit:
            header[row.name + "_ms"] = choice * unit
        else:
            options[row.name] = choice * seats if row.way == PER_SEAT else choice
    if options:
        header["options"] = options
    return header
