"""The twin's parts on the pins of an emulated RP2040, driven through the chip's own registers.

No firmware file is needed here; `make test-pico` plays a match with one.
"""

from pathlib import Path

import pytest
from click.testing import CliRunner
from rp2040py.gpio_pin import GPIOPinState
from rp2040py.peripherals import i2c, ssi, uart
from rp2040py.rp2040 import RP2040

from bench import emulated_pico
from bench.emulated_pico import PicoFigure, pico
from hardware.twin.box import TwinBox
from hardware.twin.panel import PanelButton
from tests.support.pico.clocks import chip_with_clock
from tests.support.pico.flash import files_in, mend, new_image
from tests.support.pico.image import FOLDER
from tests.support.pico.parts import BoxParts

MS_NS = 1_000_000
INPUT_WITH_PULL_UP = 1 << 6 | 1 << 3  # RP2040 data sheet 2.19.6.3: IE, PUE
# PN532 User Manual 6.2.1 and 7.2.2: wake-up, then GetFirmwareVersion (D4 02)
WAKE_AND_ASK = b"\x55\x55" + bytes(14) + b"\x00\x00\xff\x02\xfe\xd4\x02\x2a\x00"
SAM = b"\x55\x55" + bytes(14) + b"\x00\x00\xff\x03\xfd\xd4\x14\x01\x17\x00"
ACK = b"\x00\x00\xff\x00\xff\x00"
FAST_MODE = 313  # clocks of 125 MHz in one of its bus: 399 kHz
SAM_DONE = b"\x00\x00\xff\x02\xfe\xd5\x15\x16\x00"


class Bench:
    """A bare chip with the box's parts; time passes by `wait`."""

    def __init__(self, folder: Path) -> None:
        self.chip = RP2040()
        self.box = TwinBox(folder)
        self.parts = BoxParts(self.box)
        self.parts.attach(self.chip)
        self.box.chip.set_reset(1)
        self.display_clocks = FAST_MODE
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
        bus.write_uint32(i2c.IC_FS_SCL_HCNT, self.display_clocks // 2)
        bus.write_uint32(i2c.IC_FS_SCL_LCNT, self.display_clocks - self.display_clocks // 2)
        bus.write_uint32(i2c.IC_TAR, address)
        bus.write_uint32(i2c.IC_ENABLE, i2c.ENABLE)
        for index, byte in enumerate(data):
            stop = i2c.STOP if index == len(data) - 1 else 0
            bus.write_uint32(i2c.IC_DATA_CMD, byte | stop)
            self.wait(0.1)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_the_reader_answers_through_the_uart_of_the_chip(bench: Bench) -> None:
    assert bench.ask_reader(SAM) == ACK + SAM_DONE


def test_the_transmit_interrupt_can_be_cleared(bench: Bench) -> None:
    """As it comes, the emulator raises it anew at once, and MicroPython's handler never ends."""
    port = bench.chip.uart[0]
    port.write_uint32(uart.UARTIMSC, uart.UARTTXINTR)
    port.write_uint32(uart.UARTDR, 0x55)
    assert port.read_uint32(uart.UARTIMIS)
    port.raw_write_value = uart.UARTTXINTR
    port.write_uint32(uart.UARTICR, uart.UARTTXINTR)
    assert not port.read_uint32(uart.UARTIMIS)


# 48 MHz / (16 × 26 3/64) = 115177 and 48 MHz / (16 × 3 16/64) = 923077; told as of 125 MHz
@pytest.mark.parametrize(("told", "baud"), [(299_940, 115_200), (2_403_846, 921_600)])
def test_a_rate_from_another_peripheral_clock_is_understood(
    bench: Bench, told: int, baud: int
) -> None:
    bench.chip.uart[0].on_baud_rate_change(told)
    assert bench.box.chip.port.baud == baud


def test_the_reset_pin_silences_the_reader(bench: Bench) -> None:
    bench.box.chip.set_reset(0)
    assert bench.ask_reader(WAKE_AND_ASK) == b""


def test_the_display_hears_only_its_own_address(bench: Bench) -> None:
    bench.write_display(0x3D, b"\x00\xaf")
    assert not bench.box.oled.on
    bench.write_display(0x3C, b"\x00\xaf")
    assert bench.box.oled.on
    assert bench.parts.drawn == 1


@pytest.mark.parametrize(("clocks", "heard"), [(125, True), (124, False)])
def test_the_display_hears_up_to_a_megahertz(bench: Bench, clocks: int, heard: bool) -> None:
    """125 MHz / 125 is what the twin's display bears; 125 MHz / 124 = 1.008 MHz is beyond it."""
    bench.display_clocks = clocks
    bench.write_display(0x3C, b"\x00\xaf")
    assert bench.box.oled.on == heard


def test_a_pressed_button_pulls_its_pin_to_ground_and_bounces(bench: Bench) -> None:
    pin = bench.chip.gpio[bench.box.wiring.buttons[PanelButton.OK]]
    pin.pad_value = INPUT_WITH_PULL_UP
    levels = [pin.input_value]
    bench.parts.follow()
    bench.box.buttons.press(PanelButton.OK, 20)
    bench.parts.follow()
    for _ in range(300):
        bench.wait(0.1)
        if pin.input_value != levels[-1]:
            levels.append(pin.input_value)
    # open; then each edge changes the level five times, as hardware/twin/panel.py lets it bounce
    assert levels == [True, *(False, True, False, True, False), *(True, False, True, False, True)]


def program(chip: RP2040, *orders: bytes) -> None:
    """Have the flash carry out orders, as the boot ROM does: chip select is a pin of its own."""
    flash = chip.ssi
    flash.write_uint32(ssi.SSI_SSIENR, 1)
    for order in orders:
        flash._on_cs_pin_changed(GPIOPinState.HIGH, GPIOPinState.LOW)
        flash._on_cs_pin_changed(GPIOPinState.LOW, GPIOPinState.HIGH)
        for byte in order:
            flash.write_uint32(ssi.SSI_DR0, byte)
    flash._on_cs_pin_changed(GPIOPinState.HIGH, GPIOPinState.LOW)


ENABLE = b"\x06"  # W25Q16JV data sheet, 8.1.2
ERASE_SECTOR_1 = b"\x20\x00\x10\x00"
PROGRAM_PAGE_1 = b"\x02\x00\x01\x00" + bytes(256)


def test_the_flash_is_busy_for_as_long_as_its_data_sheet_says() -> None:
    chip = RP2040()
    work = mend(chip, bytes(8))
    program(chip, ENABLE, ERASE_SECTOR_1)
    assert chip.clock.nanos == 45 * MS_NS
    program(chip, ENABLE, PROGRAM_PAGE_1)
    assert chip.clock.nanos == 45.4 * MS_NS
    assert (work.erases, work.programs) == (1, 1)


@pytest.mark.parametrize(("part", "erased"), [(0, 0), (0.5, 2048), (1, 4096)])
def test_a_power_cut_leaves_a_part_of_what_the_flash_was_doing(part: float, erased: int) -> None:
    chip = RP2040()
    chip.flash[0x1000:0x2000] = bytes(4096)
    work = mend(chip, bytes(8))
    cuts: list[bytes] = []
    work.cut_at, work.part = 1, part
    work.on_cut = lambda: cuts.append(bytes(chip.flash[0x1000:0x2000]))
    program(chip, ENABLE, PROGRAM_PAGE_1)
    assert cuts == []
    program(chip, ENABLE, ERASE_SECTOR_1)
    assert cuts == [b"\xff" * erased + bytes(4096 - erased)]


def test_files_put_on_a_flash_are_on_it() -> None:
    image = new_image(32 * 4096, {"/main.py": b"1", "/box/a": b"22", "/box/fw-a/b": bytes(9_000)})
    assert files_in(image, "/box") == {"a": b"22"}
    assert files_in(image, "/box/fw-a") == {"b": bytes(9_000)}
    assert files_in(image, "/nothing") == {}


def measured(*arguments: str, folder: Path | None = None) -> str:
    """What the command says, on one line, when there is no firmware file: exit code 2."""
    env = {FOLDER: str(folder) if folder else None}
    outcome = CliRunner().invoke(pico, arguments, env=env)
    assert outcome.exit_code == 2
    return outcome.output.replace("\n", " ")


def test_without_a_firmware_file_the_command_says_where_to_name_one() -> None:
    assert "Name a folder with our image schiri-0.1.0-RPI_PICO.uf2 in SCHIRI_UF2" in measured()


@pytest.mark.parametrize(("longest_ms", "code"), [(15, 0), (15.1, 1)])
def test_what_is_over_its_budget_fails(
    longest_ms: float, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures = [PicoFigure("signing", name, longest_ms, "ms", 15) for name in ("one", "two")]
    monkeypatch.setattr(emulated_pico.Bench, "measure", lambda bench, parts: figures)
    image = tmp_path / "image.uf2"
    image.touch()
    outcome = CliRunner().invoke(pico, ["--uf2", str(image)])
    assert outcome.exit_code == code
    assert ("Error: Over the budget: one; two.\n" in outcome.output) == bool(code)


def test_a_folder_that_is_named_once_has_the_file_of_the_board(tmp_path: Path) -> None:
    told = measured("--board", "pico_w", folder=tmp_path)
    assert str(tmp_path / "schiri-0.1.0-RPI_PICO_W.uf2") in told


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    told = measured("--uf2", str(tmp_path / "x.uf2"))
    assert f"here is none: {tmp_path / 'x.uf2'}" in told


def test_instructions_take_as_long_as_the_registers_of_the_clock_say() -> None:
    """RP2040 data sheet 2.18.2.1: 12 MHz x 100 / (3 x 2) is 200 MHz. A wait stays as long."""
    chip = chip_with_clock(RP2040)
    pll = chip.peripherals[0x40028]
    chip.clock.tick(8)  # one cycle of 125 MHz, which the emulator counts
    assert chip.clock.nanos == 8
    pll.write_uint32(0x8, 100)
    pll.write_uint32(0xC, 3 << 16 | 2 << 12)
    assert pll.read_uint32(0x0) >> 31  # locked: MicroPython waits for it
    chip.clock.tick(8)
    assert chip.clock.nanos == 8 + 5
    chip.core.waiting = True
    chip.clock.tick(1000)
    assert chip.clock.nanos == 8 + 5 + 1000
    assert chip.clk_sys == 200_000_000
