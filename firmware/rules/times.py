"""What time does in every game (CL-5 to CL-7): the end of a match by its clock, the signal of a
turn that takes long; a game with extensions has its own (SW-5). Only loaded for a match that has
such a time.
"""

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any, Protocol

    from firmware.rules.answers import Events
    from firmware.rules.cells import Cells
    from firmware.rules.clock import MatchClock

    class Timed(Protocol):
        """A match, as time has it."""

        @property
        def cells(self) -> Cells: ...
        @property
        def TIMED(self) -> int: ...
        def is_begun(self) -> bool: ...
        def end_by_time(self, events: Events) -> None: ...


_PHASE = const(0)  # as in match.py


class EndOfTime:
    """CL-6: at time-out what was begun is finished, then the match ends as it does otherwise.

    Two cells from `first` on: whether the clock has started, and whether time is up.
    """

    def __init__(self, clock: "MatchClock", first: int) -> None:
        self.clock = clock
        self.started = first
        self.up = first + 1
        self.reported = False  # over all time: after an undo not once more

    def set_clock(self, match: "Timed") -> None:
        """CL-1: time counts from the first card to the end, not while paused."""
        now = match.cells.now
        started = now[self.started] == 1 and now[_PHASE] < match.TIMED
        self.clock.running = started and not self.clock.paused

    def look(self, match: "Timed", events: "Events") -> None:
        """The time-out, if the present position has reached it."""
        now = match.cells.now
        if now[self.up] or now[_PHASE] >= match.TIMED or not self.clock.is_up():
            return
        match.cells.set(self.up, 1)
        if not self.reported:
            events.append(("time_up", 0))
            self.reported = True
        if not match.is_begun():
            match.end_by_time(events)


class TurnTime:
    """CL-7: counts how often each seat took longer than `limit_ms`, and only signals. `is_up`: it
    did so in this turn; `running`: somebody is on turn, and time is not paused (the match sets it
    after every command).

    An undo gives no time and takes no count back.
    """

    def __init__(self, limit_ms: int, seats: int) -> None:
        self.limit_ms = limit_ms
        self.counts = [0] * seats
        self._elapsed_ms = self._seen_ms = 0
        self.is_up = self.running = False

    def run(self, t_ms: int) -> None:
        """Let the box's clock reach `t_ms`."""
        if self.running:
            self._elapsed_ms += t_ms - self._seen_ms
        self._seen_ms = t_ms

    def is_due(self, t_ms: int) -> bool:
        """True at `t_ms` if this turn has run out by then and nobody was told."""
        passed_ms = self._elapsed_ms + (t_ms - self._seen_ms if self.running else 0)
        return not self.is_up and passed_ms >= self.limit_ms

    def look(self, seat: int, events: "Events") -> None:
        """Signal, once a turn."""
        if self.is_due(self._seen_ms):
            self.is_up = True
            self.counts[seat] += 1
            events.append(("turn_up", seat, self.counts[seat]))

    def begin(self) -> None:
        """A turn begins."""
        self._elapsed_ms = 0
        self.is_up = False

    def numbers(self) -> "list[Any]":
        """All that changes; `load` takes it."""
        return [self.counts, self._elapsed_ms, self._seen_ms, self.is_up, self.running]

    def load(self, numbers: "list[Any]") -> None:
        """Stand where `numbers` were taken."""
        self.counts, self._elapsed_ms, self._seen_ms, self.is_up, self.running = numbers
