"""What stands on tables, is handed out or worn: call cards, table signs, badges, honours."""

from collections.abc import Callable

from host_tools.core.errors import UserError
from host_tools.core.texts import round_namer
from host_tools.print.certificates import GOLD, NAVY
from host_tools.print.paper import SOFT, Paper
from host_tools.tournament.ko import HONOURED
from host_tools.tournament.model import PlayerId
from host_tools.tournament.player_names import EVENT_OF_BADGE, PLAYER_PAGE, beside_name
from host_tools.tournament.state import TournamentState
from host_tools.tournament.view import MatchLine, at_the_tables, lines, waiting
from host_tools.tournament.wording import name_of

A4_W, A4_H = 210.0, 297.0

Draw = Callable[[Paper, float, float], None]


def _sheets(
    paper: Paper, items: list[Draw], columns: int, rows: int, width: float, height: float
) -> bytes:
    """Equal pieces side by side, with lines to cut along."""
    for number, draw in enumerate(items):
        place = number % (columns * rows)
        if place == 0:
            paper.add_page()
            paper.set_dash_pattern(dash=1.5, gap=1.5)
            for column in range(1, columns):
                paper.line_at(column * width, 0, column * width, rows * height)
            # where the pieces do not fill the page their lower edge is cut, too
            for row in range(1, rows + (rows * height < A4_H)):
                paper.line_at(0, row * height, columns * width, row * height)
            paper.set_dash_pattern()
        draw(paper, place % columns * width, place // columns * height)
    return paper.data()


def call_cards(state: TournamentState, lang: str, base: str) -> bytes:
    """A card a match, six on a page: for whoever calls, or to hand to the players."""
    found = [*at_the_tables(state), *lines(state, waiting(state))]
    if not found:
        raise UserError("nothing_to_call")
    paper = Paper(lang)
    paper.set_title(f"{state.setup.name} – {paper.words['call_cards']}")
    return _sheets(paper, [_call_card(line) for line in found], 2, 3, A4_W / 2, A4_H / 3)


def _call_card(line: MatchLine) -> Draw:
    def draw(paper: Paper, x: float, y: float) -> None:
        words, left, width = paper.words, x + 9, A4_W / 2 - 18
        slot = words["round_slot"].format(slot=line.slot)
        stage = paper.stage_of(line)
        where = f"{slot} · {stage}" if line.slot else stage
        paper.write_at(left, y + 13, width, f"{where} · {line.id}", 12, colour=SOFT)
        paper.write_at(left, y + 24, 40, words["table"], 14, colour=SOFT)
        paper.write_at(left + 40, y + 27, width - 40, str(line.table or "–"), 54, bold=True)
        if line.several:
            for number, name in enumerate(line.names):
                paper.write_at(left, y + 46 + number * 6, width, name, 13, bold=True)
            return
        paper.write_at(left, y + 55, width, line.a, 20, bold=True)
        paper.write_at(left, y + 66, width, "–", 12, colour=SOFT)
        paper.write_at(left, y + 77, width, line.b, 20, bold=True)

    return draw


def tables(state: TournamentState, lang: str, base: str) -> bytes:
    """A sign a table, two on a page; with the address of the desk the QR code opens the board."""
    paper = Paper(lang)
    paper.set_title(f"{state.setup.name} – {paper.words['table_signs']}")
    numbers = range(1, state.setup.tables + 1)
    name = state.setup.name
    items = [_table_sign(number, name, base) for number in numbers]
    return _sheets(paper, items, 1, 2, A4_W, A4_H / 2)


def _table_sign(number: int, name: str, base: str) -> Draw:
    def draw(paper: Paper, x: float, y: float) -> None:
        word = paper.words["table"]
        paper.write_at(x + 15, y + 18, A4_W - 30, name, 14, colour=SOFT)
        paper.write_at(x + 15, y + 34, 100, word, 28, colour=NAVY)
        room = 110.0 if base else A4_W - 30
        paper.write_at(x + 15, y + 90, room, str(number), 250, bold=True, colour=NAVY)
        if base:
            paper.qr_at(f"{base}/", x + 135, y + 55, 60)
            paper.write_at(x + 135, y + 120, 60, paper.words["scan"], 11, align="C", colour=SOFT)

    return draw


def badges(state: TournamentState, lang: str, base: str) -> bytes:
    """A badge a player, ten on a page; its QR code is the player's own page, and is scanned when
    people arrive.
    """
    if not state.players:
        raise UserError("no_badges")
    paper = Paper(lang)
    paper.set_title(f"{state.setup.name} – {paper.words['badges']}")
    items = [_badge(state, player, base) for player in state.players]
    return _sheets(paper, items, 2, 5, A4_W / 2, 55.0)


def badge_text(player: PlayerId, base: str, tournament: str = "") -> str:
    """What the QR code of a badge says: whose page, and of which tournament the id is."""
    of_event = f"?{EVENT_OF_BADGE}{tournament}" if tournament else ""
    return f"{base or 'schiri:'}{PLAYER_PAGE}{player}{of_event}"


def _badge(state: TournamentState, player: PlayerId, base: str) -> Draw:
    def draw(paper: Paper, x: float, y: float) -> None:
        known, width = state.players[player], A4_W / 2 - 46
        paper.write_at(x + 8, y + 9, A4_W / 2 - 16, state.setup.name, 9, colour=SOFT)
        paper.write_at(x + 8, y + 25, width, known.name or player, 20, bold=True)
        beside = " · ".join(text for _, text in beside_name(known, "badge"))
        paper.write_at(x + 8, y + 37, width, beside, 11, colour=SOFT)
        paper.write_at(x + 8, y + 47, width, player, 9, colour=SOFT)
        paper.qr_at(badge_text(player, base, state.tournament), x + A4_W / 2 - 38, y + 14, 34)

    return draw


def honours(state: TournamentState, lang: str, base: str) -> bytes:
    """The final ranking as a sheet for the wall: the best four large, everybody below them."""
    final = [line for line in state.final_places() if line.place is not None]
    if not final:
        raise UserError("no_final")
    paper = Paper(lang)
    paper.set_title(f"{state.setup.name} – {paper.words['honours']}")
    paper.add_page()
    paper.write_at(20, 24, 170, paper.words["honours"], 32, bold=True, align="C", colour=NAVY)
    paper.write_at(20, 36, 170, state.setup.name, 15, align="C")
    y = 54.0
    for line in final[:HONOURED]:
        size = 24 if line.place == 1 else 18
        name = name_of(state, line.player)
        paper.write_at(20, y, 16, f"{line.place}.", size, bold=True, align="R", colour=GOLD)
        paper.write_at(40, y, 150, name, size, bold=True)
        y += 13
    y += 6
    names = round_namer(lang)
    for number, line in enumerate(final[HONOURED:]):
        if y > 283:
            paper.add_page()
            y = 20.0
        column = number % 2
        left = 20.0 + 88 * column
        paper.write_at(left, y, 10, f"{line.place}.", 10, align="R", colour=SOFT)
        paper.write_at(left + 12, y, 52, name_of(state, line.player), 10)
        reached = "" if line.reached == "group" else names(line.reached)
        paper.write_at(left + 65, y, 20, reached, 8, colour=SOFT)
        y += 5.6 * column
    return paper.data()
