"""The café, piece by piece; whole turns are in tests/transcripts/cafe and cafe_app."""

import unittest

from firmware.games import open_match
from firmware.games.cafe.guests import GUESTS, guest_code, guest_number, is_joker, sex_of
from firmware.games.cafe.ledger import Ledger
from firmware.games.cafe.rules import Cafe
from firmware.rules.cells import Cells
from tests.rules.ring_boards import name, ring_app, ring_board


def header(**more: object) -> "dict[str, object]":
    base: dict[str, object] = {"schiri": 1, "game": "cafe", "preset": "board", "seats": 2}
    base["board"] = ring_app() if more.get("preset") == "app" else ring_board()
    base.update(more)
    return base


def opened(**more: object) -> Cafe:
    match = open_match(header(**more))
    match.apply({"t": 0, "do": "begin", "seat": 0})
    return match  # type: ignore[return-value]


def do(match: Cafe, word: str, **fields: object) -> "str | None":
    """Apply a command and return the reason of its refusal, or None."""
    command: dict[str, object] = {"t": 0, "do": word}
    command.update(fields)
    refusal = match.apply(command).refusal
    return None if refusal is None else refusal.reason


class OutOfTheGame(unittest.TestCase):
    def test_a_joker_known_to_be_with_a_seat_that_goes_out_is_gone(self) -> None:
        """CB-11, CB-12: the first seat's joker is swapped into the second one's hand."""
        match = opened(seats=3, options={"bar_values": [-1] * 20})
        self.assertIsNone(do(match, "place", tile="JKf1", chair="A042"))
        self.assertIsNone(do(match, "done"))
        self.assertIsNone(do(match, "swap", tile="ESf1", chair="A042"))
        self.assertIsNone(do(match, "place", tile="ESm1", chair="A043"))
        self.assertIsNone(do(match, "done"))
        self.assertIsNone(do(match, "place", tile="ESm2", chair="S04"))
        self.assertIsNone(do(match, "done"))
        self.assertEqual(do(match, "bar", tile="FRf1"), "cannot_pay")
        self.assertIsNone(do(match, "bar", tile="FRf1", forced=True))
        self.assertEqual(match.awaits().seat, 2)
        self.assertEqual(do(match, "place", tile="JKf1", chair="S05"), "already_played")
        self.assertIsNone(do(match, "undo"))
        self.assertEqual(do(match, "place", tile="ESf1", chair="S05"), "already_played")
        self.assertEqual(match.hands.known_jokers(1), [guest_number("JKf1")])


class Guests(unittest.TestCase):
    def test_a_hundred_guests_each_with_one_code(self) -> None:
        codes = [guest_code(guest) for guest in range(GUESTS)]
        self.assertEqual(len(set(codes)), 100)
        self.assertEqual([guest_number(code) for code in codes], list(range(100)))
        self.assertEqual(len([1 for guest in range(GUESTS) if sex_of(guest) == 1]), 50)
        self.assertEqual([code for code in codes if is_joker(guest_number(code))], codes[96:])
        self.assertEqual(codes[96:], ["JKf1", "JKf2", "JKm1", "JKm2"])

    def test_what_is_no_guest(self) -> None:
        for code in ("", "FR", "FRf0", "FRf5", "FRF1", "frf1", "JKf3", "JKx1", "FRf1 ", "ZZm1"):
            self.assertEqual(guest_number(code), -1)


class Screens(unittest.TestCase):
    # T01 (AF) of the ring board has the chairs S00 (shared with T24), S01 (with T02), X00, A003
    def test_tables_and_chairs(self) -> None:
        match = opened()
        self.assertEqual(match.free_chairs("T01"), ["S00", "S01", "X00", "A003"])
        self.assertEqual(do(match, "place", tile="AFf1", chair="A003"), None)
        self.assertEqual(match.free_chairs("T01"), ["S00", "S01", "X00"])
        self.assertEqual(match.tables()[0], ("T01", "AF", [None, None, None, "AFf1"]))
        self.assertEqual(match.legal_chairs("AFm1"), ["S00", "S01", "X00"])
        self.assertEqual(match.legal_chairs("AFf2"), [])
        self.assertEqual(match.legal_chairs("AFf1"), [])
        self.assertEqual(match.legal_chairs("none"), [])
        self.assertEqual(match.hand_sizes(), [4, 5])
        self.assertEqual(match.bag(), 90)

    def test_bar_field(self) -> None:
        match = opened()
        self.assertEqual(match.bar_field(), (1, 1))
        do(match, "bar", tile="AFf1")
        self.assertEqual((match.bar_field(), match.scores()), ((2, 2), [1, 0]))

    def test_a_table_without_a_card_has_no_nation(self) -> None:
        match = opened(preset="app")  # T09 (IT) has S08, S09, M00 and A08
        do(match, "place", tile="ITf1", chair="A08")
        do(match, "place", tile="ITm1", chair="S08")
        do(match, "place", tile="ITf2", chair="S09")
        self.assertEqual(match.tables()[8], ("T09", "IT", ["ITm1", "ITf2", None, "ITf1"]))
        do(match, "place", tile="ITm2", chair="M00")
        self.assertEqual(match.tables()[8], ("T09", None, [None, None, None, None]))
        self.assertEqual(match.awaits().more, (("table", "T09"),))
        do(match, "table_card", table="T09", nation="FR")
        self.assertEqual(match.tables()[8], ("T09", "FR", [None, None, None, None]))
        self.assertEqual(match.hand_sizes(), [5, 5])


class HandLimit(unittest.TestCase):
    def fill(self, match: Cafe, table: int, nation: str, copies: str) -> None:
        """Two turns fill a table of the ring with chairs of its own: A..2 and A..3, then S, S."""
        own = name("A", table - 1)
        two = [(nation + "f" + copies[0], own + "2"), (nation + "m" + copies[0], own + "3")]
        ring = (name("S", table - 1), name("S", table % 24))
        two += [(nation + "f" + copies[1], ring[0]), (nation + "m" + copies[1], ring[1])]
        for tile, chair in two:
            self.assertEqual(do(match, "place", tile=tile, chair=chair), None)

    def test_the_hand_shrinks_to_nothing(self) -> None:
        """CB-8: seat 1 completes five one-nation tables and has no guest left (CB-13)."""
        match = opened()
        turns = [(11, "TR", "12"), (13, "AF", "12"), (15, "CU", "12"), (17, "ES", "12")]
        for table, nation, copies in turns:
            self.fill(match, table, nation, copies)
        self.assertEqual(match.hand_sizes(), [5, 1])
        # a hand of one may not open a table (CB-5)
        self.assertEqual(do(match, "bar", tile="USf1"), None)
        self.assertEqual(do(match, "place", tile="RUf1", chair="A212"), "alone")
        self.assertEqual(do(match, "bar", tile="RUf1"), None)
        self.assertEqual(match.hand_sizes(), [5, 1])
        # seat 0 leaves one chair of T19 (GB) for seat 1
        self.assertEqual(do(match, "place", tile="GBf1", chair="A182"), None)
        self.assertEqual(do(match, "place", tile="GBm1", chair="A183"), None)
        self.assertEqual(do(match, "bar", tile="RUf2"), None)
        self.assertEqual(do(match, "place", tile="GBf2", chair="S18"), None)
        self.assertEqual(do(match, "done"), None)
        answer = match.apply({"t": 0, "do": "place", "tile": "GBm2", "chair": "S19"})
        self.assertEqual(answer.refusal, None)
        self.assertEqual(do(match, "place", tile="GBm3", chair="S20"), "not_in_hand")
        self.assertEqual(do(match, "done"), None)
        self.assertEqual(match.hand_sizes(), [5, 0])
        self.assertEqual((match.awaits().seat, match.awaits().what), (0, "leftover"))
        tiles = ["JKf1", "JKf2", "JKm1", "JKm2", "RUf3"]
        answer = match.apply({"t": 0, "do": "leftover", "seat": 0, "tiles": tiles})
        self.assertEqual(answer.events[1][:2], ("match_over", "hand_empty"))


class Ties(unittest.TestCase):
    """CB-14: points, then the smaller hand penalty, then more guests seated, then shared."""

    def test_equal_points(self) -> None:
        ledger = Ledger(4, Cells(Ledger.start()), 0)
        for seat, points, penalty, guests in ((0, 20, 10, 9), (1, 15, 5, 2), (2, 15, 5, 3)):
            ledger.earn(seat, points)
            ledger.punish(seat, penalty)
            for _ in range(guests):
                ledger.count_guest(seat)
        ledger.earn(3, 10)
        # everybody has ten points; seat 3 paid nothing, seats 1 and 2 five, seat 0 ten
        self.assertEqual(ledger.ranking(), [[3], [2], [1], [0]])
        ledger.count_guest(1)
        self.assertEqual(ledger.ranking(), [[3], [1, 2], [0]])


if __name__ == "__main__":
    unittest.main()
