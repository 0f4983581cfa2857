"""The budgets of the box, measured on an emulated Pico with flash times (docs/reliability.md):
`make budgets`, or `python -m bench.emulated_pico --help`.

Nobody talks to the box meanwhile and nothing of ours runs on it: times are those of its display,
the heap is looked at from outside. So a match is not played from the menu, but resumed.
"""

import hashlib
import math
import statistics
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from hardware.twin.errors import TwinError
from hardware.twin.session import TwinSession
from host_tools.box.firmware.build import ROM, Build, build
from host_tools.cards.public_keys import SigningKey
from host_tools.games.table_view import TableView
from host_tools.sim.table.box_setup import set_up
from tests.support.laid import MATCHES, lay_down, lay_due
from tests.support.pico.engine import EmulatedBoard
from tests.support.pico.hands import DARK_MS, READY_MS, SwissHands, Turns, Watch
from tests.support.pico.image import FOLDER, file_of, find_firmware

TellLine = Callable[[str], None]


PARTS = ("menu", "taps", "signing", *MATCHES)
_DESK = SigningKey(bytes(31) + b"\x07")
_SIGNED_MS = 20_000
_GLANCE_MS = 20  # a box that is not stopped does not show its files


@dataclass(frozen=True)
class PicoFigure:
    """One row: what, the figure as people read it, and what it may be at most."""

    part: str
    what: str
    value: float
    unit: str
    most: float = math.inf

    @property
    def missed(self) -> bool:
        return self.value > self.most

    @property
    def text(self) -> str:
        return f"{self.value:,.{0 if self.unit == 'ms' else 1}f} {self.unit}"


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
        if part == "signing":
            return self._signing(storage)
        laid = MATCHES["swiss" if part == "taps" else part]
        table = lay_down(storage, laid, self._build)
        return self._taps(storage, table) if part == "taps" else self._resume(storage, part)

    def _menu(self, storage: Path) -> list[PicoFigure]:
        with self._on(storage) as (box, watch):
            first_ms = watch.first_picture()
            box.run_for(READY_MS)
            complete_ms = watch.changed_ms
            _until_there(box, storage / "own_key.1")  # a new box makes it meanwhile
            box.run_for(READY_MS)
            return [
                PicoFigure("menu", "first picture from power", first_ms, "ms", 400),
                PicoFigure("menu", "menu complete from power", complete_ms, "ms"),
                *_heap(watch, "menu", "menu", 75),
            ]

    def _signing(self, storage: Path) -> list[PicoFigure]:
        """A new box makes its key; an enrolled one signs a match that waits for it."""
        made = self._work(storage, "making a key", "own_key.1")
        lay_due(storage, _DESK.public)
        return [*made, *self._work(storage, "a signature", "m000001.end")]

    def _work(self, storage: Path, what: str, name: str) -> list[PicoFigure]:
        with self._on(storage) as (box, watch):
            watch.first_picture()
            turns, began_ms = Turns(watch.pico), watch.pico.up_ms
            _until_there(box, storage / name)
            whole = (watch.pico.up_ms - began_ms) / 1000
            taken = turns.computed_ms
        row = partial(PicoFigure, "signing")
        return [
            row(f"{what}: turns", len(taken), ""),
            row(f"{what}: a turn, median", _mid(taken), "ms"),
            row(f"{what}: the longest turn", max(taken), "ms", 15),
            row(f"{what}: the longest turn that writes to the flash", max(turns.written_ms), "ms"),
            row(f"{what}: from the first picture on", whole, "s", 2),
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
            *_times("tap to verdict's last pixel", hands.verdict_ms, (60, 85)),
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


def _until_there(box: TwinSession, file: Path) -> None:
    """TwinError if the box does not write it."""
    for _ in range(_SIGNED_MS // _GLANCE_MS):
        if file.exists():
            return
        box.run_for(_GLANCE_MS)
    raise TwinError(f"There is no {file.name}.")


def _heap(watch: Watch, part: str, name: str, most: float = math.inf) -> list[PicoFigure]:
    """What a collection now would leave."""
    heap = watch.pico.heap()
    row = partial(PicoFigure, part)
    return [
        row(f"{name}: heap used", heap.used / 1000, "kB", most),
        row(f"{name}: heap free", heap.free / 1000, "kB"),
        row(f"{name}: largest", heap.largest / 1000, "kB"),
    ]


def rom_digest(rom: Path) -> str:
    """By which a box tells its firmware apart."""
    return hashlib.sha256(rom.read_bytes()).digest()[:8].hex()


def _times(
    what: str, taken: list[float], most: tuple[float, float] = (math.inf, math.inf)
) -> list[PicoFigure]:
    return [
        PicoFigure("taps", f"{what}, median of {len(taken)}", _mid(taken), "ms", most[0]),
        PicoFigure("taps", f"{what}, longest", max(taken), "ms", most[1]),
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
    for column in ("figure", "at most"):
        table.add_column(column, justify="right")
    for figure in figures:
        most = "" if math.isinf(figure.most) else f"{figure.most:g}"
        table.add_row(figure.what, figure.text, most)
    Console().print(table)
    missed = [figure.what for figure in figures if figure.missed]
    if missed:
        raise click.ClickException(f"Over the budget: {'; '.join(missed)}.")


if __name__ == "__main__":
    pico()
