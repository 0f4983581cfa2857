"""The budgets of the box, measured on an emulated Pico with flash times (docs/reliability.md):
`make budgets`, or `python -m bench.emulated_pico --help`.

Nobody talks to the box meanwhile and nothing of ours runs on it: times are those of its display,
the heap is looked at from outside. So a match is not played from the menu, but resumed.
"""

import hashlib
import statistics
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from hardware.twin.errors import TwinError
from hardware.twin.session import TwinSession
from host_tools.box.firmware.build import ROM, Build, build
from host_tools.games.table import TableView
from host_tools.sim.table.box_setup import set_up
from tests.support.laid import MATCHES, lay_down
from tests.support.pico.engine import EmulatedBoard
from tests.support.pico.hands import DARK_MS, READY_MS, SwissHands, Watch
from tests.support.pico.image import FOLDER, file_of, find_firmware

TellLine = Callable[[str], None]


PARTS = ("menu", "taps", *MATCHES)


@dataclass(frozen=True)
class PicoFigure:
    """One row: what, and the figure as people read it."""

    part: str
    what: str
    value: float
    unit: str

    @property
    def text(self) -> str:
        return f"{self.value:,.{1 if self.unit in ('kB', '') else 0}f} {self.unit}"


class Bench:
    """Measures parts on one board. `folder` is for the flashes."""

    def __init__(self, name: str, uf2: Path, built: Build, folder: Path, say: TellLine) -> None:
        self._board_name = name
        self._uf2 = uf2
        self._sources = built.folder / ROM
        self._build = f"{built.version} {rom_digest(self._sources)}"  # firmware/main.py
        self._folder = folder
        self._say = say

    def measure(self, parts: Iterable[str]) -> list[PicoFigure]:
        """Figures of the parts named, of PARTS. TwinError if the box does not come so far."""
        figures = []
        for part in parts:
            for figure in self._part(part):
                self._say(f"{figure.what}: {figure.text}")
                figures.append(figure)
        return figures

    def _part(self, part: str) -> list[PicoFigure]:
        storage = self._folder / part
        set_up(storage, "de", "Pico")
        if part == "menu":
            return self._menu(storage)
        laid = MATCHES["swiss" if part == "taps" else part]
        table = lay_down(storage, laid, self._build)
        return self._taps(storage, table) if part == "taps" else self._resume(storage, part)

    def _menu(self, storage: Path) -> list[PicoFigure]:
        with self._on(storage) as (box, watch):
            first_ms = watch.first_picture()
            box.run_for(READY_MS)
            times = [("first picture", first_ms), ("menu complete", watch.changed_ms)]
            return [
                *[PicoFigure("menu", f"{what} from power", ms, "ms") for what, ms in times],
                *_heap(watch, "menu", "menu"),
            ]

    def _resume(self, storage: Path, part: str) -> list[PicoFigure]:
        laid = MATCHES[part]
        with self._on(storage) as (box, watch):
            watch.first_picture()
            box.run_until(lambda: watch.resumed(box), DARK_MS)
            name = f"{laid.name}, {laid.commands} commands"
            resumed = PicoFigure(part, f"{name}: on the screen again", watch.changed_ms, "ms")
            return [resumed, *_heap(watch, part, name)]

    def _taps(self, storage: Path, table: TableView) -> list[PicoFigure]:
        with self._on(storage) as (box, watch):
            watch.first_picture()
            box.run_until(lambda: watch.resumed(box), DARK_MS)
            hands = SwissHands(box, watch, table)
            hands.play_on()
        return [
            *_times("tap to verdict's last pixel", hands.verdict_ms),
            *_times("tap to the last pixel of a card before it", hands.card_ms),
            PicoFigure("taps", "tap to first pixel, median", _mid(hands.first_ms), "ms"),
            PicoFigure("taps", "taps that wait for an erase", len(hands.with_erase_ms), ""),
            PicoFigure("taps", "flash erases a tap", hands.erases / len(hands.last_ms), ""),
        ]

    def _on(self, storage: Path) -> "_Running":
        board = EmulatedBoard(self._board_name, self._uf2)
        return _Running(TwinSession(board.engine, storage, sources=self._sources))


class _Running:
    """A session that is booted, and who watches it."""

    def __init__(self, box: TwinSession) -> None:
        self._box = box

    def __enter__(self) -> "tuple[TwinSession, Watch]":
        self._box.boot()
        return self._box, Watch(self._box)

    def __exit__(self, *error: object) -> None:
        self._box.close()


def _heap(watch: Watch, part: str, name: str) -> list[PicoFigure]:
    """What a collection now would leave."""
    heap = watch.pico.heap()
    sizes = [("heap used", heap.used), ("heap free", heap.free), ("largest", heap.largest)]
    return [PicoFigure(part, f"{name}: {what}", size / 1000, "kB") for what, size in sizes]


def rom_digest(rom: Path) -> str:
    """By which a box tells its firmware apart."""
    return hashlib.sha256(rom.read_bytes()).digest()[:8].hex()


def _times(what: str, taken: list[float]) -> list[PicoFigure]:
    return [
        PicoFigure("taps", f"{what}, median of {len(taken)}", _mid(taken), "ms"),
        PicoFigure("taps", f"{what}, longest", max(taken), "ms"),
    ]


def _mid(values: list[float]) -> float:
    return statistics.median(values)


# -- the command ---------------------------------------------------------------------------------

BOARDS = ("pico", "pico_w")


@click.command()
@click.option(
    "--uf2",
    type=click.Path(path_type=Path),
    envvar=FOLDER,
    help=f"Our image for the board, or a folder with it; else {FOLDER}.",
)
@click.option("--board", type=click.Choice(BOARDS), default="pico", show_default=True)
@click.option("--part", "parts", type=click.Choice(PARTS), multiple=True, help="Default: all.")
def pico(uf2: Path | None, board: str, parts: tuple[str, ...]) -> None:
    """Measure time and memory of the box on an emulated Pico. Takes minutes.

    make budgets ARGS="--part taps"
    """
    image = find_firmware(uf2, board)
    if image is None or not image.is_file():
        raise click.UsageError(
            f"Name a folder with our image {file_of(board)} in {FOLDER}, or give a file "
            f"with --uf2; here is none: {image or FOLDER}"
        )
    _measure(image, board, parts or PARTS)


def _measure(image: Path, board: str, parts: tuple[str, ...]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bench = Bench(board, image, build(folder / "build"), folder, click.echo)
        try:
            figures = bench.measure(parts)
        except TwinError as error:
            raise click.ClickException(f"The emulated Pico did not get there: {error}") from error
    table = Table(title=f"Emulated {board}, {image.name}")
    table.add_column("what")
    table.add_column("figure", justify="right")
    for figure in figures:
        table.add_row(figure.what, figure.text)
    Console().print(table)


if __name__ == "__main__":
    pico()
