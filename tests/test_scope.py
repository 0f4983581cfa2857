"""What `make test` leaves to `make test-all` and CI is there, and CI leaves nothing out."""

import pytest

from tests.scope import IF_CHANGED, MARKS, ROOT, THOROUGH, expression


def test_ci_leaves_nothing_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    assert expression() == "not long"


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
