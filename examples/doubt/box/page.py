"""I Doubt It on the screen: who lays, the letter that was named, and the cards of all (DB)."""

from micropython import const

from firmware.app import sounds
from firmware.app.canvas import LINE, TOP
from firmware.app.chooser import Chooser
from firmware.app.table import Table

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Sequence

    from card_tags.kinds import Card
    from firmware.app.view import ViewPart

    from .rules import Doubt


class DoubtTable(Table):
    """A tap is a card (DB-3); the first one of a pile asks for the letter (DB-2)."""

    NEWS = {
        "claimed": ("HAND", "doubt_claimed", sounds.STEP),
        "turned_up": ("QUESTION", "doubt_turned_up", sounds.ATTENTION),
        "picked_up": ("HAND", "doubt_picked_up", sounds.ATTENTION),
    }

    STANDS = True

    if TYPE_CHECKING:
        _match: "Doubt"

    def title(self) -> str:
        say = self.app.say
        if self.awaits.what == "begin":
            return say("who_begins")
        return self.prompt("lay_card")

    def choices(self) -> "list[str]":
        if self.awaits.what == "tap":
            return [self.app.say("doubt_doubt", self._match.letter())]
        return Table.choices(self)

    def pick(self, number: int) -> None:
        if self.awaits.what == "tap":
            self.act("doubt")
        else:
            Table.pick(self, number)

    def deal(self) -> "list[str]":
        """DB-1."""
        each = self._match.each
        return self.deal_cards(each, len(self._match.codes()) - each * self._match.seats)

    def standing(self) -> "tuple[Sequence[object], str]":
        """Cards of each seat, and how many lie in the pile."""
        pile = self._match.pile()
        return self._match.counts(), self.app.say("doubt_pile", pile) if pile else ""

    def picture(self) -> "Sequence[ViewPart]":
        number = self.app.say("doubt_number", self._match.piles_taken() + 1, self._match.piles)
        return (
            ("text", 0, TOP, self.app.say("doubt_new_pile")),
            ("text", 0, TOP + LINE, number),
        )

    def codes(self) -> "list[str]":
        return self._match.codes() if self.awaits.what in ("claim", "tap") else []

    def by_hand(self, code: str, why: str) -> None:
        self._lay(code, ("why", why))

    def card(self, card: "Card") -> None:
        self._lay(card.code)

    def _lay(self, code: str, *more: "tuple[str, object]") -> None:
        if self.awaits.what == "claim":
            letters = list(self._match.letters)

            def named(number: int) -> None:
                self.act("claim", ("card", code), ("letter", letters[number]), *more)

            self.app.sound(sounds.ACCEPTED)
            self.app.open(Chooser(self.app, self.app.say("doubt_which"), letters, named))
        else:
            self.act("tap", ("card", code), *more)
