"""The box of a virtual table in its thread, with the things and the hands around it.

What pages ask of it stands above: messages.py, play_table.py.
"""

import shutil
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import SystemRandom
from secrets import token_hex
from threading import Event
from typing import Any

from hardware.twin.oled import Picture
from hardware.twin.panel import PanelButton
from hardware.twin.session import TwinSession
from host_tools.core.errors import UserError
from host_tools.core.json_types import Json
from host_tools.core.own_files import written_below
from host_tools.games import drawn, game_of
from host_tools.games.bot import MEDIUM
from host_tools.games.box_words import box_words
from host_tools.games.loading import firmware_sources
from host_tools.sim.screen import Screen, ScreenReader, picture_message
from host_tools.sim.table import arbiter
from host_tools.sim.table.asking import HOST
from host_tools.sim.table.autoplay import POWER, Autoplay
from host_tools.sim.table.box_setup import decks_on, set_language, set_up
from host_tools.sim.table.family import Evening, Family
from host_tools.sim.table.feed import Listener
from host_tools.sim.table.hands import LOOK_MS, BoxHands, Waits
from host_tools.sim.table.kept import KeptFile, Opening, TableMemory
from host_tools.sim.table.match_log import Deals, MatchLog
from host_tools.sim.table.phones import Phones
from host_tools.sim.table.robot import Robot
from host_tools.sim.table.runner import CLOCK_DOZE_S, DOZE_S, PAUSED, REAL, UNBOUND, Runner
from host_tools.sim.table.tags import TagTray, jury_card

SHORTEST_PRESS_MS = 60
RELEASE_MS = 3_000  # a button whose page has vanished is let go by itself


class TableBox:
    """One box. What is done with it is done in its own thread, but `hang_up` and `close`.

    `folder` keeps the flash, and a file beside it all else that a table opened again goes on with;
    without one nothing outlives the table. `seed` deals the next match. `own_decks` are on the box
    besides the project's, by their ids. Raises UserError.
    """

    def __init__(
        self,
        number: int,
        engine: str,
        lang: str,
        folder: Path | None = None,
        speed: int = REAL,
        seed: int | None = None,
        own_decks: Mapping[str, Json] | None = None,
        family: Family | None = None,
    ) -> None:
        self.number = number
        self._kept = KeptFile(folder and folder.with_name(f"{folder.name}.json"), TableMemory)
        memory = self._kept.read()
        self._came_back = memory
        self.is_back = Event()
        """Set once play goes on as it did before the server ended."""
        if memory is None:
            self.is_back.set()
            memory = TableMemory(Phones(), Deals(), lang, speed, MEDIUM)
        if seed is not None:
            memory.deals.wanted = seed
        self.evening = Evening(family or Family(), memory.practised, memory.told)
        self.lang = lang = memory.lang
        self.phones = memory.phones
        self._words = box_words(lang)
        self._temporary = tempfile.TemporaryDirectory(prefix="schiri-table-")
        self._flash = flash = folder or Path(self._temporary.name)
        own_decks = decks_on(flash) | dict(own_decks or {})
        try:
            with written_below(flash):
                set_up(flash, lang, f"Schiri {number}", own_decks)
        except UserError:  # a full disk
            self._temporary.cleanup()
            raise
        self.session = TwinSession(
            engine,
            flash,
            seed=number,
            # birth marks of journals: drawn from the seed, a wiped flash repeated them
            chance=SystemRandom(),
            # people may see a crashed firmware restart; without this a reset is an error
            survive_resets=True,
            sources=firmware_sources(),
        )
        self.session.on_screen(self._on_picture)
        self.tray = TagTray()
        self.tray.fill([jury_card()])
        # a box's own power cut is played by the twin; this one is of the computer
        self.session.box.flash.synced_to_disk = folder is not None
        self.log = MatchLog(flash, lang, self.say, memory.deals, own_decks)
        self.log.usual, self.log.strengths = memory.usual, memory.strengths
        self.screen = ScreenReader(self.session, self._on_text)
        self.hands = BoxHands(self.session, self.tray, self.screen, self._changed)
        self.hands.hasty = memory.speed == UNBOUND
        self.hands.back = self.say("back")
        self.robot = Robot(self.hands, self.log, self.tray, self.say)
        self.auto = Autoplay(
            self.robot, self.hands, self.log, self._robot_gave_up, lambda: self.session.now_ms
        )
        self.auto.seats = set(memory.auto)
        self.offer = arbiter.Offer()
        self.life = token_hex(4)
        """Another one once the table was closed and opened again."""
        self.crash = ""
        self.hint: Json | None = None
        self._pressed_ms: dict[PanelButton, int] = {}
        self._pressed_by: dict[PanelButton, int] = {}
        self._laid: dict[str, int] = {}
        self._waiting: deque[Waits] = deque()
        self._for_free_hands: deque[Callable[[], None]] = deque()
        self._listeners: list[Listener] = []
        self._hung_up = False
        self.doing: Json | None = None
        """What hands do for a press on a hand, while they do it: the message, and whose it is."""
        self._said: Screen | None = None
        self._told = 0  # so many times the box has told something that is in no record
        self._tones = 0
        self._sounding = False
        self._resets = 0
        self._match = 0
        self._listed = 0
        self._opening = memory.opening
        self._dirty = True
        hurries = self.auto.hurries
        self.runner = Runner(
            self.session,
            self._after_turn,
            self._on_crash,
            hurries,
            self._rests,
            self._let_go,
            memory.speed,
        )

    def hang_up(self) -> None:
        """End what the pages listen to, and what they begin from now on. From any thread."""
        self._hung_up = True
        # a copy: meanwhile the thread of the box may add one
        for listener in list(self._listeners):
            listener.close()

    def close(self) -> None:
        """End the box and all pages."""
        self.hang_up()
        self.runner.stop()
        self._temporary.cleanup()

    def discard(self) -> None:
        """The same, and nothing of it is kept."""
        self.close()
        self._kept.forget()
        shutil.rmtree(self._flash, ignore_errors=True)

    def say(self, key: str) -> str:
        """A text of the box in its language."""
        return self._words.get(key)

    # -- the box's thread

    def _tell(self, kind: str, content: Json) -> None:
        for listener in self._listeners:
            listener.put(kind, content)

    def _changed(self) -> None:
        self._dirty = True

    def _on_picture(self, picture: Picture) -> None:
        if self._listeners:
            self._tell("oled", self._oled())

    def _on_text(self) -> None:
        """The box has said what stands on its screen; the clock alone is no news."""
        last = self.screen.last
        said = last._replace(title=last.title.split("\t")[0])
        if said != self._said:
            self._said = said
            self._look_at_match()
            self._look_at_app(last)
            self._changed()
        self._on_picture(self.session.screen())

    def _look_at_app(self, said: Screen) -> None:
        """What the box knows of this moment that is in no record."""
        log = self.log
        if log.world is None or log.closed:
            return
        if said.n >= log.listed:  # else it was said before that answer
            log.world.half = {**(said.half or {}), "asks": said.asks}
        told = said.said
        if told is not None and told["n"] != self._told:
            self._told = told["n"]
            log.tell(told["text"], told["rule"], told["refused"])

    def _oled(self) -> Json:
        picture = self.session.screen()
        said = self.screen.last._replace(winners=self.log.winners())
        return picture_message(picture, Screen("", []) if picture.dark else said)

    def _on_crash(self, text: str) -> None:
        lines = text.strip().splitlines()  # a sentence, then perhaps a traceback
        self.crash = " ".join(dict.fromkeys((lines[0], lines[-1])))
        self._let_go()

    def _after_turn(self) -> None:
        self._tell_tones()
        if len(self.session.resets) != self._resets:
            self._after_reset()
        self._look_at_match()
        if not self.runner.busy:
            self._begin_something()
        self._keep()

    def _after_reset(self) -> None:
        """The box has started anew by itself: whatever hands were doing was in vain."""
        self._resets = len(self.session.resets)
        self._told = 0
        self._let_go()
        self.auto.forgive()
        self._changed()

    def _look_at_match(self) -> None:
        if not self.log.look():
            return
        self._changed()
        self.evening.follow(self.log, self.players())
        if not self.log.refused:
            self.auto.forgive()
        # a tick shows nothing; and nobody looks on without a page: robots need not wait
        if self._listeners and self.log.listed != self._listed:
            self.auto.show()
        self._listed = self.log.listed
        world = self.log.world
        if world is not None and self.log.number != self._match:
            self._match = self.log.number
            self.tray.heal()
            self.tray.fill(game_of(world.header).things(world.header))
            self._recall()
        # before any page is told: the hands are dealt by it
        self._keep()

    def _rests(self) -> float:
        """Seconds in which nothing at the box has its moment: no tone, no robot that waits; a
        clock of a match is drawn every second.
        """
        if self._sounding or self.auto.waits or self.hands.is_dark():
            return 0
        clock = None if self.log.world is None or self.log.closed else self.log.world.match.clock
        return DOZE_S if clock is None or clock.paused else CLOCK_DOZE_S

    def when_free(self, action: Callable[[], None]) -> None:
        """Call `action` once no hands are at the box, before a robot moves."""
        self._for_free_hands.append(action)

    def _begin_something(self) -> None:
        if self._for_free_hands:
            self._for_free_hands.popleft()()
            self._changed()
        if self.session.running and not self.runner.busy:
            act = self._goes_on() or self.auto.next_act()
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
                hz = last.hz if last.ms < 0 else 0
                self._tell("tone", {"hz": hz, "strength": round(last.strength, 3)})
            # ms is -1 while a tone sounds
            self._tones, self._sounding = len(sounds), last.ms < 0

    # -- what pages and hands do with it

    def lay(self, code: str, seat: int) -> None:
        """A seat lays a thing on the box and leaves it there."""
        self._laid[code] = seat
        self.hands.place(self.tray[code])

    def laid_by(self, seat: int) -> list[str]:
        """What lies on the box because this seat has laid it there."""
        lying = [self.tray.code_of(tag) for tag in self.session.field.tags]
        return [code for code in lying if self._laid.get(code) == seat]

    def lift(self, wanted: str, seat: int) -> None:
        """A seat takes one thing off the box, or all that it may take ("")."""
        may_take_all = seat in (HOST, self.log.awaits.get("seat"))
        own = self.laid_by(seat)
        for tag in list(self.session.field.tags):
            code = self.tray.code_of(tag)
            if wanted in ("", code) and (may_take_all or code in own):
                self.hands.remove(tag)

    def presses(self, seat: int, button: str) -> bool:
        """Was it this seat that pressed the button last?"""
        return self._pressed_by.get(PanelButton[button.upper()]) == seat

    def press(self, name: str, down: bool, seat: int) -> None:
        """A seat's finger goes down on a button, or up."""
        button = PanelButton[name.upper()]
        box = self.session.box
        if down:
            self._pressed_by[button] = seat
            box.buttons.down(button)
            self._pressed_ms[button] = self.session.now_ms
            box.clock.after(
                1000 * RELEASE_MS, partial(self._forgotten, button, self.session.now_ms)
            )
        else:  # both messages may come at once over a slow line: a finger is never that quick
            held_ms = self.session.now_ms - self._pressed_ms.pop(button, 0)
            box.clock.after(
                1000 * max(0, SHORTEST_PRESS_MS - held_ms), partial(_let_go, box.buttons, button)
            )

    def _forgotten(self, button: PanelButton, down_ms: int) -> None:
        """Let it go if it is still that press: a later one, such as a robot's long OK with which
        a match starts, would be cut short.
        """
        if self._pressed_ms.get(button) == down_ms:
            del self._pressed_ms[button]
            _let_go(self.session.box.buttons, button)

    def queue(self, act: Waits) -> None:
        """What people ask for is done one after the other, whoever asked."""
        self._waiting.append(act)
        if len(self._waiting) == 1:
            self.runner.begin(self._one_by_one())

    def _one_by_one(self) -> Waits:
        while self.runner.crowded:  # a bot's card still lies there: the reader would see two
            yield LOOK_MS
        while self._waiting:
            yield from self._waiting[0]
            self._waiting.popleft()

    def switch(self, on: bool) -> None:
        """Power on, also after a crash, or off."""
        self._let_go()
        if on:
            self.runner.restart()
        else:
            self.session.cut_power()
        self.crash = ""
        self._on_picture(self.session.screen())

    def awake(self) -> None:
        """Power on, and time runs."""
        if not self.session.running:
            self.switch(True)
        if self.runner.speed == PAUSED:
            self.runner.speed = REAL

    def speak(self, lang: str) -> None:
        """Box and page in another language: the box reads its settings when it boots."""
        self.lang = lang
        self._words = box_words(lang)
        self.hands.back = self.say("back")
        set_language(self._flash, lang)
        self.log.speak(lang)
        self.runner.call(self.blackout)  # whoever asked does not wait for that

    @contextmanager
    def brisk(self) -> Iterator[None]:
        """Fingers in a list: nobody wants to watch them."""
        self.hands.brisk = self.runner.hurried = True
        try:
            yield
        finally:
            self.hands.brisk = self.runner.hurried = False

    def _let_go(self) -> None:
        """The hands stop whatever they were doing; what the box had half chosen is gone too."""
        self._said = self.doing = None
        if self.log.world is not None:
            self.log.world.half = {}
        self.hands.brisk = self.runner.hurried = False
        self.runner.drop_acts()
        self._opening = None
        self._waiting.clear()
        self._for_free_hands.clear()
        self.session.field.clear()

    def blackout(self) -> None:
        """The plug is out for a moment; the box boots again by itself."""
        self.switch(True)
        self._changed()

    def players(self) -> list[str]:
        """The names of those who play and are no bots."""
        world = self.log.world
        seats = range(world.seats) if world else ()
        return [world.name(seat) for seat in seats if world and seat not in self.auto.seats]

    def free_seats(self) -> list[int]:
        """Seats that a phone may take."""
        world = None if self.log.closed else self.log.world
        return self.phones.free(world.seats if world else None, self.auto.seats)

    def connected(self) -> list[int]:
        """The seats of the devices that listen now."""
        return [listener.seat for listener in self._listeners]

    def free_seat(self, seat: int) -> None:
        """The phone that held it is told, and sees nothing of the seat any more."""
        self.phones.give_back(seat)
        for listener in self._listeners:
            if listener.seat == seat:
                listener.seat = HOST
                listener.put("freed", {})

    def begin_match(self, header: Json, auto: set[int], practice: bool = False) -> None:
        """Hands choose this match in the menu; a deck in it is an id. Who holds a phone plays."""
        self.evening.practised = practice
        header = drawn(self.phones.named(header, self.say("seat")), self.log.deals.coming())
        self.log.names = list(header.get("names") or [])
        self.auto.seats = auto - self.phones.held.keys()
        self.hint = None
        self._opening = Opening(self.log.number, header)
        # quick: people want to play, not to watch a menu being set
        self.runner.begin(self._opened(header), quick=True)

    def _opened(self, header: Json) -> Waits:
        yield from self.robot.open_match(header)
        self._opening = None

    # -- after the server was started again

    def _keep(self) -> None:
        """Whatever has changed is on the disk before anybody hears of it."""
        log = self.log
        self._kept.keep(
            TableMemory(
                phones=self.phones,
                deals=log.deals,
                lang=self.lang,
                speed=self.runner.speed,
                usual=log.usual,
                auto=sorted(self.auto.seats),
                strengths=log.strengths,
                practised=self.evening.practised,
                told=self.evening.coming,
                opening=self._opening,
                match=log.number,
                changes=log.moved,
                dead=self.tray.dead,
                playing=not log.closed,
            )
        )

    def _recall(self) -> None:
        """What people had done in this match behind the box's back."""
        kept = self._came_back
        if kept is not None and kept.match == self.log.number:
            self.log.recall(kept.changes)
            for code in kept.dead:
                self.tray.kill(code)
            if kept.playing and not self.log.closed:
                self.hint = {"name": "came_back", "rule": ""}

    def _goes_on(self) -> Waits | None:
        """Hands open the match that was being opened when the server ended. CL-2 has the box pause
        a clock that ran: they let it run again once somebody looks on.
        """
        if self._came_back is None or self.hands.screen() is None:
            return None
        opening, self._opening = self._opening, None
        if opening is not None and opening.after == self.log.number:
            self._opening = opening
            return self._opened(opening.header)
        if opening is not None and self.log.awaits["for"] == "begin":
            return self.robot.begin()
        if self.log.paused == POWER:
            return self.robot.resume() if self._listeners else None
        self._came_back = None
        self.is_back.set()
        return None


def _let_go(panel: Any, button: PanelButton) -> None:
    # 0 is pressed: the buttons are active low
    if not panel.levels[button]:
        panel.up(button)
