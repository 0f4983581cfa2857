"""One table of exit codes: the enum, the page, the help, and whatever ends a command."""

import ast
import re
from collections.abc import Iterator

import pytest

from hardware.twin.node import ROOT
from host_tools import cli
from host_tools.cli import main
from host_tools.core.errors import Exit

PAGE = ROOT / "docs/exit-codes.md"
SOURCES = sorted((ROOT / "host_tools").rglob("*.py"))
ENDS = {"UserError", "exit", "_exit", "Exit", "SystemExit"}


def test_the_page_has_the_table() -> None:
    rows = re.findall(r"^\| (\d+) \| `(\w+)` \| (.+) \|$", PAGE.read_text("utf8"), re.M)
    assert rows == [(str(int(each)), each.name, each.meaning) for each in Exit]


def test_the_help_names_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == Exit.DONE
    assert "docs/exit-codes.md" in capsys.readouterr().out


def literals(tree: ast.AST) -> Iterator[int]:
    """Lines that end a command with a number of their own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            numbers = [
                a for a in node.args if isinstance(a, ast.Constant) and type(a.value) is int
            ]
            if name in ENDS and numbers:
                yield node.lineno
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            names = [getattr(each, "id", "") for each in node.targets]
            if "exit_code" in names or any(name.endswith("_EXIT") for name in names):
                yield node.lineno


def test_nothing_ends_with_a_number_of_its_own() -> None:
    texts = {path.name: path.read_text("utf8") for path in SOURCES}
    ending = {name: text for name, text in texts.items() if re.search("(?i)exit|UserError", text)}
    assert len(ending) > 100
    found = {name: [*literals(ast.parse(text))] for name, text in ending.items()}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_ctrl_c_while_an_error_is_told_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_told: object, **_how: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "_tell", interrupted)
    with pytest.raises(SystemExit) as ended:
        main(["decks", "show", "nothing"])
    assert ended.value.code == Exit.INTERRUPTED
