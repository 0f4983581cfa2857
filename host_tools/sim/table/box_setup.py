"""What stands on a new box's flash: decks, boards, language, and the table's own league key."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from firmware.app.decks import facts_of, fits
from firmware.app.flash import Flash
from firmware.app.settings import Settings
from host_tools.cards.decks import deck_ids, load_deck_file
from host_tools.games import GAMES
from host_tools.games.box_words import box_language
from host_tools.sim.table.tags import LEAGUE_KEY


def set_up(folder: Path, lang: str, name: str, own: Mapping[str, Any] | None = None) -> None:
    """Write everything that an organiser gives a box; `own`: more decks, by their ids. Raises
    OSError.
    """
    _write_decks(folder, lang)
    _write(folder / "decks", dict(own or {}))
    for boards in [game.boards for game in GAMES.values() if game.boards]:
        _write(folder / "boards", {name: boards.load(name) for name in boards.ids()})
    settings = Settings(Flash(str(folder)))
    settings.set({"language": box_language(lang), "name": name})
    settings.set_key(LEAGUE_KEY)  # a box without a key offers no result slip


def decks_on(folder: Path) -> dict[str, Any]:
    """The own decks that a box has got before, by their ids. Raises OSError."""
    files = sorted((folder / "decks").glob("*.json"))
    own = [file for file in files if file.stem not in deck_ids()]
    return {file.stem: json.loads(file.read_text(encoding="utf8")) for file in own}


def set_language(folder: Path, lang: str) -> None:
    """The box speaks it from its next start on, and so do its decks. Raises OSError."""
    _write_decks(folder, lang)
    Settings(Flash(str(folder))).set({"language": box_language(lang)})


def is_offered(game: str, deck: Mapping[str, Any]) -> bool:
    """Whether the box's menu has this deck for the game."""
    return fits(GAMES[game].on_box, facts_of("", dict(deck)))


def _write_decks(folder: Path, lang: str) -> None:
    _write(folder / "decks", {name: load_deck_file(name).for_box(lang) for name in deck_ids()})


def _write(folder: Path, contents: dict[str, Any]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        (folder / f"{name}.json").write_text(json.dumps(content), encoding="utf8")
