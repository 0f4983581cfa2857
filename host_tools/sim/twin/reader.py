"""`schiri twin reader`: a PN532 in software on a pseudo terminal, for any PN532 program."""

import threading
from pathlib import Path

import click

from hardware.twin.faults import FaultPlan
from host_tools.core.command_line import SECONDS, asked_language, command, only_with
from host_tools.core.errors import Sentence, UserError
from host_tools.sim.twin.tag import load, save

_PLANNED_COMMANDS = 100_000  # faults are planned this far ahead; later ones are sound


@command()
@click.option("--pty", is_flag=True, help="Serve on a pseudo terminal (the only line there is).")
@click.option(
    "--tag",
    "files",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A tag dump that lies on the reader; several times for several tags.",
)
@click.option("--stacked", is_flag=True, help="Coils exactly on each other: two tags, no answer.")
@click.option(
    "--fault-rate",
    type=click.FloatRange(0, 1),
    default=0.0,
    help="Share of commands that meet a fault: wrong sums, lost ACKs, silence, power glitches …",
)
@click.option("--seed", type=int, default=0, help="The same seed plans the same faults.")
@click.option("--keep", is_flag=True, help="Do not store what a peer writes onto the tags.")
@click.option("--seconds", type=SECONDS, help="Stop after this time; default: at Ctrl-C.")
@only_with("--seed", "--fault-rate")
@only_with("--stacked", "--tag")
@only_with("--keep", "--tag")
def reader(
    pty: bool,
    files: tuple[Path, ...],
    stacked: bool,
    fault_rate: float,
    seed: int,
    keep: bool,
    seconds: float | None,
) -> None:
    """Serve a PN532 and print the path of its line.

    Then for example: LIBNFC_DEVICE=pn532_uart:PATH nfc-list

    schiri twin reader --pty --tag a.tag
    """
    if not pty:
        raise UserError("reader_no_pty")
    from hardware.twin.reader_pty import ReaderPty  # not on Windows

    tags = {file: load(file) for file in files}
    device = ReaderPty(FaultPlan.seeded(seed, _PLANNED_COMMANDS, fault_rate))
    device.field.stacked = stacked
    for tag in tags.values():
        device.field.place(tag)
    with device:
        _wait(device.path, seconds)
    for file, tag in () if keep else tags.items():
        save(tag, file)


def _wait(path: str, seconds: float | None) -> None:
    """Until Ctrl-C, or for `seconds`; whoever reads the path may end it at once."""
    try:
        click.echo(path)
        threading.Event().wait(seconds)
    except KeyboardInterrupt:
        click.echo(Sentence("twin_stopped").said(asked_language()))
