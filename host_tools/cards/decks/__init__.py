"""Decks as data: TOML, CSV or JSON files, checked, and the ones that come with the project.

`load_deck(id_or_path)` gives the deck object of TRANSCRIPT.md; every value is a scaled integer or
None.
"""

from host_tools.cards.decks.check import DeckFile, check_deck
from host_tools.cards.decks.library import deck_ids, load_deck, load_deck_file
from host_tools.core.faults import Fault

__all__ = ["DeckFile", "Fault", "check_deck", "deck_ids", "load_deck", "load_deck_file"]
