"""The whole box: everything soldered together, on one virtual clock. There is one twin, and this
is it.

What a person does to it: `field.place(tag)`, `buttons.press(…)`, `usb.write(…)`. What its firmware
does to it goes through `hardware/twin/service.py`, from CPython and from the VM alike.
"""

import random
from collections.abc import Callable
from pathlib import Path

from hardware.twin.buses import DisplayI2c, ReaderUart
from hardware.twin.clock import Timer, VirtualClock
from hardware.twin.errors import Reset
from hardware.twin.field import RfField
from hardware.twin.flash import Flash
from hardware.twin.oled import Oled, Picture
from hardware.twin.panel import Buttons, Buzzer
from hardware.twin.pins import Pins
from hardware.twin.pn532.chip import Pn532Chip
from hardware.twin.pn532.ports import HsuPort
from hardware.twin.usb import UsbLine
from hardware.twin.wiring import PICO, Wiring

# About one call of a machine method on a 125 MHz RP2040 under MicroPython. Time must pass even in
# a loop that only looks at a clock, or a firmware that waits that way would wait for ever.
CPU_US = 5
PWRON_RESET = 1  # machine.reset_cause() of the RP2 port
WDT_RESET = 3
_SETTLED_US = 4_000  # a picture is told once the firmware has stopped drawing for so long
_TICKS_PERIOD = 1 << 30


class TwinBox:
    """One box. `seed` makes its unique id and its random bytes; `cpu_us` is what a call costs."""

    def __init__(
        self,
        flash_dir: Path,
        *,
        wiring: Wiring = PICO,
        oled_model: str = "ssd1306",
        cpu_us: int = CPU_US,
        seed: int = 0,
    ) -> None:
        self.clock = VirtualClock()
        self.cpu_us = cpu_us
        # by number of `vm/ops.py`: µs a call takes besides. Interrupts wait until it is over, as
        # they do on the chip while its flash erases or programs (save_and_disable_interrupts)
        self.busy_us: dict[int, int] = {}
        self.wiring = wiring
        self.field = RfField(self.clock)
        self.chip = Pn532Chip(self.clock, self.field)
        self.oled = Oled(oled_model)
        self.buttons = Buttons(self.clock)
        self.buzzer = Buzzer(self.clock)
        self.flash = Flash(flash_dir)
        self.usb = UsbLine(self.clock)
        self.pins = Pins(wiring, self.buttons, self.chip)
        self.uart = ReaderUart(self.clock, wiring, HsuPort(self.chip))
        self.display = DisplayI2c(self.clock, wiring, self.oled)
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
        self.oled.on = False
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
        self.display.close()
        self.buzzer.off()
        self.usb.clear()
        self.flash.power_off()
        self.stop_watchdog()

    def mark_boot(self, start_ms: int = 0) -> None:
        """The firmware starts now: its ticks begin at `start_ms`."""
        self._boot_us = self.clock.now_us - 1000 * start_ms

    # -- watchdog

    def start_watchdog(self, ms: int) -> None:
        """`machine.WDT(timeout=ms)`."""
        self._watchdog_us = 1000 * ms
        self.feed_watchdog()

    def feed_watchdog(self) -> None:
        """`WDT.feed()`."""
        if self._watchdog is not None:
            self._watchdog.cancel()
        self._watchdog = self.clock.after(self._watchdog_us, self._bite)

    def stop_watchdog(self) -> None:
        """Only a reset does that on the chip."""
        if self._watchdog is not None:
            self._watchdog.cancel()
        self._watchdog = None

    def _bite(self) -> None:
        self.reset_cause = WDT_RESET
        raise Reset("watchdog")

    # -- screen

    def write_display(self, address: int, data: bytes) -> int:
        """One write to the display; the picture is told to the listeners once drawing has
        settled.
        """
        acks = self.display.write(address, data)
        self._screen_changed()
        return acks

    def _screen_changed(self) -> None:
        if self._report_timer is None and self.screen_listeners:
            self._report_timer = self.clock.after(_SETTLED_US, self._report)

    def _report(self) -> None:
        self._report_timer = None
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
