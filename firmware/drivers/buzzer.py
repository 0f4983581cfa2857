"""A passive piezo on a PWM pin: short tone sequences that never make the box wait."""

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from firmware.drivers.seams import Clock, PwmLike

_LOUD = const(32768)  # half of 65536: the loudest a square wave gets


class Buzzer:
    """Plays tuples of `(hz, ms)`; hz 0 is a pause. A new sequence replaces the old one."""

    def __init__(self, pwm: "PwmLike", clock: "Clock") -> None:
        self._pwm = pwm
        self._clock = clock
        self._tones: "tuple[tuple[int, int], ...]" = ()
        self._next = 0
        self._until = 0
        self.playing = False
        self.muted = False

    def play(self, tones: "tuple[tuple[int, int], ...]") -> None:
        """Start a sequence. The first tone sounds at once, the others from `step`."""
        self._tones = () if self.muted else tones
        self._next = 0
        self._begin_next(self._clock.ticks_ms())

    def step(self, now_ms: int) -> None:
        """Go on to the next tone when its time has come."""
        if self.playing and self._clock.ticks_diff(now_ms, self._until) >= 0:
            self._begin_next(self._until)

    def _begin_next(self, start_ms: int) -> None:
        self.playing = self._next < len(self._tones)
        if not self.playing:
            self._pwm.duty_u16(0)
            return
        hz, length_ms = self._tones[self._next]
        self._next += 1
        self._until = self._clock.ticks_add(start_ms, length_ms)
        if hz:
            self._pwm.freq(hz)
        self._pwm.duty_u16(_LOUD if hz else 0)
