"""Refused and malformed commands change nothing, undo restores exactly."""

import unittest

from firmware.rules.errors import Malformed
from tests.rules.small_matches import Played, swiss_header

LINE = "begin 0,tap A1,call v,tap B1,tap A2,call v,tap B2,penalty 0,tap A3,call v,tap B3"
VALUES = [9, 5, 8, 9, 7, 5, 2, 3, 4, 6, 10, 11] * 2


LONG = "tap A1,call v,tap B2,tap B3,call v,tap C2,tap B4,call v,tap C1"


class RefusedTest(unittest.TestCase):
    def test_undo_restores_every_position(self) -> None:
        played = Played(swiss_header(VALUES))
        states = []
        for words in LINE.split(","):
            states.append(played.state())
            self.assertIsNone(played.do(words).refusal)
        while states:
            played.do("undo", 0)
            self.assertEqual(played.state(), states.pop())
        self.assertEqual(played.names("undo"), ["nothing_to_undo"])

    def test_malformed_changes_nothing(self) -> None:
        played = Played(swiss_header(VALUES), "begin 0")
        before = played.state()
        wrong = [{"do": "tick"}, {"t": 5, "do": "tick"}, {"t": True, "do": "tick"}]
        wrong += [{"t": 9000}, {"t": 9000, "do": "fly"}, {"t": 9000, "do": "tap"}]
        wrong += [{"t": 9000, "do": "tap", "card": "A1", "seat": "0"}]
        for command in wrong:
            with self.assertRaises(Malformed):
                played.match.apply(command)
        self.assertEqual(played.state(), before)
        self.assertEqual(played.do("tap A1").n, 2)

    def test_penalties_and_seats_of_other_commands_are_checked_in_every_preset(self) -> None:
        played = Played(swiss_header(VALUES, preset="gastro"))
        with self.assertRaises(Malformed):
            played.match.apply({"t": 0, "do": "penalty"})

    def test_a_very_long_match_renumbers_its_batches(self) -> None:
        played = Played(swiss_header([1, 2, 3, 4] * 5, preset="gastro"), "begin 0")
        back = played.match.piles._first + 2
        played.match.cells.set(back, 31999)
        played.match.cells.keep()
        played.match._accepted.append(0)
        for words in LONG.split(","):
            self.assertIsNone(played.do(words).refusal)
        self.assertTrue(played.match.cells.now[back] < 100)
        self.assertEqual(played.names("tap C3"), ["played"])


class UndoAndTimeTest(unittest.TestCase):
    def test_an_extension_is_decided_again_after_an_undo(self) -> None:
        """The tie that led to the extension is taken back; a decided round ends the match."""
        header = swiss_header([5, 5, 1, 2], stage="ko", clock_ms=3000, extension_ms=60000)
        played = Played(header, "begin 0, tap A1, call v")
        names = ["time_up", "played", "round_tied", "extended"]
        self.assertEqual(played.names("tap A2", 5000), names)
        self.assertEqual(played.names("undo"), ["undone"])
        self.assertEqual(played.names("tap A3"), ["played", "round_won", "match_over"])

    def test_clock_events_that_stand_are_not_given_twice(self) -> None:
        header = swiss_header([5, 5, 1, 2], stage="ko", clock_ms=3000, extension_ms=60000)
        played = Played(header, "begin 0, tap A1")
        self.assertEqual(played.names("tick", 5000), ["time_up", "extended"])
        self.assertEqual(played.names("undo"), ["undone"])
        self.assertEqual(played.match.clock.limit_ms, 63000)
