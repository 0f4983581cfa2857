"""Which tag is which card: a file of one JSON line per step, only ever appended, synced each time.

A batch that was interrupted goes on from it, an undo takes the old content from it, and it tells
which card a tag is even if the tag itself is dead.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from host_tools.core.errors import UserError
from host_tools.core.own_files import append_line, read_text, write_whole, written_below

BEGUN = "begun"  # about to be written: an interrupted card is written again without asking
WRITTEN = "written"
LOCKED = "locked"
FAILED = "failed"
UNDONE = "undone"
REVOKED = "revoked"  # another tag is this card now
STATES = (BEGUN, WRITTEN, LOCKED, FAILED, UNDONE, REVOKED)
DONE = (WRITTEN, LOCKED)


@dataclass(frozen=True)
class LedgerEntry:
    """One step. `key_number` 0 = unsealed; `genuine`: NXP's signature fits, None = none read."""

    set_key: str
    code: str
    name: str
    uid: str
    state: str
    at: str = ""
    chip: str = ""
    key_number: int = 0
    genuine: bool | None = None
    before: str = ""  # user memory as it was, hex
    reason: str = ""


class TagLedger:
    """The entries of a file; later ones about the same tag or card count."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.entries: list[LedgerEntry] = []
        if path.exists():
            self._load()

    def add(self, entry: LedgerEntry) -> None:
        """Append and sync. Raises UserError if the disk refuses."""
        with written_below(self.path):
            append_line(self.path, asdict(entry))
        self.entries.append(entry)

    def of_tag(self, uid: str) -> LedgerEntry | None:
        """The last that is known about a tag."""
        found = [entry for entry in self.entries if entry.uid == uid]
        return found[-1] if found else None

    def of_item(self, set_key: str, code: str) -> LedgerEntry | None:
        """The tag that is this card now; None if there is none (yet, or any more)."""
        for entry in reversed(self.entries):
            if (entry.set_key, entry.code) == (set_key, code) and entry.state in DONE:
                # its tag may have become another card since
                last = self.of_tag(entry.uid)
                if last is not None and (last.set_key, last.code) == (set_key, code):
                    return entry if last.state in DONE else None
        return None

    def others(self, set_key: str, code: str, uid: str) -> list[LedgerEntry]:
        """What other tags last were that are this card too, in any edition of its set."""
        return [
            entry
            for entry in self._last(set_key)
            if entry.code == code and entry.uid != uid and entry.state in DONE
        ]

    def revoked(self, set_key: str) -> list[LedgerEntry]:
        """The tags of a set, in any edition, that were replaced."""
        return [entry for entry in self._last(set_key) if entry.state == REVOKED]

    def _last(self, set_key: str) -> list[LedgerEntry]:
        """The last entry of each tag, of those that are of this set in any edition."""
        last = {entry.uid: entry for entry in self.entries}
        title = _title(set_key)
        return [entry for entry in last.values() if _title(entry.set_key) == title]

    def original(self, uid: str) -> str:
        """User memory (hex) before the tag was first begun; "" if no write is known."""
        before = last = ""
        for entry in self.entries:
            if entry.uid != uid:
                continue
            # what was begun anew after a cut holds half a record: the first content is the old one
            if entry.state == BEGUN and (not before or last in DONE):
                before = entry.before
            elif entry.state == UNDONE:
                before = ""
            last = entry.state
        return before

    def failures(self, set_key: str) -> list[LedgerEntry]:
        """Tags of a set whose last step failed."""
        last = {entry.uid: entry for entry in self.entries if entry.set_key == set_key}
        return [entry for entry in last.values() if entry.state == FAILED]

    def _load(self) -> None:
        lines = read_text(self.path).splitlines()
        for number, line in enumerate(lines, 1):
            try:
                self.entries.append(_entry(json.loads(line)))
            except (ValueError, TypeError) as error:
                # only the last line can be half: every earlier one was synced before the next
                # began
                if number == len(lines):
                    self._drop_tail(lines[:-1])
                    return
                raise UserError("ledger_line", path=self.path, line=number) from error

    def _drop_tail(self, lines: list[str]) -> None:
        """The last line was cut off by a power failure: its step counts as not taken."""
        write_whole(self.path, "".join(line + "\n" for line in lines).encode())


def _title(set_key: str) -> str:
    """The key without its fingerprint (`Set.key`)."""
    return set_key.rpartition(" ")[0]


def _entry(fields: dict[str, object]) -> LedgerEntry:
    entry = LedgerEntry(**fields)  # type: ignore[arg-type]  # checked in the next lines
    texts = (entry.set_key, entry.code, entry.name, entry.uid, entry.before, entry.reason)
    if entry.state not in STATES or not all(isinstance(text, str) for text in texts):
        raise ValueError("not an entry")
    bytes.fromhex(entry.uid + entry.before)
    return entry
