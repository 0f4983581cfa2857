"""The laptop's end of the link to a box (docs/link.md): requests, retries, plain errors."""

import errno
import random
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import serial  # type: ignore[import-untyped]  # pyserial ships no types

from firmware.app.link_frames import LINK_VERSION, BadFrame, read_frame, unpack_line, write_frame
from host_tools.core.errors import Exit, Sentence, UserError

BAUD = 115200  # USB serial ignores it; a UART bridge needs it
WAIT_S = 0.25  # one silent read
SILENT_READS = 8  # so many silent reads end an attempt: two seconds
ATTEMPTS = 5
NOISE_LIMIT = 65536  # bytes without an answer that end an attempt

PORT_FAULTS = {
    errno.ENOENT: "port_none",
    errno.EACCES: "port_forbidden",
    errno.EBUSY: "port_busy",
    errno.EAGAIN: "port_busy",
}
# pyserial's errors have no number on Windows, where a port that another program has is forbidden
WINDOWS_FAULTS = {"FileNotFoundError": "port_none", "PermissionError": "port_busy"}


Outcome = TypeVar("Outcome")


class Port(Protocol):
    """What the link needs of a serial port; the tests' lines have it too."""

    def read(self, size: int = 1) -> bytes:
        """What came within WAIT_S, at most `size` bytes; empty if nothing did."""

    def write(self, data: bytes) -> object:
        """Send everything."""

    def close(self) -> None:
        """Give the port back."""


class LinkLost(UserError):
    """The box went away or does not answer; what was fetched so far is kept."""

    exit_code = Exit.SYSTEM


class BoxRefusal(UserError):
    """The box answered and said no. `reason` is one of the stable names of docs/link.md."""

    exit_code = Exit.SYSTEM

    def __init__(self, reason: str, text: str) -> None:
        super().__init__("box_refused", reason=reason, detail=text)
        self.reason = reason


class BoxLink:
    """One box on one port. Every request may be repeated: the box answers the same again."""

    def __init__(self, port: Port, name: str = "", first_id: int | None = None) -> None:
        """`first_id` is given only where a run must repeat itself to the byte."""
        self._port = port
        self._name = name or Sentence("link_box")
        self._pending = bytearray()
        # A random start, so that an answer meant for an earlier session is never taken for ours.
        self._id = random.SystemRandom().randrange(1 << 24) if first_id is None else first_id
        self.repeats = 0

    def close(self) -> None:
        self._port.close()

    def hello(self) -> dict[str, Any]:
        """Who is there. Raises UserError if box and laptop speak different versions."""
        reply = self.request("hello")
        version = reply.get("schiri")
        if version != LINK_VERSION:
            newer = isinstance(version, int) and version > LINK_VERSION
            code = "box_too_new" if newer else "laptop_too_new"
            raise UserError(code, Exit.SYSTEM, version=version, ours=LINK_VERSION)
        return reply

    def request(self, do: str, **fields: object) -> dict[str, Any]:
        """Ask and return the reply. Raises LinkLost after five attempts, BoxRefusal for a no."""
        self._id += 1
        frame = write_frame({"id": self._id, "do": do, **fields})
        for attempt in range(ATTEMPTS):
            self.repeats += attempt > 0
            # The newline in front ends whatever half a line the box may hold.
            self._on_port(lambda: self._port.write(b"\n" + frame))
            reply = self._await_reply()
            if reply is not None:
                return self._judge(reply)
        raise LinkLost("box_silent", name=self._name)

    def records(self, match: int, first: int, limit: int | None = None) -> dict[str, Any]:
        """Some lines of a match from index `first`, `lines` as bytes; `next`, `end`, `torn`."""
        for _ in range(ATTEMPTS):
            extra = {} if limit is None else {"bytes": limit}
            reply = self.request("records", match=match, **{"from": first}, **extra)
            try:
                lines = [unpack_line(text) for text in reply["lines"]]
            except BadFrame:
                continue
            return {**reply, "lines": lines}
        raise LinkLost("box_unreadable", name=self._name)

    # -- inside ---------------------------------------------------------------------------

    def _await_reply(self) -> dict[str, Any] | None:
        """The reply to the current request; None when it is time to ask again."""
        # noise ends an attempt too: a port that sends other things without end must not hold us
        silent = 0
        noise = 0
        while silent < SILENT_READS and noise < NOISE_LIMIT:
            line = self._next_line()
            if line is None:
                silent += 1
                continue
            noise += len(line)
            try:
                reply = read_frame(line)
            except BadFrame:
                if line.startswith(b"{"):
                    return None  # very likely our answer, damaged: ask again at once
                continue
            if reply.get("id") == self._id:
                return reply
            if reply.get("id") is None:
                return None  # our question came damaged
        return None

    def _next_line(self) -> bytes | None:
        """The next whole line, or None after one silent read."""
        while b"\n" not in self._pending:
            data = self._on_port(lambda: self._port.read(4096))
            if not data:
                return None
            self._pending += data
            if len(self._pending) > NOISE_LIMIT:
                self._pending.clear()
                return None  # no line of ours is so long: as good as silence
        line, _, rest = self._pending.partition(b"\n")
        self._pending = rest
        return bytes(line)

    def _on_port(self, action: Callable[[], Outcome]) -> Outcome:
        try:
            return action()
        except OSError as error:  # serial.SerialException is one
            raise LinkLost("box_unplugged", name=self._name) from error

    def _judge(self, reply: dict[str, Any]) -> dict[str, Any]:
        if "error" in reply:
            raise BoxRefusal(str(reply["error"]), str(reply.get("text", "")))
        return reply


def open_link(port: str) -> BoxLink:
    """Open a port: a device name, a pty, or a pyserial URL such as socket://host:port.

    Raises UserError (exit 3) when it is missing, in use, or not ours to open.
    """
    try:
        # exclusive: two programs at one port would take each other's answers
        device = serial.serial_for_url(port, baudrate=BAUD, timeout=WAIT_S, exclusive=True)
    except (OSError, ValueError) as error:
        raise _port_error(port, error) from error
    return BoxLink(_Reading(device), port)


class _Reading:
    """pyserial waits for *all* bytes asked for; the link wants what is there."""

    def __init__(self, device: Any) -> None:
        self._device = device

    def read(self, size: int = 1) -> bytes:
        first: bytes = self._device.read(1)
        if not first:
            return first
        waiting = min(size - 1, self._device.in_waiting)
        return first + bytes(self._device.read(waiting)) if waiting > 0 else first

    def write(self, data: bytes) -> object:
        return self._device.write(data)

    def close(self) -> None:
        self._device.close()


def _port_error(port: str, error: Exception) -> UserError:
    number = getattr(error, "errno", None)
    if number is None and "lock" in str(error):
        number = errno.EBUSY
    if number in PORT_FAULTS:
        return UserError(PORT_FAULTS[number], Exit.SYSTEM, port=port)
    for name, key in WINDOWS_FAULTS.items():
        if name in str(error):
            return UserError(key, Exit.SYSTEM, port=port)
    return UserError("port_failed", Exit.SYSTEM, port=port, detail=str(error))
