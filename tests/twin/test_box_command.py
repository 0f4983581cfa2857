"""`schiri twin box`: a box for people, its console and its line."""

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
import serial

from hardware.twin.live import LiveTwin
from hardware.twin.session import TwinSession
from hardware.twin.tags import NtagTwin
from host_tools.box.link import open_link
from host_tools.sim.twin.console import TwinConsole, fitting
from host_tools.sim.twin.pty_line import PtyLine
from host_tools.sim.twin.tag import load, save
from tests.processes import LIMIT_S, started
from tests.twin.small_firmware import ECHO, SAY, running

PLAIN = SAY + "\ndef turns():\n    return idle()\n"


@pytest.fixture
def box(tmp_path: Path) -> Iterator[TwinSession]:
    with running("cpython", tmp_path, PLAIN) as session:
        yield session


@pytest.fixture
def tags(tmp_path: Path) -> Path:
    folder = tmp_path / "tags"
    folder.mkdir()
    save(NtagTwin.ntag213(uid=bytes.fromhex("04A1B2C3D4E5F6")), folder / "A1.tag")
    return folder


def console(box: TwinSession, tags: Path | None) -> TwinConsole:
    return TwinConsole(box, tags, on_quit=lambda: None)


def test_tags_are_placed_by_name_or_file_and_removed(box: TwinSession, tags: Path) -> None:
    hand = console(box, tags)
    assert hand.do("place A1") == ""
    assert [tag.uid.hex() for tag in box.field.tags] == ["04a1b2c3d4e5f6"]
    assert hand.do(f"place {tags / 'A1.tag'}") == ""
    assert len(box.field.tags) == 1
    hand.do("remove A1")
    assert box.field.tags == []
    hand.do("tap A1.tag")
    box.run_for(499)
    assert len(box.field.tags) == 1
    box.run_for(2)
    assert box.field.tags == []


def test_a_tap_waits_until_the_tag_of_the_last_one_is_away(box: TwinSession, tags: Path) -> None:
    """The box asks for the next card 150 ms after a tap, and people answer at once."""
    for number in (2, 3):
        save(NtagTwin.ntag213(uid=bytes([4, 1, 2, 3, 4, 5, number])), tags / f"A{number}.tag")
    hand = console(box, tags)
    lay = []
    for name in ("A1", "A2", "A3"):
        hand.do(f"tap {name}")
        box.run_for(50)
    for _ in range(300):
        lay.append([tag.uid[-1] for tag in box.field.tags])
        box.run_for(10)
    assert max(map(len, lay)) == 1
    seen = [uids[0] if uids else 0 for uids in lay]
    changes = [uid for place, uid in enumerate(seen) if place == 0 or seen[place - 1] != uid]
    assert changes == [0xF6, 0, 2, 0, 3, 0]
    assert seen.count(0) * 10 >= 2 * 250  # between two taps the reader forgets for 250 ms


@pytest.mark.parametrize(
    ("columns", "lines", "width", "height"),
    [
        (200, 50, 130, 34),
        (130, 37, 130, 34),
        (129, 50, 66, 18),
        (120, 30, 66, 18),
        (200, 36, 66, 18),
    ],
)
def test_the_picture_fits_into_the_terminal(
    box: TwinSession, columns: int, lines: int, width: int, height: int
) -> None:
    text = fitting(box.screen(), columns, lines)
    assert text is not None
    assert [len(line) for line in text.split("\n")] == [width] * height


@pytest.mark.parametrize(("columns", "lines"), [(65, 50), (200, 20)])
def test_a_terminal_too_small_shows_no_picture(box: TwinSession, columns: int, lines: int) -> None:
    assert fitting(box.screen(), columns, lines) is None


@pytest.mark.parametrize("columns", [120, 60])
def test_a_narrow_terminal_gets_no_line_that_wraps(columns: int, tmp_path: Path) -> None:
    """What `schiri twin box` writes to a terminal of so many columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 40, columns, 0, 0))
    program = str(Path(sys.executable).with_name("schiri"))
    command = [program, "twin", "box", "--engine", "cpython", "--seconds", "4"]
    size = ("COLUMNS", "LINES")  # of the terminal that runs the tests
    env = {name: value for name, value in os.environ.items() if name not in size}
    with started(command, stdin=subprocess.DEVNULL, stdout=theirs, env=env, cwd=tmp_path) as run:
        os.close(theirs)
        assert run.wait(LIMIT_S) == 0
        written = os.read(ours, 1 << 16).decode()
        os.close(ours)
    drawn = re.sub("\x1b(7|8|\\[[0-9;]*[A-Za-z])", "\n", written)
    assert ("┌" in drawn) == (columns == 120)
    assert max(map(len, drawn.splitlines())) <= columns


def test_buttons_screen_cable_and_power(
    box: TwinSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")  # whatever the terminal of this test run is
    hand = console(box, None)
    box.run_for(10)
    assert hand.do("press jury 900") == ""
    box.run_for(800)
    assert box.box.buttons.levels == [1, 1, 1, 0]
    box.run_for(200)
    assert box.box.buttons.levels == [1, 1, 1, 1]
    assert hand.do("screen").count("\n") == 33
    assert "stored" in hand.do(f"screen {tmp_path / 'x.png'}")
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
    hand.do("unplug")
    assert not box.box.usb.plugged
    hand.do("plug")
    assert box.box.usb.plugged
    assert hand.do("power") == "booting"
    assert box.boots == 2


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("fly", "'fly'"),
        ("", "place TAG"),
        ("press", "up, down, ok, jury"),
        ("press left", "up, down, ok, jury"),
        ("press ok long", "'long'"),
        ("place", "Which tag"),
        ("place B7", "'B7'"),
        ("place /nowhere/x.tag", "x.tag"),
        ("screen /nowhere/x.png", "/nowhere/x.png"),
    ],
)
def test_what_is_mistyped_gets_a_sentence(
    box: TwinSession, tags: Path, line: str, named: str
) -> None:
    assert named in console(box, tags).do(line)


def test_tags_are_stored_at_the_end(box: TwinSession, tags: Path) -> None:
    hand = console(box, tags)
    hand.do("place A1")
    box.field.tags[0].load_user(b"\x01\x02\x03\x04")
    hand.store()
    assert load(tags / "A1.tag").memory.page(4) == b"\x01\x02\x03\x04"


def test_a_live_box_does_what_other_threads_wish(tmp_path: Path) -> None:
    with running("cpython", tmp_path, ECHO) as session:
        live = LiveTwin(session, speed=100)
        heard: list[bytes] = []
        session.box.usb.on_output = heard.append
        live.call(lambda: session.usb_write(b"hello"))
        session.at(500, live.stop)
        live.run()
        assert b"".join(heard) == b"hello"


def test_ctrl_d_at_the_repl_boots_again(tmp_path: Path) -> None:
    with running("cpython", tmp_path, ECHO) as session:
        live = LiveTwin(session, speed=100)
        session.at(100, lambda: session.usb_write(b"\x03"))
        session.at(300, lambda: session.usb_write(b"\x04"))
        session.at(900, live.stop)
        live.run()
        assert session.boots == 2
        assert session.running


def test_a_line_that_nobody_reads_does_not_stop_the_box() -> None:
    with PtyLine(lambda data: None) as line:
        for _ in range(100):
            line.write(bytes(1000))


def serve(tmp_path: Path, *options: str) -> AbstractContextManager[subprocess.Popen[bytes]]:
    command = [sys.executable, "-c", "from host_tools.cli import main; main()", "twin", "box"]
    return started(
        [*command, "--flash", str(tmp_path / "flash"), *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.parametrize("engine", ["cpython", pytest.param("micropython", marks=pytest.mark.vm)])
def test_the_command_serves_the_real_firmware_until_ctrl_c(engine: str, tmp_path: Path) -> None:
    with serve(tmp_path, "--engine", engine) as process:
        assert process.stdout is not None
        path = process.stdout.readline().decode().strip()
        with serial.Serial(path, 115200, timeout=LIMIT_S) as line:
            line.write(b"nonsense\n")
            answer = line.readline()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=LIMIT_S)
    assert b"error" in answer  # the link's own answer to a line it cannot read
    assert (process.returncode, errors) == (0, b"")


def test_quit_on_the_console_ends_the_command(tmp_path: Path) -> None:
    with serve(tmp_path, "--engine", "cpython") as process:
        out, errors = process.communicate(b"place nothing\nquit\n", timeout=LIMIT_S)
    assert b"nothing" in out
    assert (process.returncode, errors) == (0, b"")


def test_more_seconds_than_a_timer_takes_are_refused(tmp_path: Path) -> None:
    with serve(tmp_path, "--engine", "cpython", "--seconds", "1e400") as process:
        _, errors = process.communicate(timeout=LIMIT_S)
    assert b"--seconds: inf is not in the range" in errors
    assert process.returncode == 2


def test_ctrl_c_does_not_wait_for_the_seconds(tmp_path: Path) -> None:
    with serve(tmp_path, "--engine", "cpython", "--seconds", "600") as process:
        assert process.stdout is not None
        link = open_link(process.stdout.readline().decode().strip())
        link.hello()  # it runs
        link.close()
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=LIMIT_S)
    assert b"stopped" in out
    assert process.returncode == 0


def test_two_boxes_have_two_ids_and_one_flash_one(tmp_path: Path) -> None:
    ids = []
    for folder in ("a", "b", "a"):
        with serve(tmp_path / folder, "--engine", "cpython") as process:
            assert process.stdout is not None
            link = open_link(process.stdout.readline().decode().strip())
            ids.append(link.hello()["box"])
            link.close()
            process.communicate(b"quit\n", timeout=LIMIT_S)
    assert ids[0] == ids[2] != ids[1]
