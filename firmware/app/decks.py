"""Decks and boards the box has: files `decks/<id>.json`, `boards/<id>.json` in its storage."""

import json
import os

from micropython import const

from card_tags.deck_card import deck_number

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

_ENDING = ".json"


def stored_ids(storage: str, folder: str) -> "list[str]":
    """Ids of the files in a folder of the storage, sorted; [] without the folder."""
    try:
        names = os.listdir(storage + "/" + folder)
    except OSError:
        return []
    return sorted([name[: -len(_ENDING)] for name in names if name.endswith(_ENDING)])


def load(storage: str, folder: str, name: str) -> "dict[str, Any]":
    """The object in a file. OSError if it cannot be read, ValueError if it is no JSON."""
    with open(storage + "/" + folder + "/" + name + _ENDING, "rb") as file:
        content: "dict[str, Any]" = json.load(file)
    return content


def id_of_number(storage: str, number: int) -> "str | None":
    """The id of the stored deck whose cards carry this number, or None."""
    for name in stored_ids(storage, "decks"):
        if deck_number(name) == number:
            return name
    return None
