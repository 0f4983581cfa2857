"""Which tests `make test` runs: the expression for `pytest -m`. `make test-all` and CI run all.

Left out are those that build or install a release or run pytest themselves (`release`), and long
runs of what shorter tests prove in part (`thorough`); those of the printed case and the carrier
(`hardware`) and of how pages look (`pages`), unless a file that these read was changed.
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
# what the tests marked `pages` look at; what a page does is proved by the rest of tests/browser
PAGES = (
    "host_tools/web",
    "host_tools/games",
    "host_tools/core/texts",
    "host_tools/sim/table",
    "package-lock.json",
    "requirements",
    "tests/browser",
    "tests/scope.py",
    "tests/conftest.py",
)
NEVER = ("release", "thorough")
IF_CHANGED = {"hardware": HARDWARE, "pages": PAGES}


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
