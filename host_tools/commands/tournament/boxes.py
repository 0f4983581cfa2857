"""Boxes at the cables of this machine: what each has and does, and giving one a match."""

import contextlib
from collections.abc import Iterator

import click

from host_tools.commands.options import CommandReport
from host_tools.commands.tournament.common import CommandContext, reads
from host_tools.commands.tournament.writing import GO_ON, OptionValues, command_of
from host_tools.core.command_line import command
from host_tools.core.errors import Exit, UserError
from host_tools.tournament.boxes import BoxConnection, BoxTables, SeenBox, own_match, task
from host_tools.tournament.operations import OPERATIONS
from host_tools.tournament.wording import match_name, name_of, sentence_text

PORTS = click.option(
    "--port", "ports", multiple=True, help="Port of a box; may be repeated. Default: all boxes."
)


HERE = (
    click.Option(["--port"], help="Port of a box at this machine: it gets the match now."),
    click.Option(["--none", "nobody"], is_flag=True, help="No box shall have it."),
)


def _at_port(desk: CommandContext, given: OptionValues, port: str | None, nobody: bool) -> object:
    # exactly one of three, which no pairing of options can say
    if ("box" in given) + (port is not None) + nobody != 1:
        raise UserError("give_one")
    if port is None:
        return GO_ON
    with _at(desk, port) as connection:
        # asked only: first the log, from which follows what the box shall have
        seen = connection.look(only_ask=True)
        deck = [("no_deck", "1")] if "no_deck" in given else []
        form = OPERATIONS["give"].form.read([("match", given["_0"]), ("box", seen.box), *deck])
        desk.perform(OPERATIONS["give"], form)
        # now it gets it; what it does not take stays in the log, and is told
        _tell_trouble(desk, connection.look())
    return None


give = command_of("give", _at_port, *HERE)


@command("boxes")
@PORTS
@reads
def list_boxes(desk: CommandContext, ports: tuple[str, ...]) -> CommandReport[list[SeenBox]]:
    """What every box at this machine was given, who is there, and how far it is.

    \b
    schiri tournament boxes
    schiri tournament boxes --port /dev/ttyACM0 --json
    """
    from host_tools.box.finding import candidate_ports

    found = [_looked_at(desk, port) for port in ports or candidate_ports()]
    lines = [_line(desk, seen, found) for seen in found]
    return CommandReport(found, lines or [desk.words["no_box_here"]])


def _looked_at(desk: CommandContext, port: str) -> SeenBox:
    try:
        with _at(desk, port) as connection:
            return connection.look(only_ask=True)
    except UserError as error:
        # a line of the list: one box that does not answer hides no other
        return SeenBox(port, trouble=error.sentence)


@contextlib.contextmanager
def _at(desk: CommandContext, port: str) -> Iterator[BoxConnection]:
    from host_tools.box.link import open_link

    with contextlib.closing(open_link(port)) as link:
        yield BoxConnection(BoxTables(desk.service), port, link)


def _line(desk: CommandContext, seen: SeenBox, found: list[SeenBox]) -> str:
    state, words = desk.state, desk.words
    head = f"{seen.port}  {seen.name or seen.box or '-'}"
    if not seen.connected:
        return f"{head}: {sentence_text(seen.trouble, state, desk.lang)}"
    parts = [f"{head}, {words['table']} {seen.table or '-'}", words[f"at_box_{seen.given.state}"]]
    match = own_match(state, desk.service.id, seen.given.assigned)
    if match is not None:
        parts.append(match_name(state, match.id))
    if seen.given.here:
        here = ", ".join(name_of(state, player) for player in seen.given.here)
        parts.append(f"{words['is_here']}: {here}")
    what = task(state, desk.service.id, seen, [one for one in found if one.connected])
    return " · ".join([*parts, *([sentence_text(what, state, desk.lang)] if what else [])])


def _tell_trouble(desk: CommandContext, seen: SeenBox) -> None:
    what = task(desk.state, desk.service.id, seen)
    if what:
        raise UserError(what, Exit.SYSTEM)
