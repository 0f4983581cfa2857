"""What a demo plays: the rows of the games (`Game.demos`), and the choices of the command line."""

from dataclasses import dataclass
from typing import NamedTuple

from firmware.games import open_match
from firmware.rules.errors import Malformed
from host_tools.cards.decks import load_deck
from host_tools.cards.tag_items import Set
from host_tools.core.errors import UserError
from host_tools.core.json_types import Json
from host_tools.games import GAMES as ROWS
from host_tools.games import drawn
from host_tools.games.options import header_for
from host_tools.sim.table.tags import badges

NAMES = ("Anna", "Beat", "Chiara", "Dürte", "Emre", "Fatoş", "Gianni", "Héloïse")


class DemoGame(NamedTuple):
    """`game` and `preset` of the header, what it is played with, and what must be seen in it."""

    game: str
    preset: str | None
    deck: str | None
    seats: int
    highlights: frozenset[str]


GAMES = {
    name: DemoGame(row.name, *demo) for row in ROWS.values() for name, demo in row.demos.items()
}
"""By the name on the command line."""
_FIRST = next(iter(GAMES))  # played where nothing is said
# reversed: of two variants for the same deck the first one listed stays
_GAME_OF_DECK = {game.deck: name for name, game in reversed(GAMES.items()) if game.preset == name}
"""The variant that is made for a deck."""


@dataclass(frozen=True)
class DemoPlan:
    """What is played, and into which database (`db`) its result goes;
    `slip`: the box writes a result slip, and the desk reads it. `robots`: the strength of bots in
    the place of the players who make mistakes to be seen.
    """

    game: DemoGame
    lang: str
    seed: int
    engine: str
    db: str
    pictures: str
    slip: bool = False
    robots: str = ""

    @property
    def names(self) -> list[str]:
        """The players."""
        return list(NAMES[: self.game.seats])

    def header(self) -> Json:
        """The header of the match, with deck or board as an object. Raises UserError."""
        game = self.game
        header = header_for(game.game, game.preset, game.seats, {})
        if game.deck is not None:
            header["deck"] = load_deck(game.deck)
        header = ROWS[game.game].resolved(drawn(header, self.seed))
        try:
            open_match(header)
        except Malformed as fault:
            if game.deck is None:
                raise
            raise UserError("demo_other_deck", deck=game.deck) from fault
        return header

    def tags(self) -> Set:
        """Everything that has a tag in this game, and a badge for each player."""
        sets = ROWS[self.game.game].tag_sets(self.header())
        sets.append(Set("badges", tuple(badges(self.names, "p", "demo"))))
        items = tuple(item for one in sets for item in one.items)
        return Set(", ".join(one.title for one in sets), items)


def choose_game(
    game: str | None, deck: str | None, preset: str | None, seats: int | None, robots: str = ""
) -> DemoGame:
    """The row of a game with what the command line says otherwise. Raises UserError."""
    row = GAMES[game or preset or _GAME_OF_DECK.get(deck, _FIRST)]
    if preset is not None and preset != row.preset:
        if row.game != GAMES[preset].game:
            raise UserError("demo_other_preset", preset=preset)
        row = GAMES[preset]
    if deck is not None and row.deck is None:
        raise UserError("demo_no_deck", name=str(game))
    chosen = row._replace(deck=deck or row.deck, seats=seats or row.seats)
    game_row = ROWS[chosen.game]
    if robots:
        game_row.check_strength(robots)
    presets = game_row.on_box.presets
    if not game_row.fewest <= chosen.seats <= game_row.most:
        raise UserError(
            "demo_seats_game", count=chosen.seats, fewest=game_row.fewest, most=game_row.most
        )
    if not any(p.fewest <= chosen.seats <= p.most for p in presets if p.name == chosen.preset):
        raise UserError("demo_seats_preset", count=chosen.seats, preset=str(chosen.preset))
    return chosen
