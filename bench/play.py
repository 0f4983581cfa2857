"""`make bench`: how quickly the virtual table answers, over the loopback, in real time.

Measured is what a page waits for: from sending the tap until the first changed picture is there.
The reader's own time and the firmware's drawing are in it, because time runs at its real pace.
"""

import contextlib
import json
import statistics
import threading
import time
from collections.abc import Iterator

import httpx

from bench.figure import Figure
from bench.served import tables_served
from host_tools.web.table.server import PlayServer

TAPS = 21
GOAL_MS = 100.0
_LIMIT_S = 30.0
_STILL_S = 1.5  # longer than a message needs, shorter than two seconds of the clock


def measure() -> list[Figure]:
    """Tap to changed pixels (median and worst), and the first paint of the page."""
    server = PlayServer("micropython", "en")
    with tables_served(server) as base:
        started = time.perf_counter()
        server.open_table()
        desk = httpx.Client(base_url=base, params={"key": server.key})  # one line, as a page has
        page = desk.get("/t/1")
        first_ms = 1000 * (time.perf_counter() - started)
        page.raise_for_status()
        with _Pictures(f"{base}/t/1/events?key={server.key}") as pictures:
            pictures.await_picture()
            _tap(desk, pictures)  # the first one imports the page of messages
            answers = sorted(_tap(desk, pictures) for _ in range(TAPS))
    median = statistics.median(answers)
    return [
        Figure(
            "tap → changed pixels at the page, median",
            median,
            "ms",
            f"≤ {GOAL_MS:.0f}",
            median <= GOAL_MS,
        ),
        Figure("tap → changed pixels at the page, slowest", answers[-1], "ms"),
        Figure("new table → its page, without waiting for the VM", first_ms, "ms"),
    ]


def _tap(desk: httpx.Client, pictures: "_Pictures") -> float:
    """The jury card on the start menu: the box says that it is not asked for now. Then OK."""
    pictures.await_stillness()
    started = time.perf_counter()
    _send(desk, {"do": "tap", "code": "jury"})
    answered = pictures.await_picture()
    pictures.await_stillness()
    for down in (True, False):
        _send(desk, {"do": "button", "button": "ok", "down": down})
        time.sleep(0.1)
    return 1000 * (answered - started)


def _send(desk: httpx.Client, message: dict[str, object]) -> None:
    desk.post("/t/1/do", content=json.dumps(message)).raise_for_status()


class _Pictures:
    """Listens to the events of a table, like a page; knows when the last picture came."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._came = threading.Condition()
        self._last_s = 0.0
        self._count = 0
        self._seen = 0
        self._client = httpx.Client(timeout=None)
        self._thread = threading.Thread(target=self._listen, daemon=True)

    def __enter__(self) -> "_Pictures":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._client.close()

    def await_picture(self) -> float:
        """When the next picture came that nobody has waited for yet, by the wall's seconds."""
        with self._came:
            self._came.wait_for(lambda: self._count > self._seen, _LIMIT_S)
            self._seen = self._count
            return self._last_s

    def await_stillness(self) -> None:
        """Until no picture has come for a while."""
        while time.perf_counter() - self._last_s < _STILL_S:
            time.sleep(0.05)
        self._seen = self._count

    def _listen(self) -> None:
        with contextlib.suppress(httpx.HTTPError, RuntimeError):  # the client was closed
            for line in self._lines():
                if line == "event: oled":
                    with self._came:
                        self._last_s = time.perf_counter()
                        self._count += 1
                        self._came.notify_all()

    def _lines(self) -> Iterator[str]:
        with self._client.stream("GET", self._url) as answer:
            yield from answer.iter_lines()
