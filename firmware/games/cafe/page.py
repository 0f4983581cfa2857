"""Café International on the screen, board and app: guest, table, chair, bar, swap (CB, CA)."""

from micropython import const

from card_tags.kinds import GUEST, TABLE
from firmware.app import sounds
from firmware.app.canvas import ICON, LINE, TOP
from firmware.app.chooser import TURN, Chooser
from firmware.app.page import OK
from firmware.app.table import Table
from firmware.app.view import NewsItem
from firmware.games.cafe.board import NATIONS
from firmware.games.cafe.guests import GUESTS, guest_code
from firmware.rules.answers import fields_of

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from card_tags.kinds import Tag
    from firmware.app.seams import BoxApp
    from firmware.app.session import Session
    from firmware.app.view import ViewPart
    from firmware.games.cafe.rules import Cafe
    from firmware.rules.answers import Answer, Event

# what the next guest tapped is for
_SEAT = const(0)
_BAR = const(1)
_SWAP = const(2)
_TAKE_BACK = const(3)  # among the actions
_MODES = ("cafe_lay_guest", "cafe_lay_bar", "cafe_lay_swap")
_JOKER = "JK"


class CafeTable(Table):
    """A guest is tapped, then the chair is chosen: the table first, by button or table tag."""

    if TYPE_CHECKING:
        _match: "Cafe"

    def __init__(self, app: "BoxApp", session: "Session") -> None:
        Table.__init__(self, app, session)
        self._about = 0  # the seat that the news is about; the turn may have moved on
        self.awaits_changed()

    def awaits_changed(self) -> None:
        self._mode = _SEAT
        self._tile = ""  # the guest that looks for a chair
        self._why = ""  # if it was entered by hand
        self._place = ""  # the table chosen for it
        self._chair = ""  # the joker's chair in a swap
        self._left: "list[str]" = []  # guests of a leftover hand, tapped so far
        self._legal: "list[str]" = []
        self._tables: "list[tuple[str, str]]" = []  # where it may be led: name, row of the list

    def half(self) -> "dict[str, object]":
        """`mode`: what the next guest is for; `tile` looks for a chair, at `place` if that is set;
        `chair` is the joker's in a swap; `left` are the guests of a leftover hand so far.
        """
        return {
            "mode": _MODES[self._mode][len("cafe_lay_") :],
            "tile": self._tile,
            "place": self._place,
            "chair": self._chair,
            "left": self._left,
        }

    # -- lists --

    def deal(self) -> "list[str]":
        """CB-1."""
        return [self.app.say("cafe_draw")]

    def title(self) -> str:
        say = self.app.say
        name = self.app.seat_name(self.awaits.seat)
        if self.awaits.what == "begin":
            return say("who_begins")
        if self.awaits.what == "table_card":
            return say("cafe_new_card", self._awaited_table())
        if self._mode == _SWAP and not self._chair:
            return say("cafe_which_joker")
        if not self._tile:
            return name
        return say("cafe_chair_for" if self._place else "cafe_table_for", self._tile)

    def _awaited_table(self) -> str:
        return str(dict(self.awaits.more)["table"])

    def choices(self) -> "list[str]":
        what = self.awaits.what
        if what == "table_card":
            return list(NATIONS) + [self.app.say("cafe_no_card")]
        if what == "place" and self._mode == _SWAP and not self._chair:
            return self._joker_chairs() + [self.app.say("back")]
        if what == "place" and self._tile:
            if self._place:
                return [self._marked(chair) for chair in self._chairs()] + [self.app.say("back")]
            return [row for _, row in self._tables] + [self.app.say("back")]
        return Table.choices(self)

    def _list_tables(self) -> None:
        """Tables with a free chair, those with a legal one first. Made once a guest: a list is
        asked for several times a press.
        """
        legal = []
        others = []
        for name, nation, guests in self._match.tables():
            free = self._match.free_chairs(name) if None in guests else []
            if not free:
                continue
            seated = " ".join([guest for guest in guests if guest is not None])[:14]
            row = "%s %s\t%s" % (name, nation or "–", seated)
            if True in [chair in self._legal for chair in free]:
                legal.append((name, "✓ " + row))
            else:
                others.append((name, row))
        self._tables = legal + others

    def _chairs(self) -> "list[str]":
        """The free chairs of the chosen table, the legal ones first."""
        return legal_first(self._match.free_chairs(self._place), self._legal)

    def _marked(self, chair: str) -> str:
        return ("✓ " if chair in self._legal else "") + chair

    def _joker_chairs(self) -> "list[str]":
        """Chairs on which a joker sits, each once."""
        found: "list[str]" = []
        board = self._match.board
        for chair in range(len(board.chairs)):
            guest = self._match.room.guest_on(chair)
            if guest >= 0 and guest_code(guest)[:2] == _JOKER:
                found.append(board.chairs[chair])
        return found

    def pick(self, number: int) -> None:
        what = self.awaits.what
        if what == "table_card":
            self._set_card(NATIONS[number] if number < len(NATIONS) else None)
        elif what == "place" and number == len(self.choices()) - 1:
            self._back()
        elif what == "place" and self._mode == _SWAP:
            self._chair = self._joker_chairs()[number]
        elif what == "place" and self._place:
            self._seat_on(self._chairs()[number])
        elif what == "place":
            self._place = self._tables[number][0]
            self.chosen = 0
        else:
            Table.pick(self, number)

    def _back(self) -> None:
        """One step back: the table again, else another guest."""
        self.chosen = 0
        if self._place:
            self._place = ""
        else:
            self.awaits_changed()

    def _set_card(self, nation: "str | None") -> None:
        self.act("table_card", ("table", self._awaited_table()), ("nation", nation))

    def _seat_on(self, chair: str) -> None:
        self._with_why("place", ("tile", self._tile), ("chair", chair))

    def _with_why(self, do: str, *fields: "tuple[str, object]") -> bool:
        return self.act(do, *(fields + (("why", self._why),) if self._why else fields))

    # -- the screen without a list --

    def standing(self) -> "tuple[Sequence[object], str]":
        hands = " ".join([str(size) for size in self._match.hand_sizes()])
        return self._match.scores(), self.app.say("cafe_hands", hands)

    def picture(self) -> "Sequence[ViewPart]":
        match = self._match
        if match.seats > 2:
            bar = ("text", 0, TOP + ICON + 4, self._bar_line())
            return self.turn_parts() + [bar, self.standing_part()]
        return (
            ("text", 0, TOP, self._what_to_do()),
            ("seats", TOP + LINE, self.names, match.scores(), self.awaits.seat, ""),
            ("middle", 38, self.standing()[1]),
            ("text", 0, 53, self._bar_line()),
        )

    def heading(self) -> str:
        return self._what_to_do() if self._match.seats > 2 else self.title()

    def _what_to_do(self) -> str:
        if self.awaits.what == "leftover":
            hand = self._match.hand_sizes()[self.awaits.seat or 0]
            return self.app.say("cafe_leftover", len(self._left), hand)
        return self.app.say(_MODES[self._mode])

    def _bar_line(self) -> str:
        field = self._match.bar_field()
        bar = "–" if field is None else "%d (%+d)" % field
        return self.app.say("cafe_bar_bag", bar, self._match.bag())

    def press(self, button: int) -> None:
        if button != OK or self.awaits.what not in ("place", "leftover"):
            Table.press(self, button)
            return
        say = self.app.say
        items = [say("cafe_done"), say("cafe_bar"), say("cafe_swap")]
        if self._match.may_take_back():
            items.append(say("cafe_take_back"))
        elif self.awaits.what == "leftover":
            items = [say("cafe_again")]
        items.append(say("back"))
        self.app.open(Chooser(self.app, self.title(), items, self._chose_action, asks=TURN))

    def _chose_action(self, number: int) -> None:
        if self.awaits.what == "leftover":
            self._left = [] if number == 0 else self._left
        elif number == 0:
            self.act("done")
        elif number in (_BAR, _SWAP):
            self._mode = number
            self.chosen = 0
        elif number == _TAKE_BACK and self._match.may_take_back():
            self.act("undo", ("why", "player"))
        else:
            self.awaits_changed()

    # -- taps --

    def on_tag(self, tag: "Tag") -> None:
        content: "Any" = tag.content
        if tag.kind == GUEST:
            self._guest(content.tile, "")
        elif tag.kind == TABLE:
            self._table_tag(content)
        else:
            self.app.wrong_kind()

    def _table_tag(self, content: "Any") -> None:
        if self.awaits.what == "table_card" and not content.table:
            self._set_card(content.nation)
        elif self._tile and content.table in [name for name, _ in self._tables]:
            self._place = content.table
            self.chosen = 0
            self.app.sound(sounds.ACCEPTED)
        else:
            self.app.wrong_kind()

    def _guest(self, tile: str, why: str) -> None:
        what = self.awaits.what
        if what == "leftover":
            self._take_leftover(tile)
        elif what == "place" and self._tile:
            self._say_no("cafe_chair_first")
        elif what == "place" and self._mode == _SWAP and not self._chair:
            self._say_no("cafe_joker_first")
        else:
            self._why = why
            self._use_guest(tile)

    def _use_guest(self, tile: str) -> None:
        if self.awaits.what != "place":
            self.act("place", ("tile", tile), ("chair", ""))  # refused, with its reason
        elif self._mode == _BAR:
            self._to_bar(tile)
        elif self._mode == _SWAP:
            self._with_why("swap", ("chair", self._chair), ("tile", tile))
        else:
            self._seek_chair(tile)

    def _seek_chair(self, tile: str) -> None:
        """Show where a guest may sit, or say that it may nowhere, and why if it is not theirs."""
        if not self._match.is_held(tile):
            self.act("place", ("tile", tile), ("chair", ""))
            return
        self._legal = self._match.good_chairs(tile)
        if not self._legal:
            self._say_no("cafe_nowhere", tile)
            return
        self._tile = tile
        self._list_tables()
        self.chosen = 0
        self.app.sound(sounds.ACCEPTED)

    def _to_bar(self, tile: str) -> None:
        """CB-11: who cannot pay is asked whether nothing else is possible."""
        why = self._why
        answer = self._bar(tile, False, why)
        if answer.refusal is not None and answer.refusal.reason == "cannot_pay":
            say = self.app.say
            items = [say("back"), say("cafe_forced")]

            def chose(number: int) -> None:
                if number:
                    self._bar(tile, True, why)

            title = say("cafe_cannot_pay")
            self.app.open(Chooser(self.app, title, items, chose, asks="cannot_pay"))

    def _bar(self, tile: str, forced: bool, why: str) -> "Answer":
        fields: "list[tuple[str, object]]" = [("tile", tile)]
        if forced:
            fields.append(("forced", True))
        if why:
            fields.append(("why", why))
        answer = self.session.apply("bar", fields)
        self.show(answer)
        return answer

    def _take_leftover(self, tile: str) -> None:
        """CB-14: when as many guests are tapped as the hand holds, they are written down."""
        seat = self.awaits.seat or 0
        if tile not in self._left:
            self._left.append(tile)
        self.app.sound(sounds.ACCEPTED)
        if len(self._left) == self._match.hand_sizes()[seat]:
            self.act("leftover", ("seat", seat), ("tiles", self._left))

    def _say_no(self, key: str, *values: object) -> None:
        say = self.app.say
        self.app.message("STOP", say("refused"), (say(key, *values),), sounds.REFUSED, "CB-2")

    def codes(self) -> "list[str]":
        if self.awaits.what not in ("place", "leftover"):
            return []
        return [guest_code(guest) for guest in range(GUESTS)]

    def by_hand(self, code: str, why: str) -> None:
        self._guest(code, why)

    # -- news --

    def tell(self, event: "Event") -> "NewsItem | None":
        if fields_of(event[0])[0] == "seat":
            self._about = event[1]  # also for `completed` and `cleared`, which follow `placed`
        teller = _TELLERS.get(event[0])
        return None if teller is None else teller(self, event)

    def _placed(self, event: "Event") -> "NewsItem":
        _, seat, tile, chair, scores, points = event
        key = "cafe_points_one" if points == 1 else "cafe_points"
        lines = (
            "  ".join(["%s: %+d" % (table, score) for table, score in scores.items]),
            (key, points, self._match.scores()[seat]),
        )
        large = (((), self.names[seat]),)
        title = ("cafe_placed", tile, chair)
        return NewsItem("TROPHY", title, lines, sounds.ROUND_WON + seat, "", large)

    def _completed(self, event: "Event") -> "NewsItem":
        rules = self._match.rules
        key = "news_completed"
        if event[2] and not rules.app:  # CB-8, CA-3
            key = "news_completed_dry" if rules.leaflet else "news_completed_one"
        return self._news("TROPHY", (key, event[1]), sounds.ROUND_WON + self._about)

    def _cleared(self, event: "Event") -> "NewsItem":
        key = "news_cleared_one" if event[2] == 1 else "news_cleared"
        return self._news("HAND", (key, " ".join(event[1]), event[2]), sounds.ATTENTION)

    def _barred(self, event: "Event") -> "NewsItem":
        _, seat, tile, field, points = event
        total = self._match.scores()[seat]
        key = "news_barred_one" if points in (1, -1) else "news_barred"
        sound = sounds.ROUND_WON + seat if points > 0 else sounds.NO_GAIN
        return self._news("HAND", (key, tile, field, "%+d" % points, total), sound)

    def _swapped(self, event: "Event") -> "NewsItem":
        text = ("news_swapped", event[2], event[3])
        return self._news("HAND", text, sounds.ROUND_WON + event[1])

    def _left_over(self, event: "Event") -> "NewsItem":
        text = ("news_left_over", self.names[event[1]], event[3])
        return self._news("HAND", text, sounds.NO_GAIN)

    def _out(self, event: "Event") -> "NewsItem":
        return self._news("STOP", ("news_seat_out", self.names[event[1]]), sounds.ATTENTION)

    def _news(self, icon: str, text: "tuple[object, ...]", sound: int) -> "NewsItem":
        return NewsItem(icon, self.names[self._about], (text,), sound, "", ())


def legal_first(names: "list[str]", legal: "list[str]") -> "list[str]":
    """The same names, those in `legal` in front."""
    return [name for name in names if name in legal] + [
        name for name in names if name not in legal
    ]


_TELLERS = {
    "placed": CafeTable._placed,
    "completed": CafeTable._completed,
    "cleared": CafeTable._cleared,
    "barred": CafeTable._barred,
    "swapped": CafeTable._swapped,
    "left_over": CafeTable._left_over,
    "seat_out": CafeTable._out,
}
