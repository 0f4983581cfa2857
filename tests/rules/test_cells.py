"""Cells: writing, keeping, taking back, settling what time alone causes."""

import unittest

from firmware.rules.cells import LARGEST, SMALLEST, Cells


class CellsTest(unittest.TestCase):
    def setUp(self) -> None:
        self.cells = Cells([1, 2, 3])

    def rows(self) -> "list[int]":
        return list(self.cells.now)

    def test_a_step_is_taken_back_whole(self) -> None:
        self.cells.set(0, 5)
        self.cells.add(0, 1)
        self.cells.set(2, SMALLEST)
        self.cells.keep()
        self.assertEqual(self.rows(), [6, 2, SMALLEST])
        self.cells.take_back()
        self.assertEqual(self.rows(), [1, 2, 3])

    def test_steps_go_back_one_by_one(self) -> None:
        self.cells.set(0, LARGEST)
        self.cells.keep()
        self.cells.keep()  # a command that changes nothing is a step too
        self.cells.set(0, 7)
        self.cells.keep()
        for expected in (LARGEST, LARGEST, 1):
            self.cells.take_back()
            self.assertEqual(self.rows()[0], expected)
        with self.assertRaises(IndexError):
            self.cells.take_back()

    def test_drop_forgets_what_was_not_kept(self) -> None:
        self.cells.set(1, 9)
        self.assertTrue(self.cells.changed())
        self.cells.drop()
        self.assertFalse(self.cells.changed())
        self.assertEqual(self.rows(), [1, 2, 3])

    def test_what_time_did_goes_back_with_the_command_before(self) -> None:
        self.cells.set(0, 5)
        self.cells.keep()
        self.cells.set(1, 8)
        self.cells.settle()
        self.cells.set(2, 9)
        self.cells.keep()
        self.cells.take_back()
        self.assertEqual(self.rows(), [5, 8, 3])
        self.cells.take_back()
        self.assertEqual(self.rows(), [1, 2, 3])

    def test_what_time_did_before_any_command_stays(self) -> None:
        self.cells.set(1, 8)
        self.cells.settle()
        self.cells.set(0, 5)
        self.cells.keep()
        self.cells.take_back()
        self.assertEqual(self.rows(), [1, 8, 3])

    def test_every_size_of_number_comes_back(self) -> None:
        values = [SMALLEST, -8193, -65, -64, -1, 0, 63, 64, 127, 128, 8191, 8192, LARGEST]
        cells = Cells(values * 40)  # 520 places: their numbers take one byte, then two
        start = list(cells.now)
        for first in (0, 60, 500):
            for place in range(first, first + 13):
                cells.set(place, 7)
            cells.keep()
        for _ in range(3):
            cells.take_back()
        self.assertEqual(list(cells.now), start)

    def test_a_long_history_goes_back_to_the_start(self) -> None:
        for number in range(1000):
            self.cells.set(number % 3, number * 31 - 15000)
            self.cells.keep()
        for _ in range(1000):
            self.cells.take_back()
        self.assertEqual(self.rows(), [1, 2, 3])
