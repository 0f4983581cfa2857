"""`schiri box` at a box of the twin, served on a pty like a real one."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
import serial
from click.testing import CliRunner, Result

from host_tools.box.link import open_link
from host_tools.cli import schiri
from host_tools.commands.box import box_at
from host_tools.core.errors import UserError


@pytest.fixture(autouse=True)
def own_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCHIRI_KEYS", str(tmp_path / "keys.json"))


def run(*arguments: object) -> Result:
    return CliRunner().invoke(schiri, [str(argument) for argument in arguments])


def test_status_tells_firmware_matches_and_health(port: str) -> None:
    out = run("box", "status", "--port", port).output
    assert "firmware 0.1.0" in out
    assert "1 match, 1 waits for the desk" in out
    assert "recoveries 0" in out
    assert "kB of it in one piece" in out
    german = run("--lang", "de", "box", "status", "--port", port).output
    assert "1 Partie, davon 1 noch nicht abgeholt" in german
    told = json.loads(run("box", "status", "--port", port, "--json").output)
    assert (told["firmware"], told["matches"], told["waiting"]) == ("0.1.0", 1, 1)
    assert ["recoveries", 0] in told["reader"]
    assert told["heap_largest"] <= told["heap_free"]


def test_set_changes_and_shows(port: str) -> None:
    out = run("box", "set", "--port", port, "--name", "Tisch 9", "--sealed-only", "yes").output
    assert "name: Tisch 9" in out
    assert "sealed_only: True" in out
    run("box", "set", "--port", port, "--sealed-only", "no")


def test_set_refuses_what_the_box_refuses(port: str) -> None:
    outcome = run("box", "set", "--port", port, "--volume", "9")
    assert isinstance(outcome.exception, UserError)
    assert "volume" in str(outcome.exception)


def test_a_sound_is_played_on_the_box(port: str) -> None:
    assert (
        "Played on the box: tie, seat2."
        in run(
            *("box", "sounds", "--port", port, "--only", "tie", "--seat", 2, "--lang", "en")
        ).output
    )
    with box_at(port) as link, pytest.raises(UserError, match="number"):
        link.request("sound", number=28)


def test_selftest_and_log(port: str) -> None:
    outcome = run("box", "status", "--selftest", "--port", port)
    assert outcome.exception is None
    assert outcome.output.count("good") == 5
    assert "has not crashed" in run("box", "status", "--port", port).output


def test_backup_holds_settings_and_matches_and_is_restored(port: str, tmp_path: Path) -> None:
    file = tmp_path / "box.json"
    assert "1 match and the settings" in run("box", "backup", "--port", port, "-o", file).output
    content = json.loads(file.read_text(encoding="utf8"))
    assert content["settings"]["language"] == "de"
    again = run("box", "backup", "--port", port, "-o", file)
    assert "there already" in str(again.exception)
    db = tmp_path / "x.db"
    assert "1 match stored, 0 were stored before" in run("box", "restore", file, "--db", db).output
    again = run("box", "restore", file, "--db", db, "--port", port).output
    assert "0 matches stored, 1" in again
    assert "1 match is on the box" in again


@pytest.mark.parametrize("content", ["", "{}", '{"schiri_backup": 1, "settings": 3}', "[1]"])
def test_a_file_that_is_no_backup_is_a_sentence(tmp_path: Path, content: str) -> None:
    file = tmp_path / "bad.json"
    file.write_text(content, encoding="utf8")
    outcome = run("box", "restore", file, "--db", tmp_path / "x.db")
    assert isinstance(outcome.exception, UserError)
    assert "is no backup" in str(outcome.exception)


def test_keys_are_given_changed_and_guarded(
    port: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("keys", "new", "first")
    assert "first now" in run("box", "set", "--key", "--port", port).output
    run("keys", "new", "second")
    given = run("box", "set", "--port", port, "--key", "second", "--table", "7").output
    assert "second now" in given
    assert "table: 7" in given
    monkeypatch.setenv("SCHIRI_KEYS", str(tmp_path / "stranger.json"))
    run("keys", "new", "stranger")
    outcome = run("box", "set", "--port", port, "--key", "--table", "8")
    assert "this laptop lacks" in str(outcome.exception)
    # who is refused the key has changed nothing
    assert "table: 7" in run("box", "set", "--port", port).output
    run("box", "set", "--port", port, "--table", "0")


def test_sync_through_the_command(port: str, tmp_path: Path) -> None:
    db = tmp_path / "schiri.db"
    first = run("sync", "--port", port, "--db", db)
    assert "stored as 1, unverified" in first.output
    second = run("sync", "--port", port, "--db", db)
    told = json.loads(run("sync", "--port", port, "--db", db, "--json").output)
    assert set(told) == {"box", "name", "first_time", "running", "matches"}
    assert told["first_time"] is False
    assert "already stored as 1" in second.output


# -- without --port -------------------------------------------------------------------------------


@dataclass
class Plugged:
    """What pyserial lists: the ids are a Pico's with MicroPython, or CH340's (usb.ids)."""

    device: str
    vid: int | None = 0x2E8A
    pid: int | None = 0x0005


ADAPTER = Plugged("/dev/ttyUSB0", 0x1A86, 0x7523)
ON_BOARD = Plugged("/dev/ttyS0", None, None)


def plug(patch: pytest.MonkeyPatch, *ports: Plugged) -> None:
    patch.setattr("serial.tools.list_ports.comports", lambda: list(ports))


def test_the_only_box_needs_no_port(port: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plug(monkeypatch, ON_BOARD, ADAPTER, Plugged(port))
    assert "firmware 0.1.0" in run("box", "status").output
    (found,) = json.loads(run("box", "list", "--json").output)
    assert (found["port"], found["trouble"]) == (port, "")


@pytest.mark.parametrize("command", ["box status", "sync", "box update", "tag read"])
def test_no_box_is_one_sentence(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plug(monkeypatch, ON_BOARD, ADAPTER)
    error = run(*command.split()).exception
    assert isinstance(error, UserError)
    assert (error.sentence.key, error.exit_code) == ("box_nowhere", 3)


def test_of_two_boxes_one_must_be_named(port: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plug(monkeypatch, Plugged("/no/box"), Plugged(port))
    error = run("box", "status").exception
    assert isinstance(error, UserError)
    assert error.exit_code == 2
    assert re.search(rf"--port: {port} [^,]+, /no/box -$", str(error))


def test_the_only_adapter_needs_no_port(monkeypatch: pytest.MonkeyPatch) -> None:
    plug(monkeypatch, ON_BOARD, ADAPTER, Plugged("/dev/ttyACM0"))
    error = run("tag", "read", "--reader", "pn532").exception
    assert "/dev/ttyUSB0" in str(error)  # which is not here
    plug(monkeypatch, ADAPTER, Plugged("/dev/ttyUSB1", 0x0403, 0x6001))
    error = run("tag", "read", "--reader", "pn532").exception
    assert "here are: /dev/ttyUSB0, /dev/ttyUSB1" in str(error)


@pytest.mark.parametrize(
    ("said", "key"),
    [
        ("could not open port 'COM9': FileNotFoundError(2, 'The', None, 2)", "port_none"),
        (
            "could not open port 'COM3': PermissionError(13, 'Access', None, 5)",
            "port_busy",
        ),
    ],
)
def test_what_windows_says_of_a_port(said: str, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """pyserial's serialwin32.py gives no error number."""

    def refuse(*_args: object, **_options: object) -> None:
        raise serial.SerialException(said)

    monkeypatch.setattr("serial.serial_for_url", refuse)
    with pytest.raises(UserError) as caught:
        open_link("COM3")
    assert caught.value.sentence.key == key
