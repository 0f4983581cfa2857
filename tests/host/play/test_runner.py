"""The thread that runs one box, and those who ask it for something."""

import threading
import time
from contextlib import suppress

import pytest

from host_tools.sim.table import runner
from tests.host.play_table import table_of


def test_what_was_refused_as_too_late_is_not_done_afterwards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Somebody was told that the box is busy, pressed again, and their card was played twice."""
    monkeypatch.setattr(runner, "ASK_S", 0.05)
    done: list[str] = []
    with table_of("hattrick", 3) as table:
        hangs, goes_on = threading.Event(), threading.Event()

        def hang() -> None:
            hangs.set()
            goes_on.wait()

        table.runner.call(hang)
        hangs.wait()
        with pytest.raises(TimeoutError):
            table.runner.ask(lambda: done.append("late"))
        goes_on.set()
        monkeypatch.setattr(runner, "ASK_S", 60)
        table.runner.ask(lambda: done.append("in time"))
    assert done == ["in time"]


def test_what_is_being_done_already_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """It can no longer be taken back: to call it refused would be wrong."""
    monkeypatch.setattr(runner, "ASK_S", 0.05)
    begun: list[str] = []
    done: list[str] = []

    def slowly() -> None:
        begun.append("slowly")
        time.sleep(4 * runner.ASK_S)
        done.append("slowly")

    with table_of("hattrick", 3) as table:
        while not done:
            with suppress(TimeoutError):  # on a busy machine it was not begun in time
                table.runner.ask(slowly)
            assert begun == done
    assert done == begun == ["slowly"]
