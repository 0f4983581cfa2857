"""The pictures of cards: every card has one, small, the same on every run, of shapes alone."""

import re
import subprocess
import sys
from collections import defaultdict
from xml.etree import ElementTree

import pytest

from host_tools.cards import art
from host_tools.cards.art import (
    NATIONS,
    SUITS,
    Art,
    art_named,
    card_art,
    group_colour,
    nation_colour,
    rgb,
)
from host_tools.cards.decks import deck_ids, load_deck
from host_tools.games.cafe.tags import guest_items

LARGEST = 4096
SHAPES = {"svg", "path", "rect", "ellipse"}
GUESTS = [item.code for item in guest_items().items]
ALL = """
from host_tools.cards.art import *
from host_tools.cards.decks import *
print(*[card_art(d, c).tag for d in map(load_deck, deck_ids()) for c in d["cards"]],
      *[art_named(n).tag for n in {names}])
"""


def own_deck() -> dict[str, object]:
    categories = [{"key": "v", "best": "high"}, {"key": "w", "best": "low"}]
    cards = [
        {"code": "A1", "name": "one", "values": [1, None]},
        {"code": "Z9", "name": "two", "values": [1, 7]},
    ]
    return {"id": "own", "title": "Own", "categories": categories, "cards": cards}


def pictures() -> list[tuple[str, Art]]:
    decks = [*map(load_deck, deck_ids()), own_deck()]
    found = [(f"{d['id']} {c['code']}", card_art(d, c)) for d in decks for c in d["cards"]]
    for name in (*GUESTS, *SUITS, *(f"back-{letter}" for letter in "ASZ")):
        art = art_named(name)
        assert art is not None
        found.append((name, art))
    return found


def test_every_card_has_a_small_picture_of_shapes_alone() -> None:
    found = pictures()
    assert len(found) == 34 + 32 + 34 + 2 + 100 + 3 + 3
    for name, (svg, _, size) in found:
        assert len(svg.encode()) <= LARGEST, name
        root = ElementTree.fromstring(svg)
        tags = {
            element.tag.removeprefix("{http://www.w3.org/2000/svg}") for element in root.iter()
        }
        assert tags <= SHAPES, name
        assert len(list(root)) > 2, name
        assert root.get("viewBox") == "0 0 {} {}".format(*size)
        numbers = " ".join(element.get("d", "") for element in root.iter())
        assert re.fullmatch(r"[\d.\-\s,MmLlHhVvQqTtAaZz]*", numbers), name


def test_no_two_cards_of_a_deck_look_alike() -> None:
    for deck_id in deck_ids():
        deck = load_deck(deck_id)
        plain = [card for card in deck["cards"] if not card.get("joker")]
        assert len({card_art(deck, card).svg for card in plain}) == len(plain)


def test_no_two_mountains_of_a_group_have_the_same_crest() -> None:
    """Three of a group were one drawing, a few dots apart."""
    deck = load_deck("berge")
    crests: dict[str, list[object]] = defaultdict(list)
    for card in deck["cards"]:
        if not card.get("joker"):
            line, *flat = art._crest(art._Facts(deck, card), (80, 20))
            crests[card["code"][0]].append((*line, *flat))
    assert all(len(set(group)) == len(group) for group in crests.values())


def test_the_same_on_every_run() -> None:
    """In other processes, whose hashes of texts differ."""
    names = [*GUESTS, *SUITS, "back-S"]
    script = ALL.format(names=names)
    runs = [
        subprocess.run(
            [sys.executable, "-c", script],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]
    assert len(runs[0].split()) == 100 + len(names)


def flag_height(deck_id: str, code: str) -> float:
    """Where the flag on the top of a mountain begins, from the upper edge."""
    deck = load_deck(deck_id)
    card = next(card for card in deck["cards"] if card["code"] == code)
    top = re.search(r'd="M[\d.]+ ([\d.]+)V[^>]*stroke-width="0.8"', card_art(deck, card).svg)
    assert top
    return float(top[1])


def test_in_a_web_a_value_that_is_missing_is_the_weakest() -> None:
    """The first of three corners points up from (80, 48): 10 for the weakest, 44 for what wins."""
    categories = [{"key": key, "best": "low"} for key in "vwx"]
    values = {"A1": [None, 1, 1], "A2": [3, 1, 1], "A3": [9, 2, 2]}
    cards = [{"code": code, "name": code, "values": row} for code, row in values.items()]
    deck = {"id": "own", "title": "Own", "categories": categories, "cards": cards}
    tips = {
        card["code"]: re.findall(r'cx="80" cy="(\d+)"', card_art(deck, card).svg) for card in cards
    }
    assert [tips[code][-1] for code in ("A1", "A2", "A3")] == ["38", "4", "38"]


def test_a_picture_says_what_stands_on_the_card() -> None:
    # 40 - 32 (h - 1701) / (4634 - 1701): Dufourspitze 4634, Piz Kesch 3418, Piz Buin 3312
    assert flag_height("berge", "A1") == 8.0
    assert flag_height("berge", "F3") == pytest.approx(40 - 32 * 1717 / 2933, abs=0.1)
    assert flag_height("berge", "F4") == pytest.approx(40 - 32 * 1611 / 2933, abs=0.1)
    swiss = load_deck("berge")
    unknown = next(card for card in swiss["cards"] if card["code"] == "H1")  # Säntis: no year
    assert 'stroke-width="0.8"' not in card_art(swiss, unknown).svg


def test_nation_and_sex_are_told_by_shape_not_by_colour() -> None:
    """Without their colours, all nations differ, and both sexes of each."""

    def bare(code: str) -> str:
        art = art_named(code)
        assert art is not None
        return re.sub(r'(fill|stroke)="#\w+"', "", art.svg)

    shapes = {bare(f"{nation}{sex}1") for nation in (*NATIONS, "JK") for sex in "fm"}
    assert len(shapes) == 13 * 2
    hats = {bare(suit) for suit in SUITS}
    assert len(hats) == 3


@pytest.mark.parametrize("name", ["", "ZZf1", "AFx1", "AFf", "AFf12", "back-", "back-AB", "X"])
def test_no_picture_of_what_there_is_none(name: str) -> None:
    assert art_named(name) is None


def contrast(one: str, other: str) -> float:
    """WCAG 2: (lighter + 0.05) / (darker + 0.05)."""

    def light(colour: str) -> float:
        parts = [part / 255 for part in rgb(colour)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_white_letters_can_be_read_on_every_colour_of_a_card() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    letters = [chr(ord("A") + number) for number in range(26)] + list("0123456789abcxyz")
    for colour in (*map(group_colour, letters), *map(nation_colour, (*NATIONS, "JK"))):
        assert contrast("#ffffff", colour) >= 4.5, colour
    for colour in SUITS.values():
        assert contrast("#ffffff", colour) >= 4.5, colour
