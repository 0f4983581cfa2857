"""The wheel, installed where no checkout is: one name in site-packages, and the commands work."""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).resolve().parent.parent
TRANSCRIPT = ROOT / "tests/transcripts/hattrick/ha-1-sixty-cards.ndjson"
PACKAGES = sysconfig.get_path("purelib")
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
    held = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert len(ours) > 400
    assert held == ours


def test_version(installed: Path, empty: Path) -> None:
    assert schiri(installed, empty, "--version") == "schiri, version 0.1.0\n"
    done = run(installed / "bin/python", "-m", "schiri", "--version", cwd=empty)
    assert done.stdout == "schiri, version 0.1.0\n"


def test_decks(installed: Path, empty: Path) -> None:
    told = schiri(installed, empty, "decks", "list")
    assert "berge" in told
    assert "gastro" in told


def test_replay(installed: Path, empty: Path) -> None:
    told = schiri(installed, empty, "replay", TRANSCRIPT, "--check", "--lang", "en")
    assert "14 answers and the result agree" in told


def test_demo(installed: Path, empty: Path) -> None:
    """A whole match on the twin in this process: rules, app, drivers, store, and their data."""
    words = ("--engine", "cpython", "--lang", "en", "--pictures", "none", "--folder", empty)
    told = schiri(installed, empty, "demo", *words)
    assert "RESULT SLIP" in told
    assert "verified" in told


@pytest.mark.parametrize(
    "words", [("replay", TRANSCRIPT), ("demo", "--folder", "."), ("twin", "box")]
)
def test_what_only_a_checkout_has_is_said_in_one_sentence(
    installed: Path, empty: Path, words: tuple[str | Path, ...]
) -> None:
    done = run(installed / "bin/schiri", *words, "--engine", "micropython", cwd=empty)
    assert done.returncode in (2, 3)
    assert done.stderr.count("\n") == 1, done.stderr
    assert "checkout" in done.stderr


def test_firmware_is_built_where_it_is_asked_for(installed: Path, empty: Path) -> None:
    compiler = Path(sys.executable).parent
    done = run(
        *(installed / "bin/schiri", "firmware", "build"),
        cwd=empty,
        PATH=f"{compiler}{os.pathsep}{os.environ['PATH']}",
    )
    assert done.returncode == 0, done.stderr
    assert list(empty.glob("build/box/**/main.mpy"))


def test_in_a_checkout_the_rooms_lie_beside_it(empty: Path) -> None:
    """The editable install of `make setup`: nothing is put on the path."""
    asked = (
        "import sys, schiri; before = [*sys.path]; schiri.add_rooms(); print(before == sys.path)"
    )
    assert run(sys.executable, "-c", asked, cwd=empty).stdout == "True\n"
