"""What the robots of a fault day remember, against the boxes' flashes, the store, the tournament
and the pages of the board: what is lost, what is doubled, what is counted or shown wrong?
"""

import html
import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from firmware.app.link_frames import read_record
from host_tools.store.store import Store
from host_tools.tournament.state import TournamentState
from tests.long.remembered import Remembered, acts_of, played_by, tally
from tests.support.hall_boxes import Boxes

Result = tuple[tuple[str, ...], str]
"""Names and score of a match that is over."""
_VERSUS = re.compile(
    r'<span class="who[^"]*">([^<]*)</span>\s*<span class="dash">–</span>\s*'
    r'<span class="who[^"]*">([^<]*)</span></span>\s*<span class="score">([^<]*)</span>'
)
_JURY = re.compile(r'<ul class="jury" id="jury".*?</ul>', re.S)
_CALLS = re.compile(r"Table (\d+) calls")
_LIVE = re.compile(
    r'<a class="table" href="/table/([^?"]*).*?<span class="pair">(.*?)<small class="last">', re.S
)
_SEAT = re.compile(r'<span class="who">([^<]*)</span>\s*<b class="score">(\d+)</b>')


# -- pages ----------------------------------------------------------------------------------------


def results_shown(*pages: str) -> list[Result]:
    """Names and score of every match that is over, on the pages of groups and of the tree."""
    found = [one for page in pages for one in _VERSUS.findall(page)]
    return [((html.unescape(a), html.unescape(b)), score) for a, b, score in found if score != "–"]


def tables_shown(page: str) -> dict[str, tuple[tuple[str, ...], tuple[int, ...]]]:
    """Table -> names and cards of every live table on the page."""
    found = {}
    for table, seats in _LIVE.findall(page):
        read = _SEAT.findall(seats)
        names = tuple(html.unescape(name) for name, _ in read)
        found[table] = names, tuple(int(score) for _, score in read)
    return found


def jury_shown(page: str) -> frozenset[int] | None:
    """The tables that call the jury, on a page of the desk; None for another page."""
    found = _JURY.search(page)
    return None if found is None else frozenset(map(int, _CALLS.findall(found[0])))


def wrong_results(
    pages: Iterable[str], matches: Iterable[Remembered]
) -> tuple[list[Result], list[Result]]:
    """(missing on the pages, shown and not played so)."""
    shown = Counter(results_shown(*pages))
    played = Counter(match.result for match in matches if match.over is not None)
    return list(played - shown), list(shown - played)


# -- journals -------------------------------------------------------------------------------------


def forgotten(match: Remembered, journal: bytes) -> list[str]:
    """What the people at the table saw, in their order, and the journal does not have: what is
    laid again after it was lost is remembered twice.
    """
    acts, found = acts_of(journal), []
    for name, seen, kept in (
        ("acts", match.acts, acts),
        ("verdicts", match.saw, tally(acts)[1:]),
    ):
        gone = _missing(seen, kept)
        if gone is not None:
            found.append(
                f"{match.box} match {match.number}: of {len(seen)} {name} that were shown,"
                f" {seen[gone]}, number {gone + 1}, is gone; {len(kept)} are kept"
            )
    return found


def _missing(few: Sequence[object], all_: Iterable[object]) -> int | None:
    """Which of the few is the first that is not among all, behind the one before it."""
    rest = iter(all_)
    gone = (at for at, one in enumerate(few) if not any(one == other for other in rest))
    return next(gone, None)


def stored_wrong(boxes: Boxes, count: int, store: Store) -> list[str]:
    """Matches under way of which the database has other records than the flash of their box, or
    one of them twice. What is on its way is only not there yet.
    """
    rows: dict[tuple[str, int, str], list[bytes]] = {}
    for line in store.live.lines():
        rows.setdefault((line.box, line.number, line.born), []).append(line.raw)
    numbers = {boxes.ids[number]: number for number in reversed(range(count))}
    found = []
    for (box, match, _), stored in rows.items():
        paths = list(boxes.storage(numbers[box]).glob(f"m{match:06}.*")) if box in numbers else []
        with suppress(FileNotFoundError):  # it is being closed or confirmed
            flash = paths[0].read_bytes().split(b"\n")[:-1] if paths else []
            own = bool(flash) and stored[0] == flash[0]  # else of another box with its id
            if own and stored != flash[: len(stored)]:
                at = sum(one == other for one, other in zip(stored, flash, strict=False))
                found.append(
                    f"{box} match {match} is stored with other records, after {at} of its own"
                )
    return found


# -- the end of the day ---------------------------------------------------------------------------


@dataclass
class Comparison:
    """The end of the day: the first `count` boxes played the tournament; how many journals were
    finished, and in sentences what is lost, doubled and wrong.
    """

    boxes: Boxes
    count: int
    store: Store
    state: TournamentState
    played: int = 0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    _counts: Counter[str] = field(default_factory=Counter)
    _stored: dict[tuple[str, int], list[bytes]] = field(default_factory=dict)

    def compare(self, others: Iterable[int]) -> None:
        """Every match of every box. `others` played for themselves, with an id of these or not."""
        for kept in self.store.matches():
            self._stored.setdefault((kept.box_id, kept.number), []).append(kept.journal)
            # all else is looked at before; these boxes have no keys
            if kept.reason != "the box had no key to sign with":
                self.wrong.append(f"{kept.box_id} {kept.number} is {kept.state}")
        for number in range(self.count):
            for match in played_by(self.boxes, number):
                paths = list(self.boxes.storage(number).glob(f"m{match.number:06}.*"))
                if match.over is None:
                    self._running(match, paths)
                else:
                    self.played += 1
                    self._finished(match, paths[0].read_bytes() if paths else b"")
        for number in others:  # what was confirmed to them must be in the store
            for path in self.boxes.storage(number).glob("m*.ok"):
                match_of = self.boxes.ids[number], int(path.stem[1:])
                if path.read_bytes() not in self._stored.get(match_of, ()):
                    self.lost.append(f"{path} was confirmed")
        self._find_doubles()

    def _find_doubles(self) -> None:
        self.doubled += [f"{match}: {n} results" for match, n in self._counts.items() if n > 1]
        counted = {match.id for match in self.state.matches.values() if match.counts}
        self.doubled += [
            f"{match}: nobody played it" for match in sorted(counted - self._counts.keys())
        ]

    def _running(self, match: Remembered, paths: Sequence[Path]) -> None:
        if paths:
            self.lost += forgotten(match, _with_ahead(paths[0]))
        else:
            self.lost.append(f"{match.box} match {match.number} was begun, and is on no flash")

    def _finished(self, match: Remembered, journal: bytes) -> None:
        """What people remember, the flash and the store have the same match."""
        where = f"{match.box} match {match.number}"
        self.lost += forgotten(match, journal)
        copies = self._stored.get((match.box, match.number), [])
        if journal not in copies:
            self.lost.append(f"{where} is not in the store as it is on the flash")
            return
        if copies.count(journal) > 1:
            self.doubled.append(f"{where} is stored {copies.count(journal)} times")
        acts, kept = acts_of(journal), journal.count(b"\n")
        if kept < match.lines:
            self.lost.append(f"{where}: {match.lines} lines were shown, {kept} kept")
        if len(acts) - len(match.acts) > 2 * match.sittings:
            self.wrong.append(f"{where}: {match.acts} were played, kept {acts}")
        if tally(acts)[-1] != match.over:
            self.wrong.append(f"{where} ended {match.over}, counted {tally(acts)[-1]}")
        self._counted(match, journal, where)

    def _counted(self, match: Remembered, journal: bytes, where: str) -> None:
        """The tournament has its result, for the same people."""
        header = read_record(journal.split(b"\n")[0])
        assert header is not None
        id_ = json.loads(header.payload).get("tournament_match", "")
        found = self.state.matches.get(id_)
        if found is None or found.result is None:
            self.lost.append(f"{where} has no result in the tournament")
            return
        self._counts[id_] += 1
        names = tuple(self.state.players[player].name for player in (found.a, found.b))
        if (names, found.result.cards) != (match.names, match.over):
            counts = f"counts as {names} {found.result.cards}"
            self.wrong.append(f"{where}: {match.names} {match.over}, {counts}")


def _with_ahead(path: Path) -> bytes:
    """The journal of a match under way, with the record that is ahead of it."""
    journal = path.read_bytes()
    ahead = path.parent / "ahead" / "record"
    words = ahead.read_bytes().split(b"\n")[0].split(b" ", 3) if ahead.exists() else []
    if words[1:3] == [b"%d" % int(path.stem[1:]), b"%d" % len(journal)]:
        journal += words[3] + b"\n"
    return journal
