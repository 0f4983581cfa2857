"""Four push buttons to ground with pull-ups: debounced, long presses told apart.

A tap keeps the loop busy for longer than a quick press lasts, so every edge interrupts and is kept
until the loop looks again: docs/decisions/0087-presses-while-the-box-is-busy.md.
"""

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from firmware.drivers.seams import ButtonPin, Clock

UP = const(0)
DOWN = const(1)
OK = const(2)
JURY = const(3)
LONG = const(4)  # added to the button's number
NONE = const(-1)

_DEBOUNCE_MS = const(15)  # a 12 mm panel button bounces for less than 10 ms
_LONG_MS = const(700)
_MASKED_MS = const(60)  # an erase of 45 ms (W25Q16JV) and a bounce: interrupts come so late
_KEPT = const(8)  # bursts of one button: four whole presses while nobody looks

_UP_STATE = const(0)
_PRESSED = const(1)
_TOLD_LONG = const(2)


class Buttons:
    """Turns edges into presses. A short press is told on release, a long one while held."""

    def __init__(self, pins: "tuple[ButtonPin, ...]", clock: "Clock") -> None:
        """`pins` in the order UP, DOWN, OK, JURY; a pin reads 0 while its button is down."""
        self._clock = clock
        self._contacts = tuple([_Contact(n, pins[n], clock) for n in range(len(pins))])

    def step(self, now_ms: int) -> int:
        """Return one press or NONE, of several the one that came first. Call it every few
        milliseconds.
        """
        for contact in self._contacts:
            contact.settle(now_ms)
        first = self._first()
        while first is not None:
            code = first.take()
            if code != NONE:
                return code
            first = self._first()
        for contact in self._contacts:
            if contact.held_long(now_ms):
                return contact.number + LONG
        return NONE

    def _first(self) -> "_Contact | None":
        """The button whose oldest settled burst is the oldest of all."""
        first = None
        for contact in self._contacts:
            if contact.waits() and (
                first is None or self._clock.ticks_diff(contact.began(), first.began()) < 0
            ):
                first = contact
        return first


class _Contact:
    """One button. Its edges come in bursts, because contacts bounce: a burst ends when the contact
    has been quiet for _DEBOUNCE_MS, and only the level it ends with counts.

    `_edge` is a hard interrupt: it allocates nothing, and alone writes `_written` and the rings;
    everything else belongs to the loop.
    """

    def __init__(self, number: int, pin: "ButtonPin", clock: "Clock") -> None:
        self.number = number
        self._clock = clock
        self._starts = [0] * _KEPT  # when each burst began
        self._levels = [1] * _KEPT  # the pin after its last edge so far
        self._unseen = [False] * _KEPT  # it may be a whole press of which nobody saw the middle
        self._written = 0
        self._edge_ms = 0
        self._settled = 0  # bursts that get no more edges
        self._taken = 0
        self._looked_ms = clock.ticks_ms()
        self._state = _UP_STATE
        self._pressed_ms = 0
        pin.irq(self._edge, pin.IRQ_FALLING | pin.IRQ_RISING, hard=True)  # bound once, here
        if not pin():
            self._edge(pin)  # held since before power-on

    def _edge(self, pin: "ButtonPin") -> None:
        now_ms = self._clock.ticks_ms()
        written = self._written
        quiet_ms = self._clock.ticks_diff(now_ms, self._edge_ms)
        if written == self._settled:
            quiet_ms = _MASKED_MS  # at least: the loop has seen it quiet
        if quiet_ms >= _DEBOUNCE_MS and written - self._taken < _KEPT:  # or the last one goes on
            place = written % _KEPT
            self._starts[place] = now_ms
            away_ms = self._clock.ticks_diff(now_ms, self._looked_ms)
            self._unseen[place] = away_ms >= _DEBOUNCE_MS and quiet_ms >= _MASKED_MS
            written += 1
        self._levels[(written - 1) % _KEPT] = pin()
        self._edge_ms = now_ms
        self._written = written

    def settle(self, now_ms: int) -> None:
        """The loop looks at the button."""
        written = self._written  # read before the time of the edge: one may come in between
        if self._clock.ticks_diff(now_ms, self._edge_ms) >= _DEBOUNCE_MS:
            self._settled = written
        self._looked_ms = now_ms

    def waits(self) -> bool:
        """True if a burst is over and not yet taken; a later burst ends the one before it."""
        return self._taken < self._settled or self._taken < self._written - 1

    def began(self) -> int:
        """When the oldest burst not yet taken began, in ticks of milliseconds."""
        return self._starts[self._taken % _KEPT]

    def take(self) -> int:
        """The press that ends with the oldest burst, or NONE."""
        place = self._taken % _KEPT
        start_ms, level, unseen = self._starts[place], self._levels[place], self._unseen[place]
        self._taken += 1
        if self._state == _UP_STATE:
            return self._pressed(start_ms, level, unseen)
        return self._released(start_ms) if level else NONE

    def held_long(self, now_ms: int) -> bool:
        """True once in a press that is long and goes on."""
        if self._state != _PRESSED or self._taken != self._written:
            return False
        if self._clock.ticks_diff(now_ms, self._pressed_ms) < _LONG_MS:
            return False
        self._state = _TOLD_LONG
        return True

    def _pressed(self, start_ms: int, level: int, unseen: bool) -> int:
        if not level:
            self._state = _PRESSED
            self._pressed_ms = start_ms
            return NONE
        # Down and up again in one burst: a spike. But a flash that erases holds interrupts back
        # for 45 ms, and then a quick press looks the same.
        return self.number if unseen else NONE

    def _released(self, start_ms: int) -> int:
        state = self._state
        self._state = _UP_STATE
        if state == _TOLD_LONG:
            return NONE
        held_ms = self._clock.ticks_diff(start_ms, self._pressed_ms)
        return self.number + LONG if held_ms >= _LONG_MS else self.number
