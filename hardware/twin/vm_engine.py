"""The firmware in the real MicroPython VM: a Node process whose every `machine` call is answered
here.

Message formats: `vm/runner.mjs`. Killing the process is the power cut.
"""

import json
import select
import struct
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from hardware.twin import engine
from hardware.twin.errors import TwinError
from hardware.twin.node import ROOT, find_node, find_vm
from hardware.twin.service import Service
from hardware.twin.vm import ops

_REQUEST = struct.Struct("<8i")
_ANSWER = struct.Struct("<12i")
_LONGEST_LEFT_US = 1 << 29  # the horizon travels in a small int
_SILENCE_S = 60  # of wall time: then the VM hangs in a loop that touches nothing
# as in hardware/twin/vm/bridge.py
_ORDER_HEAP = 1
_ORDER_INTERRUPT = 2
_OUTCOMES = (engine.RETURNED, engine.CRASHED, engine.INTERRUPTED)
_SHIM = ROOT / "hardware" / "twin" / "vm"
_RUNNER = _SHIM / "runner.mjs"


@dataclass(frozen=True)
class VmHeap:
    """Bytes on the VM's heap.

    `used` after a collection, `with_garbage` before it, `shim` before the firmware was imported;
    `turns` made since boot; `info` is what `micropython.mem_info()` printed.
    """

    used: int
    with_garbage: int
    shim: int
    turns: int
    info: str

    @property
    def firmware(self) -> int:
        """What the firmware itself holds: the budget's figure."""
        return self.used - self.shim

    @property
    def free(self) -> int:
        """Bytes not in use after a collection. Of meaning where the heap ends: `ChipEngine`."""
        return int(self.info.split("free:")[1].split()[0])


class VmEngine(engine.Engine):
    """One VM. `sources` is the folder with `firmware` and `card_tags` (the repository, or a .mpy
    build), or a .romfs image of a build, whose code runs in place.
    """

    def __init__(self, service: Service, storage: str, entry: str, sources: Path = ROOT) -> None:
        self._sources = sources
        self._orders = 0
        self._on_heap: Callable[[VmHeap], None] | None = None
        self.exchanges = 0
        self.shim_bytes = 0
        self.version = ""
        super().__init__(service, storage, entry)

    def ask_heap(self, tell: Callable[[VmHeap], None]) -> None:
        """Have the VM collect and report after this turn; `tell` gets the figures. Needs an entry
        with turns.
        """
        self._orders |= _ORDER_HEAP
        self._on_heap = tell

    def run(self) -> str:
        process = subprocess.Popen(
            [find_node(), str(_RUNNER), json.dumps(self._plan())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,  # Ctrl-C at the terminal is for us; we end it in order
        )
        assert process.stdin is not None
        assert process.stdout is not None
        with ended(process, process.stdin, process.stdout):
            return self.serve(process.stdout, process.stdin)

    def _plan(self) -> dict[str, object]:
        in_rom = self._sources.is_file()
        packages = () if in_rom else ("firmware", "card_tags")
        trees = [(str(self._sources / name), f"/{name}") for name in packages]
        trees.append((str(_SHIM), "/hardware/twin/vm"))
        return {
            "romfs": str(self._sources) if in_rom else None,
            "vm": find_vm().as_uri(),
            "trees": trees,
            "cpuUs": self.service.box.cpu_us,
            "storage": self.storage,
            "entry": self.entry,
        }

    def serve(self, requests: IO[bytes], answers: IO[bytes]) -> str:
        """Answer calls until the firmware ends; returns the outcome."""
        speaks = _poll(requests)
        while True:
            if not speaks():
                raise TwinError(f"The firmware hangs: no machine call for {_SILENCE_S} s.")
            op, a, b, c, spent, fed, into, length = _REQUEST.unpack(_read(requests, _REQUEST.size))
            data = b"" if into or not length else _read(requests, length)
            self._catch_up(spent, fed)
            self.exchanges += 1
            if op == ops.ENDED:
                self.report = data.decode()
                return _OUTCOMES[a]
            result, back = self._own(op, a, b, c, data) or self.service.handle(
                op, a, b, c, data, length if into else 0
            )
            self.check_alive()
            answers.write(self._answer(result, back))

    def _catch_up(self, spent: int, fed: int) -> None:
        """Let the time pass that the VM has spent alone, with the watchdog fed on the way."""
        box = self.service.box
        if fed:
            # the VM tells of its last feeding only: of several, the earlier ones change nothing
            box.clock.advance(fed - 1)
            box.feed_watchdog()
            spent -= fed - 1
        box.clock.advance(spent)

    def _answer(self, result: int, back: bytes) -> bytes:
        """The result, the eleven state words of `vm/bridge.py` (SPENT carries the length), and the
        bytes.
        """
        box = self.service.box
        orders, self._orders = self._orders, 0
        if box.usb.interrupted:
            box.usb.interrupted = False
            orders |= _ORDER_INTERRUPT
        change_us = box.next_change_us()
        left_us = _LONGEST_LEFT_US if change_us is None else change_us - box.clock.now_us
        head = _ANSWER.pack(
            result,
            box.ticks_ms(),
            box.up_us % 1000,
            max(0, min(left_us, _LONGEST_LEFT_US)),
            len(back),
            box.pins.levels(),
            box.uart.any(),
            0,  # UART1 is not wired
            box.usb.waiting(),
            box.ticks_us(),
            orders,
            box.pins.take_edges(),
        )
        return head + back

    def mem_info(self, sent: bytes) -> str:
        """What `micropython.mem_info()` has printed: here the runner sends it along."""
        return sent.decode()

    def _own(self, op: int, a: int, b: int, c: int, data: bytes) -> tuple[int, bytes] | None:
        if op == ops.READY:
            self.shim_bytes = a
            self.version = data.decode()
        elif op == ops.HEAP:
            heap = VmHeap(a, b, self.shim_bytes, c, self.mem_info(data))
            if self._on_heap is not None:
                self._on_heap(heap)
        else:
            return None
        return 0, b""


@contextmanager
def ended(process: subprocess.Popen[bytes], *pipes: IO[bytes]) -> Iterator[None]:
    """However the firmware ends, its process is gone afterwards."""
    try:
        yield
    finally:
        process.kill()
        for pipe in pipes:
            pipe.close()
        process.wait()


def _poll(stream: IO[bytes]) -> Callable[[], object]:
    """A wait for the next byte, false after _SILENCE_S. Windows cannot wait for a pipe: there a
    VM that hangs is waited for.
    """
    if not hasattr(select, "poll"):
        return lambda: True
    poller = select.poll()
    poller.register(stream, select.POLLIN)
    return lambda: poller.poll(1000 * _SILENCE_S)


def _read(stream: IO[bytes], size: int) -> bytes:
    data = b""
    while len(data) < size:
        part = stream.read(size - len(data))
        if not part:
            raise TwinError("The MicroPython VM has died; its last words are above.")
        data += part
    return data
