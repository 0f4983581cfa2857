"""Which keys a check goes by: those of a published list, or what this desk has enrolled; and what
it says of an exported tournament.
"""

from contextlib import closing
from pathlib import Path

import click

from host_tools.cards.public_keys import KeyList, grouped, read_list
from host_tools.cards.seen_lists import check_newest
from host_tools.core.command_line import asked_language
from host_tools.core.errors import Sentence, UserError, in_words
from host_tools.core.own_files import read_input
from host_tools.store import open_store
from host_tools.tournament.verifying import ProvedExport

KEY_LIST = click.option(
    "--keys",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The list that the league publishes, as keys.json. Default: what your database knows.",
)


def keys_known(path: Path | None, db: str | None = None) -> KeyList:
    """Raises UserError."""
    if path is None:
        with closing(open_store(db, reads=True)) as store:
            return store.enrolled.all()
    found = read_list(read_input(path))
    try:
        check_newest(found)
    except UserError as error:
        if error.sentence.key != "file_unwritable":
            raise
        # what cannot be remembered holds all the same
        click.echo(in_words(error.sentence, asked_language()), err=True)
    return found


def proof_lines(found: ProvedExport) -> list[Sentence]:
    """What is proved and what not, and what the results rest on."""
    whose = {"league": found.league, "fingerprint": grouped(found.signer)}
    counts = {"count": len(found.by_box), "rest": len(found.by_desk)}
    proves = Sentence("export_proves", name=found.tournament, **whose)
    return [proves, Sentence("export_rests", **counts)]
