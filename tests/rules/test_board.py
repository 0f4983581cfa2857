"""The café board's numbers (CB-1) and its order."""

import unittest

from firmware.games.cafe.board import Board, find_problems, natural_key
from firmware.rules.errors import Malformed
from tests.rules.ring_boards import ring_app, ring_board


def table(board: "dict[str, object]", name: str) -> "dict[str, object]":
    return board["tables"][name]  # type: ignore[index,no-any-return]


def fields(board: object, preset: str) -> "list[str]":
    return [field for field, _ in find_problems(board, preset)]


class BoardNumbers(unittest.TestCase):
    def test_a_good_board_has_no_problem(self) -> None:
        self.assertEqual(fields(ring_board(), "board"), [])
        self.assertEqual(fields(ring_app(), "app"), [])

    def test_each_preset_wants_its_own_numbers(self) -> None:
        self.assertTrue("board.tables" in fields(ring_board(), "app"))
        self.assertTrue("board.tables" in fields(ring_app(), "board"))

    def test_what_is_no_board(self) -> None:
        for wrong in (None, 7, "cafe", [], {}, {"tables": []}):
            self.assertEqual(fields(wrong, "board"), ["board.tables"])

    def test_one_fault_in_a_table(self) -> None:
        for field, value in (
            ("nation", "XX"),
            ("nation", None),
            ("chairs", "S01"),
            ("chairs", ["S00", "S01", "X00", 3]),
            ("chairs", ["S00", "S01", "X00"]),
            ("chairs", ["S00", "S01", "X00", "X00"]),
        ):
            board = ring_board()
            table(board, "T01")[field] = value
            self.assertEqual(fields(board, "board"), ["board.tables.T01." + field])

    def test_a_nation_three_times(self) -> None:
        board = ring_board()
        table(board, "T01")["nation"] = "CN"  # was AF
        self.assertEqual(fields(board, "board"), ["board.nations.AF", "board.nations.CN"])
        app = ring_app()
        table(app, "T01")["nation"] = "CN"  # twice is fine in the app
        self.assertEqual(fields(app, "app"), [])
        table(app, "T03")["nation"] = "CN"
        self.assertEqual(fields(app, "app"), ["board.nations.CN"])

    def test_a_chair_at_too_many_tables(self) -> None:
        board = ring_board()
        table(board, "T10")["chairs"] = ["S09", "S10", "X03", "S00"]  # S00: T01, T24 and now T10
        self.assertTrue("board.chairs.S00" in fields(board, "board"))
        with self.assertRaises(Malformed):
            Board(board, "board")

    def test_order_is_by_name_with_numbers_counted(self) -> None:
        names = ["T10", "T2", "T1", "Bar", "T02"]
        self.assertEqual(sorted(names, key=natural_key), ["Bar", "T1", "T02", "T2", "T10"])

    def test_chairs_and_tables_know_each_other(self) -> None:
        board = Board(ring_app(), "app")
        middle = board.chairs.index("M02")
        self.assertEqual(list(board.tables_at(middle)), [2, 6, 10])
        for number in board.tables_at(middle):
            self.assertTrue(middle in board.chairs_at(number))


if __name__ == "__main__":
    unittest.main()
