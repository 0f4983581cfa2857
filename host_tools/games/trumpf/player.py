"""The player of Trumpf: calls where its card is strongest, chooses among three (TR-9)."""

from host_tools.core.json_types import Json
from host_tools.games.player import NEVER, Act, Player

CHOOSE_FROM = 3
"""TR-9: so few cards, and a seat may choose which one it presents."""
_WRONG_AT = (3, 8)
"""Between which of its taps a careless player lays a card that everybody saw somebody else win."""


class TrumpfPlayer(Player):
    """Sees its top card, or the last three, and remembers what others have won."""

    def begin(self) -> None:
        super().begin()
        deck = self.header["deck"]
        self._categories: list[Json] = deck["categories"]
        lines = range(len(self._categories))
        self._values = {
            code: [self.match.deck.value(number, line) for line in lines]
            for number, code in enumerate(self.match.deck.codes)
        }
        self._ranks = [self._sorted_values(place) for place in range(len(self._categories))]
        self._missing: list[str] = []
        self._lost: dict[str, int] = {}  # card -> who was seen winning it
        self._taps = 0
        self._wrong_at = NEVER if self.faultless else self.chance.randint(*_WRONG_AT)

    def _sorted_values(self, place: int) -> list[int]:
        return sorted(v[place] for v in self._values.values() if v and v[place] is not None)

    def act(self, hand: list[str]) -> Act:
        if self.match.awaits().what == "call":
            return Act("call", {"category": self._category()}, self.chance.randint(900, 3000))
        self._taps += 1
        lost = sorted(card for card, seat in self._lost.items() if seat != self.seat)
        if lost and self._wrong_at <= self._taps:
            self._wrong_at = NEVER
            return Act("tap", {"card": self.chance.choice(lost)}, 1_200)  # TR-12
        choosing = len(hand) + len(self.match.presented(self.seat)) <= CHOOSE_FROM
        card = max(hand, key=self._best_strength) if choosing else hand[0]
        return Act("tap", {"card": card}, self.chance.randint(600, 1800))

    def _category(self) -> int:
        """The category in which the card is strongest; after a refusal another one."""
        card = self.match.deck.codes[self.match.presented(self.seat)[-1]]
        keys = [category["key"] for category in self._categories]
        places = [place for place, key in enumerate(keys) if key not in self._missing]
        return max(places, key=lambda place: self._strength(card, place))

    def _best_strength(self, card: str) -> float:
        called = self.match.category
        places = range(len(self._categories)) if called is None else [called]
        return max(self._strength(card, place) for place in places)

    def _strength(self, card: str, place: int) -> float:
        """How many of the deck's values this one beats, 0 … 1; -1 for a missing value."""
        values = self._values[card]
        if not values or values[place] is None:
            return -1.0
        ranks = self._ranks[place]
        low = self.match.deck.categories[place].best == "low"  # TR-5, as the rules have read it
        beaten = sum((v > values[place]) if low else (v < values[place]) for v in ranks)
        return float(beaten / len(ranks))

    def hear(self, event: Json) -> None:
        name = event["is"]
        if "value_missing" in (name, event.get("reason")):
            key = event["category"]
            # a refused call names it by number, an event by its key
            self._missing.append(self._categories[key]["key"] if type(key) is int else key)
        elif name in ("round_won", "round_tied", "extended", "sudden"):
            self._missing = []
        if name == "round_won":
            self._lost.update(dict.fromkeys(event["cards"], event["seat"]))
        elif name == "played":
            for card in event["cards"]:
                self._lost.pop(card, None)
        elif name == "moved":
            self._lost = {}  # nobody saw which cards
