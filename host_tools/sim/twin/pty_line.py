"""The USB line of a box in software on a pseudo terminal: raw at both ends, so that not one byte
is changed.
"""

import os
import pty
import select
import threading
import tty
from collections.abc import Callable

_CHUNK = 4096
_LOOK_S = 0.2


class PtyLine:
    """`path` is what a program opens like a serial port. `on_input` gets what it writes, in a
    thread of its own.
    """

    def __init__(self, on_input: Callable[[bytes], None]) -> None:
        self._on_input = on_input
        # our own hold on the far end keeps the line up while no program has it open
        self._near, self._far = pty.openpty()
        tty.setraw(self._near)
        tty.setraw(self._far)
        os.set_blocking(self._near, False)
        self.path = os.ttyname(self._far)
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._read, name="usb line", daemon=True)

    def write(self, data: bytes) -> None:
        """Send to the program. If nobody fetches it, the rest is lost, as on an unread USB
        line.
        """
        try:
            os.write(self._near, data)
        except BlockingIOError:
            return

    def __enter__(self) -> "PtyLine":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._ending.set()
        self._thread.join()
        os.close(self._near)
        os.close(self._far)

    def _read(self) -> None:
        while not self._ending.is_set():
            # a look now and then: `select` does not hear of `_ending`
            ready, _, _ = select.select([self._near], [], [], _LOOK_S)
            if ready:
                self._on_input(os.read(self._near, _CHUNK))
