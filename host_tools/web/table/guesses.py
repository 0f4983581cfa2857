"""Codes of tables are short, so that nobody may guess for long: few wrong ones a minute."""

import time
from collections import deque

from starlette.requests import Request

from host_tools.sim.table.asking import BadMessage

WINDOW_S = 60
MOST_OF_ONE = 8
"""Wrong codes a minute from one address."""
MOST_OF_ALL = 40
"""From all of them: of 160,000 codes half are guessed after 33 hours."""


class TooManyGuesses(BadMessage):
    """Too many wrong codes of late."""

    status = 429


class Guesses:
    """The wrong codes of the last minute."""

    def __init__(self) -> None:
        self._wrong: deque[tuple[float, str]] = deque(maxlen=MOST_OF_ALL)

    def check(self, request: Request) -> None:
        """May this device try another one? Raises BadMessage."""
        begin_s = time.monotonic() - WINDOW_S
        recent = [who for when_s, who in self._wrong if when_s > begin_s]
        if len(recent) >= MOST_OF_ALL or recent.count(_device(request)) >= MOST_OF_ONE:
            raise TooManyGuesses("play_many_guesses")

    def note(self, request: Request) -> None:
        """That one was wrong."""
        self._wrong.append((time.monotonic(), _device(request)))


def _device(request: Request) -> str:
    return request.client.host if request.client else ""
