"""A reader driven by the box's own driver code: on the twin, in the demo and in tests."""

from collections.abc import Callable
from typing import TypeVar

from firmware.drivers.ntag import Ntag
from firmware.drivers.pn532 import commands
from firmware.drivers.pn532.chip import Pn532
from firmware.drivers.pn532.errors import BROKEN, CardLeft, ExchangeFailed, ReaderError
from firmware.drivers.pn532.targets import Targets
from firmware.drivers.recovery import Recovery
from host_tools.core.errors import Exit, Sentence, UserError
from host_tools.provision.port import TagLost, TagRefused, TwoTags

_Result = TypeVar("_Result")
_PAUSE_MS = 50
_DARK_MS = 6  # a card forgets its state without field (ISO 14443-3: 5 ms)


class DriverPort:
    """A `Pn532` on any transport. `clock` is the driver's clock; it sleeps in `pause`."""

    def __init__(self, chip: Pn532) -> None:
        self._chip = chip
        self._clock = chip.clock
        self._tag = Ntag(chip)
        self._targets = Targets(chip.data)
        self._uid = b""
        self._slow_uid = b"-"  # the last tag that did not know FAST_READ
        self.signals: list[bool] = []
        if not Recovery(chip, chip.clock).start():
            raise UserError("reader_silent_wires", Exit.SYSTEM)

    def find(self) -> bytes | None:
        try:
            self._list()
        except ReaderError as error:
            raise _explained(error) from error
        if self._targets.count > 1:
            raise TwoTags
        if self._targets.count == 0:
            return None
        self._uid = self._targets.uid
        return self._uid

    def read(self, first_page: int, count: int) -> bytes:
        if self._uid != self._slow_uid:
            data = self._optional(lambda: self._tag.read(first_page, count))
            if data is not None:
                return data
            self._slow_uid = self._uid
        return self._do(lambda: self._tag.read(first_page, count, fast=False))

    def write_page(self, page: int, data: bytes) -> None:
        self._do(lambda: self._tag.write_page(page, data))

    def version(self) -> bytes | None:
        return self._optional(self._tag.version)

    def signature(self) -> bytes | None:
        return self._optional(self._tag.signature)

    def signal(self, good: bool) -> None:
        self.signals.append(good)

    def pause(self) -> None:
        self._clock.sleep_ms(_PAUSE_MS)

    def close(self) -> None:
        self._chip.call(commands.FIELD_OFF)

    def _list(self) -> None:
        """List from a dark field: then a resting card answers every time (nfc.md 2.7)."""
        self._chip.call(commands.FIELD_OFF)
        self._clock.sleep_ms(_DARK_MS)
        self._chip.call(commands.LIST_CARDS, commands.LIST_MS)
        if not self._targets.take(self._chip.size):
            raise CardLeft("the list of cards makes no sense")

    def _do(self, action: Callable[[], _Result]) -> _Result:
        try:
            return action()
        except ReaderError as error:
            raise _explained(error) from error

    def _optional(self, action: Callable[[], bytes]) -> bytes | None:
        """A command that clones lack: they fall silent, so the card is listed again."""
        try:
            return action()
        except (CardLeft, ExchangeFailed):
            if self.find() is None:
                raise TagLost(Sentence("tag_gone")) from None
            return None
        except ReaderError as error:
            raise _explained(error) from error


def _explained(error: ReaderError) -> Exception:
    """The port's error for a driver's."""
    if isinstance(error, CardLeft):
        return TagLost(Sentence("tag_gone"))
    if error.advice == BROKEN:
        return UserError("reader_failed", Exit.SYSTEM, detail=str(error))
    return TagRefused(Sentence("tag_page_locked"))
