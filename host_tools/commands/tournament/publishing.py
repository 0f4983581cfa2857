"""`schiri tournament publish`: what everybody may see, on any web space."""

import threading
import time
from functools import partial

import click

from host_tools.commands.options import CommandReport
from host_tools.commands.tournament.common import CommandContext, reads
from host_tools.core.errors import Sentence, UserError, in_words
from host_tools.core.supervisor import Supervisor
from host_tools.tournament.publishing import REFRESH_S, Publisher, target_of


@click.command()
@click.argument("target")
@click.option("--follow", is_flag=True, help="Go on at every change; Ctrl-C ends.")
@click.option(
    "--run", "command", default="", help="Command after each change that carries a folder on."
)
@reads
def publish(desk: CommandContext, target: str, follow: bool, command: str) -> CommandReport | None:
    """Put the pages of the event and its feed on a web space: a folder, or an address that takes
    files by PUT (WebDAV). With --follow at every change, and again by itself when a line that was
    down is back; readers never see half a file.

    \b
    schiri tournament publish www
    schiri tournament publish … --follow
    schiri tournament publish www --follow --run "rsync -a --delay-updates www/ …"
    """
    if follow and desk.as_json:
        raise UserError("watch_no_document")
    place = target_of(target, command)
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

    tasks = Supervisor()
    work = tasks.keep_thread("publish", partial(publisher.publish_always, tell, time.sleep))
    _until_stopped(work)
    return None


def _until_stopped(work: threading.Thread) -> None:
    try:
        work.join()
    except KeyboardInterrupt:
        return  # what was not sent is sent by the next one
