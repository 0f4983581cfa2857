"""Quartett, piece by piece; whole questions and answers are in tests/transcripts/quartett."""

import unittest

from firmware.games import open_match
from firmware.games.quartett.rules import Quartett


def deck(letters: str, jokers: int = 0) -> "dict[str, object]":
    cards: list[dict[str, object]] = []
    for number in range(jokers):
        cards.append({"code": "J" + str(number + 1), "joker": True})
    for letter in letters:
        for number in range(1, 5):
            cards.append({"code": letter + str(number), "values": []})
    categories: list[object] = []
    if jokers:
        categories = [{"key": "k", "joker": True}]
        for card in cards[jokers:]:
            card["values"] = [1]
    return {"id": "x", "categories": categories, "cards": cards}


def header(**more: object) -> "dict[str, object]":
    base: dict[str, object] = {"schiri": 1, "game": "quartett", "seats": 3, "deck": deck("AB")}
    base.update(more)
    return base


def opened(**more: object) -> Quartett:
    match = open_match(header(**more))
    match.apply({"t": 0, "do": "begin", "seat": 0})
    return match  # type: ignore[return-value]


def give(match: Quartett, seat: int, card: str) -> None:
    """The caller asks and gets."""
    match.apply({"t": 0, "do": "ask", "seat": seat, "card": card})
    match.apply({"t": 0, "do": "tap", "card": card})


class Screens(unittest.TestCase):
    def test_what_is_known(self) -> None:
        match = opened(deck=deck("AB", 2))
        self.assertEqual(match.hand_sizes(), [3, 3, 2])
        self.assertEqual(match.codes(), ["A1", "A2", "A3", "A4", "B1", "B2", "B3", "B4"])
        self.assertEqual((match.caller(), match.asked()), (0, None))
        match.apply({"t": 0, "do": "ask", "seat": 2, "card": "B3"})
        self.assertEqual(match.asked(), (2, "B3"))
        match.apply({"t": 0, "do": "tap", "card": "B3"})
        self.assertEqual(match.known_cards(0), ["B3"])
        self.assertEqual(match.known_cards(2), [])
        self.assertEqual(match.hand_sizes(), [4, 3, 1])
        self.assertEqual(match.quartets(), [0, 0, 0])

    def test_before_begin(self) -> None:
        match: Quartett = open_match(header())  # type: ignore[assignment]
        self.assertEqual((match.caller(), match.asked()), (None, None))
        self.assertEqual(match.result(), [("over", False), ("counts", [0, 0, 0])])

    def test_groups_are_found_in_any_order_of_the_deck(self) -> None:
        mixed = deck("AB")
        mixed["cards"] = mixed["cards"][::-1]  # type: ignore[index]
        match = opened(deck=mixed, hand_sizes=[4, 2, 2])
        cards = ["A2", "A1", "A4", "A3"]
        answer = match.apply({"t": 0, "do": "lay", "seat": 0, "cards": cards})
        self.assertEqual(answer.events[0], ("quartet", 0, "A"))


class Denials(unittest.TestCase):
    def test_an_undone_denial_is_forgotten(self) -> None:
        match = opened()
        match.apply({"t": 0, "do": "ask", "seat": 1, "card": "A1"})
        match.apply({"t": 0, "do": "deny"})
        match.apply({"t": 0, "do": "undo", "why": "misheard"})
        answer = match.apply({"t": 0, "do": "tap", "card": "A1"})
        self.assertEqual(answer.events, [("given", 1, 0, "A1")])

    def test_the_place_counts_refused_commands_too(self) -> None:
        match = opened()
        match.apply({"t": 0, "do": "begin", "seat": 0})  # 2, refused
        match.apply({"t": 0, "do": "ask", "seat": 1, "card": "A1"})  # 3
        match.apply({"t": 0, "do": "tick"})  # 4
        match.apply({"t": 0, "do": "deny"})  # 5
        give(match, 2, "B1")
        match.apply({"t": 0, "do": "ask", "seat": 2, "card": "B2"})
        match.apply({"t": 0, "do": "deny"})
        match.apply({"t": 0, "do": "ask", "seat": 1, "card": "A1"})
        answer = match.apply({"t": 0, "do": "tap", "card": "A1"})
        self.assertEqual(answer.events[1], ("false_denial", 1, "A1", 5))


class Refusals(unittest.TestCase):
    def test_undo_goes_back_to_the_start(self) -> None:
        match: Quartett = open_match(header())  # type: ignore[assignment]
        before = (list(match.cells.now), match.awaits())
        match.apply({"t": 0, "do": "begin", "seat": 0})
        give(match, 1, "A1")
        give(match, 2, "A2")
        match.apply({"t": 0, "do": "lay", "seat": 0, "cards": ["A1", "A2", "A3", "A4"]})
        match.apply({"t": 0, "do": "ask", "seat": 2, "card": "B1"})
        match.apply({"t": 0, "do": "deny"})
        for _ in range(8):
            match.apply({"t": 0, "do": "undo"})
        self.assertEqual((list(match.cells.now), match.awaits()), before)


class TurnTime(unittest.TestCase):
    def test_a_quartet_laid_does_not_begin_a_turn(self) -> None:
        """CL-7: at most once a turn, whoever lays in it."""
        match = opened(turn_ms=5000, deck=deck("ABCD"))
        lay = {"do": "lay", "seat": 1, "cards": ["B1", "B2", "B3", "B4"]}
        told = []
        for t, command in (
            (4000, lay),
            (5000, {"do": "tick"}),
            (6000, dict(lay, seat=0, cards=["A1", "A2", "A3", "A4"])),
            (11_000, {"do": "tick"}),
        ):
            command["t"] = t
            answer = match.apply(command)
            self.assertIsNone(answer.refusal)
            told.append([event for event in answer.events if event[0] == "turn_up"])
        self.assertEqual(told, [[], [("turn_up", 0, 1)], [], []])


if __name__ == "__main__":
    unittest.main()
