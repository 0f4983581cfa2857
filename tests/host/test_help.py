"""Every command's help has an example, and the example is one that the command takes."""

import re
import shlex
from collections.abc import Iterator

import click
import pytest

from host_tools.cli import main, schiri


def commands(command: click.Command, above: click.Context | None) -> Iterator[click.Context]:
    """The context of everything that can be called."""
    name = command.name if above else "schiri"
    context = click.Context(command, info_name=name, parent=above)
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            found = command.get_command(context, each)
            assert found is not None
            found.name = each
            yield from commands(found, context)
    if not isinstance(command, click.Group) or command.invoke_without_command:
        yield context


ALL = {context.command_path: context for context in commands(schiri, None)}


def words_of_the_example(context: click.Context) -> list[str]:
    """What follows the command's name in the first example of its help."""
    text = re.sub(r"\s+ARGS?$", "", context.command_path)
    lines = (context.command.help or "").splitlines()
    found = [line.strip() for line in lines if f"{line.strip()} ".startswith(f"{text} ")]
    found += re.findall(rf"`({re.escape(text)}\b[^`]*)`", context.command.help or "")
    assert found, f"{text} --help shows no example"
    return shlex.split(found[0], comments=True)[len(text.split()) :]


@pytest.mark.parametrize("path", ALL)
def test_help_has_an_example_that_the_command_takes(path: str) -> None:
    command = ALL[path].command
    given, rest, _ = command.make_parser(ALL[path]).parse_args(words_of_the_example(ALL[path]))
    missing = [
        parameter.name
        for parameter in command.params
        if parameter.required and not given.get(parameter.name or "")
    ]
    assert missing == []
    assert rest == [] or isinstance(command, click.Group)  # a group's rest is its commands'


# What these say is that they did it; a simulated board draws, a transcript is data already.
ACTING = """
boards new, boards put, box backup, box key, box log, box restore, box update, decks edit, demo,
desk, desk user add, desk user password, desk user remove, firmware flash, journal transcript, keys
export, keys import, keys new, play, provision badges, provision deck, provision guests,
provision hall, provision hattrick, provision jury, provision labels, provision lock, provision
tables, provision undo, tag dump, tag erase, tournament print, twin box, twin reader, twin
tag
"""


def test_every_command_that_tells_something_tells_it_to_programs_too() -> None:
    """The commands of `schiri results` have the --json of their group."""

    def is_silent(context: click.Context) -> bool:
        groups = [context.parent.command] if context.parent else []
        options = [one for command in (context.command, *groups) for one in command.params]
        return not any("--json" in option.opts for option in options)

    silent = {path for path, context in ALL.items() if is_silent(context)}
    assert silent == {f"schiri {name}" for name in " ".join(ACTING.split()).split(", ")}


def test_the_walk_finds_the_commands() -> None:
    assert {"schiri sync", "schiri tournament new", "schiri twin box", "schiri results"} <= set(
        ALL
    )


def test_the_shell_completes_commands_and_options(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """click's own, as the README sets it up; nothing is looked for at ports meanwhile."""
    monkeypatch.setenv("_SCHIRI_COMPLETE", "bash_complete")
    for words, answer in (("schiri doc", "plain,doctor"), ("schiri sync --po", "plain,--port")):
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
        with pytest.raises(SystemExit) as ended:
            main([])
        assert (ended.value.code, capsys.readouterr().out) == (0, f"{answer}\n")
