"""The plan of the group matches, and the mode of the tournament."""

from collections.abc import Iterator
from dataclasses import asdict

import click
from rich.table import Table

from host_tools.commands.options import Report
from host_tools.commands.tournament.common import Desk, writes
from host_tools.tournament import events as ev
from host_tools.tournament.commands import entrants
from host_tools.tournament.schedule import begin_of, begin_text, estimate
from host_tools.tournament.service import utc_now
from host_tools.tournament.standings import Compare
from host_tools.tournament.state import MatchState, State


@click.command()
@click.option("--ko-size", type=int, help="So many qualify, until the tree is drawn.")
@click.option("--compare", type=click.Choice(["raw", "per-match"]), help="Unequal groups (TO-3).")
@writes
def mode(desk: Desk, ko_size: int | None, compare: Compare | None) -> Report | None:
    """Show the mode, or adapt it: the jury may (footnote of the rules).

    \b
    schiri tournament mode
    schiri tournament mode --ko-size 32 --compare per-match --by Jury
    """
    changes = ev.Changed(ko_size=ko_size, compare=compare)
    if changes != ev.Changed():
        desk.do(entrants.change, changes)
        return None
    setup = desk.state.setup
    shown = {"name": setup.name, "ko_size": setup.ko_size, "compare": setup.compare}
    shown |= {"tables": setup.tables, "slot_minutes": setup.slot_minutes, "decks": setup.decks}
    return Report(shown, [f"{key}: {value}" for key, value in shown.items()])


@click.command()
@click.option("--again", is_flag=True, help="Plan the open matches anew.")
@click.option("--tables", type=int, help="So many tables from now on.")
@click.option("--deck", "decks", multiple=True, help="The decks from now on.")
@click.option("--slot-minutes", type=int, help="Minutes of a slot from now on.")
@writes
def plan(
    desk: Desk,
    again: bool,
    tables: int | None,
    decks: tuple[str, ...],
    slot_minutes: int | None,
) -> Report | None:
    """Show the plan and an honest estimate of the end, or change it.

    \b
    schiri tournament plan
    schiri tournament plan --tables 12 --again
    """

    def wanted(state: State) -> list[ev.AnyBody]:
        changes = ev.Changed(tables=tables, decks=list(decks) or None, slot_minutes=slot_minutes)
        bodies: list[ev.AnyBody] = []
        if changes != ev.Changed():
            bodies = entrants.change(state, changes)
        return bodies + (entrants.plan_again(state.after(bodies)) if again else [])

    if again or tables or decks or slot_minutes:
        desk.do(wanted)
        return None
    data = {"matches": _plan_data(desk.state), "estimate": _estimate(desk.state)}
    return Report(data, _plan_lines(desk))


@click.command()
@click.argument("when", required=False)
@writes
def begins(desk: Desk, when: str | None) -> Report | None:
    """Show when the first slot is to be called, or set it: the plan, the board and the calendars
    of the players have times of day from then on.

    \b
    schiri tournament begins
    schiri tournament begins 10:00
    schiri tournament begins "2026-11-28 10:00"
    """
    if when is not None:
        desk.do(entrants.change, ev.Changed(begins=begin_of(when, utc_now())))
        return None
    known = desk.state.setup.begins
    return Report({"begins": known or None}, [begin_text(known) or "–"])


def _planned(state: State) -> list[MatchState]:
    groups = (match for match in state.matches.values() if match.group is not None)
    return sorted(groups, key=lambda match: (match.slot, match.table))


def _plan_data(state: State) -> list[dict[str, object]]:
    return [
        {"match": m.id, "slot": m.slot, "table": m.table, "deck": m.deck, "a": m.a, "b": m.b}
        for m in _planned(state)
    ]


def _estimate(state: State) -> dict[str, int]:
    setup = state.setup
    ko_size = setup.ko_size
    while ko_size > 2 and ko_size // 2 >= len(state.players) - len(state.out):
        ko_size //= 2
    found = estimate(_planned(state), ko_size, setup.tables, setup.slot_minutes)
    return {**asdict(found), "minutes": found.minutes}


def _plan_lines(desk: Desk) -> Iterator[object]:
    state, words = desk.state, desk.words
    table = Table(words["slot"], words["table"], words["deck"], words["match"], words["player"])
    for match in _planned(state):
        names = " – ".join(state.players[player].name for player in (match.a, match.b))
        table.add_row(str(match.slot), str(match.table), match.deck, match.id, names)
    yield table
    found = _estimate(state)
    slots, minutes = found["group_slots"], found["group_minutes"]
    yield words["estimate"].format(slots=slots, minutes=minutes, all=found["minutes"])
