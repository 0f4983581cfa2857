"""`schiri slip`: take a result slip at the desk, and compare slips with the journals."""

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TypedDict, cast

import click

from card_tags import codec
from host_tools.cards.check_links import slip_claim
from host_tools.cards.public_keys import EnrolledKey
from host_tools.commands.options import DB, CommandReport, reports
from host_tools.commands.tag import reader_options, tag_on
from host_tools.core import places
from host_tools.core.command_line import FILE, PATH, asked_language, command, never_with, only_with
from host_tools.core.errors import Sentence, UserError, counted
from host_tools.core.own_files import read_input
from host_tools.games.box_words import proper_name
from host_tools.provision.port import user_memory
from host_tools.store import open_store
from host_tools.tournament.slips import (
    CONTRADICTS,
    JOURNAL_DIFFERS,
    SENTENCES,
    SlipBook,
    SlipRefused,
    beside_journal,
    check_slip,
    signer_of,
    slip_fields,
    slip_lines,
)


class SlipSeatRow(TypedDict):
    name: str
    count: int
    points: int | None
    place: int


class ReadSlip(TypedDict):
    match: str
    box: str
    game: str
    table: str
    reason: str
    duration_s: int
    head: str
    seats: list[SlipSeatRow]
    uid: str
    read: str
    journal: str


class BookedSlip(ReadSlip):
    link: str


@command()
@reader_options()
@click.option("--file", "dump", type=PATH, help="A dump instead of a tag.")
@click.option("--uid", help="UID of the dumped tag, hex.")
@click.option(
    "--book",
    type=FILE,
    help="Booked slips; one of them is refused the second time. Default: your own book.",
)
@click.option(
    "--booked",
    is_flag=True,
    help="Read none: compare every booked slip with the stored journals. Exit code 1 if one"
    " contradicts.",
)
@click.option(
    "--desk-url",
    default="",
    help="Address of the league's page for the link that anybody can check, as https://host.",
)
@DB
@reports
@only_with("--uid", "--file")
@never_with("--file", "--port", "--reader")
@never_with("--booked", "--file", "--port", "--reader", "--desk-url")
def slip(
    reader: str,
    port: str | None,
    dump: Path | None,
    uid: str | None,
    book: Path | None,
    booked: bool,
    desk_url: str,
    db: str | None,
) -> CommandReport[BookedSlip] | CommandReport[list[ReadSlip]]:
    """Result slips, tags on which a box wrote a signed result: check the signature and book the
    slip. Exit code 1 if it is refused.

    If the journal of the same match is stored already, both must tell the same; with --booked it
    is compared with journals that came later.

    \b
    schiri slip --port /dev/ttyACM0
    schiri slip --booked
    """
    if booked:
        return _compare_booked(_book(book, db), db)

    def read() -> tuple[bytes, bytes]:
        return _from_dump(dump, uid) if dump else _from_tag(reader, port)

    return _book_slip(read, _book(book, db), desk_url.rstrip("/"), db)


def _book_slip(
    read: Callable[[], tuple[bytes, bytes]], book: Path, desk_url: str, db: str | None
) -> CommandReport[BookedSlip]:
    lang = asked_language()
    with closing(open_store(db, reads=True)) as store:
        # inside the store: a database that fails is told before somebody lays a tag
        data, tag_uid = read()
        slips = SlipBook(book)
        boxes = store.enrolled.all().keys
        found = check_slip(data, tag_uid, slips, boxes)
        fields = slip_fields(found, tag_uid)
        link = _link(data, tag_uid, boxes, desk_url)
        journal, table = beside_journal(fields, store, lang)
    if table:
        # not on stdout, which with --json is one document
        click.echo(table, err=True)
    # before it is booked: a booked one would have the right slip refused as the second
    if journal == CONTRADICTS:
        raise SlipRefused(JOURNAL_DIFFERS)
    slips.book(found, tag_uid)
    # no preset: a slip has room for the game only
    game = proper_name(found.game, None, lang)
    booked = Sentence("slip_booked", detail=SENTENCES[journal])
    lines = [*slip_lines(found, game, lang), booked, link]
    return CommandReport(cast(BookedSlip, {**fields, "journal": journal, "link": link}), lines)


def _link(data: bytes, uid: bytes, boxes: Sequence[EnrolledKey], base: str) -> str:
    """With what anybody can check the slip."""
    tag = codec.decode(data)
    return slip_claim(signer_of(tag, uid, boxes).id, uid, tag.covered, tag.check).link(base)


def _compare_booked(book: Path, db: str | None) -> CommandReport[list[ReadSlip]]:
    found: list[ReadSlip] = []
    lines: list[str] = []
    lang = asked_language()
    with closing(open_store(db, reads=True)) as store:
        for entry in SlipBook(book).entries:
            journal, table = beside_journal(entry, store, lang)
            found.append(cast(ReadSlip, {**entry, "journal": journal}))
            beside = {"match": entry["match"], "box": entry["box"]}
            lines.append(Sentence("slip_beside", **beside, detail=SENTENCES[journal]))
            lines += [table] if table else []
    differ = sum(entry["journal"] == CONTRADICTS for entry in found)
    error = counted("slip_contradicts_journal", "slips_contradict_journals", differ)
    return CommandReport(found, lines, error if differ else None)


def _book(named: Path | None, db: str | None) -> Path:
    """The book that was named, else the user's own; practice has another one."""
    if named is not None:
        return named
    # slips of practice must not be refused, or come into a tournament, as real ones
    return places.slips(practised=db == places.PRACTICE)


def _from_tag(reader: str, port: str | None) -> tuple[bytes, bytes]:
    with tag_on(reader, port) as (device, uid):
        return user_memory(device), uid


def _from_dump(dump: Path, uid: str | None) -> tuple[bytes, bytes]:
    try:
        return read_input(dump), bytes.fromhex(uid or "")
    except ValueError as error:
        raise UserError("slip_uid", text=str(uid)) from error
