"""Whist on the laptop: the player, the bot, the view of the table, and the row that names them."""

from pathlib import Path
from typing import Any

from host_tools.games.base import Demo, Game
from host_tools.games.bot import Bot, Option, try_all
from host_tools.games.decks import deck_sets, with_deck
from host_tools.games.player import Act, Player
from host_tools.games.table_view import TableView

Json = dict[str, Any]
_THINK_MS = (400, 1200)
_WORTH = 20
"""This part of a card's number is its worth if it is kept, in tricks."""


class WhistPlayer(Player):
    """Takes the trick with the lowest card that does it, else lays its lowest one (WH-3)."""

    def begin(self) -> None:
        super().begin()
        self._will_revoke = not self.faultless

    def act(self, hand: list[str]) -> Act:
        return Act("tap", {"card": self._card(hand)}, self.chance.randint(*_THINK_MS))

    def _card(self, hand: list[str]) -> str:
        lying = [code for _, code in self.match.lying()]
        if not lying:
            return max(hand, key=number_of)
        followed = [code for code in lying if code[0] == lying[0][0]]
        mine = [code for code in hand if code[0] == lying[0][0]]
        other = [code for code in hand if code not in mine]
        if mine and other and self._will_revoke:
            self._will_revoke = False
            return min(other, key=number_of)  # WH-5: nobody can know yet
        better = [code for code in mine if number_of(code) > max(map(number_of, followed))]
        return min(better or mine or hand, key=number_of)


class WhistBot(Bot, WhistPlayer):
    """Weighs who may take the trick, if the others hold any of the cards that it has not seen."""

    def options(self, hand: list[str]) -> list[Act]:
        lying = self.match.lying()
        mine = [code for code in hand if lying and code[0] == lying[0][1][0]]
        return [Act("tap", {"card": code}, _THINK_MS[0]) for code in sorted(mine or hand)]

    def search(self, hand: list[str], options: list[Act], samples: int) -> list[Option]:
        dice = self.dice()
        lying = [code for _, code in self.match.lying()]
        unseen = [code for code in self.match.codes() if self.match.is_unseen(code)]
        unseen = [code for code in unseen if code not in hand]
        after = self.match.seats - len(lying) - 1

        def imagine() -> list[str]:
            """What the seats behind lay."""
            return dice.sample(unseen, min(after, len(unseen)))

        def try_out(act: Act, others: list[str]) -> float:
            """A point for the trick; a high card is worth something later."""
            card = str(act.fields["card"])
            trick = [*lying, card, *others]
            followed = [code for code in trick if code[0] == trick[0][0]]
            takes: bool = max(followed, key=number_of) == card
            return takes - number_of(card) / _WORTH

        return try_all(options, samples, imagine, try_out)


class WhistView(TableView):
    """Hands, the trick that lies, and the one that was just taken."""

    player = WhistPlayer
    bot = WhistBot

    def prepare(self) -> None:
        self._names = {card["code"]: card.get("name", "") for card in self.header["deck"]["cards"]}
        self._taken: list[tuple[int, str]] = []

    def deal(self) -> None:
        """Equally many for all (WH-1)."""
        codes = self.match.codes()
        self.chance.shuffle(codes)
        size = self.match.tricks
        for seat in range(self.seats):
            self.hands[seat] = sorted(codes[seat * size : (seat + 1) * size])

    def starter(self) -> int:
        """WH-2: the players agree on somebody."""
        return self.seed % self.seats

    def move_cards(self, seat: int | None, command: Json, events: list[Json]) -> None:
        if command["do"] == "tap" and seat is not None:
            self.bring(seat, command["card"])
            self.hands[seat].remove(command["card"])

    def remember(self) -> None:
        self._before = self.match.lying()

    def note(self, command: Json, answer: Json) -> None:
        self._taken = []
        names = [event["is"] for event in answer["events"]]
        if "taken" in names:
            event = answer["events"][names.index("taken")]
            laid = answer["events"][names.index("laid")]
            self.won = [event["seat"]]
            self._taken = [*self._before, (laid["seat"], laid["card"])]

    def middle(self) -> Json:
        lying = self._taken or self.match.lying()
        return {
            "lying": [
                {"seat": seat, "code": code, "won": bool(self._taken) and seat in self.won}
                for seat, code in lying
            ]
        }

    def shown(self) -> list[str]:
        return [card["code"] for card in self.middle()["lying"]]

    def cards(self) -> list[int]:
        laid = [seat for seat, _ in self.match.lying()]
        left = self.match.tricks - self.match.tricks_played()
        return [left - (seat in laid) for seat in range(self.seats)]

    def face(self, code: str) -> Json:
        return {"kind": "card", "code": code, "name": self._names[code], "rows": []}


def number_of(code: str) -> int:
    """The number on a card."""
    return int(code[1:])


GAME = Game(
    name="whist",
    folder=Path(__file__).parent,
    table=WhistView,
    demos={"whist": Demo(None, "gastro", 3, frozenset({"revoked", "match_over"}))},
    tag_sets=deck_sets,
    tricks={},
    resolved=with_deck,
)
