"""Starts the box's firmware inside the VM: puts the twin's modules in place, mounts the flash,
runs the entry.

`sys.modules` is filled before the firmware imports anything, so its own `import machine`, `import
time` and `import sys` find the twin's; nothing in the firmware knows.
"""

import gc
import io
import os
import sys

import vfs
from micropython import const

import hardware.twin.vm.machine as machine
from hardware.twin.vm import ops
from hardware.twin.vm.bridge import VmBridge
from hardware.twin.vm.clock import BoxTime
from hardware.twin.vm.storage import Storage
from hardware.twin.vm.usb import BoxSys

_TURNS = const(32)  # between two chances to collect garbage, see Boot
TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

# what else a firmware can end by; anything more would be a fault of the interpreter
_FAULTS = (Exception, SystemExit)


class BoxOs:
    """The module `os` with the two functions that the RP2 port has and the VM lacks."""

    def __init__(self, bridge: VmBridge) -> None:
        self._bridge = bridge

    def __getattr__(self, name: str) -> "Any":
        return getattr(os, name)

    def urandom(self, n: int) -> bytes:
        return machine.fetched(self._bridge, ops.RANDOM, n)

    def sync(self) -> None:
        """littlefs has nothing to sync beyond `flush` and `close` of each file."""


def install(bridge: VmBridge, storage: str) -> None:
    """Put the twin's modules into `sys.modules` and the twin's flash under `storage`."""
    for kind in machine.CLASSES:
        kind.bridge = bridge
    chip = machine.MachineFunctions(bridge)
    for name in machine.FUNCTIONS:
        setattr(machine, name, getattr(chip, name))
    modules = sys.modules
    modules["machine"] = machine
    modules["time"] = BoxTime(bridge)
    modules["os"] = BoxOs(bridge)
    modules["sys"] = BoxSys(bridge)
    if bridge.call(ops.NET_THERE):
        from hardware.twin.vm import network

        modules["network"] = network.Network(bridge)
        modules["socket"] = network.Sockets(bridge)
    vfs.mount(Storage(bridge), storage)


class Boot:
    """One boot. `start` runs the entry; if that is a generator, `turn` runs some of its turns.

    The VM collects garbage only when no Python code is active (its stack cannot be scanned), so a
    firmware whose loop is a generator is driven from JavaScript, which leaves the VM now and then.
    One that loops for ever in a function works too, but its garbage stays.
    """

    def __init__(self, request: "Any", share: "Any", cpu_us: int, storage: str) -> None:
        self.bridge = VmBridge(request, share, cpu_us)
        self._turns: "Any" = None
        self._with_garbage = 0
        self._made = 0
        install(self.bridge, storage)

    def start(self, entry: str) -> bool:
        """Import and call `entry` ("module:function"); True if there are turns to make. Call at
        rest.
        """
        self.bridge.send(ops.READY, gc.mem_alloc(), 0, 0, sys.version.encode())
        return self._guard(lambda: self._begin(entry))

    def turn(self) -> bool:
        """Make some turns; False once the firmware has ended."""
        if self.bridge.heap_wanted and not self._with_garbage:
            self._with_garbage = gc.mem_alloc()
            gc.collect()  # happens as soon as this returns
            return True
        if self._with_garbage:
            self.bridge.tell_heap(gc.mem_alloc(), self._with_garbage, self._made)
            self._with_garbage = 0
        return self._guard(self._some_turns)

    def _begin(self, entry: str) -> bool:
        module, function = entry.split(":")
        self._turns = getattr(__import__(module, None, None, (function,)), function)()
        if hasattr(self._turns, "send"):
            return True
        self.bridge.call(ops.ENDED, 0)
        return False

    def _some_turns(self) -> bool:
        turns = self._turns
        for _ in range(_TURNS):
            next(turns)
            self._made += 1
            if self.bridge.heap_wanted:
                break
        return True

    def _guard(self, action: "Any") -> bool:
        """Whatever ends the firmware is told to the twin, as on the box the console shows it."""
        try:
            return bool(action())
        except StopIteration:
            self.bridge.call(ops.ENDED, 0)
        except KeyboardInterrupt:
            self.bridge.call(ops.ENDED, 2)
        except _FAULTS as error:
            text = io.StringIO()
            sys.print_exception(error, text)
            self.bridge.send(ops.ENDED, 1, 0, 0, text.getvalue().encode())
        return False
