"""I Doubt It on the laptop: player, bot, view of the table, and the row that names them."""

from pathlib import Path
from typing import Any

from host_tools.games.base import Demo, Game
from host_tools.games.bot import Bot, Option, try_all
from host_tools.games.decks import deck_sets, with_deck
from host_tools.games.player import Act, Player
from host_tools.games.steps import Move, lay, pick
from host_tools.games.table_view import TableView

Json = dict[str, Any]
_THINK_MS = (400, 1200)
_OFTEN = 3
"""One card in so many is doubted, though it may well be true."""


class DoubtPlayer(Player):
    """Names what it has most of, and lays that as long as it has some (DB-2, DB-3)."""

    def act(self, hand: list[str]) -> Act:
        letter = self.match.letter()
        if not letter:
            return self._claim(hand)
        true = [code for code in hand if code[0] == letter]
        if self._doubts(letter, len(true)) or (self.faultless and not true):
            return self._act("doubt")
        return self._act("tap", card=min(true or hand))

    def _claim(self, hand: list[str]) -> Act:
        card = max(hand, key=lambda code: (count_of(hand, code[0]), code))
        return self._act("claim", card=card, letter=card[0])

    def _doubts(self, letter: str, mine: int) -> bool:
        """More cards lie there than there can be, or it is worth a try."""
        left = count_of(self.match.codes(), letter) - mine
        return left < self.match.pile() or self.chance.randrange(_OFTEN) == 0

    def _act(self, do: str, **fields: str) -> Act:
        return Act(do, fields, self.chance.randint(*_THINK_MS))


class DoubtBot(Bot, DoubtPlayer):
    """Weighs how likely the card before is a true one, and what the pile costs."""

    def options(self, hand: list[str]) -> list[Act]:
        letter = self.match.letter()
        if letter:
            cards = [self._act("tap", card=code) for code in sorted(hand)]
            return [self._act("doubt"), *cards]
        letters = sorted({code[0] for code in hand})
        return [self._act("claim", card=code, letter=one) for one in letters for code in hand]

    def search(self, hand: list[str], options: list[Act], samples: int) -> list[Option]:
        dice = self.dice()
        unknown = [code for code in self.match.codes() if code not in hand]

        def imagine() -> tuple[str, bool]:
            """The card before, and whether mine is doubted."""
            return dice.choice(unknown), dice.randrange(_OFTEN) == 0

        def try_out(act: Act, deal: tuple[str, bool]) -> float:
            """Cards less than before, or more."""
            before, doubted = deal
            pile: int = self.match.pile()
            if act.do == "doubt":
                return -pile if before[0] == self.match.letter() else pile
            true = bool(act.fields["card"][0] == act.fields.get("letter", self.match.letter()))
            if doubted or len(hand) == 1:
                return pile + 2 if true else -pile
            return 1 - true / 2  # a true card is worth more later

        return try_all(options, samples, imagine, try_out)


class DoubtView(TableView):
    """Hands, and the pile, of which only the card that was turned up is seen."""

    player = DoubtPlayer
    bot = DoubtBot
    chooses = ("tap", "claim")

    def prepare(self) -> None:
        self._names = {card["code"]: card.get("name", "") for card in self.header["deck"]["cards"]}
        self._pile: list[str] = []
        self._seen: list[Json] = []

    def deal(self) -> None:
        """Equally many for all (DB-1)."""
        codes = self.match.codes()
        self.chance.shuffle(codes)
        size = self.match.each
        for seat in range(self.seats):
            self.hands[seat] = sorted(codes[seat * size : (seat + 1) * size])

    def starter(self) -> int:
        """DB-2: the players agree on somebody."""
        return self.seed % self.seats

    def move_cards(self, seat: int | None, command: Json, events: list[Json]) -> None:
        if command["do"] in ("claim", "tap") and seat is not None:
            self.bring(seat, command["card"])
            self.hands[seat].remove(command["card"])
            self._pile.append(command["card"])
        for event in events:
            if event["is"] == "picked_up":
                self.hands[event["seat"]] += self._pile
                self._pile = []

    def note(self, command: Json, answer: Json) -> None:
        self._seen = []
        for event in answer["events"]:
            if event["is"] == "turned_up":
                self._seen = [{"seat": event["seat"], "code": event["card"], "won": False}]

    def middle(self) -> Json:
        return {"lying": self._seen}

    def shown(self) -> list[str]:
        return [card["code"] for card in self._seen]

    def cards(self) -> list[int]:
        counts: list[int] = self.match.counts()
        return counts

    def face(self, code: str) -> Json:
        return {"kind": "card", "code": code, "name": self._names[code], "rows": []}

    def allowed(self, seat: int, code: str) -> bool:
        if self.match.letter():
            return self.judge("tap", card=code).refusal is None
        return self.judge("claim", card=code, letter=code[0]).refusal is None

    def steps_of(self, act: Act) -> Move:
        if act.do == "claim":
            return (lay(act.fields["card"]), pick(act.fields["letter"]))
        return (pick(self.say("doubt_doubt").format(self.match.letter())),)


def count_of(codes: list[str], letter: str) -> int:
    """How many cards of a letter."""
    return sum(code[0] == letter for code in codes)


GAME = Game(
    name="doubt",
    folder=Path(__file__).parent,
    table=DoubtView,
    demos={"doubt": Demo(None, "gastro", 3, frozenset({"turned_up", "picked_up", "match_over"}))},
    tag_sets=deck_sets,
    tricks={},
    resolved=with_deck,
)
