"""libnfc 1.8: nfc-list, nfc-poll and nfc-mfultralight, as Debian ships them."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hardware.twin.reader_pty import ReaderPty
from hardware.twin.tags import NtagTwin
from tests.peers.conftest import PEER_LIMIT_S, wait_until
from tests.processes import started

pytestmark = pytest.mark.peers

Libnfc = Callable[..., subprocess.CompletedProcess[str]]
NO_OTP_NO_LOCKS = "n\n" * 5
NTAG213_BYTES = 180
USER = slice(16, 160)


def test_nfc_list_finds_the_tag(libnfc: Libnfc) -> None:
    result = libnfc("nfc-list")
    assert result.returncode == 0
    assert "1 ISO14443A passive target(s) found" in result.stdout
    assert "ATQA (SENS_RES): 00  44" in result.stdout
    assert "UID (NFCID1): 04  e1  0c  da  99  3c  80" in result.stdout
    assert "SAK (SEL_RES): 00" in result.stdout


def test_nfc_list_works_again_after_its_power_down(libnfc: Libnfc) -> None:
    first, second = libnfc("nfc-list", "-t", "1"), libnfc("nfc-list", "-t", "1")
    assert first.stdout == second.stdout
    assert "04  e1  0c" in second.stdout


def test_nfc_list_of_an_empty_field(libnfc: Libnfc, reader: ReaderPty) -> None:
    with reader.lock:
        reader.field.clear()
    result = libnfc("nfc-list", "-t", "1")
    assert result.returncode == 0
    assert "target(s) found" not in result.stdout


def test_nfc_list_shows_both_of_two_tags(libnfc: Libnfc, reader: ReaderPty) -> None:
    with reader.lock:
        reader.field.place(NtagTwin.ntag215(bytes.fromhex("04DB0BDA993C80")))
    result = libnfc("nfc-list", "-t", "1")
    assert "2 ISO14443A passive target(s) found" in result.stdout
    assert "04  e1  0c  da  99  3c  80" in result.stdout
    assert "04  db  0b  da  99  3c  80" in result.stdout


def test_nfc_poll_sees_the_tag_come_and_go(
    reader: ReaderPty, tag: NtagTwin, needs: Callable[[str], str]
) -> None:
    with started(
        [needs("nfc-poll")],
        env={**os.environ, "LIBNFC_DEVICE": f"pn532_uart:{reader.path}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        # nfc-poll reads page 0 in a loop until the tag leaves
        wait_until(lambda: bool(reader.chip.commands.initiator.targets))
        with reader.lock:
            reader.field.remove(tag)
        output, complaints = process.communicate(timeout=PEER_LIMIT_S)
    assert process.returncode == 0
    assert "UID (NFCID1): 04  e1  0c  da  99  3c  80" in output
    assert "Waiting for card removing...done." in output
    assert "Target Released" in complaints


def test_nfc_mfultralight_reads_every_page(libnfc: Libnfc, tag: NtagTwin, tmp_path: Path) -> None:
    dump = tmp_path / "tag.bin"
    result = libnfc("nfc-mfultralight", "r", str(dump))
    assert "NTAG Type: NTAG213 (144 user bytes)" in result.stdout
    assert "Done, 45 of 45 pages read (0 pages failed)." in result.stdout
    read = dump.read_bytes()
    assert read[:16] == bytes.fromhex("04E10C61 DA993C80 FF480000 E1101200")
    assert read[USER] == tag.user


def test_nfc_mfultralight_writes_and_reads_back(
    libnfc: Libnfc, tag: NtagTwin, tmp_path: Path
) -> None:
    dump = tmp_path / "tag.bin"
    libnfc("nfc-mfultralight", "r", str(dump))
    image = bytearray(dump.read_bytes())
    assert len(image) == NTAG213_BYTES
    image[USER] = bytes(range(144))
    dump.write_bytes(image)
    result = libnfc("nfc-mfultralight", "w", str(dump), answers=NO_OTP_NO_LOCKS)
    assert "Done, 40 of 45 pages written (5 pages skipped, 0 pages failed)." in result.stdout
    assert tag.user == bytes(range(144))
    again = tmp_path / "again.bin"
    libnfc("nfc-mfultralight", "r", str(again))
    assert again.read_bytes()[USER] == bytes(range(144))
