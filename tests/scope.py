"""Which tests `make test` runs: the expression for `pytest -m`. `make test-all` and CI run all.

Left out are those that build or install a release or run pytest themselves (`release`), and long
runs of what shorter tests prove in part (`thorough`); those of the printed case and the carrier
(`hardware`), of the box and its twin (`box`) and of pages in a browser (`browser`), unless a file
that these read was changed. What is left of them are the tests of the laptop's tools. Who has
changed nothing at all, as in a fresh clone, is shown the box too.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# what the tests marked `hardware` read; the twin is proved by tests/twin
HARDWARE = (
    "hardware",
    ":!hardware/twin",
    "firmware/boards",
    "firmware/drivers/reader.py",
    "host_tools/box/bringup",
    "host_tools/box/firmware/image.py",
    "host_tools/commands/box.py",
    "docs/screens",
    "docs/box.png",
    "docs/box.de.png",
    "README.md",
    "README.de.md",
    "requirements",
    "tests/hardware",
    "tests/scope.py",
    "tests/conftest.py",
)
_ALL = (
    "requirements",
    "tests/scope.py",
    "tests/conftest.py",
    "tests/processes.py",
    "tests/support",
)
BOX = (
    "firmware",
    "card_tags",
    "hardware/twin",
    # who talks to a box by cable or by air
    "host_tools/box",
    "host_tools/hall",
    "host_tools/sim/twin",
    "tests/app",
    "tests/chip",
    "tests/drivers",
    "tests/rules",
    "tests/tags",
    "tests/transcripts",
    "tests/twin",
    *_ALL,
)
# what pages are made of; what they show of a tournament the tests of the desk ask for without one
BROWSER = (
    "host_tools/web",
    "host_tools/games",
    "host_tools/core/texts",
    "host_tools/sim/table",
    "firmware/games",
    "package-lock.json",
    "tests/browser",
    *_ALL,
)
HANG = "tests/app/test_watchdog.py::test_a_hang_ends_in_a_reset_and_the_match_goes_on"
# Each takes one to five seconds of a processor. What they prove of a whole program or of the real
# MicroPython, shorter tests of the same file or folder prove in part.
THOROUGH = (
    "tests/app/test_memory.py::test_matches_of_different_games_leave_nothing_on_the_heap",
    f"{HANG}[the buzzer-m",
    f"{HANG}[the display never answers-m",
    f"{HANG}[the flash stays busy-m",
    f"{HANG}[the reader's bytes never end-m",
    "tests/chip/test_air_on_chip.py::test_a_match_is_asked_for_on_the_air",
    "tests/chip/test_faults_on_chip.py::test_a_cut_at_every_operation_of_the_flash",
    "tests/chip/test_garbage_on_chip.py::test_no_tap_waits_for_a_collection",
    "tests/chip/test_stuck_on_chip.py",
    "tests/chip/test_sync_on_chip.py::test_long_matches_and_one_that_was_set_aside_are_fetched",
    "tests/chip/test_unread_on_chip.py",
    "tests/host/play/test_dead_ends.py::test_a_phone_gets_out_of_a_turn_that_nobody_can_finish[b",
    "tests/host/test_behind_proxy.py::test_a_certificate_serves_by_https",
    "tests/host/test_bringup.py::test_every_fault_gets_its_sentence[some-rev1-1",
    "tests/host/test_bringup.py::test_every_fault_gets_its_sentence[some-rev2",
    "tests/host/test_deploy.py::test_the_hall_and_the_league_are_set_up_by_their_own_words",
    "tests/host/test_deploy.py::test_the_site_shows_what_the_replica_has",
    "tests/host/test_game_checks.py::test_a_built_in_game_has_no_fault",
    "tests/host/test_postgres_faults.py",
    "tests/host/test_practice.py::test_a_day_that_is_stopped_leaves_nothing_and_goes_again[p",
    "tests/host/test_practice.py::test_a_tournament_goes_when_its_name_is_typed[postgres",
    "tests/host/test_practice.py::test_the_journals_of_another_tournament_stay[postgres",
    "tests/host/test_stopping.py::test_a_hall_ends_with_its_broker_and_its_desk[15",
    "tests/host/tournament/test_service.py::test_two_desks_at_once_never_lose_or_double_a_result[p",
    "tests/tags/test_p256.py::test_the_same_in_the_vm",
    "tests/twin/test_air.py::test_a_match_goes_on_the_air_and_goes_on_after_the_broker_died",
    "tests/twin/test_enrolled_hall.py",
    "tests/twin/test_update_in_vm.py::test_a_bad_update_is_given_up_by_the_box_itself",
    "tests/twin/test_update_in_vm.py::test_an_enrolled_box_refuses_what_its_desk_has_not_signed",
    "tests/twin/test_update_in_vm.py::test_power_cuts_during_an_update_never_leave_a_dead_box",
)
"""Beginnings of the ids of tests that are `thorough`."""
NEVER = ("release", "thorough")
IF_CHANGED = {"hardware": HARDWARE, "box": BOX, "browser": BROWSER}
MARKS = {"browser": "browser", "hardware": "hardware"} | dict.fromkeys(
    ("app", "chip", "drivers", "rules", "tags", "twin"), "box"
)
"""Folder of tests -> the mark of all that is in it."""


def git(root: Path, *words: str) -> str:
    """What git says, without the line end; empty if it fails."""
    done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def base_of(root: Path) -> str:
    """The commit that a change starts from: where it left `main`; on `main` the last but one.
    Empty in a checkout that does not hold it.
    """
    head = git(root, "rev-parse", "HEAD")
    for main in ("origin/main", "main"):
        base = git(root, "merge-base", "HEAD", main)
        if base and base != head:
            return base
    return git(root, "rev-parse", "--verify", "--quiet", "HEAD~1")


def is_changed(root: Path, paths: tuple[str, ...]) -> bool:
    """Also true where nobody can tell: no git, no history."""
    base = base_of(root)
    if not base:
        return True
    changed = git(root, "diff", "--name-only", base, "--", *paths)
    new = git(root, "ls-files", "--others", "--exclude-standard", "--", *paths)
    return bool(changed or new)


def is_as_published(root: Path) -> bool:
    """Nothing was changed, committed or not, since it was cloned."""
    head = git(root, "rev-parse", "HEAD")
    published = head and git(root, "merge-base", "HEAD", "origin/main") == head
    return bool(published) and not git(root, "status", "--porcelain")


def expression(root: Path = ROOT) -> str:
    if os.environ.get("CI", "").lower() in ("true", "1"):
        return "not long"
    if is_as_published(root):
        as_before = ["hardware", "browser"]
    else:
        as_before = [mark for mark, paths in IF_CHANGED.items() if not is_changed(root, paths)]
    return " and ".join(f"not {mark}" for mark in ("long", *NEVER, *as_before))


if __name__ == "__main__":
    chosen = expression()
    if left := [mark for mark in (*NEVER, *IF_CHANGED) if f"not {mark}" in chosen]:
        print(f"left to make test-all and CI: {', '.join(left)}", file=sys.stderr)
    print(chosen)
