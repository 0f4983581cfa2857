"""A driver call that never returns ends in a reset, and the match goes on where it stood."""

from pathlib import Path

import pytest

from hardware.twin.session import TwinSession
from hardware.twin.vm import ops

from .pictures import stock
from .test_on_the_twin import ENGINES, Table

# what hangs -> the call of `machine` or of the flash that does not come back
HANGS = {
    "the reader holds its line": ops.UART_WRITE,
    "the reader's bytes never end": ops.UART_READ,
    "the display never answers": ops.I2C_WRITE,
    "the buzzer": ops.PWM_DUTY,
    "the flash stays busy": ops.FILE_FLUSH,
}
WATCHDOG_MS = 8_000
BOOT_MS = 3_000
MENU_MS = 1_500


def records(flash: Path) -> list[str]:
    return [line.split(" ", 3)[3] for line in (flash / "m000001.run").read_text().splitlines()]


def play_half_a_round(table: Table) -> None:
    table.box.boot()
    table.box.run_for(MENU_MS)
    table.press("ok", 800)  # start: Swiss, the first deck
    table.press("ok")  # seat 1 begins
    table.card("A1")


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("call", HANGS.values(), ids=HANGS)
def test_a_hang_ends_in_a_reset_and_the_match_goes_on(
    engine: str, call: int, tmp_path: Path
) -> None:
    stock(tmp_path)
    with TwinSession(engine, tmp_path, survive_resets=True) as box:
        table = Table(box)
        play_half_a_round(table)
        before = records(tmp_path)
        box.hang_on(call)
        box.press("ok")  # the category: drawn, sounded and written
        box.run_for(WATCHDOG_MS + BOOT_MS)
        assert box.resets == ["watchdog"]
        after = records(tmp_path)
        assert after[: len(before)] == before  # nothing that was shown is gone
        assert box.running
        table.press("ok")  # closes the news of the restart
        table.press("jury")
        table.press("ok")  # the clock goes on
        assert '"do":"resume"' in records(tmp_path)[-1]


def test_a_hang_while_starting_is_ended_too(tmp_path: Path) -> None:
    stock(tmp_path)
    with TwinSession("cpython", tmp_path, survive_resets=True) as box:
        play_half_a_round(Table(box))
        for _ in range(3):
            box.hang_on(ops.I2C_WRITE)
            box.reboot()
            box.run_for(WATCHDOG_MS + BOOT_MS)
        assert box.resets == ["watchdog"] * 3
        assert len(records(tmp_path)) >= 2
