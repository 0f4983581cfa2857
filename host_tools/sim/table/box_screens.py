"""What a box showed after every command of a record: the real firmware app, played to again.

Nothing here draws. The firmware's own `App` sits at a table without reader and buttons; commands
reach its table page one after the other, and its display only keeps the picture. What a record
does not hold cannot be shown: whether a card was unsealed, and what people looked up in menus.
"""

import json
from collections.abc import Iterator
from typing import Any, cast

import framebuf

from firmware import games
from firmware.app.app import App, Hardware
from firmware.app.message import Message
from firmware.app.page import DOWN, OK
from firmware.app.table import Table
from hardware.twin.oled import HEIGHT, WIDTH, Picture
from host_tools.core.refusal import Refusal
from host_tools.sim.box_words import box_language

Json = dict[str, Any]
_NUMBER = 1  # of the only match on this box
_BITS = tuple(f"{dots:08b}"[::-1] for dots in range(256))  # of a byte, the uppermost row first
_OWN_FIELDS = ("t", "do")
"""Not handed on: the box fills them in."""


class BoxScreens:
    """One match on one box. `match` is the firmware's own, for whoever asks what lies where.

    `header` holds deck and board as objects; `has_key`: the box belongs to a league (the result
    page asks for a slip). Raises UserError when the firmware cannot open the match.
    """

    def __init__(self, header: Json, lang: str, has_key: bool = True) -> None:
        self._display = _Display()
        hardware = Hardware(_NoReader(), self._display, _NoButtons(), _NoBuzzer(), None, OSError)
        journal = cast(Any, _Record(header))
        settings = cast(Any, _Set(lang, has_key))
        self._app = App(hardware, _StoppedClock(), "", journal, settings, games)
        if self._app.session is None:
            raise Refusal("play_box_cannot")
        self.match: Any = self._app.session.match
        self._read_messages()

    def apply(self, command: Json, refused: str = "") -> None:
        """Give the box the next command; `refused` is the reason of the refusal to come, or "".

        The command must be one that the rules can read.
        """
        app = self._app
        assert app.session is not None
        assert app.table is not None
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

    def screens(self) -> list[Picture]:
        """The picture now, then one more for every OK that a player presses to read on."""
        shown = [self._picture()]
        while isinstance(self._app.page(), Message):
            self._app.page().on_button(OK)
            shown.append(self._picture())
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

    def _picture(self) -> Picture:
        self._app.redraw()
        self._app.step(0)
        return picture_of(self._display.pixels)


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


# -- a box without hands and ears ----------------------------------------------------------------


class _Display:
    """A display that keeps its frame buffer."""

    def __init__(self) -> None:
        self.pixels = bytearray(WIDTH * HEIGHT // 8)
        self.frame = framebuf.FrameBuffer(self.pixels, WIDTH, HEIGHT, framebuf.MONO_VLSB)

    def show(self) -> None:
        """The frame buffer is the picture."""


class _NoReader:
    """No card ever lies on it."""

    uid = b""
    data = b""

    def step(self, now_ms: int) -> int:
        return 0


class _NoButtons:
    """Nobody presses them."""

    def step(self, now_ms: int) -> int:
        return -1


class _NoBuzzer:
    """Makes no sound."""

    muted = True

    def play(self, tones: tuple[tuple[int, int], ...]) -> None:
        """Nobody listens."""

    def step(self, now_ms: int) -> None:
        """Nothing sounds."""


class _StoppedClock:
    """The time of a match comes from the record, so no time passes here."""

    def ticks_ms(self) -> int:
        return 0

    def ticks_diff(self, end: int, start: int) -> int:
        return end - start

    def ticks_add(self, ticks: int, delta: int) -> int:
        return ticks + delta


class _Set:
    """The settings of a box: its language, and whether it has a key."""

    def __init__(self, lang: str, has_key: bool) -> None:
        lang = box_language(lang)
        self._values = {"language": lang, "volume": 0, "name": "", "sealed_only": False}
        self._key = b"\0" * 32 if has_key else None

    def get(self, name: str) -> object:
        return self._values[name]

    def key(self) -> bytes | None:
        return self._key


class _Record:
    """A journal that holds a match just opened, and keeps nothing: the record exists already."""

    damaged = False

    def __init__(self, header: Json) -> None:
        self._header = header

    def running(self) -> int:
        return _NUMBER

    def tries(self, number: int) -> int:
        """A record is no flash: nothing is counted."""
        return 0

    def keep_tries(self, number: int, count: int) -> None:
        """Nothing is kept."""

    def unfinished(self) -> int:
        return _NUMBER

    def resume(self, number: int) -> Iterator[tuple[str, str]]:
        yield json.dumps(self._header), ""

    def append(self, command: str, answer: str) -> None:
        """Kept by whoever has the record."""
