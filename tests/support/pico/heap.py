"""MicroPython's heap in the RAM of an emulated chip, looked at from outside: what a collection at
this instant would leave, and the largest free block. Nothing runs on the chip for it.
"""

import struct
from dataclasses import dataclass
from typing import Any

from hardware.twin.errors import TwinError

BLOCK = 16  # bytes, MICROPY_BYTES_PER_GC_BLOCK on 32 bits
_RAM = 0x2000_0000
_PER_BYTE = 4  # blocks whose kinds a byte of the allocation table holds
_FREE, _HEAD, _TAIL = 0, 1, 2  # 3: a head that is marked
_LEAST_HEAP = 64 * 1024
_SP = 13


@dataclass(frozen=True)
class Heap:
    """Bytes: of the whole heap, in use by what can still be reached, not yet collected besides,
    and the largest piece that a collection would leave free.
    """

    total: int
    used: int
    garbage: int
    largest: int

    @property
    def free(self) -> int:
        return self.total - self.used


def heap_of(mcu: Any) -> Heap:
    """py/gc.c from outside: mark from everything in RAM that is not heap, and from the registers.

    What lies below the stack pointer counts too, so this rather sees more in use than less.
    """
    ram = bytes(mcu.sram)
    table, size, start, end = _area(ram)
    kinds = _kinds(ram[table : table + size], (end - start) // BLOCK)
    roots = _words(ram, 0, start) + _words(ram, end, len(ram)) + list(mcu.core.registers)
    live = _marked(ram, kinds, roots, start)
    return Heap(
        total=end - start,
        used=BLOCK * sum(live),
        garbage=BLOCK * (sum(kind != _FREE for kind in kinds) - sum(live)),
        largest=BLOCK * max(map(len, bytes(live).split(b"\x01"))),
    )


def _area(ram: bytes) -> tuple[int, int, int, int]:
    """`mp_state_mem_area_t` (py/mpstate.h), found by its own arithmetic: allocation table and its
    length, finaliser table, first and last address of the pool.
    """
    words = struct.unpack(f"<{len(ram) // 4}I", ram)
    for place in range(len(words) - 5):
        table, size, finalisers, start, end = words[place : place + 5]
        if end - start == size * _PER_BYTE * BLOCK >= _LEAST_HEAP and (
            _RAM <= table < finalisers <= start < end <= _RAM + len(ram)
        ):
            return table - _RAM, size, start - _RAM, end - _RAM
    raise TwinError("MicroPython's heap is not to be found in the RAM of the chip.")


def _kinds(table: bytes, blocks: int) -> bytes:
    kinds = bytes(byte >> shift & 3 for byte in table for shift in (0, 2, 4, 6))
    return kinds[:blocks]


def _words(ram: bytes, start: int, end: int) -> list[int]:
    end -= (end - start) % 4
    return list(struct.unpack(f"<{(end - start) // 4}I", ram[start:end]))


def _marked(ram: bytes, kinds: bytes, roots: list[int], start: int) -> bytearray:
    """1 for every block that can be reached."""
    live = bytearray(len(kinds))
    base = _RAM + start
    while roots:
        block, rest = divmod(roots.pop() - base, BLOCK)
        if rest or not 0 <= block < len(kinds) or not kinds[block] & _HEAD or live[block]:
            continue
        last = block + 1
        while last < len(kinds) and kinds[last] == _TAIL:
            last += 1
        live[block:last] = b"\x01" * (last - block)
        roots += _words(ram, start + block * BLOCK, start + last * BLOCK)
    return live
