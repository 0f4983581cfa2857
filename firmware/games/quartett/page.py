"""Quartett on the screen: ask with the buttons, hand over with a tap, lay with four (QU)."""

from micropython import const

from firmware.app import sounds
from firmware.app.by_hand import group_of, groups_of
from firmware.app.canvas import LINE, TOP
from firmware.app.table import Table
from firmware.app.view import NewsItem
from firmware.app.words import counted

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Sequence

    from card_tags.kinds import Card
    from firmware.app.seams import BoxApp
    from firmware.app.session import Session
    from firmware.app.view import ViewPart
    from firmware.games.quartett.rules import Quartett
    from firmware.rules.answers import Event

_QUARTET = const(4)
_STARTER = "A1"  # QU-3
_NOBODY = const(-1)


class QuartettTable(Table):
    """A question is three lists: seat, group, card. `_layer` is the seat laying a quartet."""

    STANDS = True

    if TYPE_CHECKING:
        _match: "Quartett"

    def __init__(self, app: "BoxApp", session: "Session") -> None:
        Table.__init__(self, app, session)
        self.awaits_changed()

    def awaits_changed(self) -> None:
        self._target = _NOBODY
        self._group = ""
        self._choosing_layer = False
        self._layer = _NOBODY
        self._laid: "list[str]" = []

    def half(self) -> "dict[str, object]":
        """`seat` and `group` of a question; `layer`: who lays `laid`, none of them is -1, and
        whether it `chooses` that seat.
        """
        return {
            "seat": self._target,
            "group": self._group,
            "layer": self._layer,
            "laid": self._laid,
            "chooses": self._choosing_layer,
        }

    # -- lists --

    def title(self) -> str:
        say = self.app.say
        name = self.app.seat_name(self.awaits.seat)
        if self.awaits.what == "begin":
            return say("who_begins")
        if self._choosing_layer:
            return say("quartett_who_lays")
        if self.awaits.what == "answer":
            asked = self._match.asked()
            return say("quartett_asked", name, asked[1] if asked else "")
        return say("quartett_" + ("asks" if self._target == _NOBODY else "which"), name)

    def choices(self) -> "list[str]":
        say = self.app.say
        what = self.awaits.what
        if self._choosing_layer:
            return self.seats() + [say("back")]
        if self._layer != _NOBODY:
            return []
        if what == "ask":
            return self._ask_choices()
        if what == "answer":
            return [say("quartett_hand_over"), say("quartett_deny")]
        if what == "lay":
            return [say("quartett_lay"), say("quartett_done")]
        return Table.choices(self)

    def _ask_choices(self) -> "list[str]":
        say = self.app.say
        if self._target == _NOBODY:
            sizes = self._match.hand_sizes()
            names = []
            for seat in self._others():
                size = sizes[seat]
                names.append(self.names[seat] + "\t" + say(counted("cards", size), size))
            return names + [say("quartett_lay")]
        if not self._group:
            return groups_of(self._match.codes()) + [say("back")]
        return self._cards_of_group() + [say("back")]

    def _others(self) -> "list[int]":
        return [seat for seat in range(self._match.seats) if seat != self.awaits.seat]

    def _cards_of_group(self) -> "list[str]":
        return [code for code in self._match.codes() if group_of(code) == self._group]

    def pick(self, number: int) -> None:
        what = self.awaits.what
        if self._choosing_layer and number == self._match.seats:
            self.chosen = 0
            self.awaits_changed()
        elif self._choosing_layer:
            self._choosing_layer = False
            self._layer = number
        elif what == "ask":
            self._pick_ask(number)
        elif what == "answer":
            if number:
                self.act("deny")
            else:
                self.app.message(
                    "HAND", self.title(), (self.app.say("quartett_tap"),), sounds.STEP, "QU-3"
                )
        elif what == "lay" and number:
            self.act("done")
        elif what == "lay":
            self._choose_layer()
        else:
            Table.pick(self, number)

    def _pick_ask(self, number: int) -> None:
        self.chosen = 0
        if self._target == _NOBODY:
            others = self._others()
            if number < len(others):
                self._target = others[number]
            else:
                self._choose_layer()
            return
        groups = groups_of(self._match.codes())
        options = self._cards_of_group() if self._group else groups
        if number == len(options):
            self.awaits_changed()
        elif self._group:
            self.act("ask", ("seat", self._target), ("card", options[number]))
        else:
            self._group = options[number]

    def _choose_layer(self) -> None:
        self._choosing_layer = True
        self.chosen = 0 if self.awaits.seat is None else self.awaits.seat

    def standing(self) -> "tuple[Sequence[object], str]":
        return self._match.quartets(), self.app.say("quartett_numbers")

    def deal(self) -> "list[str]":
        """QU-1, QU-2."""
        say = self.app.say
        sizes = self._match.hand_sizes()
        if min(sizes) == max(sizes):
            lines = self.deal_cards(sizes[0], 0)
        else:
            lines = [say("quartett_deal", " ".join([str(size) for size in sizes]))]
        return [say("quartett_jokers")] * (True in self._match.deck.jokers) + lines

    # -- laying a quartet --

    def picture(self) -> "Sequence[ViewPart]":
        say = self.app.say
        row = TOP + 2 * LINE
        return (
            ("text", 0, TOP, say("quartett_lays", self.names[self._layer])),
            ("text", 0, TOP + LINE, say("quartett_four_taps")),
            ("text", 0, row, "  ".join(self._laid)),
            ("digits", row, "", "", str(len(self._laid))),
            ("text", 0, row + LINE + 2, say("quartett_back")),
        )

    def press(self, button: int) -> None:
        self.awaits_changed()

    def card(self, card: "Card") -> None:
        self._card(card.code)

    def _card(self, code: str) -> None:
        """A card hands over what was asked for; else it is one of a quartet being laid."""
        number = self._match.deck.index(code)
        if number >= 0 and self._match.deck.jokers[number]:
            say = self.app.say
            text = say("no_joker_not_allowed")
            self.app.message("STOP", say("refused"), (text,), sounds.REFUSED, "QU-1")
            return
        if self.awaits.what == "begin" and code == _STARTER:
            self.ask_whose(code)
            return
        if self.awaits.what in ("begin", "answer"):
            self.act("tap", ("card", code))
            return
        if self._layer == _NOBODY:
            self._layer = 0 if self.awaits.seat is None else self.awaits.seat
        if code not in self._laid:
            self._laid.append(code)
        self.app.sound(sounds.ACCEPTED)
        if len(self._laid) == _QUARTET:
            self.act("lay", ("seat", self._layer), ("cards", self._laid))

    def codes(self) -> "list[str]":
        return self._match.codes() if self.awaits.what in ("ask", "answer", "lay") else []

    def by_hand(self, code: str, why: str) -> None:
        if self.awaits.what == "answer":
            self.act("tap", ("card", code), ("why", why))
        else:
            self._card(code)

    # -- news --

    def tell(self, event: "Event") -> "NewsItem | None":
        if event[0] not in _NEWS:
            return None
        icon, sound = _NEWS[event[0]]
        if sound == sounds.ROUND_WON:
            sound += event[2] if event[0] == "given" else event[1]
        rule = "QU-7" if event[0] == "false_denial" else ""
        text = ("news_" + event[0],) + tuple(self.named(event))
        large = (((), self.names[event[1]]),) if event[0] == "quartet" else ()
        return NewsItem(icon, ("game_quartett",), (text,), sound, rule, large)


# event -> (picture, sound)
_NEWS = {
    "given": ("HAND", sounds.ROUND_WON),
    "denied": ("STOP", sounds.NO_GAIN),
    "quartet": ("TROPHY", sounds.ROUND_WON),
    "false_denial": ("QUESTION", sounds.ATTENTION),
}
