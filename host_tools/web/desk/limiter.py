"""Slows down whoever guesses passwords."""

from collections import deque
from collections.abc import Callable

PER_NAME = 5
PER_ADDRESS = 20
"""More than for a name: a hall behind one access point is one address."""
WINDOW_S = 300.0
LOG_S = 60.0
"""A line for each address and minute: whoever guesses must not fill the log."""
KEPT = 10_000
"""So many addresses and names are remembered; then the oldest are forgotten."""


class Limiter:
    """Counts failures per address, and per address and name: nobody can lock others out.

    `clock` gives seconds that only grow.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._failures: dict[tuple[str, ...], deque[float]] = {}
        self._logged: dict[str, float] = {}

    def wait_s(self, address: str, name: str) -> int:
        """Seconds until the next attempt is allowed; 0: now."""
        limits = (((address,), PER_ADDRESS), ((address, name), PER_NAME))
        return max(self._wait(key, most) for key, most in limits)

    def _wait(self, key: tuple[str, ...], most: int) -> int:
        times = self._failures.get(key, deque())
        while times and times[0] <= self._clock() - WINDOW_S:
            times.popleft()
        if len(times) < most:
            return 0
        # when the oldest failure that keeps the limit reached leaves the window
        return int(times[-most] + WINDOW_S - self._clock()) + 1

    def first_wait(self, address: str) -> bool:
        """True once a minute for each address that has to wait."""
        now = self._clock()
        logged = now - self._logged.get(address, -LOG_S) < LOG_S
        if not logged:
            self._logged[address] = now
            while len(self._logged) > KEPT:
                del self._logged[next(iter(self._logged))]
        return not logged

    def failed(self, address: str, name: str) -> None:
        # maxlen: even the larger limit looks no further back
        for key in ((address,), (address, name)):
            self._failures.setdefault(key, deque(maxlen=PER_ADDRESS)).append(self._clock())
        while len(self._failures) > KEPT:
            del self._failures[next(iter(self._failures))]

    def succeeded(self, address: str, name: str) -> None:
        """A right password forgives the wrong ones of this name, and itself counts for nothing
        (every attempt is counted before it is checked).
        """
        self._failures.pop((address, name), None)
        times = self._failures.get((address,))
        if times:
            times.pop()
