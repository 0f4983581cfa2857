"""Carries out the calls of the firmware's `machine` on the box, by number
(`hardware/twin/vm/ops.py`).

Both engines come through `Service.handle`: the VM over its pipes, CPython directly.
"""

from collections.abc import Callable
from typing import NamedTuple

from hardware.twin.box import TwinBox
from hardware.twin.errors import Reset, TwinError
from hardware.twin.flash import MODES, TwinFlash
from hardware.twin.harness import READER
from hardware.twin.vm import ops

_FOR_EVER_US = 3_600_000_000  # longer than any watchdog


class Call(NamedTuple):
    """One call: three numbers, the bytes it brings, and the size of the buffer it wants filled."""

    a: int
    b: int
    c: int
    data: bytes
    size: int

    @property
    def path(self) -> str:
        """The bytes as a path."""
        return self.data.decode()


Reply = tuple[int, bytes]
Handlers = dict[int, Callable[[Call], None]]  # do something
Numbers = dict[int, Callable[[Call], int]]  # answer a number
Fills = dict[int, Callable[[Call], bytes]]  # fill the caller's buffer


class Service:
    """All calls. `after_call` is run behind every one: the session looks at the box then.

    `hangs_on` is the number of a call that never returns, once: a bus that is held, a flash that
    stays busy. Only the watchdog ends it.
    """

    def __init__(self, box: TwinBox) -> None:
        self.box = box
        self.hangs_on = 0
        self.after_call: Callable[[], None] = lambda: None
        listing = _Listing(box.flash)
        self._handlers: Handlers = {
            **_pin_handlers(box),
            **_chip_handlers(box),
            **_file_handlers(box.flash),
            ops.CODE_ERASE: lambda call: box.code.erase(call.a),
            ops.CODE_PROGRAM: lambda call: box.code.program(call.a, call.data),
            **_radio_handlers(box),
        }
        self._numbers: Numbers = {
            ops.SPEND: lambda call: box.spend(call.a),
            ops.PIN_GET: lambda call: box.pins.level(call.a),
            ops.UART_WRITE: lambda call: box.uart.write(call.data),
            ops.UART_BUSY: lambda call: box.uart.busy_us(),
            ops.I2C_WRITE: lambda call: box.write_display(call.a, call.b, call.data),
            ops.IRQS: lambda call: box.switch_irqs(call.a),
            ops.ADC_READ: lambda call: box.supply_u16(call.a),
            ops.USB_WRITE: lambda call: box.usb.put(call.data),
            ops.USB_WRITABLE: lambda call: int(box.usb.writable()),
            ops.RESET_CAUSE: lambda call: box.reset_cause,
            ops.FILE_LIST: lambda call: listing.make(call.path),
            **_file_numbers(box.flash),
            **_radio_numbers(box),
        }
        self._fills: Fills = {
            ops.UART_READ: lambda call: box.uart.read(call.size, call.b),
            ops.I2C_READ: lambda call: box.i2c(call.a).read(call.b, call.size),
            ops.UNIQUE_ID: lambda call: box.unique_id[: call.size],
            ops.RANDOM: lambda call: box.random.randbytes(call.size),
            ops.USB_READ: lambda call: box.usb.take(call.size),
            ops.FILE_READ: lambda call: box.flash.read(call.a, call.size),
            ops.SOCK_READ: lambda call: box.air().sockets[call.a].read(call.size),
            ops.FILE_FETCH: lambda call: listing.text[: call.size],
        }

    def handle(self, op: int, a: int, b: int, c: int, data: bytes, size: int) -> Reply:
        """Do it and return (result, bytes for the caller's buffer of `size`); OSError becomes
        -errno.

        Raises TwinError for what the electronics would not forgive, Reset when the box restarts.
        """
        if op != ops.SPEND:
            self.box.clock.advance(self.box.cpu_us + self.box.busy_us.get(op, 0))
        if op == self.hangs_on:
            self.hangs_on = 0
            self.box.clock.advance(_FOR_EVER_US)
        try:
            answer = self._do(op, Call(a, b, c, data, size))
        except OSError as error:
            if error.errno is None:
                raise
            answer = (-error.errno, b"")
        self.after_call()
        return answer

    def _do(self, op: int, call: Call) -> Reply:
        if op in self._numbers:
            return self._numbers[op](call), b""
        if op in self._fills:
            data = self._fills[op](call)
            return len(data), data
        if op not in self._handlers:
            raise TwinError(
                f"The firmware asked for operation {op}, which the twin does not have."
            )
        self._handlers[op](call)
        return 0, b""


class _Listing:
    """A folder's listing, made by one call and fetched by the next, because its length is not
    known before.
    """

    def __init__(self, flash: TwinFlash) -> None:
        self._flash = flash
        self.text = b""

    def make(self, path: str) -> int:
        self.text = "\n".join(self._flash.names(path)).encode()
        return len(self.text)


def _pin_handlers(box: TwinBox) -> Handlers:
    return {
        ops.PIN_OPEN: lambda call: box.open_pin(call.a, call.b, call.c),
        ops.PIN_IRQ: lambda call: box.pins.watch(call.a, call.b),
        ops.PIN_SET: lambda call: box.pins.set(call.a, call.b),
        ops.PWM_OPEN: lambda call: _check_buzzer(box, call.a),
        ops.PWM_FREQ: lambda call: box.buzzer.freq(call.b),
        ops.PWM_DUTY: lambda call: box.buzzer.duty(call.b),
        ops.UART_OPEN: lambda call: box.uart.open(call.a, call.b, call.c),
        ops.I2C_OPEN: lambda call: box.open_i2c(
            call.a, call.b, call.c, int.from_bytes(call.data, "little")
        ),
    }


def _chip_handlers(box: TwinBox) -> Handlers:
    return {
        ops.WDT_OPEN: lambda call: box.start_watchdog(call.a),
        ops.RESET: _reset,
    }


def _file_handlers(flash: TwinFlash) -> Handlers:
    return {
        ops.FILE_FLUSH: lambda call: flash.flush(call.a),
        ops.FILE_CLOSE: lambda call: flash.close(call.a),
        ops.FILE_REMOVE: lambda call: flash.remove(call.path),
        ops.FILE_RENAME: lambda call: flash.rename(*call.path.split("\0")),
        ops.FILE_MKDIR: lambda call: flash.mkdir(call.path),
        ops.FILE_RMDIR: lambda call: flash.rmdir(call.path),
    }


def _file_numbers(flash: TwinFlash) -> Numbers:
    return {
        ops.FILE_OPEN: lambda call: flash.open(call.path, MODES[call.a], bool(call.b)),
        ops.FILE_WRITE: lambda call: flash.write(call.a, call.data),
        ops.FILE_SEEK: lambda call: flash.seek(call.a, call.b, call.c),
        ops.FILE_SIZE: lambda call: flash.size(call.path),
        ops.FILE_IS_FOLDER: lambda call: int(flash.is_folder(call.path)),
        ops.FILE_BLOCKS: lambda call: flash.free_blocks() if call.a else flash.blocks(),
    }


def _radio_handlers(box: TwinBox) -> Handlers:
    return {
        ops.NET_ACTIVE: lambda call: box.air().activate(),
        ops.NET_JOIN: lambda call: box.air().join(*call.path.split("\0")),
        ops.NET_LEAVE: lambda call: box.air().leave(),
        ops.NET_RESOLVE: lambda call: box.air().resolve(call.path),
        ops.SOCK_CONNECT: lambda call: box.air().connect(call.a),
        ops.SOCK_CLOSE: lambda call: box.air().close(call.a),
    }


def _radio_numbers(box: TwinBox) -> Numbers:
    return {
        ops.NET_THERE: lambda call: int(box.radio is not None),
        ops.NET_STATUS: lambda call: 100 + box.air().status(),
        ops.NET_RSSI: lambda call: -box.air().rssi,
        ops.SOCK_OPEN: lambda call: box.air().open(),
        ops.SOCK_READY: lambda call: box.air().sockets[call.a].ready(),
        ops.SOCK_WRITE: lambda call: box.air().sockets[call.a].write(call.data),
    }


def _check_buzzer(box: TwinBox, gpio: int) -> None:
    if gpio != box.wiring.buzzer:
        raise TwinError(f"The buzzer hangs on GP{box.wiring.buzzer}, not on GP{gpio}.")
    box.pins.take((gpio,))
    if box.harness.on((READER, "RSTPD_N"), gpio):
        box.pins.reset_reader(0)  # a silent PWM is low


def _reset(_call: Call) -> None:
    raise Reset("machine.reset")
