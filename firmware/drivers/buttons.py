"""Four push buttons to ground with pull-ups: debounced, long presses told apart, no interrupt."""

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from firmware.drivers.seams import Clock, PinLike

UP = const(0)
DOWN = const(1)
OK = const(2)
JURY = const(3)
LONG = const(4)  # added to the button's number
NONE = const(-1)

_DEBOUNCE_MS = const(15)  # a 12 mm panel button bounces for less than 10 ms
_LONG_MS = const(700)

_UP_STATE = const(0)
_PRESSED = const(1)
_TOLD_LONG = const(2)


class Buttons:
    """Turns pin levels into presses. A short press is told on release, a long one while held."""

    def __init__(self, pins: "tuple[PinLike, ...]", clock: "Clock") -> None:
        """`pins` in the order UP, DOWN, OK, JURY; a pin reads 0 while its button is down."""
        self._pins = pins
        self._clock = clock
        count = len(pins)
        self._state = [_UP_STATE] * count
        self._level = [1] * count  # the level seen last, bouncing or not
        self._since = [clock.ticks_ms()] * count  # when that level began
        self._pressed_at = [0] * count

    def step(self, now_ms: int) -> int:
        """Look at the pins once. Return one press or NONE. Call it every few milliseconds."""
        for number in range(len(self._pins)):
            code = self._look(number, now_ms)
            if code != NONE:
                return code
        return NONE

    def _look(self, number: int, now_ms: int) -> int:
        level = self._pins[number]()
        if level != self._level[number]:
            self._level[number] = level
            self._since[number] = now_ms
            return NONE
        if self._clock.ticks_diff(now_ms, self._since[number]) < _DEBOUNCE_MS:
            return NONE
        return self._released(number) if level else self._held(number, now_ms)

    def _held(self, number: int, now_ms: int) -> int:
        state = self._state[number]
        if state == _UP_STATE:
            self._state[number] = _PRESSED
            self._pressed_at[number] = self._since[number]
        elif (
            state == _PRESSED
            and self._clock.ticks_diff(now_ms, self._pressed_at[number]) >= _LONG_MS
        ):
            self._state[number] = _TOLD_LONG
            return number + LONG
        return NONE

    def _released(self, number: int) -> int:
        state = self._state[number]
        self._state[number] = _UP_STATE
        return number if state == _PRESSED else NONE
