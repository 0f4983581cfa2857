"""Where things lie, on each system, and what `schiri doctor` says of them."""

import json
import sys
from pathlib import Path
from typing import Any

import platformdirs.macos
import platformdirs.unix
import platformdirs.windows
import pytest
from click.testing import CliRunner, Result

from host_tools.cli import schiri
from host_tools.core import places
from host_tools.core.texts import DATA_PLACES
from host_tools.provision.ledger import LedgerEntry, TagLedger
from host_tools.sim.tournament.day import simulate_day


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


# -- schiri doctor --------------------------------------------------------------------------------


def looked_at() -> dict[str, dict[str, Any]]:
    """Place -> what `schiri doctor` says of it."""
    return {row["place"]: row for row in json.loads(say("doctor", "--json").stdout)["places"]}


def test_the_doctor_tells_every_place_and_what_lies_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCHIRI_KEYS", str(tmp_path / "keys.json"))
    say("keys", "new", "league")
    simulate_day("practice", 8, 1)[0].close()
    TagLedger(places.tags()).add(LedgerEntry("berge x", "A1", "Eiger", "04aa", "written"))
    found = looked_at()
    assert {*found} == {*DATA_PLACES["en"]} & {*found}
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
    told = say("doctor", "--json").stdout + say("doctor", "--lang", "en").stdout
    assert f"key with which this desk signs (a secret): {secret}\n        1 kB" in told
    assert json.loads(secret.read_text())["secret"] not in told
    assert (found["database"]["bytes"], found["database"]["variable"]) == (None, None)
    monkeypatch.setenv("SCHIRI_DATABASE_URL", "postgresql://anna:secret@hall/cup")
    told = say("doctor", "--lang", "de").stdout
    assert "Datenbank: postgresql+psycopg://anna:***@hall/cup\n        ein Server; " in told
    assert "genannt von SCHIRI_DATABASE_URL" in told
    assert "1 Turnier, 7 Partien" in told
    assert "Verzeichnis geschriebener Tags: " in told
    assert "1 Eintrag" in told


def test_looking_makes_nothing(data_of_this_test: Path) -> None:
    assert len(looked_at()) == 14
    assert not data_of_this_test.exists()


def test_a_file_that_is_damaged_hides_no_other_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCHIRI_KEYS", str(tmp_path / "keys.json"))
    places.keys().write_text("{")
    found = looked_at()
    assert (len(found), found["keys"]["holds"], found["keys"]["bytes"]) == (14, {}, 1)
    assert f"{places.keys()}: " in found["keys"]["trouble"]
    assert found["users"]["trouble"] == ""
    assert found["keys"]["trouble"] in say("doctor", "--lang", "en").stdout


def test_who_asks_for_one_aim_is_told_of_no_places() -> None:
    assert json.loads(say("doctor", "desk", "--json").stdout)["places"] == []
    assert "keys.json" not in say("doctor", "desk").stdout
