"""What the audience sees: the OLED beside the verdicts, in place on a terminal, one by one in a
pipe.
"""

from collections import deque

from rich.console import Console
from rich.live import Live
from rich.table import Table

from hardware.twin.oled import Picture
from host_tools.sim.twin.console import to_braille

_LINES = 16  # of the picture in braille (`to_braille`)
_CLOCK_ROWS = 4
_CLOCK_COLUMNS = 44
"""In braille lines and columns: the match clock stands at the right end of the top bar."""


class DemoScreen:
    """Shows every new picture. `pictures`: all, verdicts (only with one), none."""

    def __init__(self, console: Console, pictures: str) -> None:
        self._console = console
        self._pictures = pictures
        self._verdicts: deque[str] = deque(maxlen=_LINES)
        self._picture: list[str] = [" " * 64] * _LINES
        self._shown: list[str] = []
        live = console.is_terminal and pictures == "all"
        self._live = Live(console=console, refresh_per_second=20) if live else None

    def __enter__(self) -> "DemoScreen":
        if self._live:
            self._live.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        if self._live:
            self._live.__exit__(None, None, None)

    def picture(self, picture: Picture) -> None:
        """The box has drawn something new."""
        self._picture = to_braille(picture)
        if self._live:
            self._live.update(self._side_by_side(list(self._verdicts)))
        elif self._pictures == "all" and self._is_news():
            self._print([])

    def verdict(self, line: str) -> None:
        """The referee has spoken."""
        self._verdicts.append(line)
        if self._live:
            self._live.update(self._side_by_side(list(self._verdicts)))
        elif self._pictures == "none":
            self._console.print(line)
        else:
            self._print([line])

    def _print(self, lines: list[str]) -> None:
        self._shown = self._picture
        self._console.print(self._side_by_side(lines))

    def _is_news(self) -> bool:
        """A clock that has gone on by a second is not printed again in a pipe."""
        return _without_clock(self._picture) != _without_clock(self._shown)

    def _side_by_side(self, lines: list[str]) -> Table:
        table = Table(box=None, show_header=False, padding=(0, 1))
        table.add_column(width=64, no_wrap=True)
        table.add_column(overflow="fold")
        table.add_row("\n".join(self._picture), "\n".join(lines))
        return table


def _without_clock(lines: list[str]) -> list[str]:
    return [
        line[:_CLOCK_COLUMNS] if number < _CLOCK_ROWS else line
        for number, line in enumerate(lines)
    ]
