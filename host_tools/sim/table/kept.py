"""What outlives the server of the virtual table, beside the flash of every box: keys, seats, bots,
the numbers of the deals. Files are small and written whole, synced, as soon as something changed.
"""

import shutil
import time
from contextlib import suppress
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from host_tools.core.errors import Exit, UserError
from host_tools.core.json_types import Json
from host_tools.core.own_files import FileLock, write_for_owner, written_below
from host_tools.games.base import Moved
from host_tools.sim.table.match_log import Deals
from host_tools.sim.table.phones import Phones

OVER_S = 12 * 3600
"""An evening at which nothing is being played ends so long after its last change."""
_LOCK = "lock"
_SERVER = "server.json"
_TABLES = "table*.json"


class Opening(msgspec.Struct):
    """The match that hands are choosing in the box's menu; `after` is the number of the last."""

    after: int
    header: Json


class TableMemory(msgspec.Struct):
    """A table, but for what stands in its box's journal. `told`: the number of the match that the
    family has not been told of yet; `changes` and `dead` belong to the match of number `match`.
    """

    phones: Phones
    deals: Deals
    lang: str
    speed: int
    usual: str
    auto: list[int] = []
    strengths: dict[int, str] = {}
    practised: bool = False
    told: int = 0
    opening: Opening | None = None
    match: int = 0
    changes: list[tuple[int, Moved]] = []
    dead: list[str] = []
    playing: bool = False


class ServerMemory(msgspec.Struct):
    """The host's key, the port of its links, the tables, and the last number of one."""

    key: str
    port: int
    tables: list[int]
    count: int


Memory = TypeVar("Memory", bound=msgspec.Struct)


class KeptFile(Generic[Memory]):
    """One memory in its file; without a path nothing is kept."""

    def __init__(self, path: Path | None, kind: type[Memory]) -> None:
        self._path = path
        self._kind = kind
        self._written = b""

    def read(self) -> Memory | None:
        """What is kept; None if nothing is. Raises UserError for what is none of ours."""
        if self._path is None or not self._path.exists():
            return None
        try:
            self._written = self._path.read_bytes()
            return msgspec.json.decode(self._written, type=self._kind)
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise UserError("evening_damaged", path=self._path, reason=str(error)) from error

    def keep(self, memory: Memory) -> None:
        """Write it, unless it stands there already."""
        data = msgspec.json.encode(memory)
        if self._path is None or data == self._written:
            return
        self._written = data
        with suppress(OSError):  # a full disk stops no match
            write_for_owner(self._path, data)

    def forget(self) -> None:
        """Nothing is kept any more."""
        self._written = b""
        if self._path is not None:
            self._path.unlink(missing_ok=True)


def server_file(folder: Path | None) -> KeptFile[ServerMemory]:
    """What a server keeps in the folder of its evening."""
    return KeptFile(None if folder is None else folder / _SERVER, ServerMemory)


class EveningFolder:
    """The folder of one evening, for one `schiri play` until it ends. `held`: this one has it.
    Raises UserError.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with written_below(folder):
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = FileLock(folder / _LOCK)
        self.held = self._lock.held

    def clear(self) -> None:
        """Begin afresh: nothing of before is left."""
        with written_below(self.folder):
            for entry in self.folder.iterdir():
                if entry.is_dir():
                    shutil.rmtree(entry)
                elif entry.name != _LOCK:
                    entry.unlink()

    def is_over(self) -> bool:
        """Nothing is being played, and has not been for hours: guests' links are void by now."""
        kept = list(self.folder.glob("*.json"))
        if time.time() - max((file.stat().st_mtime for file in kept), default=0) < OVER_S:
            return False
        tables = [KeptFile(file, TableMemory).read() for file in self.folder.glob(_TABLES)]
        return not any(table and (table.playing or table.opening) for table in tables)

    def close(self) -> None:
        """Another `schiri play` may go on with it."""
        self._lock.release()


def free_evening(place: Path) -> EveningFolder:
    """The evening there; if another `schiri play` has it, the next one beside it that is free."""
    found = EveningFolder(place)
    number = 1
    while not found.held:
        number += 1
        found = EveningFolder(place.with_name(f"{place.name}-{number}"))
    return found


def forget_evenings(place: Path) -> None:
    """Delete all that is kept of every evening. Raises UserError while one is in use."""
    for folder in filter(Path.is_dir, [place, *place.parent.glob(f"{place.name}-*")]):
        evening = EveningFolder(folder)
        if not evening.held:
            raise UserError("evening_in_use", Exit.SYSTEM, path=folder)
        evening.clear()
        evening.close()
