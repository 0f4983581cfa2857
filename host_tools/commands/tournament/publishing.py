"""`schiri tournament publish`: what everybody may see, on the web; `print`: documents as PDF."""

import time
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import TypedDict

import click

from host_tools.commands.options import DB, CommandReport
from host_tools.commands.tournament.common import TOURNAMENT, CommandContext, reads
from host_tools.core.command_line import asked_language, command, output_option
from host_tools.core.errors import Sentence, UserError, in_words
from host_tools.core.own_files import write_for_owner, written_below
from host_tools.print import CERTIFICATES, DOCUMENTS, SIGNED, SLIPS, make
from host_tools.tournament.actions.entrants import meant
from host_tools.tournament.fields import find_match
from host_tools.tournament.service import TournamentService


class Published(TypedDict):
    target: str
    files: int


@command()
@click.argument("target")
@click.option("--follow", is_flag=True, help="Go on at every change; Ctrl-C ends.")
@click.option(
    "--run", "command", default="", help="Command after each change that carries a folder on."
)
@reads
def publish(
    desk: CommandContext, target: str, follow: bool, command: str
) -> CommandReport[Published] | None:
    """Put the pages of the event and its feed on a web space: a folder, or an address that takes
    files by PUT (WebDAV). With --follow at every change, and again by itself when a line that was
    down is back; readers never see half a file.

    \b
    schiri tournament publish www
    schiri tournament publish … --follow
    schiri tournament publish www --follow --run "rsync -a --delete --delay-updates www/ …"
    """
    if follow and desk.as_json:
        raise UserError("watch_no_document")
    from host_tools.tournament.publishing import REFRESH_S, Publisher, target_of

    place = target_of(target, command)
    # without --follow pages need not be asked for again: nobody changes them
    publisher = Publisher(desk.service, place, desk.lang, REFRESH_S if follow else 0)
    shown = target.rpartition("@")[2]  # without a password

    def sent(count: int) -> Sentence:
        return Sentence("published", count=count, target=shown)

    if not follow:
        count = publisher.publish()
        return CommandReport({"target": shown, "files": count}, [sent(count)])

    def tell(news: int | UserError) -> None:
        said = sent(news) if isinstance(news, int) else news.sentence
        click.echo(in_words(said, desk.lang), err=isinstance(news, UserError))

    from host_tools.core.supervisor import Supervisor

    work = partial(publisher.publish_always, tell, time.sleep)
    with suppress(KeyboardInterrupt):  # what was not sent is sent by the next one
        # kept: a fault is logged, and it goes on after a pause
        Supervisor().keep_thread("publish", work).join()
    return None


@command("print")
@click.argument("document", metavar="DOCUMENT", type=click.Choice(list(DOCUMENTS)))
@output_option("The PDF file.", required=True)
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
    lang = asked_language()
    for option, chosen, its in (("--player", who, CERTIFICATES), ("--match", which, SLIPS)):
        # which option has an effect depends on a value: `never_with` only sees what was typed
        if chosen and document != its:
            raise UserError("option_idle", option=option, other=document)
    with closing(TournamentService.open(db, tournament)) as service:
        state = service.state
        signing = service.store.enrolled.signer() if document in SIGNED else None
    players, matches = [meant(state, w) for w in who], [find_match(state, w).id for w in which]
    data = make(document, state, lang, desk_url.rstrip("/"), players, matches, signing)
    with written_below(output):
        # names of people: what is printed is not published by itself
        write_for_owner(output, data)
    click.echo(Sentence("print_written", path=output).said(lang))
