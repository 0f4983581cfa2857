"""What `--help` says, in the language asked for: a catalogue `<language>.po` a language, here,
whose keys are the English paragraphs. Those stand in docstrings and options; what a catalogue
lacks is said in English.
"""

import inspect
from pathlib import Path
from typing import Any

import click

from host_tools.core.texts import ORIGINAL, read

FOLDER = Path(__file__).parent
FRAME = (
    *("Usage", "Options", "Commands", "[OPTIONS]", "COMMAND [ARGS]..."),
    *("Show this message and exit.", "Show the version and exit."),
    *("default", "required", "env var"),
    *("Shared options, before or after a command", "Also takes"),
)
"""What click and `command_line` say around the helps."""
AS_IT_STANDS = "\b\n"
"""Click's mark at a paragraph whose lines it must not join."""


def said(text: str, lang: str) -> str:
    """A text of a help in `lang`."""
    texts = read(FOLDER / f"{lang}.po").get("", {}) if lang != ORIGINAL else {}
    return texts.get(text, text)


def paragraphs(help: str) -> list[str]:
    """Each on one line, except those whose lines stay as they are."""
    found = inspect.cleandoc(help).split("\n\n")
    return [each if each.startswith(AS_IT_STANDS) else " ".join(each.split()) for each in found]


def first_sentence(paragraph: str) -> str:
    """The line of a command in the list of its group, never cut off."""
    end = paragraph.find(". ")
    return paragraph if end < 0 else paragraph[: end + 1]


class HelpFormatter(click.HelpFormatter):
    """Click's, in another language."""

    def __init__(self, lang: str, **widths: Any) -> None:
        super().__init__(**widths)
        self._lang = lang

    def said(self, text: str) -> str:
        return said(text, self._lang)

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        for piece in ("[OPTIONS]", "COMMAND [ARGS]..."):
            args = args.replace(piece, self.said(piece))
        super().write_usage(prog, args, prefix or f"{self.said('Usage')}: ")

    def write_heading(self, heading: str) -> None:
        super().write_heading(self.said(heading))

    def write_text(self, text: str) -> None:
        super().write_text("\n\n".join(map(self._paragraph, paragraphs(text))))

    def _paragraph(self, text: str) -> str:
        mark = AS_IT_STANDS if text.startswith(AS_IT_STANDS) else ""
        return mark + self.said(text.removeprefix(mark))

    def write_dl(self, rows: Any, *args: Any, **settings: Any) -> None:
        super().write_dl([(name, self._option(text)) for name, text in rows], *args, **settings)

    def _option(self, text: str) -> str:
        """Click puts `[default: 1; required]` after the help of an option."""
        help, bracket, behind = text.partition("  [")
        if not bracket:
            return self.said(text)
        parts = (each.partition(": ") for each in behind.removesuffix("]").split("; "))
        rest = "; ".join(f"{self.said(what)}{colon}{value}" for what, colon, value in parts)
        return f"{self.said(help)}  [{rest}]"
