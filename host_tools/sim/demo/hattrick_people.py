"""The people of Hattrick: sixty real cards, dealt anew for every hand."""

import random
from typing import Any

from host_tools.sim.demo.people import NEVER, Act

Json = dict[str, Any]
DECK = [colour + str(value) for colour in "RGB" for value in range(1, 21)]
_TWICE_AT = (7, 20)
"""Between which taps somebody lays a card of the table on the box once more."""


class HattrickPeople:
    """They collect one colour each (HA-7), keep low cards for the rest and hate to pass."""

    def __init__(self, header: Json, seed: int, faultless: bool = False) -> None:
        self._chance = random.Random(seed)
        self._seats: int = header["seats"]
        self._lying: list[tuple[int, str]] = []
        self._passed: list[str] = []
        self._taps = 0
        self._twice_at = NEVER if faultless else self._chance.randint(*_TWICE_AT)
        self._deal()

    def _deal(self) -> None:
        cards = list(DECK)
        self._chance.shuffle(cards)
        self.hands = [cards[seat :: self._seats] for seat in range(self._seats)]
        self._colours = [max("RGB", key=lambda c: _weight(hand, c)) for hand in self.hands]

    def act(self, awaits: Json, category: str | None = None) -> Act:
        """Who deals, and then one card after the other."""
        if awaits["for"] == "begin":
            return Act("begin", {"seat": self._chance.randrange(self._seats)}, 2_000)
        if awaits["for"] != "tap":
            return Act("wait", {}, 1_000)
        self._taps += 1
        if self._taps >= self._twice_at and self._lying:
            self._twice_at = NEVER
            return Act("tap", {"card": self._lying[-1][1]}, 600, wrong=True)  # HA-9
        return Act("tap", {"card": self._card(awaits["seat"])}, self._chance.randint(200, 500))

    def _card(self, seat: int) -> str:
        hand = self.hands[seat]
        if not self._lying:
            return max(hand, key=lambda card: (card[0] == self._colours[seat], _value(card)))
        return max(hand, key=lambda card: self._worth(seat, card))

    def _worth(self, seat: int, card: str) -> tuple[int, int]:
        """How gladly this card is played now: wins my colour, then loses another, then passes."""
        tricks = {lying[0] for _, lying in self._lying if lying not in self._passed}
        if card[0] not in tricks and len(tricks) == 2:
            return (0, -_value(card))  # HA-3: a pass
        best = max((_value(c) for _, c in self._lying if c[0] == card[0]), default=0)
        wins = _value(card) > best
        mine = card[0] == self._colours[seat]
        return (3 if wins and mine else 2 if not wins and not mine else 1, -_value(card))

    def tapped(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self._lying.append((seat, card))

    def see(self, event: Json) -> None:
        if event["is"] == "passed":
            self._passed.append(event["card"])
        elif event["is"] in ("round_over", "hand_over"):
            self._lying, self._passed = [], []
        if event["is"] == "hand_over":
            self._deal()


def _value(card: str) -> int:
    return int(card[1:])


def _weight(hand: list[str], colour: str) -> int:
    return sum(_value(card) for card in hand if card[0] == colour)
