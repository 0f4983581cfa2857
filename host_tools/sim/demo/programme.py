"""What a demo plays: one row a game, and the choices of the command line."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from card_tags import kinds
from firmware.games import row as row_of
from host_tools.cards.boards import OWN_BOARDS, load_board
from host_tools.cards.decks import load_deck
from host_tools.core.errors import UserError
from host_tools.provision.items import (
    Item,
    Set,
    board_table_items,
    deck_items,
    guest_items,
    hattrick_items,
    table_items,
)

Json = dict[str, Any]
NAMES = ("Anna", "Beat", "Chiara", "Dürte", "Emre", "Fatoş", "Gianni", "Héloïse")


@dataclass(frozen=True)
class Game:
    """`game` and `preset` of the header, what it is played with, and what must be seen in it."""

    game: str
    preset: str | None
    deck: str | None
    seats: int
    highlights: frozenset[str]


_TRUMPF = frozenset({"round_tied", "three_cards", "not_yours", "match_over"})
_CAFE = frozenset({"sexes", "placed", "barred", "match_over"})
GAMES = {
    "trumpf": Game("trumpf", "swiss", "berge", 2, _TRUMPF | {"value_missing"}),
    "swiss": Game("trumpf", "swiss", "berge", 2, _TRUMPF | {"value_missing"}),
    "gastro": Game("trumpf", "gastro", "gastro", 3, _TRUMPF),
    "kneipe": Game("trumpf", "kneipe", "kneipe", 4, _TRUMPF),
    "quartett": Game(
        "quartett",
        None,
        "gastro",
        3,
        frozenset({"denied", "not_asked", "known_holder", "false_denial", "match_over"}),
    ),
    "hattrick": Game(
        "hattrick", None, None, 3, frozenset({"passed", "already_played", "match_over"})
    ),
    "cafe": Game("cafe", "board", None, 3, _CAFE | {"swapped", "left_over"}),
    "cafe-app": Game("cafe", "app", None, 2, _CAFE | {"cleared"}),
}
_GAME_OF_DECK = {"gastro": "gastro", "kneipe": "kneipe", "berge": "swiss"}


@dataclass(frozen=True)
class Programme:
    """What is played. `folder` holds the twin's flash, the ledger and the demo's own database;
    `slip`: the box writes a result slip, and the desk reads it.
    """

    game: Game
    lang: str
    seed: int
    engine: str
    folder: Path
    db: str | None
    pictures: str
    slip: bool = False

    @property
    def names(self) -> list[str]:
        """The players."""
        return list(NAMES[: self.game.seats])

    def header(self) -> Json:
        """The header of the match, with deck or board as an object. Raises UserError."""
        game = self.game
        header: Json = {"schiri": 1, "game": game.game, "seats": game.seats}
        if game.preset is not None:
            header["preset"] = game.preset
        if game.deck is not None:
            header["deck"] = load_deck(game.deck)
        if game.game == "cafe":
            header["board"] = load_board(OWN_BOARDS[str(game.preset)])
        return header

    def tags(self) -> Set:
        """Everything that has a tag in this game, and a badge for each player."""
        sets = {
            "hattrick": lambda: [hattrick_items()],
            "cafe": self._cafe_sets,
        }.get(self.game.game, self._deck_sets)()
        items = tuple(item for one in sets for item in one.items)
        return Set(", ".join([*(one.title for one in sets), "badges"]), items + self._badges())

    def _deck_sets(self) -> list[Set]:
        return [deck_items(load_deck(str(self.game.deck)), with_deck_card=True)]

    def _cafe_sets(self) -> list[Set]:
        """The guests; the board has a tag at every table, the app draws its table cards."""
        if self.game.preset == "app":
            return [guest_items(), table_items()]
        return [guest_items(), board_table_items(load_board(OWN_BOARDS["board"]))]

    def _badges(self) -> tuple[Item, ...]:
        return tuple(
            Item(f"p{n}", name, kinds.BADGE, kinds.Badge(f"p{n}", name, "demo"))
            for n, name in enumerate(self.names, 1)
        )


def choose_game(game: str | None, deck: str | None, preset: str | None, seats: int | None) -> Game:
    """The row of a game with what the command line says otherwise. Raises UserError."""
    row = GAMES[game or preset or _GAME_OF_DECK.get(deck or "", "swiss")]
    if preset is not None and preset != row.preset:
        if row.game != "trumpf":
            raise UserError(f"--preset {preset} is one of Trumpf's: leave it or --game away")
        row = GAMES[preset]
    if deck is not None and row.deck is None:
        raise UserError(f"{game} is played without a deck: leave --deck away")
    chosen = Game(row.game, row.preset, deck or row.deck, seats or row.seats, row.highlights)
    if chosen.preset == "swiss" and chosen.seats != 2:
        raise UserError("the Swiss rules are one against one (SW-1): leave --seats away")
    presets = row_of(chosen.game).presets
    fewest, most = min(p.fewest for p in presets), max(p.most for p in presets)
    if not fewest <= chosen.seats <= most:
        raise UserError(f"--seats {chosen.seats}: this game has {fewest} to {most}")
    return chosen
