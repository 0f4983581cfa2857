"""Where tables and chairs stand on the page: worked out from the board's data alone.

The board names the chairs of a table north, east, south, west. Where that makes a consistent grid
(the board game), tables stand on it; else (the app) they stand in a ring. A shared chair stands
between its tables.
"""

import math
from typing import TypedDict

from host_tools.core.json_types import Json

PlanPoint = tuple[float, float]
_SIDES = ((0, -1), (1, 0), (0, 1), (-1, 0))
_CELL = 100.0
_CHAIR_AWAY = 50.0  # half a cell: a chair that two tables share stands in one place for both
_RING_RADIUS = 300.0
# number of tables -> how far from the middle of the ring its first and second chair stand
_REACHES = {1: (1.2, 0.8), 2: (0.92, 1.16), 3: (0.68, 0.5)}


class RoomPlan(TypedDict):
    """Places in dots, all above zero; `width`, `height` hold everything."""

    width: float
    height: float
    tables: dict[str, PlanPoint]
    chairs: dict[str, PlanPoint]
    links: dict[str, list[str]]
    """The tables of every chair."""


def plan_of(board: Json, preset: str) -> RoomPlan:
    """The plan of a board."""
    tables: dict[str, list[str]] = {n: t["chairs"] for n, t in board["tables"].items()}
    if preset == "app":
        return _framed(*_ring(tables), _links(tables))
    return _framed(*_grid(tables), _links(tables))


def _links(tables: dict[str, list[str]]) -> dict[str, list[str]]:
    links: dict[str, list[str]] = {}
    for table, chairs in tables.items():
        for chair in chairs:
            links.setdefault(chair, []).append(table)
    return links


def _grid(tables: dict[str, list[str]]) -> tuple[dict[str, PlanPoint], dict[str, PlanPoint]]:
    cells = _cells(tables)
    places = {name: (x * _CELL, y * _CELL) for name, (x, y) in cells.items()}
    chairs: dict[str, list[PlanPoint]] = {}
    for name, names in tables.items():
        x, y = places[name]
        for side, chair in enumerate(names):
            dx, dy = _SIDES[side]
            chairs.setdefault(chair, []).append((x + dx * _CHAIR_AWAY, y + dy * _CHAIR_AWAY))
    return places, {chair: _middle(spots) for chair, spots in chairs.items()}


def _cells(tables: dict[str, list[str]]) -> dict[str, tuple[int, int]]:
    """Walk from table to table over shared chairs; an island starts in the next free row."""
    cells: dict[str, tuple[int, int]] = {}
    for first in tables:
        if first in cells:
            continue
        # the first at 0; between islands a row is left free
        row = max((y for _, y in cells.values()), default=-2) + 2
        cells[first] = (0, row)
        waiting = [first]
        while waiting:
            name = waiting.pop()
            for neighbour, (dx, dy) in _neighbours(tables, name):
                if neighbour not in cells:
                    cells[neighbour] = (cells[name][0] + dx, cells[name][1] + dy)
                    waiting.append(neighbour)
    return cells


def _neighbours(tables: dict[str, list[str]], name: str) -> list[tuple[str, tuple[int, int]]]:
    found = []
    for side, chair in enumerate(tables[name]):
        found += [
            (other, _SIDES[side])
            for other, chairs in tables.items()
            if other != name and chair in chairs
        ]
    return found


def _ring(tables: dict[str, list[str]]) -> tuple[dict[str, PlanPoint], dict[str, PlanPoint]]:
    places: dict[str, PlanPoint] = {}
    for number, name in enumerate(tables):
        # y grows downwards: the first table stands at the top
        angle = 2 * math.pi * number / len(tables) - math.pi / 2
        places[name] = (_RING_RADIUS * math.cos(angle), _RING_RADIUS * math.sin(angle))
    chairs: dict[str, PlanPoint] = {}
    taken: dict[tuple[str, ...], int] = {}
    for chair, owners in _links(tables).items():
        twin = taken[tuple(owners)] = taken.get(tuple(owners), -1) + 1
        chairs[chair] = _on_ring([places[name] for name in owners], twin)
    return places, chairs


def _on_ring(spots: list[PlanPoint], twin: int) -> PlanPoint:
    """A chair of three tables stands far inside, of two between them, of one outside; a second
    chair of the same tables stands on the other side of the ring.
    """
    x, y = _middle(spots)
    reach = _REACHES[len(spots)][twin % 2]
    # a chair in the exact middle has no direction: no division by zero
    scale = _RING_RADIUS * reach / (math.hypot(x, y) or 1.0)
    return x * scale, y * scale


def _middle(spots: list[PlanPoint]) -> PlanPoint:
    return sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)


def _framed(
    tables: dict[str, PlanPoint], chairs: dict[str, PlanPoint], links: dict[str, list[str]]
) -> RoomPlan:
    """Moved so that everything has a margin of one chair."""
    spots = [*tables.values(), *chairs.values()]
    left = min(x for x, _ in spots) - _CHAIR_AWAY
    top = min(y for _, y in spots) - _CHAIR_AWAY

    def moved(place: PlanPoint) -> PlanPoint:
        return round(place[0] - left, 1), round(place[1] - top, 1)

    return {
        "width": round(max(x for x, _ in spots) - left + _CHAIR_AWAY, 1),
        "height": round(max(y for _, y in spots) - top + _CHAIR_AWAY, 1),
        "tables": {name: moved(place) for name, place in tables.items()},
        "chairs": {name: moved(place) for name, place in chairs.items()},
        "links": links,
    }
