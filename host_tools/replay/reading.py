"""Reads a transcript strictly: UTF-8, one JSON object a line, no field twice (TRANSCRIPT.md)."""

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from host_tools.core.errors import UserError

Object = dict[str, Any]
_BOM = b"\xef\xbb\xbf"
_ANSWER_FIELDS = ("events", "refused", "awaits")


@dataclass
class Line:
    """One object of the file and where it stands (lines count from 1)."""

    number: int
    content: Object


@dataclass
class Step:
    """A command and the answer that the file gives to it, if it does."""

    command: Line
    answer: Line | None = None


@dataclass
class Transcript:
    """A file taken apart. `misplaced` is the first answer or result that stands where none may."""

    name: str
    header: Line
    steps: list[Step] = field(default_factory=list)
    result: Line | None = None
    misplaced: Line | None = None

    def fault(self, line: int, where: str, text: str) -> UserError:
        """The error for something malformed in this file."""
        return UserError(_one_line(f"{self.name}: line {line}: {where}: {text}."))


class _NoJson(Exception):
    """Why a line is no JSON object of ours."""


def read_bytes(name: str) -> bytes:
    """The bytes of a file, or of stdin for `-`. Raises UserError."""
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UserError(f"{name}: cannot be read: {reason}.") from error


def read_transcript(data: bytes, name: str) -> Transcript:
    """Take a file apart. Raises UserError naming file, line and field."""
    if data.startswith(_BOM):
        raise UserError(f"{name}: line 1: header: begins with a byte order mark; save as UTF-8.")
    lines = [
        _read_line(raw, number, name)
        for number, raw in enumerate(data.split(b"\n"), 1)
        if raw.strip()
    ]
    if not lines:
        raise UserError(f"{name}: line 1: header: is missing, the file is empty.")
    transcript = Transcript(name, lines[0])
    for line in lines[1:]:
        _sort_in(transcript, line)
    return transcript


def _sort_in(transcript: Transcript, line: Line) -> None:
    content = line.content
    steps = transcript.steps
    if "do" not in content and "result" in content:
        if transcript.result is not None:
            transcript.misplaced = transcript.misplaced or line
        transcript.result = transcript.result or line
    elif "do" not in content and any(name in content for name in _ANSWER_FIELDS):
        if not steps or steps[-1].answer is not None or transcript.result is not None:
            transcript.misplaced = transcript.misplaced or line
        else:
            steps[-1].answer = line
    else:
        if transcript.result is not None:
            transcript.misplaced = transcript.misplaced or line
        steps.append(Step(line))


def _read_line(raw: bytes, number: int, name: str) -> Line:
    try:
        return Line(number, _read_object(raw))
    except _NoJson as fault:
        what = "header" if number == 1 else "line"
        raise UserError(_one_line(f"{name}: line {number}: {what}: {fault}.")) from fault


def _one_line(text: str) -> str:
    """What a file holds may hold line ends; its fault is told in one line."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def _read_object(raw: bytes) -> Object:
    try:
        text = raw.decode()
        value = json.loads(text, object_pairs_hook=_pairs, parse_constant=_no_constant)
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()
    except UnicodeDecodeError as error:
        raise _NoJson(f"is not UTF-8 at byte {error.start + 1}") from error
    except UnicodeEncodeError as error:
        raise _NoJson("holds half of a surrogate pair") from error
    except json.JSONDecodeError as error:
        raise _NoJson(f"is no JSON at column {error.colno}: {error.msg}") from error
    except RecursionError as error:
        raise _NoJson("is nested too deeply") from error
    except ValueError as error:  # int() refuses numbers of more than 4300 digits
        raise _NoJson("holds a number that is too long") from error
    if not isinstance(value, dict):
        raise _NoJson("is not a JSON object")
    return value


def _pairs(pairs: list[tuple[str, Any]]) -> Object:
    content = dict(pairs)
    if len(content) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _NoJson(f"has the field {twice} twice")
    return content


def _no_constant(name: str) -> NoReturn:
    raise _NoJson(f"holds {name}, which is no JSON number")
