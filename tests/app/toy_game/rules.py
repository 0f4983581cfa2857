"""Seats clap in turn; the last clap wins."""

from firmware.rules.answers import Refusal, add_events
from firmware.rules.commands import AWAITED_SEAT, seat_named
from firmware.rules.match import PHASE, Match
from firmware.rules.options import positive, read_options, seats_between

add_events(
    """
clapped seat left
"""
)


_CLAPS = 1  # place of the cell that counts them


class Claps(Match):
    """Phase 0: a clap is awaited; 1: over."""

    AWAITED = ("clap", "nothing")
    TABLE = {"clap": (seat_named, AWAITED_SEAT, "", None, (1 << 0 | 1 << 1,))}

    def __init__(self, header: "dict[str, object]") -> None:
        self.number = positive(read_options(header, ("claps", "last")), "claps", 3)
        Match.__init__(self, seats_between(header, 2, 3), [0, 0])

    def awaited_seat(self) -> "int | None":
        """The next seat."""
        return None if self.over() else self.cells.now[_CLAPS] % self.seats

    def result(self) -> "list[tuple[str, object]]":
        """Scores: one point for the last clap."""
        last = (self.cells.now[_CLAPS] - 1) % self.seats
        others = [seat for seat in range(self.seats) if seat != last]
        return [
            ("over", self.over()),
            ("reason", "clapped"),
            ("ranking", [[last], others]),
            ("scores", [int(seat == last) for seat in range(self.seats)]),
        ]

    def do_clap(
        self, command: "dict[str, int]", events: "list[tuple[object, ...]]"
    ) -> "Refusal | None":
        """The awaited seat claps."""
        self.cells.add(_CLAPS, 1)
        left = self.number - self.cells.now[_CLAPS]
        events.append(("clapped", command["seat"], left))
        if left == 0:
            self.cells.set(PHASE, 1)
            events.append(("match_over", "clapped", self.result()[2][1]))
        return None
