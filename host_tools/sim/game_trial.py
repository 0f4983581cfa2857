"""One game under test, and the matches with which `schiri games check` tries it.

The checks themselves are in game_checks.py and game_ends.py.
"""

import random
from functools import cached_property
from pathlib import Path
from typing import Any

from firmware import games as on_the_box
from firmware.rules.game import Preset
from firmware.rules.match import ALL_COMMANDS
from host_tools.cards.decks import deck_ids, load_deck
from host_tools.core.json_types import Json
from host_tools.games import folder_of
from host_tools.games.base import Game
from host_tools.games.loading import BOX, LAPTOP
from host_tools.games.options import header_for
from host_tools.sim.demo.dry_run import dealt, moves_of

RANDOM_COMMANDS = 60
SHORT, LONG = 2, 20
"""How many random matches a form of the checks plays with each header."""
ROOT = Path(on_the_box.__file__).parents[2]
"""The folder of our own packages."""
# every kind of value that JSON has, and an unknown card
_WRONG: tuple[Any, ...] = (None, -1, 99, "", "ZZ9", [], ["ZZ9"], {}, True, 1.5)


class Trial:
    """One game under test. `whole`: many matches, and also on the box to the end, with every
    preset and with fewest and most seats; otherwise the short form.
    """

    def __init__(self, game: Game, whole: bool = False) -> None:
        self.game = game
        self.matches = LONG if whole else SHORT
        self.whole = whole
        self.reasons: set[str] = set()
        self.events: set[str] = set()

    @property
    def halves(self) -> list[Path]:
        """The folders of the box's half and of the laptop's."""
        folder = folder_of(self.game.name)
        if folder is not None:
            return [folder / BOX, folder / LAPTOP]
        return [ROOT / room / "games" / self.game.name for room in ("firmware", "host_tools")]

    @cached_property
    def headers(self) -> list[Json]:
        """Every preset with fewest and with most seats, what the menu offers chosen at random."""
        # by the name: a fault that was found is found again by the next run
        chance = random.Random(self.game.name)
        return [
            self._header(preset, seats, chance)
            for preset in self.game.on_box.presets
            for seats in sorted({preset.fewest, preset.most})
        ]

    def _header(self, preset: Preset, seats: int, chance: random.Random) -> Json:
        choices = {row.name: chance.choice(row.choices) for row in self.game.on_box.rows}
        header = header_for(self.game.name, preset.name, seats, choices)
        if self.game.on_box.deck:
            header["deck"] = load_deck(self.game.deck_for(preset.name) or deck_ids()[0])
        return self.game.resolved(self.game.drawn(header, chance))

    @cached_property
    def played(self) -> list[tuple[Json, list[Json]]]:
        """Matches of the game's own players, who make mistakes: header and commands."""
        return [
            (header, [command for command, _ in moves_of(dealt(header, seed, faultless=False))])
            for header in self.headers
            for seed in range(1, self.matches + 1)
        ]

    @cached_property
    def drawn(self) -> list[tuple[Json, list[Json]]]:
        """The beginnings of those matches, and then commands at random, most of them illegal."""
        chance = random.Random(self.game.name)
        matches = []
        for header, commands in self.played:
            known = commands[: chance.randrange(len(commands) + 1)]
            matches.append((header, known + _drawn(commands, header, chance)))
        return matches


def _drawn(commands: list[Json], header: Json, chance: random.Random) -> list[Json]:
    """Commands whose fields come from others of the same match, or are anything."""
    fields: dict[str, list[Any]] = {"seat": [*range(header["seats"]), None]}
    shapes: dict[str, list[str]] = {name: ["seat"] for name in ALL_COMMANDS}
    for command in commands:
        shapes[command["do"]] = [name for name in command if name not in ("t", "do")]
        for name, value in command.items():
            fields.setdefault(name, []).append(value)
    t_ms = fields.pop("t", [0])[-1]
    drawn = []
    for _ in range(RANDOM_COMMANDS):
        do = chance.choice([chance.choice(ALL_COMMANDS), *fields.get("do", ["begin"])])
        command = {name: chance.choice(fields[name]) for name in shapes[do] if name in fields}
        if command and chance.random() < 0.2:
            command[chance.choice(list(command))] = chance.choice(_WRONG)
        t_ms += chance.choice((0, 10, 400))
        drawn.append({"t": t_ms, "do": do, **command})
    return drawn


def named(header: Json) -> str:
    """A match, in a sentence about it."""
    preset = header.get("preset", "")
    return f"{preset} {header['seats']} seats".strip()
