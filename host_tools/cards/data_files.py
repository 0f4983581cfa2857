"""Files of decks and boards: those that come with the project, and an owner's."""

import json
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import card_tags
from host_tools.core.errors import UserError
from host_tools.core.faults import Fault


@dataclass(frozen=True)
class DataFiles:
    """All files of a kind. `what`: "deck" or "board"."""

    what: str

    def ids(self) -> list[str]:
        """The ids of the project's own, sorted."""
        return sorted(path.stem for path in self._folder.glob("*.toml"))

    @property
    def _folder(self) -> Path:
        return Path(card_tags.__file__).parent / f"{self.what}s"

    def path(self, id_or_path: str | Path) -> Path:
        """The file of a known id, else the path itself. Raises UserError if there is neither."""
        if str(id_or_path) in self.ids():
            return self._folder / f"{id_or_path}.toml"
        path = Path(id_or_path)
        if not path.is_file():
            known = ", ".join(self.ids())
            raise UserError(
                f"{id_or_path}: no such {self.what}; known are {known}, or give a file."
            )
        return path

    def refuse_faults(self, faults: Sequence[Fault]) -> None:
        """Raises UserError that names the first fault."""
        if faults:
            more = len(faults) - 1
            rest = f" ({more} more: schiri {self.what}s check)" if more else ""
            raise UserError(f"{faults[0]}{rest}")


def read_text(path: Path) -> str:
    """TOML and JSON are UTF-8 by their definitions. Raises UserError."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: is not UTF-8 text; save it as UTF-8.") from error


def parse(path: Path, text: str, shape: str) -> dict[str, Any]:
    """The table of a TOML file, the object of a JSON file. Raises UserError; `shape`: what it
    says of a JSON file that holds something else.
    """
    try:
        content = json.loads(text) if path.suffix.lower() == ".json" else tomllib.loads(text)
    except json.JSONDecodeError as error:
        raise UserError(f"{path}:{error.lineno}: not JSON: {error.msg}.") from error
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path}: not TOML: {error}.") from error
    if not isinstance(content, dict):
        raise UserError(f"{path}:1: {shape}.")
    return content
