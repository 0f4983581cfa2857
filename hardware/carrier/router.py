"""A maze router for a small board: two layers, a grid, A*, and who is in the way is routed again.

A way may cross another net's track at a price; that net is then torn up and looks for a new way.
The price of a place rises each time it is fought for, until everybody has one (after McMurchie and
Ebeling, PathFinder, 1995). Deterministic; DRC has the last word. KiCad's Python runs it as well,
so it uses nothing but the standard library.
"""

import heapq
import math
from collections.abc import Iterable
from dataclasses import dataclass, field

STEP = 0.254  # mm: a tenth of the pins' pitch
_VIA_COST = 10.0
_CROSSING = 40.0  # price of a cell that belongs to another net's track
_GRUDGE = 60.0  # and what it rises by, each time
_FREE, _SHUT = 0, -1
_MOVES = [
    (1, 0, 1.0), (-1, 0, 1.0), (0, 1, 1.0), (0, -1, 1.0),
    (1, 1, 1.4143), (1, -1, 1.4143), (-1, 1, 1.4143), (-1, -1, 1.4143),
]  # fmt: skip
Node = tuple[int, int, int]  # layer, column, row


@dataclass
class Grid:
    """What is where: for each track width and for vias, who owns a cell (net number)."""

    x0: float
    y0: float
    columns: int
    rows: int
    clearance: float
    widths: tuple[float, ...]
    via: float
    owners: dict[float, list[list[int]]] = field(default_factory=dict)
    # cells that tracks keep others out of: (width, layer) -> cell -> nets
    tracks: dict[tuple[float, int], dict[int, set[int]]] = field(default_factory=dict)
    grudges: dict[tuple[int, int], float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        cells = self.columns * self.rows
        for width in (*self.widths, self.via):
            self.owners[width] = [[_FREE] * cells, [_FREE] * cells]
            self.tracks |= {(width, layer): {} for layer in (0, 1)}

    def cell(self, x: float, y: float) -> tuple[int, int]:
        """The cell nearest to a point (mm)."""
        return round((x - self.x0) / STEP), round((y - self.y0) / STEP)

    def point(self, column: int, row: int) -> tuple[float, float]:
        """The middle of a cell (mm)."""
        return self.x0 + column * STEP, self.y0 + row * STEP

    def claim(
        self,
        net: int,
        layers: Iterable[int],
        box: tuple[float, float, float, float],
        gap: float | None = None,
    ) -> None:
        """A rounded box (x1, y1, x2, y2) belongs to `net`; others keep `gap` away from it."""
        keep = self.clearance if gap is None else gap
        for width, owners in self.owners.items():
            far = keep + width / 2
            for layer in layers:
                self._paint(owners[layer], net, box, far)

    def _paint(
        self, owner: list[int], net: int, box: tuple[float, float, float, float], far: float
    ) -> None:
        x1, y1, x2, y2 = box
        first_c, first_r = self.cell(x1 - far, y1 - far)
        last_c, last_r = self.cell(x2 + far, y2 + far)
        for row in range(max(first_r, 0), min(last_r, self.rows - 1) + 1):
            y = self.y0 + row * STEP
            dy = max(y1 - y, y - y2, 0.0)
            for column in range(max(first_c, 0), min(last_c, self.columns - 1) + 1):
                x = self.x0 + column * STEP
                dx = max(x1 - x, x - x2, 0.0)
                if dx * dx + dy * dy < far * far - 1e-9:
                    at = row * self.columns + column
                    owner[at] = net if owner[at] in (_FREE, net) else _SHUT

    def occupy(self, net: int, layer: int, at: tuple[float, float], half: float) -> None:
        """A piece of track or a via of `net`, `half` wide, keeps others away."""
        for width in self.owners:
            far = self.clearance + half + width / 2
            cells = self.tracks[(width, layer)]
            for cell in self._round(at, far):
                cells.setdefault(cell, set()).add(net)

    def occupy_line(
        self, net: int, layer: int, start: tuple[float, float], end: tuple[float, float], w: float
    ) -> None:
        """A track from start to end, `w` wide."""
        steps = max(1, math.ceil(math.dist(start, end) / STEP))
        for i in range(steps + 1):
            x = start[0] + (end[0] - start[0]) * i / steps
            y = start[1] + (end[1] - start[1]) * i / steps
            self.occupy(net, layer, (x, y), w / 2)

    def _round(self, at: tuple[float, float], far: float) -> Iterable[int]:
        first_c, first_r = self.cell(at[0] - far, at[1] - far)
        last_c, last_r = self.cell(at[0] + far, at[1] + far)
        for row in range(max(first_r, 0), min(last_r, self.rows - 1) + 1):
            dy = self.y0 + row * STEP - at[1]
            for column in range(max(first_c, 0), min(last_c, self.columns - 1) + 1):
                dx = self.x0 + column * STEP - at[0]
                if dx * dx + dy * dy < far * far - 1e-9:
                    yield row * self.columns + column

    def tear_up(self, net: int) -> None:
        """The net's tracks are gone."""
        for cells in self.tracks.values():
            for cell in [cell for cell, nets in cells.items() if net in nets]:
                cells[cell].discard(net)
                if not cells[cell]:
                    del cells[cell]

    def in_the_way(self, net: int, width: float, way: list[Node]) -> set[int]:
        """Nets whose tracks a way crosses; each such place is dearer from now on."""
        crossed: set[int] = set()
        for before, node in zip([way[0], *way], way, strict=False):
            layer, column, row = node
            at = row * self.columns + column
            keys = [(width, layer)]
            if before[0] != layer:
                keys = [(self.via, 0), (self.via, 1)]
            others = {n for key in keys for n in self.tracks[key].get(at, ()) if n != net}
            if others:
                crossed |= others
                self.grudges[(layer, at)] = self.grudges.get((layer, at), 0.0) + _GRUDGE
        return crossed

    def route(self, net: int, width: float, sources: set[Node], targets: set[Node]) -> list[Node]:
        """Cells of the cheapest way from any source to any target; empty if there is none."""
        goal = _Goal(targets)
        best = dict.fromkeys(sources, 0.0)
        came: dict[Node, Node] = {}
        queue = [(goal.far(node), node) for node in sorted(sources)]
        heapq.heapify(queue)
        done: set[Node] = set()
        while queue:
            _, node = heapq.heappop(queue)
            if node in done:
                continue
            if node in targets:
                return _walk_back(came, node)
            done.add(node)
            for other, cost in self._next(node, net, width):
                price = best[node] + cost
                if price < best.get(other, math.inf) - 1e-9:
                    best[other], came[other] = price, node
                    heapq.heappush(queue, (price + goal.far(other), other))
        return []

    def _toll(self, net: int, key: tuple[float, int], at: int) -> float:
        """What it costs to enter a cell that tracks of others keep free."""
        others = self.tracks[key].get(at)
        if not others or others == {net}:
            return 0.0
        return _CROSSING + self.grudges.get((key[1], at), 0.0)

    def _next(self, node: Node, net: int, width: float) -> Iterable[tuple[Node, float]]:
        layer, column, row = node
        mine = (_FREE, net)
        owner = self.owners[width][layer]
        for dc, dr, cost in _MOVES:
            c, r = column + dc, row + dr
            if 0 <= c < self.columns and 0 <= r < self.rows:
                at = r * self.columns + c
                if owner[at] in mine:
                    yield (layer, c, r), cost + self._toll(net, (width, layer), at)
        at = row * self.columns + column
        vias = self.owners[self.via]
        if vias[0][at] in mine and vias[1][at] in mine:
            toll = sum(self._toll(net, (self.via, side), at) for side in (0, 1))
            yield (1 - layer, column, row), _VIA_COST + toll


class _Goal:
    """A lower bound of the way to any target: to the box round all of them."""

    def __init__(self, targets: set[Node]) -> None:
        self._c = (min(n[1] for n in targets), max(n[1] for n in targets))
        self._r = (min(n[2] for n in targets), max(n[2] for n in targets))

    def far(self, node: Node) -> float:
        dx = max(self._c[0] - node[1], node[1] - self._c[1], 0)
        dy = max(self._r[0] - node[2], node[2] - self._r[1], 0)
        return max(dx, dy) + 0.4142 * min(dx, dy)


def _walk_back(came: dict[Node, Node], node: Node) -> list[Node]:
    way = [node]
    while node in came:
        node = came[node]
        way.append(node)
    return way[::-1]


def corners(way: list[Node]) -> list[Node]:
    """The same way with its straight runs joined."""
    kept = way[:1]
    for before, here, after in zip(way, way[1:], way[2:], strict=False):
        turn_in = tuple(b - a for a, b in zip(before, here, strict=True))
        turn_out = tuple(b - a for a, b in zip(here, after, strict=True))
        if turn_in != turn_out:
            kept.append(here)
    return kept + way[-1:] if len(way) > 1 else kept
