"""The knock-out tree as a poster: A3 landscape, empty fields to be filled in by hand."""

from dataclasses import dataclass

from host_tools.core.errors import UserError
from host_tools.core.texts import round_namer
from host_tools.print.paper import MM_PER_POINT, SOFT, Paper
from host_tools.print.tree_layout import TreeLayout, TreeLine, cards_of, whole
from host_tools.tournament.ko import THIRD, KoMatch, Side
from host_tools.tournament.state import TournamentState
from host_tools.tournament.wording import name_of

PAGE_W, PAGE_H = 420.0, 297.0
MARGIN = 12.0
TOP = 34.0
HIGHEST_CARD = 17.0
CARD_SHARE = 0.88
LETTER_SHARE = 0.84
"""Height of the letters in their half of a card."""
LARGEST_LETTERS = 17.0
GAP_SHARE = 0.16
"""Share of a column that the lines between two rounds take."""


@dataclass(frozen=True)
class _Sizes:
    """How big things are for a tree of so many rounds and matches. Later rounds have more room:
    their matches are drawn bigger.
    """

    column: float
    row: float

    @property
    def card_w(self) -> float:
        return self.column * (1 - GAP_SHARE)

    def card_h(self, column: int) -> float:
        # matches of each later round stand twice as far apart, so there are gaps at 1.3 too
        return min(HIGHEST_CARD, self.row * CARD_SHARE * 1.3**column)

    def points(self, column: int) -> float:
        return min(LARGEST_LETTERS, self.card_h(column) / 2 * LETTER_SHARE / MM_PER_POINT)

    def left(self, column: int) -> float:
        return MARGIN + column * self.column

    def middle(self, y: float) -> float:
        return TOP + y * self.row


def make(state: TournamentState, lang: str, base: str) -> bytes:
    """The tree as it stands."""
    if state.bracket is None:
        raise UserError("no_tree")
    paper = Paper(lang, "L", "A3")
    paper.set_title(f"{state.setup.name} – {paper.words['tree']}")
    paper.add_page()
    _Poster(paper, state, whole(state.bracket), lang).draw()
    return paper.data()


class _Poster:
    def __init__(self, paper: Paper, state: TournamentState, tree: TreeLayout, lang: str) -> None:
        self.paper = paper
        self.state = state
        self.tree = tree
        self.rounds = round_namer(lang)
        width = PAGE_W - 2 * MARGIN
        # the gap behind the last round is not needed
        self.sizes = _Sizes(
            width / (tree.columns - GAP_SHARE), (PAGE_H - TOP - MARGIN) / max(tree.rows, 2)
        )

    def draw(self) -> None:
        width = PAGE_W - 2 * MARGIN
        self.paper.write_at(MARGIN, 15, width * 0.7, self.state.setup.name, 28, bold=True)
        self._champion(width)
        for wire in self.tree.wires:
            self._wire(wire)
        for box in self.tree.firsts:
            self._round_name(self.sizes.left(box.column), TOP - 5, box.match.round)
        for box in self.tree.boxes:
            self._match(box.match, box.column, self.sizes.middle(box.y))
        self._third()

    def _champion(self, width: float) -> None:
        bracket = self.state.bracket
        if bracket is not None and bracket.champion is not None:
            text = f"{self.paper.words['champion']}: {name_of(self.state, bracket.champion)}"
            x = MARGIN + width * 0.6
            self.paper.write_at(x, 15, width * 0.4, text, 20, bold=True, align="R")

    def _round_name(self, x: float, y: float, name: str) -> None:
        self.paper.write_at(x, y, self.sizes.card_w, self.rounds(name), 12, align="C", colour=SOFT)

    def _wire(self, wire: TreeLine) -> None:
        start = self.sizes.left(wire.from_column) + self.sizes.card_w
        bend = start + self.sizes.column * GAP_SHARE / 2
        end = self.sizes.left(wire.from_column + 1)
        y1, y2 = self.sizes.middle(wire.from_y), self.sizes.middle(wire.to_y)
        for line in ((start, y1, bend, y1), (bend, y1, bend, y2), (bend, y2, end, y2)):
            self.paper.line_at(*line, thick=0.3)

    def _match(self, match: KoMatch, column: int, middle: float) -> None:
        x, width, height = self.sizes.left(column), self.sizes.card_w, self.sizes.card_h(column)
        top = middle - height / 2
        self.paper.set_fill_color(255)
        self.paper.rect(x, top, width, height, style="F")
        self.paper.box_at(x, top, width, height)
        self.paper.line_at(x, middle, x + width, middle)
        for number, side in enumerate((match.a, match.b)):
            self._side(match, side, column, top + (number + 0.5) * height / 2)

    def _side(self, match: KoMatch, side: Side, column: int, y: float) -> None:
        x, width, points = self.sizes.left(column), self.sizes.card_w, self.sizes.points(column)
        if side.player is None:
            if match.bye:
                self.paper.write_at(x + 7, y, 20, "–", points, colour=SOFT)
            return
        won = match.winner == side.player and not match.bye
        seed = str(side.seed or "")
        self.paper.write_at(x, y, 6, seed, points * 0.7, align="R", colour=SOFT)
        name = name_of(self.state, side.player)
        self.paper.write_at(x + 7, y, width - 17, name, points, bold=won)
        cards = cards_of(match, side)
        self.paper.write_at(x + width - 10, y, 9, cards, points, bold=won, align="R")

    def _third(self) -> None:
        if self.tree.third is None:
            return
        final = self.tree.final
        height = self.sizes.card_h(final.column)
        y = self.sizes.middle(final.y) + 2.2 * height + 8
        self._round_name(self.sizes.left(final.column), y - height / 2 - 5, THIRD)
        self._match(self.tree.third, final.column, y)
