"""Group sheets: a cross table to be filled in by hand, the plan, and the table as it stands."""

from host_tools.cards.public_keys import SigningKey
from host_tools.core.errors import UserError
from host_tools.print.paper import CLAIM_MM, SOFT, Paper
from host_tools.tournament.model import Group, PlayerId, Result
from host_tools.tournament.state import TournamentState
from host_tools.tournament.view import MatchLine, group_matches, score, signed
from host_tools.tournament.wording import group_name, name_of

MARGIN = 14.0
WIDTH = 297.0 - 2 * MARGIN
NAME_W = 62.0
ROW_H = 19.0
# whatever the size of the group, its plan has room below
HIGHEST_GRID = 112.0
PLAN_ROW = 6.6
PLAN_GAP = 8.0
PLAN_BOTTOM = 198.0
TOTALS = ("points", "difference", "cards", "rank")
TOTAL_W = 16.0


def make(state: TournamentState, lang: str, base: str, desk: SigningKey | None = None) -> bytes:
    """One landscape page for each group."""
    if not state.groups:
        raise UserError("no_groups")
    paper = Paper(lang, "L")
    paper.set_title(f"{state.setup.name} – {paper.words['sheet']}")
    for group in state.all_groups:
        paper.add_page()
        sheet = _Sheet(paper, state, group)
        sheet.draw()
        # an empty table says nothing that could be checked
        if sheet.results:
            paper.claim_at(desk, base, sheet.standing(), MARGIN + WIDTH - CLAIM_MM, 1)
    return paper.data()


class _Sheet:
    def __init__(self, paper: Paper, state: TournamentState, group: Group) -> None:
        self.paper = paper
        self.state = state
        self.group = group
        self.heading = group_name(state, group.id, paper.lang)
        size = len(group.players)
        self.row = min(ROW_H, HIGHEST_GRID / (size + 1))
        self.cell = (WIDTH - NAME_W - len(TOTALS) * TOTAL_W) / size
        self.results = {
            # found from either side
            frozenset((result.a, result.b)): result
            for result in state.group_results()
            # a cross table has a cell for two, none for a table of several
            if result.group == group.id and not result.more
        }

    def draw(self) -> None:
        self.paper.write_at(MARGIN, 16, 120, self.heading, 30, bold=True)
        # the code of claim_at stands in the corner
        room = WIDTH - 120 - CLAIM_MM - 4
        self.paper.write_at(MARGIN + 120, 16, room, self.state.setup.name, 14, align="R")
        bottom = self._grid(28)
        self._plan(bottom + 12)

    def standing(self) -> list[str]:
        """The table as it stands, a line a player, for the code by which it can be checked."""
        rows = self.state.group_rows(self.group.id)
        lines = [f"{row.rank}. {name_of(self.state, row.player)} {row.points}" for row in rows]
        return [self.state.setup.name, self.heading, *lines]

    def _grid(self, top: float) -> float:
        players = self.group.players
        right = MARGIN + NAME_W
        for number, player in enumerate(players):
            x = right + number * self.cell
            name = name_of(self.state, player)
            self.paper.write_at(
                x + 1, top + self.row / 2, self.cell - 2, name, 10, align="C", colour=SOFT
            )
        for number, word in enumerate(TOTALS):
            x = right + len(players) * self.cell + number * TOTAL_W
            self.paper.write_at(
                x, top + self.row / 2, TOTAL_W, self.paper.words[word], 10, align="C", colour=SOFT
            )
        for number, player in enumerate(players):
            self._grid_row(top + (number + 1) * self.row, player)
        return top + (len(players) + 1) * self.row

    def _grid_row(self, y: float, player: PlayerId) -> None:
        paper, middle = self.paper, y + self.row / 2
        paper.write_at(MARGIN, middle, NAME_W - 3, name_of(self.state, player), 13, bold=True)
        for number, other in enumerate(self.group.players):
            x = MARGIN + NAME_W + number * self.cell
            if other == player:
                paper.set_fill_color(225)
                paper.rect(x, y, self.cell, self.row, style="F")
            result = self.results.get(frozenset((player, other)))
            if result is not None and other != player:
                paper.write_at(
                    x + 1, middle, self.cell - 2, _from_side(result, player), 13, align="C"
                )
            paper.box_at(x, y, self.cell, self.row)
        for number, text in enumerate(self._totals(player)):
            x = MARGIN + NAME_W + len(self.group.players) * self.cell + number * TOTAL_W
            paper.write_at(x + 1, middle, TOTAL_W - 2, text, 13, align="C", bold=number == 3)
            paper.box_at(x, y, TOTAL_W, self.row)

    def _totals(self, player: PlayerId) -> tuple[str, ...]:
        row = next(row for row in self.state.group_rows(self.group.id) if row.player == player)
        if not row.played:
            return ("",) * len(TOTALS)
        return str(row.points), signed(row.difference), str(row.cards), str(row.rank)

    def _plan(self, top: float) -> None:
        """The matches in as many columns as they need."""
        words = self.paper.words
        self.paper.write_at(MARGIN, top, 60, words["matches"], 14, bold=True)
        found = group_matches(self.state, self.group.id)
        # one row less: the heading
        rows = max(1, int((PLAN_BOTTOM - top) / PLAN_ROW) - 1)
        columns = max(2, -(-len(found) // rows))
        # columns of equal length, not full ones and a rest
        per_column = -(-len(found) // columns)
        width = (WIDTH + PLAN_GAP) / columns
        for number, line in enumerate(found):
            x = MARGIN + number // per_column * width
            self._plan_line(line, x, top + 9 + number % per_column * PLAN_ROW, width - PLAN_GAP)
        self.paper.write_at(MARGIN, 203, WIDTH, words["star"], 8, colour=SOFT)

    def _plan_line(self, line: MatchLine, x: float, y: float, width: float) -> None:
        words = self.paper.words
        where = f"{words['slot']} {line.slot} · {words['table']} {line.table}"
        self.paper.write_at(x, y, 12, line.id, 10, bold=True)
        self.paper.write_at(x + 13, y, 32, where, 9, colour=SOFT)
        self.paper.write_at(x + 46, y, width - 46 - 17, line.who, 10.5)
        if line.score:
            self.paper.write_at(x + width - 16, y, 16, line.score, 10.5, bold=True, align="R")
        else:
            self.paper.line_at(x + width - 16, y + 1.6, x + width, y + 1.6)


def _from_side(result: Result, player: PlayerId) -> str:
    """`12:20*` as the row's player sees it."""
    if result.a == player:
        return score(result)
    # the star of a forfeit belongs to the whole result, so it stays at the end
    turned = score(result).rstrip("*").split(":")
    return f"{turned[1]}:{turned[0]}" + ("*" if score(result).endswith("*") else "")
