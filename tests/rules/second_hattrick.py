"""A second, independent Hattrick referee, written from TRANSCRIPT.md alone, as plainly as
possible: the hand is a list of taps, and everything is counted from that list.
"""

from typing import Any

from tests.rules.second_referee import Command, Event, Refused, SecondReferee, need, places

DECK = [suit + str(value) for suit in "RGB" for value in range(1, 21)]


class SecondHattrick(SecondReferee):
    """Judges one well-formed match."""

    def __init__(self, header: dict[str, Any]) -> None:
        self.seats = header["seats"]
        options = header.get("options", {})
        self.hands = options.get("hands", 2 * self.seats)
        self.target = options.get("target")
        state = {"dealer": None, "totals": [0] * self.seats, "played_hands": 0}
        super().__init__(state, header)
        self.new_hand()

    def new_hand(self) -> None:
        # `won`: (seat, card); `passed`: how many per seat; `round`: (seat, card, face-up?)
        self.s.update(
            seen=[],
            leader=None,
            round=[],
            won=[],
            passed=[0] * self.seats,
            rounds_left=60 // self.seats,
        )

    def awaits(self) -> dict[str, Any]:
        if self.s["dealer"] is None:
            return {"seat": None, "for": "begin"}
        return {"seat": self.turn(), "for": "tap"}

    def turn(self) -> int:
        return (self.s["leader"] + len(self.s["round"])) % self.seats

    def numbers(self) -> dict[str, Any]:
        return {"scores": list(self.s["totals"])}

    def do_begin(self, c: Command, events: list[Event]) -> None:
        need(self.s["dealer"] is None, "not_now")
        need(0 <= c["seat"] < self.seats, "wrong_seat")
        self.s["dealer"] = c["seat"]
        self.s["leader"] = (c["seat"] + 1) % self.seats
        events.append({"is": "began", "seat": c["seat"]})

    def do_tap(self, c: Command, events: list[Event]) -> None:
        s, card = self.s, c["card"]
        need(s["dealer"] is not None, "not_now")
        seat = self.turn()
        need(c.get("seat", seat) == seat, "wrong_seat")
        need(card in DECK, "unknown_card")
        need(card not in s["seen"], "already_played")
        s["seen"].append(card)
        if s["rounds_left"] == 1:
            events.append({"is": "shed", "seat": seat, "card": card})
            s["round"].append((seat, card, False))
        else:
            suits = {other[0] for _, other, up in s["round"] if up}
            if card[0] in suits:
                word = "followed"
            elif len(suits) < 2:
                word = "opened"
            else:
                word = "passed"
            events.append({"is": word, "seat": seat, "card": card})
            s["round"].append((seat, card, word != "passed"))
        if len(s["round"]) == self.seats:
            if s["rounds_left"] == 1:
                self.finish_hand(events)
            else:
                self.finish_round(events)

    def finish_round(self, events: list[Event]) -> None:
        s = self.s
        face_up = [(seat, card) for seat, card, up in s["round"] if up]
        tricks = []
        for suit in dict.fromkeys(card[0] for _, card in face_up):
            own = [(seat, card) for seat, card in face_up if card[0] == suit]
            winner = max(own, key=lambda play: int(play[1][1:]))[0]
            cards = [card for _, card in own]
            s["won"] += [(winner, card) for card in cards]
            tricks.append({"suit": suit, "seat": winner, "cards": cards})
        for seat, _, up in s["round"]:
            s["passed"][seat] += not up
        values = [int(card[1:]) for _, card in face_up]
        single = [value for value in values if values.count(value) == 1]
        if single:
            s["leader"] = face_up[values.index(max(single))][0]
        s["round"] = []
        s["rounds_left"] -= 1
        events.append({"is": "round_over", "tricks": tricks, "leader": s["leader"]})

    def finish_hand(self, events: list[Event]) -> None:
        s = self.s
        scores = []
        for seat in range(self.seats):
            suits = [card[0] for owner, card in s["won"] if owner == seat]
            most = max(suits.count(suit) for suit in "RGB")
            scores.append(most - (len(suits) - most) - 2 * s["passed"][seat])
        s["totals"] = [old + new for old, new in zip(s["totals"], scores, strict=True)]
        s["dealer"] = (s["dealer"] + 1) % self.seats
        s["played_hands"] += 1
        events.append(
            {
                "is": "hand_over",
                "scores": scores,
                "totals": list(s["totals"]),
                "dealer": s["dealer"],
            }
        )
        self.new_hand()
        s["leader"] = (s["dealer"] + 1) % self.seats
        if s["played_hands"] == self.hands:
            self.end("hands", places(s["totals"]), events)
        elif self.target is not None and max(s["totals"]) >= self.target:
            self.end("target", places(s["totals"]), events)
        elif s["late"]:
            self.time_ends(events)

    def begun(self) -> bool:
        """A hand of which a card lies."""
        return bool(self.s["seen"])

    def time_ends(self, events: list[Event]) -> None:
        """Whole hands count."""
        self.end("time", places(self.s["totals"]), events)

    def do_decide(self, c: Command, events: list[Event]) -> None:
        raise Refused("not_now")
