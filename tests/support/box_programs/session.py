"""Runs on the box: match after match, each of another game, with nobody at the table.

Cards and presses come from two stand-ins for reader and buttons; display, journal, flash and rules
are the box's own. Every match leaves a finished file in the storage; the caller counts them.
"""

from micropython import const

from card_tags import codec
from card_tags.deck_card import deck_number
from card_tags.kinds import CARD, NUMBERED, Card, NumberedCard
from firmware import main
from firmware.app.app import Hardware

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_READ = const(1)  # event of drivers.reader: a card was read
_OK = const(2)
_LONG_OK = const(6)
_UID = b"\x04\x01\x02\x03\x04\x05\x06"
_ROUNDS = const(6)  # of a Trumpf match, then the jury ends it
_TAPS = const(20)  # of a Hattrick hand
# 24 turns of 3 s a match in the mean: 200 matches are 4 hours
_NAPS = const(9)
_NAP_MS = const(500)
_DECK = "gastro"


class TableTags:
    """Stands in for reader and buttons: tells once what was laid down or pressed last."""

    def __init__(self) -> None:
        self.data: Any = b""
        self._card = False
        self._button = -1

    def lay(self, kind: str, content: "Any") -> None:
        """Lay a card; the next step reads it."""
        memory = codec.encode(codec.unsealed(kind, content))
        self.data = memory + bytes(max(48 - len(memory), 0))
        self._card = True

    def press(self, button: int) -> None:
        """Press a button; the next step takes it."""
        self._button = button

    def reader_step(self, now_ms: int) -> int:
        """`Reader.step`."""
        event = _READ if self._card else 0
        self._card = False
        return event

    def button_step(self, now_ms: int) -> int:
        """`Buttons.step`."""
        button, self._button = self._button, -1
        return button


class Stepped:
    """Gives one of the table's functions the name `step`."""

    def __init__(self, table: "TableTags", step: "Any") -> None:
        self._table = table
        self.step = step
        self.uid = _UID

    @property
    def data(self) -> "Any":
        """The card read last."""
        return self._table.data


def turns() -> "Iterator[None]":
    app = main.build()
    table = TableTags()
    devices = app.hardware
    app.hardware = Hardware(
        Stepped(table, table.reader_step),
        devices.display,
        Stepped(table, table.button_step),
        devices.buzzer,
        devices.link,
        devices.reader_fault,
    )
    games = (_trumpf, _hattrick, _cafe)
    number = 0
    while True:
        yield from games[number % len(games)](app, table)
        yield from _leave(app, table)
        number += 1


def _turn(app: "Any") -> "Iterator[None]":
    """One step of the app, and the time until the next thing happens at the table."""
    app.step(main.clock.ticks_ms())
    for _ in range(_NAPS):
        yield  # whoever measures the heap waits for less than a second
        main.clock.sleep_ms(_NAP_MS)


def _press(app: "Any", table: "TableTags", button: int) -> "Iterator[None]":
    table.press(button)
    yield from _turn(app)


def _start(app: "Any", table: "TableTags", **choice: object) -> "Iterator[None]":
    """Start from the menu; the first seat begins."""
    app.page().choose_game(app.games.row(choice["game"]))
    app.choice.update(choice)
    yield from _press(app, table, _LONG_OK)
    yield from _press(app, table, _OK)


def _trumpf(app: "Any", table: "TableTags") -> "Iterator[None]":
    """The upper half of the deck against the lower half, the first category in every round."""
    yield from _start(app, table, game="trumpf", preset="gastro", seats=2, deck=_DECK)
    match = app.session.match
    codes = match.deck.codes
    half = len(codes) // 2
    for number in range(_ROUNDS):
        for seat in (match.caller, 1 - match.caller):
            place = seat * half + number
            values = tuple([match.deck.value(place, n) for n in range(len(match.deck.categories))])
            table.lay(CARD, Card(deck_number(_DECK), codes[place], False, values))
            yield from _turn(app)
            yield from _press(app, table, _OK)  # the category, or the message


def _hattrick(app: "Any", table: "TableTags") -> "Iterator[None]":
    """The first cards of a hand, by their numbers."""
    yield from _start(app, table, game="hattrick", preset=None, seats=3)
    for place in range(_TAPS):
        table.lay(NUMBERED, NumberedCard("RGB"[place % 3] + str(place // 3 + 1)))
        yield from _turn(app)


def _cafe(app: "Any", table: "TableTags") -> "Iterator[None]":
    """A board is opened; nobody stays."""
    yield from _start(app, table, game="cafe", preset="board", seats=2)


def _leave(app: "Any", table: "TableTags") -> "Iterator[None]":
    """The jury ends the match without a result, and the desk fetches it: else the flash is full
    after some 180 matches.
    """
    journal = app.session.journal
    journal.note("abandoned: bench")
    app.session.close()
    number = journal.entries()[-1].number
    journal.confirm(number, journal.digest(number))
    app.show_menu()
    yield from _turn(app)
