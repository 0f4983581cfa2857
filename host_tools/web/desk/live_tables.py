"""The tables of the live hall as pages show them: what boxes said, and their matches so far.

The public may see it later than the desk: so many seconds, or so many tricks.
"""

import re
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import zip_longest
from typing import Any

from host_tools.core.errors import UserError
from host_tools.core.texts import ORIGINAL
from host_tools.games.box_words import box_words
from host_tools.replay.public_match import PublicMatch
from host_tools.store.heard import SILENT_S, HeardBox, Refused
from host_tools.store.live import LiveLine, LiveStore
from host_tools.store.said import SaidState
from host_tools.tournament.incoming import player_of_badge
from host_tools.tournament.model import Entrant
from host_tools.tournament.player_names import shortened
from host_tools.tournament.state import TournamentState
from host_tools.tournament.wording import name_of

LIVE, JURY = "live", "jury"
"""Topics: all tables, and who wants the jury or is silent."""
LATEST_SHOWN = 300
STAY_S = 15
"""So many seconds an overlay that follows what happens stays at a table."""
_DELAY = re.compile(r"(\d{1,5})(t?)")


def table_topic(place: str) -> str:
    """The topic of one table, by its number or its box."""
    return f"table-{place}"


@dataclass(frozen=True)
class Delay:
    """How much later the public sees something."""

    seconds: int = 0
    tricks: int = 0

    @classmethod
    def read(cls, text: str) -> "Delay":
        """`60`: seconds; `3t`: tricks. Raises UserError."""
        found = _DELAY.fullmatch(text)
        if found is None:
            raise UserError("live_delay", text=text)
        number = int(found[1])
        return cls(tricks=number) if found[2] else cls(seconds=number)

    def __bool__(self) -> bool:
        return bool(self.seconds or self.tricks)


@dataclass
class _Match:
    """A match: what the desk knows and, if it is later, what the public does."""

    number: int
    born: str
    now: PublicMatch
    public: PublicMatch
    version: int = 0
    """Of its first line; a later one of the same line has taken its place."""
    links: list[bytes] = field(default_factory=list)
    """One for each line that was taken."""
    waiting: deque[LiveLine] = field(default_factory=deque)

    def is_at(self, state: SaidState) -> bool:
        """True if the box that says this is at this match, as far as its lines are here."""
        known = self.links[state.lines - 1 : state.lines]  # none at 0
        return self.number == state.match and [link.hex() for link in known] == [state.head]


@dataclass
class LiveTable:
    """A table for a page. `place`: what its own page is called, its number; that of its box if it
    has none, or another box has it too. `left_s`: of the clock, at `heard`; None: not known, or
    not yet.
    """

    table: int
    place: str
    box: str
    name: str
    heard: datetime
    silent: bool
    jury: bool
    left_s: int | None
    running: bool
    match: PublicMatch | None
    doubt: bool = False
    """Lines came that the box does not vouch for: its own are being fetched."""


class LiveTables:
    """Asks the store for news (`look`); pages read `tables`. May be used from several threads."""

    def __init__(
        self,
        store: LiveStore,
        delay: Delay | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._store = store
        self._delay = delay or Delay()
        self._now = now
        self.seen = 0
        """The version of the newest that was taken in: microseconds since 1970."""
        self.stored = 0
        """The version of the newest that is stored, as it was asked last."""
        self._version = 0
        self.versions: dict[str, int] = {}
        """Of each topic: a number that grows when it is touched."""
        self._looking = threading.Lock()
        self._lock = threading.RLock()
        """Never held while the database is asked: it may hang, and the pages read on."""
        self._boxes: dict[str, HeardBox] = {}
        self._matches: dict[str, _Match] = {}
        self._silent: set[str] = set()
        self._jury: set[str] = set()
        self._auto = ""
        self._auto_since = now()
        self._say = box_words(ORIGINAL).get

    # -- news -------------------------------------------------------------------------------------

    def read_anew(self) -> None:
        """Drop what was taken in: the next look takes what is still stored."""
        with self._looking, self._lock:
            self.seen = 0
            self._boxes, self._matches = {}, {}

    def look(self) -> frozenset[str]:
        """Take in what is new; the topics it touched. Raises UserError if the database fails."""
        with self._looking:
            newest = self.stored = self._store.newest()
            touched = self._read_to(newest) if newest > self.seen else set[str]()
            with self._lock:
                touched |= self._release() | self._calls()
                if touched:
                    # also grows when only time has passed: a delay ran out, a box fell silent
                    self._version = max(self._version + 1, self.seen)
                    self.versions |= dict.fromkeys(touched, self._version)
                return frozenset(touched)

    def _read_to(self, newest: int) -> set[str]:
        boxes, lines = self._store.boxes(self.seen), self._store.lines(self.seen)
        rest = iter(lines)
        with self._lock:  # at once: a page sees no box without the match that it plays
            for box in boxes:
                self._boxes[box.box] = box
            touched = set[str]().union(*(self._topics(box.box) for box in boxes))
            missing = self._take_all(rest)
        while missing is not None:
            self._open_again(missing)
            with self._lock:
                missing = self._take_all(rest)
        for box in boxes:
            self._turn_back(box)
        self.seen = newest  # the hall may have written since: that is read once more
        return touched.union(*(self._topics(line.box) for line in lines))

    def _take_all(self, lines: Iterator[LiveLine]) -> LiveLine | None:
        """Take line by line; the first one whose beginning is missing here, None at the end."""
        return next((line for line in lines if not self._take(line)), None)

    def _topics(self, box: str) -> set[str]:
        places = {box, str(self._table_of(box) or box)}
        return {LIVE, *map(table_topic, places)}

    def _table_of(self, box: str) -> int:
        match = self._matches.get(box)
        said = self._boxes.get(box)
        played_at: int | None = match.now.header.get("table") if match else None
        return played_at or (said.here.table if said else 0)

    def _take(self, line: LiveLine) -> bool:
        """False if what came before it is missing here: its match is to be opened again."""
        match = self._matches.get(line.box)
        if match is None or (line.number, line.born) != (match.number, match.born):
            if match is not None and line.number < match.number and not self._is_played(line):
                return True
            if line.line != 0:
                return False
            match = self._open(line)
        elif line.line == 0 and line.version > match.version:
            match = self._open(line)  # what the box has, instead of what came in its name
        if line.line != len(match.links):
            return line.line < len(match.links)  # it was taken before
        match.links.append(line.link)
        if match.now.take(line.parts()):
            self._follow(line.box)
        if self._delay:
            match.waiting.append(line)
        return True

    def _open(self, line: LiveLine) -> _Match:
        now = PublicMatch(self._say)
        public = PublicMatch(self._say) if self._delay else now
        match = _Match(line.number, line.born, now, public, line.version)
        self._matches[line.box] = match
        return match

    def _is_played(self, line: LiveLine) -> bool:
        """The box says that it is at this match: a higher number was another box's with its id."""
        said = self._boxes.get(line.box)
        return said is not None and said.state.match == line.number

    def _turn_back(self, said: HeardBox) -> None:
        """Show the match that the box says it is at. That of a second box with its id may stand
        there, and until something is played no line tells.
        """
        match, state = self._matches.get(said.box), said.state
        if match is None or not state.head or match.is_at(state):
            return
        known = self._store.lines(box=said.box, number=state.match)
        for line in known:
            if line.line == state.lines - 1 and line.link.hex() == state.head:
                self._show([one for one in known if one.born == line.born])

    def _open_again(self, line: LiveLine) -> None:
        """Another match was shown meanwhile, of a second box with this id."""
        known = self._store.lines(box=line.box, number=line.number)
        self._show([one for one in known if one.born == line.born])

    def _show(self, known: list[LiveLine]) -> None:
        """A match with all its lines that are stored, if its beginning was not deleted."""
        if known and [one.line for one in known] == list(range(len(known))):
            with self._lock:
                self._open(known[-1])
                for one in known:
                    self._take(one)

    def _follow(self, box: str) -> None:
        """Where something happens is shown, but nothing for less than `STAY_S`."""
        stayed = (self._now() - self._auto_since).total_seconds()
        if box != self._auto and (stayed > STAY_S or not self._auto):
            self._auto, self._auto_since = box, self._now()

    def _release(self) -> set[str]:
        """What the public may see now."""
        touched: set[str] = set()
        until = self._now() - timedelta(seconds=self._delay.seconds)
        for box, match in self._matches.items():
            while match.waiting and self._may_see(match, until):
                if match.public.take(match.waiting.popleft().parts()):
                    touched |= self._topics(box)
        return touched

    def _may_see(self, match: _Match, until: datetime) -> bool:
        # the players are no secret, and behind the last trick none follows to release it
        if self._delay.tricks:
            if not match.public.header or match.now.over:
                return True
            return match.now.tricks - match.public.tricks > self._delay.tricks
        return match.waiting[0].at <= until

    def _calls(self) -> set[str]:
        now = self._now()
        silent = {
            box.box for box in self._boxes.values() if (now - box.heard).total_seconds() > SILENT_S
        }
        jury = {box.box for box in self._boxes.values() if box.state.jury} - silent
        changed = (silent ^ self._silent) | (jury ^ self._jury)
        touched = {JURY} if changed else set()
        self._silent, self._jury = silent, jury
        return touched.union(*(self._topics(box) for box in changed))

    # -- for the pages ----------------------------------------------------------------------------

    def tables(self, public: bool = True) -> list[LiveTable]:
        """All tables whose box was ever heard, by number."""
        with self._lock:
            owners = self._owners()
            found = [self._table(box, public, owners) for box in self._boxes.values()]
        return sorted(found, key=lambda table: (table.table or 1 << 30, table.box))

    def _owners(self) -> dict[int, str]:
        """Number -> the box whose page has it: of several one that is heard, and plays."""

        def last(box: str) -> tuple[bool, bool, str]:
            match = self._matches.get(box)
            return box in self._silent, match is None or match.now.over, box

        owners: dict[int, str] = {}
        for box in sorted(self._boxes, key=last):
            owners.setdefault(self._table_of(box), box)
        return owners

    def _table(self, box: HeardBox, public: bool, owners: Mapping[int, str]) -> LiveTable:
        match = self._matches.get(box.box)
        # a live clock would give away what the delay hides
        clock = None if public and self._delay else box.state.clock
        number = self._table_of(box.box)
        return LiveTable(
            table=number,
            place=str(number) if number and owners[number] == box.box else box.box,
            box=box.box,
            name=(box.here.name or box.box)[:32],
            heard=box.heard,
            silent=box.box in self._silent,
            jury=box.box in self._jury,
            left_s=clock,
            running=box.state.running,
            match=(match.public if public else match.now) if match else None,
            doubt=match is not None and box.here.hall.doubt == match.number,
        )

    def boxes(self) -> list[HeardBox]:
        """What every box said last."""
        with self._lock:
            return list(self._boxes.values())

    def refusals(self) -> list[Refused]:
        """Whom the hall refused. Raises UserError."""
        return self._store.refusals()

    def of_place(self, place: str = "") -> LiveTable | None:
        """The table of a page: by its number or its box; "": where something happens. None
        without a box.
        """
        with self._lock:
            number = int(place) if place.isdecimal() and place not in self._boxes else 0
            owners = self._owners()
            box = self._boxes.get(owners.get(number, "") if number else place or self._auto)
            return self._table(box, True, owners) if box else None

    def any(self) -> bool:
        """True if a box was ever heard."""
        return bool(self._boxes)

    def knows(self, box: str) -> bool:
        """True for a box that was ever heard."""
        return box in self._boxes


def shown_match(state: TournamentState, table: LiveTable) -> PublicMatch | None:
    """What is played at a table, unless it is of another event: its people are on no page of this
    tournament.
    """
    header = table.match.header if table.match is not None else {}
    tournament, events = header.get("tournament"), list(filter(None, header.get("events") or []))
    if tournament:
        return table.match if tournament == state.tournament else None
    return table.match if not events or any(map(state.is_event, events)) else None


def seat_names(state: TournamentState, match: PublicMatch) -> list[str]:
    """What the players are called in public: as in the tournament, else as on the badge; one whose
    badge is of another event by the number of the seat.
    """
    header = match.header
    names = [str(name) for name in header.get("names") or []]
    # null for a seat without a badge, and for a badge that names no event
    ids, events = ([text or "" for text in header.get(key) or []] for key in ("players", "events"))
    if header.get("tournament"):
        events = [header["tournament"]] * len(names)
    seats = zip_longest(names, ids[: len(names)], events[: len(names)], fillvalue="")
    return [_seat_name(state, *seat) or f"{number}" for number, seat in enumerate(seats, 1)]


def _seat_name(state: TournamentState, name: str, player: str, event: str) -> str:
    if event and not state.is_event(event):
        return ""
    found = player_of_badge(state, player, name, event)
    if found in state.players:
        return name_of(state, found)
    return shortened(Entrant(id=player or name, name=name)).name if state.short_names else name


def line_of(state: TournamentState, table: LiveTable, lang: str) -> dict[str, Any]:
    """A table as a line of the list: plain values."""
    match = shown_match(state, table)
    seats: list[dict[str, Any]] = []
    last = ""
    known = match.table() if match is not None else {}
    if match is not None and known:
        names = seat_names(state, match)
        for seat, score in enumerate(known["score"]):
            name = names[seat] if seat < len(names) else f"{seat + 1}"
            turn = known["awaits"] == seat and not known["over"]
            seats.append({"name": name, "score": score, "turn": turn})
        said = match.sentences(lang, [seat["name"] for seat in seats], 1)
        last = said[0][1] if said else ""
    # a clock that runs for others is no time of ours
    ours = match is table.match
    return {
        "table": table.table,
        "place": table.place,
        "box": table.box,
        "name": table.name,
        "silent": table.silent,
        "doubt": table.doubt,
        "seats": seats,
        "pot": known.get("pot") or 0,
        "over": known.get("over", False),
        "tricks": known.get("tricks", 0),
        "last": last,
        "left": table.left_s if ours else None,
        "running": table.running and not table.silent and ours,
        "at": table.heard.isoformat(timespec="milliseconds"),
        "lying": known.get("shown", []),
    }


def page_of(state: TournamentState, table: LiveTable | None, lang: str) -> dict[str, Any]:
    """One table with every trick so far."""
    if table is None:
        return {"line": None, "steps": []}
    line = line_of(state, table, lang)
    names = [seat["name"] for seat in line["seats"]]
    match = shown_match(state, table)
    steps = match.sentences(lang, names, LATEST_SHOWN) if match else []
    return {"line": line, "steps": [(f"{s // 60}:{s % 60:02}", text) for s, text in steps]}
