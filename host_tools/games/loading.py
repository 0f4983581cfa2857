"""Games that are not built in: a folder with the two halves of a game, found by its path or by an
entry point of the group `schiri.games`.

`box` and `laptop` lie in that folder as they would in `firmware/games/<name>` and in
`host_tools/games/<name>`, and are imported by those names, so that a game moves in unchanged.
"""

import importlib
import importlib.util
import re
import shutil
import sys
import tempfile
import traceback
from collections.abc import Sequence
from functools import lru_cache
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType

from firmware import games as on_the_box
from firmware.rules.errors import Malformed
from host_tools.core.errors import UserError
from host_tools.games.base import Game

GROUP = "schiri.games"
BOX, LAPTOP = "box", "laptop"
# what the code of a game can raise
# each by its name: a catch-all would hide what nobody has thought of
FAULTS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    ImportError,
    LookupError,
    Malformed,
    NameError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    UserError,
    ValueError,
)
_ROOT = Path(on_the_box.__file__).parents[2]
_HALVES = {BOX: "firmware.games.", LAPTOP: "host_tools.games."}
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_BUILT_IN = on_the_box.BUILT_IN
_added: dict[str, Path] = {}


def load_game(name: str, folder: Path) -> Game:
    """Import both halves, last in the box's menu; the laptop's row. Raises UserError."""
    _check_folder(name, folder)
    # before the import, for which _Finder looks here
    _added[name] = folder
    on_the_box.BUILT_IN = (*_BUILT_IN, *_added)
    try:
        box, laptop = (importlib.import_module(prefix + name) for prefix in _HALVES.values())
        rows = box.GAME, laptop.GAME
    except FAULTS as fault:
        unload_game(name)
        raise UserError("game_not_loaded", path=folder, detail=where(fault, folder)) from fault
    if [row.name for row in rows] != [name, name]:
        unload_game(name)
        raise UserError("game_two_names", path=folder, name=name)
    found: Game = rows[1]
    return found


def unload_game(name: str) -> None:
    """Forget a game that was added."""
    del _added[name]
    on_the_box.BUILT_IN = (*_BUILT_IN, *_added)
    for prefix in _HALVES.values():
        # with the dots: `doubt` must not take `doubt2` along
        for module in [one for one in sys.modules if f"{one}.".startswith(f"{prefix}{name}.")]:
            del sys.modules[module]


def _check_folder(name: str, folder: Path) -> None:
    if not _NAME.fullmatch(name):
        raise UserError("game_name", path=folder, name=name)
    if name in on_the_box.BUILT_IN:
        raise UserError("game_exists", path=folder, name=name)
    for half in _HALVES:
        if not (folder / half / "__init__.py").is_file():
            raise UserError("game_none", path=folder, half=half)


class _Finder(MetaPathFinder):
    """Finds the halves of added games by the names that they have as built-in ones. The box's app
    takes modules out of `sys.modules`, so that one import is not enough.
    """

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        for half, prefix in _HALVES.items():
            name = fullname.removeprefix(prefix)
            if fullname.startswith(prefix) and name in _added:
                folder = _added[name] / half
                # with locations it is a package, whose modules import each other with a dot
                return importlib.util.spec_from_file_location(
                    fullname, folder / "__init__.py", submodule_search_locations=[str(folder)]
                )
        return None


sys.meta_path.append(_Finder())


def where(fault: BaseException, folder: Path) -> str:
    """A fault as half a sentence: the line of the game where it arose, and what it is."""
    inside = folder.resolve()
    frames = [
        f"{Path(frame.filename).resolve().relative_to(inside)}:{frame.lineno}: "
        for frame in traceback.extract_tb(fault.__traceback__)
        if Path(frame.filename).resolve().is_relative_to(inside)
    ]
    kind = "" if isinstance(fault, Malformed | UserError) else f"{type(fault).__name__}: "
    return f"{frames[-1] if frames else ''}{kind}{fault}".rstrip(".")


def installed_games() -> dict[str, Path]:
    """Name -> folder of the games that other packages bring: an entry point names the package that
    is the folder. Nothing of it is imported. Raises UserError.
    """
    return {point.name: _folder_of(point.value) for point in entry_points(group=GROUP)}


def _folder_of(package: str) -> Path:
    try:
        spec = importlib.util.find_spec(package)
    except ImportError:
        spec = None
    if spec is None or not spec.submodule_search_locations:
        raise UserError("game_no_package", group=GROUP, name=package)
    return Path(next(iter(spec.submodule_search_locations)))


# -- what the box gets


def firmware_sources() -> Path:
    """The folder with `firmware` and `card_tags`, the added games among the others: this checkout,
    or a copy that lives as long as this process.
    """
    return Path(_copy(tuple(_added.items())).name) if _added else _ROOT


# `added` is only the key: one copy for the games of now, a new one when there are others
@lru_cache(maxsize=1)
def _copy(added: tuple[tuple[str, Path], ...]) -> "tempfile.TemporaryDirectory[str]":
    folder = tempfile.TemporaryDirectory(prefix="schiri-firmware-")
    write_sources(Path(folder.name))
    return folder


def write_sources(folder: Path) -> Path:
    """Write what a firmware with the added games is built from into `folder`, made anew."""
    shutil.rmtree(folder, ignore_errors=True)
    without = shutil.ignore_patterns("__pycache__")
    for package in ("firmware", "card_tags"):
        shutil.copytree(_ROOT / package, folder / package, ignore=without)
    games = folder / "firmware" / "games"
    for name, place in _added.items():
        shutil.copytree(place / BOX, games / name, ignore=without)
    listing = games / "__init__.py"
    text = listing.read_text(encoding="utf8")
    text = re.sub(r"^(BUILT_IN: .* = ).*$", rf"\1{on_the_box.BUILT_IN}", text, flags=re.M)
    listing.write_text(text, encoding="utf8")
    return folder
