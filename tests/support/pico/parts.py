"""The twin's box on the pins of an emulated RP2040 (hardware/twin/wiring.py).

The emulator owns the time: before anything looks at a part, the twin's clock is moved to the
emulated nanoseconds, and what the part wants to say is planned as an alarm of the emulator.
"""

from collections.abc import Callable
from typing import Any

from rp2040py.peripherals.pwm import CHN_CSR, EN, RPPWM

from hardware.twin.box import TwinBox
from hardware.twin.oled import Oled
from hardware.twin.panel import Piezo
from hardware.twin.pn532.hsu import HsuPort
from tests.support.pico.uart import mend

_NS = 1_000_000_000
_BITS_OF_BYTE = 9  # eight and the acknowledge
# UARTs of the box run at these. The emulator computes a rate from a 125 MHz peripheral clock while
# MicroPython may divide 48 MHz, so the rate that it reports is 2.6 times too high then.
BAUDS = (115_200, 230_400, 460_800, 921_600, 1_288_000)
_CLOCK_RATIOS = (1.0, 48 / 125)
_TOLERANCE = 0.03
_LEAST_NS = 1_000.0
_SLICE_BYTES = 0x14  # of the PWM's registers


class BoxParts:
    """Reader, displays, buttons and buzzer of a box. `attach` is called by rp2040py before the
    boot.
    """

    def __init__(self, box: TwinBox) -> None:
        self.box = box
        assert isinstance(box.chip.port, HsuPort)
        self._port = box.chip.port
        self.drawn = 0  # writes to the displays so far
        self.on_drawn: Callable[[], None] = lambda: None
        self._levels = [1, 1, 1, 1]
        self._mcu: Any = None
        self._alarm: Any = None
        self._ratio = 0.0
        self._start_us = box.clock.now_us

    def attach(self, rp2040: Any) -> None:
        """Solder everything to the pins of the chip."""
        wiring = self.box.wiring
        self._mcu = rp2040
        self._alarm = rp2040.clock.create_alarm(self.follow)
        uart = rp2040.uart[wiring.reader_uart]
        mend(uart)
        uart.on_byte = self._to_reader
        uart.on_baud_rate_change = self._set_rate
        rp2040.gpio[wiring.reader_reset].add_listener(self._reset_pin)
        _Display(self, rp2040, wiring.oled_i2c, self.box.oled)
        _Display(self, rp2040, wiring.north_i2c, self.box.north)
        for gpio in wiring.buttons:
            rp2040.gpio[gpio].release_input()
        rp2040.pwm.__class__ = _HeardPwm
        rp2040.pwm.listen(wiring.buzzer, self.box.buzzer, self.follow)

    def follow(self) -> None:
        """Bring the parts to the emulated time and let them act on the pins."""
        clock = self.box.clock
        now_us = self._start_us + int(self._mcu.clock.nanos // 1000)
        if now_us > clock.now_us:
            clock.advance_to(now_us)
        self._move_buttons()
        waiting = self._port.any()
        if waiting:
            uart = self._mcu.uart[self.box.wiring.reader_uart]
            for byte in self._port.read(waiting):
                uart.feed_byte(byte)
        self._plan()

    def _plan(self) -> None:
        times = [self.box.clock.next_due_us(), self._port.next_arrival_us()]
        known = [at for at in times if at is not None]
        if known:
            left_ns = (min(known) - self._start_us) * 1000 - self._mcu.clock.nanos
            self._alarm.schedule(max(_LEAST_NS, left_ns))

    def _move_buttons(self) -> None:
        for index, level in enumerate(self.box.buttons.levels):
            if level != self._levels[index]:
                self._levels[index] = level
                pin = self._mcu.gpio[self.box.wiring.buttons[index]]
                if level:
                    pin.release_input()  # the firmware's own pull-up lifts it
                else:
                    pin.set_input_value(False)

    def _to_reader(self, byte: int) -> None:
        self.follow()
        self._port.write(bytes((byte,)))
        self._plan()

    def _set_rate(self, reported: int) -> None:
        """`reported` is off by the ratio of the clocks; the first rate after a reset is 115200."""
        for ratio in (self._ratio,) if self._ratio else _CLOCK_RATIOS:
            for baud in BAUDS:
                if abs(reported * ratio / baud - 1) <= _TOLERANCE:
                    self._ratio = ratio
                    self._port.baud = baud
                    return

    def _reset_pin(self, state: Any, old: Any) -> None:
        self.follow()
        pin = self._mcu.gpio[self.box.wiring.reader_reset]
        self.box.chip.set_reset(int(pin.output_value or not pin.output_enable))
        self._plan()


class _Display:
    """An OLED on its I2C bus, or nobody: it acknowledges its address, takes whole writes and tells
    its status.
    """

    def __init__(self, parts: BoxParts, rp2040: Any, number: int, oled: Oled) -> None:
        self._parts = parts
        self._oled = oled
        self._bus = rp2040.i2c[number]
        self._clock = rp2040.clock
        self._chip = rp2040
        self._data = bytearray()
        self._mine = False
        self._bus.on_start = lambda repeated: self._bus.complete_start()
        self._bus.on_connect = self._connect
        self._bus.on_write_byte = self._take
        self._bus.on_read_byte = lambda ack: self._later(
            lambda: self._bus.complete_read(self._oled.status())
        )
        self._bus.on_stop = self._stop

    def _connect(self, address: int, mode: int) -> None:
        self._mine = self._oled.acknowledges(self._hertz()) and address == self._oled.address
        self._data.clear()
        self._later(lambda: self._bus.complete_connect(self._mine))

    def _take(self, value: int) -> None:
        self._data.append(value)
        self._later(lambda: self._bus.complete_write(self._mine))

    def _stop(self) -> None:
        if self._mine and self._data:
            self._parts.follow()
            self._parts.drawn += 1
            self._parts.box.hear_display(self._oled, bytes(self._data), self._hertz())
            self._parts.on_drawn()
        self._mine = False
        self._data.clear()
        self._bus.complete_stop()

    def _hertz(self) -> int:
        """What the controller's registers make of the processor's clock."""
        bus = self._bus
        return int(self._chip.clk_sys // (bus.fs_clock_high_period + bus.fs_clock_low_period))

    def _later(self, answer: Any) -> None:
        """A byte takes nine clocks of the bus."""
        self._clock.create_alarm(answer).schedule(_BITS_OF_BYTE * _NS // self._hertz())


class _HeardPwm(RPPWM):
    """The PWM, with the twin's buzzer on one of its pins.

    The emulator's own pins would change with every wave of a tone; nobody listens to those.
    """

    def listen(self, gpio: int, buzzer: Piezo, follow: Any) -> None:
        """Have the buzzer told what the pin's slice does."""
        self._slice, self._half = gpio // 2 % 8, gpio % 2
        self._buzzer, self._follow = buzzer, follow
        self._heard = (0, 0)

    def write_uint32(self, offset: int, value: int) -> None:
        number, register = divmod(offset, _SLICE_BYTES)
        if offset < EN and number == self._slice:
            channel = self.channels[number]
            channel.write_register(register, value & ~1 if register == CHN_CSR else value)
            self._tell(channel)
            return
        super().write_uint32(offset, value)

    def _tell(self, channel: Any) -> None:
        duty = channel.cc >> 16 * self._half & 0xFFFF
        hertz = self.rp2040.clk_sys * 16 // (max(16, channel.div) * (channel.top + 1))
        if (hertz, duty) != self._heard:
            self._heard = (hertz, duty)
            self._follow()
            self._buzzer.freq(hertz)
            self._buzzer.duty(duty)
