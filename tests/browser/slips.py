"""A hand that types slips blind, with the mistakes that hands make, and what may come of them.

The hand does not look at the screen before the end of its pile. What it typed is compared with the
log by hand rules of its own (`Hand.truth`), not by what the page says.
"""

import random
from dataclasses import dataclass, field

from playwright.sync_api import Page

DEALT = 34
IDLE = "() => turn.then(() => loading)"
"""Until all that was sent is answered and shown."""
ENTER = "⏎"
KEYS = {ENTER: "Enter", "⇥": "Tab", "⌫": "Backspace", "⎋": "Escape", "↶": "Control+z"}
"""How special keys are written in what a hand types."""
FAULTS = (
    "backspace in table",
    "backspace in cards",
    "early enter behind table",
    "early enter in first",
    "early enter behind first",
    "late enter",
    "twice enter",
    "spaces",
    "tab between",
    "tab behind table",
    "tab before",
    "escaped",
    "undone in the middle",
    "wrong and undone",
    "enter forgotten",
    "too many digits",
)
IMPOSSIBLE = ((24, 24), (35, 10), (30, 8), (17, 99))
ODD = ((20, 13), (21, 12), (5, 4))


@dataclass
class Slip:
    """A piece of paper."""

    table: int
    cards: tuple[int, int]


@dataclass
class Hand:
    """Types the slips of a pile. `truth`: for each table every result that it typed whole, and
    meant; nothing else may ever be in the log.
    """

    page: Page
    random: random.Random
    typed: list[str] = field(default_factory=list)
    truth: dict[int, set[tuple[int, int]]] = field(default_factory=dict)
    faults: dict[str, int] = field(default_factory=dict)
    slips: int = 0
    undos: list[int] = field(default_factory=list)

    def keys(self, text: str) -> None:
        self.typed.append(text)
        for char in text:
            self.page.keyboard.press(KEYS.get(char, char))

    def pile(self, tables: list[int], most: int) -> list[Slip]:
        """What came in: mostly what can be, a few that cannot, a few odd ones."""
        found = []
        for table in tables[:most]:
            first = self.random.randint(0, DEALT)
            kind = self.random.random()
            cards = (first, DEALT - first)
            if kind < 0.15:
                cards = (min(first, 20), self.random.choice((0, 2, 4, 8)) + min(first, 20) % 2 + 8)
                cards = (cards[0], cards[1] + sum(cards) % 2)
                cards = cards if sum(cards) >= 14 else (10, 8)
            elif kind < 0.25:
                cards = self.random.choice(IMPOSSIBLE)
            elif kind < 0.32:
                cards = self.random.choice(ODD)
            found.append(Slip(table, cards))
        return found

    def type(self, slip: Slip) -> None:
        """One slip, cleanly or with one mistake, at once or when the answer has come."""
        self.slips += 1
        if self.random.random() < 0.4:
            self.page.evaluate(IDLE)
        fault = self.random.choice(FAULTS) if self.random.random() < 0.45 else ""
        self.faults[fault] = self.faults.get(fault, 0) + 1
        self.truth.setdefault(slip.table, set()).add(slip.cards)
        self.keys(self._keys_of(slip, fault))
        if fault == "wrong and undone":
            self.truth[slip.table].add(slip.cards[::-1])
            self.undos.append(slip.table)
        if not fault and self.random.random() < 0.08:
            self.keys("↶")
            self.undos.append(slip.table)

    def _keys_of(self, slip: Slip, fault: str) -> str:
        table, (a, b) = str(slip.table), map(str, slip.cards)
        plain = f"{table} {a} {b}{ENTER}"
        if not fault:
            return self._clean(slip)
        wrong = str(self.random.choice([d for d in range(10) if str(d) != table[-1]]))
        extra = self.random.choice
        made = {
            "backspace in table": f"{table[:-1]}{wrong}⌫{table[-1]} {a} {b}{ENTER}",
            "backspace in cards": f"{table} {a} {b}{extra('0123456789')}⌫{ENTER}",
            "early enter behind table": f"{table}{ENTER}{a} {b}{ENTER}",
            "early enter in first": f"{table} {a[0]}{ENTER}{a[1:]} {b}{ENTER}",
            "early enter behind first": f"{table} {a}{ENTER}{b}{ENTER}",
            "late enter": f"{plain}{ENTER}",
            "twice enter": f"{plain}{ENTER}{ENTER}",
            "spaces": f" {table}  {a}  {b}  {ENTER} ",
            "tab between": f"{table} {a}⇥{b}{ENTER}",
            "tab behind table": f"{table}⇥{a}⇥{b}{ENTER}",
            "tab before": f"⇥{plain}",
            "escaped": f"{extra([f'{table}', f'{table} {a}', f'{table} {a} {b}'])}⎋{plain}",
            "undone in the middle": f"{table} {extra([a, f'{a} {b}'])}↶{plain}",
            "wrong and undone": f"{table} {b} {a}{ENTER}↶{plain}",
            "enter forgotten": f"{table} {a} {b} ",
            "too many digits": f"{table} {a} {b}{extra('0123456789')}{extra('0123456789')}{ENTER}",
        }
        return made[fault]

    def _clean(self, slip: Slip) -> str:
        """The ways of a practised hand."""
        table, (a, b) = slip.table, slip.cards
        if a + b == DEALT and self.random.random() < 0.3:
            return f"{table} {a}{ENTER}{ENTER}"
        between = self.random.choice((" ", ":", "-"))
        return f"{table} {a}{between}{b}{ENTER}"
