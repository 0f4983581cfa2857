"""Options and header fields that belong to one game only (TRANSCRIPT.md, *Files*)."""

from micropython import const

from .errors import Malformed

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    Header = dict[str, object]


def refuse_stage(header: "Header") -> None:
    """Raise Malformed for the stage of a tournament in a game that has none (SW-5)."""
    if "stage" in header:
        raise Malformed("stage", "belongs to a game with a knock-out")


def read_options(header: "Header", names: "tuple[str, ...]") -> "dict[str, object]":
    """The `options` of a header ({} if missing). Raises Malformed for a name not in `names`."""
    options = header.get("options", {})
    if type(options) is not dict:
        raise Malformed("options", "is not an object")
    for name in sorted(options):
        if name not in names:
            raise Malformed("options." + name, "is no option of this game")
    return options


def positive(options: "dict[str, object]", name: str, default: int) -> int:
    """An option that is a positive integer, or `default` if it is missing."""
    value = options.get(name, default)
    if type(value) is not int or value < 1:
        raise Malformed("options." + name, "is not a positive integer")
    return value


def seats_between(header: "Header", least: int, most: int) -> int:
    """The number of seats. Raises Malformed outside `least`..`most`."""
    seats = header.get("seats")
    if type(seats) is not int:
        raise Malformed("seats", "is missing or not an integer")
    if not least <= seats <= most:
        raise Malformed("seats", "is not " + str(least) + " to " + str(most))
    return seats
