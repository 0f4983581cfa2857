"""What stands on a new box's flash: decks, boards, language, and the table's own league key."""

import json
from pathlib import Path

from firmware.app.flash import Flash
from firmware.app.settings import Settings
from host_tools.cards.boards import board_ids, load_board
from host_tools.cards.decks import deck_ids, load_deck
from host_tools.sim.box_words import box_language
from host_tools.sim.table.tags import LEAGUE_KEY


def set_up(folder: Path, lang: str, name: str) -> None:
    """Write everything that an organiser gives a box. Raises OSError."""
    for kind, ids, load in (("decks", deck_ids, load_deck), ("boards", board_ids, load_board)):
        (folder / kind).mkdir(parents=True, exist_ok=True)
        for one in ids():
            (folder / kind / f"{one}.json").write_text(json.dumps(load(one)), encoding="utf8")
    settings = Settings(Flash(str(folder)))
    settings.set({"language": box_language(lang), "name": name})
    settings.set_key(LEAGUE_KEY)
