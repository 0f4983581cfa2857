"""Small honest stand-ins for the devices, and a box on a table that tests can tap, press and read.

The fakes keep the interfaces of firmware/drivers; time is a number that only tests move.
"""

import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import framebuf

from card_tags import codec
from card_tags.kinds import CARD, JURY, Card, Jury
from card_tags.p256 import finished
from firmware import games
from firmware.app.app import App, Hardware
from firmware.app.canvas import Canvas
from firmware.app.flash import Flash
from firmware.app.journal import Journal
from firmware.app.link import Link
from firmware.app.own_key import FILE, OwnKey
from firmware.app.settings import Settings
from firmware.app.signing import Signing
from firmware.app.slots import TwoFiles
from firmware.app.words import Words, load_table
from firmware.drivers.usb_line import UsbLine
from tests.support.memory_box import MemoryLine, WritePoll

STEP_MS = 10
STEPS_A_READ = 20
WRAP = 1 << 30  # MicroPython's ticks wrap at 2^30
BUTTONS = {"UP": 0, "DOWN": 1, "OK": 2, "JURY": 3, "OK+": 6}


def words_in(language: str) -> Words:
    """The words of the app, of a match that a desk gave and of every game."""
    of_games = (games.row(name).package for name in games.names())
    return Words(language, "firmware.app.assignment", *of_games)


def option_words(language: str) -> dict[str, str]:
    """The sentences about house rules, of every game that has options."""
    of_games = [games.row(name) for name in games.names()]
    tables = [load_table(game.package, "options_" + language) for game in of_games if game.rows]
    lines = [line for table in tables for line in table.strip("\n").split("\n")]
    return {key: text for key, _, text in (line.partition("|") for line in lines)}


class FakeClock:
    """Ticks that wrap, moved by hand."""

    def __init__(self, now_ms: int = 0) -> None:
        self.now_ms = now_ms

    def ticks_ms(self) -> int:
        return self.now_ms % WRAP

    def ticks_add(self, ticks: int, delta: int) -> int:
        return (ticks + delta) % WRAP

    def ticks_diff(self, end: int, start: int) -> int:
        return (end - start + WRAP // 2) % WRAP - WRAP // 2


class ReaderFault(Exception):
    """What FakeReader.read_user raises when `gone` is set."""


class FakeReader:
    """Reports the events queued by a test, one a step."""

    def __init__(self) -> None:
        self.queue: list[tuple[int, bytes, bytes]] = []
        self.uid = b""
        self.data: bytes | memoryview = b""
        self._memory = b""
        self.gone = False

    def step(self, now_ms: int) -> int:
        if not self.queue:
            return 0
        event, self.uid, self._memory = self.queue.pop(0)
        self.data = memoryview(self._memory.ljust(48, b"\0"))[:48]
        return event

    def read_user(self, first_page: int, count_pages: int) -> bytes:
        if self.gone:
            raise ReaderFault("card left")
        start = 4 * (first_page - 4)
        return self._memory.ljust(504, b"\0")[start : start + 4 * count_pages]


class FakeDisplay:
    sides = (0,)

    def __init__(self) -> None:
        self.pixels = bytearray(1024)
        self.frame = framebuf.FrameBuffer(self.pixels, 128, 64, framebuf.MONO_VLSB)
        self.shown = bytes(1024)

    def show(self, side: int = 0) -> None:
        self.shown = bytes(self.pixels)

    def step(self, now_ms: int) -> None:
        pass


class FakeButtons:
    def __init__(self) -> None:
        self.queue: list[int] = []

    def step(self, now_ms: int) -> int:
        return self.queue.pop(0) if self.queue else -1


class FakeBuzzer:
    def __init__(self) -> None:
        self.played: list[int] = []

    def play(self, tones: bytes, number: int, volume: int) -> None:
        self.played.append(number)

    def step(self, now_ms: int) -> None:
        pass


class ReadingCanvas(Canvas):
    """Remembers every text drawn since the screen was cleared, and what did not fit."""

    def __init__(self, frame: Any) -> None:
        super().__init__(frame)
        self.read: list[str] = []
        self.cut: list[str] = []

    def clear(self) -> None:
        super().clear()
        self.read = []
        self.cut = []

    def _write(self, font: Any, x: int, y: int, text: str, limit: int, ink: int) -> int:
        self.read.append(text)
        if x + font.width(text) > min(limit, 128) or y + 9 > 64:
            self.cut.append(text)
        return super()._write(font, x, y, text, limit, ink)


class Box:
    """An app with fake devices, a journal in `folder`, and the words on its screen. `cable`: with
    the firmware's own link, whose other end is `port()`. `files`: where the journal is instead.
    """

    def __init__(
        self,
        folder: Path,
        language: str = "de",
        now_ms: int = 0,
        cable: bool = False,
        files: Any = None,
        build: str = "build 1",
    ) -> None:
        self.folder = folder
        self.build = build
        self.cable = cable
        self.clock = FakeClock(now_ms)
        self.flash = files or Flash(str(folder))
        self.settings = Settings(self.flash)
        if self.settings.get("language") != language:
            self.settings.set({"language": language})
        self.power_on()

    def power_on(self) -> None:
        """Boot, also after a power cut: everything in memory is new."""
        self.reader = FakeReader()
        self.display = FakeDisplay()
        self.buttons = FakeButtons()
        self.buzzer = FakeBuzzer()
        self.journal = Journal(self.flash, "box1", lambda count: b"\x5a" * count)
        self.wire = MemoryLine()
        line = UsbLine(self.wire, self.wire, self.wire, WritePoll())
        link = Link(line, self.journal, self.settings, "0.1.0", self.clock)
        hardware = Hardware(
            self.reader,
            self.display,
            self.buttons,
            self.buzzer,
            link if self.cable else None,
            ReaderFault,
        )
        self.app = App(
            hardware, self.clock, str(self.folder), self.journal, self.settings, games, self.build
        )
        if TwoFiles(self.flash, FILE).is_there():
            self.app.signing = link.signing = Signing(
                self.journal, random.Random(2).randbytes, self.clock
            )
        self.canvas = ReadingCanvas(self.display.frame)
        self.app.canvas = self.canvas
        self.app.redraw()
        self.step()

    def give_key(self, desk: bytes = b"") -> bytes:
        """Give it a key of its own, which the desk with this public key has enrolled, and boot.
        Returns the public key.
        """
        own = OwnKey(self.flash)
        finished(own.making(random.Random(1).randbytes))
        if desk:
            own.enrol(desk)
        self.power_on()
        return bytes(own.public)

    # -- the other end of its cable: host_tools.box.link.Port --

    def write(self, data: bytes) -> object:
        self.wire.to_box.extend(data)
        return len(data)

    def read(self, size: int = 1) -> bytes:
        for _ in range(STEPS_A_READ):
            self.step()
        data = bytes(self.wire.to_laptop[:size])
        del self.wire.to_laptop[:size]
        return data

    def close(self) -> None:
        pass

    # -- what people do --

    def step(self, ms: int = STEP_MS) -> None:
        self.clock.now_ms += ms
        self.app.step(self.clock.ticks_ms())

    def wait(self, ms: int, step_ms: int = 250) -> None:
        while ms > 0:
            self.step(min(step_ms, ms))
            ms -= step_ms

    def press(self, *names: str) -> None:
        for name in names:
            self.buttons.queue.append(BUTTONS[name])
            self.step()

    def lay(self, memory: bytes, uid: bytes = b"\x04\x01\x02\x03\x04\x05\x06") -> None:
        """Lay a tag with this user memory on the reader."""
        self.reader.queue.append((1, uid, memory))
        self.step()

    def lay_tag(self, kind: str, content: Any) -> None:
        self.lay(codec.encode(codec.unsealed(kind, content)))

    def lay_card(self, deck: int, code: str, values: Iterable[int | None] = ()) -> None:
        self.lay_tag(CARD, Card(deck, code, code.startswith("J"), tuple(values)))

    def lay_jury(self) -> None:
        self.lay_tag(JURY, Jury(1, "Ada"))

    def reader_event(self, event: int) -> None:
        self.reader.queue.append((event, b"", b""))
        self.step()

    # -- what people see --

    def words(self) -> str:
        """All texts on the screen, in the order drawn."""
        return " | ".join(self.canvas.read)

    def set_choice(self, **choice: Any) -> None:
        """Have the start menu show this game with these choices."""
        menu: Any = self.app.page()
        menu.choose_game(games.row(choice.get("game", menu.choice["game"])))
        self.app.choice.update(choice)

    def choose(self, word: str) -> None:
        """Press DOWN until the lit item begins with `word`, then OK."""
        for _ in range(60):
            if self.lit().startswith(word):
                self.press("OK")
                return
            self.press("DOWN")
        raise AssertionError(f"no item {word} on: {self.words()}")

    def lit(self) -> str:
        page: Any = self.app.page()
        if hasattr(page, "items"):
            return str(page.items[page.chosen])
        if hasattr(page, "rows"):
            return str(page._item(page.rows()[page._row]))
        if hasattr(page, "choices") and page.choices():
            return str(page.choices()[page.chosen])
        raise AssertionError(f"no list on: {self.words()}")
