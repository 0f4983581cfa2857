"""Making a tournament, its players, its groups."""

from contextlib import closing
from pathlib import Path

import click
from msgspec import structs
from rich.table import Table

from card_tags.kinds import Badge
from host_tools.commands.options import DB, JSON, Report, reports
from host_tools.commands.tag import read_badges, reader_options
from host_tools.commands.tournament.common import (
    BY,
    LANG,
    PLAYER,
    Desk,
    logged_in,
    player_id,
    reads,
    writes,
)
from host_tools.core.errors import UserError, in_words
from host_tools.core.texts import WORDS
from host_tools.store import open_store
from host_tools.tournament import events as ev
from host_tools.tournament.commands import entrants
from host_tools.tournament.importing import take_over
from host_tools.tournament.log_file import read_log
from host_tools.tournament.model import Player, read_file
from host_tools.tournament.players_csv import read_players
from host_tools.tournament.service import TournamentService, tournament_ids
from host_tools.tournament.state import State
from host_tools.tournament.view import sizes

WHO = click.argument("who", type=PLAYER)
KO_SIZE = click.option("--ko-size", type=int, default=64, show_default=True, help="Qualifiers.")
TABLES = click.option(
    "--tables", type=int, default=1, show_default=True, help="Tables in the hall."
)
DECKS = click.option(
    "--deck", "decks", multiple=True, help="A deck; once for each table, in turn."
)
SLOT = click.option("--slot-minutes", type=int, default=13, show_default=True)
COMPARE = click.option("--compare", type=click.Choice(["raw", "per-match"]), default="raw")


@click.command()
@click.argument("name")
@KO_SIZE
@TABLES
@DECKS
@SLOT
@COMPARE
@click.option("--id", "tournament", help="Its id; default: made from the name.")
@BY
@DB
@LANG
@JSON
def new(
    name: str,
    tournament: str | None,
    by: str | None,
    db: str | None,
    lang: str,
    as_json: bool,
    decks: tuple[str, ...],
    **setup: int,
) -> None:
    """Make a new tournament called NAME.

    \b
    schiri tournament new "Zürich Cup" --tables 16 --ko-size 64 --deck berge
    """
    made = ev.Created(name=name, decks=list(decks), **setup)  # type: ignore[arg-type]
    with closing(TournamentService.create(db, by or logged_in(), made, tournament)) as service:
        Desk(service, lang, as_json).tell(service.events())


@click.command("list")
@DB
@reports
def list_all(db: str | None) -> Report:
    """The tournaments in the database.

    \b
    schiri tournament list
    """
    with closing(open_store(db, reads=True)) as store:
        ids = tournament_ids(store)
    return Report(ids, ids)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--id", "tournament", help="Its id; default: made from the name.")
@DB
@LANG
@JSON
def restore(file: Path, tournament: str | None, db: str | None, lang: str, as_json: bool) -> None:
    """Make a tournament out of an exported log (NDJSON), as it was. A file that was changed is
    refused; one that schiri wrote before logs carried their proof says so.

    \b
    schiri tournament export --format log -o cup.ndjson
    schiri tournament restore cup.ndjson --db other.db
    """
    log = read_log(file)
    with closing(TournamentService.restore(db, log.events, tournament)) as service:
        if not log.head:
            click.echo(WORDS[lang]["no_proof"].format(path=file), err=True)
        Desk(service, lang, as_json).tell(service.events())


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@writes
def import_file(desk: Desk, file: Path) -> None:
    """Take players from a CSV FILE, or a whole tournament from a schiri-tournament/1 FILE (.json)
    into an empty one.

    \b
    schiri tournament import players.csv
    schiri tournament import event.json
    """
    if file.suffix == ".json":
        desk.do(take_over, read_file(file))
    else:
        desk.do(entrants.add_list, read_players(file))


@click.command()
@reads
def players(desk: Desk) -> Report:
    """The player list.

    \b
    schiri tournament players
    """
    state = desk.state
    words = desk.words
    table = Table("id", words["player"], words["club"], words["seed"], words["group"], "")
    for player in state.players.values():
        mark = words["left"] if player.id in state.out else ""
        mark = mark or (words["present"] if player.id in state.present else "")
        group = state.group_of(player.id) or ""
        seed = str(player.seed or "")
        table.add_row(player.id, player.name, player.club, seed, group, mark)
    return Report([_player_data(state, player) for player in state.players.values()], [table])


def _player_data(state: State, player: Player) -> dict[str, object]:
    return {
        **structs.asdict(player),
        "group": state.group_of(player.id),
        "present": player.id in state.present,
        "withdrawn": player.id in state.withdrawn,
        "excluded": player.id in state.excluded,
    }


@click.command()
@click.argument("who", type=PLAYER, nargs=-1)
@click.option("--all", "everybody", is_flag=True, help="Everybody is here.")
@click.option("--absent", is_flag=True, help="They are not here (any more).")
@click.option("--badges", is_flag=True, help="Whoever lays a badge on the reader, until Ctrl-C.")
@reader_options
@writes
def checkin(
    desk: Desk,
    who: tuple[str, ...],
    everybody: bool,
    absent: bool,
    badges: bool,
    reader: str,
    port: str | None,
) -> None:
    """Check in players, by id or name, or by the badges that they lay on a reader.

    \b
    schiri tournament checkin p001 "Anna Egli"
    schiri tournament checkin --all
    schiri tournament checkin --badges --reader pn532
    """
    if badges:
        for tag in read_badges(reader, port):
            _check_in_badge(desk, tag.content)
    elif everybody:
        desk.do(entrants.check_in_all, not absent)
    else:
        desk.do(entrants.check_in_many, who, not absent)


def _check_in_badge(desk: Desk, badge: object) -> None:
    """What is no badge of a player here stops nobody behind it."""
    try:
        if not isinstance(badge, Badge):
            raise UserError("no_badge")
        desk.do(entrants.arrived_by_badge, badge.player, badge.name)
    except UserError as error:
        click.echo(in_words(error.sentence, desk.lang), err=True)


@click.command()
@click.argument("name")
@click.option("--club", default="")
@click.option("--group", help="The group; default: the smallest.")
@writes
def late(desk: Desk, name: str, club: str, group: str | None) -> None:
    """A player comes after the draw; NAME is new, or a player who was not drawn.

    \b
    schiri tournament late "Emil Egli" --group C
    """

    def wanted(state: State) -> list[ev.AnyBody]:
        known = [p for p in state.players.values() if name in (p.id, p.name)]
        player = known[0] if known else Player(id=entrants.free_id(state), name=name, club=club)
        return entrants.late_entry(state, player, group)

    desk.do(wanted)
    if sizes(desk.state) and desk.state.setup.compare == "raw":
        click.echo(desk.words["unequal"], err=True)


@click.command()
@WHO
@click.option("--name", help="The right name, as it is shown.")
@click.option("--first", help="The right first name.")
@click.option("--surname", help="The right surname.")
@click.option("--club", help="The right club.")
@click.option("--country", help="The right country.")
@click.option("--seed", type=click.IntRange(0), help="The right seed; 0 takes it away.")
@writes
def edit(desk: Desk, who: str, seed: int | None, **texts: str | None) -> None:
    """Correct a player's names, club, country or seed; results and id stay.

    \b
    schiri tournament edit p017 --name "Anna Egli" --club Bern
    """
    desk.do(lambda state: entrants.edit_player(state, who, seed=seed, **texts))


@click.command()
@click.argument("keep", type=PLAYER)
@click.argument("double", type=PLAYER)
@writes
def merge(desk: Desk, keep: str, double: str) -> None:
    """KEEP and DOUBLE are one person: the entry is as KEEP has it. Whoever is drawn keeps the id;
    badges and slips of the other id mean the same player from now on.

    \b
    schiri tournament merge p003 p017 --why "entered twice"
    """
    desk.do(entrants.merge, keep, double)


@click.command()
@click.argument("which", type=click.Choice(["short", "whole"]))
@writes
def names(desk: Desk, which: str) -> None:
    """Have short or whole names on the pages that everybody sees: `Anna E.` or `Anna Egli`.

    \b
    schiri tournament names short
    """
    desk.do(entrants.public_names, which == "short")


@click.command()
@click.argument("who")
@click.option("--undo", is_flag=True, help="Enter a removed player again, by id.")
@click.option("--with-matches", is_flag=True, help="Also the matches, if none has begun.")
@writes
def remove(desk: Desk, who: str, undo: bool, with_matches: bool) -> None:
    """Remove a player who was entered by mistake, such as a double. What hangs on somebody who is
    drawn is said first.

    \b
    schiri tournament remove p017 --why "entered twice"
    schiri tournament remove p017 --undo
    """
    if undo:
        desk.do(entrants.enter_again, who)
    else:
        desk.do(entrants.remove_player, player_id(desk.state, who), with_matches)


@click.command()
@WHO
@writes
def withdraw(desk: Desk, who: str) -> None:
    """A player leaves; their open matches are lost 12:0 (SW-7).

    \b
    schiri tournament withdraw p017 --why "ill"
    """
    desk.do(entrants.withdraw, who)


@click.command()
@WHO
@writes
def exclude(desk: Desk, who: str) -> None:
    """The jury excludes a player for cheating (SW-9).

    \b
    schiri tournament exclude p017 --by Jury --why "looked at the pile"
    """
    desk.do(entrants.exclude, who)


@click.command()
@WHO
@writes
def reinstate(desk: Desk, who: str) -> None:
    """Take back a withdrawal or an exclusion; void the forfeits that are to be played.

    \b
    schiri tournament reinstate p017 --why "wrong player"
    """
    desk.do(entrants.reinstate, who)


@click.command()
@click.option("--size", type=int, default=4, show_default=True, help="At most so many in a group.")
@click.option("--seed", "random_seed", type=int, help="A number that gives the same draw again.")
@click.option("--everybody", is_flag=True, help="Also players who are not checked in.")
@writes
def draw(desk: Desk, size: int, random_seed: int | None, everybody: bool) -> None:
    """Draw the groups (TO-1) and plan their matches; again while no match was called.

    \b
    schiri tournament draw --size 4
    """
    desk.do(entrants.draw, size, random_seed, everybody)
