"""What the bots of a day on the air know they played, from the logs of their boxes, and the same
from the boxes' flashes, the store, the tournament and the pages of the board: what differs?

The bots' own count (`tally`) is a second way beside the rules: SW-2, TR-4 and TR-6 by hand.
"""

import html
import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from bench.hall_boxes import Boxes
from firmware.app.link_frames import read_record
from host_tools.cards.decks import load_deck
from host_tools.store import Store
from host_tools.tournament.state import TournamentState

DECK = "gastro"
Counts = tuple[int, int]
_VERSUS = (
    r'<span class="who[^"]*">([^<]*)</span>\s*<span class="dash">–</span>\s*'
    r'<span class="who[^"]*">([^<]*)</span></span>\s*<span class="score">([^<]*)</span>'
)
_JURY = re.compile(r'<ul class="jury" id="jury".*?</ul>', re.S)
_CALLS = re.compile(r"Table (\d+) calls")
_LIVE = re.compile(
    r'<a class="table" href="/table/([^?"]*).*?<span class="pair">(.*?)<small class="last">', re.S
)
_SEAT = re.compile(r'<span class="who">([^<]*)</span>\s*<b class="score">(\d+)</b>')


@dataclass
class Remembered:
    """A match as the people at its table remember it."""

    box: str
    number: int
    stage: str = ""
    names: tuple[str, ...] = ()
    acts: list[tuple[str, ...]] = field(default_factory=list)
    """("laid", seat, card), ("called", category)."""
    kept: list[tuple[str, ...]] = field(default_factory=list)
    """The acts that the flash has; the table has not said one in whose moment the power went."""
    saw: list[Counts] = field(default_factory=list)
    """The cards of both seats after each trick, as the box showed them."""
    over: Counts | None = None
    at: list[float] = field(default_factory=list, compare=False)
    """When the acts were told, in seconds since 1970."""
    begun_at: float = field(default=0.0, compare=False)
    over_at: float = field(default=0.0, compare=False)
    jury: list[tuple[float, bool]] = field(default_factory=list, compare=False)
    """When it was called, and when it had come."""
    lines: int = 0
    """So many records were shown."""
    sittings: int = 0
    """How often it was begun or gone on with."""

    @property
    def last_card(self) -> str:
        """Laid last; "" before the first."""
        return next((act[2] for act in reversed(self.acts) if act[0] == "laid"), "")


def remembered(box: str, log: str) -> dict[int, Remembered]:
    """What a box has printed (box_programs/hall_box.py), by match; its last line may be torn."""
    found: dict[int, Remembered] = {}
    for line in log.split("\n")[:-1]:
        words = line.split(" ")
        if words[0] != "#":
            if len(words) == 3 and all(map(str.isdecimal, words)):
                match = found.setdefault(int(words[1]), Remembered(box, int(words[1])))
                match.lines = max(match.lines, int(words[2]))
            continue
        number, what, details = int(words[2]), words[3], words[4:]
        match = found.setdefault(number, Remembered(box, number))
        if what == "began":
            names = " ".join(details[1:]) or "1|2"  # so the board calls seats without a name
            match.stage, match.names = details[0], tuple(names.split("|"))
            match.sittings += 1
            match.begun_at = match.begun_at or int(words[1]) / 1000
            if match.jury and match.jury[-1][1]:  # their power was cut meanwhile
                match.jury.append((int(words[1]) / 1000, False))
        elif what == "over":
            match.over = int(details[0]), int(details[1])
            match.over_at = int(words[1]) / 1000
        elif what == "saw":
            match.saw.append((int(details[0]), int(details[1])))
        elif what == "jury":
            match.jury.append((int(words[1]) / 1000, details[0] == "on"))
        else:
            match.acts.append((what, *details))
            match.at.append(int(words[1]) / 1000)
    return found


def played_by(boxes: Boxes, number: int) -> list[Remembered]:
    """All matches of a box in order. Of one that ended in the moment of a power cut the table has
    not said that it is over.
    """
    try:
        found = remembered(boxes.ids[number], boxes.log(number))
    except FileNotFoundError:  # it was never switched on
        return []
    for match in found.values():
        for path in boxes.storage(number).glob(f"m{match.number:06}.*"):
            with suppress(FileNotFoundError):  # it is being closed or confirmed
                match.kept = acts_of(path.read_bytes())
                if match.over is None and path.suffix != ".run":
                    match.over = tally(match.kept)[-1]
                    match.over_at = match.at[-1] if match.at else match.begun_at
    return [found[at] for at in sorted(found)]


def page_of(match: Remembered) -> str:
    """The page of the board that has its result."""
    return "groups" if match.stage == "group" else "tree"


def tally(acts: Iterable[Sequence[str]]) -> list[Counts]:
    """The cards of both seats at the beginning and after each round; the pot is nobody's."""
    return [counts for _, counts in rounds_of(acts)]


def rounds_of(acts: Iterable[Sequence[str]]) -> list[tuple[int, Counts]]:
    """The same, each with the number of acts it took until then."""
    deck = load_deck(DECK)
    keys = [category["key"] for category in deck["categories"]]
    values = {card["code"]: card["values"] for card in deck["cards"]}
    counts, pot, lying, category = [len(values) // 2] * 2, 0, {}, ""  # type: ignore[var-annotated]
    found: list[tuple[int, Counts]] = [(0, (counts[0], counts[1]))]
    for done, (what, *details) in enumerate(acts, 1):
        if what == "called":
            category = details[0]
            continue
        if not category:
            lying = {}  # what lay there uncalled was taken back when time was up (SW-4)
        lying[int(details[0])] = details[1]
        if len(lying) < 2:
            continue
        one, other = (values[lying[seat]][keys.index(category)] for seat in (0, 1))
        lying, category = {}, ""
        if one == other:
            counts, pot = [count - 1 for count in counts], pot + 2
        else:
            winner = 0 if one > other else 1
            counts[winner] += 1 + pot
            counts[1 - winner] -= 1
            pot = 0
        found.append((done, (counts[0], counts[1])))
    return found


def acts_of(journal: bytes) -> list[tuple[str, ...]]:
    """The cards and calls that a journal has, as the people remember them."""
    found: list[tuple[str, ...]] = []
    for line in journal.split(b"\n"):
        record = read_record(line) if line else None
        parts = [json.loads(part) for part in record.payload.split("\t")] if record else []
        if len(parts) != 2 or "refused" in parts[1]:
            continue
        command, answer = parts
        for event in answer["events"]:
            if event["is"] == "played":
                found.append(("laid", str(event["seat"]), command["card"]))
            elif event["is"] == "called":
                found.append(("called", event["category"]))
    return found


def _missing(few: Sequence[object], all_: Iterable[object]) -> int | None:
    """Which of the few is the first that is not among all, behind the one before it."""
    rest = iter(all_)
    gone = (at for at, one in enumerate(few) if not any(one == other for other in rest))
    return next(gone, None)


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


@dataclass
class DayVerdict:
    """What was compared, and what was wrong: sentences."""

    played: int = 0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def compare(
    boxes: Boxes, count: int, others: Iterable[int], store: Store, state: TournamentState
) -> DayVerdict:
    """The first `count` boxes played the tournament; `others` played for themselves, with an id of
    these or not.
    """
    verdict = DayVerdict()
    stored: dict[tuple[str, int], list[bytes]] = {}
    for kept in store.matches():
        stored.setdefault((kept.box_id, kept.number), []).append(kept.journal)
        if kept.state != "verified":
            verdict.wrong.append(f"{kept.box_id} {kept.number} is {kept.state}")
    of_event: Counter[str] = Counter()
    for number in range(count):
        for match in played_by(boxes, number):
            verdict.played += match.over is not None
            _compare_match(boxes, number, match, stored, state, verdict, of_event)
    for number in others:  # what a hall has confirmed to them it must have
        for path in boxes.storage(number).glob("m*.ok"):
            if path.read_bytes() not in stored.get((boxes.ids[number], int(path.stem[1:])), ()):
                verdict.lost.append(f"{path} was confirmed")
    verdict.doubled += [f"{match}: {n} results" for match, n in of_event.items() if n > 1]
    counted = {match.id for match in state.matches.values() if match.counts}
    verdict.doubled += [
        f"{match}: nobody played it" for match in sorted(counted - of_event.keys())
    ]
    return verdict


def _compare_match(
    boxes: Boxes,
    number: int,
    match: Remembered,
    stored: dict[tuple[str, int], list[bytes]],
    state: TournamentState,
    verdict: DayVerdict,
    of_event: Counter[str],
) -> None:
    where = f"{match.box} match {match.number}"
    paths = list(boxes.storage(number).glob(f"m{match.number:06}.*"))
    if match.over is None:
        if not paths:
            verdict.lost.append(f"{where} was begun, and is on no flash")
        else:
            verdict.lost += forgotten(match, _running(paths[0]))
        return
    journal = paths[0].read_bytes() if paths else b""
    verdict.lost += forgotten(match, journal)
    copies = stored.get((match.box, match.number), [])
    if journal not in copies:
        verdict.lost.append(f"{where} is not in the store as it is on the flash {paths}")
        return
    if copies.count(journal) > 1:
        verdict.doubled.append(f"{where} is stored {copies.count(journal)} times")
    acts = acts_of(journal)
    kept = journal.count(b"\n")
    if kept < match.lines:
        verdict.lost.append(f"{where}: {match.lines} lines were shown, {kept} kept")
    if len(acts) - len(match.acts) > 2 * match.sittings:
        verdict.wrong.append(f"{where}: {match.acts} were played, kept {acts}")
    if tally(acts)[-1] != match.over:
        verdict.wrong.append(f"{where} ended {match.over}, counted {tally(acts)[-1]}")
    header = json.loads((read_record(journal.split(b"\n")[0]) or _NONE).payload)
    event_match = state.matches.get(header.get("tournament_match", ""))
    if event_match is None or event_match.result is None:
        verdict.lost.append(f"{where} has no result in the tournament")
        return
    of_event[event_match.id] += 1
    names = tuple(state.players[player].name for player in (event_match.a, event_match.b))
    if (names, event_match.result.cards) != (match.names, match.over):
        verdict.wrong.append(
            f"{where}: {match.names} {match.over}, counts as {names} {event_match.result.cards}"
        )


def _running(path: Path) -> bytes:
    """The journal of a match under way, with the record that is ahead of it."""
    journal = path.read_bytes()
    ahead = path.parent / "ahead" / "record"
    words = ahead.read_bytes().split(b"\n")[0].split(b" ", 3) if ahead.exists() else []
    if words[1:3] == [b"%d" % int(path.stem[1:]), b"%d" % len(journal)]:
        journal += words[3] + b"\n"
    return journal


class _NoRecord:
    payload = "{}"


_NONE = _NoRecord()


# -- pages ----------------------------------------------------------------------------------------


def results_shown(page: str) -> list[tuple[tuple[str, str], str]]:
    """Names and score of every match on the pages of groups and of the tree; "–" for none."""
    return [
        ((html.unescape(a), html.unescape(b)), score) for a, b, score in re.findall(_VERSUS, page)
    ]


def tables_shown(page: str) -> list[tuple[str, tuple[str, ...], tuple[int, ...]]]:
    """Table, names and cards of every live table on the page."""
    found = []
    for table, seats in _LIVE.findall(page):
        read = _SEAT.findall(seats)
        names = tuple(html.unescape(name) for name, _ in read)
        found.append((table, names, tuple(int(score) for _, score in read)))
    return found


def wrong_results(
    pages: Iterable[str], matches: Iterable[Remembered]
) -> tuple[list[str], list[str]]:
    """(missing on the pages, shown and not played so)."""
    shown = Counter(pair for page in pages for pair in results_shown(page) if pair[1] != "–")
    played = Counter(
        ((match.names[0], match.names[1]), f"{match.over[0]}:{match.over[1]}")
        for match in matches
        if match.over is not None
    )
    missing = [f"{names} {score}" for names, score in (played - shown)]
    return missing, [f"{names} {score}" for names, score in (shown - played)]


def jury_shown(page: str) -> set[int] | None:
    """The tables that call the jury, on a page of the desk; None for another page."""
    found = _JURY.search(page)
    return None if found is None else {int(table) for table in _CALLS.findall(found[0])}
