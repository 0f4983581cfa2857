"""The tournament as files: JSON, CSV for spreadsheets, one HTML page, the log."""

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from html import escape

import msgspec

from host_tools.core.texts import WORDS
from host_tools.tournament.ko import Match
from host_tools.tournament.players_csv import guarded
from host_tools.tournament.service import TournamentService
from host_tools.tournament.standings import Compare, Row
from host_tools.tournament.state import MatchState, State
from host_tools.tournament.wording import (
    NUMBERS,
    Columns,
    cards_text,
    heads_of,
    name_of,
    result_text,
    standing_lines,
)

BOM = "\ufeff"
"""Without it spreadsheets read UTF-8 as something else."""
STYLE = """body{font:1rem/1.4 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;margin:.5rem 0 1.5rem}th,td{padding:.2rem .6rem;text-align:left;
border-bottom:1px solid #ccc}td.n,th.n{text-align:right}h2{margin-top:2rem}.win{font-weight:700}
@media print{body{max-width:none}}"""


def as_json(service: TournamentService, _lang: str) -> bytes:
    """`schiri-tournament/1`, which `import` reads back."""
    return (
        msgspec.json.format(msgspec.json.encode(service.state.as_tournament()), indent=1) + b"\n"
    )


def as_log(service: TournamentService, _lang: str) -> bytes:
    """All events, one a line, as docs/tournament-format.md describes them, as the database has
    them.
    """
    return "".join(line.text + "\n" for line in service.lines()).encode()


def standings_csv(service: TournamentService, lang: str) -> bytes:
    """The overall order with the reason of every place; once the final is decided, the final
    ranking, with the round that everybody reached.
    """
    state = service.state
    if state.final_places():
        return _csv(_final_lines(state, lang))
    rows, compare = state.overall_rows(), state.setup.compare
    return _csv(standing_lines(rows, _who(state), compare, lang, sign=""))


def _who(state: State) -> Columns:
    return {
        "player": lambda player: state.players[player].name,
        "club": lambda player: state.players[player].club,
        "group": state.group_of,
    }


def _final_lines(state: State, lang: str) -> list[list[object]]:
    words, who = WORDS[lang], _who(state)
    lines = [heads_of((*who, *NUMBERS, "reached"), lang)]
    rows = {row.player: row for row in state.overall_rows()}
    for line in state.final_places():
        row, names = rows[line.player], [column(line.player) for column in who.values()]
        numbers = (row.points, row.difference, row.cards, row.played)
        place = "" if line.place is None else line.place
        lines.append([place, *names, *numbers, words.get(line.reached, line.reached)])
    return lines


def results_csv(service: TournamentService, lang: str) -> bytes:
    """Every match: players, table, deck, cards, state, box, duration (TO-5)."""
    state, words = service.state, WORDS[lang]
    heads = ("match", "slot", "table", "deck", "player", "player", "cards", "cards", "state")
    more = ["kind", "box", "journal", "seconds"]
    lines: list[Sequence[object]] = [[*(words[head] for head in heads), *more]]
    for match in _in_order(state):
        cards = match.result.cards if match.result else ("", "")
        names = (name_of(state, match.a), name_of(state, match.b))
        place = (match.id, match.slot or "", match.table or "", match.deck)
        lines.append([*place, *names, *cards, words[match.status], *_proof(match)])
    return _csv(lines)


def _in_order(state: State) -> list[MatchState]:
    groups = [match for match in state.matches.values() if match.group is not None]
    return [*groups, *state.ko_matches()]


def _proof(match: MatchState) -> tuple[object, ...]:
    kind = match.result.kind if match.result else ""
    box = next((said for said in match.reports if said.box), None)
    if box is None:
        return kind, "", "", ""
    return kind, box.box, box.journal, "" if box.duration_s is None else box.duration_s


def players_csv(service: TournamentService, lang: str) -> bytes:
    """The player list, which `import` reads back."""
    players = service.state.players.values()
    more = [
        key for key in ("first", "surname", "country") if any(getattr(p, key) for p in players)
    ]
    heads = {"first": "first name"}
    lines: list[Sequence[object]] = [
        ["id", "name", "club", "seed", *(heads.get(k, k) for k in more)]
    ]
    lines += [
        [p.id, p.name, p.club, p.seed or "", *(getattr(p, k) for k in more)] for p in players
    ]
    return _csv(lines)


def _csv(lines: Sequence[Sequence[object]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    heads, *rows = lines
    writer.writerow(heads)  # our own words
    writer.writerows([[guarded(cell) for cell in row] for row in rows])
    return (BOM + text.getvalue()).encode()


# -- one page -------------------------------------------------------------------------------------


def as_html(service: TournamentService, lang: str) -> bytes:
    """One page without scripts and without anything from elsewhere."""
    state, words = service.state, WORDS[lang]
    parts = [
        f'<!doctype html><html lang="{lang}"><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        f"<title>{escape(state.setup.name)}</title><style>{STYLE}</style>",
        f"<h1>{escape(state.setup.name)}</h1>",
        *_knock_out_html(state, lang),
        *_final_html(state, lang),
        f"<h2>{words['all_groups']}</h2>",
        _standings_html(state, state.overall_rows(), state.setup.compare, lang),
    ]
    for group in state.groups:
        parts.append(f"<h2>{words['group']} {escape(group.id)}</h2>")
        parts.append(_standings_html(state, state.group_rows(group.id), "raw", lang))
        matches = [match for match in state.matches.values() if match.group == group.id]
        parts.append(_matches_html(state, matches, lang))
    return "\n".join([*parts, "</html>", ""]).encode()


def _standings_html(state: State, rows: Sequence[Row], compare: Compare, lang: str) -> str:
    who: Columns = {"player": lambda player: name_of(state, player)}
    heads, *lines = standing_lines(rows, who, compare, lang)
    return _table_html(heads, lines)


def _matches_html(state: State, matches: Iterable[MatchState], lang: str) -> str:
    words = WORDS[lang]
    lines = [
        [m.id, name_of(state, m.a), name_of(state, m.b), result_text(m, lang), words[m.status]]
        for m in matches
    ]
    heads = [words[head] for head in ("match", "player", "player", "result", "state")]
    return _table_html(heads, lines)


def _knock_out_html(state: State, lang: str) -> list[str]:
    if state.bracket is None:
        return []
    words = WORDS[lang]
    found = []
    if state.bracket.champion:
        champion = escape(name_of(state, state.bracket.champion))
        found.append(f'<p class="win">{words["champion"]}: {champion}</p>')
    found.append(f"<h2>{words['knock_out']}</h2>")
    played = [match for match in state.bracket.matches() if not match.bye]
    lines = [
        [words.get(m.round, m.round), *_sides(state, m), _cards(m), name_of(state, m.winner)]
        for m in played
    ]
    heads = [words["match"], words["player"], words["player"], words["result"], "→"]
    return [*found, _table_html(heads, lines)]


def _final_html(state: State, lang: str) -> list[str]:
    lines = _final_lines(state, lang)
    if len(lines) == 1:
        return []
    return [f"<h2>{WORDS[lang]['final_ranking']}</h2>", _table_html(lines[0], lines[1:])]


def _sides(state: State, match: Match) -> tuple[str, str]:
    return name_of(state, match.a.player), name_of(state, match.b.player)


def _cards(match: Match) -> str:
    """In the order of the tree, which may be turned against the result's."""
    if match.result is None:
        return ""
    turned = match.result.a != match.a.player
    return cards_text(match.result.cards[::-1] if turned else match.result.cards)


def _table_html(heads: Sequence[object], lines: Iterable[Sequence[object]]) -> str:
    rows = ["".join(f"<th>{escape(str(head))}" for head in heads)]
    for line in lines:
        rows.append("".join(_cell_html(cell) for cell in line))
    return "<table>" + "".join(f"<tr>{row}" for row in rows) + "</table>"


def _cell_html(cell: object) -> str:
    number = ' class="n"' if isinstance(cell, int) else ""
    return f"<td{number}>{escape(str(cell))}"


FORMATS: dict[str, Callable[[TournamentService, str], bytes]] = {
    "json": as_json,
    "standings": standings_csv,
    "results": results_csv,
    "players": players_csv,
    "html": as_html,
    "log": as_log,
}
