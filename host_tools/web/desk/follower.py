"""The tournament as the web pages see it: the service's state, folded once a process.

A state never changes once it is handed out, so pages read it in the event loop without locks; the
database is asked in a thread. What other desks write is seen within `LOOK_S`, on PostgreSQL at
once.
"""

import asyncio
import copy
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime

import anyio.to_thread

from host_tools.core.errors import UserError
from host_tools.tournament import events as ev
from host_tools.tournament.service import TournamentService, utc_now
from host_tools.tournament.state import MatchState, TournamentState
from host_tools.web.desk.live_tables import JURY, LIVE, WALL, LiveTables

LOOK_S = 0.25
"""Of the second in which a desk shows what another one wrote."""
LATEST_KEPT = 12

STALE_S = 5.0
"""So long the database may not answer before pages say since when they are old."""
LOOK_AT_AGE_S = 0.5
"""Well below `STALE_S`, so that the page says so in time."""
NOW, LATEST, RANKING, TREE, HEAD, SAID = "now", "latest", "ranking", "tree", "head", "said"
AGE = "age"
"""The topic of whether pages are up to date."""
ALL = "*"

LogChange = tuple[int, frozenset[str]]
"""A number that grows (`Follower.seq`), and the names of the parts of the board it touched (or
`ALL`).
"""


def group_part(group: str) -> str:
    """The name of a group's part of the board."""
    return f"group-{group}"


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
        """So often that has changed."""
        self.live = live
        self._turn = asyncio.Lock()
        self.state = TournamentState()
        self.public = self
        """What everybody may see: the same, but that names may be shorter."""
        self.log: list[ev.LogEntry] = []
        self.latest: deque[ev.MatchId] = deque(maxlen=LATEST_KEPT)
        self.listeners: list[Callable[[LogChange], Awaitable[None] | None]] = []

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
                await self._publish((self.seq, frozenset({AGE})))

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
    def seq(self) -> int:
        """A number that grows with every change of the log or of a table."""
        return self.state.seq + self.live.version + self._turns

    async def look_at_tables(self) -> None:
        """Take in what boxes on the air have said."""
        async with self._turn:
            touched = await anyio.to_thread.run_sync(self.live.look)
            if touched:
                await self._publish((self.seq, touched))

    async def _publish(self, change: LogChange) -> None:
        seq, touched = change
        if touched & {NOW, LIVE, JURY}:  # the wall shows all of these
            change = (seq, touched | {WALL})
        for listener in list(self.listeners):
            done = listener(change)
            if done is not None:
                await done

    async def _take(self, state: TournamentState, made: Sequence[ev.LogEntry]) -> None:
        self.state = state
        seen = state.in_public()
        # a shallow copy shares log and tables; only its state, with short names, differs
        self.public = self if seen is state else copy.copy(self)
        self.public.state = seen
        touched: set[str] = set()
        if self.log and any(isinstance(event.body, ev.Forgotten) for event in made):
            # it was written anew, without names
            _, made = await anyio.to_thread.run_sync(self._log.news, 0)
            self.log = []
        for event in made:
            self.log.append(event)
            touched |= self._touched(event.body)
            self._remember(event.body)
        if not made:  # what plays for other tournaments of the venue
            self._turns += 1
            touched.add(NOW)
        await self._publish((self.seq, frozenset(touched)))

    def _remember(self, body: ev.AnyBody) -> None:
        if isinstance(body, ev.GroupsDrawn):
            self.latest.clear()
        if isinstance(body, ev.Checked | ev.Corrected | ev.Voided):
            if body.match in self.latest:
                self.latest.remove(body.match)
            if not isinstance(body, ev.Voided):
                self.latest.appendleft(body.match)

    def _touched(self, body: ev.AnyBody) -> set[str]:
        parts = set(TOUCHES.get(type(body), frozenset({ALL})))
        match = self.state.matches.get(getattr(body, "match", ""))
        if match is not None:
            parts.add(TREE if match.group is None else group_part(match.group))
        return parts

    def latest_matches(self) -> list[MatchState]:
        """The last results that count, newest first."""
        known = (self.state.matches.get(match) for match in self.latest)
        return [match for match in known if match is not None and match.result is not None]


# parts of the board -> events that change them besides the part of their own match; others
# change all
_TOUCHED_BY: tuple[tuple[set[str], tuple[type, ...]], ...] = (
    (set(), (ev.CheckedIn, ev.ProtestFiled, ev.ProtestDecided, ev.Observed, ev.Penalized)),
    (set(), (ev.PenaltyLifted, ev.SignedUp, ev.SignupSettled, ev.BoxGiven, ev.DeckBack)),
    (set(), (ev.Locked,)),
    ({NOW}, (ev.MatchPlanned, ev.AtTable, ev.StartSignal)),
    ({HEAD}, (ev.Unplaced, ev.Dismissed)),
    ({HEAD, NOW}, (ev.Started,)),
    ({HEAD, NOW, SAID}, (ev.Postponed, ev.Called, ev.TimeUp, ev.Reported, ev.TakenBack)),
    ({HEAD, NOW, SAID, LATEST, RANKING}, (ev.Undone, ev.Checked, ev.Corrected, ev.Voided)),
    ({SAID}, (ev.Announced, ev.AnnouncementEnded)),
)
TOUCHES = {kind: frozenset(parts) for parts, kinds in _TOUCHED_BY for kind in kinds}
