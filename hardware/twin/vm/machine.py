"""MicroPython's `machine` as far as the box has the parts: every call goes through `bridge` to the
twin.

Anything the RP2 port has and the box does not use is missing here on purpose: an AttributeError is
a loud answer. Signatures and constants: docs.micropython.org, library/machine, port rp2.
"""

from micropython import const

from hardware.twin.vm import ops

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol

    class Bridge(Protocol):
        """The way to the twin: `vm/bridge.py` in the VM, `inproc.InprocBridge` on CPython."""

        def call(self, op: int, a: int = 0, b: int = 0, c: int = 0) -> int: ...
        def send(self, op: int, a: int, b: int, c: int, data: "Any") -> int: ...
        def fill(self, op: int, a: int, b: int, buffer: "Any", size: int = -1) -> int: ...
        def level(self, gpio: int) -> int: ...
        def irq(self, pin: "Any", handler: "Any", trigger: int) -> None: ...
        def uart_any(self, number: int) -> int: ...
        def usb_any(self) -> int: ...
        def feed(self) -> None: ...
        def spend(self, us: int) -> None: ...
        def ticks_ms(self) -> int: ...
        def ticks_us(self) -> int: ...


PWRON_RESET = 1
WDT_RESET = 3
_SOFT_I2C = const(2)
_LAST_CHANNEL = const(3)  # channel 0 is GP26
_UNIQUE_ID_BYTES = const(8)
_SYSTEM_HZ = const(125_000_000)  # a Pico as MicroPython starts it
_WDT_MAX_MS = const(8388)  # RP2040: 24-bit counter, two counts a microsecond


def _gpio(pin: "Any") -> int:
    """The number behind 5, "GP5" or a Pin."""
    if isinstance(pin, Pin):
        return pin.gpio
    if isinstance(pin, str) and pin.startswith("GP"):
        return int(pin[2:])
    if isinstance(pin, int):
        return pin
    raise ValueError("unknown pin")


class Pin:
    """One GPIO."""

    IN = 0
    OUT = 1
    OPEN_DRAIN = 2
    ALT = 3
    PULL_UP = 1
    PULL_DOWN = 2
    IRQ_FALLING = 4
    IRQ_RISING = 8
    bridge: "Bridge"

    def __init__(
        self,
        id: "Any",
        mode: int = -1,
        pull: "int | None" = -1,
        *,
        value: "int | None" = None,
        alt: int = 0,
    ) -> None:
        self.gpio = _gpio(id)
        self._opened = False
        if mode == self.ALT:
            self.bridge.call(ops.PIN_OPEN, self.gpio, mode, alt)
        else:
            self.init(mode, pull, value=value)

    def init(self, mode: int = -1, pull: "int | None" = -1, *, value: "int | None" = None) -> None:
        if value is not None:
            self.bridge.call(ops.PIN_SET, self.gpio, 1 if value else 0)
        if mode != -1:
            self._opened = True
            self.bridge.call(ops.PIN_OPEN, self.gpio, mode, 0 if pull in (None, -1) else int(pull))

    def value(self, x: "Any" = None) -> "int | None":
        if x is None:
            return self._level()
        self.bridge.call(ops.PIN_SET, self.gpio, 1 if x else 0)
        return None

    def _level(self) -> int:
        if self._opened:
            return self.bridge.level(self.gpio)
        return self.bridge.call(ops.PIN_GET, self.gpio)

    def __call__(self, x: "Any" = None) -> "int | None":
        return self.value(x)

    def irq(
        self,
        handler: "Callable[[Pin], None] | None" = None,
        trigger: int = IRQ_FALLING | IRQ_RISING,
        *,
        hard: bool = False,
    ) -> None:
        """Call `handler(pin)` at edges, at once and with the heap locked; None ends it.

        ValueError for a trigger that is no edge. Soft handlers, which the port puts into a queue,
        are not modelled: NotImplementedError.
        """
        if trigger not in (self.IRQ_FALLING, self.IRQ_RISING, self.IRQ_FALLING | self.IRQ_RISING):
            raise ValueError("unknown trigger")
        if handler is not None and not hard:
            raise NotImplementedError("the twin knows hard interrupts only")
        self.bridge.irq(self, handler, trigger)

    def on(self) -> None:
        self.value(1)

    def off(self) -> None:
        self.value(0)

    high = on
    low = off


class UART:
    """A hardware UART, 8N1."""

    bridge: "Bridge"

    def __init__(self, id: int, baudrate: int = 115200, **options: "Any") -> None:
        self._id = id
        self._timeout_us = 0
        self._pins = -1
        self.init(baudrate, **options)

    def init(
        self,
        baudrate: int = 115200,
        bits: int = 8,
        parity: "int | None" = None,
        stop: int = 1,
        *,
        tx: "Any" = None,
        rx: "Any" = None,
        timeout: int = 0,
        timeout_char: int = 0,
        txbuf: int = 256,
        rxbuf: int = 256,
    ) -> None:
        if bits != 8 or parity is not None or stop != 1:
            raise ValueError("the reader speaks 8N1")
        if tx is not None and rx is not None:
            self._pins = _gpio(tx) << 8 | _gpio(rx)
        self._timeout_us = 1000 * timeout
        self.bridge.call(ops.UART_OPEN, self._id, baudrate, self._pins)

    def any(self) -> int:
        return self.bridge.uart_any(self._id)

    def write(self, buf: "Any") -> int:
        return self.bridge.send(ops.UART_WRITE, self._id, 0, 0, buf)

    def readinto(self, buf: "Any", nbytes: int = -1) -> "int | None":
        size = len(buf) if nbytes < 0 else min(nbytes, len(buf))
        got = self.bridge.fill(ops.UART_READ, self._id, self._timeout_us, buf, size)
        return got if got else None

    def flush(self) -> None:
        self.bridge.spend(self.bridge.call(ops.UART_BUSY, self._id))


class I2C:
    """A hardware I2C controller."""

    bridge: "Bridge"

    def __init__(
        self, id: int, *, scl: "Any", sda: "Any", freq: int = 400_000, timeout: int = 50_000
    ) -> None:
        self._id = id
        patience = timeout.to_bytes(4, "little")  # µs
        self.bridge.send(ops.I2C_OPEN, id, freq, _gpio(scl) << 8 | _gpio(sda), patience)

    def scan(self) -> "list[int]":
        found = []
        for address in range(8, 0x78):
            try:
                self.writeto(address, b"")
            except OSError:
                continue
            found.append(address)
        return found

    def writeto(self, addr: int, buf: "Any", stop: bool = True) -> int:
        return self.bridge.send(ops.I2C_WRITE, self._id, addr, 1 if stop else 0, buf)

    def readfrom_into(self, addr: int, buf: "Any", stop: bool = True) -> None:
        self.bridge.fill(ops.I2C_READ, self._id, addr, buf)


class SoftI2C(I2C):
    """An I2C made of plain pins: any two of them, slowly."""

    def __init__(
        self, *, scl: "Any", sda: "Any", freq: int = 400_000, timeout: int = 50_000
    ) -> None:
        I2C.__init__(self, _SOFT_I2C, scl=scl, sda=sda, freq=freq, timeout=timeout)


class ADC:
    """One input of the analogue-digital converter."""

    bridge: "Bridge"

    def __init__(self, id: "Any") -> None:
        self._gpio = _gpio(id) if not isinstance(id, int) or id > _LAST_CHANNEL else id + 26

    def read_u16(self) -> int:
        return self.bridge.call(ops.ADC_READ, self._gpio)


class PWM:
    """A PWM slice on one pin."""

    bridge: "Bridge"

    def __init__(self, dest: "Any") -> None:
        self._gpio = _gpio(dest)
        self._freq = 0
        self._duty = 0
        self.bridge.call(ops.PWM_OPEN, self._gpio)

    def freq(self, value: "int | None" = None) -> "int | None":
        if value is None:
            return self._freq
        self.bridge.call(ops.PWM_FREQ, self._gpio, value)
        self._freq = value
        return None

    def duty_u16(self, value: "int | None" = None) -> "int | None":
        if value is None:
            return self._duty
        self.bridge.call(ops.PWM_DUTY, self._gpio, value)
        self._duty = value
        return None


class WDT:
    """The watchdog: once started it cannot be stopped."""

    bridge: "Bridge"

    def __init__(self, id: int = 0, timeout: int = 5000) -> None:
        if id != 0 or not 1 <= timeout <= _WDT_MAX_MS:
            raise ValueError("timeout exceeds 8388")
        self.bridge.call(ops.WDT_OPEN, timeout)

    def feed(self) -> None:
        self.bridge.feed()


def fetched(bridge: "Bridge", op: int, size: int) -> bytes:
    """The bytes with which the twin answers a call that has no other argument."""
    buffer = bytearray(size)
    got = bridge.fill(op, 0, 0, buffer)
    return bytes(buffer[:got])


class MachineFunctions:
    """The functions of the module, as methods, because a session on CPython has its own bridge."""

    def __init__(self, bridge: "Bridge") -> None:
        self._bridge = bridge

    def reset(self) -> None:
        self._bridge.call(ops.RESET)

    def reset_cause(self) -> int:
        return self._bridge.call(ops.RESET_CAUSE)

    def unique_id(self) -> bytes:
        return fetched(self._bridge, ops.UNIQUE_ID, _UNIQUE_ID_BYTES)

    def freq(self) -> int:
        return _SYSTEM_HZ

    def idle(self) -> None:
        self._bridge.spend(0)

    def disable_irq(self) -> int:
        return self._bridge.call(ops.IRQS, 0)

    def enable_irq(self, state: int = 1) -> None:
        self._bridge.call(ops.IRQS, state)


CLASSES = (Pin, UART, I2C, SoftI2C, ADC, PWM, WDT)
FUNCTIONS = ("reset", "reset_cause", "unique_id", "freq", "idle", "disable_irq", "enable_irq")
