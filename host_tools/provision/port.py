"""A reader as the provisioner sees it: the same few calls whatever lies behind them."""

from typing import Protocol

from card_tags import codec
from card_tags.errors import SHORT, TagError
from host_tools.provision.chips import CHIPS, FIRST_USER_PAGE, PAGE_BYTES

LARGEST = max(chip.user_bytes for chip in CHIPS)


class TagLost(Exception):
    """The tag left the reader or stopped answering: lay it on again."""


class TagRefused(Exception):
    """The tag said no: the page is locked or does not exist."""


class TwoTags(Exception):
    """More than one tag lies there: one at a time, please."""


class TagPort(Protocol):
    """One reader. Pages are four bytes; user memory begins at page 4.

    `read`, `write_page` and `version` raise TagLost and TagRefused. A broken or missing reader is
    a UserError with exit code 3 from any call.
    """

    def find(self) -> bytes | None:
        """The UID of the tag that lies there now, ready for reading; None if there is none.

        Raises TwoTags. Returns within half a second.
        """
        ...

    def read(self, first_page: int, count: int) -> bytes:
        """`count` pages as bytes."""
        ...

    def write_page(self, page: int, data: bytes) -> None:
        """Write four bytes; the tag has said that it took them."""
        ...

    def version(self) -> bytes | None:
        """GET_VERSION, 8 bytes; None if the tag does not know the command."""
        ...

    def signature(self) -> bytes | None:
        """READ_SIG, 32 bytes; None if the tag does not know the command."""
        ...

    def signal(self, good: bool) -> None:
        """Tell the person at the reader, by light or sound, if the reader can."""
        ...

    def pause(self) -> None:
        """Wait a moment between two calls of `find`."""
        ...

    def close(self) -> None:
        """Give the reader back."""
        ...


def user_memory(device: TagPort, most: int = LARGEST) -> bytes:
    """As much of the tag as its record needs, at most so many bytes."""
    # one FAST_READ has a whole playing card; longer records say how much they need
    data = device.read(FIRST_USER_PAGE, codec.CARD_BYTES // PAGE_BYTES)
    try:
        codec.decode(data)
    except TagError as error:
        if error.reason == SHORT:
            return device.read(FIRST_USER_PAGE, -(-min(error.needed, most) // PAGE_BYTES))
    return data
