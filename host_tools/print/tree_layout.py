"""Where the matches of a knock-out tree stand on a sheet: numbers only, for screen and poster.

Units are cells: a match is one column wide and two rows high; the first round is column 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from host_tools.tournament.ko import Bracket, KoMatch, Side
from host_tools.tournament.view import star


@dataclass(frozen=True)
class TreeNode:
    """One match: its middle lies at row `y` (rows of the first round are 0.5, 1.5, …)."""

    match: KoMatch
    column: int
    y: float


@dataclass(frozen=True)
class TreeLine:
    """The line from a match to the one its winner plays."""

    from_column: int
    from_y: float
    to_y: float


@dataclass(frozen=True)
class TreeLayout:
    """Boxes and wires of a whole tree or a part of it; `rows` matches high, `columns` wide."""

    boxes: list[TreeNode]
    wires: list[TreeLine]
    columns: int
    rows: int
    third: KoMatch | None

    @property
    def firsts(self) -> list[TreeNode]:
        """The first match of each column: above it stands the name of the round."""
        # a dict keeps the last one of a column, so it is filled from behind
        return list({box.column: box for box in reversed(self.boxes)}.values())[::-1]

    @property
    def final(self) -> TreeNode:
        """The last match of the last column."""
        return self.boxes[-1]


def whole(bracket: Bracket) -> TreeLayout:
    """The whole tree with the match for third place."""
    return _tree(bracket.rounds, bracket.third)


def last_rounds(bracket: Bracket, players: int) -> TreeLayout:
    """From the round with so many players left to the final."""
    kept = [stage for stage in bracket.rounds if 2 * len(stage) <= players]
    return _tree(kept, bracket.third)


def parts(bracket: Bracket, players: int) -> list[TreeLayout]:
    """The tree cut into pieces with `players` leaves each; what follows them is not shown.

    A tree of that size or smaller is one piece, with its end.
    """
    if bracket.size <= players:
        return [whole(bracket)]
    pieces = []
    for piece in range(bracket.size // players):
        stages = []
        width = players // 2
        for stage in bracket.rounds:
            # a piece ends with its own last match; the rounds behind belong to several pieces
            if width < 1:
                break
            stages.append(stage[piece * width : (piece + 1) * width])
            width //= 2
        pieces.append(_tree(stages, None))
    return pieces


def _tree(stages: Sequence[Sequence[KoMatch]], third: KoMatch | None) -> TreeLayout:
    boxes: list[TreeNode] = []
    wires: list[TreeLine] = []
    rows = [place + 0.5 for place in range(len(stages[0]))]
    for column, stage in enumerate(stages):
        if column:
            above = rows
            # half way between the two whose winners meet there
            rows = [(above[2 * n] + above[2 * n + 1]) / 2 for n in range(len(stage))]
            wires += [TreeLine(column - 1, y, rows[n // 2]) for n, y in enumerate(above)]
        boxes += [TreeNode(match, column, y) for match, y in zip(stage, rows, strict=True)]
    return TreeLayout(boxes, wires, len(stages), len(stages[0]), third)


def cards_of(match: KoMatch, side: Side) -> str:
    """The cards that `side` took, with the star of a forfeit; "" without a result."""
    if match.result is None:
        return ""
    place = 0 if match.result.a == side.player else 1
    return f"{match.result.cards[place]}{star(match.result)}"
