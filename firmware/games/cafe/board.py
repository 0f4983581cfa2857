"""The café board as data: tables, chairs and nations, checked against their numbers (CB-1).

`find_problems` is the one home of those checks: the referee refuses a board with the first
problem, and `schiri boards check` shows them all.
"""

from micropython import const

from firmware.rules.errors import Malformed

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    Tables = dict[str, dict[str, Any]]  # once their shape is checked

NATIONS = ("AF", "CN", "CU", "DE", "ES", "FR", "GB", "IN", "IT", "RU", "TR", "US")
SEATS_AT_TABLE = const(4)
_MOST_TABLES = const(3)  # of a chair in the app; two on the board (CB-1)

# preset -> tables, chairs at one, two and three tables, least and most tables of one nation
NUMBERS = {
    "board": (24, (40, 28, 0), (2, 2)),
    "app": (12, (4, 16, 4), (0, 2)),
}


def natural_key(name: str) -> "tuple[str, int, str]":
    """Sort key for names that end in a number: T2 comes before T10."""
    stem = name.rstrip("0123456789")
    digits = name[len(stem) :]
    return (stem, int(digits) if digits else -1, name)


def find_problems(board: "Any", preset: str) -> "Iterator[tuple[str, str]]":
    """Yield (field, what is wrong) for every fault; numbers only once the shape is right."""
    faulty = False
    for problem in _shape_problems(board):
        faulty = True
        yield problem
    if not faulty:
        for problem in _count_problems(board["tables"], preset):
            yield problem


def _shape_problems(board: object) -> "Iterator[tuple[str, str]]":
    tables = board.get("tables") if type(board) is dict else None
    if type(tables) is not dict:
        yield ("board.tables", "is missing or not an object")
        return
    for name in sorted(tables, key=natural_key):
        for problem in _table_problems("board.tables." + name, tables[name]):
            yield problem


def _table_problems(field: str, table: object) -> "Iterator[tuple[str, str]]":
    if type(table) is not dict:
        yield (field, "is not an object")
        return
    if table.get("nation") not in NATIONS:
        yield (field + ".nation", "is none of " + " ".join(NATIONS))
    chairs = table.get("chairs")
    if type(chairs) is not list or [chair for chair in chairs if type(chair) is not str]:
        yield (field + ".chairs", "is not a list of chair names")
    elif len(chairs) != SEATS_AT_TABLE or len(set(chairs)) != SEATS_AT_TABLE:
        yield (field + ".chairs", "does not name four different chairs")


def _count_problems(tables: "Tables", preset: str) -> "Iterator[tuple[str, str]]":
    table_count, degrees, (least, most) = NUMBERS[preset]
    if len(tables) != table_count:
        yield ("board.tables", "are %d, not %d" % (len(tables), table_count))
    most_tables = _MOST_TABLES if degrees[_MOST_TABLES - 1] else _MOST_TABLES - 1
    found = [0, 0, 0]
    for chair, count in _tables_per_chair(tables):
        if count > most_tables:
            yield ("board.chairs." + chair, "stands at %d tables" % count)
        else:
            found[count - 1] += 1
    for place in range(_MOST_TABLES):
        if found[place] != degrees[place]:
            text = "chairs stand at %d table(s), not %d" % (place + 1, degrees[place])
            yield ("board.chairs", "%d %s" % (found[place], text))
    names = [table["nation"] for table in tables.values()]
    for nation in NATIONS:
        if not least <= names.count(nation) <= most:
            yield ("board.nations." + nation, "has %d tables" % names.count(nation))


def _tables_per_chair(tables: "Tables") -> "list[tuple[str, int]]":
    counts: "dict[str, int]" = {}
    for table in tables.values():
        for chair in table["chairs"]:
            counts[chair] = counts.get(chair, 0) + 1
    return sorted(counts.items())


class Board:
    """A checked board. Tables and chairs are numbers, in the natural order of their names."""

    def __init__(self, board: "Any", preset: str) -> None:
        for field, text in find_problems(board, preset):
            raise Malformed(field, text)
        rows: "Tables" = board["tables"]
        self.tables = sorted(rows, key=natural_key)
        self.nations = bytes([NATIONS.index(str(rows[name]["nation"])) for name in self.tables])
        chairs: "list[list[str]]" = [rows[name]["chairs"] for name in self.tables]
        names: "set[str]" = set()
        for four in chairs:
            names.update(four)
        self.chairs = sorted(names, key=natural_key)
        self._chairs_at = [bytes([self.chairs.index(name) for name in four]) for four in chairs]
        self._tables_at = [
            bytes([table for table in range(len(chairs)) if chair in self._chairs_at[table]])
            for chair in range(len(self.chairs))
        ]

    def chairs_at(self, table: int) -> bytes:
        """The four chairs of a table, in the order of the board's data."""
        return self._chairs_at[table]

    def tables_at(self, chair: int) -> bytes:
        """The one to three tables of a chair, in board order."""
        return self._tables_at[chair]
