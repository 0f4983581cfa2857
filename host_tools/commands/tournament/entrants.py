"""Making a tournament, lists of players, and badges."""

from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TypedDict

import click
from msgspec import structs
from rich.table import Table

from card_tags.kinds import Badge
from host_tools.commands.options import DB, JSON, CommandReport, as_data, prints, reports
from host_tools.commands.tag import read_badges, reader_options
from host_tools.commands.tournament.common import (
    BY,
    CommandContext,
    LogEntries,
    logged_in,
    reads,
    working,
    writes,
)
from host_tools.commands.tournament.writing import GO_ON, OptionValues, command_of
from host_tools.core.command_line import (
    DECK,
    PATH,
    TOURNAMENT,
    Function,
    asked_language,
    command,
    never_with,
    only_with,
    together,
)
from host_tools.core.errors import Sentence, UserError, in_words
from host_tools.core.texts import TEXTS
from host_tools.store import open_store
from host_tools.tournament import events as ev
from host_tools.tournament import rule_options
from host_tools.tournament.actions import entrants
from host_tools.tournament.fields import FIELDS
from host_tools.tournament.forgetting import delete_tournament, what_goes
from host_tools.tournament.importing import take_over
from host_tools.tournament.log_file import read_log
from host_tools.tournament.model import Entrant, read_file
from host_tools.tournament.player_names import columns
from host_tools.tournament.players_csv import COLUMNS, read_players
from host_tools.tournament.service import TournamentService, tournament_ids
from host_tools.tournament.state import TournamentState
from host_tools.tournament.tables import points_of


class ListedPlayer(Entrant, frozen=True, kw_only=True, omit_defaults=False):
    """An entrant as `players --json` has it."""

    group: str | None
    present: bool
    withdrawn: bool
    excluded: bool


class Deleted(TypedDict):
    tournament: str
    name: str
    players: int
    lines: int
    journals: int


def _setup_option(name: str, *, help: str = "") -> Callable[[Function], Function]:
    """An option of `new`, with the default of the event that it becomes a field of. `help`: where
    a new tournament is asked something else than one that is changed.
    """
    field, default = FIELDS[name], getattr(ev.Created(name=""), name, None)
    names, text = [field.option or f"--{name.replace('_', '-')}", name], help or field.help
    if field.several:
        known = DECK if name == "decks" else None
        return click.option(*names, type=known, multiple=True, help=text)
    # `points` is typed as one text, and read by `points_of`
    default = "" if isinstance(default, list) else default
    if default is None:
        return click.option(*names, type=int, help=text)
    kind = click.Choice(field.choices) if field.choices else type(default)
    return click.option(*names, type=kind, default=default, show_default=bool(default), help=text)


@command()
@click.argument("name")
@together(
    _setup_option("mode"),
    _setup_option("rounds"),
    _setup_option("legs"),
    _setup_option("seats"),
    _setup_option(
        "points", help="Points of the places there, as 5,3,2,1; default: 12,8,4,0 at four seats."
    ),
    _setup_option("advance"),
    _setup_option("game"),
    _setup_option("options"),
    _setup_option("turn"),
    _setup_option("ko_size", help="Qualifiers."),
    _setup_option("tables", help="Tables in the hall."),
    _setup_option("decks", help="A deck; once for each table, in turn."),
    _setup_option("slot_minutes", help="Minutes of a slot: match and change."),
    _setup_option("compare", help="Unequal groups: as counted, or by match played (TO-3)."),
    _setup_option("venue"),
)
@click.option("--id", "tournament", help="Its id; default: made from the name.")
@BY
@DB
@JSON
@prints(LogEntries)
def new(
    name: str,
    tournament: str | None,
    by: str | None,
    db: str | None,
    as_json: bool,
    decks: tuple[str, ...],
    points: str,
    seats: int,
    game: str,
    options: tuple[str, ...],
    turn: int | None,
    **setup: int | str,
) -> None:
    """Make a new tournament called NAME.

    \b
    schiri tournament new "Zürich Cup" --tables 16 --ko-size 64 --deck berge
    schiri tournament new "Berner Schweizer" --mode swiss --rounds 7 --tables 16
    schiri tournament new "Spieleabend" --mode tables --seats 4 --tables 6 --points 5,3,2,1
    """

    # before the database is made: nothing is left of a call that is refused
    entrants.check_decks(decks)
    worth = points_of(points, seats)
    chosen = rule_options.in_force(game, rule_options.typed(options, turn))
    made = ev.Created(
        name=name,
        decks=list(decks),
        seats=seats,
        points=worth,
        game=game,
        options=chosen,
        **setup,  # type: ignore[arg-type]
    )
    service = partial(TournamentService.create, db, by or logged_in(), made, tournament)
    with working(service, asked_language(), as_json) as desk:
        desk.tell(desk.service.events())


@command("list")
@DB
@reports
def list_all(db: str | None) -> CommandReport[list[str]]:
    """The tournaments in the database.

    \b
    schiri tournament list
    """

    with closing(open_store(db, reads=True)) as store:
        ids = tournament_ids(store)
    return CommandReport(ids, ids)


@command()
@click.argument("file", type=PATH)
@click.option("--id", "tournament", help="Its id; default: made from the name.")
@DB
@JSON
@prints(LogEntries)
def restore(file: Path, tournament: str | None, db: str | None, as_json: bool) -> None:
    """Make a tournament out of an exported log (NDJSON), as it was. A file that was changed is
    refused.

    \b
    schiri tournament export --format proof -o cup.ndjson
    schiri tournament restore cup.ndjson --db other.db
    """

    log = read_log(file)
    service = partial(TournamentService.restore, db, log.events, tournament)
    with working(service, asked_language(), as_json) as desk:
        events = desk.service.events()
        desk.tell(events)


@command()
@click.argument("tournament", type=TOURNAMENT)
@click.option("--yes", is_flag=True, help="Do not ask for its name.")
@click.option("--force", is_flag=True, help="Also while it is being played.")
@DB
@reports
def delete(tournament: str, yes: bool, force: bool, db: str | None) -> CommandReport[Deleted]:
    """Delete a TOURNAMENT, by its id, with its log and the journals of its matches. One that has
    begun and is not over is refused. There is no way back but a log that was exported before.

    \b
    schiri tournament export --format proof -o cup.ndjson
    schiri tournament delete zurich-cup
    schiri tournament delete probelauf-32-1 --yes --db practice
    """

    lang = asked_language()
    # `reads`, although it deletes: a mistyped database must not be made
    with closing(open_store(db, reads=True)) as store:
        goes = what_goes(store, tournament)
        if goes.running and not force:
            raise UserError("delete_running", name=goes.name)
        counts = {"people": goes.players, "lines": goes.lines, "journals": len(goes.journals)}
        if not yes:
            sentence = Sentence("delete_goes", tournament=tournament, name=goes.name, **counts)
            click.echo(sentence.said(lang), err=True)
            typed = click.prompt(Sentence("delete_type").said(lang), err=True)
            if typed.strip() != goes.name.strip():
                raise UserError("delete_other_name", name=goes.name)
        # just what was shown: a journal that came meanwhile stays
        delete_tournament(store, tournament, goes)
    data = as_data(Deleted, goes, tournament=tournament, journals=len(goes.journals))
    return CommandReport(data, [Sentence("deleted", name=goes.name, **counts)])


@command("import")
@click.argument("file", type=PATH)
@writes
def import_file(desk: CommandContext, file: Path) -> None:
    """Take players from a CSV FILE, or a whole tournament from a schiri-tournament/1 FILE (.json)
    into an empty one. Headings of a CSV file: {columns}.

    \b
    schiri tournament import players.csv
    schiri tournament import event.json
    """
    _ = desk.service  # a database that is none fails before the file is read
    if file.suffix == ".json":
        event = read_file(file)
        desk.do(lambda state: take_over(state, event))
    else:
        listed = read_players(file)
        desk.do(lambda state: entrants.add_list(state, listed))


import_file.help = str(import_file.help).format(columns=", ".join(COLUMNS))


@command()
@reads
def players(desk: CommandContext) -> CommandReport[list[ListedPlayer]]:
    """The player list.

    \b
    schiri tournament players
    """
    state = desk.state
    words = desk.words
    listed = columns(state.players.values())
    labels = [TEXTS[desk.lang][field.label] for field in listed]
    table = Table("id", words["player"], *labels, words["group"], "")
    for player in state.players.values():
        mark = words["left"] if player.id in state.out else ""
        mark = mark or (words["present"] if player.id in state.present else "")
        group = state.group_of(player.id) or ""
        cells = [str(getattr(player, field.name) or "") for field in listed]
        table.add_row(player.id, player.name, *cells, group, mark)
    return CommandReport([_listed(state, player) for player in state.players.values()], [table])


def _listed(state: TournamentState, player: Entrant) -> ListedPlayer:
    return ListedPlayer(
        **structs.asdict(player),
        group=state.group_of(player.id),
        present=player.id in state.present,
        withdrawn=player.id in state.withdrawn,
        excluded=player.id in state.excluded,
    )


@reader_options()
@click.option("--badges", is_flag=True, help="Whoever lays a badge on the reader, until Ctrl-C.")
def _badges() -> None:
    """Holds the options of a reader."""


def _by_badge(
    desk: CommandContext, _given: OptionValues, badges: bool, reader: str, port: str | None
) -> object:
    if not badges:
        return GO_ON
    for tag in read_badges(reader, port):
        _check_in_badge(desk, tag.content)
    return None


checkin = command_of(
    "checkin",
    _by_badge,
    # click leaves the options of decorators there; it has no public way to them
    *_badges.__click_params__,  # type: ignore[attr-defined]
    pairings=[
        only_with("--port", "--badges"),
        only_with("--reader", "--badges"),
        never_with("--badges", "PLAYERS...", "--all", "--absent"),
        never_with("--all", "PLAYERS..."),
    ],
)


def _check_in_badge(desk: CommandContext, badge: object) -> None:
    """What is no badge of a player here stops nobody behind it."""
    try:
        if not isinstance(badge, Badge):
            raise UserError("no_badge")
        desk.do(lambda state: entrants.arrived_by_badge(state, *badge))
    except UserError as error:
        click.echo(in_words(error.sentence, desk.lang), err=True)
