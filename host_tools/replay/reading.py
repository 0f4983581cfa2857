"""Reads a transcript strictly: UTF-8, one JSON object a line, no field twice (TRANSCRIPT.md)."""

import json
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from host_tools.core.errors import Sentence, UserError, recognised
from host_tools.core.json_types import Json
from host_tools.core.names import cut
from host_tools.core.own_files import read_input

_BOM = b"\xef\xbb\xbf"
_ANSWER_FIELDS = ("events", "refused", "awaits")


@dataclass
class TranscriptLine:
    """One object of the file and where it stands (lines count from 1)."""

    number: int
    content: Json


@dataclass
class ReplayStep:
    """A command and the answer that the file gives to it, if it does."""

    command: TranscriptLine
    answer: TranscriptLine | None = None


@dataclass
class Transcript:
    """A file taken apart. `misplaced` is the first answer or result that stands where none may."""

    name: str
    header: TranscriptLine
    steps: list[ReplayStep] = field(default_factory=list)
    result: TranscriptLine | None = None
    misplaced: TranscriptLine | None = None

    def fault(self, line: int, where: str, text: str) -> UserError:
        """The error for something malformed in this file."""
        return _fault(self.name, line, where, text)


class _NoJson(Exception):
    """Why a line is no JSON object of ours."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self.sentence = Sentence(key, **values)


def _fault(name: str, line: int, where: str, detail: str) -> UserError:
    """What a file holds may hold line ends; its fault is told in one line."""
    return UserError(
        "transcript_fault",
        file=name if isinstance(name, Sentence) else _one_line(name),
        line=line,
        where=_one_line(cut(where)),
        detail=detail if isinstance(detail, Sentence) else recognised(_one_line(cut(detail))),
    )


def read_bytes(name: str) -> bytes:
    """The bytes of a file, or of stdin for `-`. Raises UserError."""
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return read_input(Path(name))
    except ValueError as error:  # a name that no system takes
        raise UserError("transcript_unreadable", file=name, detail=str(error)) from error


def read_transcript(data: bytes, name: str) -> Transcript:
    """Take a file apart. Raises UserError naming file, line and field."""
    # editors on Windows add it; the sentence says so
    if data.startswith(_BOM):
        raise _fault(name, 1, "header", Sentence("json_mark"))
    lines = [
        _read_line(raw, number, name)
        for number, raw in enumerate(data.split(b"\n"), 1)
        # editors add an empty line at the end; the numbers in messages count it
        if raw.strip()
    ]
    if not lines:
        raise _fault(name, 1, "header", Sentence("json_empty"))
    transcript = Transcript(name, lines[0])
    for line in lines[1:]:
        _sort_in(transcript, line)
    return transcript


def _sort_in(transcript: Transcript, line: TranscriptLine) -> None:
    content = line.content
    steps = transcript.steps
    # nothing may stand behind the result
    misplaced = transcript.result is not None
    # a command may have fields of any name beside `do` (TRANSCRIPT.md)
    if "do" not in content and "result" in content:
        transcript.result = transcript.result or line
    elif "do" not in content and any(name in content for name in _ANSWER_FIELDS):
        misplaced = misplaced or not steps or steps[-1].answer is not None
        if not misplaced:
            steps[-1].answer = line
    else:
        steps.append(ReplayStep(line))
    if misplaced:
        transcript.misplaced = transcript.misplaced or line


def _read_line(raw: bytes, number: int, name: str) -> TranscriptLine:
    try:
        return TranscriptLine(number, _read_object(raw))
    except _NoJson as fault:
        what = "header" if number == 1 else "line"
        raise _fault(name, number, what, fault.sentence) from fault


def _one_line(text: str) -> str:
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def _read_object(raw: bytes) -> Json:
    try:
        text = raw.decode()
        value = json.loads(text, object_pairs_hook=_pairs, parse_constant=_no_constant)
        # half a surrogate pair gets into valid UTF-8 by an escape only
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()
    except UnicodeDecodeError as error:
        raise _NoJson("json_utf8", number=error.start + 1) from error
    except UnicodeEncodeError as error:
        raise _NoJson("json_surrogate") from error
    except json.JSONDecodeError as error:
        raise _NoJson("json_syntax", number=error.colno, detail=error.msg) from error
    except RecursionError as error:
        raise _NoJson("json_nested") from error
    except ValueError as error:  # int() refuses numbers of more than 4300 digits
        raise _NoJson("json_number") from error
    if not isinstance(value, dict):
        raise _NoJson("json_no_object")
    return value


def _pairs(pairs: list[tuple[str, Any]]) -> Json:
    # of a field given twice one reader takes the first, another the last: two matches
    content = dict(pairs)
    if len(content) != len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise _NoJson("json_twice", field=_one_line(cut(twice)))
    return content


def _no_constant(name: str) -> NoReturn:
    # NaN and Infinity: Python reads them, JSON has none (RFC 8259, 6)
    raise _NoJson("json_constant", name=name)
