"""The door: what people typed becomes typed values, once; these are judged and acted on.

A form of the desk, a command line and the query of a page come as pairs of name and text. What a
field of some name is, stands in one vocabulary (`FIELDS`); whatever its kind does not know is
refused, with the name of the field and what may stand there.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, get_args

import msgspec

from host_tools.core.errors import UserError
from host_tools.core.names import LONGEST_NAME, LONGEST_REASON, shown, tidy
from host_tools.core.text_check import check_texts
from host_tools.tournament import events as ev
from host_tools.tournament.actions.entrants import meant
from host_tools.tournament.actions.jury import LONGEST_TEXT
from host_tools.tournament.actions.matches import LONGEST_ANNOUNCEMENT
from host_tools.tournament.model import MODES, PLAYER_FIELDS, Kind
from host_tools.tournament.standings import Compare
from host_tools.tournament.state import MatchState, TournamentState

MOST = 10**9 - 1
"""Fits 32 bits of a database. Digits are counted first: `int` refuses thousands of them."""
_DIGITS = 9
_LINES = str.maketrans("\r\n\t", "   ")

FormPairs = Iterable[tuple[str, str | bytes]]
"""What came, in its order; a name may come twice."""
Find = Callable[[TournamentState, str, Mapping[str, Any]], Any]
"""The id of what a text names, when the values of the fields before it are known."""


# -- kinds of fields ------------------------------------------------------------------------------


def line(longest: int = LONGEST_NAME, *, lines: bool = False) -> Callable[[str], str]:
    """A tidy text on one line. `lines`: it may be typed on several."""

    def read_line(typed: str) -> str:
        text = tidy(typed)
        if lines:
            text = tidy(text.translate(_LINES))
        check_texts(text, longest=longest)
        return text

    return read_line


def lines(typed: str) -> str:
    """A list with a line for each, as it was typed or pasted: its reader judges it."""
    return typed.strip()


@dataclass(frozen=True)
class Choice:
    """Exactly one of these."""

    values: tuple[str, ...]


@dataclass(frozen=True)
class Whole:
    """A whole number from `least` to `most`."""

    least: int = 0
    most: int = MOST


FLAG, FILE = "flag", "file"


@dataclass(frozen=True)
class Field:
    """`kind`: how it is read; `find`: what it names in the tournament; `label`: a key of the
    desk's texts, if not the name; `option`: its name on the command line, "-" for none, "each" for
    an option for each choice; `help`: what is said there; `several`: it may come more than once.
    """

    kind: Callable[[str], str] | Choice | Whole | str
    help: str = ""
    label: str = ""
    option: str = ""
    find: Find | None = None
    several: bool = False

    @property
    def choices(self) -> tuple[str, ...]:
        return self.kind.values if isinstance(self.kind, Choice) else ()


# -- matches and players --------------------------------------------------------------------------


def find_match(state: TournamentState, text: str) -> MatchState:
    """A match by its id in any case, or by the text of a slip's QR code. Raises UserError."""
    # the QR code of a slip is an address; without the mark, `rpartition` gives the whole text
    wanted = text.rpartition("match=")[2].partition("&")[0].strip()
    by_id: dict[ev.MatchId, MatchState] = {key.upper(): m for key, m in state.matches.items()}
    match = by_id.get(wanted.upper())
    if match is None:
        raise UserError("no_match", match=wanted or "?")
    return match


def _match(state: TournamentState, text: str, _before: Mapping[str, Any]) -> ev.MatchId:
    return find_match(state, text).id if text else ""


def _player(state: TournamentState, text: str, before: Mapping[str, Any]) -> str:
    """Of homonyms the one who plays in the match that is named too."""
    match = state.matches.get(before.get("match") or "")
    return meant(state, text, match.players if match else ()) if text else ""


def _side(state: TournamentState, text: str, before: Mapping[str, Any]) -> str | None:
    match = state.matches[before["match"]]
    sides = {"": None, "a": match.a, "b": match.b}
    return sides[text] if text in sides else _player(state, text, before)


_LINE, _WRITTEN, _NAMED = line(), line(LONGEST_TEXT, lines=True), line(LONGEST_REASON)
_JURY = "The jury's: also if matches were played on it."
_SIDE = Field(_LINE, label="player", find=_side)

FIELDS: dict[str, Field] = {
    # who and what
    "player": Field(_NAMED, find=_player),
    "players": Field(_NAMED, label="player", find=_player, several=True),
    "double": Field(_NAMED, find=_player),
    "who": Field(_NAMED, "The player whom it is about.", "player", "--player", _player),
    "match": Field(_NAMED, "The match that it is about.", find=_match),
    "seen": Field(_LINE, label="match", option="-"),
    "named": Field(_LINE, label="table", option="-"),
    "removed": Field(_LINE, label="player"),
    "text": Field(_WRITTEN, label="written"),
    # around an operation
    "why": Field(line(LONGEST_REASON, lines=True)),
    "page": Field(_LINE, label="pages"),
    "stage": Field(_LINE, label="slot"),
    "q": Field(_NAMED, label="search"),
    "preview": Field(FLAG),
    "user": Field(_LINE),
    "password": Field(str),
    # an entry
    **{
        name: Field(Whole() if declared.number else _LINE, declared.help, declared.label)
        for name, declared in PLAYER_FIELDS.items()
    },
    "group": Field(_LINE, "The group; default: the smallest."),
    "file": Field(FILE, label="import_csv"),
    "absent": Field(FLAG, "They are not here (any more)."),
    "with_matches": Field(FLAG, "Also the matches, if none has begun."),
    "names": Field(
        Choice(("short", "whole")),
        "Names on all public pages: `Anna E.` or `Anna Egli`.",
        label="privacy",
    ),
    # mode, draw and calls
    "rounds": Field(Whole(), "Rounds of a Swiss or of tables; 0: as many as the players need."),
    "legs": Field(Whole(1), "So often each pair of a group meets."),
    "seats": Field(Whole(1), "At most so many at a table of several."),
    "points": Field(_LINE, "Points of the places there, as 5,3,2,1; empty: 12,8,4,0 at four."),
    "advance": Field(Whole(1), "So many of each group go into the Swiss behind the groups."),
    "game": Field(_LINE, "What the boxes play there: a game, or game-preset.", "game_of_tables"),
    "options": Field(
        _LINE,
        "A house rule of that game, as NAME=CHOICE; may be repeated.",
        label="house_rules",
        option="--house-rule",
        several=True,
    ),
    "turn": Field(Whole(), "Seconds of a turn, which only signals; 0: none.", option="--turn"),
    "back": Field(FLAG, "They play after all."),
    "ko_size": Field(Whole(1), "So many qualify, until the tree is drawn."),
    "compare": Field(Choice(get_args(Compare)), "Unequal groups (TO-3)."),
    "tables": Field(Whole(1), "So many tables from now on."),
    "decks": Field(_LINE, "The decks from now on.", option="--deck", several=True),
    "team_best": Field(Whole(), "So many of a club count for it as a team; 0: all."),
    "venue": Field(_LINE, "Tournaments of the same venue share tables and players."),
    "slot_minutes": Field(Whole(1), "Minutes of a slot from now on."),
    "again": Field(FLAG, "Plan the open matches anew."),
    "begins": Field(_LINE, "When the first slot is to be called: 10:00, or 2026-11-28 10:00."),
    # signing up
    "open": Field(FLAG),
    "limit": Field(Whole(0, 9999), label="signup_limit"),
    "asks": Field(FLAG),
    "contact": Field(_LINE, label="contact"),
    "signup": Field(Whole(1), label="d_signups"),
    "website": Field(str, label="d_signups"),
    # a new tournament
    "event": Field(_LINE, label="event_name"),
    "mode": Field(Choice(MODES), "How it is played."),
    "halls": Field(lines, label="halls"),
    "listed": Field(lines, label="players"),
    "make": Field(FLAG),
    "size": Field(Whole(), "At most so many in a group.", "group_size"),
    "random_seed": Field(Whole(), "A number that gives the same draw again.", option="--seed"),
    "everybody": Field(FLAG, "Also players who are not checked in."),
    "table": Field(Whole(), "Another table than the planned one."),
    "slot": Field(Whole(1), "All open matches of this slot."),
    "round": Field(_LINE, "All open matches of this round: 1/8, 1/4, 1/2, final."),
    "announcement": Field(line(LONGEST_ANNOUNCEMENT)),
    "box": Field(_LINE, "Id of a box that a desk has at hand: that desk gives it."),
    "still_out": Field(FLAG, "It is not back after all."),
    "no_deck": Field(FLAG, "The players lay down a card of their deck."),
    # results
    "cards_a": Field(Whole(), label="cards"),
    "cards_b": Field(Whole(), label="cards"),
    "order": Field(
        _WRITTEN,
        "The places at a table of several: Ben, Anna = Cleo / Dan, or seat by seat: 2 1 2 0.",
        label="places",
        option="--places",
    ),
    "at": Field(Whole(0, 9), label="places", option="-", several=True),
    "kind": Field(Choice(get_args(Kind)), "How it ended; default: played."),
    "winner": Field(
        _LINE, "Who won by the jury's word, if the cards are level (SW-5).", find=_side
    ),
    "anyway": Field(FLAG, "Although a protest is open; say --why."),
    "sure": Field(FLAG, "It is odd, but right."),
    "report": Field(Whole(1), "Which; default: the last one.", "reports"),
    "missing": _SIDE,
    "first_seat": Field(
        _LINE,
        "Who sat at the box's first seat, if the names do not tell.",
        "player",
        "--first",
        _side,
    ),
    "journal": Field(_LINE, label="reports"),
    "force": Field(FLAG, _JURY),
    "redraw": Field(FLAG, "Draw the knock-out anew, if its seeds change."),
    # the jury's book
    "deposit": Field(_LINE, "What was paid for it; - for nothing."),
    "protest": Field(Whole(1), label="protests"),
    "decision": Field(Choice(("upheld", "rejected")), "What the jury says.", option="each"),
    "deposit_back": Field(FLAG, "The deposit is returned."),
    "effect": Field(Choice(("", "void")), "Its match is open again.", option="each"),
    "penalty": Field(Choice(get_args(ev.Penalty)), "A warning, or cards.", label="kind"),
    "cards": Field(Whole(), "So many cards were handed over (SW-8).", "how_many"),
    "note": Field(Whole(1), label="penalties"),
    "places": Field(Whole(1), label="lot_title", option="-", several=True),
}
"""What a field of this name is, wherever it stands."""


# -- reading --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Form:
    """The fields of something, with their defaults (`NODEFAULT`: it must be filled in), and the
    struct of their values. UNSET as default: left out is something else than empty.
    """

    fields: Mapping[str, Field]
    defaults: Mapping[str, Any]
    struct: type[msgspec.Struct]

    @classmethod
    def of(cls, name: str, defaults: Mapping[str, Any]) -> "Form":
        """Of fields in the vocabulary."""
        values = [
            (key, Any) if default is msgspec.NODEFAULT else (key, Any, default)
            for key, default in defaults.items()
        ]
        struct = msgspec.defstruct(name, values, frozen=True, kw_only=True)
        return cls({key: FIELDS[key] for key in defaults}, defaults, struct)

    def needs(self, name: str) -> bool:
        return self.defaults[name] is msgspec.NODEFAULT

    def read(self, given: FormPairs) -> Any:
        """The struct of what was typed. Raises UserError for what is missing, unknown, there
        twice, or cannot be read.
        """
        typed = self._sorted(given)
        for name, field in self.fields.items():
            if self.needs(name) and name not in typed:
                raise UserError("form_missing", label=field.label or name)
        return self.struct(**{name: self._values(name, texts) for name, texts in typed.items()})

    def read_each(self, given: FormPairs) -> tuple[dict[str, Any], dict[str, UserError]]:
        """The same field by field, defaults included: what can be read, and what is wrong with
        each of the others.
        """
        typed = self._sorted(given)
        values: dict[str, Any] = {}
        faults: dict[str, UserError] = {}
        for name, default in self.defaults.items():
            try:
                values[name] = self._values(name, typed[name]) if name in typed else default
            except UserError as fault:
                faults[name] = fault
        return values, faults

    def _sorted(self, given: FormPairs) -> dict[str, list[str | bytes]]:
        typed: dict[str, list[str | bytes]] = {}
        for name, text in given:
            if name not in self.fields:
                raise UserError("field_unknown", field=shown(name, 40))
            # in the order of the form: places and decks are lists
            typed.setdefault(name, []).append(text)
        return typed

    def _values(self, name: str, texts: list[str | bytes]) -> Any:
        field = self.fields[name]
        if field.several:
            return tuple(self._value(name, text) for text in texts)
        # a second value would be acted on by one reader and judged by another
        if len(texts) > 1:
            raise UserError("field_twice", label=field.label or name)
        return self._value(name, texts[0])

    def _value(self, name: str, typed: str | bytes) -> Any:
        field = self.fields[name]
        kind, label = field.kind, field.label or name
        # a file in the place of a text, or the other way round, is no form of ours
        if (kind == FILE) != isinstance(typed, bytes):
            raise UserError("field_unknown", field=shown(name, 40))
        if isinstance(typed, bytes):
            return typed
        if kind == FLAG:
            return _chosen(typed, {"": False, "1": True}, label)
        if not isinstance(kind, Choice | Whole) and not isinstance(kind, str):
            value: Any = kind(typed)
        elif isinstance(kind, Choice):
            value = _chosen(typed, {"": "", **{one: one for one in kind.values}}, label)
        else:
            assert isinstance(kind, Whole)
            value = _number(typed, kind, label)
        if value != "":
            return value
        if self.needs(name):
            raise UserError("form_missing", label=label)
        default = self.defaults[name]
        if default is msgspec.UNSET:
            # left empty on purpose: a number is gone, a text is empty
            return None if isinstance(kind, Whole) else value
        return default

    def found(self, values: Any, state: TournamentState) -> Any:
        """The struct with ids in the place of what names a match or a player. Raises UserError."""
        known: dict[str, Any] = msgspec.structs.asdict(values)
        # the match first: a player's name is looked for among those who play it
        for name, field in sorted(self.fields.items(), key=lambda one: one[0] != "match"):
            if field.find is None or known[name] is None:
                continue
            if field.several:
                known[name] = tuple(field.find(state, one, known) for one in known[name])
            else:
                known[name] = field.find(state, known[name], known)
        return self.struct(**known)


def _chosen(typed: str, known: Mapping[str, Any], label: str) -> Any:
    if typed not in known:
        raise UserError("field_choice", label=label, choices=[one for one in known if one])
    return known[typed]


def _number(typed: str, kind: Whole, label: str) -> int | str:
    text = typed.strip(" ")
    if not text:
        return ""
    number = whole(text)
    if number is None:
        raise UserError("form_number", label=label)
    if not kind.least <= number <= kind.most:
        raise UserError("field_range", label=label, least=kind.least, most=kind.most)
    return number


def whole(text: str) -> int | None:
    """The number that `text` spells in at most nine of the digits 0 to 9, or None."""
    # `int` takes other digits, underscores and signs as well
    plain = text.isascii() and text.isdecimal() and len(text) <= _DIGITS
    return int(text) if plain else None
