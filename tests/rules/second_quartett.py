"""A second, independent Quartett referee, written from TRANSCRIPT.md alone, as plainly as
possible. `where` names the seat each seen card is known to lie with.
"""

from typing import Any

from tests.rules.second_referee import Command, Event, Refused, SecondReferee, need, places


class SecondQuartett(SecondReferee):
    """Judges one well-formed match."""

    def __init__(self, header: dict[str, Any]) -> None:
        seats = self.seats = header["seats"]
        cards = header["deck"]["cards"]
        self.jokers = [c["code"] for c in cards if c.get("joker")]
        self.cards = [c["code"] for c in cards if not c.get("joker")]
        size, more = divmod(len(self.cards), seats)
        sizes = header.get("hand_sizes") or [size + (seat < more) for seat in range(seats)]
        super().__init__(
            {
                "phase": "begin",
                "caller": None,
                "asked": None,  # (target, card)
                "sizes": list(sizes),
                "where": {},
                "laid": [],
                "quartets": [0] * seats,
                "denials": [],  # (n, seat, card) still true as far as the box knows
            },
            header,
        )

    def awaits(self) -> dict[str, Any]:
        phase = self.s["phase"]
        if phase == "begin":
            return {"seat": None, "for": "begin"}
        if phase == "answer":
            return {"seat": self.s["asked"][0], "for": "answer"}
        return {"seat": self.s["caller"], "for": phase}

    def numbers(self) -> dict[str, Any]:
        return {"counts": list(self.s["quartets"])}

    def group(self, letter: str) -> list[str]:
        return [card for card in self.cards if card[0] == letter]

    def unseen(self, seat: int) -> int:
        return self.s["sizes"][seat] - list(self.s["where"].values()).count(seat)

    def may_be_with(self, seat: int, card: str) -> bool:
        if card in self.s["where"]:
            return self.s["where"][card] == seat
        return card not in self.s["laid"] and self.unseen(seat) > 0

    def do_begin(self, c: Command, events: list[Event]) -> None:
        need(self.s["phase"] == "begin", "not_now")
        need(0 <= c["seat"] < self.seats, "wrong_seat")
        self.s.update(phase="ask", caller=c["seat"])
        events.append({"is": "began", "seat": c["seat"]})

    def do_ask(self, c: Command, events: list[Event]) -> None:
        s, caller, card = self.s, self.s["caller"], c["card"]
        need(s["phase"] == "ask", "not_now")
        need(0 <= c["seat"] < self.seats and c["seat"] != caller, "wrong_seat")
        need(card in self.cards + self.jokers, "unknown_card")
        need(card not in self.jokers, "joker_not_allowed")
        need(card not in s["laid"], "already_played")
        need(s["where"].get(card) != caller, "own_card")
        others = [other for other in self.group(card[0]) if other != card]
        known = any(s["where"].get(other) == caller for other in others)
        possible = self.unseen(caller) > 0 and not all(other in s["where"] for other in others)
        need(known or possible, "cannot_hold")
        s.update(phase="answer", asked=(c["seat"], card))
        events.append({"is": "asked", "seat": caller, "to": c["seat"], "card": card})

    def do_tap(self, c: Command, events: list[Event]) -> None:
        s, card = self.s, c["card"]
        need(s["phase"] == "answer", "not_now")
        target, asked = s["asked"]
        need(c.get("seat", target) == target, "wrong_seat")
        need(card in self.cards + self.jokers, "unknown_card")
        need(card not in self.jokers, "joker_not_allowed")
        need(card == asked, "not_asked")
        need(self.may_be_with(target, card), "not_yours")
        s["sizes"][target] -= 1
        s["sizes"][s["caller"]] += 1
        s["where"][card] = s["caller"]
        events.append({"is": "given", "from": target, "to": s["caller"], "card": card})
        self.show_false_denials(target, [card], events)
        s["denials"] = [d for d in s["denials"] if d[1:] != (s["caller"], card)]
        s.update(phase="lay" if s["late"] or not s["sizes"][target] else "ask", asked=None)

    def do_deny(self, c: Command, events: list[Event]) -> None:
        s = self.s
        need(s["phase"] == "answer", "not_now")
        target, card = s["asked"]
        need(s["where"].get(card) != target, "known_holder")
        s["denials"].append((self.n, target, card))
        s.update(phase="lay" if s["late"] else "ask", caller=target, asked=None)
        events.append({"is": "denied", "seat": target, "card": card})

    def do_lay(self, c: Command, events: list[Event]) -> None:
        s, seat, cards = self.s, c["seat"], c["cards"]
        need(s["phase"] in ("ask", "lay"), "not_now")
        need(0 <= seat < self.seats, "wrong_seat")
        need(all(card in self.cards + self.jokers for card in cards), "unknown_card")
        need(not any(card in self.jokers for card in cards), "joker_not_allowed")
        need(sorted(cards) == sorted(self.group(cards[0][0])), "not_a_quartet")
        need(not any(card in s["laid"] for card in cards), "already_played")
        need(not any(s["where"].get(card, seat) != seat for card in cards), "not_yours")
        fresh = [card for card in cards if card not in s["where"]]
        need(len(fresh) <= self.unseen(seat), "not_yours")
        for card in cards:
            s["where"].pop(card, None)
            s["laid"].append(card)
        s["sizes"][seat] -= 4
        s["quartets"][seat] += 1
        events.append({"is": "quartet", "seat": seat, "group": cards[0][0]})
        self.show_false_denials(seat, cards, events)
        if s["sizes"][seat] == 0:
            self.finish(events)

    def do_done(self, c: Command, events: list[Event]) -> None:
        need(self.s["phase"] == "lay", "not_now")
        self.finish(events)

    def do_decide(self, c: Command, events: list[Event]) -> None:
        raise Refused("not_now")

    def show_false_denials(self, seat: int, cards: list[str], events: list[Event]) -> None:
        for at, who, card in sorted(self.s["denials"]):
            if who == seat and card in cards:
                events.append({"is": "false_denial", "seat": seat, "card": card, "at": at})
        self.s["denials"] = [d for d in self.s["denials"] if not (d[1] == seat and d[2] in cards)]

    def finish(self, events: list[Event]) -> None:
        reason = "hand_empty" if 0 in self.s["sizes"] else "time"
        self.end(reason, places(self.s["quartets"]), events)

    def begun(self) -> bool:
        """A question that was asked."""
        return bool(self.s["phase"] == "answer")

    def time_ends(self, events: list[Event]) -> None:
        """No more questions; quartets in a hand are laid, as at the other end."""
        if self.s["phase"] == "begin":
            self.finish(events)
        else:
            self.s["phase"] = "lay"
