"""House rules on a tag: a record behind that of a deck card or table card (FORMAT.md, *House
rules*). Only loaded when one is read or written.
"""

from collections import namedtuple

from micropython import const

from card_tags.framing import find_message, read_head
from card_tags.wire import WireReader

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import NamedTuple

    from card_tags.writer import Writer

    class Options(NamedTuple):
        """House rules of a game with a preset ("": it has none): names of options and choices, as
        text.
        """

        game: str
        preset: str
        choices: tuple[tuple[str, str], ...]

else:
    Options = namedtuple("Options", ("game", "preset", "choices"))

# some are framing's, said again: a private constant is compiled away, a shared one takes heap
_ALONE = const(0xC0)  # MB and ME of a record's flags
_SHORT = const(0x10)  # SR
_TYPE_BYTES = const(5)
_TLV_MESSAGE = const(0x03)
_TLV_END = const(0xFE)


def write_options(out: "Writer", options: Options) -> None:
    """Append it. Raises ValueError."""
    out.text(options.game)
    out.text(options.preset)
    for name, choice in options.choices:
        out.text(name)
        out.text(choice)


def read_options(data: WireReader) -> Options:
    """The body. Raises TagError(MALFORMED)."""
    game, preset = data.text(), data.text()
    choices = []
    while data.left():
        name = data.text()
        choices.append((name, data.text()))
    return Options(game, preset, tuple(choices))


def bytes_needed(data: "bytes | memoryview") -> int:
    """How many bytes from page 4 on hold all records of this message; 0 if nothing stands behind
    ours. `data`: its beginning. Raises TagError.
    """
    start, length = find_message(data)
    _, payload, payload_length = read_head(data, start, length)
    return 0 if payload + payload_length == start + length else start + length


def second_record(data: "bytes | memoryview") -> bytes:
    """The short record behind ours as a message of its own, for `codec.decode`; b"" if that is no
    record of ours. Raises TagError.
    """
    start, length = find_message(data)
    _, payload, payload_length = read_head(data, start, length)
    at = payload + payload_length
    end = start + length
    if end > len(data) or end < at + 3 or data[at + 1] != _TYPE_BYTES or not data[at] & _SHORT:
        return b""
    size = 3 + _TYPE_BYTES + data[at + 2]
    record = bytearray((_TLV_MESSAGE, size))
    record.extend(data[at : at + size])
    record[2] |= _ALONE
    record.append(_TLV_END)
    return bytes(record)
