"""The boxes at the tables: each is given the match that was called to its table, and what it says
of it comes into the log. For boxes at the cables of this machine.

Which match a box shall have follows from the log alone (`wanted`), so it does not matter which
process has the box at hand, and nothing is lost when one ends.
"""

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from host_tools.box.assigning import (
    Assignment,
    Given,
    Seat,
    ask,
    games_of_several,
    give,
    say,
    withdraw,
)
from host_tools.box.finding import candidate_ports
from host_tools.box.link import BoxLink, open_link
from host_tools.box.sync import BoxSync
from host_tools.core.errors import Sentence, UserError
from host_tools.core.names import slug
from host_tools.core.supervisor import Supervisor
from host_tools.core.texts import ROUNDS, TEXTS
from host_tools.tournament import events as ev
from host_tools.tournament.actions import boxes as commands
from host_tools.tournament.actions.matches import late_at
from host_tools.tournament.service import TournamentService
from host_tools.tournament.state import MatchState, TournamentState
from host_tools.tournament.wording import name_of

LOOK_S = 1.0
"""So often a box is asked."""
# a million events of one log; the seconds above them fit 64 bits
_MOST_EVENTS_BITS = 20
AGAIN_S = 2.0
"""So long after it was lost, and so often other ports are looked for."""


@dataclass(frozen=True)
class SeenBox:
    """A box as it was seen last. `trouble`: why it is not there, or did not take its match; ""
    if all is well. `waiting`: finished matches that are not stored yet.
    """

    port: str
    box: str = ""
    name: str = ""
    table: int = 0
    connected: bool = False
    given: Given = field(default_factory=Given)
    waiting: int = 0
    trouble: str = ""


def wanted(state: TournamentState, box: str, table: int) -> MatchState | None:
    """The called match that this box shall have: the one that the desk gave it by name, else the
    one called to its table. Of a table of several only if the desk knows what is played there.
    """
    # at a table of several without a game the players choose at the box
    known = bool(state.setup.game)
    called = [m for m in state.matches.values() if m.status == "called" and (known or not m.more)]
    own = [match for match in called if match.box == box]
    own = own or [
        match for match in called if match.box is None and table and match.table == table
    ]
    return max(own, key=lambda match: match.call, default=None)


def assignment(
    state: TournamentState, tournament: str, match: MatchState, lang: str
) -> Assignment:
    """A match as a box gets it, its title in the language of the box."""
    seats = tuple(Seat(player, name_of(state, player)) for player in match.players)
    late = late_at(match)
    group = f"{TEXTS[lang]['group']} {match.group}"
    rules: dict[str, Any] = {}
    if match.more:  # the game of the event, which ends by its own rules and has no clock
        group = f"{TEXTS[lang]['table']} {match.table}"
        game = games_of_several()[state.setup.game]
        rules = {"game": game.game, "preset": game.preset, "options": state.setup.options}
    return Assignment(
        **rules,
        id=f"{tournament}/{match.id}",
        title=group if match.round is None else ROUNDS[lang].get(match.round, match.round),
        seats=seats,
        table=match.table,
        stage=None if match.more else match.stage,
        deck=(match.deck or None) if match.with_deck else None,
        clock_s=None if match.more else match.minutes * 60,
        # as time of day: a power cut of the box gives no two new minutes (SW-7)
        # the first full second at which more than two minutes are over
        start_by=int(late.timestamp()) + 1 if late else None,
        event=_event_of_badges(state),
    )


def _event_of_badges(state: TournamentState) -> str:
    """The tournament's name, if badges may say it and its id does not follow from it on a box."""
    name = state.setup.name
    follows = name.isascii() and slug(name) == state.tournament
    return name if state.is_event(name) and not follows else ""


def notice(state: TournamentState, box: str, table: int, lang: str) -> tuple[int, str]:
    """The last that the desk has said to a box, and its number, which grows, also from one
    tournament of a hall to another: an announcement, or the signal to begin its match. 0: nothing.
    """
    said = dict(state.announcements)
    match = wanted(state, box, table)
    # whoever plays already hears no signal
    if match is not None and not match.started_at:
        said[match.start_signal] = TEXTS[lang]["start_now"]
    last = max(said, default=0)
    if not last:
        return 0, ""
    # by its time first: the numbers of events begin anew in every tournament of a hall
    at = datetime.fromisoformat(state.said_at[last]).timestamp()
    return (int(at) << _MOST_EVENTS_BITS) + last, said[last]


def own_match(state: TournamentState, tournament: str, name: str | None) -> MatchState | None:
    """The match of this tournament that an assignment's id names."""
    # the id of an assignment is TOURNAMENT/MATCH
    event, _, match = (name or "").partition("/")
    return state.matches.get(match) if event == tournament else None


def said(state: TournamentState, tournament: str, given: Given, now: datetime) -> list[ev.AnyBody]:
    """What the log does not know yet of what a box says."""
    match = own_match(state, tournament, given.plays or given.assigned)
    if match is None or match.status != "called" or given.state in ("waiting", "ended", "other"):
        return []
    if given.state != "running":
        return commands.at_table(state, match.id, given.here)
    # the desk may have been away when it began; the box counts the seconds
    bodies = commands.started(state, match.id, now - timedelta(seconds=given.t_s))
    if given.clock == 0:
        bodies += commands.time_up(state, match.id)
    return bodies


def task(
    state: TournamentState, tournament: str, seen: SeenBox, others: Iterable[SeenBox] = ()
) -> str:
    """What somebody at the desk must look after, as a sentence; "" for nothing."""
    if seen.trouble:
        return seen.trouble
    match, given = wanted(state, seen.box, seen.table), seen.given
    fields = {"box": seen.name or seen.box, "table": seen.table}
    if any(
        one.connected and one.table == seen.table != 0 and one.box != seen.box for one in others
    ):
        return Sentence("box_table_twice", **fields)
    # "" is a match that nobody assigned; None: the box plays nothing
    if given.plays == "":
        if match is None:
            return ""  # the table is free
        return Sentence("box_plays_other", match=match.id, **fields)
    if given.plays is None:
        return ""
    playing = own_match(state, tournament, given.plays)
    if playing is None:
        return Sentence("box_plays_foreign", other=given.plays, **fields)
    if match is not None and match.id != playing.id:
        return Sentence("box_plays_match", match=match.id, other=playing.id, **fields)
    if playing.box == "" or playing.status == "open":
        return Sentence("box_plays_withdrawn", match=playing.id, **fields)
    return ""


class BoxTables:
    """Looks after every box at a cable of this machine, each in a thread of its own.

    `listeners` are called, in such a thread, when something that people see of a box is different.
    `services`: all tournaments whose matches are given out here, one or several of a hall.
    """

    def __init__(
        self,
        service: TournamentService,
        ports: Callable[[], Iterable[str]] = candidate_ports,
        look_s: float = LOOK_S,
    ) -> None:
        self.services = [service]
        self._ports = ports
        self._look_s = look_s
        self._end = threading.Event()
        self._threads: dict[str, threading.Thread] = {}
        self._tasks = Supervisor()
        self._seen: dict[str, SeenBox] = {}
        self.listeners: list[Callable[[], object]] = []
        self._begun = False

    def rows(self) -> list[SeenBox]:
        """Every box seen since the start, by table."""
        return sorted(self._seen.values(), key=lambda seen: (seen.table or 1000, seen.port))

    def start(self, tasks: Supervisor | None = None) -> None:
        """Begin, under `tasks`; new ports are found by themselves."""
        if self._begun:
            return
        self._begun = True
        self._tasks = tasks or self._tasks
        self._tasks.keep_thread("boxes", self._find)

    def stop(self) -> None:
        """End. A thread that waits for a box ends with its next answer."""
        self._end.set()

    def _find(self) -> None:
        while not self._end.is_set():
            for port in self._ports():
                # a thread ends with its port; the same cable plugged in again gets a new one
                if port not in self._threads or not self._threads[port].is_alive():
                    serve = partial(self._serve, port)
                    self._threads[port] = self._tasks.keep_thread(f"box at {port}", serve)
            self._end.wait(AGAIN_S)

    def _serve(self, port: str) -> None:
        """As long as the port is there: unplugged in the middle, the box is found again."""
        while not self._end.is_set() and port in self._ports():
            try:
                link = open_link(port)
                try:
                    connection = BoxConnection(self, port, link)
                    while not self._end.wait(self._look_s):
                        connection.look()
                finally:
                    link.close()
            except UserError as error:
                last = self._seen.get(port, SeenBox(port))
                self.see(replace(last, connected=False, trouble=error.sentence))
            self._end.wait(AGAIN_S)

    # -- for the threads --

    def see(self, seen: SeenBox) -> None:
        before = self._seen.get(seen.port)
        self._seen[seen.port] = seen
        if before is None or _lasting(before) != _lasting(seen):
            # a copy: other threads add and remove listeners meanwhile
            for tell in list(self.listeners):
                tell()


def _lasting(seen: SeenBox) -> SeenBox:
    """Without what changes every second; a clock that stands at zero is something else."""
    given = seen.given
    # zero is kept apart: at zero the desk has to act
    clock = None if given.clock is None else min(given.clock, 1)
    return replace(seen, given=replace(given, t_s=0, clock=clock))


class BoxConnection:
    """One box from its hello until it is lost. Raises UserError when it is."""

    def __init__(
        self,
        tables: BoxTables,
        port: str,
        link: BoxLink,
        lang: str | None = None,
        by_air: bool = False,
    ) -> None:
        """`lang`: of titles; a box on the air does not say its own (None: it is asked). `by_air`:
        a hall reads the tournament every second, and not once more for each box; it fetches
        finished matches itself.
        """
        self._tables = tables
        self._service = tables.services[0]
        self._by_air = by_air
        self._link = link
        self._lang = lang or str(link.request("settings")["settings"]["language"])
        self._key_id: str | None = None
        self._seen = SeenBox(port, connected=True)
        self._refused: object = None  # what the box did not take, so that it is not asked for ever
        self._trouble = ""

    def look(self, *, only_ask: bool = False) -> SeenBox:
        """Ask it once, and give it what it shall have; with `only_ask` nothing is changed."""
        self._greet()
        given = ask(self._link)
        # one tournament needs no choice, and no second state
        if len(self._tables.services) > 1:
            self._turn_to(given)
        if not only_ask:
            self._take(given)
            # first the match, then the words: a signal to begin is of the match that it was just
            # given
            given = self._tell(self._follow_desk(given))
        waiting = 0 if self._by_air else int(self._link.request("status")["waiting"])
        # never in a match: fetching keeps the line busy
        if waiting and given.plays is None and not only_ask:
            waiting = self._fetch()
        self._seen = replace(self._seen, given=given, waiting=waiting, trouble=self._trouble)
        self._tables.see(self._seen)
        return self._seen

    def _state(self, service: TournamentService | None = None) -> TournamentState:
        service = service or self._service
        return service.known if self._by_air else service.state

    def _greet(self) -> None:
        """Name and table may change while it is plugged in."""
        hello = self._link.hello()
        self._seen = replace(
            self._seen,
            box=str(hello["box"]),
            name=str(hello["name"]),
            table=int(hello["table"]),
        )

    def _turn_to(self, given: Given) -> None:
        """The tournament whose match it plays, else one that has called a match to it, else the
        one whose match it was given.
        """
        services = {service.id: service for service in self._tables.services}
        playing, had = (
            services.get((name or "").partition("/")[0]) for name in (given.plays, given.assigned)
        )
        calling = (
            service
            for service in services.values()
            if wanted(self._state(service), self._seen.box, self._seen.table) is not None
        )
        # what is on the table comes first: its result must find its match
        self._service = playing or next(calling, None) or had or self._service

    def _take(self, given: Given) -> None:
        """What the box says comes into the log, by the name of the box."""
        service = self._service
        # asked first on what is known: a command takes the lock and the database
        if said(self._state(), service.id, given, service.clock()):
            service.do(
                f"box {self._seen.box}",
                "",
                lambda state: said(state, service.id, given, service.clock()),
            )

    def _follow_desk(self, given: Given) -> Given:
        """Give the box what it shall have, if it has something else and does not play it."""
        act = self._lacking(self._state(), given)
        if act is not None and self._by_air:
            # another hall may know more, and have given it the next match: what this one read
            # before it asked the box would give it once more what is over
            act = self._lacking(self._service.state, given)
        return given if act is None else act()

    def _lacking(self, state: TournamentState, given: Given) -> Callable[[], Given] | None:
        """What gives the box what it shall have; None if it has it, plays it or refused it."""
        tournament = self._service.id
        match = wanted(state, self._seen.box, self._seen.table)
        if match is None:  # nothing is called to it: what it was given for nothing goes
            self._refused, self._trouble = None, ""
            may_go = given.state in ("shown", "here", "waiting", "other")
            is_ours = own_match(state, tournament, given.assigned) is not None
            return partial(self._take_away, given) if may_go and is_ours else None
        match_id = f"{tournament}/{match.id}"
        if given.assigned == match_id and not _called_again(match, given):
            self._trouble = ""
            return None
        asked = (match_id, match.called_at, match.with_deck, match.box)
        # asked once: a call, another box or another deck makes a new question
        if given.plays == match_id or self._refused == asked:
            return None
        return partial(self._give, given, state, match, asked)

    def _give(
        self, given: Given, state: TournamentState, match: MatchState, asked: object
    ) -> Given:
        try:
            made = assignment(state, self._service.id, match, self._lang)
            now = self._service.clock().timestamp()
            given = give(self._link, self._seen.box, made, now, given)
            self._refused, self._trouble = None, ""
        except UserError as error:
            _raise_if_lost(error)
            self._refused, self._trouble = asked, error.sentence
        return given

    def _take_away(self, given: Given) -> Given:
        now = self._service.clock().timestamp()
        return withdraw(self._link, self._seen.box, now, given)

    def _tell(self, given: Given) -> Given:
        """What the desk says to everybody, or to those who shall begin."""
        number, text = notice(self._state(), self._seen.box, self._seen.table, self._lang)
        # numbers only grow: what the box has heard is not said again
        if number <= (given.notice or 0):
            return given
        try:
            return say(self._link, self._seen.box, text, number)
        except UserError as error:
            _raise_if_lost(error)
            self._trouble = self._trouble or error.sentence
            return given

    def _fetch(self) -> int:
        """Its finished matches into the store, from where they find their match; 0 are left."""
        job = BoxSync(self._link, self._service.store, lambda *_: None)
        job.greet()
        for _ in job.matches():
            pass
        return 0


def _raise_if_lost(error: UserError) -> None:
    """A box that is gone is looked for anew; one that refuses is asked no more."""
    lost = ("box_silent", "box_unplugged", "box_unreadable")
    if isinstance(error.sentence, Sentence) and error.sentence.key in lost:
        raise error


def _called_again(match: MatchState, given: Given) -> bool:
    """It was played, did not count, and was called once more."""
    called = datetime.fromisoformat(match.called_at).astimezone(UTC).timestamp()
    # issued in milliseconds; a call behind it means that the match is to be played again
    return given.state == "ended" and given.issued < called * 1000
