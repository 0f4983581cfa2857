"""Quartett: hands, questions, quartets (QU). The simple player remembers who denied what."""

from host_tools.sim.table.worlds.base import Json, Move, Say, Step, World, lay, pick
from host_tools.sim.table.worlds.faces import quartett_face

QUARTET = 4
STARTER = "A1"


class QuartettWorld(World):
    """Hands are dealt unevenly where the deck wants it (QU-2); jokers are sorted out (QU-1)."""

    def __init__(self, header: Json, seed: int, say: Say) -> None:
        super().__init__(header, seed, say)
        self._cards = {card["code"]: card for card in header["deck"]["cards"]}
        codes = [code for code, card in self._cards.items() if not card.get("joker")]
        self._codes = list(codes)
        self.chance.shuffle(codes)
        at = 0
        for seat, size in enumerate(self.match.hand_sizes()):
            self.hands[seat] = sorted(codes[at : at + size])
            at += size
        self.laid: list[list[str]] = [[] for _ in range(self.seats)]
        self._denied: dict[str, set[int]] = {}

    def starter(self) -> int:
        """QU-3: the holder of A1."""
        return next((s for s, hand in enumerate(self.hands) if STARTER in hand), 0)

    def move(self, seat: int) -> Move:
        what = self.match.awaits().what
        if what == "answer":
            return self._answer(seat)
        group = self._whole_group(seat)
        if what == "lay":
            return self._end()
        if group:
            return tuple(lay(code) for code in self._of_group(seat, group))
        return self._ask(seat)

    def _answer(self, seat: int) -> Move:
        asked = self.match.asked()
        if asked is not None and asked[1] in self.hands[seat]:
            return (lay(asked[1]),)
        return (pick(self.say("quartett_deny")),)

    def _end(self) -> Move:
        """Somebody has no card left: whoever still holds a quartet lays it, then it is over."""
        for seat in range(self.seats):
            group = self._whole_group(seat)
            if group:
                cards: tuple[Step, ...] = tuple(lay(c) for c in self._of_group(seat, group))
                return (pick(self.say("quartett_lay")), pick(self.name(seat)), *cards)
        return (pick(self.say("quartett_done")),)

    def _ask(self, seat: int) -> Move:
        """A missing card of a group in the hand, from somebody who may have it."""
        laid = {code[:1] for cards in self.laid for code in cards}
        groups = {code[:1] for code in self.hands[seat]} - laid
        wanted = [c for c in self._codes if c[:1] in groups and c not in self.hands[seat]]
        pairs = [
            (other, card)
            for card in wanted
            for other in range(self.seats)
            if other != seat and self.hands[other] and other not in self._denied.get(card, ())
        ]
        if not pairs:
            return ()
        fewest = min(self._open_seats(card) for _, card in pairs)
        best = [pair for pair in pairs if self._open_seats(pair[1]) == fewest]
        other, card = self.chance.choice(best)
        return (pick(self.name(other)), pick(card[:1]), pick(card))

    def _open_seats(self, card: str) -> int:
        return self.seats - len(self._denied.get(card, ()))

    def _whole_group(self, seat: int) -> str:
        groups = [code[:1] for code in self.hands[seat]]
        return next((group for group in groups if groups.count(group) == QUARTET), "")

    def _of_group(self, seat: int, group: str) -> list[str]:
        return [code for code in self.hands[seat] if code.startswith(group)]

    def follow(self, seat: int | None, command: Json, events: list[Json]) -> None:
        for event in events:
            if event["is"] == "given":
                self.bring(event["from"], event["card"])
                self.hands[event["from"]].remove(event["card"])
                self.hands[event["to"]] = sorted([*self.hands[event["to"]], event["card"]])
                self._denied.pop(event["card"], None)
            elif event["is"] == "denied":
                self._denied.setdefault(event["card"], set()).add(event["seat"])
            elif event["is"] == "quartet":
                cards = list(command["cards"])
                for code in cards:
                    self.bring(event["seat"], code, cards)
                self.laid[event["seat"]] += cards
                self.hands[event["seat"]] = [
                    code for code in self.hands[event["seat"]] if code not in cards
                ]

    def middle(self) -> Json:
        asked = self.match.asked()
        return {
            "asked": None if asked is None else {"seat": asked[0], "card": asked[1]},
            "quartets": [sorted({code[:1] for code in cards}) for cards in self.laid],
            "sizes": self.match.hand_sizes(),
            "codes": self.match.codes(),
        }

    def face(self, code: str) -> Json:
        names = {code: self._cards[code].get("name", "") for code in self._codes}
        return quartett_face(code, names)
