"""Decks as data: TOML, CSV or JSON files, checked, and the ones that come with the project."""

from contextlib import suppress
from pathlib import Path
from typing import Any

from host_tools.cards.data_files import DataFiles
from host_tools.cards.decks.check import DeckFile, check_deck
from host_tools.core.errors import UserError

DECKS = DataFiles("deck")
deck_ids, deck_path = DECKS.ids, DECKS.path


def own_decks() -> dict[str, DeckFile]:
    """The user's own decks without faults, by the id that stands in them."""
    found = {}
    for path in DECKS.own().values():
        with suppress(UserError):  # it cannot even be read
            file = check_deck(path)
            if file.deck is not None:
                found[str(file.deck["id"])] = file
    return found


def load_deck_file(id_or_path: str | Path) -> DeckFile:
    """A deck without faults with its preset. Raises UserError that names the first fault."""
    file = check_deck(deck_path(id_or_path))
    DECKS.refuse_faults(file.faults)
    return file


def load_deck(id_or_path: str | Path, lang: str = "") -> dict[str, Any]:
    """The deck object of TRANSCRIPT.md; values are scaled integers or None. In the language `lang`
    as far as the file has it, else as the file is.

    Raises UserError if there is no such deck or it has faults.
    """
    deck = load_deck_file(id_or_path).in_language(lang)
    if deck is None:  # unreachable without faults; says so to the type checker
        raise UserError("deck_none", name=id_or_path)
    return deck
