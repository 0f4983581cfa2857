"""People with real hands play Quartett beside the referee (hypothesis state machine).

Honest or not, they hold real cards. What everybody has seen is kept as slips of paper: which card
went where, who denied what. The referee must know exactly that, and no more.
"""

import random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from tests.rules.physical_machine import PICKS, PhysicalMachine
from tests.sampling import examples


class QuartettTable:
    """`seen[card]`: the seat it was handed to. `denials`: (command, seat, card) still in force."""

    def __init__(self, codes: list[str], seats: int, chance: random.Random) -> None:
        self.codes = codes
        cards = list(codes)
        chance.shuffle(cards)
        self.hands = [cards[seat::seats] for seat in range(seats)]
        self.quartets = [0] * seats
        self.laid: list[str] = []
        self.seen: dict[str, int] = {}
        self.denials: list[tuple[int, int, str]] = []
        self.expected_lies: list[tuple[int, str, int]] = []
        self.caller = -1
        self.asked: tuple[int, str] = (-1, "")
        self.n = 0

    def commanded(self, do: str, fields: dict[str, Any], n: int) -> None:
        assert self.expected_lies == [], "a false denial was not reported (QU-7)"
        self.n = n

    def follow(self, event: tuple[Any, ...]) -> None:
        getattr(self, "see_" + event[0])(*event[1:])

    def see_began(self, seat: int) -> None:
        self.caller = seat

    def see_asked(self, seat: int, target: int, card: str) -> None:
        assert seat == self.caller
        self.asked = (target, card)

    def see_denied(self, seat: int, card: str) -> None:
        assert (seat, card) == self.asked
        self.denials.append((self.n, seat, card))
        self.caller = seat  # QU-3

    def see_given(self, giver: int, taker: int, card: str) -> None:
        assert (giver, card) == self.asked
        self.show_up(giver, [card])
        self.hands[giver].remove(card)
        self.hands[taker].append(card)
        self.seen[card] = taker
        self.denials = [denial for denial in self.denials if denial[1:] != (taker, card)]

    def see_quartet(self, seat: int, group: str) -> None:
        cards = [card for card in self.hands[seat] if card[0] == group]
        assert len(cards) == 4
        self.show_up(seat, cards)
        self.hands[seat] = [card for card in self.hands[seat] if card[0] != group]
        self.laid += cards
        for card in cards:
            self.seen.pop(card, None)
        self.quartets[seat] += 1

    def show_up(self, seat: int, cards: list[str]) -> None:
        """QU-7: the denials of these cards by this seat were false; oldest first."""
        lies = [denial for denial in self.denials if denial[1] == seat and denial[2] in cards]
        self.expected_lies = [(seat, card, n) for n, seat, card in sorted(lies)]
        self.denials = [denial for denial in self.denials if denial not in lies]

    def see_false_denial(self, seat: int, card: str, at: int) -> None:
        assert self.expected_lies.pop(0) == (seat, card, at)

    def see_match_over(self, reason: str, ranking: list[list[int]]) -> None:
        """QU-6."""
        assert reason == "hand_empty"
        assert [] in self.hands
        counts = [[self.quartets[seat] for seat in seats] for seats in ranking]
        assert all(len(set(place)) == 1 for place in counts)
        firsts = [place[0] for place in counts]
        assert firsts == sorted(set(self.quartets), reverse=True)
        assert sorted(seat for seats in ranking for seat in seats) == list(range(len(self.hands)))


class QuartettMachine(PhysicalMachine):
    """Honest moves are never refused; lies only if everybody can know."""

    table: QuartettTable

    @initialize(seed=PICKS, seats=st.integers(3, 6), groups=st.integers(2, 8))
    def sit_down(self, seed: int, seats: int, groups: int) -> None:
        codes = [letter + digit for letter in "ABCDEFGH"[:groups] for digit in "1234"]
        cards: list[dict[str, Any]] = [{"code": code, "values": []} for code in codes]
        table = QuartettTable(codes, seats, random.Random(seed))
        deck = {"id": "x", "categories": [], "cards": cards}
        sizes = [len(hand) for hand in table.hands]
        self.open(
            {"schiri": 1, "game": "quartett", "seats": seats, "deck": deck, "hand_sizes": sizes},
            table,
        )

    def awaits(self) -> str:
        return str(self.match.awaits().what)

    def act(self, chance: random.Random) -> None:
        """Begin, lay what is complete, ask, answer."""
        what = self.awaits()
        if what == "begin":
            self.refused({"not_now"}, "lay", seat=0, cards=self.table.codes[:4])
            self.say("begin", seat=chance.randrange(len(self.table.hands)))
        elif what == "answer":
            self.answer(chance)
        elif chance.random() < 0.7 and self.lay(chance):
            return
        elif what == "lay":
            self.say("done")  # QU-6: somebody has no card left
        else:
            self.ask(chance)

    def questions(self) -> list[tuple[int, str]]:
        """QU-4: for a card of a group of which the caller really holds one, and not its own."""
        table = self.table
        mine = table.hands[table.caller]
        groups = {card[0] for card in mine}
        wanted = [c for c in table.codes if c[0] in groups and c not in mine + table.laid]
        others = [seat for seat in range(len(table.hands)) if seat != table.caller]
        return [(seat, card) for card in wanted for seat in others]

    def ask(self, chance: random.Random) -> None:
        """Mostly a question that hits, so that hands grow and matches end."""
        questions = self.questions()
        hits = [q for q in questions if q[1] in self.table.hands[q[0]]]
        if not questions:
            assert self.lay(chance)  # the caller holds nothing but whole quartets
            return
        seat, card = chance.choice(hits if hits and chance.random() < 0.6 else questions)
        self.say("ask", seat=seat, card=card)

    def answer(self, chance: random.Random) -> None:
        """One denial in five is a lie."""
        table = self.table
        seat, card = table.asked
        others = [other for other in table.hands[seat] if other != card]
        if others:
            self.refused({"not_asked"}, "tap", card=chance.choice(others))
        if table.seen.get(card) == seat:
            self.refused({"known_holder"}, "deny")
        elif card not in table.hands[seat] or chance.random() < 0.2:
            self.say("deny")
            return
        self.hand_over()

    def hand_over(self) -> None:
        seat, card = self.table.asked
        wrong = (seat + 1) % len(self.table.hands)
        self.refused({"wrong_seat"}, "tap", seat=wrong, card=card)
        self.refused({"not_now"}, "ask", seat=wrong, card=card)
        self.refused({"not_now"}, "lay", seat=seat, cards=self.table.codes[:4])
        self.say("tap", card=card)

    def lay(self, chance: random.Random) -> bool:
        """Whoever has four of a letter may lay them, in any order of the four."""
        for seat, hand in enumerate(self.table.hands):
            for letter in sorted({card[0] for card in hand}):
                cards = [card for card in hand if card[0] == letter]
                if len(cards) == 4:
                    chance.shuffle(cards)
                    self.say("lay", seat=seat, cards=cards)
                    return True
        return False

    @precondition(lambda self: self.awaits() in ("ask", "lay"))
    @rule(pick=PICKS)
    def lay_what_cannot_be(self, pick: int) -> None:
        table = self.table
        codes = table.codes
        seat = pick % len(table.hands)
        self.refused({"not_a_quartet"}, "lay", seat=seat, cards=[*codes[1:4], codes[4]])
        self.refused({"not_a_quartet"}, "lay", seat=seat, cards=[codes[0]] * 4)
        self.refused({"unknown_card"}, "lay", seat=seat, cards=[*codes[:3], "A9"])
        self.refused({"wrong_seat"}, "lay", seat=-1, cards=codes[:4])
        for letter in sorted({card[0] for card in table.seen if table.seen[card] != seat}):
            four = [letter + digit for digit in "1234"]
            self.refused({"not_yours"}, "lay", seat=seat, cards=four)
        if table.laid:
            four = [table.laid[0][0] + digit for digit in "1234"]
            self.refused({"already_played"}, "lay", seat=seat, cards=four)

    @precondition(lambda self: self.awaits() in ("ask", "lay", "answer"))
    @rule()
    def more_than_a_hand_can_hide(self) -> None:
        """A hand of which all but a few cards were seen cannot bring so many unseen ones."""
        table = self.table
        unseen = [
            card for card in table.codes if card not in table.seen and card not in table.laid
        ]
        for seat, hand in enumerate(table.hands):
            hidden = len([card for card in hand if card not in table.seen])
            for letter in sorted({card[0] for card in unseen}):
                four = [letter + digit for digit in "1234"]
                missing = len([card for card in four if card in unseen])
                elsewhere = [c for c in four if table.seen.get(c, seat) != seat]
                if self.awaits() != "answer" and not elsewhere and missing > hidden:
                    self.refused({"not_yours"}, "lay", seat=seat, cards=four)
        seat, card = table.asked
        if self.awaits() == "answer" and card in unseen:
            if all(other in table.seen for other in table.hands[seat]):
                self.refused({"not_yours"}, "tap", card=card)

    @precondition(lambda self: self.awaits() == "ask")
    @rule(pick=PICKS)
    def ask_what_cannot_be(self, pick: int) -> None:
        table = self.table
        other = (table.caller + 1) % len(table.hands)
        card = table.codes[pick % len(table.codes)]
        self.refused({"wrong_seat"}, "ask", seat=table.caller, card=card)
        self.refused({"unknown_card"}, "ask", seat=other, card="Z1")
        self.refused({"not_now"}, "deny")
        if table.laid:
            self.refused({"already_played"}, "ask", seat=other, card=table.laid[0])
        for own in (c for c, seat in table.seen.items() if seat == table.caller):
            self.refused({"own_card"}, "ask", seat=other, card=own)
        self.ask_for_a_group_elsewhere(other, card)

    def ask_for_a_group_elsewhere(self, other: int, card: str) -> None:
        """QU-4: if all four are known, and none with the caller, the question cannot be."""
        table = self.table
        four = [card[0] + digit for digit in "1234"]
        holders = [table.seen.get(one) for one in four]
        if None not in holders and table.caller not in holders:
            self.refused({"cannot_hold"}, "ask", seat=other, card=card)

    @invariant()
    def check(self) -> None:
        if not hasattr(self, "match"):
            return
        table, match = self.table, self.match
        everywhere = sorted([card for hand in table.hands for card in hand] + table.laid)
        assert everywhere == sorted(table.codes)
        assert match.hand_sizes() == [len(hand) for hand in table.hands]
        assert match.quartets() == table.quartets
        for seat in range(len(table.hands)):
            known = sorted(card for card, holder in table.seen.items() if holder == seat)
            assert sorted(match.known_cards(seat)) == known
        assert self.table.expected_lies == []
        assert not match.over() or [] in table.hands
        # QU-6: without an empty hand the match goes on, with one it is over or waits for `done`
        if [] in table.hands:
            assert self.awaits() in ("nothing", "lay")


TestQuartettMachine = QuartettMachine.TestCase
TestQuartettMachine.settings = settings(
    max_examples=examples(150), stateful_step_count=20, deadline=None
)
