"""Runs in a MicroPython of its own: the real app of a box in a live hall, with a real socket, on
stand-ins for the other devices; two robots play Trumpf at its table for ever.

    micropython hall_box.py FOLDER ID HOST PORT THINK_MS [assigned] [jury]

FOLDER is the box's storage. With `assigned` the robots wait for a match that the desk gives; they
press OK until they sit. After some rounds they think for so long that their time is up. With
`jury` they call the jury once in every third match, and wait for it.

Printed are, at every verdict, milliseconds since 1970, match, lines; and what people at the table
remember, behind `#`, milliseconds and match: `began` stage names, `laid` seat card, `called`
category, `saw` cards of each seat after a trick, `over` the same, `jury` on or off.
"""

import binascii
import os
import select
import sys
import time

import framebuf
from micropython import const

from card_tags import codec
from card_tags.deck_card import deck_number
from card_tags.kinds import CARD, Card
from firmware import games
from firmware.app.air import Air
from firmware.app.app import App, Hardware
from firmware.app.flash import Flash
from firmware.app.journal import Journal
from firmware.app.link import Link
from firmware.app.settings import Settings
from firmware.boards import radio
from firmware.drivers.mqtt import Mqtt, connect_packet
from firmware.drivers.radio import Radio

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_READ = const(1)  # event of drivers.reader: a card was read
_OK = const(2)
_LONG_OK = const(6)
_JURY = const(3)
_CALLS = const(3)  # in so many matches the jury is called once
_CALL_AT = const(4)  # commands, then somebody calls the jury
_JURY_MS = const(15000)  # and waits so long
_FEWEST = const(10)  # commands, then somebody begins to think
_MORE = const(18)
_STRIDE = const(5)
_UNSEEN = const(-1)  # a place of firmware.games.trumpf.piles
_SENDING_MS = const(4)
_STEP_MS = const(20)  # at least, while nothing comes: hundreds of boxes share this machine
_DECK = "gastro"
_UNIX_2000 = const(946684800)  # MicroPython's UNIX port counts from 1970, the RP2 from 2000


class JoinedWlan:
    """A radio that is always joined."""

    PM_NONE = 0

    def active(self, on: bool) -> None:
        """It is."""

    def config(self, **settings: int) -> None:
        """Nothing to save."""

    def connect(self, name: str, password: "str | None") -> None:
        """It is."""

    def disconnect(self) -> None:
        """It stays."""

    def status(self, what: str = "") -> int:
        return -60 if what else 3


class Devices:
    """Stands in for reader, buttons, display, buzzer and USB line."""

    sides = (0,)
    uid = b"\x04\x01\x02\x03\x04\x05\x06"
    recoveries = 0
    active = False

    def __init__(self) -> None:
        self.frame = framebuf.FrameBuffer(bytearray(1024), 128, 64, framebuf.MONO_VLSB)
        self.health = self
        self.recovery = self
        self.data: Any = b""
        self._events: list[int] = []
        self._presses: list[int] = []

    def lay(self, kind: str, content: "Any") -> None:
        memory = codec.encode(codec.unsealed(kind, content))
        self.data = memory + bytes(max(48 - len(memory), 0))
        self._events.append(_READ)

    def press(self, button: int) -> None:
        self._presses.append(button)

    def read(self, now_ms: int) -> int:
        """`Reader.step`."""
        return self._events.pop() if self._events else 0

    def pressed(self, now_ms: int) -> int:
        """`Buttons.step`."""
        return self._presses.pop(0) if self._presses else -1

    def step(self, now_ms: int) -> None:
        """Of display and buzzer."""

    def show(self, side: int) -> None:
        """Nobody looks."""

    def play(self, tones: "Any", number: int, volume: int) -> None:
        """Nobody listens."""

    def counts(self) -> "list[Any]":
        return []

    def read_line(self) -> "bytes | None":
        return None


class SteppedDevice:
    """One of the devices under the name `step`."""

    def __init__(self, devices: "Devices", step: "Any") -> None:
        self._devices = devices
        self.step = step

    def __getattr__(self, name: str) -> "Any":
        return getattr(self._devices, name)


class MatchTime:
    """The time of the app: at the table it can pass at once."""

    def __init__(self) -> None:
        self._ahead_ms = 0

    def pass_by(self, ms: int) -> None:
        self._ahead_ms += ms

    def ticks_ms(self) -> int:
        return time.ticks_ms() + self._ahead_ms  # type: ignore[attr-defined, no-any-return, unused-ignore]

    def ticks_diff(self, later: int, before: int) -> int:
        return later - before

    def ticks_add(self, ticks: int, ms: int) -> int:
        return ticks + ms


class UsbLink(Link):
    """Nobody is at the cable; the time of day is the laptop's."""

    def step(self, now_ms: int) -> None:
        Link.step(self, time.ticks_ms())  # type: ignore[attr-defined, unused-ignore]


class TrustedDesk:
    """In the place of the box's key: orders count unchecked and nothing is signed, because these
    boxes share two cores with all others.
    """

    desk, public = b"desk", b""
    is_idle = True
    proven: object = None

    def check(self, kind: str, text: bytes, signature: bytes, then: "Any") -> None:
        then(True)

    def step(self, app: object) -> None:
        self.is_idle = True


class HallBoxProgram:
    """The app, the air, and what lies on the table."""

    def __init__(self, folder: str, box: str, host: str, port: int, think_ms: int) -> None:
        flash = Flash(folder)
        settings = Settings(flash)
        journal = Journal(flash, box, os.urandom)
        self.devices = devices = Devices()
        link = UsbLink(devices, journal, settings, "0.1.0", time)
        reader, buttons = (
            SteppedDevice(devices, devices.read),
            SteppedDevice(devices, devices.pressed),
        )
        hardware = Hardware(reader, devices, buttons, devices, link, OSError)
        self.app = App(hardware, time, folder, journal, settings, games)
        joining = Radio(JoinedWlan(), time, "hall", "")  # type: ignore[arg-type]
        joining.start()
        where = {"broker": host, "port": port}
        mqtt = Mqtt(time)  # type: ignore[arg-type]
        dial = radio.dial
        self.air = Air(self.app, joining, mqtt, connect_packet, dial, os.urandom, where, "0.1.0")
        # behind it: the air has the key of the league
        desk: Any = TrustedDesk()
        self.app.signing = link.signing = self.air._link.signing = desk
        self.time = self.app.clock = MatchTime()  # from here on: the air has the other
        self._think_ms = think_ms
        self.calls_jury = False
        self._lines = 0
        self._dealt = 0

    def turns(self, assigned: bool) -> "Iterator[None]":
        """For ever: a match, and the next."""
        app = self.app
        while True:
            if app.session is None:
                yield from self._sit_down(assigned)
            yield from self._play()
            while app.session is not None:
                yield from self._press(_OK)

    def _sit_down(self, assigned: bool) -> "Iterator[None]":
        app = self.app
        while assigned and app.session is None:
            desk = app.laptop.desk
            if desk is not None and desk.state() in ("shown", "here"):
                yield from self._press(_OK)
            else:
                yield from self._pause()
        if app.session is None:
            app.page().choose_game(app.games.row("trumpf"))  # type: ignore[attr-defined]
            app.choice.update({"preset": "swiss", "seats": 2, "deck": _DECK})
            yield from self._press(_LONG_OK)

    def _play(self) -> "Iterator[None]":
        """Whatever the box asks for; it is the same after a power cut."""
        app: Any = self.app
        session = app.session
        match, number = session.match, app.journal.number
        self._dealt = binascii.crc32(b"%s %d" % (app.journal.box.encode(), number)) >> 8
        patience = _FEWEST + self._dealt % _MORE
        calls = self.calls_jury and self._dealt % _CALLS == 0
        self._tell("began", session.header.get("stage"), "|".join(session.header.get("names", ())))
        while not match.over():
            what = app.table.awaits.what
            if app.page() is not app.table or what == "begin":
                yield from self._press(_OK)
            elif calls and match.n >= _CALL_AT:
                calls = False
                yield from self._call_jury()
            elif session.paused():
                app.table.act("resume")
            elif what == "decide":
                app.table.act("decide", ("seat", 0))
                yield from self._pause()
            elif match.n >= patience and match.clock.running and not match.is_sudden():
                self.time.pass_by(session.left_ms() + 1)
                patience = match.n + _FEWEST
                yield from self._pause()
            elif what == "call":
                yield from self._call(match)
            else:
                yield from self._lay(match, app.table.awaits.seat)
        self._tell("over", *match.counts())

    def _call_jury(self) -> "Iterator[None]":
        """The menu of the jury stays open until it has come."""
        while not self._is_calling():
            yield from self._press(_JURY)
        self._tell("jury", "on")
        begun_ms = time.ticks_ms()  # type: ignore[attr-defined, unused-ignore]
        while self._is_calling() and self._since(begun_ms) < _JURY_MS:
            yield from self._pause()
        while self._is_calling():
            yield from self._press(_JURY)
        self._tell("jury", "off")

    def _since(self, begun_ms: int) -> int:
        passed = time.ticks_diff(time.ticks_ms(), begun_ms)  # type: ignore[attr-defined, unused-ignore]
        return int(passed)

    def _is_calling(self) -> bool:
        return any([getattr(page, "calls_jury", False) for page in self.app.pages])

    def _call(self, match: "Any") -> "Iterator[None]":
        yield from self._press(_OK)
        if match.category is not None:
            self._tell("called", match.deck.categories[match.category].key)

    def _lay(self, match: "Any", seat: int) -> "Iterator[None]":
        place = self._top_card(match, seat)
        before, counts = _where(match, place), match.counts()
        deck = match.deck
        values = tuple([deck.value(place, n) for n in range(len(deck.categories))])
        number = deck_number(str(self.app.session.header["deck"]))  # type: ignore[union-attr]
        self.devices.lay(CARD, Card(number, deck.codes[place], False, values))
        yield from self._pause()
        if _where(match, place) != before:
            self._tell("laid", seat, deck.codes[place])
            if match.counts() != counts:
                self._tell("saw", *match.counts())

    def _top_card(self, match: "Any", seat: int) -> int:
        """Of its half in an order of this match, then of what it has won."""
        count = len(match.deck.codes)
        for at in range(count):
            place = (at * _STRIDE + self._dealt) % count
            mine = (place + self._dealt) % 2 == seat or _where(match, place)[0] != _UNSEEN
            fits = match.piles.why_not(seat, place) is None
            if mine and fits and not match.piles._is_deep(seat, place):
                return place
        raise RuntimeError("no card is left")

    def _tell(self, what: str, *details: object) -> None:
        words = " ".join([str(detail) for detail in details])
        print("#", time.time_ns() // 1000000, self.app.journal.number, what, words)

    def _press(self, button: int) -> "Iterator[None]":
        self.devices.press(button)
        yield from self._pause()

    def _pause(self) -> "Iterator[None]":
        """The box's loop, until the next thing happens at the table."""
        begun_ms = time.ticks_ms()  # type: ignore[attr-defined, unused-ignore]
        journal = self.app.journal
        while True:
            now_ms = time.ticks_ms()  # type: ignore[attr-defined, unused-ignore]
            self.app.step(self.time.ticks_ms())
            self.air.step(now_ms)
            if journal.lines_kept != self._lines:
                self._lines = journal.lines_kept
                print(time.time_ns() // 1000000, journal.number, self._lines)
            if time.ticks_diff(now_ms, begun_ms) >= self._think_ms:  # type: ignore[attr-defined, unused-ignore]
                return
            yield
            self._rest()

    def _rest(self) -> None:
        """Until the hall says something, at most a step; who is sending goes on at once.
        `time.sleep_ms` of MicroPython's UNIX port would wake 2000 times a second.
        """
        air: Any = self.air
        link = air._link
        sock = air.mqtt._sock
        sending = air._piece or air.asked or link.answer or link._sending is not None
        ms = _SENDING_MS if sending else max(_STEP_MS, self._think_ms // 10)
        if sock is None:
            time.sleep(ms / 1000)
            return
        poll = select.poll()
        poll.register(sock, select.POLLIN)
        poll.poll(ms)


def _where(match: "Any", place: int) -> "tuple[int, int]":
    """Whose a card is, and under how many others."""
    piles = match.piles
    now = match.cells.now
    return now[piles._place + place], now[piles._batch + place]


def main() -> None:
    folder, box, host, port, think_ms = sys.argv[1:6]
    seed = int.from_bytes(binascii.unhexlify(box)[-2:], "big")
    think = int(think_ms)
    time.sleep(seed * 37 % max(think, 1) / 1000)
    table = HallBoxProgram(folder, box, host, int(port), think)
    table.calls_jury = "jury" in sys.argv
    for _ in table.turns("assigned" in sys.argv):
        pass


if __name__ == "__main__":
    main()
