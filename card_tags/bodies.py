"""The content of each kind as bytes (FORMAT.md, *Bodies*): a writer and a reader per letter."""

from micropython import const

from card_tags import kinds
from card_tags.errors import MALFORMED, TagError
from card_tags.wire import Reader, Writer, fold, unfold

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# The shape byte of a playing card: number of values, joker, folded, length of the code.
_COUNT = const(0x0F)
_JOKER = const(0x10)
_FOLDED = const(0x20)
_CODE_LENGTH_AT = const(6)
_LONGEST_CODE = const(4)

# A category's byte: decimals, direction, joker. Bits 2 and 3 stay free.
_DECIMALS = const(0x03)
_HIGH = const(0x10)
_DOUBLED = const(0x20)

_MOST_ENTRIES = const(15)
UID_BYTES = const(7)  # of an NTAG21x
_HEAD_BYTES = const(32)
_SIGNED_FROM = const(-0x40000000)
_SIGNED_TO = const(0x3FFFFFFF)


def write_body(out: Writer, kind: str, content: "Any") -> None:
    """Append the content. Raises ValueError for what the format cannot hold."""
    if kind in (kinds.HALL, kinds.OPTIONS):
        from card_tags.options import write_seldom

        write_seldom(out, kind, content)
    else:
        _WRITERS[kind](out, content)


def read_body(data: Reader, kind: str) -> "kinds.Content":
    """Read the whole content. Raises TagError(MALFORMED)."""
    if kind in (kinds.HALL, kinds.OPTIONS):
        from card_tags.options import read_seldom

        content: "Any" = read_seldom(data, kind)
    else:
        content = _READERS[kind](data)
    data.finish()
    return content  # type: ignore[no-any-return, unused-ignore]


def _write_card(out: Writer, card: "kinds.Card") -> None:
    code = card.code.encode()
    if not 1 <= len(code) <= _LONGEST_CODE or not _is_code(code):
        raise ValueError("code of 1 to 4 letters and digits expected: " + card.code)
    if len(card.values) > _MOST_ENTRIES or (card.joker and card.values):
        raise ValueError("at most 15 values, none on a joker: " + card.code)
    folded = any(value is not None and value < 0 for value in card.values)
    shape = len(card.values) | (len(code) - 1) << _CODE_LENGTH_AT
    shape |= (_JOKER if card.joker else 0) | (_FOLDED if folded else 0)
    out.byte(card.deck >> 8)
    out.byte(card.deck & 0xFF)
    out.byte(shape)
    out.data.extend(code)
    for value in card.values:
        _write_value(out, value, folded)


def _write_value(out: Writer, value: "int | None", folded: bool) -> None:
    if value is None:
        out.number(0)
    elif _SIGNED_FROM <= value <= _SIGNED_TO:
        out.number(1 + (fold(value) if folded else value))
    else:
        raise ValueError("value out of range: " + str(value))


def _read_card(data: Reader) -> "kinds.Card":
    deck = data.byte() << 8 | data.byte()
    shape = data.byte()
    code = data.raw((shape >> _CODE_LENGTH_AT) + 1)
    joker = bool(shape & _JOKER)
    folded = bool(shape & _FOLDED)
    values = tuple([_read_value(data, folded) for _ in range(shape & _COUNT)])
    negative = any(value is not None and value < 0 for value in values)
    if not _is_code(code) or negative != folded or (joker and values):
        raise TagError(MALFORMED)
    return kinds.Card(deck, code.decode(), joker, values)


def _read_value(data: Reader, folded: bool) -> "int | None":
    number = data.number()
    if number == 0:
        return None
    value = unfold(number - 1) if folded else number - 1
    if not _SIGNED_FROM <= value <= _SIGNED_TO:
        raise TagError(MALFORMED)
    return value


def _is_code(raw: bytes) -> bool:
    """ASCII letters and digits only."""
    for letter in raw:
        if not (48 <= letter <= 57 or 65 <= letter <= 90 or 97 <= letter <= 122):
            return False
    return True


def _write_deck(out: Writer, deck: "kinds.DeckCard") -> None:
    if not 1 <= len(deck.categories) <= _MOST_ENTRIES:
        raise ValueError("1 to 15 categories: " + deck.deck_id)
    out.text(deck.deck_id)
    out.text(deck.title)
    for number in (deck.scheme, deck.group_size, deck.cards, deck.jokers, len(deck.categories)):
        out.byte(number)
    for category in deck.categories:
        _write_category(out, category)
    if len(deck.revoked) % UID_BYTES:
        raise ValueError("UIDs of seven bytes expected: " + deck.deck_id)
    out.data.extend(deck.revoked)


def _write_category(out: Writer, category: "kinds.DeckCategory") -> None:
    if not 0 <= category.decimals <= _DECIMALS or category.best not in ("high", "low"):
        raise ValueError("decimals 0 to 3, best high or low: " + category.key)
    high = _HIGH if category.best == "high" else 0
    out.byte(category.decimals | high | (_DOUBLED if category.joker else 0))
    out.text(category.key)
    out.text(category.title)
    out.text(category.unit)


def _read_deck(data: Reader) -> "kinds.DeckCard":
    deck_id = data.text()
    title = data.text()
    scheme = data.byte()
    group_size = data.byte()
    cards = data.byte()
    jokers = data.byte()
    count = data.byte()
    if not 1 <= count <= _MOST_ENTRIES or scheme > 1 or group_size == 0:
        raise TagError(MALFORMED)
    categories = tuple([_read_category(data) for _ in range(count)])
    left = data.left()
    revoked = data.raw(left - left % UID_BYTES)  # what is left then is malformed
    return kinds.DeckCard(deck_id, title, scheme, group_size, cards, jokers, categories, revoked)


def _read_category(data: Reader) -> "kinds.DeckCategory":
    flags = data.byte()
    if flags & ~(_DECIMALS | _HIGH | _DOUBLED):
        raise TagError(MALFORMED)
    best = "high" if flags & _HIGH else "low"
    key = data.text()
    title = data.text()
    unit = data.text()
    return kinds.DeckCategory(key, title, unit, best, flags & _DECIMALS, bool(flags & _DOUBLED))


def _write_texts(out: Writer, content: "tuple[str, ...]") -> None:
    for text in content:
        out.text(text)


def _read_badge(data: Reader) -> "kinds.Badge":
    player = data.text()
    name = data.text()
    return kinds.Badge(player, name, data.text())


def _write_jury(out: Writer, jury: "kinds.Jury") -> None:
    out.number(jury.number)
    out.text(jury.name)


def _read_jury(data: Reader) -> "kinds.Jury":
    number = data.number()
    return kinds.Jury(number, data.text())


def _read_guest(data: Reader) -> "kinds.Guest":
    return kinds.Guest(data.text())


def _read_table(data: Reader) -> "kinds.Table":
    table = data.text()
    return kinds.Table(table, data.text())


def _read_numbered(data: Reader) -> "kinds.NumberedCard":
    return kinds.NumberedCard(data.text())


def _write_slip(out: Writer, slip: "kinds.Slip") -> None:
    if len(slip.head) != _HEAD_BYTES or not 1 <= len(slip.seats) <= _MOST_ENTRIES:
        raise ValueError("a head of 32 bytes and 1 to 15 seats expected: " + slip.match_id)
    _write_texts(out, (slip.match_id, slip.box_id, slip.game, slip.table, slip.reason))
    out.number(slip.duration_s)
    out.data.extend(slip.head)
    out.byte(len(slip.seats))
    for seat in slip.seats:
        out.text(seat.name)
        out.signed(seat.total)
        out.number(0 if seat.points is None else 1 + fold(seat.points))
        out.byte(seat.place)


def _read_slip(data: Reader) -> "kinds.Slip":
    match_id = data.text()
    box_id = data.text()
    game = data.text()
    table = data.text()
    reason = data.text()
    duration_s = data.number()
    head = data.raw(_HEAD_BYTES)
    count = data.byte()
    if not 1 <= count <= _MOST_ENTRIES:
        raise TagError(MALFORMED)
    seats = tuple([_read_seat(data) for _ in range(count)])
    return kinds.Slip(match_id, box_id, game, table, reason, duration_s, head, seats)


def _read_seat(data: Reader) -> "kinds.SlipSeat":
    name = data.text()
    total = data.signed()
    folded = data.number()
    points = unfold(folded - 1) if folded else None
    return kinds.SlipSeat(name, total, points, data.byte())


if TYPE_CHECKING:
    _WRITERS: "dict[str, Callable[[Writer, Any], None]]"
    _READERS: "dict[str, Callable[[Reader], kinds.Content]]"

_WRITERS = {
    kinds.CARD: _write_card,
    kinds.DECK: _write_deck,
    kinds.BADGE: _write_texts,
    kinds.JURY: _write_jury,
    kinds.GUEST: _write_texts,
    kinds.TABLE: _write_texts,
    kinds.NUMBERED: _write_texts,
    kinds.SLIP: _write_slip,
}
_READERS = {
    kinds.CARD: _read_card,
    kinds.DECK: _read_deck,
    kinds.BADGE: _read_badge,
    kinds.JURY: _read_jury,
    kinds.GUEST: _read_guest,
    kinds.TABLE: _read_table,
    kinds.NUMBERED: _read_numbered,
    kinds.SLIP: _read_slip,
}
