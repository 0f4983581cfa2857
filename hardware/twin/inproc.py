"""The firmware on CPython: the same `machine`, `time`, files and USB line, without leaving the
process.

The firmware's files are loaded privately for every boot, with an `import` of their own: `machine`,
`time`, `os`, `sys` and `select` are the twin's, `open` reaches the twin's flash, everything else
is Python's. Nothing in `sys.modules` changes, so any number of boxes live beside each other, and a
reboot forgets all module state.
"""

import builtins
import gc
import importlib
import importlib.util
import sys
import traceback
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from types import CodeType, ModuleType, SimpleNamespace
from typing import Any

from hardware.twin import engine
from hardware.twin.errors import TwinError, os_error
from hardware.twin.node import ROOT
from hardware.twin.service import Service
from hardware.twin.vm import clock, machine, network, ops, storage
from hardware.twin.vm.usb import BoxSys

POLLIN, POLLOUT = 1, 4  # MicroPython's, extmod/modselect.c; Windows' module has none
BOX_PACKAGES = ("firmware", "card_tags")


class InprocBridge:
    """The way from the modules in `hardware/twin/vm` to the box, when both are in one process."""

    def __init__(self, service: Service, owner: engine.Engine) -> None:
        self._service = service
        self._owner = owner
        self._clock = service.box.clock
        self._pins = service.box.pins
        self._handlers: dict[int, tuple[Callable[[Any], None], Any]] = {}
        self._interrupting = False

    def call(self, op: int, a: int = 0, b: int = 0, c: int = 0) -> int:
        return self._ask(op, a, b, c, b"", 0)[0]

    def send(self, op: int, a: int, b: int, c: int, data: Any) -> int:
        return self._ask(op, a, b, c, bytes(data), 0)[0]

    def fill(self, op: int, a: int, b: int, buffer: Any, size: int = -1) -> int:
        wanted = len(buffer) if size < 0 else size
        result, data = self._ask(op, a, b, 0, b"", wanted)
        buffer[: len(data)] = data
        return result

    def level(self, gpio: int) -> int:
        self._tick()
        return self._service.box.pins.levels() >> gpio & 1

    def uart_any(self, number: int) -> int:
        self._tick()
        return self._service.box.uart.any()

    def usb_any(self) -> int:
        self._tick()
        return self._service.box.usb.waiting()

    def ticks_ms(self) -> int:
        self._tick()
        return self._service.box.ticks_ms()

    def ticks_us(self) -> int:
        self._tick()
        return self._service.box.ticks_us()

    def feed(self) -> None:
        self._tick()
        self._service.box.feed_watchdog()

    def spend(self, us: int) -> None:
        if self._interrupting:
            return  # the microseconds of a handler are not modelled
        self._owner.check_alive()
        if not self._pins.edges and self._clock.skip(us):  # nearly always
            self._heed_ctrl_c()
            return
        left = self._service.box.spend(us)
        self._interrupt()
        while left:
            left = self._service.box.spend(left)
            self._interrupt()
        self._heed_ctrl_c()

    def irq(self, pin: Any, handler: Callable[[Any], None] | None, trigger: int) -> None:
        if handler is not None:
            self._handlers[pin.gpio] = (handler, pin)
        self.call(ops.PIN_IRQ, pin.gpio, trigger if handler is not None else 0)

    def _interrupt(self) -> None:
        """Tell the handlers of their edges, the lowest GPIO first as `gpio_irq` of the port. An
        exception, at which the chip would fall silent, ends the firmware here.
        """
        edges = 0 if self._interrupting else self._service.box.pins.take_edges()
        if not edges:
            return
        self._interrupting = True
        try:
            for gpio, (handler, pin) in sorted(self._handlers.items()):
                if edges >> gpio & 1:
                    handler(pin)
        finally:
            self._interrupting = False

    def _tick(self) -> None:
        self.spend(self._service.box.cpu_us)

    def _ask(self, op: int, a: int, b: int, c: int, data: bytes, size: int) -> tuple[int, bytes]:
        # Python closes a file when it collects it, also of a box that is off (3.14 prints
        # what that raises)
        if op == ops.FILE_CLOSE and self._owner.is_dead:
            return 0, b""
        self._owner.check_alive()
        # the call lets time pass, and what was due may cut the power: asked before and behind it
        result, back = self._service.handle(op, a, b, c, data, size)
        self._owner.check_alive()
        self._interrupt()
        if result < 0:
            raise os_error(-result)
        self._heed_ctrl_c()
        return result, back

    def _heed_ctrl_c(self) -> None:
        usb = self._service.box.usb
        if usb.interrupted:
            usb.interrupted = False
            raise KeyboardInterrupt


class InprocSys(BoxSys):
    """MicroPython's `sys` with the USB line as its streams."""

    implementation = sys.implementation

    def print_exception(self, error: BaseException, file: Any = None) -> None:
        """MicroPython's own way to print a traceback."""
        text = "".join(traceback.format_exception(error))
        (file or self.stdout).write(text)


# MicroPython's `gc`. A collection frees nothing: a laptop has other garbage, and far more to look
# through. Nor has CPython a figure of its heap (measure in the VM): free is what a bare Pico has,
# so that a status page has a number.
BOX_GC = SimpleNamespace(
    enable=gc.enable,
    disable=gc.disable,
    collect=lambda: 0,
    threshold=lambda amount=-1: None,
    mem_alloc=lambda: 0,
    mem_free=lambda: 236_000,
)


class InprocOs:
    """MicroPython's `os` on the twin's flash; only the storage folder exists."""

    _OF_STORAGE = ("ilistdir", "stat", "remove", "rename", "mkdir", "rmdir", "statvfs")

    def __init__(self, files: "InprocFiles", bridge: InprocBridge) -> None:
        self._files = files
        self._bridge = bridge
        self.unlink = self.remove

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """A call of the flash; the arguments of all of them are paths."""
        if name not in self._OF_STORAGE:
            raise AttributeError(name)
        call = getattr(self._files.storage, name)
        return lambda *paths: call(*map(self._files.inside, paths))

    def listdir(self, path: str = "/") -> list[str]:
        return [entry[0] for entry in self.ilistdir(path)]

    def sync(self) -> None:
        """littlefs has nothing to sync beyond `flush` and `close` of each file."""

    def urandom(self, n: int) -> bytes:
        return machine.fetched(self._bridge, ops.RANDOM, n)


class InprocFiles:
    """`open` and the paths of the box: below the storage folder the flash, elsewhere only the
    firmware's own data.
    """

    def __init__(self, bridge: InprocBridge, root: str, sources: Path) -> None:
        self.storage = storage.Storage(bridge)
        self._root = root.rstrip("/")
        self._sources = sources

    def inside(self, path: str) -> str:
        """The path within the flash. TwinError for a path outside the storage folder."""
        if path == self._root:
            return "/"
        if path.startswith(self._root + "/"):
            return path[len(self._root) :]
        raise TwinError(f"The firmware uses {path}, which is not below {self._root}.")

    def open(self, path: str, mode: str = "r") -> Any:
        """The built-in `open` of the box, which writes text as UTF-8."""
        own = path.removeprefix(f"{self._sources}/").lstrip("/")
        if own.split("/")[0] in BOX_PACKAGES and mode in ("r", "rb"):
            # data that is installed with the firmware
            return open(self._sources / own, mode, encoding="utf8" if mode == "r" else None)
        return self.storage.open(self.inside(path), mode)


class BoxPoll:
    """`select.poll` for streams that answer MicroPython's `ioctl`."""

    def __init__(self, bridge: InprocBridge) -> None:
        self._bridge = bridge
        self._streams: list[tuple[Any, int]] = []

    def register(self, stream: Any, eventmask: int = POLLIN) -> None:
        self._streams.append((stream, eventmask))

    def poll(self, timeout: int = -1) -> list[tuple[Any, int]]:
        waited = 0
        while True:
            ready = [(s, s.ioctl(3, mask)) for s, mask in self._streams]
            ready = [(s, events) for s, events in ready if events]
            if ready or 0 <= timeout <= waited:
                return ready
            self._bridge.spend(1000)
            waited += 1

    ipoll = poll


def make_modules(bridge: InprocBridge, files: InprocFiles) -> dict[str, Any]:
    """The modules that differ between the box and a PC, by the name under which the firmware
    imports them.
    """
    board = ModuleType("machine", machine.__doc__)
    for kind in machine.CLASSES:
        setattr(board, kind.__name__, type(kind.__name__, (kind,), {"bridge": bridge}))
    chip = machine.MachineFunctions(bridge)
    for name in machine.FUNCTIONS:
        setattr(board, name, getattr(chip, name))
    for name in ("PWRON_RESET", "WDT_RESET"):
        setattr(board, name, getattr(machine, name))
    modules: dict[str, Any] = {
        "machine": board,
        "time": clock.BoxTime(bridge),
        "os": InprocOs(files, bridge),
        "sys": InprocSys(bridge),
        "select": SimpleNamespace(POLLIN=POLLIN, POLLOUT=POLLOUT, poll=lambda: BoxPoll(bridge)),
        "gc": BOX_GC,
    }
    if bridge.call(ops.NET_THERE):
        modules["network"], modules["socket"] = network.Network(bridge), network.Sockets(bridge)
    return modules


class Loader:
    """Imports the firmware's files for one boot. `modules` holds what has been loaded."""

    def __init__(self, sources: Path, own: dict[str, Any], box_open: Any) -> None:
        self._sources = sources
        self._own = own
        self.modules: dict[str, ModuleType] = {}
        # of its own, because a box lets go of modules to save memory: out of Python's own, one
        # would be gone while another thread is importing it (KeyError)
        own["sys"].modules = self.modules  # what the firmware takes out of it, Python keeps
        self._builtins = {**vars(builtins), "open": box_open, "__import__": self._import}

    def load(self, name: str) -> ModuleType:
        """The module `name`, loaded with its parents, as `importlib.import_module` would."""
        if name in self.modules:
            return self.modules[name]
        parent, _, last = name.rpartition(".")
        above = self.load(parent) if parent else None
        path = self._path(name)
        if path is None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        module = ModuleType(name)
        is_package = path.name == "__init__.py"
        module.__file__ = str(path)
        module.__package__ = name if is_package else parent
        if is_package:
            module.__path__ = [str(path.parent)]
        vars(module)["__builtins__"] = self._builtins
        # before it is run, as Python does, or two modules that import each other would never end
        self.modules[name] = module
        exec(_code(path, path.stat().st_mtime_ns), vars(module))
        if above is not None:
            setattr(above, last, module)
        return module

    def _path(self, name: str) -> Path | None:
        base = self._sources.joinpath(*name.split("."))
        for path in (base / "__init__.py", base.with_suffix(".py")):
            if path.exists():
                return path
        return None

    def _import(
        self,
        name: str,
        globals: dict[str, Any] | None = None,
        locals: Any = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> Any:
        """What an `import` statement in the firmware does."""
        if level:
            package = (globals or {})["__package__"]
            name = importlib.util.resolve_name("." * level + name, package)
        top = name.split(".")[0]
        if top in self._own:
            return self._own[top]
        if top not in BOX_PACKAGES:
            return importlib.__import__(name, globals, locals, fromlist or (), 0)
        module = self.load(name)
        if not fromlist:
            return self.modules[top]
        for item in fromlist:
            if not hasattr(module, item) and hasattr(module, "__path__"):
                self.load(f"{name}.{item}")
        return module


@lru_cache(maxsize=256)
def _code(path: Path, changed_ns: int) -> CodeType:
    """Compile a file once for each state of it, not once for each boot."""
    return compile(path.read_bytes(), str(path), "exec")


class InprocEngine(engine.Engine):
    """One boot of the firmware on CPython. `sources` is the folder with `firmware` and
    `card_tags`.
    """

    def __init__(self, service: Service, storage: str, entry: str, sources: Path = ROOT) -> None:
        self._sources = sources
        self.loader: Loader | None = None
        super().__init__(service, storage, entry)

    def prepare(self, loader: Loader) -> None:
        """Before the firmware starts: nothing, unless somebody wants to watch it."""

    def run(self) -> str:
        bridge = InprocBridge(self.service, self)
        files = InprocFiles(bridge, self.storage, self._sources)
        self.loader = Loader(self._sources, make_modules(bridge, files), files.open)
        self.prepare(self.loader)
        module, function = self.entry.split(":")
        turns = getattr(self.loader.load(module), function)()
        for _ in turns or ():  # an entry is a loop, or a generator of its turns
            self.check_alive()
        return engine.RETURNED
