"""House rules on a deck card or table card preset the menu, and go into the header."""

from pathlib import Path

import pytest

from card_tags import codec, seal
from card_tags.kinds import DECK, GUEST, OPTIONS, TABLE, DeckCard, DeckCategory, Guest, TableTag
from card_tags.options import Options
from host_tools.cards.links import with_options

from .fakes import Box
from .pictures import stock

KEY = bytes(range(32))
UID = bytes.fromhex("04010203040506")
LINE = DeckCategory("hoehe", "Höhe", "m", "high", 0, False)
DECK_CARD = DeckCard("gipfel", "Gipfel", 0, 4, 8, 0, (LINE,), b"")
TIED = (("tie_scope", "tied"),)


@pytest.fixture
def box(tmp_path: Path) -> Box:
    stock(tmp_path)
    found = Box(tmp_path, "en")
    found.settings.set_key(KEY)
    return found


def lay(box: Box, kind: str, content: object, rules: Options, key: bytes = KEY) -> None:
    """A card that `schiri provision` has sealed, and what stands behind it by `key`."""
    first = seal.sealed(kind, content, UID, seal.tag_key_id(KEY), KEY)
    behind = seal.sealed(OPTIONS, rules, UID, seal.tag_key_id(KEY), key)
    box.lay(with_options(codec.encode(first), codec.encode(behind)), UID)


def started(box: Box) -> dict[str, object]:
    box.press("OK+")
    assert box.app.session is not None
    return box.app.session.header


def test_a_deck_card_presets_game_preset_and_house_rules(box: Box) -> None:
    assert "Swiss" in box.words()
    lay(box, DECK, DECK_CARD, Options("trumpf", "gastro", TIED))
    assert "1 changed" in box.words()
    header = started(box)
    assert [header[name] for name in ("preset", "deck", "options")] == [
        "gastro",
        "gipfel",
        {"tie_scope": "tied"},
    ]


def test_a_table_card_presets_the_café_and_what_it_does_not_name_is_usual(box: Box) -> None:
    box.set_choice(game="cafe", preset="app", between="both")
    rules = Options("cafe", "board", (("bag_end", "4"), ("drawing", "shrink")))
    lay(box, TABLE, TableTag("T04", "FR"), rules)
    assert "2 changed" in box.words()
    assert started(box)["options"] == {
        "between": "either",
        "drawing": "shrink",
        "mono_bonus": "any_size",
        "bag_end": 4,
        "bar_joker": "seat",
    }


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        (Options("trumpf", "gastro", (("tie_scope", "some"),)), "tie_scope=some"),
        (Options("trumpf", "gastro", (("fog", "on"),)), "fog=on"),
        (Options("trumpf", "alpine", TIED), "alpine"),
        (Options("bridge", "", ()), "bridge"),
    ],
)
def test_what_this_box_does_not_know_is_said_in_a_sentence_and_the_usual_rule_holds(
    box: Box, rules: Options, said: str
) -> None:
    box.set_choice(game="trumpf", preset="gastro", tie_scope="all")
    lay(box, DECK, DECK_CARD, rules)
    sentence = f"Unknown house rule: {said}. The usual one holds."
    assert sentence in box.words().replace(" | ", " ")
    box.press("OK")
    header = started(box)
    assert header["deck"] == "gipfel"
    usual = {"tie_scope": "all"}  # the Swiss championship has none
    assert header.get("options", usual) == usual


def test_house_rules_with_a_wrong_seal_are_refused_and_the_deck_is_taken(box: Box) -> None:
    lay(box, DECK, DECK_CARD, Options("trumpf", "gastro", TIED), key=bytes(32))
    assert "The seal is wrong: copied or changed." in box.words().replace(" | ", " ")
    box.press("OK")
    header = started(box)
    assert [header["preset"], header["deck"], header.get("options")] == ["swiss", "gipfel", None]


def test_a_card_that_is_taken_away_too_early_is_said_to_be_unreadable(box: Box) -> None:
    box.reader.gone = True
    box.set_choice(game="cafe", preset="board")
    lay(box, TABLE, TableTag("T04", "FR"), Options("cafe", "board", (("bag_end", "4"),)))
    assert "Not readable." in box.words()
    box.press("OK")
    assert box.app.choice["bag_end"] == 3


def test_in_a_match_the_card_is_read_as_ever(box: Box) -> None:
    box.set_choice(game="cafe", preset="board", seats=2)
    box.press("OK+", "OK")
    box.lay_tag(GUEST, Guest("FRf1"))
    box.reader.gone = True  # a second read would say so
    lay(box, TABLE, TableTag("T04", "FR"), Options("cafe", "board", (("bag_end", "4"),)))
    assert "✓ C04" in box.words()
