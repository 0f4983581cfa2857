"""What the peer tests share: a reader on a pty with one tag, and libnfc's programs."""

import os
import subprocess
import time
from collections.abc import Callable, Iterator

import pytest

from hardware.twin.reader_pty import ReaderPty
from hardware.twin.tags import NtagTwin

# a UID whose originality signature is public (hardware/twin/tag_models.py)
UID = bytes.fromhex("04E10CDA993C80")
PEER_LIMIT_S = 300
TRIES = 5
"""Strangers wait 50 to 100 ms for an answer, which a busy machine cannot promise; what the twin
does wrong it does wrong every time.
"""


@pytest.fixture
def tag() -> NtagTwin:
    """A factory-fresh NTAG213."""
    return NtagTwin.ntag213(UID)


@pytest.fixture
def reader(tag: NtagTwin) -> Iterator[ReaderPty]:
    """A reader in real time on a fresh pty; `tag` lies on it."""
    with ReaderPty() as device:
        with device.lock:
            device.field.place(tag)
        yield device


@pytest.fixture
def libnfc(
    reader: ReaderPty, needs: Callable[[str], str]
) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a libnfc program against the reader and returns what it printed when it succeeded."""

    def run(name: str, *arguments: str, answers: str = "") -> subprocess.CompletedProcess[str]:
        for _ in range(TRIES):
            done = subprocess.run(
                [needs(name), *arguments],
                env={**os.environ, "LIBNFC_DEVICE": f"pn532_uart:{reader.path}"},
                input=answers,
                capture_output=True,
                text=True,
                timeout=PEER_LIMIT_S,
                check=False,
            )
            if done.returncode == 0:
                break
        return done

    return run


def wait_until(condition: Callable[[], bool]) -> None:
    """Give a peer time to get somewhere."""
    deadline = time.monotonic() + PEER_LIMIT_S
    while not condition():
        if time.monotonic() > deadline:
            pytest.fail(f"the peer did not get there within {PEER_LIMIT_S} s")
        time.sleep(0.01)
