"""A passive piezo on a PWM pin: short tone sequences that never make the box wait.

A sequence is bytes and ends with a zero. A byte: pitch (its place in `HZ`) times 16, plus the
length in units of 60 ms, 0 for a click of 15 ms. Behind every tone comes one unit of silence;
pitch 0 is more of it.
"""

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from firmware.drivers.seams import Clock, PwmLike

HZ = (0, 440, 523, 659, 784, 880, 1047, 1175, 1319, 1568, 1760, 2093, 2349, 2637, 3136, 3520)
# The base tone of a pulse of duty D is as strong as sin(pi D): 0.5 is the loudest, the others are
# 10 and 20 dB below (docs/decisions/sounds.md). By volume, of 65536; 0 is silent.
DUTIES = (0, 2089, 6711, 32768)
LOUDEST = 3
_UNIT_MS = const(60)
_CLICK_MS = const(15)


class Buzzer:
    """Plays one of several sequences that lie one behind the other; a new one replaces the old."""

    def __init__(self, pwm: "PwmLike", clock: "Clock") -> None:
        self._pwm = pwm
        self._clock = clock
        self._tones = b""
        self._next = 0
        self._until = 0
        self._duty = 0
        self._rests = False  # the next thing is the silence behind a tone
        self.playing = False

    def play(self, tones: bytes, number: int = 0, volume: int = LOUDEST) -> None:
        """Start sequence `number`. The first tone sounds at once, the others from `step`."""
        self._next = 0
        for _ in range(number):
            self._next = tones.find(b"\0", self._next) + 1
        self._tones = tones
        self._duty = DUTIES[volume]
        self._rests = False
        self.playing = True
        self._begin_next(self._clock.ticks_ms())

    def step(self, now_ms: int) -> None:
        """Go on to the next tone when its time has come."""
        if self.playing and self._clock.ticks_diff(now_ms, self._until) >= 0:
            self._begin_next(self._until)

    def _begin_next(self, start_ms: int) -> None:
        duty, length_ms = 0, _UNIT_MS
        byte = self._tones[self._next]
        if self._rests:
            self._rests = False
        elif byte:
            self._next += 1
            length_ms = (byte & 15) * _UNIT_MS or _CLICK_MS
            if byte >> 4:
                self._pwm.freq(HZ[byte >> 4])
                duty = self._duty
                self._rests = True
        else:
            self.playing = False
        self._until = self._clock.ticks_add(start_ms, length_ms)
        self._pwm.duty_u16(duty)
