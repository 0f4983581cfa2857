"""Gives a box its match, or a sentence to show, and asks what came of it (docs/link.md).

What a box obeys is signed with the key of the desk that has enrolled it: the very bytes of the
text are, since two programs write JSON in different ways.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from firmware.app.link_frames import MAX_REQUEST, trade_quotes
from firmware.games import names, row
from host_tools.box.link import BoxLink, BoxRefusal
from host_tools.cards.public_keys import load_desk_key
from host_tools.core.errors import UserError
from host_tools.core.names import graphemes

NAME_LENGTHS = (40, 12, 6, 3)
"""Letters of a name that a box is told, fewer where they do not fit; its screen shows 12."""
LONGEST_NOTICE = 60
_FRAME = 60  # bytes of a request around its fields
_LAST_PLANE = 0x10000  # MicroPython's JSON reads no letter from here on
REFUSALS = {
    "not_enrolled": "assign_not_enrolled",
    "bad_signature": "assign_bad_signature",
    "other_box": "assign_other_box",
    "no_deck": "assign_no_deck",
    "bad_assignment": "assign_bad_assignment",
    "flash": "assign_flash",
}
"""Why a box does not take a match, and the key of the sentence that says so."""


class TooLongForBox(UserError):
    """More bytes than a box reads in one request."""


STATES = ("none", "waiting", "shown", "here", "running", "ended", "other")
"""What may have become of the match given (docs/link.md)."""


@dataclass(frozen=True)
class Seat:
    """A player: the desk's id as on the badge, and the name that the box shows."""

    id: str
    name: str


@dataclass(frozen=True)
class Assignment:
    """A match for a box. `id` is "tournament/match"; `title` stands in the top bar; `deck` None:
    the players lay down a card of theirs; `clock_s`, `start_by` (unix time at which the two
    minutes of SW-7 end): None for none. `game`: "" for the one that has the preset. `options`: by
    the name of a row of the box's menu what is chosen there, such as `tie_scope` "tied" or `turn`
    30; a row that is not named is played as usual. `event`: what its badges say, if the box cannot
    tell that from the tournament's id.
    """

    id: str
    title: str
    seats: tuple[Seat, ...]
    table: int = 0
    game: str = ""
    preset: str | None = "swiss"
    stage: str | None = "group"
    deck: str | None = None
    clock_s: int | None = None
    start_by: int | None = None
    options: Mapping[str, str | int] = field(default_factory=dict)
    event: str = ""


@dataclass(frozen=True)
class Given:
    """What a box says of its match: docs/link.md, request `assign`."""

    assigned: str | None = None
    issued: int = 0
    state: str = "none"
    here: list[str] = field(default_factory=list)
    match: int = 0
    plays: str | None = None
    clock: int | None = None
    ticking: bool = False
    t_s: int = 0
    notice: int | None = None
    notice_state: str | None = None

    @classmethod
    def of(cls, reply: dict[str, Any]) -> "Given":
        """Out of an answer, whatever else a newer box says."""
        known = cls.__dataclass_fields__
        return cls(**{name: value for name, value in reply.items() if name in known})


def sign(kind: str, fields: dict[str, Any]) -> dict[str, str]:
    """The fields of a request: the text under the name of what it is, and its signature. `kind`:
    assign or notice. Raises UserError if it is too long for a box, or nothing can sign it here.
    """
    text = _readable(json.dumps(fields, ensure_ascii=False, separators=(",", ":")))
    desk = load_desk_key()
    if desk is None:  # no box can be enrolled here: that would have made the key
        raise UserError("assign_not_enrolled", BoxRefusal.exit_code)
    name = "assignment" if kind == "assign" else kind
    # a text within JSON: each quote would take two of the 1024 bytes that a box reads
    signed = {
        name: trade_quotes(text),
        "sig": desk.sign("order", f"{kind}\n{text}".encode()).hex(),
    }
    if len(json.dumps(signed)) + _FRAME > MAX_REQUEST:
        raise TooLongForBox("assignment_too_long")
    return signed


def _readable(text: str) -> str:
    return "".join(
        letter if ord(letter) < _LAST_PLANE else "\N{REPLACEMENT CHARACTER}" for letter in text
    )


def ask(link: BoxLink) -> Given:
    """What the box has and does. Raises UserError."""
    return Given.of(link.request("assign"))


def give(
    link: BoxLink,
    box: str,
    assignment: Assignment,
    now: float,
    seen: Given | None = None,
) -> Given:
    """Give box `box` its match instead of what it was given before; `now` is unix time. `seen`:
    what it had when that was decided; if it has been given something since, nothing is done.

    Raises UserError: a box that does not take it says why.
    """
    game = assignment.game or _game_with(assignment.preset)
    fields = {**asdict(assignment), "game": game}
    # a request has little room
    if not assignment.event:
        del fields["event"]
    return _send(link, box, fields, now, seen)


def _game_with(preset: str | None) -> str:
    """The built-in game that has this preset; "" if none has, which the box refuses."""
    having = (name for name in names() if preset in (one.name for one in row(name).presets))
    return next(having, "")


class TableGame(NamedTuple):
    """A game for more than two, and how many at most."""

    game: str
    preset: str | None
    most: int


def games_of_several() -> dict[str, TableGame]:
    """What more than two play on a box: a game, with a hyphen and its preset if it has some."""
    found = [
        TableGame(name, preset.name, preset.most)
        for name in names()
        for preset in row(name).presets
        if preset.most > 2
    ]
    return {"-".join(filter(None, (one.game, one.preset))): one for one in found}


def withdraw(link: BoxLink, box: str, now: float, seen: Given | None = None) -> Given:
    """Take back what the box was given, as in `give`; a match that runs goes on. Raises
    UserError.
    """
    return _send(link, box, {"id": None}, now, seen)


def say(link: BoxLink, box: str, text: str, number: int) -> Given:
    """Have a box show a sentence of at most 60 letters; `number` grows. Raises UserError."""
    fields = {"id": number, "text": text[:LONGEST_NOTICE], "until": None, "box": box}
    return Given.of(_asked(link, "notice", sign("notice", fields)))


def _signed(fields: dict[str, Any]) -> dict[str, str]:
    """With names as long as the box has room for: the id says who plays. Raises UserError."""
    for most in NAME_LENGTHS[:-1]:
        with suppress(TooLongForBox):
            return sign("assign", _with_names(fields, most))
    return sign("assign", _with_names(fields, NAME_LENGTHS[-1]))


def _with_names(fields: dict[str, Any], most: int) -> dict[str, Any]:
    if "seats" not in fields:  # a match that is taken back
        return fields
    called = [
        {**seat, "name": "".join(graphemes(seat["name"])[:most])} for seat in fields["seats"]
    ]
    return {**fields, "seats": called}


def _send(
    link: BoxLink, box: str, fields: dict[str, Any], now: float, seen: Given | None
) -> Given:
    """Two desks may give to one box: the number is above what either has used."""
    # a Pico loses its clock with its power, and `start_by` is unix time
    link.request("time", unix=int(now))
    has = ask(link)
    if seen is not None and has.issued != seen.issued:
        return has
    issued = max(int(now * 1000), has.issued + 1)
    signed = _signed({**fields, "issued": issued, "box": box})
    return Given.of(_asked(link, "assign", signed))


def _asked(link: BoxLink, do: str, fields: dict[str, str]) -> dict[str, Any]:
    try:
        return link.request(do, **fields)
    except BoxRefusal as refusal:
        raise _refused(refusal) from refusal


def _refused(refusal: BoxRefusal) -> UserError:
    if refusal.reason not in REFUSALS:
        return refusal
    key, detail = REFUSALS[refusal.reason], refusal.sentence.values["detail"]
    # the detail lists the decks of the box: without one it has none at all
    if key == "assign_no_deck" and not detail:
        return UserError("assign_no_decks", refusal.exit_code)
    return UserError(key, refusal.exit_code, detail=detail)
