"""Display, buttons, buzzer and USB line, with small fakes of their pins and buses."""

import errno
import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from dialogue import Clock

from firmware.drivers import buttons, display
from firmware.drivers.bus_recovery import free_bus
from firmware.drivers.buttons import Buttons
from firmware.drivers.buzzer import Buzzer
from firmware.drivers.display import Display
from firmware.drivers.keep_alive import KeepAlive
from firmware.drivers.two_screens import TwoScreens
from firmware.drivers.usb_line import UsbLine
from hardware.twin.oled import Oled
from tests.sampling import Sample

if TYPE_CHECKING:
    from firmware.drivers.display import OpenBus


class OledBus:
    """An I2C bus with the twin's controller on it; it counts bytes and can fail."""

    def __init__(self, model: str, address: int = 0x3C, says: int | None = None) -> None:
        self.oled = Oled(model, address=address, says=says)
        self.fault = 0
        self.sent = 0
        self.hertz = 400_000

    def writeto(self, address: int, data: bytes, /) -> int:
        self._check(address)
        self.oled.hear(bytes(data), self.hertz)
        self.sent += len(data)
        return len(data)

    def readfrom_into(self, address: int, into: bytearray, /) -> None:
        self._check(address)
        into[0] = self.oled.status()

    def _check(self, address: int) -> None:
        if self.fault:
            raise OSError(self.fault)
        if address != self.oled.address or not self.oled.acknowledges(self.hertz):
            raise OSError(errno.EIO)

    def at(self, fast: bool) -> "OledBus":
        """The bus, opened anew."""
        self.hertz = 1_000_000 if fast else 400_000
        return self


def opened(bus: OledBus) -> "OpenBus":
    return bus.at, lambda: (Line(), Line())


class Line:
    """An open-drain line that nothing holds."""

    def __call__(self, value: int = 1) -> int:
        return value


def lit(bus: OledBus) -> list[tuple[int, int]]:
    picture = bus.oled.picture()
    return sorted((x, y) for y in range(64) for x in range(128) if picture.pixel(x, y))


CORNERS = [(0, 0), (0, 63), (64, 31), (127, 0), (127, 63)]


@pytest.mark.parametrize("address", [0x3C, 0x3D])
@pytest.mark.parametrize("model", ["ssd1306", "sh1106"])
def test_the_glass_shows_what_was_drawn_whatever_module_it_is(model: str, address: int) -> None:
    bus = OledBus(model, address)
    screen = Display(opened(bus), Clock())
    for x, y in CORNERS:
        screen.frame.pixel(x, y, 1)
    assert screen.show()
    assert lit(bus) == CORNERS
    assert (screen.controller, screen.address) == (["ssd1306", "sh1106"].index(model), address)


@pytest.mark.parametrize("controller", [display.SSD1306, display.SH1106])
def test_a_module_that_says_the_wrong_thing_can_be_told_what_it_is(controller: int) -> None:
    model, wrong = (("ssd1306", 0x08), ("sh1106", 0x03))[controller]
    bus = OledBus(model, says=wrong)
    screen = Display(opened(bus), Clock(), controller=controller)
    for x, y in CORNERS:
        screen.frame.pixel(x, y, 1)
    screen.show()
    assert lit(bus) == CORNERS


@pytest.mark.parametrize("model", ["ssd1306", "sh1106"])
@pytest.mark.parametrize(
    ("columns", "sent"),  # where, and strips of 16 columns behind a control byte
    [
        ((5,), 4 + 1 + 16),
        ((15, 16), 4 + 1 + 32),
        ((40, 100), 4 + 1 + 80),
        ((127,), 4 + 1 + 16),
        ((0, 127), 4 + 1 + 128),
    ],
)
def test_only_what_changed_of_a_page_is_sent(
    model: str, columns: tuple[int, ...], sent: int
) -> None:
    bus = OledBus(model)
    screen = Display(opened(bus), Clock())
    screen.show()
    bus.sent = 0
    assert screen.show()
    assert bus.sent == 0
    for column in columns:
        screen.frame.pixel(column, 20, 1)  # page 2
    screen.show()
    assert bus.sent == sent
    assert lit(bus) == [(column, 20) for column in columns]
    for column in columns:
        screen.frame.pixel(column, 20, 0)
    screen.show()
    assert lit(bus) == []


def test_a_display_that_is_not_there_is_told_and_set_up_when_it_comes_back() -> None:
    bus = OledBus("ssd1306")
    screen = Display(opened(bus), Clock())
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


LOSSES = ("power_up", "lose_settings", "snow")


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("model", ["ssd1306", "sh1106"])
def test_a_display_that_lost_its_mind_is_mended_within_two_seconds(model: str, loss: str) -> None:
    bus = OledBus(model)
    clock = Clock()
    screen = Display(opened(bus), clock)
    for x, y in CORNERS:
        screen.frame.pixel(x, y, 1)
    screen.show()
    getattr(bus.oled, loss)()
    assert lit(bus) != CORNERS
    screen.frame.fill(0)  # half drawn for the next picture: nobody has asked for it yet
    while clock.ticks_ms() < 1_990 and lit(bus) != CORNERS:
        clock.sleep_ms(4)
        screen.step(clock.ticks_ms())
    assert lit(bus) == CORNERS
    assert bus.oled.contrast == 0xCF
    assert screen.mended == (loss == "power_up")


def test_what_nobody_disturbs_is_not_seen_to_change() -> None:
    """The settings and pages that are sent again leave no trace on the glass."""
    bus = OledBus("ssd1306")
    clock = Clock()
    screen = Display(opened(bus), clock)
    for x, y in CORNERS:
        screen.frame.pixel(x, y, 1)
    screen.show()
    write = bus.oled.write

    def seen(data: bytes) -> None:
        write(data)
        assert lit(bus) == CORNERS

    bus.oled.write = seen  # type: ignore[method-assign]
    for _ in range(600):
        clock.sleep_ms(4)
        screen.step(clock.ticks_ms())
    assert bus.sent > 8 * 129


def test_a_display_that_went_is_looked_for_once_a_second() -> None:
    bus = OledBus("ssd1306")
    clock = Clock()
    screen = Display(opened(bus), clock)
    screen.show()
    bus.fault = errno.EIO
    while clock.ticks_ms() < 10_000:
        clock.sleep_ms(4)
        screen.step(clock.ticks_ms())
    assert 9 <= screen.errors <= 11
    bus.fault = 0
    bus.oled.power_up()
    while clock.ticks_ms() < 11_100:
        clock.sleep_ms(4)
        screen.step(clock.ticks_ms())
    assert screen.fault == display.FINE
    assert bus.oled.on


def test_a_stuck_bus_is_freed_and_made_anew() -> None:
    old, new = OledBus("ssd1306"), OledBus("ssd1306")
    old.fault = errno.ETIMEDOUT
    buses = [old]

    def freed() -> tuple[Line, Line]:
        buses.append(new)
        return Line(), Line()

    screen = Display((lambda fast: buses[-1].at(fast), freed), Clock())
    screen.frame.pixel(3, 3, 1)
    assert not screen.show()
    assert screen.show()
    assert lit(new) == [(3, 3)]


@pytest.mark.parametrize("model", ["ssd1306", "sh1106"])
@pytest.mark.parametrize("garbles", [False, True])
def test_a_display_that_does_not_bear_1_mhz_is_driven_at_400_khz(
    model: str, garbles: bool
) -> None:
    bus = OledBus(model)
    bus.oled.max_hz, bus.oled.garbles = 400_000, garbles
    clock = Clock()
    screen = Display(opened(bus), clock)
    screen.frame.pixel(3, 3, 1)
    assert screen.show()
    assert (screen.is_fast, screen.may_be_fast, bus.hertz) == (False, False, 400_000)
    assert lit(bus) == [(3, 3)]
    assert bus.oled.on
    assert screen.fault == display.FINE


def test_a_display_that_bears_1_mhz_is_driven_at_it_until_a_fault() -> None:
    bus = OledBus("ssd1306")
    screen = Display(opened(bus), Clock())
    screen.frame.pixel(3, 3, 1)
    assert screen.show()
    assert screen.is_fast
    assert bus.hertz == 1_000_000
    assert lit(bus) == [(3, 3)]
    bus.oled.max_hz = 400_000  # it grows warm, or a wire is touched
    screen.frame.pixel(4, 60, 1)
    assert screen.show()
    assert (screen.is_fast, screen.may_be_fast, bus.hertz) == (False, False, 400_000)
    assert lit(bus) == [(3, 3), (4, 60)]
    assert screen.errors == 1
    bus.oled.max_hz = 1_000_000
    assert screen.check()
    assert not screen.is_fast, "not again before the next start"


def test_1_mhz_is_not_tried_where_the_setting_forbids_it() -> None:
    bus = OledBus("ssd1306")
    screen = Display(opened(bus), Clock(), may_be_fast=False)
    assert screen.show()
    assert not screen.is_fast


def test_two_screens_have_a_picture_each() -> None:
    buses = OledBus("ssd1306"), OledBus("sh1106")
    south = Display(opened(buses[0]), Clock())
    north = Display(opened(buses[1]), Clock(), shared=south)
    both = TwoScreens(south, north)
    for side in both.sides:
        both.frame.fill(0)
        both.frame.pixel(side, side, 1)
        assert both.show(side)
    assert [lit(bus) for bus in buses] == [[(0, 0)], [(1, 1)]]
    assert both.check()
    buses[1].fault = errno.EIO
    assert not both.check()
    assert [lit(bus) for bus in buses] == [[(0, 0)], [(1, 1)]]


def test_keep_alive_pulses_twenty_milliseconds_in_fourteen_hundred() -> None:
    clock = Clock()
    levels: list[int] = []
    pulses = KeepAlive(levels.append, clock)  # type: ignore[arg-type]
    switched: list[int] = []
    while clock.ticks_ms() < 2_900:
        pulses.step(clock.ticks_ms())
        if len(levels) > len(switched):
            switched.append(clock.ticks_ms())
        clock.sleep_ms(4)
    assert levels == [1, 0, 1, 0]
    assert switched == [1380, 1400, 2780, 2800]


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


class Contact:
    """A pin to a button: `set` is what happens at it, `masked` while the flash erases."""

    IRQ_FALLING = 4
    IRQ_RISING = 8

    def __init__(self) -> None:
        self.level = 1
        self.handlers: list[Callable[[Contact], None]] = []
        self.masked = False
        self.latched = False

    def irq(self, handler: Callable[["Contact"], None], trigger: int, *, hard: bool) -> None:
        assert (trigger, hard) == (12, True)
        self.handlers.append(handler)

    def __call__(self) -> int:
        return self.level

    def set(self, level: int) -> None:
        if level == self.level:
            return
        self.level = level
        self.latched = True
        if not self.masked:
            self.unmask()

    def unmask(self) -> None:
        """One call for all edges since the last, as the port does."""
        self.masked = False
        if self.latched:
            self.latched = False
            (handler,) = self.handlers
            handler(self)


class Panel:
    """Four buttons and a loop that looks at them every millisecond, or is away."""

    def __init__(self, start_ms: int = 0, held: int = -1) -> None:
        self.clock = Clock(start_ms)
        self.pins = tuple([Contact() for _ in range(4)])
        if held >= 0:
            self.pins[held].level = 0
        self.buttons = Buttons(self.pins, self.clock)

    def run(self, ms: int) -> list[int]:
        found = []
        for _ in range(ms):
            code = self.buttons.step(self.clock.ticks_ms())
            if code != buttons.NONE:
                found.append(code)
            self.clock.sleep_ms(1)
        return found

    def away(self, ms: int, *edges: tuple[int, int, int]) -> None:
        """The loop does something else for `ms`; each edge is (at ms, button, level)."""
        for at in range(ms):
            for when, number, level in edges:
                if when == at:
                    self.pins[number].set(level)
            self.clock.sleep_ms(1)


def bouncing(at: int, number: int, level: int) -> tuple[tuple[int, int, int], ...]:
    """An edge whose contact breaks and makes three times more within 6 ms."""
    other = 1 - level
    levels = (level, other, level, other, level, other, level)
    return tuple((at + ms, number, one) for ms, one in enumerate(levels))


@pytest.mark.parametrize("start_ms", [0, (1 << 30) - 100])  # the ticks wrap in the middle
@pytest.mark.parametrize("number", range(4))
def test_a_short_press_is_told_on_release(number: int, start_ms: int) -> None:
    panel = Panel(start_ms)
    panel.run(50)
    panel.pins[number].set(0)
    assert panel.run(200) == []
    panel.pins[number].set(1)
    assert panel.run(200) == [number]


def test_a_long_press_is_told_while_held_and_only_once() -> None:
    panel = Panel()
    panel.run(50)
    panel.pins[buttons.JURY].set(0)
    assert panel.run(690) == []
    assert panel.run(3000) == [buttons.JURY + buttons.LONG]
    panel.pins[buttons.JURY].set(1)
    assert panel.run(200) == []


def test_bouncing_contacts_are_one_press() -> None:
    panel = Panel()
    panel.run(50)
    found = []
    for level in (0, 1, 0, 1, 0):
        panel.pins[0].set(level)
        found += panel.run(3)
    found += panel.run(100)
    for level in (1, 0, 1):
        panel.pins[0].set(level)
        found += panel.run(3)
    found += panel.run(100)
    assert found == [buttons.UP]


def test_a_spike_is_no_press() -> None:
    panel = Panel()
    panel.run(50)
    panel.pins[0].set(0)
    panel.run(10)
    panel.pins[0].set(1)
    assert panel.run(100) == []


def test_a_button_held_since_before_power_on_counts_once() -> None:
    panel = Panel(held=buttons.OK)
    assert panel.run(100) == []
    panel.pins[buttons.OK].set(1)
    assert panel.run(100) == [buttons.OK]


@pytest.mark.parametrize("start", range(5, 160, 5))
def test_a_press_while_the_loop_is_away_is_kept(start: int) -> None:
    panel = Panel()
    panel.run(50)
    panel.away(170, *bouncing(start, buttons.OK, 0), *bouncing(start + 30, buttons.OK, 1))
    released_after = start + 36 >= 170  # then the loop sees the end itself
    if released_after:
        panel.pins[buttons.OK].set(1)
    assert panel.run(100) == [buttons.OK]


@pytest.mark.parametrize("erase_ms", [1, 2, 4, 8, 16, 30, 45])
def test_a_press_while_interrupts_wait_for_the_flash_is_kept(
    sampled: Sample, erase_ms: int
) -> None:
    """A press of 30 ms at 50 ms, and a flash that is busy from 50 + begin on."""
    for begin in sampled(range(-45, 40)):
        panel = Panel()
        panel.run(50)
        pin = panel.pins[buttons.OK]
        edges = bouncing(50, buttons.OK, 0) + bouncing(80, buttons.OK, 1)
        for at in range(170):
            if at == 50 + begin:
                pin.masked = True
            if at == 50 + begin + erase_ms:
                pin.unmask()
            panel.away(1, *[(0, number, level) for when, number, level in edges if when == at])
        assert panel.run(100) == [buttons.OK], begin


def test_presses_of_two_buttons_come_in_their_order() -> None:
    for first, second in ((buttons.UP, buttons.JURY), (buttons.JURY, buttons.UP)):
        panel = Panel()
        panel.run(50)
        panel.away(170, (20, first, 0), (50, first, 1), (80, second, 0), (110, second, 1))
        assert panel.run(100) == [first, second]


def test_a_long_press_while_the_loop_is_away_is_long() -> None:
    panel = Panel()
    panel.run(50)
    panel.away(2000, (100, buttons.JURY, 0), (900, buttons.JURY, 1))
    assert panel.run(1000) == [buttons.JURY + buttons.LONG]


def test_a_button_hammered_while_nobody_looks_still_ends_released() -> None:
    panel = Panel()
    panel.run(50)
    edges = [(50 * n, buttons.OK, n % 2) for n in range(2, 32)]  # 15 presses, room for eight
    panel.away(2000, *edges)
    assert panel.run(1000) == [buttons.OK] * 8
    panel.pins[buttons.OK].set(0)
    panel.run(50)
    panel.pins[buttons.OK].set(1)
    assert panel.run(100) == [buttons.OK]


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
    buzzer.play(b"\x80\0\x52\x11\x02\x51\0\xf1\0", 1)
    heard = []
    for ms in range(1000, 1700):
        buzzer.step(ms)
        heard.append(pwm.sounding)
    tones = [880] * 120 + [0] * 60 + [440] * 60 + [0] * 180 + [880] * 60
    assert heard == tones + [0] * 220
    assert not buzzer.playing
    buzzer = Buzzer(pwm, Clock(1700))
    buzzer.play(b"\x80\0")
    clicks = []
    for ms in range(1700, 1800):
        buzzer.step(ms)
        clicks.append(pwm.sounding)
    assert clicks == [1319] * 15 + [0] * 85


def test_a_new_sequence_replaces_the_old_one_and_a_volume_is_a_duty() -> None:
    pwm, clock = Pwm(), Clock()
    buzzer = Buzzer(pwm, clock)
    buzzer.play(b"\x5f\0")
    buzzer.play(b"\x1f\0")
    assert pwm.sounding == 440
    decibels = []
    for volume in (3, 2, 1):
        buzzer.play(b"\x5f\0", 0, volume)
        decibels.append(20 * math.log10(math.sin(math.pi * pwm.duty / 65536)))
    assert decibels == pytest.approx([0, -10, -20], abs=0.01)
    buzzer.play(b"\x5f\0", 0, 0)
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
