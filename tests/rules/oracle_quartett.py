"""A slow referee of Quartett that keeps every deal that is still possible, for small decks.

A card can be with a seat if some possible deal puts it there: that is the proof by counting
(test_quartett_perft.py) of what `second_quartett.py` and the referee conclude from hand sizes.
"""

import copy
import itertools
from typing import Any

LAID = -1


def all_deals(cards: int, sizes: list[int]) -> list[tuple[int, ...]]:
    """Every way to deal the cards: one seat for each card."""
    deals = itertools.product(range(len(sizes)), repeat=cards)
    return [d for d in deals if [d.count(s) for s in range(len(sizes))] == sizes]


class Refused(Exception):
    """The reason of a refusal."""


class Oracle:
    """One match. `deal` is the real one: who really holds each card."""

    def __init__(self, codes: list[str], sizes: list[int], deal: tuple[int, ...]) -> None:
        self.codes = codes
        self.seats = len(sizes)
        self.s: dict[str, Any] = {
            "phase": "begin", "caller": None, "target": None, "card": None,
            "worlds": all_deals(len(codes), sizes), "deal": deal, "seen": frozenset(),
            "denials": (), "quartets": (0,) * len(sizes),
        }  # fmt: skip
        self.past: list[tuple[int, dict[str, Any]]] = []
        self.n = 0

    def apply(self, command: dict[str, Any]) -> dict[str, Any]:
        """The answer as the transcript has it, without `rule`."""
        self.n += 1
        if command["do"] == "undo":
            if not self.past:
                return {
                    "n": self.n,
                    "refused": {"reason": "nothing_to_undo"},
                    "awaits": self.awaits(),
                }
            number, self.s = self.past.pop()
            events = [{"is": "undone", "n": number}]
            return {"n": self.n, "events": events, "awaits": self.awaits()}
        before = dict(self.s)
        try:
            if self.s["phase"] == "nothing":
                raise Refused("over")
            events = getattr(self, "_" + command["do"])(**{
                key: value for key, value in command.items() if key not in ("do", "t")
            })  # fmt: skip
        except Refused as refused:
            self.s = before
            return {"n": self.n, "refused": {"reason": str(refused)}, "awaits": self.awaits()}
        self.past.append((self.n, before))
        return {"n": self.n, "events": events, "awaits": self.awaits()}

    def fork(self) -> "Oracle":
        """The same match once more; no value of `s` is ever changed in place."""
        twin = copy.copy(self)
        twin.s = dict(self.s)
        twin.past = list(self.past)
        return twin

    def awaits(self) -> dict[str, Any]:
        phase = self.s["phase"]
        key = {"ask": "caller", "lay": "caller", "answer": "target"}.get(phase)
        return {"seat": self.s[key] if key else None, "for": phase}

    def sizes(self) -> list[int]:
        """The real hands."""
        return [self.s["deal"].count(seat) for seat in range(self.seats)]

    def possible(self, seat: int, cards: list[int]) -> bool:
        return any(all(world[card] == seat for card in cards) for world in self.s["worlds"])

    def holder(self, card: int) -> int | None:
        """Where the card was seen last; None if never."""
        return self.s["worlds"][0][card] if card in self.s["seen"] else None

    def _number(self, card: str) -> int:
        if card not in self.codes:
            raise Refused("unknown_card")
        return self.codes.index(card)

    def _move(self, cards: list[int], frm: int, to: int) -> list[dict[str, Any]]:
        """Cards show up with `frm` and go to `to`; the lies that this shows."""
        s = self.s
        fresh = [card for card in cards if card not in s["seen"]]
        lies = [d for d in s["denials"] if d[0] == frm and d[1] in fresh]
        worlds = [w for w in s["worlds"] if all(w[card] == frm for card in cards)]
        s["worlds"] = [moved(world, cards, to) for world in worlds]
        s["deal"] = moved(s["deal"], cards, to)
        s["seen"] = s["seen"] | set(cards)
        return [
            {"is": "false_denial", "seat": frm, "card": self.codes[card], "at": n}
            for _, card, n in lies
        ]

    # -- commands ---------------------------------------------------------------------------------

    def _begin(self, seat: int) -> list[dict[str, Any]]:
        if self.s["phase"] != "begin":
            raise Refused("not_now")
        if seat not in range(self.seats):
            raise Refused("wrong_seat")
        self.s.update(phase="ask", caller=seat)
        return [{"is": "began", "seat": seat}]

    def _ask(self, seat: int, card: str) -> list[dict[str, Any]]:
        caller = self.s["caller"]
        if self.s["phase"] != "ask":
            raise Refused("not_now")
        if seat == caller or seat not in range(self.seats):
            raise Refused("wrong_seat")
        number = self._number(card)
        if self.holder(number) == LAID:
            raise Refused("already_played")
        if self.holder(number) == caller:
            raise Refused("own_card")
        group = [n for n in range(len(self.codes)) if self.codes[n][0] == card[0] and n != number]
        if not any(self.possible(caller, [other]) for other in group):
            raise Refused("cannot_hold")
        self.s.update(phase="answer", target=seat, card=number)
        return [{"is": "asked", "seat": caller, "to": seat, "card": card}]

    def _tap(self, card: str, seat: int | None = None) -> list[dict[str, Any]]:
        if self.s["phase"] != "answer":
            raise Refused("not_now")
        target, caller = self.s["target"], self.s["caller"]
        if seat not in (None, target):
            raise Refused("wrong_seat")
        number = self._number(card)
        if number != self.s["card"]:
            raise Refused("not_asked")
        if not self.possible(target, [number]):
            raise Refused("not_yours")
        lies = self._move([number], target, caller)
        self.s["phase"] = "ask" if target in self.s["worlds"][0] else "lay"
        return [{"is": "given", "from": target, "to": caller, "card": card}, *lies]

    def _deny(self) -> list[dict[str, Any]]:
        if self.s["phase"] != "answer":
            raise Refused("not_now")
        target, card = self.s["target"], self.s["card"]
        if self.holder(card) == target:
            raise Refused("known_holder")
        self.s["denials"] = (*self.s["denials"], (target, card, self.n))
        self.s.update(phase="ask", caller=target)
        return [{"is": "denied", "seat": target, "card": self.codes[card]}]

    def _lay(self, seat: int, cards: list[str]) -> list[dict[str, Any]]:
        if self.s["phase"] not in ("ask", "lay"):
            raise Refused("not_now")
        if seat not in range(self.seats):
            raise Refused("wrong_seat")
        numbers = [self._number(card) for card in cards]
        if len(set(cards)) != 4 or len(cards) != 4 or len({card[0] for card in cards}) != 1:
            raise Refused("not_a_quartet")
        if any(self.holder(number) == LAID for number in numbers):
            raise Refused("already_played")
        if not self.possible(seat, numbers):
            raise Refused("not_yours")
        lies = self._move(numbers, seat, LAID)
        laid = list(self.s["quartets"])
        laid[seat] += 1
        self.s["quartets"] = tuple(laid)
        over = [] if seat in self.s["worlds"][0] else self._over()
        return [{"is": "quartet", "seat": seat, "group": cards[0][0]}, *lies, *over]

    def _done(self) -> list[dict[str, Any]]:
        if self.s["phase"] != "lay":
            raise Refused("not_now")
        return self._over()

    def _over(self) -> list[dict[str, Any]]:
        self.s["phase"] = "nothing"
        return [{"is": "match_over", "reason": "hand_empty", "ranking": self.ranking()}]

    def ranking(self) -> list[list[int]]:
        laid = self.s["quartets"]
        return [
            [seat for seat in range(self.seats) if laid[seat] == count]
            for count in range(9, -1, -1)
            if count in laid
        ]


def moved(holders: tuple[int, ...], cards: list[int], to: int) -> tuple[int, ...]:
    """The same cards, some of them elsewhere now."""
    return tuple(to if card in cards else holders[card] for card in range(len(holders)))
