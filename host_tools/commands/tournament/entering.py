"""Entering results: one, many from a file, or one after the other at the terminal; and undoing."""

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from host_tools.commands.options import echo_line
from host_tools.commands.tournament.common import CommandContext
from host_tools.commands.tournament.writing import GO_ON, OptionValues, command_of
from host_tools.core.command_line import never_with
from host_tools.core.errors import Sentence, UserError, in_words
from host_tools.core.own_files import read_input
from host_tools.core.spreadsheet import decode
from host_tools.core.texts import round_namer
from host_tools.tournament import events as ev
from host_tools.tournament import view
from host_tools.tournament.actions import checks
from host_tools.tournament.actions import matches as match_commands
from host_tools.tournament.fields import find_match
from host_tools.tournament.operations import OPERATIONS, OperationRow, Who
from host_tools.tournament.state import MatchState, TournamentState
from host_tools.tournament.wording import names_of, refusal_text, said_text

_PLACE = re.compile(r"([^\s;,]+)[\s;,]+(.*)")
# table or match, the cards of the first, those of the second, who won a level one
# ASCII: otherwise \d takes the digits of every script
_ENTRY = re.compile(
    r"([^\s;,]+)[\s;,]+(\d{1,3})(?:[\s;,:-]+(\d{1,3}))?(?:[\s;,]+(\D.*))?", re.ASCII
)
_STANDARD_INPUT = "-"
UNDO, LIST = "u", "?"
ENTER, UNDO_ROW = OPERATIONS["enter"], OPERATIONS["undo"]
ENTER_PLACES = OPERATIONS["enter_places"]


MORE = (
    click.Option(["--from", "source"], help="A file with a result a line; - for standard input."),
    click.Option(["--stage"], help="The slot (3) or round (1/8) whose tables are meant."),
)


def _entering(
    desk: CommandContext, given: OptionValues, source: str | None, stage: str | None
) -> object:
    if source is not None:
        # read once: the command may be judged again, and standard input is empty then
        lines, sure = _lines_of(source), "sure" in given
        desk.do(lambda state: entered(state, lines, source, stage, sure, desk.who()))
    elif not given:
        _one_after_the_other(desk, stage)
    # a command with a hook may lack arguments: none at all is the grid
    elif "_1" not in given and "order" not in given:
        raise UserError("no_cards", text="")
    else:
        return GO_ON
    return None


enter = command_of(
    "enter",
    _entering,
    *MORE,
    pairings=[
        never_with("--from", "MATCH", "--kind", "--winner"),
        never_with("--stage", "MATCH"),
    ],
)


# -- lines ----------------------------------------------------------------------------------------


def read_entry(
    state: TournamentState, line: str, stage: str, sure: bool = False
) -> tuple[OperationRow, Any]:
    """The result in a line, and the operation that enters it. Raises UserError."""
    text = line.strip()
    found = _PLACE.fullmatch(text)
    if found is None:
        raise UserError("no_entry_line", text=text)
    place, said = found.groups()
    match = (
        _at_table(state, int(place), stage)
        # digits alone are a table: no match has such an id
        if place.isascii() and place.isdecimal()
        else find_match(state, place)
    )
    if match.more:
        return ENTER_PLACES, ENTER_PLACES.form.read([("match", match.id), ("order", said)])
    return ENTER, _read_cards(match, text, sure)


def _read_cards(match: MatchState, line: str, sure: bool) -> Any:
    found = _ENTRY.fullmatch(line)
    if found is None:
        raise UserError("no_entry_line", text=line)
    _, first, second, winner = found.groups()
    rest = checks.with_rest(match.deck, int(first))
    if not (second or rest):
        raise UserError("rest_unknown", match=match.id)
    other = second or str(rest[1] if rest else "")
    typed = [("match", match.id), ("cards_a", first), ("cards_b", other)]
    return ENTER.form.read([*typed, ("winner", winner or ""), ("sure", "1" if sure else "")])


def _at_table(state: TournamentState, table: int, stage: str) -> MatchState:
    """The match at a table in a slot or round; if there are several, the one that is awaited."""
    found = [match for match in view.of_stage(state, stage) if match.table == table]
    if len(found) > 1:
        found = [match for match in found if not match.counts] or found[-1:]
    if not found:
        raise UserError("no_match_at_table", table=table, stage=stage)
    if len(found) > 1:
        raise UserError("tables_match", table=table, matches=[match.id for match in found])
    return found[0]


def entered(
    state: TournamentState,
    lines: Sequence[str],
    name: str,
    stage: str | None,
    sure: bool,
    who: Who,
) -> list[ev.AnyBody]:
    """The events of all lines. Raises UserError with every bad line and its number: then nothing
    is entered. Empty lines, those behind # and what counts already as it is written are passed.
    """
    tables_of = stage or view.stage_now(state)
    bodies: list[ev.AnyBody] = []
    faults: list[Sentence] = []
    for number, line in enumerate(lines, 1):
        if not line.partition("#")[0].strip():
            continue
        try:
            row, form = read_entry(state, line.partition("#")[0], tables_of, sure)
            form = row.form.found(form, state)
            # a file may grow and be entered again: what it said before is no mistake
            made = [] if _counts_so(state, form) else row.wanted(form, who)(state)
        except UserError as error:
            faults.append(Sentence("entry_fault", file=name, line=number, detail=error.sentence))
            continue
        # the next line is judged on this one: a match that stands there twice is found
        state = state.after(made)
        bodies += made
    if faults:
        raise UserError("faults", faults=faults)
    return bodies


def _counts_so(state: TournamentState, form: Any) -> bool:
    match = state.matches[form.match]
    result = match.result
    if match.more:
        places = match_commands.places_of(state, match.id, form.order)
        return result is not None and result.places == places
    typed = ((form.cards_a, form.cards_b), form.kind, form.winner)
    return result is not None and (result.cards, result.kind, result.winner) == typed


def _lines_of(source: str) -> list[str]:
    """The lines of a file. Raises UserError if it cannot be read."""
    if source == _STANDARD_INPUT:
        return sys.stdin.read().splitlines()
    return decode(read_input(Path(source)), source).splitlines()


# -- the grid of the terminal ---------------------------------------------------------------------


def _one_after_the_other(desk: CommandContext, stage: str | None) -> None:
    """A line a result until an empty one; `u` undoes the last one, `?` shows the matches."""
    chosen = stage or view.stage_now(desk.state)
    _show(desk, chosen)
    if desk.as_json:
        desk.tell([])  # a document also if nothing is typed
    for line in _typed(desk):
        try:
            if line == LIST:
                _show(desk, chosen)
            elif line == UNDO:
                desk.perform(UNDO_ROW, UNDO_ROW.form.read([]))
            else:
                _enter_line(desk, line, chosen)
        except UserError as error:
            click.echo(refusal_text(error, desk.state, desk.lang), err=True)


def _typed(desk: CommandContext) -> Iterator[str]:
    while True:
        click.echo(desk.words["entry_prompt"], nl=False, err=True)
        # the end of a pipe reads as an empty line, and ends it as well
        line = sys.stdin.readline().strip()
        if not line:
            return
        yield line


def _enter_line(desk: CommandContext, line: str, stage: str) -> None:
    """Enter it; an odd one is asked about."""
    try:
        desk.perform(*read_entry(desk.state, line, stage))
    except UserError as error:
        # only what is odd may be right all the same
        if error.sentence.key != "odd_result":
            raise
        click.echo(in_words(error.sentence, desk.lang), err=True)
        click.echo(desk.words["entry_sure"], nl=False, err=True)
        if sys.stdin.readline().strip().casefold() in desk.words["entry_yes"].split():
            desk.perform(*read_entry(desk.state, line, stage, sure=True))


def _show(desk: CommandContext, stage: str) -> None:
    """The matches of the slot or round: who plays, what is known."""
    state, words = desk.state, desk.words
    title = f"{words['slot']} {stage}" if stage.isdecimal() else round_namer(desk.lang)(stage)
    heads = ("table", "match", "player", "state", "result")
    table = Table(*(words[head] for head in heads), title=title, title_justify="left")
    for match in view.of_stage(state, stage):
        names = names_of(state, match)
        said = ", ".join(_said(desk, report) for report in match.reports)
        result = view.score(match.result) or said
        table.add_row(str(match.table or ""), match.id, names, words[match.status], result)
    # for people, as the question under it; with --json stdout holds the document alone
    echo_line(table, err=desk.as_json)


def _said(desk: CommandContext, report: ev.Reported) -> str:
    """`Box 20:12, verified`."""
    trust = f" ({desk.words[report.trust]})" if report.source in ("box", "slip") else ""
    return f"{desk.words[report.source]} {said_text(report)}{trust}"
