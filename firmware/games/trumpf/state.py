"""The table of a Trumpf match: its cells, its events of the end, and what screens may ask (TR-1,
TR-10, SW-6).
"""

from micropython import const

from firmware.games.trumpf.header import TrumpfHeader
from firmware.games.trumpf.piles import CHOOSING, Piles, layout
from firmware.rules.answers import Awaits, add_events
from firmware.rules.match import Match
from firmware.rules.ranking import rank

add_events(
    """
played seat cards
called seat category
value_missing seat category
round_won seat category cards values pot
round_tied seats category pot
order_suspect seat card rule
moved from to count
time_up left_ms
extended left_ms
sudden left_ms
forfeited seat
excluded seat
pot_won seat pot
pot_returned counts
"""
)

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    Events = list[tuple[object, ...]]

# Phases, and what is awaited in each
BEGIN = 0
TAP = 1
CALL = 2
DECIDE = 3
OVER = 4
AWAITED = ("begin", "tap", "call", "decide", "nothing")

# Places of the cells
PHASE = 0
CALLER = 1
TURN = 2  # place in the order whose tap is awaited
PLAYERS = 3  # seats in the order of this round
CATEGORY = 4  # the category in force, NONE before the call and where the call is skipped
CALLED = 5  # 1 from the first accepted call on (SW-4)
STARTED = 6  # 1 from the first accepted tap on (CL-1)
TIMEOUTS = 7  # time-outs so far
PENDING = 8  # 1: time is up, the called round is played first (SW-4)
EXTENDED = 9  # 1: the extension runs or has run (SW-5)
SUDDEN = 10  # 1: the next decided round wins (SW-5)
REASON = 11
WINNER = 12  # of a finished match between two; NONE: ranked by cards or shared
LEARNED = 13  # how many cards brought their values along with a tap (decision 0088)
ORDER = 14  # seats in the order of presenting

NONE = -1

# Why a match ended, as `match_over` and the result name it
REASONS = ("all_cards", "seat_out", "time", "jury", "forfeit", "excluded", "all_tied")
FORFEIT_CARDS = 12  # SW-7
_AWARDED = ("forfeit", "excluded")
_SHARED = ("time", "all_tied")


class TrumpfTable(Match):
    """State and questions.

    `deck`, `clock` (None without one), `preset` and `stage` are for screens too.
    """

    def __init__(self, header: "dict[str, object]") -> None:
        read = TrumpfHeader(header)
        self.deck = read.deck
        self.clock = read.clock
        self.preset = read.preset
        self.stage = read.stage
        self._swiss = read.preset == "swiss"
        self._only_tied = read.only_tied
        cards = len(read.deck.codes)
        fixed = [0] * (ORDER + read.seats)
        fixed[CALLER] = fixed[CATEGORY] = fixed[WINNER] = NONE
        super().__init__(read.seats, fixed + layout(read.seats, cards, read.aside))
        self._piles = Piles(self.cells, len(fixed), read.seats, cards)

    # -- questions of screens -------------------------------------------------------------------

    @property
    def caller(self) -> "int | None":
        """The seat that announces, None before `begin`."""
        seat = self.cells.now[CALLER]
        return None if seat == NONE else seat

    @property
    def category(self) -> "int | None":
        """Index of the category in force in this round, None before the call."""
        category = self.cells.now[CATEGORY]
        return None if category == NONE else category

    def counts(self) -> "list[int]":
        """Cards per seat; cards of an open round count for their owners, the pot for nobody."""
        piles = self._piles
        counts = [piles.count(seat) for seat in range(self.seats)]
        for spot in range(piles.pot(), piles.lying()):
            counts[piles.owner(spot)] += 1
        return counts

    def pot_size(self) -> int:
        """Cards in the pot."""
        return self._piles.pot()

    def presented(self, seat: int) -> "list[int]":
        """Numbers of the cards that a seat has presented in the open round."""
        return self._piles.unit(seat)

    def is_choosing(self, seat: int) -> bool:
        """TR-9: the seat had three cards or fewer when the round began."""
        return self._piles.count(seat) + len(self._piles.unit(seat)) <= CHOOSING

    def is_sudden(self) -> bool:
        """SW-5: the next decided round wins."""
        return self.cells.now[SUDDEN] == 1

    def over(self) -> bool:
        """True once the match has ended."""
        return self.cells.now[PHASE] == OVER

    def awaits(self) -> "Awaits":
        """Who must do what next."""
        now = self.cells.now
        phase = now[PHASE]
        if phase == TAP:
            return Awaits(now[ORDER + now[TURN]], "tap", ())
        return Awaits(now[CALLER] if phase == CALL else None, AWAITED[phase], ())

    # -- the end --------------------------------------------------------------------------------

    def result(self) -> "list[tuple[str, object]]":
        """The fields of the result line, in order."""
        if not self.over():
            return [("over", False), ("counts", self.counts()), ("pot", self.pot_size())]
        ranking = self._ranking()
        reason = REASONS[self.cells.now[REASON]]
        counts = self.counts()
        pot = self.pot_size()
        if reason in _AWARDED:  # SW-7, SW-9
            counts = [FORFEIT_CARDS if seat in ranking[0] else 0 for seat in range(2)]
            pot = 0
        fields: "list[tuple[str, object]]" = [("over", True), ("reason", reason)]
        fields += [("ranking", ranking), ("counts", counts)]
        if self._swiss:  # SW-6
            win = 2 if len(ranking) == 2 else 1
            fields.append(("points", [win if seat in ranking[0] else 0 for seat in range(2)]))
        fields.append(("pot", pot))
        return fields

    def _finish(self, reason: str, winner: int, events: "Events") -> None:
        """End the match.

        `winner` of a match between two; NONE: shared, or ranked by cards (TR-10).
        """
        cells = self.cells
        cells.set(PHASE, OVER)
        cells.set(REASON, REASONS.index(reason))
        cells.set(WINNER, winner)
        events.append(("match_over", reason, self._ranking()))

    def _ranking(self) -> "list[list[int]]":
        winner = self.cells.now[WINNER]
        if winner != NONE:
            return [[winner], [1 - winner]]
        if REASONS[self.cells.now[REASON]] in _SHARED:
            return [list(range(self.seats))]
        return rank([(count,) for count in self.counts()])
