"""Hattrick on the screen: two tricks at a time, who leads them, passes and scores (HA)."""

from micropython import const

from card_tags.kinds import NUMBERED
from firmware.app import sounds
from firmware.app.canvas import LINE, TOP, WIDTH
from firmware.app.table import Table

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from card_tags.kinds import Tag
    from firmware.app.canvas import Canvas
    from firmware.games.hattrick.rules import Hattrick
    from firmware.rules.answers import Event, Pairs

_SUITS = "RGB"
_VALUES = const(20)
_ICON = const(26)  # beside the picture of a message
_GAP = const(8)
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

    def draw_table(self, canvas: "Canvas") -> None:
        say = self.app.say
        match = self._match
        prompt = "hattrick_last" if match.cards_left() == 1 else "lay_card"
        canvas.text(0, TOP, say(prompt, self.app.seat_name(self.awaits.seat)))
        y = TOP + LINE
        for suit, seat, cards in match.tricks_lying():
            edge = canvas.right(y, "→ " + self.app.seat_name(seat))
            canvas.text(0, y, say("suit_" + suit) + ": " + self._values(cards), edge - 2)
            y += LINE
        self._row(canvas, TOP + 3 * LINE, "hattrick_passes", match.passes())
        self._row(canvas, TOP + 4 * LINE, "hattrick_totals", match.totals())

    def _values(self, cards: "list[str]") -> str:
        """The values in the order played; of a long trick the last ones."""
        values = [card[1:] for card in cards]
        if len(values) > _MOST_VALUES:
            values = ["…"] + values[1 - _MOST_VALUES :]
        return " ".join(values)

    def _row(self, canvas: "Canvas", y: int, key: str, numbers: "list[int]") -> None:
        """Six long numbers leave no room for what they are."""
        words = [str(number) for number in numbers]
        text = self.app.say(key) + "  " + "  ".join(words)
        fits = canvas.small.width(text) <= WIDTH
        canvas.text(0, y, text if fits else " ".join(words))

    def codes(self) -> "list[str]":
        if self.awaits.what != "tap":
            return []
        return [suit + str(value + 1) for suit in _SUITS for value in range(_VALUES)]

    def tag(self, tag: "Tag") -> None:
        card: "Any" = tag.content
        if tag.kind == NUMBERED:
            self.act("tap", ("card", card.code))
        else:
            self.app.wrong_kind()

    # -- news --

    def tell(self, event: "Event") -> bool:
        if event[0] == "passed":
            self.app.sound(sounds.ATTENTION)
        elif event[0] == "round_over":
            self._round_over(event[1], event[2])
        elif event[0] == "hand_over":
            self._hand_over(event[1], event[2], event[3])
        else:
            return False
        return True

    def _round_over(self, tricks: "list[Pairs]", leader: int) -> None:
        say = self.app.say
        won = []
        for trick in tricks:
            fields: "dict[str, Any]" = dict(trick.items)
            before = (say("suit_" + fields["suit"]), "+%d" % len(fields["cards"]))
            won.append((before, self.app.seat_name(fields["seat"])))
        title = say("hattrick_leads", self.app.seat_name(leader))
        self.app.message("TROPHY", title, (), sounds.ROUND_WON + leader, "", won)

    def _named_scores(self, scores: "list[int]", width: int) -> "list[str]":
        """In the order of the seats, on two lines; of long names the first letters."""
        canvas = self.app.canvas
        half = (len(scores) + 1) // 2
        named = []
        for seat in range(len(scores)):
            number = " %+d" % scores[seat]
            room = width // half - _GAP - canvas.small.width(number)
            named.append(canvas.fitted(self.app.seat_name(seat), room) + number)
        return ["  ".join(named[:half]), "  ".join(named[half:])]

    def _hand_over(self, scores: "list[int]", totals: "list[int]", dealer: int) -> None:
        say = self.app.say
        best = [seat for seat in range(len(scores)) if scores[seat] == max(scores)]
        large = [((), self.app.seat_name(best[0]))] if len(best) == 1 else []
        title = say("hattrick_scores")
        if not self._match.over():
            title = say("hattrick_deals", self.app.seat_name(dealer))
        lines = self._named_scores(scores, WIDTH if large else WIDTH - _ICON)
        self.app.message("HAND", title, lines, sounds.HAND_OVER, "", large)
