"""`make release`: the same bytes whenever and wherever it is built; and what a Pico makes of its
UF2 files: a model of both boot ROMs, then littlefs as MicroPython mounts it.
"""

import hashlib
import os
import resource
import struct
import subprocess
import sys
import tarfile
from contextlib import nullcontext
from pathlib import Path
from zipfile import ZipFile

import pytest
from click.testing import CliRunner
from littlefs import LittleFS, UserContext

from host_tools.box.firmware.build import Build
from host_tools.box.firmware.build import build as build_firmware
from host_tools.box.firmware.image import board_of, write_image
from host_tools.commands import firmware as commands
from host_tools.core.errors import UserError
from tools import release as releasing

ROOT = Path(__file__).resolve().parent.parent
LIMIT_S = 500
KB = 1024
# Worked out by hand from the boards' definitions in MicroPython's ports/rp2: the flash begins at
# 0x10000000, the file system ends where the flash does
BOARDS = {
    "RPI_PICO": (0x100A0000, 1408 * KB, 2048 * KB),
    "RPI_PICO_W": (0x1012C000, 848 * KB, 2048 * KB),
    "RPI_PICO2": (0x10100000, 3072 * KB, 4096 * KB),
    "RPI_PICO2_W": (0x10180000, 2560 * KB, 4096 * KB),
}
XIP = 0x10000000
SECTOR = 4096
FOLDER = 2  # LFS_TYPE_DIR


def build(root: Path, out: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, root / "tools/release.py", out],
        env={**os.environ, "PYTHONPATH": str(root), **variables},
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release") / "dist"
    done = build(ROOT, folder)
    assert done.returncode == 0, done.stderr
    return folder


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_built_again_elsewhere_from_its_own_sources_it_is_the_same(
    dist: Path, tmp_path: Path
) -> None:
    with tarfile.open(dist / "schiri-0.1.0.tar.gz") as sources:
        sources.extractall(tmp_path)  # ours: nothing in it leaves the folder
    again = tmp_path / "again"
    again.mkdir()
    (again / "schiri-0.0.9.tar.gz").write_bytes(b"an older one, which goes")
    (again / "mine.txt").write_bytes(b"stays")
    done = build(tmp_path / "schiri-0.1.0", again, TZ="Asia/Tokyo", LC_ALL="C")
    assert done.returncode == 0, done.stderr
    assert files_of(again) == {**files_of(dist), "mine.txt": b"stays"}


def test_the_sums_are_those_of_all_other_files(dist: Path) -> None:
    rows = [line.split("  ") for line in (dist / "SHA256SUMS").read_text("utf8").splitlines()]
    found = files_of(dist)
    del found["SHA256SUMS"]
    assert {name: digest for digest, name in rows} == {
        name: hashlib.sha256(data).hexdigest() for name, data in found.items()
    }
    assert len(found) == 8


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return build_firmware(tmp_path_factory.mktemp("build"))


def test_the_command_writes_the_same_uf2(
    dist: Path, built: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "temporary_build", lambda _sources: nullcontext(built))
    words = ["image", "--board", "rpi_pico2_w", "--out", str(tmp_path / "new")]
    done = CliRunner().invoke(commands.firmware, words, catch_exceptions=False)
    name = "schiri-0.1.0-RPI_PICO2_W.uf2"
    assert done.output.startswith(f"{tmp_path}/new/{name}: ")
    assert (tmp_path / "new" / name).read_bytes() == (dist / name).read_bytes()


# -- what a Pico makes of it ----------------------------------------------------------------------


class BootRom:
    """Takes a UF2 file as `virtual_disk.c` of the RP2040's boot ROM does, or `usb_virtual_disk.c`
    and `varm_nsboot.c` of the RP2350's, where there is no partition table.
    """

    def __init__(self, flash: bytearray, rp2350: bool) -> None:
        self.flash = flash
        self.rp2350 = rp2350
        self.restarted = False

    def copy(self, uf2: bytes) -> None:
        erased: set[int] = set()
        taken: set[int] = set()
        for at in range(0, len(uf2), 512):
            magic, second, flags, address, size, number, count, family = struct.unpack_from(
                "<8I", uf2, at
            )
            (last,) = struct.unpack_from("<I", uf2, at + 508)
            assert (magic, second, last) == (0x0A324655, 0x9E5D5157, 0x0AB16F30)
            assert (flags, size) == (0x2000, 256)
            if not self._takes(family):
                continue
            assert number < count
            assert address % 256 == 0
            start = address - XIP
            # erratum E14: the RP2040 notes what it has erased by numbers of blocks
            unit = start // SECTOR if self.rp2350 else number * 256 // SECTOR
            if unit not in erased:
                erased.add(unit)
                sector = start // SECTOR * SECTOR
                self.flash[sector : sector + SECTOR] = b"\xff" * SECTOR
            for n in range(256):
                self.flash[start + n] &= uf2[at + 32 + n]
            taken.add(number)
            self.restarted = len(taken) == count

    def _takes(self, family: int) -> bool:
        if self.rp2350:  # absolute, Arm, RISC-V; not "data"
            return family in (0xE48BFF57, 0xE48BFF59, 0xE48BFF5A)
        return family == 0xE48BFF56


def mounted(flash: bytes, size: int) -> LittleFS:
    """As ports/rp2/modules/_boot.py and extmod/vfs_lfsx.c mount it; an error if that fails."""
    disk = LittleFS(
        context=UserContext(buffer=bytearray(flash[-size:])),
        mount=False,
        block_size=SECTOR,
        block_count=size // SECTOR,
        read_size=32,
        prog_size=256,
        cache_size=1024,
        lookahead_size=32,
        block_cycles=100,
    )
    disk.mount()
    return disk


def used_flash(size: int, whole: int) -> bytearray:
    """A flash with MicroPython in front (here: a pattern) and a file system much used."""
    empty = UserContext(size)
    disk = LittleFS(
        context=empty, block_size=SECTOR, block_count=size // SECTOR, prog_size=256, read_size=32
    )
    for n in range(size // SECTOR // 6):
        disk.makedirs(f"/box/old{n}", exist_ok=True)
        for text in ("first", "second"):
            with disk.open(f"/box/old{n}/main.py", "wb") as file:
                file.write(text.encode() * 700)
    disk.unmount()
    return bytearray(bytes(range(256)) * ((whole - size) // 256)) + empty.buffer


def contents(disk: LittleFS) -> dict[str, bytes]:
    found = {}
    for folder, _, names in disk.walk("/"):
        for name in names:
            path = f"{folder.rstrip('/')}/{name}"
            with disk.open(path, "rb") as file:
                found[path[1:]] = file.read()
    return found


@pytest.mark.parametrize("name", BOARDS)
def test_dragged_onto_a_used_pico_it_is_the_firmware_and_nothing_else(
    dist: Path, name: str
) -> None:
    """Also the blocks that the file leaves alone, full of an older file system, do no harm."""
    address, size, whole = BOARDS[name]
    flash = used_flash(size, whole)
    in_front = bytes(flash[: whole - size])
    assert address == XIP + len(in_front)
    rom = BootRom(flash, rp2350="PICO2" in name)
    rom.copy((dist / f"schiri-0.1.0-{name}.uf2").read_bytes())
    assert rom.restarted
    assert bytes(flash[: whole - size]) == in_front
    with ZipFile(dist / "schiri-0.1.0-firmware.zip") as archive:
        files = {entry: archive.read(entry) for entry in archive.namelist()}
    if not name.endswith("_W"):  # what speaks MQTT is of use with a radio only
        air = [f"firmware/{path}.mpy" for path in ("app/air", "drivers/mqtt", "drivers/radio")]
        files = {path: files[path] for path in files if path[len("box/fw-a/") :] not in air}
        rows = files["box/fw-a/files.txt"].decode().splitlines(keepends=True)
        kept = [row for row in rows if row.split()[2] not in air]
        assert len(kept) == len(rows) - 3
        files["box/fw-a/files.txt"] = "".join(kept).encode()
    assert {"main.py", "slots.mpy", "box/fw-a/files.txt", "box/fw-a/firmware/main.mpy"} <= {*files}
    disk = mounted(flash, size)
    assert disk.fs_stat().disk_version == 0x00020001, "MicroPython 1.20 would refuse more"
    assert contents(disk) == files
    for n in range(20):  # the box goes on: an update, matches
        with disk.open(f"/box/match{n}", "wb") as file:
            file.write(bytes([n]) * 9_000)
    disk.unmount()
    after = contents(mounted(disk.context.buffer, size))
    assert after == {**files, **{f"box/match{n}": bytes([n]) * 9_000 for n in range(20)}}


def test_the_emulator_knows_the_same_places() -> None:
    """A second source: rp2040py's own table."""
    from rp2040py.boards import BOARDS as EMULATED
    from rp2040py.boards import resolve_layout

    for ours, theirs in (("RPI_PICO", "pico"), ("RPI_PICO_W", "pico_w")):
        layout = resolve_layout(EMULATED[theirs], "micropython")
        assert layout is not None
        address, size, _ = BOARDS[ours]
        assert (layout.fs_start, layout.fs_blockcount * SECTOR) == (address - XIP, size)


# -- what does not go -----------------------------------------------------------------------------


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = build(ROOT, tmp_path / "file/dist")
    said = f"release: {tmp_path}/file/dist: cannot be written: Not a directory.\n"
    assert (done.returncode, done.stderr) == (3, said)


@pytest.mark.parametrize(
    ("name", "boards"), [("", "--board ''"), ("ESP32_GENERIC", "--board 'ESP32_GENERIC'")]
)
def test_which_board(name: str, boards: str, tmp_path: Path) -> None:
    words = ["image", "--board", name, "--out", str(tmp_path)]
    error = CliRunner().invoke(commands.firmware, words).exception
    assert isinstance(error, UserError)
    assert str(error) == f"{boards}: which Pico is it? {', '.join(BOARDS)}"


def test_a_full_disk_leaves_no_half_of_a_uf2(built: Build, tmp_path: Path) -> None:
    """A file may have 100 kB here, less than the image has: the system refuses the rest."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        with pytest.raises(UserError) as fault:
            write_image(built, board_of("RPI_PICO"), tmp_path / "new")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    path = tmp_path / "new/schiri-0.1.0-RPI_PICO.uf2"
    assert str(fault.value) == f"{path}: cannot be written: File too large."
    assert fault.value.exit_code == 3
    assert list((tmp_path / "new").iterdir()) == []


def test_the_notes_are_the_section_of_the_version(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(releasing, "ROOT", tmp_path)
    text = "# Changelog\n\n## 0.10.0\n\nMore.\n\n## 0.1.0 (2026)\n\n- One.\n\n## 0.0.9\n\n- Old.\n"
    (tmp_path / "CHANGELOG.md").write_text(text, encoding="utf8")
    assert releasing._notes("0.1.0") == "## 0.1.0 (2026)\n\n- One.\n"
    with pytest.raises(UserError, match=r"no heading `## 0\.2\.0`"):
        releasing._notes("0.2.0")
