"""Trumpf on the screen: who lays, what is called, who won the round (TR, SW)."""

from micropython import const

from firmware.app import sounds
from firmware.app.canvas import ICON, LINE, STATUS, TOP
from firmware.app.table import Table
from firmware.app.view import NewsItem

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Sequence

    from card_tags.kinds import Card
    from firmware.app.seams import BoxApp
    from firmware.app.session import Session
    from firmware.app.view import ViewPart, Wording
    from firmware.games.trumpf.rules import Trumpf
    from firmware.rules.answers import Event

_NAMED = const(4)  # of more seats the names do not fit beside their numbers
_POT_Y = const(39)  # between the name and the numbers
_MANY = const(5)  # values stand closer
LATE_MS = const(120000)  # SW-7, CL-4: two minutes from the call of the match


class TrumpfTable(Table):
    """One page for all variants; what differs is in the rules."""

    if TYPE_CHECKING:
        _match: "Trumpf"

    NEWS = {
        "moved": ("HAND", "news_moved", sounds.ATTENTION),
        "order_suspect": ("QUESTION", "news_order_suspect", sounds.ATTENTION),
        "extended": ("CLOCK", "news_extended", sounds.ATTENTION),
        "sudden": ("CLOCK", "news_sudden", sounds.ATTENTION),
        "forfeited": ("STOP", "news_forfeited", sounds.OVER),
        "excluded": ("STOP", "news_excluded", sounds.OVER),
        "pot_won": ("TROPHY", "news_pot_won", sounds.ROUND_WON),
        "pot_returned": ("EQUAL", "news_pot_returned", sounds.ROUND_TIED),
    }

    def __init__(self, app: "BoxApp", session: "Session") -> None:
        Table.__init__(self, app, session)
        self._deck = self._match.deck
        self.LOT = session.header.get("preset") != "swiss"
        self._late_ms = LATE_MS if session.header.get("preset") == "swiss" else -1
        self._late_from = session.t_ms

    def jury_actions(self) -> "tuple[str, ...]":
        """SW-7, SW-8, SW-9."""
        swiss = self.session.header.get("preset") == "swiss"
        return ("penalty", "forfeit", "exclude") if swiss else ()

    # -- prompts --

    def title(self) -> str:
        what = self.awaits.what
        if self.session.paused():
            return self.app.say("hint_paused")
        if what == "call":
            return self.app.say("trumpf_call", self.app.seat_name(self.awaits.seat))
        if what == "begin":
            return self.app.say("who_begins")
        return self.app.say("preset_" + self.session.header["preset"])

    def heading(self) -> str:
        if self._match.seats == 2 or self.session.paused():
            return self.title()
        return self.app.say(self._prompt())

    def choices(self) -> "list[str]":
        return self._call_items() if self.awaits.what == "call" else Table.choices(self)

    def pick(self, number: int) -> None:
        if self.awaits.what == "call":
            self.act("call", ("category", self._deck.categories[number].key))
        else:
            Table.pick(self, number)

    def deal(self) -> "list[str]":
        """TR-1, SW-1; in Swiss also who begins (TR-2)."""
        each, aside = divmod(len(self._deck.codes), self._match.seats)
        return self.deal_cards(each, aside) + ([] if self.LOT else [self.app.say("swiss_begins")])

    def standing(self) -> "tuple[Sequence[object], str]":
        more = [self.app.say("pot", self._match.pot_size())] if self._match.pot_size() else []
        if self._match.category is not None:
            more.append(self._marked_category(self._match.category))
        if self.awaits.what == "begin" and self._late_ms >= 0:
            more.append(self._late_text())
        return self._match.counts(), "  ".join(more)

    def _marked_category(self, number: int) -> str:
        """With an arrow: the highest value wins, or the lowest (TR-5)."""
        return self._arrow(number) + self._deck.categories[number].title

    def _arrow(self, category: int) -> str:
        return "▼" if self._deck.categories[category].best == "low" else "▲"

    def picture(self) -> "Sequence[ViewPart]":
        """The pot has big digits; of more than two seats it takes the room of the names."""
        match = self._match
        counts = match.counts()
        pot = match.pot_size()
        word = self.app.say("pot", "").strip() if pot else ""
        hint = (self._hint(), word, str(pot or ""))
        if match.seats == 2:
            names = list(self.names)
            if match.caller is not None:
                names[match.caller] = "●" + names[match.caller]
            clock = self.app.clock_text()
            seats = ("seats", TOP + LINE, names, counts, self.awaits.seat, clock)
            prompt = self.prompt(self._prompt())
            return (("text", 0, TOP, prompt), seats, ("ends", STATUS) + hint)
        parts = self.turn_parts()
        if pot or match.seats > _NAMED:
            parts.append(("ends", _POT_Y) + hint)
            parts.append(self.standing_part())
        else:
            numbers = [str(count) for count in counts]
            parts.append(("lines", 0, TOP + ICON, ([self.names, numbers],)))
            parts.append(("ends", STATUS) + hint)
        return parts

    def _prompt(self) -> str:
        """The text of what the awaited seat must do; the line below belongs to what was called."""
        if self.awaits.what == "decide":
            return "jury_decides"
        special = self._special()
        return "lay_" + special if special and self._match.category is not None else "lay_card"

    def _special(self) -> str:
        """ "joker": its card is to follow (KN-2); "choose": any card (TR-9); "": the top card."""
        seat = self.awaits.seat
        if seat is not None and self._match.presented(seat):
            return "joker"
        return "choose" if seat is not None and self._match.is_choosing(seat) else ""

    def _hint(self) -> str:
        """What the awaited seat should know, in one line: once called, always the category."""
        say = self.app.say
        if self._match.category is not None:
            return self._marked_category(self._match.category)
        special = self._special()
        if special:
            return say("hint_" + special)
        return say("unsealed_mark") if self.app.unsealed else ""

    def _late_text(self) -> str:
        left_s = (self._late_ms + 999) // 1000
        key = "late_left" if left_s else "late_over"
        return self.app.say(key, "%d:%02d" % (left_s // 60, left_s % 60))

    def _call_items(self) -> "list[str]":
        categories = self._deck.categories
        return [
            categories[number].title
            + "\t"
            + self._value_text(number, self._unit_value(number))
            + " "
            + self._arrow(number)
            for number in range(len(categories))
        ]

    def _unit_value(self, category: int) -> "int | None":
        """The value of the presented unit: every joker doubles the joker category (KN-2)."""
        caller = self._match.caller
        unit = self._match.presented(caller) if caller is not None else []
        if not unit:
            return None
        value = self._deck.value(unit[-1], category)
        if value is None or not self._deck.categories[category].joker:
            return value
        return int(value * 2 ** (len(unit) - 1))

    def _value_text(self, category: int, value: "int | None", with_unit: bool = True) -> str:
        """A value with its unit as people write it: "19,25 m", "–" for none."""
        if value is None:
            return "–"
        _, _, unit, _, decimals, _ = self._deck.categories[category]
        digits = str(abs(value))
        if decimals:
            digits = "0" * (decimals + 1 - len(digits)) + digits
            digits = digits[:-decimals] + self.app.say("decimal_mark") + digits[-decimals:]
        return ("-" if value < 0 else "") + digits + (" " + unit if unit and with_unit else "")

    # -- taps and presses --

    def card(self, card: "Card") -> None:
        if self.awaits.what == "begin" and self._may_name_starter(card.code):
            self.ask_whose(card.code)
            return
        number = self._deck.index(card.code)
        if not card.joker and not self._values_fit(number, card.values):
            self._say_no("tag_other_values")
        elif self.session.header["own_values"] and number >= 0 and self._deck.learns(number):
            self.act("tap", ("card", card.code), ("values", list(card.values)))
        else:
            self.act("tap", ("card", card.code))

    def _may_name_starter(self, code: str) -> bool:
        """TR-2: whether the holder of this card may be the one who starts, as it can be the lowest
        in play: which ones were put aside is known only as far as the header says it. In Swiss
        there is none.
        """
        if self._match.preset == "swiss":
            return False
        aside = self.session.header.get("aside", ())
        numbers = range(len(self._deck.codes))
        cards = [self._deck.codes[card] for card in numbers if not self._deck.jokers[card]]
        playing = sorted([code for code in cards if code not in aside])
        unknown = len(self._deck.codes) % self._match.seats - len(aside)
        return code in playing[: unknown + 1]

    def _values_fit(self, number: int, values: "Sequence[int | None]") -> bool:
        """A card whose tag says something else than the deck is not counted."""
        if number >= 0:
            known = self._deck.values_of(number)
            if known.count(None) < len(known):
                return list(values) == known
        return len(values) == len(self._deck.categories)

    def _say_no(self, key: str) -> None:
        say = self.app.say
        self.app.message("QUESTION", say("reader"), (say(key),), sounds.FOREIGN)

    def codes(self) -> "list[str]":
        return list(self._deck.codes) if self.awaits.what == "tap" else []

    def by_hand(self, code: str, why: str) -> None:
        number = self._deck.index(code)
        if self._deck.has_any_value(number) or self._deck.jokers[number]:
            Table.by_hand(self, code, why)
        else:
            self._say_no("hand_no_values")

    def can_decide(self) -> bool:
        return self.awaits.what == "decide" or self._match.is_sudden()

    def on_time(self, now_ms: int) -> None:
        Table.on_time(self, now_ms)
        if self._late_ms > 0 and self.awaits.what == "begin":
            self._count_late()

    def _count_late(self) -> None:
        left = max(LATE_MS - (self.session.t_ms - self._late_from), 0)
        if (left + 999) // 1000 != (self._late_ms + 999) // 1000:
            self.app.redraw()
        self._late_ms = left
        if left == 0:
            self.app.message(
                "CLOCK",
                self.app.say("late"),
                (self.app.say("late_sentence"),),
                sounds.TIME_UP,
                "SW-7",
            )

    # -- news --

    def tell(self, event: "Event") -> "NewsItem | None":
        teller = _TELLERS.get(event[0])
        return None if teller is None else teller(self, event)

    def _value_missing(self, event: "Event") -> "NewsItem":
        title = self._deck.categories[self._deck.category(event[2])].title
        text = ("news_value_missing", self.names[event[1]], title)
        return NewsItem("QUESTION", title, (text,), sounds.ATTENTION, "TR-11", ())

    def _round_won(self, event: "Event") -> "NewsItem":
        _, seat, key, cards, values, pot = event
        category = self._deck.category(key)
        count: "Wording" = ("news_cards_pot" if pot else "cards", len(cards), pot)
        lines: "list[Wording]" = [count, self._values_line(category, values, seat)]
        before: "tuple[str, ...]" = ()
        if len(values) >= _MANY:  # their values take both lines
            lines.pop(0)
            before = ("+%d" % len(cards),)
        large = ((before, self.names[seat]),)
        title = self._marked_category(category)
        return NewsItem("TROPHY", title, lines, sounds.ROUND_WON + seat, "", large)

    def _round_tied(self, event: "Event") -> "NewsItem":
        _, seats, key, pot = event
        names = ", ".join([self.names[seat] for seat in seats])
        title = ("round",) if key is None else self._marked_category(self._deck.category(key))
        large = (((), self.app.say("pot", pot)),)
        return NewsItem(
            "EQUAL", title, (("news_round_tied",), names), sounds.ROUND_TIED, "", large
        )

    def _values_line(self, category: int, values: "list[int | None]", winner: int) -> str:
        """With two seats the winner's value first; with more every seat's number and value."""
        if len(values) == 2:
            texts = [self._value_text(category, value) for value in values]
            return texts[winner] + " – " + texts[1 - winner]
        parts = []
        for seat in range(len(values)):
            if values[seat] is not None:
                text = self._value_text(category, values[seat], False)
                parts.append("%d:%s" % (seat + 1, text))
        return ("  " if len(parts) < _MANY else " ").join(parts)


_TELLERS = {
    "value_missing": TrumpfTable._value_missing,
    "round_won": TrumpfTable._round_won,
    "round_tied": TrumpfTable._round_tied,
}
