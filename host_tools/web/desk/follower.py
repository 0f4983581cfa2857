"""The tournament as the web pages see it: the service's state, folded once a process.

A state never changes once it is handed out, so pages read it in the event loop without locks; the
database is asked in a thread. What other desks write is seen within `LOOK_S`, on PostgreSQL at
once.
"""

import asyncio
import copy
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime

import anyio.to_thread

from host_tools.core.errors import UserError
from host_tools.tournament import events as ev
from host_tools.tournament.service import TournamentService, utc_now
from host_tools.tournament.state import MatchState, TournamentState
from host_tools.web.desk.live_tables import JURY, LiveTables

LOOK_S = 0.25
"""Of the second in which a desk shows what another one wrote."""
LATEST_KEPT = 12

STALE_S = 5.0
"""So long the database may not answer before pages say since when they are old."""
LOOK_AT_AGE_S = 0.5
"""Well below `STALE_S`, so that the page says so in time."""


class Follower:
    """`listeners` are called with every change, in the event loop."""

    def __init__(self, log: TournamentService, live: LiveTables) -> None:
        self._log = log
        self.seen_at = utc_now()
        """When everything that was stored was read last."""
        self.stale_since: datetime | None = None
        """`seen_at`, once that is too long ago to show the tournament as it is now."""
        self.stored_seq = 0
        """The last event in the database, as it was asked last."""
        self._turns = 0
        """Changes that no event of this log tells."""
        self._turned = asyncio.Event()
        self.live = live
        self._turn = asyncio.Lock()
        self.state = TournamentState()
        self.public = self
        """What everybody may see: the same, but that names may be shorter."""
        self.log: list[ev.LogEntry] = []
        self.latest: tuple[ev.MatchId, ...] = ()
        """The last results, newest first."""
        self.listeners: list[Callable[[], Awaitable[None] | None]] = []

    async def follow(self) -> None:
        """Look for news until cancelled; while the database fails, pages show what is known."""
        while True:
            try:
                begun = utc_now()
                await self.catch_up()
                await self.look_at_tables()
                self.seen_at = begun  # the data may be as old as the query
                if self._log.tells_news:
                    # not for ever: a lost LISTEN connection brings no news
                    await anyio.to_thread.run_sync(self._log.wait_for_news, LOOK_S)
                    continue
            except UserError:
                pass  # the database is away: `watch_age` says so
            await asyncio.sleep(LOOK_S)

    async def watch_age(self) -> None:
        """Until cancelled: say so when what is shown gets old, and when it is so no longer. Beside
        `follow`, which may hang in a question to the database.
        """
        while True:
            await asyncio.sleep(LOOK_AT_AGE_S)
            old = (utc_now() - self.seen_at).total_seconds() > STALE_S
            if old != (self.stale_since is not None):
                self.stale_since = self.seen_at if old else None
                self._turns += 1
                await self._publish()

    async def catch_up(self) -> None:
        """Take in what is new now; after a write, so that its author sees it."""
        async with self._turn:
            # under the lock: a slow answer must not put an older state over a newer one
            seq = self.state.seq
            self.stored_seq = await anyio.to_thread.run_sync(self._log.last_seq)
            # in a venue, other tournaments change who is free without an event in this log
            if self.stored_seq > seq or self.state.setup.venue:
                state, made = await anyio.to_thread.run_sync(self._log.news, seq)
                if state is not self.state:
                    await self._take(state, made)

    @property
    def version(self) -> int:
        """A number that grows with every change but those of tables on the air."""
        return self.state.seq + self._turns

    @property
    def desk_version(self) -> str:
        """Another word when pages of the desk may look different: cards that fall are not on
        them, but who calls the jury is.
        """
        return f"{self.version}-{self.live.versions.get(JURY, 0)}"

    async def look_at_tables(self) -> None:
        """Take in what boxes on the air have said."""
        async with self._turn:
            if await anyio.to_thread.run_sync(self.live.look):
                await self._publish()

    def turn(self) -> None:
        """Note a change that is in no log: what the boxes at this machine's cables report."""
        self._turns += 1
        self._turned.set()

    async def tell_turns(self) -> None:
        """Tell the listeners of each `turn` until cancelled."""
        while True:
            await self._turned.wait()
            self._turned.clear()
            await self._publish()

    async def _publish(self) -> None:
        for listener in list(self.listeners):
            done = listener()
            if done is not None:
                await done

    async def _take(self, state: TournamentState, made: Sequence[ev.LogEntry]) -> None:
        if self.log and any(isinstance(event.body, ev.Forgotten) for event in made):
            # it was written anew, without names, and matches on the air may be gone
            await anyio.to_thread.run_sync(self.live.read_anew)
            _, made = await anyio.to_thread.run_sync(self._log.news, 0)
            self.log = []
        for event in made:
            self.log.append(event)
            self._remember(event.body)
        if not made:  # what plays for other tournaments of the venue
            self._turns += 1
        self.state = state
        seen = state.in_public()
        # a shallow copy shares log and tables; only its state, with short names, differs
        self.public = self if seen is state else copy.copy(self)
        self.public.state = seen
        await self._publish()

    def _remember(self, body: ev.AnyBody) -> None:
        if isinstance(body, ev.GroupsDrawn):
            self.latest = ()
        if isinstance(body, ev.Checked | ev.Corrected | ev.Voided):
            others = tuple(match for match in self.latest if match != body.match)
            new = () if isinstance(body, ev.Voided) else (body.match,)
            self.latest = (*new, *others)[:LATEST_KEPT]

    def latest_matches(self) -> list[MatchState]:
        """The last results that count, newest first."""
        known = (self.state.matches.get(match) for match in self.latest)
        return [match for match in known if match is not None and match.result is not None]
