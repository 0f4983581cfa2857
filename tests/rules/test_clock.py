"""The match clock by itself (CL-1) and what a match makes of it."""

import unittest

from firmware.rules.clock import MatchClock
from tests.rules.small_matches import Played, swiss_header


class MatchClockTest(unittest.TestCase):
    def test_time_counts_only_while_it_runs(self) -> None:
        clock = MatchClock(1000, 500)
        clock.run(300)
        clock.running = True
        clock.run(700)
        clock.running = False
        clock.run(5000)
        self.assertEqual(clock.elapsed_ms, 400)
        self.assertEqual(clock.left_ms(), 600)

    def test_a_screen_may_ask_between_commands(self) -> None:
        clock = MatchClock(1000, 500)
        clock.running = True
        clock.run(100)
        self.assertEqual(clock.left_ms(350), 650)
        self.assertEqual(clock.left_ms(9999), 0)
        self.assertEqual(clock.left_ms(), 900)

    def test_up_at_the_very_millisecond(self) -> None:
        clock = MatchClock(1000, 500)
        clock.running = True
        clock.run(999)
        self.assertFalse(clock.is_up())
        clock.run(1000)
        self.assertTrue(clock.is_up())


class ClockOfAMatchTest(unittest.TestCase):
    def test_it_runs_from_the_first_card(self) -> None:
        played = Played(swiss_header([5, 3]), "begin 0")
        self.assertFalse(played.match.clock.running)
        played.do("tap A1")
        self.assertTrue(played.match.clock.running)
        played.do("tick", 400)
        self.assertEqual(played.match.clock.left_ms(), 599600)

    def test_it_stands_while_paused_decided_and_over(self) -> None:
        header = swiss_header([5, 5], stage="ko")
        played = Played(header, "begin 0, tap A1, pause")
        self.assertFalse(played.match.clock.running)
        played.do("resume", 60000)
        self.assertTrue(played.match.clock.running)
        played.do("call v")
        played.do("tap A2")  # nobody has a card left: the jury decides
        self.assertFalse(played.match.clock.running)
        played.do("decide 1", 900000)
        self.assertFalse(played.match.clock.running)
        played.do("undo", 900000)
        self.assertEqual(played.match.clock.elapsed_ms, 3000)

    def test_the_extension_is_added_to_the_limit(self) -> None:
        header = swiss_header([5, 3], stage="ko", clock_ms=5000, extension_ms=2000)
        played = Played(header, "begin 0, tap A1")
        self.assertEqual(played.names("tick", 5500), ["time_up", "extended"])
        self.assertEqual(played.match.clock.limit_ms, 7000)
        self.assertEqual(played.match.clock.left_ms(), 1500)

    def test_without_a_clock(self) -> None:
        played = Played(swiss_header([5, 3], preset="gastro"), "begin 0")
        self.assertIsNone(played.match.clock)
        self.assertEqual(played.names("pause"), ["not_now"])
        self.assertEqual(played.names("tick"), [])
