"""The twelve table cards of the app (CA-2): tapped in the order of the tables, or drawn by lot and
listed to be laid out. Only loaded before a match.
"""

from micropython import const

from card_tags.kinds import TABLE
from firmware.app import decks, sounds
from firmware.app.canvas import LINE, TOP
from firmware.app.chooser import moved
from firmware.app.page import DOWN, JURY, OK, UP, Page
from firmware.app.table import lot
from firmware.app.view import View
from firmware.games.cafe.board import NATIONS, natural_key

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from card_tags.kinds import Tag
    from firmware.app.seams import BoxApp

_TABLES = const(12)
_OF_A_NATION = const(2)
_LOT = const(0)
_LAST_BACK = const(1)


class TableCardsPage(Page):
    """`nations` are the cards that lie, as indexes into NATIONS; `chosen` is the row that is lit.

    Raises OSError, ValueError, LookupError or TypeError for a file that is no such board. Once a
    card lies at every table the list of them all is shown, and OK starts.
    """

    def __init__(self, app: "BoxApp", header: "dict[str, Any]") -> None:
        Page.__init__(self, app)
        self._header = header
        tables = decks.load(app.storage, "boards", header["board"])["tables"]
        self._tables = sorted(tables, key=natural_key)
        first = [tables[name]["nation"] for name in self._tables]
        if len(first) != _TABLES:
            raise ValueError("an owner's board of another size")
        self.nations: "list[int]" = []
        self.chosen = 0

    def _is_full(self) -> bool:
        return len(self.nations) == len(self._tables)

    @property
    def items(self) -> "list[str]":
        """The rows."""
        say = self.app.say
        if not self._is_full():
            return [say("begin_lot"), say("cafe_last_back"), say("back")]
        rows = []
        for at in range(len(self._tables)):
            rows.append(self._tables[at] + "\t" + NATIONS[self.nations[at]])
        return rows + [say("cafe_last_back")]

    def view(self) -> "View":
        say = self.app.say
        if self._is_full():
            rows = ("rows", TOP, self.items, self.chosen)
            return View(say("cafe_lay_out"), (rows,), True)
        at = len(self.nations)
        wanted = ("text", 0, TOP, say("cafe_next_card", self._tables[at]))
        rows = ("rows", TOP + LINE, self.items, self.chosen)
        return View(say("cafe_card_of", at), (wanted, rows), True)

    # -- presses and taps --

    def on_button(self, button: int) -> None:
        if button in (UP, DOWN):
            self.chosen = moved(self.chosen, button, len(self.items))
            self.app.sound(sounds.STEP)
        elif button == JURY:
            self.app.show_menu()
        elif button == OK and self._is_full():
            if self.chosen < len(self._tables):
                self._start()
            else:
                self._take_back()
        elif button == OK and self.chosen == _LOT:
            self._draw()
        elif button == OK and self.chosen == _LAST_BACK:
            self._take_back()
        elif button == OK:
            self.app.show_menu()

    def on_tag(self, tag: "Tag") -> None:
        content: "Any" = tag.content
        known = tag.kind == TABLE and not content.table and content.nation in NATIONS
        if not known or self._is_full():
            self.app.wrong_kind()
            return
        nation = NATIONS.index(content.nation)
        if self.nations.count(nation) == _OF_A_NATION:
            say = self.app.say
            self.app.message("STOP", say("refused"), (say("cafe_third"),), sounds.REFUSED, "CA-2")
            return
        self.nations.append(nation)
        self.chosen = 0
        self.app.sound(sounds.ACCEPTED)
        self.app.redraw()

    def _draw(self) -> None:
        """The cards that no tap has told, each of those left as likely as any other."""
        left = []
        for nation in range(len(NATIONS)):
            left.extend([nation] * (_OF_A_NATION - self.nations.count(nation)))
        while not self._is_full():
            self.nations.append(left.pop(lot(len(left))))
        self.app.sound(sounds.ACCEPTED)

    def _take_back(self) -> None:
        if self.nations:
            self.nations.pop()
        self.chosen = 0
        self.app.sound(sounds.STEP)

    # -- the match --

    def _start(self) -> None:
        """Start with the board as it lies: the record has every card."""
        name = self._header["board"]
        board = decks.load(self.app.storage, "boards", name)
        for at in range(len(self._tables)):
            board["tables"][self._tables[at]]["nation"] = NATIONS[self.nations[at]]
        self._header["board"] = board if board.get("id", name) != name else _shape(board)
        self.app.start(self._header)


def _shape(board: "dict[str, Any]") -> "dict[str, Any]":
    """The project's own board without what every laptop knows of it."""
    return {"tables": board["tables"]}
