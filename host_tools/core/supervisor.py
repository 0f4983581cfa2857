"""One supervisor for everything that runs as long as its program does: nothing dies unseen.

What stops by a fault is said in the log, started again after a pause that grows, and if it stops
again and again the process ends, so that whoever started it starts a whole one
(docs/decisions/supervision-and-health.md).
"""

import asyncio
import logging
import os
import threading
import time
import traceback
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

from host_tools.core.errors import Exit, Sentence

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 30.0
WELL_S = 60.0
"""Seconds without a fault after which a task counts as well again."""
# a program that looks alive while a part of it cannot run is worse than one that ends
MOST_FAULTS = 8
"""Faults in a row, none of them `WELL_S` after the one before, that end the process: a minute."""
CANCEL_AGAIN_S = 2.0
"""Seconds before a task that survived a cancellation is cancelled again."""
_LOG = logging.getLogger("schiri")


@dataclass
class Task:
    """Something that is kept running. `restarts`: so often; `fault`: the last one."""

    name: str
    running: bool = True
    done: bool = False
    """It has returned, and needs nobody any more."""
    restarts: int = 0
    in_a_row: int = 0
    fault: str = ""
    at: datetime | None = None


def end_process() -> None:
    """At once: what is stored is stored, and a part that hangs would not let the others end."""
    os._exit(Exit.PART)


async def end_tasks(*tasks: asyncio.Task[Any]) -> None:
    """Cancel them and wait until they have ended; again if one goes on, as it may when a library
    took the cancellation for the end of something it waited for.
    """
    waiting = set(tasks)
    while waiting:
        for task in waiting:
            task.cancel()
        _, waiting = await asyncio.wait(waiting, timeout=CANCEL_AGAIN_S)
    await asyncio.gather(*tasks, return_exceptions=True)  # nobody asks for their faults


class Supervisor:
    """Keeps tasks of the event loop and threads running. `report` hears of every fault (in the
    task's own thread); `end` is called when one cannot be kept running.
    """

    def __init__(
        self,
        report: Callable[[Task], object] = lambda _: None,
        end: Callable[[], object] = end_process,
        clock: Callable[[], float] = time.monotonic,
        well_s: float = WELL_S,
    ) -> None:
        self.report = report
        self.tasks: dict[str, Task] = {}
        self._end = end
        self._clock = clock
        self._well_s = well_s
        self._kept: set[asyncio.Task[None]] = set()
        self._closed = threading.Event()

    # -- in the event loop ------------------------------------------------------------------------

    def keep(self, name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run `work()` until `close`, again after every fault; one that returns is done."""
        self._begin(self._keep(self._named(name), work))

    def once(self, name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run `work()` once: a fault is told, and that is all. For what is begun anew anyhow."""
        self._begin(self._run_once(name, work))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._kept.add(task)
        task.add_done_callback(self._kept.discard)

    async def _run_once(self, name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        with _Watched() as watched:
            await work()
        if watched.fault is not None:
            task = self._named(name)
            self._failed(task, watched.fault)
            task.running = True  # or will, with whatever begins it anew

    async def _keep(self, task: Task, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        while True:
            begun = self._clock()
            with _Watched() as watched:
                await work()
            if watched.fault is None:
                task.running, task.done = False, True
                return
            await asyncio.sleep(self._pause_s(task, watched.fault, begun))
            task.running = True

    async def close(self) -> None:
        """End all of them, and wait until they have ended. Threads end when their work returns."""
        self._closed.set()
        await end_tasks(*self._kept)

    # -- threads ----------------------------------------------------------------------------------

    def keep_thread(self, name: str, work: Callable[[], None]) -> threading.Thread:
        """The same for work that waits: in a thread of its own, which does not keep the program
        from ending.
        """
        task = self._named(name)

        def keep() -> None:
            while True:
                begun = self._clock()
                with _Watched() as watched:
                    work()
                if watched.fault is None:
                    task.running, task.done = False, True
                    return
                if self._closed.wait(self._pause_s(task, watched.fault, begun)):
                    return
                task.running = True

        thread = threading.Thread(target=keep, name=name, daemon=True)
        thread.start()
        return thread

    def end_threads(self) -> None:
        """Start no thread's work again, without waiting for any."""
        self._closed.set()

    # -- faults -----------------------------------------------------------------------------------

    def _named(self, name: str) -> Task:
        task = self.tasks.setdefault(name, Task(name))
        task.running, task.done = True, False
        return task

    def _failed(self, task: Task, fault: Exception, pause_s: float | None = None) -> None:
        task.restarts += 1
        task.running = False
        task.at = datetime.now(UTC)
        task.fault = _in_short(fault)
        said: dict[str, object] = {"task": task.name, "fault": task.fault}
        if pause_s is None:
            _LOG.error("%s", Sentence("task_failed", **said))
        else:
            _LOG.error("%s", Sentence("task_again", seconds=f"{pause_s:g}", **said))
        # a catch-all in each loop instead would hide what is wrong; a task group ends all of them
        self.report(task)

    def _pause_s(self, task: Task, fault: Exception, begun: float) -> float:
        """Tell of a fault; so long it rests now."""
        if self._clock() - begun >= self._well_s:
            task.in_a_row = 0
        task.in_a_row += 1
        pause_s = min(FIRST_PAUSE_S * 2.0 ** (task.in_a_row - 1), LONGEST_PAUSE_S)
        self._failed(task, fault, pause_s)
        if task.in_a_row >= MOST_FAULTS:
            self._give_up(task.name)
        return pause_s

    def _give_up(self, name: str) -> None:
        _LOG.critical("%s", Sentence("task_ends", task=name))
        self._end()


class _Watched:
    """A block whose fault is kept instead of raised: whoever runs it tells it."""

    fault: Exception | None = None

    def __enter__(self) -> "_Watched":
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _trace: TracebackType | None,
    ) -> Literal[False] | bool:
        if isinstance(error, Exception):
            self.fault = error
        return self.fault is not None


def _in_short(fault: Exception) -> str:
    """What and where, in a line."""
    frames = traceback.extract_tb(fault.__traceback__)
    where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    lines = str(fault).strip().splitlines()
    return f"{type(fault).__name__}{where}: {lines[0] if lines else '–'}"[:200]
