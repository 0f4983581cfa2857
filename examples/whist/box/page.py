"""Whist on the screen: whose turn it is, what lies, and the points (WH)."""

from micropython import const

from firmware.app import sounds
from firmware.app.canvas import LINE, TOP
from firmware.app.table import Table

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Sequence

    from card_tags.kinds import Card
    from firmware.app.view import ViewPart

    from .rules import Whist


class WhistTable(Table):
    """A tap is a card (WH-3)."""

    NEWS = {
        "revoked": ("QUESTION", "whist_revoked", sounds.ATTENTION),
        "taken": ("TROPHY", "whist_taken", sounds.ROUND_WON),
    }

    if TYPE_CHECKING:
        _match: "Whist"

    def title(self) -> str:
        return self.app.say("who_begins" if self.awaits.what == "begin" else "game_whist")

    def picture(self) -> "Sequence[ViewPart]":
        say = self.app.say
        match = self._match
        trick = min(match.tricks_played() + 1, match.tricks)
        lines = (
            self.prompt("lay_card"),
            " ".join([code for _, code in match.lying()]),
            say("whist_trick", trick, match.tricks),
            say("whist_points"),
            "  ".join([str(points) for points in match.points()]),
        )
        return [("text", 0, TOP + row * LINE, lines[row]) for row in range(len(lines))]

    def codes(self) -> "list[str]":
        return self._match.codes() if self.awaits.what == "tap" else []

    def card(self, card: "Card") -> None:
        self.act("tap", ("card", card.code))
