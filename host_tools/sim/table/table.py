"""A virtual table: one box with its thread, the things around it, the pages that watch."""

import json
import secrets
import tempfile
import time
from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from hardware.twin.oled import Picture
from hardware.twin.panel import Button as PanelButton
from hardware.twin.session import TwinSession
from host_tools.games import game_of
from host_tools.games.loading import firmware_sources
from host_tools.sim.box_words import box_words
from host_tools.sim.journal_watch import JournalWatch
from host_tools.sim.table import arbiter, checks, messages
from host_tools.sim.table.autoplay import Autoplay
from host_tools.sim.table.box_setup import set_up
from host_tools.sim.table.cheats import Cheats
from host_tools.sim.table.checks import MOST_SEATS
from host_tools.sim.table.feed import PAUSE_S, Listener
from host_tools.sim.table.hands import Act, Hands
from host_tools.sim.table.match_log import MatchLog
from host_tools.sim.table.robot import Robot, once_more
from host_tools.sim.table.runner import REAL, UNBOUND, Runner
from host_tools.sim.table.screen_text import read_screen
from host_tools.sim.table.table_view import state_of
from host_tools.sim.table.tags import TagTray, jury_card
from host_tools.sim.table.turns import HOST, check_turn

Json = dict[str, Any]
SHORTEST_PRESS_MS = 60
RELEASE_MS = 3_000  # a button whose page has vanished is let go by itself


class PlayTable:
    """One box. `do(message)` and `listen()` from the server, everything else in its own thread.

    `folder` keeps the flash; without one it is a temporary folder that goes with the table.
    """

    def __init__(
        self, number: int, engine: str, lang: str, folder: Path | None = None, speed: int = REAL
    ) -> None:
        self.number = number
        self.lang = lang
        self.seat_keys = [secrets.token_urlsafe(9) for _ in range(MOST_SEATS)]
        self.say = box_words(lang).get
        self._temporary = tempfile.TemporaryDirectory(prefix="schiri-table-")
        flash = folder or Path(self._temporary.name)
        set_up(flash, lang, f"Schiri {number}")
        self.session = TwinSession(
            engine, flash, seed=number, survive_resets=True, sources=firmware_sources()
        )
        self.session.on_screen(self._on_picture)
        self.session.box.usb.on_output = self._on_usb
        self.tray = TagTray()
        self.tray.fill([jury_card()])
        self.log = MatchLog(JournalWatch(flash), lang, self.say)
        self.hands = Hands(self.session, self.tray, self._changed)
        self.hands.hasty = speed == UNBOUND
        self.robot = Robot(self.hands, self.log, self.tray, self.say)
        self.cheats = Cheats(self)
        self.auto = Autoplay(self.robot, self.hands, self.log, self._robot_gave_up)
        self.offer = arbiter.Offer()
        self.crash = ""
        self.hint: Json | None = None
        self._pressed_ms: dict[PanelButton, int] = {}
        self._pressed_by: dict[PanelButton, int] = {}
        self._laid: dict[str, int] = {}
        self._waiting: deque[Act] = deque()
        self._for_free_hands: deque[Callable[[], None]] = deque()
        self._listeners: list[Listener] = []
        self._hung_up = False
        self._tones = 0
        self._sounding = False
        self._resets = 0
        self._match = 0
        self._dirty = True
        self._told_s = 0.0
        hurries = self.auto.hurries
        self.runner = Runner(self.session, self._after_turn, self._on_crash, hurries, speed)

    def start(self) -> None:
        """Power on."""
        self.runner.start()

    def hang_up(self) -> None:
        """End what the pages listen to, and what they begin from now on. From any thread."""
        self._hung_up = True
        for listener in list(self._listeners):
            listener.close()

    def close(self) -> None:
        """End the box and all pages."""
        self.hang_up()
        self.runner.stop()
        self._temporary.cleanup()

    # -- the server's side

    def listen(self) -> Listener:
        """A page that wants to hear; it gets everything once at once."""
        listener = Listener()
        self.runner.call(lambda: self._welcome(listener))
        return listener

    def forget(self, listener: Listener) -> None:
        """The page has gone."""
        self.runner.call(lambda: self._drop(listener))

    def hand(self, seat: int) -> list[Json]:
        """The cards of a seat, for the one who may see them."""
        cards: list[Json] = []

        def look() -> None:
            world = self.log.world
            if world is not None and 0 <= seat < world.seats:
                cards.extend(world.hand(seat))

        self.runner.ask(look)  # between two turns: nobody moves a card meanwhile
        return cards

    def transcript(self) -> str:
        """The match so far with its answers, as `schiri replay --check` reads it."""
        return self.log.transcript()

    def do(self, message: messages.AnyMessage, seat: int = HOST) -> None:
        """Do what a page asks; `seat` is whose device it is. Raises BadMessage for what makes no
        sense at this table, or is not that seat's to do now.
        """
        checks.check(self, message)
        if seat == HOST:
            self.runner.call(lambda: self._obey(message, seat))
            return
        refusals: list[messages.BadMessage] = []

        def try_it() -> None:
            try:
                check_turn(self, seat, message)
            except messages.NotAllowed as refusal:
                refusals.append(refusal)
            else:
                self._obey(message, seat)

        if not self.runner.ask(try_it):
            raise messages.NotAllowed("play_busy")
        if refusals:
            raise refusals[0]

    # -- the box's thread

    def _obey(self, message: messages.AnyMessage, seat: int) -> None:
        kind = type(message)
        if kind in _ACTS:
            self._queue(self._still_allowed(_ACTS[kind](self, message), message, seat))
        elif kind in _HANDS:
            _HANDS[kind](self, message, seat)
        else:
            _DEEDS[kind](self, message)
        self._changed()
        self._tell_state()

    def _still_allowed(self, act: Act, message: messages.AnyMessage, seat: int) -> Act:
        """What waited for others' hands is done only if it is still that seat's turn."""
        if seat != HOST:
            try:
                check_turn(self, seat, message)
            except messages.NotAllowed:
                return
        yield from act

    def _welcome(self, listener: Listener) -> None:
        self._listeners.append(listener)
        self.log.look()
        listener.put("oled", picture_message(self.session.screen(), self.log.words))
        listener.put("state", state_of(self))
        if self._hung_up:  # between `listen` and now
            listener.close()

    def _drop(self, listener: Listener) -> None:
        if listener in self._listeners:
            self._listeners.remove(listener)

    def _tell(self, kind: str, content: Json) -> None:
        for listener in self._listeners:
            listener.put(kind, content)

    def _tell_state(self) -> None:
        self._dirty = False
        self._told_s = time.monotonic()
        if self._listeners:
            self._tell("state", state_of(self))

    def _changed(self) -> None:
        self._dirty = True

    def _on_picture(self, picture: Picture) -> None:
        if self._listeners:
            self._tell("oled", picture_message(picture, self.log.words))

    def _on_usb(self, data: bytes) -> None:
        self._tell("usb", {"hex": data.hex()})

    def _on_crash(self, text: str) -> None:
        lines = text.strip().splitlines()  # a sentence, then perhaps a traceback
        self.crash = " ".join(dict.fromkeys((lines[0], lines[-1])))
        self._let_go()
        self._tell_state()

    def _after_turn(self) -> None:
        self._tell_tones()
        if len(self.session.resets) != self._resets:
            self._after_reset()
        if self.log.look():
            self._match_went_on()
        if not self.runner.busy:
            self._begin_something()
        if self._dirty and time.monotonic() >= self._told_s + PAUSE_S:
            self._tell_state()

    def _after_reset(self) -> None:
        """The box has started anew by itself: whatever hands were doing was in vain."""
        self._resets = len(self.session.resets)
        self._let_go()
        self.auto.forgive()
        self._changed()

    def _match_went_on(self) -> None:
        self._changed()
        if not self.log.refused:
            self.auto.forgive()
        world = self.log.world
        if world is not None and self.log.number != self._match:
            self._match = self.log.number
            self.tray.heal()
            self.tray.fill(game_of(world.header).things(world.header))

    def when_free(self, deed: Callable[[], None]) -> None:
        """Call `deed` once no hands are at the box, before a robot moves."""
        self._for_free_hands.append(deed)

    def _begin_something(self) -> None:
        if self._for_free_hands:
            self._for_free_hands.popleft()()
            self._changed()
        if self.session.running and not self.runner.busy:
            act = self.auto.next_act()
            if act is not None:
                self.runner.begin(act)

    def _robot_gave_up(self) -> None:
        self.hint = {"name": "robot_gave_up", "rule": ""}
        self._changed()

    def _tell_tones(self) -> None:
        sounds = self.session.sounds
        if sounds and (len(sounds) != self._tones or self._sounding):
            last = sounds[-1]
            if len(sounds) != self._tones or last.ms >= 0:
                self._tell("tone", {"hz": last.hz if last.ms < 0 else 0})
            self._tones, self._sounding = len(sounds), last.ms < 0

    # -- messages

    def _tap(self, message: messages.Tap) -> Act:
        return self.hands.tap(self.tray[message.code])

    def _lay(self, message: messages.Lay, seat: int) -> None:
        self._laid[message.code] = seat
        self.hands.place(self.tray[message.code])

    def laid_by(self, seat: int) -> list[str]:
        """What lies on the box because this seat has laid it there."""
        lying = [self.tray.code_of(tag) for tag in self.session.field.tags]
        return [code for code in lying if self._laid.get(code) == seat]

    def _lift(self, message: messages.Lift, seat: int) -> None:
        may_take_all = seat in (HOST, self.log.awaits.get("seat"))
        own = self.laid_by(seat)
        for tag in list(self.session.field.tags):
            code = self.tray.code_of(tag)
            if message.code in ("", code) and (may_take_all or code in own):
                self.hands.remove(tag)

    def _quartet(self, message: messages.Quartet) -> Act:
        world = self.log.world
        if world is None or message.seat >= world.seats:
            return
        yield from self.hands.do(world.lay_group(message.seat, message.group))

    def presses(self, seat: int, button: str) -> bool:
        """Was it this seat that pressed the button last?"""
        return self._pressed_by.get(PanelButton[button.upper()]) == seat

    def _button(self, message: messages.Button, seat: int) -> None:
        button = PanelButton[message.button.upper()]
        box = self.session.box
        if message.down:
            self._pressed_by[button] = seat
            box.buttons.down(button)
            self._pressed_ms[button] = self.session.now_ms
            box.clock.after(1000 * RELEASE_MS, partial(_let_go, box.buttons, button))
        else:  # both messages may come at once over a slow line: a finger is never that quick
            held_ms = self.session.now_ms - self._pressed_ms.get(button, 0)
            box.clock.after(
                1000 * max(0, SHORTEST_PRESS_MS - held_ms), partial(_let_go, box.buttons, button)
            )

    def _choose(self, message: messages.Choose) -> Act:
        return self._choose_all(message.labels)

    def _queue(self, act: Act) -> None:
        """What people ask for is done one after the other, whoever asked."""
        self._waiting.append(act)
        if len(self._waiting) == 1:
            self.runner.begin(self._one_by_one())

    def _one_by_one(self) -> Act:
        while self._waiting:
            yield from self._waiting[0]
            self._waiting.popleft()

    def _choose_all(self, labels: list[str]) -> Act:
        for label in labels:
            yield from self.hands.pick(label)

    def _power(self, message: messages.Power) -> None:
        if message.on == self.session.on:
            return
        self._let_go()
        if message.on:
            self.runner.restart()
        else:
            self.session.cut_power()
        self.crash = ""
        self._on_picture(self.session.screen())

    def _let_go(self) -> None:
        """The hands stop whatever they were doing."""
        self.runner.drop_acts()
        self._waiting.clear()
        self._for_free_hands.clear()
        self.session.field.clear()

    def blackout(self) -> None:
        """The plug is out for a moment; the box boots again by itself."""
        self._let_go()
        self.runner.restart()
        self._on_picture(self.session.screen())
        self._changed()

    def _restart(self, message: messages.Restart) -> None:
        self.crash = ""
        self._let_go()
        self.runner.restart()

    def _cable(self, message: messages.Cable) -> None:
        usb = self.session.box.usb
        (usb.plug if message.plugged else usb.unplug)()

    def _speed(self, message: messages.Speed) -> None:
        self.runner.speed = message.speed
        self.hands.hasty = message.speed == UNBOUND

    def _auto(self, message: messages.Auto) -> None:
        (self.auto.seats.add if message.on else self.auto.seats.discard)(message.seat)
        self.auto.forgive()

    def _cheat(self, message: messages.Cheat) -> None:
        self.cheats.start(message.name, message.seat, message.card)

    def _arbiter(self, message: messages.Arbiter) -> Act:
        world = self.log.world
        if world is not None and 0 <= message.seat < world.seats:
            yield from self.robot.at_arbiter(arbiter.labels(message, world, self.say))

    def _start(self, message: messages.Start) -> None:
        self.auto.seats = set(message.auto)
        self.hint = None
        self.runner.begin(self.robot.open_match(message))

    def _rematch(self, message: messages.Rematch) -> None:
        self._start(once_more(self.log.header, self.auto.seats))

    def _usb(self, message: messages.Usb) -> None:
        self.session.usb_write(bytes.fromhex(message.hex))


def _let_go(panel: Any, button: PanelButton) -> None:
    if not panel.levels[button]:
        panel.up(button)


def picture_message(picture: Picture, words: Mapping[str, str]) -> Json:
    """The pixels as hex, 32 digits a row, and the words on the screen; `words` of the match."""
    lines = [{"text": line.text, "lit": line.lit} for line in read_screen(picture, words)]
    return {"rows": "".join(f"{row:032x}" for row in picture.rows), "lines": lines}


def as_text(content: Json) -> str:
    """JSON for a page."""
    return json.dumps(content, ensure_ascii=False)


_ACTS: dict[type, Callable[[PlayTable, Any], Act]] = {
    messages.Tap: PlayTable._tap,
    messages.Choose: PlayTable._choose,
    messages.Arbiter: PlayTable._arbiter,
    messages.Quartet: PlayTable._quartet,
}
"""What takes time: done one after the other."""

_HANDS: dict[type, Callable[[PlayTable, Any, int], None]] = {
    messages.Lay: PlayTable._lay,
    messages.Lift: PlayTable._lift,
    messages.Button: PlayTable._button,
}
"""What is done at once, by whoever asks."""

_DEEDS: dict[type, Callable[[PlayTable, Any], None]] = {
    messages.Power: PlayTable._power,
    messages.Cable: PlayTable._cable,
    messages.Speed: PlayTable._speed,
    messages.Auto: PlayTable._auto,
    messages.Cheat: PlayTable._cheat,
    messages.Start: PlayTable._start,
    messages.Rematch: PlayTable._rematch,
    messages.Restart: PlayTable._restart,
    messages.Usb: PlayTable._usb,
}
"""What only the table's own page does."""
