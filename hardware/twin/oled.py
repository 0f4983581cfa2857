"""A 128×64 OLED on I2C: an SSD1306 or SH1106 that decodes what it is sent and shows the picture.

Commands: Solomon Systech SSD1306 rev 1.1, table 9; Sino Wealth SH1106 v2.3, table 6. Anything else
is an error.

Status byte: SSD1306 8.1.5 and SH1106 "read status", bit 6 while the display is off; the low four
bits are what modules were seen to answer (meshtastic/firmware, ScanI2CTwoWire).
"""

import random
from dataclasses import dataclass

from hardware.twin.errors import TwinError

WIDTH = 128
HEIGHT = 64
PAGES = HEIGHT // 8

_CONTROL_CONTINUE = 0x80
_CONTROL_DATA = 0x40
_PAGE_MODE = 2

# command -> number of argument bytes; ranges of commands are handled in `_command`
_ARGUMENTS = {0x81: 1, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1}
_ARGUMENTS_OF_MODEL = {
    "ssd1306": {0x20: 1, 0x21: 2, 0x22: 2, 0x8D: 1},
    "sh1106": {0xAD: 1},
}
_SAYS = {"ssd1306": 0x03, "sh1106": 0x08}
_OFF = 0x40  # of the status byte: the display is off
_PLAIN = frozenset({0xA4, 0xA5, 0xA6, 0xA7, 0xAE, 0xAF, 0xE3, 0x2E, 0xA0, 0xA1, 0xC0, 0xC8})


@dataclass(frozen=True)
class Picture:
    """What a person sees: `rows[y]` is an int whose bit 127 - x is the pixel at x, y."""

    rows: tuple[int, ...]

    def pixel(self, x: int, y: int) -> bool:
        """True if lit; (0, 0) is top left."""
        return bool(self.rows[y] >> (WIDTH - 1 - x) & 1)

    def text(self) -> str:
        """64 lines of 128 `#` and `.`, for tests and diffs."""
        return "\n".join(
            f"{row:0{WIDTH}b}".replace("0", ".").replace("1", "#") for row in self.rows
        )

    @property
    def dark(self) -> bool:
        """True if no pixel is lit."""
        return not any(self.rows)


DARK = Picture((0,) * HEIGHT)
# bit -> for every byte the digit that the bit is
_DIGITS = tuple(bytes(b"01"[byte >> bit & 1] for byte in range(256)) for bit in range(8))


@dataclass
class Oled:
    """The controller. `model` is `ssd1306` (128 columns of RAM) or `sh1106` (132, the glass shows
    2 to 129).
    """

    model: str = "ssd1306"
    present: bool = True
    address: int = 0x3C
    says: int | None = None  # low bits of the status byte, of a module unlike its kind
    max_hz: int = 1_000_000  # of its bus; the data sheets promise 400 kHz
    garbles: bool = False  # above that: acknowledges, and takes in something else
    pump: bool = True  # the charge pump that lights the glass
    data_bytes: int = 0  # bytes of picture data received so far

    def __post_init__(self) -> None:
        if self.model not in _ARGUMENTS_OF_MODEL:
            raise TwinError(f"There is no OLED model {self.model!r}: ssd1306 or sh1106.")
        self._wide = 132 if self.model == "sh1106" else WIDTH
        self._offset = 2 if self.model == "sh1106" else 0
        self._arguments = {**_ARGUMENTS, **_ARGUMENTS_OF_MODEL[self.model]}
        self._ram = [bytearray(self._wide) for _ in range(PAGES)]
        self._reset()

    def _reset(self) -> None:
        """The settings of the tables of reset values."""
        self.on = self._inverse = self._all_on = False
        self.contrast = 0x7F
        # A0 and C0: on these modules segment 0, which is column 0, is the right edge
        self._mirrored = self._upside_down = True
        self._start_line = self._page = self._column = 0
        self._mode = _PAGE_MODE
        self._columns, self._pages = (0, WIDTH - 1), (0, PAGES - 1)
        self._pending: list[int] = []

    def status(self) -> int:
        """The status byte."""
        says = _SAYS[self.model] if self.says is None else self.says
        return says | (0 if self.on else _OFF)

    def power_up(self) -> None:
        """Fresh from power-up, or from a dip of the supply that reset it: noise in the memory,
        settings as in the tables of reset values, and dark.
        """
        self.snow()
        self._reset()
        self.pump = self.model == "sh1106"

    def lose_settings(self) -> None:
        """A discharge has garbled the registers; the display stays on."""
        self._inverse = not self._inverse
        self._mirrored = not self._mirrored
        self._start_line = 21
        self.contrast = 0

    def snow(self) -> None:
        """The memory is noise."""
        # another noise each time, and the same in every run
        noise = random.Random(self.data_bytes)
        self._ram = [bytearray(noise.randbytes(self._wide)) for _ in range(PAGES)]

    def acknowledges(self, hertz: int) -> bool:
        """Does it answer to its address at this speed of the bus?"""
        return self.present and (hertz <= self.max_hz or self.garbles)

    def hear(self, data: bytes, hertz: int) -> None:
        """One I2C write at this speed. Too fast for it, commands are lost and pictures spoilt."""
        if hertz <= self.max_hz:
            self.write(data)
        # every other byte is spoilt; the first stays, since it says that these are picture data
        elif data[0] == _CONTROL_DATA:
            self.write(bytes(b if at % 2 == 0 else b ^ 0x18 for at, b in enumerate(data)))

    def write(self, data: bytes) -> None:
        """One I2C write: control byte, then commands or picture data (SSD1306 8.1.5.2)."""
        position = 0
        while position < len(data):
            control = data[position]
            if control & ~(_CONTROL_CONTINUE | _CONTROL_DATA):
                raise TwinError(f"The OLED got the control byte {control:#04x}.")
            single = bool(control & _CONTROL_CONTINUE)
            end = position + 2 if single else len(data)
            self._take(bool(control & _CONTROL_DATA), data[position + 1 : end])
            position = end

    def picture(self) -> Picture:
        """What the glass shows now."""
        if not (self.on and self.pump):
            return DARK
        full = (1 << WIDTH) - 1
        if self._all_on:
            return Picture((full,) * HEIGHT)
        rows = tuple(self._row(y) for y in range(HEIGHT))
        return Picture(tuple(row ^ full for row in rows) if self._inverse else rows)

    def _row(self, y: int) -> int:
        line = HEIGHT - 1 - y if self._upside_down else y
        line = (line + self._start_line) % HEIGHT
        cells = self._ram[line // 8][self._offset : self._offset + WIDTH]
        if self._mirrored:
            cells.reverse()
        return int(cells.translate(_DIGITS[line % 8]), 2)

    def _take(self, is_data: bool, data: bytes) -> None:
        if not is_data:
            for byte in data:
                self._command(byte)
            return
        self.data_bytes += len(data)
        for byte in data:
            if self._column < self._wide:
                self._ram[self._page][self._column] = byte
            self._next_column()

    def _next_column(self) -> None:
        if self.model == "sh1106":
            self._column += 1  # stops at the end, SH1106 section "Page address"
            return
        first, last = self._columns
        if self._column != last:
            self._column = (self._column + 1) % self._wide
            return
        self._column = first
        if self._mode != _PAGE_MODE:
            self._page = self._pages[0] if self._page == self._pages[1] else self._page + 1

    def _command(self, byte: int) -> None:
        if self._pending:
            self._pending.append(byte)
        elif byte in self._arguments:
            self._pending = [byte]
        else:
            self._simple(byte)
        if self._pending and len(self._pending) > self._arguments[self._pending[0]]:
            command, *arguments = self._pending
            self._pending = []
            self._with_arguments(command, arguments)

    def _simple(self, byte: int) -> None:
        if byte < 0x10:
            self._column = self._column & 0xF0 | byte
        elif byte < 0x20:
            self._column = self._column & 0x0F | (byte & 0x0F) << 4
        elif 0x40 <= byte < 0x80:
            self._start_line = byte & 0x3F
        elif 0xB0 <= byte <= 0xB7:
            self._page = byte & 7
        elif byte in _PLAIN:
            self._switch(byte)
        elif self.says is None:  # else a firmware has been misled, and the chip passes over it
            raise TwinError(f"The OLED ({self.model}) does not know the command {byte:#04x}.")

    def _switch(self, byte: int) -> None:
        value = bool(byte & 1)
        if byte >> 1 == 0xAE >> 1:
            self.on = value
        elif byte >> 1 == 0xA6 >> 1:
            self._inverse = value
        elif byte >> 1 == 0xA4 >> 1:
            self._all_on = value
        elif byte >> 1 == 0xA0 >> 1:
            self._mirrored = not value
        elif byte in (0xC0, 0xC8):
            self._upside_down = byte == 0xC0

    def _with_arguments(self, command: int, arguments: list[int]) -> None:
        if command == 0x81:
            self.contrast = arguments[0]
        elif command == 0x8D:
            self.pump = bool(arguments[0] & 4)
        elif command == 0x20:
            self._mode = arguments[0] & 3
        elif command == 0x21:
            self._columns = (arguments[0] & 0x7F, arguments[1] & 0x7F)
            self._column = self._columns[0]
        elif command == 0x22:
            self._pages = (arguments[0] & 7, arguments[1] & 7)
            self._page = self._pages[0]
