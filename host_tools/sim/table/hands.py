"""Robot hands at a box: they tap tags, press buttons, and read the screen as people do.

Every act is a generator that yields how many virtual milliseconds it waits; the table resumes it
when they have passed. Nothing here runs the box.
"""

from collections.abc import Callable, Iterator
from typing import Protocol

from hardware.twin.oled import Picture
from hardware.twin.session import PRESS_MS, TwinSession
from hardware.twin.tags import NtagTwin
from host_tools.games.steps import Move, Step
from host_tools.sim.table.screen_text import ScreenLine, likeness, lit_line, plain, read_screen

Act = Iterator[int]
HEAR_LIMIT_MS = 3_000
HOLD_MS = 200
BETWEEN_MS = 350
"""A card counts as gone after the reader's grace time; the next one comes after that."""
PRESS_GAP_MS = 150
HASTE_MS = 60
"""What a press, a look and a thought take while nobody watches; above the buttons' debouncing."""
LONG_PRESS_MS = 900
LOOK_MS = 20
MOST_MESSAGES = 8
LONGEST_LIST = 60
MOST_ROWS = 8
MOST_VALUES = 40


class Tags(Protocol):
    """The tags by their codes."""

    def __getitem__(self, code: str, /) -> NtagTwin: ...


class Hands:
    """Acts on one box. `field_changed` is called with every tag that is laid or taken.

    `hasty` hands do everything as fast as the box can follow.
    """

    def __init__(
        self, session: TwinSession, tray: Tags, field_changed: Callable[[], None]
    ) -> None:
        self._session = session
        self._tray = tray
        self._field_changed = field_changed
        self.hasty = False
        self._picture: Picture | None = None
        self._lines: list[ScreenLine] = []

    def lines(self) -> list[ScreenLine]:
        """What stands on the screen now."""
        picture = self._session.screen()
        if picture != self._picture:
            self._picture = picture
            self._lines = read_screen(picture)
        return self._lines

    def heading(self) -> str:
        """What stands in the top bar, without the clock at its right end."""
        lines = self.lines()
        return lines[0].text.split("\t")[0] if lines and lines[0].y == 0 else ""

    def sees(self, text: str) -> bool:
        """Does this stand on the screen, alone on its line?"""
        return any(plain(line.text) == plain(text) for line in self.lines())

    # -- single acts

    def wait(self, ms: int) -> int:
        """So long, or shorter in haste."""
        return min(ms, HASTE_MS) if self.hasty else ms

    def press(self, button: str) -> Act:
        """Press and let go, and wait until the screen has answered."""
        ms = self.wait(PRESS_MS)
        self._session.press(button, ms)
        yield ms + self.wait(PRESS_GAP_MS)

    def press_long(self, button: str) -> Act:
        """Hold a button."""
        self._session.press(button, LONG_PRESS_MS)
        yield LONG_PRESS_MS + PRESS_GAP_MS

    def tap(self, tag: NtagTwin) -> Act:
        """Lay a tag down, wait until the box has spoken, take it away."""
        heard = self.heard()
        self.place(tag)
        yield from self._until(lambda: self.heard() > heard)
        yield self.wait(HOLD_MS)
        self.remove(tag)
        yield BETWEEN_MS

    def place(self, tag: NtagTwin) -> None:
        """Lay a tag down and leave it."""
        self._session.field.place(tag)
        self._field_changed()

    def remove(self, tag: NtagTwin) -> None:
        """Take a tag away."""
        self._session.field.remove(tag)
        self._field_changed()

    def heard(self) -> int:
        """How many tones the buzzer has made so far."""
        return len(self._session.sounds)

    def pick(self, label: str) -> Act:
        """Choose an item of the list on the screen; closes messages that lie over it first.

        Without an item that begins so, the one that comes closest is taken.
        """
        yield from self._see_list()
        best, best_likeness, seen = "", 0, set[str]()
        for _ in range(LONGEST_LIST):
            lit = lit_line(self.lines())
            if lit is None:
                return
            # the box marks what is legal with a tick; hands may name the item without it
            like = max(likeness(text, label) for text in (lit.text, lit.text.lstrip("✓ ")))
            if like == len(plain(label)) or (best and lit.text == best and lit.text in seen):
                yield from self.press("ok")
                return
            if like > best_likeness and lit.text not in seen:
                best_likeness, found = like, lit.text
            if lit.text in seen:
                if not best_likeness:
                    return
                best = found
            seen.add(lit.text)
            yield from self.press("down")

    def set_row(self, label: str, wanted: str) -> Act:
        """Go down to a row of the start menu and press OK until it shows the value."""
        for _ in range(MOST_ROWS):
            lit = lit_line(self.lines())
            if lit is not None and likeness(lit.text, label) == len(plain(label)):
                break
            yield from self.press("down")
        for _ in range(MOST_VALUES):
            lit = lit_line(self.lines())
            if lit is None or plain(lit.text.split("\t")[-1]) == plain(wanted):
                return
            yield from self.press("ok")

    def do(self, move: Move) -> Act:
        """All steps of a move, one after the other."""
        for step in move:
            yield from self._step(step)

    def _step(self, step: Step) -> Act:
        if step.do == "lay":
            yield from self.tap(self._tray[step.what])
        elif step.do == "pick":
            yield from self.pick(step.what)
        else:
            yield from self.press(step.what)

    def _see_list(self) -> Act:
        for _ in range(MOST_MESSAGES):
            if lit_line(self.lines()) is not None:
                return
            yield from self.press("ok")

    def _until(self, holds: Callable[[], bool]) -> Act:
        waited = 0
        while not holds() and waited < HEAR_LIMIT_MS:
            yield LOOK_MS
            waited += LOOK_MS
