"""The bot of Quartett: who can have which card, after all that was asked, denied, handed over."""

import random
from collections import Counter

from host_tools.core.json_types import Json
from host_tools.games.bot import EASY, MEDIUM, Bot, Option
from host_tools.games.player import Act
from host_tools.games.quartett.player import QUARTET, QuartettPlayer

_MEMORY = {EASY: 2, MEDIUM: 8}
"""So many of the last events those two remember."""
_ATTEMPTS = 8
"""A deal that fits all claims may be rare late in a match, and a bot must answer in time."""
_DANGER = 0.3
"""What the seat that is asked in vain takes on average in its turn, in cards of mine."""


class QuartettBot(Bot, QuartettPlayer):
    """Answers truly, and lays a quartet as soon as it has one; what it decides is the question."""

    samples = 150

    def begin(self) -> None:
        super().begin()
        self._heard: list[Json] = []
        self._without: set[tuple[str, int]] = set()  # card, a seat that does not have it
        self._has_one: list[tuple[int, set[str]]] = []  # a seat, cards of which it has one
        self._laid: set[str] = set()  # groups

    def hear(self, event: Json) -> None:
        self._heard.append(event)
        name = event["is"]
        if name == "asked":
            card, seat = event["card"], event["seat"]
            self._without.add((card, seat))
            mates = {other for other in self._codes if other[0] == card[0] and other != card}
            self._has_one.append((seat, mates))  # QU-4
        elif name == "denied":
            self._without.add((event["card"], event["seat"]))
        elif name == "given":
            card = event["card"]
            self._without = {one for one in self._without if one[0] != card}
            # it may have been the one
            self._has_one = [one for one in self._has_one if card not in one[1]]
        elif name == "quartet":
            self._laid.add(event["group"])
            # they are all of one group: any of them tells which
            self._has_one = [one for one in self._has_one if min(one[1])[0] != event["group"]]

    def options(self, hand: list[str]) -> list[Act]:
        if self.match.awaits().what != "ask":
            return []
        wanted, others = self._possible(hand)
        return [
            Act("ask", {"seat": seat, "card": card}, 1_000) for card in wanted for seat in others
        ]

    def by_rule_of_thumb(self, hand: list[str]) -> Act:
        """As the game's own player, from what a memory such as this still holds."""
        self._where, self._not_with, self._collects = {}, set(), set()
        for event in self._heard[-_MEMORY.get(self.strength, len(self._heard)) :]:
            QuartettPlayer.hear(self, event)
        return super().by_rule_of_thumb(hand)

    # -- what every question is worth

    def search(self, hand: list[str], options: list[Act], samples: int) -> list[Option]:
        """From how often it hits in the imagined deals: a hit is a part of a quartet and another
        question, a miss is the turn of the seat that was asked.
        """
        chance = self.dice()
        hits: Counter[tuple[str, int]] = Counter()
        for _ in range(samples):
            for seat, cards in enumerate(self._imagine(hand, chance)):
                hits.update((card, seat) for card in cards)
        mine = Counter(card[0] for card in hand)
        return [Option(act, self._worth(act.fields, hits, mine, samples)) for act in options]

    def _worth(
        self, question: Json, hits: Counter[tuple[str, int]], mine: Counter[str], samples: int
    ) -> float:
        card, seat = question["card"], question["seat"]
        hope = hits[card, seat] / samples
        have = mine[card[0]]
        gain = (have + 1) ** 2 / QUARTET**2
        return hope * (0.5 + gain) - (1 - hope) * _DANGER * self._dangers(seat, mine)

    def _dangers(self, seat: int, mine: Counter[str]) -> float:
        """How much of mine this seat wants and knows: groups of which both showed cards."""
        groups = {card[0] for card in self.match.known_cards(seat)}
        shown = {card[0] for card in self.match.known_cards(self.seat)}
        return 0.5 + sum(mine[group] for group in groups & shown) / QUARTET

    def _imagine(self, hand: list[str], chance: random.Random) -> list[set[str]]:
        """A deal that agrees with what is known; after some attempts one that nearly does."""
        for _ in range(_ATTEMPTS):
            hands = self._deal(hand, chance)
            if all(hands[seat] & mates for seat, mates in self._has_one if seat != self.seat):
                break
        return hands

    def _deal(self, hand: list[str], chance: random.Random) -> list[set[str]]:
        seats = range(self.match.seats)
        hands = [set(self.match.known_cards(seat)) for seat in seats]
        hands[self.seat] = set(hand)
        room = [size - len(hands[seat]) for seat, size in enumerate(self.match.hand_sizes())]
        known = set().union(*hands)
        unseen = [card for card in self._codes if card not in known and card[0] not in self._laid]
        chance.shuffle(unseen)
        may = {
            card: [s for s in seats if s != self.seat and (card, s) not in self._without]
            for card in unseen
        }
        # those with fewest places first, or others take these
        for card in sorted(unseen, key=lambda card: len(may[card])):
            # as often as there is room: each free place is as likely
            places = [seat for seat in may[card] for _ in range(room[seat])]
            if not places:  # somebody lied, or an earlier card took the place
                places = [s for s in seats if room[s] > 0 and s != self.seat]
            if places:
                seat = chance.choice(places)
                hands[seat].add(card)
                room[seat] -= 1
        return hands
