"""The people at a table: real cards, a will of their own, and now and then a wrong card.

They know nothing that players would not know: their own cards, and what the referee says. Here
are those of Trumpf; `company.people_of` finds the people of any game.
"""

import random
from collections import deque
from dataclasses import dataclass
from typing import Any, Protocol

Json = dict[str, Any]
NEVER = 1 << 30
CHOOSE_FROM = 3
"""TR-9: so few cards, and a seat may choose which one it presents."""


@dataclass(frozen=True)
class Act:
    """What somebody does next, after thinking for `think_ms`: a command of TRANSCRIPT.md.

    `wrong`: they know that the referee will not have it.
    """

    do: str
    fields: Json
    think_ms: int
    wrong: bool = False

    @property
    def value(self) -> Any:
        """The one thing of a simple act: the seat, the card, the category; else None."""
        return next(iter(self.fields.values())) if len(self.fields) == 1 else None


class People(Protocol):
    """Everybody at one table. They deal when they are made, from `header` and a seed."""

    def act(self, awaits: Json, category: str | None = None) -> Act:
        """The next act; `category` is what was called in this round, if anything."""
        ...

    def tapped(self, seat: int, card: str) -> None:
        """A `tap` of this seat was accepted."""
        ...

    def see(self, event: Json) -> None:
        """Do with cards and guests what the referee says."""
        ...


class TrumpfPeople:
    """Deals the cards of a match and plays them as the referee's answers say."""

    def __init__(self, header: Json, seed: int, faultless: bool = False) -> None:
        """`header` holds the deck as an object; `faultless` people never lay a wrong card."""
        deck = header["deck"]
        self._chance = random.Random(seed)
        self._deck = deck
        self._swiss = header["preset"] == "swiss"
        self._seats: int = header["seats"]
        self._values = {card["code"]: card.get("values") for card in deck["cards"]}
        codes = list(self._values)
        self._chance.shuffle(codes)
        size = len(codes) // self._seats
        self.piles = [deque(codes[s * size : (s + 1) * size]) for s in range(self._seats)]
        self._lying: list[list[str]] = [[] for _ in range(self._seats)]
        self._pot: list[tuple[int, str]] = []
        self._ranks = [self._sorted_values(place) for place in range(len(deck["categories"]))]
        self._tried: list[int] = []
        self._wrong_at = NEVER if faultless else self._chance.randint(5, 12)
        self._taps = 0
        self._seen: set[str] = set()

    def _sorted_values(self, category: int) -> list[int]:
        values = (card.get("values") for card in self._deck["cards"])
        return sorted(v[category] for v in values if v and v[category] is not None)

    @property
    def lying(self) -> list[list[str]]:
        """The cards of the open round, per seat."""
        return self._lying

    @property
    def pot(self) -> list[str]:
        """The cards in the pot, in the order of the taps."""
        return [card for _, card in self._pot]

    def won_from(self, seat: int) -> list[str]:
        """Cards in a seat's pile that everybody has seen, the newest first."""
        return [card for card in reversed(self.piles[seat]) if card in self._seen]

    # -- what they do --------------------------------------------------------------------------

    def act(self, awaits: Json, category: str | None = None) -> Act:
        """The next act; `category` is what was called in this round, if anything."""
        if awaits["for"] == "begin":
            return Act("begin", {"seat": self._starter()}, 3_000)
        if awaits["for"] == "call":
            best = self._best_category(awaits["seat"])
            return Act("call", {"category": best}, self._chance.randint(900, 3000))
        if awaits["for"] == "tap":
            return self._tap(awaits["seat"], category)
        return Act("wait", {}, 1_000)

    def _starter(self) -> int:
        """TR-2: the holder of A1; the Swiss start by lot."""
        if not self._swiss:
            for seat, pile in enumerate(self.piles):
                if "A1" in pile:
                    return seat
        return self._chance.randrange(self._seats)

    def _tap(self, seat: int, category: str | None) -> Act:
        self._taps += 1
        pile = self.piles[seat]
        won = self._seen_with_others(seat)
        if won and self._wrong_at <= self._taps:
            self._wrong_at = NEVER
            return Act("tap", {"card": self._chance.choice(won)}, 1_200, wrong=True)
        choosing = len(pile) + len(self._lying[seat]) <= CHOOSE_FROM
        card = self._best_card(list(pile), category) if choosing else pile[0]
        return Act("tap", {"card": card}, self._chance.randint(600, 1800))

    def _seen_with_others(self, seat: int) -> list[str]:
        """Cards that everybody saw going to somebody else: impossible for this seat (TR-12)."""
        piles = (pile for other, pile in enumerate(self.piles) if other != seat)
        return [card for pile in piles for card in pile if card in self._seen]

    def _best_card(self, cards: list[str], category: str | None) -> str:
        keys = [c["key"] for c in self._deck["categories"]]
        places = range(len(keys)) if category is None else [keys.index(category)]
        return max(cards, key=lambda card: max(self._strength(card, place) for place in places))

    def _best_category(self, seat: int) -> int:
        """The category in which the caller's card is strongest; after a refusal another one."""
        card = self._lying[seat][-1]
        places = [p for p in range(len(self._ranks)) if p not in self._tried]
        best = max(places, key=lambda place: self._strength(card, place))
        self._tried.append(best)
        return best

    def _strength(self, card: str, place: int) -> float:
        """How many of the deck's values this one beats, 0 … 1; -1 for a missing value."""
        values = self._values[card]
        if not values or values[place] is None:
            return -1.0
        ranks = self._ranks[place]
        low = self._deck["categories"][place].get("best") == "low" and not self._swiss
        beaten = sum((v > values[place]) if low else (v < values[place]) for v in ranks)
        return float(beaten / len(ranks))

    # -- what they see -------------------------------------------------------------------------

    def tapped(self, seat: int, card: str) -> None:
        """A card was accepted: it lies on the table."""
        self.piles[seat].remove(card)
        self._seen.add(card)
        self._lying[seat].append(card)

    def see(self, event: Json) -> None:
        """Move the cards as the verdict says."""
        name = event["is"]
        if name == "round_won":
            self._pick_up(event["seat"], event["cards"])
        elif name == "round_tied":
            for seat, cards in enumerate(self._lying):
                self._pot += [(seat, card) for card in cards]
            self._lying = [[] for _ in range(self._seats)]
            self._tried = []
        elif name == "pot_won":
            self._pick_up(event["seat"], [card for _, card in self._pot])
        elif name == "pot_returned":
            for seat, card in self._pot:
                self.piles[seat].append(card)
            self._pot = []
        elif name == "moved":
            self._hand_over(event["from"], event["to"], event["count"])
        elif name in ("extended", "sudden"):
            self._take_back()

    def _pick_up(self, seat: int, cards: list[str]) -> None:
        self.piles[seat].extend(cards)
        self._lying = [[] for _ in range(self._seats)]
        self._pot = []
        self._tried = []

    def _hand_over(self, giver: int, taker: int, count: int) -> None:
        """SW-8: the penalty comes from the back of the pile."""
        cards = [self.piles[giver].pop() for _ in range(count)]
        self.piles[taker].extend(reversed(cards))

    def _take_back(self) -> None:
        for seat, cards in enumerate(self._lying):
            self.piles[seat].extendleft(reversed(cards))
        self._lying = [[] for _ in range(self._seats)]
        self._tried = []
