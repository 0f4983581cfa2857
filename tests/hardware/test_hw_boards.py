"""The four boards that a box may have: their files of `firmware/boards` against each other, sizes
that are not ours, and MicroPython's types for each of them.
"""

import os
import subprocess
import sys
import time
from types import ModuleType

import pytest

from firmware.boards import pico, pico_2, pico_2_w, pico_w
from hardware.revision import ROOT
from tests.processes import LIMIT_S

KB = 1024
FILES = (pico, pico_w, pico_2, pico_2_w)


@pytest.mark.parametrize("board", FILES[1:])
def test_every_board_has_the_same_pins(board: ModuleType) -> None:
    def pins(module: ModuleType) -> dict[str, object]:
        words = ("READER", "DISPLAY", "BUTTON", "BUZZER")
        return {name: vars(module)[name] for name in dir(module) if name.split("_")[0] in words}

    assert len(pins(pico)) == 7 + 6 + 2
    assert pins(board) == pins(pico)
    assert board.STORAGE == pico.STORAGE


def test_every_board_has_a_name_of_its_own() -> None:
    assert len({board.NAME for board in FILES}) == 4
    assert len({board.MACHINE for board in FILES}) == 4


@pytest.mark.parametrize(
    ("board", "interpreter_kb", "built"),
    [(pico, 448, 389_624), (pico_w, 832, 822_732), (pico_2, 960, 380_548), (pico_2_w, 960, 0)],
)
def test_the_flash_is_cut_so_that_the_interpreter_fits(
    board: ModuleType, interpreter_kb: int, built: int
) -> None:
    """Two slots of 288 kB, a file system of 1024 kB (Pico W 640, Pico 2 and 2 W 2560), and the
    bytes of an interpreter that was built; that of a Pico 2 W was not told.
    """
    assert board.SLOTS_BYTES == 2 * 288 * KB
    assert {pico: 1024, pico_w: 640}.get(board, 2560) * KB == board.STORAGE_BYTES
    left = board.FLASH_BYTES - board.SLOTS_BYTES - board.STORAGE_BYTES
    assert left == interpreter_kb * KB > built


@pytest.mark.parametrize("board", [pico_2, pico_2_w])
def test_sizes_of_the_boards_with_an_rp2350(board: ModuleType) -> None:
    assert board.RAM_BYTES == 532_480  # RP2350 data sheet, 1.2: 520 kB
    assert board.FLASH_BYTES == 4_194_304


@pytest.mark.parametrize(
    ("machine", "done"),
    [
        ("Raspberry Pi Pico with RP2040", [("voltage", 0xC1), ("clock", 200_000_000)]),
        ("Raspberry Pi Pico W with RP2040", [("voltage", 0xC1), ("clock", 200_000_000)]),
        ("Raspberry Pi Pico2 with RP2350", []),
    ],
)
def test_an_rp2040_gets_its_voltage_before_its_speed(
    machine: str, done: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """RP2040 data sheet 2.10.7: VREG is 0xB1 after a reset; 0xC in bits 7 to 4 is 1.15 V."""
    log: list[tuple[str, int]] = []

    class Registers:
        def __getitem__(self, address: int) -> int:
            assert address == 0x4006_4000
            return 0xB1

        def __setitem__(self, address: int, value: int) -> None:
            assert address == 0x4006_4000
            log.append(("voltage", value))

    fake = ModuleType("machine")
    vars(fake).update(mem32=Registers(), freq=lambda hertz: log.append(("clock", hertz)))
    monkeypatch.setitem(sys.modules, "machine", fake)
    monkeypatch.setattr(time, "sleep_ms", lambda ms: None, raising=False)
    monkeypatch.setattr(sys.implementation, "_machine", machine, raising=False)
    pico.full_speed()
    assert log == done


@pytest.mark.long
@pytest.mark.parametrize("board", ["pico-w", "pico2", "pico2-w"])
def test_the_firmware_fits_the_types_of_every_board(board: str) -> None:
    """Those of a Pico are `make check`'s."""
    typings = ROOT / ".venv" / f"typings-{board}"
    assert (typings / "machine.pyi").is_file()
    told = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", "firmware/mypy.ini", "--no-incremental"],
        cwd=ROOT,
        env={**os.environ, "MYPYPATH": str(typings)},
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert told.returncode == 0, told.stdout
