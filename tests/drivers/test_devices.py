"""Display, buttons, buzzer and USB line, with small fakes of their pins and buses."""

import errno

import pytest
from dialogue import Clock

from firmware.drivers import buttons, display
from firmware.drivers.bus_recovery import free_bus
from firmware.drivers.buttons import Buttons
from firmware.drivers.buzzer import Buzzer
from firmware.drivers.display import Display
from firmware.drivers.usb_line import UsbLine
from hardware.twin.oled import Oled


class OledBus:
    """An I2C bus with the twin's controller on it; it counts bytes and can fail."""

    def __init__(self, model: str) -> None:
        self.oled = Oled(model)
        self.fault = 0
        self.sent = 0

    def writeto(self, address: int, data: bytes, /) -> int:
        if self.fault:
            raise OSError(self.fault)
        assert address == 0x3C
        self.oled.write(bytes(data))
        self.sent += len(data)
        return len(data)


@pytest.mark.parametrize(
    ("model", "controller"), [("ssd1306", display.SSD1306), ("sh1106", display.SH1106)]
)
def test_the_glass_shows_what_was_drawn(model: str, controller: int) -> None:
    bus = OledBus(model)
    screen = Display(bus, controller=controller)
    corners = [(0, 0), (127, 0), (0, 63), (127, 63), (64, 31)]
    for x, y in corners:
        screen.frame.pixel(x, y, 1)
    assert screen.show()
    picture = bus.oled.picture()
    lit = [(x, y) for y in range(64) for x in range(128) if picture.pixel(x, y)]
    assert sorted(lit) == sorted(corners)


def test_only_pages_that_changed_are_sent() -> None:
    bus = OledBus("ssd1306")
    screen = Display(bus)
    screen.show()
    bus.sent = 0
    assert screen.show()
    assert bus.sent == 0
    screen.frame.pixel(5, 20, 1)  # page 2
    screen.show()
    assert bus.sent == 4 + 129  # where, and one page with its control byte


def test_a_display_that_is_not_there_is_told_and_set_up_when_it_comes_back() -> None:
    bus = OledBus("ssd1306")
    screen = Display(bus)
    screen.frame.pixel(3, 3, 1)
    bus.fault = errno.EIO
    assert not screen.show()
    assert (screen.fault, screen.errors) == (display.NOT_THERE, 1)
    bus.fault = errno.ETIMEDOUT
    assert not screen.show()
    assert (screen.fault, screen.errors) == (display.STUCK, 2)
    bus.fault = 0
    assert screen.show()
    assert screen.fault == display.FINE
    assert bus.oled.picture().pixel(3, 3)


def test_contrast_survives_a_new_set_up() -> None:
    bus = OledBus("ssd1306")
    screen = Display(bus)
    assert screen.contrast(7)
    screen.show()
    assert bus.oled.contrast == 7
    assert screen.contrast(200)
    assert bus.oled.contrast == 200


class HeldBus:
    """Two open-drain lines and a device that holds SDA until it has seen `clocks` clocks."""

    def __init__(self, clocks: int) -> None:
        self.clocks = clocks
        self.scl_level = 1
        self.master_sda = 1
        self.stops = 0

    def scl(self, value: int = -1) -> int:
        if value == 1 and self.scl_level == 0:
            self.clocks -= 1
        if value >= 0:
            self.scl_level = value
        return self.scl_level

    def sda(self, value: int = -1) -> int:
        if value == 1 and self.master_sda == 0 and self.scl_level == 1:
            self.stops += 1
        if value >= 0:
            self.master_sda = value
        return self.master_sda if self.clocks <= 0 else 0


@pytest.mark.parametrize(("clocks", "free"), [(0, True), (1, True), (9, True), (10, False)])
def test_nine_clocks_free_a_held_bus(clocks: int, free: bool) -> None:
    bus = HeldBus(clocks)
    assert free_bus(bus.scl, bus.sda, Clock()) is free
    assert bus.stops == 1


class Panel:
    """Four buttons; `levels` is what the pins read."""

    def __init__(self, start_ms: int = 0) -> None:
        self.levels = [1, 1, 1, 1]
        pins = tuple([lambda n=number: self.levels[n] for number in range(4)])
        self.ms = start_ms
        self.buttons = Buttons(pins, Clock(start_ms))

    def run(self, ms: int) -> list[int]:
        found = []
        for _ in range(ms):
            code = self.buttons.step(self.ms)
            if code != buttons.NONE:
                found.append(code)
            self.ms += 1
        return found


@pytest.mark.parametrize("number", range(4))
def test_a_short_press_is_told_on_release(number: int) -> None:
    panel = Panel()
    panel.run(50)
    panel.levels[number] = 0
    assert panel.run(200) == []
    panel.levels[number] = 1
    assert panel.run(200) == [number]


def test_a_long_press_is_told_while_held_and_only_once() -> None:
    panel = Panel()
    panel.run(50)
    panel.levels[buttons.JURY] = 0
    assert panel.run(690) == []
    assert panel.run(3000) == [buttons.JURY + buttons.LONG]
    panel.levels[buttons.JURY] = 1
    assert panel.run(200) == []


def test_bouncing_contacts_are_one_press() -> None:
    panel = Panel()
    panel.run(50)
    found = []
    for level in (0, 1, 0, 1, 0):
        panel.levels[0] = level
        found += panel.run(3)
    found += panel.run(100)
    for level in (1, 0, 1):
        panel.levels[0] = level
        found += panel.run(3)
    found += panel.run(100)
    assert found == [buttons.UP]


def test_a_spike_is_no_press() -> None:
    panel = Panel()
    panel.run(50)
    panel.levels[0] = 0
    panel.run(10)
    panel.levels[0] = 1
    assert panel.run(100) == []


class Pwm:
    """Remembers what sounds."""

    def __init__(self) -> None:
        self.hz = 0
        self.duty = 0

    def freq(self, hz: int, /) -> None:
        self.hz = hz

    def duty_u16(self, duty: int, /) -> None:
        self.duty = duty

    @property
    def sounding(self) -> int:
        return self.hz if self.duty else 0


def test_the_buzzer_plays_its_tones_in_their_time() -> None:
    pwm, clock = Pwm(), Clock(1000)
    buzzer = Buzzer(pwm, clock)
    buzzer.play(((880, 100), (0, 50), (440, 100)))
    heard = []
    for ms in range(1000, 1300):
        buzzer.step(ms)
        heard.append(pwm.sounding)
    assert heard == [880] * 100 + [0] * 50 + [440] * 100 + [0] * 50
    assert not buzzer.playing


def test_a_new_sequence_replaces_the_old_one_and_muted_is_silent() -> None:
    pwm, clock = Pwm(), Clock()
    buzzer = Buzzer(pwm, clock)
    buzzer.play(((880, 1000),))
    buzzer.play(((440, 1000),))
    assert pwm.sounding == 440
    buzzer.muted = True
    buzzer.play(((880, 100),))
    assert pwm.sounding == 0


class Wire:
    """A USB line: bytes that come in, bytes that went out, a stack that takes few at a time and
    has `room` for some more.
    """

    def __init__(self, incoming: bytes = b"", room: int = 10_000) -> None:
        self.incoming = incoming
        self.outgoing = b""
        self.room = room
        self.line = UsbLine(self, self, self, Outlet(self))

    def poll(self, timeout_ms: int, /) -> list[tuple[object, int]]:
        assert timeout_ms == 0
        return [(self, 1)] if self.incoming else []

    def read(self, size: int, /) -> bytes:
        data, self.incoming = self.incoming[:size], self.incoming[size:]
        return data

    def write(self, data: bytes | memoryview, /) -> int:
        count = min(7, len(data), self.room)
        self.outgoing += bytes(data[:count])
        self.room -= count
        return count


class Outlet:
    """select.poll() for the outgoing side of a Wire."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire

    def poll(self, timeout_ms: int, /) -> list[tuple[object, int]]:
        assert timeout_ms == 0
        return [(self, 4)] if self.wire.room else []


def test_lines_come_whole_one_at_a_time() -> None:
    wire = Wire(b"first\r\nsecond\nthi")
    assert [wire.line.read_line() for _ in range(3)] == [b"first", b"second", None]
    wire.incoming = b"rd\n"
    assert wire.line.read_line() == b"third"


def test_a_line_that_is_too_long_is_dropped_whole() -> None:
    wire = Wire(b"x" * 3000 + b"\nnext\n")
    found = [wire.line.read_line() for _ in range(20)]
    assert [line for line in found if line is not None] == [b"next"]
    assert wire.line.dropped == 1


def test_the_longest_line_is_taken() -> None:
    wire = Wire(b"x" * 1024 + b"\n")
    found = [wire.line.read_line() for _ in range(5)]
    assert [line for line in found if line is not None] == [b"x" * 1024]


ANSWER = b"a longer answer than the stack takes at once"


def test_all_is_written_and_nothing_unasked() -> None:
    wire = Wire(b"hello\n")
    wire.line.read_line()
    assert wire.outgoing == b""
    assert wire.line.write(ANSWER) == len(ANSWER)
    assert wire.line.finish()
    assert wire.outgoing == ANSWER.ljust(64, b"\n")


def test_a_full_line_takes_what_fits_and_the_rest_later() -> None:
    wire = Wire(room=100)
    data = bytes(range(65, 91)) * 10
    taken = wire.line.write(data)
    assert wire.outgoing == data[:100]
    assert 100 <= taken <= 164  # one packet more may wait in the box
    taken += wire.line.write(data[taken:])
    assert wire.line.write(data[taken:]) == 0
    assert wire.outgoing == data[:100]
    wire.room = 10_000
    assert wire.line.write(data[taken:]) == len(data) - taken
    assert wire.line.finish()
    assert wire.outgoing.rstrip(b"\n") == data


def test_after_a_dropped_answer_the_next_one_begins_a_line() -> None:
    wire = Wire(room=10)
    wire.line.write(ANSWER)
    assert not wire.line.finish()
    wire.line.drop()
    wire.room = 10_000
    wire.line.write(b"next\n")
    assert wire.line.finish()
    assert wire.outgoing.rstrip(b"\n") == ANSWER[:10] + b"\nnext"
