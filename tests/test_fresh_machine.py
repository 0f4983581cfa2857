"""Set-up and doctor on a machine that lacks something; and that CI leaves no test out."""

import ast
import grp
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

from host_tools.box import finding
from host_tools.cli import main
from host_tools.commands.doctor import box_port
from tests.processes import started

ROOT = Path(__file__).resolve().parent.parent
LIMIT_S = 500


PYTEST = (sys.executable, "-m", "pytest", "-c", "pyproject.toml", "-p", "no:cacheprovider")


def outside() -> dict[str, str]:
    """The environment of a run of its own, outside the run that asks."""
    return {k: v for k, v in os.environ.items() if k != "CI" and not k.startswith("PYTEST_")}


def run_pytest(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Pytest in a process of its own."""
    return subprocess.run(
        [*PYTEST, *arguments],
        cwd=ROOT,
        env={**outside(), **variables},
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )


def write_tests(folder: Path, source: str, name: str = "test_sample.py") -> str:
    """A file of tests that has our settings."""
    (folder / "conftest.py").write_text("from tests.conftest import *\n", encoding="utf8")
    path = folder / name
    path.write_text(source, encoding="utf8")
    return str(path)


WAYS_OUT = {
    "mark": "import pytest\n@pytest.mark.skip(reason='later: mark')\ndef test_a(): pass\n",
    "xfail": "import pytest\n@pytest.mark.xfail(reason='later: xfail')\n"
    "def test_a(): assert False\n",
    "call": "import pytest\ndef test_a(): pytest.skip('later: call')\n",
    "module": "import pytest\npytest.skip('later: module', allow_module_level=True)\n",
    "unittest": "import unittest\nclass TestA(unittest.TestCase):\n"
    "    @unittest.skip('later: unittest')\n    def test_a(self): pass\n",
}


@pytest.mark.release
def test_no_way_to_leave_a_test_out_hides_in_ci(tmp_path: Path) -> None:
    for way, source in WAYS_OUT.items():
        write_tests(tmp_path, source, f"test_{way}.py")
    # a module that cannot be collected shall not keep the others from being run
    whole = (str(tmp_path), "--continue-on-collection-errors")
    here, ci = run_pytest(*whole), run_pytest(*whole, CI="true")
    assert here.returncode == 0
    assert ci.returncode == 1
    for way in WAYS_OUT:
        assert re.search(rf"^1 left out: .*later: {way}$", here.stdout, re.MULTILINE), here.stdout
        assert f"CI=true forbids that: {'expected to fail: ' * (way == 'xfail')}later: {way}" in (
            ci.stdout
        )
    assert "3 failed, 2 errors in" in ci.stdout  # of which one could not even be collected


def test_no_test_waits_without_a_limit_for_a_program_to_end() -> None:
    """`with Popen(…)` waits for ever when its block fails; tests/processes.py kills."""
    calls = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if path.name != "processes.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "Popen"
    ]
    assert calls == []


# -- set-up: tools/setup.sh with other programs in the place of Python, node and npm --------------

TOOLS = [
    "awk",
    "cat",
    "chmod",
    "cp",
    "cut",
    "dirname",
    "flock",
    "grep",
    "mkdir",
    "rm",
    "sed",
    "sh",
    "sleep",
    "tail",
    "touch",
    "tr",
]
# Makes an environment whose Python is itself, and "installs" unless a file says what goes wrong.
PYTHON = """#!/bin/sh
case "$*" in
"-c import sys"*) [ ! -e old ] ;;
--version) echo Python 3.9.2 >&2 ;;  # as Python 2 does
"-m venv"*)
    if [ -e no_venv ]; then cat no_venv; exit 1; fi
    mkdir -p .venv/bin && cp "$0" .venv/bin/python
    echo "#!$PWD/.venv/bin/python" >.venv/bin/pip ;;
"-m pip install"*)
    if [ -e no_pip ]; then cat no_pip; exit 1; fi
    if [ -e at_work ]; then exec 9>at_work; echo pip >&9; sleep 60 9>&-; echo done >&9; fi
    echo "$HOME: $*" >>pip.log ;;
esac
"""
LIST = """
# a comment
chromium         0  chromium|google-chrome  # why
libnfc-bin       0  nfc-list nfc-poll
libnfc-examples  0  nfc-mfultralight
base             0  sh /dev/null
kicad            9  kicad-cli   # boards
"""
NPM = "#!/bin/sh\nif [ -e no_npm ]; then cat no_npm; exit 1; fi\n"
MADE = "schiri set-up: making the private environment .venv"


class Checkout:
    """A folder with our set-up, and a PATH with nothing but what it says."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "checkout"
        self.bin = folder / "bin"
        (self.folder / "tools").mkdir(parents=True)
        (self.folder / "requirements").mkdir()
        shutil.copy(ROOT / "tools/setup.sh", self.folder / "tools")
        self.file("requirements/system.txt", LIST)
        self.bin.mkdir()
        for name in TOOLS:
            (self.bin / name).symlink_to(shutil.which(name) or f"/no/{name}")
        for name, text in (("python3", PYTHON), ("node", "#!/bin/sh\n"), ("npm", NPM)):
            self.program(name, text)

    def program(self, name: str, text: str) -> None:
        (self.bin / name).write_text(text, encoding="utf8")
        (self.bin / name).chmod(0o755)

    def file(self, name: str, text: str = "") -> Path:
        (self.folder / name).write_text(text, encoding="utf8")
        return self.folder / name

    def setup(self, kind: str, **variables: str) -> tuple[int, list[str]]:
        """Exit code, and what a terminal shows."""
        done = subprocess.run(
            [str(self.bin / "sh"), "tools/setup.sh", kind],
            cwd=self.folder,
            env={"PATH": str(self.bin), "HOME": str(self.folder.parent), **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
        said = re.sub(r"\x1b\[\d*m", "", done.stdout).splitlines()
        return done.returncode, [line.removeprefix("schiri set-up: ") for line in said]


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


NETWORK = "there is no network, or the registry of packages does not answer;"
FULL = "the disk is full; make room and call make again."
GOES_WRONG = {
    "old Python": ("old", "", "Python 3.9.2 is too old; Schiri needs Python 3.11 or newer"),
    "no room for .venv": (
        "no_venv",
        "[Errno 28] No space left on device",
        f"making .venv failed: {FULL}",
    ),
    "no room": ("no_pip", "ERROR: [Errno 28] No space left on device", f"packages failed: {FULL}"),
    "no network": (
        "no_pip",
        "WARNING: Retrying after NewConnectionError('…')\nERROR: No matching distribution",
        f"fetching Python packages failed: {NETWORK}",
    ),
    "a changed file": (
        "no_pip",
        "…\nERROR: HASHES DIFFER\n",
        "failed: ERROR: HASHES DIFFER",
    ),
    "no network for npm": ("no_npm", "npm error code ENOTFOUND", f"with npm failed: {NETWORK}"),
    "a folder of root's": (
        "no_npm",
        "npm error Error: EACCES: permission denied, mkdir '/x'\nnpm error",
        "a folder cannot be written: npm error Error: EACCES",
    ),
}


@pytest.mark.parametrize("why", GOES_WRONG)
def test_what_stops_the_set_up_is_one_sentence_and_the_next_try_goes_on(
    why: str, checkout: Checkout
) -> None:
    name, text, sentence = GOES_WRONG[why]
    stop = checkout.file(name, text)
    code, said = checkout.setup("run")
    assert code == 1
    assert sentence in said[-1]
    assert not (checkout.folder / ".venv/run.stamp").exists()
    stop.unlink()
    assert checkout.setup("run")[0] == 0
    assert (checkout.folder / ".venv/run.stamp").exists()


def test_what_the_set_up_started_ends_with_it(checkout: Checkout) -> None:
    """make gives SIGTERM to what it started alone; pip must not go on beside the next try."""
    at_work = checkout.folder / "at_work"
    os.mkfifo(at_work)
    (checkout.bin / "env").symlink_to(shutil.which("env") or "/no/env")
    for name in ("requirements/run.lock", "package-lock.json", "pyproject.toml"):
        checkout.file(name)
    words = [shutil.which("make") or "make", "-f", str(ROOT / "Makefile"), "run"]
    env = {"PATH": str(checkout.bin), "HOME": str(checkout.folder)}
    with (
        started(words, cwd=checkout.folder, env=env, stdout=subprocess.DEVNULL) as setting_up,
        at_work.open(encoding="utf8") as pip,
    ):
        assert pip.readline() == "pip\n"
        setting_up.terminate()
        assert setting_up.wait(LIMIT_S) == -signal.SIGTERM
        assert pip.read() == ""  # it is over, and was not done
    at_work.unlink()
    assert checkout.setup("run")[0] == 0


def test_without_python_or_npm_the_set_up_says_or_fetches_it(checkout: Checkout) -> None:
    (checkout.bin / "npm").unlink()  # as Debian's package nodejs comes
    code, said = checkout.setup("run")
    assert "Node, from its Python package (this machine has none)" in said
    assert (code, said[-1][:24]) == (1, "fetching with npm failed")  # ours brings none
    (checkout.bin / "python3").unlink()
    assert checkout.setup("run") == (1, ["python3 is not here; install Python 3.11 or newer."])


@pytest.mark.parametrize("half", ["", "#!/elsewhere/.venv/bin/python\n"])
def test_a_half_made_or_moved_environment_is_made_anew(half: str, checkout: Checkout) -> None:
    (checkout.folder / ".venv/bin").mkdir(parents=True)
    if half:
        checkout.file(".venv/bin/pip", half)
    for made in (True, False):  # and only once
        code, said = checkout.setup("run")
        assert (code, MADE.partition(": ")[2] in said) == (0, made)


def test_an_environment_of_another_folder_is_not_cleared_through_a_link(
    checkout: Checkout,
) -> None:
    """A second worktree that shares the first one's: what stands in that is made for its path."""
    other = checkout.folder.parent / "other"
    (other / "bin").mkdir(parents=True)
    (other / "bin/pip").write_text(f"#!{other}/bin/python\n", encoding="utf8")
    (checkout.folder / ".venv").symlink_to(other)
    code, said = checkout.setup("run")
    assert (code, len(said)) == (1, 1)
    assert said[0].startswith(".venv is a link to another folder's: remove the link")
    assert (other / "bin/pip").exists()


@pytest.mark.parametrize("home", ["", "/no/such/folder"])
def test_without_a_home_to_write_to_the_set_up_has_its_own(home: str, checkout: Checkout) -> None:
    assert checkout.setup("run", HOME=home)[0] == 0
    first = (checkout.folder / "pip.log").read_text("utf8").splitlines()[0]
    assert first.startswith(f"{checkout.folder}/.venv/home: ")


APT = """#!/bin/sh
echo "$*" >>apt.log
case "$*" in
indextargets*) . /etc/os-release && echo "$VERSION_CODENAME-backports" ;;
*kicad*) if [ -e no_apt ]; then cat no_apt; exit 100; fi ;;
esac
"""
CACHE = """#!/bin/sh
case $2 in
libnfc-examples) ;;
kicad*) echo '  Candidate: 6.0.11+dfsg-1' ;;
*) echo '  Candidate: 1:1.8.0-2' ;;
esac
"""
WANTED = "chromium libnfc-bin libnfc-examples kicad"


TOLD = [
    "  chromium                   why",
    "  libnfc-bin                 ",
    "  libnfc-examples            ",
    "  kicad                      boards",
]


def test_as_root_the_missing_programs_are_installed(checkout: Checkout) -> None:
    """KiCad is too old in this release and comes from backports; one package is nowhere."""
    checkout.program("id", "#!/bin/sh\necho 0\n")
    checkout.program("apt-get", APT)
    checkout.program("apt-cache", CACHE)
    code, said = checkout.setup("system")
    assert code == 1
    assert said[:5] == ["installing with apt what the tests need:", *TOLD]
    asked = (checkout.folder / "apt.log").read_text("utf8").splitlines()
    installed = [line for line in asked if line.startswith("install")]
    assert installed[0].endswith("=900 chromium libnfc-bin")
    debian = "ID=debian" in Path("/etc/os-release").read_text("utf8").splitlines()
    assert ["-backports kicad" in line for line in installed[1:]] == [True] * debian
    assert ["backports to apt's sources" in line for line in said[5:-1]] == [True] * debian
    assert said[-1] == f"apt has nothing, or nothing new enough, for {WANTED}."


def test_apt_that_fails_is_one_sentence(checkout: Checkout) -> None:
    checkout.program("id", "#!/bin/sh\necho 0\n")
    checkout.program("apt-get", APT.replace("*kicad*", "install*"))
    checkout.program("apt-cache", CACHE)
    checkout.file("no_apt", "E: Unable to correct problems, you have held broken packages.\n")
    code, said = checkout.setup("system")
    assert code == 1
    assert said[-1] == "apt failed: E: Unable to correct problems, you have held broken packages."


@pytest.mark.parametrize("sudo", [None, "#!/bin/sh\nexit 1\n"])
def test_without_root_nothing_is_asked_for(sudo: str | None, checkout: Checkout) -> None:
    checkout.program("id", "#!/bin/sh\necho 1000\n")
    checkout.program("apt-get", "#!/bin/sh\ntouch called\n")
    if sudo:
        checkout.program("sudo", sudo)
    assert checkout.setup("system") == (1, [f"only root may install {WANTED}: sudo make system"])
    assert not (checkout.folder / "called").exists()


@pytest.mark.parametrize("user", [0, 1000])
def test_the_tests_only_tell_what_they_miss_of_the_system(user: int, checkout: Checkout) -> None:
    """Also as root, and where sudo asks for no password."""
    checkout.program("id", f"#!/bin/sh\necho {user}\n")
    for name in ("apt-get", "apt-cache", "sudo"):
        checkout.program(name, "#!/bin/sh\ntouch called\n")
    code, said = checkout.setup("tell-system")
    assert (code, said[1:]) == (0, TOLD)
    assert said[0].endswith("left out; sudo make system installs them:")
    assert not (checkout.folder / "called").exists()


def test_only_make_system_changes_the_system() -> None:
    """Of everything that `make` can be asked for."""
    calls = re.findall(r"setup\.sh ([\w-]+)", (ROOT / "Makefile").read_text(encoding="utf8"))
    told = ["tell-system"] * 2  # by test and by test-all
    assert sorted(calls) == ["dev", "docs", "emulator", "emulator", "run", "system", *told]


# -- schiri doctor --------------------------------------------------------------------------------


def test_the_doctor_needs_nothing_but_click(tmp_path: Path) -> None:
    """And whatever else is called says in one sentence what is missing."""
    (tmp_path / "click").symlink_to(Path(click.__file__).parent)
    start = "import sys; sys.path[:0] = {}; from host_tools.cli import main; main()"
    paths = [str(ROOT), str(ROOT / "hardware/twin/cpython"), str(tmp_path)]

    def schiri(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-S", "-c", start.format(paths), *words],
            env={"PATH": str(tmp_path), "LANG": "C.UTF-8"},
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )

    done = schiri("doctor", "--json")
    found = json.loads(done.stdout)
    told = {row["aim"]: row for row in found["aims"]}
    assert done.returncode == 1
    assert found["places"] == []
    assert json.loads(done.stderr)["code"] == "doctor_missing"
    assert len(told) == 8
    for row in told.values():
        assert not row["ready"]
        assert [bool(part["found"]) for part in row["parts"]].count(False) >= 1
        assert all(bool(part["mend"]) != bool(part["found"]) for part in row["parts"])
    assert "sudo make system" in [part["mend"] for part in told["tests"]["parts"]]
    done = schiri("doctor", "desk", "--lang", "de")
    assert "✗ desk: ein Turnier leiten" in done.stdout
    assert done.stderr == "schiri: noch nicht bereit: desk\n"
    done = schiri("desk")
    assert done.returncode == 3
    assert re.fullmatch(r"schiri: the Python package \w+ is missing; .*\n", done.stderr)
    assert schiri("doctor", "dance").returncode == 2


def test_the_doctor_finds_what_is_here(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["doctor", "desk", "--lang", "en"])
    said = capsys.readouterr().out.splitlines()
    assert ended.value.code == 0
    assert said[0] == "✓ desk: run a tournament"
    assert said[1].startswith("    ✓ Python 3.11 or newer: 3.")


@pytest.mark.parametrize(
    ("mode", "group", "mend"),
    [
        (0o660, "dialout", "sudo usermod -aG dialout $USER"),
        (0o600, "root", "sudo chown $USER {port}"),  # its group may not open it either
        (0o660, "", "sudo chown $USER {port}"),
    ],
)
def test_the_doctor_says_how_a_port_can_be_opened(
    mode: int, group: str, mend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the group of the port has a number and no name."""
    port = tmp_path / "ttyACM0"
    port.touch()
    port.chmod(mode)
    names = {port.stat().st_gid: (group,)} if group else {}
    monkeypatch.setattr(grp, "getgrgid", lambda gid: grp.struct_group((*names[gid], "", gid, [])))
    monkeypatch.setattr(os, "access", lambda _path, _rights: False)  # root may everything
    monkeypatch.setattr(finding, "candidate_ports", lambda: [str(port)])
    assert box_port().mend == mend.format(port=port)
