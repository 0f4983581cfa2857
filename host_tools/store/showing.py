"""Stored matches for people and programs: a table, a slip as text, data."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypedDict

from rich.table import Table

from host_tools.core.errors import in_words, recognised
from host_tools.core.json_types import Json
from host_tools.core.texts import RESULTS

if TYPE_CHECKING:
    from host_tools.store.models import SeatResult, StoredMatch

SLIP_WIDTH = 42


def as_table(matches: "Sequence[StoredMatch]", lang: str) -> Table:
    """The stored matches, one row each."""
    texts = RESULTS[lang]
    table = Table(*(texts[key] for key in ("id", "box", "match", "game")))
    # two names and numbers fit a line, those of several seats do not
    table.add_column(texts["result"], no_wrap=all(len(match.seats) <= 2 for match in matches))
    table.add_column(texts["state"])
    for match in matches:
        why = f"\n{reason_text(match.reason, lang)}" if match.reason else ""
        box = match.box.name or match.box_id
        line = (
            str(match.id),
            box,
            str(match.number),
            game_name(match, lang),
            result_line(match, lang),
        )
        table.add_row(*line, texts[match.state] + why)
    return table


def reason_text(reason: str, lang: str) -> str:
    """Why a journal is not verified, which the database keeps in English."""
    return in_words(recognised(reason), lang)


def game_name(match: "StoredMatch", lang: str) -> str:
    """The game with its variant, as the box calls them."""
    # a text whatever it is: the header of a contested journal may hold anything
    from host_tools.games.box_words import proper_name  # loads every game

    return proper_name(match.game, str(match.header.get("preset") or "") or None, lang)


def result_line(match: "StoredMatch", lang: str) -> str:
    """`Anna 20 : 12 Berta`, in the order of the seats."""
    if not match.seats:
        return RESULTS[lang]["no_result"]
    if len(match.seats) == 2:
        left, right = match.seats
        return f"{seat_name(left, lang)} {left.count} : {right.count} {seat_name(right, lang)}"
    return ", ".join(f"{seat_name(seat, lang)} {seat.count}" for seat in match.seats)


def seat_name(seat: "SeatResult", lang: str) -> str:
    """The player's name, or the seat counted from 1."""
    return seat.name or f"{RESULTS[lang]['seat']} {seat.seat + 1}"


def as_slip(match: "StoredMatch", lang: str) -> str:
    """The slip that today is paper: who, how many, which place, and what the desk thinks of it."""
    texts = RESULTS[lang]
    rule = "-" * SLIP_WIDTH
    rows = [_slip_row(seat, lang) for seat in match.seats] or [texts["no_result"]]
    reason = (match.result or {}).get("reason")
    ended = [f"{texts['ended']}: {texts.get(f'reason_{reason}', str(reason))}"] if reason else []
    state = texts[match.state] + (f": {reason_text(match.reason, lang)}" if match.reason else "")
    return "\n".join(
        [
            texts["slip"].center(SLIP_WIDTH).rstrip(),
            f"{game_name(match, lang)}, {texts['box']} {match.box_id}, "
            f"{texts['match']} {match.number}",
            rule,
            *rows,
            rule,
            *ended,
            state,
            f"{texts['digest']} {match.digest[:16]}",
        ]
    )


def _slip_row(seat: "SeatResult", lang: str) -> str:
    texts = RESULTS[lang]
    place = f"{seat.place}." if seat.place else ""
    points = f"  {seat.points} {texts['points']}" if seat.points is not None else ""
    return f"{place:>3} {seat_name(seat, lang):<24}{seat.count:>4}{points}"


class StoredSeat(TypedDict):
    seat: int
    name: str
    place: int | None
    count: int | None
    points: int | None


class StoredJournal(TypedDict):
    id: int
    box: str
    match: int
    game: str
    preset: str | None
    state: str
    reason: str
    received: str
    digest: str
    result: Json | None
    seats: list[StoredSeat]


def as_dict(match: "StoredMatch") -> StoredJournal:
    """What other programs get; times in UTC as ISO 8601."""
    header: Json = match.header
    return {
        "id": match.id,
        "box": match.box_id,
        "match": match.number,
        "game": match.game,
        "preset": header.get("preset"),
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
