"""What is wrong in a file that people wrote: where, and what to do about it."""

from dataclasses import dataclass
from pathlib import Path

from host_tools.core.errors import Sentence


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong in a deck or board file. `line` counts from 1."""

    path: Path
    line: int
    field: str
    text: str

    @property
    def sentence(self) -> Sentence:
        """What is wrong, with the place in front."""
        place = {"path": self.path, "line": self.line, "field": self.field}
        return Sentence("fault_at", **place, detail=self.text)

    def __str__(self) -> str:
        return self.sentence
