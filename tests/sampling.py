"""How much of a long loop a run of the tests goes through."""

from collections.abc import Collection, Iterable, Iterator
from typing import Any, TypeVar

import pytest
from hypothesis import settings

T = TypeVar("T")
STEP = 7
"""Shares no factor with 8: of the bits of a file, every bit of a byte gets its turn."""


class Sample:
    """One in `step` of whatever a test loops over, the first and the last among them."""

    def __init__(self, step: int) -> None:
        self.step = step

    def __call__(self, things: Iterable[T]) -> Iterator[T]:
        nothing = object()
        last: object = nothing
        for index, thing in enumerate(things):
            last = thing
            if index % self.step == 0:
                yield thing
                last = nothing
        if last is not nothing:
            yield last  # type: ignore[misc]

    def count(self, size: int) -> int:
        """How many of `size` things are gone through; `size` is at least 1."""
        return (size - 1) // self.step + 1 + ((size - 1) % self.step > 0)


def examples(most: int) -> int:
    """The examples hypothesis draws: `most` in `make test-long` (profile new), else a third."""
    return most if settings.get_current_profile_name() == "new" else most // 3


def first_of(things: Collection[Any], step: int = 1) -> list[Any]:
    """For `pytest.mark.parametrize`: the first of `things` is in `make test`; every `step`-th is
    in `make test-all` and CI, all of them are in `make test-long`.
    """

    def when(index: int) -> pytest.MarkDecorator:
        return pytest.mark.long if index % step else pytest.mark.thorough

    return [
        pytest.param(thing, marks=when(index)) if index else thing
        for index, thing in enumerate(things)
    ]


def one_in(step: int, things: Collection[Any]) -> list[Any]:
    """For `pytest.mark.parametrize`: every `step`-th of `things`, the first among them, is in
    `make test`; all of them are in `make test-long`.
    """
    return [
        thing if index % step == 0 else pytest.param(thing, marks=pytest.mark.long)
        for index, thing in enumerate(things)
    ]
