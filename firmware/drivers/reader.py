"""The reader as the app sees it: `step` from the main loop, one event for one card.

A step never waits for a card: it sends a list command, comes back, and looks for the answer in
later steps. Only fetching the 48 bytes (about 6 ms) is done in one go. While a card is awaited one
list follows the other, each with many tries, and the field stays on
(docs/decisions/reader-and-tags.md). Else it is off between lists, which saves power and lets a
resting card answer every list. After a fault of the reader one step of the recovery is taken in
each; it never changes what is known about cards.
"""

from micropython import const

from firmware.drivers import presence
from firmware.drivers.ntag import CARD_BYTES, Ntag
from firmware.drivers.pn532 import commands, errors
from firmware.drivers.pn532.targets import Targets
from firmware.drivers.presence import (  # noqa: F401  the events are part of this interface
    BROKEN,
    CARD,
    GONE,
    NOTHING,
    RESTARTED,
    TWO_CARDS,
    UNREADABLE,
)
from firmware.drivers.recovery import Recovery

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from firmware.drivers.pn532.chip import Pn532
    from firmware.drivers.seams import Clock

    _Result = TypeVar("_Result")

# Field off between two lists.
_POLL_MS = const(8)  # while a card is awaited, once a second: what hangs in the field forgets it
_LIT_MS = const(1000)
_CALM_POLL_MS = const(50)  # while nothing new can be found, or nobody plays: 30 % and less
_ALERT_MS = const(60000)  # so long after the last card somebody is taken to play
_GRACE_MS = const(250)
_BUDGET_MS = const(150)  # retries for one card before it is called unreadable
_DARK_MS = const(6)  # without field a card forgets its state (ISO 14443-3: 5 ms)
_SELECT_TRIES = const(3)
_WAIT_US = const(200)
_NXP = const(0x04)  # first UID byte; other makers' tags often lack FAST_READ (Fudan 1D)
_NXP_UID_BYTES = const(7)

# by state: is a card that is listed alone to be read?
_TO_READ = (False, True, False, False, True, False, False)

# phases of the bus
_REST = const(0)
_LISTING = const(1)
_DARKENING = const(2)
_RECOVERING = const(3)
_OFF = const(4)
_TUNING = const(5)


class Reader:
    """One PN532 and the cards on it.

    After CARD: `uid` (bytes) and `data` (memoryview of 48 bytes, pages 4 to 15). The card stays
    awake for one poll interval, so `read_user` at once costs no new search.
    """

    def __init__(
        self,
        chip: "Pn532",
        clock: "Clock",
        poll_ms: int = _POLL_MS,
        grace_ms: int = _GRACE_MS,
    ) -> None:
        self.uid = b""
        self._bytes = bytearray(CARD_BYTES)
        self.data = memoryview(self._bytes)
        self.tag = Ntag(chip)
        self.health = chip.health
        self.presence = presence.Presence(clock, grace_ms)
        self.recovery = Recovery(chip, clock)
        self.chip = chip
        self._clock = clock
        self._poll_ms = poll_ms
        self._targets = Targets(chip.data)
        self._phase = _OFF
        self._due_ms = clock.ticks_ms()
        self._field_on = False
        self._lit_ms = clock.ticks_ms()  # since when it is on
        self._selected = False
        self._fast = True
        self._may_be_fast = True
        self._slow_uid = b""
        self._tried_since_ms = 0
        self._listed_ms = 0
        self._stirred_ms = clock.ticks_ms()  # when a card was seen last

    def start(self) -> bool:
        """Reset the chip and set it up; takes up to 2 s. False: `step` goes on trying.

        Until then `step` does nothing, so that a box can show a picture first.
        """
        works = self.recovery.start()
        self._phase = _REST if works else _RECOVERING
        self._due_ms = self._clock.ticks_ms()
        return works

    def step(self, now_ms: int) -> int:
        """Do what is due; return an event code. Call it every few milliseconds."""
        try:
            return _PHASES[self._phase](self, now_ms)
        except errors.ReaderError as error:
            return self._on_fault(error, now_ms)

    def is_quiet(self) -> bool:
        """False while a card lies there that is still to be read."""
        return self.presence.state != presence.SEEN

    # --- phases --------------------------------------------------------------------------------

    def _off(self, now_ms: int) -> int:
        return NOTHING

    def _rest(self, now_ms: int) -> int:
        if self._clock.ticks_diff(now_ms, self._due_ms) >= 0:
            if self._field_on:
                self._darken(now_ms, _DARK_MS)
            else:
                self._list(now_ms)
        return NOTHING

    def _listing(self, now_ms: int) -> int:
        if not self.chip.poll():
            return NOTHING
        self._field_on = True
        if not self._targets.take(self.chip.size, self.uid):
            raise self.chip.explained(errors.DamagedFrame("the list of cards makes no sense"))
        self._selected = self._targets.count == 1
        if self.recovery.active and self._recovered(now_ms):
            self._darken(now_ms, _DARK_MS)
            return RESTARTED
        return self._judge(now_ms)

    def _darkening(self, now_ms: int) -> int:
        if self.chip.poll():
            self._field_on = False
            self._phase = _REST
        return NOTHING

    def _tuning(self, now_ms: int) -> int:
        if self.chip.poll():
            self.chip.patient = not self.chip.patient
            self._list(now_ms)
        return NOTHING

    def _recovering(self, now_ms: int) -> int:
        self._field_on = False
        if self.recovery.advance(now_ms):
            self._list(now_ms)
        return NOTHING

    # --- cards ---------------------------------------------------------------------------------

    def _judge(self, now_ms: int) -> int:
        """Tell presence what was listed, and read a card that is new."""
        found = self._found()
        before = self.presence.state
        event = self.presence.listed(found, now_ms)
        state = self.presence.state
        if state == presence.SEEN and (before != presence.SEEN or found == presence.OTHER):
            self._adopt(now_ms)
        if event == NOTHING and self._targets.count == 1 and _TO_READ[state]:
            return self._try_card(now_ms)
        if self._targets.count:
            self._stirred_ms = now_ms
        if state == presence.SEEN or (state == presence.IDLE and self._targets.count):
            self._list(now_ms)  # it has just been there, or a new one lies there already
        elif not self._is_awaiting(now_ms):
            self._darken(now_ms, _CALM_POLL_MS)
        elif self._clock.ticks_diff(now_ms, self._lit_ms) < _LIT_MS:
            self._list(now_ms)
        else:
            self._darken(now_ms, self._poll_ms)
        return self._count(event)

    def _is_awaiting(self, now_ms: int) -> bool:
        """True while the next card may come any moment."""
        if self.presence.state != presence.IDLE:
            return False
        return self._clock.ticks_diff(now_ms, self._stirred_ms) < _ALERT_MS

    def _found(self) -> int:
        targets = self._targets
        if targets.count == 0:
            return presence.NOBODY
        if targets.count > 1:
            return presence.TWO
        return presence.SAME if targets.is_known else presence.OTHER

    def _try_card(self, now_ms: int) -> int:
        """Read the one card listed: CARD, or NOTHING while its retry budget lasts."""
        try:
            self.tag.read_card(self._bytes, self._fast)
        except errors.ReaderError as error:
            if error.advice == errors.BROKEN:
                raise
            return self._failed_read(now_ms)
        return self._counted(now_ms)

    def _adopt(self, now_ms: int) -> None:
        """This is a new card: a new budget, and the way of reading that suits its maker."""
        if not self._targets.is_known:
            self.uid = self._targets.uid
        self._tried_since_ms = now_ms
        genuine = self.uid[0] == _NXP and len(self.uid) == _NXP_UID_BYTES
        self._may_be_fast = genuine and self.uid != self._slow_uid
        self._fast = self._may_be_fast

    def _counted(self, now_ms: int) -> int:
        if self._may_be_fast and not self._fast:
            self._slow_uid = self.uid
        self.health.last_read_ms = self._clock.ticks_diff(self._clock.ticks_ms(), self._listed_ms)
        self._phase = _REST  # the field stays on, so that the app can read on
        self._stirred_ms = now_ms
        self._due_ms = self._clock.ticks_add(now_ms, _CALM_POLL_MS)
        return self._count(self.presence.take(presence.READ, now_ms))

    def _failed_read(self, now_ms: int) -> int:
        self.health.rf_retries += 1
        self._fast = self._may_be_fast and not self._fast
        if self._clock.ticks_diff(now_ms, self._tried_since_ms) < _BUDGET_MS:
            self._list(now_ms)
            return NOTHING
        self._darken(now_ms, _CALM_POLL_MS)
        return self._count(self.presence.take(presence.GIVEN_UP, now_ms))

    def _count(self, event: int) -> int:
        if event == CARD:
            self.health.cards += 1
        elif event == TWO_CARDS:
            self.health.two_cards += 1
        elif event == UNREADABLE:
            self.health.unreadable += 1
        return event

    # --- faults --------------------------------------------------------------------------------

    def _on_fault(self, error: errors.ReaderError, now_ms: int) -> int:
        self._phase = _RECOVERING
        self._field_on = self._selected = False
        return self.recovery.fail(error, now_ms)

    def _recovered(self, now_ms: int) -> bool:
        """Back to work. The time of the fault counts for no card. True after a hard reset."""
        self.presence.touch(now_ms)
        self._tried_since_ms = now_ms
        return self.recovery.finish(now_ms)

    # --- self-test -----------------------------------------------------------------------------

    def selftest(self, with_reset: bool) -> "tuple[bool, bool | None]":
        """Whether the chip answers now, and whether RSTPD_N stops it (None: not tested).

        Takes up to 0.5 s with the reset and 60 ms without; a chip that fails is recovered.
        """
        obeys = None
        try:
            self.settle()
            if not self.chip.answers():
                raise errors.NoAnswer("the PN532 does not answer the self-test")
            if with_reset:
                obeys = self.chip.obeys_reset()
                self._field_on = self._selected = False
                self.chip.start()
        except errors.ReaderError as error:
            if self._phase != _RECOVERING:
                self._on_fault(error, self._clock.ticks_ms())
            return False, obeys
        return True, obeys

    # --- bus -----------------------------------------------------------------------------------

    def _list(self, now_ms: int) -> None:
        self._selected = False
        self.chip.follow_line()
        patient = self._is_awaiting(now_ms) and not self.recovery.active
        if patient != self.chip.patient:
            self._phase = _TUNING
            self.chip.begin(commands.PATIENT_TRIES if patient else commands.LIST_TRIES)
            return
        self.health.polls += 1
        if not self._field_on:
            self._lit_ms = now_ms
        self._listed_ms = now_ms
        self._phase = _LISTING
        self.chip.begin(commands.LIST_CARDS, commands.PATIENT_MS if patient else commands.LIST_MS)

    def _darken(self, now_ms: int, rest_ms: int) -> None:
        self._due_ms = self._clock.ticks_add(now_ms, rest_ms)
        self._selected = False
        self._phase = _DARKENING
        self.chip.begin(commands.FIELD_OFF)

    # --- longer records ------------------------------------------------------------------------

    def read_user(self, first_page: int, count_pages: int) -> bytes:
        """Read pages of the card told last. CardLeft if it is not there alone any more."""
        return self.with_card(lambda: self.tag.read(first_page, count_pages, self._fast))

    def write_user(self, first_page: int, data: bytes) -> None:
        """Write whole pages to the card told last and compare. Raises ReaderError."""
        self.with_card(lambda: self.tag.write(first_page, data, self._fast))

    def write_record(self, data: bytes, length_at: int) -> None:
        """Write user memory from page 4, tearing-safe; see `Ntag.write_record`."""
        self.with_card(lambda: self.tag.write_record(data, length_at, self._fast))

    def with_card(self, action: "Callable[[], _Result]") -> "_Result":
        """Do something with the card told last, up to three times while it lies there."""
        trouble: errors.ReaderError = errors.CardLeft("the card is not there any more")
        for _ in range(_SELECT_TRIES):
            try:
                self._select()
                return action()
            except errors.ReaderError as error:
                self._selected = False
                trouble = error
                if error.advice == errors.BROKEN:
                    self._on_fault(error, self._clock.ticks_ms())
                    break
        raise trouble

    def _select(self) -> None:
        """Make sure that the card told last listens."""
        self.settle()
        if self._selected:
            return
        self.chip.call(commands.LIST_CARDS, commands.LIST_MS)
        self._field_on = True
        self._phase = _REST
        if not self._targets.take(self.chip.size, self.uid) or self._targets.count != 1:
            raise self.chip.explained(errors.CardLeft("the card does not lie there alone"))
        if not self._targets.is_known:
            raise self.chip.explained(errors.CardLeft("another card lies there"))
        self._selected = True

    def settle(self) -> None:
        """A command of `step` may be under way: its answer must not be taken for another's."""
        if self._phase in (_RECOVERING, _OFF):
            raise errors.NoAnswer("the reader is being restarted")
        if self._phase == _LISTING and self.chip.patient:
            self.chip.end_command()
            self._field_on = True
        elif self._phase != _REST:
            while not self.chip.poll():
                self._clock.sleep_us(_WAIT_US)
            self._field_on = self._phase == _LISTING
            self.chip.patient ^= self._phase == _TUNING
        self._phase = _REST


# in the order of the phases
_PHASES = (
    Reader._rest,
    Reader._listing,
    Reader._darkening,
    Reader._recovering,
    Reader._off,
    Reader._tuning,
)
