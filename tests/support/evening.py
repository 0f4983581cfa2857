"""An evening at a real `schiri play`, whose process is killed as often as one likes, and what must
be the same afterwards. Whose cards are where is worked out here, from the journal and the number
of the deal that the test has chosen.
"""

import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import psutil

from host_tools.games.box_words import box_words
from host_tools.games.steps import Step
from host_tools.sim.table.match_log import Deals, MatchLog
from tests.processes import DEAD_S, begin, free_port, wait

RUN = "from host_tools.cli import main; main()"
SEED = 2
CLOCK = re.compile(r"\t(\d+):(\d\d)")
CLOCK_S = 5
"""CL-2: a power cut may cost at most so much."""


class Heard:
    """What a page of the table hears, in a thread: the newest state and screen."""

    def __init__(self, url: str, key: str) -> None:
        self.state: Any = None
        self.clock_s: int | None = None
        self._url, self._key = url, key
        self._ended = False
        threading.Thread(target=self._listen, daemon=True).start()

    def hang_up(self) -> None:
        """The page is closed; it notices with the next line that it hears."""
        self._ended = True

    def _listen(self) -> None:
        kind = ""
        try:
            with httpx.stream("GET", self._url, params={"key": self._key}, timeout=60) as stream:
                for line in stream.iter_lines():
                    if self._ended:
                        return
                    if line.startswith("event: "):
                        kind = line[7:]
                    elif line.startswith("data: "):
                        self._take(kind, json.loads(line[6:]))
        except httpx.HTTPError:  # killed
            return

    def _take(self, kind: str, content: Any) -> None:
        if kind == "state":
            self.state = content
        elif kind == "oled":
            said = CLOCK.search("\n".join(line["text"] for line in content["lines"][:1]))
            if said:
                self.clock_s = 60 * int(said[1]) + int(said[2])


class EveningAtHome:
    """`schiri play` in a folder of its own. `kills` counts; `slowest_s` is the longest time from a
    start to the first state that a page hears.
    """

    def __init__(self, folder: Path, engine: str = "cpython") -> None:
        self.folder = folder
        self.port = free_port()
        self.kills = 0
        self.slowest_s = 0.0
        self.key = ""
        self.seats: dict[int, str] = {}
        self.engine = engine
        self._log = folder / "said.txt"
        self._process: subprocess.Popen[bytes] | None = None
        self._expected: MatchLog | None = None

    # -- the process

    def start(self, *options: str) -> None:
        """Start it, and hear the table."""
        begin_s = time.monotonic()
        command = [sys.executable, "-c", RUN, "play", "--no-open", "--lang", "en"]
        command += ["--engine", self.engine, "--port", str(self.port), *options]
        self._log.write_bytes(b"")
        home = {"HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder)}
        self._process = begin(command, self._log, **home, PYTHONUNBUFFERED="1", PATH="")
        wait(lambda: "Ctrl-C" in self.said() or self._ended())
        assert not self._ended(), self.said()
        key = urlsplit(self.said().split()[0]).query.removeprefix("key=")
        assert self.key in ("", key)
        self.key = key
        self.page = Heard(f"{self.base}/t/1/events", key)
        wait(lambda: self.page.state is not None)
        self.slowest_s = max(self.slowest_s, time.monotonic() - begin_s)

    def _ended(self) -> bool:
        return self._process is not None and self._process.poll() is not None

    def said(self) -> str:
        """What it has printed."""
        return self._log.read_text("utf8")

    def kill(self) -> None:
        """As a power cut of the computer: no handler runs."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(DEAD_S)
        self.kills += 1

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    # -- pages

    def do(self, key: str = "", **message: Any) -> str:
        """Send a message; returns why it was refused, "" if it was not."""
        answer = httpx.post(
            f"{self.base}/t/1/do",
            params={"key": key or self.key},
            content=json.dumps(message),
            timeout=60,
        )
        return "" if answer.status_code == 200 else answer.text

    def join(self, seat: int, name: str) -> None:
        """A phone takes a seat."""
        code = json.loads((self.home / "table1.json").read_text("utf8"))["phones"]["code"]
        way = httpx.post(f"{self.base}/code", content=code).json()["join"]
        claim = {"name": name, "colour": "red", "seat": seat}
        got = httpx.post(f"{self.base}/{way}", json=claim)
        assert got.status_code == 200, got.text
        self.seats[seat] = got.json()["key"]

    @property
    def home(self) -> Path:
        return self.folder / "schiri" / "evening"

    def hand(self, seat: int, key: str = "") -> list[Any]:
        """The cards of a seat as the server has them, by host or seat."""
        answer = httpx.get(f"{self.base}/t/1/hand/{seat}", params={"key": key or self.key})
        assert answer.status_code == 200, answer.text
        cards: list[Any] = answer.json()["cards"]
        return cards

    def listen(self, key: str) -> Heard:
        """One more page, with this key."""
        return Heard(f"{self.base}/t/1/events", key)

    def is_match(self, number: int) -> bool:
        """Is this match being played?"""
        match = self.page.state["match"]
        return bool(match and match["number"] == number and not match["closed"])

    def memory(self) -> int:
        """Bytes of the process that are nobody else's."""
        assert self._process is not None
        return int(psutil.Process(self._process.pid).memory_full_info().uss)

    def connections(self) -> int:
        """Lines to pages that are open now."""
        assert self._process is not None
        lines = psutil.Process(self._process.pid).net_connections("tcp")
        return sum(line.status == psutil.CONN_ESTABLISHED for line in lines)

    # -- what must be

    def log(self) -> MatchLog:
        """The match as the journal on the disk has it, with the cards of the chosen deal."""
        if self._expected is None:
            say = box_words("en").get
            self._expected = MatchLog(self.home / "table1", "en", say, Deals(numbers={1: SEED}))
        self._expected.look()
        return self._expected

    def move(self, seat: int) -> tuple[Step, ...]:
        """What a person at this seat does next."""
        world = self.log().world
        assert world is not None
        return world.move(seat)

    def press(self, step: Step) -> str:
        """A person does it on the page."""
        if step.do == "lay":
            return self.do(do="tap", code=step.what)
        if step.do == "pick":
            return self.do(do="choose", labels=[step.what])
        return self.do(do="button", button=step.what, down=True) or self.do(
            do="button", button=step.what, down=False
        )

    def killed(self) -> None:
        """Killed and started again, with everything as it was."""
        told = self.page
        before, seen = told.state, self.log().count
        self.kill()
        log = self.log()
        steps = list(log.steps)
        left_s = _left_s(log)
        # whatever a page was told is on the disk
        if before["match"] and before["match"]["number"] == log.number:
            assert before["match"]["count"] <= len(steps)
        assert seen <= len(steps)
        self.start()
        wait(self._goes_on)
        self._compare(before, steps)
        if left_s is not None and told.clock_s is not None:
            # a page shows whole seconds
            assert left_s - told.clock_s <= CLOCK_S + 1

    def _goes_on(self) -> bool:
        match = self.page.state["match"]
        return match is None or not match["paused"]

    def _compare(self, before: Any, steps: list[Any]) -> None:
        after = self.page.state
        assert after["life"] != before["life"]
        assert after["speed"] == before["speed"]
        held = [(one["seat"], one["name"], one["colour"]) for one in after["phones"]]
        assert held == [(one["seat"], one["name"], one["colour"]) for one in before["phones"]]
        old, new = before["match"], after["match"]
        if old is None or new["number"] != old["number"]:
            return
        assert new["in_force"] == old["in_force"]
        for was, now in zip(old["seats"], new["seats"], strict=True):
            assert [now[f] for f in ("name", "auto", "strength")] == [
                was[f] for f in ("name", "auto", "strength")
            ]
        self._compare_hands(steps)

    def _compare_hands(self, steps: list[Any]) -> None:
        # a bot may lay a card between the two looks
        def same() -> bool:
            log = self.log()
            assert log.steps[: len(steps)] == steps
            assert log.world is not None
            seats = range(log.world.seats)
            theirs = [self.hand(seat) for seat in seats]
            if self.log().count != log.count:
                return False
            mine: Any = [log.world.hand(seat) for seat in seats]
            return bool(theirs == mine)

        wait(same)
        for seat, key in self.seats.items():
            assert self.hand(seat, key) == self.hand(seat)


def _left_s(log: MatchLog) -> float | None:
    """The clock at the last command on the disk, from which the box counts on (CL-2)."""
    clock = log.world.match.clock if log.world and log.steps else None
    return None if clock is None else clock.left_ms(log.steps[-1][0]["t"]) / 1000


@contextmanager
def evening(folder: Path) -> Iterator[EveningAtHome]:
    """One that is killed at the end of the block."""
    opened = EveningAtHome(folder)
    try:
        yield opened
    finally:
        opened.kill()
