"""The USB link of the box: one request in, one reply out; the box never speaks unasked (docs/link.md).

`Link.handlers` is a table `request name -> function(request dict) -> reply dict`; the app adds its own (screen, tag
operations, log, selftest) to those of this file (hello, status, matches, records, confirm, settings, key, time).
"""

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .journal import Journal
    from .settings import Settings


class Refused(Exception):
    """A handler says no: the arguments are a stable reason and a sentence for people."""


class Link:
    """`line` is drivers.usb_line.UsbLine: `readinto(buffer) -> int` (0 = nothing there, never blocks) and
    `write(data)`. `firmware` is the version text of the hello."""

    def __init__(
        self, line: "Any", journal: "Journal", settings: "Settings", firmware: str
    ) -> None:
        self.handlers: "dict[str, Callable[[dict[str, Any]], dict[str, Any]]]" = {}
        self.unix_offset_s = (
            0  # unix time minus ticks_ms // 1000 once the laptop has told it, else 0
        )

    def step(self, now_ms: int) -> None:
        """Read what is there, answer one request or send one piece of a reply; allocates nothing when idle."""
