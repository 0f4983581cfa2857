"""Runs an emulated Pico step by step in emulated time: boot, USB serial line, raw REPL, flash.

    pico = EmulatedPico(Path("firmware.uf2"), BoxParts())
    pico.boot()
    print(pico.execute("import gc; print(gc.mem_free())"))

rp2040py is imported late: it is a developer's dependency.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from hardware.twin.errors import TwinError
from host_tools.sim.pico.parts import BoxParts

_MS_NS = 1_000_000
_GLANCE_MS = 2  # emulated time between two looks at a predicate
_FIFO_ROOM = 256  # bytes; the host's FIFO takes 512 and drops the rest silently
_TICK_BATCH = 64  # instructions between two looks at the clock, unless an alarm is due before
_BOOT_LIMIT_MS = 5_000
_REPL_LIMIT_MS = 30_000
_CTRL_A, _CTRL_B, _CTRL_C, _CTRL_D = b"\x01", b"\x02", b"\x03", b"\x04"
_RAW_PROMPT = b"raw REPL; CTRL-B to exit\r\n>"


class EmulatedPico:
    """One chip with its parts; `flash` is the file system of an earlier one (`file_system()`)."""

    def __init__(self, uf2: Path, parts: BoxParts, flash: bytes | None = None) -> None:
        import dataclasses

        from rp2040py.boards import BOARDS, resolve_firmware
        from rp2040py.device import MicroPythonDevice

        board = BOARDS["pico"]
        board = dataclasses.replace(board, extras=(*board.extras, lambda: parts))
        spec = resolve_firmware(board, "micropython", str(uf2))
        layout: Any = spec.layout
        self.parts = parts
        self._device: Any = MicroPythonDevice(board=spec)
        self._layout: Any = layout
        self._heard = bytearray()
        self._outgoing = bytearray()
        self._device.cdc.on_serial_data = self._heard.extend
        self._usb = _QuietUsb(self._device)
        self._alarm = self._device.simulator.clock.create_alarm(self._pause)
        if flash is not None:
            start = layout.fs_start
            self._device.mcu.flash[start : start + len(flash)] = flash

    # -- power and time

    @property
    def now_ms(self) -> float:
        """Emulated milliseconds since power-on."""
        return float(self._device.simulator.clock.nanos) / _MS_NS

    def boot(self) -> None:
        """Power on and wait until the USB line is there. TwinError if it does not come."""
        from rp2040py.memory_map import FLASH_START_ADDRESS

        connected: list[bool] = []
        self._device.cdc.on_device_connected = lambda: connected.append(True)
        self._device.mcu.core.pc = FLASH_START_ADDRESS
        if not self.run_until(lambda: bool(connected), _BOOT_LIMIT_MS):
            raise TwinError("The emulated Pico does not appear on USB; is that a Pico's firmware?")

    def run_until(self, predicate: Callable[[], bool], limit_ms: float) -> bool:
        """Let emulated time pass until `predicate()` holds; False if it does not in `limit_ms`."""
        end = self.now_ms + limit_ms
        while not predicate():
            if self.now_ms >= end:
                return False
            self.run_for(_GLANCE_MS)
        return True

    def run_for(self, ms: float) -> None:
        """Let so much emulated time pass."""
        from rp2040py.execute_batch import execute_batch

        self._alarm.schedule(ms * _MS_NS)
        self._device.simulator.stopped = False
        while not self._device.simulator.stopped:
            self._send_some()
            execute_batch(self._device.simulator, _TICK_BATCH)

    def _pause(self) -> None:
        self._device.simulator.stopped = True

    def file_system(self) -> bytes:
        """The flash's file system as it is at this instant: what a power cut leaves."""
        start = self._layout.fs_start
        size = self._layout.fs_blockcount * self._layout.fs_blocksize
        return bytes(self._device.mcu.flash[start : start + size])

    # -- what a person does

    def press(self, button: int, ms: int = 120) -> None:
        """Press a button (hardware.twin.panel.Button) and let go; returns after a moment."""
        self.parts.follow()
        self.parts.buttons.press(button, ms)  # type: ignore[arg-type]
        self.parts.follow()
        self.run_for(ms + 50)

    # -- the USB line

    def write(self, data: bytes) -> None:
        """The laptop sends; the bytes travel as time passes."""
        self._outgoing += data

    def read(self) -> bytes:
        """What has come since the last read."""
        data = bytes(self._heard)
        self._heard.clear()
        return data

    def _send_some(self) -> None:
        fifo = self._device.cdc.tx_fifo
        if self._outgoing and not fifo.item_count:
            for byte in self._outgoing[:_FIFO_ROOM]:
                self._device.cdc.send_serial_byte(byte)
            del self._outgoing[:_FIFO_ROOM]
            self._usb.send()

    # -- the raw REPL (docs.micropython.org, reference/repl)

    def enter_repl(self) -> None:
        """Stop what runs and enter the raw REPL."""
        self.read()
        self.write(b"\r" + _CTRL_C + _CTRL_C + _CTRL_A)
        self._await(_RAW_PROMPT)

    def execute(self, code: str) -> str:
        """Run code in the raw REPL and return what it prints. TwinError with its traceback."""
        self.write(code.encode() + _CTRL_D)
        return self.finish_command()

    def finish_command(self) -> str:
        """What the command that was written prints. TwinError with its traceback."""
        answer = self._await(_CTRL_D, 2)
        printed, errors, _ = answer.removeprefix(b"OK").split(_CTRL_D, 2)
        if errors:
            raise TwinError(f"The Pico says: {errors.decode().strip()}")
        return printed.decode()

    def soft_reset(self) -> None:
        """Leave the REPL by a soft reset: `main.py` starts."""
        self.write(_CTRL_B + _CTRL_D)

    def _await(self, mark: bytes, count: int = 1) -> bytes:
        if not self.run_until(lambda: self._heard.count(mark) >= count, _REPL_LIMIT_MS):
            raise TwinError(f"The Pico does not answer; it said {bytes(self._heard[-200:])!r}.")
        return self.read()


class _QuietUsb:
    """Mends the host side of rp2040py's USB: it has nothing to say until there is something.

    As it comes, it answers every offer to receive with an empty packet, 10 µs later, which keeps
    the emulated processor in its USB interrupt most of the time.
    """

    def __init__(self, device: Any) -> None:
        self._cdc = device.cdc
        self._controller = device.mcu.usb_ctrl
        self._answer = self._controller.on_endpoint_read
        self._forget = self._controller.on_reset
        self._offer: tuple[int, int] | None = None
        self._controller.on_endpoint_read = self._offered
        self._controller.on_reset = self._reset

    def send(self) -> None:
        """There is something to say now."""
        offer, self._offer = self._offer, None
        if offer is not None:
            self._answer(*offer)

    def _offered(self, endpoint: int, size: int) -> None:
        if endpoint == self._cdc._out_endpoint and not self._cdc.tx_fifo.item_count:
            self._offer = (endpoint, size)
        else:
            self._answer(endpoint, size)

    def _reset(self) -> None:
        self._offer = None
        self._forget()


class PicoPort:
    """host_tools.box.link.Port on the emulated USB line; a read lets the Pico work."""

    def __init__(self, pico: EmulatedPico, wait_ms: int = 250) -> None:
        self._pico = pico
        self._wait_ms = wait_ms
        self._waiting = bytearray()

    def write(self, data: bytes) -> object:
        self._pico.write(data)
        return len(data)

    def read(self, size: int = 1) -> bytes:
        self._pico.run_until(self._came, self._wait_ms)
        data = bytes(self._waiting[:size])
        del self._waiting[:size]
        return data

    def close(self) -> None:
        """The line stays; the next port goes on with it."""

    def _came(self) -> bool:
        self._waiting += self._pico.read()
        return bool(self._waiting)
