"""A deck from its deck card."""

import pytest
from tag_examples import CATEGORIES

from card_tags import kinds
from card_tags.deck_card import DIGIT_FIRST, LETTER_FIRST, codes, deck_number, deck_object
from card_tags.errors import TagError


def test_codes_of_both_schemes() -> None:
    assert codes(LETTER_FIRST, 4, 6) == ["A1", "A2", "A3", "A4", "B1", "B2"]
    assert codes(DIGIT_FIRST, 4, 6) == ["1A", "1B", "1C", "1D", "2A", "2B"]


def test_a_scheme_has_only_so_many_codes() -> None:
    assert codes(LETTER_FIRST, 9, 234)[-1] == "Z9"
    assert codes(DIGIT_FIRST, 26, 234)[-1] == "9Z"
    assert codes(LETTER_FIRST, 1, 2) == ["A1", "B1"]
    for scheme, group_size, cards in (
        (LETTER_FIRST, 9, 235),
        (LETTER_FIRST, 10, 1),
        (DIGIT_FIRST, 27, 1),
        (DIGIT_FIRST, 26, 235),
        (0, 0, 1),
    ):
        with pytest.raises(ValueError, match="no such codes"):
            codes(scheme, group_size, cards)


def test_the_deck_number_is_the_low_half_of_the_crc() -> None:
    assert deck_number("123456789") == 0x3926  # CRC-32 check value CBF43926


def test_the_deck_object_waits_for_its_values() -> None:
    card = kinds.DeckCard("autos", "Autos", LETTER_FIRST, 2, 3, 2, CATEGORIES, b"")
    assert deck_object(card) == {
        "id": "autos",
        "title": "Autos",
        "categories": [
            {"key": "ps", "title": "Leistung", "unit": "PS", "best": "high", "decimals": 0},
            {
                "key": "preis",
                "title": "Preis",
                "unit": "€",
                "best": "low",
                "decimals": 2,
                "joker": True,
            },
        ],
        "cards": [
            {"code": "A1", "values": [None, None]},
            {"code": "A2", "values": [None, None]},
            {"code": "B1", "values": [None, None]},
            {"code": "J1", "joker": True},
            {"code": "J2", "joker": True},
        ],
    }


def test_a_deck_card_that_cannot_be_is_malformed() -> None:
    with pytest.raises(TagError):
        deck_object(kinds.DeckCard("x", "x", DIGIT_FIRST, 4, 37, 0, CATEGORIES, b""))
