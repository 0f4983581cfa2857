"""The real firmware, unmodified, on the twin: it boots, reads a tag, answers the line, and
survives a cut.
"""

from pathlib import Path

import pytest

from firmware.boards import carrier, north_screen, pico
from firmware.drivers import display
from hardware.twin.oled import Oled
from hardware.twin.session import TwinSession
from hardware.twin.tags import NtagTwin
from hardware.twin.wiring import PICO
from tests.twin.small_firmware import ENGINES

BOOT_MS = 5_000


def booted(engine: str, folder: Path) -> TwinSession:
    session = TwinSession(engine, folder / engine)
    session.boot()
    assert session.run_until(lambda: not session.screen().dark, BOOT_MS)
    return session


@pytest.mark.parametrize("engine", ENGINES)
def test_it_boots_to_a_picture_and_keeps_running(engine: str, tmp_path: Path) -> None:
    with booted(engine, tmp_path) as box:
        box.run_for(2_000)
        assert box.running
        assert box.resets == []
        assert not box.screen().dark


@pytest.mark.vm
def test_both_engines_show_the_same_pictures_and_sound_alike(tmp_path: Path) -> None:
    stories = []
    for engine in ("cpython", "micropython"):
        with booted(engine, tmp_path) as box:
            pictures = [box.screen()]
            box.on_screen(pictures.append)
            for button in ("down", "down", "ok", "up", "ok"):
                box.press(button)
                box.run_for(400)
            stories.append((pictures, [(sound.hz, sound.ms) for sound in box.sounds]))
    assert len(stories[0][0]) >= 3
    assert [p.text() for p in stories[0][0]] == [p.text() for p in stories[1][0]]
    assert [hz for hz, _ in stories[0][1]] == [hz for hz, _ in stories[1][1]]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_tag_that_is_not_ours_makes_a_sound_and_the_box_goes_on(
    engine: str, tmp_path: Path
) -> None:
    with booted(engine, tmp_path) as box:
        box.run_for(500)
        silent = len(box.sounds)
        box.field.place(NtagTwin.ntag213(uid=bytes.fromhex("04A1B2C3D4E5F6")))
        assert box.run_until(lambda: len(box.sounds) > silent, 2_000)
        box.field.clear()
        box.run_for(500)
        assert box.running


@pytest.mark.parametrize("engine", ENGINES)
def test_it_boots_again_after_a_power_cut(engine: str, tmp_path: Path) -> None:
    with booted(engine, tmp_path) as box:
        first = box.screen()
        box.cut_power()
        assert box.screen().dark
        box.boot()
        assert box.run_until(lambda: box.screen() == first, BOOT_MS)


def test_the_board_file_and_the_twin_draw_the_same_wiring() -> None:
    assert (
        PICO.reader_uart,
        PICO.reader_tx,
        PICO.reader_rx,
    ) == (pico.READER_UART, pico.READER_TX, pico.READER_RX)
    assert (PICO.reader_reset, PICO.reader_irq) == (pico.READER_RESET, pico.READER_IRQ)
    assert (
        PICO.oled_i2c,
        PICO.oled_sda,
        PICO.oled_scl,
    ) == (pico.DISPLAY_I2C, pico.DISPLAY_SDA, pico.DISPLAY_SCL)
    assert (
        PICO.north_i2c,
        PICO.north_sda,
        PICO.north_scl,
    ) == (north_screen.NORTH_I2C, north_screen.NORTH_SDA, north_screen.NORTH_SCL)
    assert Oled().address == display.ADDRESS
    assert PICO.keep_alive == carrier.KEEP_ALIVE_PIN
    assert PICO.buttons == pico.BUTTON_PINS
    assert PICO.buzzer == pico.BUZZER_PIN
