"""A match as the page follows it: the box's journal, the world of cards, and the news in words."""

import json
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from firmware.games import open_match
from host_tools.core.json_types import Json
from host_tools.games import game_of, page_texts, table_view
from host_tools.games.base import Moved
from host_tools.games.bot import MEDIUM, Bot
from host_tools.games.steps import Say
from host_tools.games.table_view import TableView
from host_tools.replay.engines import in_language, resolve
from host_tools.replay.wording import PHRASES, Teller
from host_tools.sim.journal_watch import JournalWatch
from host_tools.sim.table.tags import on_badge
from host_tools.store.journal.reading import taken_back

MOST_NEWS = 40
LINES = 1000
"""Numbers of lines between two answers, for what the box has said and not recorded."""
SEEDS = 10**12
"""So many numbers there are: twelve digits can be written down."""
_CLOCK = ("pause", "resume")
_WON = ("round_won", "round_over", "hand_over")


class Deals(msgspec.Struct):
    """By which number the cards of every match at a table are dealt: the result tells it.

    `wanted` is the number of the next match, if somebody asks for that deal again; `numbers` are
    those of the box's matches, so that a match goes on with the cards it was dealt.
    """

    wanted: int | None = None
    numbers: dict[int, int] = {}

    def coming(self) -> int:
        """The number of the next match, before the box has opened it."""
        if self.wanted is None:
            # from the system: numbered by a counter, every new table dealt the same first hand
            self.wanted = secrets.randbelow(SEEDS)
        return self.wanted

    def of(self, match: int) -> int:
        """The number of this match of the box, the same however often it is asked."""
        if match not in self.numbers:
            self.numbers[match], self.wanted = self.coming(), None
        return self.numbers[match]


class MatchLog(JournalWatch):
    """The newest match of a box. `world` is None before the first one."""

    def __init__(
        self,
        storage: Path,
        lang: str,
        say: Say,
        deals: Deals | None = None,
        own_decks: Mapping[str, Json] | None = None,
    ) -> None:
        super().__init__(storage)
        self.own_decks = own_decks or {}
        self.deals = deals or Deals()
        self._lang = lang
        self._say = say
        self.count = 0  # answers so far
        self.moved: list[tuple[int, Moved]] = []
        self.usual = MEDIUM
        self.strengths: dict[int, str] = {}  # of the bots; a seat that is not there: the usual
        self.names: list[str] = []
        """Of the next match as people typed them: its record has what the badges have room for."""
        self.header: Json = {}
        self.world: TableView | None = None
        self.curve: list[tuple[int, list[int]]] = []
        """The scores behind every answer that changed them, by its number."""
        self.news: list[Json] = []
        self.listed = 0
        """The number of the last answer that is more than a tick."""

    def speak(self, lang: str) -> None:
        """Tell in this language from now on, and once more what was told."""
        self._lang = lang
        if self.world is not None:
            said = in_language(self.header, self.record.get("deck"), lang)
            self.header.update(said)  # the table's too
            self._teller = Teller(self.header, lang)
            lines = [self._line(*step) for step in self.steps[: self.count] if _is_listed(*step)]
            self.news = lines[-MOST_NEWS:]

    def look(self) -> bool:
        """Follow the journal; True if something is new."""
        if not super().look():
            return False
        # fewer answers than were followed: a torn tail was cut off
        if self.new_match or len(self.steps) < self.count:
            self._open()
        for command, answer in self.steps[self.count :]:
            self.count += 1
            self._follow(command, answer)
        return True

    def change(self, change: Moved) -> None:
        """People do something to the cards that the box does not see; undo keeps it."""
        if self.world is not None:
            self.moved.append((self.count, change))
            change(self.world)

    def tell(self, text: str, rule: str, refused: bool) -> None:
        """The box has said something that is in no record."""
        last = self.news[-1] if self.news else {"n": 0, "line": 0, "t": 0}
        line = {**last, "line": last["line"] + 1, "text": text, "rule": rule}
        self._list({**line, "refused": refused, "decides": False, "event": None})

    def _list(self, line: Json) -> None:
        self.news.append(line)
        del self.news[:-MOST_NEWS]

    @property
    def changes(self) -> int:
        """How often people did so in this match."""
        return len(self.moved)

    def recall(self, moved: Sequence[tuple[int, Moved]]) -> None:
        """What people had done so before the table was opened again."""
        if moved:
            self.moved = list(moved)
            self._deal_again()

    def transcript(self) -> str:
        """The match so far with its answers, as `schiri replay --check` reads it."""
        journal = self.whole()
        if journal is None:
            return ""
        lines = list(journal.transcript())
        if self.record.get("deck") in self.own_decks:  # nobody else has this deck
            lines[0] = json.dumps(self._with_own(json.loads(lines[0])), ensure_ascii=False)
        return "".join(line + "\n" for line in lines)

    @property
    def seed(self) -> int:
        """The number by which the cards of this match are dealt."""
        return self.deals.of(self.number)

    @property
    def at(self) -> str:
        """The match and the last thing that was decided in it; neither a refusal nor the clock's
        standing still changes a hand.
        """
        decided = (line["n"] for line in reversed(self.news) if line["decides"])
        return f"{self.number}/{next(decided, 0)}"

    @property
    def awaits(self) -> Json:
        """Who must do what, as the box said last."""
        if self.world is None or self.closed:
            return {"seat": None, "for": "nothing"}
        return super().awaits

    @property
    def closed(self) -> bool:
        """True once the result is final, or the match was abandoned."""
        return not self.record or self.final

    @property
    def ended_by(self) -> str:
        """The command that was decided last, without refusals and ticks; "" before the first."""
        decided = (
            command["do"]
            for command, answer in reversed(self.steps)
            if "refused" not in answer and _is_listed(command, answer)
        )
        return next(decided, "")

    @property
    def abandoned(self) -> bool:
        """Closed before it was over: there is no result."""
        return self.closed and self.world is not None and not self.world.match.over()

    def numbers(self) -> Json:
        """What the match was like: milliseconds, accepted moves, refusals, tricks per seat."""
        # ticks are the box's own: nobody made a move
        steps = [pair for pair in self.steps if pair[0]["do"] != "tick"]
        events = [event for _, answer in steps for event in answer.get("events", ())]
        won = [event["seat"] for event in events if event["is"] == "round_won"]
        refused = sum("refused" in answer for _, answer in steps)
        return {
            "ms": self.steps[-1][0]["t"] if self.steps else 0,
            "moves": len(steps) - refused,
            "refused": refused,
            # [] where nobody won a round: the page then has no such column
            "tricks": [won.count(seat) for seat in range(self.header["seats"])] if won else [],
        }

    def called(self) -> dict[str, dict[str, int]]:
        """By player, how often which category was called, by its title."""
        undone = taken_back(answer for _, answer in self.steps)
        found: dict[str, dict[str, int]] = {}
        for _, answer in self.steps:
            events = [] if answer["n"] in undone else answer.get("events", ())
            for event in (event for event in events if event["is"] == "called"):
                title = self._teller.fields(event)["category"]
                titles = found.setdefault(self._teller.seat(event["seat"]), {})
                titles[title] = titles.get(title, 0) + 1
        return found

    def winners(self) -> tuple[str, ...]:
        """As the box calls them: who may have won what was decided last; () for nobody."""
        if self.world is None or not self.steps:
            return ()
        won = any(event["is"] in _WON for event in self.steps[-1][1].get("events", ()))
        seats = range(self.world.seats) if won or self.world.match.over() else ()
        return tuple(self.world.box_name(seat) for seat in seats)

    @property
    def refused(self) -> bool:
        """Did the box refuse the last thing that it told?"""
        return bool(self.news and self.news[-1]["refused"])

    @property
    def paused(self) -> str:
        """Why the match clock stands, as the record says; "" while it does not."""
        clock = self.world.match.clock if self.world else None
        if clock is None or not clock.paused:
            return ""
        pauses = [c for c, a in self.steps if c["do"] == "pause" and "refused" not in a]
        return str(pauses[-1].get("why", "")) if pauses else ""

    def _open(self) -> None:
        self.header = resolve(self._with_own(self.record), self._lang)
        if self.header.get("names") == [on_badge(name) for name in self.names]:
            self.header |= {"names": self.names, "box_names": self.header["names"]}
        self.count = 0
        self.moved = []
        self.news = []
        self.listed = 0
        self._teller = Teller(self.header, self._lang)
        self.world = self._dealt()
        self.curve = [(0, self.world.scores())]

    def _with_own(self, header: Json) -> Json:
        """The header with an own deck as an object."""
        deck = self.own_decks.get(str(header.get("deck")))
        return header if deck is None else {**header, "deck": deck}

    def _dealt(self) -> TableView:
        strengths = [self.strength(seat) for seat in range(self.header["seats"])]
        match = open_match(self.header)
        return table_view(self.header, match, self._say, self.seed, strengths=strengths)

    def strength(self, seat: int) -> str:
        """How well the bot of a seat plays."""
        wanted = self.strengths.get(seat, self.usual)
        # a match that is opened at the box has the wishes of the game before
        return game_of(self.header).strength_near(wanted) if self.header else wanted

    def set_strength(self, seat: int, strength: str) -> None:
        """How well the bot of a seat plays from now on."""
        self.strengths[seat] = strength
        if self.world is not None and seat < len(self.world.players):
            player = self.world.players[seat]
            if isinstance(player, Bot):
                player.strength = self.strength(seat)

    def _follow(self, command: Json, answer: Json) -> None:
        assert self.world is not None
        if any(event["is"] == "undone" for event in answer.get("events", ())):
            # nobody follows who holds what after an undo (TableView.take_in)
            self._deal_again()
        else:
            self.world.play(command)
            self._score(answer["n"])
        if _is_listed(command, answer):
            self.listed = answer["n"]
            self.world.half = {}  # until the box says otherwise: an answer makes it forget
            self._list(self._line(command, answer))

    def _line(self, command: Json, answer: Json) -> Json:
        """A line of the news."""
        refused = answer.get("refused", {})
        rule = refused.get("rule") or self._rule_of(answer)
        # the page shows the rule beside the sentence
        sentence = self._teller.sentence(command, answer)
        sentence = sentence.replace(PHRASES[self._lang]["rule"].format(rule=rule), "")
        return {
            "n": answer["n"],
            "line": LINES * answer["n"],
            "t": command["t"],
            "text": sentence,
            "refused": bool(refused),
            "decides": not refused and command["do"] not in _CLOCK,
            "rule": rule,
            "event": self._weightiest(answer),
        }

    def _weightiest(self, answer: Json) -> Json | None:
        """The last event that has a short sentence of its own, for the middle of the table."""
        texts = page_texts(self._lang)
        short = [one for one in answer.get("events", ()) if f"short_{one['is']}" in texts]
        return self._teller.fields(short[-1]) if short else None

    def _deal_again(self) -> None:
        """After an undo: the same deal, and everything that still counts."""
        steps = self.steps[: self.count]
        undone = taken_back(answer for _, answer in steps)
        self.world = self._dealt()
        self.curve = [(0, self.world.scores())]
        for number, (command, answer) in enumerate(steps):
            self._move_again(number)
            if command["do"] == "undo" or answer["n"] in undone:
                continue
            if "refused" in answer:  # without what was taken back, the rules might accept it now
                self.world.pass_over(command, answer["refused"])
            else:
                self.world.play(command)
            self._score(answer["n"])
        self._move_again(len(steps))

    def _move_again(self, number: int) -> None:
        """What people did after so many answers."""
        for at, change in self.moved:
            if at == number:
                change(self.world)

    def _score(self, number: int) -> None:
        assert self.world is not None
        scores = self.world.scores()
        if scores != self.curve[-1][1]:
            self.curve.append((number, scores))

    def _rule_of(self, answer: Json) -> str:
        """The rule that an event names, else the one that explains what weighs most in it."""
        events = answer.get("events", ())
        named = [event["rule"] for event in events if event.get("rule")]
        happened = {event["is"] for event in events}
        known = game_of(self.header).event_rules.items()
        return str([*named, *(rule for name, rule in known if name in happened), ""][0])


def _is_listed(command: Json, answer: Json) -> bool:
    """A tick that changed nothing is not."""
    return command["do"] != "tick" or bool(answer.get("events"))
