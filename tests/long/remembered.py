"""What the robots of a fault day know they played, from the logs of their boxes and from the
flashes. Their own count (`tally`) is a second way beside the rules: SW-2, TR-4 and TR-6 by hand.
"""

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from firmware.app.link_frames import read_record
from host_tools.cards.decks import load_deck
from tests.support.hall_boxes import Boxes

DECK = "gastro"
Act = tuple[str, ...]
"""("laid", seat, card), ("called", category)."""
Counts = tuple[int, int]


@dataclass
class Remembered:
    """A match as the people at its table remember it. Times are seconds since 1970."""

    box: str
    number: int
    stage: str = ""
    names: tuple[str, ...] = ()
    acts: list[Act] = field(default_factory=list)
    kept: list[Act] = field(default_factory=list)
    """The acts that the flash has; the table has not said one in whose moment the power went."""
    saw: list[Counts] = field(default_factory=list)
    """The cards of both seats after each trick, as the box showed them."""
    over: Counts | None = None
    at: list[float] = field(default_factory=list, compare=False)
    """When the acts were told."""
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

    @property
    def result(self) -> tuple[tuple[str, ...], str]:
        """Names and score, as the board shows them once it is over."""
        return self.names, ":".join(map(str, self.over or ()))

    def timed(self) -> tuple[list[Act], list[float]]:
        """The acts that the flash has, else those that were told, each with its time: of one in
        whose moment the power went, that of the one before.
        """
        if not self.kept:
            return self.acts, self.at
        times: list[float] = []
        told = 0
        for act in self.kept:
            if told < len(self.acts) and self.acts[told] == act:
                times.append(self.at[told])
                told += 1
            else:
                times.append(times[-1] if times else self.begun_at)
        return self.kept, times

    def hear(self, at: float, what: str, details: list[str]) -> None:
        """A line of the log."""
        if what == "began":
            names = " ".join(details[1:]) or "1|2"  # so the board calls seats without a name
            self.stage, self.names = details[0], tuple(names.split("|"))
            self.sittings += 1
            self.begun_at = self.begun_at or at
            if self.jury and self.jury[-1][1]:  # their power was cut meanwhile
                self.jury.append((at, False))
        elif what == "over":
            self.over = int(details[0]), int(details[1])
            self.over_at = at
        elif what == "saw":
            self.saw.append((int(details[0]), int(details[1])))
        elif what == "jury":
            self.jury.append((at, details[0] == "on"))
        else:
            self.acts.append((what, *details))
            self.at.append(at)


def remembered(box: str, log: str) -> dict[int, Remembered]:
    """What a box has printed (box_programs/hall_box.py), by match; its last line may be torn."""
    found: dict[int, Remembered] = {}
    for line in log.split("\n")[:-1]:
        words = line.split(" ")
        if words[0] == "#":
            number = int(words[2])
            match = found.setdefault(number, Remembered(box, number))
            match.hear(int(words[1]) / 1000, words[3], words[4:])
        elif len(words) == 3 and all(map(str.isdecimal, words)):
            match = found.setdefault(int(words[1]), Remembered(box, int(words[1])))
            match.lines = max(match.lines, int(words[2]))
    return found


def played_by(boxes: Boxes, number: int) -> list[Remembered]:
    """All matches of a box in order. Of one that ended in the moment of a power cut the table has
    not said that it is over.
    """
    found = remembered(boxes.ids[number], boxes.log(number))
    for match in found.values():
        for path in boxes.storage(number).glob(f"m{match.number:06}.*"):
            with suppress(FileNotFoundError):  # it is being closed or confirmed
                match.kept = acts_of(path.read_bytes())
                if match.over is None and path.suffix != ".run":
                    match.over = tally(match.kept)[-1]
                    match.over_at = match.at[-1] if match.at else match.begun_at
    return [found[at] for at in sorted(found)]


def acts_of(journal: bytes) -> list[Act]:
    """The cards and calls that a journal has, as the people remember them."""
    found: list[Act] = []
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


def tally(acts: Iterable[Sequence[str]]) -> list[Counts]:
    """The cards of both seats at the beginning and after each round; the pot is nobody's."""
    return [counts for _, counts in rounds_of(acts)]


def rounds_of(acts: Iterable[Sequence[str]]) -> list[tuple[int, Counts]]:
    """The same, each with the number of acts it took until then."""
    deck = load_deck(DECK)
    keys = [category["key"] for category in deck["categories"]]
    values = {card["code"]: card["values"] for card in deck["cards"]}
    counts, pot, category = [len(values) // 2] * 2, 0, ""
    lying: dict[int, str] = {}
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
