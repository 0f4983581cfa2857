"""A whole tournament day on the air while everything fails: boxes in MicroPython, Mosquitto,
PostgreSQL, one `schiri hall` and two `schiri desk`, each a process.

The event is drawn, called and given over the air; robots play it, groups and knock-out, and call
the jury. Meanwhile one thing after the other fails (faults.py), on links that cut, delay, double
and reorder. All the time both desks are looked at, and what they show is compared with what is
true at that moment (truth.py). Now and then all is mended, and the time is taken until both boards
show what the boxes recorded. At the end every finished journal is compared (comparing.py).
"""

import asyncio
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from host_tools.core.errors import UserError
from host_tools.core.supervisor import end_tasks
from host_tools.hall.connection import on_loop_error
from host_tools.tournament.actions import knockout, matches
from host_tools.tournament.match_state import MatchState
from host_tools.web.connections import allow_many_files
from host_tools.web.serving import LOOPBACK
from tests.long.comparing import (
    Comparison,
    jury_shown,
    results_shown,
    stored_wrong,
    tables_shown,
    wrong_results,
)
from tests.long.faults import KINDS, Faults
from tests.long.hall_programs import DESKS, HallPrograms
from tests.long.planted import ACTED, IN_BOXES
from tests.long.remembered import DECK, Remembered, played_by
from tests.long.truth import FOR_EVER, GOAL_S, Look, Truth
from tests.support.bad_air import BadAir
from tests.support.hall_boxes import Boxes
from tests.support.hall_day import open_day
from tests.support.programs import Postgres, postgres_server

_PAGES = ("groups", "tree")
_OLD = "Not up to date since"
_LOOK_S = 1.0


@dataclass
class DayPlan:
    """`trouble_s`: so long things fail, again and again, until all is mended once; `pause_s`: the
    mean time between two faults; `down_s`: the longest that something is away.
    """

    tables: int
    seed: int
    minutes: float = 30.0
    think_ms: int = 400
    trouble_s: float = 40.0
    pause_s: float = 2.0
    down_s: float = 4.0
    kinds: Sequence[str] = KINDS
    phases: int = 1000
    """So often there is trouble; then nothing fails any more."""
    slots: int = 0
    """So many of the groups' are played, and then no knock-out; 0: the whole day."""
    calm_s: float = 0.0
    """So long nothing fails at first."""
    patience_s: float = 300.0
    """So long the board, and the end, are waited for."""
    planted: str = ""
    """A deliberate fault of our own programs (planted.py)."""


@dataclass
class DayReport:
    """What came out. `lost`, `doubled`, `wrong`: sentences."""

    played: int = 0
    """Finished journals."""
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    caught_up_s: list[float] = field(default_factory=list)
    """From each repair until both boards showed what the boxes had recorded."""
    looks: int = 0
    carried: int = 0
    """Bytes over the air."""
    champion: str = ""
    ended: list[str] = field(default_factory=list)
    """Boxes and programs that have ended by a fault."""
    acted: bool = False
    """The planted fault has."""

    def missed(self) -> list[str]:
        """Every promise that was not kept."""
        late = [f"on the board after {took:.1f} s" for took in self.caught_up_s if took > GOAL_S]
        ended = [f"the program of {name} has ended" for name in self.ended]
        ended += [] if self.looks else ["nobody has looked at the desks"]
        return [*self.lost, *self.doubled, *self.wrong, *late, *ended]


def play_day(plan: DayPlan) -> DayReport:
    """One day, with its own PostgreSQL. Raises what went wrong."""
    allow_many_files()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="schiri-day-")))
        server = stack.enter_context(postgres_server())
        return asyncio.run(FaultDay(plan, folder, server).run())


class FaultDay:
    """The hall, and who looks after it."""

    def __init__(self, plan: DayPlan, folder: Path, server: Postgres) -> None:
        self.plan, self.folder, self._server = plan, folder, server
        self.report = DayReport()
        self._chance = random.Random(plan.seed)
        self._hall = HallPrograms(folder, server.uri, plan.planted)
        self._looks: list[Look] = []
        self._troubles: list[tuple[float, float]] = []
        self._begun = time.monotonic()

    def _tell(self, what: str) -> None:
        """For whoever reads why a day has failed."""
        print(f"{time.monotonic() - self._begun:6.1f} s: {what}", flush=True)

    # -- the day ----------------------------------------------------------------------------------

    async def run(self) -> DayReport:
        """All of it; what was started is ended, whatever happens."""
        try:
            return await self._run()
        finally:
            self._hall.stop()
            if hasattr(self, "boxes"):
                self.boxes.stop()

    async def _run(self) -> DayReport:
        plan, seed = self.plan, self.plan.seed
        asyncio.get_running_loop().set_exception_handler(on_loop_error)  # of the mad box
        players, ko_size = 2 * plan.tables, 1 << (plan.tables.bit_length() - 1)
        drawn = partial(open_day, self._hall.db, players, plan.tables, ko_size, deck=DECK)
        self.service = await asyncio.to_thread(drawn)
        self.store = self.service.store
        rates = {"cut": 0.0005, "double": 0.02, "exchange": 0.02, "delay": 0.02}
        async with BadAir(self._hall.broker_port, seed, **rates) as self.air:
            self.air.calm = True
            await asyncio.to_thread(self._set_up)
            for number in range(plan.tables):
                self.boxes.start(number)
            await self._until(lambda: len(self.store.live.boxes()) >= plan.tables, 300)
            self._tell(f"{plan.tables} boxes are on the air")
            await self._play()
            await self._close()
        await asyncio.to_thread(self.service.close)
        return self.report

    def _set_up(self) -> None:
        plan = self.plan
        air, patch = (LOOPBACK, self.air.port), IN_BOXES.get(plan.planted, "")
        self.boxes = Boxes(self.folder, plan.tables, air, plan.think_ms, patch)
        day = self._hall, self._server, self.air, self.boxes
        self.faults = Faults(day, self._chance, plan.tables, plan.down_s)
        self._hall.start(self.boxes.ids[: plan.tables])

    async def _play(self) -> None:
        """Until there is a champion, or no time is left."""
        started = time.monotonic()
        person = asyncio.create_task(self._look_after())
        looking = asyncio.create_task(self._look_always())
        try:
            await asyncio.wait([person], timeout=self.plan.calm_s or 0.01)
            while not person.done() and not self.boxes.ended():
                if time.monotonic() - started > 60 * self.plan.minutes:
                    self._tell("no time is left")
                    break
                if len(self.report.caught_up_s) < self.plan.phases:
                    await self._trouble_and_calm(person)
                else:
                    await asyncio.wait([person], timeout=self.plan.pause_s)
        finally:
            await end_tasks(person, looking)
            ends = await asyncio.gather(person, looking, return_exceptions=True)
        for end in ends:  # nobody looked any more: then nothing was seen
            if isinstance(end, Exception):
                raise end

    async def _trouble_and_calm(self, person: "asyncio.Task[None]") -> None:
        begun = time.time()
        self._troubles.append((begun, FOR_EVER))
        await self._make_trouble(person)
        self._troubles[-1] = begun, time.time()
        took = await self._caught_up()
        self.report.caught_up_s.append(took)
        self._tell(f"{self.report.faults.total()} faults, caught up after {took:.1f} s")

    async def _make_trouble(self, person: "asyncio.Task[None]") -> None:
        """Every kind fails once, several at a time, and at random until the time is over; all is
        mended at the end.
        """
        plan = self.plan
        self.air.calm = False
        end = time.monotonic() + plan.trouble_s
        due = self._chance.sample(plan.kinds, len(plan.kinds))
        under_way: set[asyncio.Task[None]] = set()
        while (time.monotonic() < end or due) and not person.done():
            kind = due.pop() if due else self._chance.choice(plan.kinds)
            if not any(task.get_name() == kind for task in under_way):
                task = asyncio.create_task(self.faults.fail(kind), name=kind)
                under_way.add(task)
                task.add_done_callback(under_way.discard)
                self.report.faults[kind] += 1
            await asyncio.sleep(self._chance.expovariate(1 / plan.pause_s))
        await asyncio.gather(*under_way)
        self.air.calm = True

    async def _until(self, done: Callable[[], bool], seconds: float) -> None:
        """Raises TimeoutError."""
        async with asyncio.timeout(seconds):
            while not await asyncio.to_thread(_try, done):
                for number in self.boxes.ended():
                    raise RuntimeError(f"a box has crashed: {self.boxes.log(number)[-800:]}")
                await asyncio.sleep(0.2)

    # -- who sits at the desk ---------------------------------------------------------------------

    async def _look_after(self) -> None:
        """Calls what can be played, checks what was reported, draws the tree."""
        while True:
            with suppress(UserError):  # the database: again
                if await asyncio.to_thread(self._act):
                    return
            await asyncio.sleep(0.3)

    def _act(self) -> bool:
        """True when all is played."""
        service, slots = self.service, self.plan.slots
        # these boxes have no key to sign with, so a person confirms what each of them reports
        for match in [one for one in service.state.matches.values() if one.status == "reported"]:
            self._do(partial(matches.check, match_id=match.id))
        wanted = [one for one in service.state.matches.values() if not slots or one.slot <= slots]
        self._call([match for match in wanted if match.status == "open"])
        state = service.state
        if not all(state.matches[match.id].counts for match in wanted):
            return False
        if slots:
            return True
        if state.bracket is None:
            if knockout.ties(state):
                service.do("Anna", "", knockout.draw_lots)
            service.do("Anna", "", knockout.draw_ko)
            self._tell("the tree is drawn")
            return False
        champion = state.bracket.champion
        self.report.champion = state.players[champion].name if champion else ""
        return champion is not None

    def _call(self, waiting: list[MatchState]) -> None:
        for slot in sorted({match.slot for match in waiting if match.group is not None}):
            self._do(lambda state, slot=slot: matches.call_slot(state, slot)[0])
        for match in sorted(waiting, key=lambda match: (match.slot, match.id)):
            if match.group is None:
                self._do(partial(_call_to_free_table, match=match.id))

    def _do(self, wanted: Any) -> None:
        with suppress(UserError):  # the table or a player is busy
            self.service.do("Beat", "", wanted)

    # -- what the boards show ---------------------------------------------------------------------

    async def _look_always(self) -> None:
        """Both desks, all the time. A desk that is away shows nothing wrong; one that is there
        and does not answer shows what it showed, which is nothing new.
        """
        turn = 0
        while True:
            self._hall.see_who_ended()
            for desk in DESKS:
                self._looks += await asyncio.to_thread(self._look, desk, turn % 2 == 0)
            with suppress(UserError):  # the database is away
                at = time.time()
                wrong = await asyncio.to_thread(
                    stored_wrong, self.boxes, self.plan.tables, self.store
                )
                self._looks.append(Look(at, -1, stored=tuple(wrong)))
            turn += 1
            await asyncio.sleep(_LOOK_S)

    def _look(self, desk: int, whole: bool) -> list[Look]:
        looks = []
        page = self._hall.page("tables", desk)
        if page:
            looks.append(Look(time.time(), desk, tables=tables_shown(page), old=_OLD in page))
        if not whole:
            return looks
        pages = self._pages(desk)
        if all(pages):
            looks.append(Look(time.time(), desk, results=frozenset(results_shown(*pages))))
        calls = jury_shown(self._hall.desk_page("desk/hall", desk))
        if calls is not None:
            looks.append(Look(time.time(), desk, jury=calls))
        return looks

    def _pages(self, desk: int) -> list[str]:
        return [self._hall.page(page, desk) for page in _PAGES]

    async def _caught_up(self) -> float:
        """So long until both boards show what is true at every table now, or what comes after."""
        mended, at = time.time(), time.monotonic()
        while behind := await asyncio.to_thread(self._behind, mended):
            if time.monotonic() > at + self.plan.patience_s or self._hall.dead:
                self.report.lost += [f"never caught up: {what}" for what in behind]
                break
            await asyncio.sleep(0.1)
        return time.monotonic() - at

    def _behind(self, since: float) -> list[str]:
        truth, found = self._truth(), []
        for desk in DESKS:
            looks = self._look(desk, whole=True)
            missing = [f"desk {desk} does not answer"] if len(looks) < 2 else []
            found += [what for look in looks for what in truth.behind(look, since, calm=True)]
            found += missing
        return found

    def _played_at(self, number: int) -> list[Remembered]:
        return played_by(self.boxes, number)

    # -- the end ----------------------------------------------------------------------------------

    async def _close(self) -> None:
        """Every result is on both boards and every box is confirmed, or patience is at its end."""
        report = self.report
        with suppress(TimeoutError):
            await self._until(self._all_is_done, self.plan.patience_s)
        report.ended = [self.boxes.ids[number] for number in self.boxes.ended()]
        report.ended += [f"{name} ({code})" for name, code in sorted(self._hall.dead.items())]
        report.acted = (self.folder / ACTED).exists()
        report.carried, report.looks = self.air.carried, len(self._looks)
        await asyncio.to_thread(self._compare)
        self._tell(
            f"{report.played} matches, {report.faults.total()} faults, {report.looks} looks"
        )

    def _all_is_done(self) -> bool:
        folders = [self.boxes.storage(number) for number in range(self.plan.tables)]
        waiting = any(list(folder.glob("m*.end")) for folder in folders)
        return not waiting and not any(self._results(desk)[0] for desk in DESKS)

    def _results(self, desk: int) -> tuple[list[str], list[str]]:
        """Results that are missing on the board, and those that nobody played."""
        tables = range(self.plan.tables)
        played = [match for number in tables for match in self._played_at(number)]
        return wrong_results(self._pages(desk), played)

    def _compare(self) -> None:
        """Flashes, store, tournament and pages against what the robots remember."""
        report = self.report
        found = Comparison(self.boxes, self.plan.tables, self.store, self.service.state)
        found.compare((self.faults.twin, self.faults.foreign))
        report.played, report.doubled = found.played, found.doubled
        report.lost += found.lost
        report.wrong += found.wrong
        for desk in DESKS:
            missing, wrong = self._results(desk)
            report.lost += [f"not on board {desk}: {what}" for what in missing]
            report.wrong += [f"on board {desk}: {what}" for what in wrong]
        truth = self._truth()
        report.wrong += [fault for look in self._looks for fault in truth.faults(look)]

    def _truth(self) -> Truth:
        count, twin = self.plan.tables, self.faults.twin
        of_twin = self._played_at(twin)
        victim = 1 + self.boxes.ids.index(self.boxes.ids[twin])
        return Truth(
            [self._played_at(number) for number in range(count)],
            self.boxes.ids[:count],
            self._troubles,
            ahead_s=1 + 2 * self.plan.think_ms / 1000,
            others={1: of_twin, victim: of_twin},
        )


def _try(done: Callable[[], bool]) -> bool:
    """The database may be away."""
    try:
        return done()
    except UserError:
        return False


def _call_to_free_table(state: Any, match: str) -> Any:
    return matches.call(state, match_id=match, table=matches.free_table(state))
