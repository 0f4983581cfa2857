"""What time does in every game (CL-5 to CL-7): the end of a match by its clock, the signal of a
turn that takes long; a game with extensions has its own (SW-5). Only loaded for a match that has
such a time.
"""

from array import array

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
_TOLD = const(0x3FFFFFFF)  # instead of the milliseconds of a turn that has run out


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

    Time that has run stays run: an undo within a turn changes nothing here, and one that goes back
    to the turn before finds it as it was left, told or not. It takes no count back.
    """

    def __init__(self, limit_ms: int, seats: int) -> None:
        self.limit_ms = limit_ms
        self.counts = [0] * seats
        self._elapsed_ms = self._seen_ms = 0
        self.is_up = self.running = False
        # for each turn: commands accepted when it began, how long the one before took
        self.past = array("I")

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

    def begin(self, accepted: int) -> None:
        """A turn begins with this command."""
        self.past.append(accepted)
        self.past.append(_TOLD if self.is_up else min(self._elapsed_ms, _TOLD - 1))
        self._elapsed_ms = 0
        self.is_up = False

    def take_back(self, accepted: int) -> None:
        """So many commands are left: the turn that the one taken back began has not begun."""
        past = self.past
        if len(past) and past[-2] > accepted:
            self.is_up = past[-1] == _TOLD
            self._elapsed_ms = past[-1]
            self.past = past[:-2]

    def numbers(self) -> "list[Any]":
        """All that changes; `load` takes it."""
        return [self.counts, self._elapsed_ms, self._seen_ms, self.is_up, self.running]

    def load(self, numbers: "list[Any]") -> None:
        """Stand where `numbers` were taken."""
        self.counts, self._elapsed_ms, self._seen_ms, self.is_up, self.running = numbers
