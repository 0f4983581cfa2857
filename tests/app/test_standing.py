"""Whatever the page, a running match shows how it stands: numbers of the seats, pot, clock, who is
on turn, and what was called with the arrow of its direction. In every state that scripts reach.
"""

from pathlib import Path
from typing import Any

import pytest

from .fakes import Box
from .pictures import SCRIPTS, stock
from .sample_decks import DECKS
from .script import Script


class WatchedBox(Box):
    """Collects after every step what is not in sight."""

    def power_on(self) -> None:
        self.seen = 0
        self.missing: list[str] = []
        super().power_on()

    def step(self, ms: int = 10) -> None:
        super().step(ms)
        session = self.app.session
        if session is not None and not session.match.over() and self.app.table is not None:
            self.seen += 1
            drawn = list(self.canvas.read)
            self.missing += [f"{item} on {drawn}" for item in unseen(self, session.match, drawn)]


def unseen(box: Box, match: Any, drawn: list[str]) -> list[str]:
    game = box.app.session.header["game"] if box.app.session else ""
    words = " ".join(drawn)
    items = {}
    numbers = {
        "trumpf": lambda: match.counts(),
        "quartett": lambda: match.quartets(),
        "hattrick": lambda: match.totals(),
        "cafe": lambda: match.scores(),
    }[game]()
    plain = words.replace("→ ", "").replace("→", "").replace(" ←", "").replace(" : ", " ")
    together = " ".join(str(number) for number in numbers) in plain.replace("  ", " ")
    alone = [item.replace("→ ", "").replace(" ←", "") for item in drawn]
    beside = all(f": {number}" in words for number in numbers)  # its name
    items["numbers"] = together or beside or all(str(number) in alone for number in numbers)
    if match.clock is not None:
        seconds = (match.clock.left_ms(box.app.session.t_ms) + 999) // 1000  # type: ignore[union-attr]
        items["clock"] = f"{seconds // 60}:{seconds % 60:02d}" in drawn
    seat = match.awaits().seat
    if seat is not None:
        named = box.app.seat_name(seat) in words
        items["turn"] = named or "→" in words or "←" in words
    if game == "trumpf" and match.pot_size():
        size = match.pot_size()
        items["pot"] = f"Pot {size}" in words or ("Pot" in drawn and str(size) in drawn)
    if game == "trumpf" and match.category is not None:
        deck = DECKS[box.app.session.header["deck"].removesuffix("-card")]  # type: ignore[union-attr]
        preset = box.app.session.header["preset"]  # type: ignore[union-attr]
        category = deck["categories"][match.category]
        low = {"swiss": False, "kneipe": match.category < 3}.get(  # SW-2, KN-1
            preset, category["best"] == "low"
        )
        items["category"] = ("▼" if low else "▲") + category["title"] in words
    return [item for item, is_there in items.items() if not is_there]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_how_the_match_stands_is_in_sight_on_every_page(path: Path, tmp_path: Path) -> None:
    stock(tmp_path)
    box = WatchedBox(tmp_path, "en")
    Script(box, lambda name, pixels: None).run(path)
    assert box.missing == []
