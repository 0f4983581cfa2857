"""Lends the box's reader to the laptop: requests `tag_…` of the link (card_tags/FORMAT.md).

Only while no match is open. While the laptop asks, the box itself does not react to cards.
"""

import binascii

from micropython import const

from . import sounds
from .link import RequestError

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .seams import BoxApp

_LENT_MS = const(2000)  # after the last request the reader is the box's own again
_MOST_PAGES = const(60)
_PAGE_BYTES = const(4)
_BROKEN = const(2)  # advice of drivers.pn532.errors.ReaderError
# states of drivers.presence
_HELD = const(2)
_TWO = (5, 6)


class Lending:
    """`active(now_ms)` tells whether the laptop has the reader now."""

    def __init__(self, app: "BoxApp") -> None:
        self._app = app
        self._reader = app.hardware.reader
        self._until_ms = 0
        self._lent = False
        if app.hardware.link is not None:
            handlers = app.hardware.link.handlers
            handlers["tag_find"] = self._find
            handlers["tag_read"] = self._read
            handlers["tag_write"] = self._write
            handlers["tag_version"] = self._version
            handlers["tag_signature"] = self._signature
            handlers["tag_signal"] = self._signal

    def active(self, now_ms: int) -> bool:
        """True until two seconds after the last request, or until a match is opened."""
        if self._lent:
            left_ms = self._app.clock.ticks_diff(self._until_ms, now_ms)
            self._lent = left_ms > 0 and self._app.session is None
        return self._lent

    def _borrow(self) -> None:
        if self._app.session is not None:
            raise RequestError("in_match", "a match is open on this box")
        clock = self._app.clock
        self._until_ms = clock.ticks_add(clock.ticks_ms(), _LENT_MS)
        self._lent = True

    def _find(self, request: "dict[str, Any]") -> "dict[str, Any]":
        self._borrow()
        state = self._reader.presence.state
        if state in _TWO:
            raise RequestError("two_tags", "two tags lie there")
        uid = self._reader.uid if state == _HELD else b""
        return {"uid": _hex(uid) if uid else None}

    def _read(self, request: "dict[str, Any]") -> "dict[str, Any]":
        self._borrow()
        page, count = int(request["page"]), int(request["count"])
        if not 0 < count <= _MOST_PAGES or not 0 <= page <= 255:
            raise ValueError("page or count")
        return {"data": _hex(self._try(lambda: self._reader.read_user(page, count)))}

    def _write(self, request: "dict[str, Any]") -> "dict[str, Any]":
        self._borrow()
        page, data = int(request["page"]), binascii.unhexlify(request["data"])
        if len(data) != _PAGE_BYTES or not 0 <= page <= 255:
            raise ValueError("page or data")
        self._try(lambda: self._with_card(lambda: self._reader.tag.write_page(page, data)))
        return {}

    def _version(self, request: "dict[str, Any]") -> "dict[str, Any]":
        return self._optional(lambda: self._reader.tag.version())

    def _signature(self, request: "dict[str, Any]") -> "dict[str, Any]":
        return self._optional(lambda: self._reader.tag.signature())

    def _signal(self, request: "dict[str, Any]") -> "dict[str, Any]":
        self._borrow()
        self._app.sound(sounds.ACCEPTED if request["good"] else sounds.REFUSED)
        return {}

    def _optional(self, action: "Callable[[], bytes]") -> "dict[str, Any]":
        """A command that clones lack: null if the tag is there and does not answer it."""
        self._borrow()
        try:
            return {"data": _hex(self._try(lambda: self._with_card(action)))}
        except RequestError as refused:
            if refused.args[0] != "tag_refused":
                raise
            return {"data": None}

    def _with_card(self, action: "Callable[[], Any]") -> "Any":
        return self._reader.with_card(action)

    def _try(self, action: "Callable[[], Any]") -> "Any":
        """Do it; a fault becomes a refusal that says whether the tag still lies there."""
        fault = self._app.hardware.reader_fault
        try:
            return action()
        except fault as error:
            if getattr(error, "advice", 0) == _BROKEN:
                raise RequestError("reader", str(error)) from None
        try:
            self._with_card(_nothing)
        except fault:
            raise RequestError("tag_lost", "the tag went away") from None
        raise RequestError("tag_refused", "the tag does not take that")


def _nothing() -> None:
    """What `with_card` does when it only has to find the card."""


def _hex(data: bytes) -> str:
    return binascii.hexlify(data).decode()
