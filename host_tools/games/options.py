"""House rules: the options of a game that families play otherwise, in the words of the box."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from card_tags.options import Options as CardOptions
from firmware.app.options import meaning
from firmware.app.words import load_table
from firmware.games import names
from firmware.games import row as box_row
from firmware.rules.game import (
    FIELD,
    MINUTES,
    OFF,
    PER_SEAT,
    REVISED,
    MenuRow,
    Preset,
    header_of,
    rows_of,
    unit_ms,
)
from firmware.rules.game import Game as BoxRow
from host_tools.cards.decks.check import OPTIONS, PRESETS, DeckFile
from host_tools.core.command_line import named
from host_tools.core.errors import UserError
from host_tools.core.faults import Fault
from host_tools.core.json_types import Json
from host_tools.games.box_words import box_language, box_words
from host_tools.games.steps import Say

OptionValue = str | int


class MenuOption(NamedTuple):
    """An option of a game, or one of the times that its menu has among them (CL-5, CL-7). Its
    choices are those of the menu, what the rules say first.
    """

    game: str
    row: MenuRow

    @property
    def name(self) -> str:
        """As on a card and in the menu."""
        return self.row.name

    @property
    def unit_ms(self) -> int:
        """Of a time: what its choices count in; 0 for any other option."""
        return unit_ms(self.row)

    @property
    def field(self) -> str:
        """As in the header; an option stands there below `options`."""
        return f"{self.name}_ms" if self.unit_ms else self.name

    @property
    def per_seat(self) -> bool:
        """A choice counts once for every seat."""
        return self.row.way == PER_SEAT

    def written(self, choice: OptionValue, seats: int) -> OptionValue:
        """A choice as the header has it."""
        if isinstance(choice, int) and self.unit_ms:
            return choice * self.unit_ms
        return choice * seats if self.per_seat else choice

    def of(self, header: Mapping[str, Any]) -> OptionValue:
        """What a header says, or what it means without a word."""
        if self.unit_ms:
            time: OptionValue = header.get(self.field) or OFF
            return time
        # REVISED: menus changed their usual choice later; silence keeps meaning the old one
        silent = self.row.choices[-1 if self.row.way == REVISED else 0]
        unsaid = self.written(silent, header["seats"])
        value: OptionValue = (header.get("options") or {}).get(self.name, unsaid)
        return value

    def is_usual(self, header: Mapping[str, Any]) -> bool:
        """Whether the match is played as the menus write it if nobody changes a thing."""
        return self.of(header) == self.written(self.row.choices[0], header["seats"])

    def shown(self, value: OptionValue, say: Say) -> str:
        """A value of a header as the box says it."""
        if isinstance(value, str):
            return say(f"{self.name}_{value}")
        if not self.unit_ms:
            return str(value)
        number = f"{value / self.unit_ms:g}"
        return say("minutes" if self.row.way == MINUTES else "seconds").replace("{}", number)

    def meanings(self, lang: str) -> list[str]:
        """A sentence for each choice."""
        try:
            table = load_table(box_row(self.game).package, "options_" + box_language(lang))
        except OSError:
            return [""] * len(self.row.choices)  # an added game without sentences
        return [meaning(table, self.row, number) for number in range(len(self.row.choices))]


def options_of(game: str, preset: str | None) -> list[MenuOption]:
    """The options that a game has with this preset; none in the Swiss championship."""
    return [MenuOption(game, row) for row in rows_of(box_row(game), preset) if row.way != FIELD]


def offered(game: str, preset: str | None, lang: str) -> list[Json]:
    """The same for a form on a page: an option with its choices, the usual one first, in the words
    of the box.
    """
    say = box_words(lang, game).get
    return [
        {
            "name": option.name,
            "label": say(f"menu_{option.name}"),
            "per_seat": option.per_seat,
            "choices": [
                {
                    "value": value,
                    "label": option.shown(option.written(value, 1), say),
                    "meaning": meaning,
                }
                for value, meaning in zip(option.row.choices, option.meanings(lang), strict=True)
            ],
        }
        for option in options_of(game, preset)
    ]


def deck_presets(lang: str) -> list[Json]:
    """What a deck may be made for: presets of games that are played with one, with their options;
    first none.
    """
    found: list[Json] = [{"name": "", "label": "–", "options": []}]
    for game in map(box_row, names()):
        say = box_words(lang, game.name).get
        for preset in game.presets if game.deck else ():
            if preset.name in PRESETS:
                options = offered(game.name, preset.name, lang)
                label = say(f"preset_{preset.name}")
                found.append({"name": preset.name, "label": label, "options": options})
    return found


def own_options(header: Json, lang: str) -> list[str]:
    """What a match is played by that the rules do not say: a sentence an option. One that no menu
    has, or a value (TRANSCRIPT.md allows more), stands there as it is.
    """
    sentences = []
    left = dict(header.get("options") or {})
    for option in options_of(header["game"], header.get("preset")):
        left.pop(option.name, None)
        if option.is_usual(header):
            continue
        value = option.of(header)
        choices = [option.written(choice, header["seats"]) for choice in option.row.choices]
        if value in choices:
            sentences.append(option.meanings(lang)[choices.index(value)])
        else:
            say = box_words(lang, header["game"]).get
            sentences.append(f"{say(f'menu_{option.name}')} {option.shown(value, say)}.")
    rows = {row.name for row in box_row(header["game"]).rows}  # without effect with this preset
    return sentences + [f"{name} {_plain(left[name])}." for name in left if name not in rows]


def _plain(value: Any) -> str:
    # `bar_values` of the café is a list
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def options_line(header: Json, lang: str) -> str:
    """The same after the word for it, in one line; "" for a match as the rules say."""
    sentences = own_options(header, lang)
    heading = box_words(lang, header["game"]).get("menu_options")
    return f"{heading}: {' '.join(sentences)}" if sentences else ""


def in_force(header: Json) -> list[str]:
    """What texts about the rules of a match are chosen by (`sayRules`): preset and options, the
    latter as `name=choice`, by the choices of the menu.
    """
    preset = header.get("preset") or ""
    named = [preset] if preset else []
    for option in options_of(header["game"], preset or None):
        for choice in option.row.choices:
            if option.written(choice, header["seats"]) == option.of(header):
                named.append(f"{option.name}={choice}")
    return named


def in_force_by(game: str, words: Collection[str]) -> list[str]:
    """The same for a match that nobody plays: `words` may name a preset and choices; what they do
    not say, or what the game does not have, is the first.
    """
    presets = [preset.name for preset in box_row(game).presets]
    preset = next((name for name in presets if name in words), presets[0])
    named = [preset] if preset else []
    for option in options_of(game, preset):
        said = [f"{option.name}={choice}" for choice in option.row.choices]
        named.append(next((one for one in said if one in words), said[0]))
    return named


def title_of(header: Json) -> str:
    """The deck's or the board's own title, if there is one."""
    for field in ("deck", "board"):
        if isinstance(header.get(field), dict):
            return str(header[field].get("title") or header[field].get("id", ""))
    return ""


def with_options(title: str, header: Json, lang: str) -> str:
    """The title of a match, and what it is played by that the rules do not say."""
    return ". ".join(filter(None, (title, options_line(header, lang))))


def choice_sentence(option: MenuOption | None, name: str, choice: OptionValue, lang: str) -> str:
    """What a choice of the menu means; what no menu has, as it is."""
    if option is not None and choice in option.row.choices:
        return option.meanings(lang)[option.row.choices.index(choice)]
    return f"{name} {choice}."


def typed_choices(pairs: Iterable[str]) -> dict[str, str]:
    """What several `--house-rule NAME=CHOICE` say. Raises UserError."""
    parts = [pair.partition("=") for pair in pairs]
    found = named("--house-rule", ((name, choice) for name, _, choice in parts))
    # `partition` leaves the choice empty where there is no =
    if not all(found.values()):
        raise UserError("option_form")
    return found


def checked_options(
    game: str, preset: str | None, wanted: Mapping[str, OptionValue]
) -> dict[str, str]:
    """Checked choices by name, as a card has them. Raises UserError with what there is."""
    found = {rule.name: rule for rule in options_of(game, preset)}
    for name, value in wanted.items():
        rule = found.get(name)
        if rule is None:
            what = ", ".join(found) or "–"
            raise UserError("option_unknown", name=name, preset=preset or game, offered=what)
        choices = [str(choice) for choice in rule.row.choices]
        if str(value) not in choices:
            raise UserError("option_no_choice", name=name, value=value, offered=", ".join(choices))
    return {name: str(value) for name, value in wanted.items()}


def card_options(
    game: str, preset: str | None, wanted: Mapping[str, OptionValue]
) -> CardOptions | None:
    """How a card has it played, also by the usual rules of a preset that is known; None for
    nothing. Raises UserError.
    """
    choices = checked_options(game, preset, wanted)
    brings = bool(choices or preset)
    return CardOptions(game, preset or "", tuple(choices.items())) if brings else None


def deck_options(file: DeckFile, more: Mapping[str, OptionValue]) -> CardOptions | None:
    """How a deck card has it played (TR-5): by the preset of the deck file, its house rules and
    `more`; None: the file names no preset. Raises UserError.
    """
    presets = {name: [preset.name for preset in box_row(name).presets] for name in names()}
    # a deck file names a preset, but no game
    game = next((name for name in presets if file.preset and file.preset in presets[name]), "")
    wanted = {**file.options, **more}
    if wanted and not game:
        raise UserError("option_no_preset", presets=", ".join(PRESETS))
    if not game:
        return None
    choices = checked_options(game, file.preset, wanted)
    return CardOptions(game, file.preset or "", tuple(choices.items()))


def check_options(file: DeckFile) -> DeckFile:
    """The same file, with one more fault if its house rules are none."""
    try:
        deck_options(file, {})
    except UserError as error:
        file.faults.append(Fault(file.path, 1, OPTIONS, error.sentence))
        file.deck = None
    return file


def header_for(
    game: str, preset: str | None, seats: int, choices: Mapping[str, OptionValue]
) -> Json:
    """The header of a match with every option in force (`firmware.rules.game.header_of`), for
    choices of the menu as numbers or as text. Without `preset` it is the game's first one. Deck,
    names, and what identifies the match are added by the caller. Raises UserError for a preset
    that the game does not have.
    """
    found = box_row(game)
    rules = found.presets[0] if not preset else _preset(found, preset)
    of_rows = {
        row.name: choice
        for row in rows_of(found, rules.name)
        for choice in row.choices
        if str(choice) == str(choices.get(row.name))
    }
    return header_of(found, rules, seats, of_rows)


def _preset(game: BoxRow, name: str) -> Preset:
    for preset in game.presets:
        if preset.name == name:
            return preset
    known = ", ".join(str(preset.name) for preset in game.presets)
    raise UserError("preset_unknown", preset=name, presets=known)
