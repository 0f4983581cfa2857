"""The tournament as programs use it: read the state, do something, hear what others did.

Every desk (command line, web pages, a second laptop) holds a `TournamentService`. The database
holds the log; each service folds it once and takes in what the others wrote. A `TournamentState`
that it gave away never changes: the next one takes its place.
"""

import random
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec

from host_tools.core.errors import Exit, UserError, decode_reason
from host_tools.core.names import LONGEST_REASON, slug
from host_tools.core.text_check import check_texts
from host_tools.store import open_store
from host_tools.store.log_line import CHAIN_START, LogLine, link
from host_tools.tournament import events as ev
from host_tools.tournament.actions import entrants
from host_tools.tournament.match_state import BusyElsewhere
from host_tools.tournament.player_names import name_key
from host_tools.tournament.state import TournamentState

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from host_tools.store.store import Store
    from host_tools.store.tournament_log import Beginning, TournamentLog

ATTEMPTS = 40
"""How often a command is judged anew because another desk was faster."""
LONGEST_PAUSE_S = 0.05
"""Drawn by chance, and longer each time, so that two desks do not meet again."""
DIGEST_EVERY = 50
"""About so many events apart the log carries a digest of the state, for `verify`."""


LogCommand = Callable[[TournamentState], Sequence[ev.AnyBody]]
"""Judges what somebody wants against the state; the functions of `actions` with their arguments.

It may be called several times, and must raise UserError if the command is refused.
"""


def command(
    function: Callable[..., Sequence[ev.AnyBody]], *arguments: Any, **options: Any
) -> LogCommand:
    """`command(matches.call, "A-1", table=3)`: a function of `actions` with its arguments."""
    return lambda state: function(state, *arguments, **options)


Now = Callable[[], datetime]


def utc_now() -> datetime:
    return datetime.now(UTC)


class TournamentService:
    """One tournament in a store. May be used from several threads.

    `clock` gives the time that is written into events (UTC).
    """

    def __init__(
        self, store: "Store", tournament: str, clock: Now = utc_now, alone: bool = False
    ) -> None:
        """`alone`: what other tournaments of its venue do is not looked at."""
        self.id = tournament
        self._alone = alone
        self._others: dict[str, TournamentService] = {}
        self._beside: dict[str, int] | None = None
        """How far the other logs were read, if it shares a venue with some."""
        self.store = store
        self.clock = clock
        self._log = _log_of(store)
        self._state = TournamentState(tournament=tournament)
        self._events: list[ev.LogEntry] = []
        self._chain = CHAIN_START
        # reentrant: `do` holds it while `refresh` takes it again
        self._lock = threading.RLock()
        self.refresh()
        if not self._events:
            raise UserError("no_tournament", tournament=tournament)
        if not alone:
            self.learn_others()

    # -- opening ----------------------------------------------------------------------------------

    @classmethod
    def open(
        cls, db: str | None = None, tournament: str | None = None, clock: Now = utc_now
    ) -> "TournamentService":
        """Open a stored tournament. `db`: file or URL as for `open_store`; `tournament`: its id,
        not needed if there is only one. Raises UserError.
        """
        store = open_store(db, reads=True)
        try:
            return cls.of(store, tournament, clock)
        except UserError:
            store.close()
            raise

    @classmethod
    def of(
        cls, store: "Store", tournament: str | None = None, clock: Now = utc_now
    ) -> "TournamentService":
        """The same of a store that is open."""
        return cls(store, tournament or _only(tournament_ids(store)), clock)

    @classmethod
    def create(
        cls,
        db: str | None,
        actor: str,
        setup: ev.Created,
        tournament: str | None = None,
        clock: Now = utc_now,
    ) -> "TournamentService":
        """Make a new tournament; without an id it gets one from its name. Raises UserError."""
        entrants.check_setup(setup)
        check_texts(actor)
        first = ev.LogEntry(seq=1, at=_stamp(clock()), actor=actor, body=setup)
        return cls.make(db, [first], tournament, clock)

    @classmethod
    def restore(
        cls,
        db: str | None,
        log: Sequence[ev.LogEntry],
        tournament: str | None = None,
        clock: Now = utc_now,
    ) -> "TournamentService":
        """Make a tournament out of an exported log, as it was: boxes may have brought some of its
        matches here before. Raises UserError.
        """
        return cls.make(db, log, tournament, clock, restored=True)

    @classmethod
    def make(
        cls,
        db: str | None,
        log: Sequence[ev.LogEntry],
        tournament: str | None = None,
        clock: Now = utc_now,
        restored: bool = False,
    ) -> "TournamentService":
        """Make a tournament out of a log, a new one unless it is `restored`. Raises UserError."""
        if not log or not isinstance(log[0].body, ev.Created):
            raise UserError("log_headless")
        state = TournamentState()
        for event in log:
            apply_logged(state, event)
        chosen = tournament or slug(state.setup.name)
        # an id stands in addresses and file names
        if chosen != slug(chosen):
            raise UserError("bad_id", id=chosen)
        store = open_store(db)
        try:
            _log_of(store).create(chosen, linked(CHAIN_START, log), restored=restored)
            return cls(store, chosen, clock)
        except UserError:
            store.close()
            raise

    def close(self) -> None:
        self._log.stop_listening()
        self.store.close()

    # -- reading ----------------------------------------------------------------------------------

    @property
    def state(self) -> TournamentState:
        """The tournament as it stands now, with what other desks wrote. Nobody changes it any
        more: what happens next is a state of its own.
        """
        self.refresh()
        return self._state

    @property
    def known(self) -> TournamentState:
        """The tournament as it was read last; the database is not asked."""
        return self._state

    def news(self, since: int) -> tuple[TournamentState, list[ev.LogEntry]]:
        """The tournament as it stands now, and the events behind number `since` that led there."""
        with self._lock:
            self.refresh()
            return self._state, self._events[since:]

    def events(self, since: int = 0) -> list[ev.LogEntry]:
        """The events behind number `since`, in order."""
        return self.news(since)[1]

    def learn_others(self) -> frozenset[str]:
        """What the other tournaments of the database are called: their ids, which it returns, and
        their first names.
        """
        others = dict(self._log.first_lines())
        others.pop(self.id, None)
        called = frozenset(others) | {_first_name(line) for line in others.values()}
        with self._lock:
            if called != self._state.others:
                # a state that was given away never changes
                self._state = self._state.copy()
                self._state.others = called
        return frozenset(others)

    def beginning(self) -> "Beginning":
        """Where in the store its matches begin."""
        return self._log.beginning(self.id)

    def last_seq(self) -> int:
        """The number of the last event in the database: the cheapest question there is."""
        return self._log.last(self.id)

    @property
    def tells_news(self) -> bool:
        """True if the database says by itself that somebody has written."""
        return self._log.tells_news

    def wait_for_news(self, seconds: float) -> bool:
        """Wait so long for a desk to write; False if none did. Only if `tells_news`."""
        return self._log.wait_for_news(seconds)

    # -- doing ------------------------------------------------------------------------------------

    def do(self, actor: str, why: str, wanted: LogCommand) -> list[ev.LogEntry]:
        """Judge a command and write its events, all or none; returns them (none: nothing to do).

        If another desk writes first, the command is judged anew on what that one did. Raises
        UserError with the reason if the command is refused, or if the database fails.
        """
        check_texts(actor)
        check_texts(why, longest=LONGEST_REASON)
        with self._lock:
            made = more = self._try_until_written(actor, why, wanted)
            while more:
                # Follow-ups of a withdrawal or exclusion: harmless to repeat, so not one piece.
                # A walkover may put its loser into the match for third place.
                # said by the desk itself: `why` is a word of ours that every page tells in its
                # language
                more = self._try_until_written(actor, ev.WALKOVER, entrants.walkovers)
                made += more
            return made

    def _try_until_written(self, actor: str, why: str, wanted: LogCommand) -> list[ev.LogEntry]:
        for attempt in range(ATTEMPTS):
            self.refresh()
            bodies = wanted(self._state)
            if not bodies:
                return []
            now, first = self.clock(), self._state.seq + 1
            made = [
                ev.LogEntry(
                    seq=seq,
                    # SW-7 is about the millisecond: from here the two minutes run
                    at=_stamp(now, exact=isinstance(body, ev.Called)),
                    actor=actor,
                    why=why,
                    body=body,
                )
                for seq, body in enumerate(bodies, first)
            ]
            if self._write(made):
                return made
            # without chance two desks that collided would collide again, in step
            time.sleep(random.random() * LONGEST_PAUSE_S * attempt / ATTEMPTS)
            # somebody has deleted the tournament: it would be refused as busy, after all attempts
            if not self.last_seq():
                raise UserError("no_tournament", tournament=self.id)
        raise UserError("desks_busy", Exit.SYSTEM)

    def _write(self, made: Sequence[ev.LogEntry]) -> bool:
        """Fold first and write then: what cannot be folded never comes into the log."""
        lines = self._lines_of(made)
        later = self._state.copy()
        for event in made:
            later.apply(event)
        # only a call can collide with another tournament of the venue; two desks that judged at
        # once both had the table
        calls = any(isinstance(event.body, ev.Called) for event in made)
        written = self._log.append(self.id, lines, self._beside if calls else None)
        if written:
            self._keep(later, made, lines)
        return written

    def _lines_of(self, made: Sequence[ev.LogEntry]) -> list[LogLine]:
        before = self._state.seq
        # one command may write many events: what counts is that a multiple lies between
        marked = (before + len(made)) // DIGEST_EVERY > before // DIGEST_EVERY
        digest = self._state.digest() if marked else ""
        return linked(self._chain, made, digest)

    # -- what others do ---------------------------------------------------------------------------

    def refresh(self) -> list[ev.LogEntry]:
        """Take in what other desks wrote since; returns it."""
        with self._lock:
            lines = self._log.after(self.id, self._state.seq)
            made = [decode_line(line) for line in lines]
            if self._events and lines and lines[0].chain != link(self._chain, lines[0].text):
                # what we know is another log: of before, with the names, or of one that is deleted
                # from the beginning, once: an empty state follows any log
                return self._read_anew()
            if made:
                later = self._state.copy()
                for event in made:
                    apply_logged(later, event)
                self._keep(later, made, lines)
            self._look_around()
            return made

    def _look_around(self) -> None:
        """What the other tournaments of the venue have at the tables."""
        venue = self._state.setup.venue
        self._beside = None
        # most tournaments have no venue: they read no other log
        if self._alone or not (venue or self._state.elsewhere):
            return
        busy: list[BusyElsewhere] = []
        beside: dict[str, int] = {}
        for other in tournament_ids(self.store) if venue else ():
            if other == self.id:
                continue
            if other not in self._others:
                self._others[other] = TournamentService(self.store, other, self.clock, alone=True)
            state = self._others[other].state
            beside[other] = state.seq
            busy += busy_in(state) if state.setup.venue == venue else []
        self._beside = beside if venue else None
        if busy != self._state.elsewhere:
            # a state that was given away never changes, so a new one says what is elsewhere
            self._state = self._state.copy()
            self._state.elsewhere = busy

    def _keep(
        self, later: TournamentState, made: Sequence[ev.LogEntry], lines: Sequence[LogLine]
    ) -> None:
        self._state = later
        self._events.extend(made)
        self._chain = lines[-1].chain

    def rewrite(self, lines: Sequence[LogLine], beside: "Callable[[Session], None]") -> bool:
        """Put another log in the place of this one, and do `beside`, as only `forgetting` does.
        False if what was there could not yet be taken off the disk.
        """
        with self._lock:
            done = self._log.replace(self.id, lines, beside)
            self._read_anew()
            return done

    def _read_anew(self) -> list[ev.LogEntry]:
        self._state = TournamentState(tournament=self.id, others=self._state.others)
        self._events, self._chain = [], CHAIN_START
        return self.refresh()

    def lines(self) -> list[LogLine]:
        """The raw lines of the log as they are in the database."""
        return self._log.after(self.id)


def busy_in(state: TournamentState) -> list[BusyElsewhere]:
    """The matches at the tables, as other tournaments see them."""
    seen = state.in_public()
    return [
        BusyElsewhere(
            f"{state.setup.name} {match.id}",
            match.table,
            # by name and club, because ids begin anew in every tournament
            frozenset(name_key(state.players[player]) for player in (match.a, match.b)),
            (seen.label(match.a), seen.label(match.b)),
        )
        for match in state.matches.values()
        if match.status == "called"
    ]


def _log_of(store: "Store") -> "TournamentLog":
    from host_tools.store.tournament_log import TournamentLog  # SQLAlchemy takes long to load

    return TournamentLog(store.engine, store.errors)


def tournament_ids(store: "Store") -> list[str]:
    """The ids of all tournaments in a store, the oldest first."""
    return _log_of(store).tournaments()


def decode_line(line: LogLine) -> ev.LogEntry:
    """The event of a stored line. Raises UserError naming the line."""
    try:
        return ev.decode(line.text)
    except msgspec.DecodeError as error:
        raise UserError(
            "event_unreadable", Exit.SYSTEM, event=line.seq, detail=decode_reason(error)
        ) from error


def apply_logged(state: TournamentState, event: ev.LogEntry) -> None:
    """Fold an event out of the log. Raises UserError if the log is damaged."""
    try:
        state.apply(event)
    # what a damaged log makes of the fold: an unknown match or player, a hole
    except (KeyError, ValueError) as error:
        raise UserError("event_unfitting", Exit.CHECK, event=event.seq) from error


def _first_name(line: str) -> str:
    """The slug of the name in a tournament's first line; "" if that was changed by hand."""
    try:
        made = ev.decode(line).body
    except msgspec.DecodeError:
        return ""
    return slug(made.name) if isinstance(made, ev.Created) else ""


def linked(chain: str, made: Iterable[ev.LogEntry], state_before: str = "") -> list[LogLine]:
    """The lines of events behind `chain`; the first one carries the digest."""
    lines = []
    for event in made:
        text = ev.encode(event)
        chain = link(chain, text)
        lines.append(LogLine(event.seq, text, chain, state_before))
        state_before = ""
    return lines


def _only(ids: Sequence[str]) -> str:
    if len(ids) == 1:
        return ids[0]
    if not ids:
        raise UserError("none_yet")
    raise UserError("which_tournament", ids=ids)


def _stamp(moment: datetime, exact: bool = False) -> str:
    """UTC in seconds; `exact`: with milliseconds, if there are any. Both compare as texts."""
    split = exact and moment.microsecond >= 1000
    return moment.astimezone(UTC).isoformat(timespec="milliseconds" if split else "seconds")
