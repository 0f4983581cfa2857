"""A 128 x 64 OLED with an SSD1306, SSD1309 or SH1106 on I2C: only the pages that changed are sent.

A page is 8 rows of 128 columns, one byte a column, the lowest bit on top: the same order as a
`framebuf` in MONO_VLSB. Pages are addressed one by one, because the SH1106 has no other mode; its
memory is 132 columns wide, and its glass begins at column 2 (SH1106 data sheet, section "page
address"). A display that is not there never stops the box: faults are counted and sending is tried
again with a fresh set-up.
"""

import framebuf
from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from firmware.drivers.seams import I2cLike

WIDTH = const(128)
HEIGHT = const(64)
ADDRESS = const(0x3C)
SSD1306 = const(0)  # and SSD1309
SH1106 = const(1)

# what `fault` says
FINE = const(0)
NOT_THERE = const(1)  # the address is not acknowledged: wire off, or no display
STUCK = const(2)  # the bus timed out: SDA or SCL is held low

_ETIMEDOUT = const(110)
_PAGES = const(8)
_COMMANDS = const(0x00)  # control byte: commands follow
_PICTURE = const(0x40)  # control byte: picture bytes follow
_CONTRAST = const(0x81)
_ON = const(0xAF)
_PAGE = const(0xB0)
_COLUMN_HIGH = const(0x10)

# SSD1306 rev 1.1 table 9, SH1106 v2.3 table 6
_SET_UP = (
    b"\x00"  # control byte: commands follow
    b"\xae"  # off
    b"\xd5\x80"  # clock
    b"\xa8\x3f"  # 64 rows
    b"\xd3\x00"  # no vertical shift
    b"\x40"  # first row
    b"\xa1"  # columns from left to right
    b"\xc8"  # rows from top to bottom
    b"\xda\x12"  # wiring of the rows
    b"\xd9\xf1"  # precharge
    b"\xdb\x40"  # deselect level
    b"\xa4"  # show the memory
    b"\xa6"  # a 1 is lit
)
# by controller: what it needs beside that, and the first column of its glass
_SSD1306_SET_UP = b"\x8d\x14\x20\x02\x2e"  # charge pump on, page addressing, no scrolling
_SH1106_SET_UP = b"\xad\x8b"  # charge pump on
_CONTROLLERS = ((_SSD1306_SET_UP, 0), (_SH1106_SET_UP, 2))


class Display:
    """Draw on `frame` (a FrameBuffer, 128 x 64, one bit), then call `show`."""

    def __init__(self, bus: "I2cLike", address: int = ADDRESS, controller: int = SSD1306) -> None:
        """`controller`: SSD1306 (also for SSD1309) or SH1106."""
        own_commands, first_column = _CONTROLLERS[controller]
        self._bus = bus
        self._address = address
        self._picture = bytearray(WIDTH * _PAGES)
        self.frame = framebuf.FrameBuffer(self._picture, WIDTH, HEIGHT, framebuf.MONO_VLSB)
        self._sent = bytearray(WIDTH * _PAGES)
        self._pages = self._views(self._picture)
        self._sent_pages = self._views(self._sent)
        self._line = bytearray(1 + WIDTH)
        self._line[0] = _PICTURE
        self._place = bytearray(
            (_COMMANDS, _PAGE, first_column & 0x0F, _COLUMN_HIGH | first_column >> 4)
        )
        self._commands = _SET_UP + own_commands
        self._contrast = bytearray((_COMMANDS, _CONTRAST, 0xCF))
        self._must_set_up = True
        self.errors = 0
        self.fault = FINE

    def show(self) -> bool:
        """Send the pages that changed, about 3 ms each at 400 kHz. False: see `fault`."""
        try:
            if self._must_set_up:
                self._set_up()
            for page in range(_PAGES):
                if self._pages[page] != self._sent_pages[page]:
                    self._send(page)
        except OSError as error:
            self._note(error)
            return False
        self.fault = FINE
        return True

    def contrast(self, level: int) -> bool:
        """Set the brightness, 0 to 255; kept over a new set-up. False: see `fault`."""
        self._contrast[2] = level
        return self._must_set_up or self._try(self._contrast)

    def _set_up(self) -> None:
        self._bus.writeto(self._address, self._commands)
        self._bus.writeto(self._address, self._contrast)
        for page in range(_PAGES):
            self._send(page)  # its memory is noise after power-up
        self._bus.writeto(self._address, bytes((_COMMANDS, _ON)))
        self._must_set_up = False

    def _send(self, page: int) -> None:
        self._place[1] = _PAGE | page
        self._line[1:] = self._pages[page]
        self._bus.writeto(self._address, self._place)
        self._bus.writeto(self._address, self._line)
        self._sent_pages[page][:] = self._pages[page]

    def _try(self, command: "bytes | bytearray") -> bool:
        try:
            self._bus.writeto(self._address, command)
        except OSError as error:
            self._note(error)
            return False
        return True

    def _note(self, error: OSError) -> None:
        self.errors += 1
        self.fault = STUCK if error.args[0] == _ETIMEDOUT else NOT_THERE
        self._must_set_up = True

    @staticmethod
    def _views(picture: bytearray) -> "tuple[memoryview, ...]":
        whole = memoryview(picture)
        return tuple([whole[page * WIDTH : (page + 1) * WIDTH] for page in range(_PAGES)])
