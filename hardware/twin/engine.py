"""Two parties, one baton: the firmware runs until it is told to pause, then the session goes on,
never both.

The firmware has its own thread because it never returns by itself; the baton makes that invisible:
whoever does not hold it waits, so nothing in the twin needs a lock.
"""

import threading
import traceback
from abc import ABC, abstractmethod

from hardware.twin.errors import PowerCut, Reset, TwinError
from hardware.twin.service import Service

RETURNED = "returned"
CRASHED = "crashed"
INTERRUPTED = "interrupted"  # Ctrl-C: on a Pico this is the REPL
RESET = "reset"
CUT = "power cut"
FAULT = "twin error"
# what a firmware can end by: a fault of any kind, the twin's own endings, Ctrl-C, and sys.exit()
_ENDINGS = (Exception, PowerCut, KeyboardInterrupt, SystemExit)


class Engine(ABC):
    """One boot of the firmware. `outcome` is None while it runs, then one of the words above.

    `report` is the traceback of a crash or the reason of a reset, `error` the TwinError of a
    fault.
    """

    def __init__(self, service: Service, storage: str, entry: str) -> None:
        self.service = service
        self.storage = storage
        self.entry = entry
        self.outcome: str | None = None
        self.report = ""
        self.error: TwinError | None = None
        self._dead = False
        self._firmware_turn = threading.Semaphore(0)
        self._session_turn = threading.Semaphore(0)
        self._thread = threading.Thread(target=self._live, name="firmware", daemon=True)

    def resume(self) -> None:
        """Let the firmware go on until it pauses or ends."""
        if self._thread.ident is None:
            self._thread.start()
        if self.outcome is None:
            self._firmware_turn.release()
            self._wait_for_turn()

    def pause(self) -> None:
        """Called on the firmware's side: give the baton back and wait for it."""
        self._session_turn.release()
        self._firmware_turn.acquire()
        self.check_alive()

    @property
    def is_dead(self) -> bool:
        return self._dead

    def check_alive(self) -> None:
        """Raise PowerCut on the firmware's side once the power is gone."""
        if self._dead:
            raise PowerCut

    def kill(self) -> None:
        """Pull the plug: the firmware ends where it stands, without a last word."""
        self._dead = True
        self.resume()
        self._thread.join()

    def _wait_for_turn(self) -> None:
        try:
            self._session_turn.acquire()
        except KeyboardInterrupt:
            # Ctrl-C of the person at the terminal: the firmware still runs and must not go on
            self._dead = True
            self._session_turn.acquire()
            raise

    @abstractmethod
    def run(self) -> str:
        """Run the firmware to its end and return the outcome. Called with the baton in hand."""

    def _live(self) -> None:
        self._firmware_turn.acquire()
        try:
            self.check_alive()  # the power may be cut before the first step
            self.outcome = self.run()
        except _ENDINGS as error:
            self._record(error)
        finally:
            self._session_turn.release()

    def _record(self, error: BaseException) -> None:
        """Whatever ends the firmware is an outcome, as on the box, where the console shows it and
        the chip goes on.
        """
        if isinstance(error, Reset):
            self.outcome, self.report = RESET, str(error)
        elif isinstance(error, PowerCut):
            self.outcome = CUT
        elif isinstance(error, TwinError):
            self.outcome, self.error = FAULT, error
        elif isinstance(error, KeyboardInterrupt):
            self.outcome = INTERRUPTED
        else:
            self.outcome = CRASHED
            self.report = "".join(traceback.format_exception(error))
