"""A line that corrupts, drops, splits, repeats, stalls and disconnects, from a seeded plan."""

import random
from dataclasses import dataclass

from host_tools.box.link import Port


@dataclass(frozen=True)
class LineFaultRates:
    """Chances per transfer, in thousandths."""

    corrupt: int = 20
    drop: int = 20
    repeat: int = 10
    split: int = 100
    stall: int = 20
    disconnect: int = 5

    @staticmethod
    def clean() -> "LineFaultRates":
        """A line without faults."""
        return LineFaultRates(0, 0, 0, 0, 0, 0)


class BadLine:
    """A port in front of a port. `faults` counts what was done to the bytes."""

    def __init__(self, port: Port, plan: LineFaultRates, seed: int) -> None:
        self._port = port
        self._plan = plan
        self._random = random.Random(seed)
        self._held = b""
        self._gone = False
        self.faults = 0

    def write(self, data: bytes) -> object:
        self._maybe_disconnect()
        return self._port.write(self._spoil(data))

    def read(self, size: int = 1) -> bytes:
        self._maybe_disconnect()
        if self._chance(self._plan.stall):
            return b""
        data = self._held or self._spoil(self._port.read(size))
        self._held = b""
        if len(data) > 1 and self._chance(self._plan.split):
            at = self._random.randrange(1, len(data))
            data, self._held = data[:at], data[at:]
        return data

    def close(self) -> None:
        self._port.close()

    def _chance(self, thousandths: int) -> bool:
        return thousandths > 0 and self._random.randrange(1000) < thousandths

    def _maybe_disconnect(self) -> None:
        if self._gone or self._chance(self._plan.disconnect):
            self._gone = True
            raise OSError(5, "the device went away")

    def _spoil(self, data: bytes) -> bytes:
        if data and self._chance(self._plan.corrupt):
            self.faults += 1
            spoiled = bytearray(data)
            spoiled[self._random.randrange(len(data))] ^= 1 << self._random.randrange(8)
            data = bytes(spoiled)
        if data and self._chance(self._plan.drop):
            self.faults += 1
            start = self._random.randrange(len(data))
            data = data[:start] + data[start + self._random.randrange(1, 9) :]
        if data and self._chance(self._plan.repeat):
            self.faults += 1
            start = self._random.randrange(len(data))
            data = data[: start + 20] + data[start:]
        return data
