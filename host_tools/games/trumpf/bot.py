"""The bot of Trumpf: what the others' next cards can be, after all that everybody has seen.

A card that was won lies under its winner's pile with those of the same round (TR-13), so who
remembers knows more and more of what comes.
"""

import copy
import random
from typing import Any

from host_tools.core.json_types import Json
from host_tools.games.bot import EASY, Bot, Option, try_all
from host_tools.games.player import Act
from host_tools.games.trumpf.player import CHOOSE_FROM, TrumpfPlayer

HandPiles = list[list[str]]
_ROUNDS = 2
"""So far a decision is played on."""
_STEPS = 60
_CALLING = 0.5
"""What it is worth to call next, in cards."""
_EASY_LOOK = 2
"""So many categories the easy one compares."""


class TrumpfBot(Bot, TrumpfPlayer):
    """Remembers every card. `medium` calls where its card is strong in the whole deck."""

    samples = 60

    def begin(self) -> None:
        super().begin()
        seats = range(self.match.seats)
        self._unseen = set(self._values)
        self._front: list[HandPiles] = [[] for _ in seats]  # batches put back on top
        self._back: list[HandPiles] = [[] for _ in seats]  # batches under the pile
        # the pot, then the cards of this round
        self._lying: list[tuple[int, str]] = []
        self._in_pot = 0
        lines = range(len(self._categories))
        # once: the search needs it for every card it plays
        self._best_line = {
            card: max(lines, key=lambda line: self._strength(card, line)) for card in self._values
        }

    # -- what everybody has seen

    def hear(self, event: Json) -> None:
        super().hear(event)
        name = event["is"]
        if name == "played":
            self._note_played(event["seat"], event["cards"])
        elif name == "round_won":
            self._back[event["seat"]].append(list(event["cards"]))
            self._take_up(0)
        elif name == "round_tied":
            self._in_pot = len(self._lying)
        elif name == "pot_won":
            self._back[event["seat"]].append([card for _, card in self._lying])
            self._take_up(0)
        elif name == "pot_returned":
            for seat, cards in self._take_up(0).items():
                self._back[seat].append(cards)
        elif name in ("extended", "sudden"):  # the pot stays where it is
            for seat, cards in self._take_up(self._in_pot).items():
                self._front[seat].insert(0, cards)
        elif name == "moved":  # SW-8: nobody saw which cards
            for batches in (*self._front, *self._back):
                self._unseen.update(card for batch in batches for card in batch)
                batches.clear()

    def _note_played(self, seat: int, cards: list[str]) -> None:
        for batch in (*self._front[seat], *self._back[seat]):
            batch[:] = [card for card in batch if card not in cards]
        self._unseen.difference_update(cards)
        self._lying += [(seat, card) for card in cards]

    def _take_up(self, first: int) -> dict[int, list[str]]:
        """What lies there but for the `first` so many: the cards of each seat that laid some."""
        taken: dict[int, list[str]] = {}
        for seat, card in self._lying[first:]:
            taken.setdefault(seat, []).append(card)
        self._lying, self._in_pot = self._lying[:first], first
        return taken

    # -- what may be done

    def options(self, hand: list[str]) -> list[Act]:
        """The categories that its card has; TR-9: the cards among which it may choose."""
        match = self.match
        deck = match.deck
        if any(map(deck.learns, range(len(deck.codes)))):
            return []  # values that only come with a tap: nothing can be imagined
        if match.awaits().what == "call":
            card = match.presented(self.seat)[-1]
            return [
                Act("call", {"category": line}, 1_500)
                for line, category in enumerate(self._categories)
                if deck.value(card, line) is not None and category["key"] not in self._missing
            ]
        if len(hand) + len(match.presented(self.seat)) <= CHOOSE_FROM:
            return [Act("tap", {"card": card}, 1_200) for card in hand]
        return []

    def by_rule_of_thumb(self, hand: list[str]) -> Act:
        if self.strength == EASY and self.match.awaits().what == "call":
            options = self.options(hand)
            card = self.match.deck.codes[self.match.presented(self.seat)[-1]]
            if options:
                seen = self.dice().sample(options, min(_EASY_LOOK, len(options)))
                return max(seen, key=lambda act: self._strength(card, act.fields["category"]))
        return super().by_rule_of_thumb(hand)

    def fork(self) -> Any:
        deck = self.match.deck
        # shared: options() has left out decks that learn values, others do not change
        return copy.deepcopy(self.match, {id(deck): deck})

    # -- what it is worth

    def search(self, hand: list[str], options: list[Act], samples: int) -> list[Option]:
        chance = self.dice()
        return try_all(options, samples, lambda: self._imagine(hand, chance), self._try_out)

    def _imagine(self, hand: list[str], chance: random.Random) -> HandPiles:
        """The piles, the top card first: batch after batch; what was never seen lies anywhere."""
        unseen = sorted(self._unseen.difference(hand))
        chance.shuffle(unseen)
        found: HandPiles = []
        for seat in range(self.match.seats):
            mine = set(hand) if seat == self.seat else set()
            front = _shuffled(self._front[seat], mine, chance)
            back = _shuffled(self._back[seat], mine, chance)
            top = list(hand) if seat == self.seat else []
            missing = self.match.piles.count(seat) - len(top) - len(front) - len(back)
            found.append(top + front + unseen[: max(0, missing)] + back)
            del unseen[: max(0, missing)]
        return found

    def _try_out(self, option: Act, deal: HandPiles) -> float:
        """How many cards more than the others on average, a few rounds on."""
        match = self.fork()
        piles = [list(pile) for pile in deal]
        lying = list(self._lying)
        rounds = 0
        act = option
        for _ in range(_STEPS):
            seat = match.awaited_seat()
            if act.do == "tap":
                piles[seat].remove(act.fields["card"])
                lying.append((seat, act.fields["card"]))
            answer = match.apply({"t": match.t_ms, "do": act.do, **act.fields})
            for event in answer.events:
                rounds += event[0] in ("round_won", "round_tied")
                lying = _moved(event, piles, lying)
            if answer.refusal is not None or rounds >= _ROUNDS or match.awaited_seat() is None:
                break
            act = self._next(match, piles)
        counts = match.counts()
        others = (sum(counts) - counts[self.seat]) / (len(counts) - 1)
        return float(counts[self.seat] - others + _CALLING * (match.caller == self.seat))

    def _next(self, match: Any, piles: HandPiles) -> Act:
        """What the awaited seat does by rule of thumb, quickly."""
        seat = match.awaited_seat()
        codes = match.deck.codes
        if match.awaits().what == "call":
            card = codes[match.presented(seat)[-1]]
            return Act("call", {"category": self._best_line[card]}, 0)
        pile = piles[seat]
        if len(pile) + len(match.presented(seat)) > CHOOSE_FROM:
            return Act("tap", {"card": pile[0]}, 0)
        called = match.category

        def strength(card: str) -> float:
            return self._strength(card, self._best_line[card] if called is None else called)

        return Act("tap", {"card": max(pile, key=strength)}, 0)


def _shuffled(batches: HandPiles, without: set[str], chance: random.Random) -> list[str]:
    """The cards of the batches one after the other, each in any order."""
    cards: list[str] = []
    for batch in batches:
        cards += chance.sample(batch, len(batch))
    return [card for card in cards if card not in without]


def _moved(
    event: tuple[Any, ...], piles: HandPiles, lying: list[tuple[int, str]]
) -> list[tuple[int, str]]:
    """Cards go where the event says; returns what still lies on the table."""
    if event[0] in ("round_won", "pot_won"):
        piles[event[1]] += [card for _, card in lying]
        return []
    if event[0] == "pot_returned":
        for seat, card in lying:
            piles[seat].append(card)
        return []
    return lying
