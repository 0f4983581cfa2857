"""Which tests `make test` leaves to `make test-all` and CI, in repositories made for it."""

import subprocess
from pathlib import Path

import pytest

from tests.scope import IF_CHANGED, MARKS, ROOT, THOROUGH, expression

ALL = "not long"
REST = "not long and not release and not thorough"
LEAST = f"{REST} and not hardware and not box and not browser"
HARDWARE_TOO = f"{REST} and not box and not browser"
BOX_TOO = f"{REST} and not hardware and not browser"
BROWSER_TOO = f"{REST} and not hardware and not box"


def git(root: Path, *words: str) -> None:
    as_somebody = [
        "-c",
        "user.name=x",
        "-c",
        "user.email=x@example.org",
        "-c",
        "commit.gpgsign=false",
    ]
    subprocess.run(["git", *as_somebody, *words], cwd=root, check=True, capture_output=True)


def commit(root: Path, name: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{path.exists()}\n", encoding="utf8")
    git(root, "add", name)
    git(root, "commit", "-m", name)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A main of two commits, the last of which touches no hardware."""
    monkeypatch.delenv("CI", raising=False)
    git(tmp_path, "init", "-b", "main")
    commit(tmp_path, "hardware/rev1/bom.csv")
    commit(tmp_path, "host_tools/cli.py")
    return tmp_path


def test_a_change_elsewhere_leaves_hardware_box_and_browser_out(repository: Path) -> None:
    assert expression(repository) == LEAST
    git(repository, "checkout", "-b", "branch")
    commit(repository, "host_tools/tournament/draw.py")
    commit(repository, "docs/README.md")
    assert expression(repository) == LEAST


@pytest.mark.parametrize("name", ["hardware/rev1/bom.csv", "docs/box.png"])
def test_a_change_of_hardware_is_found_in_every_state(name: str, repository: Path) -> None:
    path = repository / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("new\n", encoding="utf8")
    assert expression(repository) == HARDWARE_TOO  # not committed
    git(repository, "add", name)
    assert expression(repository) == HARDWARE_TOO  # staged
    git(repository, "commit", "-m", "x")
    assert expression(repository) == HARDWARE_TOO  # the last commit of main
    git(repository, "checkout", "-b", "branch")
    commit(repository, "host_tools/other.py")
    commit(repository, "host_tools/another.py")
    assert expression(repository) == LEAST  # main has it; the branch changed something else


def test_a_branch_answers_for_all_its_commits(repository: Path) -> None:
    git(repository, "checkout", "-b", "branch")
    commit(repository, "hardware/rev1/wiring.yml")
    commit(repository, "host_tools/other.py")
    assert expression(repository) == HARDWARE_TOO


def test_each_change_is_found_by_the_folder_that_it_is_in(repository: Path) -> None:
    git(repository, "checkout", "-b", "branch")
    commit(repository, "host_tools/web/desk/static/board.css")
    commit(repository, "host_tools/other.py")
    assert expression(repository) == BROWSER_TOO
    git(repository, "checkout", "-b", "other", "main")
    commit(repository, "hardware/twin/rf.py")
    assert expression(repository) == BOX_TOO
    commit(repository, "firmware/games/cafe/rules.py")
    assert expression(repository) == f"{REST} and not hardware"
    commit(repository, "firmware/boards/pico.py")
    assert expression(repository) == REST


def test_a_fresh_clone_tests_the_box_too(repository: Path, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    git(repository, "clone", f"file://{repository}", str(clone))
    assert expression(clone) == BOX_TOO
    (clone / "notes.txt").write_text("mine\n", encoding="utf8")
    assert expression(clone) == LEAST  # not committed
    git(clone, "add", "notes.txt")
    git(clone, "commit", "-m", "x")
    assert expression(clone) == LEAST  # not published


def test_without_a_history_all_of_them_are_tested(repository: Path, tmp_path: Path) -> None:
    git(repository, "clone", "--depth", "1", f"file://{repository}", f"{tmp_path}/shallow")
    git(tmp_path / "shallow", "remote", "remove", "origin")
    assert expression(tmp_path / "shallow") == REST
    (repository / ".git").rename(tmp_path / "away")
    assert expression(repository) == REST


def test_ci_leaves_nothing_out(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    assert expression(repository) == ALL


@pytest.mark.parametrize("mark", IF_CHANGED)
def test_what_is_looked_for_is_there(mark: str) -> None:
    """A file that was renamed would never be seen to change."""
    named = [name for name in IF_CHANGED[mark] if not name.startswith(":!")]
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_every_folder_of_tests_that_has_a_mark_is_watched_itself() -> None:
    assert [name for name, mark in MARKS.items() if f"tests/{name}" not in IF_CHANGED[mark]] == []


@pytest.mark.parametrize("test", THOROUGH)
def test_what_is_thorough_is_there(test: str) -> None:
    """A test that was renamed would be in every run again."""
    path, _, name = test.partition("::")
    text = (ROOT / path).read_text(encoding="utf8")
    assert f"\ndef {name.partition('[')[0]}" in text if name else text
