"""Can the benches fail? Ten deliberate faults are put into our programs, one by one; a small day
on the air must turn red for each, and stay green without one. So must the benches of roles and of
a hostile air for theirs.

    python -m bench.mutations
    python -m bench.mutations --only stale,power

The faults are put in here, in the process that the bench starts in the place of `schiri` (and, for
the boxes, in their copy of the program): the product has no switch for them.
"""

import argparse
import dataclasses
import runpy
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

from bench.day_on_air import AirDayPlan, play_day
from tests.support import programs

EVERY = 50
LATE_S = 30
BEGINS_S = 12.0
"""So long after its start a desk freezes."""
Acted = Callable[[], object]


@dataclass(frozen=True)
class Mutation:
    """`where`: how the names of the programs begin that have the fault. `put` changes what they
    have imported, and calls its argument when the fault acts; `box`: what is put into the boxes.
    `lost`: the bench must name what is lost, not only be late.
    """

    what: str
    where: str = ""
    put: Callable[[Acted], None] | None = None
    box: str = ""
    lost: bool = False


# -- in the hall: between what is heard and what is stored ----------------------------------------


def _on_write(change: Callable[[Any], None]) -> None:
    from host_tools.store.live import LiveStore

    write = LiveStore.write

    def changed(self: LiveStore, batch: Any) -> Any:
        change(batch)
        return write(self, batch)

    LiveStore.write = changed  # type: ignore[method-assign]


def _counted() -> Callable[[], bool]:
    """True every `EVERY`th time."""
    count = iter(range(1, 1 << 60))
    return lambda: next(count) % EVERY == 0


def put_dropped(acted: Acted) -> None:
    is_it = _counted()

    def change(batch: Any) -> None:
        kept = [line for line in batch.lines if not is_it()]
        if len(kept) < len(batch.lines):
            batch.lines = kept
            acted()

    _on_write(change)


def put_doubled(acted: Acted) -> None:
    is_it = _counted()
    more: dict[tuple[str, int], int] = {}

    def change(batch: Any) -> None:
        lines = []
        for line in batch.lines:
            match = line.box, line.number
            lines.append(dataclasses.replace(line, line=line.line + more.get(match, 0)))
            if is_it():
                acted()
                more[match] = more.get(match, 0) + 1
                lines.append(dataclasses.replace(line, line=line.line + more[match]))
        batch.lines = lines

    _on_write(change)


def put_swapped(acted: Acted) -> None:
    is_it = _counted()
    held: dict[tuple[str, int], Any] = {}

    def change(batch: Any) -> None:
        lines = []
        for line in batch.lines:
            match = line.box, line.number
            if match in held:
                first = held.pop(match)
                lines += [
                    dataclasses.replace(first, raw=line.raw),
                    dataclasses.replace(line, raw=first.raw),
                ]
                acted()
            elif is_it():
                held[match] = line
            else:
                lines.append(line)
        batch.lines = lines

    _on_write(change)


def put_unstored(acted: Acted) -> None:
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
    lost: list[str] = []

    def change(batch: Any) -> None:
        for name, status in list(batch.boxes.items()):
            if status.state.jury and (not lost or lost == [name]):
                lost[:] = [name]
                acted()
                state = msgspec.structs.replace(status.state, jury=False)
                batch.boxes[name] = dataclasses.replace(status, state=state)

    _on_write(change)


# -- in a desk: between what is stored and what is shown ------------------------------------------


def put_frozen(acted: Acted) -> None:
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


def _on_line(change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    from host_tools.web.desk import live_tables, rendering

    line_of = live_tables.line_of

    def changed(*words: Any) -> dict[str, Any]:
        return change(line_of(*words))

    vars(live_tables)["line_of"] = vars(rendering)["line_of"] = changed


def put_stale(acted: Acted) -> None:
    first: dict[tuple[str, ...], list[dict[str, Any]]] = {}

    def change(line: dict[str, Any]) -> dict[str, Any]:
        if line["table"] != 1 or not line["seats"]:
            return line
        names = tuple(seat["name"] for seat in line["seats"])
        if names in first and first[names] != line["seats"]:
            acted()
        return {**line, "seats": first.setdefault(names, line["seats"])}

    _on_line(change)


def put_wrong_table(acted: Acted) -> None:
    def change(line: dict[str, Any]) -> dict[str, Any]:
        if line["table"] not in (1, 2):
            return line
        acted()
        table = 3 - line["table"]
        return {**line, "table": table, "place": str(table)}

    _on_line(change)


def put_late(acted: Acted) -> None:
    from host_tools.web.desk.live_tables import Delay, LiveTables

    begin = LiveTables.__init__

    def changed(self: LiveTables, store: Any = None, *_: Any, **named: Any) -> None:
        acted()
        begin(self, store, Delay(LATE_S), **named)

    LiveTables.__init__ = changed  # type: ignore[method-assign]


# -- in the boxes ---------------------------------------------------------------------------------

_FORGETS = """
for _name in os.listdir(sys.argv[1]):
    if _name.endswith(".run"):
        _path = sys.argv[1] + "/" + _name
        with open(_path, "rb") as _file:
            _lines = _file.read().split(b"\\n")[:-1]
        if len(_lines) > 6:
            with open(_path, "wb") as _file:
                _file.write(b"".join([_line + b"\\n" for _line in _lines[:-4]]))
            open(sys.argv[1] + "/../acted", "w").close()
"""

MUTATIONS = {
    "drop": Mutation("every 50th record is dropped in the hall", "hall", put_dropped),
    "double": Mutation("every 50th record is stored twice", "hall", put_doubled),
    "swap": Mutation("every 50th record changes places with the next", "hall", put_swapped),
    "unstored": Mutation("every other match is confirmed and not stored", "hall", put_unstored),
    "jury": Mutation("a call for the jury is lost", "hall", put_no_jury),
    "freeze": Mutation("one of two desks freezes", "desk1", put_frozen),
    "stale": Mutation("a table keeps its first score", "desk", put_stale),
    "table": Mutation("two tables are mistaken for each other", "desk", put_wrong_table),
    "late": Mutation("the board is 30 s late", "desk", put_late),
    "power": Mutation("a power cut loses the last four records shown", box=_FORGETS, lost=True),
}
GREEN, NONE = "none", "our programs as they are"
WITHOUT = (GREEN, "role", "air")
"""They must stay green."""
# name -> a bench with a fault of its own, or without
OTHERS = {
    "role": ["bench.desk_roles", "--own", "enter", "check"],
    "air": ["bench.hostile_air", "--messages", "20000"],
    "role-raw": ["bench.desk_roles", "--own", "--fault", "raw", "enter"],
    "role-unknown": ["bench.desk_roles", "--own", "--fault", "unknown", "check"],
    "air-unbounded": ["bench.hostile_air", "--messages", "20000", "--fault", "unbounded"],
    "air-together": ["bench.hostile_air", "--messages", "20000", "--fault", "together"],
    "air-unmarked": ["bench.hostile_air", "--messages", "20000", "--fault", "unmarked"],
}


def plan(fault: str) -> AirDayPlan:
    """A day of about a minute: four tables, one round, in the middle of it all boxes are without
    power.
    """
    made = AirDayPlan(4, seed=5, minutes=1.5, think_ms=500, trouble_s=0, pause_s=0.3, down_s=1.0)
    made.kinds, made.phases, made.slots = ("box",), 1, 1
    made.calm_s, made.patience_s, made.look_s = 24.0, 15.0, 1.0
    made.strip = made.tables
    if fault in MUTATIONS:
        made.box_patch = MUTATIONS[fault].box
        made.fault = "" if made.box_patch else fault
    return made


@dataclass(frozen=True)
class MutationOutcome:
    """`missed`: the promises that the bench saw broken."""

    fault: str
    missed: list[str]
    acted: bool
    seconds: float

    @property
    def right(self) -> bool:
        """Red with a fault that acted, green without one."""
        return self.acted and bool(self.missed) == (self.fault not in WITHOUT)


def prove(fault: str) -> MutationOutcome:
    """A small day with this fault, or another bench."""
    begun = time.monotonic()
    if fault in OTHERS:
        ran = subprocess.run(
            [sys.executable, "-m", *OTHERS[fault]], capture_output=True, text=True, check=False
        )
        said = [line for line in ran.stdout.splitlines() if "faults: " in line or "passed" in line]
        missed = ["; ".join(said)] if ran.returncode == 1 else []
        acted = ran.returncode in (0, 1) and "Traceback" not in ran.stderr  # else it has died
        return MutationOutcome(fault, missed, acted, time.monotonic() - begun)
    wanted = plan(fault)
    try:
        report = play_day(wanted)
    except (TimeoutError, RuntimeError) as error:  # there was no day: the fault was not seen
        return MutationOutcome(fault, [f"no day: {error}"], False, time.monotonic() - begun)
    acted = report.acted or fault == GREEN
    missed = report.missed()
    if fault in MUTATIONS and MUTATIONS[fault].lost:
        missed = [promise for promise in missed if "that were shown" in promise]
    return MutationOutcome(fault, missed, acted, time.monotonic() - begun)


def main() -> None:
    """Run from the command line. Exit code 1 if a fault was not seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--only", default=",".join([GREEN, *MUTATIONS, *OTHERS]), help="faults, by name"
    )
    asked = parser.parse_args()
    programs.end_in_order()
    console = Console()
    table = Table("fault", "what", "bench", "seconds", "first that was missed")
    outcomes = []
    for fault in asked.only.split(","):
        with console.status(fault):
            outcome = prove(fault)
        outcomes.append(outcome)
        what = MUTATIONS[fault].what if fault in MUTATIONS else " ".join(OTHERS.get(fault, [NONE]))
        colour = "red" if outcome.missed else "green"
        if not outcome.acted:
            colour = "the fault never acted"
        first = "; ".join(outcome.missed[:1])
        table.add_row(fault, what, colour, f"{outcome.seconds:.0f}", first[:160])
        console.print(f"{fault}: {colour} {len(outcome.missed)} missed; {first[:300]}")
    console.print(table)
    right = sum(outcome.right for outcome in outcomes)
    console.print(f"{right} of {len(outcomes)} as they must be")
    raise SystemExit(right < len(outcomes))


# -- in the place of `schiri` ---------------------------------------------------------------------


def stand_in(words: list[str]) -> None:
    """`--as NAME --fault FAULT --mark FILE` and the words of a command of Schiri."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--as", dest="name")
    parser.add_argument("--fault")
    parser.add_argument("--mark", type=Path)
    asked, rest = parser.parse_known_args(words)
    mutation = MUTATIONS[asked.fault]
    if asked.name.startswith(mutation.where) and mutation.put is not None:
        mutation.put(asked.mark.touch)
    sys.argv = ["schiri", *rest]
    runpy.run_module("schiri", run_name="__main__")


if __name__ == "__main__":
    if "--as" in sys.argv:
        stand_in(sys.argv[1:])
    else:
        main()
