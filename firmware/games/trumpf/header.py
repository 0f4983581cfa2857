"""The header of a Trumpf match: preset, stage, times, deck, cards put aside (TR-1, SW-1, SW-3,
SW-5).
"""

from micropython import const

from firmware.rules.clock import EXTENSION_MS, FINAL_MS, GROUP_MS, MatchClock, duration
from firmware.rules.deck import ALL_HIGH, MUST_SAY, read_deck
from firmware.rules.errors import Malformed
from firmware.rules.fields import need, need_int, need_list, one_of
from firmware.rules.options import read_options

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from firmware.rules.deck import Deck
    from firmware.rules.options import Header

PRESETS = ("gastro", "kneipe", "swiss")
LOW_FIRST = {"gastro": MUST_SAY, "kneipe": 3, "swiss": ALL_HIGH}  # TR-5, KN-1, SW-2
STAGES = ("group", "ko", "final")
TIE_SCOPES = ("all", "tied")


class TrumpfHeader:
    """The checked header. Raises Malformed with the name of the first wrong field."""

    def __init__(self, header: "Header") -> None:
        self.preset = one_of(header, "preset", PRESETS)
        self.seats = _seats(header, self.preset)
        self.stage = one_of(header, "stage", STAGES) if "stage" in header else "group"
        if self.seats > 2 and self.stage != "group":
            raise Malformed("stage", "needs two seats")
        options = read_options(header, ("tie_scope",))
        scope = options.get("tie_scope", "all")
        if scope not in TIE_SCOPES:
            raise Malformed("options.tie_scope", "is none of all, tied")
        self.only_tied = scope == "tied"  # TR-7
        self.clock = self._clock(header)
        self.turn_ms = duration(header, "turn_ms")  # CL-7
        self.deck = read_deck(need(header, "deck"), LOW_FIRST[self.preset])
        if len(self.deck.codes) < self.seats:
            raise Malformed("deck.cards", "has fewer cards than seats")
        self.aside = _aside(header, self.deck, self.seats)

    def _clock(self, header: "Header") -> "MatchClock | None":
        limit_ms = duration(header, "clock_ms")
        extension_ms = duration(header, "extension_ms")
        if limit_ms is None and self.preset == "swiss":
            limit_ms = FINAL_MS if self.stage == "final" else GROUP_MS
        if limit_ms is None:
            return None
        return MatchClock(limit_ms, EXTENSION_MS if extension_ms is None else extension_ms)


def _seats(header: "Header", preset: str) -> int:
    seats = need_int(header, "seats")
    if seats < 2:
        raise Malformed("seats", "is less than 2")
    if preset == "swiss" and seats != 2:
        raise Malformed("seats", "is not 2, as swiss needs")
    return seats


def _aside(header: "Header", deck: "Deck", seats: int) -> "list[int]":
    """TR-1: the cards left over, as far as somebody has told which."""
    if "aside" not in header:
        return []
    codes = need_list(header, "aside")
    if len(codes) > len(deck.codes) % seats:
        raise Malformed("aside", "holds more cards than are left over")
    cards: "list[int]" = []
    for place in range(len(codes)):
        field = "aside[%d]" % place
        code = codes[place]
        if type(code) is not str:
            raise Malformed(field, "is not a string")
        card = deck.index(code)
        if card < 0:
            raise Malformed(field, "is no card of the deck: " + code)
        if card in cards:
            raise Malformed(field, "is there twice: " + code)
        cards.append(card)
    return cards
