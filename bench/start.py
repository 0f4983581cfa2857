"""Figures of how long the shell waits for `schiri`: the program as it is installed, started anew
each time, the calls in turn so that a busy moment meets all of them; the median counts.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from bench.figure import Figure
from host_tools.cli import schiri
from tests.support.hall_day import open_day

REPEATS = 15
REPEATS_OF_HELPS = 3
"""Of each of well over a hundred."""
HELP_S, TAB_S, ANY_HELP_S, VERSION_S = 0.25, 0.25, 0.35, 0.1
ProgramCall = list[str] | str
"""Words, or a line at whose end Tab is pressed."""
PROGRAM = Path(sys.executable).parent / "schiri"


def measure() -> list[Figure]:
    """Medians in seconds."""
    with tempfile.TemporaryDirectory() as folder:
        open_day(f"{folder}/day.db", players=64, ko_size=16).close()
        home = {"SCHIRI_DATABASE_URL": f"{folder}/day.db", "HOME": folder}
        calls: dict[str, tuple[ProgramCall, float]] = {
            "schiri --version": (["--version"], VERSION_S),
            "schiri --help": (["--help"], HELP_S),
            "Tab: schiri tou": ("schiri tou", TAB_S),
            "Tab: schiri tournament enter --": ("schiri tournament enter --", TAB_S),
            "Tab: a deck": ("schiri decks show b", TAB_S),
            "Tab: a tournament": ("schiri tournament log -t q", TAB_S),
        }
        taken = _in_turn({name: call for name, (call, _) in calls.items()}, REPEATS, home)
        helps = {" ".join(words): words for words in _helps(schiri, None, [])}
        slowest, longest = max(_in_turn(helps, REPEATS_OF_HELPS, home).items(), key=_second)
    found = [_figure(name, taken[name], goal) for name, (_, goal) in calls.items()]
    found.append(_figure(f"the slowest of {len(helps)}: schiri {slowest}", longest, ANY_HELP_S))
    load = os.getloadavg()[0]
    return [*found, Figure("load of the machine meanwhile", round(load, 1), "")]


def _second(pair: tuple[str, float]) -> float:
    return pair[1]


def _figure(what: str, seconds: float, goal: float) -> Figure:
    return Figure(what, round(seconds, 3), "s", f"<= {goal} s", seconds <= goal)


def _helps(
    command: click.Command, above: click.Context | None, words: list[str]
) -> Iterator[list[str]]:
    """A call for the help of everything."""
    yield [*words, "--help"]
    if isinstance(command, click.Group):
        context = click.Context(command, above)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from _helps(found, context, [*words, name])


def _in_turn(
    calls: Mapping[str, ProgramCall], repeats: int, home: dict[str, str]
) -> dict[str, float]:
    """Call -> the median of its times."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(repeats):
        for name, call in calls.items():
            times[name].append(_seconds(call, home))
    return {name: statistics.median(taken) for name, taken in times.items()}


def _seconds(call: ProgramCall, home: dict[str, str]) -> float:
    environment = {**os.environ, **home}
    words = call if isinstance(call, list) else []
    if isinstance(call, str):
        last = str(len(call.split()) - 1)
        environment |= {
            "_SCHIRI_COMPLETE": "bash_complete",
            "COMP_WORDS": call,
            "COMP_CWORD": last,
        }
    begun = time.perf_counter()
    subprocess.run([PROGRAM, *words], env=environment, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begun
