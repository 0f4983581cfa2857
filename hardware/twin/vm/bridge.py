"""The VM's side of the bridge: a call is one synchronous exchange over two pipes, made by
`runner.mjs`.

To ask as little as possible the twin sends with every answer how long nothing will change by
itself (`LEFT`), and the levels and byte counts that hold until then. While time stays below that
horizon, `ticks_ms`, `sleep_ms`, `Pin.value`, `UART.any` and `poll` are answered here, exactly,
without an exchange and without touching the heap.
"""

from array import array

import micropython
import uctypes
from micropython import const

from hardware.twin.vm import ops

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# the words that runner.mjs fills from every answer; order as in its STATE table
_MS = const(0)  # ticks_ms
_US = const(1)  # 0..999 on top of it
_LEFT = const(2)  # µs until something may change by itself
_SPENT = const(3)  # µs gone since the last exchange
_PINS = const(4)  # bit n = level of GPn
_UART0 = const(5)  # bytes waiting; UART1 follows
_USB = const(7)
_TICKS_US = const(8)
_ORDERS = const(9)  # what the twin wants done before the firmware goes on
_EDGES = const(10)  # bit n = GPn has had an edge that its handler does not know of
# 1 + the value of SPENT when the watchdog was last fed, 0 = not since the last exchange
_FED = const(11)
_WORDS = const(12)
_GPIOS = const(29)  # GP0 to GP28: what the Pico brings out

# as in hardware/twin/vm_engine.py
_ORDER_HEAP = const(1)
_ORDER_INTERRUPT = const(2)
_PERIOD = const((1 << 30) - 1)


class VmBridge:
    """`request` and `share` are JavaScript functions.

    `request(op, a, b, c, address, length, into)` returns the result; `into` is 1 if the twin fills
    the bytes at `address`. `share(address)` says where the state words lie. `cpu_us` is what a
    call costs the processor.
    """

    def __init__(
        self, request: "Callable[..., int]", share: "Callable[[int], None]", cpu_us: int
    ) -> None:
        self._request = request
        self._cpu_us = cpu_us
        self._state = array("i", [0] * _WORDS)
        share(uctypes.addressof(self._state))
        self._handlers: "list[Any]" = [None] * _GPIOS
        self._irq_pins: "list[Any]" = [None] * _GPIOS
        self._interrupting = False
        self.heap_wanted = False

    def call(self, op: int, a: int = 0, b: int = 0, c: int = 0) -> int:
        """Ask without data."""
        return self._ask(op, a, b, c, 0, 0, 0)

    def send(self, op: int, a: int, b: int, c: int, data: "Any") -> int:
        """Ask and hand `data` over."""
        size = len(data)
        return self._ask(op, a, b, c, uctypes.addressof(data) if size else 0, size, 0)

    def fill(self, op: int, a: int, b: int, buffer: "Any", size: int = -1) -> int:
        """Ask and let the twin write up to `size` bytes (-1 = all) into `buffer`; returns their
        number.
        """
        if size < 0:
            size = len(buffer)
        return self._ask(op, a, b, 0, uctypes.addressof(buffer) if size else 0, size, 1)

    def level(self, gpio: int) -> int:
        self.spend(self._cpu_us)
        return (self._state[_PINS] >> gpio) & 1

    def uart_any(self, number: int) -> int:
        self.spend(self._cpu_us)
        return self._state[_UART0 + number]

    def usb_any(self) -> int:
        self.spend(self._cpu_us)
        return self._state[_USB]

    def ticks_ms(self) -> int:
        self.spend(self._cpu_us)
        return self._state[_MS]

    def ticks_us(self) -> int:
        self.spend(self._cpu_us)
        return self._state[_TICKS_US]

    def feed(self) -> None:
        """Feed the watchdog; the twin hears of it, with its time, at the next exchange."""
        self.spend(self._cpu_us)
        self._state[_FED] = self._state[_SPENT] + 1

    def spend(self, us: int) -> None:
        """Let time pass: here below the horizon, else in the twin."""
        state = self._state
        if self._interrupting:
            return  # the microseconds of a handler are not modelled
        if us >= state[_LEFT]:
            while True:  # an edge cuts it short
                us = self._ask(ops.SPEND, us, 0, 0, 0, 0, 0)
                if not us:
                    return
        state[_LEFT] -= us
        state[_SPENT] += us
        fraction = state[_US] + us
        state[_MS] = (state[_MS] + fraction // 1000) & _PERIOD
        state[_US] = fraction % 1000
        state[_TICKS_US] = (state[_TICKS_US] + us) & _PERIOD

    def _ask(self, op: int, a: int, b: int, c: int, address: int, length: int, into: int) -> int:
        result = self._request(op, a, b, c, address, length, into)
        if self._state[_EDGES]:
            self._interrupt()
        if self._state[_ORDERS]:
            self._obey(self._state[_ORDERS])
        if result < 0:
            raise OSError(-result)
        return result

    def irq(self, pin: "Any", handler: "Any", trigger: int) -> None:
        """Call `handler(pin)` at the edges of `trigger`; a handler of None ends it."""
        self._handlers[pin.gpio] = handler
        self._irq_pins[pin.gpio] = pin
        self.call(ops.PIN_IRQ, pin.gpio, 0 if handler is None else trigger)

    def _interrupt(self) -> None:
        """Tell the handlers of their edges, the lowest GPIO first and with the heap locked, as
        `gpio_irq` and `mp_irq_handler` of the port do. An exception, at which the chip would fall
        silent, ends the firmware here.
        """
        edges = self._state[_EDGES]
        self._state[_EDGES] = 0
        self._interrupting = True
        micropython.heap_lock()
        try:
            for gpio in range(_GPIOS):
                if edges >> gpio & 1:
                    self._handlers[gpio](self._irq_pins[gpio])
        finally:
            micropython.heap_unlock()
            self._interrupting = False

    def tell_heap(self, in_use: int, with_garbage: int, turns: int) -> None:
        """Answer the twin's order, with what `mem_info` prints (runner.mjs listens)."""
        self.heap_wanted = False
        micropython.mem_info()
        self._request(ops.HEAP, in_use, with_garbage, turns, 0, 0, 0)

    def _obey(self, orders: int) -> None:
        self._state[_ORDERS] = 0
        if orders & _ORDER_HEAP:
            self.heap_wanted = True
        if orders & _ORDER_INTERRUPT:
            raise KeyboardInterrupt()
