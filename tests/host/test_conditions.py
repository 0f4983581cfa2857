"""Every command where things are bad: an old code page, a full disk, nowhere to write, nobody who
reads, Ctrl-C. No traceback reaches a user, no half file stays, and everything ends.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from host_tools.cards.decks import deck_path
from host_tools.cards.keys import KeyRing, LeagueKey, save_keys
from host_tools.core.errors import Exit
from host_tools.games.cafe.boards import BOARDS
from host_tools.web.desk.accounts import Accounts
from tests.host.conditions import LEFT, MOUNTS
from tests.host.test_help import ALL, words_of_the_example
from tests.processes import started
from tests.sampling import Sample
from tests.support.hall_day import open_day

CONDITIONS = (
    *LEFT,
    "cp1252",
    "C locale",
    "device full",
    "disk full",
    "no home",
    "folder read-only",
    "closed pipe",
    "interrupted",
)
PAGE = 4096
NOWHERE = "/dev/null/home"
SQLITES_OWN = ("-wal", "-shm", "-journal")
TRANSCRIPT = Path(__file__).parents[1] / "transcripts/hattrick/ha-1-sixty-cards.ndjson"
READ_ONLY = "/proc"
"""A folder in which nobody, not even root, can make a file."""


def mounting(folder: Path) -> list[str]:
    """In front of a program that mounts, in a namespace of its own; nothing where no user may:
    there a limit of the size of every file stands for the small disk.
    """
    ways = (["unshare", "--mount"], ["unshare", "--user", "--map-root-user", "--mount"])
    for front in ways if shutil.which("unshare") else ():
        words = [*front, "mount", "-t", "tmpfs", "none", str(folder)]
        if subprocess.run(words, capture_output=True).returncode == 0:
            return front
    return []


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[subprocess.Popen[str]]":
    environment = {**os.environ, "BROWSER": "true", "COLUMNS": "80", "PYTHONWARNINGS": "ignore"}
    front = mounting(tmp_path_factory.mktemp("mount"))
    with started(
        [*front, sys.executable, "-m", "tests.host.conditions", *([MOUNTS] if front else [])],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        yield process


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("day") / "day.db"
    open_day(str(place), players=24, ko_size=4).close()
    return place


def home_in(folder: Path, day: Path) -> dict[str, str]:
    """A home with keys and a tournament, and where to find it."""
    home = folder / "home"
    for name in ("config/schiri", "data/schiri", "state", "cache"):
        (home / name).mkdir(parents=True)
    database = home / "data/schiri/day.db"
    database.write_bytes(day.read_bytes())
    furnish(home, folder / "work")
    keys = home / "config/schiri/keys.json"
    return {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_STATE_HOME": str(home / "state"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "SCHIRI_KEYS": str(keys),
        "SCHIRI_DATABASE_URL": f"sqlite:///{database}",
    }


def furnish(home: Path, work: Path) -> None:
    """What the examples ask for: a command that finds nothing to work on writes nothing."""
    keys = [LeagueKey("league-2025", bytes([1]) * 32), LeagueKey("try-out", bytes([2]) * 32)]
    save_keys(KeyRing(keys), home / "config/schiri/keys.json")
    Accounts(home / "data/schiri/desk-users.json").add("anna", "jury", "correct horse")
    (work / "players.csv").write_text("id,name\nP1,Anna\nP2,Jürg Müller\n", "utf8")
    (work / "my-deck.toml").write_bytes(deck_path("berge").read_bytes())
    (work / "my-board.toml").write_bytes(BOARDS.path("cafe").read_bytes())
    (work / "match.ndjson").write_bytes(TRANSCRIPT.read_bytes())


def bad_home() -> dict[str, str]:
    names = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
    return {
        **dict.fromkeys(names, NOWHERE),
        "SCHIRI_KEYS": f"{NOWHERE}/keys.json",
        "SCHIRI_DATABASE_URL": "",
    }


def judge(code: object, told: str, before: dict[str, int], after: dict[str, int]) -> list[str]:
    """What is wrong with a run."""
    faults = [word for word in ("Traceback", "Exception ignored", "Error in") if word in told]
    if code not in set(Exit):
        faults.append(f"ended with {code}")
    faults += [f"left {name}" for name in after if name.endswith((".new", ".tmp"))]
    made = {name: size for name, size in after.items() if name not in before}
    half = [name for name, size in made.items() if size == 0]
    faults += [f"half file {name}" for name in half if not name.endswith(SQLITES_OWN)]
    return faults


def cut_off(before: dict[str, int], after: dict[str, int]) -> list[str]:
    """New files that end where the small disk did: at the end of a page."""
    cut = [name for name, size in after.items() if size % PAGE == 0 and name not in before]
    return [f"half file {name}" for name in cut if not name.endswith((".db", *SQLITES_OWN))]


def attempt(copies: Any, path: str, condition: str, folder: Path, day: Path) -> list[str]:
    work = folder / "work"
    work.mkdir(parents=True)
    environment = bad_home() if condition == "no home" else home_in(folder, day)
    environment["LC_ALL"] = "C" if condition == "C locale" else "C.UTF-8"
    environment["TMPDIR"] = str(work)
    words = words_of_the_example(ALL[path])
    run = {
        "words": [*path.removesuffix(" ARGS").split()[1:], *words],
        "condition": condition,
        "folder": str(folder),
        "cwd": READ_ONLY if condition == "folder read-only" else str(work),
        "env": environment,
    }
    print(json.dumps(run), file=copies.stdin, flush=True)
    code, told, before, after = json.loads(copies.stdout.readline())
    faults = judge(code, told, before, after)
    if condition in LEFT:
        faults += cut_off(before, after)
    return [*faults, told[-1500:]] if faults else []


@pytest.mark.timeout(3600)  # on a busy machine: each command that serves does so for 4 s
@pytest.mark.parametrize("condition", CONDITIONS)
def test_every_command_under_every_condition(
    condition: str, copies: Any, day: Path, tmp_path: Path, sampled: Sample
) -> None:
    wrong = {}
    # one command in 20; under each condition it is other ones
    first, few = 2 * CONDITIONS.index(condition), sampled if sampled.step == 1 else Sample(20)
    for number, path in enumerate(few([*ALL][first:] + [*ALL][:first])):
        if faults := attempt(copies, path, condition, tmp_path / str(number), day):
            wrong[f"{path}: {condition}"] = faults
    assert wrong == {}
