"""A box that keeps pace with the wall clock, for people: `schiri twin box` and the page in the
browser.
"""

import queue
import threading
import time
from collections.abc import Callable

from hardware.twin.session import TwinSession

_PACE_US = 5_000  # how often virtual time waits for the wall
_TURN_MS = 1_000
_LATE_S = 0.25  # a computer that was asleep does not catch up
_CTRL_D = 4


class LiveTwin:
    """Runs a booted session in real time, `speed` times as fast, until `stop()`.

    Everything that other threads want from the box goes through `call`: it is done between two
    turns of the firmware, in the thread that runs the box.
    """

    def __init__(self, session: TwinSession, speed: float = 1.0) -> None:
        self.session = session
        self.speed = speed
        self._calls: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._wall_s = 0.0
        self._virtual_us = 0

    def call(self, function: Callable[[], None]) -> None:
        """Call `function` soon, with the firmware standing still. From any thread."""
        self._calls.put(function)

    def stop(self) -> None:
        """End `run`. From any thread."""
        self._stop.set()

    def run(self) -> None:
        """Run until `stop`. Raises TwinError when the firmware crashes."""
        clock = self.session.box.clock
        self._rebase()
        self._pace()
        while not self._stop.is_set():
            if self.session.running:
                self.session.run_until(self._wanted, _TURN_MS)
            else:
                clock.advance(_PACE_US)
                self._at_repl()
            self._fulfil()

    def _wanted(self) -> bool:
        return self._stop.is_set() or not self._calls.empty()

    def _fulfil(self) -> None:
        while not self._calls.empty():
            self._calls.get()()

    def _at_repl(self) -> None:
        """After Ctrl-C the twin offers what matters of the REPL: Ctrl-D starts the box anew."""
        if self.session.on and _CTRL_D in self.session.box.usb.take(64):
            self.session.reboot()

    def _pace(self) -> None:
        self.session.box.clock.after(_PACE_US, self._pace)
        elapsed_s = (self.session.box.clock.now_us - self._virtual_us) / 1_000_000 / self.speed
        ahead_s = elapsed_s - (time.monotonic() - self._wall_s)
        if ahead_s > 0:
            self._stop.wait(ahead_s)
        elif ahead_s < -_LATE_S:
            self._rebase()

    def _rebase(self) -> None:
        self._wall_s = time.monotonic()
        self._virtual_us = self.session.box.clock.now_us
