"""Bring-up of a new box: the request `bringup` of the link, part by part (docs/link.md).

Loaded when a laptop asks for it; its page keeps buttons and cards from the menu. With the part
`end`, or two minutes after the last request, all of it leaves the memory. Lines are only pulled,
never driven high, so that a wire in the wrong place harms nothing.

part     fields                  answer
supply                           vsys_mv, board (what MicroPython calls it)
lines                            levels: [gpio, pulled down, pulled up]; joined: [gpio, gpio], the
                                 second goes low with the first; found: [sda, scl, address]
screens                          screens: [side, answers, address, status byte, controller,
                                 faults, mended]; side 0 is the south
picture  south, north: numbers
reader                           version (hex, or null), works, reset (obeys RSTPD_N; null: not
                                 tried), baud
speed    index (0 = 115200 to    baud, sent, good, bad, us of all echoes
         3 = 921600)
reads                            tried, found, read, failed (the reader, not the tag), us
buttons                          pressed: the last 64 since the first part, 0 up, 1 down, 2 OK,
                                 3 jury, + 4 when held; count: of all since then
tone
flash                            block_ms (4 kB), append_ms of 16 records of 300 bytes
end
"""

import binascii
import gc
import sys

from micropython import const

from .link import RequestError
from .memory import forget
from .page import Page
from .view import View

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from .seams import BoxApp

_ALONE_MS = const(120000)  # people look for a tag meanwhile
_SETTLE_MS = const(12)  # the buzzer's 20 nF and a pull of 80 kohm take 8 until a level is sure
_FOLLOW_MS = const(1)
_AWAKE_MS = const(200)  # what clones were seen to need after a reset (drivers/pn532/trial.py)
_SLOW_HZ = const(50000)
_SOFT_TIMEOUT_US = const(1000)
_READER_ADDRESS = const(0x24)
_SCREEN_ADDRESSES = (0x3C, 0x3D)
_SUPPLY_GPIO = const(29)  # VSYS through a divider by three (Pico data sheet, section 2.1)
_SUPPLY_MV = const(9900)
_RADIO_SELECT = const(25)  # of a Pico W: high, or GP29 belongs to the radio
_BLOCK = const(4096)
_RECORD = const(300)  # bytes of a long answer in the journal
_APPENDS = const(16)
_FILE = "bringup.tmp"
_MOST_PRESSES = const(64)
_TONES = b"\x13\x53\xa3\0"  # 440, 880, 1760 Hz


class BringUp(Page):
    """`machine` and `board` are those modules, `north` is boards.north_screen, `trial`
    drivers.pn532.trial.
    """

    def __init__(
        self, app: "BoxApp", machine: "Any", board: "Any", north: "Any", trial: "Any"
    ) -> None:
        Page.__init__(self, app)
        self._machine = machine
        self._board = board
        self._north = north
        self._trial = trial
        self._handlers = app.hardware.link.handlers
        self._loader = self._handlers["bringup"]
        self._handlers["bringup"] = self.serve
        self._asked_ms = app.clock.ticks_ms()
        self._pressed: "list[int]" = []
        self._count = 0
        self._numbers = ["", ""]
        app.open(self)

    def serve(self, request: "dict[str, Any]") -> "dict[str, Any]":
        """Do one part; KeyError for one that there is not."""
        if self.app.session is not None:
            self._leave()
            raise RequestError("in_match", "a match is open on this box")
        self._asked_ms = self.app.clock.ticks_ms()
        return _PARTS[request["part"]](self, request)

    # -- the page --

    def view(self) -> "View":
        return View("", (("framed", self._numbers),), False)

    def on_button(self, button: int) -> None:
        self._count += 1
        self._pressed = self._pressed[1 - _MOST_PRESSES :] + [button]

    def on_blank(self) -> bool:
        return True

    def on_time(self, now_ms: int) -> None:
        if self.app.clock.ticks_diff(now_ms, self._asked_ms) >= _ALONE_MS:
            self._leave()

    def _leave(self) -> None:
        self._handlers["bringup"] = self._loader
        self.app.close(self)
        for name in (self._trial.__name__, self._north.__name__, "firmware.app.bringup"):
            forget(name)
        gc.collect()

    # -- parts --

    def end(self, request: "dict[str, Any]") -> "dict[str, Any]":
        self._leave()
        return {}

    def supply(self, request: "dict[str, Any]") -> "dict[str, Any]":
        """Behind the Schottky diode of USB, or of the battery."""
        kind = getattr(sys.implementation, "_machine", "")
        if " W" in kind:
            self._machine.Pin(_RADIO_SELECT, self._machine.Pin.OUT, value=1)
        raw = self._machine.ADC(_SUPPLY_GPIO).read_u16()
        return {"vsys_mv": raw * _SUPPLY_MV // 65535, "board": kind}

    def lines(self, request: "dict[str, Any]") -> "dict[str, Any]":
        """`[gpio, level while pulled down, while pulled up]` of every line but RSTPD_N; `joined`,
        `[gpio, gpio]`: the second follows when the first one alone is pulled low; and
        `[sda, scl, address]` of whatever answers on any two of the I2C lines.
        """
        board, north, pin = self._board, self._north, self._machine.Pin
        # fresh from reset it has nothing to tell: IRQ rests high
        pin(board.READER_RESET, pin.OPEN_DRAIN, value=0)
        self.app.clock.sleep_ms(_SETTLE_MS)
        board.reader_reset()
        self.app.clock.sleep_ms(_AWAKE_MS)
        screens = (board.DISPLAY_SDA, board.DISPLAY_SCL, north.NORTH_SDA, north.NORTH_SCL)
        reader = (board.READER_RX, board.READER_TX)
        gpios = reader + (board.READER_IRQ,) + screens + board.BUTTON_PINS + (board.BUZZER_PIN,)
        low = self._pulled(gpios, pin.PULL_DOWN)
        high = self._pulled(gpios, pin.PULL_UP)
        levels = [[gpio, low[at], high[at]] for at, gpio in enumerate(gpios)]
        joined = self._joined(gpios)
        board.reader_reset()
        found = self._scan(reader, (_READER_ADDRESS,)) + self._scan(screens, _SCREEN_ADDRESSES)
        self._open_again()
        return {"levels": levels, "joined": joined, "found": found}

    def _pulled(self, gpios: "tuple[int, ...]", pull: int) -> "list[int]":
        """All at once: one that is joined to another must not be held by that one's pull.

        Low first: with a pull-down an RP2350 keeps a pin up that was high (erratum E9).
        """
        pin = self._machine.Pin
        for gpio in gpios:
            pin(gpio, pin.OPEN_DRAIN, value=0)
        lines = [pin(gpio, pin.IN, pull) for gpio in gpios]
        self.app.clock.sleep_ms(_SETTLE_MS)
        return [line() for line in lines]

    def _joined(self, gpios: "tuple[int, ...]") -> "list[list[int]]":
        """Twice: with RSTPD_N let go, so that it may follow too, and with the reader held in
        reset, whose outputs then do not overcome the pull. `[RSTPD_N, gpio]`: the reset alone
        takes it low.
        """
        pin, reset = self._machine.Pin, self._board.READER_RESET
        lines = [pin(gpio, pin.IN, pin.PULL_UP) for gpio in gpios]
        pin(reset, pin.OPEN_DRAIN, value=1)
        high, found = self._followers(gpios, lines + [pin(reset, pin.IN, pin.PULL_UP)])
        low, held = self._followers(gpios, lines + [pin(reset, pin.OPEN_DRAIN, value=0)])
        found += [[reset, gpio] for at, gpio in enumerate(gpios) if high[at] > low[at]]
        return found + [pair for pair in held if pair not in found]

    def _followers(
        self, gpios: "tuple[int, ...]", lines: "list[Any]"
    ) -> "tuple[list[int], list[list[int]]]":
        """The levels, and who goes low with whom; the last of the lines is RSTPD_N."""
        pin, clock = self._machine.Pin, self.app.clock
        names = gpios + (self._board.READER_RESET,)
        clock.sleep_ms(_SETTLE_MS)
        high = [line() for line in lines]
        found = []
        for one in gpios:
            pin(one, pin.OPEN_DRAIN, value=0)
            clock.sleep_ms(_FOLLOW_MS)
            for at, other in enumerate(names):
                if other != one and high[at] and not lines[at]():
                    found.append([one, other])
            pin(one, pin.IN, pin.PULL_UP)
            clock.sleep_ms(_SETTLE_MS)
        return high, found

    def _scan(self, lines: "tuple[int, ...]", addresses: "tuple[int, ...]") -> "list[list[int]]":
        pin = self._machine.Pin
        found = []
        for sda in lines:
            for scl in lines:
                if sda == scl:
                    continue
                bus = self._machine.SoftI2C(
                    scl=pin(scl), sda=pin(sda), freq=_SLOW_HZ, timeout=_SOFT_TIMEOUT_US
                )
                for address in addresses:
                    try:
                        bus.writeto(address, b"\x00")
                    except OSError:
                        continue
                    found.append([sda, scl, address])
        return found

    def _open_again(self) -> None:
        """Give every line back to its driver; the reader has been reset on the way."""
        board = self._board
        board.reader_uart()
        board.display_bus()
        self._north.north_bus()
        board.button_pins()
        board.buzzer_pwm()
        self.app.hardware.display.check()
        self.app.hardware.reader.start()

    def screens(self, request: "dict[str, Any]") -> "dict[str, Any]":
        """Of each screen: side, whether it answers now, address, status byte, controller, faults,
        times mended.
        """
        display = self.app.hardware.display
        found: "list[list[Any]]" = []
        for screen in getattr(display, "screens", (display,)):
            well = screen.check()
            side = screen.sides[0] if not found else 1
            found.append(
                [side, well, screen.address, screen.status[0], screen.controller]
                + [screen.errors, screen.mended]
            )
        return {"screens": found}

    def picture(self, request: "dict[str, Any]") -> "dict[str, Any]":
        """A frame on the outermost dots, and a number for each side."""
        self._numbers = [str(request["south"]), str(request["north"])]
        self.app.redraw()
        return {}

    def reader(self, request: "dict[str, Any]") -> "dict[str, Any]":
        """Asked now: the version (IC, Ver, Rev, Support in hex, null without one), and whether
        RSTPD_N stops it."""
        reader = self.app.hardware.reader
        answers, obeys = reader.selftest(True)
        version = reader.chip.version if answers else self._trial.version(reader.chip)
        return {
            "version": binascii.hexlify(version).decode() or None,
            "works": answers,
            "reset": obeys,
            "baud": reader.chip.speed,
        }

    def speed(self, request: "dict[str, Any]") -> "dict[str, Any]":
        """Echoes at one of the line's speeds."""
        reader = self.app.hardware.reader
        good, bad, us = self._trial.echoes(reader, int(request["index"]))
        sent = self._trial.ECHOES
        return {"baud": reader.chip.speed, "sent": sent, "good": good, "bad": bad, "us": us}

    def reads(self, request: "dict[str, Any]") -> "dict[str, Any]":
        """Search for a card anew and read it, again and again."""
        found, read, failed, us = self._trial.reads(self.app.hardware.reader)
        tried = self._trial.READS
        return {"tried": tried, "found": found, "read": read, "failed": failed, "us": us}

    def buttons(self, request: "dict[str, Any]") -> "dict[str, Any]":
        """Presses since the first part: 0 up, 1 down, 2 OK, 3 jury, + 4 when held."""
        return {"pressed": self._pressed, "count": self._count}

    def tone(self, request: "dict[str, Any]") -> "dict[str, Any]":
        self.app.hardware.buzzer.play(_TONES)
        return {}

    def flash(self, request: "dict[str, Any]") -> "dict[str, Any]":
        """A block at once, and records one by one: milliseconds until each was synced."""
        flash, clock = self.app.journal.flash, self.app.clock
        took = []
        file = flash.open(_FILE, "wb")
        try:
            for size in [_BLOCK] + [_RECORD] * _APPENDS:
                since_ms = clock.ticks_ms()
                file.write(b"\x5a" * size)
                flash.sync(file)
                took.append(clock.ticks_diff(clock.ticks_ms(), since_ms))
        finally:
            file.close()
            flash.remove(_FILE)
        return {"block_ms": took[0], "append_ms": took[1:]}


_PARTS = {
    "end": BringUp.end,
    "supply": BringUp.supply,
    "lines": BringUp.lines,
    "screens": BringUp.screens,
    "picture": BringUp.picture,
    "reader": BringUp.reader,
    "speed": BringUp.speed,
    "reads": BringUp.reads,
    "buttons": BringUp.buttons,
    "tone": BringUp.tone,
    "flash": BringUp.flash,
}
