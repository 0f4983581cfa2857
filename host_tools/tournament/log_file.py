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
from pathlib import Path

import msgspec

from host_tools.cards.public_keys import SigningKey
from host_tools.core.errors import Exit, Sentence, UserError, decode_reason
from host_tools.core.own_files import read_input
from host_tools.store.log_line import CHAIN_START, LogLine, link
from host_tools.tournament import events as ev

_LINKED = re.compile(rb'(\{.*),"link":"([0-9a-f]{64})"\}')


@dataclass(frozen=True)
class LogFile:
    """What was read. `head`: the link of the last event; `end`: of the last line; `signer` and
    `signature` of a desk; journals by their digest.
    """

    events: list[ev.LogEntry]
    head: str
    end: str = ""
    signer: str = ""
    signature: bytes = b""
    journals: Mapping[str, bytes] = field(default_factory=dict)


class _Signed(msgspec.Struct, forbid_unknown_fields=True):
    signer: str
    signature: str


class _Kept(msgspec.Struct, forbid_unknown_fields=True):
    journal: str
    base64: str


def proof_bytes(
    lines: Sequence[LogLine], journals: Mapping[str, bytes], desk: SigningKey
) -> bytes:
    """The file of a log, signed by a desk, with the journals on which it rests."""
    data, last = _linked(lines, _end(len(lines), len(journals)))
    signed = _Signed(desk.id, desk.sign("export", bytes.fromhex(last)).hex())
    kept = [_Kept(name, base64.b64encode(raw).decode()) for name, raw in journals.items()]
    return data + b"".join(msgspec.json.encode(part) + b"\n" for part in (signed, *kept))


def _linked(lines: Sequence[LogLine], end: str) -> tuple[bytes, str]:
    # without this line a file cut off at its end would still be a valid chain
    last = LogLine(0, end, link(lines[-1].chain, end))
    text = "".join(f'{one.text[:-1]},"link":"{one.chain}"}}\n' for one in (*lines, last))
    return text.encode(), last.chain


def _end(count: int, journals: int | None = None) -> str:
    """`journals`: so many stand behind the signature."""
    return f'{{"end":{count}}}' if journals is None else f'{{"end":{count},"journals":{journals}}}'


def read_log(path: Path) -> LogFile:
    """The events of an exported log. Raises UserError naming the line: exit code 1 for one that
    was changed after it was written, 2 for one that cannot be read.
    """
    data = read_input(path)
    if b',"link":"' not in data:
        list(_events(path, data.splitlines()))  # raises for what is no log at all
    lines = data.split(b"\n")
    texts, head, end = _proved(path, lines)
    log = LogFile(list(_events(path, texts)), head, end)
    behind = lines[len(texts) + 1 :]
    return log if behind == [b""] else _with_proof(path, log, texts, behind)


def _proved(path: Path, lines: Sequence[bytes]) -> tuple[list[bytes], str, str]:
    """The lines without their links, the head of the chain, and the link of the last line."""
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
            _check_end(path, text, number, behind)
            return texts, head, chain
        texts.append(text)
    raise UserError("log_changed", Exit.CHECK, path=path, line=len(texts) + 1)


def _check_end(path: Path, text: bytes, number: int, behind: int) -> None:
    """Raises UserError for a file that is shorter or longer than its last line says."""
    if text == _end(number - 1).encode():
        if behind != -1:
            raise UserError("log_changed", Exit.CHECK, path=path, line=number + 1)
    elif text != _end(number - 1, behind).encode():
        raise UserError("log_changed", Exit.CHECK, path=path, line=number)


def _with_proof(
    path: Path, log: LogFile, texts: Sequence[bytes], behind: Sequence[bytes]
) -> LogFile:
    """With what stands behind the last line. A journal is its digest's, which the log names."""
    signed, *kept = behind[:-1]
    at = first = len(texts) + 2
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
        made = bytes.fromhex(signature.signature)
        if behind[-1] or len(journals) != len(kept):
            raise ValueError("one twice, or half a line")
    except (msgspec.DecodeError, ValueError) as error:
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
