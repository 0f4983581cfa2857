"""Manual pages, from the table of helps: schiri(1), and one for each of its commands, in every
language of the table.

    python -m tools.man_pages build/man && man -l build/man/de/man1/schiri-tournament.1

The build backend puts them into every wheel: pip installs them below share/man, pipx shows them to
`man`. Nothing of Schiri is imported, for a backend has only itself.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HelpEntry = dict[str, Any]
"""A command, as the table of helps has it."""
TABLE = Path("host_tools/core/help.json")
SHARED = "share/man"
NAME = "schiri"
PLACES = "`schiri where` names every file and folder, and the variable that moves it."
HEADINGS = (
    *("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "EXIT STATUS", "FILES"),
    *("SEE ALSO", "User commands", PLACES),
)
"""What the pages say that is in no help."""
_AS_IT_STANDS = "\b\n"
_EXAMPLE = re.compile(r"^(schiri|make|\$) ?", re.M)

# `…` is not in every font of roff
_SIGNS = {"\\": "\\e", "-": "\\-", "`": "\\(ga", "…": "..."}


class ManPagesHook(BuildHookInterface):  # type: ignore[type-arg]  # of the configuration
    """Adds the pages to a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "standard":  # an editable install takes what lies in the checkout
            return
        root = Path(self.root)
        folder = root / "build/man"
        for page in write(root, folder, self.metadata.version):
            place = f"{SHARED}/{page.relative_to(folder).as_posix()}"
            build_data["shared_data"][str(page)] = place


def write(root: Path, folder: Path, version: str) -> list[Path]:
    """The pages of the checkout `root`, into `folder`: English in man1, others in de/man1."""
    table = json.loads((root / TABLE).read_text("utf8"))
    made = []
    for lang in ("", *table["words"]):
        section = folder / lang / "man1"
        section.mkdir(parents=True, exist_ok=True)
        for name, text in pages(table, version, lang).items():
            made.append(section / f"{name}.1")
            made[-1].write_text(text, "utf8")
    return made


def pages(table: dict[str, Any], version: str, lang: str = "") -> dict[str, str]:
    """Name -> the page as roff."""
    manual = _Manual(table["words"].get(lang, {}), version)
    program = table["program"]
    found = {NAME: manual.page(NAME, NAME, program, manual.of_the_program(table))}
    for word, command in program["commands"].items():
        name = f"{NAME}-{word}"
        found[name] = manual.page(name, f"{NAME} {word}", command, manual.see_also())
    return found


class _Manual:
    """Pages in one language; `words`: an English text -> what it is there."""

    def __init__(self, words: Mapping[str, str], version: str) -> None:
        self._words = words
        self._version = version

    def _say(self, text: str) -> str:
        return self._words.get(text, text)

    def page(self, name: str, words: str, command: HelpEntry, behind: Iterator[str]) -> str:
        version, kind = _quoted(f"Schiri {self._version}"), _quoted(self._say("User commands"))
        lines = [
            f'.TH {_quoted(name.upper())} 1 "" {version} {kind}',
            self._heading("NAME"),
            f"{_text(name)} \\- {_text(self._first_sentence(command))}",
            self._heading("SYNOPSIS"),
            *self._synopsis(words, command),
            self._heading("DESCRIPTION"),
            *self._help(command),
            *self._options(command, self._heading("OPTIONS")),
        ]
        if words != NAME and "commands" in command:
            lines += [self._heading("COMMANDS"), *self._commands(words, command)]
        return "\n".join([*lines, *behind, ""])

    def _heading(self, text: str) -> str:
        return f".SH {_text(self._say(text))}"

    def _commands(self, words: str, command: HelpEntry) -> Iterator[str]:
        """Everything below a group, one after the other."""
        for word, below in command["commands"].items():
            if below.get("hidden"):
                continue
            yield f".SS {_quoted(f'{words} {word}')}"
            yield from self._synopsis(f"{words} {word}", below)
            yield ".PP"
            yield from self._help(below)
            yield from self._options(below, "")
            if "commands" in below:
                yield from self._commands(f"{words} {word}", below)

    def of_the_program(self, table: dict[str, Any]) -> Iterator[str]:
        commands = table["program"]["commands"]
        yield self._heading("COMMANDS")
        for word, command in commands.items():
            yield f".TP\n\\fB{_text(f'{NAME}-{word}')}\\fR(1)"
            yield _text(self._first_sentence(command))
        yield self._heading("EXIT STATUS")
        for code, meaning in table["exits"]:
            yield f".TP\n.B {code}"
            yield _text(self._say(meaning))
        yield self._heading("FILES")
        yield _text(self._say(PLACES))

    def see_also(self) -> Iterator[str]:
        yield self._heading("SEE ALSO")
        yield f".BR {NAME} (1)"

    def _first_sentence(self, command: HelpEntry) -> str:
        words = self._say(command["help"][0])
        end = words.find(". ")
        return (words if end < 0 else words[:end]).rstrip(".")

    def _synopsis(self, words: str, command: HelpEntry) -> Iterator[str]:
        usage = [piece for each in command["params"] for piece in each.get("usage", ())]
        rest = ["COMMAND [ARGS]..."] if "commands" in command else []
        yield f".B {_text(words)}"
        yield _text(" ".join([self._say("[OPTIONS]"), *usage, *map(self._say, rest)]))

    def _help(self, command: HelpEntry) -> Iterator[str]:
        """Paragraphs; those that stand as they are, and examples, line by line."""
        for paragraph in command["help"]:
            text = paragraph.removeprefix(_AS_IT_STANDS)
            if text != paragraph or _EXAMPLE.match(text):
                yield ".PP\n.RS 4\n.nf"
                yield from map(_text, self._say(text).splitlines())
                yield ".fi\n.RE"
            else:
                yield ".PP"
                yield _text(self._say(text))

    def _options(self, command: HelpEntry, heading: str) -> Iterator[str]:
        records = [each["record"] for each in command["params"] if "record" in each]
        if records and heading:
            yield heading
        for option, *what in records:
            yield f".TP\n\\fB{_text(option)}\\fR"
            yield _text(self._what(*what)) or "\\&"

    def _what(self, help: str, *behind: str) -> str:
        """As `--help` has it: help_table.what_it_does."""
        parts = (each.partition(": ") for each in behind)
        rest = "; ".join(f"{self._say(what)}{colon}{value}" for what, colon, value in parts)
        return f"{self._say(help)}  [{rest}]" if rest else self._say(help)


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
