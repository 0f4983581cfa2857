"""The chip on a pseudo terminal, in real time, for any program that speaks to a serial PN532."""

import os
import select
import termios
import threading
import tty

from hardware.twin.clock import WallClock
from hardware.twin.faults import FaultPlan
from hardware.twin.field import RfField
from hardware.twin.pn532.chip import FACTORY_BAUD, Pn532Chip
from hardware.twin.pn532.hsu import HsuPort

_READ_MAX = 4096
_IDLE_S = 0.05  # how often the loop looks whether it shall stop
_BAUD_CODES = {
    getattr(termios, name): int(name[1:])
    for name in dir(termios)
    if name.startswith("B") and name[1:].isdigit()
}


class ReaderPty:
    """A reader with an RF field. Use as a context manager, or call `open`, `serve`, `close`.

    The peer's baud rate is not on the line of a pty: it is taken from the terminal's settings for
    the duration of bytes, and never garbles them.
    """

    def __init__(self, faults: FaultPlan | None = None) -> None:
        self.clock = WallClock()
        self.field = RfField(self.clock)
        self.chip = Pn532Chip(self.clock, self.field, faults=faults)
        self.port = HsuPort(self.chip, checks_baud=False)
        self.lock = threading.Lock()  # hold it to lay down or take away tags from another thread
        self.path = ""
        self._master = -1
        self._slave = -1
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def open(self) -> str:
        """Make the pty; returns the path for the peer."""
        self._master, self._slave = os.openpty()
        # raw before anyone opens it, and the slave end stays open here: otherwise the first peer
        # would see echo, and the last one's leaving would be an I/O error
        tty.setraw(self._master)
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.path = os.ttyname(self._slave)
        return self.path

    def close(self) -> None:
        """Give the pty back."""
        os.close(self._master)
        os.close(self._slave)

    def serve(self) -> None:
        """Serve until `stop`."""
        while not self._stop.is_set():
            self.serve_once()

    def stop(self) -> None:
        """Let `serve` return within 50 ms."""
        self._stop.set()

    def serve_once(self) -> None:
        """Wait for the peer or for the next thing that is due, and do it."""
        with self.lock:
            wait_s = self._wait_s()
        readable, _, _ = select.select([self._master], [], [], wait_s)
        with self.lock:
            self.clock.follow()
            if readable:
                self.port.baud = self._peer_baud()
                self.port.write(os.read(self._master, _READ_MAX))
            waiting = self._whole_frames()
        if waiting:
            self._send(waiting)

    def _whole_frames(self) -> bytes:
        """What is on the line, once it is all there: peers give up between two late pieces."""
        return b"" if self.port.next_arrival_us() else self.port.read(_READ_MAX)

    def _send(self, data: bytes) -> None:
        try:
            os.write(self._master, data)
        except BlockingIOError:
            return  # the peer has not read for 4 kB: bytes are lost, as in an overrun UART

    def _wait_s(self) -> float:
        self.clock.follow()
        due = [us for us in (self.clock.next_due_us(), self.port.next_arrival_us()) if us]
        if not due:
            return _IDLE_S
        return min(_IDLE_S, max(0, min(due) - self.clock.now_us) / 1_000_000)

    def _peer_baud(self) -> int:
        return _BAUD_CODES.get(termios.tcgetattr(self._slave)[5], FACTORY_BAUD) or FACTORY_BAUD

    def __enter__(self) -> "ReaderPty":
        self.open()
        self._thread = threading.Thread(target=self.serve, name="reader", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        if self._thread is not None:
            self._thread.join()
        self.close()
