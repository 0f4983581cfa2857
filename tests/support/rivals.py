"""Simple players that the bots must beat: each a few lines, as a person would explain them.

They are a yardstick and stay as they are. A bot that gets worse loses to them.
"""

from collections import Counter

from host_tools.games.cafe.player import CafePlayer
from host_tools.games.hattrick.player import HattrickPlayer, value_of
from host_tools.games.player import Act, Player
from host_tools.games.quartett.player import QuartettPlayer
from host_tools.games.trumpf.player import TrumpfPlayer


class SimpleTrumpf(TrumpfPlayer):
    """Calls what beats most cards of the deck, and presents the card that is best on average."""

    def act(self, hand: list[str]) -> Act:
        if self.match.awaits().what == "call":
            return Act("call", {"category": self._category()}, 0)
        choosing = len(hand) + len(self.match.presented(self.seat)) <= 3
        return Act("tap", {"card": max(hand, key=self._average) if choosing else hand[0]}, 0)

    def _average(self, card: str) -> float:
        return sum(self._strength(card, place) for place in range(len(self._categories)))


class SimpleQuartett(QuartettPlayer):
    """Asks for what it knows somebody has, first in the group that it holds most of."""

    def _ask(self, hand: list[str]) -> Act:
        mine = Counter(card[0] for card in hand)
        wanted, others = self._possible(hand)
        known = {(card, seat) for seat in others for card in self.match.known_cards(seat)}
        questions = [(card, seat) for card in wanted for seat in others]
        self.chance.shuffle(questions)
        best = max(
            questions,
            key=lambda each: (each in known, mine[each[0][0]], each not in self._not_with),
        )
        return Act("ask", {"card": best[0], "seat": best[1]}, 0)


class SimpleHattrick(HattrickPlayer):
    """Collects one colour: wins it with the lowest card that does, and throws high cards of the
    others under higher ones.
    """

    def _card(self, hand: list[str], lying: dict[str, list[str]]) -> str:
        under = [
            card
            for card in hand
            if card[0] != self._colour
            and value_of(card) < max(map(value_of, lying.get(card[0], ())), default=0)
        ]
        over = [
            card
            for card in hand
            if card[0] == self._colour
            and (card[0] in lying or len(lying) < 2)
            and value_of(card) > max(map(value_of, lying.get(card[0], ())), default=0)
        ]
        if not lying and over:
            return max(over, key=value_of)
        if lying and over:
            return min(over, key=value_of)
        return max(under, key=value_of) if under else min(hand, key=value_of)


class SimpleCafe(CafePlayer):
    """Seats the guest who scores most, opens a table for two, else sends somebody to the bar."""


RIVALS: dict[str, type[Player]] = {
    "trumpf": SimpleTrumpf,
    "quartett": SimpleQuartett,
    "hattrick": SimpleHattrick,
    "cafe": SimpleCafe,
}
