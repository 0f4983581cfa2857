"""A 128 x 64 OLED with an SSD1306, SSD1309 or SH1106 on I2C: only what changed of a page is sent.

A page is 8 rows of 128 columns, one byte a column, the lowest bit on top: the same order as a
`framebuf` in MONO_VLSB. Pages are addressed one by one, because the SH1106 has no other mode; its
memory is 132 columns wide, and its glass begins at column 2 (SH1106 data sheet, section "page
address"). Address and controller are found when the display is set up. One that is not there never
stops the box: faults are counted and it is tried again. One that has forgotten its settings or its
picture gets both again, a piece at a time (docs/decisions/screens.md).

The data sheets promise 400 kHz. Most controllers bear 1 MHz: it is used where they are seen to do
what they are told at it, and not again after a fault (docs/decisions/tap.md).
"""

import framebuf
from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.drivers.seams import Clock, I2cLike, PinLike

    # what opens the bus (True: at the speed that no data sheet promises), and its SCL and SDA as
    # open-drain pins, to free it
    OpenBus = tuple[Callable[[bool], I2cLike], Callable[[], tuple[PinLike, PinLike]]]

WIDTH = const(128)
HEIGHT = const(64)
ADDRESS = const(0x3C)
OTHER_ADDRESS = const(0x3D)  # with its address pin or resistor on the other side
FOUND = const(-1)
SSD1306 = const(0)  # and SSD1309
SH1106 = const(1)

# what `fault` says
FINE = const(0)
NOT_THERE = const(1)  # no address is acknowledged: wire off, or no display
STUCK = const(2)  # the bus timed out: SDA or SCL is held low

_ETIMEDOUT = const(110)
_PAGES = const(8)
_COMMANDS = const(0x00)  # control byte: commands follow
_PICTURE = const(0x40)  # control byte: picture bytes follow
_PAGE = const(0xB0)
_COLUMN_HIGH = const(0x10)
_IS_OFF = const(0x40)  # of the status byte (SSD1306 8.1.5, SH1106 v2.3 section "read status")
_REFRESH_MS = const(200)  # settings and one page: all eight in 1.6 s
_RETRY_MS = const(1000)  # a bus that is stuck costs its time-out at every try

_NO_COMMAND = b"\x00"
_OFF_COMMAND = b"\x00\xae"
_ON_COMMAND = b"\x00\xaf"  # once the memory is no longer noise
# SSD1306 rev 1.1 table 9, SH1106 v2.3 table 6
_SETTINGS = (
    b"\x00"  # control byte: commands follow
    b"\xd5\x80"  # clock
    b"\xa8\x3f"  # 64 rows
    b"\xd3\x00"  # no vertical shift
    b"\x40"  # first row
    b"\xa1"  # columns from left to right
    b"\xc8"  # rows from top to bottom
    b"\xda\x12"  # wiring of the rows
    b"\x81\xcf"  # contrast
    b"\xd9\xf1"  # precharge
    b"\xdb\x40"  # deselect level
    b"\xa4"  # show the memory
    b"\xa6"  # a 1 is lit
)
# by controller: what it needs beside that, and the first column of its glass
_SSD1306_SETTINGS = b"\x8d\x14\x20\x02\x2e"  # charge pump on, page addressing, no scrolling
_SH1106_SETTINGS = b"\xad\x8b"  # charge pump on
_STRIP = const(16)  # columns that are compared at once: 0.4 ms on the bus
_PROOFS = const(2)  # times that it is switched off and on at 1 MHz
_EIO = const(5)
_CONTROLLERS = ((_SSD1306_SETTINGS, 0), (_SH1106_SETTINGS, 2))


class Display:
    """Draw on `frame` (a FrameBuffer, 128 x 64, one bit), then call `show`, and `step` often.

    `sides` are the seats that look at it, 0 in the south and 1 in the north, in the order in which
    their pictures are to be drawn and shown (`TwoScreens` has both).
    """

    sides = (0,)

    def __init__(
        self,
        bus: "OpenBus",
        clock: "Clock",
        controller: int = FOUND,
        shared: "Display | None" = None,
        may_be_fast: bool = True,
    ) -> None:
        """`controller`: SSD1306, SH1106, or FOUND by its status byte. `shared` is a display whose
        frame this one shows, too. `may_be_fast`: 1 MHz is tried.
        """
        self._open_bus = bus
        self._bus = bus[0](False)
        self.may_be_fast = may_be_fast
        self.is_fast = False
        self._clock = clock
        self.controller = controller
        self.address = ADDRESS
        self.status = bytearray(1)  # as last read
        if shared is None:
            self._picture = bytearray(WIDTH * _PAGES)
            self.frame = framebuf.FrameBuffer(self._picture, WIDTH, HEIGHT, framebuf.MONO_VLSB)
        else:
            self._picture = shared._picture
            self.frame = shared.frame
        sent = bytearray((1 + WIDTH) * _PAGES)
        self._pages = _views(self._picture, WIDTH)
        # what was shown last: its pages, each behind its control byte
        self._sent = _views(sent, 1 + WIDTH)
        for line in self._sent:
            line[0] = _PICTURE
        self._place = bytearray((_COMMANDS, _PAGE, 0, _COLUMN_HIGH))
        self._glass = 0  # first column of its memory that is seen
        self._commands = b""
        self._must_set_up = True
        self._due_ms = clock.ticks_ms()
        self._turn = 0
        self.errors = 0
        self.mended = 0  # times it had switched itself off and got everything again
        self.fault = FINE

    def show(self, side: int = 0) -> bool:
        """Send of each page what lies between its first change and its last, about 3 ms for a
        whole one at 400 kHz, 1.3 at 1 MHz. False: see `fault`.
        """
        failed = False
        for page in range(_PAGES):
            new, shown = self._pages[page], self._sent[page][1:]
            if new != shown:
                first, behind = 0, WIDTH
                while new[first : first + _STRIP] == shown[first : first + _STRIP]:
                    first += _STRIP
                while new[behind - _STRIP : behind] == shown[behind - _STRIP : behind]:
                    behind -= _STRIP
                shown[:] = new
                if not self._must_set_up:
                    try:
                        self._send(page, first, behind)
                        self.fault = FINE
                    except OSError as error:
                        failed = not self._mended(error, page)
        return not failed and (not self._must_set_up or self._try())

    def step(self, now_ms: int) -> None:
        """When it is due, send the settings and one page again; what has lost its mind recovers
        within 1.8 s. A display with a fault is tried once a second.
        """
        if self._clock.ticks_diff(now_ms, self._due_ms) >= 0:
            self.check()

    def check(self) -> bool:
        """Ask now whether it is there and on, and mend it if not. False: see `fault`."""
        return self._try(-1)

    def _try(self, page: int = 0) -> bool:
        """Send everything after a fault, else with -1 what is due."""
        try:
            if self._must_set_up:
                self._set_up()
            elif page < 0:
                self._refresh()
            self.fault = FINE
        except OSError as error:
            return self._mended(error, page)
        if page < 0:
            self._due_ms = self._clock.ticks_add(self._clock.ticks_ms(), _REFRESH_MS)
        return True

    def _mended(self, error: OSError, page: int) -> bool:
        """What failed was `page`, or with -1 what was due. Was it the speed? At once again,
        without it; False: later.
        """
        self.errors += 1
        self._must_set_up = True
        if self.is_fast:
            self.may_be_fast = False
            return self._try(page)
        self.fault = STUCK if error.args[0] == _ETIMEDOUT else NOT_THERE
        self._due_ms = self._clock.ticks_add(self._clock.ticks_ms(), _RETRY_MS)
        return False

    def _set_up(self) -> None:
        """From the start: a bus that is free, an address that answers, settings, every page.

        As what it answers: 0, 8 and C are what SH1106 modules were seen to say, 3, 4, 6 and 7 what
        those with an SSD1306 do (meshtastic/firmware, ScanI2CTwoWire).
        """
        if self.fault == STUCK:
            from firmware.drivers.bus_recovery import free_bus

            free_bus(*self._open_bus[1](), self._clock)
        self._open(False)
        try:
            self._ask(ADDRESS)
        except OSError as error:
            if error.args[0] == _ETIMEDOUT:
                raise
            self._ask(OTHER_ADDRESS)
        if self.controller == FOUND:
            self.controller = SH1106 if self.status[0] & 0x0F in (0, 8, 12) else SSD1306
        own_commands, self._glass = _CONTROLLERS[self.controller]
        self._commands = _SETTINGS + own_commands
        self._bus.writeto(self.address, _OFF_COMMAND)
        self._bus.writeto(self.address, self._commands)
        for page in range(_PAGES):
            self._send(page)
        self._bus.writeto(self.address, _ON_COMMAND)
        self._must_set_up = False
        if self.may_be_fast:
            self._prove_fast()

    def _open(self, fast: bool) -> None:
        self._bus = self._open_bus[0](fast)
        self.is_fast = fast

    def _prove_fast(self) -> None:
        """Is it switched off and on at 1 MHz, and does it take a page? Asked at 400 kHz."""
        try:
            for _ in range(_PROOFS):
                for command in (_OFF_COMMAND, _ON_COMMAND):
                    self._open(True)
                    self._bus.writeto(self.address, command)
                    self._send(0)
                    self._open(False)
                    self._bus.readfrom_into(self.address, self.status)
                    if bool(self.status[0] & _IS_OFF) != (command is _OFF_COMMAND):
                        raise OSError(_EIO)
            self._open(True)
        except OSError:
            self.may_be_fast = False
            self._set_up()  # whatever it has taken for commands

    def _ask(self, address: int) -> None:
        """Read the status byte of the display at this address."""
        self.address = address
        self._bus.writeto(address, _NO_COMMAND)
        self._bus.readfrom_into(address, self.status)

    def _refresh(self) -> None:
        self._ask(self.address)
        if self.status[0] & _IS_OFF:
            self.mended += 1
            self._set_up()
            return
        self._bus.writeto(self.address, self._commands)
        self._bus.writeto(self.address, _ON_COMMAND)
        self._turn = (self._turn + 1) & 7
        self._send(self._turn)

    def _send(self, page: int, first: int = 0, behind: int = WIDTH) -> None:
        column = self._glass + first
        self._place[1] = _PAGE | page
        self._place[2] = column & 15
        self._place[3] = _COLUMN_HIGH | column >> 4
        self._bus.writeto(self.address, self._place)
        line = self._sent[page]
        if behind - first == WIDTH:  # no new view: this is the way of the idle refresh
            self._bus.writeto(self.address, line)
            return
        before = line[first]
        line[first] = _PICTURE  # for as long as this part goes out
        try:
            self._bus.writeto(self.address, line[first : behind + 1])
        finally:
            line[first] = before


def _views(pages: bytearray, size: int) -> "tuple[memoryview, ...]":
    """A view of each page of `size` bytes."""
    whole = memoryview(pages)
    return tuple([whole[page * size : (page + 1) * size] for page in range(_PAGES)])
