"""Which tests `make test` runs: the expression for `pytest -m`. `make test-all` and CI run all.

Left out are those that build or install a release or run pytest themselves (`release`), and long
runs of what shorter tests prove in part (`thorough`); those of the printed case and the carrier
(`hardware`), of the box and its twin (`box`) and of pages in a browser (`browser`), unless a file
that these read was changed. What is left of them are the tests of the laptop's tools.
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
NEVER = ("release", "thorough")
IF_CHANGED = {"hardware": HARDWARE, "box": BOX, "browser": BROWSER}
MARKS = {"browser": "browser"} | dict.fromkeys(
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


def expression(root: Path = ROOT) -> str:
    if os.environ.get("CI", "").lower() in ("true", "1"):
        return "not long"
    as_before = [mark for mark, paths in IF_CHANGED.items() if not is_changed(root, paths)]
    return " and ".join(f"not {mark}" for mark in ("long", *NEVER, *as_before))


if __name__ == "__main__":
    chosen = expression()
    if left := [mark for mark in (*NEVER, *IF_CHANGED) if f"not {mark}" in chosen]:
        print(f"left to make test-all and CI: {', '.join(left)}", file=sys.stderr)
    print(chosen)
