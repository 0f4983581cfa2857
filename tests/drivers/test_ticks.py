"""Ticks start anew every 2^30 ms: the firmware may reckon with them by `ticks_diff` and
`ticks_add` only. This looks through its source for a ticks value beside a plain operator.
"""

import ast
from pathlib import Path

FIRMWARE = Path(__file__).parents[2] / "firmware"
SOURCES = sorted(FIRMWARE.rglob("*.py"))
MAKERS = ("ticks_ms", "ticks_us", "ticks_add")
GIVEN = "now_ms"  # the loop hands the ticks to everybody under this name


def name_of(node: ast.AST) -> str | None:
    """`x` of `x` and of `self.x`."""
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else None


def makes_ticks(node: ast.AST, ticks: set[str]) -> bool:
    if isinstance(node, ast.Call):
        return name_of(node.func) in MAKERS
    if isinstance(node, ast.IfExp):
        return makes_ticks(node.body, ticks) or makes_ticks(node.orelse, ticks)
    if isinstance(node, ast.BinOp) and isinstance(node.left, ast.List):
        return any(makes_ticks(part, ticks) for part in node.left.elts)  # [ticks] * 4
    if isinstance(node, ast.Subscript):
        return makes_ticks(node.value, ticks)
    return name_of(node) in ticks


def ticks_names(tree: ast.AST) -> set[str]:
    """Names and attributes of a module that are given a ticks value anywhere."""
    ticks = {GIVEN}
    before = 0
    while len(ticks) > before:
        before = len(ticks)
        for node in ast.walk(tree):
            targets = node.targets if isinstance(node, ast.Assign) else []
            if isinstance(node, ast.Assign) and makes_ticks(node.value, ticks):
                found = [t.value if isinstance(t, ast.Subscript) else t for t in targets]
                ticks |= {name for name in map(name_of, found) if name is not None}
    return ticks


def plainly_reckoned(source: str) -> list[int]:
    """The lines in which a ticks value stands beside + - // % < > and so on."""
    tree = ast.parse(source)
    ticks = ticks_names(tree)
    lines = []
    for node in ast.walk(tree):
        sides: list[ast.expr] = []
        if isinstance(node, ast.BinOp):
            sides = [node.left, node.right]
        elif isinstance(node, ast.AugAssign):
            sides = [node.target, node.value]
        elif isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(isinstance(op, ast.Is | ast.IsNot) for op in node.ops):
                sides = []
        if any(not isinstance(side, ast.List) and makes_ticks(side, ticks) for side in sides):
            lines.append(node.lineno)  # type: ignore[attr-defined]  # all three have it
    return lines


def test_ticks_are_reckoned_with_by_the_functions_made_for_it() -> None:
    """Else: use ticks_diff or ticks_add in these lines."""
    found = {path: plainly_reckoned(path.read_text()) for path in SOURCES}
    assert {path: lines for path, lines in found.items() if lines} == {}
