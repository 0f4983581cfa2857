"""The journal of the box: what was shown is on the flash first, and no power cut takes it back.

One file a match, append-only, one write and one sync a record; record format in `link_frames`. The name of a file
says how far it is: `m000012.run` (running), `.end` (finished and sealed), `.ok` (the desk has confirmed it). Renaming is
atomic, so there is no index that could be lost. Only `.ok` files are ever removed, oldest first, and never the
newest file, because its number is the box's memory of how many matches it has seen.
"""

import binascii
import json
from collections import namedtuple

from micropython import const

from .link_frames import CHAIN_START, read_record, write_record, write_seal

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, NamedTuple

    from .flash import Flash
    from .link_frames import Record

    class Entry(NamedTuple):
        """One match on the flash: its number, state (`run` `end` `ok`) and size in bytes."""

        number: int
        state: str
        size: int

    class Line(NamedTuple):
        """One line of a match file: its index from 0, its bytes without newline, its record or None if damaged."""

        index: int
        raw: bytes
        record: "Record | None"

else:
    Entry = namedtuple("Entry", ("number", "state", "size"))
    Line = namedtuple("Line", ("index", "raw", "record"))

RUNNING = "run"
FINISHED = "end"
CONFIRMED = "ok"

RESERVE_BYTES = const(
    98304
)  # free before a match is opened: the longest match we know takes 60 kB
_TAIL_BYTES = const(512)  # a seal record is shorter
_CHUNK = const(512)


class JournalFull(Exception):
    """The flash is full and nothing may be removed: the desk must fetch the matches first."""


class NotConfirmed(Exception):
    """The desk confirmed something that the box does not have; the argument says what is wrong."""


class Journal:
    """`random_bytes(n)` is `os.urandom` on the box; `box_key()` gives the 32 bytes for the seal, or None."""

    def __init__(
        self,
        flash: "Flash",
        box: str,
        random_bytes: "Callable[[int], bytes]",
        box_key: "Callable[[], bytes | None]",
    ) -> None:
        self.flash = flash
        self.box = box
        self.damaged: "list[int]" = []  # indices of damaged lines in the match opened last
        self._random_bytes = random_bytes
        self._box_key = box_key
        self._file: "Any" = None
        self._number = 0
        self._seq = 0
        self._chain = CHAIN_START

    # -- writing ------------------------------------------------------------------------------------------------

    def open_match(self, header: str) -> int:
        """Start the file of a new match and return its number. `header` is the transcript's header line.

        Fields `box`, `match` and `born` (random, so that a wiped box never repeats a match) are added to it.
        Raises JournalFull. A match still running stays as it is; close it first.
        """

    def append(self, command: str, answer: str) -> None:
        """Write a command and its answer (transcript lines) and sync. Show the answer only after this returns.

        Raises JournalFull; then nothing was recorded and the command must not count.
        """

    def note(self, text: str) -> None:
        """Write a line that is neither command nor answer (`{"note": …}`): boot, clock found, arbiter's remark."""

    def close(self, result: str) -> None:
        """Write the result line and the signed seal in one write; the match is finished. Also for an aborted match."""

    # -- reading ------------------------------------------------------------------------------------------------

    def entries(self) -> "list[Entry]":
        """All matches on the flash, oldest first."""
        return []

    def unfinished(self) -> "int | None":
        """The number of the match that was running when the power went, or None. Cheap; call it at boot."""
        return None

    def resume(self, number: int) -> "Iterator[tuple[str, str]]":
        """Yield the header as (header, "") and then every (command, answer); afterwards `append` goes on there.

        Run it to its end. A torn last line is cut off (its verdict was never shown); `damaged` holds the indices
        of lines that cannot be read and were left out, and stays empty for a sound journal.
        """
        return iter(())

    def lines(self, number: int, first: int = 0) -> "Iterator[Line]":
        """The lines of a match from index `first` on, damaged ones included. OSError if there is no such match."""
        return iter(())

    # -- the desk -----------------------------------------------------------------------------------------------

    def confirm(self, number: int, head: str) -> None:
        """The desk has stored the finished match whose last record's link is `head` (hex). Safe to repeat.

        Raises NotConfirmed if the match runs, is unknown, or ends in another head.
        """

    def make_room(self, bytes_needed: int) -> bool:
        """Remove confirmed matches, oldest first, until so many bytes are free. False if that is not enough."""
        return True
