"""The numbers of a Trumpf match: its phases and the places of its cells."""

from micropython import const

# Phases; 0: `begin` is awaited
LEAD = const(1)  # the caller's card is awaited, no card of the round is presented
TAP = const(2)  # a unit is half presented, or another seat's card is awaited
CALL = const(3)
DECIDE = const(4)
OVER = const(5)

# Places of the cells; place 0 is the phase
CALLER = const(1)
TURN = const(2)  # place in the order whose tap is awaited
PLAYERS = const(3)  # seats in the order of this round
CATEGORY = const(4)  # the category in force, NONE before the call and where the call is skipped
STARTED = const(5)  # 1 from the first accepted tap on (CL-1)
TIMEOUTS = const(6)  # time-outs so far
PENDING = const(7)  # 1: time is up, the called round is played first (SW-4)
EXTENDED = const(8)  # 1: the extension runs or has run (SW-5)
SUDDEN = const(9)  # 1: the next decided round wins (SW-5)
REASON = const(10)
WINNER = const(11)  # of a finished match between two; NONE: ranked by cards or shared
LEARNED = const(12)  # how many cards brought their values along with a tap
ORDER = const(13)  # seats in the order of presenting

NONE = const(-1)

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Protocol

    from firmware.games.trumpf.piles import Piles
    from firmware.rules.answers import Events
    from firmware.rules.cells import Cells
    from firmware.rules.deck import Deck

    class Rounds(Protocol):
        """The match (rules.py), as its rounds and its time have it."""

        seats: int
        cells: Cells
        deck: Deck
        piles: Piles
        stage: str
        swiss: bool
        only_tied: bool

        def counts(self) -> list[int]: ...
        def is_choosing(self, seat: int) -> bool: ...
        def is_called(self) -> bool: ...
        def finish(self, reason: str, winner: int, events: Events) -> None: ...
