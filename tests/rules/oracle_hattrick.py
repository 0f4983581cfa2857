"""A second, simple referee of Hattrick with real hands, written from RULES.md; shares no code."""

import copy
from collections import Counter
from typing import Any


class Oracle:
    """One game. `s` is everything an undo restores; `hands` are the real cards of this deal."""

    def __init__(self, seats: int, hands: int, target: int | None, dealer: int) -> None:
        self.seats = seats
        self.hands = hands
        self.target = target
        self.s: dict[str, Any] = {
            "dealer": dealer, "leader": (dealer + 1) % seats, "table": [], "won": [], "passed": [],
            "shed": [], "played": [], "left": 60 // seats, "total": [0] * seats, "done": 0,
            "over": None,
        }  # fmt: skip

    def next_seat(self) -> int:
        """Whose card is next."""
        return int((self.s["leader"] + len(self.s["table"])) % self.seats)

    def tap(self, card: str) -> list[dict[str, Any]]:
        """The events of a legal card."""
        s, seat = self.s, self.next_seat()
        self.s = s = copy.deepcopy(s)
        s["played"].append(card)
        lying = [c[0] for _, c, what in s["table"] if what != "passed"]
        if s["left"] == 1:
            what = "shed"
        elif card[0] in lying:
            what = "followed"
        else:
            what = "opened" if len(set(lying)) < 2 else "passed"
        s["table"].append((seat, card, what))
        events = [{"is": what, "seat": seat, "card": card}]
        if len(s["table"]) == self.seats:
            events += self._hand_over() if what == "shed" else self._round_over()
        return events

    def _round_over(self) -> list[dict[str, Any]]:
        s = self.s
        face_up = [(seat, card) for seat, card, what in s["table"] if what != "passed"]
        s["passed"] += [(seat, card) for seat, card, what in s["table"] if what == "passed"]
        tricks = []
        for colour in dict.fromkeys(card[0] for _, card in face_up):
            cards = [(int(card[1:]), seat, card) for seat, card in face_up if card[0] == colour]
            winner = max(cards)[1]
            s["won"] += [(winner, card) for _, _, card in cards]
            tricks.append({"suit": colour, "seat": winner, "cards": [c for _, _, c in cards]})
        counted = Counter(int(card[1:]) for _, card in face_up)
        single = sorted((int(c[1:]), seat) for seat, c in face_up if counted[int(c[1:])] == 1)
        s["leader"] = single[-1][1] if single else s["leader"]
        s["left"] -= 1
        s["table"] = []
        return [{"is": "round_over", "tricks": tricks, "leader": s["leader"]}]

    def score(self, seat: int) -> int:
        """HA-7: the best colour plus, the others minus, passes twice minus."""
        colours = Counter(card[0] for owner, card in self.s["won"] if owner == seat)
        best = max(colours.values(), default=0)
        passed = sum(owner == seat for owner, _ in self.s["passed"])
        return best - (sum(colours.values()) - best) - 2 * passed

    def _hand_over(self) -> list[dict[str, Any]]:
        s = self.s
        scores = [self.score(seat) for seat in range(self.seats)]
        assert len(s["won"]) + len(s["passed"]) + len(s["table"]) == 60  # HA-7
        s["total"] = [a + b for a, b in zip(s["total"], scores, strict=True)]
        s["done"] += 1
        s["dealer"] = (s["dealer"] + 1) % self.seats
        s.update(leader=(s["dealer"] + 1) % self.seats, left=60 // self.seats)
        s.update(table=[], won=[], passed=[], played=[])
        totals = list(s["total"])
        events: list[dict[str, Any]] = [
            {"is": "hand_over", "scores": scores, "totals": totals, "dealer": s["dealer"]}
        ]
        if s["done"] == self.hands:
            s["over"] = "hands"
        elif self.target is not None and max(totals) >= self.target:
            s["over"] = "target"
        if s["over"]:
            places = [
                [seat for seat in range(self.seats) if totals[seat] == total]
                for total in sorted(set(totals), reverse=True)
            ]
            events.append({"is": "match_over", "reason": s["over"], "ranking": places})
        return events
