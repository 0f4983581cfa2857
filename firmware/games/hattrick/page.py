"""Hattrick on the screen: two tricks at a time, who leads them, passes and scores (HA)."""

from micropython import const

from card_tags.kinds import NUMBERED
from firmware.app import sounds
from firmware.app.canvas import ICON, LINE, STATUS, TOP
from firmware.app.table import Table
from firmware.app.view import NewsItem

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from card_tags.kinds import Tag
    from firmware.app.view import ViewPart, Wording
    from firmware.games.hattrick.rules import Hattrick
    from firmware.rules.answers import Event, Pairs

_SUITS = "RGB"
_VALUES = const(20)
_MOST_VALUES = const(4)  # of a trick fit beside its winner's name


class HattrickTable(Table):
    """The tap alone is the move (HA-3)."""

    if TYPE_CHECKING:
        _match: "Hattrick"

    def title(self) -> str:
        if self.awaits.what == "begin":
            return self.app.say("who_deals")
        match = self._match
        return self.app.say("hattrick_hand", match.hands_played() + 1, match.hands)

    def deal(self) -> "list[str]":
        """HA-1."""
        return self.deal_cards(60 // self._match.seats, 0)

    def standing(self) -> "tuple[Sequence[object], str]":
        return self._match.totals(), self.app.say("hattrick_totals")

    def heading(self) -> str:
        return self.app.say("hattrick_last") if self._match.cards_left() == 1 else self.title()

    def picture(self) -> "Sequence[ViewPart]":
        """Passes are told until the second trick needs their line."""
        say = self.app.say
        match = self._match
        parts = self.turn_parts()
        y = TOP + ICON
        tricks = match.tricks_lying()
        for suit, seat, cards in tricks:
            values = say("suit_" + suit) + ": " + self._values(cards)
            parts.append(("ends", y, values, "→ " + self.names[seat], ""))
            y += LINE
        if len(tricks) < 2:
            passes = [say("hattrick_passes")] + [str(number) for number in match.passes()]
            parts.append(("text", 0, STATUS - LINE, "  ".join(passes)))
        parts.append(self.standing_part())
        return parts

    def _values(self, cards: "list[str]") -> str:
        """The values in the order played; of a long trick the last ones."""
        values = [card[1:] for card in cards]
        if len(values) > _MOST_VALUES:
            values = ["…"] + values[1 - _MOST_VALUES :]
        return " ".join(values)

    def codes(self) -> "list[str]":
        if self.awaits.what != "tap":
            return []
        return [suit + str(value + 1) for suit in _SUITS for value in range(_VALUES)]

    def on_tag(self, tag: "Tag") -> None:
        card: "Any" = tag.content
        if tag.kind == NUMBERED:
            self.act("tap", ("card", card.code))
        else:
            self.app.wrong_kind()

    # -- news --

    def tell(self, event: "Event") -> "NewsItem | None":
        if event[0] == "passed":
            return NewsItem("", "", (), sounds.ATTENTION, "", ())
        if event[0] == "round_over":
            return self._round_over(event[1], event[2])
        if event[0] == "hand_over":
            return self._hand_over(event[1], event[2], event[3])
        return None

    def _round_over(self, tricks: "list[Pairs]", leader: int) -> "NewsItem":
        won = []
        for trick in tricks:
            fields: "dict[str, Any]" = dict(trick.items)
            before = (self.app.say("suit_" + fields["suit"]), "+%d" % len(fields["cards"]))
            won.append((before, self.names[fields["seat"]]))
        title = ("hattrick_leads", self.names[leader])
        return NewsItem("TROPHY", title, (), sounds.ROUND_WON + leader, "", won)

    def _hand_over(self, scores: "list[int]", totals: "list[int]", dealer: int) -> "NewsItem":
        best = [seat for seat in range(len(scores)) if scores[seat] == max(scores)]
        large = [((), self.names[best[0]])] if len(best) == 1 else []
        title: "tuple[str, ...]" = ("hattrick_scores",)
        if not self._match.over():
            title = ("hattrick_deals", self.names[dealer])
        lines: "list[Wording]" = [[self.names, ["%+d" % score for score in scores]]]
        return NewsItem("HAND", title, lines, sounds.HAND_OVER, "", large)
