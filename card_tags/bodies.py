"""The content of each kind from its bytes (FORMAT.md, *Bodies*): a reader per letter. `writing`
has the way back.
"""

from micropython import const

from card_tags import kinds
from card_tags.errors import MALFORMED, TagError
from card_tags.wire import WireReader, unfold

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# The shape byte of a playing card: number of values, joker, folded, length of the code.
_COUNT = const(0x0F)
JOKER = const(0x10)
FOLDED = const(0x20)
CODE_LENGTH_AT = const(6)
LONGEST_CODE = const(4)

# A category's byte: decimals, direction, joker. Bits 2 and 3 stay free.
DECIMALS = const(0x03)
HIGH = const(0x10)
DOUBLED = const(0x20)

MOST_ENTRIES = const(15)
UID_BYTES = const(7)  # of an NTAG21x
# what is a small int on the box, which takes no heap: 31 bits on a 32-bit chip
SIGNED_FROM = const(-0x40000000)
SIGNED_TO = const(0x3FFFFFFF)


def read_body(data: WireReader, kind: str) -> "kinds.Content":
    """Read the whole content. Raises TagError(MALFORMED)."""
    content: "Any"
    if kind == kinds.HALL:  # these are loaded only when there is one: few boxes ever see them
        from card_tags.hall import read_hall

        content = read_hall(data)
    elif kind == kinds.OPTIONS:
        from card_tags.options import read_options

        content = read_options(data)
    elif kind == kinds.SLIP:
        from card_tags.slip import read_slip

        content = read_slip(data)
    else:
        content = _READERS[kind](data)
    data.finish()
    return content  # type: ignore[no-any-return, unused-ignore]


def _read_card(data: WireReader) -> "kinds.Card":
    deck = data.byte() << 8 | data.byte()
    shape = data.byte()
    code = data.raw((shape >> CODE_LENGTH_AT) + 1)
    joker = bool(shape & JOKER)
    folded = bool(shape & FOLDED)
    values = tuple([_read_value(data, folded) for _ in range(shape & _COUNT)])
    negative = any(value is not None and value < 0 for value in values)
    if not is_code(code) or negative != folded or (joker and values):
        raise TagError(MALFORMED)
    return kinds.Card(deck, code.decode(), joker, values)


def _read_value(data: WireReader, folded: bool) -> "int | None":
    number = data.number()
    if number == 0:
        return None
    value = unfold(number - 1) if folded else number - 1
    if not SIGNED_FROM <= value <= SIGNED_TO:
        raise TagError(MALFORMED)
    return value


def is_code(raw: bytes) -> bool:
    """ASCII letters and digits only."""
    for letter in raw:
        if not (48 <= letter <= 57 or 65 <= letter <= 90 or 97 <= letter <= 122):
            return False
    return True


def _read_deck(data: WireReader) -> "kinds.DeckCard":
    deck_id = data.text()
    title = data.text()
    scheme = data.byte()
    group_size = data.byte()
    cards = data.byte()
    jokers = data.byte()
    count = data.byte()
    if not 1 <= count <= MOST_ENTRIES or scheme > 1 or group_size == 0:
        raise TagError(MALFORMED)
    categories = tuple([_read_category(data) for _ in range(count)])
    left = data.left()
    revoked = data.raw(left - left % UID_BYTES)  # what is left then is malformed
    return kinds.DeckCard(deck_id, title, scheme, group_size, cards, jokers, categories, revoked)


def _read_category(data: WireReader) -> "kinds.DeckCategory":
    flags = data.byte()
    if flags & ~(DECIMALS | HIGH | DOUBLED):
        raise TagError(MALFORMED)
    best = "high" if flags & HIGH else "low"
    key = data.text()
    title = data.text()
    unit = data.text()
    return kinds.DeckCategory(key, title, unit, best, flags & DECIMALS, bool(flags & DOUBLED))


if TYPE_CHECKING:
    _READERS: "dict[str, Callable[[WireReader], kinds.Content]]"

_READERS = {
    kinds.CARD: _read_card,
    kinds.DECK: _read_deck,
    kinds.BADGE: lambda data: kinds.Badge(data.text(), data.text(), data.text()),
    kinds.JURY: lambda data: kinds.Jury(data.number(), data.text()),
    kinds.GUEST: lambda data: kinds.Guest(data.text()),
    kinds.TABLE: lambda data: kinds.TableTag(data.text(), data.text()),
    kinds.NUMBERED: lambda data: kinds.NumberedCard(data.text()),
}
