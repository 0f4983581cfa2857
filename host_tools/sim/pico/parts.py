"""The twin's parts as external devices of an emulated RP2040, on the pins of hardware/twin/wiring.

The emulator owns the time: before anything looks at a part, the twin's clock is moved to the
emulated nanoseconds, and what the part wants to say is planned as an alarm of the emulator.
"""

from typing import Any

from hardware.twin.clock import VirtualClock
from hardware.twin.field import RfField
from hardware.twin.oled import Oled
from hardware.twin.panel import Buttons
from hardware.twin.pn532.chip import Pn532Chip
from hardware.twin.pn532.ports import HsuPort
from hardware.twin.wiring import PICO, Wiring
from host_tools.sim.pico.uart import mend

I2C_BIT_NS = 2_500  # 400 kHz
_BITS_OF_BYTE = 9  # eight and the acknowledge
# UARTs of the box run at these. The emulator computes a rate from a 125 MHz peripheral clock while
# MicroPython may divide 48 MHz, so the rate that it reports is 2.6 times too high then.
BAUDS = (115_200, 230_400, 460_800, 921_600, 1_288_000)
_CLOCK_RATIOS = (1.0, 48 / 125)
_TOLERANCE = 0.03
_LEAST_NS = 1_000.0


class BoxParts:
    """Reader, display and buttons of one box. `attach` is called by rp2040py before the boot."""

    def __init__(self, wiring: Wiring = PICO) -> None:
        self.wiring = wiring
        self.clock = VirtualClock()
        self.field = RfField(self.clock)
        self.chip = Pn532Chip(self.clock, self.field)
        self.port = HsuPort(self.chip)
        self.oled = Oled("ssd1306")
        self.buttons = Buttons(self.clock)
        self.drawn = 0  # writes to the display so far
        self._levels = [1, 1, 1, 1]
        self._mcu: Any = None
        self._alarm: Any = None
        self._ratio = 0.0

    def attach(self, rp2040: Any) -> None:
        """Solder everything to the pins of the chip."""
        self._mcu = rp2040
        self._alarm = rp2040.clock.create_alarm(self.follow)
        uart = rp2040.uart[self.wiring.reader_uart]
        mend(uart)
        uart.on_byte = self._to_reader
        uart.on_baud_rate_change = self._set_rate
        rp2040.gpio[self.wiring.reader_reset].add_listener(self._reset_pin)
        _Display(self, rp2040, self.wiring.oled_i2c, self.oled)
        _Display(self, rp2040, self.wiring.north_i2c, Oled(present=False))
        for gpio in self.wiring.buttons:
            rp2040.gpio[gpio].release_input()

    def unplug(self) -> None:
        """The power is cut: the reader forgets, the display is dark."""
        self.chip.set_reset(0)
        self.oled.power_up()

    def follow(self) -> None:
        """Bring the parts to the emulated time and let them act on the pins."""
        self.clock.advance_to(int(self._mcu.clock.nanos // 1000))
        self._move_buttons()
        waiting = self.port.any()
        if waiting:
            uart = self._mcu.uart[self.wiring.reader_uart]
            for byte in self.port.read(waiting):
                uart.feed_byte(byte)
        self._plan()

    def _plan(self) -> None:
        times = [self.clock.next_due_us(), self.port.next_arrival_us()]
        known = [at for at in times if at is not None]
        if known:
            left_ns = min(known) * 1000 - self._mcu.clock.nanos
            self._alarm.schedule(max(_LEAST_NS, left_ns))

    def _move_buttons(self) -> None:
        for index, level in enumerate(self.buttons.levels):
            if level != self._levels[index]:
                self._levels[index] = level
                pin = self._mcu.gpio[self.wiring.buttons[index]]
                if level:
                    pin.release_input()  # the firmware's own pull-up lifts it
                else:
                    pin.set_input_value(False)

    def _to_reader(self, byte: int) -> None:
        self.follow()
        self.port.write(bytes((byte,)))
        self._plan()

    def _set_rate(self, reported: int) -> None:
        """`reported` is off by the ratio of the clocks; the first rate after a reset is 115200."""
        for ratio in (self._ratio,) if self._ratio else _CLOCK_RATIOS:
            for baud in BAUDS:
                if abs(reported * ratio / baud - 1) <= _TOLERANCE:
                    self._ratio = ratio
                    self.port.baud = baud
                    return

    def _reset_pin(self, state: Any, old: Any) -> None:
        self.follow()
        pin = self._mcu.gpio[self.wiring.reader_reset]
        self.chip.set_reset(int(pin.output_value or not pin.output_enable))
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
        self._mine = self._oled.present and address == self._oled.address
        self._data.clear()
        self._later(lambda: self._bus.complete_connect(self._mine))

    def _take(self, value: int) -> None:
        self._data.append(value)
        self._later(lambda: self._bus.complete_write(self._mine))

    def _stop(self) -> None:
        if self._mine and self._data:
            self._oled.write(bytes(self._data))
            self._parts.drawn += 1
        self._mine = False
        self._data.clear()
        self._bus.complete_stop()

    def _later(self, answer: Any) -> None:
        """A byte takes nine clocks of the bus."""
        self._clock.create_alarm(answer).schedule(_BITS_OF_BYTE * I2C_BIT_NS)
