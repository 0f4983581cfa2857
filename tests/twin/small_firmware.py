"""Small firmwares for the twin's own tests: one generator `turns`, as in the real main."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hardware.twin.session import TwinSession
from host_tools.box.firmware.build import rom_of

ENGINES = [pytest.param("cpython"), pytest.param("micropython", marks=pytest.mark.vm)]

ECHO = """
import select, sys, time

def turns():
    poller = select.poll()
    poller.register(sys.stdin, select.POLLIN)
    while True:
        while poller.poll(0):
            sys.stdout.buffer.write(sys.stdin.buffer.read(1))
        yield
        time.sleep_ms(5)
"""

SAY = """
import sys, time

def say(*words):
    sys.stdout.buffer.write((" ".join([str(word) for word in words]) + "\\n").encode())

def idle():
    while True:
        yield
        time.sleep_ms(5)
"""


def write_firmware(folder: Path, main: str) -> Path:
    """A source tree with this main.py; returns the folder to hand to a session."""
    for package in ("firmware", "card_tags"):
        (folder / package).mkdir(parents=True)
        (folder / package / "__init__.py").write_text("", encoding="utf8")
    (folder / "firmware" / "main.py").write_text(main, encoding="utf8")
    return folder


def for_engine(engine: str, sources: Path) -> Path:
    """A source tree as an engine takes it: the chip's runs a ROM, beside the tree."""
    if engine != "chip":
        return sources
    rom = sources.with_suffix(".romfs")
    rom.write_bytes(rom_of(sources))
    return rom


@contextmanager
def running(engine: str, folder: Path, main: str, **options: object) -> Iterator[TwinSession]:
    """A booted session on a small firmware, with its flash in `folder`."""
    sources = for_engine(engine, write_firmware(folder / "sources", main))
    session = TwinSession(engine, folder / "flash", sources=sources, **options)  # type: ignore[arg-type]
    with session:
        session.boot()
        yield session


def said(session: TwinSession, ms: int = 100) -> list[str]:
    """The lines the firmware says within `ms`."""
    session.run_for(ms)
    return session.usb_read().decode().splitlines()
