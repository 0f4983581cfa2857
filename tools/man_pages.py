"""Manual pages, from the table of helps: schiri(1), and one for each of its commands.

    python -m tools.man_pages build/man && man -l build/man/schiri-tournament.1

The build backend puts them into every wheel: pip installs them below share/man, pipx shows them to
`man`. Nothing of Schiri is imported, for a backend has only itself.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HelpEntry = dict[str, Any]
"""A command, as the table of helps has it."""
TABLE = Path("host_tools/core/help.json")
FOLDER = "share/man/man1"
NAME = "schiri"
_OPTIONS_END = "[OPTIONS]"
_EXAMPLE = re.compile(r"^(schiri|make|\$) ?", re.M)

# `…` is not in every font of roff
_SIGNS = {"\\": "\\e", "-": "\\-", "`": "\\(ga", "…": "..."}


class ManPagesHook(BuildHookInterface):  # type: ignore[type-arg]  # of the configuration
    """Adds the pages to a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "standard":  # an editable install takes what lies in the checkout
            return
        root = Path(self.root)
        for page in write(root, root / "build/man", self.metadata.version):
            build_data["shared_data"][str(page)] = f"{FOLDER}/{page.name}"


def write(root: Path, folder: Path, version: str) -> list[Path]:
    """The pages of the checkout `root`, into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for name, text in pages(json.loads((root / TABLE).read_text("utf8")), version).items():
        made.append(folder / f"{name}.1")
        made[-1].write_text(text, "utf8")
    return made


def pages(table: dict[str, Any], version: str) -> dict[str, str]:
    """Name -> the page as roff."""
    program = table["program"]
    found = {NAME: _page(NAME, NAME, program, version, _of_the_program(table))}
    for word, command in program["commands"].items():
        name = f"{NAME}-{word}"
        found[name] = _page(name, f"{NAME} {word}", command, version, _see_also())
    return found


def _page(name: str, words: str, command: HelpEntry, version: str, behind: Iterator[str]) -> str:
    lines = [
        f'.TH {_quoted(name.upper())} 1 "" {_quoted(f"Schiri {version}")} "User commands"',
        ".SH NAME",
        f"{_text(name)} \\- {_text(_first_sentence(command))}",
        ".SH SYNOPSIS",
        *_synopsis(words, command),
        ".SH DESCRIPTION",
        *_help(command),
        *_options(command, ".SH OPTIONS"),
    ]
    if words != NAME and "commands" in command:
        lines += [".SH COMMANDS", *_commands(words, command)]
    return "\n".join([*lines, *behind, ""])


def _commands(words: str, command: HelpEntry) -> Iterator[str]:
    """Everything below a group, one after the other."""
    for word, below in command["commands"].items():
        if below.get("hidden"):
            continue
        yield f".SS {_quoted(f'{words} {word}')}"
        yield from _synopsis(f"{words} {word}", below)
        yield ".PP"
        yield from _help(below)
        yield from _options(below, "")
        if "commands" in below:
            yield from _commands(f"{words} {word}", below)


def _of_the_program(table: dict[str, Any]) -> Iterator[str]:
    commands = table["program"]["commands"]
    yield ".SH COMMANDS"
    for word, command in commands.items():
        yield f".TP\n\\fB{_text(f'{NAME}-{word}')}\\fR(1)"
        yield _text(_first_sentence(command))
    yield ".SH EXIT STATUS"
    for code, meaning in table["exits"]:
        yield f".TP\n.B {code}"
        yield _text(meaning)
    yield ".SH FILES"
    yield _text("`schiri where` names every file and folder, and the variable that moves it.")


def _see_also() -> Iterator[str]:
    yield ".SH SEE ALSO"
    yield f".BR {NAME} (1)"


def _first_sentence(command: HelpEntry) -> str:
    words = " ".join(command["help"].partition("\b")[0].partition("\n\n")[0].split())
    end = words.find(". ")
    return (words if end < 0 else words[:end]).rstrip(".")


def _synopsis(words: str, command: HelpEntry) -> Iterator[str]:
    usage = [piece for each in command["params"] for piece in each.get("usage", ())]
    rest = ["COMMAND ..."] if "commands" in command else []
    yield f".B {_text(words)}"
    yield _text(" ".join([_OPTIONS_END, *usage, *rest]))


def _help(command: HelpEntry) -> Iterator[str]:
    """Paragraphs; examples as they stand."""
    for paragraph in command["help"].strip().split("\n\n"):
        text = paragraph.strip("\n")
        if text.startswith("\b") or _EXAMPLE.match(text):
            yield ".PP\n.RS 4\n.nf"
            yield from map(_text, text.removeprefix("\b").strip("\n").splitlines())
            yield ".fi\n.RE"
        else:
            yield ".PP"
            yield _text(" ".join(text.split()))


def _options(command: HelpEntry, heading: str) -> Iterator[str]:
    records = [each["record"] for each in command["params"] if "opts" in each and "record" in each]
    if records and heading:
        yield heading
    for option, what in records:
        yield f".TP\n\\fB{_text(option)}\\fR"
        yield _text(what) or "\\&"


def _text(text: str) -> str:
    """Plain text, as roff takes it."""
    escaped = "".join(_SIGNS.get(letter, letter) for letter in text)
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


def _quoted(text: str) -> str:
    return '"' + _text(text).replace('"', "\\(dq") + '"'


if __name__ == "__main__":
    import tomllib

    ROOT = Path(__file__).resolve().parents[1]
    OF = tomllib.loads((ROOT / "pyproject.toml").read_text("utf8"))["project"]["version"]
    for made_page in write(ROOT, Path(sys.argv[1] if sys.argv[1:] else "build/man"), OF):
        print(made_page)
