"""Can the fault day fail? Deliberate faults of our own programs, one of which is planted into a
day that must turn red.

They are put in by Python itself, which imports `sitecustomize` before anything else, into every
process of the program; and for the boxes into their copy of the program. The product has no
switch for them.
"""

import os
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

ROOT = Path(__file__).resolve().parents[2]
EVERY = 50
LATE_S = 30
BEGINS_S = 12.0
"""So long after its start a desk freezes."""
ACTED = "acted"
"""The file that a fault leaves in the day's folder when it acts."""
Acted = Callable[[], object]


# -- in the hall: between what is heard and what is stored ----------------------------------------

Lines = list[Any]


def _on_write(acted: Acted, change: Callable[[Any], None]) -> None:
    """`change` is given each batch before it is written; what it changes has acted."""
    from host_tools.store.live import LiveStore

    write = LiveStore.write

    def changed(self: LiveStore, batch: Any) -> Any:
        before = list(batch.lines), dict(batch.boxes)
        change(batch)
        if (batch.lines, batch.boxes) != before:
            acted()
        return write(self, batch)

    LiveStore.write = changed  # type: ignore[method-assign]


def _on_lines(acted: Acted, change: Callable[[Lines], Lines]) -> None:
    def changed(batch: Any) -> None:
        batch.lines = change(batch.lines)

    _on_write(acted, changed)


def _counted() -> Callable[[], bool]:
    """True every `EVERY`th time."""
    count = iter(range(1, 1 << 60))
    return lambda: next(count) % EVERY == 0


def put_dropped(acted: Acted) -> None:
    """Every 50th record is lost."""
    is_it = _counted()
    _on_lines(acted, lambda lines: [line for line in lines if not is_it()])


def put_doubled(acted: Acted) -> None:
    """Every 50th record is stored twice."""
    is_it = _counted()
    more: Counter[tuple[str, int]] = Counter()

    def change(lines: Lines) -> Lines:
        found = []
        for line in lines:
            match = line.box, line.number
            found.append(replace(line, line=line.line + more[match]))
            if is_it():
                more[match] += 1
                found.append(replace(line, line=line.line + more[match]))
        return found

    _on_lines(acted, change)


def put_swapped(acted: Acted) -> None:
    """Every 50th record changes places with the next of its match."""
    is_it = _counted()
    held: dict[tuple[str, int], Any] = {}

    def change(lines: Lines) -> Lines:
        found = []
        for line in lines:
            first = held.pop((line.box, line.number), None)
            if first is not None:
                found += [replace(first, raw=line.raw), replace(line, raw=first.raw)]
            elif is_it():
                held[line.box, line.number] = line
            else:
                found.append(line)
        return found

    _on_lines(acted, change)


def put_unstored(acted: Acted) -> None:
    """Every other match is confirmed and not stored."""
    from host_tools.store.store import Store, Stored

    add, seen = Store.add, set[bytes]()

    def changed(self: Store, raw: bytes, *more: Any, **named: Any) -> Stored:
        seen.add(raw)
        if len(seen) % 2 == 0:
            acted()
            return Stored(0, "verified", "", True)
        return add(self, raw, *more, **named)

    Store.add = changed  # type: ignore[method-assign]


def put_no_jury(acted: Acted) -> None:
    """Nobody is told of a call for the jury."""

    def change(batch: Any) -> None:
        for name, status in list(batch.boxes.items()):
            state = msgspec.structs.replace(status.state, jury=False)
            batch.boxes[name] = replace(status, state=state)

    _on_write(acted, change)


# -- in a desk: between what is stored and what is shown ------------------------------------------


def put_frozen(acted: Acted) -> None:
    """It shows what it showed."""
    from host_tools.web.desk.follower import Follower

    begun = time.monotonic()
    for name in ("catch_up", "look_at_tables"):
        work = getattr(Follower, name)

        async def changed(self: Follower, work: Any = work) -> None:
            if time.monotonic() - begun > BEGINS_S:
                acted()
                return
            await work(self)

        setattr(Follower, name, changed)


def _on_row(acted: Acted, change: Callable[[Any], Any]) -> None:
    """`change` is given each table's line of the board."""
    from host_tools.web.desk import live_tables, rendering

    line_of = live_tables.line_of

    def changed(*words: Any) -> Any:
        row = line_of(*words)
        found = change(row)
        if found != row:
            acted()
        return found

    vars(live_tables)["line_of"] = vars(rendering)["line_of"] = changed


def put_stale(acted: Acted) -> None:
    """Table 1 keeps the first score of a match."""
    first: dict[tuple[str, ...], Any] = {}

    def change(row: Any) -> Any:
        if row["table"] != 1 or not row["seats"]:
            return row
        names = tuple(seat["name"] for seat in row["seats"])
        return {**row, "seats": first.setdefault(names, row["seats"])}

    _on_row(acted, change)


def put_wrong_table(acted: Acted) -> None:
    """Tables 1 and 2 are mistaken for each other."""

    def change(row: Any) -> Any:
        other = 3 - row["table"]
        return {**row, "table": other, "place": str(other)} if other in (1, 2) else row

    _on_row(acted, change)


def put_late(acted: Acted) -> None:
    """The board is half a minute late."""
    from host_tools.web.desk.live_tables import Delay, LiveTables

    begin = LiveTables.__init__

    def changed(self: LiveTables, store: Any = None, *_: Any, **named: Any) -> None:
        acted()
        begin(self, store, Delay(LATE_S), **named)

    LiveTables.__init__ = changed  # type: ignore[method-assign]


# -- in the boxes ---------------------------------------------------------------------------------

# a power cut loses the last four records that were shown
_FORGETS = f"""
for _name in os.listdir(sys.argv[1]):
    if _name.endswith(".run"):
        _path = sys.argv[1] + "/" + _name
        with open(_path, "rb") as _file:
            _lines = _file.read().split(b"\\n")[:-1]
        if len(_lines) > 6:
            with open(_path, "wb") as _file:
                _file.write(b"".join([_line + b"\\n" for _line in _lines[:-4]]))
            open(sys.argv[1] + "/../{ACTED}", "w").close()
"""

PUT: dict[str, tuple[str, Callable[[Acted], None]]] = {
    "drop": ("hall", put_dropped),
    "double": ("hall", put_doubled),
    "swap": ("hall", put_swapped),
    "unstored": ("hall", put_unstored),
    "jury": ("hall", put_no_jury),
    "freeze": ("desk1", put_frozen),
    "stale": ("desk", put_stale),
    "table": ("desk", put_wrong_table),
    "late": ("desk", put_late),
}
"""How the names of the programs begin that have the fault, and what puts it in: it changes what
they have imported, and calls its argument when the fault acts.
"""
IN_BOXES = {"power": _FORGETS}
"""What is put into the boxes."""
PLANTED = (*PUT, *IN_BOXES)


def planted_into(program: str, fault: str, folder: Path) -> dict[str, str]:
    """The environment in which a program, called so in the day, has the fault; the usual one for
    a program that is to have none.
    """
    if fault not in PUT or not program.startswith(PUT[fault][0]):
        return {}
    (folder / fault).mkdir(exist_ok=True)
    (folder / fault / "sitecustomize.py").write_text(
        "from pathlib import Path\n"
        "from tests.long.planted import PUT\n"
        f"PUT[{fault!r}][1](Path({str(folder / ACTED)!r}).touch)\n",
        encoding="utf8",
    )
    return {"PYTHONPATH": os.pathsep.join((str(folder / fault), str(ROOT)))}
