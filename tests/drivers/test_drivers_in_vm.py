"""The drivers inside the real MicroPython VM: no heap in the idle poll, the same pixels."""

import json
import random
from pathlib import Path

import framebuf
import pytest

from hardware.twin.node import ROOT
from host_tools.replay.engine.session import VmSession

pytestmark = pytest.mark.vm
HERE = Path(__file__).parent
WIDTH, HEIGHT = 40, 24
STAMP = bytes.fromhex("3c4281a581423c00")
STRIP = bytes(range(0, 256, 8))  # two bands of 16 columns
STRIDE = 16


def driver_files() -> list[tuple[str, Path]]:
    sources = [ROOT / "firmware/__init__.py", *sorted((ROOT / "firmware/drivers").rglob("*.py"))]
    return [("/" + str(source.relative_to(ROOT)), source) for source in sources]


def test_an_idle_poll_takes_nothing_from_the_heap() -> None:
    with VmSession(HERE / "vm_idle_poll.py", driver_files()) as vm:
        started, lock_works, lists, writes = map(int, next(vm.talk([])).split())
    assert started
    assert lock_works
    assert lists > 100  # it has really polled
    assert writes > 100  # and sent pages again


def random_calls(chance: random.Random) -> list[tuple[str, list[int]]]:
    def place() -> int:
        return chance.randint(-10, 50)

    def size() -> int:
        return chance.randint(-2, 30)

    def part() -> list[int]:
        first = chance.randrange(STRIDE)
        return [first, chance.randint(1, STRIDE - first), chance.randint(9, 16)]

    makers = {
        "fill": lambda: [chance.randint(0, 1)],
        "pixel": lambda: [place(), place(), chance.randint(0, 1)],
        "hline": lambda: [place(), place(), size(), chance.randint(0, 1)],
        "rect": lambda: [place(), place(), size(), size(), 1, chance.randint(0, 1)],
        "fill_rect": lambda: [place(), place(), size(), size(), chance.randint(0, 1)],
        "blit": lambda: [place(), place(), chance.randint(-1, 1)],
        # first column, width, rows of a part of STRIP, then as for blit
        "part": lambda: [*part(), place(), place(), chance.randint(-1, 1)],
    }
    names = [name for name in makers if name != "fill"] * 3 + ["fill"]
    return [(name, makers[name]()) for name in chance.choices(names, k=chance.randint(1, 8))]


def draw_here(calls: list[tuple[str, list[int]]]) -> bytes:
    buffer = bytearray(WIDTH * HEIGHT // 8)
    frame = framebuf.FrameBuffer(buffer, WIDTH, HEIGHT, framebuf.MONO_VLSB)
    stamp = framebuf.FrameBuffer(bytearray(STAMP), 8, 8, framebuf.MONO_VLSB)
    for name, arguments in calls:
        if name == "blit":
            frame.blit(stamp, *arguments)
        elif name == "part":
            first, width, rows, *where = arguments
            view = memoryview(STRIP)[first:]
            frame.blit([view, width, rows, framebuf.MONO_VLSB, STRIDE], *where)
        else:
            getattr(frame, name)(*arguments)
    return bytes(buffer)


def test_framebuf_draws_the_same_pixels_here_and_there() -> None:
    chance = random.Random(29)
    pictures = [random_calls(chance) for _ in range(2000)]
    with VmSession(HERE / "vm_framebuf.py", []) as vm:
        there = list(vm.talk(json.dumps(calls) for calls in pictures))
    assert len(there) == len(pictures)
    for calls, picture in zip(pictures, there, strict=True):
        assert draw_here(calls).hex() == picture, calls
