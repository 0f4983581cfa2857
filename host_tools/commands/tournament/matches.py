"""Calling matches, entering and checking results, corrections."""

import contextlib
import functools
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

import click
from rich.table import Table

from host_tools.commands.options import Report, echo_json
from host_tools.commands.tournament.common import (
    MATCH,
    PLAYER,
    Desk,
    cards_of,
    reads,
    writes,
)
from host_tools.core.errors import UserError, in_words
from host_tools.tournament import events as ev
from host_tools.tournament.collecting import Collected, Collector
from host_tools.tournament.commands import checks, corrections, knockout
from host_tools.tournament.commands import matches as match_commands
from host_tools.tournament.files import seed_lines
from host_tools.tournament.model import Kind, PlayerId
from host_tools.tournament.rights import STATUSES
from host_tools.tournament.service import Command, utc_now
from host_tools.tournament.state import MatchState, State
from host_tools.tournament.wording import cards_text, match_name, name_of, result_text

ONE = click.argument("match", type=MATCH)
SEVERAL = click.argument("matches", type=MATCH, nargs=-1)
KIND = click.option(
    "--kind", type=click.Choice(["played", "forfeit", "excluded", "drawn"]), default="played"
)
WINNER = click.option(
    "--winner", type=PLAYER, help="Who won by the jury's word, if the cards are level (SW-5)."
)
REPORT = ("source", "cards", "kind", "winner", "box", "journal", "trust", "duration_s")
WATCH_S = 1.0
Cards = tuple[int, int]


@click.command("matches")
@click.option("--status", type=click.Choice(STATUSES), help="Only these.")
@click.option("--doubtful", is_flag=True, help="Only where reports disagree, side by side.")
@reads
def list_matches(desk: Desk, status: str | None, doubtful: bool) -> Report:
    """Matches with state and result; called ones with the late timer (CL-4).

    \b
    schiri tournament matches --status called
    schiri tournament matches --doubtful
    """
    state = desk.state
    chosen = [
        match
        for match in [*(m for m in state.matches.values() if m.group), *state.ko_matches()]
        if (status is None or match.status == status) and (match.doubtful or not doubtful)
    ]
    now, words = utc_now(), desk.words
    heads = ("match", "slot", "table", "player", "state", "result")
    table = Table(*(words[head] for head in heads), "")
    for match in chosen:
        names = f"{name_of(state, match.a)} – {name_of(state, match.b)}"
        places = (match.id, str(match.slot or ""), str(match.table or ""))
        result = result_text(match, desk.lang)
        table.add_row(*places, names, words[match.status], result, remark(desk, match, now))
    return Report([match_data(match, now) for match in chosen], [table])


def match_data(match: MatchState, now: datetime) -> dict[str, object]:
    """A match for programs, with everything that was reported."""
    result = match.result
    return {
        "match": match.id,
        "group": match.group,
        "round": match.round,
        "a": match.a,
        "b": match.b,
        "slot": match.slot,
        "table": match.table,
        "deck": match.deck,
        "status": match.status,
        "minutes": match.minutes,
        "cards": list(result.cards) if result else None,
        "kind": result.kind if result else None,
        "winner": result.ahead() if result else None,
        "doubtful": match.doubtful,
        "called_at": match.called_at or None,
        "started_at": match.started_at,
        "late_in_s": match_commands.seconds_left(match, now),
        "reports": [{name: getattr(said, name) for name in REPORT} for said in match.reports],
    }


def remark(desk: Desk, match: MatchState, now: datetime) -> str:
    """The late timer of a called match; for a doubtful one what each report says."""
    words = desk.words
    if match.doubtful:
        said = ", ".join(f"{words[r.source]} {cards_text(r.cards)}" for r in match.reports)
        return f"{words['disagree']}: {said}"
    left = match_commands.seconds_left(match, now)
    if left is None:
        return ""
    if left <= 0:
        return words["late_now"]
    return words["late_in"].format(minutes=left // 60, seconds=left % 60)


@click.command()
@SEVERAL
@click.option("--table", type=int, help="Another table than the planned one.")
@click.option("--slot", type=int, help="All open matches of this slot.")
@writes
def call(desk: Desk, matches: tuple[str, ...], table: int | None, slot: int | None) -> None:
    """Call matches to their tables; the two minutes of SW-7 begin. Of a slot, matches whose table
    or player is still busy are left out and named.

    \b
    schiri tournament call A-1 B-1
    schiri tournament call --slot 3
    """
    busy: list[UserError] = []

    def wanted(state: State) -> Sequence[ev.AnyBody]:
        bodies: list[ev.AnyBody] = []
        for match in matches:
            bodies += match_commands.call(state.after(bodies), match, table)
        called, busy[:] = match_commands.call_slot(state.after(bodies), slot or 0, table)
        return bodies + called

    desk.do(wanted)
    for error in busy:
        click.echo(in_words(error.sentence, desk.lang), err=True)


def _for_each(
    matches: Sequence[ev.MatchId], command: Callable[[State, ev.MatchId], Sequence[ev.AnyBody]]
) -> Command:
    return lambda state: [body for match in matches for body in command(state, match)]


@click.command()
@SEVERAL
@writes
def start(desk: Desk, matches: tuple[str, ...]) -> None:
    """Both players of called matches are at the table and begin: nobody is late any more.

    \b
    schiri tournament start A-1
    """
    desk.do(_for_each(matches, match_commands.start))


@click.command("signal-start")
@writes
def signal_start(desk: Desk) -> None:
    """Say on the boxes of all called matches that have not begun: begin now. Until somebody
    presses OK there; the page Hall tells where it was seen.

    \b
    schiri tournament signal-start
    """
    desk.do(match_commands.signal_start)


@click.command()
@click.argument("text", required=False)
@click.option("--end", is_flag=True, help="Take down TEXT; without TEXT all announcements.")
@writes
def announce(desk: Desk, text: str | None, end: bool) -> Report | None:
    """Show TEXT on the board and on all screens until it is taken down; without TEXT show what
    stands there.

    \b
    schiri tournament announce "Soup is ready"
    schiri tournament announce --end
    """

    def taken_down(state: State) -> Sequence[ev.AnyBody]:
        said = [n for n, known in state.announcements.items() if text in (None, known, str(n))]
        return [body for n in said for body in match_commands.end_announcement(state, n)]

    if end:
        desk.do(taken_down)
    elif text is not None:
        desk.do(match_commands.announce, text)
    else:
        known = desk.state.announcements.items()
        shown = [{"announcement": number, "text": said} for number, said in known]
        return Report(shown, [f"{number}: {said}" for number, said in known])
    return None


@click.command()
@SEVERAL
@click.option("--cards", type=cards_of, help="What counts, where the reports disagree.")
@KIND
@WINNER
@click.option("--all", "everything", is_flag=True, help="All of boxes that are without doubt.")
@writes
def check(
    desk: Desk,
    matches: tuple[str, ...],
    cards: Cards | None,
    kind: Kind,
    winner: PlayerId | None,
    everything: bool,
) -> None:
    """Let reported results count: what all reports agree on, or --cards.

    \b
    schiri tournament check A-1 A-2
    schiri tournament check --all
    schiri tournament check A-3 --cards 20:12 --why "counted again"
    """
    command = functools.partial(match_commands.check, cards=cards, kind=kind, winner=winner)
    desk.do(match_commands.check_all if everything else _for_each(matches, command))


@click.command()
@SEVERAL
@click.option("--all", "everything", is_flag=True, help="All checked results without doubt.")
@writes
def lock(desk: Desk, matches: tuple[str, ...], everything: bool) -> None:
    """Close checked results; after that only corrections change them.

    \b
    schiri tournament lock A-1
    schiri tournament lock --all
    """
    desk.do(match_commands.lock_all if everything else _for_each(matches, match_commands.lock))


@click.command()
@ONE
@click.argument("cards", type=cards_of)
@KIND
@WINNER
@click.option("--yes", is_flag=True, help="Do it; without this only the preview is shown.")
@click.option("--force", is_flag=True, help="The jury's: also if matches were played on it.")
@click.option("--redraw", is_flag=True, help="Draw the knock-out anew, if its seeds change.")
@writes
def correct(
    desk: Desk,
    match: str,
    cards: Cards,
    kind: Kind,
    winner: PlayerId | None,
    yes: bool,
    force: bool,
    redraw: bool,
) -> Report | None:
    """Correct a result that counts (SW-9): first the preview of what it moves, then --yes.

    \b
    schiri tournament correct A-1 19:13
    schiri tournament correct A-1 19:13 --yes --by Jury --why "counted again"
    """
    given = (match, cards, kind, winner)
    if yes:
        desk.do(corrections.correct, *given, force, redraw)
        return None
    effect = corrections.impact(desk.state, corrections.correction(desk.state, *given))
    odd = checks.doubt(cards, kind)
    doubts = [odd.said(desk.lang)] if odd else []
    lines = [*impact_lines(desk, effect), *doubts, desk.words["preview"]]
    return Report(asdict(effect), lines)


def impact_lines(desk: Desk, effect: corrections.Impact) -> list[str]:
    """The preview for people."""
    words, state = desk.words, desk.state
    lines = [
        words["moves"].format(player=name_of(state, player), before=before, after=after)
        for player, before, after in effect.ranks
    ]
    lines += [words["comes_in"].format(player=name_of(state, p)) for p in effect.qualifiers_in]
    lines += [words["drops_out"].format(player=name_of(state, p)) for p in effect.qualifiers_out]
    lines += [words["voids"].format(match=match_name(state, m)) for m in effect.voided]
    lines += seed_lines(effect.seeds, lambda player: name_of(state, player), desk.lang)
    if effect.seeds:
        lines.append(words["seeds_stay" if knockout.tree_begun(state) else "seeds_choose"])
    return lines or [words["moves_nothing"]]


@click.command()
@ONE
@click.option("--force", is_flag=True, help="The jury's: also if matches were played on it.")
@writes
def void(desk: Desk, match: str, force: bool) -> None:
    """Open a match again, for a replay with the jury's consent (SW-7).

    \b
    schiri tournament void A-1 --by Jury --why "replayed"
    """
    desk.do(corrections.void, match, force)


@click.command()
@ONE
@click.argument("absent", type=PLAYER)
@click.option("--force", is_flag=True, help="The jury's: before the two minutes are over.")
@writes
def forfeit(desk: Desk, match: str, absent: str, force: bool) -> None:
    """ABSENT did not come within two minutes of the call: lost 12:0 (SW-7).

    \b
    schiri tournament forfeit A-1 p002
    """
    desk.do(match_commands.forfeit, match, absent, utc_now(), force)


@click.command("take-back")
@ONE
@click.option("--report", "number", type=click.IntRange(1), help="Which; default: the last one.")
@writes
def take_back(desk: Desk, match: str, number: int | None) -> None:
    """Take back a report by hand that was mistyped; it stays in the log.

    \b
    schiri tournament take-back A-1 --why "typed the wrong match"
    """

    def wanted(state: State) -> Sequence[ev.AnyBody]:
        last = len(state.matches[match].reports)
        return match_commands.take_back(state, match, (number or last) - 1)

    desk.do(wanted)


@click.command()
@click.option(
    "--slips",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A book of `schiri slip read`.",
)
@click.option("--check", "check_too", is_flag=True, help="Verified results count at once.")
@click.option(
    "--watch", is_flag=True, help="Go on every second, beside `schiri desk`; Ctrl-C ends."
)
@writes
def collect(desk: Desk, slips: tuple[Path, ...], check_too: bool, watch: bool) -> None:
    """Take in what boxes (`schiri sync`) and result slips (`schiri slip read`) brought.

    \b
    schiri tournament collect --slips schiri-slips.jsonl
    schiri tournament collect --check --watch
    """
    collector = Collector(desk.service, desk.actor, check_too)
    with contextlib.suppress(*[KeyboardInterrupt] * watch):
        found = collector.collect(slips)
        _tell_collected(desk, found)
        if not found and not desk.as_json:
            click.echo(desk.words["nothing"])
        while watch:
            time.sleep(WATCH_S)
            _tell_collected(desk, collector.collect(slips))


def _tell_collected(desk: Desk, found: Sequence[Collected]) -> None:
    """One line a result, or one JSON list a round."""
    if desk.as_json:
        echo_json([{"from": c.result.label, "match": c.match, "why": c.why} for c in found])
        return
    for outcome in found:
        click.echo(_collected(desk, outcome))


def _collected(desk: Desk, outcome: Collected) -> str:
    label = f"{desk.words[outcome.result.source]} {outcome.result.label}"
    if outcome.match is None:
        return f"{label}: {in_words(outcome.why, desk.lang)}"
    return f"{label}: {match_name(desk.state, outcome.match)}"
