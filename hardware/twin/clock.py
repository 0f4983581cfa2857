"""Time for the twin: whole microseconds and the calls that are due at some of them."""

import heapq
import time
from collections.abc import Callable


class Timer:
    """A call that has been asked for; `cancel()` forgets it."""

    __slots__ = ("action", "due_us")

    def __init__(self, due_us: int, action: Callable[[], None]) -> None:
        self.due_us = due_us
        self.action: Callable[[], None] | None = action

    def cancel(self) -> None:
        """Do not call any more. Harmless after the call."""
        self.action = None


class VirtualClock:
    """Time moves only by `advance`; on the way every due call is made, in order of its time.

    A call sees `now_us` equal to its own due time, and may ask for further calls.
    """

    def __init__(self, now_us: int = 0) -> None:
        self._now_us = now_us
        self._order = 0
        self._queue: list[tuple[int, int, Timer]] = []

    @property
    def now_us(self) -> int:
        """Microseconds since the clock was made."""
        return self._now_us

    def at(self, due_us: int, action: Callable[[], None]) -> Timer:
        """Call `action` at the absolute time `due_us`; if that is past, at the next advance."""
        timer = Timer(due_us, action)
        self._order += 1
        # the number keeps calls of one time in the order of asking, and Timers uncompared
        heapq.heappush(self._queue, (due_us, self._order, timer))
        return timer

    def after(self, delay_us: int, action: Callable[[], None]) -> Timer:
        """Call `action` `delay_us` from now."""
        return self.at(self._now_us + delay_us, action)

    def next_due_us(self) -> int | None:
        """The time of the next call, None if nothing is planned."""
        while self._queue and self._queue[0][2].action is None:
            heapq.heappop(self._queue)
        return self._queue[0][0] if self._queue else None

    def skip(self, us: int) -> bool:
        """Let `us` microseconds pass if nothing is due until then; False: none have passed."""
        target_us = self._now_us + us
        if self._queue and self._queue[0][0] <= target_us:
            return False
        self._now_us = target_us
        return True

    def advance(self, us: int) -> None:
        """Let `us` microseconds pass (0 makes only the calls already due)."""
        self.advance_to(self._now_us + us)

    def advance_to(self, target_us: int) -> None:
        """Let time pass until `target_us`. Time never runs backwards."""
        if not self._queue or self._queue[0][0] > target_us:  # nearly always: nothing is due
            if target_us > self._now_us:
                self._now_us = target_us
            return
        due_us = self.next_due_us()
        while due_us is not None and due_us <= target_us:
            timer = heapq.heappop(self._queue)[2]
            self._now_us = max(self._now_us, due_us)
            # forgotten first: the call may cancel its own timer, or ask for a new one in its place
            action, timer.action = timer.action, None
            if action is not None:
                action()
            due_us = self.next_due_us()
        self._now_us = max(self._now_us, target_us)


class WallClock(VirtualClock):
    """Follows the wall: `follow()` advances to the time that has really passed. For ptys."""

    def __init__(self) -> None:
        super().__init__()
        self._start_ns = time.monotonic_ns()

    def follow(self) -> None:
        """Make all calls that are due by the wall's time."""
        self.advance_to((time.monotonic_ns() - self._start_ns) // 1000)
