"""Is a card there? The states and what each list of cards does to them, as tables of bytes.

One card is one event, however long it lies there and whatever the reader goes through meanwhile:
a new card is looked at only after the counted one has been away for the whole grace time.
"""

from micropython import const

# events, as told to the app
NOTHING = const(0)
CARD = const(1)
GONE = const(2)
TWO_CARDS = const(3)
UNREADABLE = const(4)
RESTARTED = const(5)  # the reader was reset and works again
BROKEN = const(6)  # the reader does not work, and trying goes on

# states
IDLE = const(0)
SEEN = const(1)  # listed, not read yet
HELD = const(2)  # read and counted, still there
AWAY = const(3)  # counted, missing for less than the grace time
UNREAD = const(4)  # told as unreadable; reading is still tried
PAIR = const(5)  # two cards, none of them counted
BOTH = const(6)  # two cards, one of them may be the counted one

# inputs
NOBODY = const(0)
SAME = const(1)  # one card: the one this state is about
OTHER = const(2)  # one card, another one
TWO = const(3)
LOST = const(4)  # what this state is about was missing for the grace time
READ = const(5)
GIVEN_UP = const(6)  # the retry budget of this card is used up

_INPUTS = const(7)
# What follows, and what is told, by state and input: a row of digits for a state, a digit for
# NOBODY, SAME, OTHER, TWO, LOST, READ, GIVEN_UP; 9 cannot be. Bytes stay in flash, tuples do not.
NEXT = (
    b"\x00\x01\x01\x05\x00\x09\x09"  # IDLE
    b"\x01\x01\x01\x05\x04\x02\x04"  # SEEN
    b"\x03\x02\x03\x06\x03\x09\x09"  # HELD
    b"\x03\x02\x03\x06\x00\x09\x09"  # AWAY
    b"\x04\x04\x01\x05\x00\x02\x04"  # UNREAD
    b"\x05\x05\x05\x05\x00\x09\x09"  # PAIR
    b"\x06\x06\x06\x06\x03\x09\x09"  # BOTH
)
TELL = (
    b"\x00\x00\x00\x03\x00\x09\x09"
    b"\x00\x00\x00\x03\x04\x01\x04"
    b"\x00\x00\x00\x03\x00\x09\x09"
    b"\x00\x00\x00\x03\x02\x09\x09"
    b"\x00\x00\x02\x03\x02\x01\x00"
    b"\x00\x00\x00\x00\x02\x09\x09"
    b"\x00\x00\x00\x00\x00\x09\x09"
)
# the input that shows that what the state is about is still there; -1: nothing can be lost
_CONFIRMS = (-1, SAME, SAME, SAME, SAME, TWO, TWO)

_MISSES = const(3)  # lists without it, at least: some cards answer only every second one

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from firmware.drivers.seams import Clock


class Presence:
    """The state, and the time since what it is about was last seen."""

    def __init__(self, clock: "Clock", grace_ms: int) -> None:
        self._clock = clock
        self._grace_ms = grace_ms
        self._last_ms = clock.ticks_ms()
        self._misses = 0
        self.state = IDLE

    def listed(self, found: int, now_ms: int) -> int:
        """Take the result of a list (NOBODY, SAME, OTHER or TWO); return the event to tell."""
        confirms = _CONFIRMS[self.state]
        if found == confirms:
            self.touch(now_ms)
        elif confirms >= 0:
            self._misses += 1
            away_ms = self._clock.ticks_diff(now_ms, self._last_ms)
            if away_ms >= self._grace_ms and self._misses >= _MISSES:
                return self.take(LOST, now_ms)
        return self.take(found, now_ms)

    def take(self, found: int, now_ms: int) -> int:
        """Follow the tables; return the event to tell."""
        state = self.state
        place = _INPUTS * state + found
        self.state = NEXT[place]
        # a card that goes missing keeps its time; what is new gets a fresh one
        if self.state != state and not (state == HELD and self.state == AWAY):
            self.touch(now_ms)
        return TELL[place]

    def touch(self, now_ms: int) -> None:
        """It is there now; also after a fault, when nobody could look."""
        self._last_ms = now_ms
        self._misses = 0
