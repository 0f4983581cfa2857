"""The people of Quartett: real hands, good memories, and one who lies once.

They remember who got what, who denied what, and who asked for what: all of it is said aloud.
"""

import random
from typing import Any

from host_tools.sim.demo.people import Act

Json = dict[str, Any]
_CARDS_OF_QUARTET = 4


class QuartettPeople:
    """`hands[seat]` holds the codes. Jokers stay in the box (QU-1)."""

    def __init__(self, header: Json, seed: int, faultless: bool = False) -> None:
        self._chance = random.Random(seed)
        self._seats: int = header["seats"]
        codes = [card["code"] for card in header["deck"]["cards"] if not card.get("joker")]
        self._codes = sorted(codes)
        self._chance.shuffle(codes)
        self.hands = [codes[seat :: self._seats] for seat in range(self._seats)]  # QU-2
        self._liar = -1 if faultless else self._chance.randrange(self._seats)
        # still to come: another card than asked is handed over, and one is denied that all know of
        self._wrong_card = self._known_denied = not faultless
        self._asked = ""
        self._where: dict[str, int] = {}
        self._not_with: set[tuple[str, int]] = set()
        self._collects: set[tuple[str, int]] = set()

    def act(self, awaits: Json, category: str | None = None) -> Act:
        """Begin, ask, hand over or deny, lay, or no more quartets."""
        what = awaits["for"]
        if what == "begin":
            seat = next((s for s, hand in enumerate(self.hands) if "A1" in hand), 0)
            return Act("begin", {"seat": seat}, 2_000)  # QU-3
        if what == "answer":
            return self._answer(awaits["seat"])
        if what not in ("ask", "lay"):
            return Act("wait", {}, 1_000)
        quartet = self._quartet()
        if quartet is not None:
            return quartet
        return Act("done", {}, 800) if what == "lay" else self._ask(awaits["seat"])

    def _quartet(self) -> Act | None:
        """Whoever has four of a letter lays them at once (QU-5)."""
        for seat, hand in enumerate(self.hands):
            for letter in sorted({card[0] for card in hand}):
                cards = sorted(card for card in hand if card[0] == letter)
                if len(cards) == _CARDS_OF_QUARTET:
                    return Act("lay", {"seat": seat, "cards": cards}, 1_000)
        return None

    # -- asking --------------------------------------------------------------------------------

    def _ask(self, caller: int) -> Act:
        groups = {card[0] for card in self.hands[caller]}  # QU-4
        mine = self.hands[caller]
        wanted = [card for card in self._codes if card[0] in groups and card not in mine]
        others = [seat for seat in range(self._seats) if seat != caller]
        for card in wanted:
            if all((card, seat) in self._not_with for seat in others):
                self._not_with -= {(card, seat) for seat in others}  # somebody lied
        questions = [(card, seat) for card in wanted for seat in others]
        self._chance.shuffle(questions)
        card, seat = max(questions, key=lambda question: self._hope(*question))
        return Act("ask", {"seat": seat, "card": card}, self._chance.randint(800, 1500))

    def _hope(self, card: str, seat: int) -> int:
        if card in self._where:
            return 9 if self._where[card] == seat else -1
        if (card, seat) in self._not_with:
            return 0
        denials = sum((card, other) in self._not_with for other in range(self._seats))
        return 1 + denials + 2 * ((card[0], seat) in self._collects)

    # -- answering -----------------------------------------------------------------------------

    def _answer(self, seat: int) -> Act:
        card = self._asked
        if card not in self.hands[seat]:
            return Act("deny", {}, 700)
        if self._where.get(card) == seat and self._known_denied:
            self._known_denied = False
            return Act("deny", {}, 700, wrong=True)
        if seat == self._liar and card not in self._where:
            self._liar = -1
            return Act("deny", {}, 1_200)  # QU-7: nobody can know yet
        others = [other for other in self.hands[seat] if other != card]
        if self._wrong_card and others:
            self._wrong_card = False
            return Act("tap", {"card": others[0]}, 700, wrong=True)
        return Act("tap", {"card": card}, 700)

    # -- hearing and seeing --------------------------------------------------------------------

    def tapped(self, seat: int, card: str) -> None:
        """The referee's `given` says the same."""

    def see(self, event: Json) -> None:
        if event["is"] == "asked":
            self._asked = event["card"]
            self._not_with.add((event["card"], event["seat"]))
            self._collects.add((event["card"][0], event["seat"]))
        elif event["is"] == "denied":
            self._not_with.add((event["card"], event["seat"]))
        elif event["is"] == "given":
            self._hand_over(event["card"], event["from"], event["to"])
        elif event["is"] == "quartet":
            hand = self.hands[event["seat"]]
            self.hands[event["seat"]] = [card for card in hand if card[0] != event["group"]]

    def _hand_over(self, card: str, giver: int, taker: int) -> None:
        self.hands[giver].remove(card)
        self.hands[taker].append(card)
        self._where[card] = taker
        self._not_with.discard((card, taker))
        self._not_with.add((card, giver))
