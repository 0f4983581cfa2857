"""The budgets of the box, measured on an emulated Pico with flash times (docs/reliability.md):
`make budgets`, or `python -m bench.emulated_pico --help`.

Nobody talks to the box meanwhile and nothing of ours runs on it: times are those of its display,
the heap is looked at from outside. So a match is not played from the menu, but resumed.
"""

import hashlib
import json
import os
import statistics
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from card_tags.seal import box_key
from firmware.app import checkpoint
from firmware.app.flash import Flash
from firmware.app.journal import Journal
from firmware.games import open_match
from firmware.rules.answers import Pairs, write_answer, write_json
from hardware.twin.errors import TwinError
from hardware.twin.picture import below_bar
from hardware.twin.session import TwinSession
from host_tools.box.firmware.build import ROM, Build, build, firmware_version
from host_tools.cards.decks import load_deck
from host_tools.core.json_types import Json
from host_tools.games import game_of
from host_tools.games.table import TableView
from host_tools.sim.demo.dry_run import TAP_MS, command_of, dealt
from host_tools.sim.table.box_setup import set_up
from host_tools.sim.table.tags import LEAGUE_KEY, TagTray
from tests.support.pico.engine import EmulatedBoard, PicoEngine

TellLine = Callable[[str], None]
BOX = "e6614c311b000000"  # the id of the twin with seed 0
LONG_NAME = "Maximilian-Alexander von Hohen"  # letters that fit on a badge
_DARK_MS = 20_000
_READY_MS = 1_000
_ANSWER_MS = 3_000
_READ_MS = 350  # a card lies so long after its verdict
_GONE_MS = 400  # also behind a press, whose record is then written and its erase done
_TAPS = 20  # verdicts
_BEHIND = 31  # commands behind a checkpoint: one more, and the next would have been written


@dataclass(frozen=True)
class Laid:
    """A match that is laid down: the names of its row, its header, the seed of its deal, after how
    many commands the power went, how many of the clock there were for each of a player, and
    whether the box had written checkpoints.
    """

    name: str
    header: Json
    seed: int
    commands: int
    ticks: int = 0
    kept: bool = False


# the seeds: long matches between players who make no mistake
SWISS: Json = {"game": "trumpf", "preset": "swiss", "seats": 2, "deck": "gastro"}
CAFE: Json = {"game": "cafe", "preset": "board", "seats": 4}
MATCHES = {
    "swiss": Laid("Swiss, 32 cards", SWISS, 2, 31),
    "gastro": Laid("Gastro, eight seats", {**SWISS, "preset": "gastro", "seats": 8}, 1, 20),
    "cafe": Laid("Café", CAFE, 4, 66),
    "long": Laid("Swiss, 32 cards", SWISS, 2, 300),
    "long_cafe": Laid("Café", CAFE, 4, 300),
    "kept": Laid("Swiss, 32 cards, with checkpoints", SWISS, 2, 300, kept=True),
    "kept_cafe": Laid("Café, with checkpoints", CAFE, 4, 300, kept=True),
    "kept_1000": Laid("Swiss, 32 cards, with checkpoints", SWISS, 2, 1000, ticks=3, kept=True),
}
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
            box.run_for(_READY_MS)
            times = [("first picture", first_ms), ("menu complete", watch.changed_ms)]
            return [
                *[PicoFigure("menu", f"{what} from power", ms, "ms") for what, ms in times],
                *watch.heap("menu", "menu"),
            ]

    def _resume(self, storage: Path, part: str) -> list[PicoFigure]:
        laid = MATCHES[part]
        with self._on(storage) as (box, watch):
            watch.first_picture()
            box.run_until(lambda: watch.resumed(box), _DARK_MS)
            name = f"{laid.name}, {laid.commands} commands"
            resumed = PicoFigure(part, f"{name}: on the screen again", watch.changed_ms, "ms")
            return [resumed, *watch.heap(part, name)]

    def _taps(self, storage: Path, table: TableView) -> list[PicoFigure]:
        with self._on(storage) as (box, watch):
            watch.first_picture()
            box.run_until(lambda: watch.resumed(box), _DARK_MS)
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


class Watch:
    """Looks at every write to the display. `changed_ms`: milliseconds from power to the last
    change below the top bar, in which the clock runs.
    """

    def __init__(self, box: TwinSession) -> None:
        assert isinstance(box.engine, PicoEngine)
        self._box = box
        self._pico = box.engine
        self._pico.parts.on_drawn = self._drawn
        self._rows = below_bar(box.screen())
        self.changed_ms = 0.0
        self.times: list[float] = []

    def _drawn(self) -> None:
        rows = below_bar(self._box.screen())
        if rows != self._rows:
            self._rows = rows
            self.changed_ms = self._pico.up_ms
            self.times.append(self.changed_ms)

    def first_picture(self) -> float:
        """Run until something is shown; milliseconds from power."""
        box = self._box
        if not box.run_until(lambda: not box.screen().dark, _DARK_MS):
            raise TwinError("The screen stays dark.")
        return self.times[0]

    def resumed(self, box: TwinSession) -> bool:
        """The box has said with a tone that the match is there, and has drawn it: a picture tells
        before that it is being resumed.
        """
        return bool(box.sounds) and self._pico.up_ms - self.changed_ms > _READY_MS

    def heap(self, part: str, name: str) -> list[PicoFigure]:
        """What a collection now would leave."""
        heap = self._pico.heap()
        sizes = [("heap used", heap.used), ("heap free", heap.free), ("largest", heap.largest)]
        return [PicoFigure(part, f"{name}: {what}", size / 1000, "kB") for what, size in sizes]


class SwissHands:
    """Lay cards and press OK in a resumed Swiss match; note how long every card took."""

    def __init__(self, box: TwinSession, watch: Watch, table: TableView) -> None:
        self._box = box
        self._watch = watch
        self._table = table
        self._tray = TagTray()
        for one in game_of(table.header).tag_sets(table.header):
            self._tray.fill(list(one.items))
        self.first_ms: list[float] = []
        self.last_ms: list[float] = []
        self.verdict_ms: list[float] = []  # of them, those that end a round, and the others
        self.card_ms: list[float] = []
        self.with_erase_ms: list[float] = []  # those that an erase kept waiting
        self.erases = 0
        for button in ("ok", "jury", "ok"):  # the news of the restart; the clock runs again
            self._press(button)

    def play_on(self, verdicts: int = _TAPS) -> None:
        """So many rounds. The category is always the first one: OK chooses it."""
        table = self._table
        while len(self.verdict_ms) < verdicts and not table.match.over():
            act = table.act()
            if act.do == "tap":
                self._lay(act.fields["card"])
                command = command_of(act, table.match.t_ms)
            else:
                self._press("ok")
                command = {"t": table.match.t_ms, "do": act.do, "category": 0}
            answer = table.play(command)
            if "refused" in answer:
                raise TwinError(f"The rules refuse {command}.")
            won = any(event["is"] == "round_won" for event in answer.get("events", ()))
            if act.do == "tap":
                (self.verdict_ms if won else self.card_ms).append(self.last_ms[-1])
            if won:
                self._press("ok")  # the verdict is read

    def _lay(self, code: str) -> None:
        box, watch = self._box, self._watch
        pico = box.engine
        assert isinstance(pico, PicoEngine)
        start_ms, erases = pico.up_ms, pico.work.erases
        watch.times.clear()
        box.field.place(self._tray[code])
        if not box.run_until(lambda: bool(watch.times), _ANSWER_MS):
            raise TwinError(f"The screen does not answer to {code}.")
        waited = pico.work.erases > erases
        box.run_for(_READ_MS)
        last_ms = watch.times[-1] - start_ms
        self.first_ms.append(watch.times[0] - start_ms)
        self.last_ms.append(last_ms)
        if waited:
            self.with_erase_ms.append(last_ms)
        self.erases += pico.work.erases - erases
        box.field.remove(self._tray[code])
        box.run_for(_GONE_MS)

    def _press(self, button: str) -> None:
        self._box.press(button)
        self._box.run_for(_GONE_MS)


def lay_down(storage: Path, laid: Laid, build: str = "") -> TableView:
    """The journal of a match whose power went, with the checkpoint that this build would have
    written if it was asked for; returns the table as it stands then.
    """
    header = {"schiri": 1, **laid.header}
    header["names"] = [f"{LONG_NAME} {seat + 1}" for seat in range(header["seats"])]
    whole = dict(header)
    if "deck" in header:
        whole["deck"] = load_deck(header["deck"])
    whole = game_of(whole).resolved(whole)
    if "board" in whole:
        header["board"] = "cafe"
    table = dealt(whole, laid.seed, faultless=True)
    match = open_match(whole)
    journal = Journal(Flash(str(storage)), BOX, bytes, lambda: box_key(LEAGUE_KEY, BOX))
    journal.open_match(json.dumps(header))
    t_ms = 0
    for number in range(laid.commands):
        if number % (laid.ticks + 1) < laid.ticks:
            t_ms += 1
            command: Json = {"t": t_ms, "do": "tick"}
        else:
            t_ms += TAP_MS
            command = command_of(table.act(), t_ms)
        answer = match.apply(command)
        table.play(command)
        journal.append(write_json(Pairs(list(command.items()))), write_answer(answer))
        if laid.kept and number + 1 == laid.commands - _BEHIND:
            checkpoint.write(journal, match, build)
    return table


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

FOLDER = "SCHIRI_UF2"
"""Names the folder that holds the images of `make image` or of a release."""
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


def file_of(board: str) -> str:
    """What `make image` calls it."""
    return f"schiri-{firmware_version()}-RPI_{board.upper()}.uf2"


def find_firmware(place: Path | None, board: str) -> Path | None:
    """The file that is named, or the board's in the folder that is named; None if none is."""
    place = place or (Path(os.environ[FOLDER]) if os.environ.get(FOLDER) else None)
    if place is None:
        return None
    return place / file_of(board) if place.is_dir() else place


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
