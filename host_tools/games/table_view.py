"""The base of all views of a table: who holds which card, what lies, who has won what.

The same view serves the demo, the virtual table, the replay of a record, the simulated tournament
and the emulated Pico. The questions about the match are put to the firmware's own rules; a view
holds cards as people do, and judges nothing.
"""

import copy
import json
import random
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

from firmware.app.chooser import TURN
from firmware.app.words import short_name
from firmware.rules.answers import Answer, Awaits, write_answer
from host_tools.core.json_types import Json
from host_tools.games.bot import Bot
from host_tools.games.player import TAKE_BACK, WAIT, Act, Player
from host_tools.games.steps import Move, Say, Step, lay, pick

Moves = Sequence[tuple[Json, Json]]
"""Commands, each with its answer."""
DealtCards = list[list[list[str]]]
"""The codes of every seat's hand at the start of every deal."""
_BEGIN_MS = 2_000


class TableView(ABC):
    """The table of one match. `hands` are codes per seat; `match` is the match by the rules.

    `header` holds deck and board as objects, `say` gives the box's texts. With a `seed` cards are
    dealt, the same for the same seed, and a player sits at every seat; without one only what lies
    on the table is known, as in the record of a match. `strengths`: for every seat that of its
    bot; a game without bots, or none asked for, has the demo's players there.
    """

    player: type[Player]
    chooses: tuple[str, ...] = ("tap", "answer")
    """What is awaited when a card of the hand is to be chosen."""
    bot: type[Bot] | None = None
    all_shown = False
    """The record of a match shows all cards, or nearly all."""

    def __init__(
        self,
        header: Json,
        match: Any,
        say: Say,
        seed: int | None = None,
        faultless: bool = True,
        strengths: Sequence[str] = (),
    ) -> None:
        self.header = header
        self.match = match
        self.say = say
        self.seats: int = header["seats"]
        self.seed = seed or 0
        self.dealt = seed is not None  # 0 is a seed too
        self.chance = random.Random(seed)
        self.hands: list[list[str]] = [[] for _ in range(self.seats)]
        self.players: list[Player] = []
        self.won: list[int] = []
        self.said = ""
        self.half: Json = {}
        """What the box has half chosen, as it says itself: docs/link.md, `screen`."""
        self._scores = self._scores_before = self.scores()
        self._deals_to_come: DealtCards = []
        self.prepare()
        if self.dealt:
            self.deal_next()
            self.players = list(self._seat_players(faultless, strengths))
        self.look()

    def _seat_players(self, faultless: bool, strengths: Sequence[str]) -> Iterator[Player]:
        careless = [] if faultless else self.careless()
        for seat in range(self.seats):
            # a generator for each seat: other players elsewhere change nothing at this one
            chance = random.Random(f"{self.seed}/{seat}")
            if self.bot is None or seat >= len(strengths):
                careful = seat not in careless
                yield self.player(self.header, self.match, seat, chance, careful)
            else:
                bot = self.bot(self.header, self.match, seat, chance)
                bot.strength = strengths[seat]
                yield bot

    def deal_these(self, deals: DealtCards) -> None:
        """Deal anew, these hands; behind the last of them the table's own follow, for a match that
        is played again may last longer.
        """
        self._deals_to_come = deals
        self.deal_next()

    def deal_next(self) -> None:
        """Fill the hands; a game of several deals calls this for each of them."""
        self.deal()
        for seat, hand in enumerate(self._deals_to_come[0] if self._deals_to_come else ()):
            self.hands[seat] = list(hand)
        self._deals_to_come = self._deals_to_come[1:]

    # -- what a game fills in

    def prepare(self) -> None:
        """Set what this game remembers, before cards are dealt."""
        return

    @abstractmethod
    def deal(self) -> None:
        """Fill the hands; called by `deal_next` alone."""

    @abstractmethod
    def starter(self) -> int:
        """The seat that begins by the rules of the game."""

    @abstractmethod
    def note(self, command: Json, answer: Json) -> None:
        """Take in what everybody has seen of a command; `won` is empty before."""

    @classmethod
    def dealt_in(cls, header: Json, moves: Moves) -> DealtCards | None:
        """The hands as far as a record shows them, filled up with what nobody has shown; None if
        it does not show them. `header` holds deck and board as objects.
        """
        return None

    def sight_in(self, moves: Moves, seat: int, n: int) -> list[str]:
        """What the seat saw of its hand before command `n` of a record."""
        return self.sight(seat)

    @abstractmethod
    def move_cards(self, seat: int | None, command: Json, events: list[Json]) -> None:
        """Move the cards of the hands as a command and its events say; `seat` was awaited. After
        a refusal the command is a `tick`.
        """

    @abstractmethod
    def middle(self) -> Json:
        """What everybody sees, cards by their codes (static/*.js of the game reads it)."""

    @abstractmethod
    def cards(self) -> list[int]:
        """How many cards or guests each seat holds."""

    def shown(self) -> list[str]:
        """The codes of the cards in the middle whose faces are seen."""
        return []

    def face(self, code: str) -> Json | None:
        """What is printed on a card; None if it is drawn without."""
        return None

    def fixed(self) -> Json:
        """What the page needs of this match once."""
        return {}

    def remember(self) -> None:
        """Remember what the next command may sweep away; by itself nothing is."""
        return

    def visible(self, seat: int) -> list[bool]:
        """For every card in the hand: may its owner look at it?"""
        return [True] * len(self.hands[seat])

    def careless(self) -> list[int]:
        """The seats that make mistakes: one of them."""
        return [self.chance.randrange(self.seats)]

    def steps_of(self, act: Act) -> Move:
        """The steps for a command that only this game has."""
        return ()

    def within_reach(self) -> list[str]:
        """What the awaited seat may tap besides the cards of its hand."""
        return []

    def allowed(self, seat: int, code: str) -> bool | list[str]:
        """Would the rules take this card of the awaited seat now? With places: at which."""
        return self.judge("tap", card=code).refusal is None

    def is_decided(self) -> bool:
        """Has the last command decided something that people want to look at?"""
        return bool(self.won)

    def sights(self) -> set[str]:
        """Names of what is to be seen now and what no event tells (`Demo.highlights`)."""
        return set()

    def may_take_back(self, seat: int) -> bool:
        """May this seat take back, without a jury, what it has just done in its turn?"""
        return False

    def take_back(self) -> Move:
        """The steps with which it does so."""
        return ()

    def leaves_half(self, labels: Sequence[str]) -> bool:
        """Would these items mean something else in the list that is half chosen now?"""
        return False

    def lay_group(self, seat: int, group: str) -> Move:
        """The steps with which a seat lays four cards of a letter, whoever's turn it is."""
        return ()

    # -- for all: following the box

    def look(self) -> None:
        """Before every command."""
        # the command may lead on to another seat
        self._awaited: int | None = self.match.awaits().seat
        self.remember()

    def take_in(self, command: Json, answer: Json) -> None:
        """Behind every command: `match` has judged it. Who holds cards after an `undo` is not
        followed: deal anew and play what still counts.
        """
        # a refused one has none, unless time caused some (TRANSCRIPT.md)
        answer = {"events": [], **answer}
        nothing = not answer["events"] and ("refused" in answer or command["do"] == "tick")
        if not nothing:
            self.won = []
            self._scores_before, self._scores = self._scores, self.scores()
        if self.dealt:
            refused = "refused" in answer
            by = None if refused else command.get("seat", self._awaited)
            self.move_cards(by, {"do": "tick"} if refused else command, answer["events"])
            refusals = [{**command, "is": "refused", **answer["refused"]}] if refused else []
            for event in [*answer["events"], *refusals]:
                for player in self.players:
                    player.hear(event)
        if not nothing:  # what lies there stays to be looked at
            self.note(command, answer)

    def play(self, command: Json) -> Json:
        """The match judges the command here; returns the answer (`said`: as a box writes it)."""
        self.look()
        self.said = write_answer(self.match.apply(command))
        # through the text, so that views get the types that a box or a record gives
        answer: Json = json.loads(self.said)
        self.take_in(command, answer)
        return answer

    def pass_over(self, command: Json, refused: Json) -> None:
        """A command that was refused when it was given: its time passes, and players hear of it,
        but the match does not judge it again.
        """
        self.look()
        tick = {"t": command["t"], "do": "tick"}
        passed: Json = json.loads(write_answer(self.match.apply(tick)))
        self.take_in(command, {**passed, "refused": refused})

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

    # -- for all: what people do

    def act(self, asked: set[int] | None = None) -> Act:
        """What somebody does next; only `asked` seats (None: all) act at another's turn."""
        awaits: Awaits = self.match.awaits()
        if awaits.what == "begin":
            return Act("begin", {"seat": self.starter()}, _BEGIN_MS)
        if awaits.seat is None:
            return WAIT
        for seat in range(self.seats):
            if asked is None or seat in asked:
                act = self.players[seat].interject(self.sight(seat))
                if act is not None:
                    return act
        return self.players[awaits.seat].act(self.sight(awaits.seat))

    def sight(self, seat: int) -> list[str]:
        """The cards that a seat can see of its own."""
        pairs = zip(self.hands[seat], self.visible(seat), strict=True)
        return [code for code, seen in pairs if seen]

    def move(self, seat: int) -> Move:
        """What the player at `seat`, who is awaited, does at the box."""
        return self.steps(self.act({seat}))

    def steps(self, act: Act) -> Move:
        """What hands do at the box for an act; nothing for waiting."""
        if act.do == "begin":
            return (pick(self.box_name(act.fields["seat"])),)
        if act.do == "tap":
            return (lay(act.fields["card"]),)
        if act is TAKE_BACK:
            reason = self.say("why_jury")
            return (Step("press", "jury"), pick(self.say("arbiter_undo")), pick(reason))
        return self.steps_of(act)

    # -- for all: what is told

    def name(self, seat: int) -> str:
        """The player's name, or "Platz 2"."""
        names = self.header.get("names") or []
        return str(names[seat]) if seat < len(names) else self.say("seat").format(seat + 1)

    def box_name(self, seat: int) -> str:
        """As `name`, as the box shows it."""
        names = self.header.get("box_names") or self.header.get("names") or []
        return short_name(names, seat) if seat < len(names) else self.name(seat)

    def scores(self) -> list[int]:
        """The number beside each name: cards, quartets or points, as the result line has them."""
        result = dict(self.match.result())
        numbers: list[int] = result["scores"] if "scores" in result else result["counts"]
        return list(numbers)

    def seat_lines(self) -> list[Json]:
        """Score and what it has just changed by, cards, whether the seat has just won something,
        and its place at the end.
        """
        cards = self.cards()
        places: dict[int, int] = {}
        for level in dict(self.match.result()).get("ranking", ()):
            # level players share a place, and the next ones are left out: 1, 1, 3
            places.update(dict.fromkeys(level, len(places) + 1))
        return [
            {
                "score": score,
                "gain": score - self._scores_before[seat],
                "cards": cards[seat],
                "won": seat in self.won,
                "place": places.get(seat),
            }
            for seat, score in enumerate(self._scores)
        ]

    def hand(self, seat: int) -> list[Json]:
        """The hand for its owner; a card that lies face down has no face. `may` is there while the
        seat is to choose among its cards: what the rules say of each.
        """
        awaits: Awaits = self.match.awaits()
        asked = awaits.seat == seat and awaits.what in self.chooses
        # while a list lies over the table the box takes no card
        open_list = self.half.get("asks", "") not in ("", TURN)
        return [
            {
                "code": code,
                "face": self.face(code),
                **({"may": not open_list and self.allowed(seat, code)} if asked else {}),
            }
            if seen
            # not even its code: whoever opens the page may read all that it was sent
            else {"code": "", "face": None}
            for code, seen in zip(self.hands[seat], self.visible(seat), strict=True)
        ]


def filled(hands: list[list[str]], rest: list[str], *sizes: int) -> list[list[str]]:
    """What nobody has shown lies where there is room."""
    for seat, hand in enumerate(hands):
        # one size for all seats, or one for each
        room = max(0, sizes[seat % len(sizes)] - len(hand))
        hand += rest[:room]
        del rest[:room]
    return hands
