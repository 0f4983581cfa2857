"""The base of all worlds: the deal, the box's answers so far, and the questions of the page."""

import copy
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from firmware.app.words import Words
from firmware.games import names, open_match, row
from firmware.rules.answers import Answer

Json = dict[str, Any]
Say = Callable[[str], str]


class Step(NamedTuple):
    """One thing hands do: `lay` a tag by code, `pick` an item of the list on the screen, `press`
    a button.
    """

    do: str
    what: str


Move = tuple[Step, ...]


def lay(code: str) -> Step:
    """Tap a tag."""
    return Step("lay", code)


def pick(label: str) -> Step:
    """Choose an item of the list on the screen."""
    return Step("pick", label)


class World(ABC):
    """One match. `hands` are codes per seat; `match` is the same match by the laptop's rules.

    `header` holds deck and board as objects. The same `seed` deals the same cards.
    """

    def __init__(self, header: Json, seed: int, say: Say) -> None:
        self.header = header
        self.seats: int = header["seats"]
        self.seed = seed
        self.say = say
        self.chance = random.Random(seed)
        self.match: Any = open_match(header)
        self.hands: list[list[str]] = [[] for _ in range(self.seats)]

    # -- what a game fills in

    @abstractmethod
    def starter(self) -> int:
        """The seat that begins by the rules of the game."""

    @abstractmethod
    def move(self, seat: int) -> Move:
        """What a simple player at `seat`, who is awaited, does next."""

    @abstractmethod
    def follow(self, seat: int | None, command: Json, events: list[Json]) -> None:
        """Move the cards as an accepted command and its events say; `seat` was awaited."""

    @abstractmethod
    def middle(self) -> Json:
        """What everybody sees on the table."""

    @abstractmethod
    def face(self, code: str) -> Json:
        """What is printed on a card."""

    def visible(self, seat: int) -> list[bool]:
        """For every card in the hand: may its owner look at it?"""
        return [True] * len(self.hands[seat])

    # -- for all

    def see(self, command: Json) -> bool:
        """The box has judged a command: the laptop's rules judge it too, and the cards move.
        True if it was accepted.
        """
        seat = command.get("seat", self.match.awaits().seat)
        answer = self.match.apply(command)
        if answer.refusal is None:
            events = [as_json(event) for event in answer.events]
            self.follow(seat, command, events)
        else:
            self.follow(None, {"do": "tick"}, [as_json(event) for event in answer.events])
        return answer.refusal is None

    def judge(self, do: str, **fields: Any) -> Answer:
        """What the rules would answer now; nothing changes."""
        command = {"t": self.match.t_ms, "do": do, **fields}
        answer: Answer = copy.deepcopy(self.match).apply(command)
        return answer

    def bring(self, seat: int, code: str, keep: Sequence[str] = ()) -> None:
        """The box has taken a card for this seat's. If somebody else holds it, the two trade it
        for another card, not one of `keep`: all have as many as the box counts.
        """
        hand = self.hands[seat]
        holder = next((other for other in self.hands if code in other), None)
        spare = next((card for card in reversed(hand) if card not in keep), None)
        if holder is None or holder is hand or spare is None:
            return
        hand[hand.index(spare)] = code
        holder[holder.index(code)] = spare

    def name(self, seat: int) -> str:
        """The player's name, or "Platz 2", as the box shows it."""
        given = self.header.get("names") or []
        if seat < len(given):
            return str(given[seat])
        return self.say("seat").format(seat + 1)

    def scores(self) -> list[int]:
        """The number beside each name: cards, quartets or points."""
        result = dict(self.match.result())
        numbers: list[int] = result["scores"] if "scores" in result else result["counts"]
        return numbers

    def hand(self, seat: int) -> list[Json]:
        """The hand for its owner; a card that lies face down has no face."""
        return [
            {"code": code, "face": self.face(code)} if seen else {"code": "", "face": None}
            for code, seen in zip(self.hands[seat], self.visible(seat), strict=True)
        ]


def box_words(lang: str) -> Words:
    """The words of the box for all of its games, in "de" or "en"."""
    return Words(lang, *(row(name).package for name in names()))


def as_json(event: tuple[Any, ...]) -> Json:
    """An event of the rules with the names of its fields."""
    from firmware.rules.answers import fields_of

    return {"is": event[0], **dict(zip(fields_of(event[0]), event[1:], strict=False))}
