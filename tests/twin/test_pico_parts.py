"""The twin's parts on the pins of an emulated RP2040, driven through the chip's own registers.

No firmware file is needed here; `make test-pico` plays a match with one.
"""

from pathlib import Path

import pytest
from click.testing import CliRunner
from rp2040py.peripherals import i2c, uart
from rp2040py.rp2040 import RP2040

from hardware.twin.panel import Button
from host_tools.cli import schiri
from host_tools.core.errors import UserError
from host_tools.sim.pico.install import folders_of
from host_tools.sim.pico.parts import BoxParts
from host_tools.sim.twin import pico as command

MS_NS = 1_000_000
INPUT_WITH_PULL_UP = 1 << 6 | 1 << 3  # RP2040 data sheet 2.19.6.3: IE, PUE
# PN532 User Manual 6.2.1 and 7.2.2: wake-up, then GetFirmwareVersion (D4 02)
WAKE_AND_ASK = b"\x55\x55" + bytes(14) + b"\x00\x00\xff\x02\xfe\xd4\x02\x2a\x00"
SAM = b"\x55\x55" + bytes(14) + b"\x00\x00\xff\x03\xfd\xd4\x14\x01\x17\x00"
ACK = b"\x00\x00\xff\x00\xff\x00"
SAM_DONE = b"\x00\x00\xff\x02\xfe\xd5\x15\x16\x00"


class Bench:
    """A bare chip with the box's parts; time passes by `wait`."""

    def __init__(self) -> None:
        self.chip = RP2040()
        self.parts = BoxParts()
        self.parts.attach(self.chip)
        self.parts.chip.set_reset(1)
        self.wait(10)

    def wait(self, ms: float) -> None:
        """In steps as small as an instruction or two of real firmware would be."""
        for _ in range(int(ms * 100)):
            self.chip.clock.tick(MS_NS / 100)

    def ask_reader(self, data: bytes) -> bytes:
        port = self.chip.uart[0]
        for byte in data:
            port.write_uint32(uart.UARTDR, byte)
        answer = b""
        for _ in range(300):
            self.wait(0.1)
            while not port.rx_fifo.empty:
                answer += bytes((port.read_uint32(uart.UARTDR),))
        return answer

    def write_display(self, address: int, data: bytes) -> None:
        bus = self.chip.i2c[1]
        bus.write_uint32(i2c.IC_ENABLE, 0)
        bus.write_uint32(i2c.IC_TAR, address)
        bus.write_uint32(i2c.IC_ENABLE, i2c.ENABLE)
        for index, byte in enumerate(data):
            stop = i2c.STOP if index == len(data) - 1 else 0
            bus.write_uint32(i2c.IC_DATA_CMD, byte | stop)
            self.wait(0.1)


def test_the_reader_answers_through_the_uart_of_the_chip() -> None:
    assert Bench().ask_reader(SAM) == ACK + SAM_DONE


def test_the_transmit_interrupt_can_be_cleared() -> None:
    """As it comes, the emulator raises it anew at once, and MicroPython's handler never ends."""
    port = Bench().chip.uart[0]
    port.write_uint32(uart.UARTIMSC, uart.UARTTXINTR)
    port.write_uint32(uart.UARTDR, 0x55)
    assert port.read_uint32(uart.UARTIMIS)
    port.raw_write_value = uart.UARTTXINTR
    port.write_uint32(uart.UARTICR, uart.UARTTXINTR)
    assert not port.read_uint32(uart.UARTIMIS)


# 48 MHz / (16 × 26 3/64) = 115177 and 48 MHz / (16 × 3 16/64) = 923077; told as of 125 MHz
@pytest.mark.parametrize(("told", "baud"), [(299_940, 115_200), (2_403_846, 921_600)])
def test_a_rate_from_another_peripheral_clock_is_understood(told: int, baud: int) -> None:
    bench = Bench()
    bench.chip.uart[0].on_baud_rate_change(told)
    assert bench.parts.port.baud == baud


def test_the_reset_pin_silences_the_reader() -> None:
    bench = Bench()
    bench.parts.chip.set_reset(0)
    assert bench.ask_reader(WAKE_AND_ASK) == b""


def test_the_display_hears_only_its_own_address() -> None:
    bench = Bench()
    bench.write_display(0x3D, b"\x00\xaf")
    assert not bench.parts.oled.on
    bench.write_display(0x3C, b"\x00\xaf")
    assert bench.parts.oled.on
    assert bench.parts.drawn == 1


def test_a_pressed_button_pulls_its_pin_to_ground_and_bounces() -> None:
    bench = Bench()
    pin = bench.chip.gpio[bench.parts.wiring.buttons[Button.OK]]
    pin.pad_value = INPUT_WITH_PULL_UP
    levels = [pin.input_value]
    bench.parts.follow()
    bench.parts.buttons.press(Button.OK, 20)
    bench.parts.follow()
    for _ in range(300):
        bench.wait(0.1)
        if pin.input_value != levels[-1]:
            levels.append(pin.input_value)
    # open; then each edge changes the level five times, as hardware/twin/panel.py lets it bounce
    assert levels == [True, *(False, True, False, True, False), *(True, False, True, False, True)]


def test_folders_are_made_from_the_top() -> None:
    assert folders_of("/box/fw-a/firmware/main.mpy") == ["/box", "/box/fw-a", "/box/fw-a/firmware"]
    assert folders_of("/main.py") == []


def test_without_a_firmware_file_the_command_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "find_firmware", lambda: None)
    outcome = CliRunner().invoke(schiri, ["twin", "pico"])
    assert outcome.exit_code == 0
    assert outcome.output.startswith("skipped: no MicroPython for the Pico")
    assert outcome.output.count("\n") == 1


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    outcome = CliRunner().invoke(schiri, ["twin", "pico", "--uf2", str(tmp_path / "x.uf2")])
    assert isinstance(outcome.exception, UserError)
    assert "is not there" in str(outcome.exception)
