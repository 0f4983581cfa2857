"""The chip's work is written as generators: they yield how long to wait, or for what."""

from collections.abc import Generator
from typing import TypeVar

WAIT_FOR_FIELD = -1  # until a tag comes, goes, or the field changes
WAIT_FOR_HOST = -2  # until the host has fetched the frame on offer

_T = TypeVar("_T")
# yields microseconds (or one of the constants above), returns the result of the work
Steps = Generator[int, None, _T]


class BadSyntax(Exception):
    """The chip does not understand the command: it answers with the error frame."""
