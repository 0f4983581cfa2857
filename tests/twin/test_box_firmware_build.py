"""What goes onto the box: it compiles, it imports only what the RP2 has, and the lists about it
are true.
"""

import builtins
import hashlib
import importlib.metadata
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner
from host_tools.box.firmware.flash import clear_script, flash
from host_tools.box.firmware.lean import lean

from host_tools.box.firmware.build import MAIN_PY, Build, build, temporary_build
from host_tools.box.firmware.sources import ROOT, Source, closure
from host_tools.commands.firmware import firmware
from host_tools.core.errors import UserError
from tests.twin.rp2_modules import RADIO_MODULES, RP2_MODULES

STUBS = "micropython-rp2-rpi_pico-stubs"
STDLIB_STUBS = "micropython-stdlib-stubs"
# in the list of a running Pico, but not in the stubs' files: the interpreter's own names
WITHOUT_STUB = {"builtins"}
CODE = [source for source in closure() if not source.is_texts]
LEAN = lean(
    {source.module: source.path.read_text(encoding="utf8") for source in CODE},
    frozenset(source.module for source in CODE if source.path.stem == "__init__"),
)
START = ("main.py", "slots.mpy", "files.txt")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return build(tmp_path_factory.mktemp("out"))


@pytest.mark.parametrize("source", closure(), ids=lambda source: source.module)
def test_a_module_of_the_box_imports_only_what_the_rp2_has(source: Source) -> None:
    # `traceback` is imported only where `sys.print_exception` is missing: on CPython
    more = RADIO_MODULES if source.module == "firmware.boards.radio" else frozenset()
    assert source.builtins - {"traceback"} <= RP2_MODULES | more


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
    assert {"main.py", "firmware/main.mpy", "firmware/__init__.mpy"} <= paths
    assert "firmware/boards/pico.mpy" in paths
    ours = paths - {"main.py", "slots.mpy", "files.txt", "firmware/names.txt"}
    # what each file holds is shown by test_box_firmware_lean.py
    assert ours < {source.target for source in closure()}
    assert {file for file in ours if file.endswith(".mpy")} == {
        source.target for source in CODE if source.module in LEAN.texts
    }
    assert {source.target for source in closure() if source.is_texts} <= ours
    assert (built.folder / "box/main.py").read_text(encoding="utf8") == MAIN_PY


def test_host_code_stays_at_home(built: Build) -> None:
    assert not [file for file in built.files if file.path.startswith(("host_tools", "hardware"))]


def test_files_json_and_the_mip_index_tell_the_truth(built: Build) -> None:
    listed = json.loads((built.folder / "files.json").read_text(encoding="utf8"))
    rows = listed["files"]
    for row in rows:
        data = (built.folder / "box" / row["path"]).read_bytes()
        assert (row["size"], row["sha256"]) == (len(data), hashlib.sha256(data).hexdigest())
    index = json.loads((built.folder / "package.json").read_text(encoding="utf8"))
    roots = {"main.py", "slots.mpy"}
    targets = {row["path"] if row["path"] in roots else f"box/fw-a/{row['path']}" for row in rows}
    assert {target for target, _ in index["urls"]} == targets
    assert index["urls"][-3][0] == "box/fw-a/files.txt", "a slot with its list is whole"
    assert all((built.folder / source).is_file() for _, source in index["urls"])
    assert index["version"] == listed["version"]


def test_the_manifest_names_every_module(built: Build) -> None:
    named: list[str] = []

    def package(name: str, files: tuple[str, ...], base_path: str, opt: int) -> None:
        named.extend(f"{name}/{file}" for file in files)
        assert all((Path(base_path) / name / file).is_file() for file in files)

    script = (built.folder / "manifest.py").read_text(encoding="utf8")
    exec(script, {"package": package, "module": lambda name, base_path, opt=0: named.append(name)})
    expected = [source.path.relative_to(ROOT).as_posix() for source in closure()]
    assert sorted(named) == sorted([*expected, "main.py", "slots.py"])


def test_the_sizes_add_up(built: Build) -> None:
    assert sum(built.by_room().values()) == built.total
    start = sum((built.folder / "box" / f).stat().st_size for f in START)
    assert built.by_room()["start"] == start


class Mpremote:
    """Stands in for the tool: notes what it is asked and answers from a plan {word: (code,
    stderr)}.
    """

    def __init__(self, plan: dict[str, tuple[int, str]]) -> None:
        self.plan = plan
        self.asked: list[list[str]] = []

    def __call__(self, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
        self.asked.append(list(words))
        code, errors = self.plan.get(words[2], (0, ""))
        return subprocess.CompletedProcess(list(words), code, stdout="", stderr=errors)


def test_flashing_clears_copies_and_resets_and_leaves_the_matches(built: Build) -> None:
    tool = Mpremote({})
    flash(built, "/dev/box", tool)
    assert [words[:3] for words in tool.asked] == [
        ["connect", "/dev/box", "exec"],
        ["connect", "/dev/box", "fs"],
        ["connect", "/dev/box", "fs"],
        ["connect", "/dev/box", "reset"],
    ]
    firmware_words, loader_words = tool.asked[1][3:], tool.asked[2][3:]
    assert firmware_words[:2] == ["cp", "-r"]
    names = [Path(path).name for path in firmware_words[2:-1]]
    assert names == ["card_tags", "files.txt", "firmware"]
    assert firmware_words[-1] == ":/box/fw-a/"
    assert [Path(path).name for path in loader_words[1:-1]] == ["main.py", "slots.mpy"]
    assert loader_words[-1] == ":/"


def test_clearing_removes_every_firmware_and_no_match(tmp_path: Path) -> None:
    """The script of the box, run on a folder that stands for its flash root."""
    for name in ("firmware/app/old.mpy", "box/fw-a/firmware/x.mpy", "box/fw-b/files.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("", encoding="utf8")
    for name in ("slot.0", "slot.1", "m000001.end", "settings.0"):
        (tmp_path / "box" / name).write_text("", encoding="utf8")
    script = clear_script()
    for path in ("'/", '"/'):
        script = script.replace(path + "b", f"{path[0]}{tmp_path}/b")
        script = script.replace(path + "f", f"{path[0]}{tmp_path}/f")
        script = script.replace(path + "c", f"{path[0]}{tmp_path}/c")
    exec(script, {"os": FlashOs, "__builtins__": {**vars(builtins), "__import__": flash_os}})
    left = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*"))
    assert left == ["box", "box/fw-a", "box/m000001.end", "box/settings.0"]


class FlashOs:
    """MicroPython's `os` as far as the script needs it."""

    remove, rmdir, mkdir = staticmethod(os.remove), staticmethod(os.rmdir), staticmethod(os.mkdir)

    @staticmethod
    def ilistdir(path: str) -> list[tuple[str, int, int, int]]:
        return [(e.name, 0x4000 if e.is_dir() else 0x8000, 0, 0) for e in os.scandir(path)]


def flash_os(name: str, *rest: object) -> type[FlashOs]:
    assert name == "os"
    return FlashOs


@pytest.mark.parametrize(
    ("plan", "named"),
    [
        (
            {"exec": (1, "mpremote: failed to access /dev/box (it may be in use)")},
            "No box answers",
        ),
        ({"fs": (1, "Traceback\nOSError: 28")}, "failed while copying the firmware: OSError: 28"),
        ({"reset": (2, "")}, "failed while resetting"),
    ],
)
def test_a_failed_flash_is_one_sentence(
    built: Build, plan: dict[str, tuple[int, str]], named: str
) -> None:
    with pytest.raises(UserError, match=named) as caught:
        flash(built, "/dev/box", Mpremote(plan))
    assert caught.value.exit_code == 3


STAND_IN = """
import json, os, sys
with open(os.environ["ASKED"], "a") as file:
    file.write(json.dumps(sys.argv[1:]) + "\\n")
if os.environ.get("FAILS") in sys.argv:
    sys.exit("mpremote: failed to access /dev/box (it may be in use by another program)")
"""


@pytest.mark.parametrize("fails", ["", "exec"])
def test_make_flash_calls_mpremote_as_a_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    """The whole command with another program in mpremote's place, in a process of its own."""
    (tmp_path / "mpremote.py").write_text(STAND_IN, encoding="utf8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("ASKED", str(tmp_path / "asked"))
    monkeypatch.setenv("FAILS", fails or "nothing")
    outcome = CliRunner().invoke(firmware, ["flash", "--port", "/dev/box"])
    asked = (tmp_path / "asked").read_text(encoding="utf8").splitlines()
    if fails:
        assert "No box answers at /dev/box" in str(outcome.exception)
        assert len(asked) == 1
    else:
        assert "bytes on the box at /dev/box; it restarts." in outcome.output
        assert [json.loads(line)[2] for line in asked] == ["exec", "fs", "fs", "reset"]


def test_the_commands_speak_to_people(tmp_path: Path) -> None:
    runner = CliRunner()
    shown = runner.invoke(firmware, ["build", "--out", str(tmp_path / "out")])
    assert shown.exit_code == 0
    assert "firmware/rules" in shown.output
    sizes = runner.invoke(firmware, ["build", "--out", str(tmp_path / "out"), "--json"])
    assert json.loads(sizes.output)["rooms"]["start"] > len(MAIN_PY)
    refused = runner.invoke(firmware, ["flash"])
    assert isinstance(refused.exception, UserError)


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
