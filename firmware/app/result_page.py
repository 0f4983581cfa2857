"""The end of a match: places, counts or scores, points. OK or a result slip makes it final.

What does not fit at once comes in turn.
"""

from micropython import const

from card_tags.kinds import SLIP

from . import sounds
from .canvas import ICON, LINE, STATUS, TOP
from .page import JURY, LONG, OK, Page
from .view import View
from .words import counted

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from card_tags.kinds import Tag

    from .seams import BoxApp, Played
    from .view import ViewPart
_FIT = const(4)
_TURN_MS = const(4000)


class ResultPage(Page):
    """The winner in large letters, then a line a seat in the order of the ranking."""

    asks = "result"

    def __init__(self, app: "BoxApp", table: "Played") -> None:
        Page.__init__(self, app)
        self._session = table.session
        self._first = 0
        self._turned_ms: "int | None" = None
        self._final = False
        result: "dict[str, Any]" = dict(table.session.match.result())
        self._reason = str(result["reason"])
        self._lines = self._ranking_lines(result)
        first = result["ranking"][0]
        self._winner = app.seat_name(first[0]) if len(first) == 1 else ""
        self._fit = _FIT - 2 if self._winner else _FIT
        app.sound(sounds.OVER)

    def _ranking_lines(self, result: "dict[str, Any]") -> "list[str]":
        ranking = result["ranking"]
        numbers = result["counts"] if "counts" in result else result["scores"]
        points = result.get("points")
        if points is None:
            return self._placed(ranking, [str(number) for number in numbers])
        say = self.app.say
        cards = [say(counted("cards", number), number) for number in numbers]
        worth = [say(counted("result_points", number), number) for number in points]
        return self._placed(ranking, cards) + self._placed(ranking, worth)

    def _placed(self, ranking: "list[list[int]]", texts: "list[str]") -> "list[str]":
        lines = []
        place = 1
        for seats in ranking:
            for seat in seats:
                lines.append("%d. %s\t%s" % (place, self.app.seat_name(seat), texts[seat]))
            place += len(seats)
        return lines

    def title(self) -> str:
        return self.app.say("over_" + self._reason)

    def view(self) -> "View":
        lines = self._lines[self._first : self._first + self._fit]
        rule = self._session.match.end_rule(self._reason)
        parts: "list[ViewPart]" = []
        if self._winner:
            parts.append(("icon", 0, TOP, "TROPHY"))
            parts.append(("large", ICON + 4, TOP, self._winner))
        parts.append(("rows", STATUS - self._fit * LINE, lines, -1))
        parts.append(("hint", self.app.say(self._hint()), rule))
        return View(self.title(), parts, False)

    def _hint(self) -> str:
        return "result_slip" if self.app.has_slips() else "result_ok"

    def on_button(self, button: int) -> None:
        if button == OK:
            self._make_final()
            self.app.show_menu()
        elif button in (JURY, JURY + LONG):
            if not self._final:
                self.app.open_arbiter()
        else:
            self._turn()

    def _turn(self) -> None:
        """What comes next, and after the last the first."""
        self._first += self._fit
        if self._first >= len(self._lines):
            self._first = 0
        self._turned_ms = None

    def on_time(self, now_ms: int) -> None:
        if self._turned_ms is None:
            self._turned_ms = now_ms
        elif self.app.clock.ticks_diff(now_ms, self._turned_ms) >= _TURN_MS:
            self._turn()
            self.app.redraw()

    def on_blank(self) -> bool:
        self._write_slip()
        return True

    def on_tag(self, tag: "Tag") -> None:
        """An old slip may be written again; any other tag keeps what it holds."""
        if tag.kind == SLIP:
            self._write_slip()
        else:
            self.app.wrong_kind()

    def _make_final(self) -> None:
        if not self._final:
            self._session.close()
            self.app.sign_on()
            self._final = True
            self.app.table = None  # no arbiter menu any more, not by the jury card either

    def _write_slip(self) -> None:
        """What a slip says is final: the journal is closed first."""
        from .slip import tell, write_slip

        if self.app.has_slips():
            self._make_final()
            write_slip(self.app, self._session)
        else:
            tell(self.app, "slip_no_key")
