"""Header and options of a café match (TRANSCRIPT.md, *Files*; CB-5, CB-7 to CB-9, CB-13, CA-4)."""

from micropython import const

from firmware.games.cafe.board import Board
from firmware.rules.errors import Malformed
from firmware.rules.fields import need, one_of
from firmware.rules.options import read_options, refuse_stage, seats_between

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from firmware.rules.options import Header

BAR_FIELDS = const(20)
# CB-9 and CA
_BAR_VALUES = {
    "board": "1 2 3 4 5 -2 -4 -6 -8 -10 -12 -14 -16 -18 -20 -22 -24 -26 -28 -30",
    "app": "1 2 3 4 5 -2 -4 -6 -8 -10 -4 -6 -8 -10 -12 -6 -8 -10 -12 -14",
}
_MOST_EARNED = const(25000)  # with at most 7200 at the tables, a score still fits into a cell


# option -> what a header without it means, the other choice. The menus may write another one.
_CHOICES = {
    "mono_bonus": ("any_size", "full_only"),  # CB-7
    "between": ("either", "both"),  # CB-5
    "drawing": ("shrink", "leaflet"),  # CB-8
    "cards_end": ("missing", "last"),  # CA-4
    "mono": ("table", "same"),  # CB-7
    "bar_joker": ("score", "seat"),  # CB-10
}
_PRESET_OF = {"drawing": "board", "cards_end": "app", "mono": "app"}


class CafeHeader:
    """What a header says: `seats`, `app`, `board`, `bar_values`, `bag_end`; and as true or false
    `full_only` and `same` (CB-7), `both` (CB-5), `leaflet` (CB-8), `last_card` (CA-4),
    `seat_joker` (CB-10).
    """

    def __init__(self, header: "Header") -> None:
        preset = one_of(header, "preset", ("board", "app"))
        self.app = preset == "app"
        self.seats = seats_between(header, 2, 4)
        refuse_stage(header)
        options = read_options(header, ("bag_end", "bar_values") + tuple(sorted(_CHOICES)))
        self.full_only = _differs(options, "mono_bonus", preset)
        self.both = _differs(options, "between", preset)
        self.leaflet = _differs(options, "drawing", preset)
        self.last_card = _differs(options, "cards_end", preset)
        self.seat_joker = _differs(options, "bar_joker", preset)
        self.same = _differs(options, "mono", preset)
        self.bag_end = _bag_end(options)
        self.bar_values = _bar_values(options, preset)
        self.board = Board(need(header, "board"), preset)


def _differs(options: "Header", name: str, preset: str) -> bool:
    """Is an option with two choices there, and not what its absence means?"""
    if name not in options:
        return False
    field = "options." + name
    if _PRESET_OF.get(name, preset) != preset:
        raise Malformed(field, "belongs to preset " + _PRESET_OF[name])
    try:
        return one_of(options, name, _CHOICES[name]) != _CHOICES[name][0]
    except Malformed as fault:
        raise Malformed(field, fault.text) from None


def _bag_end(options: "Header") -> int:
    """CB-13: how many guests are left in the bag when the game ends."""
    value = options.get("bag_end", 3)
    if type(value) is not int or value not in (3, 4):
        raise Malformed("options.bag_end", "is not 3 or 4")
    return value


def _bar_values(options: "Header", preset: str) -> "list[int]":
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
