"""Hattrick, piece by piece; whole hands are in tests/transcripts/hattrick."""

import unittest

from firmware.games import open_match
from firmware.games.hattrick.rules import Hattrick, card_code, card_number, hand_score, next_leader


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


if __name__ == "__main__":
    unittest.main()
