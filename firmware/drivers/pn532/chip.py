"""The PN532 itself: one command at a time, its ACK, its answer, and a way out of every silence.

`begin` sends a command and `poll` asks, without waiting, whether its answer is there; `call` does
both and sleeps in between. The chip must acknowledge within 15 ms, else the command is sent again
(UM0701-02 section 6.2.3); a damaged or cut answer is asked for again by NACK; a command that takes
too long is aborted by a host ACK.
"""

from micropython import const

from firmware.drivers.health import Health
from firmware.drivers.pn532 import commands, errors, frame

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from firmware.drivers.seams import Clock, PinLike, Transport

_ACK_MS = const(16)  # 15 ms, and the millisecond the clock may be late
_BYTES_PER_MS = const(8)  # at the slowest speed, rounded down: the frame's own time is added
_ANSWER_MS = const(8)  # 64 bytes at that speed
_RESENDS = const(2)
_REPLAYS = const(2)
_READS_PER_POLL = const(4)  # a line that babbles must not hold the box
_SLEEP_US = const(200)
_PN532 = const(0x32)
_WAKES = const(2)
_DARK_MS = const(6)
# Of a window of 256 answers, four damaged ones (1.6 %) are too many for the speed of the line.
# After 32 windows without any, some minutes, the next speed is tried; twice as late after each
# new fall.
_WINDOW = const(256)
_SPOILED = const(4)
_PATIENCE = const(32)
_MOST_PATIENCE = const(1024)
_RESET_MS = const(20)  # a reset pulse, and the time to boot (recovery.py)


class Pn532:
    """One reader chip on one transport. After an answer, `data` holds it and `size` its length."""

    def __init__(
        self, transport: "Transport", clock: "Clock", reset: "PinLike | None" = None
    ) -> None:
        """`reset`: the pin on RSTPD_N (not RSTO), high = run; None if it is not wired."""
        self.clock = clock
        self.health = Health()
        self.ring = errors.FrameRing()
        self.patient = False  # a list waits for a card for a while
        self._transport = transport
        self._reset = reset
        self._parser = frame.Parser()
        self.data = self._parser.payload[2:]  # behind TFI and response code
        self.size = 0
        self.version = b""
        self.speed = 0
        self.aim = len(transport.speeds) - 1  # index of the speed that the line can bear
        self._answers = 0  # of this window, and damaged ones among them
        self._spoiled = 0
        self._calm = 0  # windows without damage
        self._patience = _PATIENCE
        self._frame = commands.GET_VERSION
        self._command = 0
        self._limit_ms = 0
        self._acked = False
        self._answered = False
        self._resends = 0
        self._replays = 0
        self._deadline = 0

    # --- one command ---------------------------------------------------------------------------

    def begin(self, command: bytes, limit_ms: int = commands.QUICK_MS) -> None:
        """Send `command` (a whole frame); after its ACK the chip may take `limit_ms`."""
        self._frame = command
        self._command = frame.command_of(command)
        self._limit_ms = limit_ms
        self._resends = 0
        self._replays = 0
        self._send()

    def poll(self) -> bool:
        """True when the answer to `begin` is there. Raises ReaderError; never waits."""
        for _ in range(_READS_PER_POLL):
            found = self._transport.read(self._parser)
            if found == frame.NOTHING:
                break
            self._note(found)
            if self._acked and self._answered:
                self._count_answer()
                return True
        if self.clock.ticks_diff(self.clock.ticks_ms(), self._deadline) >= 0:
            return self._on_deadline()
        return False

    def call(self, command: bytes, limit_ms: int = commands.QUICK_MS) -> None:
        """Send `command` and wait for its answer."""
        self.begin(command, limit_ms)
        while not self.poll():
            self.clock.sleep_us(_SLEEP_US)

    def check_status(self) -> None:
        """Raise what the status byte at the beginning of the answer says, if it is not 0."""
        status = self.data[0] & 0x3F
        if status:
            raise self.explained(errors.status_error(status))

    def abort(self) -> None:
        """Give up a command that stays silent; counted, as it is a fault."""
        self.health.aborts += 1
        self.end_command()

    def end_command(self) -> None:
        """End the running command by a host ACK; nobody wants its answer."""
        self.ring.record(True, frame.ACK, len(frame.ACK))
        self._transport.write(frame.ACK)

    def explained(self, error: errors.ReaderError) -> errors.ReaderError:
        """Attach the last frames to an error."""
        error.frames = self.ring.listing()
        return error

    def _send(self) -> None:
        self._parser.reset()
        self._acked = False
        self._answered = False
        self.ring.record(True, self._frame, len(self._frame))
        self._transport.write(self._frame)
        self._wait(_ACK_MS + len(self._frame) // _BYTES_PER_MS)

    def _wait(self, limit_ms: int) -> None:
        self._deadline = self.clock.ticks_add(self.clock.ticks_ms(), limit_ms)

    def _note(self, found: int) -> None:
        if found == frame.GOT_ACK:
            self.ring.record(False, frame.ACK, len(frame.ACK))
            if not self._acked:
                self._acked = True
                self._wait(self._limit_ms + _ANSWER_MS)
        elif found == frame.FRAME:
            self._note_frame()
        elif found == frame.GOT_ERROR:
            raise self.explained(errors.NotUnderstood("the PN532 does not understand a command"))
        else:
            self._note_damage()

    def _note_frame(self) -> None:
        """Keep an answer, also one that overtakes its ACK (seen on Windows: zaparoo-core#155)."""
        payload = self._parser.payload
        self.ring.record(False, payload, self._parser.size)
        if payload[1] == (self._command + 1) & 0xFF:
            self._answered = True
            self.size = self._parser.size - 2
        else:
            self.health.stale_frames += 1

    def _note_damage(self) -> None:
        self.health.bad_frames += 1
        self._count_damage()
        if not self._acked:
            return  # the deadline of the ACK will send the command again
        if not self._ask_again():
            raise self.explained(errors.DamagedFrame("the PN532's answer is damaged"))

    def _ask_again(self) -> bool:
        if self._replays == _REPLAYS:
            return False
        self._replays += 1
        self.health.replays += 1
        self._parser.reset()
        self.ring.record(True, frame.NACK, len(frame.NACK))
        self._transport.write(frame.NACK)
        self._wait(_ACK_MS + _ANSWER_MS)
        return True

    def _on_deadline(self) -> bool:
        if self._answered:
            return True  # its ACK was lost
        if self._acked:
            # Only of an answer that has begun: a NACK fetches the last one that was ready, and
            # after a command that was never answered that is the answer to an older one.
            if self._parser.has_begun() and self._ask_again():
                return False
            self.abort()
            raise self.explained(errors.NoAnswer("the PN532 took a command and stays silent"))
        if self._resends == _RESENDS:
            raise self.explained(errors.NoAck("the PN532 does not acknowledge commands"))
        self._resends += 1
        self.health.resends += 1
        self._send()
        return False

    # --- speed of the line ---------------------------------------------------------------------

    def _count_answer(self) -> None:
        self._answers += 1
        if self._answers < _WINDOW:
            return
        self._calm = 0 if self._spoiled else self._calm + 1
        self._answers = self._spoiled = 0
        if self._calm >= self._patience and self.aim < len(self._transport.speeds) - 1:
            self._calm = 0
            self.aim += 1

    def _count_damage(self) -> None:
        self._spoiled += 1
        if self._spoiled >= _SPOILED and self.aim > 0:
            self._answers = self._spoiled = self._calm = 0
            self.aim -= 1
            self._patience = min(2 * self._patience, _MOST_PATIENCE)

    def follow_line(self) -> None:
        """Change to the speed that the damage of late allows. Call it between two commands; it
        takes 5 ms when there is something to change. Raises ReaderError.
        """
        wanted = self._transport.speeds[self.aim]
        if wanted == self.speed:
            return
        if wanted < self.speed:
            self.health.slower += 1
        else:
            self.health.faster += 1
        self._change_speed()

    # --- start-up ------------------------------------------------------------------------------

    def hold_reset(self, level: int) -> None:
        """Drive RSTPD_N: 0 stops the chip, 1 lets it start. Nothing happens if it is not wired."""
        if self._reset is not None:
            self._reset(level)

    def answers(self) -> bool:
        """Ask the chip for its version now."""
        try:
            self.call(commands.GET_VERSION)
        except errors.ReaderError:
            return False
        return self.data[0] == _PN532

    def obeys_reset(self) -> "bool | None":
        """Hold RSTPD_N low: a chip that still answers is not reached by it. None: not wired.

        The chip must be started anew behind it. What is not answered on purpose is not counted.
        """
        if self._reset is None:
            return None
        health = self.health
        counted = (health.resends, health.aborts)
        self.hold_reset(0)
        self.clock.sleep_ms(_RESET_MS)
        obeys = not self.answers()
        self.hold_reset(1)
        self.clock.sleep_ms(_RESET_MS)
        health.resends, health.aborts = counted
        return obeys

    def reopen(self) -> None:
        """Set up the host's side of the line again, at the speed of a chip fresh from reset."""
        self._set_speed(self._transport.speeds[0])

    def start(self) -> None:
        """Wake the chip and set it up, at whichever speed it listens. Raises ReaderError."""
        self.find()
        self.call(commands.GET_VERSION)
        if self.data[0] != _PN532:
            raise self.explained(errors.WrongChip("the reader is not a PN532"))
        self.version = bytes(self.data[: self.size])
        self._configure()
        self._change_speed()

    def reconfigure(self) -> None:
        """Set up a chip that answers but may have lost its settings. Raises ReaderError."""
        self._configure_sam()
        self._configure()

    def cycle_field(self) -> None:
        """Switch the field off and on: some chips list nothing before that."""
        self.call(commands.FIELD_OFF)
        self.clock.sleep_ms(_DARK_MS)
        self.call(commands.FIELD_ON)

    def _configure_sam(self) -> None:
        """SAMConfiguration, needed first after power-up; clones may want it with one byte."""
        try:
            self.call(commands.SAM_NORMAL)
        except errors.NotUnderstood:
            self.call(commands.SAM_NORMAL_SHORT)

    def _configure(self) -> None:
        self._set_parameters()
        self.patient = False
        for command in commands.CONFIGURE:
            self.call(command)
        self.cycle_field()

    def _set_parameters(self) -> None:
        try:
            self.call(commands.SET_PARAMETERS)
        except errors.NotUnderstood:
            return  # a clone without it: a card with RATS is unreadable either way

    def find(self) -> None:
        """Wake the chip. After a crash of the box it may still listen at the higher speed."""
        trouble: errors.ReaderError = errors.NoAck("the PN532 does not answer")
        for _ in range(_WAKES):
            for speed in self._transport.speeds:
                self._set_speed(speed)
                self._transport.wake()
                try:
                    self._configure_sam()
                    return
                except errors.ReaderError as error:
                    trouble = error
        raise trouble

    def _change_speed(self) -> None:
        speeds = self._transport.speeds
        if self.speed == speeds[self.aim]:
            return
        before = self.speed
        self.call(commands.SET_SPEEDS[self.aim])
        self._transport.write(frame.ACK)  # the change takes effect with this ACK
        self._set_speed(speeds[self.aim])
        try:
            self.call(commands.GET_VERSION)
        except errors.ReaderError:
            # the wires are too long for it: stay slow, until the line has been calm for long
            self.aim = 0
            self._set_speed(before)
            self._transport.wake()
            self.call(commands.GET_VERSION)

    def _set_speed(self, speed: int) -> None:
        self._transport.reopen(speed)
        self.speed = speed
