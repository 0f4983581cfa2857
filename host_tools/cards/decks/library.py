"""The decks that come with the project, and decks from files."""

from pathlib import Path
from typing import Any

import card_tags
from host_tools.cards.decks.check import DeckFile, check_deck
from host_tools.core.errors import UserError

_FOLDER = Path(card_tags.__file__).parent / "decks"


def deck_ids() -> list[str]:
    """The ids of the project's own decks, sorted."""
    return sorted(path.stem for path in _FOLDER.glob("*.toml"))


def deck_path(id_or_path: str | Path) -> Path:
    """The file of a known id, else the path itself. Raises UserError if there is neither."""
    known = _FOLDER / f"{id_or_path}.toml"
    if str(id_or_path) in deck_ids():
        return known
    path = Path(id_or_path)
    if not path.is_file():
        known_ids = ", ".join(deck_ids())
        raise UserError(f"{id_or_path}: no such deck; known are {known_ids}, or give a file.")
    return path


def load_deck_file(id_or_path: str | Path) -> DeckFile:
    """A deck without faults with its preset. Raises UserError that names the first fault."""
    file = check_deck(deck_path(id_or_path))
    if file.faults:
        more = len(file.faults) - 1
        rest = f" ({more} more: schiri decks check)" if more else ""
        raise UserError(f"{file.faults[0]}{rest}")
    return file


def load_deck(id_or_path: str | Path) -> dict[str, Any]:
    """The deck object of TRANSCRIPT.md; values are scaled integers or None.

    Raises UserError if there is no such deck or it has faults.
    """
    deck = load_deck_file(id_or_path).deck
    if deck is None:  # unreachable without faults; says so to the type checker
        raise UserError(f"{id_or_path}: not a deck.")
    return deck
