"""The knock-out tree of the board, drawn as SVG, so that it is sharp on a phone and on a wall."""

from collections.abc import Callable
from dataclasses import dataclass

from markupsafe import Markup, escape

from host_tools.print.tree_layout import TreeLayout, TreeLine, TreeNode, cards_of
from host_tools.tournament.ko import THIRD, KoMatch, Side
from host_tools.tournament.state import TournamentState
from host_tools.tournament.wording import name_of

CARD_W = 262
CARD_H = 56
GAP_X = 38
GAP_Y = 14
HEAD_H = 34
# text of SVG does not shrink: a longer name would reach the score
NAME_CHARS = 19
THIRD_GAP = 26


@dataclass(frozen=True)
class _Frame:
    """Sizes of one drawing; `head` is the height of the line of round names."""

    columns: int
    rows: int

    @property
    def width(self) -> int:
        return self.columns * (CARD_W + GAP_X) - GAP_X + 2

    @property
    def height(self) -> int:
        return HEAD_H + self.rows * (CARD_H + GAP_Y) + 2

    def left(self, column: int) -> float:
        # half of a border lies outside its card (look.css: 1.5 wide)
        return 1 + column * (CARD_W + GAP_X)

    def middle(self, y: float) -> float:
        return HEAD_H + y * (CARD_H + GAP_Y)


def tree_svg(
    tree: TreeLayout, state: TournamentState, rounds: Callable[[str], str], title: str
) -> Markup:
    """Draw a tree or a part of it. `rounds`: round -> its name for people."""
    frame = _Frame(tree.columns, tree.rows)
    third = _third(tree, frame, state, rounds)
    extra = THIRD_GAP + CARD_H + HEAD_H if third else 0
    # in a low tree the match for third place stands below all others
    needed = frame.middle(tree.rows / 2) + CARD_H / 2 + extra
    height = max(frame.height, int(needed) + 4)
    pieces = [
        f'<svg class="tree" viewBox="0 0 {frame.width} {height}" width="{frame.width}" '
        f'height="{height}" role="img" aria-label="{escape(title)}">',
        *(_heading(box, frame, rounds) for box in tree.firsts),
        *(_wire(wire, frame) for wire in tree.wires),
        *(_box(box, frame, state) for box in tree.boxes),
        third,
        "</svg>",
    ]
    return Markup("".join(pieces))  # every text in it went through escape()


def _heading(box: TreeNode, frame: _Frame, rounds: Callable[[str], str]) -> str:
    x = frame.left(box.column) + CARD_W / 2
    return f'<text class="round" x="{x}" y="22">{escape(rounds(box.match.round))}</text>'


def _wire(wire: TreeLine, frame: _Frame) -> str:
    start = frame.left(wire.from_column) + CARD_W
    bend = start + GAP_X / 2
    from_y, to_y = frame.middle(wire.from_y), frame.middle(wire.to_y)
    return f'<path class="wire" d="M{start} {from_y}H{bend}V{to_y}H{start + GAP_X}"/>'


def _third(
    tree: TreeLayout, frame: _Frame, state: TournamentState, rounds: Callable[[str], str]
) -> str:
    if tree.third is None:
        return ""
    x = frame.left(tree.final.column)
    y = frame.middle(tree.final.y) + CARD_H + THIRD_GAP + HEAD_H
    heading = (
        f'<text class="round" x="{x + CARD_W / 2}" y="{y - CARD_H / 2 - 10}">'
        f"{escape(rounds(THIRD))}</text>"
    )
    return heading + _card(tree.third, x, y, state)


def _box(box: TreeNode, frame: _Frame, state: TournamentState) -> str:
    return _card(box.match, frame.left(box.column), frame.middle(box.y), state)


def _card(match: KoMatch, x: float, middle: float, state: TournamentState) -> str:
    top = middle - CARD_H / 2
    kind = "bye" if match.bye else "done" if match.winner else "open"
    sides = enumerate((match.a, match.b))
    lines = [_side(match, side, x, top + n * CARD_H / 2, state) for n, side in sides]
    size = f'width="{CARD_W}" height="{CARD_H}"'
    return (
        f'<g class="duel {kind}"><rect x="{x}" y="{top}" {size} rx="6"/>'
        f'<path class="middle" d="M{x} {middle}h{CARD_W}"/>{"".join(lines)}</g>'
    )


def _side(match: KoMatch, side: Side, x: float, top: float, state: TournamentState) -> str:
    base = top + CARD_H / 2 - 8
    if side.player is None:
        return f'<text class="nobody" x="{x + 34}" y="{base}">{"–" if match.bye else "…"}</text>'
    won = " won" if match.winner == side.player and not match.bye else ""
    seed = f'<text class="seed" x="{x + 26}" y="{base}">{side.seed}</text>' if side.seed else ""
    return (
        f'{seed}<text class="name{won}" x="{x + 34}" y="{base}">'
        f"{escape(shortened(name_of(state, side.player), NAME_CHARS))}</text>"
        f'<text class="score{won}" x="{x + CARD_W - 8}" y="{base}">{cards_of(match, side)}</text>'
    )


def shortened(name: str, most: int) -> str:
    """The name in at most `most` letters; a cut one ends in an ellipsis."""
    return name if len(name) <= most else name[: most - 1].rstrip() + "…"
