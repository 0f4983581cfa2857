"""The app on the box as a step function: reader, buttons, link, time, screen. Nothing here sleeps.

`App(hardware, clock, storage, journal, settings, games)` is all a test or `main.py` needs;
`step(now_ms)` does what is due and returns.
"""

import gc
from collections import namedtuple

from micropython import const

from . import sounds
from .canvas import HEIGHT, STATUS, Canvas
from .laptop import Laptop
from .memory import LoadedModules, forget, with_reserve
from .message import Message
from .resuming import Resuming
from .tag_reading import TagReading
from .view import NewsItem
from .words import Words, short_name

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NamedTuple

    from .journal import Journal
    from .seams import Games, HasTexts, Played, ScreenPage
    from .session import Session
    from .settings import Settings
    from .signing import Signing
    from .view import ViewPart, Wording, WrappedText

    class Hardware(NamedTuple):
        """The devices, each with `step(now_ms)`: drivers.reader.Reader, drivers.display.Display,
        drivers.buttons.Buttons, drivers.buzzer.Buzzer, and app.link.Link or None. `reader_fault`
        is the exception that the reader's `read_user` and `write_user` raise."""

        reader: "Any"
        display: "Any"
        buttons: "Any"
        buzzer: "Any"
        link: "Any"
        reader_fault: "type[Exception]"

else:
    Hardware = namedtuple(
        "Hardware", ("reader", "display", "buttons", "buzzer", "link", "reader_fault")
    )

_SILENCE = const(-1)
# CL-3: seconds left -> sound
_WARNINGS = ((60, sounds.WARNING_60), (10, sounds.WARNING_10))
_ONLY_BEFORE_PLAY = (
    "firmware.app.start_menu",
    "firmware.app.opening",
    "firmware.app.decks",
    "firmware.app.assignment.page",
    "firmware.app.assignment",
)


class App:
    """The box. `storage` is the folder with `decks/` and `boards/`; `clock` as in ARCHITECTURE.md.

    Public for tests and pages: `session` (None or the open match), `pages` (the last one
    is on top), `page()` (what has the
    attention), `settings`, `unsealed` (the card read last carried no seal that was checked),
    `left_ms` (of the match clock in this step; -1: there is none).
    """

    def __init__(
        self,
        hardware: "Hardware",
        clock: "Any",
        storage: str,
        journal: "Journal",
        settings: "Settings",
        games: "Games",
        build: str = "",
    ) -> None:
        self.build = build
        self.hardware = hardware
        self.clock = clock
        self.storage = storage
        self.journal = journal
        self.settings = settings
        self.games = games
        self.session: "Session | None" = None
        self.table: "Played | None" = None
        self._header: "dict[str, Any] | None" = None  # of the match that the menu asks for
        self.signing: "Signing | None" = None  # which a box with a key of its own gets
        self.unsealed = False
        self.said: "NewsItem | None" = None  # what was told last and is in no record
        self.times_said = 0
        self.canvas = Canvas(hardware.display.frame)
        self.pages: "list[ScreenPage]" = []
        self._dirty = True
        self._shown_s = -1
        self._result: "ScreenPage | None" = None
        self._sound = _SILENCE
        self._volume: object = 0
        self.left_ms = -1
        self.choice: "dict[str, Any]" = {}
        self._words = Words(str(settings.get("language")))
        self.tags = TagReading(self)
        self.laptop = Laptop(self)
        self.resuming = Resuming(self)
        self._loaded = LoadedModules()
        self.resuming.boot()

    # -- the loop --

    def step(self, now_ms: int) -> bool:
        """Do what is due at `now_ms` (ticks_ms of the clock). Blocks for one bus transfer at most.

        True if somebody pressed or tapped. Raises OSError when the journal cannot be written: then
        nothing was shown.
        """
        hardware = self.hardware
        acted = False
        session = self.session
        if session is not None:
            session.advance(now_ms)
        if hardware.link is not None:
            hardware.link.step(now_ms)
        button = hardware.buttons.step(now_ms)
        if button >= 0:
            self.page().on_button(button)
            if self._header is not None:
                self._leave_menu(self._header)
            self._dirty = acted = True
        event = hardware.reader.step(now_ms)
        if event:
            acted = True
            if not self.laptop.has_reader(now_ms):
                self.tags.on_reader(event)
        self.pages[-1].on_time(now_ms)
        self._watch_clock()
        if self._sound >= 0:
            hardware.buzzer.play(sounds.TONES, self._sound, self._volume)
            self._sound = _SILENCE
        hardware.buzzer.step(now_ms)
        if self._dirty:
            with_reserve(self.draw, self.canvas)
        hardware.display.step(now_ms)
        if self.journal.settle() and self.session is not None:  # while people look at the answer
            self.session.keep(self.build)
        if self.signing is not None and not self.signing.is_idle and not acted:
            self.signing.step(self)
        self.resuming.step(now_ms)
        return acted

    def _watch_clock(self) -> None:
        """Redraw when the second changes; warn once at 60 s and 10 s (CL-3). Zero is `time_up`."""
        session = self.session
        if session is None:
            self.left_ms = -1
            return
        clock = session.match.clock
        self.left_ms = -1 if clock is None else clock.left_ms(session.t_ms)
        left_s = (self.left_ms + 999) // 1000
        if left_s == self._shown_s:
            return
        for warn_s, sound in _WARNINGS:
            if left_s <= warn_s < self._shown_s:
                self.sound(sound)
        self._shown_s = left_s
        self._dirty = True

    # -- screen and sound --

    def redraw(self) -> None:
        """Draw the screen again at the end of this step."""
        self._dirty = True

    def sound(self, sound: int) -> None:
        """Play a sound of `sounds.py` in this step; replaces what is sounding, or was to."""
        self._sound = sound
        self._volume = self.settings.get("volume")

    def draw(self, canvas: "Canvas") -> None:
        """Draw what the page shows and send it: one picture for all sides, or one for each."""
        view = self.pages[-1].view()
        table = self.table if view.standing else None
        parts = [self._bar(view.title)]
        parts.extend(view.parts)
        canvas.bottom = HEIGHT
        if table is not None:
            canvas.bottom = STATUS
            parts.append(table.standing_part())
        display = self.hardware.display
        drawn = False
        for side in display.sides:
            if not drawn or canvas.has_sides:
                canvas.side = side
                canvas.clear()
                canvas.draw(parts)
                drawn = True
            display.show(side)
        self._dirty = False

    def _bar(self, title: str) -> "ViewPart":
        session = self.session
        if session is None:
            return ("bar", title, "", False, False)
        turns = session.match.turns
        late = turns is not None and turns.is_up  # CL-7
        clock = session.match.clock
        if clock is None:
            return ("bar", title, "", False, late)
        return ("bar", title, self.clock_text(), clock.paused, late)

    def clock_text(self) -> str:
        """What the match clock shows, as "9:41"; seconds count as begun, so 0:00 means time up.
        "" without one.
        """
        seconds = (self.left_ms + 999) // 1000
        return "%d:%02d" % (seconds // 60, seconds % 60) if self.left_ms >= 0 else ""

    # -- pages --

    def page(self) -> "ScreenPage":
        """The page that has the attention."""
        return self.pages[-1]

    def has_pages(self) -> bool:
        """False only while the box starts."""
        return bool(self.pages)

    def open(self, page: "ScreenPage") -> None:
        """Lay a page on top."""
        self.pages.append(page)
        self._dirty = True

    def close(self, page: "ScreenPage") -> None:
        """Take a page away, wherever it lies."""
        if page in self.pages:
            self.pages.remove(page)
        self._dirty = True

    def pass_button(self, page: "ScreenPage", button: int) -> None:
        """A message does not want this button: close it and let the page below have it."""
        self.close(page)
        self.page().on_button(button)

    def message(
        self,
        icon: str,
        heading: "Wording",
        lines: "Sequence[Wording]",
        sound: int,
        rule: str = "",
    ) -> None:
        """Say something that is in no record, with a picture and a sound; stays until OK or the
        next tap.
        """
        self.said = NewsItem(icon, heading, lines, sound, rule, ())
        self.times_said += 1
        self.messages((self.said,))

    def messages(self, news: "Sequence[NewsItem]") -> None:
        """The same of several, in the order given, the first one first."""
        self._close_messages()
        place = len(self.pages)
        for each in news:
            self.sound(each.sound)
            if each.icon:
                texts: "list[Any]" = [each.heading]
                texts.extend(each.lines)
                for at in range(len(texts)):
                    texts[at] = self.worded(texts[at])
                message = Message(self, each.icon, texts[0], texts[1:], each.rule, each.large)
                self.pages.insert(place, message)
        self._dirty = True

    def worded(self, text: "Wording") -> "WrappedText":
        """A text that is ready, or a key with its values filled in."""
        return self.say(*text) if isinstance(text, tuple) else text

    def _close_messages(self) -> None:
        while self.pages and isinstance(self.pages[-1], Message):
            self.pages.pop()

    # -- words --

    def use_words(self, owner: "HasTexts | None" = None) -> None:
        """Load the texts of the language that the settings name: the app's and those of a game, or
        of a page that brings its own.
        """
        packages = () if owner is None else (owner.package,)
        self._words.use(str(self.settings.get("language")), *packages)

    def say(self, key: str, *values: object) -> str:
        """The text of a key with its values filled in."""
        text = self._words.get(key)
        return text.format(*values) if values else text

    def is_enrolled(self) -> bool:
        """True if a desk knows the box's own key: the box obeys that desk alone."""
        return self.signing is not None and bool(self.signing.desk)

    def sign_on(self) -> None:
        """Something may wait for the box's signature."""
        if self.signing is not None:
            self.signing.is_idle = False

    def has_slips(self) -> bool:
        """True if the box has a key for result slips."""
        return self.signing is not None and bool(self.signing.public)

    def seat_name(self, seat: "int | None") -> str:
        """The name of the player at a seat, or "Platz 2"."""
        if seat is None:
            return self.say("jury")
        names = self.session.header.get("names") if self.session is not None else None
        return (short_name(names, seat) if names else "") or self.say("seat", seat + 1)

    def wrong_kind(self) -> None:
        """A tag of ours, but nothing that is asked for now."""
        self.message("QUESTION", self.say("reader"), (self.say("tag_wrong_kind"),), sounds.FOREIGN)

    # -- matches --

    def show_menu(self) -> None:
        """No match is open: the start menu, with what was chosen last."""
        self.session = None
        self.sign_on()
        self.table = None
        self.pages = []
        self._loaded.forget_others()  # what the last match brought along
        from .start_menu import StartMenu, show_desk

        self.pages = [StartMenu(self)]  # with its words: the laptop may have changed the language
        show_desk(self)
        self._dirty = True

    def start(self, header: "dict[str, Any]") -> None:
        """The menu asks for this match; it is opened when nothing of the menu runs any more."""
        self._header = header

    def _leave_menu(self, header: "dict[str, Any]") -> None:
        """Open the match in the memory that the menu had: the most is in use while rules load."""
        self._header = None
        self.pages = []
        self._forget_menu(header["game"])
        gc.collect()
        from . import opening

        if opening.start(self, header):
            self.sound(sounds.START)

    def _forget_menu(self, game: str) -> None:
        for name in _ONLY_BEFORE_PLAY:
            forget(name)
        for name in self.games.names():
            if name != game:
                forget(self.games.package_of(name))

    def sit_down(self, session: "Session", table: "Played") -> None:
        """A match is open: its table is the only page."""
        self.session = session
        self.table = table
        self._result = None
        self.pages = [table]
        self._forget_menu(session.header["game"])
        self._shown_s = -1
        self._dirty = True

    def open_arbiter(self) -> None:
        """The jury card or the jury button: the arbiter menu over a match, else nothing."""
        from .arbiter import ArbiterMenu

        if self.table is None:
            self.wrong_kind()
            return
        # a result that is not final stays below: an OK on the bare table would find nothing
        result = [] if self._result is None else [self._result]
        self.pages = [self.table] + result + [ArbiterMenu(self, self.table)]
        self.sound(sounds.JURY)
        self._dirty = True

    def show_result(self, over: bool) -> None:
        """A match that is over shows its ranking under the messages; undo takes it away."""
        from .result_page import ResultPage

        if self._result is not None:
            self.close(self._result)
            self._result = None
        if over and self.table is not None:
            self._result = ResultPage(self, self.table)
            self.pages.insert(1, self._result)
        self._dirty = True
