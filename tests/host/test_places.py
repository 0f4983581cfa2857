"""Where things lie, on each system; `schiri where`; and what earlier versions left elsewhere."""

import json
import sys
from pathlib import Path

import platformdirs.macos
import platformdirs.unix
import platformdirs.windows
import pytest
from click.testing import CliRunner, Result

from card_tags import kinds
from host_tools.cli import schiri
from host_tools.core import places
from host_tools.core.errors import UserError
from host_tools.core.texts import WHERE
from host_tools.provision.ledger import LedgerEntry, TagLedger
from host_tools.sim.tournament.day import simulate_day
from host_tools.tournament.slips import SlipBook


def say(*words: str) -> Result:
    return CliRunner().invoke(schiri, words)


# -- each system has folders of its own -----------------------------------------------------------

LOCAL, ROAMING = r"C:\Users\Anna\AppData\Local", r"C:\Users\Anna\AppData\Roaming"
SYSTEMS = {
    "linux": (
        platformdirs.unix.Unix,
        {"HOME": "/home/anna"},
        "/home/anna/.local/share/schiri",
        "/home/anna/.config/schiri",
        "/home/anna/.cache/schiri",
        "/home/anna/.local/state/schiri",
    ),
    "xdg": (
        platformdirs.unix.Unix,
        {
            "XDG_DATA_HOME": "/d",
            "XDG_CONFIG_HOME": "/c",
            "XDG_CACHE_HOME": "/k",
            "XDG_STATE_HOME": "/s",
        },
        "/d/schiri",
        "/c/schiri",
        "/k/schiri",
        "/s/schiri",
    ),
    "macos": (
        platformdirs.macos.MacOS,
        {"HOME": "/Users/anna"},
        "/Users/anna/Library/Application Support/schiri",
        "/Users/anna/Library/Application Support/schiri",
        "/Users/anna/Library/Caches/schiri",
        "/Users/anna/Library/Application Support/schiri",
    ),
    "windows": (
        platformdirs.windows.Windows,
        {"LOCALAPPDATA": LOCAL, "APPDATA": ROAMING, "USERPROFILE": r"C:\Users\Anna"},
        rf"{LOCAL}/schiri",
        rf"{ROAMING}/schiri",
        rf"{LOCAL}/schiri/Cache",
        rf"{LOCAL}/schiri",
    ),
}


@pytest.mark.parametrize("system", SYSTEMS)
def test_files_lie_where_the_system_wants_them(
    system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By platformdirs' own modules for other systems; keys roam on Windows, as settings do."""
    folders, environment, data, settings, cache, state = SYSTEMS[system]
    for name in (
        "HOME",
        "XDG_DATA_HOME",
        "XDG_CONFIG_HOME",
        "XDG_CACHE_HOME",
        "XDG_STATE_HOME",
        "SCHIRI_DECKS",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("SCHIRI_KEYS", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    if system == "windows" and sys.platform != "win32":
        by_variables = platformdirs.windows.get_win_folder_from_env_vars
        monkeypatch.setattr(platformdirs.windows, "get_win_folder", by_variables)
    monkeypatch.setattr(places, "PlatformDirs", folders)
    found = {
        "schiri.db": places.database(),
        "slips.jsonl": places.slips(),
        "tags.jsonl": places.tags(),
        "desk-users.json": places.users(),
        "decks": places.files_of("deck"),
        "practice/schiri.db": places.practice_database(),
        "practice/slips.jsonl": places.slips(practised=True),
    }
    assert {name: str(path) for name, path in found.items()} == {
        name: f"{data}/{name}" for name in found
    }
    assert str(places.keys()) == f"{settings}/keys.json"
    assert str(places.cache()) == cache
    assert str(places.seen_lists()) == f"{state}/key-lists.json"


# -- schiri where ---------------------------------------------------------------------------------


def test_where_tells_every_place_and_what_lies_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCHIRI_KEYS", str(tmp_path / "keys.json"))
    say("keys", "new", "league")
    simulate_day("practice", 8, 1)[0].close()
    TagLedger(places.tags()).add(LedgerEntry("berge x", "A1", "Eiger", "04aa", "written"))
    found = {row["place"]: row for row in json.loads(say("where", "--json").stdout)}
    assert {*found} == {*WHERE["en"]} & {*found}
    assert found["practice"]["holds"] == {"tournaments": 1, "matches": 7}
    assert found["practice"]["bytes"] == sum(
        path.stat().st_size for path in places.practice().iterdir()
    )
    assert (found["tags"]["holds"], found["tags"]["path"]) == ({"entries": 1}, str(places.tags()))
    assert (found["keys"]["holds"], found["keys"]["variable"]) == ({"entries": 1}, "SCHIRI_KEYS")
    secret, hidden = places.desk_key(), (found["desk_key"], found["passwords"])
    assert [(row["path"], row["holds"]) for row in hidden] == [
        (str(secret), {}),
        (str(places.broker_passwords()), {}),
    ]
    assert (found["desk_key"]["bytes"], found["desk_key"]["variable"]) == (None, "SCHIRI_KEYS")
    say("keys", "desk")
    told = say("where", "--json").stdout + say("where", "--lang", "en").stdout
    assert f"key with which this desk signs (a secret): {secret}\n    1 kB" in told
    assert json.loads(secret.read_text())["secret"] not in told
    assert (found["database"]["bytes"], found["database"]["variable"]) == (None, None)
    monkeypatch.setenv("SCHIRI_DATABASE_URL", "postgresql://anna:secret@hall/cup")
    told = say("where", "--lang", "de").stdout
    assert "Datenbank: postgresql+psycopg://anna:***@hall/cup\n    ein Server; " in told
    assert "genannt von SCHIRI_DATABASE_URL" in told
    assert "1 Turnier, 7 Partien" in told
    assert "Verzeichnis geschriebener Tags: " in told
    assert "1 Eintrag" in told


def test_looking_makes_nothing(data_of_this_test: Path) -> None:
    assert say("where").exit_code == 0
    assert not data_of_this_test.exists()


# -- what earlier versions left in the current folder ---------------------------------------------


def entry(code: str, uid: str, state: str, at: str) -> LedgerEntry:
    return LedgerEntry("berge 1", code, "Eiger", uid, state, at)


def test_a_ledger_of_before_goes_on_in_its_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An old line must not outrank a newer one: A1 was taken back since."""
    monkeypatch.chdir(tmp_path)
    old = TagLedger(Path("schiri-tags.jsonl"))
    old.add(entry("A1", "04aa", "written", "2026-03-01T10:00:00+00:00"))
    old.add(entry("A2", "04bb", "written", "2026-03-01T10:00:05+00:00"))
    TagLedger(places.tags()).add(entry("A1", "04aa", "undone", "2026-04-01T10:00:00+00:00"))
    told = say("--lang", "en", "provision", "report")
    assert told.stderr == f"schiri-tags.jsonl, of an earlier version, is in {places.tags()} now.\n"
    ledger = TagLedger(places.tags())
    assert [(one.code, one.state) for one in ledger.entries] == [
        ("A1", "written"),
        ("A2", "written"),
        ("A1", "undone"),
    ]
    assert ledger.of_item("berge 1", "A1") is None
    assert [path.name for path in tmp_path.iterdir()] == ["schiri-tags.jsonl.old"]
    assert say("provision", "report").stderr == ""


def test_a_slip_that_was_booked_before_is_refused_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    slip = kinds.Slip("7-a", "box1", "trumpf", 1, "won", 60, b"\x01" * 32, ())
    SlipBook(Path("schiri-slips.jsonl")).book(slip, b"\x04" * 7)
    assert "schiri-slips.jsonl in this folder" in say("where", "--lang", "en").stdout
    assert say("slip", "check").exit_code == 0
    assert SlipBook(places.slips()).head_of("box1", "7-a") == slip.head


def test_a_folder_that_may_only_be_read_is_taken_over_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    TagLedger(Path("schiri-tags.jsonl")).add(entry("A1", "04aa", "written", ""))

    def refuses(*_: object) -> None:
        raise PermissionError

    before = Path("schiri-tags.jsonl").read_bytes()
    monkeypatch.setattr(Path, "replace", lambda self, to: _replace(self, to, refuses))
    for first in (True, False):
        assert (places.take_over(places.tags()) is not None) is first
        assert len(TagLedger(places.tags()).entries) == 1
    assert Path("schiri-tags.jsonl").read_bytes() == before


_real = Path.replace


def _replace(path: Path, to: Path, refuses) -> Path:
    return refuses() if str(to).endswith(".old") else _real(path, to)


def test_a_damaged_file_of_before_stays_and_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("schiri-tags.jsonl").write_text('{"at": 1}\nnonsense\n{}\n')
    refused = say("provision", "report").exception
    assert isinstance(refused, UserError)
    assert "schiri-tags.jsonl" in str(refused)
    assert "2" in str(refused)
    assert not places.tags().exists()
