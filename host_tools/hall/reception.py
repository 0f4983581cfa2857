"""The hall's end of all boxes: what they send goes into the store, what is missing is asked for.

MQTT only carries. Lines of a match are taken where their chain follows (`MatchLines`); a finished
match is fetched, judged, stored and confirmed by `BoxSync`, which finds here what came by air.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any

from host_tools.box.link import LinkLost, RequestError
from host_tools.box.sync import BoxSync, fetch_lines
from host_tools.core.errors import UserError
from host_tools.core.supervisor import Supervisor, Task
from host_tools.hall import protocol
from host_tools.hall.air_link import AirBox, AirLink, Publish
from host_tools.hall.lines import MatchLines
from host_tools.hall.protocol import Refusal, Topic
from host_tools.store.journal.verdict import KeysOf
from host_tools.store.live import SILENT_S, Batch, BoxStatus, Line
from host_tools.store.store import Store

FLUSH_S = 0.15
"""So often what came is written."""
CLOCK_OFF_S = 2
"""A box whose clock is off by more gets the time."""
FUTURE_S = 120
MOST_A_SECOND = 30
BURST = 200
"""A box may send so many messages at once, and so many a second; a match sends two or three."""
MOST_LINES = 50_000
"""So many lines are kept while the database fails; then they are asked for again."""
BOOTS = 8
"""So many earlier ones of a box are known."""
WORKERS = 64
"""So many boxes are synchronised at a time; each mostly waits for its box."""
AGAIN_S, LONGEST_AGAIN_S = 1.0, 4.0
"""So long after a box was silent, or the database failed, it is served again; longer each time."""

NEVER = datetime(1970, 1, 1, tzinfo=UTC)

Follow = Callable[["Reception", "LiveBox"], Coroutine[Any, Any, None]]
"""What else is done with a box after its state has come: pairings and notices."""


@dataclass
class LiveBox:
    """A box on the air."""

    air: AirBox
    state: dict[str, Any] = field(default_factory=dict)
    heard: datetime = NEVER
    beat: int = -1
    boots: list[str] = field(default_factory=list)
    """Earlier ones; one that comes back is of a second box with this id."""
    heres: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What each boot has said as `here`."""
    lines: MatchLines | None = None
    clock_off_s: float | None = None
    unsure: bool = True
    """Finished matches may lie on it: it has come in, or its match is another one than before."""
    done: int = 0
    """The last match that was confirmed to it."""
    busy: bool = False
    again: bool = False
    follow_state: dict[str, Any] = field(default_factory=dict)
    """What `Follow` remembers of it."""
    _allowed: float = BURST
    _counted: float = 0.0

    @property
    def name(self) -> str:
        return self.air.box

    @property
    def here(self) -> dict[str, Any]:
        """What it said of itself."""
        return self.air.here

    def may_send(self, now: float) -> bool:
        """False for one message too many."""
        self._allowed = min(BURST, self._allowed + (now - self._counted) * MOST_A_SECOND)
        self._counted = now
        self._allowed -= self._allowed >= 1
        return self._allowed >= 1


def passes(error: UserError) -> bool:
    """True if a box was silent or the database failed: not for long, perhaps."""
    return error.sentence.key == "box_silent" or error.sentence.key.startswith("db_")


class Reception:
    """All boxes of the leagues whose keys are given (league id -> key).

    `event`: only matches of this tournament are shown, and those that name none.
    """

    def __init__(
        self,
        store: Store,
        leagues: Mapping[str, bytes],
        keys_of: KeysOf,
        event: str = "",
        follow: Follow | None = None,
        now: Callable[[], float] = time.time,
        tasks: Supervisor | None = None,
    ) -> None:
        self.store = store
        self.tasks = tasks or Supervisor()
        self.tasks.told = self._tell_fault
        self.heard_at = 0.0
        """When a message was heard last, in seconds since 1970."""
        self.waiting = 0
        """Messages that have come and were not heard yet."""
        self.stored_at = now()
        """When all that had come was in the store last, in seconds since 1970."""
        self.boxes: dict[str, LiveBox] = {}
        self._air = {league: protocol.air_key(key) for league, key in leagues.items()}
        self._keys_of = keys_of
        self._event = event
        self._follow = follow
        self._now = now
        self._batch = Batch()
        self._flushing = asyncio.Lock()
        self._publish: Publish = _nowhere
        self._known: dict[tuple[str, int], MatchLines] = {}
        self._threads = ThreadPoolExecutor(WORKERS, "sync")
        self._writer = ThreadPoolExecutor(1, "write")

    # -- beginning and end ------------------------------------------------------------------------

    async def begin(self, publish: Publish) -> None:
        """Connected: take up what earlier halls have stored of matches under way."""
        self._publish = publish
        self.loop = asyncio.get_running_loop()
        self._known = await asyncio.to_thread(_lines_known, self.store)
        for box in self.boxes.values():
            box.air.publish = publish
            number = box.lines.number if box.lines else 0
            box.lines = self._known.get((box.name, number))

    async def close(self) -> None:
        """Write what is left; what was not confirmed is asked for by the next one."""
        for box in self.boxes.values():
            box.air.close()
        await self.tasks.close()
        self._threads.shutdown(wait=False, cancel_futures=True)
        await self.flush()

    async def write_always(self) -> None:
        """Write every `FLUSH_S`, until cancelled."""
        while True:
            await asyncio.sleep(FLUSH_S)
            await self.flush()

    async def flush(self) -> None:
        """Write what came. While the database fails it is kept, up to a limit."""
        async with self._flushing:
            batch, self._batch = self._batch, Batch()
            if not batch:
                self.stored_at = self._now()
                return
            try:
                # in a thread of its own: boxes that do not answer keep others waiting
                loop = asyncio.get_running_loop()
                await loop.run_in_executor(self._writer, self.store.live.write, batch)
                self.stored_at = self._now()
            except UserError:
                self._keep(batch)

    def _keep(self, batch: Batch) -> None:
        newer, self._batch = self._batch, batch
        self._batch.boxes |= newer.boxes
        self._batch.lines += newer.lines
        for key, refused in newer.refused.items():
            self._batch.refuse(*key, refused.at, refused.detail)
        if len(self._batch.lines) > MOST_LINES:
            self._batch.lines = []
            for box in self.boxes.values():
                box.lines = None

    @property
    def unwritten(self) -> int:
        """So many lines and states wait to be written."""
        return len(self._batch.lines) + len(self._batch.boxes)

    # -- a message --------------------------------------------------------------------------------

    def hear(self, topic: str, payload: bytes, kept: bool = False) -> None:
        """A message came; `kept`: the broker had retained it. Never raises for what it holds."""
        self.heard_at = self._now()
        sender = "?"
        try:
            read = protocol.read_topic(topic)
            sender = read.box[:64]
            self._take(read, topic, payload, kept)
        except Refusal as refusal:
            self.refuse(sender, refusal.reason, refusal.detail)

    def _tell_fault(self, task: Task) -> None:
        """The desks' page *Hall* shows it beside what was refused."""
        self.refuse(f"hall: {task.name}", "task", task.fault)

    def refuse(self, sender: str, reason: str, detail: str = "") -> None:
        """Count what was not taken."""
        plain = "".join(letter for letter in sender if letter.isprintable())[:64] or "?"
        self._batch.refuse(plain, reason, self._at(), detail.replace("\0", "?")[:200])

    def _take(self, topic: Topic, whole_topic: str, payload: bytes, kept: bool) -> None:
        if topic.league not in self._air:
            raise Refusal("other_league", topic.league[:16])
        if topic.kind not in protocol.KINDS:
            raise Refusal("foreign_topic", topic.kind[:32])
        box = self._box(topic)
        if not box.may_send(time.monotonic()):
            raise Refusal("flood")
        if topic.kind == protocol.ANSWER:
            box.air.answered(whole_topic, payload)
        elif topic.kind == protocol.RECORDS:
            self._take_records(box, topic, payload)
        elif topic.kind == protocol.HERE:
            self._take_here(box, protocol.read_object(payload))
        else:
            self._take_state(box, protocol.read_object(payload), kept)

    def _box(self, topic: Topic) -> LiveBox:
        box = self.boxes.get(topic.box)
        if box is None or box.air.league != topic.league:
            key = self._air[topic.league]
            box = LiveBox(AirBox(topic.box, topic.league, key, self._publish))
            self.boxes[topic.box] = box
        return box

    def _at(self) -> datetime:
        return datetime.fromtimestamp(self._now(), UTC)

    def _tell(self, box: LiveBox) -> None:
        """What the desks read of the box from now on."""
        hall = {"rtt_ms": box.air.round_trip_ms, "clock_s": box.clock_off_s}
        here = {**box.here, "league": box.air.league, "hall": hall}
        self._batch.boxes[box.name] = BoxStatus(box.name, box.heard, here, box.state)

    # -- here and state ---------------------------------------------------------------------------

    def _take_here(self, box: LiveBox, here: dict[str, Any]) -> None:
        boot = str(here.get("boot", ""))[:16]
        if here.get("here") is not True:
            if boot == box.air.boot or not box.air.boot:  # else a will of before
                box.air.left()
                self._tell(box)
            return
        if here.get("box") != box.name:
            raise Refusal("foreign_topic", f"is {str(here.get('box'))[:32]}")
        if here.get("schiri", protocol.VERSION) != protocol.VERSION:
            raise Refusal("other_version", str(here.get("schiri"))[:8])
        box.heres = {**dict(list(box.heres.items())[-BOOTS:]), boot: here}
        self._boot(box, boot)
        box.unsure = True
        box.air.came(here)
        self._tell(box)
        twins = [b.name for b in self.boxes.values() if b is not box and _same_name(b, box)]
        if twins:
            raise Refusal("two_boxes", f"{here.get('name')}: {', '.join(twins)[:80]}")

    def _boot(self, box: LiveBox, boot: str) -> None:
        """A box was switched on again; or there are two with this id, who take turns: the one that
        is left is served (0225).
        """
        if boot == box.air.boot:
            return
        if boot in box.boots:
            if not self._is_gone(box):
                raise Refusal("two_boxes", boot)
            self.refuse(box.name, "two_boxes", boot)
            box.boots.remove(boot)
            box.air.here = box.heres.get(boot, {})
        box.boots = [*box.boots, box.air.boot][-BOOTS:]
        box.air.boot, box.beat = boot, -1

    def _is_gone(self, box: LiveBox) -> bool:
        """True if whoever spoke last has left, or is silent."""
        silent_s = (self._at() - box.heard).total_seconds()
        return not box.here.get("here") or silent_s > SILENT_S

    def _take_state(self, box: LiveBox, state: dict[str, Any], kept: bool) -> None:
        beat, number = protocol.whole(state, "beat"), protocol.whole(state, "match")
        lines = protocol.whole(state, "lines")
        boot = str(state.get("boot", ""))[:16]
        earlier = boot in box.boots and (kept or not self._is_gone(box))
        if earlier or (boot == box.air.boot and beat <= box.beat):
            if kept:
                return  # known from before the connection was lost
            raise Refusal("replayed", f"state {beat}")
        if _ahead(state, self._now()) > FUTURE_S and not kept:
            box.clock_off_s = _ahead(state, self._now())
            self.serve(box)  # which sets its clock
            raise Refusal("from_future", f"{box.clock_off_s:.0f} s")
        self._boot(box, boot)
        box.unsure |= number != box.state.get("match", 0) > box.done
        box.beat, box.state = beat, state
        if isinstance(state.get("unix"), int):
            box.clock_off_s = None if kept else state["unix"] - self._now()
        if not kept:
            box.heard = self._at()
            box.air.here = {**box.here, "here": True}
        if box.lines is None or box.lines.number != number:
            box.lines = self._known.pop((box.name, number), None)
        if box.lines is None or not box.lines.is_of(lines, state.get("head")):
            box.lines = MatchLines(number)
        self._tell(box)
        if not kept or box.here.get("here"):
            self.serve(box)

    # -- records ----------------------------------------------------------------------------------

    def _take_records(self, box: LiveBox, topic: Topic, payload: bytes) -> None:
        if len(topic.rest) != 2 or not all(part.isdecimal() for part in topic.rest):
            raise Refusal("foreign_topic", "/".join(topic.rest)[:40])
        number, first = (int(part[:9]) for part in topic.rest)
        if not payload.endswith(b"\n") or len(payload) > protocol.LONGEST_PAYLOAD:
            raise Refusal("damaged", f"match {number}, line {first}")
        known = box.lines
        if known is None or number > known.number:
            known = self._known.pop((box.name, number), None) or MatchLines(number)
            box.lines = known
        if number < known.number:
            raise Refusal("replayed", f"match {number}")
        before = len(known)
        self._accept(box, known, first, payload[:-1].split(b"\n"))
        if first > before:
            self.serve(box)  # something before it is missing

    def _accept(
        self, box: LiveBox, known: MatchLines, first: int, lines: list[bytes], asked: bool = False
    ) -> None:
        behind = len(known)
        new = known.take(first, lines, asked)
        if self._event and known.event not in ("", self._event):
            if new and behind == 0:  # it comes into the store when it is over, as by USB
                raise Refusal("finished_event", known.event[:64])
            return
        at = self._at()
        self._batch.lines += [
            Line(box.name, known.number, known.born, behind + offset, at, raw)
            for offset, raw in enumerate(new)
        ]
        if new and known.sealed:
            self.serve(box)

    # -- what a box needs -------------------------------------------------------------------------

    def serve(self, box: LiveBox) -> None:
        """See to a box, one task at a time; what comes meanwhile is seen to behind it."""
        box.again = True
        if box.busy or not box.air.boot:
            return
        box.busy = True
        self.tasks.once(f"box {box.name}", partial(self._serve_until_done, box))

    async def _serve_until_done(self, box: LiveBox) -> None:
        pause_s = AGAIN_S
        try:
            while box.again:
                box.again = False
                if not await self._served(box) and not self._is_gone(box):
                    await asyncio.sleep(pause_s)
                    pause_s = min(2 * pause_s, LONGEST_AGAIN_S)
                    box.again = True
        finally:
            box.busy = False

    async def _served(self, box: LiveBox) -> bool:
        """False: to be tried again."""
        try:
            await self._serve_once(box)
        except Refusal as refusal:
            self.refuse(box.name, refusal.reason, refusal.detail)
        except (LinkLost, RequestError, UserError) as error:
            return not passes(error)  # a box that says no is asked at its next state
        return True

    async def _serve_once(self, box: LiveBox) -> None:
        await self._set_time(box)
        await self._fetch_missing(box)
        if box.unsure or box.state.get("waiting") or (box.lines and box.lines.sealed):
            await self._synchronise(box)
        if self._follow is not None and box.here.get("here"):
            await self._follow(self, box)

    async def _set_time(self, box: LiveBox) -> None:
        off = box.clock_off_s
        if off is None or abs(off) > CLOCK_OFF_S:
            reply = await box.air.ask("time", unix=int(self._now()))
            if isinstance(reply.get("unix"), int):
                box.clock_off_s = reply["unix"] - self._now()
            self._tell(box)

    async def _fetch_missing(self, box: LiveBox) -> None:
        """The lines of the open match that no push has brought."""
        known = box.lines
        if known is None or known.number == 0 or known.number != box.state.get("match"):
            return
        while len(known) < box.state["lines"] and not known.sealed and box.lines is known:
            before = len(known)
            reply = await self.loop.run_in_executor(
                self._threads, partial(self._next_lines, box, known.number, before)
            )
            if box.lines is not known or len(known) > before:
                continue  # pushes were quicker
            try:
                self._accept(box, known, before, reply, asked=True)
            except Refusal as refusal:
                box.lines = MatchLines(known.number)  # the box holds another match: from line 0
                if before == 0:
                    raise
                self.refuse(box.name, refusal.reason, refusal.detail)
                known = box.lines
                continue
            if len(known) == before:
                return

    def _next_lines(self, box: LiveBox, number: int, line: int) -> list[bytes]:
        """In a thread: the whole lines of one answer."""
        link = AirLink(box.air, self.loop)
        part, _ = next(fetch_lines(link, number, line), (b"", 0))
        return part.split(b"\n")[:-1]

    async def _synchronise(self, box: LiveBox) -> None:
        """Fetch, judge, store, confirm: as over USB, but for what is here already."""
        await self.flush()
        box.unsure = False  # what comes meanwhile may make it so again
        try:
            numbers = await self.loop.run_in_executor(self._threads, partial(self._sync, box))
        except (LinkLost, RequestError, UserError):
            box.unsure = True
            raise
        box.done = max(numbers, default=box.done)
        if box.lines is not None and box.lines.number in numbers:
            box.lines.sealed = False  # it is done
        if numbers:
            await asyncio.to_thread(
                self.store.live.forget_before, box.name, max(*numbers, box.state.get("match", 0))
            )

    def _sync(self, box: LiveBox) -> list[int]:
        """In a thread: the numbers of the matches that are confirmed now."""
        job = BoxSync(AirLink(box.air, self.loop), self.store, self._keys_of, _quietly)
        job.greet()
        return [synced.number for synced in job.matches(confirmed=False)]


def _quietly(_number: int, _done: int, _size: int) -> None:
    return


async def _nowhere(_topic: str, _payload: bytes) -> None:
    """Before there is a connection: as if nobody answered."""


def _ahead(state: dict[str, Any], now: float) -> float:
    unix = state.get("unix")
    return unix - now if isinstance(unix, int) else 0.0


def _same_name(one: LiveBox, other: LiveBox) -> bool:
    name = one.here.get("name")
    return bool(name) and name == other.here.get("name") and one.here.get("here") is True


def _lines_known(store: Store) -> dict[tuple[str, int], MatchLines]:
    """The lines of matches under way that are stored, by box and number; the newest birth."""
    found: dict[tuple[str, int], tuple[int, MatchLines]] = {}
    rows: dict[tuple[str, int, str], list[Line]] = {}
    for line in store.live.lines():
        rows.setdefault((line.box, line.number, line.born), []).append(line)
    for (box, number, _), lines in rows.items():
        known = MatchLines(number)
        with suppress(Refusal):
            known.take(0, [line.raw for line in lines], asked=True)
        version = max(line.version for line in lines)
        if (box, number) not in found or found[box, number][0] < version:
            found[box, number] = (version, known)
    return {key: known for key, (_, known) in found.items()}
