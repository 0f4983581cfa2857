"""What a box showed after every command of a record: the firmware's app plays it once more.

The app has journal and settings in memory, and a reader and buttons that nobody touches; commands
reach its table page one after the other. What a record does not hold cannot be shown: whether a
card was unsealed, and what people looked up in menus.
"""

import json
import random
from types import SimpleNamespace
from typing import Any

import framebuf

from firmware import games
from firmware.app.app import App, Hardware
from firmware.app.inspecting import screen_text
from firmware.app.journal import Journal
from firmware.app.message import Message
from firmware.app.page import DOWN, OK
from firmware.app.settings import Settings
from firmware.app.table import Table
from hardware.twin.oled import HEIGHT, WIDTH, Picture
from host_tools.core.errors import UserError
from host_tools.core.json_types import Json
from host_tools.games.box_words import box_language
from host_tools.sim.memory_files import MemoryFiles
from host_tools.sim.screen import Screen, screen_of

_BITS = tuple(f"{dots:08b}"[::-1] for dots in range(256))  # of a byte, the uppermost row first
_OWN_FIELDS = ("t", "do")
"""Not handed on: the box fills them in."""


class BoxScreens:
    """One match on one box. `match` is the firmware's own, for whoever asks what lies where.

    `header` holds deck and board as objects; `has_key`: the box has a key of its own (the result
    page asks for a slip). Raises UserError when the firmware cannot open the match.
    """

    def __init__(self, header: Json, lang: str, has_key: bool = True) -> None:
        self._pixels = bytearray(WIDTH * HEIGHT // 8)
        flash = MemoryFiles()
        # nobody stores this journal, so its birth mark need not differ from another one's
        journal = Journal(flash, "", random.Random(0).randbytes)
        journal.open_match(json.dumps(header))
        settings = Settings(flash)
        settings.set({"language": box_language(lang), "volume": 0})
        # the app itself, which resumes the match in its journal: tapping a whole record at a box
        # of the twin takes too long
        self._app = App(_devices(self._pixels), _CLOCK, "", journal, settings, games)
        # the screen only names the slip: nobody lays a tag here, so no key has to be made
        self._app.has_slips = lambda: has_key  # type: ignore[method-assign]
        if self._app.session is None:
            raise UserError("play_box_cannot")
        self.match: Any = self._app.session.match
        self._read_messages()

    def apply(self, command: Json, refused: str = "") -> None:
        """Give the box the next command; `refused` is the reason of the refusal to come, or "".

        The command must be one that the rules can read.
        """
        app = self._app
        assert app.session is not None
        assert isinstance(app.table, Table)
        self._read_messages()
        app.session.t_ms = command["t"]
        fields = [
            (name, value)
            for name, value in command.items()
            if name not in _OWN_FIELDS and _is_plain(value)
        ]
        if command["do"] == "tick":
            self._tick(app.table)
        elif refused == "cannot_pay":
            self._to_bar(app.table, command)
        else:
            app.table.act(command["do"], *fields)

    def screens(self) -> list[tuple[Picture, Screen]]:
        """The screen now, then one more for every OK that a player presses to read on."""
        shown = [self._screen()]
        while isinstance(self._app.page(), Message):
            self._app.page().on_button(OK)
            shown.append(self._screen())
        return shown

    def _tick(self, table: Table) -> None:
        """A tick is only told when something comes of it, as Table.on_time does."""
        answer = table.session.apply("tick")
        if answer.events:
            table.show(answer)

    def _to_bar(self, table: Table, command: Json) -> None:
        """CB-11: the box asks on whether nothing else is possible, but only whom people lead
        there: OK, "Guest to the bar", the guest.
        """
        table.press(OK)
        self._app.page().on_button(DOWN)
        self._app.page().on_button(OK)
        why = command.get("why", "")
        table.by_hand(command["tile"], why if isinstance(why, str) else "")

    def _read_messages(self) -> None:
        """People have read what was said, and answered what was asked."""
        app = self._app
        while isinstance(app.page(), Message) or _is_question(app):
            app.close(app.page())

    def _screen(self) -> tuple[Picture, Screen]:
        session = self._app.session
        if session is not None:  # what a turn of the loop reads before it draws
            self._app.left_ms = session.left_ms()
        text = screen_of(screen_text(self._app))
        return picture_of(self._pixels), text


def _is_plain(value: object) -> bool:
    """What a box writes: the rules read nothing else, but a file may hold more (TRANSCRIPT.md)."""
    items = value if isinstance(value, list) else [value]
    return all(item is None or isinstance(item, bool | int | str) for item in items)


def _is_question(app: App) -> bool:
    """A list over the table; the page of a result is none."""
    return hasattr(app.page(), "items")


def picture_of(pixels: bytes | bytearray) -> Picture:
    """A frame buffer in MONO_VLSB (a byte is eight rows of a column) as a picture."""
    rows = []
    for page in range(HEIGHT // 8):
        columns = [_BITS[dots] for dots in pixels[page * WIDTH : (page + 1) * WIDTH]]
        rows += [int("".join(row), 2) for row in zip(*columns, strict=True)]
    return Picture(tuple(rows))


def _devices(pixels: bytearray) -> Hardware:
    """A display that keeps its frame buffer; the others are never touched, and silent."""
    still = SimpleNamespace(step=lambda now_ms: -1)
    reader = SimpleNamespace(uid=b"", data=b"", step=lambda now_ms: 0)
    frame = framebuf.FrameBuffer(pixels, WIDTH, HEIGHT, framebuf.MONO_VLSB)
    display = SimpleNamespace(
        frame=frame, sides=(0,), show=lambda side: None, step=lambda now_ms: None
    )
    buzzer = SimpleNamespace(play=lambda *sound: None, step=lambda now_ms: None)
    return Hardware(reader, display, still, buzzer, None, OSError)


# the time of a match comes from the record, so no time passes here
_CLOCK = SimpleNamespace(
    ticks_ms=lambda: 0,
    ticks_diff=lambda end, start: end - start,
    ticks_add=lambda ticks, delta: ticks + delta,
)
