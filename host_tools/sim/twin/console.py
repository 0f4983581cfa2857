"""What a person can type while a box in software runs: lay tags, press buttons, pull plugs."""

import shutil
from collections.abc import Callable
from pathlib import Path

from hardware.twin.oled import HEIGHT, WIDTH, Picture
from hardware.twin.panel import PanelButton
from hardware.twin.picture import to_png, to_terminal
from hardware.twin.session import PRESS_MS, TwinSession
from hardware.twin.tags import NtagTwin
from host_tools.core.errors import Sentence, UserError, in_words
from host_tools.core.own_files import write_output
from host_tools.core.texts import ORIGINAL
from host_tools.sim.twin.tag import load, save

_TAP_US = 500_000
_BETWEEN_TAPS_US = 300_000  # a reader forgets a tag after 250 ms
_FRAME = 2
_LINES_BELOW = 3  # for what is typed
# the bits of a braille cell, row by row (Unicode 2800)
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
_CELL_WIDTH, _CELL_HEIGHT = 2, 4


def to_braille(picture: Picture) -> list[str]:
    """The OLED in small, two by four pixels a character: sixteen lines of 64."""
    return [
        "".join(_cell(picture, x, y) for x in range(0, WIDTH, _CELL_WIDTH))
        for y in range(0, HEIGHT, _CELL_HEIGHT)
    ]


def _cell(picture: Picture, x: int, y: int) -> str:
    bits = 0
    for row, dots in enumerate(_DOTS):
        for column, dot in enumerate(dots):
            if picture.pixel(x + column, y + row):
                bits |= dot
    return chr(0x2800 + bits)


def fitting(picture: Picture, columns: int, lines: int) -> str | None:
    """The picture as lines of equal width for a terminal of this size: half blocks, braille dots
    where they are too wide or too high, None where nothing fits.
    """
    room = lines - _FRAME - _LINES_BELOW
    # at 120 columns every line of half blocks wrapped
    if columns >= WIDTH + _FRAME and room >= HEIGHT // 2:
        return to_terminal(picture)
    if columns < WIDTH // 2 + _FRAME or room < HEIGHT // 4:
        return None
    edge = "─" * (WIDTH // 2)
    dots = [f"│{line}│" for line in to_braille(picture)]
    return "\n".join([f"┌{edge}┐", *dots, f"└{edge}┘"])


class TwinConsole:
    """Carries out typed commands on a session. `quit` calls `on_quit`. Tags that were written are
    stored.
    """

    def __init__(
        self,
        session: TwinSession,
        tag_folder: Path | None,
        on_quit: Callable[[], None],
        lang: str = ORIGINAL,
    ) -> None:
        self._session = session
        self._lang = lang
        self._folder = tag_folder
        self._tags: dict[Path, NtagTwin] = {}
        self._free_us = 0  # when the tag of the last tap is away and forgotten
        self._commands: dict[str, Callable[[list[str]], str]] = {
            "place": self._place,
            "remove": self._remove,
            "tap": self._tap,
            "press": self._press,
            "screen": self._screen,
            "plug": lambda words: self._cable(True),
            "unplug": lambda words: self._cable(False),
            "power": self._power,
            "help": lambda words: Sentence("console_help"),
            "quit": lambda words: self._quit(on_quit),
        }

    def do(self, line: str) -> str:
        """Carry out one line and return what to print. Never raises for what a person mistypes."""
        command, *words = line.split() or ["help"]
        action = self._commands.get(command)
        if action is None:
            return Sentence("console_unknown", name=command).said(self._lang)
        try:
            return in_words(action(words), self._lang)
        except UserError as error:
            return error.sentence.said(self._lang)

    def store(self) -> None:
        """Keep what the box wrote onto tags."""
        for path, tag in self._tags.items():
            save(tag, path)

    def _place(self, words: list[str]) -> str:
        self._session.field.place(self._tag(words))
        return ""

    def _remove(self, words: list[str]) -> str:
        if words:
            self._session.field.remove(self._tag(words))
        else:
            self._session.field.clear()
        return ""

    def _tap(self, words: list[str]) -> str:
        tag = self._tag(words)
        clock, field = self._session.box.clock, self._session.field
        # several taps that were pasted at once come one after the other
        start_us = max(clock.now_us, self._free_us)
        self._free_us = start_us + _TAP_US + _BETWEEN_TAPS_US
        if start_us == clock.now_us:
            field.place(tag)
        else:
            clock.at(start_us, lambda: field.place(tag))
        clock.at(start_us + _TAP_US, lambda: field.remove(tag))
        return ""

    def _press(self, words: list[str]) -> str:
        names = [button.name.lower() for button in PanelButton]
        if not words or words[0] not in names:
            raise UserError("console_buttons", ids=names)
        if words[1:] and not words[1].isdecimal():
            raise UserError("console_no_number", text=words[1])
        self._session.press(words[0], int(words[1]) if words[1:] else PRESS_MS)
        return ""

    def _screen(self, words: list[str]) -> str:
        if not words:
            size = shutil.get_terminal_size((WIDTH + _FRAME, 2 * HEIGHT))  # a pipe takes it whole
            text = fitting(self._session.screen(), size.columns, 2 * HEIGHT)  # lines may scroll
            return text or Sentence("console_narrow")
        write_output(Path(words[0]), to_png(self._session.screen()))
        return Sentence("console_stored", path=words[0])

    def _cable(self, plugged: bool) -> str:
        usb = self._session.box.usb
        if plugged:
            usb.plug()
        else:
            usb.unplug()
        return ""

    def _power(self, words: list[str]) -> str:
        self._session.reboot()
        return Sentence("console_boots")

    @staticmethod
    def _quit(on_quit: Callable[[], None]) -> str:
        on_quit()
        return ""

    def _tag(self, words: list[str]) -> NtagTwin:
        if not words:
            raise UserError("console_which_tag")
        path = self._find(words[0])
        if path not in self._tags:
            self._tags[path] = load(path)
        return self._tags[path]

    def _find(self, name: str) -> Path:
        """The file itself, or the one in the tag folder with this name or stem."""
        if Path(name).is_file() or self._folder is None:
            return Path(name)
        for path in sorted(self._folder.iterdir()):
            if name in (path.name, path.stem):
                return path
        raise UserError("console_no_tag", name=name, path=self._folder)
