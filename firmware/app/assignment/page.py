"""The page of a match that a desk gave: who is here, and the start. In front of the start menu."""

from micropython import const

from card_tags.deck_card import deck_number
from card_tags.kinds import BADGE, CARD, DECK
from firmware.app import decks, sounds
from firmware.app.canvas import TOP
from firmware.app.chooser import moved
from firmware.app.message import Message
from firmware.app.page import DOWN, LONG, OK, UP, Page
from firmware.app.view import View
from firmware.app.words import LONGEST_NAME, short_name
from firmware.rules.game import NO_DECK

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from card_tags.kinds import Badge, Tag
    from firmware.app.seams import BoxApp, GivenMatch


_LONGEST_SEAT = const(40)  # letters of a name that a desk gives
_LONGEST_EVENT = const(24)


class MatchPage(Page):
    """A row for each player, then start, then the menu. `chosen` is the row that is lit."""

    package = "firmware.app.assignment"  # where its texts are

    def __init__(self, app: "BoxApp", desk: "GivenMatch") -> None:
        Page.__init__(self, app)
        self._desk = desk
        self._given: "Any" = desk.given
        self._seats: "list[dict[str, str]]" = desk.seats()
        self._names = [seat["name"] for seat in self._seats]
        self.chosen = 0
        self._left_s: "int | None" = None
        self._seen = app.settings.changes
        app.use_words(self)
        self._light_next()

    def title(self) -> str:
        table = self._given["table"]
        if not table:
            return str(self._given["title"])
        return self.app.say("desk_title", self._given["title"], table)

    @property
    def items(self) -> "list[str]":
        """The rows."""
        say = self.app.say
        rows = []
        for at in range(len(self._seats)):
            mark = "desk_here" if self._is_here(at) else "desk_not_here"
            rows.append(short_name(self._names, at) + "\t" + say(mark))
        left = self._left_s
        late = "" if left is None else "\t%d:%02d" % (left // 60, left % 60)
        return rows + [say("menu_start") + late, say("desk_menu")]

    def view(self) -> "View":
        return View(self.title(), (("rows", TOP, self.items, self.chosen),), True)

    def on_time(self, now_ms: int) -> None:
        """The laptop may change the language; the two minutes go by (SW-7)."""
        if self._seen != self.app.settings.changes:
            self._seen = self.app.settings.changes
            self.app.use_words(self)
            self.app.redraw()
        left = self._desk.left_to_start_s()
        if left != self._left_s:
            self._left_s = left
            self.app.redraw()

    def _is_here(self, seat: int) -> bool:
        return bool(self._desk.here >> seat & 1)

    def _light_next(self) -> None:
        """Light the first player who is not here, or the start."""
        self.chosen = 0
        while self.chosen < len(self._seats) and self._is_here(self.chosen):
            self.chosen += 1

    # -- presses --

    def on_button(self, button: int) -> None:
        start = len(self._seats)
        if button in (UP, DOWN):
            self.chosen = moved(self.chosen, button, start + 2)
            self.app.sound(sounds.STEP)
        elif button == OK + LONG or (button == OK and self.chosen == start):
            self._start()
        elif button == OK and self.chosen > start:
            self._desk.put_off()
        elif button == OK:
            self._arrive(self.chosen, not self._is_here(self.chosen))

    def _arrive(self, seat: int, there: bool = True) -> None:
        self._desk.arrive(seat, there)
        self.app.sound(sounds.ACCEPTED)
        if there:
            self._light_next()

    def _start(self) -> None:
        if not self._desk.all_here():
            self._refuse("desk_who_is_missing")
            return
        deck = self._deck()
        if self._needs_deck() and not self._fits(deck):
            self._refuse("lay_deck")
            return
        self.app.start(self._desk.header(deck))

    def _needs_deck(self) -> bool:
        return self.app.games.row(self._given["game"]).deck != NO_DECK

    def _deck(self) -> object:
        """The deck given, or what the players laid down or chose in the menu."""
        if not self._needs_deck():
            return None
        return self._given["deck"] or self.app.choice["deck"]

    def _fits(self, deck: object) -> bool:
        """A deck that the game cannot use counts as none: the menu may have chosen it for another
        one.
        """
        game = self.app.games.row(self._given["game"])
        facts = decks.facts_of(self.app.storage, deck)
        return decks.most_seats(game, facts) >= len(self._seats)

    def _refuse(self, key: str) -> None:
        say = self.app.say
        self.app.message("QUESTION", say("desk"), (say(key),), sounds.REFUSED)

    # -- taps --

    def on_tag(self, tag: "Tag") -> None:
        content: "Any" = tag.content
        if tag.kind == BADGE:
            self._take_badge(content)
        elif tag.kind in (DECK, CARD) and self._needs_deck():
            self._take_deck(tag)
        else:
            self.app.wrong_kind()
        self.app.redraw()

    def _take_badge(self, badge: "Badge") -> None:
        """The desk's id says whose it is; a badge without one, its name. Ids begin anew in every
        event: a badge that names none counts only with its name, too.
        """
        say = self.app.say
        if badge.event and not self._desk.is_event(badge.event):
            text = say("desk_other_event", badge.event[:_LONGEST_EVENT])
            self.app.message("QUESTION", say("desk"), (text,), sounds.FOREIGN)
            return
        for at in range(len(self._seats)):
            seat = self._seats[at]
            named = badge.name[:_LONGEST_SEAT] == seat["name"]
            if badge.player == seat["id"] and (badge.event or named):
                self._arrive(at)
                return
            if not badge.player and named:
                self._arrive(at)
                return
        names = " – ".join([short_name(self._names, at) for at in range(len(self._names))])
        text = say("desk_wrong_badge", badge.name[:LONGEST_NAME], names)
        self.app.message("QUESTION", say("desk"), (text,), sounds.FOREIGN)

    def _take_deck(self, tag: "Tag") -> None:
        """The menu below knows what to do with a deck, if the desk has not said which one."""
        content: "Any" = tag.content
        named = self._given["deck"]
        if named is None:
            self.app.pages[0].on_tag(tag)
            self.app.use_words(self)
        elif tag.kind == DECK and content.deck_id == named:
            self.app.sound(sounds.ACCEPTED)
        elif tag.kind == CARD and content.deck == deck_number(named):
            self.app.sound(sounds.ACCEPTED)
        else:
            self._refuse("tag_wrong_deck")


class _Notice(Message):
    """What the desk says stays until somebody presses OK or lays a tag: it was seen then."""

    def __init__(self, app: "BoxApp", text: str, number: int) -> None:
        Message.__init__(self, app, "HAND", app.say("jury"), (text,))
        self._number = number

    def on_button(self, button: int) -> None:
        if button not in (UP, DOWN):
            self._seen()
        Message.on_button(self, button)

    def on_blank(self) -> bool:
        self._seen()
        return Message.on_blank(self)

    def on_tag(self, tag: "Tag") -> None:
        self._seen()
        Message.on_tag(self, tag)

    def _seen(self) -> None:
        notice = self.app.laptop.notice
        if notice is not None and notice[0] == self._number:
            self.app.laptop.notice = notice[:3] + ("acknowledged",)


def show_notice(app: "BoxApp") -> None:
    """Lay the sentence on top; one whose time is over is left out."""
    notice: "Any" = app.laptop.notice
    number, text, until, _ = notice
    unix = app.hardware.link.unix
    if until is not None and unix is not None and unix > until:
        app.laptop.notice = None
        return
    app.laptop.notice = (number, text, until, "shown")
    app.sound(sounds.NOTICE)
    app.open(_Notice(app, text, number))
