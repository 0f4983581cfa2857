"""Café International on the laptop."""

from pathlib import Path

from card_tags import kinds
from firmware.rules.errors import Malformed
from host_tools.cards.tag_items import Set
from host_tools.core.errors import Sentence
from host_tools.core.json_types import Json
from host_tools.games.base import Boards, Demo, Game, TagBatch
from host_tools.games.bot import EASY, MEDIUM
from host_tools.games.cafe.board_entry import enter
from host_tools.games.cafe.boards import (
    OWN_BOARDS,
    board_ids,
    board_path,
    check_board,
    draw_tables,
    lay_cards,
    load_board,
)
from host_tools.games.cafe.table_view import CafeTableView
from host_tools.games.cafe.tags import board_table_items, guest_items, table_items, tables_of
from host_tools.games.cafe.tricks import TRICKS

_SIGHTS = frozenset({"sexes", "placed", "barred", "match_over"})


def _with_board(header: Json) -> Json:
    """TRANSCRIPT.md, Café: `board` absent is the preset's own. A wrong preset is for the rules."""
    own = OWN_BOARDS.get(str(header.get("preset")))
    # own first: a board that the header names takes its place
    header = {"board": own, **header} if own else header
    name = header.get("board")
    if not isinstance(name, str):
        return header
    # an id only: a path that stands in a record is never opened
    if name not in board_ids():
        raise Malformed("board", f"is no board that the project knows: {name}")
    return {**header, "board": load_board(name)}


def _tag_sets(header: Json) -> list[Set]:
    """Guests; table cards; and a tag at every table of the board."""
    return [guest_items(), table_items(), board_table_items(header["board"])]


GAME = Game(
    name="cafe",
    folder=Path(__file__).parent,
    table=CafeTableView,
    demos={
        "cafe": Demo("board", None, 3, _SIGHTS | {"swapped", "left_over"}),
        "cafe-app": Demo("app", None, 2, _SIGHTS | {"cleared"}),
    },
    tag_sets=_tag_sets,
    tricks=TRICKS,
    # the order counts: of an answer's events the first one here is explained
    event_rules={
        "seat_out": "CB-11",
        "left_over": "CB-14",
        "cleared": "CA-2",
        "placed": "CB-7",
        "barred": "CB-9",
        "swapped": "CB-12",
        "drew": "CB-8",
        "table_set": "CA-2",
        "began": "CB-2",
        "turn": "CB-2",
    },
    resolved=_with_board,
    drawn=draw_tables,
    opening=lay_cards,
    batches={
        "guests": TagBatch(
            "Write the 100 guests of Café International.",
            lambda board: guest_items(),
            size="tile",
        ),
        "tables": TagBatch(
            "Write the 24 table cards of Café International, or a tag for each table of a board.",
            tables_of,
            has_board=True,
            size="tile",
            preset_of=lambda board: str(board.get("preset", "board")) if board else "app",
        ),
    },
    describe={
        kinds.Guest: lambda guest: Sentence("holds_guest", name=guest.tile),
        kinds.TableTag: lambda table: (
            Sentence("holds_table", name=table.table, nation=table.nation)
            if table.table
            else Sentence("holds_table_card", nation=table.nation)
        ),
    },
    # strong does not surely beat medium here: docs/decisions/bots.md
    strengths=(EASY, MEDIUM),
    boards=Boards(board_ids, lambda name: check_board(board_path(name)), load_board, enter),
    box_words=(
        *("back", "cafe_again", "cafe_bar", "cafe_done", "cafe_forced", "cafe_no_card"),
        "cafe_swap",
    ),
)
