"""The house rules of a tournament of several at a table, which every box there plays by.

`Created.options` has every choice of the game's menu by the name of its row, also the usual ones,
since other firmware may have other usual ones. "off" is left out, as in a header.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from firmware.rules.game import OFF
from host_tools.box.assigning import games_of_several
from host_tools.core.errors import UserError
from host_tools.core.json_types import Json
from host_tools.tournament import events as ev
from host_tools.tournament.match_state import MatchState

# loads every game, which takes longer than a command may take to print its help
if TYPE_CHECKING:
    from host_tools.games.options import MenuOption, OptionValue

GAME = "game"
"""Among what a match was played by: the game, as in `Created.game`."""
_LONGEST = 40  # letters of a value that no menu has


def of_setup(setup: ev.Created) -> "list[MenuOption]":
    """The options that the game of the tournament has; none without a game."""
    from host_tools.games.options import options_of

    found = games_of_several().get(setup.game)
    return options_of(found.game, found.preset) if found else []


def in_force(game: str, wanted: "Mapping[str, OptionValue]") -> "dict[str, OptionValue]":
    """What is played by: the choices that are wanted, else the usual ones. `game`: as in
    `Created.game`. Raises UserError.
    """
    from host_tools.games.options import checked_options, options_of

    found = games_of_several().get(game)
    if found is None:
        # a game that no box knows is refused with the rest of the setup
        if wanted and not game:
            raise UserError("rules_need_game")
        return {}
    texts = checked_options(found.game, found.preset, wanted)
    chosen: dict[str, OptionValue] = {}
    for option in options_of(found.game, found.preset):
        choices = {str(choice): choice for choice in option.row.choices}
        choice = choices[texts.get(option.name, str(option.row.choices[0]))]
        if choice != OFF:
            chosen[option.name] = choice
    return chosen


def typed(pairs: Iterable[str], turn: int | None = None) -> "Mapping[str, OptionValue]":
    """`NAME=CHOICE` each, and the seconds of a turn, 0 for none. Raises UserError."""
    from host_tools.games.options import typed_choices

    seconds = () if turn is None else (f"turn={turn or OFF}",)
    return typed_choices([*filter(None, pairs), *seconds])


def changed(
    setup: ev.Created, game: str | None, wanted: "Mapping[str, OptionValue]"
) -> "dict[str, OptionValue] | None":
    """What is played by from now on; None: as before. Another game begins with its usual rules."""
    if game in (None, setup.game) and not wanted:
        return None
    game = setup.game if game is None else game
    kept = setup.options if game == setup.game else {}
    options = in_force(game, {**kept, **wanted})
    return None if options == setup.options else options


def check(setup: ev.Created) -> None:
    """Raises UserError for options that the game does not have."""
    if setup.options:
        in_force(setup.game, setup.options)


def line(setup: ev.Created, lang: str) -> str:
    """What is played by that the rules do not say, in the sentences of the box; "" for nothing."""
    from host_tools.games.options import header_for, options_line

    found = games_of_several().get(setup.game)
    if found is None:
        return ""
    return options_line(header_for(found.game, found.preset, setup.seats, setup.options), lang)


def form(setup: ev.Created, lang: str) -> list[Json]:
    """For a form: every option with its choices, as `offered` has it; what is `chosen`, and the
    choices that are `meant` by a sentence: of numbers, whose sentences are alike, the first.
    """
    from host_tools.games.options import offered

    found = games_of_several().get(setup.game)
    rows = offered(found.game, found.preset, lang) if found else []
    return [
        {
            **row,
            "chosen": setup.options.get(row["name"], row["choices"][0]["value"]),
            "meant": _meant(row["choices"]),
        }
        for row in rows
    ]


def _meant(choices: list[Json]) -> list[Json]:
    meant = [choice for choice in choices if choice["meaning"]]
    numbers = [choice for choice in meant if isinstance(choice["value"], int)]
    return [choice for choice in meant if choice not in numbers[1:]]


# -- what was played ------------------------------------------------------------------------------


def played_by(header: Mapping[str, Any]) -> "dict[str, OptionValue]":
    """What the header of a sound record says of rules: the game as in `Created.game`, and by its
    name each option that it is played by, in the choices of the menu.
    """
    from host_tools.games.options import options_of

    game, preset = header["game"], header.get("preset")
    found: dict[str, OptionValue] = {GAME: f"{game}-{preset}" if preset else game}
    if found[GAME] in games_of_several():
        # options that no menu has, such as `bar_values` of the café
        options = header.get("options") or {}
        found |= {name: str(value)[:_LONGEST] for name, value in options.items()}
        found |= {one.name: _choice(one, header) for one in options_of(game, preset)}
    return found


def _choice(option: "MenuOption", header: Mapping[str, Any]) -> "OptionValue":
    """As the menu has it; what it does not have, as the header says it."""
    value = option.of(header)
    for choice in option.row.choices:
        if option.written(choice, header["seats"]) == value:
            return choice
    return str(value)[:_LONGEST]


def otherwise(setup: ev.Created, played: "Mapping[str, OptionValue]") -> "dict[str, OptionValue]":
    """In what a match was played by other rules than the tournament's. `played`: of `played_by`; a
    slip names the game alone, and what it does not say is no difference.
    """
    if not setup.game or not played:
        return {}
    game = str(played[GAME])
    if game != setup.game and not setup.game.startswith(f"{game}-"):
        return {GAME: game}
    # a log of before house rules were kept says nothing of options that are never "off"
    wanted = {
        one.name: setup.options.get(one.name, OFF if one.row.choices[0] == OFF else None)
        for one in of_setup(setup)
    }
    return {
        name: choice
        for name, choice in played.items()
        if name != GAME and wanted.get(name, OFF) not in (None, choice)
    }


def sentences(setup: ev.Created, match: MatchState, lang: str) -> list[str]:
    """What the reports of a match tell of other rules, as the box says it."""
    from host_tools.games.box_words import proper_name
    from host_tools.games.options import choice_sentence

    options = {option.name: option for option in of_setup(setup)}
    found = []
    for report in match.reports:
        for name, choice in report.other_rules.items():
            if name == GAME:
                game, _, preset = str(choice).partition("-")
                found.append(f"{proper_name(game, preset or None, lang)}.")
            else:
                found.append(choice_sentence(options.get(name), name, choice, lang))
    return list(dict.fromkeys(found))
