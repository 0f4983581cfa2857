"""The hall's end of all boxes: what they send goes into the store, what is missing is asked for.

MQTT only carries. Lines of a match are taken where their chain follows (`MatchLines`); a finished
match is fetched, judged, stored and confirmed by `BoxSync`, which finds here what came by air.
"""

import asyncio
import os
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar

from msgspec.structs import replace

from host_tools.box.link import BoxRefusal, LinkLost
from host_tools.box.sync import BoxSync, fetch_lines
from host_tools.cards.public_keys import SigningKey
from host_tools.core.errors import UserError
from host_tools.core.json_types import Json
from host_tools.core.supervisor import Supervisor
from host_tools.hall import protocol
from host_tools.hall.air_link import AirBox, BlockingAirLink, Publish
from host_tools.hall.lines import MatchLines
from host_tools.hall.passwords import lock_out
from host_tools.hall.protocol import RefusedMessage, Topic
from host_tools.store.heard import SILENT_S, HeardBox
from host_tools.store.live import LiveLine, MatchKey, WriteBatch
from host_tools.store.said import NOTHING, ByHall, Here, SaidState, plain
from host_tools.store.store import Store

FLUSH_S = 0.15
"""Seconds between batch writes to the database."""
CLOCK_CORRECTED_S = 2
"""Seconds by which a box's clock may be off before it is set."""
FUTURE_S = 120
"""Seconds. No clock drifts that far in a day: such a state is refused, and the clock set first."""
MOST_A_SECOND = 30
BURST = 200
"""Messages a box may send per second and at once; a match sends two or three per second."""
MOST_LINES = 50_000
"""Lines kept while the database fails. Beyond that they are dropped and asked for again."""
BOOTS = 8
"""Boot ids remembered per box."""
EARLY = 16
"""Pushes kept of a match that the box's state has not named yet."""
SENDERS = 1000
"""Refused senders counted by name; all others are counted as `?`."""
DENIED_S = 2.0
"""Seconds before a boot that the box has denied is asked about again, so that replayed messages
cost one request each time. Messages that arrive meanwhile wait: they may be the box itself, back
after another one with its id, and its next state may be ten seconds away.
"""
LOOK_S = 0.1
"""Poll interval for a waiting claim, in seconds: another one may have replaced it."""
WORKERS = 64
"""Maximum concurrent syncs; each spends most of its time waiting for its box."""
AGAIN_S, LONGEST_AGAIN_S = 1.0, 4.0
"""Seconds before a box is served again after it was silent or the database failed. The pause
doubles from the first to the second value.
"""

KEYS_S = 3.0
"""Poll interval for newly enrolled boxes, in seconds."""
NOBODYS_KEY = os.urandom(32)
"""Key used for boxes that must not be heard."""

NEVER = datetime(1970, 1, 1, tzinfo=UTC)

Outcome = TypeVar("Outcome")
Follow = Callable[["Reception", "BoxOnAir"], Coroutine[Any, Any, None]]
"""What else is done with a box after its state has come: pairings and notices."""


@dataclass
class Meter:
    """A sender's allowance."""

    allowed: float = BURST
    counted: float = 0.0

    def passes(self, now: float) -> bool:
        """False for one message too many."""
        self.allowed = min(BURST, self.allowed + (now - self.counted) * MOST_A_SECOND)
        self.counted = now
        if self.allowed < 1:
            return False
        self.allowed -= 1
        return True


@dataclass
class Claim:
    """What was said under another boot than the box's: it counts when the box says so too."""

    boot: str
    here: Here | None = None
    state: SaidState | None = None
    kept: bool = False


@dataclass
class BoxOnAir:
    """A box on the air."""

    air: AirBox
    state: SaidState = NOTHING
    heard: datetime = NEVER
    beat: int = -1
    boots: list[str] = field(default_factory=list)
    """Earlier ones; one that comes back is of a second box with this id."""
    heres: dict[str, Here] = field(default_factory=dict)
    """What each boot has said as `here`."""
    claim: Claim | None = None
    asking: bool = False
    denied: dict[str, float] = field(default_factory=dict)
    """Boots that were claimed and are not this box's -> when that was said (monotonic)."""
    lines: MatchLines | None = None
    early: list[tuple[int, int, bytes]] = field(default_factory=list)
    """Pushes of a match that no state has named yet: match, first line, lines."""
    doubted: int = 0
    """The match whose pushes are not believed any more: its lines are asked for."""
    doubt: bool = False
    """Its lines are not yet those that the box vouches for."""
    stale: MatchKey = ("", 0, "")
    """The match whose stored lines give way to those that are fetched."""
    clock_off_s: float | None = None
    unsure: bool = True
    """Finished matches may lie on it: it has come in, or its match is another one than before."""
    done: int = 0
    """The last match that was confirmed to it."""
    stored: set[int] = field(default_factory=set)
    """Matches that this process has seen in the store."""
    busy: bool = False
    again: bool = False
    follow_state: Json = field(default_factory=dict)
    """What `Follow` remembers of it."""
    signed: Meter = field(default_factory=Meter)
    unsigned: Meter = field(default_factory=Meter)

    @property
    def name(self) -> str:
        return self.air.box

    @property
    def here(self) -> Here:
        """What it said of itself."""
        return self.air.here

    @property
    def is_here(self) -> bool:
        """True unless its will was published."""
        return self.here.here and not self.air.gone


def passes(error: UserError) -> bool:
    """True if a box was silent or the database failed: not for long, perhaps."""
    return error.sentence.key == "box_silent" or error.sentence.key.startswith("db_")


class Reception:
    """All boxes of the leagues whose keys are given (league id -> key).

    `event`: only matches of this tournament are shown, and those that name none. `desk` gives the
    key whose public half enrolled boxes know, as it is now: what they say counts only with the
    key shared with it.
    `for_league`: boxes have a hall of their own; what it has confirmed to them is fetched.
    """

    def __init__(
        self,
        store: Store,
        leagues: Mapping[str, bytes],
        event: str = "",
        follow: Follow | None = None,
        now: Callable[[], float] = time.time,
        desk: Callable[[], SigningKey | None] = lambda: None,
        for_league: bool = False,
    ) -> None:
        self.store = store
        self._for_league = for_league
        self._desk = desk
        self._paired: dict[str, bytes] = {}
        self._revoked: set[str] = set()
        self.tasks = Supervisor()
        # the desks' page *Hall* shows it beside what was refused
        self.tasks.report = lambda task: self.refuse(f"hall: {task.name}", "task", task.fault)
        self.heard_at = 0.0
        """When a box was heard last, in seconds since 1970."""
        self.waiting = 0
        """Messages that have come and were not heard yet."""
        self.stored_at = now()
        """When all that had come was in the store last, in seconds since 1970."""
        self.boxes: dict[str, BoxOnAir] = {}
        self._air = {league: protocol.air_key(key) for league, key in leagues.items()}
        self._event = event
        self._follow = follow
        self._now = now
        self.refusals: Counter[str] = Counter()
        """How many messages were refused since the start, by reason (docs/hall.md)."""
        self._senders: set[str] = set()
        self._batch = WriteBatch()
        self._flushing = asyncio.Lock()
        self._publish: Publish = _nowhere
        self._known: dict[tuple[str, int], MatchLines] = {}
        self._stored_heard: dict[str, datetime] = {}
        self._threads = ThreadPoolExecutor(WORKERS, "sync")
        self._writer = ThreadPoolExecutor(1, "write")

    # -- beginning and end ------------------------------------------------------------------------

    async def begin(self, publish: Publish) -> None:
        """Connected: load what is stored of matches under way."""
        self._publish = publish
        self.loop = asyncio.get_running_loop()
        await self._learn_stored()
        await self._learn_keys()
        for box in self.boxes.values():
            box.air.publish, box.air.since = publish, time.monotonic()
            number = box.lines.number if box.lines else 0
            box.lines = self._known.get((box.name, number))

    async def _learn_stored(self) -> None:
        """What is stored of boxes and of the lines of their matches."""
        self._known = await asyncio.to_thread(_lines_known, self.store)
        boxes = await asyncio.to_thread(self.store.live.boxes)
        self._stored_heard = {box.box: box.heard for box in boxes}

    async def close(self) -> None:
        """Write what is left; what was not confirmed is asked for by the next one."""
        # requests first: tasks wait for them, and what they bring is still flushed below
        for box in self.boxes.values():
            box.air.close()
        await self.tasks.close()
        # its threads wait for boxes, whose asks were given up just now
        self._threads.shutdown(wait=False, cancel_futures=True)
        await self.flush()

    async def write_always(self) -> None:
        """Write every `FLUSH_S`, until cancelled."""
        while True:
            await asyncio.sleep(FLUSH_S)
            await self.flush()

    async def learn_always(self) -> None:
        """Look for boxes that were enrolled, every `KEYS_S`, until cancelled."""
        while True:
            await asyncio.sleep(KEYS_S)
            with suppress(UserError):  # the database or the desk's key: asked again
                await self._learn_keys()

    async def _learn_keys(self) -> None:
        """A box with an enrolled key speaks with that one, and never again with the league's; one
        whose key was revoked, or whose desk has another laptop, is not heard at all.
        """
        keys = (await asyncio.to_thread(self.store.enrolled.all)).keys
        desk = await asyncio.to_thread(self._desk)
        last = {key.box: key for key in keys if key.box}
        self._paired = {
            box: protocol.pair_key(desk, key.public)
            if desk is not None and key.revoked is None
            else NOBODYS_KEY
            for box, key in last.items()
        }
        for name, box in self.boxes.items():
            box.air.key = self._key_of(box.air.league, name)
        gone = {name for name, key in last.items() if key.revoked is not None}
        for name in gone - self._revoked:
            await asyncio.to_thread(lock_out, name)  # another laptop may have revoked it
        self._revoked |= gone

    def _key_of(self, league: str, box: str) -> bytes:
        return self._paired.get(box) or self._air[league]

    async def flush(self) -> None:
        """Write what came. While the database fails it is kept, up to a limit."""
        async with self._flushing:
            batch, self._batch = self._batch, WriteBatch()
            if not batch:
                self.stored_at = self._now()
                return
            try:
                # in a thread of its own: boxes that do not answer keep others waiting
                loop = asyncio.get_running_loop()
                written = await loop.run_in_executor(self._writer, self.store.live.write, batch)
            except UserError:
                self._keep(batch)
                return
            if not written.later:  # otherwise part of the batch is still to be retried
                self.stored_at = self._now()
            self._keep(written.later)
            for box, why in written.refused.items():
                self.refuse(box, "unwritable", why)
                if box in self.boxes:
                    self.boxes[box].lines = None

    def _keep(self, batch: WriteBatch) -> None:
        newer, self._batch = self._batch, batch  # what arrived during the write goes behind it
        self._batch.add(newer)
        if len(self._batch.lines) > MOST_LINES:
            # the next state tells what is missing, and the box has it on its flash
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
        except RefusedMessage as refusal:
            self.refuse(sender, refusal.reason, refusal.detail)

    def refuse(self, sender: str, reason: str, detail: str = "") -> None:
        """Count what was not taken."""
        name = plain(sender, 64) or "?"
        # bounded: senders choose their names, and each is a row in the database
        if name not in self._senders and len(self._senders) >= SENDERS:
            name = "?"
        self._senders.add(name)
        self.refusals[reason] += 1
        self._batch.refuse(name, plain(reason, 32), self._at(), plain(detail, 200))

    @contextmanager
    def _refusing(self, box: BoxOnAir) -> Iterator[None]:
        """What is not taken of this box within the block is counted, and ends the block."""
        try:
            yield
        except RefusedMessage as refusal:
            self.refuse(box.name, refusal.reason, refusal.detail)

    def _take(self, topic: Topic, whole_topic: str, payload: bytes, kept: bool) -> None:
        if topic.league not in self._air:
            raise RefusedMessage("other_league", topic.league[:16])
        if topic.kind not in protocol.KINDS:
            raise RefusedMessage("foreign_topic", topic.kind[:32])
        if topic.kind == protocol.ANSWER:
            self._take_answer(self._known_box(topic), whole_topic, payload)
        elif topic.kind == protocol.RECORDS:
            # unsigned: an HMAC for each verdict is not needed, as the next state, which is signed,
            # names the link of the last line
            self._take_records(self._known_box(topic), topic, payload)
        else:
            # only a signed message may call the jury, open a match or name a table
            key = self._key_of(topic.league, topic.box)
            data = protocol.open_object(key, whole_topic, payload)
            box = self._box(topic)  # after the signature check: invented ids cost no memory
            # counted after the check, so nobody can use up another box's allowance
            if not box.signed.passes(time.monotonic()):
                raise RefusedMessage("flood")
            if topic.kind == protocol.HERE:
                self._take_here(box, protocol.read_here(data), kept)
            else:
                self._take_state(box, protocol.read_state(data), kept)

    def _take_answer(self, box: BoxOnAir, topic: str, payload: bytes) -> None:
        # a box that answers is heard: after a restart its next state may be ten seconds away
        if box.air.answered(topic, payload) and box is self.boxes.get(box.name):
            box.heard = self._at()
            self._tell(box)

    def _known_box(self, topic: Topic) -> BoxOnAir:
        """The box, or one of no consequence for who has not said anything signed."""
        box = self.boxes.get(topic.box)
        if box is not None and box.air.league == topic.league:
            return box
        key = self._key_of(topic.league, topic.box)
        air = AirBox(topic.box, topic.league, key, self._publish, for_league=self._for_league)
        return BoxOnAir(air, heard=self._stored_heard.get(topic.box, NEVER))

    def _box(self, topic: Topic) -> BoxOnAir:
        box = self.boxes[topic.box] = self._known_box(topic)
        return box

    def _at(self) -> datetime:
        return datetime.fromtimestamp(self._now(), UTC)

    def _tell(self, box: BoxOnAir) -> None:
        """What the desks read of the box from now on."""
        off, doubt = box.clock_off_s, box.doubted if box.doubt else 0
        hall = ByHall(box.air.round_trip_ms, None if off is None else round(off), doubt)
        here = replace(box.here, here=box.is_here, league=box.air.league, hall=hall)
        self._batch.boxes[box.name] = HeardBox(box.name, box.heard, here, box.state)

    # -- here and state ---------------------------------------------------------------------------

    def _take_here(self, box: BoxOnAir, here: Here, kept: bool) -> None:
        if not here.here:
            if here.boot == box.air.boot or not box.air.boot:  # else a will of before
                box.air.left()
                self._tell(box)
            return
        if here.box != box.name:
            raise RefusedMessage("foreign_topic", f"is {here.box[:32]}")
        if here.schiri != protocol.VERSION:
            raise RefusedMessage("other_version", str(here.schiri)[:8])
        if not self._is_own(box, here.boot):
            self._ask_whose(box, Claim(here.boot, here, kept=kept))
            return
        # an equal beat is no replay: the broker repeats what it has kept
        if here.boot == box.here.boot and here.beat < box.here.beat:
            raise RefusedMessage("replayed", f"here {here.beat}")
        box.heres = {**dict(list(box.heres.items())[-BOOTS:]), here.boot: here}
        box.unsure = True
        box.air.came(here)
        self._tell(box)
        others = [other for other in self.boxes.values() if other is not box and other.is_here]
        twins = [other.name for other in others if here.name and other.here.name == here.name]
        if twins:
            raise RefusedMessage("two_boxes", f"{here.name}: {', '.join(twins)[:80]}")

    def _is_own(self, box: BoxOnAir, boot: str) -> bool:
        """True if the box speaks as before; the first that is heard of it counts until it is asked
        something.
        """
        if not box.air.boot:
            box.air.boot = boot
        return boot == box.air.boot

    def _ask_whose(self, box: BoxOnAir, claim: Claim) -> None:
        """Another boot: the box was switched on again, or there are two with this id, or
        somebody repeats what it said long ago. Only the box itself can tell, by a signed answer.
        """
        known = box.claim
        is_denied = self._denied_s(box, claim.boot) > 0
        if known is not None and known.boot == claim.boot:
            claim.here, claim.state = claim.here or known.here, claim.state or known.state
        # that the known boot is silent would prove nothing: who repeats old messages waits for
        # that
        if known is not None and is_denied:
            self._deny(box, claim)
            if known.boot != claim.boot:
                return  # it takes no other's place
        box.claim = claim
        if not box.asking:
            box.asking = True
            self._begin(box, self._settle)

    def _denied_s(self, box: BoxOnAir, boot: str) -> float:
        """How long this boot is not asked for yet."""
        denied = box.denied.get(boot)
        return 0.0 if denied is None else denied + DENIED_S - time.monotonic()

    async def _settle(self, box: BoxOnAir) -> None:
        try:
            while box.claim is not None:
                if self._denied_s(box, box.claim.boot) > 0:
                    await asyncio.sleep(LOOK_S)
                    continue
                boot = await box.air.whose()
                claim, box.claim = box.claim, None
                if boot != box.air.boot and claim.boot != box.air.boot:
                    self._switch(box, boot or claim.boot)
                if claim.boot == box.air.boot:
                    self._take_claim(box, claim)
                else:
                    denied = list(box.denied.items())[-BOOTS:]
                    box.denied = {**dict(denied), claim.boot: time.monotonic()}
                    self._deny(box, claim)
        except RefusedMessage as refusal:  # an answer that is none
            self.refuse(box.name, refusal.reason, refusal.detail)
        finally:
            box.asking = False

    def _deny(self, box: BoxOnAir, claim: Claim) -> None:
        if not claim.kept:
            self.refuse(box.name, "replayed", f"boot {claim.boot}")

    def _switch(self, box: BoxOnAir, boot: str) -> None:
        """The box speaks under another boot: a new one, or that of the second with its id."""
        if boot in box.boots:
            self.refuse(box.name, "two_boxes", boot)
            # a backup was restored onto a second box; the broker lets in one at a time, and the
            # hall follows the one that is connected
            box.boots.remove(boot)
        box.boots = [*box.boots, box.air.boot][-BOOTS:]
        # beats restart with every boot
        box.air.boot, box.air.spoke_as, box.beat = boot, "", -1
        box.air.here = box.heres.get(boot, replace(box.here, boot=boot, beat=0))
        box.air.gone, box.unsure = False, True

    def _take_claim(self, box: BoxOnAir, claim: Claim) -> None:
        with self._refusing(box):
            if claim.here is not None:
                self._take_here(box, claim.here, claim.kept)
        with self._refusing(box):
            if claim.state is not None:
                self._take_state(box, claim.state, claim.kept)
        self.serve(box)

    def _is_gone(self, box: BoxOnAir) -> bool:
        """True if whoever spoke last has left, or is silent."""
        silent_s = (self._at() - box.heard).total_seconds()
        # replaced in `boxes` if it has come back with the key of another league
        return not box.is_here or silent_s > SILENT_S or box is not self.boxes.get(box.name)

    def _take_state(self, box: BoxOnAir, state: SaidState, kept: bool) -> None:
        if not self._is_own(box, state.boot):
            self._ask_whose(box, Claim(state.boot, state=state, kept=kept))
            return
        if state.beat <= box.beat:
            if kept:
                return  # known from before the connection was lost
            raise RefusedMessage("replayed", f"state {state.beat}")
        off = None if state.unix is None else state.unix - self._now()
        if off is not None and off > FUTURE_S and not kept:
            box.clock_off_s = off
            self.serve(box)  # which sets its clock
            raise RefusedMessage("from_future", f"{off:.0f} s")
        box.unsure |= state.match != box.state.match and state.match > box.done
        box.beat, box.state = state.beat, state
        if off is not None:
            box.clock_off_s = None if kept else off
        if not kept:
            box.heard = self._at()
            box.air.here, box.air.gone = replace(box.here, here=True), False
        self._compare(box, state)
        self._take_early(box)
        self._tell(box)
        if not kept or box.is_here:
            self.serve(box)

    def _compare(self, box: BoxOnAir, state: SaidState) -> None:
        """The lines that are known must be those that the box vouches for."""
        if box.lines is None or box.lines.number != state.match:
            box.lines = self._known.pop((box.name, state.match), None) or (
                MatchLines(state.match, box.name, box.air.boot)
            )
        fits = box.lines.is_of(state.lines, state.head)
        if fits is False:
            if box.lines.boot == box.air.boot:  # else it may have been another box with its id
                self.refuse(box.name, "other_bytes", f"match {state.match}")
                box.doubted, box.doubt = state.match, True
            self._fetch_again(box, box.lines)
        elif fits or state.match != box.doubted:
            box.doubt = False

    def _fetch_again(self, box: BoxOnAir, known: MatchLines) -> None:
        """What came under this box's name is not what it has: its own signed answers count."""
        box.stale = (box.name, known.number, known.born)
        box.lines = MatchLines(known.number, box.name, box.air.boot)

    # -- records ----------------------------------------------------------------------------------

    def _take_records(self, box: BoxOnAir, topic: Topic, payload: bytes) -> None:
        number, first = protocol.record_place(topic)
        if not box.unsigned.passes(time.monotonic()):
            raise RefusedMessage("flood")
        if not payload.endswith(b"\n") or len(payload) > protocol.LONGEST_PAYLOAD:
            raise RefusedMessage("damaged", f"match {number}, line {first}")
        if box.lines is None or number > box.lines.number:
            # records (QoS 1) may overtake the state (QoS 0) that names their match
            box.early = [*box.early, (number, first, payload)][-EARLY:]
            return
        self._push(box, box.lines, number, first, payload)

    def _take_early(self, box: BoxOnAir) -> None:
        """What was pushed before the box's state has named the match."""
        early, box.early = box.early, []
        for number, first, payload in early:
            if box.lines is not None and number == box.lines.number:
                with self._refusing(box):
                    self._push(box, box.lines, number, first, payload)

    def _push(
        self, box: BoxOnAir, known: MatchLines, number: int, first: int, payload: bytes
    ) -> None:
        if number < known.number:
            raise RefusedMessage("replayed", f"match {number}")
        if number == box.doubted:
            self.serve(box)  # which asks for it
            return
        before = len(known)
        self._accept(box, known, first, payload[:-1].split(b"\n"))
        if first > before:
            self.serve(box)  # something before it is missing

    def _accept(
        self, box: BoxOnAir, known: MatchLines, first: int, lines: list[bytes], asked: bool = False
    ) -> None:
        behind = len(known)
        new = known.take(first, lines, asked)
        if self._event and known.event not in ("", self._event):
            if new and behind == 0:  # it comes into the store when it is over, as by USB
                raise RefusedMessage("finished_event", known.event[:64])
            return
        if new and behind == 0 and box.stale == (box.name, known.number, known.born):
            self._batch.drop(box.stale)
        at = self._at()
        self._batch.lines += [
            LiveLine(box.name, known.number, known.born, behind + offset, at, raw)
            for offset, raw in enumerate(new)
        ]
        if new and known.sealed:
            self.serve(box)

    # -- what a box needs -------------------------------------------------------------------------

    def serve(self, box: BoxOnAir) -> None:
        """See to a box, one task at a time; what comes meanwhile is seen to behind it."""
        box.again = True
        if box.busy or not box.air.boot:
            return
        box.busy = True
        self._begin(box, self._serve_until_done)

    def _begin(self, box: BoxOnAir, work: Callable[[BoxOnAir], Coroutine[Any, Any, None]]) -> None:
        self.tasks.once(f"box {box.name}", partial(work, box))

    async def _serve_until_done(self, box: BoxOnAir) -> None:
        pause_s = AGAIN_S
        try:
            while box.again:
                box.again = False
                # one that is gone says `here` when it is back, and is served then
                if not await self._served(box) and not self._is_gone(box):
                    await asyncio.sleep(pause_s)
                    pause_s = min(2 * pause_s, LONGEST_AGAIN_S)
                    box.again = True
        finally:
            box.busy = False

    async def _served(self, box: BoxOnAir) -> bool:
        """False: to be tried again."""
        try:
            with self._refusing(box):
                await self._serve_once(box)
        except (LinkLost, BoxRefusal, UserError) as error:
            if box.air.spoke_as not in ("", box.air.boot):  # a signed answer of another boot
                self._switch(box, box.air.spoke_as)
            return not passes(error)  # a box that says no is asked at its next state
        return True

    async def _serve_once(self, box: BoxOnAir) -> None:
        # nothing is remembered of what a box should get: it follows from what it says and from the
        # log, so that a restarted receiver goes on where this one stopped
        await self._greet(box)
        await self._set_time(box)
        await self._fetch_missing(box)
        if box.unsure or box.state.waiting or (box.lines and box.lines.sealed):
            await self._synchronise(box)
        if self._follow is not None and box.is_here:
            await self._follow(self, box)

    async def _greet(self, box: BoxOnAir) -> None:
        """Who a box is that this hall has not heard say `here`."""
        if box.here.box:
            return
        said = await box.air.ask("hello")
        if said["schiri"] != protocol.VERSION:
            raise RefusedMessage("other_version", str(said["schiri"])[:8])
        names = {name: said[name] for name in ("name", "table", "firmware")}
        box.air.here = replace(box.here, box=box.name, boot=box.air.boot, **names)
        self._tell(box)

    async def _set_time(self, box: BoxOnAir) -> None:
        off = box.clock_off_s
        if off is None or abs(off) > CLOCK_CORRECTED_S:
            reply = await box.air.ask("time", unix=int(self._now()))
            if isinstance(reply.get("unix"), int):
                box.clock_off_s = reply["unix"] - self._now()
            self._tell(box)

    async def _fetch_missing(self, box: BoxOnAir) -> None:
        """The lines of the open match that no push has brought."""
        known = box.lines
        if known is None or known.number == 0 or known.number != box.state.match:
            return
        while len(known) < box.state.lines and not known.sealed and box.lines is known:
            before = len(known)
            reply = await self.loop.run_in_executor(
                self._threads, partial(self._next_lines, box, known.number, before)
            )
            if box.lines is not known or len(known) > before:
                continue  # pushes were quicker
            try:
                self._accept(box, known, before, reply, asked=True)
            except RefusedMessage as refusal:
                self._fetch_again(box, known)  # the box has others before: from line 0
                if before == 0:
                    raise
                self.refuse(box.name, refusal.reason, refusal.detail)
                known = box.lines
                continue
            if len(known) == before:
                return  # the box has no more lines, whatever its state says
        if box.doubt and known.is_of(box.state.lines, box.state.head):
            box.doubt = False
            self._tell(box)

    def _next_lines(self, box: BoxOnAir, number: int, line: int) -> list[bytes]:
        """In a thread: the whole lines of one answer."""
        link = BlockingAirLink(box.air, self.loop)
        part, _ = next(fetch_lines(link, number, line), (b"", 0))
        return part.split(b"\n")[:-1]

    async def _synchronise(self, box: BoxOnAir) -> None:
        """Fetch, judge, store, confirm: as over USB, but for what is here already."""
        # BoxSync takes from the store what came by air
        await self.flush()
        # what comes meanwhile may make it so again; a league waits until the hall has confirmed
        box.unsure = self._for_league and box.state.waiting > 0
        try:
            numbers = await self.loop.run_in_executor(self._threads, partial(self._sync, box))
        except (LinkLost, BoxRefusal, UserError, RefusedMessage):
            box.unsure = True
            raise
        box.done = max(numbers, default=box.done)
        if box.lines is not None and box.lines.number in numbers:
            box.lines.sealed = False  # it is done
        if numbers:
            # stored whole; the lines of the open match stay
            last = max(*numbers, box.state.match)
            await asyncio.to_thread(self.store.live.forget_before, box.name, last)

    def _sync(self, box: BoxOnAir) -> list[int]:
        """In a thread: the numbers of the matches that are confirmed now."""
        link = BlockingAirLink(box.air, self.loop)
        job = BoxSync(link, self.store, lambda *_: None)
        job.greet()
        league = self._for_league  # confirmed by it, a match would never come to the box's hall
        done = [synced.number for synced in job.matches(league, box.stored, not league)]
        box.stored |= {*done}
        return done


async def _nowhere(_topic: str, _payload: bytes) -> None:
    """Before there is a connection: as if nobody answered."""


def _lines_known(store: Store) -> dict[tuple[str, int], MatchLines]:
    """The lines of matches under way that are stored, by box and number; the newest birth."""
    found: dict[tuple[str, int], tuple[int, MatchLines]] = {}
    rows: dict[tuple[str, int, str], list[LiveLine]] = {}
    for line in store.live.lines():
        rows.setdefault((line.box, line.number, line.born), []).append(line)
    for (box, number, _), lines in rows.items():
        known = MatchLines(number, box)
        with suppress(RefusedMessage):
            # accepted once: a damaged line is what the flash holds
            known.take(0, [line.raw for line in lines], asked=True)
        version = max(line.version for line in lines)
        if (box, number) not in found or found[box, number][0] < version:
            found[box, number] = (version, known)
    return {key: known for key, (_, known) in found.items()}
