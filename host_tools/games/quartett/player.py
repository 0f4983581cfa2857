"""The player of Quartett: a good memory for what all have heard; a careless one lies once.

Who got what, who denied what, and who asked for what: all of it is said aloud.
"""

from host_tools.core.json_types import Json
from host_tools.games.player import WAIT, Act, Player

QUARTET = 4


class QuartettPlayer(Player):
    """Sees its hand; jokers stay in the box (QU-1)."""

    def begin(self) -> None:
        super().begin()
        self._codes = sorted(self.match.codes())
        # still to come: a lie, another card than asked, and a denial of what all know
        self._lies = self._wrong_card = self._known_denied = not self.faultless
        self._where: dict[str, int] = {}
        self._not_with: set[tuple[str, int]] = set()
        self._collects: set[tuple[str, int]] = set()

    def interject(self, hand: list[str]) -> Act | None:
        """Whoever has four of a letter lays them at once (QU-5)."""
        # not between a question and its answer
        if self.match.awaits().what in ("ask", "lay"):
            for letter in sorted({card[0] for card in hand}):
                cards = sorted(card for card in hand if card[0] == letter)
                if len(cards) == QUARTET:
                    return Act("lay", {"seat": self.seat, "cards": cards}, 1_000)
        return None

    def act(self, hand: list[str]) -> Act:
        what = self.match.awaits().what
        if what == "answer":
            return self._answer(hand)
        return Act("done", {}, 800) if what == "lay" else self._ask(hand)

    # -- asking

    def _ask(self, hand: list[str]) -> Act:
        wanted, others = self._possible(hand)
        for card in wanted:
            if all((card, seat) in self._not_with for seat in others):
                self._not_with -= {(card, seat) for seat in others}  # somebody lied
        questions = [(card, seat) for card in wanted for seat in others]
        if not questions:
            return WAIT
        self.chance.shuffle(questions)
        card, seat = max(questions, key=lambda question: self._hope(*question))
        return Act("ask", {"seat": seat, "card": card}, self.chance.randint(800, 1500))

    def _possible(self, hand: list[str]) -> tuple[list[str], list[int]]:
        """The cards that this seat may ask for (QU-4), and the seats that have any (QU-3)."""
        groups = {card[0] for card in hand}
        wanted = [card for card in self._codes if card[0] in groups and card not in hand]
        sizes = self.match.hand_sizes()
        return wanted, [seat for seat, size in enumerate(sizes) if size and seat != self.seat]

    def _hope(self, card: str, seat: int) -> int:
        if card in self._where:
            return 9 if self._where[card] == seat else -1
        if (card, seat) in self._not_with:
            return 0
        denials = sum((card, other) in self._not_with for other in range(self.match.seats))
        return 1 + denials + 2 * ((card[0], seat) in self._collects)

    # -- answering

    def _answer(self, hand: list[str]) -> Act:
        card = self.match.asked()[1]
        if card not in hand:
            return Act("deny", {}, 700)
        if self._where.get(card) == self.seat and self._known_denied:
            self._known_denied = False
            return Act("deny", {}, 700)
        if self._lies and card not in self._where:
            self._lies = False
            return Act("deny", {}, 1_200)  # QU-7: nobody can know yet
        others = [other for other in hand if other != card]
        if self._wrong_card and others:
            self._wrong_card = False
            return Act("tap", {"card": others[0]}, 700)
        return Act("tap", {"card": card}, 700)

    def hear(self, event: Json) -> None:
        if event["is"] == "asked":
            self._not_with.add((event["card"], event["seat"]))
            self._collects.add((event["card"][0], event["seat"]))
        elif event["is"] == "denied":
            self._not_with.add((event["card"], event["seat"]))
        elif event["is"] == "given":
            self._where[event["card"]] = event["to"]
            self._not_with.discard((event["card"], event["to"]))
            self._not_with.add((event["card"], event["from"]))
