"""What only the real VM can show: its heap, its own modules, its printing, its death."""

import json
import subprocess
from pathlib import Path

import pytest

from hardware.twin.errors import TwinError
from hardware.twin.node import ROOT, find_node, find_vm
from hardware.twin.session import TwinSession
from hardware.twin.vm_engine import VmEngine
from host_tools.box.firmware.build import BOX_FOLDER, ROM, build
from tests.processes import LIMIT_S, started
from tests.twin.small_firmware import SAY, running, said, write_firmware

pytestmark = pytest.mark.vm
SHIM = ROOT / "hardware" / "twin" / "vm"

HEAP_LOCKED = (
    SAY
    + """
import gc, micropython, select
from machine import I2C, Pin, PWM, UART, WDT

def turns():
    pin = Pin(12, Pin.IN, Pin.PULL_UP)
    reset = Pin(7, Pin.OUT, value=1)
    uart = UART(0, 115200, tx=Pin(0), rx=Pin(1), timeout=0)
    bus = I2C(1, scl=Pin(3), sda=Pin(2), freq=400_000)
    pwm = PWM(Pin(15))
    dog = WDT(timeout=5000)
    buffer = bytearray(16)
    command = b"\\x00\\xaf"
    total = 0
    micropython.heap_lock()
    for _ in range(50):
        total += pin() + uart.any() + (time.ticks_ms() & 0) + (time.ticks_us() & 0)
        time.sleep_ms(1)
        time.sleep_us(20)
        reset(1)
        uart.write(command)
        uart.readinto(buffer, 8)
        bus.writeto(0x3C, command)
        pwm.freq(440)
        pwm.duty_u16(0)
        dog.feed()
        sys.stdin.buffer.readinto(buffer)
    micropython.heap_unlock()
    say("total", total)
    for _ in idle():
        yield
"""
)

GARBAGE = (
    SAY
    + """
def turns():
    keep = bytearray(20_000)
    while True:
        waste = bytes(1_000)
        yield
        time.sleep_ms(1)
"""
)


def test_the_shim_allocates_nothing_on_the_hot_path(tmp_path: Path) -> None:
    with running("micropython", tmp_path, HEAP_LOCKED) as box:
        assert said(box, 500) == ["total 50"]  # the button reads 1 each time


def test_garbage_is_collected_between_turns_and_the_heap_is_measured(tmp_path: Path) -> None:
    with running("micropython", tmp_path, GARBAGE) as box:
        box.run_for(20)
        first = box.heap()
        # 20 000 bytes are held; the module's own code is small
        assert 20_000 <= first.firmware < 30_000
        box.run_for(5_000)  # 5 MB of garbage
        assert abs(box.heap().firmware - first.firmware) <= 2_000
        assert "max free sz" in first.info


def test_only_the_vm_has_a_heap(tmp_path: Path) -> None:
    with running("cpython", tmp_path, GARBAGE) as box, pytest.raises(TwinError, match="heap"):
        box.heap()


def test_most_of_an_idle_loop_never_leaves_the_vm(tmp_path: Path) -> None:
    main = (
        SAY
        + """
from machine import Pin

def turns():
    pin = Pin(12, Pin.IN, Pin.PULL_UP)
    while True:
        pin()
        yield
        time.sleep_ms(1)
"""
    )
    with running("micropython", tmp_path, main) as box:
        box.run_for(100)
        engine = box.engine
        assert isinstance(engine, VmEngine)
        before = engine.exchanges
        box.run_for(1_000)
        # nothing happens for a second: one exchange for each look of the session (every 10 ms),
        # and a few for the deadline; the firmware itself made 1000 turns
        assert engine.exchanges - before <= 110


def test_print_goes_to_the_usb_line_as_on_a_pico(tmp_path: Path) -> None:
    main = SAY + "\ndef turns():\n    print('Grüße', 7)\n    for _ in idle():\n        yield\n"
    with running("micropython", tmp_path, main) as box:
        box.run_for(50)
        assert box.usb_read().replace(b"\r\n", b"\n") == "Grüße 7\n".encode()


def test_a_plain_endless_function_is_an_entry_too(tmp_path: Path) -> None:
    main = SAY + "\ndef turns():\n    while True:\n        say('x')\n        time.sleep_ms(10)\n"
    with running("micropython", tmp_path, main) as box:
        assert len(said(box, 100)) == 10


def test_two_boxes_side_by_side(tmp_path: Path) -> None:
    main = (
        SAY
        + "\nimport machine\n\ndef turns():\n    say(machine.unique_id()[-1])\n    yield\n"
        + ("    for _ in idle():\n        yield\n")
    )
    with (
        running("micropython", tmp_path / "a", main, seed=1) as one,
        running("micropython", tmp_path / "b", main, seed=2) as two,
    ):
        assert said(two) == ["2"]
        assert said(one) == ["1"]


def test_a_syntax_error_in_the_firmware_is_told(tmp_path: Path) -> None:
    with (
        running("micropython", tmp_path, "def turns(:\n") as box,
        pytest.raises(TwinError, match="SyntaxError"),
    ):
        box.run_for(10)


def test_a_missing_vm_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.twin.node.ROOT", tmp_path)
    with TwinSession("micropython", tmp_path / "flash") as box:
        box.boot()
        with pytest.raises(TwinError, match="make setup"):
            box.run_for(10)


def test_the_build_runs_from_a_rom_image_with_less_heap(tmp_path: Path) -> None:
    built = build(tmp_path / "build")
    used = []
    for sources in (tmp_path / "build" / BOX_FOLDER, built.folder / ROM):
        with TwinSession("micropython", tmp_path / "flash", sources=sources) as box:
            box.boot()
            assert box.run_until(lambda: not box.screen().dark, 5_000)
            used.append(box.heap().firmware)
    assert used[1] < used[0]


def test_a_vm_whose_twin_is_gone_ends_without_a_word(tmp_path: Path) -> None:
    """A program that ends in the middle of a match leaves no `EPIPE` on the terminal."""
    sources = write_firmware(tmp_path / "sources", SAY)
    trees = [(str(sources / "firmware"), "/firmware"), (str(SHIM), "/hardware/twin/vm")]
    plan = {"vm": find_vm().as_uri(), "trees": trees, "cpuUs": 5, "storage": "/box"}
    plan["entry"] = "firmware.main:idle"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with started([find_node(), str(SHIM / "runner.mjs"), json.dumps(plan)], **pipes) as vm:
        vm.stdout.close()  # it will write before it reads
        assert (vm.wait(LIMIT_S), vm.stderr.read()) == (0, b"")
