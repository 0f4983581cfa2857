"""Sync: fetch every finished match of a box, check it, store it, and only then confirm it."""

import hashlib
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from firmware.app.link_frames import is_part, read_record
from host_tools.box.link import ATTEMPTS, BoxLink, BoxRefusal, LinkLost
from host_tools.core.errors import Sentence, in_words, recognised
from host_tools.core.texts import ORIGINAL
from host_tools.store.journal.reading import read_journal
from host_tools.store.journal.verdict import vouched
from host_tools.store.said import MatchHeader, Unfit, converted, read_parts

if TYPE_CHECKING:
    from host_tools.store.store import Store

# What the sync tells while it runs: match number, bytes so far, bytes in all.
SyncProgress = Callable[[int, int, int], None]


@dataclass(frozen=True)
class BoxMatch:
    """A match as the box lists it; `state` is run, due, end, aside or ok (docs/reliability.md)."""

    number: int
    state: str
    size: int


@dataclass(frozen=True)
class Synced:
    """What became of one match: number on the box, id in the store, state, if it is new."""

    number: int
    match_id: int
    state: str
    reason: str
    new: bool


@dataclass(frozen=True)
class Greeting:
    """Who answered: the box's id and name, if the desk ever saw it, how many matches still run."""

    box: str
    name: str
    first_time: bool
    running: int


class BoxSync:
    """One sync of one box into one store; `matches` may be stopped anywhere and begun again."""

    def __init__(self, link: BoxLink, store: "Store", progress: SyncProgress) -> None:
        self._link = link
        self._store = store
        self._progress = progress
        self._box = ""
        self.entries: list[BoxMatch] = []

    def greet(self) -> Greeting:
        """Say hello and list the matches. Raises UserError."""
        hello = self._link.hello()
        # as wide as the columns (store/models.py): PostgreSQL refuses what is longer
        self._box = str(hello["box"])[:64]
        name = str(hello.get("name", ""))[:64]
        first = self._store.see_box(self._box, name, str(hello.get("firmware", ""))[:32])
        self.entries = list(list_matches(self._link))
        running = sum(entry.state == "run" for entry in self.entries)
        return Greeting(self._box, name, first, running)

    def matches(
        self,
        confirmed: bool = True,
        known: Collection[int] = frozenset(),
        unconfirmed: bool = True,
    ) -> Iterator[Synced]:
        """Fetch what is finished, oldest first; `confirmed`: look at what some desk has confirmed
        too, but for numbers that are `known`; `unconfirmed`: at what none has, and confirm it.
        Raises UserError when box or database fail.
        """
        for entry in self.entries:
            done = entry.state == "ok" and (not confirmed or entry.number in known)
            if entry.state in ("run", "due") or done or not (unconfirmed or entry.state == "ok"):
                continue
            before = self._stored_before(entry) if entry.state == "ok" else None
            yield before or self._take(entry)

    def _stored_before(self, entry: BoxMatch) -> Synced | None:
        """A match that some desk has confirmed: the header line tells if it was this desk."""
        # one byte: the box sends whole lines, so the header alone comes
        reply = self._link.records(entry.number, 0, limit=1)
        born = _born(reply["lines"][0]) if reply["lines"] else ""
        match = self._store.has(self._box, entry.number, born, entry.size)
        if match is None:
            return None
        return Synced(entry.number, match.id, match.state, match.reason, False)

    def _take(self, entry: BoxMatch) -> Synced:
        """Lines that came by air may be anybody's: they count if the box has sealed them, and
        else its own are fetched. What it does not confirm was not its match.
        """
        raw, own = self._whole(entry)
        if not own and not vouched(read_journal(raw), self._store.enrolled.of):
            raw, own = self._whole(entry, anew=True)
        for _ in range(ATTEMPTS):
            stored = self._store.add(raw, entry.state == "aside")
            # stored first: confirmed means that it lies on a disk of ours
            if self._confirmed(entry, raw):
                self._store.drop_fetch(self._box, entry.number)
                return Synced(entry.number, stored.id, stored.state, stored.reason, stored.new)
            self._store.take_back(stored)
            self._forget(entry)
            if own:
                break
            raw, own = self._whole(entry, anew=True)
        raise LinkLost("match_other_bytes", number=entry.number)

    def _confirmed(self, entry: BoxMatch, raw: bytes) -> bool:
        """Tell the box that this match is safe; False if it holds other bytes, and keeps it
        waiting.
        """
        digest = hashlib.sha256(raw).hexdigest()
        try:
            self._link.request("confirm", match=entry.number, digest=digest)
        except BoxRefusal as refusal:
            if refusal.reason != "not_confirmed":
                raise
            return False
        return True

    # -- fetching -------------------------------------------------------------------------

    def _whole(self, entry: BoxMatch, anew: bool = False) -> tuple[bytes, bool]:
        """All bytes of a match, and if the box itself has said each of them."""
        for _ in range(ATTEMPTS):
            if anew:
                self._forget(entry)
            raw, own = self._fetch(entry, anew)
            if len(raw) == entry.size:
                return raw, own
            anew = True
        raise LinkLost("match_torn", number=entry.number)

    def _forget(self, entry: BoxMatch) -> None:
        self._store.drop_fetch(self._box, entry.number)
        self._store.live.forget(self._box, entry.number)

    def _fetch(self, entry: BoxMatch, anew: bool) -> tuple[bytes, bool]:
        """All bytes of a match; goes on where the last sync was cut off."""
        line, raw, own = (0, b"", True) if anew else self._resume_point(entry)
        if len(raw) == entry.size:
            return raw, own
        try:
            for part, behind in fetch_lines(self._link, entry.number, line):
                raw += part
                line = behind
                self._progress(entry.number, len(raw), entry.size)
                if len(raw) > entry.size:
                    break  # it is no part of this match
        except (LinkLost, KeyboardInterrupt):
            if own:
                # what came by air is stored already, as live lines
                self._store.keep_fetch(self._box, entry.number, line, raw)
            raise
        return raw, own

    def _resume_point(self, entry: BoxMatch) -> tuple[int, bytes, bool]:
        line, raw, own = self._store.fetched(self._box, entry.number)
        if not raw:
            return 0, b"", True
        # A box that was wiped meanwhile has another match under this number.
        first = self._link.records(entry.number, 0, limit=1)["lines"]
        if first and raw.startswith(first[0] + b"\n"):
            return line, raw, own
        return 0, b"", True


def fetch_lines(link: BoxLink, number: int, line: int) -> Iterator[tuple[bytes, int]]:
    """The bytes of a match from `line` on, in parts, each with the index of the line behind it."""
    end = False
    while not end:
        reply = link.records(number, line)
        lines = reply["lines"]
        part = b"".join(text if is_part(text) else text + b"\n" for text in lines)
        line = int(reply["next"])
        # nothing, and not the end, would be asked for without end
        end = bool(reply["end"]) or not part
        # a torn line has no newline on the box, and the digest is over the box's bytes
        torn = reply["torn"] and not is_part(lines[-1])
        yield (part[:-1] if torn else part), line


def list_matches(link: BoxLink) -> Iterator[BoxMatch]:
    """Every match on the box, oldest first."""
    after = 0
    more = True
    while more:
        reply = link.request("matches", after=after)
        for number, state, size in reply["matches"]:
            yield BoxMatch(int(number), str(state), int(size))
            after = int(number)
        # an empty page that promises more would ask for ever
        more = bool(reply["more"]) and bool(reply["matches"])


def _born(line: bytes) -> str:
    record = read_record(line)
    if record is None:
        return ""
    try:
        return converted(MatchHeader, read_parts(record.payload)[0]).born
    except Unfit:
        return ""


def summary(outcome: Synced, lang: str = ORIGINAL) -> str:
    """One line a match."""
    if not outcome.match_id:
        return in_words(Sentence("sync_forgotten", number=outcome.number), lang)
    key = "sync_stored" if outcome.new else "sync_known"
    line = Sentence(key, number=outcome.number, id=outcome.match_id, status=outcome.state)
    why = f": {in_words(recognised(outcome.reason), lang)}" if outcome.reason else ""
    return in_words(line, lang) + why
