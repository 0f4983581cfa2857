"""`schiri twin tag` and `schiri twin reader`."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

from host_tools.cli import main
from host_tools.sim.twin.tag import load
from tests.processes import LIMIT_S, started
from tests.twin.dialogue import ACK, UID, WAKE_UP, cmd, rsp

LISTED = "4B 01 01 00 44 00 07 04 A1 B2 C3 D4 E5 F6"
SCHIRI = [sys.executable, "-c", "from host_tools.cli import main; main()"]


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    path = tmp_path / "a.tag"
    with pytest.raises(SystemExit) as ended:
        main(["twin", "tag", str(path), "--uid", UID.hex(":")])
    assert ended.value.code == 0
    return path


@pytest.fixture
def served(dump: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [*SCHIRI, "twin", "reader", "--pty", "--tag", str(dump)]
    with started(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip()


def talk(line: serial.Serial, text: str, reply: str) -> None:
    line.write(cmd(text))
    assert line.read(len(rsp(reply))) == rsp(reply)


def test_fresh_tag(dump: Path) -> None:
    tag = load(dump)
    assert (tag.model.name, tag.uid) == ("NTAG213", UID)


def test_reader_serves_the_tag_and_stores_what_is_written(
    served: tuple[subprocess.Popen[str], str], dump: Path
) -> None:
    process, path = served
    with serial.Serial(path, 115_200, timeout=LIMIT_S) as line:
        line.write(WAKE_UP)
        talk(line, "14 01", "15")
        talk(line, "4A 01 00", LISTED)
        talk(line, "40 01 A2 04 61 62 63 64", "41 00")
    process.send_signal(signal.SIGINT)
    assert process.wait(LIMIT_S) == 0
    assert load(dump).user[:4] == b"abcd"


def test_the_reader_stores_the_tags_however_it_is_ended(dump: Path) -> None:
    """By SIGTERM; and by SIGINT although the parent (a shell's `&`) had it ignored."""
    command = [*SCHIRI, "twin", "reader", "--pty", "--tag", str(dump)]
    ignored = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)}
    for number, ending in enumerate((signal.SIGTERM, signal.SIGINT)):
        with started(command, stdout=subprocess.PIPE, text=True, **ignored) as process:
            assert process.stdout is not None
            with serial.Serial(
                process.stdout.readline().strip(), 115_200, timeout=LIMIT_S
            ) as line:
                line.write(WAKE_UP)
                talk(line, "14 01", "15")
                talk(line, "4A 01 00", LISTED)
                talk(line, f"40 01 A2 04 61 62 63 {number:02X}", "41 00")
            process.send_signal(ending)
            assert process.wait(LIMIT_S) == 0
        assert load(dump).user[:4] == b"abc" + bytes((number,))


def test_reader_with_faults_at_every_command(dump: Path) -> None:
    """The plan of seed 3 begins with a silent command: ACK, but no reply."""
    arguments = ["--tag", str(dump), "--fault-rate", "1", "--seed", "3", "--keep"]
    command = [*SCHIRI, "twin", "reader", "--pty", *arguments]
    with started(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        path = process.stdout.readline().strip()
        with serial.Serial(path, 115_200, timeout=LIMIT_S) as line:
            line.write(WAKE_UP + cmd("02"))
            assert line.read(len(ACK)) == ACK
            line.timeout = 0.5
            assert line.read(1) == b""
        process.send_signal(signal.SIGINT)
        assert process.wait(LIMIT_S) == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["tag", "{dump}"], "exists; --force replaces"),
        (["tag", "{dump}.new", "--uid", "0401"], "is not 7 bytes in hex"),
        (["tag", "{folder}"], "exists; --force replaces"),
        (["tag", "{folder}", "--force"], "cannot be written: Is a directory."),
        (["tag", "{folder}/none/a.tag"], "cannot be written: No such file or directory."),
        (["tag", "{dump}/x"], "cannot be written: Not a directory."),
        (["reader"], "say --pty"),
        (["reader", "--pty", "--tag", "{dump}.none"], "cannot be read: No such file"),
        (["reader", "--pty", "--tag", "{dump}.bad"], "needs a line 'type …'"),
    ],
)
def test_bad_input_is_one_sentence(
    arguments: list[str], sentence: str, dump: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(f"{dump}.bad").write_text("00: 04 A1 B2 9F\n", encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["twin", *(text.format(dump=dump, folder=dump.parent) for text in arguments)])
    assert ended.value.code == (3 if sentence.startswith("cannot be written") else 2)
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1
