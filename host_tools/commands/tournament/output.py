"""Exports, the log, verification, and the simulated day."""

import io
import shlex
import sys
import zipfile
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import TypedDict

import click
from rich.table import Table

from host_tools.cards.public_keys import KeyList
from host_tools.commands.options import (
    DB,
    JSON,
    CommandReport,
    as_data,
    echo_json,
    prints,
    reports,
)
from host_tools.commands.tournament.common import CommandContext, reads
from host_tools.commands.verify import (
    by_list,
    check_export,
    key_list_options,
    keys_known,
    proof_lines,
)
from host_tools.core.command_line import (
    PATH,
    asked_language,
    command,
    never_with,
    only_with,
    output_option,
)
from host_tools.core.errors import Sentence, UserError, in_words
from host_tools.core.names import shown
from host_tools.core.own_files import (
    read_input,
    write_folder,
    write_for_owner,
    write_whole,
    written_below,
)
from host_tools.core.places import PRACTICE
from host_tools.core.texts import WORDS
from host_tools.store import open_store
from host_tools.tournament import events as ev
from host_tools.tournament.actions.entrants import MOST_TABLES, meant
from host_tools.tournament.export import FORMATS
from host_tools.tournament.fields import find_match
from host_tools.tournament.forgetting import forget as forget_names
from host_tools.tournament.model import PlayerId, Tournament
from host_tools.tournament.ratings import ratings as rate
from host_tools.tournament.ratings import season_of
from host_tools.tournament.service import TournamentService, tournament_ids
from host_tools.tournament.state import TournamentState
from host_tools.tournament.verifying import ProvedExport, Verified, verify_file
from host_tools.tournament.verifying import verify as verify_log
from host_tools.tournament.wording import event_text


class ForgetResult(TypedDict):
    players: int
    boxes: list[str]
    elsewhere: list[str]
    on_disk: bool


class SimulatedDay(TypedDict):
    tournament: str
    played: int
    no_shows: int
    on_paper: int
    typos: int
    corrected: list[str]
    withdrawn: list[PlayerId]
    excluded: list[PlayerId]
    late: list[PlayerId]
    lots: int
    champion: PlayerId | None
    third: PlayerId | None
    events: int


class Exported(TypedDict):
    file: str
    format: str


@command()
@click.option(
    "--format",
    "kind",
    type=click.Choice(sorted(FORMATS)),
    default="json",
    show_default=True,
    help="What is written.",
)
@output_option("Default: standard output.", folder=None)
@reads
@prints(Tournament)
def export(desk: CommandContext, kind: str, output: Path | None) -> CommandReport[Exported] | None:
    """Write the tournament: json (schiri-tournament/1), standings / results / players / teams
    (CSV; with semicolons in German), xlsx (a workbook), site (pages for any web space, a folder or
    a .zip), proof (the log with the journals of the boxes, signed by this desk: for `restore` and
    `verify --export`).

    \b
    schiri tournament export --format site -o cup
    schiri tournament export --format proof -o cup.ndjson
    """
    if desk.as_json and output is None and kind != "json":
        # stdout holds one of them: --json is a document of its own
        raise UserError("json_or_format", kind=kind)
    data = FORMATS[kind](desk.service, desk.lang)
    if output is None:
        # the bytes: a workbook is no text, and UTF-8 must not depend on the locale
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return None
    with written_below(output):
        # the format is one file, for stdout too; unpacked only where a folder is wanted
        if kind == "site" and output.suffix != ".zip":
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                write_folder(output, {name: archive.read(name) for name in archive.namelist()})
        elif kind == "site":  # to be published
            write_whole(output, data)
        else:
            # names of people, and not made to be published
            write_for_owner(output, data)
    click.echo(desk.words["written"].format(path=output), err=True)
    return CommandReport({"file": str(output), "format": kind}, [])


@command()
@click.option("--since", type=int, default=0, help="Only events behind this number.")
@click.option("--match", help="Only events of this match.")
@reads
def log(desk: CommandContext, since: int, match: str | None) -> CommandReport[list[ev.LogEntry]]:
    """Everything that was done: when, who, what, why. As data a line an event, with its proof:
    `schiri tournament export --format proof`.

    \b
    schiri tournament log --since 400
    schiri tournament log --match A-3
    """
    state = desk.state
    wanted = find_match(state, match).id if match else None
    chosen = [
        event
        for event in desk.service.events(since)
        if wanted is None or getattr(event.body, "match", None) == wanted
    ]
    return CommandReport(chosen, (_logged(state, event, desk.lang) for event in chosen))


def _logged(state: TournamentState, event: ev.LogEntry, lang: str) -> str:
    what = event_text(state, event, lang)
    at = datetime.fromisoformat(event.at).astimezone()
    return f"{event.seq:5}  {at:%Y-%m-%d %H:%M:%S}  {shown(event.actor)}: {what}"


@command()
@click.argument("file", required=False, type=PATH)
@click.option("--head", default="", help="The head that was written down: the FILE must have it.")
@click.option(
    "--export",
    "proof",
    type=PATH,
    help="A file of `export --format proof`: its signatures too, of desk and boxes.",
)
@key_list_options
@only_with("--head", "FILE")
@only_with("--keys", "--export")
@only_with("--desk", "--export")
@never_with("FILE", "--db", "--tournament")
@never_with("--export", "FILE", "--tournament")
@reads
def verify(
    desk: CommandContext,
    file: Path | None,
    head: str,
    proof: Path | None,
    keys: Path | None,
    pinned: str | None,
) -> CommandReport[Verified] | CommandReport[ProvedExport]:
    """Rebuild everything from the log and compare; exit code 1 if something does not hold. With a
    FILE, an exported log: a change names its line. With --export what anybody can check who has
    the list of public keys.

    \b
    schiri tournament verify
    schiri tournament verify cup.ndjson
    schiri tournament verify --export cup.proof --keys keys.json
    """
    words = desk.words
    if proof is not None:
        raw, known = read_input(proof), keys_known(keys, desk.db, pinned)
        return _proved(check_export(proof, raw, known), known)
    if file is not None:
        found = verify_file(file, head)
        lines = [words["verified_file"].format(events=found.events)]
        return CommandReport(found, [*lines, f"SHA-256 {found.head}"])
    found = verify_log(desk.service)
    lines = [words["verified_log"].format(events=found.events, digests=found.digests)]
    # no fault: the journals may be in another store
    if missing := len(found.without_journal):
        lines.append(words["missing_journals"].format(count=missing))
    return CommandReport(found, [*lines, f"SHA-256 {found.head}"])


def _proved(found: ProvedExport, keys: KeyList) -> CommandReport[ProvedExport]:
    lines = [*proof_lines(found), by_list(keys)]
    if found.without_journal:
        lines.append(Sentence("export_lacks", matches=found.without_journal))
    return CommandReport(found, [*lines, f"SHA-256 {found.head}"])


@command()
@click.option("--player", default="", help="Only this one, by id or name.")
@click.option("--yes", is_flag=True, help="Do it; there is no way back.")
@reads
def forget(desk: CommandContext, player: str, yes: bool) -> CommandReport[ForgetResult]:
    """Delete names, reasons and everything people wrote, or what names one player; results stay,
    by id. Journals of boxes are deleted here too, and desks that run forget the names at once.
    Export what you want to keep before; what this cannot reach it names.

    \b
    schiri tournament forget --yes
    schiri tournament forget --player "Anna Egli" --yes
    """
    who = meant(desk.state, player) if player else ""
    if not yes:
        name = desk.state.label(who) if who else desk.state.setup.name
        raise UserError("forget_one_yes" if who else "forget_yes", name=name)
    left = forget_names(desk.service, who)
    data: ForgetResult = {
        "players": left.players,
        "boxes": [box for box, _ in left.boxes],
        "elsewhere": left.elsewhere,
        "on_disk": left.on_disk,
    }
    return CommandReport(data, left.lines(desk.lang))


class Rated(TypedDict):
    name: str
    club: str
    events: int
    matches: int
    rating: float
    at_the_end: dict[str, float]


@command()
@click.option("--event", "chosen", multiple=True, help="Only these, by id; default: all here.")
@click.option("--seasons", "by_season", is_flag=True, help="With a column for each season.")
@click.option(
    "--season-begins",
    type=click.DateTime(["%m-%d"]),
    default="01-01",
    show_default="01-01",
    help="Month and day on which a season begins.",
)
@DB
@reports
@only_with("--season-begins", "--seasons")
def ratings(
    db: str | None, chosen: tuple[str, ...], by_season: bool, season_begins: datetime
) -> CommandReport[list[Rated]]:
    """How strong players are, by all matches of all tournaments in the database (or each --event),
    the oldest first. It needs the package openskill, of the extra `ratings`.

    \b
    schiri tournament ratings --event cup-2025 --event cup-2026
    schiri tournament ratings --seasons --season-begins 09-01

    With --seasons a player who comes back after a break is less sure of the old rating.
    """
    with closing(open_store(db, reads=True)) as store:
        known = tournament_ids(store)
        # first those that are not here: their service refuses them
        ids = [event for event in chosen if event not in known]
        # in the order of the database: a rating depends on which event came first
        ids += [event for event in known if event in chosen or not chosen]
        services = [TournamentService(store, event) for event in ids]
        begins = (season_begins.month, season_begins.day)
        seasons = [season_of(each.events()[0].at, begins) for each in services if by_season]
        found = rate([each.state for each in services], seasons)
    words, columns = WORDS[asked_language()], list(dict.fromkeys(seasons))
    table = Table("#", words["player"], words["club"], words["rating"], words["games"], *columns)
    for place, row in enumerate(found, 1):
        ends = [f"{row.at_the_end[s]:.1f}" if s in row.at_the_end else "" for s in columns]
        table.add_row(str(place), row.name, row.club, f"{row.rating:.1f}", str(row.matches), *ends)
    return CommandReport([as_data(Rated, row) for row in found], [table])


@command()
@click.option(
    "--players", "count", type=int, default=128, show_default=True, help="So many take part."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Another seed, another day.")
@click.option(
    "--tables", type=click.IntRange(1, MOST_TABLES), help="Default: one for eight players."
)
@click.option(
    "--game",
    default="",
    help="Tables of several instead, with this game, or game-preset.",
)
@click.option("--id", "tournament", help="Its id; default: made from players and seed.")
@click.option("--db", help="Database file or URL. Default: that of practice, not your own.")
@JSON
@prints(SimulatedDay)
def simulate(
    count: int,
    seed: int,
    tables: int | None,
    game: str,
    tournament: str | None,
    db: str | None,
    as_json: bool,
) -> None:
    """A dry run of a whole tournament: every match is played through the rules on a simulated box
    with a signed journal; corrections, no-shows, a lost box and lots included. It is there when
    all of it has been played, in the database of practice.

    \b
    schiri tournament simulate --players 32
    schiri desk --db practice
    """
    from host_tools.sim.tournament.day import simulate_day

    lang = asked_language()

    def tell(line: str) -> None:
        click.echo(in_words(line, lang), err=True)

    service, day = simulate_day(db, count, seed, tables, tournament, tell, game)
    with closing(service):
        # of the copy in the database: what was played in memory must follow from that, too
        checked = verify_log(service)
        _print_day(service, lang, as_json, {**vars(day), "events": checked.events})
        if not as_json:
            # without it `schiri desk` would show a list of all dry runs
            named = f" --tournament {service.id}" if len(tournament_ids(service.store)) > 1 else ""
            place = shlex.quote(db or PRACTICE)
            click.echo(Sentence("simulated_next", db=place, named=named).said(lang), err=True)


def _print_day(
    service: TournamentService, lang: str, as_json: bool, day: dict[str, object]
) -> None:
    if as_json:
        echo_json({"tournament": service.id, **day})
        return
    words, players = WORDS[lang], service.state.players
    click.echo(words["simulated"].format(**day))
    click.echo(f"{words['champion']}: {players[str(day['champion'])].name}")
    # with fewer than four in the tree nobody plays for it
    if day["third"]:
        click.echo(f"3.: {players[str(day['third'])].name}")
