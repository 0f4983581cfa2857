"""The bot of Quartett: who can have which card, after all that was asked, denied, handed over."""

from collections import Counter
from collections.abc import Iterable

from host_tools.core.json_types import Json
from host_tools.games.bot import EASY, Bot, Option
from host_tools.games.player import Act
from host_tools.games.quartett.player import QUARTET, QuartettPlayer

Question = tuple[str, int]
"""A card, and the seat that is asked for it."""
_ROUNDS = 3
"""Passes over all cards and seats; more of them hardly change the chances."""
_ANY = 0.2
"""Worth of a card of any group, beside 1 for each card of the group in the own hand."""
_MOST_WORTH = 2 * (_ANY + QUARTET - 1)
"""The worth of completing a quartet for certain, which counts as 1."""


class QuartettBot(Bot, QuartettPlayer):
    """Answers truly, and lays a quartet as soon as it has one; what it decides is the question.

    `medium` remembers all that was said since the start, and rules out who cannot have a card.
    `strong` also weighs how many unseen cards each seat has, and who asked for which group.
    """

    def begin(self) -> None:
        super().begin()
        self._without: set[Question] = set()  # a seat that does not have the card
        self._has_one: list[tuple[int, set[str]]] = []  # a seat, cards of which it has one
        self._laid: set[str] = set()  # groups

    def hear(self, event: Json) -> None:
        name = event["is"]
        if name == "asked":
            card, seat = event["card"], event["seat"]
            self._without.add((card, seat))
            self._collects.add((card[0], seat))
            mates = {other for other in self._codes if other[0] == card[0] and other != card}
            if not mates & set(self.match.known_cards(seat)):  # QU-4
                self._has_one.append((seat, mates))
        elif name == "denied":
            self._without.add((event["card"], event["seat"]))
        elif name == "given":
            self._note_given(event["card"], event["from"])
        elif name == "quartet":
            self._laid.add(event["group"])
            # they are all of one group: any of them tells which
            self._has_one = [one for one in self._has_one if min(one[1])[0] != event["group"]]

    def _note_given(self, card: str, giver: int) -> None:
        """It is known now. It may have been the one that the giver had; no other seat had it."""
        self._without = {one for one in self._without if one[0] != card}
        self._has_one = [
            (seat, mates - {card})
            for seat, mates in self._has_one
            if mates != {card} and not (seat == giver and card in mates)
        ]

    def options(self, hand: list[str]) -> list[Act]:
        if self.match.awaits().what != "ask":
            return []
        wanted, others = self._possible(hand)
        return [
            Act("ask", {"seat": seat, "card": card}, 1_000) for card in wanted for seat in others
        ]

    def by_rule_of_thumb(self, hand: list[str]) -> Act:
        """Ask where the card must be, then for what it holds most of; not a seat that cannot have
        the card. An easy bot knows only where a card was seen to go.
        """
        options = self.options(hand)
        if not options:
            return super().by_rule_of_thumb(hand)
        self.dice().shuffle(options)
        mine = Counter(card[0] for card in hand)
        places = {card: self._places(card) for card in self._possible(hand)[0]}

        def merit(act: Act) -> tuple[bool, bool, int, bool]:
            card, seat = act.fields["card"], act.fields["seat"]
            there = seat in places[card]
            collects = self.strength != EASY and (card[0], seat) in self._collects
            return there, there and len(places[card]) == 1, mine[card[0]], collects

        return max(options, key=merit)

    def _places(self, card: str) -> list[int]:
        """The other seats that can have a card."""
        others = [seat for seat in range(self.match.seats) if seat != self.seat]
        for seat in others:
            if card in self.match.known_cards(seat):
                return [seat]
        if self.strength == EASY:
            return others
        sizes = self.match.hand_sizes()
        return [
            seat
            for seat in others
            if (card, seat) not in self._without
            and sizes[seat] > len(self.match.known_cards(seat))
        ]

    # -- who has what

    def _chances(self, hand: list[str]) -> dict[Question, float]:
        """How likely each other seat has each card that this seat does not hold."""
        seats = [seat for seat in range(self.match.seats) if seat != self.seat]
        known = {seat: self.match.known_cards(seat) for seat in seats}
        found = {(card, seat): 1.0 for seat in seats for card in known[seat]}
        seen = {*hand, *(card for cards in known.values() for card in cards)}
        sizes = self.match.hand_sizes()
        room = {seat: sizes[seat] - len(known[seat]) for seat in seats}
        unseen = [card for card in self._codes if card not in seen and card[0] not in self._laid]
        may = {
            (card, seat): 1.0
            for card in unseen
            for seat in seats
            if room[seat] > 0 and (card, seat) not in self._without
        }
        for _ in range(_ROUNDS):
            # each hand has as many as it has room, then each card is somewhere
            for seat in seats:
                _scale(may, [(card, seat) for card in unseen], room[seat])
            self._expect_asked(may)
            for card in unseen:
                _scale(may, [(card, seat) for seat in seats], 1)
        return found | may

    def _expect_asked(self, may: dict[Question, float]) -> None:
        """QU-4: who asked for a card has another one of its group."""
        for seat, mates in self._has_one:
            places = [(card, seat) for card in mates if (card, seat) in may]
            none = 1.0
            for place in places:
                none *= 1 - min(1.0, may[place])
            for place in places:
                may[place] /= max(1 - none, 0.01)

    def _worth(self, act: Act, mine: Counter[str], chances: dict[Question, float]) -> float:
        """How likely a hit is, and how much of the group this seat has then. Who asked for a group
        mostly has more than one card of it.
        """
        card, seat = act.fields["card"], act.fields["seat"]
        collects = (card[0], seat) in self._collects
        worth = chances.get((card, seat), 0.0) * (1 + collects) * (_ANY + mine[card[0]])
        return worth / _MOST_WORTH

    def search(self, hand: list[str], options: list[Act], samples: int) -> list[Option]:
        """Worked out, not sampled: `samples` changes nothing."""
        chances = self._chances(hand)
        mine = Counter(card[0] for card in hand)
        found = [Option(act, self._worth(act, mine, chances)) for act in options]
        # of equal questions not always that to the first seat
        self.dice().shuffle(found)
        return found


def _scale(may: dict[Question, float], places: Iterable[Question], total: float) -> None:
    """Let what is at these places add up to `total`."""
    there = [place for place in places if place in may]
    factor = total / max(sum(may[place] for place in there), 1e-9)
    for place in there:
        may[place] *= factor
