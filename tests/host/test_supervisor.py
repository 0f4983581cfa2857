"""Nothing dies unseen: what stops is told, started again, and at last the process ends."""

import ast
import asyncio
import logging
import re
import threading
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from host_tools.core import supervisor as module
from host_tools.core.supervisor import (
    FIRST_PAUSE_S,
    LONGEST_PAUSE_S,
    MOST_FAULTS,
    WELL_S,
    Supervisor,
    Task,
)
from host_tools.hall.connection import MqttClient
from tests.processes import DEAD_S, LIMIT_S
from tests.sources import nodes

HOST_TOOLS = Path(module.__file__).parents[1]


def run(work: Coroutine[Any, Any, None]) -> None:
    """In a thread: in this one the browser's own event loop may be running."""
    with ThreadPoolExecutor(1) as threads:
        threads.submit(asyncio.run, work).result()


class Time:
    """Passes only where a task rests or runs; remembers the pauses."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.now_s = 0.0
        self.pauses: list[float] = []
        rest = asyncio.sleep

        async def sleep(seconds: float) -> None:
            self.pauses.append(seconds)
            self.now_s += seconds
            await rest(0)

        patch.setattr(module.asyncio, "sleep", sleep)

    def __call__(self) -> float:
        return self.now_s


def test_what_fails_rests_longer_each_time_and_then_the_process_ends(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    clock, told = Time(monkeypatch), []
    ended = asyncio.Event()

    async def work() -> None:
        raise ValueError("no such card")

    async def main() -> None:
        tasks = Supervisor(lambda task: told.append(task.restarts), ended.set, clock)
        tasks.keep("follow", work)
        await ended.wait()
        assert tasks.tasks["follow"].restarts == MOST_FAULTS
        await tasks.close()

    with caplog.at_level(logging.ERROR, "schiri"):
        run(main())
    assert told == [1, 2, 3, 4, 5, 6, 7, 8]
    assert clock.pauses[:7] == [0.5, 1, 2, 4, 8, 16, 30]
    assert (FIRST_PAUSE_S, LONGEST_PAUSE_S) == (0.5, 30)
    said = [record.getMessage() for record in caplog.records]
    assert said[0].startswith("follow has stopped: ValueError (test_supervisor.py:")
    assert said[0].endswith("): no such card; starting it again in 0.5 s")
    assert said[-1] == "follow cannot be kept running: the program ends and must be started again"


def test_what_ran_well_for_a_while_begins_with_a_short_pause_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Time(monkeypatch)
    runs, done = [0], asyncio.Event()

    async def work() -> None:
        runs[0] += 1
        if runs[0] == 4:
            clock.now_s += WELL_S
        if runs[0] == 6:
            done.set()
            return
        raise KeyError(runs[0])

    async def main() -> None:
        tasks = Supervisor(end=lambda: pytest.fail("it ended"), clock=clock)
        tasks.keep("write", work)
        await done.wait()
        await asyncio.gather(*tasks._kept)
        assert tasks.tasks["write"] == Task(
            "write",
            running=False,
            done=True,
            restarts=5,
            in_a_row=2,
            fault=tasks.tasks["write"].fault,
            at=tasks.tasks["write"].at,
        )

    run(main())
    assert clock.pauses == [0.5, 1, 2, 0.5, 1]


def test_what_is_done_once_is_told_and_not_repeated() -> None:
    runs = []

    async def work() -> None:
        runs.append(1)
        raise LookupError("box")

    async def main() -> None:
        told: list[str] = []
        tasks = Supervisor(lambda task: told.append(task.name))
        tasks.once("box b0", work)
        await asyncio.gather(*tasks._kept)
        assert told == ["box b0"]

    run(main())
    assert runs == [1]


def test_closing_ends_what_works_and_what_rests() -> None:
    ended = []

    async def works() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("works")

    async def fails() -> None:
        raise ValueError

    async def main() -> None:
        tasks = Supervisor()
        tasks.keep("works", works)
        tasks.keep("fails", fails)
        await asyncio.sleep(0.01)
        await tasks.close()
        assert not tasks._kept

    run(main())
    assert ended == ["works"]


def test_a_thread_goes_on_after_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST_PAUSE_S", 0.0)
    runs, again = [0], threading.Event()

    def work() -> None:
        runs[0] += 1
        if runs[0] == 1:
            raise OSError("the port is gone")
        again.set()

    tasks = Supervisor()
    thread = tasks.keep_thread("box at ttyACM0", work)
    assert again.wait(LIMIT_S)
    thread.join(DEAD_S)
    assert (tasks.tasks["box at ttyACM0"].restarts, thread.is_alive()) == (1, False)


# -- what forgets that it was cancelled ----------------------------------------------------------


def test_closing_ends_what_took_a_cancellation_for_something_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "CANCEL_AGAIN_S", 0.01)
    ignored = []

    async def goes_on() -> None:
        while len(ignored) < 2:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                ignored.append("once more")
        await asyncio.Event().wait()

    async def main() -> None:
        tasks = Supervisor()
        tasks.keep("goes on", goes_on)
        await asyncio.sleep(0.01)
        async with asyncio.timeout(LIMIT_S):
            await tasks.close()

    run(main())
    assert len(ignored) == 2


def test_a_client_of_the_broker_that_is_cancelled_while_its_answer_comes_ends() -> None:
    async def main() -> None:
        client = MqttClient("localhost")
        answer = asyncio.get_running_loop().create_future()

        async def waits() -> None:
            await client._wait_for(answer, timeout=LIMIT_S)
            await asyncio.Event().wait()

        task = asyncio.create_task(waits())
        await asyncio.sleep(0)
        answer.set_result(None)  # both in one turn of the loop
        task.cancel()
        done, _ = await asyncio.wait([task], timeout=1)
        task.cancel()
        assert done

    run(main())


# -- the tree -------------------------------------------------------------------------------------

# module -> what it starts beside the supervisor, and why that cannot die unseen
ALLOWED = {
    "core/supervisor.py": 2,  # itself
    "core/signals.py": 1,  # a signal that could not end a callback comes again
    "hall/connection.py": 1,  # the first that fails ends the others, and is raised
    "web/table/serving.py": 1,  # opens a browser, once
    "commands/play.py": 1,  # the same
    "commands/decks.py": 1,  # the same
    "replay/engine/session.py": 2,  # feed one replay, which waits for them
    "sim/twin/box.py": 2,  # `schiri twin box`: the process of a simulated box, and its console
    "sim/twin/pty_line.py": 1,  # the same: its USB line
}
STARTERS = {"create_task", "ensure_future", "start_soon", "Thread", "Timer", "Process"}
STARTERS |= {"start_new_thread", "run_coroutine_threadsafe"}
# who asked waits for the answer
ASKS = {"hall/air_link.py": 1, "web/table/server.py": 1}


def starts(path: Path) -> Iterator[ast.Call]:
    """Every call in a module that begins a task or a thread."""
    for node in nodes(path):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in STARTERS:
                yield node


def test_nothing_is_started_but_by_the_supervisor() -> None:
    found = {
        str(path.relative_to(HOST_TOOLS)): len(list(starts(path)))
        for path in sorted(HOST_TOOLS.rglob("*.py"))
    }
    assert {name: count for name, count in found.items() if count} == ALLOWED | ASKS


def test_nothing_waits_by_what_may_forget_a_cancellation() -> None:
    """`asyncio.wait_for` of Python 3.11 does; `asyncio.timeout` does not."""
    calls = {
        path.name
        for path in HOST_TOOLS.rglob("*.py")
        if re.search(r"asyncio\.wait_for\(", path.read_text("utf8"))
    }
    assert calls == set()
