"""What is wrong in a file that people wrote: where, and what to do about it."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong in a deck or board file. `line` counts from 1."""

    path: Path
    line: int
    field: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.field}: {self.text}"
