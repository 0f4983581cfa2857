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
# what a call answers: a number, bytes for the caller's buffer, or nothing, which is 0
Answers = dict[int, Callable[[Call], int | bytes | None]]


class Service:
    """All calls. `after_call` is run behind every one: the session looks at the box then.

    `hangs_on` is the number of a call that never returns, once: a bus that is held, a flash that
    stays busy. Only the watchdog ends it.
    """

    def __init__(self, box: TwinBox) -> None:
        self.box = box
        self.hangs_on = 0
        self.after_call: Callable[[], None] = lambda: None
        self._answers: Answers = {
            **_electronics(box),
            **_lines(box),
            **_files(box.flash),
            **_radio(box),
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
        if op not in self._answers:
            raise TwinError(
                f"The firmware asked for operation {op}, which the twin does not have."
            )
        answer = self._answers[op](call)
        return (len(answer), answer) if isinstance(answer, bytes) else (answer or 0, b"")


def _electronics(box: TwinBox) -> Answers:
    """The chip itself, its pins, and the flash that code runs from."""
    return {
        ops.SPEND: lambda call: box.spend(call.a),
        ops.PIN_OPEN: lambda call: box.open_pin(call.a, call.b, call.c),
        ops.PIN_IRQ: lambda call: box.pins.watch(call.a, call.b),
        ops.PIN_SET: lambda call: box.pins.set(call.a, call.b),
        ops.PIN_GET: lambda call: box.pins.level(call.a),
        ops.PWM_OPEN: lambda call: _check_buzzer(box, call.a),
        ops.PWM_FREQ: lambda call: box.buzzer.freq(call.b),
        ops.PWM_DUTY: lambda call: box.buzzer.duty(call.b),
        ops.ADC_READ: lambda call: box.supply_u16(call.a),
        ops.IRQS: lambda call: box.switch_irqs(call.a),
        ops.WDT_OPEN: lambda call: box.start_watchdog(call.a),
        ops.RESET: _reset,
        ops.RESET_CAUSE: lambda call: box.reset_cause,
        ops.UNIQUE_ID: lambda call: box.unique_id[: call.size],
        ops.RANDOM: lambda call: box.random.randbytes(call.size),
        ops.CODE_ERASE: lambda call: box.code.erase(call.a),
        ops.CODE_PROGRAM: lambda call: box.code.program(call.a, call.data),
    }


def _lines(box: TwinBox) -> Answers:
    """UART, I2C and USB."""
    return {
        ops.UART_OPEN: lambda call: box.uart.open(call.a, call.b, call.c),
        ops.UART_WRITE: lambda call: box.uart.write(call.data),
        ops.UART_READ: lambda call: box.uart.read(call.size, call.b),
        ops.UART_BUSY: lambda call: box.uart.busy_us(),
        ops.I2C_OPEN: lambda call: box.open_i2c(
            call.a, call.b, call.c, int.from_bytes(call.data, "little")
        ),
        ops.I2C_WRITE: lambda call: box.write_display(call.a, call.b, call.data),
        ops.I2C_READ: lambda call: box.i2c(call.a).read(call.b, call.size),
        ops.USB_READ: lambda call: box.usb.take(call.size),
        ops.USB_WRITE: lambda call: box.usb.put(call.data),
        ops.USB_WRITABLE: lambda call: int(box.usb.writable()),
    }


def _files(flash: TwinFlash) -> Answers:
    listing = b""  # made by one call and fetched by the next: its length is not known before

    def make_listing(call: Call) -> int:
        nonlocal listing
        listing = "\n".join(flash.names(call.path)).encode()
        return len(listing)

    return {
        ops.FILE_OPEN: lambda call: flash.open(call.path, MODES[call.a], bool(call.b)),
        ops.FILE_READ: lambda call: flash.read(call.a, call.size),
        ops.FILE_WRITE: lambda call: flash.write(call.a, call.data),
        ops.FILE_SEEK: lambda call: flash.seek(call.a, call.b, call.c),
        ops.FILE_FLUSH: lambda call: flash.flush(call.a),
        ops.FILE_CLOSE: lambda call: flash.close(call.a),
        ops.FILE_SIZE: lambda call: flash.size(call.path),
        ops.FILE_IS_FOLDER: lambda call: int(flash.is_folder(call.path)),
        ops.FILE_LIST: make_listing,
        ops.FILE_FETCH: lambda call: listing[: call.size],
        ops.FILE_REMOVE: lambda call: flash.remove(call.path),
        ops.FILE_RENAME: lambda call: flash.rename(*call.path.split("\0")),
        ops.FILE_MKDIR: lambda call: flash.mkdir(call.path),
        ops.FILE_RMDIR: lambda call: flash.rmdir(call.path),
        ops.FILE_BLOCKS: lambda call: flash.free_blocks() if call.a else flash.blocks(),
    }


def _radio(box: TwinBox) -> Answers:
    return {
        ops.NET_THERE: lambda call: int(box.radio is not None),
        ops.NET_ACTIVE: lambda call: box.air().activate(),
        ops.NET_JOIN: lambda call: box.air().join(*call.path.split("\0")),
        ops.NET_LEAVE: lambda call: box.air().leave(),
        # shifted, since WLAN.status() goes down to -3 and a result below zero is an errno
        ops.NET_STATUS: lambda call: 100 + box.air().status(),
        ops.NET_RSSI: lambda call: -box.air().rssi,
        ops.NET_RESOLVE: lambda call: box.air().resolve(call.path),
        ops.SOCK_OPEN: lambda call: box.air().open(),
        ops.SOCK_CONNECT: lambda call: box.air().connect(call.a),
        ops.SOCK_READY: lambda call: box.air().sockets[call.a].ready(),
        ops.SOCK_READ: lambda call: box.air().sockets[call.a].read(call.size),
        ops.SOCK_WRITE: lambda call: box.air().sockets[call.a].write(call.data),
        ops.SOCK_CLOSE: lambda call: box.air().close(call.a),
    }


def _check_buzzer(box: TwinBox, gpio: int) -> None:
    if gpio != box.wiring.buzzer:
        raise TwinError(f"The buzzer hangs on GP{box.wiring.buzzer}, not on GP{gpio}.")
    box.pins.take((gpio,))
    if box.harness.on((READER, "RSTPD_N"), gpio):
        box.pins.reset_reader(0)  # a silent PWM is low


def _reset(_call: Call) -> None:
    raise Reset("machine.reset")
