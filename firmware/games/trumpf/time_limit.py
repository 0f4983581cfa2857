"""Trumpf against the clock: time-out, extension, sudden end, and what an undo makes of them (SW-3
to SW-5, CL-1).
"""

from micropython import const

from firmware.games.trumpf.rounds import TrumpfRounds
from firmware.games.trumpf.state import (
    CALLED,
    DECIDE,
    EXTENDED,
    NONE,
    PENDING,
    PHASE,
    STARTED,
    SUDDEN,
    TIMEOUTS,
)

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from firmware.games.trumpf.state import Events
    from firmware.rules.answers import Refusal

# How far the clock's events have come; those once given are not given again by an undo
_MARKS = (TIMEOUTS, EXTENDED, SUDDEN)
_NAMES = ("time_up", "extended", "sudden")


class TrumpfTime(TrumpfRounds):
    """The clock's part of a match; all of it is idle where `clock` is None."""

    def __init__(self, header: "dict[str, object]") -> None:
        super().__init__(header)
        self._took_back = False  # this command's time has taken presented cards back
        self._given = [0, 0, 0]  # the furthest _MARKS ever announced; an undo leaves them alone
        self._undoing = False

    def _run_clock(self, t_ms: int) -> None:
        self._took_back = False
        if self.clock is not None:
            self.clock.run(t_ms)

    def _set_clock(self) -> None:
        """CL-1: time counts from the first card to the end, not while paused or while the jury
        decides.
        """
        clock = self.clock
        if clock is not None:
            now = self.cells.now
            clock.running = now[STARTED] == 1 and not clock.paused and now[PHASE] < DECIDE
            clock.limit_ms = clock.regular_ms + (clock.extension_ms if now[EXTENDED] else 0)

    def _look_at_time(self, events: "Events") -> None:
        if self.clock is None:
            return
        self._set_clock()
        now = self.cells.now
        while self.clock.is_up() and now[PHASE] < DECIDE and not now[PENDING] and not now[SUDDEN]:
            self._time_out(events)

    def _time_out(self, events: "Events") -> None:
        """SW-4: a called round is finished first, any other is taken back."""
        cells = self.cells
        cells.add(TIMEOUTS, 1)
        self._signal(0, 0, events)
        if cells.now[CALLED]:
            cells.set(PENDING, 1)
            return
        self._take_back_cards()
        self._end_time(events)

    def _settle_time(self, events: "Events") -> None:
        """The called round is over: the result, or the extension, whose own time-out may follow at
        once.
        """
        self.cells.set(PENDING, 0)
        self._end_time(events)
        self._look_at_time(events)

    def _end_time(self, events: "Events") -> None:
        """SW-3, SW-5: more cards win; level: drawn, extended, or the next decided round."""
        cells = self.cells
        mine, theirs = self.counts()
        if mine != theirs:
            self._finish("time", 0 if mine > theirs else 1, events)
        elif self.stage == "group":
            self._finish("time", NONE, events)
        elif not cells.now[EXTENDED]:
            cells.set(EXTENDED, 1)
            self._set_clock()
            self._signal(1, self.clock.left_ms(), events)  # type: ignore[union-attr]
        else:
            cells.set(SUDDEN, 1)
            self._signal(2, 0, events)

    def _signal(self, mark: int, left_ms: int, events: "Events") -> None:
        reached = self.cells.now[_MARKS[mark]]
        if self._undoing and reached <= self._given[mark]:
            return
        self._given[mark] = max(reached, self._given[mark])
        events.append((_NAMES[mark], left_ms))

    def _take_back_cards(self) -> None:
        """Presented cards lie on top of their piles again and the same caller goes on."""
        if self._piles.put_back():
            self._took_back = True
            self._restart_round()

    def _undo(self, events: "Events") -> "Refusal | None":
        self._undoing = True
        refusal = super()._undo(events)
        self._undoing = False
        return refusal
