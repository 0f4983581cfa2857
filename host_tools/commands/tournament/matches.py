"""The list of matches, announcements, the preview of a correction, and what boxes brought."""

import contextlib
import time
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TypedDict

import click
from rich.table import Table

from host_tools.commands.options import CommandReport, as_data, echo_json
from host_tools.commands.tournament.common import CommandContext, reads, utc_now, writes
from host_tools.commands.tournament.writing import (
    CARDS,
    GO_ON,
    OptionValues,
    cards_of,
    command_of,
    shows,
)
from host_tools.core import places
from host_tools.core.command_line import PATH, command, json_lines_option
from host_tools.core.errors import UserError, in_words
from host_tools.core.names import shown
from host_tools.tournament import events as ev
from host_tools.tournament import view
from host_tools.tournament.actions import checks, corrections, knockout
from host_tools.tournament.actions import matches as match_commands
from host_tools.tournament.collecting import Collected, Collector
from host_tools.tournament.incoming import find_match, seat_labels
from host_tools.tournament.model import PlayerId
from host_tools.tournament.operations import OPERATIONS
from host_tools.tournament.rights import STATUSES
from host_tools.tournament.state import MatchState
from host_tools.tournament.wording import (
    cards_text,
    choices_text,
    match_name,
    name_of,
    names_of,
    result_text,
    said_text,
)

WATCH_S = 1.0


class Announcement(TypedDict):
    announcement: int
    text: str


class DeckOut(TypedDict):
    match: str
    table: int
    deck: str
    status: str


CollectedFrom = TypedDict(
    "CollectedFrom", {"from": str, "match": str | None, "why": str}
)  # a keyword


class MatchReport(TypedDict):
    source: str
    cards: tuple[int, ...]
    places: list[int]
    kind: str
    winner: PlayerId | None
    box: str
    journal: str
    trust: str
    other_rules: dict[str, str | int]
    duration_s: int | None


class ListedMatch(TypedDict):
    match: str
    group: str | None
    round: str | None
    a: PlayerId | None
    b: PlayerId | None
    more: list[PlayerId]
    slot: int
    table: int
    deck: str
    status: str
    minutes: int
    cards: tuple[int, ...] | None
    places: list[int]
    kind: str | None
    winner: PlayerId | None
    by_word: bool
    word: str | None
    postponed: bool
    doubtful: bool
    called_at: str | None
    started_at: str | None
    late_in_s: int | None  # null where no two minutes run (SW-7)
    reports: list[MatchReport]


@command("matches")
@click.option("--status", type=click.Choice(STATUSES), help="Only these.")
@click.option("--doubtful", is_flag=True, help="Only where reports disagree, side by side.")
@reads
def list_matches(
    desk: CommandContext, status: str | None, doubtful: bool
) -> CommandReport[list[ListedMatch]]:
    """Matches with state and result; called ones with the late timer (CL-4).

    \b
    schiri tournament matches --status called
    schiri tournament matches --doubtful
    """
    state = desk.state
    chosen = [
        match
        # `ko_matches` is in playing order: third place before the final
        for match in [*(m for m in state.matches.values() if m.group), *state.ko_matches()]
        if (status is None or match.status == status) and (match.doubtful or not doubtful)
    ]
    now, words = utc_now(), desk.words
    heads = ("match", "slot", "table", "player", "state", "result")
    table = Table(*(words[head] for head in heads), "")
    for match in chosen:
        names = names_of(state, match)
        places = (match.id, str(match.slot or ""), str(match.table or ""))
        result = result_text(match, desk.lang)
        table.add_row(*places, names, words[match.status], result, remark(desk, match, now))
    return CommandReport([match_data(match, now) for match in chosen], [table])


def match_data(match: MatchState, now: datetime) -> ListedMatch:
    """A match for programs, with everything that was reported."""
    result = match.result
    return as_data(
        ListedMatch,
        match,
        match=match.id,
        cards=result.cards if result else None,
        places=result.places if result else [],
        kind=result.kind if result else None,
        # not its `winner`, which is only the jury's word over level cards (SW-5)
        winner=result.ahead() if result else None,
        word=match.word if match.by_word else None,
        # the state has "" for never; programs get null
        called_at=match.called_at or None,
        late_in_s=match_commands.seconds_left(match, now),
        reports=[as_data(MatchReport, said) for said in match.reports],
    )


def remark(desk: CommandContext, match: MatchState, now: datetime) -> str:
    """The late timer of a called match; for a doubtful one what each report says."""
    words = desk.words
    other = {name: one for said in match.reports for name, one in said.other_rules.items()}
    if match.doubtful and other:
        return words["other_rules"].format(rules=choices_text(other))
    if match.doubtful:
        said = ", ".join(f"{words[r.source]} {said_text(r)}" for r in match.reports)
        return f"{words['disagree']}: {said}"
    left = match_commands.seconds_left(match, now)
    if left is not None and left <= 0:
        return words["late_now"]
    if left is not None:
        return words["late_in"].format(minutes=left // 60, seconds=left % 60)
    return "; ".join(_from_the_jury(desk, match))


def _from_the_jury(desk: CommandContext, match: MatchState) -> Iterator[str]:
    """What the jury has said of a match, and what it still has to."""
    words, result = desk.words, match.result
    if result and result.winner and match.by_word:
        sentence = words["by_word"].format(name=name_of(desk.state, result.winner))
        yield f"{sentence} – {shown(match.word)}" if match.word else sentence
    if match.postponed:
        yield words["postponed"]
    for note in desk.state.notes.values():
        if isinstance(note.body, ev.ProtestFiled) and note.body.match == match.id:
            decided = note.decision
            word = "open" if decided is None else "upheld" if decided.upheld else "rejected"
            text = f": {shown(decided.text)}" if decided else ""
            yield f"{words['protest']} {note.seq} {words[word]}{text}"


def _announced(desk: CommandContext) -> CommandReport[list[Announcement]]:
    known = desk.state.announcements.items()
    shown: list[Announcement] = [{"announcement": number, "text": said} for number, said in known]
    return CommandReport(shown, [f"{number}: {said}" for number, said in known])


announce = command_of("announce", shows(_announced))


def _decks_out(desk: CommandContext) -> CommandReport[list[DeckOut]]:
    out = view.decks_out(desk.state)
    shown = [as_data(DeckOut, o, match=o.id) for o in out]
    names = [f"{desk.words['table']} {o.table}: {o.deck}, {o.id} {o.who}" for o in out]
    lines = [f"{name} ({desk.words[o.status]})" for name, o in zip(names, out, strict=True)]
    return CommandReport(shown, lines or [desk.words["nothing"]])


deck_back = command_of("deck-back", shows(_decks_out))


def _preview(
    desk: CommandContext, given: OptionValues, yes: bool
) -> CommandReport[corrections.Impact] | object:
    """What the correction would move."""
    if yes or "void" in given:
        return GO_ON
    if "order" in given:
        return _places_preview(desk, given)
    # a command with a hook may lack arguments: without any some show something
    if "_1" not in given:
        raise UserError("no_cards", text="")
    typed = [("match", given["_0"]), *zip(CARDS, cards_of(given["_1"]), strict=True)]
    typed += [(key, given[key]) for key in ("kind", "winner") if key in given]
    correct = OPERATIONS["correct"].form
    form = correct.found(correct.read(typed), desk.state)
    cards = (form.cards_a, form.cards_b)
    change = corrections.correction(desk.state, form.match, cards, form.kind, form.winner)
    # only told: the preview is the question that an entry would ask (`checks.ask`)
    odd = checks.doubt(cards, form.kind)
    return _impact(desk, change, [odd.said(desk.lang)] if odd else [])


def _places_preview(
    desk: CommandContext, given: OptionValues
) -> CommandReport[corrections.Impact]:
    row = OPERATIONS["correct_places"]
    form = row.form.read([("match", given["_0"]), ("order", given["order"])])
    form = row.form.found(form, desk.state)
    places = match_commands.places_of(desk.state, form.match, form.order)
    return _impact(desk, corrections.correction_of_places(desk.state, form.match, places), [])


def _impact(
    desk: CommandContext, change: ev.Corrected, doubts: list[str]
) -> CommandReport[corrections.Impact]:
    effect = corrections.impact(desk.state, change)
    lines = corrections.impact_lines(desk.state, effect, desk.lang)
    if effect.seeds:
        # once a match of the tree was called it is not drawn anew, so the seeds stay
        begun = knockout.tree_begun(desk.state)
        lines.append(desk.words["seeds_stay" if begun else "seeds_choose"])
    lines = lines or [desk.words["moves_nothing"]]
    lines += [*doubts, desk.words["preview"]]
    return CommandReport(effect, lines)


YES = click.Option(["--yes"], is_flag=True, help="Do it; without this only the preview is shown.")
correct = command_of("correct", _preview, YES)


@command()
@click.option("--slips", multiple=True, type=PATH, help="A book of `schiri slip`.")
@click.option("--own-slips", is_flag=True, help="Your own book of `schiri slip`.")
@click.option("--check", "check_too", is_flag=True, help="Verified results count at once.")
@click.option(
    "--watch", is_flag=True, help="Go on every second, beside `schiri desk`; Ctrl-C ends."
)
@json_lines_option("With --watch: a JSON object a result, a line each.")
@writes
def collect(
    desk: CommandContext,
    slips: tuple[Path, ...],
    own_slips: bool,
    check_too: bool,
    watch: bool,
    as_lines: bool,
) -> CommandReport[list[CollectedFrom]] | None:
    """Take in what boxes (`schiri sync`) and result slips (`schiri slip`) brought.

    \b
    schiri tournament collect --own-slips
    schiri tournament collect --check --watch
    """
    if watch and desk.as_json:
        raise UserError("watch_no_document")
    if as_lines and not watch:
        raise UserError("lines_no_watch")
    own = places.slips() if own_slips else None

    def books() -> list[Path]:
        # your own is looked for each time: `schiri slip` may make it meanwhile
        return [*slips, *([own] if own and own.exists() else [])]

    collector = Collector(desk.service, desk.actor, check_too)
    found = collector.collect(books())
    if not watch:
        lines = [_collected(desk, outcome) for outcome in found] or [desk.words["nothing"]]
        return CommandReport([_collected_data(outcome) for outcome in found], lines)
    # exit code 0: Ctrl-C is the way to end it (docs/exit-codes.md)
    with contextlib.suppress(KeyboardInterrupt):
        # at once: a watch that says nothing looks as if it did nothing
        if not found and not as_lines:
            click.echo(desk.words["nothing"])
        while True:
            _tell_collected(desk, found, as_lines)
            time.sleep(WATCH_S)
            found = collector.collect(books())
    return None


def _collected_data(outcome: Collected) -> CollectedFrom:
    return {"from": outcome.result.label, "match": outcome.match, "why": outcome.why}


def _tell_collected(desk: CommandContext, found: Sequence[Collected], as_lines: bool) -> None:
    """A line a result."""
    for outcome in found:
        if as_lines:
            echo_json(_collected_data(outcome))
        else:
            click.echo(_collected(desk, outcome))


def _collected(desk: CommandContext, outcome: Collected) -> str:
    label = f"{desk.words[outcome.result.source]} {outcome.result.label}"
    if outcome.match is None:
        return f"{label}: {in_words(outcome.why, desk.lang)}"
    return f"{label}: {match_name(desk.state, outcome.match)}"


SHOWN = 10
"""So many letters of a journal's digest tell it from the others."""


def _unplaced(desk: CommandContext) -> CommandReport[list[ev.Unplaced]]:
    tasks = desk.state.to_place()
    lines = []
    for task in tasks:
        found = find_match(desk.state, task)
        # it fits by now: the next `collect` reports it
        why = found.id if isinstance(found, MatchState) else found.said(desk.lang)
        names, cards = " – ".join(seat_labels(task)), cards_text(task.counts)
        label = f"{desk.words[task.source]} {task.label}"
        lines.append(f"{task.journal[:SHOWN]}  {names}  {cards}  {label}: {why}")
    return CommandReport(tasks, lines or [desk.words["nothing"]])


unplaced = command_of("unplaced", shows(_unplaced))
