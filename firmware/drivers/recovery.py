"""Getting a reader back that does not answer, without a person: step by step.

A command without ACK has been sent three times before the first step is taken (chip.py). After
each step the reader tries a list; if that fails too, the next step follows. After the last it says
BROKEN once, and goes on with hard resets: soon at first, for a reader that is only disturbed, and
less and less often, down to every two seconds, for one that is dead.
"""

from micropython import const

from firmware.drivers.pn532 import errors
from firmware.drivers.presence import BROKEN, NOTHING

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from firmware.drivers.pn532.chip import Pn532
    from firmware.drivers.seams import Clock

_SHORT_MS = const(20)  # reset pulse, and time to boot, for a chip that is as its data sheet says
_LONG_LOW_MS = const(100)  # what clones were seen to need (Adafruit, ESPHome)
_LONG_BOOT_MS = const(200)
_FIRST_BACK_OFF_MS = const(125)
_LAST_BACK_OFF_MS = const(2000)
_RELAPSE_MS = const(300)  # so soon after: the last step did not help, go on to the next
# places in _STEPS
_RESET_STEP = const(3)
_LINE_STEP = const(6)


class Recovery:
    """The steps and which comes next. `active` while the reader does not answer, `broken` once
    every step was tried in vain. `last_error` carries the frames before the fault.
    """

    def __init__(self, chip: "Pn532", clock: "Clock") -> None:
        self.active = False
        self.last_error: "errors.ReaderError | None" = None
        self._chip = chip
        self._clock = clock
        self._step = 0
        self._back_off_ms = _FIRST_BACK_OFF_MS
        self._due_ms = 0
        self._since_ms = 0
        self._well_since_ms = clock.ticks_ms()
        self._restarted = False
        self.broken = False

    def start(self) -> bool:
        """Start the chip from reset, waiting for it: for the start of the box."""
        for low_ms, boot_ms in ((_SHORT_MS, _SHORT_MS), (_LONG_LOW_MS, _LONG_BOOT_MS)):
            self._chip.hold_reset(0)
            self._clock.sleep_ms(low_ms)
            self._chip.hold_reset(1)
            self._clock.sleep_ms(boot_ms)
            try:
                self._chip.start()
                return True
            except errors.ReaderError as error:
                self.last_error = error
        self.active = True
        self._since_ms = self._due_ms = self._clock.ticks_ms()
        self._step = _LINE_STEP
        return False

    def fail(self, error: errors.ReaderError, now_ms: int) -> int:
        """Note a fault; the next step is due. BROKEN once when there is none, else NOTHING."""
        self.last_error = error
        self._due_ms = now_ms
        if not self.active:
            self.active = True
            self._since_ms = now_ms
            if self._clock.ticks_diff(now_ms, self._well_since_ms) > _RELAPSE_MS:
                self._step = 0
                self._back_off_ms = _FIRST_BACK_OFF_MS
            self._chip.health.recoveries += 1
        if self._step < len(_STEPS):
            return NOTHING
        self._step = _RESET_STEP
        self._due_ms = self._clock.ticks_add(now_ms, self._back_off_ms)
        self._back_off_ms = min(2 * self._back_off_ms, _LAST_BACK_OFF_MS)
        first_time = not self.broken
        self.broken = True
        return BROKEN if first_time else NOTHING

    def advance(self, now_ms: int) -> bool:
        """Take the next step when it is due. True: now try a list. Raises ReaderError."""
        if self._clock.ticks_diff(now_ms, self._due_ms) < 0:
            return False
        action, pause_ms = _STEPS[self._step]
        self._step += 1
        action(self)
        self._due_ms = self._clock.ticks_add(now_ms, pause_ms)
        return pause_ms == 0

    def finish(self, now_ms: int) -> bool:
        """A list was answered: all is well. True if it took a hard reset."""
        health = self._chip.health
        took_ms = self._clock.ticks_diff(now_ms, self._since_ms)
        health.worst_recovery_ms = max(health.worst_recovery_ms, took_ms)
        restarted = self._restarted
        self._well_since_ms = now_ms
        if restarted:
            health.restarts += 1
        self.active = self._restarted = self.broken = False
        return restarted

    def _abort(self) -> None:
        self._chip.abort()

    def _reconfigure(self) -> None:
        self._chip.reconfigure()

    def _cycle_field(self) -> None:
        self._chip.cycle_field()

    def _stop_chip(self) -> None:
        self._chip.hold_reset(0)

    def _let_chip_go(self) -> None:
        self._chip.hold_reset(1)

    def _start_chip(self) -> None:
        self._chip.start()
        self._restarted = True

    def _reopen_line(self) -> None:
        self._chip.hold_reset(0)
        self._chip.reopen()


# what to do, and how many ms later the next step follows; 0: try a list first
_STEPS = (
    (Recovery._abort, 0),
    (Recovery._reconfigure, 0),
    (Recovery._cycle_field, 0),
    (Recovery._stop_chip, _SHORT_MS),
    (Recovery._let_chip_go, _SHORT_MS),
    (Recovery._start_chip, 0),
    (Recovery._reopen_line, _LONG_LOW_MS),
    (Recovery._let_chip_go, _LONG_BOOT_MS),
    (Recovery._start_chip, 0),
)
