"""What boxes on the air say, as typed values (docs/hall.md), read strictly where it comes in. No
reader behind this page meets a raw value.
"""

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

from host_tools.core.json_types import Json

Said = TypeVar("Said", bound=Struct)

LARGEST = 1 << 53
"""JSON readers disagree on whole numbers beyond this."""
DEEPEST = 16
"""Maximum depth of a record; a deck in a header takes five levels."""
# PostgreSQL takes no NUL, and no encoding half a surrogate pair
_PLAIN = r"\A[^\x00\ud800-\udfff]*\Z"

WholeNumber = Annotated[int, Meta(ge=0, lt=1 << 31)]
"""What is counted; a database keeps it as a whole number."""
Moment = Annotated[int, Meta(ge=0, lt=1 << 40)]
"""Seconds since 1970."""
Large = Annotated[int, Meta(ge=0, lt=LARGEST)]
"""A number that grows, perhaps by the clock."""
Mark = Annotated[str, Meta(max_length=16, pattern=_PLAIN)]
Word = Annotated[str, Meta(max_length=64, pattern=_PLAIN)]
PlainText = Annotated[str, Meta(max_length=256, pattern=_PLAIN)]
TableNumber = Annotated[int, Meta(ge=0, lt=10_000)]


class ByHall(Struct, frozen=True):
    """What the hall adds to a box's `here`. `doubt`: the number of a match whose lines are not
    those that the box vouches for, and which is being fetched again; 0: there is none.
    """

    rtt_ms: WholeNumber | None = None
    clock_s: Annotated[int, Meta(gt=-LARGEST, lt=LARGEST)] | None = None
    doubt: WholeNumber = 0


# a default for every field, here and in SaidState: a box need not say everything
class Here(Struct, frozen=True):
    """Who a box is. `here` False: its last will was published. `league` and `hall` are ours."""

    here: bool = False
    boot: Mark = ""
    beat: WholeNumber = 0
    box: Word = ""
    name: Word = ""
    table: TableNumber = 0
    firmware: Word = ""
    schiri: WholeNumber = 1
    league: Mark = ""
    hall: ByHall = ByHall()


class SaidState(Struct, frozen=True):
    """How a box is, and how far its match. What it does not say is None or nothing."""

    boot: Mark = ""
    beat: WholeNumber = 0
    match: WholeNumber = 0
    lines: WholeNumber = 0
    unix: Moment | None = None
    ticks_ms: WholeNumber = 0
    jury: bool = False
    running: bool = False
    waiting: WholeNumber = 0
    clock: WholeNumber | None = None
    head: Word = ""
    title: PlainText = ""
    game: Word = ""
    awaits: Word | None = None
    assignment: tuple[PlainText | None, Word] | None = None
    notice: tuple[Large, Word] | None = None
    reader: Word = ""
    recoveries: WholeNumber = 0
    refused: WholeNumber = 0
    rssi: Annotated[int, Meta(ge=-200, le=200)] | None = None
    heap: WholeNumber | None = None
    battery_mv: WholeNumber | None = None


NOBODY, NOTHING = Here(), SaidState()
"""What is known of a box that has not spoken."""


# beside SaidState, whose defaults demand nothing
class Beat(Struct, frozen=True):
    """What a `state` must have."""

    boot: Mark
    beat: WholeNumber
    match: WholeNumber
    lines: WholeNumber


class MatchHeader(Struct, frozen=True):
    """What pages read of the header of a match before the rules have taken it."""

    game: Word = ""
    seats: Annotated[int, Meta(ge=0, le=99)] = 0
    table: TableNumber | None = None
    names: Annotated[list[PlainText], Meta(max_length=99)] | None = None
    players: Annotated[list[PlainText | None], Meta(max_length=99)] | None = None
    events: Annotated[list[PlainText | None], Meta(max_length=99)] | None = None
    tournament: PlainText | None = None
    box: Word | None = None
    match: WholeNumber | None = None
    born: Mark = ""


class Unfit(ValueError):
    """What was said is no value of its kind; the argument says which field, in a few words."""


def read(kind: type[Said], data: bytes) -> Said:
    """A JSON object, strictly: fields that are not known are passed over. Raises Unfit."""
    return _fit(lambda: msgspec.json.decode(data, type=kind))


def converted(kind: type[Said], value: object) -> Said:
    """The same for what was read already. Raises Unfit."""
    return _fit(lambda: msgspec.convert(value, kind))


def _fit(work: Callable[[], Said]) -> Said:
    try:
        return work()
    # RecursionError: msgspec's for objects that lie too deep in each other
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise Unfit(str(error)[:120]) from error


def stored(kind: type[Said], text: str) -> Said:
    """The JSON text of a row. One that somebody has changed by hand counts as nothing said, until
    the box says it again.
    """
    try:
        return read(kind, text.encode("utf8", "replace"))
    except Unfit:
        return kind()


def written(value: Struct) -> Json:
    """For a database."""
    made: Json = msgspec.to_builtins(value)
    return made


def read_parts(payload: str) -> list[Json]:
    """The objects of a record, without limits that only Python would keep. Raises Unfit."""
    parts = [_part(text) for text in payload.split("\t")]
    if len(parts) > 2:
        raise Unfit("more than two parts")
    return parts


def _part(text: str) -> Json:
    try:
        part: Json = msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise Unfit(str(error)[:120]) from error
    _look(part, DEEPEST)
    return part


def _look(value: object, deep: int) -> None:
    if isinstance(value, str):
        if "\0" in value:
            raise Unfit("NUL in a text")
    # a number of 400 digits, or a NaN, is valid for Python and for nobody behind it
    elif isinstance(value, int | float):
        if not -LARGEST <= value <= LARGEST:
            raise Unfit("a number out of range")
    elif isinstance(value, list | dict):
        if not deep:
            raise Unfit("too deep")
        if isinstance(value, dict):
            _look(list(value), deep)  # keys are texts as well
        for one in value.values() if isinstance(value, dict) else value:
            _look(one, deep - 1)


def plain(text: str, most: int) -> str:
    """Of any text what every database and terminal takes, at most so many characters."""
    return "".join(letter if letter.isprintable() else "?" for letter in text[:most])
