"""Mends the UART of rp2040py 0.3.6 from our side.

Its transmit interrupt is raised anew by every look at the interrupts, so clearing it does nothing,
and `machine.UART` of MicroPython, which clears it in its handler, hangs for ever. In the chip it
is raised when the transmit FIFO runs low after a write (RP2040 data sheet, 4.2.6).
"""

from typing import Any

from rp2040py.peripherals.uart import RPUART, UARTDR, UARTTXINTR


class MendedUart(RPUART):
    """The transmit interrupt comes once behind every byte written, and can be cleared."""

    def check_interrupts(self) -> None:
        self.rp2040.set_interrupt(self.irq, bool(self._interrupt_status & self._interrupt_mask))

    def write_uint32(self, offset: int, value: int) -> None:
        super().write_uint32(offset, value)
        if offset == UARTDR:
            self._interrupt_status |= UARTTXINTR
            self.check_interrupts()


def mend(uart: Any) -> None:
    """Give a UART of an emulated chip the mended behaviour; its state and wiring stay."""
    uart.__class__ = MendedUart
