"""`make release`: the same bytes whenever and wherever it is built; and what a Pico makes of its
UF2 files: a model of both boot ROMs, then littlefs as MicroPython mounts it.
"""

import hashlib
import json
import os
import re
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

from firmware.app.slots import CodeFlash
from host_tools.box.firmware.build import Build
from host_tools.box.firmware.build import build as build_firmware
from host_tools.box.firmware.image import (
    board_of,
    flash_of,
    interpreter_of,
    slot_of,
    uf2,
    write_image,
)
from host_tools.cli import schiri
from host_tools.commands import firmware as commands
from host_tools.core.errors import UserError
from tests.host.test_help import ALL
from tools import release as releasing
from tools.registry import described
from tools.schemas import fits

ROOT = Path(__file__).resolve().parent.parent
LIMIT_S = 500
KB = 1024
# Worked out by hand (docs/decisions/flash-layout.md): the flash begins at 0x10000000, the file
# system ends where the flash does, the two slots of 288 kB end where the file system begins
BOARDS = {  # first slot, file system and its size, flash
    "RPI_PICO": (0x10070000, 0x10100000, 1024 * KB, 2048 * KB),
    "RPI_PICO_W": (0x100D0000, 0x10160000, 640 * KB, 2048 * KB),
    "RPI_PICO2": (0x100F0000, 0x10180000, 2560 * KB, 4096 * KB),
    "RPI_PICO2_W": (0x100F0000, 0x10180000, 2560 * KB, 4096 * KB),
}
SLOT = 288 * KB
INTERPRETER = bytes(range(1, 252)) * 1500  # stands for MicroPython: `make image` builds it
XIP = 0x10000000
SECTOR = 4096
FOLDER = 2  # LFS_TYPE_DIR


def build(root: Path, out: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, root / "tools/release.py", out, "--no-hardware"],  # tests/hardware
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


@pytest.mark.release
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


@pytest.mark.release
def test_the_sums_are_those_of_all_other_files(dist: Path) -> None:
    rows = [line.split("  ") for line in (dist / "SHA256SUMS").read_text("utf8").splitlines()]
    found = files_of(dist)
    del found["SHA256SUMS"]
    assert {name: digest for digest, name in rows} == {
        name: hashlib.sha256(data).hexdigest() for name, data in found.items()
    }
    assert len(found) in (6, 10)  # with images, where they were built


@pytest.mark.release
def test_the_manual_has_a_page_for_every_command(dist: Path) -> None:
    with ZipFile(dist / "schiri-0.1.0-man.zip") as pages:
        names = {name.removeprefix("man1/").removesuffix(".1") for name in pages.namelist()}
        enter = pages.read("man1/schiri-tournament-enter.1").decode()
    called = {
        re.sub(r" [^a-z].*$", "", path).replace(" ", "-")
        for path, context in ALL.items()
        if not context.command.hidden
    }
    assert called < names
    assert ".TH" in enter
    assert r"\fB\-\-winner\fP" in enter
    assert "\b" not in enter


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return build_firmware(tmp_path_factory.mktemp("build"))


def image_of(built: Build, name: str) -> bytes:
    board = board_of(name)
    return uf2(flash_of(built, board, INTERPRETER), board)


def test_the_command_takes_the_interpreter_of_a_release(
    built: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "temporary_build", lambda _sources: nullcontext(built))
    like = tmp_path / "like.uf2"
    write_image(built, board_of("RPI_PICO2_W"), INTERPRETER, like)
    words = [
        "firmware",
        "--board",
        "rpi_pico2_w",
        "--like",
        str(like),
        "--output",
        str(tmp_path / "new"),
    ]
    done = CliRunner().invoke(schiri, words, catch_exceptions=False)
    name = "schiri-0.1.0-RPI_PICO2_W.uf2"
    assert done.output.startswith(f"{tmp_path}/new/{name}: ")
    new = tmp_path / "new" / name
    assert new.read_bytes() == like.read_bytes()
    done = CliRunner().invoke(schiri, [*words, "--json"], catch_exceptions=False)
    data = json.loads(done.output)
    # of the file, as in the sentence, not of the firmware inside
    assert data == {"file": str(new), "board": "RPI_PICO2_W", "bytes": like.stat().st_size}
    assert fits("schiri firmware", data)


def test_the_image_of_another_board_is_refused(built: Build, tmp_path: Path) -> None:
    like = tmp_path / "like.uf2"
    for content in (b"", b"x" * 511, b"x" * 512, image_of(built, "RPI_PICO")):
        like.write_bytes(content)
        with pytest.raises(UserError, match=r"is no UF2 file of Schiri for RPI_PICO2\."):
            interpreter_of(like, board_of("RPI_PICO2"))


def test_what_has_no_room_is_one_sentence(built: Build) -> None:
    board = board_of("RPI_PICO")
    with pytest.raises(UserError, match="that is too much for RPI_PICO"):
        flash_of(built, board, bytes(448 * KB + 1))
    with pytest.raises(UserError, match="room for 290816; leave a game out"):
        slot_of(bytes(SLOT - SECTOR + 1), board)


@pytest.mark.parametrize("images", [True, False])
def test_what_is_printed_is_part_of_it_with_images_and_without(
    images: bool, built: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Path] = []
    monkeypatch.setattr(releasing, "temporary_build", lambda: nullcontext(built))
    monkeypatch.setattr(releasing, "_packages", lambda _folder: None)
    monkeypatch.setattr(releasing, "_image", lambda *_words: images)
    monkeypatch.setattr(releasing, "_hardware", made.append)
    releasing.release(tmp_path)
    assert made == [tmp_path]


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
def test_dragged_onto_a_used_pico_it_is_a_new_box(built: Build, name: str) -> None:
    """Also what the file leaves alone, full of older files and firmware, does no harm."""
    slots, storage, size, whole = BOARDS[name]
    flash = used_flash(size, whole)
    other = slot_of(built.rom, board_of(name))
    flash[slots - XIP + SLOT : slots - XIP + 2 * SLOT] = other
    rom = BootRom(flash, rp2350="PICO2" in name)
    rom.copy(image_of(built, name))
    assert rom.restarted
    assert flash.startswith(INTERPRETER)
    code = CodeFlash(None, memoryview(flash)[slots - XIP : storage - XIP])
    assert code.holds("fw-a") == (len(built.rom), hashlib.sha256(built.rom).digest())
    assert code.holds("fw-b") is None, "an older firmware is none any more"
    assert flash[slots - XIP :].startswith(built.rom)
    disk = mounted(flash, size)
    assert disk.fs_stat().disk_version == 0x00020001, "MicroPython 1.20 would refuse more"
    assert contents(disk) == {}
    for n in range(20):  # the box goes on
        disk.makedirs("/box", exist_ok=True)
        with disk.open(f"/box/match{n}", "wb") as file:
            file.write(bytes([n]) * 9_000)
    disk.unmount()
    after = contents(mounted(disk.context.buffer, size))
    assert after == {f"box/match{n}": bytes([n]) * 9_000 for n in range(20)}


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
    words = ["firmware", "--board", name, "--like", "x.uf2", "--output", str(tmp_path)]
    error = CliRunner().invoke(schiri, words).exception
    assert isinstance(error, UserError)
    assert str(error) == f"{boards}: which Pico is it? {', '.join(BOARDS)}"


def test_a_full_disk_leaves_no_half_of_a_uf2(built: Build, tmp_path: Path) -> None:
    """A file may have 100 kB here, less than the image has: the system refuses the rest."""
    path = tmp_path / "new/schiri-0.1.0-RPI_PICO.uf2"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        with pytest.raises(UserError) as fault:
            write_image(built, board_of("RPI_PICO"), INTERPRETER, path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
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


@pytest.mark.release
def test_the_notes_name_every_file_that_is_there_and_no_other(dist: Path) -> None:
    notes = (dist / "NOTES.md").read_text("utf8")
    named = {line.split("`")[1] for line in notes.splitlines() if line.startswith("| `")}
    assert named == {name for name in files_of(dist) if name != "NOTES.md"}
    without = not any(name.endswith(".uf2") for name in named)
    assert ("There is no image for a new box among them" in notes) == without


@pytest.mark.release
def test_the_parts_are_those_of_the_lock_files(dist: Path) -> None:
    told = json.loads((dist / "schiri-0.1.0.cdx.json").read_text("utf8"))
    lock = (ROOT / "requirements/run.lock").read_text("utf8").splitlines()
    pinned = {line.split(" ")[0].split(";")[0] for line in lock if line[:1].isalnum()}
    parts = {f"{row['name']}=={row['version']}" for row in told["components"]}
    ours = {"micropython-webassembly-pyscript==1.29.0-6", "idiomorph==0.8.0"}
    ours |= {"micropython==v1.28.0"} if any(dist.glob("*.uf2")) else set()
    assert parts == pinned | ours
    hashes = sum(len(row.get("hashes", ())) for row in told["components"])
    assert hashes == 2 + sum("--hash=sha256:" in line for line in lock)
    (root,) = (row for row in told["dependencies"] if row["ref"] == "schiri")
    assert len(root["dependsOn"]) == len(parts)
    # as their pages in the registries say; littlefs-python's metadata says nothing
    licences = {row["name"]: row.get("licenses", [{}])[0] for row in told["components"]}
    assert licences["click"] == {"license": {"id": "BSD-3-Clause"}}
    assert licences["fpdf2"] == {"license": {"id": "LGPL-3.0-only"}}
    assert licences["font-source-sans-pro"] == {"license": {"id": "OFL-1.1"}}
    assert licences["jinja2"] == {"license": {"name": "BSD License"}}
    assert licences["packaging"] == {"expression": "Apache-2.0 OR BSD-2-Clause"}
    assert {name for name, said in licences.items() if not said} == {"littlefs-python"}


class Clone:
    """A repository with what `make release VERSION=` looks at, one commit."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.write("pyproject.toml", '[project]\nversion = "0.1.0"\n')
        self.write("CHANGELOG.md", "## 0.1.0 (2026-12-31)\n\n### Added\n\n- A box.\n")
        self.git("init", "-q")
        self.commit()

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf8")

    def git(self, *words: str) -> None:
        names = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *names, *words], cwd=self.folder, check=True, timeout=LIMIT_S)

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "more")


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    monkeypatch.setattr(releasing, "ROOT", tmp_path)
    return Clone(tmp_path)


def test_a_release_is_the_commit_of_its_tag_or_has_none(clone: Clone) -> None:
    releasing.check("0.1.0")
    clone.git("tag", "v0.1.0")
    releasing.check("0.1.0")
    clone.write("more.md", "more")
    with pytest.raises(UserError, match=r"made of a commit, and more\.md was changed"):
        releasing.check("0.1.0")
    clone.commit()
    with pytest.raises(UserError, match=r"the tag v0\.1\.0 is at another commit"):
        releasing.check("0.1.0")


@pytest.mark.parametrize(
    ("notes", "why"),
    [
        ("## 0.1.0 (unreleased)\n\n### Added\n", r"says `## 0\.1\.0 \(unreleased\)`"),
        ("## 0.1.0 (2026-12-31)\n\n- A box.\n", "stands below headings `###` of these: Added,"),
        ("## 0.1.0 (2026-12-31)\n\n### Stuff\n", "stands below headings"),
        ("## 0.0.9 (2026-12-31)\n\n### Added\n", r"no heading `## 0\.1\.0`"),
    ],
)
def test_a_release_without_notes_for_users_is_refused(notes: str, why: str, clone: Clone) -> None:
    clone.write("CHANGELOG.md", notes)
    clone.commit()
    with pytest.raises(UserError, match=why):
        releasing.check("0.1.0")


def test_a_release_has_the_version_of_its_project(clone: Clone) -> None:
    with pytest.raises(UserError, match=r"pyproject\.toml says version 0\.1\.0, not 0\.2\.0"):
        releasing.check("0.2.0")


def test_what_is_new_stands_below_the_three_headings() -> None:
    """Of the version to come: a day more, and it can be released."""
    notes = releasing._notes("0.1.0").splitlines()
    kinds = [line for line in notes if line.startswith("#")][1:]
    assert kinds == ["### Added", "### Changed", "### Fixed"]
    steps = re.compile(r"\(\d{4}|tests?/|pytest")  # numbers of decisions, and other development
    assert [line for line in notes if steps.search(line)] == []


README = """# A

![box](docs/box.png) See [the guide](docs/a.md#b), [web](https://a.example/b).
[![cup](docs/cup.png)](docs/c.md)
"""


def test_a_registry_shows_pictures_where_somebody_says_their_address() -> None:
    assert described(README, "", "v1") == (
        "# A\n\n See the guide, [web](https://a.example/b).\n\n"
    )
    shown = described(README, "https://h.example/o/r", "v1")
    assert "![box](https://h.example/o/r/raw/v1/docs/box.png)" in shown
    assert "[the guide](https://h.example/o/r/blob/v1/docs/a.md#b)" in shown
    assert "(https://a.example/b)" in shown
    picture = "![cup](https://h.example/o/r/raw/v1/docs/cup.png)"
    assert f"[{picture}](https://h.example/o/r/blob/v1/docs/c.md)" in shown


def test_the_readme_leads_nowhere_from_a_registry() -> None:
    text = (ROOT / "README.md").read_text("utf8")
    assert "](" not in re.sub(r"\]\(https?:", "", described(text, "", "v1"))
    assert not re.search(
        r"\]\((?!https://h\.example/)", described(text, "https://h.example", "v1")
    )


@pytest.mark.release
def test_a_wheel_says_who_made_it_and_that_it_is_typed(dist: Path) -> None:
    with ZipFile(dist / "schiri-0.1.0-py3-none-any.whl") as wheel:
        told = wheel.read("schiri-0.1.0.dist-info/METADATA").decode()
        assert "schiri/py.typed" in wheel.namelist()
    head = told.partition("\n\n")[0].splitlines()
    assert "Author: Schiri contributors" in head
    assert "License-Expression: MIT" in head
    assert not any(line.startswith("Project-URL") for line in head)
    assert "Classifier: Typing :: Typed" in head
