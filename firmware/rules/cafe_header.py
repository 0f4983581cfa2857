"""Header and options of a café match (TRANSCRIPT.md, *Files*; CB-7, CB-9, CB-13)."""

from micropython import const

from .board import Board
from .errors import Malformed
from .fields import need, one_of
from .options import read_options, refuse_trumpf_fields, seats_between

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from .options import Command

BAR_FIELDS = const(20)
# CB-9 and CA
_BAR_VALUES = {
    "board": "1 2 3 4 5 -2 -4 -6 -8 -10 -12 -14 -16 -18 -20 -22 -24 -26 -28 -30",
    "app": "1 2 3 4 5 -2 -4 -6 -8 -10 -4 -6 -8 -10 -12 -6 -8 -10 -12 -14",
}
_MOST_EARNED = const(25000)  # with at most 7200 at the tables, a score still fits into a cell


class CafeHeader:
    """What a header says: `seats`, `app`, `board`, `bar_values`, `bag_end`, `full_only`."""

    def __init__(self, header: "Command") -> None:
        preset = one_of(header, "preset", ("board", "app"))
        self.app = preset == "app"
        self.seats = seats_between(header, 2, 4)
        refuse_trumpf_fields(header)
        options = read_options(header, ("bag_end", "bar_values", "mono_bonus"))
        self.full_only = _full_only(options)
        self.bag_end = _bag_end(options)
        self.bar_values = _bar_values(options, preset)
        self.board = Board(need(header, "board"), preset)


def _full_only(options: "Command") -> bool:
    """CB-7: does only a full table of one nation count double?"""
    if "mono_bonus" not in options:
        return False
    return one_of(options, "mono_bonus", ("any_size", "full_only")) == "full_only"


def _bag_end(options: "Command") -> int:
    """CB-13: how many guests are left in the bag when the game ends."""
    value = options.get("bag_end", 3)
    if type(value) is not int or value not in (3, 4):
        raise Malformed("options.bag_end", "is not 3 or 4")
    return value


def _bar_values(options: "Command", preset: str) -> "list[int]":
    """CB-9: what each of the twenty fields brings or costs."""
    if "bar_values" not in options:
        return [int(value) for value in _BAR_VALUES[preset].split(" ")]
    values = options["bar_values"]
    if type(values) is not list or len(values) != BAR_FIELDS:
        raise Malformed("options.bar_values", "is not a list of 20 integers")
    earned = 0
    for value in values:
        if type(value) is not int:
            raise Malformed("options.bar_values", "is not a list of 20 integers")
        earned += max(value, 0)
    if earned > _MOST_EARNED:
        raise Malformed("options.bar_values", "bring more than " + str(_MOST_EARNED) + " points")
    return values
