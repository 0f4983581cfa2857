"""Which seats play by themselves, and when the robot may move."""

from collections.abc import Callable

from firmware.app.arbiter import REASONS
from host_tools.sim.table.hands import BoxHands, Waits
from host_tools.sim.table.match_log import MatchLog
from host_tools.sim.table.robot import Robot

MOST_FAILURES = 4
"""So many moves of a robot without an answer of the box, and it gives up its seat."""
VERDICT_MS = 3_000
"""So long robots leave a decision to be looked at, in the time of the table."""
POWER = "power"
"""CL-2: why the box itself pauses a match; the players go on, an arbiter's pause is left alone."""


class Autoplay:
    """`seats` play by themselves; `gave_up()` is called when the robot leaves one of them;
    `now_ms` is the table's time.
    """

    def __init__(
        self,
        robot: Robot,
        hands: BoxHands,
        log: MatchLog,
        gave_up: Callable[[], None],
        now_ms: Callable[[], int],
    ) -> None:
        self.seats: set[int] = set()
        self._robot = robot
        self._hands = hands
        self._log = log
        self._gave_up = gave_up
        self._failures = 0
        self._now_ms = now_ms
        self._read_at_ms = 0

    def show(self) -> None:
        """The box has spoken, and people look on: a decision stays for a while. Not in haste."""
        # else the next robot lays its card over a decision that nobody has read yet
        world = self._log.world
        if (
            world is not None
            and (world.is_decided() or world.match.over() or self._log.refused)
            and not self._hands.hasty
        ):
            self._read_at_ms = self._now_ms() + VERDICT_MS

    def read_on(self) -> None:
        """Somebody has read it."""
        self._read_at_ms = 0

    @property
    def waits(self) -> bool:
        """Does a robot wait until a decision is read?"""
        return (
            not self._hands.hasty
            and self._now_ms() < self._read_at_ms
            and self._log.awaits["seat"] in self.seats
        )

    def forgive(self) -> None:
        """Something new has happened: the robot may try again as often."""
        self._failures = 0

    def next_act(self) -> Waits | None:
        """What the robot does now; None if nothing is for it to do."""
        world = self._log.world
        if world is None or self._log.closed:
            return None
        if self._hands.screen() is None:  # still booting, or a fault is shown: it restarts itself
            return None
        if world.match.over():
            return self._end()
        if not self.seats:
            return None
        awaits = self._log.awaits
        if self._log.paused:
            after_cut = self._log.paused == POWER and self._plays_all()
            return self._robot.resume() if after_cut else None
        if awaits["for"] == "begin":
            # where a person plays, people say who begins
            return self._robot.begin() if self._plays_all() else None
        if self.waits:
            return None
        # SW-5: a level match is for the jury to decide
        if awaits["seat"] in self.seats and awaits["for"] != "decide":
            return self._move(awaits["seat"])
        return None

    def _end(self) -> Waits | None:
        """The table presses the box's OK once the last decision was in sight for a while; while
        the jury's menu is open, something may still be corrected, and what the jury itself has
        ended is for people to confirm.
        """
        if self.is_for_people():
            return None
        if self._robot.jury_is_open():
            self.show()
            return None
        return self._robot.sign_off() if self._now_ms() >= self._read_at_ms else None

    def is_for_people(self) -> bool:
        """Has the jury's word ended the match, and does anybody sit there?"""
        return self._log.ended_by in REASONS and not self._plays_all()

    def hurries(self) -> bool:
        """A robot is to play, or the box still boots: nobody thinks."""
        if self._hands.is_dark():
            return True
        return not self._log.closed and (
            self._plays_all() or self._log.awaits["seat"] in self.seats
        )

    def _plays_all(self) -> bool:
        world = self._log.world
        return world is not None and len(self.seats) >= world.seats

    def _move(self, seat: int) -> Waits | None:
        self._failures += 1
        if self._failures <= MOST_FAILURES:
            return self._robot.play(seat)
        self.seats.discard(seat)
        self._failures = 0
        self._gave_up()
        return None
