"""Which tests `make test` leaves to `make test-all` and CI, in repositories made for it."""

import subprocess
from pathlib import Path

import pytest

from tests.scope import IF_CHANGED, ROOT, expression

ALL = "not long"
BOTH_TOO = "not long and not release and not thorough"
CASE_TOO = f"{BOTH_TOO} and not pages"
PAGES_TOO = f"{BOTH_TOO} and not hardware"
LEAST = f"{BOTH_TOO} and not hardware and not pages"


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


def test_a_change_elsewhere_leaves_case_and_pages_out(repository: Path) -> None:
    assert expression(repository) == LEAST
    git(repository, "checkout", "-b", "branch")
    commit(repository, "firmware/main.py")
    commit(repository, "hardware/twin/rf.py")
    assert expression(repository) == LEAST


@pytest.mark.parametrize("name", ["hardware/rev1/bom.csv", "firmware/boards/pico.py"])
def test_a_change_of_hardware_is_found_in_every_state(name: str, repository: Path) -> None:
    path = repository / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("new\n", encoding="utf8")
    assert expression(repository) == CASE_TOO  # not committed
    git(repository, "add", name)
    assert expression(repository) == CASE_TOO  # staged
    git(repository, "commit", "-m", "x")
    assert expression(repository) == CASE_TOO  # the last commit of main
    git(repository, "checkout", "-b", "branch")
    commit(repository, "host_tools/other.py")
    commit(repository, "host_tools/another.py")
    assert expression(repository) == LEAST  # main has it; the branch changed something else


def test_a_branch_answers_for_all_its_commits(repository: Path) -> None:
    git(repository, "checkout", "-b", "branch")
    commit(repository, "hardware/rev1/wiring.yml")
    commit(repository, "host_tools/other.py")
    assert expression(repository) == CASE_TOO


def test_a_change_of_pages_is_found(repository: Path) -> None:
    git(repository, "checkout", "-b", "branch")
    commit(repository, "host_tools/web/desk/static/board.css")
    commit(repository, "host_tools/other.py")
    assert expression(repository) == PAGES_TOO
    commit(repository, "hardware/rev1/wiring.yml")
    assert expression(repository) == BOTH_TOO


def test_without_a_history_both_are_tested(repository: Path, tmp_path: Path) -> None:
    git(repository, "clone", "--depth", "1", f"file://{repository}", f"{tmp_path}/shallow")
    assert expression(tmp_path / "shallow") == BOTH_TOO
    (repository / ".git").rename(tmp_path / "away")
    assert expression(repository) == BOTH_TOO


def test_ci_leaves_nothing_out(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    assert expression(repository) == ALL


@pytest.mark.parametrize("mark", IF_CHANGED)
def test_what_is_looked_for_is_there(mark: str) -> None:
    """A file that was renamed would never be seen to change."""
    named = [name for name in IF_CHANGED[mark] if not name.startswith(":!")]
    assert [name for name in named if not (ROOT / name).exists()] == []
