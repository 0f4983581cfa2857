"""The page of a running match: answers become messages, sounds and the next prompt.

A game's own page (`games/<game>/page.py`) adds what its prompts look like, which command a tag or
a press is, and what its events say.
"""

from micropython import const

from card_tags.deck_card import deck_number
from card_tags.kinds import CARD
from firmware.rules.answers import fields_of

from . import sounds
from .canvas import ICON, TOP
from .chooser import Chooser, moved
from .page import JURY, LONG, OK, Page
from .view import NewsItem, View

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from card_tags.kinds import Card, Tag
    from firmware.rules.answers import Answer, Awaits, Event

    from .seams import BoxApp
    from .session import Session
    from .view import ViewPart

_NEWS = {
    "undone": ("HAND", "news_undone", sounds.ATTENTION),
    "time_up": ("CLOCK", "news_time_up", sounds.TIME_UP),
}
_SEAT_FIELDS = ("seat", "from", "to", "dealer")


def lot(count: int) -> int:
    """A number below `count` by chance, each as likely as any other."""
    from os import urandom

    drawn = 256
    while drawn >= 256 - 256 % count:
        drawn = urandom(1)[0]
    return drawn % count


class Table(Page):
    """`awaits` is what the rules wait for; `chosen` the item lit in the list of choices.

    `NEWS` of a game: event -> (picture, text key, sound), for news that need no words of its own.
    The text gets the event's values; a field called seat, from, to or dealer is named. ROUND_WON
    sounds for the event's seat.
    """

    NEWS: "dict[str, tuple[str, str, Any]]" = {}
    STANDS = False  # also while nothing is to be chosen the last line says how the match stands
    LOT = True  # lots may be drawn who begins

    def __init__(self, app: "BoxApp", session: "Session") -> None:
        Page.__init__(self, app)
        self.session = session
        self.chosen = 0
        self._match = session.match
        self.awaits: "Awaits" = session.match.awaits()
        self.names = self.seats()
        self._deck_number = deck_number(str(session.header.get("deck")))

    # -- what a game fills in --

    def title(self) -> str:
        return self.app.say("game_" + self.session.header["game"])

    def heading(self) -> str:
        """The top bar while nothing is to be chosen."""
        return self.title()

    def choices(self) -> "list[str]":
        """What can be chosen now with the buttons; [] while a tap is awaited."""
        if self.awaits.what != "begin":
            return []
        lot = [self.app.say("begin_lot")] if self.LOT else []
        return self.seats() + lot + [self.app.say("begin_deal")]

    def pick(self, number: int) -> None:
        """Choice `number` was taken with OK: a seat begins, lots are drawn, or how to deal."""
        seats = self._match.seats
        if number < seats:
            self.act("begin", ("seat", number))
        elif self.LOT and number == seats:
            self.act("begin", ("seat", lot(seats)), ("why", "lot"))
        else:
            self.chosen = 0
            self.app.message("HAND", self.app.say("begin_deal"), self.deal(), sounds.STEP)

    def deal(self) -> "list[str]":
        """What happens before the first card, a sentence each."""
        return []

    def deal_cards(self, each: int, aside: int) -> "list[str]":
        """TR-1: so many cards for each seat, so many put aside."""
        say = self.app.say
        lines = [say("deal_each_one" if each == 1 else "deal_each", each)]
        return lines + ([say("deal_aside", aside)] if aside else [])

    def picture(self) -> "Sequence[ViewPart]":
        """The screen while nothing is to be chosen: it has room for `standing` itself."""
        return ()

    def standing(self) -> "tuple[Sequence[object], str]":
        """A number for each seat, and what else is to be in sight whatever the page."""
        return (), ""

    def press(self, button: int) -> None:
        """A press of UP, DOWN or OK while nothing is to be chosen; by itself it means nothing."""
        self.app.sound(sounds.FOREIGN)

    def awaits_changed(self) -> None:
        """An answer came: forget what was half chosen."""

    def half(self) -> "dict[str, object]":
        """What was chosen of a command that is not given yet, for who shows more than the screen.
        Made when a program asks (docs/link.md, `screen`).
        """
        return {}

    def tell(self, event: "Event") -> "NewsItem | None":
        """An event in the game's own words; None if it has none."""
        return None

    def card(self, card: "Card") -> None:
        """A card of this match's deck was laid."""
        self.app.wrong_kind()

    def on_tag(self, tag: "Tag") -> None:
        """A tag other than a jury card."""
        card: "Any" = tag.content
        if tag.kind != CARD:
            self.app.wrong_kind()
        elif card.deck != self._deck_number:
            self.app.message("QUESTION", ("reader",), (("tag_wrong_deck",),), sounds.FOREIGN)
        else:
            self.card(card)

    def codes(self) -> "list[str]":
        """The cards that may be entered by hand now, when a tag is dead; [] for none."""
        return []

    def by_hand(self, code: str, why: str) -> None:
        """A card was entered by hand: the same command as its tap, with the reason."""
        self.act("tap", ("card", code), ("why", why))

    def can_decide(self) -> bool:
        """True when the jury may name the winner now."""
        return self.awaits.what == "decide"

    def jury_actions(self) -> "tuple[str, ...]":
        """What the jury may do against a seat in this game: of penalty, forfeit, exclude."""
        return ()

    def seats(self) -> "list[str]":
        """The names of all seats."""
        return [self.app.seat_name(seat) for seat in range(self.session.match.seats)]

    def ask_whose(self, code: str) -> None:
        """TR-2, QU-3: who holds this card begins; one reader cannot know who laid it."""

        def chosen_seat(seat: int) -> None:
            self.act("begin", ("seat", seat))

        self.app.sound(sounds.ACCEPTED)
        title = self.app.say("whose_card", code)
        self.app.open(Chooser(self.app, title, self.seats(), chosen_seat, self.chosen, "whose"))

    # -- the screen --

    def view(self) -> "View":
        items = self.choices()
        if items:
            return View(self.title(), (("rows", TOP, items, self.chosen),), True)
        return View(self.heading(), self.picture(), self.STANDS)

    def prompt(self, key: str) -> str:
        """What the seat on turn must do, in one line."""
        return "%s: %s" % (self.app.seat_name(self.awaits.seat), self.app.say(key))

    def turn_parts(self) -> "list[ViewPart]":
        """Whose turn it is, to be read from afar: more than two seats have no numbers as large."""
        name = self.app.seat_name(self.awaits.seat)
        return [("large", 0, TOP, "→"), ("large", ICON + 4, TOP, name)]

    def standing_part(self) -> "ViewPart":
        """What else stands below the pages, for a picture that leaves room for it."""
        numbers, more = self.standing()
        return ("standing", numbers, self.awaits.seat, more)

    # -- commands and answers --

    def act(self, do: str, *fields: "tuple[str, object]") -> bool:
        """Give a command and show the answer. True if it was accepted."""
        answer = self.session.apply(do, fields)
        self.show(answer)
        return answer.refusal is None

    def show(self, answer: "Answer") -> None:
        """Make the answer seen and heard; the last event's message lies lowest."""
        if answer.awaits != self.awaits:
            self.chosen = 0
        self.awaits = answer.awaits
        self.awaits_changed()
        app = self.app
        refusal = answer.refusal
        if refusal is None:
            app.sound(sounds.ACCEPTED)
        news = []
        times_up = False
        for event in answer.events:
            item = self.tell(event)
            if item is None:
                plain = _NEWS.get(event[0]) or self.NEWS.get(event[0])
                if plain is not None:
                    item = self._plainly(event, *plain)
            if item is not None:
                news.append(item)
            times_up = times_up or event[0] == "time_up"
        if refusal is not None:
            key = "no_" + refusal.reason
            news.append(
                NewsItem("STOP", ("refused",), ((key,),), sounds.REFUSED, refusal.rule, ())
            )
        app.messages(news)
        app.show_result(answer.awaits.what == "nothing")
        if times_up:
            app.sound(sounds.TIME_UP)  # CL-3, whatever else is told

    def _plainly(self, event: "Event", icon: str, key: str, sound: int) -> "NewsItem":
        if sound == sounds.ROUND_WON and fields_of(event[0])[0] == "seat":
            sound += event[1]
        text = (key,) + tuple(self.named(event))
        return NewsItem(icon, self.title(), (text,), sound, "", ())

    def named(self, event: "Event") -> "list[object]":
        """The values of an event with the names of seats instead of their numbers."""
        values: "list[object]" = []
        place = 1
        for field in fields_of(event[0]):
            value = event[place]
            values.append(self.names[value] if field in _SEAT_FIELDS else value)
            place += 1
        return values

    def enter_by_hand(self) -> None:
        """Ask for the group, the card and the reason; then count the card as tapped."""
        from .by_hand import choose_card

        choose_card(self.app, self.codes(), self.by_hand)

    # -- what happens --

    def on_button(self, button: int) -> None:
        if button in (JURY, JURY + LONG):
            self.app.open_arbiter()
        elif not self.choices():
            self.press(button)
        elif button == OK:
            self.pick(self.chosen)
        else:
            self.chosen = moved(self.chosen, button, len(self.choices()))
            self.app.sound(sounds.STEP)
        self.app.redraw()

    def on_time(self, now_ms: int) -> None:
        if self.session.tick_due():
            answer = self.session.apply("tick")
            events = [event[0] for event in answer.events]
            if events == ["turn_up"]:  # CL-7: only a signal; nothing half chosen is forgotten
                self.app.sound(sounds.NOTICE)
                self.app.redraw()
            elif events:
                self.show(answer)
