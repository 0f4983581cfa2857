"""How a command is ended from outside."""

import _thread
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from host_tools.core.errors import Exit

AGAIN_S = 0.01
ENDINGS = (signal.SIGINT, signal.SIGTERM)
Handler = Callable[[int, FrameType | None], None]


class Stopped(KeyboardInterrupt):
    """Ctrl-C, or SIGTERM; `exit_code` is a shell's: 128 and the signal's number."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number
        self.exit_code = Exit(128 + number)


_HOOK = {"runs": False}


def _stop(number: int, _frame: FrameType | None) -> None:
    if _HOOK["runs"]:  # what a hook raises is lost as well: later once more
        _stop_later(number)
    else:
        raise Stopped(number)


def _stop_later(number: int) -> None:
    def again() -> None:
        time.sleep(AGAIN_S)
        _thread.interrupt_main(signal.Signals(number))

    # not a Thread: its start waits, on a busy machine until the signal is there again
    _thread.start_new_thread(again, ())


@contextmanager
def heed_signals(handler: Handler = _stop) -> Iterator[None]:
    """SIGTERM ends what runs within as Ctrl-C does: what was written so far is stored.

    Ctrl-C too where a shell has started us in the background and lets us ignore it. Python hands
    signals to the main thread only. What makes an event loop within needs a handler that does not
    raise: a loop that is half made complains when it is collected.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = [(number, signal.signal(number, handler)) for number in ENDINGS]
    hook, sys.unraisablehook = sys.unraisablehook, _not_lost
    try:
        yield
    finally:
        sys.unraisablehook = hook
        for number, before_it in before:
            signal.signal(number, before_it)


def _not_lost(unraisable: "sys.UnraisableHookArgs") -> None:
    """A signal that came while Python ran a callback, of an import or of garbage, which may not
    raise: it comes again behind that.
    """
    if isinstance(unraisable.exc_value, Stopped):
        _HOOK["runs"] = True
        _stop_later(unraisable.exc_value.number)
        _HOOK["runs"] = False
    else:
        sys.__unraisablehook__(unraisable)
