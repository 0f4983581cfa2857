"""The PN532: power states, frames, and the one command it works on (UM0701-02).

The chip knows no line. Its port (`hsu.HsuPort`) feeds it bytes (`hear`, `feed`), takes its frames
(`ChipPort.offer`) and says when the host has them (`taken`). The chip starts to work on a command
when its ACK has been fetched.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from hardware.twin.clock import Timer, VirtualClock
from hardware.twin.faults import FaultKind, FaultPlan, InjectedFault
from hardware.twin.field import RfField
from hardware.twin.pn532 import frames
from hardware.twin.pn532.commands import Commands
from hardware.twin.pn532.frames import Frame, FrameParser
from hardware.twin.pn532.initiator import Initiator
from hardware.twin.pn532.radio import NfcRadio
from hardware.twin.pn532.steps import WAIT_FOR_FIELD, WAIT_FOR_HOST, BadSyntax, Steps

FACTORY_BAUD = 115_200
BOOT_US = 2_000  # RSTPD_N high to the first wake-up heard [estimate; users wait 10-200 ms]
WAKE_US = 800  # first edge to the first byte heard: below nfcpy's ten zeros at 115200 [estimate]
ALL_WAKE_SOURCES = 0xFF


@dataclass(frozen=True)
class HandOff:
    """How long the chip's 8051 needs around a command [estimate: 1 ms in all; 0 for floors]."""

    ack_us: int = 300  # last byte of the command to the ACK
    start_us: int = 300  # ACK fetched to the first RF bit
    reply_us: int = 400  # last RF bit to the reply


NO_HAND_OFF = HandOff(0, 0, 0)


class PowerMode(Enum):
    """OFF: RSTPD_N is low. ASLEEP: LowVbat after reset, or PowerDown."""

    OFF = 0
    ASLEEP = 1
    AWAKE = 2


class ChipPort(Protocol):
    """What the chip needs of its line."""

    def offer(self, frame: bytes) -> None:
        """A frame is ready for the host; call `Pn532Chip.taken` when it has it."""


class Pn532Chip:
    """One chip, fresh from power-up: asleep in LowVbat."""

    def __init__(
        self,
        clock: VirtualClock,
        field: RfField,
        *,
        hand_off: HandOff | None = None,
        faults: FaultPlan | None = None,
        release_halts: bool = True,
        reads_long_uids: bool = True,
    ) -> None:
        self.clock = clock
        self.field = field
        self.hand_off = hand_off or HandOff()
        self.faults = faults or FaultPlan()
        self.commands = Commands(Initiator(NfcRadio(clock, field, reads_long_uids), release_halts))
        self.port: ChipPort | None = None
        self.baud = FACTORY_BAUD
        self.command_count = 0
        self.bytes_out = 0
        self.irq = 1
        self.on_irq: list[Callable[[int], None]] = []
        self.line_is_stuck = False
        self._parser = FrameParser()
        self._work: Steps[None] | None = None
        self._timer: Timer | None = None
        self._waits_for = 0
        self.offer_number = 0  # of the newest offer; a port gives it back in `taken`
        self._last_reply: bytes | None = None
        self._fault: InjectedFault | None = None
        self._zombie = False
        self._awake_from_us = 0
        self._booted_us = clock.now_us
        self._wake_sources = ALL_WAKE_SOURCES
        self.power = PowerMode.ASLEEP
        field.listen(self._field_changed)

    # power

    def set_reset(self, level: int) -> None:
        """The pin RSTPD_N: 0 switches everything off, 1 starts the chip into LowVbat."""
        if level == 0:
            self._lose_everything()
            self.power = PowerMode.OFF
        elif self.power is PowerMode.OFF:
            self.power = PowerMode.ASLEEP
            self._booted_us = self.clock.now_us + BOOT_US

    def _lose_everything(self) -> None:
        self._abort()
        self._set_irq(1)
        self._parser.clear()
        self.commands.reset()
        self.field.switch(False)
        self.baud = FACTORY_BAUD
        self.line_is_stuck = False
        self._zombie = False
        self._last_reply = None
        self._wake_sources = ALL_WAKE_SOURCES
        self._booted_us = self.clock.now_us
        self.power = PowerMode.ASLEEP

    def _fall_asleep(self, wake_sources: int) -> None:
        self.commands.wake_sources = None
        self.commands.initiator.forget_targets()
        self.field.switch(False)
        self._wake_sources = wake_sources
        self.power = PowerMode.ASLEEP

    def hear(self, wake_bit: int, at_us: float) -> float | None:
        """Something moves on the line at `at_us`: when the chip starts to listen, None = never."""
        if self.power is PowerMode.OFF or self.line_is_stuck:
            return None
        if self.power is PowerMode.ASLEEP:
            if not self._wake_sources & wake_bit:
                return None
            self.power = PowerMode.AWAKE
            self._awake_from_us = int(max(at_us, self._booted_us)) + WAKE_US
            self._parser.clear()
        return self._awake_from_us

    # from the host

    def feed(self, data: bytes) -> None:
        """Bytes that the chip has heard."""
        for frame in self._parser.feed(data):
            self._on_frame(frame)

    def _on_frame(self, frame: Frame) -> None:
        if frame.kind is frames.FrameKind.DATA:
            if frame.data[0] == frames.FROM_HOST and len(frame.data) > 1:
                self._begin(frame.data[1], frame.data[2:])
        elif frame.kind is frames.FrameKind.ACK:
            self._on_ack()
        elif self._last_reply is not None and self._is_idle():
            self._offer(self._last_reply)

    def _is_idle(self) -> bool:
        return self._work is None or self._waits_for == WAIT_FOR_HOST

    def _on_ack(self) -> None:
        """The host's ACK ends a command under way, and confirms a new baud rate."""
        if self._work is not None:
            self._abort()
        elif self.commands.new_baud is not None:
            self.baud, self.commands.new_baud = self.commands.new_baud, None

    def _begin(self, code: int, args: bytes) -> None:
        """A new command ends the one before."""
        self._abort()
        self.commands.new_baud = None
        self.command_count += 1
        self._fault = self.faults.meet(self.command_count)
        self._zombie = self._zombie or self._has(FaultKind.ZOMBIE)
        self._work = self._serve(code, args)
        self._step()

    # the one command under way

    def _serve(self, code: int, args: bytes) -> Steps[None]:
        yield self.hand_off.ack_us
        if self._has(FaultKind.STUCK_LINE):
            self.line_is_stuck = True
            return
        if not self._has(FaultKind.DROPPED_ACK):
            garbage = bytes(0x5A ^ i for i in range(self._amount(FaultKind.GARBAGE)))
            self._offer(garbage + frames.ACK)  # the stray bytes hold no start code
            yield WAIT_FOR_HOST
        yield self.hand_off.start_us
        if amount := self._amount(FaultKind.TAG_FLICKER):
            self.field.flicker(amount)
        try:
            data = yield from self.commands.run(code, args)
            reply = frames.build(frames.FROM_CHIP, bytes([code + 1]) + data)
        except BadSyntax:
            reply = frames.ERROR
        yield self.hand_off.reply_us
        yield from self._hand_over(reply)

    def _hand_over(self, reply: bytes) -> Steps[None]:
        """Give the reply to the host, and do what was to happen afterwards."""
        if self._zombie or self._has(FaultKind.SILENT):
            return
        self._last_reply = reply
        cut = self._has(FaultKind.POWER_GLITCH)
        self._offer(self._spoil(reply))
        yield WAIT_FOR_HOST
        if cut:
            self._work = None
            self._lose_everything()
        elif self.commands.wake_sources is not None:
            self._fall_asleep(self.commands.wake_sources)

    def _has(self, kind: FaultKind) -> bool:
        return self._fault is not None and self._fault.kind is kind

    def _amount(self, kind: FaultKind) -> int:
        """Of the fault of this command, 0 if it is none of this kind."""
        return self._fault.amount if self._fault is not None and self._has(kind) else 0

    def _spoil(self, reply: bytes) -> bytes:
        if self._has(FaultKind.POWER_GLITCH):
            return reply[: self._amount(FaultKind.POWER_GLITCH)]
        if self._has(FaultKind.BAD_CHECKSUM):
            return reply[:-2] + bytes((reply[-2] ^ 0xFF, reply[-1]))
        return reply

    def _step(self) -> None:
        """Go on with the command until it waits again."""
        self._timer = None
        work = self._work
        if work is None:
            return
        try:
            wait = next(work)
        except StopIteration:
            if self._work is work:
                self._work = None
            return
        self._waits_for = min(wait, 0)
        if wait >= 0:
            self._timer = self.clock.after(wait, self._step)

    def _abort(self) -> None:
        work, self._work = self._work, None
        self._waits_for = 0
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if work is not None:
            work.close()

    def _field_changed(self) -> None:
        if self._waits_for == WAIT_FOR_FIELD and self._work is not None:
            self._waits_for = 0
            self._timer = self.clock.after(0, self._step)

    # to the host

    def _offer(self, frame: bytes) -> None:
        if self.port is None:
            return
        disturbed = self.faults.disturb(frame, self.bytes_out + 1)
        self.bytes_out += len(frame)
        self.offer_number += 1
        self._set_irq(0)
        self.port.offer(disturbed)

    def taken(self, offer_number: int) -> None:
        """The host has fetched this offer."""
        if offer_number != self.offer_number:
            return
        self._set_irq(1)
        if self._waits_for == WAIT_FOR_HOST and self._work is not None:
            self._waits_for = 0
            self._step()

    def _set_irq(self, level: int) -> None:
        if level == 0 and not self.commands.uses_irq:
            return
        if level != self.irq:
            self.irq = level
            for listener in self.on_irq:
                listener(level)
