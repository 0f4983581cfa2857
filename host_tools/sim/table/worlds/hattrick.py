"""Hattrick: all 60 cards in the hands, two tricks at a time (HA)."""

import random

from host_tools.sim.table.worlds.base import Json, Move, Say, World, lay
from host_tools.sim.table.worlds.faces import hattrick_face

SUITS = "RGB"
VALUES = 20


class HattrickWorld(World):
    """A new deal after every hand; the simple player wins when it can, else throws the lowest."""

    def __init__(self, header: Json, seed: int, say: Say) -> None:
        super().__init__(header, seed, say)
        self._lying: list[tuple[int, str]] = []
        self.played: list[str] = []
        """The cards of this hand that lie or have lain on the table."""
        self._deals = 0
        self._deal()

    def starter(self) -> int:
        """HA-2: the box is told who deals."""
        return self.seed % self.seats

    def _deal(self) -> None:
        cards = [f"{suit}{value}" for suit in SUITS for value in range(1, VALUES + 1)]
        random.Random(f"{self.seed}/{self._deals}").shuffle(cards)
        self._deals += 1
        self.played = []
        size = len(cards) // self.seats
        for seat in range(self.seats):
            self.hands[seat] = sorted(cards[seat * size : (seat + 1) * size], key=_order)

    def move(self, seat: int) -> Move:
        hand = self.hands[seat]
        if not hand:
            return ()
        lying = {suit: cards for suit, _, cards in self.match.tricks_lying()}
        winners = [card for card in hand if card[0] in lying and _beats(card, lying[card[0]])]
        follows = [card for card in hand if card[0] in lying]
        if winners:
            return (lay(max(winners, key=_value)),)
        return (lay(min(follows or hand, key=_value)),)

    def follow(self, seat: int | None, command: Json, events: list[Json]) -> None:
        if command["do"] == "tap" and seat is not None:
            self.bring(seat, command["card"])
            self.hands[seat].remove(command["card"])
            self.played.append(command["card"])
            self._lying.append((seat, command["card"]))
        for event in events:
            if event["is"] == "round_over":
                self._lying = []
            elif event["is"] == "hand_over" and not self.match.over():
                self._lying = []
                self._deal()

    def middle(self) -> Json:
        return {
            "lying": [{"seat": seat, "face": self.face(code)} for seat, code in self._lying],
            "tricks": [
                {"suit": suit, "leads": seat, "cards": cards}
                for suit, seat, cards in self.match.tricks_lying()
            ],
            "passes": self.match.passes(),
        }

    def face(self, code: str) -> Json:
        return hattrick_face(code)


def _value(code: str) -> int:
    return int(code[1:])


def _order(code: str) -> tuple[int, int]:
    return SUITS.index(code[0]), _value(code)


def _beats(card: str, trick: list[str]) -> bool:
    return _value(card) > max(_value(other) for other in trick)
