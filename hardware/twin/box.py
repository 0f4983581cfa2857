"""The whole box: everything soldered together, on one virtual clock. There is one twin, and this
is it.

What a person does to it: `field.place(tag)`, `buttons.press(…)`, `usb.write(…)`. What its firmware
does to it goes through `hardware/twin/service.py`, from CPython and from the VM alike.
"""

import random
from collections.abc import Callable
from pathlib import Path

from hardware.twin.buses import ReaderUart, ScreenI2c
from hardware.twin.clock import Timer, VirtualClock
from hardware.twin.errors import Reset, TwinError
from hardware.twin.field import RfField
from hardware.twin.flash import SlotFlash, TwinFlash
from hardware.twin.harness import NORTH, SOUTH, STRIP, Harness, Modules, ScreenModule
from hardware.twin.oled import Oled, Picture
from hardware.twin.panel import PanelButtons, Piezo
from hardware.twin.pins import Pins
from hardware.twin.pn532.chip import Pn532Chip
from hardware.twin.pn532.hsu import HsuPort
from hardware.twin.radio import TwinRadio
from hardware.twin.usb import UsbQueues
from hardware.twin.wiring import PICO

# About one call of a machine method on a 125 MHz RP2040 under MicroPython. Time must pass even in
# a loop that only looks at a clock, or a firmware that waits that way would wait for ever.
CPU_US = 5
PWRON_RESET = 1  # machine.reset_cause() of the RP2 port
WDT_RESET = 3
_SETTLED_US = 4_000  # a picture is told once the firmware has stopped drawing for so long
_TICKS_PERIOD = 1 << 30  # MICROPY_PY_TIME_TICKS_PERIOD where a small int has 31 bits
_SOFT = 2  # number of an I2C made of plain pins
_SUPPLY_PIN, _SUPPLY_DIVIDER, _REFERENCE_MV = 29, 3, 3300  # Pico data sheet, section 2.1
_ALTERNATE, _PIO_1 = 3, 7  # Pin.ALT; GPIO function of PIO1, RP2040 data sheet 2.19.2
_USB_MV = 4700  # 5 V behind the Pico's Schottky diode
_COLLAPSE_US = 400  # from the field going on to a supply that is too low


def right_harness(south: str = "ssd1306", north: str | None = None) -> Harness:
    """A box that is wired as drawn, with these controllers."""
    second = None if north is None else ScreenModule(north)
    return Harness(modules=Modules(south=ScreenModule(south), north=second))


class TwinBox:
    """One box. `seed` makes its unique id and its random bytes."""

    def __init__(
        self,
        flash_dir: Path,
        *,
        harness: Harness | None = None,
        seed: int = 0,
    ) -> None:
        self.clock = VirtualClock()
        self.cpu_us = CPU_US  # what a call costs
        # by number of `vm/ops.py`: µs a call takes besides. Interrupts wait until it is over, as
        # they do on the chip while its flash erases or programs (save_and_disable_interrupts)
        self.busy_us: dict[int, int] = {}
        self.wiring = wiring = PICO
        self.harness = harness or right_harness()
        modules = self.harness.modules
        self.field = RfField(self.clock)
        self.field.antenna = modules.antenna
        self.chip = Pn532Chip(self.clock, self.field)
        self.oled = _oled(modules.south)
        self.north = _oled(modules.north)
        self.buttons = PanelButtons(self.clock)
        self.buzzer = Piezo(self.clock)
        grounded = self.harness.switch_grounded()
        self.buzzer.wired = grounded and self.harness.on((STRIP, "BUZZER"), wiring.buzzer)
        self.flash = TwinFlash(flash_dir)
        self.code = SlotFlash(flash_dir.with_name(f"{flash_dir.name}.code"))
        self.usb = UsbQueues(self.clock)
        self.radio: TwinRadio | None = None  # a plain Pico has none
        self.irqs = True
        self._clock_taken = False  # the radio's, for the ADC
        self.pins = Pins(self.buttons, self.chip, self.harness)
        self.uart = ReaderUart(self.clock, HsuPort(self.chip), self.pins, self.harness)
        oleds = {SOUTH: self.oled, NORTH: self.north}
        self._lines = {  # SDA and SCL of each controller, as drawn
            wiring.oled_i2c: (wiring.oled_sda, wiring.oled_scl),
            wiring.north_i2c: (wiring.north_sda, wiring.north_scl),
        }
        self._i2c = {
            number: ScreenI2c(self.clock, self.harness, oleds, self.pins)
            for number in (*self._lines, _SOFT)
        }
        self.display = self._i2c[wiring.oled_i2c]
        self.pins.held = lambda gpio: any(bus.holds(gpio) for bus in self._i2c.values())
        self.pins.clocked = self._clocked
        if modules.wants_5v:
            self.field.listen(self._collapse)
        self.vsys_mv = _USB_MV
        self.random = random.Random(seed)
        self.unique_id = bytes.fromhex("E6614C311B") + seed.to_bytes(3, "big")
        self.reset_cause = PWRON_RESET
        self.screen_listeners: list[Callable[[Picture], None]] = []
        self._boot_us = 0
        self._watchdog_us = 0
        self._watchdog: Timer | None = None
        self._reported: Picture | None = self.oled.picture()
        self._report_timer: Timer | None = None

    # -- time as the firmware sees it

    @property
    def up_us(self) -> int:
        """Microseconds since the last boot, plus its `start_ms`."""
        return self.clock.now_us - self._boot_us

    def ticks_ms(self) -> int:
        """`time.ticks_ms()`, without the time the call takes."""
        return self.up_us // 1000 % _TICKS_PERIOD

    def ticks_us(self) -> int:
        """`time.ticks_us()`, without the time the call takes."""
        return self.up_us % _TICKS_PERIOD

    def spend(self, us: int) -> int:
        """Let `us` pass, but no longer than to an edge that has a handler: a hard interrupt does
        not wait. Returns the µs that are left then, 0 without an edge.
        """
        end_us = self.clock.now_us + us
        while not self.pins.edges:
            due_us = self.clock.next_due_us()
            if due_us is None or due_us > end_us:
                self.clock.advance_to(end_us)
                return 0
            self.clock.advance_to(due_us)
        return max(0, end_us - self.clock.now_us)

    # -- power

    def power_off(self) -> None:
        """The plug is pulled: RAM, display and everything unsynced are gone. Time goes on."""
        self.flash.power_off()
        self.chip.set_reset(0)
        for oled in (self.oled, self.north):
            oled.power_up()
        self._screen_changed()
        self.restart(PWRON_RESET)
        self._reported = None  # after the next boot the same picture is news again

    def restart(self, cause: int) -> None:
        """What a reset of the Pico does to its pins and buses; the parts around it keep their
        state.
        """
        self.reset_cause = cause
        self.pins.release()
        self.uart.close()
        for bus in self._i2c.values():
            bus.close()
        self.buzzer.off()
        self.usb.clear()
        self.irqs, self._clock_taken = True, False
        if self.radio is not None:
            self.radio.power_off()
        self.flash.power_off()
        self.stop_watchdog()

    def mark_boot(self, start_ms: int = 0) -> None:
        """The firmware starts now: its ticks begin at `start_ms`."""
        self._boot_us = self.clock.now_us - 1000 * start_ms

    def _collapse(self) -> None:
        """The reader's supply is too weak for its field: the chip starts anew."""
        if self.field.on:
            self.clock.after(_COLLAPSE_US, self._brown_out_reader)

    def _brown_out_reader(self) -> None:
        if self.field.on:
            self.pins.reset_reader(0)
            self.pins.reset_reader(1)

    # -- what the Pico measures and opens

    def supply_u16(self, gpio: int) -> int:
        """`ADC(29).read_u16()`: VSYS through a divider by three."""
        if gpio != _SUPPLY_PIN:
            raise TwinError(f"GP{gpio} has nothing to measure; VSYS is on GP{_SUPPLY_PIN}.")
        # on a Pico W, GP29 is the clock of the line to the radio, too (Pico W data sheet, 2.1)
        if self.radio is not None and self.radio.active:
            if self.irqs:
                raise TwinError("The radio may want its clock line, GP29, while VSYS is measured.")
            self._clock_taken = True
        return min(65535, self.vsys_mv * 65535 // (_SUPPLY_DIVIDER * _REFERENCE_MV))

    def open_i2c(self, number: int, hertz: int, pins: int, timeout_us: int) -> None:
        """`machine.I2C`, or `SoftI2C` on any two lines; `pins` is scl << 8 | sda."""
        scl, sda = pins >> 8, pins & 255
        if number != _SOFT and self._lines.get(number) != (sda, scl):
            lines = self._lines.items()
            buses = " and ".join(f"I2C{n}, SCL GP{c} and SDA GP{d}" for n, (d, c) in lines)
            raise TwinError(
                f"The displays hang on {buses}; firmware: I2C{number}, GP{scl}, GP{sda}."
            )
        if {sda, scl} - set(self.wiring.gpios()):
            raise TwinError(f"Nothing hangs on GP{sda} or GP{scl} that could be an I2C.")
        self.i2c(number).open(hertz, sda, scl, timeout_us)

    def i2c(self, number: int) -> ScreenI2c:
        """The bus of a controller, or the one made of plain pins."""
        return self._i2c[number]

    def _clocked(self, gpio: int) -> None:
        for number, (_, scl) in self._lines.items():
            if gpio == scl:
                self._i2c[number].clocked()

    def switch_irqs(self, on: int) -> int:
        """`machine.disable_irq` and `enable_irq`: what was. The radio is served by interrupts."""
        was, self.irqs = self.irqs, bool(on)
        return int(was)

    def open_pin(self, gpio: int, mode: int, pull: int) -> None:
        """`machine.Pin(…)`; for an alternate function `pull` is its number."""
        if mode != _ALTERNATE:
            self.pins.open(gpio, mode, pull)
        elif (gpio, pull) != (_SUPPLY_PIN, _PIO_1):
            raise TwinError(f"The twin knows no function {pull} of GP{gpio}.")
        else:
            self._clock_taken = False

    def air(self) -> TwinRadio:
        """The radio. TwinError on a board without one, and if it lacks its clock line."""
        if self.radio is None:
            raise TwinError("This board has no radio.")
        if self._clock_taken or not self.irqs:
            raise TwinError("The radio was not given its clock line, GP29, back.")
        return self.radio

    # -- watchdog

    def start_watchdog(self, ms: int) -> None:
        """`machine.WDT(timeout=ms)`."""
        self._watchdog_us = 1000 * ms
        self.feed_watchdog()

    def feed_watchdog(self) -> None:
        """`WDT.feed()`."""
        self.stop_watchdog()
        self._watchdog = self.clock.after(self._watchdog_us, self._bite)

    def stop_watchdog(self) -> None:
        """On the chip only a reset does that; here every feeding begins with it, too."""
        if self._watchdog is not None:
            self._watchdog.cancel()
        self._watchdog = None

    def _bite(self) -> None:
        self.reset_cause = WDT_RESET
        raise Reset("watchdog")

    # -- screen

    def write_display(self, number: int, address: int, data: bytes) -> int:
        """One write to a display; the picture is told to the listeners once drawing has
        settled.
        """
        acks = self.i2c(number).write(address, data)
        self._screen_changed()
        return acks

    def hear_display(self, oled: Oled, data: bytes, hertz: int) -> None:
        """The same from a bus that somebody else models."""
        oled.hear(data, hertz)
        self.display.last_write_us = self.clock.now_us
        self._screen_changed()

    def _screen_changed(self) -> None:
        if self._report_timer is None and self.screen_listeners:
            self._report_timer = self.clock.after(_SETTLED_US, self._report)

    def _report(self) -> None:
        self._report_timer = None
        # still drawing: half a page is no picture that a person would see
        if self.clock.now_us - self.display.last_write_us < _SETTLED_US:
            self._screen_changed()
            return
        picture = self.oled.picture()
        if picture != self._reported:
            self._reported = picture
            for listener in self.screen_listeners:
                listener(picture)

    # -- horizon

    def next_change_us(self) -> int | None:
        """The time up to which nothing changes unless the firmware does something; None = for
        ever.
        """
        times = [self.clock.next_due_us(), self.uart.next_change_us()]
        known = [at for at in times if at is not None]
        return min(known) if known else None


def _oled(screen: ScreenModule | None) -> Oled:
    """The controller of a module; one that is not there acknowledges nothing."""
    if screen is None:
        return Oled(present=False)
    return Oled(screen.controller, address=screen.address, says=screen.status)
