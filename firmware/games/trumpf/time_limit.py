"""Trumpf against the clock: time-out, extension, sudden end, and what an undo makes of them (SW-3
to SW-5, CL-1).
"""

from micropython import const

from firmware.games.trumpf.rounds import take_back_cards
from firmware.games.trumpf.state import (
    DECIDE,
    EXTENDED,
    LEAD,
    NONE,
    PENDING,
    STARTED,
    SUDDEN,
    TIMEOUTS,
)
from firmware.rules.match import PHASE

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from firmware.games.trumpf.state import Rounds
    from firmware.rules.answers import Events
    from firmware.rules.clock import MatchClock

_NAMES = ("time_up", "extended", "sudden")


class TimeLimit:
    """What the clock of a match leads to. The match is handed in with every question."""

    def __init__(self, clock: "MatchClock") -> None:
        self._clock = clock
        # How often each of _NAMES was announced, over all time: after an undo not once more
        self.given = [0, 0, 0]
        self._undone = False  # time is looked at after an undo

    def set_clock(self, match: "Rounds") -> None:
        """CL-1: time counts from the first card to the end, not while paused or while the jury
        decides.
        """
        clock = self._clock
        now = match.cells.now
        clock.running = now[STARTED] == 1 and not clock.paused and now[PHASE] < DECIDE
        clock.limit_ms = clock.regular_ms + (clock.extension_ms if now[EXTENDED] else 0)

    def look(self, match: "Rounds", events: "Events", undone: bool) -> None:
        """Every time-out that the present position has reached."""
        self._undone = undone
        self.set_clock(match)
        self._look(match, events)
        self._undone = False

    def _look(self, match: "Rounds", events: "Events") -> None:
        now = match.cells.now
        while self._clock.is_up() and now[PHASE] < DECIDE and not (now[PENDING] or now[SUDDEN]):
            self._time_out(match, events)

    def _time_out(self, match: "Rounds", events: "Events") -> None:
        """SW-4: a called round is finished first, any other is taken back."""
        match.cells.add(TIMEOUTS, 1)
        self._signal(0, match.cells.now[TIMEOUTS], 0, events)
        if match.is_called():
            match.cells.set(PENDING, 1)
            return
        take_back_cards(match)
        self._end_time(match, events)

    def settle(self, match: "Rounds", events: "Events") -> None:
        """Once the called round of a time-out is over: the result, or the extension, whose own
        time-out may follow at once.
        """
        cells = match.cells
        if cells.now[PENDING] and cells.now[PHASE] == LEAD:
            cells.set(PENDING, 0)
            self._end_time(match, events)
            self._look(match, events)

    def _end_time(self, match: "Rounds", events: "Events") -> None:
        """SW-3, SW-5: more cards win; level: drawn, extended, or the next decided round."""
        cells = match.cells
        counts = match.counts()
        if match.stage == "group" or counts[0] != counts[1]:  # CL-6: with any number of seats
            match.finish("time", NONE, events)
        elif not cells.now[EXTENDED]:
            cells.set(EXTENDED, 1)
            self.set_clock(match)
            self._signal(1, 1, self._clock.left_ms(), events)
        else:
            cells.set(SUDDEN, 1)
            self._signal(2, 1, 0, events)

    def _signal(self, mark: int, reached: int, left_ms: int, events: "Events") -> None:
        if self._undone and reached <= self.given[mark]:
            return
        self.given[mark] = max(reached, self.given[mark])
        events.append((_NAMES[mark], left_ms))
