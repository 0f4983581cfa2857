"""Decks: values, directions, and what is malformed (TR-5, TR-14, KN-1)."""

import unittest

from firmware.rules.deck import ALL_HIGH, MUST_SAY, read_deck, scaled
from firmware.rules.errors import Malformed
from tests.rules.small_matches import small_deck


class ScaledTest(unittest.TestCase):
    def test_decimal_strings(self) -> None:
        more = (("0", 0, 0), ("-12", 0, -12))
        cases = (("19,25", 2, 1925), ("19.2", 2, 1920), ("7", 2, 700), ("-0,5", 1, -5))
        for text, decimals, value in cases + more:
            self.assertEqual(scaled(text, decimals, "x"), value)

    def test_no_decimal_numbers(self) -> None:
        wrong = ("", "-", "1,", ",5", "1 000", "1.000,5", "+1", "1e3", "1,234", "--1", "٣")
        for text in wrong:
            with self.assertRaises(Malformed):
                scaled(text, 2, "x")


class DeckTest(unittest.TestCase):
    def test_codes_and_values(self) -> None:
        deck = read_deck(small_deck([5, None]), MUST_SAY)
        self.assertEqual(deck.codes, ["A1", "A2"])
        self.assertEqual(deck.index("A2"), 1)
        self.assertEqual(deck.index("a2"), -1)
        self.assertEqual([deck.value(0, 0), deck.value(1, 0)], [5, None])
        self.assertTrue(deck.has_any_value(0))
        self.assertFalse(deck.has_any_value(1))

    def test_categories_by_key_or_index(self) -> None:
        deck = read_deck(small_deck([5]), MUST_SAY)
        self.assertEqual([deck.category("v"), deck.category(0)], [0, 0])
        self.assertEqual([deck.category("w"), deck.category(1), deck.category(-1)], [-1, -1, -1])

    def test_the_tag_of_a_card_may_tell_its_values(self) -> None:
        deck = read_deck(small_deck([None]), MUST_SAY)
        self.assertTrue(deck.learns(0))
        deck.set_values(0, deck.read_values({"values": [8]}))
        self.assertEqual(deck.value(0, 0), 8)
        self.assertFalse(deck.learns(0))
        for wrong in ({"values": [1, 2]}, {"values": ["1,5"]}, {"values": None}, {}):
            with self.assertRaises(Malformed):
                deck.read_values(wrong)
        deck.forget_values(0)
        self.assertIsNone(deck.value(0, 0))
        self.assertTrue(deck.learns(0))

    def test_directions(self) -> None:
        source = {"categories": [{"key": "a", "best": "high"}], "cards": []}
        source["categories"] += [{"key": key} for key in ("b", "c", "d")]
        kneipe = [category.best for category in read_deck(source, 3).categories]
        self.assertEqual(kneipe, ["high", "low", "low", "high"])
        swiss = [category.best for category in read_deck(source, ALL_HIGH).categories]
        self.assertEqual(swiss, ["high"] * 4)
        with self.assertRaises(Malformed) as caught:
            read_deck(source, MUST_SAY)
        self.assertEqual(caught.exception.field, "deck.categories[1].best")

    def test_swiss_overrides_the_deck(self) -> None:
        deck = read_deck(small_deck([1], "low"), ALL_HIGH)
        self.assertEqual(deck.categories[0].best, "high")

    def test_joker_category(self) -> None:
        source = small_deck([5])
        source["cards"].append({"code": "J1", "joker": True})
        with self.assertRaises(Malformed):
            read_deck(source, 3)
        source["categories"][0]["joker"] = True
        deck = read_deck(source, 3)
        self.assertEqual(deck.doubled, 0)
        self.assertEqual(deck.jokers, [False, True])
        self.assertIsNone(deck.value(1, 0))
