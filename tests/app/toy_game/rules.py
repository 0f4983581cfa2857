"""Seats clap in turn; the last clap wins."""

from firmware.rules.answers import Awaits, Refusal, add_events
from firmware.rules.fields import need_int
from firmware.rules.match import Match
from firmware.rules.options import positive, read_options, seats_between

add_events(
    """
clapped seat left
"""
)


def _check_clap(command: "dict[str, object]") -> None:
    need_int(command, "seat")


class Claps(Match):
    """Cell 0: claps made."""

    CHECKS = {"clap": _check_clap}

    def __init__(self, header: "dict[str, object]") -> None:
        self.number = positive(read_options(header, ("claps", "last")), "claps", 3)
        Match.__init__(self, seats_between(header, 2, 3), [0])

    def awaits(self) -> "Awaits":
        """A clap of the next seat."""
        seat = None if self.over() else self.cells.now[0] % self.seats
        return Awaits(seat, "over" if self.over() else "clap", ())

    def over(self) -> bool:
        """After the last clap."""
        return self.cells.now[0] >= self.number

    def result(self) -> "list[tuple[str, object]]":
        """Scores: one point for the last clap."""
        last = (self.cells.now[0] - 1) % self.seats
        others = [seat for seat in range(self.seats) if seat != last]
        return [
            ("over", self.over()),
            ("reason", "clapped"),
            ("ranking", [[last], others]),
            ("scores", [int(seat == last) for seat in range(self.seats)]),
        ]

    def do_clap(
        self, command: "dict[str, object]", events: "list[tuple[object, ...]]"
    ) -> "Refusal | None":
        """The awaited seat claps."""
        seat = command["seat"]
        if seat != self.cells.now[0] % self.seats:
            return Refusal("wrong_seat", "")
        self.cells.add(0, 1)
        events.append(("clapped", seat, self.number - self.cells.now[0]))
        if self.over():
            events.append(("match_over", "clapped", self.result()[2][1]))
        return None
