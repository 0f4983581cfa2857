"""Robot hands at a box: they tap tags, press buttons, and choose in the lists on its screen.

Every act is a generator that yields how many virtual milliseconds it waits; the table resumes it
when they have passed. Nothing here runs the box.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import TYPE_CHECKING

from firmware.app.arbiter import ASKS, MENU
from hardware.twin.session import PRESS_MS, TwinSession
from hardware.twin.tags import NtagTwin
from host_tools.core.json_types import Json
from host_tools.games import GAMES
from host_tools.games.options import MenuOption, options_of
from host_tools.games.steps import Move, Say
from host_tools.sim.screen import Screen, ScreenReader

if TYPE_CHECKING:
    from host_tools.sim.demo.tags import TwinTags
    from host_tools.sim.table.tags import TagTray

Waits = Iterator[int]
Picks = Generator[int, None, bool]
"""The same of hands that tell whether they found what they were to choose."""
BOOT_LIMIT_MS = 10_000
HEAR_LIMIT_MS = 3_000
SETTLE_MS = 300
HOLD_MS = 200
BETWEEN_MS = 350
"""A card counts as gone after the reader's grace time; the next one comes after that."""
PRESS_GAP_MS = 150
HASTE_MS = 60
"""What a press, a look and a thought take while nobody watches; above the buttons' debouncing."""
LONG_PRESS_MS = 900
RESULT = "result"
LOOK_MS = 20
# safety limits, not measured: whatever a box shows, the hands come to an end
MOST_MESSAGES = 8
MOST_BACKS = 4
LONGEST_LIST = 60
MOST_VALUES = 40


class BoxHands:
    """Acts on one box. `field_changed` is called with every tag that is laid or taken.

    `hasty` hands do everything as fast as the box can follow, `brisk` ones for a moment.
    """

    def __init__(
        self,
        session: TwinSession,
        tray: "TagTray | TwinTags",
        screen: ScreenReader,
        field_changed: Callable[[], None],
    ) -> None:
        self._session = session
        self._tray = tray
        self._screen = screen
        self._field_changed = field_changed
        self.hasty = False
        self.brisk = False
        self.back = ""
        """What leads back out of a half-chosen command, as the box calls it; "" is not chosen."""

    def screen(self) -> Screen | None:
        """What stands on the screen now; None while the box does not say."""
        return self._screen.now()

    def is_dark(self) -> bool:
        """Nothing is shown yet."""
        return self._screen.dark

    def asks(self) -> str:
        """What the list over the table asks, as the box says it itself; "" for none."""
        screen = self.screen()
        return screen.asks if screen else ""

    # -- single acts

    def wait(self, ms: int) -> int:
        """So long, or shorter in haste."""
        return min(ms, HASTE_MS) if self.hasty or self.brisk else ms

    def press(self, button: str) -> Waits:
        """Press and let go, and wait until the screen has answered."""
        ms = self.wait(PRESS_MS)
        self._session.press(button, ms)
        yield ms + self.wait(PRESS_GAP_MS)
        yield from self.see()

    def press_long(self, button: str) -> Waits:
        """Hold a button."""
        self._session.press(button, LONG_PRESS_MS)
        # in haste too: below 700 ms the box takes it for a short press (drivers/buttons.py)
        yield LONG_PRESS_MS + PRESS_GAP_MS

    def tap(self, tag: NtagTwin) -> Waits:
        """Lay a tag down, wait until the box has spoken, take it away."""
        heard = self.heard()
        self.place(tag)
        yield from self._until(lambda: self.heard() > heard)
        yield self.wait(HOLD_MS)
        self.remove(tag)
        # in haste too: the reader waits 250 ms before a card counts as gone
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

    def pick(self, label: str) -> Picks:
        """Choose an item of the list on the screen; whatever lies over it, or was half chosen
        before, is closed first. True if it was there.
        """
        before = self.screen()
        for _ in range(MOST_BACKS):
            yield from self._see_list()
            screen = self.screen()
            if screen is None or screen.find(label) is not None:
                break
            # a list over the table that somebody has opened
            if screen.asks not in ("", MENU, ASKS):
                yield from self.press("jury")
            elif self.back and screen.find(self.back) is not None:
                yield from self._take(self.back)
            else:
                break
        if (yield from self._take(label)):
            return True
        # closing what lay there was the way back
        return label == self.back and not self.asks() and self.screen() != before

    def _take(self, label: str) -> Picks:
        yield from self._go_to(label)
        screen = yield from self._looked()
        # never on another row, which that OK would choose
        if screen is None or screen.chosen is None or screen.chosen != screen.find(label):
            return False
        yield from self.press("ok")
        return True

    def set_row(self, label: str, wanted: str) -> Waits:
        """Go down to a row of the start menu and press OK until it shows the value."""
        yield from self._go_to(label)
        for _ in range(MOST_VALUES):
            screen = yield from self._looked()
            if screen is None or screen.chosen is None:
                return
            if screen.rows[screen.chosen].split("\t")[-1] == wanted:
                return
            yield from self.press("ok")

    def open_match(self, say: Say, header: Json, badges: Sequence[str] = ()) -> Waits:
        """Set the start menu, tap the badges, and start."""
        yield from self.set_menu(say, header)
        for code in badges:
            yield from self.tap(self._tray[code])
        yield from self.start_match()
        yield from self.do(GAMES[header["game"]].opening(header))

    def start_match(self) -> Waits:
        """A long OK starts from any row."""
        yield from self.press_long("ok")
        yield SETTLE_MS

    def until_awake(self) -> Waits:
        """Until the box has booted and says what stands on its screen."""
        yield from self._until(lambda: self.screen() is not None, BOOT_LIMIT_MS)
        yield SETTLE_MS

    def set_menu(self, say: Say, header: Json) -> Waits:
        """Choose game, preset, deck and seats in the start menu. A deck by its id is one that the
        box has; one as an object is told by its deck card.
        """
        yield from self.until_awake()
        # in this order: another game sets preset and seats anew
        game, preset, deck = header["game"], header.get("preset") or None, header.get("deck")
        yield from self.set_row(say("menu_game"), say(f"game_{game}"))
        if preset:
            yield from self.set_row(say("menu_preset"), say(f"preset_{preset}"))
        if isinstance(deck, str):
            yield from self.set_row(say("menu_deck"), deck)
        elif deck:
            yield from self.tap(self._tray["deck"])
        if preset not in GAMES[game].fixed_seats:
            yield from self.set_row(say("menu_seats"), str(header["seats"]))
        yield from self._set_options(say, header)

    def _set_options(self, say: Say, header: Json) -> Waits:
        """Choose every option as the header has it, or as it means without a word."""
        rules = options_of(header["game"], header.get("preset") or None)
        if not rules:
            return
        yield from self.see()
        usual = all(rule.is_usual(header) for rule in rules)
        # no need to visit a page on which nothing changes
        if usual and self._value(say("menu_options")) == say("options_usual"):
            return
        yield from self.pick(say("menu_options"))
        for rule in rules:
            shown = rule.shown(rule.of(header), say)
            yield from self.see()
            if self._value(say(f"menu_{rule.name}")) != shown:
                yield from self.choose_rule(say, rule, shown)
        yield from self.pick(say("back"))

    def choose_rule(self, say: Say, rule: MenuOption, shown: str) -> Waits:
        """On the page of house rules: choose what is shown so."""
        yield from self.pick(say(f"menu_{rule.name}"))
        yield from self.pick(shown)

    def _value(self, label: str) -> str:
        """What stands at the right end of a row."""
        screen = self.screen()
        place = screen.find(label) if screen else None
        return "" if screen is None or place is None else screen.rows[place].split("\t")[-1]

    def _go_to(self, label: str) -> Waits:
        """The shorter way to the item that begins so: lists go round their ends."""
        for _ in range(LONGEST_LIST):
            screen = yield from self._looked()
            wanted = screen.find(label) if screen else None
            if screen is None or wanted is None or wanted == screen.chosen:
                return
            down = (wanted - (screen.chosen or 0)) % len(screen.rows)
            yield from self.press("down" if 2 * down <= len(screen.rows) else "up")

    def do(self, move: Move) -> Picks:
        """All steps of a move, one after the other. False at an item that is not there."""
        for step in move:
            if step.do == "lay":
                yield from self.tap(self._tray[step.what])
            elif step.do != "pick":
                yield from self.press(step.what)
            elif not (yield from self.pick(step.what)):
                return False
        return True

    def _see_list(self) -> Waits:
        for _ in range(MOST_MESSAGES):
            yield from self.see()
            screen = self.screen()
            # an OK on the result would make it final
            if screen is not None and (screen.chosen is not None or screen.asks == RESULT):
                return
            yield from self.press("ok")

    def see(self) -> Waits:
        """Look at the screen until it says something. Hasty hands look before the picture of their
        press is there, so they ask.
        """
        # hasty hands only, so that the others take the same time on both engines
        if self.hasty or self.brisk:
            self._screen.ask_anew()
        yield from self._until(lambda: self.screen() is not None)

    def _looked(self) -> Generator[int, None, Screen | None]:
        """What stands there. A box draws by itself too: the one that signs, after a match, says
        nothing for a moment, and hands that did not look again gave up without a word.
        """
        yield from self._until(lambda: self.screen() is not None)
        return self.screen()

    def _until(self, holds: Callable[[], bool], limit_ms: int = HEAR_LIMIT_MS) -> Waits:
        waited = 0
        while not holds() and waited < limit_ms:
            yield LOOK_MS
            waited += LOOK_MS
