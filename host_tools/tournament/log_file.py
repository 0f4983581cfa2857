"""The log as a file (docs/tournament-format.md): NDJSON that carries its proof.

Every line ends in its link of the hash chain over all lines before it, as the database has it; the
last line says how many there are. So a file that was changed anywhere is refused, by its line.
Whoever can compute SHA-256 can make a whole file anew: only the head that somebody wrote down
shows that it is another one, or the signature of a desk, in a file that anybody may check
(`proof_bytes`): behind its last line stand that signature and the journals of boxes.
"""

import base64
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import msgspec

from host_tools.cards.public_keys import SigningKey, from_hex
from host_tools.core.errors import Exit, Sentence, UserError, decode_reason
from host_tools.core.own_files import read_input
from host_tools.store.log_line import CHAIN_START, LogLine, link
from host_tools.tournament import events as ev
from host_tools.tournament.model import PlayerId, TournamentRecord

_LINKED = re.compile(rb'(\{.*),"link":"([0-9a-f]{64})"\}')


class ReportPlace(TournamentRecord, frozen=True, forbid_unknown_fields=True):
    """Where the report of a journal stands, for a page that cannot fold the events: stage, table
    and players of its match at that time; `seats`: the players by the seats of the box, [] if it
    does not name them; `counts`: the match counts with this result.
    """

    journal: str
    stage: str
    table: int
    players: list[PlayerId]
    seats: list[PlayerId] = msgspec.field(default_factory=list)
    counts: bool = False


class LastLine(TournamentRecord, frozen=True, forbid_unknown_fields=True):
    """How many events there are (`end`); in a proof how many journals follow, the id of the
    tournament, how many matches count, and the reports of those journals.
    """

    end: int
    journals: int | None = None
    tournament: str = ""
    counted: int = 0
    reports: list[ReportPlace] = msgspec.field(default_factory=list)


@dataclass(frozen=True)
class LogFile:
    """What was read. `texts`: the events, each a line; `head`: the link of the last event; `end`:
    of the last line, which says `last`; `signer` and `signature` of a desk; journals by digest.
    """

    path: Path
    texts: list[bytes]
    head: str
    end: str
    last: LastLine
    signer: str = ""
    signature: bytes = b""
    journals: Mapping[str, bytes] = field(default_factory=dict)

    @cached_property
    def events(self) -> list[ev.LogEntry]:
        """Raises UserError for a line that is no event."""
        return list(_events(self.path, self.texts))


class _Signed(msgspec.Struct, forbid_unknown_fields=True):
    signer: str
    signature: str


class _Kept(msgspec.Struct, forbid_unknown_fields=True):
    journal: str
    base64: str


def proof_bytes(
    lines: Sequence[LogLine],
    journals: Mapping[str, bytes],
    desk: SigningKey,
    tournament: str = "",
    counted: int = 0,
    reports: Sequence[ReportPlace] = (),
) -> bytes:
    """The file of a log, signed by a desk, with the journals on which it rests."""
    end = LastLine(len(lines), len(journals), tournament, counted, list(reports))
    data, last = _linked(lines, msgspec.json.encode(end).decode())
    signed = _Signed(desk.id, desk.sign("export", bytes.fromhex(last)).hex())
    kept = [_Kept(name, base64.b64encode(raw).decode()) for name, raw in journals.items()]
    return data + b"".join(msgspec.json.encode(part) + b"\n" for part in (signed, *kept))


def _linked(lines: Sequence[LogLine], end: str) -> tuple[bytes, str]:
    # without this line a file cut off at its end would still be a valid chain
    last = LogLine(0, end, link(lines[-1].chain, end))
    text = "".join(f'{one.text[:-1]},"link":"{one.chain}"}}\n' for one in (*lines, last))
    return text.encode(), last.chain


def read_log(path: Path) -> LogFile:
    """The events of an exported log. Raises UserError naming the line: exit code 1 for one that
    was changed after it was written, 2 for one that cannot be read.
    """
    data = read_input(path)
    if b',"link":"' not in data:
        list(_events(path, data.splitlines()))  # raises for what is no log at all
    log = read_links(path, data)
    assert log.events is not None  # read here, so that a line that is none is told here
    return log


def read_links(path: Path, data: bytes) -> LogFile:
    """The same, its events still as text: who signed them is asked before what they say."""
    lines = data.split(b"\n")
    log = _proved(path, lines)
    behind = lines[len(log.texts) + 1 :]
    return log if behind == [b""] else _with_proof(path, log, behind)


def _proved(path: Path, lines: Sequence[bytes]) -> LogFile:
    """The lines without their links, whose chain holds up to the last one."""
    texts: list[bytes] = []
    head = chain = CHAIN_START
    for number, line in enumerate(lines, 1):
        found = _LINKED.fullmatch(line)
        text = found[1] + b"}" if found else b""
        # on the last line `head` stays that of the last event: the line of the end is not in the
        # database
        head, chain = chain, link(chain, text.decode("utf8", "replace"))
        # compared as text of the file, byte for byte: a line that means the same is another line
        if not found or found[2].decode() != chain:
            raise UserError("log_changed", Exit.CHECK, path=path, line=number)
        if text.startswith(b'{"end":'):
            behind = len(lines) - number - 2  # the signature, and nothing behind the last newline
            return LogFile(path, texts, head, chain, _last_line(path, text, number, behind))
        texts.append(text)
    raise UserError("log_changed", Exit.CHECK, path=path, line=len(texts) + 1)


def _last_line(path: Path, text: bytes, number: int, behind: int) -> LastLine:
    """Raises UserError for a file that is shorter or longer than its last line says."""
    try:
        last = msgspec.json.decode(text, type=LastLine)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise UserError("log_changed", Exit.CHECK, path=path, line=number) from error
    # a plain log has nothing there, not even a signature
    wanted = -1 if last.journals is None else last.journals
    if last.end != number - 1 or (wanted != -1 and wanted != behind):
        raise UserError("log_changed", Exit.CHECK, path=path, line=number)
    if wanted != behind:
        raise UserError("log_changed", Exit.CHECK, path=path, line=number + 1)
    return last


def _with_proof(path: Path, log: LogFile, behind: Sequence[bytes]) -> LogFile:
    """With what stands behind the last line. A journal is its digest's, which the log names."""
    signed, *kept = behind[:-1]
    at = first = len(log.texts) + 2
    try:
        signature = msgspec.json.decode(signed, type=_Signed)
        journals = {}
        for number, one in enumerate(kept, first + 1):
            at = number
            journal = msgspec.json.decode(one, type=_Kept)
            # without validate, characters outside the alphabet are skipped: two files, one meaning
            raw = base64.b64decode(journal.base64, validate=True)
            if hashlib.sha256(raw).hexdigest() != journal.journal:
                raise ValueError("another journal")
            journals[journal.journal] = raw
        made = from_hex(signature.signature)
        if behind[-1] or len(journals) != len(kept):
            raise ValueError("one twice, or half a line")
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise UserError("log_changed", Exit.CHECK, path=path, line=at) from error
    return replace(log, signer=signature.signer, signature=made, journals=journals)


def _events(path: Path, lines: Sequence[bytes]) -> Iterator[ev.LogEntry]:
    for number, line in enumerate(lines, 1):
        try:
            event = ev.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise UserError(
                "line_fault", path=path, line=number, detail=decode_reason(error)
            ) from error
        # whoever computes SHA-256 can make a chain over lines with a gap
        if event.seq != number:
            gap = Sentence("fault_gap", event=event.seq)
            raise UserError("line_fault", path=path, line=number, detail=gap)
        yield event
