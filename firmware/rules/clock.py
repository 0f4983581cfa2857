"""The match clock (CL-1, SW-3): counts up what was played; the limit grows by the extension
(SW-5).
"""

from micropython import const

from .errors import Malformed

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from .options import Header

GROUP_MS = 600_000  # SW-3
FINAL_MS = 1_200_000
EXTENSION_MS = 180_000  # SW-5


def duration(header: "Header", field: str) -> "int | None":
    """A header field in milliseconds; None if it is missing or null. Raises Malformed."""
    value = header.get(field)
    if value is None:
        return None
    if type(value) is not int or value < 1:
        raise Malformed(field, "is not a positive number of milliseconds")
    return value


class MatchClock:
    """Milliseconds of play. `elapsed_ms` never goes back, also not by an undo.

    `limit_ms` is the limit in force, with the extension once it was given. `running` says whether
    time counts now (the match sets it after every command); `paused` is the arbiter's.
    """

    def __init__(self, limit_ms: int, extension_ms: int) -> None:
        self.limit_ms = limit_ms
        self.regular_ms = limit_ms
        self.extension_ms = extension_ms
        self.elapsed_ms = 0
        self.paused = False
        self.running = False
        self._seen_ms = 0

    def run(self, t_ms: int) -> None:
        """Let the box's clock reach `t_ms`."""
        if self.running:
            self.elapsed_ms += t_ms - self._seen_ms
        self._seen_ms = t_ms

    def left_ms(self, t_ms: "int | None" = None) -> int:
        """Time left at the last command, or at `t_ms` if given (for a screen between commands).

        Never below 0.
        """
        elapsed_ms = self.elapsed_ms
        if t_ms is not None and self.running:
            elapsed_ms += t_ms - self._seen_ms
        return max(0, self.limit_ms - elapsed_ms)

    def numbers(self) -> "list[int]":
        """All that changes; `load` takes it."""
        times = [self.limit_ms, self.elapsed_ms, self._seen_ms]
        times.append(int(self.paused))
        times.append(int(self.running))
        return times

    def load(self, numbers: "list[int]") -> None:
        """Stand where `numbers` were taken."""
        self.limit_ms, self.elapsed_ms, self._seen_ms, paused, running = numbers
        self.paused = bool(paused)
        self.running = bool(running)

    def is_up(self) -> bool:
        """True when the limit in force has been reached."""
        return self.elapsed_ms >= self.limit_ms
