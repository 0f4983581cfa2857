"""Four push buttons to ground with pull-ups: debounced, long presses told apart.

A tap keeps the loop busy for longer than a quick press lasts, so every edge interrupts and is kept
until the loop looks again: docs/decisions/buttons.md.
"""

from array import array

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
# flash at work (60 ms; W25Q16JV erases in 45) and a bounce: interrupts come so late. With 60 a
# release at its start counted twice.
_MASKED_MS = const(64)
_KEPT = const(16)  # bursts of all buttons: eight whole presses while nobody looks

_UP_STATE = const(0)
_PRESSED = const(1)
_REPORTED_LONG = const(2)

# a burst: the button's number and
_LEVEL = const(4)  # the pin after its last edge so far
_UNSEEN = const(8)  # it may be a whole press of which nobody saw the middle
_TAKEN = const(16)


class Buttons:
    """Turns edges into presses. A short press is told on release, a long one while held.

    Edges come in bursts, because contacts bounce: a burst ends when the contact has been quiet for
    _DEBOUNCE_MS, and only the level it ends with counts. `_edge` is a hard interrupt: it allocates
    nothing, and alone writes `_written`; the loop alone writes `_done`. Lists are one for all
    buttons: objects for each of them took 4 kB of the chip's heap.
    """

    def __init__(self, pins: "tuple[ButtonPin, ...]", clock: "Clock") -> None:
        """`pins` in the order UP, DOWN, OK, JURY; a pin reads 0 while its button is down."""
        self._pins = pins
        self._clock = clock
        zeros = [0] * len(pins)
        self._bursts = bytearray(_KEPT)
        self._starts = array("i", [0] * _KEPT)  # when each burst began
        self._written = 0  # bursts so far
        self._done = 0  # of them, those that need no more room
        self._last = array("i", zeros)  # 1 + the number of the button's newest burst; 0: none
        self._edge_ms = array("i", zeros)
        self._state = bytearray(len(pins))
        self._pressed_ms = array("i", zeros)
        self._looked_ms = clock.ticks_ms()
        edge = self._edge  # bound once, here
        for pin in pins:
            pin.irq(edge, pin.IRQ_FALLING | pin.IRQ_RISING, hard=True)
            if not pin():
                edge(pin)  # held since before power-on

    def _edge(self, pin: "ButtonPin") -> None:
        now_ms = self._clock.ticks_ms()
        number = 0
        while self._pins[number] is not pin:
            number += 1
        last = self._last[number] - 1
        quiet_ms = self._clock.ticks_diff(now_ms, self._edge_ms[number])
        if last < self._done or self._bursts[last % _KEPT] & _TAKEN:
            quiet_ms = _MASKED_MS  # at least: the loop has seen it quiet
        # with no room left the last burst goes on, so that a button never stays down by mistake
        if quiet_ms >= _DEBOUNCE_MS and self._written - self._done < _KEPT:
            last = self._written
            burst = number
            away_ms = self._clock.ticks_diff(now_ms, self._looked_ms)
            if away_ms >= _DEBOUNCE_MS and quiet_ms >= _MASKED_MS:
                burst |= _UNSEEN
            self._bursts[last % _KEPT] = burst
            self._starts[last % _KEPT] = now_ms
            self._last[number] = last + 1
            self._written = last + 1
        if last >= self._done:
            place = last % _KEPT
            self._bursts[place] = self._bursts[place] & ~_LEVEL | (_LEVEL if pin() else 0)
        self._edge_ms[number] = now_ms

    def step(self, now_ms: int) -> int:
        """Return one press or NONE, of several the one that came first. Call it every few
        milliseconds.
        """
        for at in range(self._done, self._written):
            if self._is_over(at, now_ms):
                code = self._take(at)
                if code != NONE:
                    self._looked_ms = now_ms
                    return code
        self._looked_ms = now_ms
        for number in range(len(self._pins)):
            if self._state[number] == _PRESSED and self._held_long(number, now_ms):
                return number + LONG
        return NONE

    def _is_over(self, at: int, now_ms: int) -> bool:
        """Is this burst still to be taken, and does it get no more edges?"""
        burst = self._bursts[at % _KEPT]
        number = burst & 3
        if burst & _TAKEN:
            return False
        if self._last[number] - 1 > at:  # a later burst ends the one before it
            return True
        return self._clock.ticks_diff(now_ms, self._edge_ms[number]) >= _DEBOUNCE_MS

    def _take(self, at: int) -> int:
        """The press that ends with a burst, or NONE."""
        burst = self._bursts[at % _KEPT]
        start_ms = self._starts[at % _KEPT]
        self._bursts[at % _KEPT] = burst | _TAKEN
        while self._done < self._written and self._bursts[self._done % _KEPT] & _TAKEN:
            self._done += 1
        number = burst & 3
        state = self._state[number]
        if state == _UP_STATE:
            if burst & _LEVEL:
                # Down and up again in one burst: a spike. But a flash that erases holds
                # interrupts back for 45 ms, and then a quick press looks the same.
                return number if burst & _UNSEEN else NONE
            self._state[number] = _PRESSED
            self._pressed_ms[number] = start_ms
        elif burst & _LEVEL:
            self._state[number] = _UP_STATE
            if state == _PRESSED:
                held_ms = self._clock.ticks_diff(start_ms, self._pressed_ms[number])
                return number + LONG if held_ms >= _LONG_MS else number
        return NONE

    def _held_long(self, number: int, now_ms: int) -> bool:
        """True once in a press that is long and goes on; the button is down."""
        last = self._last[number] - 1
        if last >= self._done and not self._bursts[last % _KEPT] & _TAKEN:
            return False
        if self._clock.ticks_diff(now_ms, self._pressed_ms[number]) < _LONG_MS:
            return False
        self._state[number] = _REPORTED_LONG
        return True
