"""`schiri tournament print`: a document as a PDF file."""

from contextlib import closing
from pathlib import Path

import click

from host_tools.commands.options import DB
from host_tools.commands.tournament.common import LANG, TOURNAMENT
from host_tools.core.command_line import output_option
from host_tools.core.errors import Sentence, UserError
from host_tools.core.own_files import write_for_owner, written_below
from host_tools.print import CERTIFICATES, DOCUMENTS, SIGNED, SLIPS, make
from host_tools.tournament.commands.entrants import meant
from host_tools.tournament.fields import find_match
from host_tools.tournament.service import TournamentService


@click.command("print")
@click.argument("document", metavar="DOCUMENT", type=click.Choice(list(DOCUMENTS)))
@output_option("The PDF file.", required=True)
@LANG
@click.option(
    "--desk-url",
    default="",
    help="Address of the desk for the QR codes, e.g. http://192.168.1.5:8010. Without it they "
    "work with a scanner at the desk only.",
)
@click.option("--player", "who", multiple=True, help="Certificates: whose, by id or name.")
@click.option("--match", "which", multiple=True, help="Slips: of which match, to replace one.")
@DB
@TOURNAMENT
def print_command(
    document: str,
    output: Path,
    lang: str,
    desk_url: str,
    who: tuple[str, ...],
    which: tuple[str, ...],
    db: str | None,
    tournament: str | None,
) -> None:
    """Print a DOCUMENT of the tournament, as a PDF file: slips (all, or of each --match), groups,
    calls, pairings, call_cards, tables (signs), badges, tree, certificates (of the best four, or
    of each --player), certificates_all, honours, or the jury's book.

    \b
    schiri tournament print slips -o slips.pdf --desk-url http://192.168.1.5:8010
    schiri tournament print slips -o slip.pdf --match A-3
    """
    for option, chosen, its in (("--player", who, CERTIFICATES), ("--match", which, SLIPS)):
        if chosen and document != its:
            raise UserError("option_idle", option=option, other=document)
    with closing(TournamentService.open(db, tournament)) as service:
        state = service.state
        signing = service.store.enrolled.signer() if document in SIGNED else None
    players, matches = [meant(state, w) for w in who], [find_match(state, w).id for w in which]
    data = make(document, state, lang, desk_url.rstrip("/"), players, matches, signing)
    with written_below(output):
        write_for_owner(output, data)
    click.echo(Sentence("print_written", path=output).said(lang))
