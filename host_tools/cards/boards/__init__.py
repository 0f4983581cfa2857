"""Café boards as data: the project's own, and the printed board of an owner.

`load_board(id_or_path)` gives the `board` object of a transcript's header.
"""

from host_tools.cards.boards.library import (
    OWN_BOARDS,
    BoardFile,
    board_ids,
    check_board,
    load_board,
)
from host_tools.core.faults import Fault

__all__ = ["OWN_BOARDS", "BoardFile", "Fault", "board_ids", "check_board", "load_board"]
