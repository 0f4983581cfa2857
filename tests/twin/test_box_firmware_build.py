"""What goes onto the box: it compiles, it imports only what the RP2 has, and the lists about it
are true.
"""

import hashlib
import importlib.metadata
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from host_tools.box.firmware.build import (
    ABOUT_FILE,
    ROM,
    Build,
    build,
    compiled,
    find_mpy_cross,
    temporary_build,
)
from host_tools.box.firmware.signature import announced
from host_tools.box.firmware.sources import ROOT, closure
from host_tools.cli import schiri
from host_tools.commands import firmware as commands
from host_tools.core.errors import Exit, UserError
from tests.twin.rp2_modules import RADIO_MODULES, RP2_MODULES

STUBS = "micropython-rp2-rpi_pico-stubs"
STDLIB_STUBS = "micropython-stdlib-stubs"
# in the list of a running Pico, but not in the stubs' files: the interpreter's own names
WITHOUT_STUB = {"builtins"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return build(tmp_path_factory.mktemp("out"))


def test_a_module_of_the_box_imports_only_what_the_rp2_has() -> None:
    # `traceback` is imported only where `sys.print_exception` is missing: on CPython
    has = RP2_MODULES | {"traceback"}
    more = {"firmware.boards.radio": RADIO_MODULES}
    lacking = {
        source.module: source.builtins - has - more.get(source.module, frozenset())
        for source in closure()
    }
    assert {module: names for module, names in lacking.items() if names} == {}


def test_the_list_of_rp2_modules_is_that_of_the_stubs() -> None:
    stubbed = set()
    typings = str(Path(sys.prefix) / "typings")  # where tools/setup.sh puts them
    for package in (STUBS, STDLIB_STUBS):
        found = next(importlib.metadata.distributions(name=package, path=[typings]))
        for file in found.files or []:
            parts = [part for part in file.parts if part != "stdlib"]
            stubbed.add(parts[0].removesuffix(".pyi"))
    assert stubbed >= RP2_MODULES - WITHOUT_STUB


def test_everything_compiles_and_lies_where_imports_find_it(built: Build) -> None:
    paths = {file.path for file in built.files}
    assert {"firmware/main.mpy", "firmware/__init__.mpy", "firmware/boards/pico.mpy"} <= paths
    assert paths == {ABOUT_FILE, *(source.target for source in closure())}


def test_a_rom_says_what_it_is_for_those_who_sign_it(built: Build) -> None:
    version = re.search(r'^FIRMWARE = "(.+)"', (ROOT / "firmware/main.py").read_text("utf8"), re.M)
    assert version is not None
    assert announced(built.rom) == f"pico-1 {version[1]} - {built.sha256}"


def test_host_code_stays_at_home(built: Build) -> None:
    assert not [file for file in built.files if file.path.startswith(("host_tools", "hardware"))]


def test_the_rom_holds_every_file(
    built: Build, needs: Callable[[str], str], tmp_path: Path
) -> None:
    """As MicroPython itself mounts it."""
    needs("micropython")
    (tmp_path / "walk.py").write_text(WALK)
    rom = built.folder / ROM
    assert rom.read_bytes() == built.rom
    ran = subprocess.run(
        [sys.executable, "-m", "micropython_unix", str(tmp_path / "walk.py"), str(rom)],
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    told = dict(line.rsplit(" ", 1) for line in ran.stdout.splitlines())
    assert told == {
        f"/r/{file.path}": hashlib.sha256(
            (built.folder / "box" / file.path).read_bytes()
        ).hexdigest()
        for file in built.files
    }


WALK = """
import binascii, hashlib, os, sys, vfs
vfs.mount(vfs.VfsRom(open(sys.argv[1], "rb").read()), "/r")
def walk(folder):
    for name, kind, *_ in os.ilistdir(folder):
        path = folder + "/" + name
        if kind == 0x4000:
            walk(path)
        else:
            digest = hashlib.sha256(open(path, "rb").read()).digest()
            print(path, binascii.hexlify(digest).decode())
walk("/r")
"""


def test_a_traceback_has_the_path_and_the_lines_of_the_sources() -> None:
    code = compiled(find_mpy_cross(), "firmware/app/x.py", "\n\ndef f():\n    1 / 0\n")
    assert b"firmware/app/x.py" in code
    assert code != compiled(find_mpy_cross(), "firmware/app/x.py", "def f():\n    1 / 0\n")


def test_the_sizes_add_up(built: Build) -> None:
    assert sum(built.by_room().values()) == sum(file.size for file in built.files)
    assert 0 < len(built.rom) - sum(file.size for file in built.files) < 64 * len(built.files)


def test_late_and_relative_imports_are_found_and_those_for_the_checker_are_not(
    tmp_path: Path,
) -> None:
    app = tmp_path / "firmware" / "app"
    app.mkdir(parents=True)
    for folder in (tmp_path / "firmware", app):
        (folder / "__init__.py").write_text("", encoding="utf8")
    (tmp_path / "firmware/main.py").write_text(
        "from micropython import const\nTYPE_CHECKING = const(False)\n"
        "if TYPE_CHECKING:\n    from .app import checker\n    import typing\n"
        "def run():\n    from .app.late import show\n",
        encoding="utf8",
    )
    (app / "late.py").write_text("import struct\nfrom . import near\n", encoding="utf8")
    (app / "near.py").write_text("show = 1\n", encoding="utf8")
    (app / "checker.py").write_text("", encoding="utf8")
    found = {source.module: source.builtins for source in closure(tmp_path)}
    assert found == {
        "firmware": frozenset(),
        "firmware.main": frozenset({"micropython"}),
        "firmware.app": frozenset(),
        "firmware.app.late": frozenset({"struct"}),
        "firmware.app.near": frozenset(),
    }


@pytest.mark.parametrize(("size", "fits"), [(288 * 1024 - 4096, True), (288 * 1024 - 4095, False)])
def test_a_firmware_that_no_slot_can_hold_is_refused(
    size: int, fits: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slot is 288 kB; its last sector of 4 kB says whether it may run."""
    monkeypatch.setattr(commands, "build", lambda *_: Build(tmp_path, (), bytes(size)))
    ended = CliRunner().invoke(schiri, ["firmware", "--output", str(tmp_path), "--json"])
    if fits:
        assert (ended.exit_code, ended.exception) == (0, None)
    else:
        assert isinstance(ended.exception, UserError)
        assert ended.exception.exit_code == Exit.CHECK
        assert "has 290817 bytes and a slot room for 290816" in str(ended.exception)


def test_a_file_that_does_not_compile_is_named(tmp_path: Path) -> None:
    (tmp_path / "firmware").mkdir()
    (tmp_path / "firmware/__init__.py").write_text("", encoding="utf8")
    (tmp_path / "firmware/main.py").write_text("match 1:\n    case 1: pass\n", encoding="utf8")
    with pytest.raises(UserError, match=r"firmware/(main|__init__)\.py does not compile"):
        build(tmp_path / "out", tmp_path)


def test_the_folder_for_temporary_files_that_is_gone_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system's own: on Windows it is not /tmp."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "Temp"))
    said = f"{tmp_path}/Temp: cannot be written: No such file or directory."
    with pytest.raises(UserError, match=f"^{re.escape(said)}$"), temporary_build():
        pass


def test_without_any_folder_for_temporary_files_the_last_one_that_was_tried_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a full disk."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "gettempdir", none_can_be_written)
    with pytest.raises(UserError, match=f"^{re.escape(str(tmp_path))}: "), temporary_build():
        pass


def none_can_be_written() -> str:
    raise FileNotFoundError("no folder can be written")
