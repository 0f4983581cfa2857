"""Faults by name, planned before the run: the same seed gives the same misfortune.

A plan says which command of the chip (1 = the first one it accepts) meets which fault, and which
bytes of the chip's output are disturbed on the line.
"""

import random
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class FaultKind(StrEnum):
    """What can go wrong. Each is taken from reports on real readers."""

    BAD_CHECKSUM = "bad_checksum"  # the reply's checksum is wrong; a NACK fetches the right frame
    DROPPED_ACK = "dropped_ack"  # the ACK is lost, the reply comes
    SILENT = "silent"  # ACK, but no reply to this command
    ZOMBIE = "zombie"  # ACKs and never replies again, until RSTPD_N
    GARBAGE = "garbage"  # `amount` stray bytes before the ACK
    POWER_GLITCH = "power_glitch"  # the reply is cut after `amount` bytes, the chip starts anew
    STUCK_LINE = "stuck_line"  # nothing moves until RSTPD_N
    TAG_FLICKER = "tag_flicker"  # tags lose power for `amount` µs while the command runs


@dataclass(frozen=True)
class InjectedFault:
    """One fault; `amount` as described at its kind."""

    kind: FaultKind
    amount: int = 0


DEFAULT_AMOUNTS = {
    FaultKind.GARBAGE: 3,
    FaultKind.POWER_GLITCH: 4,
    FaultKind.TAG_FLICKER: 3_000,
}
ALL_KINDS = tuple(FaultKind)


class FaultPlan:
    """Which command meets which fault."""

    def __init__(
        self,
        by_command: dict[int, InjectedFault] | None = None,
        noisy_bytes: Iterable[int] = (),
    ) -> None:
        """`by_command`: command number → fault. `noisy_bytes`: numbers of bytes of output."""
        self._by_command = dict(by_command or {})
        self._noisy_bytes = frozenset(noisy_bytes)
        self.met: list[tuple[int, InjectedFault]] = []  # what has happened so far

    @classmethod
    def at_command(cls, number: int, kind: FaultKind, amount: int | None = None) -> "FaultPlan":
        """A single fault."""
        return cls({number: _fault(kind, amount)})

    @classmethod
    def seeded(
        cls,
        seed: int,
        commands: int,
        rate: float,
        kinds: Iterable[FaultKind] = ALL_KINDS,
    ) -> "FaultPlan":
        """Faults at random among the next `commands` commands; `rate` from 0 to 1."""
        chance = random.Random(seed)
        choices = list(kinds)
        numbers = (n for n in range(1, commands + 1) if chance.random() < rate)
        return cls({n: _fault(chance.choice(choices), None) for n in numbers})

    def meet(self, command_number: int) -> InjectedFault | None:
        """The fault of this command, noted as met."""
        fault = self._by_command.get(command_number)
        if fault is not None:
            self.met.append((command_number, fault))
        return fault

    def disturb(self, frame: bytes, first_number: int) -> bytes:
        """The frame after a noisy line; its first byte is output byte `first_number` (from 1)."""
        if not self._noisy_bytes:
            return frame
        return bytes(
            byte ^ 0x10 if first_number + i in self._noisy_bytes else byte
            for i, byte in enumerate(frame)
        )


def _fault(kind: FaultKind, amount: int | None) -> InjectedFault:
    return InjectedFault(kind, DEFAULT_AMOUNTS.get(kind, 0) if amount is None else amount)
