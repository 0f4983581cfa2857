"""The jury's book: protests and their decisions, penalties, reports of undercover referees, and
matches that are played later.
"""

from collections.abc import Iterator
from dataclasses import asdict

import click
import msgspec

from host_tools.commands.options import Report
from host_tools.commands.tournament.common import MATCH, PLAYER, Desk, reads, writes
from host_tools.tournament import events as ev
from host_tools.tournament.commands import jury as commands
from host_tools.tournament.state import Note
from host_tools.tournament.wording import event_text

OF_MATCH = click.option("--match", type=MATCH, help="The match that it is about.")
OF_PLAYER = click.option("--player", type=PLAYER, help="The player whom it is about.")
TEXT = click.argument("text")


@click.group()
def jury() -> None:
    """The jury's book: everything in it is an entry of the log, with who and when."""


@jury.command("list")
@click.option("--open", "only_open", is_flag=True, help="Only protests without a decision.")
@reads
def list_notes(desk: Desk, only_open: bool) -> Report:
    """All entries with their numbers, the oldest first; also what only the jury reads.

    \b
    schiri tournament jury list
    schiri tournament jury list --open --json
    """
    notes = [note for note in desk.state.notes.values() if _is_open(note) or not only_open]
    data = [
        {**asdict(note), "body": msgspec.to_builtins(note.body)}
        | {"decision": msgspec.to_builtins(note.decision)}
        for note in notes
    ]
    return Report(data, list(_lines(desk, notes)) or [desk.words["nothing"]])


def _is_open(note: Note) -> bool:
    return isinstance(note.body, ev.ProtestFiled) and note.decision is None


def _lines(desk: Desk, notes: list[Note]) -> Iterator[str]:
    for note in notes:
        event = ev.Event(seq=note.seq, at=note.at, actor=note.actor, body=note.body)
        state = desk.words["open"] if _is_open(note) else ""
        state = desk.words["lifted"] if note.lifted else state
        text = event_text(desk.state, event, desk.lang)
        yield f"{note.seq}  {text}" + (f"  ({state})" if state else "")
        if note.decision is not None:
            decided = ev.Event(seq=note.seq, at=note.at, actor="", body=note.decision)
            yield f"     {event_text(desk.state, decided, desk.lang)}"


@jury.command()
@click.argument("player", type=PLAYER)
@TEXT
@OF_MATCH
@click.option("--deposit", default="", help="What was paid for it.")
@writes
def protest(desk: Desk, player: str, text: str, match: str | None, deposit: str) -> None:
    """A player has protested in writing.

    schiri tournament jury protest Anna "the card lay already" --match A-3 --deposit "20 CHF"
    """
    desk.do(commands.protest, player, text, deposit, match or "")


@jury.command()
@click.argument("number", type=int)
@TEXT
@click.option("--upheld/--rejected", required=True, help="What the jury decides.")
@click.option("--deposit-back", is_flag=True, help="The deposit is returned.")
@click.option("--void", is_flag=True, help="Its match is open again, to be replayed.")
@writes
def decide(
    desk: Desk, number: int, text: str, upheld: bool, deposit_back: bool, void: bool
) -> None:
    """The jury decides on the protest NUMBER of the list.

    schiri tournament jury decide 41 "the card was seen" --upheld --deposit-back --void
    """
    desk.do(commands.decide, number, upheld, text, deposit_back, "void" if void else "")


@jury.command()
@TEXT
@OF_PLAYER
@OF_MATCH
@writes
def observe(desk: Desk, text: str, player: str | None, match: str | None) -> None:
    """An undercover referee reports; at the desk only the jury reads it.

    schiri tournament jury observe "signs from behind table 4" --match A-3
    """
    desk.do(commands.observe, text, player or "", match or "")


@jury.command()
@click.argument("player", type=PLAYER)
@TEXT
@OF_MATCH
@click.option("--cards", type=int, default=0, help="So many cards were handed over (SW-8).")
@writes
def penalize(desk: Desk, player: str, text: str, match: str | None, cards: int) -> None:
    """A warning, or with --cards a penalty that was played; it counts nothing by itself.

    schiri tournament jury penalize Ben "delays the game" --match A-3 --cards 10
    """
    kind: ev.Penalty = "cards" if cards else "warning"
    desk.do(commands.penalize, player, kind, text, match or "", cards)


@jury.command()
@click.argument("number", type=int)
@writes
def lift(desk: Desk, number: int) -> None:
    """The penalty NUMBER of the list was a mistake; it stays in the log.

    schiri tournament jury lift 44 --why "it was the other player"
    """
    desk.do(commands.lift, number)


@jury.command()
@click.argument("match", type=MATCH)
@writes
def postpone(desk: Desk, match: str) -> None:
    """A match is played later, with the jury's consent (SW-7), until it is called.

    schiri tournament jury postpone A-3 --why "at the doctor's"
    """
    desk.do(commands.postpone, match)
