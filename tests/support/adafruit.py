"""Adafruit's PN532 driver, unmodified, on the twin's chip: what others take for the same job.

Its own `time` module is exchanged for virtual time, its serial line for the twin's port.
"""

import importlib
from types import ModuleType

from hardware.twin.clock import VirtualClock
from hardware.twin.field import RfField
from hardware.twin.pn532.chip import HandOff, Pn532Chip
from hardware.twin.pn532.hsu import HsuPort
from hardware.twin.tags import NtagTwin
from tests.support.reader_bench import Detection

_MODULES: dict[str, ModuleType] = {
    name: importlib.import_module("adafruit_pn532." + name) for name in ("adafruit_pn532", "uart")
}
_CALL_US = 5
_READ_TIMEOUT_US = 100_000  # timeout=0.1, as in its quick start
_PAGES = range(4, 16)


class _DriverTime:
    """The module `time`, as far as the driver uses it."""

    def __init__(self, clock: VirtualClock) -> None:
        self._clock = clock

    def sleep(self, seconds: float) -> None:
        self._clock.advance(round(seconds * 1_000_000))

    def monotonic(self) -> float:
        self._clock.advance(_CALL_US)
        return self._clock.now_us / 1_000_000


class _Serial:
    """`serial.Serial` or `busio.UART` with timeout=0.1."""

    def __init__(self, port: HsuPort) -> None:
        self._port = port
        self.bytes_on_wire = 0

    @property
    def in_waiting(self) -> int:
        return self._port.any()

    def reset_input_buffer(self) -> None:
        self._port.read(self._port.any())

    def write(self, data: bytes) -> None:
        self.bytes_on_wire += len(data)
        self._port.write(bytes(data))

    def read(self, count: int) -> bytes:
        clock = self._port.chip.clock
        until_us = clock.now_us + _READ_TIMEOUT_US
        while self._port.any() < count and clock.now_us < until_us:
            next_us = self._port.next_arrival_us()
            clock.advance_to(until_us if next_us is None else min(until_us, next_us))
        data = self._port.read(count)
        self.bytes_on_wire += len(data)
        return data


def detect(tag: NtagTwin, hand_off: HandOff) -> Detection:
    """List a card and read pages 4 to 15, one page at a time, as its examples do.

    A wrong answer raises RuntimeError: a time counts only if the job was done.
    """
    clock = VirtualClock()
    originals = {module: vars(module)["time"] for module in _MODULES.values()}
    for module in originals:
        vars(module)["time"] = _DriverTime(clock)
    try:
        return _detect(clock, tag, hand_off)
    finally:
        for module, original in originals.items():
            vars(module)["time"] = original


def _detect(clock: VirtualClock, tag: NtagTwin, hand_off: HandOff) -> Detection:
    field = RfField(clock)
    chip = Pn532Chip(clock, field, hand_off=hand_off)
    wire = _Serial(HsuPort(chip))
    driver = _MODULES["uart"].PN532_UART(wire)
    driver.SAM_configuration()
    field.place(tag)
    field.switch(True)
    clock.advance(20_000)
    began_us, bytes_before, commands_before = clock.now_us, wire.bytes_on_wire, chip.command_count
    uid = driver.read_passive_target(timeout=1)
    data = b"".join(bytes(driver.ntag2xx_read_block(page) or b"") for page in _PAGES)
    if bytes(uid or b"") != tag.uid or data != tag.user[: 4 * len(_PAGES)]:
        raise RuntimeError("Adafruit's driver did not read the card")
    return Detection(
        (clock.now_us - began_us) / 1000,
        wire.bytes_on_wire - bytes_before,
        chip.command_count - commands_before,
    )
