"""How fast an emulated RP2040 runs. rp2040py has 125 MHz whatever the chip's registers say."""

from typing import Any

from rp2040py.clock.simulation_clock import SimulationClock
from rp2040py.peripherals.peripheral import BasePeripheral

_EMULATED_HZ = 125_000_000
_CRYSTAL_HZ = 12_000_000
_PLL_SYS = 0x40028
# RP2040 data sheet 2.18.4
_CS, _FEEDBACK, _DIVIDERS = 0x0, 0x8, 0xC
_LOCKED = 1 << 31


class ChipClock(SimulationClock):
    """The time of the chip. Instructions take as long as `hertz` says; what waits waits as long
    as before. After a change the next alarm may be up to 64 instructions late.
    """

    hertz = _EMULATED_HZ
    chip: Any = None

    def tick(self, delta_nanos: float) -> None:
        """rp2040py: so much time of a 125 MHz chip has passed, or a wait is over."""
        if self.hertz != _EMULATED_HZ and not self.chip.core.waiting:
            delta_nanos *= _EMULATED_HZ / self.hertz
        super().tick(delta_nanos)


class SystemPll(BasePeripheral):
    """PLL_SYS, from which the processor gets its clock: locked at once."""

    def __init__(self, chip: Any, clock: ChipClock) -> None:
        super().__init__(chip, "PLL_SYS_BASE")
        self._clock = clock
        self._registers = {_CS: 1, _FEEDBACK: 0, _DIVIDERS: 0x77000}

    def read_uint32(self, offset: int) -> int:
        value = self._registers.get(offset, 0)
        return value | _LOCKED if offset == _CS else value

    def write_uint32(self, offset: int, value: int) -> None:
        self._registers[offset] = value
        feedback = self._registers[_FEEDBACK] & 0xFFF
        if offset == _DIVIDERS and feedback:
            divisor = (value >> 16 & 7) * (value >> 12 & 7) * (self._registers[_CS] & 0x3F)
            self._clock.hertz = _CRYSTAL_HZ * feedback // divisor
            self.rp2040.clk_sys = self._clock.hertz


def chip_with_clock(make: Any, _clock: Any = None) -> Any:
    """An RP2040 (`make`, its class) that runs as fast as its registers say; rp2040py may offer a
    clock of its own.
    """
    clock = ChipClock()
    chip = make(clock)
    clock.chip = chip
    chip.peripherals[_PLL_SYS] = SystemPll(chip, clock)
    return chip
