"""Six people with sixty real cards play Hattrick beside the referee (hypothesis state machine).

The table keeps hands, the open round, and for every seat a pile of won and of passed cards; every
event is checked against what lies there.
"""

import random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from tests.rules.physical_machine import PICKS, PhysicalMachine
from tests.sampling import examples

DECK = [colour + str(value) for colour in "RGB" for value in range(1, 21)]


def value(card: str) -> int:
    return int(card[1:])


class HattrickTable:
    """`open` holds (seat, card, what it was) of this round."""

    def __init__(self, seats: int, chance: random.Random) -> None:
        self.seats = seats
        self.chance = chance
        self.dealer = -1
        self.totals = [0] * seats
        self.hands_done = 0
        self.deal()

    def deal(self) -> None:
        """HA-1: all sixty."""
        cards = list(DECK)
        self.chance.shuffle(cards)
        self.hands = [cards[seat :: self.seats] for seat in range(self.seats)]
        self.open: list[tuple[int, str, str]] = []
        self.won: list[list[str]] = [[] for _ in range(self.seats)]
        self.passed: list[list[str]] = [[] for _ in range(self.seats)]

    def commanded(self, do: str, fields: dict[str, Any], n: int) -> None:
        if do == "begin":
            self.dealer = fields["seat"]
            self.leader = (self.dealer + 1) % self.seats  # HA-2

    def turn(self) -> int:
        return (self.leader + len(self.open)) % self.seats

    def follow(self, event: tuple[Any, ...]) -> None:
        name = event[0]
        if name in ("opened", "followed", "passed", "shed"):
            self.play(name, event[1], event[2])
        elif name == "round_over":
            self.take_tricks([dict(trick.items) for trick in event[1]])
            assert event[2] == self.leader
        elif name == "hand_over":
            self.count(event)

    def play(self, what: str, seat: int, card: str) -> None:
        """HA-3, HA-6: what the card is follows from what lies there."""
        assert seat == self.turn()
        lying = {c[0] for _, c, was in self.open if was != "passed"}
        if len(self.hands[seat]) == 1:
            meant = "shed"
        elif card[0] in lying:
            meant = "followed"
        else:
            meant = "opened" if len(lying) < 2 else "passed"
        assert what == meant
        self.hands[seat].remove(card)
        self.open.append((seat, card, what))

    def take_tricks(self, tricks: list[dict[str, Any]]) -> None:
        """HA-4, HA-5: the highest card of each colour takes it; the highest single value leads."""
        face_up = [(seat, card) for seat, card, what in self.open if what != "passed"]
        assert sorted(c for t in tricks for c in t["cards"]) == sorted(c for _, c in face_up)
        for trick in tricks:
            assert {card[0] for card in trick["cards"]} == {trick["suit"]}
            highest = max(trick["cards"], key=value)
            assert (trick["seat"], highest) in face_up
            self.won[trick["seat"]] += trick["cards"]
        for seat, card, what in self.open:
            if what == "passed":
                self.passed[seat].append(card)
        numbers = [value(card) for _, card in face_up]
        for seat, card in sorted(face_up, key=lambda pair: value(pair[1]), reverse=True):
            if numbers.count(value(card)) == 1:
                self.leader = seat
                break
        self.open = []

    def count(self, event: tuple[Any, ...]) -> None:
        """HA-7, HA-8: the piles are counted colour by colour."""
        _, scores, totals, dealer = event
        assert not [card for hand in self.hands for card in hand]
        piles = [card for pile in self.won + self.passed for card in pile]
        assert sorted(piles + [card for _, card, _ in self.open]) == sorted(DECK)
        for seat in range(self.seats):
            colours = sorted(sum(card[0] == colour for card in self.won[seat]) for colour in "RGB")
            by_hand = colours[2] - colours[1] - colours[0] - 2 * len(self.passed[seat])
            assert scores[seat] == by_hand
            self.totals[seat] += by_hand
        assert totals == self.totals
        assert sum(scores) + 2 * sum(len(pile) for pile in self.passed) <= 60
        self.hands_done += 1
        self.dealer = (self.dealer + 1) % self.seats
        assert dealer == self.dealer
        self.leader = (dealer + 1) % self.seats
        self.deal()


class HattrickMachine(PhysicalMachine):
    """Random cards, since there is no duty to follow (HA-3)."""

    table: HattrickTable

    @initialize(seed=PICKS, seats=st.integers(3, 6), hands=st.integers(1, 3))
    def sit_down(self, seed: int, seats: int, hands: int) -> None:
        chance = random.Random(seed)
        target = chance.choice([None, None, 1, 6])
        options = {"hands": hands, "target": target}
        self.hands = hands
        self.target = target
        header = {"schiri": 1, "game": "hattrick", "seats": seats, "options": options}
        self.open(header, HattrickTable(seats, chance))

    def act(self, chance: random.Random) -> None:
        """Any card of the real hand is legal."""
        if self.match.awaits().what == "begin":
            self.say("begin", seat=chance.randrange(self.table.seats))
            return
        seat = self.table.turn()
        assert (self.match.awaits().seat, self.match.awaits().what) == (seat, "tap")
        if self.table.open and chance.random() < 0.2:  # HA-9, also among the last cards
            self.refused({"already_played"}, "tap", card=self.table.open[-1][1])
        self.say("tap", card=chance.choice(self.table.hands[seat]))

    @precondition(lambda self: self.match.awaits().what == "tap")
    @rule(pick=PICKS)
    def a_card_of_this_hand_again(self, pick: int) -> None:
        """HA-9: what lies somewhere cannot be played."""
        table = self.table
        gone = [card for pile in table.won + table.passed for card in pile]
        gone += [card for _, card, _ in table.open]
        if gone:
            self.refused({"already_played"}, "tap", card=gone[pick % len(gone)])

    @precondition(lambda self: self.match.awaits().what == "tap")
    @rule(pick=PICKS, card=st.sampled_from(["R0", "R21", "Y3", "", "R", "G 5", "r5", "B007"]))
    def what_cannot_be(self, pick: int, card: str) -> None:
        seat = self.table.turn()
        other = (seat + 1 + pick % (self.table.seats - 1)) % self.table.seats
        self.refused({"wrong_seat"}, "tap", seat=other, card="R1")
        self.refused({"unknown_card"}, "tap", card=card)
        self.refused({"not_now"}, "begin", seat=0)
        self.refused({"not_now"}, "deny")

    @invariant()
    def check(self) -> None:
        if not hasattr(self, "match") or self.table.dealer < 0:
            return
        table, match = self.table, self.match
        for seat in range(table.seats):
            assert match.won(seat) == [
                sum(card[0] == colour for card in table.won[seat]) for colour in "RGB"
            ]
        lying = [seat for seat, _, what in table.open if what == "passed"]
        assert match.passes() == [
            len(table.passed[seat]) + lying.count(seat) for seat in range(table.seats)
        ]
        assert match.totals() == table.totals
        assert match.hands_played() == table.hands_done
        reached = self.target is not None and max(table.totals) >= self.target
        ended = table.hands_done > 0 and (table.hands_done == self.hands or reached)
        assert match.over() == ended


TestHattrickMachine = HattrickMachine.TestCase
TestHattrickMachine.settings = settings(
    max_examples=examples(60), stateful_step_count=20, deadline=None
)
