"""The firmware on CPython: private modules, the twin's `machine`, nothing left behind."""

import colorsys
import sys
import threading
from pathlib import Path

import pytest

from hardware.twin.errors import TwinError
from tests.twin.small_firmware import SAY, running, said

STATE = (
    SAY
    + """
import firmware.counter
from firmware import counter as same
from .counter import count
from . import counter

def turns():
    counter.seen.append(1)
    say(len(counter.seen), same is counter, firmware.counter is counter, count())
    for _ in idle():
        yield
"""
)
COUNTER = "seen = []\n\n\ndef count() -> int:\n    return len(seen)\n"


def test_every_boot_has_fresh_modules_and_python_keeps_its_own(tmp_path: Path) -> None:
    before = {name for name in sys.modules if name.split(".")[0] in ("firmware", "machine")}
    with running("cpython", tmp_path, STATE) as box:
        (tmp_path / "sources/firmware/counter.py").write_text(COUNTER, encoding="utf8")
        assert said(box) == ["1 True True 1"]
        box.reboot()
        assert said(box) == ["1 True True 1"]
    after = {name for name in sys.modules if name.split(".")[0] in ("firmware", "machine")}
    assert after == before
    assert "machine" not in after


def test_what_the_firmware_takes_out_of_its_modules_python_keeps(tmp_path: Path) -> None:
    main = SAY + (
        "\nimport firmware.counter\n\ndef turns():\n"
        "    say('firmware.counter' in sys.modules, 'colorsys' in sys.modules)\n"
        "    sys.modules.pop('firmware.counter')\n    sys.modules.pop('colorsys', None)\n"
        "    say('firmware.counter' in sys.modules)\n    return idle()\n"
    )
    with running("cpython", tmp_path, main) as box:
        (tmp_path / "sources/firmware/counter.py").write_text(COUNTER, encoding="utf8")
        assert said(box) == ["True False", "False"]
    assert sys.modules["colorsys"] is colorsys


def test_a_missing_module_is_told(tmp_path: Path) -> None:
    main = "from firmware.nothing import x\n"
    with running("cpython", tmp_path, main) as box, pytest.raises(TwinError, match="nothing"):
        box.run_for(10)


def test_files_outside_the_storage_folder_are_refused(tmp_path: Path) -> None:
    main = "def turns():\n    open('/etc/passwd')\n    yield\n"
    with running("cpython", tmp_path, main) as box, pytest.raises(TwinError, match="/etc/passwd"):
        box.run_for(10)


def test_data_that_comes_with_the_firmware_can_be_read(tmp_path: Path) -> None:
    main = SAY + (
        "\ndef turns():\n    with open('/firmware/note.txt') as file:\n        say(file.read())\n"
        "    for _ in idle():\n        yield\n"
    )
    with running("cpython", tmp_path, main) as box:
        (tmp_path / "sources/firmware/note.txt").write_text("hello", encoding="utf8")
        assert said(box) == ["hello"]


def test_a_power_cut_cannot_be_caught_by_the_firmware(tmp_path: Path) -> None:
    main = SAY + (
        "\nimport os\n\ndef turns():\n    while True:\n        try:\n"
        "            time.sleep_ms(5)\n"
        "        except (OSError, RuntimeError, ValueError):\n            pass\n"
        "        finally:\n            os.listdir('/box')\n        yield\n"
    )
    with running("cpython", tmp_path, main) as box:
        box.run_for(20)
        box.cut_power()
        assert not box.on
    assert not [thread for thread in threading.enumerate() if thread.name == "firmware"]


def test_a_file_that_a_power_cut_left_open_closes_in_silence(tmp_path: Path) -> None:
    """Python closes it when it collects it; from 3.14 on Ctrl-C at a box showed a traceback."""
    main = SAY + (
        "\nimport colorsys\n\ndef turns():\n"
        "    colorsys.kept = open('/box/kept', 'wb')\n    return idle()\n"
    )
    with running("cpython", tmp_path, main) as box:
        box.run_for(20)
        box.cut_power()
        vars(colorsys).pop("kept").close()


def test_what_the_session_does_inside_a_predicate_is_raised_to_the_caller(tmp_path: Path) -> None:
    def broken() -> bool:
        raise LookupError("in the test itself")

    with (
        running("cpython", tmp_path, SAY + "\ndef turns():\n    return idle()\n") as box,
        pytest.raises(LookupError, match="in the test itself"),
    ):
        box.run_until(broken, 100)


def test_a_callback_at_a_time_may_act_and_may_fail(tmp_path: Path) -> None:
    def fail() -> None:
        raise ValueError("at 30 ms")

    with running("cpython", tmp_path, SAY + "\ndef turns():\n    return idle()\n") as box:
        seen: list[int] = []
        box.at(20, lambda: seen.append(box.now_ms))
        box.at(30, fail)
        with pytest.raises(ValueError, match="at 30 ms"):
            box.run_for(100)
        assert seen == [20]
        assert box.now_ms == 30
        box.run_for(100)  # the firmware is unharmed
        assert box.running
