"""One content of every kind, used by several tests."""

from typing import Any

from card_tags import codec, errors, kinds, seal
from card_tags.hall import Hall
from card_tags.options import Options

REASONS = tuple(
    word for name, word in vars(errors).items() if name.isupper() and isinstance(word, str)
)
"""Of a TagError."""
UID = bytes.fromhex("04A1B2C3D4E5F6")
OTHER_UID = bytes.fromhex("04A1B2C3D4E5F7")
KEY = bytes(range(32))
KEY_ID = 17

CATEGORIES = (
    kinds.DeckCategory("ps", "Leistung", "PS", "high", 0, False),
    kinds.DeckCategory("preis", "Preis", "€", "low", 2, True),
)
SEATS = (kinds.SlipSeat("Anna", 20, 2, 1), kinds.SlipSeat("Jürg", -3, None, 2))

HALL = Hall("Säle 1–3", "192.168.1.10", 1883, bytes(range(8)), bytes(range(60, 123)))

HOUSE_RULES = Options("cafe", "board", (("between", "both"), ("bag_end", "4")))

EXAMPLES: list[tuple[str, Any]] = [
    (kinds.CARD, kinds.Card(0x1234, "A1", False, (0, 126, 127, None, 16383, 2**30 - 1))),
    (kinds.CARD, kinds.Card(0xFFFF, "12C", False, (-1, None, 5, -(2**30)))),
    (kinds.CARD, kinds.Card(0, "J1", True, ())),
    (kinds.DECK, kinds.DeckCard("autos", "Schöne Autos", 0, 4, 32, 2, CATEGORIES, b"")),
    (kinds.DECK, kinds.DeckCard("neu", "Neu", 1, 26, 9, 0, CATEGORIES, bytes(range(14)))),
    (kinds.BADGE, kinds.Badge("p17", "Çelik Ørsted", "Aarau 2026")),
    (kinds.JURY, kinds.Jury(300, "Frau Graf")),
    (kinds.GUEST, kinds.Guest("JKm2")),
    (kinds.TABLE, kinds.TableTag("T07", "FR")),
    (kinds.NUMBERED, kinds.NumberedCard("R7")),
    (
        kinds.SLIP,
        kinds.Slip("9-0a1b2c3d", "", "trumpf", "4", "all_cards", 600, bytes(range(16)), SEATS),
    ),
    (kinds.HALL, HALL),
    (kinds.OPTIONS, HOUSE_RULES),
]


def sealed(kind: str, content: Any) -> kinds.Tag:
    """The tag of a league; a slip with a signature that nobody has checked."""
    if kind == kinds.SLIP:
        return signed(content)
    return seal.sealed(kind, content, UID, KEY_ID, KEY)


def unsealed(kind: str, content: Any) -> kinds.Tag:
    """The tag of anybody; there is no slip without a signature."""
    return signed(content) if kind == kinds.SLIP else codec.unsealed(kind, content)


def signed(slip: kinds.Slip) -> kinds.Tag:
    covered = codec.covered_bytes(kinds.SLIP, slip, KEY_ID)
    return kinds.Tag(kinds.SLIP, slip, KEY_ID, bytes(range(64)), covered)
