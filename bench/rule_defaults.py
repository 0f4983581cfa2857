"""What a house rule does to a game: bots play the café with each choice of the menu.

`python -m bench.rule_defaults --matches 200` writes the tables of docs/house-rules.md and
docs/hausregeln.md; a bar that is missed is marked. See the sections *What a rule does*.
"""

import argparse
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from firmware.games import row
from firmware.rules.game import FIELD, MenuRow, rows_of, unit_ms
from host_tools.games import GAMES, drawn
from host_tools.games.bot import MEDIUM
from host_tools.games.options import header_for
from host_tools.sim.demo.dry_run import dealt, is_settled, moves_of

GAME = "cafe"
PRESETS = ("board", "app")
SEATS = (2, 3, 4)
BAR = 0.05
"""At most this share of matches ends by `last_seat`, and of seats goes out."""
DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGES = {"en": DOCS / "house-rules.md", "de": DOCS / "hausregeln.md"}
BEGIN, END = "<!-- bench.rule_defaults", "<!-- end of bench.rule_defaults -->"
HEADS = {
    "en": "variant|choice|seats|matches|ends|out|nobody seated|score|turns",
    "de": "Spiel|Wahl|Plätze|Partien|Enden|raus|ohne Gast|Punkte|Züge",
}
USUAL = {"en": "usual", "de": "üblich"}


@dataclass
class RuleTally:
    """What happened in some matches: reasons of their ends, seats, seats that went out, turns,
    turns in which nobody was seated, and the scores of those who stayed.
    """

    ends: Counter[str] = field(default_factory=Counter)
    seats: int = 0
    out: int = 0
    turns: int = 0
    unseated: int = 0
    scores: list[int] = field(default_factory=list)

    def add(self, other: "RuleTally") -> None:
        self.ends += other.ends
        self.seats += other.seats
        self.out += other.out
        self.turns += other.turns
        self.unseated += other.unseated
        self.scores += other.scores

    @property
    def matches(self) -> int:
        return self.ends.total()

    def misses(self) -> bool:
        """A share is above the bar."""
        return self.ends["last_seat"] > BAR * self.matches or self.out > BAR * self.seats


@dataclass(frozen=True)
class Case:
    """A variant with one choice of its menu, "" for the usual ones."""

    preset: str
    option: str
    choice: str | int
    seats: int

    @property
    def name(self) -> str:
        return f"{self.option}={self.choice}" if self.option else ""


def cases(presets: Sequence[str], seats: Sequence[int], others: bool) -> list[Case]:
    """The usual rules, then each other choice of an option; times change nothing of the play."""
    found = []
    for preset in presets:
        choices: list[tuple[str, str | int]] = [("", "")]
        for option in _options(preset) if others else ():
            choices += [(option.name, choice) for choice in option.choices[1:]]
        found += [Case(preset, *chosen, count) for chosen in choices for count in seats]
    return found


def _options(preset: str) -> list[MenuRow]:
    return [one for one in rows_of(row(GAME), preset) if one.way != FIELD and not unit_ms(one)]


def play(case: Case, seed: int) -> RuleTally:
    """One match of medium bots; the seed draws the table cards, and deals."""
    choices = {case.option: case.choice} if case.option else {}
    header = header_for(GAME, case.preset, case.seats, choices)
    header = GAMES[GAME].resolved(drawn(header, seed))
    table = dealt(header, seed, faultless=True, strengths=[MEDIUM] * case.seats)
    found = RuleTally(seats=case.seats)
    seated = False
    gone: set[int] = set()
    for _, answer in moves_of(table):
        events = [event["is"] for event in answer.get("events", ())]
        gone |= {one["seat"] for one in answer.get("events", ()) if one["is"] == "seat_out"}
        seated |= "placed" in events
        if "turn" in events or "match_over" in events:
            found.turns += 1
            found.unseated += not seated
            seated = False
    if not is_settled(table):
        raise RuntimeError(f"{case} {seed}: no end")
    result: dict[str, Any] = dict(table.match.result())
    found.ends[str(result["reason"])] += 1
    found.out = len(gone)
    # who went out has handed over all points (CB-11)
    found.scores = [score for seat, score in enumerate(result["scores"]) if seat not in gone]
    return found


def measure(
    wanted: Sequence[Case], matches: int, workers: int
) -> Iterator[tuple[Case, RuleTally]]:
    """A row of the table for each case."""
    with ProcessPoolExecutor(workers) as pool:
        for case in wanted:
            total = RuleTally()
            for one in pool.map(partial(play, case), range(1, matches + 1), chunksize=4):
                total.add(one)
            yield case, total


def line(case: Case, tally: RuleTally, lang: str) -> str:
    """A row of the page."""
    ends = ", ".join(f"{reason} {count}" for reason, count in tally.ends.most_common())
    mark = " **!**" if tally.misses() else ""
    cells = (
        case.preset,
        f"`{case.name}`" if case.name else USUAL[lang],
        case.seats,
        tally.matches,
        ends + mark,
        f"{tally.out}/{tally.seats}",
        f"{100 * tally.unseated / max(1, tally.turns):.0f} %",
        f"{statistics.median(tally.scores):g}" if tally.scores else "–",
        f"{tally.turns / max(1, tally.matches):.0f}",
    )
    return f"| {' | '.join(map(str, cells))} |"


def table(rows: Sequence[tuple[Case, RuleTally]], lang: str) -> list[str]:
    heads = HEADS[lang].split("|")
    return [
        f"| {' | '.join(heads)} |",
        "|---" * len(heads) + "|",
        *(line(case, tally, lang) for case, tally in rows),
    ]


def write_page(rows: Sequence[tuple[Case, RuleTally]], lang: str, path: Path) -> None:
    """Put the table between its two marks."""
    text = path.read_text("utf8")
    before, mark, rest = text.partition(BEGIN)
    first, _, _ = rest.partition("\n")
    after = rest.partition(END)[2]
    body = "\n".join(table(rows, lang))
    path.write_text(f"{before}{mark}{first}\n\n{body}\n\n{END}{after}", "utf8")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.rule_defaults", description=__doc__)
    parser.add_argument("--matches", type=int, default=20, help="of each usual variant")
    parser.add_argument("--others", type=int, default=0, help="of each other choice; 0: none")
    parser.add_argument("--seats", type=int, nargs="+", default=list(SEATS))
    parser.add_argument("--presets", nargs="+", default=list(PRESETS), choices=PRESETS)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="put the table into the pages")
    chosen = parser.parse_args(arguments)
    rows = []
    wanted = cases(chosen.presets, chosen.seats, bool(chosen.others))
    for usual, matches in ((True, chosen.matches), (False, chosen.others)):
        some = [case for case in wanted if usual == (not case.option)]
        for case, tally in measure(some, matches, chosen.workers):
            rows.append((case, tally))
            print(line(case, tally, "en"), flush=True)
    rows.sort(key=lambda one: wanted.index(one[0]))
    for lang, path in PAGES.items() if chosen.write else ():
        write_page(rows, lang, path)


if __name__ == "__main__":
    main()
