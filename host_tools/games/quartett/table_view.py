"""The table of Quartett: hands, questions, quartets (QU)."""

from collections.abc import Sequence
from typing import Any

from firmware.games import open_match
from host_tools.core.json_types import Json
from host_tools.games.decks import CardLooks
from host_tools.games.player import Act
from host_tools.games.quartett.bot import QuartettBot
from host_tools.games.quartett.player import QuartettPlayer
from host_tools.games.steps import Move, lay, pick
from host_tools.games.table_view import DealtCards, Moves, TableView, filled

STARTER = "A1"
_SEATS_OF = {
    "asked": ("seat", "to"),
    "given": ("from", "to"),
    "denied": ("seat",),
    "quartet": ("seat",),
}
"""What is shown in the middle, and the fields that name whose it is."""


class QuartettTableView(TableView):
    """The question, the card handed over, the quartet just laid, and those laid before."""

    player = QuartettPlayer
    bot = QuartettBot

    def prepare(self) -> None:
        names = {card["code"]: card.get("name", "") for card in self.header["deck"]["cards"]}
        # the rules leave jokers out (QU-1)
        self._names = {code: names[code] for code in self.match.codes()}
        self._laid: list[tuple[int, int, str]] = []  # number of the command, seat, group
        self._looks = CardLooks(self.header["deck"])
        self._shown: Json | None = None
        self._may_deny = False
        self.laid: list[list[str]] = [[] for _ in range(self.seats)]

    def deal(self) -> None:
        """Unevenly where the deck wants it (QU-2)."""
        codes = list(self._names)
        self.chance.shuffle(codes)
        at = 0
        for seat, size in enumerate(self.match.hand_sizes()):
            self.hands[seat] = sorted(codes[at : at + size])
            at += size

    @classmethod
    def dealt_in(cls, header: Json, moves: Moves) -> DealtCards:
        """QU-2: who hands over or lays a card that nobody had seen was dealt it."""
        match: Any = open_match(header)
        hands: list[list[str]] = [[] for _ in range(header["seats"])]
        seen: set[str] = set()
        for command, answer in moves:
            for event in answer.get("events", ()):
                shown: dict[int, list[str]] = {}
                if event["is"] == "given":
                    shown[event["from"]] = [event["card"]]
                elif event["is"] == "quartet":
                    shown[event["seat"]] = command["cards"]
                for seat, cards in shown.items():
                    hands[seat] += [card for card in cards if card not in seen]
                    seen.update(cards)
        rest = [code for code in match.codes() if code not in seen]
        return [filled(hands, rest, *match.hand_sizes())]

    def starter(self) -> int:
        """QU-3: the holder of A1."""
        return next((s for s, hand in enumerate(self.hands) if STARTER in hand), 0)

    def careless(self) -> list[int]:
        """Everybody lies once: what comes of it takes a while to be found out."""
        return list(range(self.seats))

    def act(self, asked: set[int] | None = None) -> Act:
        """At the end whoever still holds a quartet lays it, asked or not."""
        return super().act(None if self.match.awaits().what == "lay" else asked)

    def steps_of(self, act: Act) -> Move:
        if act.do == "ask":
            card = act.fields["card"]
            return (pick(self.box_name(act.fields["seat"])), pick(card[:1]), pick(card))
        if act.do == "lay":
            return self._lay(act.fields["seat"], act.fields["cards"])
        words = {"deny": "quartett_deny", "done": "quartett_done"}
        return (pick(self.say(words[act.do])),) if act.do in words else ()

    def leaves_half(self, labels: Sequence[str]) -> bool:
        """A name is whom to ask, not who lays."""
        return bool(self.half.get("chooses")) and len(labels) > 1

    def lay_group(self, seat: int, group: str) -> Move:
        return self._lay(seat, [code for code in self.hands[seat] if code[:1] == group])

    def _lay(self, seat: int, cards: list[str]) -> Move:
        """The caller simply taps four cards; another seat is chosen first."""
        awaits = self.match.awaits()
        taps = tuple(lay(code) for code in cards)
        if (awaits.seat, awaits.what) == (seat, "ask"):
            return taps
        return (pick(self.say("quartett_lay")), pick(self.box_name(seat)), *taps)

    def move_cards(self, seat: int | None, command: Json, events: list[Json]) -> None:
        for event in events:
            if event["is"] == "given":
                self.bring(event["from"], event["card"])
                self.hands[event["from"]].remove(event["card"])
                self.hands[event["to"]] = sorted([*self.hands[event["to"]], event["card"]])
            elif event["is"] == "quartet":
                cards = list(command["cards"])
                for code in cards:
                    self.bring(event["seat"], code, cards)
                self.laid[event["seat"]] += cards
                hand = self.hands[event["seat"]]
                self.hands[event["seat"]] = [code for code in hand if code not in cards]

    def note(self, command: Json, answer: Json) -> None:
        self._shown = None
        asked = self.match.awaits().what == "answer"
        # QU-7: who is known to hold it may not say no
        self._may_deny = asked and self.judge("deny").refusal is None
        for event in answer["events"]:
            name = event["is"]
            if name in _SEATS_OF:
                cards = [event["card"]] if "card" in event else command["cards"]
                seats = [event[field] for field in _SEATS_OF[name]]
                self._shown = {"is": name, "seats": seats, "codes": cards}
            if name == "quartet":
                self.won = [event["seat"]]
                self._laid.append((answer["n"], event["seat"], event["group"]))
            elif name == "undone":
                self._laid = [laid for laid in self._laid if laid[0] != event["n"]]

    def is_decided(self) -> bool:
        return self._shown is not None and self._shown["is"] != "asked"

    def middle(self) -> Json:
        quartets: list[list[str]] = [[] for _ in range(self.match.seats)]
        for _, seat, group in self._laid:
            quartets[seat].append(group)
        told = {"quartets": quartets, "sizes": self.match.hand_sizes(), "shown": self._shown}
        return {**told, "may_deny": self._may_deny}

    def shown(self) -> list[str]:
        return list(self._shown["codes"]) if self._shown else []

    def cards(self) -> list[int]:
        return list(self.match.hand_sizes())

    def fixed(self) -> Json:
        return {"codes": self.match.codes(), "names": self._names}

    def face(self, code: str) -> Json:
        """A card with the names of all cards of its group, itself among them."""
        group = [other for other in self._names if other[:1] == code[:1]]
        return {
            "kind": "quartett",
            "code": code,
            "name": self._names[code],
            "joker": False,
            "rows": [{"key": o, "title": o, "value": self._names[o]} for o in group],
            **self._looks.of(code),
        }
