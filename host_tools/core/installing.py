"""The command that brings a Python package to this Schiri, as this one was installed: a checkout,
pipx, or a wheel. No name of ours is in any registry, so none is ever handed to one
(docs/decisions/command-line.md).
"""

import importlib.metadata
import json
import os
import re
import sys
from pathlib import Path
from urllib.parse import urlsplit

NAME = "schiri"
WHEEL = "schiri-VERSION-py3-none-any.whl"
"""A file of a release, for a Schiri that was copied and never installed."""
ROOT = Path(__file__).resolve().parents[2]
_REQUIREMENT = re.compile(r"^(([\w.-]+)[^;]*?)\s*(?:;.*?extra == ['\"]([\w-]+)['\"].*|;.*)?$")


def in_checkout() -> bool:
    """True if this Schiri runs from a checkout, which has a Makefile."""
    return (ROOT / "Makefile").is_file() and (ROOT / "pyproject.toml").is_file()


def requirements() -> list[tuple[str, str, str]]:
    """(requirement, package, extra) of all that Schiri can need; "" is the extra of what it always
    does. Raises PackageNotFoundError if it was not installed at all.
    """
    named = importlib.metadata.requires(NAME) or []
    found = [match for each in named if (match := _REQUIREMENT.match(each))]
    return [(row[1].strip(), row[2], row[3] or "") for row in found]


def bring(*packages: str) -> str:
    """The command, to be copied, that brings `packages`, of whatever extra they are; without any,
    what Schiri always needs.
    """
    if in_checkout():
        return _in_checkout(packages)
    wanted = " ".join(f'"{_version_of(name)}"' for name in packages) or WHEEL
    if _by_pipx():
        return f"pipx inject {NAME} {wanted}"
    wheel, extras = _installed_from(), _extras(packages)
    if wheel and extras:
        return pip(f'"{wheel}[{",".join(extras)}]"')
    return pip(wanted)


def _in_checkout(packages: tuple[str, ...]) -> str:
    """By the extra, or by `make setup`, which brings all that a developer needs."""
    brought = {name for _, name, extra in _rows() if extra in ("", "run")}
    extras = _extras(packages)
    if extras and not brought & {*packages}:
        return pip(f'-e "{ROOT}[{",".join(extras)}]"')
    # with its stamps there, `make` takes everything for installed
    return "rm -f .venv/*.stamp && make setup" if os.name == "posix" else pip('-e ".[run]"')


def _rows() -> list[tuple[str, str, str]]:
    try:
        return requirements()
    except importlib.metadata.PackageNotFoundError:
        return []


def _extras(packages: tuple[str, ...]) -> list[str]:
    """Those that bring the packages, but for the two that bring all."""
    found = {extra for _, name, extra in _rows() if name in packages}
    return sorted(found - {"", "run", "dev"})


def _version_of(package: str) -> str:
    """The requirement as Schiri has it."""
    return next((each for each, name, _ in _rows() if name == package), package)


def pip(words: str) -> str:
    """A pip command for the interpreter that runs this."""
    return f'"{sys.executable}" -m pip install {words}'


def _by_pipx() -> bool:
    # its environments lie in pipx/venvs
    return "pipx" in Path(sys.prefix).parts


def _installed_from() -> str:
    """The wheel file that this was installed from, or its address; "" if it is gone."""
    try:
        # written by installers for what comes from no registry (PEP 610)
        text = importlib.metadata.distribution(NAME).read_text("direct_url.json")
        url = str(json.loads(text or "{}").get("url", ""))
    except (importlib.metadata.PackageNotFoundError, ValueError):
        return ""
    if urlsplit(url).scheme != "file":
        return ""
    from urllib.request import url2pathname  # brings http, which few commands need

    path = Path(url2pathname(urlsplit(url).path))
    return str(path) if path.is_file() else ""
