"""How a missing package is brought: as this Schiri was installed, and never by a name of ours."""

import importlib.metadata
import json
import re
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from host_tools.commands.doctor import packages
from host_tools.core import installing
from host_tools.core.installing import bring
from host_tools.core.texts import REFUSALS

PYTHON = f'"{sys.executable}" -m pip install'
PIN = "adafruit-circuitpython-pn532"


class Installed:
    """What importlib.metadata says of a Schiri that came with a wheel."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.requires = importlib.metadata.requires("schiri")

    def read_text(self, name: str) -> str | None:
        return json.dumps({"url": self._url}) if name == "direct_url.json" else None


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No checkout; a wheel in a folder with a space in its name."""
    path = tmp_path / "my files" / "schiri-0.1.0-py3-none-any.whl"
    path.parent.mkdir()
    path.write_bytes(b"")
    monkeypatch.setattr(installing, "in_checkout", lambda: False)
    installed = Installed(path.as_uri())
    monkeypatch.setattr(importlib.metadata, "distribution", lambda _: installed)
    return path


def test_in_a_checkout_make_brings_what_make_brought_and_pip_an_extra() -> None:
    assert bring() == bring("click") == bring("amqtt") == "rm -f .venv/*.stamp && make setup"
    assert bring("psycopg") == f'{PYTHON} -e "{installing.ROOT}[postgres]"'
    assert bring("openskill") == f'{PYTHON} -e "{installing.ROOT}[ratings]"'


def test_a_wheel_brings_its_extra_from_its_own_file(wheel: Path) -> None:
    assert bring("psycopg") == f'{PYTHON} "{wheel}[postgres]"'
    assert bring("amqtt", "aiomqtt") == f'{PYTHON} "{wheel}[hall]"'
    assert bring(PIN) == f'{PYTHON} "{wheel}[reader]"'


def test_what_has_no_extra_or_whose_wheel_is_gone_is_brought_by_its_name(wheel: Path) -> None:
    assert bring("click") == f'{PYTHON} "click>=8.1"'
    wheel.unlink()
    assert bring("psycopg") == f'{PYTHON} "psycopg[binary]>=3.1"'


def test_pipx_is_asked_to_inject(wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", "/home/anna/.local/share/pipx/venvs/schiri")
    assert bring("psycopg") == 'pipx inject schiri "psycopg[binary]>=3.1"'


@pytest.mark.usefixtures("wheel")
def test_one_that_was_never_installed_is_told_of_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(name: str) -> NoReturn:
        raise importlib.metadata.PackageNotFoundError(name)

    for name in ("requires", "distribution"):
        monkeypatch.setattr(importlib.metadata, name, unknown)
    assert packages().mend == f"{PYTHON} schiri-VERSION-py3-none-any.whl"
    assert bring("psycopg") == f'{PYTHON} "psycopg"'


def test_no_sentence_names_a_package_of_ours_that_a_stranger_could_claim() -> None:
    """`pip install schiri` fetches whatever somebody puts there; so does an extra of that name."""
    claim = re.compile(r"pip(?:x)? install (?:-\S+ )*['\"]?schiri(?![-\w.]*\.whl)")
    roots = [installing.ROOT / name for name in ("host_tools", "docs", "hardware", "firmware")]
    texts = [p for root in roots for p in root.rglob("*") if p.suffix in (".md", ".po", ".py")]
    texts += [installing.ROOT / "README.md", installing.ROOT / "CONTRIBUTING.md"]
    assert len(texts) > 300
    found = [
        f"{path}: {line}"
        for path in texts
        if "decisions" not in path.parts
        for line in path.read_text("utf-8").splitlines()
        if claim.search(line) or "install schiri[" in line
    ]
    assert found == []
    assert claim.search("pip install 'schiri[hall]'")
    assert claim.search("pip install -U schiri")
    assert not claim.search("pipx install schiri-0.1.0-py3-none-any.whl")
    assert "{mend}" in REFUSALS["de"]["db_driver"]
