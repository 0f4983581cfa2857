"""The organiser's pages: every command on them exists, both languages lead the same way."""

import re
import shlex
from pathlib import Path
from typing import get_args

import click
import pytest

from host_tools.cli import schiri
from host_tools.tournament import events as ev

DOCS = Path(__file__).resolve().parents[3] / "docs"
PAGES = ("tournament.md", "turnier.md")


def commands(page: str) -> list[list[str]]:
    """Every `schiri …` line of the code blocks, split as a shell would."""
    blocks = re.findall(r"^```\n(.*?)^```", (DOCS / page).read_text(encoding="utf8"), re.S | re.M)
    lines = [line for block in blocks for line in block.splitlines() if line.startswith("schiri")]
    return [shlex.split(line, comments=True)[1:] for line in lines]


@pytest.mark.parametrize(
    ("page", "arguments"),
    [(page, tuple(arguments)) for page in PAGES for arguments in commands(page)],
)
def test_every_command_of_the_pages_is_understood(page: str, arguments: tuple[str, ...]) -> None:
    command: click.Command = schiri
    context = click.Context(schiri, info_name="schiri")
    rest = list(arguments)
    while isinstance(command, click.Group):
        found = command.get_command(context, rest[0])
        assert found is not None, arguments
        command = found
        if isinstance(command, click.Group):
            context = click.Context(command, context, rest[0])
        del rest[0]
    command.make_context("schiri", rest, parent=context)


def test_both_languages_lead_the_same_way() -> None:
    english, german = ([" ".join(c[:2]) for c in commands(page)] for page in PAGES)
    assert english == german


def test_the_format_page_names_every_event_with_its_fields() -> None:
    page = (DOCS / "tournament-format.md").read_text(encoding="utf8")
    rows = re.findall(r"^\| (`.*?) \| (.*) \|$", page, re.M)
    described = {tag: text for tags, text in rows for tag in re.findall(r"`(\w+)`", tags)}
    for body in get_args(ev.AnyBody):
        tag = str(body.__struct_config__.tag)
        assert tag in described
        if tag != "changed":
            for field in body.__struct_fields__:
                assert f"`{field}`" in described[tag], (tag, field)
