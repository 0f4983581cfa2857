"""Tells a replay to people: one line per command with the clock, then the result."""

import json
import re
from typing import Any

from firmware.games import open_match
from host_tools.cards.decks.values import decimal
from host_tools.core.json_types import Json
from host_tools.core.names import LONGEST_ECHO, cut
from host_tools.core.texts import RESULTS, Texts
from host_tools.games.options import options_line
from host_tools.replay.comparing import Difference
from host_tools.replay.engines import resolve
from host_tools.replay.reading import Transcript

# of all games: a record may hold a command of another game, refused
EVENTS = Texts("replay event")
"""`{name}` is a field of the event; seats are names of players."""
PHRASES = Texts("replay")
COMMANDS = Texts("replay command")
"""`do` -> a name for what people wanted, `do.field` -> the words round a field of it, in the order
in which they are said.
"""
REFUSALS = Texts("replay refusal")
_SEAT_FIELDS = ("seat", "to", "from", "leader")
_PER_SEAT = ("scores", "totals", "counts")
"""Lists with a number a seat; the café's `scores` of one guest are a table -> points."""
_LONG_TEXT = re.compile(rf'"[^"]{{{LONGEST_ECHO},}}"')
LONGEST_LINE = 2000
"""Of an answer that is not what the rules say."""
_SCORES = ("counts", "scores", "points", "pot", "turns_up")


def tell(transcript: Transcript, lines: list[str], lang: str) -> list[str]:
    """The lines of a human-readable replay."""
    header = resolve(transcript.header.content, lang)
    teller, rules = Teller(header, lang), options_line(header, lang)
    sentences = [
        teller.answer(step.command.content, json.loads(line))
        # behind the last answer stands the result
        for step, line in zip(transcript.steps, lines, strict=False)
    ]
    end = teller.result(json.loads(lines[-1])["result"])
    return [*filter(None, [rules]), *sentences, end]


def tell_difference(name: str, found: Difference | None, count: int, lang: str) -> str:
    """What `--check` says."""
    phrases = PHRASES[lang]
    if found is None:
        return phrases["agrees"].format(name=name, count=count)
    what = phrases["the_result"] if found.n is None else phrases["answer"].format(n=found.n)
    return phrases["differs"].format(
        name=name,
        line=found.line,
        what=what,
        expected=_short(found.expected),
        computed=_short(found.computed),
    )


def _short(line: str) -> str:
    """A line of JSON with the beginnings of its longest texts."""
    cut_texts = _LONG_TEXT.sub(lambda text: cut(text[0]) + '"', line)
    return cut(cut_texts, LONGEST_LINE)


class Teller:
    """The names of one match and the words of one language; the header's deck is an object."""

    def __init__(self, header: Json, lang: str) -> None:
        self._names: list[str] = header.get("names") or []
        self._lang = lang
        self._phrases = PHRASES[lang]
        self._game: str = header.get("game", "")
        self._seats: int = header.get("seats", 0)
        self._header = header
        self._ends = False  # what is told now ends the match
        deck = header.get("deck") or {}
        self._categories = {category["key"]: category for category in deck.get("categories", [])}

    def answer(self, command: Json, answer: Json) -> str:
        """One command: its number, its time and what came of it."""
        return f"{answer['n']:>4}  {duration(command['t'])}  {self.sentence(command, answer)}"

    def sentence(self, command: Json, answer: Json) -> str:
        """What came of a command."""
        events = answer.get("events", [])
        self._ends = any(event["is"] == "match_over" for event in events)
        parts = [self._event(event) for event in events]
        if "refused" in answer:
            parts.append(self._refusal(command, answer["refused"]))
        if not parts:
            parts.append(self._command(command) + ".")
        return " ".join(parts)

    def fields(self, event: Json) -> Json:
        """An event for who says it shorter: seats as numbers, everything else in words."""
        named = {name: self._value(name, value) for name, value in event.items()}
        return named | {name: event[name] for name in _SEAT_FIELDS if name in event}

    def result(self, result: Json) -> str:
        """The result line."""
        fields = []
        for name in _SCORES:
            if name in result:
                value = result[name]
                numbers = value if isinstance(value, list) else [value]
                text = ":".join(str(number) for number in numbers)
                fields.append(f"{self._of_game(name) or self._phrases[name]} {text}")
        text = self._phrases["result"].format(fields=", ".join(fields))
        return text if result["over"] else f"{self._phrases['open']} {text}"

    def _of_game(self, key: str) -> str:
        """Words that this game has for it alone, or ""."""
        return self._phrases.get(f"{key}_{self._game}", "")

    def wanted(self, do: str, fields: Json) -> str:
        """What somebody wants, or might have wanted, as words without full stop."""
        return self._command({"do": do, **fields})

    def _refusal(self, command: Json, refusal: Json) -> str:
        reason = REFUSALS[self._lang].get(refusal["reason"], refusal["reason"])
        text = self._phrases["refused"].format(reason=reason)
        if refusal.get("rule"):
            text += self._phrases["rule"].format(rule=refusal["rule"])
        return f"{self._command(command)} {text}"

    def _command(self, command: Json) -> str:
        """What people wanted, with as much of it as the command says."""
        texts, do = COMMANDS[self._lang], command["do"]
        said = [texts[do]]
        for key, words in texts.items():
            name, _, field = key.partition(".")
            named = self._named(field, command.get(field)) if field and name == do else ""
            if named:
                said.append(words.format(cut(named)))
        return " ".join(said)

    def _named(self, field: str, value: Any) -> str:
        """A field of a command in words; "" if it says nothing.

        Fields of a command that the game does not have may hold anything (TRANSCRIPT.md, Files).
        """
        if field == "seat":
            # not isinstance: true is no seat
            return self.seat(value) if type(value) is int and value >= 0 else ""
        if field == "category":
            return self._category(value)
        if isinstance(value, list):
            return " ".join(item for item in value if isinstance(item, str))
        return value if isinstance(value, str) else ""

    def _category(self, wanted: Any) -> str:
        """The title of a category that is named by its key or its index."""
        keys = list(self._categories)
        if type(wanted) is int:
            wanted = keys[wanted] if 0 <= wanted < len(keys) else str(wanted)
        if not isinstance(wanted, str):
            return ""
        return str(self._categories.get(wanted, {}).get("title", wanted))

    def _event(self, event: Json) -> str:
        values = {name: self._value(name, value) for name, value in event.items()}
        if "values" in event:
            values["values"] = self._compared(event["values"], event["category"])
        if event["is"] == "began" and self._seats:
            values["next"] = self.seat((event["seat"] + 1) % self._seats)
        if event["is"] == "match_over":
            values["reason"] = self._end(event["reason"])
        # in the game's own words where it has them: one also says who deals
        words = self._of_game(event["is"]) or EVENTS[self._lang][event["is"]]
        return words.format(**values)

    def _end(self, reason: str) -> str:
        """Why the match is over, and by which rule."""
        rule = open_match(self._header).end_rule(reason)
        said = self._reason(reason)
        return f"{said}, {rule}" if rule else said

    def _value(self, name: str, value: Any) -> str:
        if name == "dealer":  # after the last hand nobody deals
            return "" if self._ends else self._phrases["deals_next"].format(self.seat(value))
        if name == "factor":
            return "" if value == 1 else self._phrases["times"].format(value)
        if name in _SEAT_FIELDS:
            return self.seat(value)
        if name == "seats":
            return ", ".join(self.seat(seat) for seat in value)
        if name == "category" and value is not None:
            return cut(str(self._categories[value].get("title", value)))
        if name == "ranking":
            return self._ranking(value)
        if name == "reason":
            return self._reason(value)
        if name == "tricks":
            return "; ".join(self._trick(trick) for trick in value)
        if name in _PER_SEAT and isinstance(value, list):
            return ", ".join(f"{self.seat(seat)} ({count})" for seat, count in enumerate(value))
        if name == "left_ms":
            return duration(value)
        return self._plain(name, value)

    def _plain(self, name: str, value: Any) -> str:
        if name == "one_nation":
            return self._phrases["one_nation"] if value else ""
        if name == "nation" and value is None:
            return self._phrases["no_nation"]
        return _plain(value)

    def _reason(self, reason: str) -> str:
        """Why a match or a seat's match is over; `cannot_pay` is a refusal's reason too."""
        known = REFUSALS[self._lang].get(reason, reason)
        return RESULTS[self._lang].get("reason_" + reason, known)

    def _trick(self, trick: Json) -> str:
        cards = " ".join(trick["cards"])
        return self._phrases["takes"].format(seat=self.seat(trick["seat"]), cards=cards)

    def _compared(self, values: list[int | None], key: str) -> str:
        """The values of a trick as they stand on the cards, with the players' names."""
        category = self._categories[key]
        texts = []
        for seat, value in enumerate(values):
            if value is not None:
                number = decimal(value, category.get("decimals", 0), self._lang)
                texts.append(f"{self.seat(seat)} {number} {category.get('unit', '')}".rstrip())
        return ", ".join(texts)

    def _ranking(self, ranking: list[list[int]]) -> str:
        places = []
        ahead = 0
        for seats in ranking:
            names = ", ".join(self.seat(seat) for seat in seats)
            places.append(self._phrases["place"].format(place=ahead + 1, seats=names))
            ahead += len(seats)
        return "; ".join(places)

    def seat(self, seat: int) -> str:
        """The name of the player at a seat, or its number."""
        if seat < len(self._names):
            return self._names[seat]
        return self._phrases["seat"].format(number=seat + 1)


def _plain(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, list):
        return " ".join(_plain(item) for item in value)
    if isinstance(value, dict):
        return ", ".join(f"{cut(key)} {_plain(item)}" for key, item in value.items())
    return cut(str(value))


def duration(milliseconds: int) -> str:
    """Minutes and seconds, such as 9:59."""
    seconds = milliseconds // 1000
    return f"{seconds // 60}:{seconds % 60:02d}"
