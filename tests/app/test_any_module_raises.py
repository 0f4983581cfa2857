"""Any module raises at any call, of a boot, a sync, an update, a match: once, or in every boot.

The box never resets for ever. In the end it plays, or a laptop is answered, or the fault stands on
its screen.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.twin.session import TwinSession
from host_tools.box.link import BoxLink
from host_tools.core.errors import UserError
from host_tools.sim.demo.usb import TwinPort
from tests.sampling import Sample

from . import broken
from .pictures import stock
from .test_on_the_twin import Table

RESTARTS = 4  # of five crashes in a row the last one stays
ALWAYS = 99
BOOT_MS = 1_500
CARD_MS = 900
CALM_MS = 65_000  # after a minute the crashes before are forgotten
MOMENTS = 5  # calls of each module, from its first to its last
FEW = 380  # of the cases, one in so many is in `make test`: each takes two seconds of a processor


class _Box(TwinSession):
    """Tells the plan when the box boots."""

    def _start(self) -> None:
        broken.plan.boot()
        super()._start()


@contextlib.contextmanager
def started(sources: Path, folder: Path) -> Iterator[TwinSession]:
    stock(folder)
    with _Box("cpython", folder, sources=sources, survive_resets=True) as box:
        box.boot()
        box.run_for(BOOT_MS)
        yield box


def a_day(box: TwinSession) -> None:
    """Whatever happens: a sync, a piece of an update, a match with two cards, another sync."""
    ask(box, "hello", {})
    ask(box, "matches", {})
    ask(box, "update_file", {"path": "firmware/new.mpy", "size": 1, "sha256": ""})
    ask(box, "update_data", {"path": "firmware/new.mpy", "offset": 0, "data": "AA=="})
    table = Table(box)
    for button, ms in (("ok", 900), ("ok", 120)):
        table.press(button, ms)
    table.laid = 1
    for code in ("A1", "A2"):
        lay(table, code)
        table.press("ok")
    ask(box, "records", {"match": 1, "from": 0})
    ask(box, "health", {})


def lay(table: Table, code: str) -> None:
    with contextlib.suppress(AssertionError):  # it may be busy restarting
        table.card(code)


def ask(box: TwinSession, do: str, fields: dict[str, object]) -> bool:
    """One request; False if nobody answers it."""
    try:
        BoxLink(TwinPort(box), first_id=1).request(do, **fields)
    except UserError:
        return False
    return True


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return broken.sources(tmp_path_factory.mktemp("broken"))


@pytest.fixture(scope="module")
def cases(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, int, int]]:
    """(module, call, in how many boots): of every module that such a day calls."""
    broken.plan.break_at("", 0, 0)
    with started(sources, tmp_path_factory.mktemp("well")) as box:
        a_day(box)
        assert box.resets == []
    found = []
    for module, calls in sorted(broken.plan.calls.items()):
        moments = {1 + part * (calls - 1) // (MOMENTS - 1) for part in range(MOMENTS)}
        found += [(module, at, times) for at in sorted(moments) for times in (1, ALWAYS)]
    return found


def goes_well(sources: Path, folder: Path, module: str, at: int, times: int) -> None:
    folder.mkdir()
    broken.plan.break_at(module, at, times)
    what = f"{module}, call {at}, in {times} boots"
    with started(sources, folder) as box:
        a_day(box)
        assert broken.plan.times < times, f"{what}: never called"
        resets = -1
        while len(box.resets) != resets:
            resets = len(box.resets)
            box.run_for(CALM_MS)
            assert len(box.resets) <= min(times, RESTARTS), what
        assert ask(box, "hello", {}) or not box.screen().dark, f"{what}: dark and silent"
        if times == 1:
            assert ask(box, "hello", {}), f"{what}: once, and no laptop is answered"


@pytest.mark.thorough
def test_some_modules_at_some_moments(
    sources: Path, cases: list[tuple[str, int, int]], tmp_path: Path
) -> None:
    for number, case in enumerate(Sample(FEW)(cases)):
        goes_well(sources, tmp_path / str(number), *case)


@pytest.mark.long
def test_every_module_at_many_moments(
    sources: Path, cases: list[tuple[str, int, int]], tmp_path: Path
) -> None:
    assert len({module for module, _, _ in cases}) >= 60
    for number, case in enumerate(cases):
        goes_well(sources, tmp_path / str(number), *case)
