"""What the running firmware does for an update: it proves itself, and lets a laptop bring things.

What writes the other slot (`slot_writer.py`) or a match of a backup (`match_writer.py`) is loaded
when the first such request comes.
"""

from micropython import const

from .link import RequestError
from .slots import Slots

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .journal import Journal
    from .slots import CodeFlash, StateFiles
    from .update_check import About

_HEALTHY_MS = const(5000)  # so long without a fault, and a firmware is trusted
_WELL_MS = const(60000)  # so long, and the crashes before count no more
_LEAVE_MS = const(300)  # the last answer must have left the USB buffer
_REQUESTS = ("restore", "update", "update_begin", "update_data", "update_finish")


class Updating:
    """`running` is the slot in use, "" without slots. `reset()` restarts the box, `feed()` keeps
    its watchdog quiet while a slot is checked. `plays` is False after a crash: no proof of health.
    `about`: what update_check.py must know.
    """

    def __init__(
        self,
        disk: "StateFiles",
        flash: "CodeFlash | None",
        running: str,
        reset: "Callable[[], None]",
        feed: "Callable[[], None]",
        clock: "Any",
        plays: bool = True,
    ) -> None:
        self._disk = disk
        self._running = running
        self._reset = reset
        self._feed = feed
        self._clock = clock
        self._slots = Slots(disk, flash)
        self._trusted = not plays
        self._crashes = plays  # some may be on record
        self._born_ms: "int | None" = None
        self._leaving_ms: "int | None" = None
        self._now_ms = 0
        self._link: "Any" = None
        self._in_match: "Callable[[], bool]" = lambda: False
        self._writer: "Any" = None
        self._journal: "Any" = None
        self.about: "About" = "", "0", b"", None

    def serve(self, link: "Any", journal: "Journal", in_match: "Callable[[], bool]") -> None:
        """Add the requests to the table of the link. `in_match()`: then nothing is written."""
        self._link = link
        self._journal = journal
        self._in_match = in_match
        for name in _REQUESTS:
            link.handlers[name] = self._answer

    def step(self, now_ms: int) -> None:
        """A firmware that comes here for several seconds is healthy: it is trusted."""
        self._now_ms = now_ms
        since = self._clock.ticks_diff
        if self._born_ms is None:
            self._born_ms = now_ms
        if not self._trusted and since(now_ms, self._born_ms) >= _HEALTHY_MS:
            self._trusted = True
            self._slots.confirm(self._running)
        if self._crashes and since(now_ms, self._born_ms) >= _WELL_MS:
            self._crashes = False
            self._forget_crashes()
        if self._leaving_ms is not None and since(now_ms, self._leaving_ms) >= _LEAVE_MS:
            self._reset()
        if self._writer is not None:
            if self._in_match():
                self._writer = None
            else:
                self._writer.step()

    def _forget_crashes(self) -> None:
        """What `crash.may_restart` has counted."""
        try:
            for name in self._disk.names():
                if name.startswith("crashes."):
                    self._disk.remove(name)
        except OSError:
            pass  # a flash that does not write: the next crash counts as one more

    def _answer(self, request: "dict[str, Any]") -> "dict[str, Any]":
        if request["do"] == "restore":
            return self._restore(request)
        if self._writer is None:
            from .slot_writer import SlotWriter
            from .update_check import UpdateCheck

            check = UpdateCheck(self._disk, self._clock, self.about)
            self._writer = SlotWriter(
                self._slots, self._running, self._in_match, self._feed, check
            )
        reply: "dict[str, Any]" = self._writer.handlers[request["do"]](request)
        if request["do"] == "update_finish":
            self._link.when_sent = self._leave
        return reply

    def _restore(self, request: "dict[str, Any]") -> "dict[str, Any]":
        from .match_writer import restore

        if self._in_match():
            raise RequestError("in_match", "a match is open; finish it first")
        return restore(self._journal, request)

    def _leave(self) -> None:
        self._leaving_ms = self._now_ms
