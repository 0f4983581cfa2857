"""The table of Hattrick: all 60 cards in the hands, two tricks at a time (HA)."""

import random

from firmware.games.hattrick.rules import SUITS, hand_score
from host_tools.cards import art
from host_tools.core.json_types import Json
from host_tools.games.hattrick.bot import HattrickBot
from host_tools.games.hattrick.player import HattrickPlayer, value_of
from host_tools.games.table_view import DealtCards, Moves, TableView, filled

VALUES = 20
_CARDS = len(SUITS) * VALUES
_TAPS = ("opened", "followed", "passed", "shed")


class HattrickTableView(TableView):
    """The cards of the round and who laid them; those of a round just decided still lie there."""

    player = HattrickPlayer
    bot = HattrickBot
    all_shown = True

    def prepare(self) -> None:
        self._lying: list[tuple[int, str]] = []
        self._before: dict[int, list[tuple[int, str]]] = {}  # number of a tap -> what lay before
        self._decided: Json | None = None
        self._piles = self._piles_now()
        self.played: list[str] = []
        """The cards of this hand that lie or have lain on the table."""
        self._deals = 0

    def deal(self) -> None:
        cards = all_cards()
        # not `chance`: the next deal is the same whatever the players drew meanwhile
        random.Random(f"{self.seed}/{self._deals}").shuffle(cards)
        self._deals += 1
        self.played = []
        size = len(cards) // self.seats
        for seat in range(self.seats):
            self.hands[seat] = sorted(cards[seat * size : (seat + 1) * size], key=_order)

    @classmethod
    def dealt_in(cls, header: Json, moves: Moves) -> DealtCards:
        """HA-6: every card of a hand is laid, the last ones too."""
        deals: DealtCards = [[[] for _ in range(header["seats"])]]
        for _, answer in moves:
            for event in answer.get("events", ()):
                if event["is"] in _TAPS:
                    deals[-1][event["seat"]].append(event["card"])
                elif event["is"] == "hand_over":
                    deals.append([[] for _ in range(header["seats"])])
        for hands in deals:
            laid = {card for hand in hands for card in hand}
            rest = [card for card in all_cards() if card not in laid]
            filled(hands, rest, _CARDS // header["seats"])
        return deals

    def starter(self) -> int:
        """HA-2: the box is told who deals."""
        return self.seed % self.seats

    def move_cards(self, seat: int | None, command: Json, events: list[Json]) -> None:
        if command["do"] == "tap" and seat is not None:
            self.bring(seat, command["card"])
            self.hands[seat].remove(command["card"])
            self.played.append(command["card"])
        if any(event["is"] == "hand_over" for event in events) and not self.match.over():
            self.deal_next()

    def remember(self) -> None:
        self._piles = self._piles_now()

    def _piles_now(self) -> list[Json]:
        """HA-7: what every seat has won of each colour, its passes, and what that counts."""
        passes = self.match.passes()
        return [
            {"won": won, "passed": passed, "points": hand_score(won, passed)}
            for won, passed in zip(map(self.match.won, range(self.seats)), passes, strict=True)
        ]

    def note(self, command: Json, answer: Json) -> None:
        self._decided = None
        for event in answer["events"]:
            name = event["is"]
            if name in _TAPS:
                self._before[answer["n"]] = list(self._lying)
                self._lying.append((event["seat"], event["card"]))
            elif name == "undone":
                self._lying = self._before.pop(event["n"], [])
            elif name in ("round_over", "hand_over"):
                hand_over = name == "hand_over"  # the last cards win nothing (HA-6)
                self._decide(event.get("tricks", []), self._piles if hand_over else None)

    def _decide(self, tricks: list[Json], piles: list[Json] | None) -> None:
        taken = {trick["suit"]: trick["seat"] for trick in tricks}
        self.won = sorted(set(taken.values()))
        leads = [{"suit": t["suit"], "leads": t["seat"], "cards": t["cards"]} for t in tricks]
        self._decided = self._table(leads, taken)
        if piles is not None:
            # as before the command, with which the rules have begun the next hand
            self._decided["piles"] = piles
            self._decided["counted"] = True
        self._lying = []

    def _table(self, tricks: list[Json], taken: Json) -> Json:
        """`taken`: colour -> the seat whose card takes that trick (HA-4); {} while it is open."""
        return {
            "lying": [
                {"seat": seat, "code": code, "won": taken.get(code[0]) == seat}
                for seat, code in self._lying
            ],
            "tricks": tricks,
            "passes": self.match.passes(),
            "piles": self._piles_now(),
        }

    def is_decided(self) -> bool:
        return self._decided is not None

    def middle(self) -> Json:
        if self._decided is not None:
            return self._decided
        tricks = [
            {"suit": suit, "leads": seat, "cards": cards}
            for suit, seat, cards in self.match.tricks_lying()
        ]
        return self._table(tricks, {})

    def shown(self) -> list[str]:
        return [card["code"] for card in self.middle()["lying"]]

    def cards(self) -> list[int]:
        seats = range(self.match.seats)
        if self.match.over():
            # the rules have dealt another hand by then
            return [0 for _ in seats]
        if self.match.dealer() is None:
            # the cards are dealt by hand before the box is told who deals
            return [_CARDS // self.match.seats for _ in seats]
        laid = {seat for seat, _ in self._lying}
        return [self.match.cards_left() - (seat in laid) for seat in seats]

    def face(self, code: str) -> Json:
        suit = code[0]
        said = {"kind": "hattrick", "code": code, "suit": suit, "value": value_of(code)}
        return {**said, "art": art.address(None, suit), "colour": art.SUITS[suit]}


def _order(code: str) -> tuple[int, int]:
    return SUITS.index(code[0]), value_of(code)


def all_cards() -> list[str]:
    return [f"{suit}{value}" for suit in SUITS for value in range(1, VALUES + 1)]
