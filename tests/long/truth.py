"""What was true at the tables of a fault day, and when; and whether what a desk showed at a
moment was true then, or had a reason not to be.

A page may be `GOAL_S` behind the tables, and behind everything that has happened since things
failed, until `GOAL_S` after they were mended. Everything else it shows is wrong: it may not show
what was true an hour ago.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tests.long.comparing import Result
from tests.long.remembered import Remembered, rounds_of

GOAL_S = 10.0
Shown = tuple[tuple[str, ...], tuple[int, ...]]
"""Names and cards of a table; empty without a match."""
_NOTHING: Shown = ((), ())
FOR_EVER = float("inf")


@dataclass(frozen=True)
class Look:
    """What one desk showed at a moment (seconds since 1970). None: that page was not looked at.
    `tables`: by the name of its page, a number or a box's id.
    """

    at: float
    desk: int
    tables: dict[str, Shown] | None = None
    results: frozenset[Result] | None = None
    jury: frozenset[int] | None = None
    old: bool = False
    """It says itself that it is not up to date."""
    stored: tuple[str, ...] = ()
    """Matches whose records in the database were not those on the flash, as sentences."""


@dataclass
class Truth:
    """`tables`: the matches of every table, from the first; `ahead_s`: so much sooner a page may
    know than who sits at the table tells. `others`: table -> what a second box there played.
    """

    tables: Sequence[Sequence[Remembered]]
    ids: Sequence[str]
    troubles: Sequence[tuple[float, float]]
    ahead_s: float = 1.0
    others: dict[int, Sequence[Remembered]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._scores = [scores_of(matches) for matches in self.tables]
        self._others = {
            table: {shown for _, shown in scores_of(matches)}
            for table, matches in self.others.items()
        }

    def settled(self, at: float) -> float:
        """What was true before this moment must be on the pages at `at`, or something newer."""
        since = at - GOAL_S
        for begun, mended in sorted(self.troubles, reverse=True):
            if begun < since + GOAL_S and mended > since:
                since = begun - GOAL_S
        return since

    def faults(self, look: Look) -> list[str]:
        """What was wrong, as sentences."""
        since = self.settled(look.at)
        calm = since >= look.at - GOAL_S
        found: list[str] = []
        if look.old and calm:
            found.append("it says that it is old, and nothing fails")
        if calm:
            found += look.stored
        found += self.behind(look, since, calm=calm)
        if look.jury is not None:
            found += self._jury(look.jury, since, look.at, calm)
        return [f"desk {look.desk} at {look.at:.1f}: {what}" for what in found]

    def behind(self, look: Look, since: float, *, calm: bool) -> list[str]:
        """What of tables and results was neither true at `since` nor after it."""
        found: list[str] = []
        if look.tables is not None:
            found += self._tables(look.tables, since, look.at, calm)
        if look.results is not None:
            found += self._results(look.results, since)
        return found

    def _tables(
        self, shown: dict[str, Shown], since: float, at: float, calm: bool
    ) -> Iterable[str]:
        for number, box in enumerate(self.ids, 1):
            row = shown.get(str(number), shown.get(box, _NOTHING))
            scores = self._scores[number - 1]
            true = between(scores, since, at + self.ahead_s)
            if not calm:  # a second box may have its id or its table
                true |= {each for _, each in scores} | self._others.get(number, set())
                true |= {_NOTHING}
            if row not in true:
                yield f"table {number} shows {row}, true was {sorted(true)[-3:]}"

    def _results(self, shown: frozenset[Result], since: float) -> list[str]:
        over = [match for table in self.tables for match in table if match.over is not None]
        known = {match.result for match in over}
        due = {match.result for match in over if match.over_at < since}
        wrong = [f"shows a result that nobody played: {one}" for one in sorted(shown - known)]
        return wrong + [f"does not show {one}" for one in sorted(due - shown)]

    def _jury(self, shown: frozenset[int], since: float, at: float, calm: bool) -> Iterable[str]:
        for number, matches in enumerate(self.tables, 1):
            calls = [call for match in matches for call in _calls(match)]
            standing = any(on <= since and off > at + self.ahead_s for on, off in calls)
            called = any(on <= at + self.ahead_s and off >= since for on, off in calls)
            if calm and standing and number not in shown:  # a call ends with the box's power, too
                yield f"table {number} calls the jury, and nobody is told"
            by_other = not calm and any(match.jury for match in self.others.get(number, ()))
            if number in shown and not called and not by_other:
                yield f"table {number} did not call the jury"


def scores_of(matches: Iterable[Remembered]) -> list[tuple[float, Shown]]:
    """What the public may see of a table, and from when: nothing, then match after match."""
    found: list[tuple[float, Shown]] = [(0.0, _NOTHING)]
    for match in matches:
        acts, times = match.timed()
        for done, counts in rounds_of(acts):
            at = times[done - 1] if done else match.begun_at
            found.append((at, (match.names, counts)))
    return found


def between(scores: Sequence[tuple[float, Shown]], since: float, until: float) -> set[Shown]:
    """Everything that was true at some moment of a time."""
    found = {scores[0][1]}
    for at, shown in scores:
        if at <= since:
            found = {shown}
        elif at <= until:
            found.add(shown)
    return found


def _calls(match: Remembered) -> Iterable[tuple[float, float]]:
    """From when until when the jury was called."""
    for at, (begun, on) in enumerate(match.jury):
        if on:
            yield begun, match.jury[at + 1][0] if at + 1 < len(match.jury) else FOR_EVER
