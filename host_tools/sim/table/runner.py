"""One thread runs one box: real time, faster, or paused; the tasks of others in between."""

import contextlib
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import TypeVar

from hardware.twin.errors import TwinError
from hardware.twin.session import TwinSession
from host_tools.core.errors import UserError
from host_tools.core.supervisor import Supervisor
from host_tools.sim.table.hands import Waits

TURN_MS = 10
"""So long the firmware runs before tasks are heard again, in virtual time."""
LONGEST_TURN_MS = 200
IDLE_S = 0.05
ASK_S = 5.0
_LATE_S = 0.25  # a computer that was asleep does not catch up
# a box that nobody touches polls all the same; it dozes to save the processor
LIVELY_S = 4.0
"""So long after the last thing that anybody did the firmware runs all the time."""
DOZE_S = 0.9
"""So long it stands still while nothing happens, before it runs again; its clock goes on."""
CLOCK_DOZE_S = 0.4
"""The same while a match clock runs: every second of it is drawn, at most so late."""
PAUSED, REAL, FAST, UNBOUND = 0, 1, 10, 1000
SPEEDS = (PAUSED, REAL, FAST, UNBOUND)
"""Times as fast as the wall clock; UNBOUND waits only for people who think."""
Result = TypeVar("Result")


class Runner:
    """Runs `session` until `stop`. `after_turn()` is called behind every turn, `on_crash(text)`
    when the firmware or the twin fails; the box then stands still until `restart`. `hurry()` says
    whether nobody needs time to think: only then UNBOUND is faster than REAL. `rests()` says
    for how many seconds nothing at the box has its moment: in real time it costs little then.
    `let_go()` takes all hands off the box, and is to call `drop_acts`.
    """

    def __init__(
        self,
        session: TwinSession,
        after_turn: Callable[[], None],
        on_crash: Callable[[str], None],
        hurry: Callable[[], bool],
        rests: Callable[[], float],
        let_go: Callable[[], None],
        speed: int = REAL,
    ) -> None:
        self.session = session
        self.crashed = False
        self.hurried = False
        """As fast as it goes, whatever the speed: hands do what nobody wants to watch."""
        self._after_turn = after_turn
        self._on_crash = on_crash
        self._hurry = hurry
        self._rests = rests
        self._let_go = let_go
        self._lively_s = time.monotonic()
        self._speed = speed
        self._acts: list[tuple[int, Waits]] = []
        self._quick: Waits | None = None
        self._tasks: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._wall_s = 0.0
        self._virtual_ms = 0
        self._supervisor = Supervisor()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Power on and run."""
        # supervised: if the thread died unseen, the page would still look alive
        self._thread = self._supervisor.keep_thread("play", self._live)

    def stop(self) -> None:
        """End the thread and the box. From any other thread."""
        self._stop.set()
        # wakes a thread that waits for a task
        self.call(lambda: None)
        if self._thread is not None:
            self._thread.join(timeout=10)

    def call(self, task: Callable[[], None]) -> None:
        """Do `task()` soon, with the firmware standing still. From any thread."""
        self._tasks.put(task)

    def ask(self, task: Callable[[], Result]) -> Result:
        """The same, and wait until it is done; a UserError of it is for the asker alone. Raises
        TimeoutError if the box does not come to it within `ASK_S`: then it is never done, for
        somebody has been told so.
        """
        answer: Future[Result] = Future()

        def and_tell() -> None:
            if not answer.set_running_or_notify_cancel():
                return
            try:
                answer.set_result(task())
            except UserError as refusal:
                answer.set_exception(refusal)
            # a fault of ours: the asker hears of it, and the supervisor of this thread
            except BaseException as error:
                answer.set_exception(error)
                raise

        self.call(and_tell)
        # not `result(ASK_S)`: what has begun is waited for, it can no longer be refused
        wait([answer], ASK_S)
        # once cancelled it never begins: a press that was called too late played a second card
        if answer.cancel():
            raise TimeoutError
        return answer.result()

    # -- from here on only in the box's own thread

    @property
    def speed(self) -> int:
        """One of SPEEDS."""
        return self._speed

    @speed.setter
    def speed(self, speed: int) -> None:
        self._speed = speed
        self._rebase()

    def begin(self, act: Waits, quick: bool = False) -> None:
        """Start an act of hands; it goes on by itself. `quick`: nobody wants to watch it."""
        self._acts.append((self.session.now_ms, act))
        if quick:
            self._quick = act

    @property
    def busy(self) -> bool:
        """True while hands are at the box."""
        return bool(self._acts)

    @property
    def crowded(self) -> bool:
        """True while more than one pair of hands is at the box."""
        return len(self._acts) > 1

    def drop_acts(self) -> None:
        """The hands let go: the box has lost its power or restarts."""
        self._acts = []

    def restart(self) -> None:
        """Boot again after a crash or a power cut; the journal resumes the match."""
        self.drop_acts()
        self.session.cut_power()
        self.crashed = False
        self.session.boot()
        self._rebase()

    def _live(self) -> None:
        if self.session.on:  # this stopped by a fault: the box goes on from its journal
            self._let_go()
            self.session.cut_power()
        self.session.boot()
        self._rebase()
        while not self._stop.is_set():
            self._fulfil()
            if self.crashed or not self.session.on or self._speed == PAUSED:
                self._await_task(IDLE_S)
                self._rebase()
            elif doze_s := self._may_doze_s():
                self._doze(doze_s)
            else:
                self._turn(TURN_MS)
        self.session.close()

    def _may_doze_s(self) -> float:
        rests_s = 0.0 if self._acts or self._speed != REAL else self._rests()
        if not rests_s:
            self._lively_s = time.monotonic()
        return rests_s if time.monotonic() > self._lively_s + LIVELY_S else 0.0

    def _doze(self, limit_s: float) -> None:
        """Stand still until somebody wants something, let that time pass, and run for a moment."""
        begin_s = time.monotonic()
        task = None
        with contextlib.suppress(queue.Empty):
            task = self._tasks.get(timeout=limit_s)
        # thinking counts: the match clock goes on while the firmware stands still
        self.session.box.clock.advance(int(1_000_000 * (time.monotonic() - begin_s)))
        if task is not None:
            self._lively_s = time.monotonic()
            task()
        else:
            self._turn(LONGEST_TURN_MS // 2)
        self._rebase()

    def _turn(self, turn_ms: int) -> None:
        try:
            turn_ms = max(turn_ms, self._turn_ms())
            if self.session.running:
                self.session.run_for(turn_ms)
            else:
                self.session.box.clock.advance(1000 * turn_ms)  # at the REPL
        except TwinError as error:
            self.crashed = True
            self._on_crash(str(error))
            return
        self._after_turn()  # first: hands act on what the box has just said
        self._go_on_with_acts()
        self._keep_pace()

    def _turn_ms(self) -> int:
        """Short for people; a robot in a rush needs no turn before its next act is due."""
        if self._speed != UNBOUND or not self._acts:
            return TURN_MS
        next_ms = min(due for due, _ in self._acts) - self.session.now_ms
        return max(TURN_MS, min(next_ms, LONGEST_TURN_MS))

    def _go_on_with_acts(self) -> None:
        now = self.session.now_ms
        due = [pair for pair in self._acts if pair[0] <= now]
        for pair in due:
            wait_ms = next(pair[1], None)
            # the act itself may have dropped them all: a restart
            if pair in self._acts:
                self._acts.remove(pair)
                if wait_ms is not None:
                    self._acts.append((now + wait_ms, pair[1]))

    def _fulfil(self) -> None:
        while not self._tasks.empty():
            self._tasks.get()()
            self._lively_s = time.monotonic()

    def _await_task(self, limit_s: float) -> None:
        """Sleep so long, or until somebody wants something, which is done at once."""
        with contextlib.suppress(queue.Empty):
            self._tasks.get(timeout=limit_s)()
            self._lively_s = time.monotonic()

    def _keep_pace(self) -> None:
        # as fast as it goes; rebased, so that nothing is caught up afterwards
        if self.hurried or any(act is self._quick for _, act in self._acts):
            self._rebase()
            return
        speed = self._speed
        if speed == UNBOUND:
            if self.busy or self._hurry():
                self._rebase()
                return
            speed = REAL
        ahead_s = (self.session.now_ms - self._virtual_ms) / 1000 / speed - (
            time.monotonic() - self._wall_s
        )
        if ahead_s > 0:
            self._await_task(ahead_s)
        elif ahead_s < -_LATE_S:
            self._rebase()

    def _rebase(self) -> None:
        self._wall_s = time.monotonic()
        self._virtual_ms = self.session.now_ms
