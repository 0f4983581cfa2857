"""Files of decks and boards: those that come with the project, and an owner's."""

import json
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import card_tags
from host_tools.core import places
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

    @property
    def own_folder(self) -> Path:
        """Where the user keeps some: SCHIRI_DECKS or SCHIRI_BOARDS, else beside the database."""
        return places.files_of(self.what)

    def own(self) -> dict[str, Path]:
        """The user's own: a file, or a folder with its pictures, by its name."""
        if not self.own_folder.is_dir():
            return {}
        found = {}
        for path in sorted(self.own_folder.iterdir()):
            file = path / f"{self.what}.toml" if path.is_dir() else path
            if file.is_file() and file.suffix.lower() in (".toml", ".json", ".csv"):
                found[path.stem] = file
        return found

    def path(self, id_or_path: str | Path) -> Path:
        """The file of a known id, else the path itself, else the user's own of that name. Raises
        UserError if there is none of them.
        """
        if str(id_or_path) in self.ids():
            return self._folder / f"{id_or_path}.toml"
        path = Path(id_or_path)
        if path.is_dir():  # one folder: the file, and its pictures beside it
            path /= f"{self.what}.toml"
        if path.is_file():
            return path
        own = self.own()
        if str(id_or_path) not in own:
            raise UserError(f"no_{self.what}", name=id_or_path, ids=[*self.ids(), *own])
        return own[str(id_or_path)]

    def refuse_faults(self, faults: Sequence[Fault]) -> None:
        """Raises UserError that names the first fault."""
        if faults:
            first, more = faults[0].sentence, len(faults) - 1
            if more:
                raise UserError(f"faults_{self.what}", detail=first, count=more)
            raise UserError("first_fault", detail=first)


def parse(path: Path, text: str, shape: str) -> dict[str, Any]:
    """The table of a TOML file, the object of a JSON file. Raises UserError; `shape`: its code
    for a JSON file that holds something else.
    """
    try:
        content = json.loads(text) if path.suffix.lower() == ".json" else tomllib.loads(text)
    except json.JSONDecodeError as error:
        raise UserError("no_json", path=path, line=error.lineno, detail=error.msg) from error
    except tomllib.TOMLDecodeError as error:
        raise UserError("no_toml", path=path, detail=str(error)) from error
    if not isinstance(content, dict):
        raise UserError(shape, path=path)
    return content
