"""The command `schiri sync`: from the box at a port into the store, with progress."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import TypedDict

import click
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

from host_tools.box.link import open_link
from host_tools.box.sync import BoxSync, Greeting, Synced, summary
from host_tools.commands.options import DB, JSON, OWN_PORT, echo_json, prints
from host_tools.core.command_line import asked_language, command
from host_tools.core.errors import Exit, Sentence, UserError, in_words
from host_tools.store import open_store


class SyncedBox(TypedDict):
    box: str
    name: str
    first_time: bool
    running: int
    matches: list[Synced]


@command()
@OWN_PORT
@DB
@click.option("--quiet", is_flag=True, help="Say nothing but the outcome of each match.")
@JSON
@prints(SyncedBox)
def sync(port: str, db: str | None, quiet: bool, as_json: bool) -> None:
    """Fetch the finished matches of a box, check them, and store them.

    \b
    schiri sync
    schiri sync --port /dev/ttyACM0

    A match is confirmed to the box only after it is stored; stopped anywhere, the next sync goes
    on. Exit code 1 if a match is contested, 3 if the box or the database fails.
    """
    console = Console(highlight=False, quiet=as_json)
    with (
        # before the box: nothing is asked of it if what it has cannot be stored
        closing(open_store(db)) as store,
        closing(open_link(port)) as link,
        _progress(console, quiet or as_json) as bar,
    ):
        greeting, outcomes = _run(BoxSync(link, store, bar), console)
    if as_json:
        echo_json({**vars(greeting), "matches": outcomes})
    # after the output: all of them are stored, contested ones too
    if any(outcome.state == "contested" for outcome in outcomes):
        raise UserError("match_contested", Exit.CHECK)


def _run(job: BoxSync, console: Console) -> tuple[Greeting, list[Synced]]:
    greeting = job.greet()
    lang = asked_language()
    name = greeting.box + (f" ({greeting.name})" if greeting.name else "")
    title = Sentence("sync_new_box" if greeting.first_time else "sync_box", name=name)
    console.print(in_words(title, lang))
    outcomes = []
    for outcome in job.matches():
        console.print(summary(outcome, lang))
        outcomes.append(outcome)
    if not outcomes:
        console.print(in_words(Sentence("sync_nothing"), lang))
    if greeting.running:
        console.print(in_words(Sentence("sync_running"), lang))
    return greeting, outcomes


@contextmanager
def _progress(console: Console, quiet: bool) -> Iterator[Callable[[int, int, int], None]]:
    """A bar for the match on its way: it is told the number, bytes so far, bytes in all."""
    text = TextColumn("{task.description}")
    columns = (text, BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=console, transient=True, disable=quiet) as progress:
        lang = asked_language()
        task = progress.add_task(Sentence("sync_waiting").said(lang), total=None)
        yield lambda number, done, size: progress.update(
            task,
            description=Sentence("sync_match", number=number).said(lang),
            completed=done,
            total=size,
        )
