"""What players want to know of the hall: where a table is, and when they play."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import ceil, sqrt
from pathlib import Path
from urllib.parse import quote

from markupsafe import Markup, escape

from host_tools.core.errors import UserError
from host_tools.core.own_files import read_text
from host_tools.tournament.model import PlayerId
from host_tools.tournament.player_names import PLAYER_PAGE
from host_tools.tournament.state import TournamentState
from host_tools.tournament.view import MatchLine, of_player, others, slot_times

CHAR_W, LINE_H = 36, 84
"""So many units are a character and a line of the file."""
TABLE_W, TABLE_H = 68, 64
_WORD = re.compile(r"\S+(?: \S+)*")
"""Words with one space between them are one label."""
_TOKEN = re.compile(r"\d+|\D+")


@dataclass(frozen=True)
class HallMap:
    """Where things are: what is written, its column and its line. A number is a table."""

    places: tuple[tuple[str, int, int], ...]

    @classmethod
    def of_file(cls, path: Path, tables: int) -> "HallMap":
        """A text file drawn with spaces: numbers are tables, other words stand where they are.
        Raises UserError.
        """
        lines = read_text(path).expandtabs(4).splitlines()
        found = [place for n, line in enumerate(lines) for place in _places(line, n)]
        seen: dict[str, int] = {}
        for word, _, line in found:
            if not word.isdecimal():
                continue
            if not 1 <= int(word) <= tables:
                raise UserError("map_table", path=path, line=line + 1, table=word, tables=tables)
            if word in seen:
                raise UserError("map_twice", path=path, line=line + 1, table=word)
            seen[word] = line
        if not seen:
            raise UserError("map_empty", path=path)
        return cls(tuple(found))

    @classmethod
    def plain(cls, tables: int) -> "HallMap":
        """Tables in rows, for a hall without a file."""
        wide = max(1, ceil(sqrt(tables * 2)))
        return cls(tuple((str(n + 1), n % wide * 3, n // wide) for n in range(tables)))


def _places(line: str, number: int) -> list[tuple[str, int, int]]:
    """Numbers stand alone also where one space parts them."""
    found = []
    for words in _WORD.finditer(line):
        numbers = re.fullmatch(r"[\d ]+", words[0])
        pieces = re.finditer(r"\d+", words[0]) if numbers else [words]
        start = words.start() if numbers else 0
        found += [(piece[0], start + piece.start(), number) for piece in pieces]
    return found


def map_svg(hall: HallMap, at_tables: Sequence[MatchLine], texts: Mapping[str, str]) -> Markup:
    """The hall as a drawing; `at_tables`: the called matches."""
    at = {str(line.table): line for line in at_tables}
    width = max(column + len(word) for word, column, _ in hall.places) * CHAR_W + TABLE_W
    height = (max(line for _, _, line in hall.places) + 1) * LINE_H
    pieces = [_piece(place, at.get(place[0]), texts) for place in hall.places]
    return Markup(
        f'<svg class="hall" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{escape(texts["map"])}">{"".join(pieces)}</svg>'
    )


def _piece(place: tuple[str, int, int], line: MatchLine | None, texts: Mapping[str, str]) -> str:
    word, column, row = place
    x, y = column * CHAR_W + TABLE_W / 2, row * LINE_H + LINE_H / 2
    if not word.isdecimal():
        return f'<text class="label" x="{x - TABLE_W / 2}" y="{y + 14}">{escape(word)}</text>'
    kind = "free" if line is None else "playing" if line.started_at else "coming"
    who = line.who if line else texts["table_free"]
    x += (len(word) - 1) * CHAR_W / 2
    return (
        f'<g class="{kind}"><title>{escape(texts["table"])} {word}: {escape(who)}</title>'
        f'<rect x="{x - TABLE_W / 2}" y="{y - TABLE_H / 2}" width="{TABLE_W}" height="{TABLE_H}" '
        f'rx="8"/><text x="{x}" y="{y + 14}">{word}</text></g>'
    )


# -- the calendar ---------------------------------------------------------------------------------


def calendar_of(
    state: TournamentState, player: PlayerId, texts: Mapping[str, str], base: str
) -> str:
    """The matches to come whose time is known, as RFC 5545."""
    moments = slot_times(state)
    name = state.setup.name
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Schiri//board//EN"]
    # the name that calendars show, and how often they poll (RFC 7986, 5.7)
    lines += [f"X-WR-CALNAME:{_escaped(name)}", "REFRESH-INTERVAL;VALUE=DURATION:PT5M"]
    for match in of_player(state, player):
        begin = moments.get(match.slot)
        if match.status != "open" or begin is None:
            continue
        end = begin + timedelta(minutes=match.longest_minutes)
        other = others(state, match, player)
        place, against = f"{texts['table']} {match.table}", texts["against"].format(name=other)
        lines += [
            "BEGIN:VEVENT",
            # the same in every download, so that a calendar moves the entry and adds none
            f"UID:{quote(match.id)}.{quote(player)}@schiri",
            f"DTSTAMP:{_utc(begin)}",
            f"DTSTART:{_utc(begin)}",
            f"DTEND:{_utc(end)}",
            f"SUMMARY:{_escaped(f'{place}: {against}')}",
            f"LOCATION:{_escaped(f'{name}, {place}')}",
            *([f"URL:{base}{PLAYER_PAGE}{quote(player, safe='')}"] if base else []),
            "END:VEVENT",
        ]
    lines.append("END:VCALENDAR")
    return "".join(f"{_folded(line)}\r\n" for line in lines)


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _escaped(text: str) -> str:
    return re.sub(r"([\\,;])", r"\\\1", text)  # RFC 5545, 3.3.11


def _folded(line: str) -> str:
    """At most 75 bytes a line, letters whole; the next ones begin with a space (RFC 5545, 3.1)."""
    pieces, rest = [""], 75
    for letter in line:
        size = len(letter.encode())
        if size > rest:
            pieces.append("")
            rest = 74
        pieces[-1] += letter
        rest -= size
    return "\r\n ".join(pieces)
