"""NTAG213/215/216 and their like, through a PN532 that has listed the card (NXP NTAG21x rev 3.2).

A page is four bytes; user memory begins at page 4. FAST_READ, GET_VERSION and READ_SIG go through
InCommunicateThru, because the chip does not know them; READ and WRITE through InDataExchange,
because the chip then tells the card's ACK from its NAK.
"""

from micropython import const

from firmware.drivers.pn532 import commands, errors

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from firmware.drivers.pn532.chip import Pn532

PAGE = const(4)
FIRST_USER_PAGE = const(4)
CARD_BYTES = const(48)  # pages 4..15: one FAST_READ fetches a playing card

_READ = const(0x30)
_FAST_READ = const(0x3A)
_WRITE = const(0xA2)
_VERSION = const(0x60)
_SIGNATURE = const(0x3C)

_READ_BYTES = const(16)
_READ_PAGES = const(4)
_FAST_PAGES = const(12)  # 48 bytes and CRC fit the chip's 64-byte RF buffer
_VERSION_BYTES = const(8)
_SIGNATURE_BYTES = const(32)

_FAST_READ_CARD = commands.through(bytes((_FAST_READ, 4, 15)))
_READ_CARD = (
    commands.exchange(bytes((_READ, 4))),
    commands.exchange(bytes((_READ, 8))),
    commands.exchange(bytes((_READ, 12))),
)


class Ntag:
    """Commands to the one card that the chip has listed. All raise ReaderError."""

    def __init__(self, chip: "Pn532") -> None:
        self._chip = chip

    def read_card(self, into: bytearray, fast: bool) -> None:
        """Fetch the 48 bytes of pages 4..15, in one FAST_READ or in three READs."""
        if fast:
            self._fetch(_FAST_READ_CARD, CARD_BYTES, into, 0)
            return
        start = 0
        for command in _READ_CARD:
            self._fetch(command, _READ_BYTES, into, start)
            start += _READ_BYTES

    def read(self, first_page: int, count: int, fast: bool = True) -> bytes:
        """Return `count` pages from `first_page`."""
        data = bytearray(count * PAGE)
        step = _FAST_PAGES if fast else _READ_PAGES
        for done in range(0, count, step):
            part = self._read_part(first_page + done, min(step, count - done), fast)
            data[done * PAGE : done * PAGE + len(part)] = part
        return bytes(data)

    def version(self) -> bytes:
        """GET_VERSION, 8 bytes; byte 6 tells 213 (0F), 215 (11) and 216 (13) apart."""
        return self._answer(commands.through(bytes((_VERSION,))), _VERSION_BYTES)

    def signature(self) -> bytes:
        """READ_SIG: NXP's ECDSA signature over the UID, 32 bytes."""
        return self._answer(commands.through(bytes((_SIGNATURE, 0))), _SIGNATURE_BYTES)

    def write_page(self, page: int, data: "bytes | bytearray") -> None:
        """Write four bytes to one page. The card's NAK (a locked page) is ExchangeFailed."""
        self._chip.call(
            commands.exchange(bytes((_WRITE, page)) + bytes(data)), commands.EXCHANGE_MS
        )
        self._chip.check_status()

    def write(self, first_page: int, data: bytes, fast: bool = True) -> None:
        """Write whole pages, then read them back. VerifyMismatch if they differ."""
        for place in range(0, len(data), PAGE):
            self.write_page(first_page + place // PAGE, data[place : place + PAGE])
        self._verify(first_page, data, fast)

    def write_record(self, data: bytes, length_at: int, fast: bool = True) -> None:
        """Write user memory from page 4 so that a card pulled away never shows a half record.

        `length_at`: place of the NDEF TLV's length byte in `data`. It is 0 while the rest is
        written and gets its value last; then everything is compared (T2T 1.0, section 6.4.3).
        """
        start = length_at - length_at % PAGE
        head = bytearray(data[start : start + PAGE])
        head[length_at - start] = 0
        self.write_page(FIRST_USER_PAGE + start // PAGE, head)
        for place in range(0, len(data), PAGE):
            if place != start:
                self.write_page(FIRST_USER_PAGE + place // PAGE, data[place : place + PAGE])
        self.write_page(FIRST_USER_PAGE + start // PAGE, data[start : start + PAGE])
        self._verify(FIRST_USER_PAGE, data, fast)

    def _verify(self, first_page: int, data: bytes, fast: bool) -> None:
        if self.read(first_page, len(data) // PAGE, fast) != data:
            raise self._chip.explained(errors.VerifyMismatch("the tag reads back differently"))

    def _read_part(self, page: int, count: int, fast: bool) -> bytes:
        if fast:
            command = commands.through(bytes((_FAST_READ, page, page + count - 1)))
            return self._answer(command, count * PAGE)
        command = commands.exchange(bytes((_READ, page)))
        return self._answer(command, _READ_BYTES)[: count * PAGE]

    def _answer(self, command: bytes, size: int) -> bytes:
        into = bytearray(size)
        self._fetch(command, size, into, 0)
        return bytes(into)

    def _fetch(self, command: bytes, size: int, into: bytearray, start: int) -> None:
        chip = self._chip
        chip.call(command, commands.EXCHANGE_MS)
        chip.check_status()
        if chip.size != 1 + size:
            raise chip.explained(errors.ExchangeFailed("the card's answer has the wrong length"))
        into[start : start + size] = chip.data[1 : 1 + size]
