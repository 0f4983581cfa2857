"""The command `schiri results`: stored matches as a table, and one of them as a slip."""

import json
from collections.abc import Sequence

import click
from rich.console import Console
from rich.table import Table

from host_tools.core.errors import UserError
from host_tools.core.texts.results import TEXTS
from host_tools.replay.telling import default_language
from host_tools.store import open_store
from host_tools.store.models import SeatResult, StoredMatch

SLIP_WIDTH = 42


@click.group(invoke_without_command=True)
@click.option("--db", help="Database file or URL. Default: SCHIRI_DATABASE_URL, else your own.")
@click.option(
    "--lang",
    type=click.Choice(sorted(TEXTS)),
    default=default_language,
    help="Language; default from the locale.",
)
@click.option("--json", "as_json", is_flag=True, help="JSON instead of text.")
@click.pass_context
def results(context: click.Context, db: str | None, lang: str, as_json: bool) -> None:
    """Stored matches: a table (`list`), one in full (`show ID`), or its slip (`slip ID`).

    schiri results
    """
    store = open_store(db, reads=True)
    context.call_on_close(store.close)
    context.obj = (store, lang, as_json)
    if context.invoked_subcommand is None:
        context.invoke(list_matches)


@results.command("list")
@click.pass_context
def list_matches(context: click.Context) -> None:
    """All stored matches, in the order they came.

    schiri results list
    """
    store, lang, as_json = context.obj
    matches = store.matches()
    if as_json:
        click.echo(json.dumps([as_dict(match) for match in matches], ensure_ascii=False))
    elif matches:
        Console(highlight=False).print(as_table(matches, lang))
    else:
        click.echo(TEXTS[lang]["none"])


@results.command()
@click.argument("match_id", metavar="ID", type=int)
@click.pass_context
def show(context: click.Context, match_id: int) -> None:
    """One match in full: header, result, and every state it had.

    schiri results show 1
    """
    match = _find(context, match_id)
    _, lang, as_json = context.obj
    if as_json:
        click.echo(json.dumps(as_dict(match), ensure_ascii=False))
        return
    click.echo(as_slip(match, lang))
    for change in match.states:
        why = f": {change.reason}" if change.reason else ""
        click.echo(f"{change.at:%Y-%m-%d %H:%M} UTC  {TEXTS[lang][change.state]}{why}")


@results.command()
@click.argument("match_id", metavar="ID", type=int)
@click.pass_context
def slip(context: click.Context, match_id: int) -> None:
    """The result slip of one match, as text.

    schiri results slip 1
    """
    match = _find(context, match_id)
    _, lang, as_json = context.obj
    click.echo(json.dumps(as_dict(match), ensure_ascii=False) if as_json else as_slip(match, lang))


def _find(context: click.Context, match_id: int) -> StoredMatch:
    match: StoredMatch | None = context.obj[0].match(match_id)
    if match is None:
        raise UserError(f"there is no stored match {match_id}; see `schiri results list`")
    return match


def as_table(matches: Sequence[StoredMatch], lang: str) -> Table:
    """The stored matches, one row each."""
    texts = TEXTS[lang]
    table = Table(*(texts[key] for key in ("id", "box", "match", "game", "result", "state")))
    for match in matches:
        why = f"\n{match.reason}" if match.reason else ""
        box = match.box.name or match.box_id
        line = (str(match.id), box, str(match.number), game_name(match), result_line(match, lang))
        table.add_row(*line, texts[match.state] + why)
    return table


def game_name(match: StoredMatch) -> str:
    """The game with its preset, as in the header."""
    preset = match.header.get("preset")
    return f"{match.game} {preset}" if preset else match.game


def result_line(match: StoredMatch, lang: str) -> str:
    """`Anna 20 : 12 Berta`, in the order of the seats."""
    if not match.seats:
        return TEXTS[lang]["no_result"]
    if len(match.seats) == 2:
        left, right = match.seats
        return f"{seat_name(left, lang)} {left.count} : {right.count} {seat_name(right, lang)}"
    return ", ".join(f"{seat_name(seat, lang)} {seat.count}" for seat in match.seats)


def seat_name(seat: SeatResult, lang: str) -> str:
    """The player's name, or the seat counted from 1."""
    return seat.name or f"{TEXTS[lang]['seat']} {seat.seat + 1}"


def as_slip(match: StoredMatch, lang: str) -> str:
    """The slip that today is paper: who, how many, which place, and what the desk thinks of it."""
    texts = TEXTS[lang]
    rule = "-" * SLIP_WIDTH
    rows = [_slip_row(seat, lang) for seat in match.seats] or [texts["no_result"]]
    reason = (match.result or {}).get("reason")
    ended = [f"{texts['ended']}: {texts.get(f'reason_{reason}', str(reason))}"] if reason else []
    state = texts[match.state] + (f": {match.reason}" if match.reason else "")
    return "\n".join(
        [
            texts["slip"].center(SLIP_WIDTH).rstrip(),
            f"{game_name(match)}, {texts['box']} {match.box_id}, {texts['match']} {match.number}",
            rule,
            *rows,
            rule,
            *ended,
            state,
            f"{texts['digest']} {match.digest[:16]}",
        ]
    )


def _slip_row(seat: SeatResult, lang: str) -> str:
    texts = TEXTS[lang]
    place = f"{seat.place}." if seat.place else ""
    points = f"  {seat.points} {texts['points']}" if seat.points is not None else ""
    return f"{place:>3} {seat_name(seat, lang):<24}{seat.count:>4}{points}"


def as_dict(match: StoredMatch) -> dict[str, object]:
    """What other programs get; times in UTC as ISO 8601."""
    return {
        "id": match.id,
        "box": match.box_id,
        "match": match.number,
        "game": match.game,
        "preset": match.header.get("preset"),
        "state": match.state,
        "reason": match.reason,
        "received": match.received.isoformat(),
        "digest": match.digest,
        "result": match.result,
        "seats": [
            {
                "seat": seat.seat,
                "name": seat.name,
                "place": seat.place,
                "count": seat.count,
                "points": seat.points,
            }
            for seat in match.seats
        ],
    }
