"""wiring.yml and the board file: do they agree, and is a single wrong pin told in a sentence?"""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hardware import build, wiring
from hardware.board_file import BOARD_FILE, read_board
from hardware.build import PICTURES
from hardware.pico_pins import GP_TO_PIN, GROUND, SUPPLY, i2c_of
from hardware.revision import REV1, REV2, Revision


def faults_with_board(tmp_path: Path, old: str, new: str) -> list[str]:
    """What the checks say when one line of a copy of the board file is changed."""
    source = BOARD_FILE.read_text(encoding="utf8")
    assert source.count(old) == 1
    copy = tmp_path / "pico.py"
    copy.write_text(source.replace(old, new), encoding="utf8")
    board = read_board(copy)
    return wiring.check_board(board) + wiring.check_wiring(wiring.load_wiring(), board)


def faults_with_wiring(tmp_path: Path, old: str, new: str) -> list[str]:
    source = wiring.WIRING.read_text(encoding="utf8")
    assert source.count(old) == 1
    copy = tmp_path / "wiring.yml"
    copy.write_text(source.replace(old, new), encoding="utf8")
    return wiring.check_wiring(wiring.load_wiring(copy), read_board())


def test_the_harness_is_the_one_the_firmware_expects() -> None:
    board = read_board()
    assert wiring.check_board(board) == []
    assert wiring.check_wiring(wiring.load_wiring(), board) == []


def test_the_board_file_is_really_read() -> None:
    """Against the module itself: both must say the same."""
    from firmware.boards import pico

    board = read_board()
    assert board.buttons == pico.BUTTON_PINS
    assert (board.reader_tx, board.reader_rx) == (pico.READER_TX, pico.READER_RX)
    assert (board.display_sda, board.display_scl) == (pico.DISPLAY_SDA, pico.DISPLAY_SCL)
    assert board.buzzer == pico.BUZZER_PIN


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("READER_TX = const(0)", "READER_TX = const(12)", "reader TX on GP12"),
        ("READER_TX = const(0)", "READER_TX = const(3)", "GP3 cannot be TX of UART0"),
        ("READER_RX = const(1)", "READER_RX = const(17)", "reader RX on GP17"),
        ("READER_RX = const(1)", "READER_RX = const(5)", "GP5 cannot be RX of UART0"),
        ("READER_UART = const(0)", "READER_UART = const(1)", "GP0 cannot be TX of UART1"),
        ("READER_IRQ = const(6)", "READER_IRQ = const(8)", "reader IRQ on GP8"),
        ("READER_RESET = const(7)", "READER_RESET = const(8)", "reader reset on GP8"),
        ("READER_RESET = const(7)", "READER_RESET = const(6)", "GP6 is used 2 times"),
        ("DISPLAY_I2C = const(1)", "DISPLAY_I2C = const(0)", "GP2 cannot be SDA of I2C0"),
        ("DISPLAY_SDA = const(2)", "DISPLAY_SDA = const(4)", "GP4 cannot be SDA of I2C1"),
        ("DISPLAY_SDA = const(2)", "DISPLAY_SDA = const(14)", "south screen SDA on GP14"),
        ("DISPLAY_I2C = const(1)", "DISPLAY_I2C = const(0)", "both screens are on I2C0"),
        ("DISPLAY_SCL = const(3)", "DISPLAY_SCL = const(18)", "GP18 cannot be SCL of I2C1"),
        ("(10, 11, 12, 13)", "(10, 11, 13, 12)", "button OK on GP13"),
        ("(10, 11, 12, 13)", "(10, 11, 12, 10)", "GP10 is used 2 times: button UP and button J"),
        ("(10, 11, 12, 13)", "(10, 11, 12, 25)", "GP25 is not on a pin of the Pico"),
        ("BUZZER_PIN = const(15)", "BUZZER_PIN = const(16)", "buzzer on GP16"),
    ],
)
def test_one_changed_pin_in_the_board_file_is_told(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    faults = faults_with_board(tmp_path, old, new)
    assert any(said in fault for fault in faults), faults


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[1, 2, 9, 10, 4", "[1, 2, 10, 9, 4", "pin 10 of the Pico is not GP6"),
        (
            "PICO: [GP4, GP5]",
            "PICO: [GP5, GP4]",
            "north screen SDA on GP4, but wiring.yml does not lead GP4 to SDA",
        ),
        ("36, 38, 39, 3]", "40, 38, 39, 3]", "pin 40 of the Pico is not 3V3(OUT)"),
        ("VSYS, GND]", "VSYS, GP22]", "pin 3 of the Pico is not GP22"),
        ("[SS, MOSI, IRQ", "[MOSI, SS, IRQ", "GP0 to SS of READER"),
        (
            "READER: [VCC, GND]",
            "READER: [GND, VCC]",
            "GND with VCC of READER: a short circuit",
        ),
        ("CHARGER: [5V, GND]\n    - W6", "CHARGER: [EN, GND]\n    - W6", "charger's 5V to VSYS"),
        ("PICO: [VSYS, 3]", "PICO: [3V3(OUT), 3]", "charger's 5V to VSYS"),
        ("length: 0.2", "length: 0.3", "0.2 m is the limit"),
        ("GP13, GP15]\n    - W2", "GP13, GP7]\n    - W2", "wiring.yml does not lead GP15"),
    ],
)
def test_one_changed_wire_is_told(tmp_path: Path, old: str, new: str, said: str) -> None:
    faults = faults_with_wiring(tmp_path, old, new)
    assert any(said in fault for fault in faults), faults


def test_a_wire_to_a_pin_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="PICO has no pin GP77"):
        faults_with_wiring(tmp_path, "GP13, GP15]\n    - W2", "GP13, GP77]\n    - W2")


def test_a_torn_wiring_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^wiring.yml is no YAML: while parsing"):
        faults_with_wiring(tmp_path, "metadata:", "metadata: [")


def test_a_wire_that_the_firmware_does_not_use_is_told(tmp_path: Path) -> None:
    source = (
        wiring.WIRING.read_text(encoding="utf8")
        .replace("GP15", "GP14")
        .replace("17, 20", "17, 19")
    )
    (tmp_path / "wiring.yml").write_text(source, encoding="utf8")
    faults = wiring.check_wiring(wiring.load_wiring(tmp_path / "wiring.yml"), read_board())
    assert "wiring.yml has a wire on GP14, which the firmware does not use." in faults


def test_the_pico_has_26_gpio_8_grounds_and_6_supplies() -> None:
    """40 pins, each once (data sheet, section 2.1)."""
    pins = [*GP_TO_PIN.values(), *GROUND, *SUPPLY.values()]
    assert sorted(pins) == list(range(1, 41))
    assert len(GP_TO_PIN) == 26
    # four corners that everybody knows, and the I2C pairs of the first eight
    assert [GP_TO_PIN[gp] for gp in (0, 15, 16, 28)] == [1, 20, 21, 34]
    assert [i2c_of(gp) for gp in range(8)] == [0, 0, 1, 1, 0, 0, 1, 1]


def test_make_hardware_reads_the_wires_of_a_revision_that_was_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Elsewhere(Revision):
        folder = tmp_path / "rev3"

    shutil.copytree(REV1.folder, Elsewhere.folder)
    drawn = REV1.wiring.read_text(encoding="utf8")
    turned = drawn.replace("38, GP10, GP11,", "38, GP11, GP10,")
    assert turned != drawn
    (Elsewhere.folder / "wiring.yml").write_text(turned, encoding="utf8")
    monkeypatch.setattr(build, "REVISIONS", (REV1, REV2, Elsewhere("rev3", "pico.py")))
    assert build.main() == 1
    assert (
        "the button UP on GP10, but wiring.yml does not lead GP10 to UP" in capsys.readouterr().err
    )


def test_no_wire_of_the_twin_is_drawn_elsewhere() -> None:
    """The twin writes its harness down again; the three must agree."""
    from hardware.twin.wiring import PICO

    board = read_board()
    assert (PICO.reader_tx, PICO.reader_rx, PICO.reader_reset, PICO.reader_irq) == (
        board.reader_tx,
        board.reader_rx,
        board.reader_reset,
        board.reader_irq,
    )
    assert (PICO.oled_sda, PICO.oled_scl) == (board.display_sda, board.display_scl)
    assert (PICO.buttons, PICO.buzzer) == (board.buttons, board.buzzer)


# --- pictures ----------------------------------------------------------------------------------


def words(svg: bytes) -> list[str]:
    return sorted(
        element.text or ""
        for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    )


def drawn_alike(committed: bytes) -> bool:
    """Has this machine the graphviz and the font of the committed picture?"""
    version = subprocess.run(["dot", "-V"], capture_output=True, text=True, check=True).stderr
    number = version.split("version ")[1].strip()
    font = ""
    if shutil.which("fc-match"):
        matched = subprocess.run(["fc-match", "DejaVu Sans"], capture_output=True, text=True)
        font = matched.stdout
    return f"graphviz version {number}".encode() in committed and "DejaVuSans.ttf" in font


def test_the_pictures_are_fresh_and_byte_stable(needs: Callable[[str], str]) -> None:
    needs("dot")
    committed = (PICTURES / "wiring.svg").read_bytes()
    first, second = wiring.draw_wiring(), wiring.draw_wiring()
    assert first == second
    assert words(first["wiring.svg"]) == words(committed), "run `make hardware`"
    if drawn_alike(committed):
        assert first["wiring.svg"] == committed, "run `make hardware`"


def test_the_picture_names_every_wire() -> None:
    shown = " ".join(words((PICTURES / "wiring.svg").read_bytes()))
    for wire in wiring.load_wiring().wires:
        for end in wire:
            assert f"{end.connector}:{end.pin}:{end.label}" in shown
