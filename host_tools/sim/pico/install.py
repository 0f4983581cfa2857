"""Puts a build onto an emulated Pico over its serial console, as `make flash` on a real one."""

from collections.abc import Callable
from pathlib import Path

from host_tools.box.firmware.build import BOX_FOLDER, Build
from host_tools.sim.pico.emulator import EmulatedPico

# Runs on the Pico. Ctrl-C is data while a file comes; the USB line holds the laptop back itself.
_RECEIVER = """
import micropython, os, sys
def folder(path):
    try:
        os.mkdir(path)
    except OSError:
        pass
def put(path, size):
    micropython.kbd_intr(-1)
    room = memoryview(bytearray(1024))
    with open(path, "wb") as file:
        while size:
            got = sys.stdin.buffer.readinto(room[:min(size, 1024)])
            file.write(room[:got])
            size -= got
    micropython.kbd_intr(3)
"""


def install(pico: EmulatedPico, built: Build, report: Callable[[int, int], None]) -> None:
    """Copy slot and loader; `report(bytes so far, bytes in all)`. Leaves the Pico in its REPL."""
    pico.enter_repl()
    pico.execute(_RECEIVER)
    folders: set[str] = set()
    done = 0
    for path, file in built.on_box().items():
        _make_folders(pico, path, folders)
        _put(pico, path, (built.folder / BOX_FOLDER / file.path).read_bytes())
        done += file.size
        report(done, built.total)


def folders_of(path: str) -> list[str]:
    """Every folder on the way to a file: "/box", "/box/fw-a", …"""
    return [parent.as_posix() for parent in reversed(Path(path).parents[:-1])]


def _make_folders(pico: EmulatedPico, path: str, made: set[str]) -> None:
    for folder in folders_of(path):
        if folder not in made:
            made.add(folder)
            pico.execute(f"folder({folder!r})")


def _put(pico: EmulatedPico, path: str, data: bytes) -> None:
    pico.write(f"put({path!r}, {len(data)})\x04".encode() + data)
    pico.finish_command()
