"""The bot of Hattrick: plays the rest of the hand on, in deals of the cards that nobody has seen.

A hand is played on thousands of times for one card, so cards are the rules' numbers here, and a
round is a dozen lines (`play_on`); a test holds them against the rules.
"""

import random
from typing import NamedTuple

from firmware.games.hattrick.rules import SUITS, card_number, hand_score, next_leader
from host_tools.core.json_types import Json
from host_tools.games.bot import Bot, Option, try_all
from host_tools.games.hattrick.player import HattrickPlayer
from host_tools.games.player import Act

_DECK = 60
SUIT = [card // 20 for card in range(_DECK)]
VALUE = [card % 20 + 1 for card in range(_DECK)]
_LAID = ("opened", "followed", "passed", "shed")
_HIGH = 15
"""A card of one's own colour above this opens a trick that it will mostly win."""


class Round(NamedTuple):
    """A position within a hand: the cards of this round from the leader on, and what was won."""

    leader: int
    laid: list[int]
    won: list[list[int]]
    passed: list[int]


class HattrickBot(Bot, HattrickPlayer):
    """Remembers every card of this hand. `medium` keeps to the colour that promises most."""

    samples = 48

    def begin(self) -> None:
        super().begin()
        self._gone: set[int] = set()
        self._laid: list[int] = []

    def hear(self, event: Json) -> None:
        super().hear(event)
        if event["is"] in _LAID:
            card = card_number(event["card"])
            self._gone.add(card)
            self._laid.append(card)
        elif event["is"] in ("round_over", "hand_over"):
            self._laid.clear()
            if event["is"] == "hand_over":
                self._gone.clear()

    def options(self, hand: list[str]) -> list[Act]:
        return [Act("tap", {"card": card}, 500) for card in hand]

    def by_rule_of_thumb(self, hand: list[str]) -> Act:
        """Win what has the colour that promises most, lose the others, do not pass."""
        cards = [card_number(code) for code in hand]
        colour = colour_of(cards, self.match.won(self.seat))
        chosen = cards.index(choose(cards, colour, self._laid))
        return Act("tap", {"card": hand[chosen]}, 500)

    def search(self, hand: list[str], options: list[Act], samples: int) -> list[Option]:
        chance = self.dice()
        cards = [card_number(code) for code in hand]
        return try_all(options, samples, lambda: self._imagine(cards, chance), self._try_out)

    def _imagine(self, hand: list[int], chance: random.Random) -> list[list[int]]:
        mine = set(hand)
        unseen = [card for card in range(_DECK) if card not in self._gone and card not in mine]
        chance.shuffle(unseen)
        seats = self.match.seats
        first = (self.seat - len(self._laid)) % seats  # who leads this round
        hands = [[] if seat != self.seat else hand for seat in range(seats)]
        for seat in range(seats):
            if seat != self.seat:
                has_laid = (seat - first) % seats < len(self._laid)
                size = self.match.cards_left() - has_laid
                hands[seat] = unseen[:size]
                del unseen[:size]
        return hands

    def _try_out(self, option: Act, deal: list[list[int]]) -> float:
        seats = self.match.seats
        first = (self.seat - len(self._laid)) % seats
        won = [self.match.won(seat) for seat in range(seats)]
        here = Round(first, list(self._laid), won, self.match.passes())
        scores = play_on([list(hand) for hand in deal], here, card_number(option.fields["card"]))
        mine = scores[self.seat]
        return float(mine - (sum(scores) - mine) / (seats - 1))


def play_on(hands: list[list[int]], here: Round, card: int) -> list[int]:
    """The scores of a hand in which `card` is played now, and everybody goes on by rule of thumb
    (HA-3 to HA-7).
    """
    seats = len(hands)
    leader, laid, won, passed = here
    colours = [colour_of(hand, won[seat]) for seat, hand in enumerate(hands)]
    while True:
        seat = (leader + len(laid)) % seats
        hands[seat].remove(card)
        laid.append(card)
        if len(laid) == seats:
            if not hands[seat]:  # HA-6: the last card counts nothing
                return [hand_score(won[each], passed[each]) for each in range(seats)]
            leader = _take(laid, leader, won, passed)
            laid.clear()
        seat = (leader + len(laid)) % seats
        hand = hands[seat]
        card = hand[0] if len(hand) == 1 else choose(hand, colours[seat], laid)


def _take(laid: list[int], leader: int, won: list[list[int]], passed: list[int]) -> int:
    """HA-3 to HA-5: who takes what of a round; returns who leads the next one."""
    seats = len(laid)
    # HA-3: two tricks lie, a third colour is a pass
    lying = list(dict.fromkeys(SUIT[card] for card in laid))[:2]
    face_up = []
    for place, card in enumerate(laid):
        if SUIT[card] in lying:
            face_up.append((VALUE[card], (leader + place) % seats))
        else:
            passed[(leader + place) % seats] += 1
    for suit in lying:
        cards = [card for card in laid if SUIT[card] == suit]
        won[(leader + laid.index(max(cards))) % seats][suit] += len(cards)
    return next_leader(face_up, leader)


def colour_of(hand: list[int], won: list[int]) -> int:
    """The colour that promises most: what is won already, and what the hand can win."""
    worth = [20 * count for count in won]
    for card in hand:
        worth[SUIT[card]] += VALUE[card]
    return worth.index(max(worth))


def choose(hand: list[int], colour: int, laid: list[int]) -> int:
    """A card by rule of thumb: win what has my colour, lose the others, do not pass."""
    best = [0] * len(SUITS)
    for card in laid:
        suit = SUIT[card]
        if best[suit] or best.count(0) > 1:  # the third colour is a pass
            best[suit] = max(best[suit], VALUE[card])
    no_more = best.count(0) < 2
    # hundreds rank what a card does, its value (20 at most) the cards within
    chosen, most = -1, -1000
    for card in hand:
        suit, value = SUIT[card], VALUE[card]
        if not best[suit]:
            opens_mine = suit == colour and value > _HIGH
            worth = -value if no_more else 400 + value if opens_mine else 200 - value
        elif value > best[suit]:
            worth = 500 - value if suit == colour else 100 + value
        else:
            worth = 300 - value if suit == colour else 300 + value
        if worth > most:
            chosen, most = card, worth
    return chosen
