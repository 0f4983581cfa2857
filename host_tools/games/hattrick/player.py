"""The player of Hattrick: collects one colour (HA-7) and keeps low cards for the others."""

from host_tools.core.json_types import Json
from host_tools.games.player import NEVER, Act, Player

_TWICE_AT = (3, 7)
"""Between which of its taps a careless player lays a card of the table on the box once more."""


class HattrickPlayer(Player):
    """Sees the tricks that lie open, and its hand."""

    def begin(self) -> None:
        super().begin()
        self._colour = ""
        self._taps = 0
        self._twice_at = NEVER if self.faultless else self.chance.randint(*_TWICE_AT)

    def act(self, hand: list[str]) -> Act:
        self._taps += 1
        lying = {suit: cards for suit, _, cards in self.match.tricks_lying()}
        if self._taps >= self._twice_at and lying:
            self._twice_at = NEVER
            return Act("tap", {"card": next(iter(lying.values()))[-1]}, 600)  # HA-9
        if not self._colour:
            self._colour = max("RGB", key=lambda colour: _weight(hand, colour))
        return Act("tap", {"card": self._card(hand, lying)}, self.chance.randint(200, 500))

    def _card(self, hand: list[str], lying: dict[str, list[str]]) -> str:
        if not lying:
            return max(hand, key=lambda card: (card[0] == self._colour, value_of(card)))
        return max(hand, key=lambda card: self._worth(card, lying))

    def _worth(self, card: str, lying: dict[str, list[str]]) -> tuple[int, int]:
        """How gladly this card is played now: wins my colour, then loses another, then passes."""
        if card[0] not in lying and len(lying) == 2:
            return (0, -value_of(card))  # HA-3: a pass
        wins = value_of(card) > max(map(value_of, lying.get(card[0], ())), default=0)
        mine = card[0] == self._colour
        return (3 if wins and mine else 2 if not wins and not mine else 1, -value_of(card))

    def hear(self, event: Json) -> None:
        if event["is"] == "hand_over":
            self._colour = ""


def value_of(card: str) -> int:
    """The number on a card."""
    return int(card[1:])


def _weight(hand: list[str], colour: str) -> int:
    return sum(value_of(card) for card in hand if card[0] == colour)
