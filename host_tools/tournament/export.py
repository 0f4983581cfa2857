"""The tournament as files: JSON, CSV and workbooks for spreadsheets, a site, the signed log."""

import csv
import io
import re
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape

import msgspec

from host_tools.core.texts import WORDS
from host_tools.tournament import statistics, view
from host_tools.tournament.box_reports import counted, fold_reports
from host_tools.tournament.ko import HONOURED
from host_tools.tournament.log_file import proof_bytes
from host_tools.tournament.model import PLAYER_FIELDS, has_tree
from host_tools.tournament.players_csv import guarded
from host_tools.tournament.service import TournamentService
from host_tools.tournament.standings import Compare, StandingsRow
from host_tools.tournament.state import MatchState, TournamentState
from host_tools.tournament.wording import (
    NUMBERS,
    Columns,
    cards_text,
    group_name,
    heads_of,
    name_of,
    names_of,
    result_text,
    standing_lines,
)

SEPARATORS = {"de": ";"}
BOM = "\ufeff"
"""Without it spreadsheets read UTF-8 as something else."""
# A link is as tall as the letters of the reader's font; fingers want 24 dots (WCAG 2.5.8)
STYLE = """a{display:inline-block;min-width:24px;min-height:24px}header{font-weight:600}
nav{display:flex;flex-wrap:wrap;gap:.2rem 1rem;margin:.4rem 0}
nav a[aria-current]{font-weight:700}table{display:block;overflow-x:auto}svg{max-width:100%}
.honours{list-style:none;padding:0;font-size:1.3rem}h2{overflow-wrap:anywhere}
body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;margin:.5rem 0 1.5rem}th,td{padding:.2rem .6rem;text-align:left;
border-bottom:1px solid #ccc}td.n,th.n{text-align:right}h2{margin-top:2rem}.win{font-weight:700}
@media print{body{max-width:none}}"""


def _json(found: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n"


def as_proof(service: TournamentService, _lang: str) -> bytes:
    """The log signed by this desk, with the journals of the boxes: anybody can check it, and
    `restore` reads it.
    """
    store, events = service.store, service.events()
    journals = dict(sorted(store.journals(list(service.state.journals)).items()))
    state, told = fold_reports(events, journals)
    desk, reports = store.enrolled.signer(), [one.place for one in told]
    return proof_bytes(service.lines(), journals, desk, service.id, len(counted(state)), reports)


Lines = Sequence[Sequence[object]]
"""A table: its headings, and its rows."""


def _order_lines(state: TournamentState, lang: str) -> Lines:
    """The overall order with the reason of every place; once the final is decided, the final
    ranking, with the round that everybody reached.
    """
    if state.final_places():
        return _final_lines(state, lang)
    rows, compare = state.overall_rows(), state.setup.compare
    return standing_lines(rows, _who(state), compare, lang, sign="")


def _who(state: TournamentState) -> Columns:
    who: Columns = {
        "player": lambda player: state.players[player].name,
        "club": lambda player: state.players[player].club,
    }
    return {**who, "group": state.group_of} if state.qualifying or not state.in_swiss else who


def _final_lines(state: TournamentState, lang: str) -> list[list[object]]:
    words, who = WORDS[lang], _who(state)
    last = ("reached",) if has_tree(state.setup.mode) else ()
    lines = [heads_of((*who, *NUMBERS, *last), lang)]
    rows = {row.player: row for row in state.whole_rows()}
    for line in state.final_places():
        row, names = rows[line.player], [column(line.player) for column in who.values()]
        numbers = (row.points, row.difference, row.cards, row.played)
        place = "" if line.place is None else line.place
        came = view.reached(state, line)
        word = group_name(state, state.groups[0].id, lang) if came == "swiss" else words.get(came)
        lines.append([place, *names, *numbers, *(word or came for _ in last)])
    return lines


def _result_lines(state: TournamentState, lang: str) -> Lines:
    """Every match: players, table, deck, cards, state, box, duration (TO-5)."""
    words = WORDS[lang]
    most = max((len(match.players) for match in state.matches.values()), default=2)
    columns = ("player", "cards") if most == 2 else ("player", "places", "cards")
    heads = ("match", "slot", "table", "deck", *(c for c in columns for _ in range(most)), "state")
    more = ["kind", "box", "journal", "seconds"]
    lines: list[Sequence[object]] = [[*(words[head] for head in heads), *more]]
    for match in _in_order(state):
        names = [name_of(state, player) for player in match.players]
        result = match.result
        said: dict[str, Sequence[object]] = {
            "player": names,
            "places": result.places if result else [],
            "cards": result.cards if result else [],
        }
        place = (match.id, match.slot or "", match.table or "", match.deck)
        filled = ([*said[column], *[""] * most][:most] for column in columns)
        cells = [cell for column in filled for cell in column]
        lines.append([*place, *cells, words[match.status], *_proof(match)])
    return lines


def _in_order(state: TournamentState) -> list[MatchState]:
    groups = [match for match in state.matches.values() if match.group is not None]
    return [*groups, *state.ko_matches()]


def _proof(match: MatchState) -> tuple[object, ...]:
    kind = match.result.kind if match.result else ""
    box = next((said for said in match.reports if said.box), None)
    if box is None:
        return kind, "", "", ""
    return kind, box.box, box.journal, "" if box.duration_s is None else box.duration_s


def _team_lines(state: TournamentState, lang: str) -> Lines:
    """The clubs as teams, with who counts for each."""
    rows = [
        [row.rank, row.team, row.points, row.difference, ", ".join(map(state.label, row.counted))]
        for row in state.team_rows()
    ]
    return [heads_of(("team", "points", "+/-", "players_sheet"), lang), *rows]


def _player_lines(state: TournamentState, _lang: str) -> Lines:
    """The player list, with headings as `import` knows them."""
    heads = ["id", *(field.columns[0] for field in PLAYER_FIELDS.values())]
    rows = (
        [player.id, *(getattr(player, key) or "" for key in PLAYER_FIELDS)]
        for player in state.players.values()
    )
    return [heads, *rows]


def _csv(lines: Lines, lang: str) -> bytes:
    """With semicolons where spreadsheets expect them, because a comma is in their numbers."""
    # Excel splits by the separator of its region, whatever the file says
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n", delimiter=SEPARATORS.get(lang, ","))
    heads, *rows = lines
    writer.writerow(heads)  # our own words
    writer.writerows([[guarded(cell) for cell in row] for row in rows])
    return (BOM + text.getvalue()).encode()


# -- workbooks ------------------------------------------------------------------------------------


def _sheets(service: TournamentService, lang: str) -> list[tuple[str, Lines]]:
    """Everything that people look for in a spreadsheet: (title, table)."""
    state, words = service.state, WORDS[lang]
    final = words["final_ranking"] if state.final_places() else words["all_groups"]
    found: list[tuple[str, Lines]] = [(final, _order_lines(state, lang))]
    for group in state.all_groups:
        rows = state.group_rows(group.id)
        table = standing_lines(rows, _who(state), "raw", lang, sign="")
        found.append((group_name(state, group.id, lang), table))
    facts = statistics.lines(state, statistics_of(service), lang)
    return [
        *found,
        (words["match"], _result_lines(state, lang)),
        (words["players_sheet"], _player_lines(state, lang)),
        (words["teams"], _team_lines(state, lang)),
        (words["statistics"], [[words["statistics"], ""], *facts]),
    ]


def statistics_of(service: TournamentService) -> statistics.Statistics:
    """What the journals in the store say of the matches that count."""
    return statistics.statistics(
        service.state, service.store.journals(list(service.state.journals))
    )


def as_xlsx(service: TournamentService, lang: str) -> bytes:
    """A workbook for Excel, a sheet a table."""
    import xlsxwriter  # takes longer to load than a command that needs no workbook

    made = io.BytesIO()
    # a text that looks like a formula or an address stays a text
    plain = {"strings_to_formulas": False, "strings_to_urls": False, "in_memory": True}
    with xlsxwriter.Workbook(made, plain) as book:
        bold = book.add_format({"bold": True})
        for title, lines in _sheets(service, lang):
            sheet = book.add_worksheet(_sheet_name(title))
            for number, line in enumerate(lines):
                sheet.write_row(number, 0, ["" if c is None else c for c in line])
            sheet.set_row(0, None, bold)
            sheet.freeze_panes(1, 0)
            sheet.autofit()
    return made.getvalue()


def _sheet_name(title: str) -> str:
    """At most 31 characters, without those that Excel refuses."""
    # both by Excel, which else calls the file damaged
    return re.sub(r"[\[\]:*?/\\]", "-", title)[:31]


def _zipped(files: Mapping[str, str | bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for path, content in files.items():
            # a ZipInfo has no time of its own: the same tournament gives the same bytes
            archive.writestr(zipfile.ZipInfo(path), content)
    return made.getvalue()


# -- a site ---------------------------------------------------------------------------------------


def _standings_html(
    state: TournamentState, rows: Sequence[StandingsRow], compare: Compare, lang: str
) -> str:
    who: Columns = {"player": lambda player: name_of(state, player)}
    heads, *lines = standing_lines(rows, who, compare, lang)
    return _table_html(heads, lines)


def _matches_html(state: TournamentState, matches: Iterable[MatchState], lang: str) -> str:
    words = WORDS[lang]
    lines = [[m.id, names_of(state, m), result_text(m, lang), words[m.status]] for m in matches]
    heads = [words[head] for head in ("match", "player", "result", "state")]
    return _table_html(heads, lines)


def _knock_out_html(state: TournamentState, lang: str) -> list[str]:
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
        [
            words.get(m.round, m.round),
            *(name_of(state, who) for who in (m.a.player, m.b.player)),
            cards_text(m.result.cards_from(m.a.player)) if m.result else "",
            name_of(state, m.winner),
        ]
        for m in played
    ]
    heads = [words["match"], words["player"], words["player"], words["result"], "→"]
    return [*found, _table_html(heads, lines)]


def _table_html(heads: Sequence[object], lines: Iterable[Sequence[object]]) -> str:
    titles = (escape(str(head)) for head in heads)
    # an empty heading is no heading for a screen reader
    rows = ["".join(f"<th>{title}" if title else "<td>" for title in titles)]
    for line in lines:
        rows.append("".join(_cell_html(cell) for cell in line))
    # it may be wider than a phone, and is scrolled with the keyboard too
    return '<table tabindex="0">' + "".join(f"<tr>{row}" for row in rows) + "</table>"


def _cell_html(cell: object) -> str:
    number = ' class="n"' if isinstance(cell, int) else ""
    return f"<td{number}>{escape(str(cell))}"


def site_files(service: TournamentService, lang: str, refresh_s: int = 0) -> dict[str, bytes]:
    """The event as files that any web space serves: path -> content. No scripts, nothing from
    elsewhere; names as the organiser wants them in public. `refresh_s`: so often a page asks for
    itself again (0: never).
    """
    state, words = service.state.in_public(), WORDS[lang]
    facts = statistics_of(service)
    heads, *order = _order_lines(state, lang)
    team_heads, *teams = _team_lines(state, lang)
    pages = {
        "index.html": (words["overview"], _front_html(state, facts, lang)),
        "ranking.html": (
            words["final_ranking"] if state.final_places() else words["all_groups"],
            [_table_html(heads, [["" if c is None else c for c in line] for line in order])],
        ),
        "groups.html": (words["groups"], _groups_html(state, lang)),
        "teams.html": (words["teams"], [_table_html(team_heads, teams)] if teams else []),
        "knock-out.html": (words["knock_out"], _knock_out_html(state, lang)),
        "players.html": (words["players_sheet"], _players_html(state, lang)),
        "statistics.html": (words["statistics"], _statistics_html(state, facts, lang)),
    }
    shown = {path: page for path, page in pages.items() if page[1]}
    menu = [(path, title) for path, (title, _) in shown.items()]
    again = f'<meta http-equiv="refresh" content="{refresh_s}">' if refresh_s else ""
    made = {
        path: _page_html(state, menu, path, parts, lang, again)
        for path, (_, parts) in shown.items()
    }
    return {
        **made,
        # relative names only: the site may lie in any folder of a web space
        "style.css": STYLE.encode(),
        "results.csv": _csv(_result_lines(state, lang), lang),
        "standings.csv": _csv(_order_lines(state, lang), lang),
        "tournament.json": _json(state.as_tournament()),
    }


def as_site(service: TournamentService, lang: str) -> bytes:
    """The site in one ZIP archive."""
    return _zipped(site_files(service, lang))


def _page_html(
    state: TournamentState,
    menu: Sequence[tuple[str, str]],
    path: str,
    parts: Sequence[str],
    lang: str,
    again: str,
) -> bytes:
    name, title = escape(state.setup.name), escape(dict(menu)[path])
    here = ' aria-current="page"'
    links = "".join(
        f'<a href="{to}"{here if to == path else ""}>{escape(text)}</a> ' for to, text in menu
    )
    head = (
        f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><link rel="stylesheet" '
        f'href="style.css">{again}<title>{title} – {name}</title></head><body><header>{name}'
        f"<nav>{links}</nav></header><main><h1>{title}</h1>"
    )
    return "\n".join([head, *parts, "</main></body></html>", ""]).encode()


def _groups_html(state: TournamentState, lang: str) -> list[str]:
    parts = []
    for group in state.all_groups:
        parts.append(f"<h2>{escape(group_name(state, group.id, lang))}</h2>")
        parts.append(_standings_html(state, state.group_rows(group.id), "raw", lang))
        matches = [match for match in state.matches.values() if match.group == group.id]
        parts.append(_matches_html(state, matches, lang))
    return parts


def _players_html(state: TournamentState, lang: str) -> list[str]:
    """Everybody with all of their matches."""
    parts = []
    for player in sorted(state.players, key=lambda p: name_of(state, p).casefold()):
        theirs = [match for match in _in_order(state) if player in match.players]
        parts.append(f'<h2 id="{escape(player)}">{escape(name_of(state, player))}</h2>')
        parts.append(_matches_html(state, theirs, lang))
    return parts


def _front_html(state: TournamentState, facts: statistics.Statistics, lang: str) -> list[str]:
    words = WORDS[lang]
    parts = []
    best = [line for line in state.final_places() if line.place in range(1, HONOURED + 1)]
    if best:
        names = "".join(
            f"<li>{line.place}. <strong>{escape(name_of(state, line.player))}</strong></li>"
            for line in best
        )
        parts.append(f'<h2>{words["honours"]}</h2><ul class="honours">{names}</ul>')
    parts += [
        f"<p>{escape(what)}: {escape(text)}</p>"
        for what, text in statistics.lines(state, facts, lang)
    ]
    files = ("standings.csv", "results.csv", "tournament.json")
    links = "".join(f'<li><a href="{path}">{path}</a></li>' for path in files)
    return [*parts, f"<h2>{words['files']}</h2><ul>{links}</ul>"]


def _statistics_html(state: TournamentState, facts: statistics.Statistics, lang: str) -> list[str]:
    rows = statistics.lines(state, facts, lang)
    pictures = statistics.pictures(facts, lang)
    drawn = [f"<h2>{escape(title)}</h2>{svg}" for title, svg in pictures]
    return [_table_html(["", ""], rows), *drawn]


def _csv_of(
    lines: Callable[[TournamentState, str], Lines],
) -> Callable[[TournamentService, str], bytes]:
    return lambda service, lang: _csv(lines(service.state, lang), lang)


FORMATS: dict[str, Callable[[TournamentService, str], bytes]] = {
    "json": lambda service, _lang: _json(service.state.as_tournament()),
    "standings": _csv_of(_order_lines),
    "results": _csv_of(_result_lines),
    "players": _csv_of(_player_lines),
    "teams": _csv_of(_team_lines),
    "xlsx": as_xlsx,
    "site": as_site,
    "proof": as_proof,
}

ENDINGS = {"json": "json", "xlsx": "xlsx", "site": "zip", "proof": "ndjson"}
"""What a file of a format ends in; the others are CSV."""
WITH_OBSERVATIONS = frozenset({"proof"})
"""Formats that hold what only the jury reads."""
