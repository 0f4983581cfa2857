"""What the box makes of seals: with and without a key, and for the jury's card."""

from pathlib import Path

import pytest

from card_tags import codec, kinds, seal
from card_tags.deck_card import deck_number

from .fakes import Box
from .pictures import stock
from .sample_decks import card_values

KEY = bytes(range(32))
UID = b"\x04\x01\x02\x03\x04\x05\x06"
JURY = kinds.Jury(1, "Ada")
NUMBER = seal.tag_key_id(KEY)


@pytest.fixture
def box(tmp_path: Path) -> Box:
    """A Swiss match that waits for the first card."""
    stock(tmp_path)
    found = Box(tmp_path, "en")
    found.set_choice(game="trumpf", preset="swiss", seats=2, deck="gipfel")
    found.press("OK+", "OK")
    return found


def said(box: Box) -> str:
    return box.words().replace(" | ", " ")


def card(code: str) -> kinds.Card:
    return kinds.Card(deck_number("gipfel"), code, False, tuple(card_values("gipfel", code)))


def sealed(kind: str, content: object, uid: bytes = UID, key: bytes = KEY) -> bytes:
    return codec.encode(seal.sealed(kind, content, uid, seal.tag_key_id(key), key))


def page(box: Box) -> str:
    return type(box.app.page()).__name__


def test_a_sealed_card_plays_and_an_unsealed_one_is_marked(box: Box) -> None:
    box.settings.set_key(KEY)
    box.lay(sealed(kinds.CARD, card("A1")), UID)
    assert not box.app.unsealed
    box.press("OK")
    box.lay_tag(kinds.CARD, card("A4"))
    assert box.app.unsealed


def test_a_copied_card_is_refused(box: Box) -> None:
    box.settings.set_key(KEY)
    box.lay(sealed(kinds.CARD, card("A1"), uid=b"\x04\x09\x09\x09\x09\x09\x09"), UID)
    assert "The seal is wrong: copied or changed." in said(box)


def test_a_card_of_another_league_is_refused_only_when_seals_are_a_must(box: Box) -> None:
    box.settings.set_key(KEY)
    other = next(
        bytes([first]) * 32
        for first in range(256)
        if seal.tag_key_id(bytes([first]) * 32) != NUMBER
    )
    box.settings.set({"sealed_only": True})
    box.lay(sealed(kinds.CARD, card("A1"), key=other), UID)
    assert "The seal is of another league." in said(box)
    box.settings.set({"sealed_only": False})
    box.lay(sealed(kinds.CARD, card("A1"), key=other), UID)
    assert box.app.unsealed


def test_a_box_with_a_key_takes_only_sealed_jury_cards(box: Box) -> None:
    box.settings.set_key(KEY)
    box.lay_tag(kinds.JURY, JURY)
    assert "The card has no seal." in said(box)
    box.lay(sealed(kinds.JURY, JURY), UID)
    assert page(box) == "ArbiterMenu"


def test_a_box_without_a_key_takes_any_jury_card(box: Box) -> None:
    box.lay_tag(kinds.JURY, JURY)
    assert page(box) == "ArbiterMenu"


OLD, NEW = UID, b"\x04\x0a\x0b\x0c\x0d\x0e\x0f"


def deck_card(revoked: bytes) -> kinds.DeckCard:
    line = kinds.DeckCategory("hoehe", "Höhe", "m", "high", 0, False)
    return kinds.DeckCard("gipfel", "Gipfel", 0, 4, 8, 0, (line,), revoked)


def test_a_replaced_tag_is_refused_by_name_once_the_deck_card_says_so(tmp_path: Path) -> None:
    stock(tmp_path)
    box = Box(tmp_path, "en")
    box.settings.set_key(KEY)
    box.lay(
        sealed(kinds.DECK, deck_card(OLD), b"\x04\x07\x07\x07\x07\x07\x07"), b"\x04" + b"\x07" * 6
    )
    box = Box(tmp_path, "en")  # switched off and on
    box.set_choice(game="trumpf", preset="swiss", seats=2, deck="gipfel")
    box.press("OK+", "OK")
    box.lay(sealed(kinds.CARD, card("A1"), OLD), OLD)
    assert "A1: this tag was replaced. Take the new one." in said(box)
    assert box.app.session is not None
    piles = box.app.session.match.piles
    assert piles.lying() == 0
    box.press("OK")
    box.lay(sealed(kinds.CARD, card("A1"), NEW), NEW)
    assert piles.lying() == 1


def test_nobody_without_the_key_can_have_a_tag_refused(tmp_path: Path) -> None:
    stock(tmp_path)
    box = Box(tmp_path, "en")
    box.settings.set_key(KEY)
    box.lay(codec.encode(codec.unsealed(kinds.DECK, deck_card(OLD))), NEW)
    box.lay(sealed(kinds.CARD, card("A1"), OLD), OLD)
    assert "replaced" not in said(box)
