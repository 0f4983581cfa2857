"""A whole tournament day on the air while everything fails: boxes in MicroPython, Mosquitto,
PostgreSQL, two `schiri hall` and two `schiri desk`, each a process.

    python -m bench.day_on_air --tables 16 --seed 1 --json

The event is drawn, called and given over the air; bots play it, groups and knock-out, and call
the jury. Meanwhile broker, halls, desks and PostgreSQL are killed, ended or halted, links cut,
delayed, doubled and reordered, boxes lose their power, two have one id, one is of another league,
one is mad, one sends hostile values, one forges another's records, and the database's disk is
full.

All the time both desks are looked at, and what they show is compared with what is true at that
moment (day_truth.py). Now and then all is mended, and the time taken until both boards show what
the boxes recorded. Any promise that is missed makes the exit code 1.
"""

import argparse
import asyncio
import http.client
import json
import random
import re
import signal
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import aiomqtt
import psycopg
from rich.console import Console

from bench.day_check import (
    DECK,
    DayVerdict,
    Remembered,
    compare,
    jury_shown,
    page_of,
    played_by,
    remembered,
    results_shown,
    stored_wrong,
    tables_shown,
    wrong_results,
)
from bench.day_truth import FOR_EVER, GOAL_S, Look, Truth
from bench.figure import Figure
from bench.hall_boxes import Boxes
from firmware.app.link_frames import read_record, write_record
from host_tools.cards.keys import KeyRing, LeagueKey, save_keys
from host_tools.core.errors import Exit, UserError
from host_tools.core.supervisor import end_tasks
from host_tools.hall import protocol
from host_tools.hall.connection import MqttClient, on_loop_error
from host_tools.hall.mosquitto import write_setup
from host_tools.sim.table.tags import LEAGUE_KEY
from host_tools.store import Store
from host_tools.tournament import events as ev
from host_tools.tournament.commands import entrants, knockout, matches
from host_tools.tournament.match_state import MatchState
from host_tools.tournament.model import Entrant
from host_tools.tournament.service import TournamentService
from host_tools.web.connections import allow_many_files
from host_tools.web.desk.accounts import Accounts
from host_tools.web.serving import LOOPBACK
from tests.processes import begin, free_port
from tests.support import programs
from tests.support.bad_air import BadAir
from tests.support.hall_day import name_of

SIZES = (16, 64, 256)
GROUP = 4
LARGEST_KO = 64
FOREIGN_KEY = bytes(32)
LEAGUE = protocol.league_id(LEAGUE_KEY)
AIR = protocol.air_key(LEAGUE_KEY)
OURS = ("broker", "hall", "hung", "desk", "box", "links", "twin", "foreign", "flood")
DATABASE = ("disk", "halted", "orderly", "immediate", "kill")
KINDS = (*OURS, *DATABASE, "hostile", "forged")
"""`halted`, `orderly`, `immediate`, `kill`: PostgreSQL; `hung`: the hall that receives."""
_PAGES = ("groups", "tree")
_DESKS = (0, 1)
_HALLS = ("hall0", "hall1")
_UNANSWERED = (OSError, http.client.HTTPException)
_OLD = "Not up to date since"
_USER, _PASSWORD = "anna", "schiri-in-der-halle"
_CARD = re.compile(r'"card": ?"(\w+)"')
_TOKEN = re.compile(r'name="csrf" value="([^"]+)"')
# what a box may say in a state or in its `here`: JSON knows more numbers than anybody can keep
_HOSTILE = (
    '{"boot": "x", "beat": 1, "match": 0, "lines": 0, "unix": 1%s}' % ("0" * 400),
    '{"boot": "x", "beat": 2, "match": 0, "lines": 0, "clock": NaN}',
    '{"boot": "x", "beat": 3, "match": 0, "lines": 0, "heap": 1e999}',
    '{"boot": "x", "beat": 4, "match": 0, "lines": 0, "title": "a\\u0000b"}',
    '{"boot": "x", "beat": 5, "match": 0, "lines": 0, "title": "\\ud800"}',
    '{"here": true, "boot": "x", "box": "mad", "name": "mad", "table": %s}' % ("9" * 5000),
    '{"here": true, "boot": "\\ud800", "box": "mad", "name": "\\u0000", "table": 1e999}',
)


@dataclass
class AirDayPlan:
    """`trouble_s`: so long things fail, again and again, until all is mended once; `pause_s`: the
    mean time between two faults; `down_s`: the longest that something is away.
    """

    tables: int
    seed: int = 1
    minutes: float = 30.0
    think_ms: int = 400
    trouble_s: float = 40.0
    pause_s: float = 2.0
    down_s: float = 4.0
    kinds: Sequence[str] = KINDS
    phases: int = 1000
    """So often there is trouble; then nothing fails any more."""
    flood: int = 3000
    """So many messages of a mad box at once."""
    slots: int = 0
    """So many of the groups' are played, and then no knock-out; 0: the whole day."""
    calm_s: float = 0.0
    """So long nothing fails at first."""
    patience_s: float = 300.0
    """So long the board, and the end, are waited for."""
    strip: int = 0
    """So many boxes lose their power at once; 0: up to a sixteenth of them."""
    one_by_one: bool = False
    """Every kind alone, each followed by a time of calm."""
    look_s: float = 2.0
    """So often both desks are looked at."""
    fault: str = ""
    """The name of a deliberate fault of our own programs (bench/mutations.py)."""
    box_patch: str = ""
    """The same for the boxes, as Python; it writes the file `acted` beside their folders."""


@dataclass
class AirDayReport:
    """What came out."""

    seconds: float = 0.0
    champion: str = ""
    faults: dict[str, int] = field(default_factory=dict)
    air: dict[str, int] = field(default_factory=dict)
    caught_up_s: list[float] = field(default_factory=list)
    caught_up: dict[str, list[float]] = field(default_factory=dict)
    """The same by what had failed, where it failed alone."""
    at_end_s: float = 0.0
    """From the last result that counts until it was on the board and every box was confirmed."""
    verdict: DayVerdict = field(default_factory=DayVerdict)
    looked_at: int = 0
    """Tables on pages of the board that were compared."""
    refused: dict[str, int] = field(default_factory=dict)
    cpu: dict[str, float] = field(default_factory=dict)
    """Share of a processor, in the mean of the day."""
    memory: dict[str, float] = field(default_factory=dict)
    database_mb: float = 0.0
    ended: list[str] = field(default_factory=list)
    """Boxes whose program has ended by a fault."""
    acted: bool = False
    """The deliberate fault of the plan has."""

    def missed(self) -> list[str]:
        """Every promise that was not kept, as sentences."""
        verdict = self.verdict
        late = [f"on the board after {took:.1f} s" for took in self.caught_up_s if took > GOAL_S]
        ended = [f"the program of {box} has ended" for box in self.ended]
        ended += [] if self.looked_at else ["nobody has looked at the desks"]
        return [*verdict.lost, *verdict.doubled, *verdict.wrong, *late, *ended]


class AirDay:
    """The hall, and who looks after it. `tell` is told what happens."""

    def __init__(
        self,
        plan: AirDayPlan,
        folder: Path,
        server: programs.Postgres,
        tell: Callable[[str], object] = lambda _: None,
    ) -> None:
        self.plan, self.folder, self.server, self.db = plan, folder, server, server.uri
        self._tell = tell
        self._chance = random.Random(plan.seed)
        self.report = AirDayReport()
        self._running: dict[str, Any] = {}
        self._used: dict[str, float] = {}
        self._most_mb: dict[str, float] = {}
        self._ports = [free_port() for _ in range(3)]
        self._health = {name: free_port() for name in _HALLS}
        self._looks: list[Look] = []
        self._troubles: list[tuple[float, float]] = []
        self._logins: dict[int, urllib.request.OpenerDirector] = {}
        self._dead: dict[str, int] = {}
        """Programs that have ended by themselves, with what code; below 0: by that signal."""
        self._database = asyncio.Lock()
        """It fails in one way at a time."""
        save_keys(KeyRing([LeagueKey("bench", LEAGUE_KEY)]), folder / "keys.json")

    # -- the programs -----------------------------------------------------------------------------

    def _words(self, name: str) -> list[str]:
        broker, *desks = self._ports
        if name == "broker":
            return [programs.mosquitto() or "mosquitto", "-c", f"{self.folder}/mosquitto.conf"]
        if name.startswith("hall"):
            address = f"mqtt://{LOOPBACK}:{broker}"
            words = ["hall", "--db", self.db, "--broker", address, "--desk-port", "0"]
            health = f"{LOOPBACK}:{self._health[name]}"
            return self._schiri(name, [*words, "--health", health])
        port = str(desks[int(name[-1])])
        users = ["--users", f"{self.folder}/users.json"]
        words = ["desk", "--db", self.db, "--port", port, "--no-boxes", *users]
        return self._schiri(name, words)

    def _schiri(self, name: str, words: list[str]) -> list[str]:
        """One of our programs; with a fault, if it is to have one."""
        if not self.plan.fault:
            return programs.schiri(words)
        as_ = ["--as", name, "--fault", self.plan.fault, "--mark", f"{self.folder}/acted"]
        return [sys.executable, "-m", "bench.mutations", *as_, *words]

    def _begin(self, name: str) -> None:
        keys = str(self.folder / "keys.json")
        log = self.folder / f"{name}.log"
        self._running[name] = begin(self._words(name), log, SCHIRI_KEYS=keys)

    def _kill(self, name: str) -> None:
        self._weigh(name)
        process = self._running.pop(name)
        process.kill()
        process.wait()

    def _weigh(self, name: str) -> None:
        """What a program has taken, before it goes."""
        pid = self._running[name].pid
        with suppress(*programs.GONE):
            part = name.rstrip("01")
            self._used[part] = self._used.get(part, 0.0) + programs.cpu_s(pid)
            self._most_mb[part] = max(self._most_mb.get(part, 0.0), programs.memory_mb(pid))

    def _weigh_database(self) -> None:
        pid = self.server.pid
        used = programs.cpu_s(pid) - self._database_before
        self._used["database"] = self._used.get("database", 0.0) + used
        self._most_mb["database"] = programs.memory_mb(pid)

    # -- the day ----------------------------------------------------------------------------------

    async def run(self) -> AirDayReport:
        """All of it; what was started is ended, whatever happens."""
        try:
            return await self._run()
        finally:
            for process in self._running.values():
                programs.end(process)
            if hasattr(self, "boxes"):
                self.boxes.stop()

    async def _run(self) -> AirDayReport:
        plan = self.plan
        asyncio.get_running_loop().set_exception_handler(on_loop_error)  # of the mad box
        self.service = await asyncio.to_thread(_drawn, self.db, plan)
        self.store: Store = self.service.store
        async with BadAir(
            self._ports[0], plan.seed, cut=0.0005, double=0.02, exchange=0.02, delay=0.02
        ) as self.air:
            self.air.calm = True
            await asyncio.to_thread(self._set_up)
            started = time.monotonic()
            self._database_before = programs.cpu_s(self.server.pid)
            for number in range(plan.tables):
                self.boxes.start(number)
                await asyncio.sleep(0.02)
            await self._until(lambda: len(self.store.live.boxes()) >= plan.tables, 300)
            self._tell(f"{plan.tables} boxes are on the air")
            person = asyncio.create_task(self._look_after())
            looking = asyncio.create_task(self._look_always())
            try:
                await asyncio.wait([person], timeout=plan.calm_s or 0.01)
                await self._trouble_and_calm(person, started)
            finally:
                await end_tasks(person, looking)
                ends = await asyncio.gather(person, looking, return_exceptions=True)
            for end in ends:  # nobody looked any more: then nothing was seen
                if isinstance(end, Exception):
                    raise end
            await self._close(started)
        await asyncio.to_thread(self.service.close)
        return self.report

    def _set_up(self) -> None:
        plan, folder = self.plan, self.folder
        air = LOOPBACK, self.air.port
        self.boxes = Boxes(
            folder,
            plan.tables,
            air,
            think_ms=plan.think_ms,
            assigned=True,
            jury=True,
            patch=plan.box_patch,
        )
        Accounts(folder / "users.json").add(_USER, "jury", _PASSWORD)
        self._twin, self._foreign = plan.tables, plan.tables + 1
        self.boxes.set_up(self._twin, 1, self.boxes.ids[self._chance.randrange(plan.tables)])
        self.boxes.set_up(self._foreign, 0, "e6614c311bffffff", FOREIGN_KEY)
        users = [*self.boxes.ids[: plan.tables], "mad"]
        write_setup(folder, {LEAGUE: LEAGUE_KEY}, users, LOOPBACK, port=self._ports[0])
        self._begin("broker")
        programs.wait_for(self._ports[0])
        for name in ("hall0", "hall1", "desk0", "desk1"):
            self._begin(name)
        for port in self._ports[1:]:
            programs.wait_for(port)

    async def _until(self, done: Callable[[], bool], seconds: float) -> None:
        """Raises TimeoutError."""
        async with asyncio.timeout(seconds):
            while not await asyncio.to_thread(_try, done):
                for number in self.boxes.ended():
                    raise RuntimeError(f"a box has crashed: {self.boxes.log(number)[-800:]}")
                await asyncio.sleep(0.2)

    async def _trouble_and_calm(self, person: "asyncio.Task[None]", started: float) -> None:
        """Until there is a champion, or no time is left."""
        if self.plan.one_by_one:  # a fault before anything was laid would be none
            with suppress(TimeoutError):
                await self._until(self._all_play, self.plan.patience_s)
        while not person.done() and not self.boxes.ended():
            if time.monotonic() - started > 60 * self.plan.minutes:
                self._tell("no time is left")
                return
            if len(self.report.caught_up_s) == self.plan.phases:
                await asyncio.wait([person], timeout=self.plan.pause_s)
                continue
            self._troubles.append((time.time(), FOR_EVER))
            kind = await self._make_trouble(person)
            mended = time.monotonic()
            self._troubles[-1] = (self._troubles[-1][0], time.time())
            took = await self._caught_up() - mended
            self.report.caught_up_s.append(took)
            if kind:
                self.report.caught_up.setdefault(kind, []).append(took)
            self._tell(f"caught up after {took:.1f} s {kind}")
        if person.done():
            person.result()

    def _all_play(self) -> bool:
        """Something was laid at every table."""
        return all(
            any(match.last_card for match in played_by(self.boxes, number))
            for number in range(self.plan.tables)
        )

    # -- who sits at the desk ---------------------------------------------------------------------

    async def _look_after(self) -> None:
        """Calls what can be played, checks what was reported, draws the tree."""
        while True:
            try:
                if await asyncio.to_thread(self._act):
                    return
            except UserError:
                pass  # the database: again
            await asyncio.sleep(0.3)

    def _act(self) -> bool:
        """True when all is played."""
        service = self.service
        self._do(matches.check_all)
        wanted = [match for match in service.state.matches.values() if self._is_wanted(match)]
        waiting = [match for match in wanted if match.status == "open"]
        for slot in sorted({match.slot for match in waiting if match.group is not None}):
            self._do(lambda state, slot=slot: matches.call_slot(state, slot)[0])
        for match in sorted(waiting, key=lambda match: (match.slot, match.id)):
            if match.group is None and (table := self._free_table()):
                self._do(partial(matches.call, match_id=match.id, table=table))
        state = service.state
        if not all(match.counts for match in state.matches.values() if self._is_wanted(match)):
            return False
        if self.plan.slots:
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

    def _is_wanted(self, match: MatchState) -> bool:
        return not self.plan.slots or match.slot <= self.plan.slots

    def _do(self, wanted: Any) -> None:
        with suppress(UserError):  # the table or a player is busy
            self.service.do("Beat", "", wanted)

    def _free_table(self) -> int:
        try:
            return matches.free_table(self.service.state)
        except UserError:
            return 0

    # -- what fails -------------------------------------------------------------------------------

    async def _make_trouble(self, person: "asyncio.Task[None]") -> str:
        """Everything fails for a while, several things at once; all is mended at the end. The kind
        of what failed alone.
        """
        plan = self.plan
        if plan.one_by_one:
            kind = plan.kinds[len(self.report.caught_up_s) % len(plan.kinds)]
            self.report.faults[kind] = self.report.faults.get(kind, 0) + 1
            await getattr(self, f"_{kind}_fails")()
            return kind
        self.air.calm = False
        end = time.monotonic() + plan.trouble_s
        kinds = list(plan.kinds)
        self._chance.shuffle(kinds)
        under_way: set[asyncio.Task[None]] = set()
        while (time.monotonic() < end or kinds) and not person.done():
            kind = kinds.pop() if kinds else self._chance.choice(plan.kinds or ("nothing",))
            if kind != "nothing" and not any(task.get_name() == kind for task in under_way):
                fault: Callable[[], Any] = getattr(self, f"_{kind}_fails")
                task = asyncio.create_task(fault(), name=kind)
                under_way.add(task)
                task.add_done_callback(under_way.discard)
                self.report.faults[kind] = self.report.faults.get(kind, 0) + 1
            await asyncio.sleep(self._chance.expovariate(1 / plan.pause_s))
        await asyncio.gather(*under_way)
        self.air.calm = True
        return ""

    async def _away(self) -> None:
        await asyncio.sleep(self._chance.uniform(self.plan.down_s / 4, self.plan.down_s))

    async def _broker_fails(self) -> None:
        self._kill("broker")
        await self._away()
        self._begin("broker")

    async def _hall_fails(self) -> None:
        await self._one_of("hall")

    async def _desk_fails(self) -> None:
        await self._one_of("desk")

    async def _one_of(self, kind: str) -> None:
        name = f"{kind}{self._chance.randrange(2)}"
        self._kill(name)
        await self._away()
        self._begin(name)

    async def _box_fails(self) -> None:
        """Several at once, as on one socket strip."""
        most = max(1, self.plan.tables // 16)
        count = self.plan.strip or self._chance.randint(1, most)
        numbers = self._chance.sample(range(self.plan.tables), count)
        for number in numbers:
            self.boxes.cut(number)
        await self._away()
        for number in numbers:
            self.boxes.start(number)

    async def _links_fails(self) -> None:
        self.air.cut_all()

    async def _twin_fails(self) -> None:
        """Another box with the id of one of them, which plays matches of its own."""
        self.boxes.start(self._twin, assigned=False)
        await self._away()
        await self._away()
        self.boxes.cut(self._twin)

    async def _foreign_fails(self) -> None:
        self.boxes.start(self._foreign, assigned=False)
        await self._away()
        self.boxes.cut(self._foreign)

    def _client(self, user: str) -> aiomqtt.Client:
        """Logged in as a box."""
        return MqttClient(
            LOOPBACK,
            self._ports[0],
            username=user,
            password=protocol.password(AIR, user),
            identifier=protocol.client_id(user),
            timeout=5,
        )

    async def _flood_fails(self) -> None:
        """A box that says thousands of things at once."""
        topic = protocol.topic_of(LEAGUE, "mad", protocol.STATE)
        with suppress(aiomqtt.MqttError, TimeoutError):
            async with self._client("mad") as client:
                for beat in range(self.plan.flood):
                    state = {"boot": "mad", "beat": beat, "match": 0, "lines": 0}
                    await client.publish(topic, protocol.sign_object(AIR, topic, state))

    async def _hostile_fails(self) -> None:
        """A box that says what cannot be kept; the broker keeps it for whoever comes."""
        with suppress(aiomqtt.MqttError, TimeoutError):
            async with self._client("mad") as client:
                for text in _HOSTILE:
                    for kind in (protocol.STATE, protocol.HERE):
                        topic = protocol.topic_of(LEAGUE, "mad", kind)
                        await client.publish(topic, text, qos=1, retain=True)
                        await asyncio.sleep(0.1)

    async def _forged_fails(self) -> None:
        """Somebody who has the password of a box says the next line of its match before it does:
        the chain has no key.
        """
        number = self._chance.randrange(self.plan.tables)
        box = self.boxes.ids[number]
        with suppress(aiomqtt.MqttError, TimeoutError, IndexError):
            journal = next(self.boxes.storage(number).glob("m*.run"), None)
            lines = journal.read_bytes().split(b"\n")[:-1] if journal else []
            if journal is None or len(lines) < 3:
                return
            forged = forge(lines)
            topic = protocol.topic_of(LEAGUE, box, protocol.RECORDS)
            async with self._client(box) as client:
                place = f"{topic}/{int(journal.stem[1:])}/{len(lines)}"
                await client.publish(place, forged, qos=1)

    # PostgreSQL

    async def _disk_fails(self) -> None:
        """It refuses every write as on a full disk (SQLSTATE 53100)."""
        async with self._database:
            await asyncio.to_thread(_fill_disk, self.db)
            try:
                await self._away()
            finally:
                await asyncio.to_thread(_empty_disk, self.db)

    async def _orderly_fails(self) -> None:
        await self._ends(programs.Postgres.ORDERLY)

    async def _immediate_fails(self) -> None:
        await self._ends(programs.Postgres.IMMEDIATE)

    async def _kill_fails(self) -> None:
        await self._ends(programs.Postgres.KILL)

    async def _ends(self, how: signal.Signals) -> None:
        async with self._database:
            self._weigh_database()
            await asyncio.to_thread(self.server.end, how)
            try:
                await self._away()
            finally:
                await asyncio.to_thread(self.server.begin)
                self._database_before = 0.0

    async def _halted_fails(self) -> None:
        """Its machine stands still, five times as long as others are away."""
        async with self._database:
            self.server.halt()
            try:
                await asyncio.sleep(5 * self.plan.down_s)
            finally:
                self.server.go_on()

    async def _hung_fails(self) -> None:
        """The hall that receives stands still, with its lock."""
        receive = [name for name in _HALLS if await asyncio.to_thread(self._receives, name)]
        name = receive[0] if receive else self._chance.choice(_HALLS)
        if name not in self._running:
            return
        process = self._running[name]
        process.send_signal(signal.SIGSTOP)
        try:
            await asyncio.sleep(2 * self.plan.down_s)
        finally:
            process.send_signal(signal.SIGCONT)

    def _receives(self, hall: str) -> bool:
        with suppress(*_UNANSWERED):
            address = f"http://{LOOPBACK}:{self._health[hall]}/metrics"
            with urllib.request.urlopen(address, timeout=5) as page:
                return b"schiri_receiving 1.0\n" in page.read()
        return False

    # -- what the board shows ---------------------------------------------------------------------

    def _played(self) -> list[Remembered]:
        found: list[Remembered] = []
        for number in range(self.plan.tables):
            found += played_by(self.boxes, number)
        return found

    def _page(self, path: str, desk: int) -> str:
        """ "" from one that does not answer."""
        with suppress(*_UNANSWERED):
            address = f"http://{LOOPBACK}:{self._ports[1 + desk]}/{path}"
            with urllib.request.urlopen(address, timeout=10) as page:
                return str(page.read().decode())
        return ""

    def _desk_page(self, path: str, desk: int) -> str:
        """A page behind the login."""
        base = f"http://{LOOPBACK}:{self._ports[1 + desk]}"
        with suppress(*_UNANSWERED):
            if desk not in self._logins:
                cookies = urllib.request.HTTPCookieProcessor()
                opener = urllib.request.build_opener(cookies)
                with opener.open(f"{base}/desk/login", timeout=10) as page:
                    token = _TOKEN.search(page.read().decode())
                words = {"user": _USER, "password": _PASSWORD, "csrf": token[1] if token else ""}
                form = urllib.parse.urlencode(words).encode()
                opener.open(f"{base}/desk/login", form, timeout=10).close()
                self._logins[desk] = opener
            with self._logins[desk].open(f"{base}/{path}", timeout=10) as page:
                return str(page.read().decode())
        return ""

    async def _look_always(self) -> None:
        """Both desks, all the time. A desk that is away shows nothing wrong; one that is there
        and does not answer shows what it showed, which is nothing new.
        """
        turn = 0
        while True:
            self._see_who_ended()
            for desk in _DESKS:
                self._looks += await asyncio.to_thread(self._look, desk, turn % 2 == 0)
            with suppress(UserError):  # the database is away
                at = time.time()
                wrong = await asyncio.to_thread(
                    stored_wrong, self.boxes, self.plan.tables, self.store
                )
                self._looks.append(Look(at, -1, stored=tuple(wrong)))
            turn += 1
            await asyncio.sleep(self.plan.look_s)

    def _see_who_ended(self) -> None:
        """A program that is started while the database is away says so and ends (exit code 3);
        whoever looks after it starts it again. Any other end is a fault.
        """
        for name, process in list(self._running.items()):
            if process.poll() == Exit.SYSTEM:
                self._begin(name)
            elif process.poll() is not None:
                self._dead.setdefault(name, process.returncode)

    def _look(self, desk: int, whole: bool) -> list[Look]:
        looks = []
        page = self._page("tables?lang=en", desk)
        if page:
            rows = {table: (names, score) for table, names, score in tables_shown(page)}
            looks.append(Look(time.time(), desk, tables=rows, old=_OLD in page))
        if not whole:
            return looks
        pages = [self._page(f"{page}?lang=en", desk) for page in _PAGES]
        if all(pages):
            results = frozenset(
                (names, score)
                for page in pages
                for names, score in results_shown(page)
                if score != "–"
            )
            looks.append(Look(time.time(), desk, results=results))
        calls = jury_shown(self._desk_page("desk/hall?lang=en", desk))
        if calls is not None:
            looks.append(Look(time.time(), desk, jury=frozenset(calls)))
        return looks

    async def _caught_up(self) -> float:
        """When both boards show what had been laid and decided at every table by now."""
        newest = await asyncio.to_thread(self._newest)  # the air passes through this loop
        waits = [
            (number, match, desk) for number, match in newest if match.last_card for desk in _DESKS
        ]
        shown_at = time.monotonic()
        late, deadline = shown_at + GOAL_S, shown_at + self.plan.patience_s
        while waits:
            results = {
                (page, names, desk)
                for desk in _DESKS
                for page in _PAGES
                for names, score in results_shown(await asyncio.to_thread(self._page, page, desk))
                if score != "–"
            }
            open_ = [
                wait for wait in waits if (page_of(wait[1]), wait[1].names, wait[2]) not in results
            ]
            shown = await asyncio.gather(
                *(asyncio.to_thread(self._shows, *wait) for wait in open_)
            )
            left = [wait for wait, is_shown in zip(open_, shown, strict=True) if not is_shown]
            if left and shown_at <= late < time.monotonic():
                await asyncio.to_thread(self._tell_late, left)
            waits, shown_at = left, time.monotonic()
            if waits and (shown_at > deadline or self._dead):  # what has ended shows nothing more
                missing = [f"not on board {desk}: {match.names}" for _, match, desk in left]
                self.report.verdict.lost += missing
                break
            await asyncio.sleep(0.1)
        return shown_at

    def _tell_late(self, left: list[tuple[int, Remembered, int]]) -> None:
        """How far each has come."""
        with suppress(UserError):
            said = {box.box: box for box in self.store.live.boxes()}
            for number, match, desk in left[:8]:
                stored = len(self.store.live.lines(box=match.box, number=match.number))
                called = self.service.state.matches.values()
                known = [(one.id, one.status) for one in called if one.table == number + 1]
                kept = [(m.number, m.state, m.reason) for m in self.store.matches(match.box)]
                self._tell(
                    f"  desk {desk}, table {number + 1}, match {match.number}:"
                    f" {match.lines} lines shown, {stored} by air, stored {kept},"
                    f" over {match.over}; {known}; {said[match.box]}"
                )

    def _shows(self, number: int, match: Remembered, desk: int) -> bool:
        """True if the page of its table has what was laid last, or now, for what lay uncalled when
        time was up is taken back (SW-4). A result must be on the board.
        """
        if match.over is not None:
            return False
        now = remembered(match.box, self.boxes.log(number))[match.number]
        laid = {match.last_card, now.last_card}
        page = self._page(f"table/{number + 1}?lang=en", desk)
        steps = page.partition('<ol class="steps"')[2]
        return any(f" {card}." in steps for card in laid)

    def _newest(self) -> list[tuple[int, Remembered]]:
        """The last matches of every box: what is over, and what is under way."""
        found = []
        for number in range(self.plan.tables):
            found += [(number, match) for match in played_by(self.boxes, number)[-2:]]
        return found

    # -- the end ----------------------------------------------------------------------------------

    async def _close(self, started: float) -> None:
        report = self.report
        begun = time.monotonic()
        with suppress(TimeoutError):
            await self._until(
                lambda: (
                    self._all_confirmed() and not any(self._results(desk)[0] for desk in _DESKS)
                ),
                self.plan.patience_s,
            )
        report.at_end_s = time.monotonic() - begun
        report.seconds = time.monotonic() - started
        report.ended = [self.boxes.ids[number] for number in self.boxes.ended()]
        report.ended += [f"{name} ({code})" for name, code in sorted(self._dead.items())]
        report.acted = (self.folder / "acted").exists()
        for name in list(self._running):
            self._weigh(name)
        self._weigh_database()
        self._used["boxes"], self._most_mb["boxes"] = self.boxes.cost()
        report.cpu = {name: used / report.seconds for name, used in self._used.items()}
        report.memory = self._most_mb
        report.database_mb = await asyncio.to_thread(_database_mb, self.db)
        air = self.air
        report.air = {
            "cut": air.cuts,
            "doubled": air.doubled,
            "reordered": air.reordered,
            "bytes": air.carried,
        }
        await asyncio.to_thread(self._compare)
        for refused in self.store.live.refusals():
            report.refused[refused.reason] = report.refused.get(refused.reason, 0) + refused.count

    def _all_confirmed(self) -> bool:
        return not any(
            list(self.boxes.storage(number).glob("m*.end")) for number in range(self.plan.tables)
        )

    def _results(self, desk: int) -> tuple[list[str], list[str]]:
        """Results that are missing on the board, and those that nobody played."""
        pages = [self._page(f"{page}?lang=en", desk) for page in _PAGES]
        return wrong_results(pages, self._played())

    def _compare(self) -> None:
        """Flashes, store, tournament and pages against what the bots remember."""
        others = (self._twin, self._foreign)
        verdict = compare(self.boxes, self.plan.tables, others, self.store, self.service.state)
        verdict.lost += self.report.verdict.lost
        for desk in _DESKS:
            missing, wrong = self._results(desk)
            verdict.lost += [f"not on board {desk}: {what}" for what in missing]
            verdict.wrong += [f"on board {desk}: {what}" for what in wrong]
        truth = self._truth()
        verdict.wrong += [fault for look in self._looks for fault in truth.faults(look)]
        self.report.looked_at = len(self._looks)
        self.report.verdict = verdict

    def _truth(self) -> Truth:
        count = self.plan.tables
        of_twin = played_by(self.boxes, self._twin)
        victim = 1 + self.boxes.ids.index(self.boxes.ids[self._twin])
        return Truth(
            [played_by(self.boxes, number) for number in range(count)],
            self.boxes.ids[:count],
            self._troubles,
            ahead_s=1 + 2 * self.plan.think_ms / 1000,
            others={1: of_twin, victim: of_twin},
        )


def forge(lines: Sequence[bytes]) -> bytes:
    """The line behind these as the box did not say it: another card, the chain as it must be."""
    record = read_record(lines[-1])
    cards = [found for line in lines for found in _CARD.findall(line.decode("utf8", "replace"))]
    if record is None or not cards:
        raise IndexError
    payload = _CARD.sub(f'"card":"{cards[0]}"', record.payload)
    return write_record(record.chain, record.seq + 1, payload)[0]


def _try(done: Callable[[], bool]) -> bool:
    """The database may be away."""
    try:
        return done()
    except UserError:
        return False


def _drawn(db: str, plan: AirDayPlan) -> TournamentService:
    """The event: two players a table, in groups of four, drawn and nothing called."""
    count, ko_size = 2 * plan.tables, LARGEST_KO
    while ko_size > count // 2:
        ko_size //= 2
    setup = ev.Created(name="Tag in der Luft", ko_size=ko_size, tables=plan.tables, decks=[DECK])
    service = TournamentService.create(db, "Anna", setup)
    block = 256
    players = [
        Entrant(id=f"p{n:03}", name=f"{name_of(n % block)} {'I' * (n // block + 1)}", seed=n + 1)
        for n in range(count)
    ]
    service.do("Anna", "", lambda state: entrants.add_players(state, players))
    service.do("Anna", "", lambda _: [ev.CheckedIn(player=player.id) for player in players])
    service.do("Anna", "", lambda state: entrants.draw(state, GROUP, random_seed=plan.seed))
    return service


# -- a full disk ----------------------------------------------------------------------------------

_FULL = """
CREATE OR REPLACE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';
END $$
"""


def _tables_of(connection: "psycopg.Connection[Any]") -> list[str]:
    rows = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    return [str(row[0]) for row in rows]


def _fill_disk(db: str) -> None:
    with psycopg.connect(db, autocommit=True) as connection:
        connection.execute(_FULL)
        for table in _tables_of(connection):
            connection.execute(
                f'CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON "{table}"'
                " EXECUTE FUNCTION full_disk()"
            )


def _empty_disk(db: str) -> None:
    with psycopg.connect(db, autocommit=True) as connection:
        for table in _tables_of(connection):
            connection.execute(f'DROP TRIGGER IF EXISTS full_disk ON "{table}"')


def _database_mb(db: str) -> float:
    with psycopg.connect(db) as connection:
        row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
        assert row is not None
        return int(row[0]) / 1e6


# -- figures --------------------------------------------------------------------------------------


def play_day(plan: AirDayPlan, tell: Callable[[str], object] = lambda _: None) -> AirDayReport:
    """One day, with its own PostgreSQL. Raises what went wrong."""
    allow_many_files()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="schiri-day-")))
        server = stack.enter_context(programs.postgres_server())
        return asyncio.run(AirDay(plan, folder, server, tell).run())


def measure() -> list[Figure]:
    """A day with 16, 64 and 256 tables; needs Mosquitto."""
    if programs.mosquitto() is None:
        return [Figure("Mosquitto is not installed: nothing was measured", 0, "")]
    return [row for tables in SIZES for row in figures(tables, play_day(_plan(tables)))]


def _plan(tables: int, seed: int = 1) -> AirDayPlan:
    look_s = max(2.0, tables / 16)
    return AirDayPlan(tables, seed, think_ms=min(max(200, tables * 12), 2000), look_s=look_s)


def figures(tables: int, report: AirDayReport) -> list[Figure]:
    """The rows of one day."""
    verdict = report.verdict
    wrong = len(verdict.wrong)
    slowest = max(report.caught_up_s, default=float("nan"))
    faults = sum(report.faults.values())
    rows = [
        Figure(f"{tables} tables: matches played to their end", verdict.played, ""),
        Figure("  the day took", report.seconds, "s"),
        Figure(f"  faults, beside {report.air['doubled']} doubled packets", faults, ""),
        Figure("  matches lost", len(verdict.lost), "", "0", not verdict.lost),
        Figure("  matches doubled", len(verdict.doubled), "", "0", not verdict.doubled),
        Figure(f"  shown wrong, of {report.looked_at} looks at a desk", wrong, "", "0", not wrong),
        Figure(
            f"  all on the board after the last repair, slowest of {len(report.caught_up_s)}",
            slowest,
            "s",
            f"≤ {GOAL_S:.0f} s",
            slowest <= GOAL_S,
        ),
    ]
    for kind, times in report.caught_up.items():
        most = max(times)
        rows.append(
            Figure(f"  on the board after: {kind}", most, "s", f"≤ {GOAL_S:.0f} s", most <= GOAL_S)
        )
    for part, share in report.cpu.items():
        rows.append(Figure(f"  {part}: share of a processor", share * 100, "%"))
        rows.append(Figure(f"  {part}: memory, at most", report.memory[part], "MB"))
    rows.append(Figure("  over the air", report.air["bytes"] / 1e6, "MB"))
    rows.append(Figure("  database, on disk", report.database_mb, "MB"))
    return rows


def main() -> None:
    """Run from the command line. Exit code 1 if a promise was missed."""
    from bench.__main__ import table_of

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=30.0, help="then no more is called")
    parser.add_argument("--think-ms", type=int, help="how long a bot thinks")
    parser.add_argument("--trouble-s", type=float, default=40.0)
    parser.add_argument("--down-s", type=float, default=4.0, help="the longest that one is away")
    parser.add_argument("--pause-s", type=float, default=2.0, help="mean, between two faults")
    parser.add_argument("--phases", type=int, default=1000, help="so often there is trouble")
    parser.add_argument("--only", default=",".join(KINDS), help="faults, by name; '' for none")
    parser.add_argument("--each", action="store_true", help="one fault at a time, each once")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    programs.end_in_order()
    plan = _plan(asked.tables, asked.seed)
    plan.minutes, plan.trouble_s, plan.down_s = asked.minutes, asked.trouble_s, asked.down_s
    plan.pause_s, plan.phases = asked.pause_s, asked.phases
    plan.think_ms = asked.think_ms or plan.think_ms
    plan.kinds = [kind for kind in asked.only.split(",") if kind]
    plan.one_by_one = asked.each
    if asked.each:
        plan.phases = len(plan.kinds)
    console = Console(stderr=True)
    begun = time.monotonic()
    report = play_day(plan, lambda what: console.print(f"{time.monotonic() - begun:6.1f} {what}"))
    if asked.json:
        print(json.dumps(report, default=vars))
    else:
        Console().print(table_of("A day on the air", figures(asked.tables, report)))
    missed = report.missed()
    for promise in missed:
        console.print(promise)
    raise SystemExit(bool(missed))


if __name__ == "__main__":
    main()
