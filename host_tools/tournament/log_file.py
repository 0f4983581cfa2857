"""The log as a file (docs/tournament-format.md): NDJSON that carries its proof.

Every line ends in its link of the hash chain over all lines before it, as the database has it; the
last line says how many there are. So a file that was changed anywhere is refused, by its line.
Whoever can compute SHA-256 can make a whole file anew: only the head that somebody wrote down
shows that it is another one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from host_tools.core.errors import Exit, Sentence, UserError
from host_tools.store.tournament_log import CHAIN_START, LogLine, link
from host_tools.tournament import events as ev

_LINKED = re.compile(rb'(\{.*),"link":"([0-9a-f]{64})"\}')


@dataclass(frozen=True)
class LogFile:
    """What was read. `head`: of the chain; "" for a file of before it, which carries no proof."""

    events: list[ev.LogEntry]
    head: str


def log_bytes(lines: Sequence[LogLine]) -> bytes:
    """The file of a log."""
    end = _end(len(lines))
    last = LogLine(0, end, link(lines[-1].chain, end))
    return "".join(f'{one.text[:-1]},"link":"{one.chain}"}}\n' for one in (*lines, last)).encode()


def _end(count: int) -> str:
    return f'{{"end":{count}}}'


def read_log(path: Path) -> LogFile:
    """The events of an exported log. Raises UserError naming the line: exit code 1 for one that
    was changed after it was written, 2 for one that cannot be read.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UserError("unreadable", path=path, system=error) from error
    if b',"link":"' not in data:
        return LogFile(list(_events(path, data.splitlines())), "")
    texts, head = _proved(path, data.split(b"\n"))
    return LogFile(list(_events(path, texts)), head)


def _proved(path: Path, lines: Sequence[bytes]) -> tuple[list[bytes], str]:
    """The lines without their links, and the head of the chain."""
    texts: list[bytes] = []
    head = chain = CHAIN_START
    for number, line in enumerate(lines, 1):
        found = _LINKED.fullmatch(line)
        text = found[1] + b"}" if found else b""
        head, chain = chain, link(chain, text.decode("utf8", "replace"))
        if not found or found[2].decode() != chain:
            raise UserError("log_changed", Exit.CHECK, path=path, line=number)
        if text == _end(number - 1).encode():
            break
        texts.append(text)
    if lines[len(texts) + 1 :] != [b""]:
        raise UserError("log_changed", Exit.CHECK, path=path, line=len(texts) + 2)
    return texts, head


def _events(path: Path, lines: Sequence[bytes]) -> Iterator[ev.LogEntry]:
    for number, line in enumerate(lines, 1):
        try:
            event = ev.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise UserError("line_fault", path=path, line=number, detail=str(error)) from error
        if event.seq != number:
            gap = Sentence("fault_gap", event=event.seq)
            raise UserError("line_fault", path=path, line=number, detail=gap)
        yield event
