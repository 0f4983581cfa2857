"""Hattrick, piece by piece; whole hands are in tests/transcripts/hattrick."""

import unittest

from firmware.games import open_match
from firmware.games.hattrick.rules import Hattrick, card_code, card_number, hand_score, next_leader
from firmware.rules.errors import Malformed


def header(**more: object) -> "dict[str, object]":
    base: dict[str, object] = {"schiri": 1, "game": "hattrick", "seats": 4}
    base.update(more)
    return base


def opened(**more: object) -> Hattrick:
    match = open_match(header(**more))
    match.apply({"t": 0, "do": "begin", "seat": 3})
    return match  # type: ignore[return-value]


def tap(match: Hattrick, card: str) -> "str | None":
    refusal = match.apply({"t": 0, "do": "tap", "card": card}).refusal
    return None if refusal is None else refusal.reason


class Pieces(unittest.TestCase):
    def test_codes(self) -> None:
        for number, code in ((0, "R1"), (19, "R20"), (20, "G1"), (39, "G20"), (59, "B20")):
            self.assertEqual(card_code(number), code)
            self.assertEqual(card_number(code), number)
        for code in ("", "R", "R0", "R21", "R01", "r1", "X1", "R²", "R1 ", "RG1"):
            self.assertEqual(card_number(code), -1)

    def test_next_leader(self) -> None:
        self.assertEqual(next_leader([(5, 2), (9, 3), (7, 0)], 1), 3)
        self.assertEqual(next_leader([(9, 2), (9, 3), (7, 0)], 1), 0)
        self.assertEqual(next_leader([(9, 2), (9, 3), (7, 0), (7, 1)], 1), 1)

    def test_hand_score(self) -> None:
        self.assertEqual(hand_score([5, 5, 2], 0), -2)  # 5 - 5 - 2
        self.assertEqual(hand_score([9, 0, 0], 0), 9)
        self.assertEqual(hand_score([0, 0, 0], 3), -6)
        self.assertEqual(hand_score([4, 1, 0], 2), -1)  # 4 - 1 - 4


class Screens(unittest.TestCase):
    def test_before_the_first_deal(self) -> None:
        match: Hattrick = open_match(header())  # type: ignore[assignment]
        self.assertEqual(match.dealer(), None)
        self.assertEqual(match.tricks_lying(), [])
        self.assertEqual(match.result(), [("over", False), ("scores", [0, 0, 0, 0])])

    def test_tricks_and_passes(self) -> None:
        match = opened()
        for card in ("R4", "B9", "G20"):
            self.assertEqual(tap(match, card), None)
        self.assertEqual(match.tricks_lying(), [("R", 0, ["R4"]), ("B", 1, ["B9"])])
        self.assertEqual(match.passes(), [0, 0, 1, 0])
        self.assertEqual(match.cards_left(), 15)
        self.assertEqual(tap(match, "B10"), None)
        self.assertEqual(match.tricks_lying(), [])
        self.assertEqual(match.won(3), [0, 0, 2])
        self.assertEqual(match.won(0), [1, 0, 0])
        self.assertEqual((match.dealer(), match.hands_played()), (3, 0))


class Refusals(unittest.TestCase):
    def test_a_refusal_changes_nothing(self) -> None:
        match = opened()
        tap(match, "R4")
        before = (list(match.cells.now), match.awaits())
        for command in (
            {"do": "tap", "card": "R4"},
            {"do": "tap", "card": "Q4"},
            {"do": "tap", "card": "R5", "seat": 0},
            {"do": "begin", "seat": 0},
            {"do": "place", "tile": 5},
            {"do": "decide", "seat": None},
            {"do": "pause"},
        ):
            command["t"] = 0
            self.assertTrue(match.apply(command).refusal is not None)
            self.assertEqual((list(match.cells.now), match.awaits()), before)

    def test_a_card_that_lies_open_is_no_card_to_play(self) -> None:
        """HA-9, also among the last cards, which never make a trick."""
        match = opened()
        cards = [suit + str(value) for suit in "RGB" for value in range(1, 21)]
        for card in cards[:57]:
            self.assertEqual(tap(match, card), None)
        for number in range(57, 60):
            self.assertEqual(tap(match, cards[number]), None)
            if number < 59:
                self.assertEqual(tap(match, cards[number]), "already_played")
                self.assertEqual(tap(match, cards[number - 1]), "already_played")

    def test_undo_goes_back_to_the_start(self) -> None:
        match: Hattrick = open_match(header())  # type: ignore[assignment]
        before = (list(match.cells.now), match.awaits())
        match.apply({"t": 0, "do": "begin", "seat": 0})
        cards = [suit + str(value) for suit in "RGB" for value in range(1, 21)]
        for card in cards:
            self.assertEqual(tap(match, card), None)
        self.assertEqual(match.hands_played(), 1)
        for _ in range(61):
            match.apply({"t": 0, "do": "undo"})
        self.assertEqual((list(match.cells.now), match.awaits()), before)
        self.assertEqual(match.apply({"t": 0, "do": "undo"}).refusal.reason, "nothing_to_undo")  # type: ignore[union-attr]


class Malformations(unittest.TestCase):
    def test_headers(self) -> None:
        for wrong in (
            {"seats": 2},
            {"seats": 7},
            {"seats": True},
            {"stage": "group"},
            {"stage": None},
            {"clock_ms": 0},
            {"extension_ms": "1"},
            {"turn_ms": -1},
            {"options": []},
            {"options": {"hands": 0}},
            {"options": {"hands": True}},
            {"options": {"hands": None}},
            {"options": {"target": 0}},
            {"options": {"target": "50"}},
            {"options": {"bag_end": 3}},
            {"options": {"tie_scope": "all"}},
        ):
            with self.assertRaises(Malformed):
                open_match(header(**wrong))

    def test_what_is_accepted(self) -> None:
        for right in (
            {"seats": 3},
            {"seats": 6},
            {"clock_ms": None, "turn_ms": None},
            {"clock_ms": 1000, "extension_ms": 1, "turn_ms": 1},
            {"table": 7, "deck": "any", "hand_sizes": 1},
            {"options": {"target": None}},
            {"options": {"hands": 1, "target": 1}},
        ):
            open_match(header(**right))

    def test_commands(self) -> None:
        match = opened()
        for wrong in (
            {"do": "tap"},
            {"do": "tap", "card": 5},
            {"do": "tap", "card": "R1", "seat": None},
            {"do": "tap", "card": "R1", "seat": True},
            {"do": "begin"},
            {"do": "decide"},
            {"do": "deal"},
        ):
            wrong["t"] = 0
            with self.assertRaises(Malformed):
                match.apply(wrong)


if __name__ == "__main__":
    unittest.main()
